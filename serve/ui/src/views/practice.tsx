// Practice: lessons, puzzles, stages, positions of one's own mistakes, hard boards, and endings.
import { useEffect, useState } from 'preact/hooks'
import { arrow, type Marks } from '../board'
import { answer, due, learned, removeDrill, right, upcoming, type Drill } from '../drills'
import { ahead, boardOf, percent, whole } from '../format'
import { bestOf, chance, hardBoards, kept, level, setTried, tried, type HardBoard, type Tried } from '../hardboards'
import { classInfo, lossText } from '../judge'
import { later } from '../later'
import { go } from '../route'
import { t } from '../text'
import { dirs, type Dir } from '../types'
import { Button, Card, Figure } from '../ui'
import { Class } from './accuracy'
import { useDrills } from './drillsofgame'
import { Endings } from './endings'
import { name, question, Task, untried, type Trial } from './task'

const Learn = later(async () => (await import('./learn')).LearnView)

export function PracticeView({ parts }: { parts: string[] }) {
  const all = useDrills()
  const [first] = useState(() => (due(all).length > 0 ? 'mistakes' : 'lessons')) // what is answered since does not change the view
  const at = parts[0] || first
  const mode = (name: string, hash: string, on: boolean) => <Button pressed={on} onClick={() => go('practice/' + hash, true)}>{name}</Button>
  const modes = (
    <div class="buttons modes" role="group" aria-label={t('What to practise')}>
      {mode(t('Lessons'), 'lessons', at === 'lessons')}
      {mode(t('Puzzles'), 'puzzles', at === 'puzzles')}
      {mode(t('Stages'), 'stages', at === 'stages')}
      {mode(t('Mistakes ({n})', { n: due(all).length }), 'mistakes', !/^(lessons|puzzles|stages|hard|endings)$/.test(at))}
      {mode(t('Hard boards'), 'hard', at === 'hard')}
      {mode(t('Endings'), 'endings', at === 'endings')}
    </div>
  )
  if (/^(lessons|puzzles|stages)$/.test(at)) return <Learn key={at} at={at} part={parts[1] ?? ''} modes={modes} />
  if (at === 'endings') return <Endings modes={modes} />
  return at === 'hard' ? <Hard modes={modes} /> : <Drills modes={modes} all={all} />
}

function Drills({ modes, all }: { modes: preact.ComponentChildren; all: Drill[] }) {
  const [board, setBoard] = useState(() => due(all)[0]?.board ?? '')
  const [trial, setTrial] = useState(untried)
  const drill = all.find((d) => d.board === board)
  const waiting = due(all).filter((d) => d.board !== board || !trial.counted)
  const next = () => {
    setBoard(waiting.find((d) => d.board !== board)?.board ?? waiting[0]?.board ?? '')
    setTrial(untried)
  }
  useEffect(() => {
    if (!drill && waiting[0]) next()
  })
  const count = (isRight: boolean) => !trial.counted && answer(board, isRight)
  const move = (d: Dir) => {
    if (!drill) return
    const isRight = right(drill, d)
    count(isRight)
    setTrial({ move: d, shown: isRight, counted: true })
  }
  const show = () => {
    count(false)
    setTrial({ ...trial, shown: true, counted: true })
  }
  if (!drill) {
    return (
      <div class="stack" style={{ maxWidth: '40rem', margin: '0 auto' }}>
        {modes}
        <Card title="Your mistakes"><Empty all={all} /></Card>
      </div>
    )
  }
  const made = trial.move ? drill.moves[trial.move] : undefined
  return (
    <div class="arena">
      <Task board={boardOf(drill.board)} legal={(d) => drill.moves[d] !== undefined} score={drill.score} modes={modes} marks={drillMarks(drill, trial)} open={!trial.shown} answered={trial.move !== null}
        onMove={move} onShow={show} onAgain={() => setTrial({ ...untried, counted: trial.counted })} onNext={trial.counted ? next : null}
        opinion={made && trial.move ? (
          <><Class of={made.class} /> {name(trial.move)} {made.class === 'best' ? 'is the best move.' : `${lossText(made.loss, false)}.`}
            {trial.shown && made.class !== 'best' && <> Best: {name(drill.best)}.</>}{!trial.shown && ' Another try?'}</>
        ) : trial.shown ? <>Best: {name(drill.best)}. In the game you moved {name(drill.played)}.</> : question} />
      <div class="stack">
        <Card title="This position">
          <p>{drill.from}. {again(drill, trial)}</p>
          {trial.shown && <AllMoves of={dirs.flatMap((d) => (drill.moves[d] ? [[d, classInfo[drill.moves[d].class].name, drill.moves[d].loss > 0 ? `−${percent(drill.moves[d].loss)}` : '0 %'] as const] : []))} best={drill.best} head="Loss" />}
          <Button kind="plain small" onClick={() => { removeDrill(drill.board); next() }}>Remove it from practice</Button>
        </Card>
        <Card title="Your mistakes">
          <dl class="figures"><Figure name="Due" value={<span id="due">{waiting.length}</span>} /><Figure name="Later" value={all.filter((d) => !learned(d)).length - waiting.length} /><Figure name="Learned" value={all.filter(learned).length} /></dl>
          <p class="dim">Right answers bring a position back after 1, 3 and 7 days; then it is learned. After a wrong one it comes back in ten minutes, and takes a step back. The first answer counts.</p>
        </Card>
      </div>
    </div>
  )
}

function again(drill: Drill, trial: Trial): string {
  if (!trial.counted) return drill.step > 0 ? `Answered right ${drill.step === 1 ? 'once' : `${drill.step} times`}.` : ''
  return learned(drill) ? 'Learned: it does not come back.' : `It comes back ${ahead(drill.due - Date.now())}.`
}

function drillMarks(drill: Drill, { move, shown }: Trial): Marks | null {
  const of = (d: Dir) => classInfo[drill.moves[d]?.class ?? 'best']
  const word = move ? `${of(move).sign} ${of(move).name.toLowerCase()}` : ''
  if (!shown) return move && { best: null, played: move, word }
  return move && !of(move).bad ? { best: move, played: move, word, bestWord: word } : { best: drill.best, played: move, word }
}

/** Empty says why there is no drill, and what to do. */
function Empty({ all }: { all: Drill[] }) {
  const next = upcoming(all)
  return (
    <>
      <p>{next !== null ? `Nothing is due. The next position comes back ${ahead(next - Date.now())}.` : all.length > 0 ? 'All positions are learned.' : 'Nothing to practise yet. Play a game, then review it: its worst mistakes come here.'}</p>
      <div class="row"><Button icon="play" onClick={() => go('play')}>Play</Button><Button icon="review" onClick={() => go('review')}>Review</Button></div>
    </>
  )
}

function Hard({ modes }: { modes: preact.ComponentChildren }) {
  const [answers, setAnswers] = useState<Tried>(tried)
  const [at, setAt] = useState(() => Math.max(0, hardBoards.findIndex((h) => !(h.board in tried()))))
  const [trial, setTrial] = useState(untried)
  const h = hardBoards[at]
  if (!h) return null
  const store = (t: Tried) => {
    setAnswers(t)
    setTried(t)
  }
  const choose = (i: number) => {
    setAt(i)
    setTrial(untried)
  }
  const move = (d: Dir) => {
    if (!(h.board in answers)) store({ ...answers, [h.board]: d })
    setTrial({ move: d, shown: true, counted: true })
  }
  const done = hardBoards.filter((x) => answers[x.board] !== undefined)
  const mean = done.reduce((sum, x) => sum + kept(x, answers[x.board] as Dir), 0) / Math.max(1, done.length)
  const left = hardBoards.findIndex((x, i) => i !== at && !(x.board in answers))
  const best = bestOf(h)
  const word = trial.move ? `${percent(kept(h, trial.move))} kept` : ''
  const right = trial.move !== null && level(h, trial.move)
  return (
    <div class="arena">
      <Task board={boardOf(h.board)} legal={(d) => h.made[d] !== undefined} score={0} modes={modes} open={!trial.shown} answered={trial.move !== null && !right}
        marks={!trial.shown ? null : trial.move && right ? { best: trial.move, played: trial.move, word, bestWord: '★ best' } : { best, played: trial.move, word }}
        onMove={move} onShow={() => setTrial({ ...trial, shown: true })} onAgain={() => setTrial(untried)} onNext={() => choose(left >= 0 ? left : (at + 1) % hardBoards.length)}
        opinion={trial.move && right ? <>{name(trial.move)} is {trial.move === best ? 'the' : 'as good as the'} best move: {percent(chance(h, trial.move))} of games make {whole(h.tile)}.</>
          : trial.move ? <>You keep <b>{percent(kept(h, trial.move))}</b> of the chance of {whole(h.tile)}: {percent(chance(h, trial.move))} after {name(trial.move)}, {percent(chance(h, best))} after {name(best)}.</>
            : trial.shown ? <>Best: {name(best)}: {percent(chance(h, best))} of games make {whole(h.tile)}.</> : <>Which move has the best chance of {whole(h.tile)}?</>} />
      <div class="stack">
        {trial.shown && <Card title="This board">
          <AllMoves of={dirs.flatMap((d) => (h.made[d] === undefined ? [] : [[d, percent(chance(h, d)), percent(kept(h, d))] as const]))} best={best} head={`Makes ${h.tile}`} more="Kept" />
          <p class="dim">{whole(h.games)} games after each move, played by the network without search.</p>
        </Card>}
        <Card title="All boards" side={done.length > 0 && <Button kind="small" onClick={() => { store({}); choose(0) }}>Start over</Button>}>
          <dl class="figures"><Figure name="Chance kept" value={<span id="kept">{done.length > 0 ? percent(mean) : '–'}</span>} /><Figure name="Tried" value={<span id="tried">{done.length} of {hardBoards.length}</span>} /></dl>
          <p class="dim">Boards of real games where a search by a rule of thumb goes wrong. The score is the chance after your move, as a share of the chance after the best one. Your first answer counts. They are grouped by the sum of their tiles.</p>
          <Choice answers={answers} at={at} onChoose={choose} />
        </Card>
      </div>
    </div>
  )
}

/** Choice lists the boards by the sum of their tiles. */
function Choice({ answers, at, onChoose }: { answers: Tried; at: number; onChoose: (i: number) => void }) {
  const stages = [...new Set(hardBoards.map((h) => h.stage))]
  return (
    <div class="stack tight">
      {stages.map((stage) => (
        <div key={stage} class="choice" role="group" aria-label={`Tiles with a sum of about ${stage}`}>
          <span class="dim">{whole(stage)}</span>
          {hardBoards.map((h: HardBoard, i) => {
            const move = answers[h.board]
            return h.stage === stage && <button key={h.board} type="button" aria-current={i === at} data-done={move ? '' : undefined} onClick={() => onChoose(i)} aria-label={`Board ${i + 1}` + (move ? `, ${percent(kept(h, move))} kept` : '')}>{move ? percent(kept(h, move)).replace(' ', '') : i + 1}</button>
          })}
        </div>
      ))}
    </div>
  )
}

/** AllMoves compares the legal moves of a position. */
function AllMoves({ of, best, head, more }: { of: (readonly [Dir, string, string])[]; best: Dir; head: string; more?: string }) {
  return (
    <table>
      <thead><tr><th scope="col">Move</th><th scope="col" class={more ? 'n' : ''}>{more ? head : 'Class'}</th><th scope="col" class="n">{more ?? head}</th></tr></thead>
      <tbody>{of.map(([d, a, b]) => <tr key={d}><th scope="row">{arrow(d)} {d}</th><td class={(more ? 'n' : '') + (d === best ? ' best' : '')}>{a}</td><td class={d === best ? 'n best' : 'n'}>{b}</td></tr>)}</tbody>
    </table>
  )
}
