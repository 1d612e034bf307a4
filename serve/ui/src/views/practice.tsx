// Practice: positions of one's own mistakes, hard boards, and endings.
import { useEffect, useRef, useState } from 'preact/hooks'
import { arrow, BoardView, shape, type Marks } from '../board'
import { answer, due, learned, removeDrill, right, upcoming, type Drill } from '../drills'
import { ahead, boardOf, boardText, classNames, dirNames, percent, sizeOf, whole } from '../format'
import { bestOf, chance, hardBoards, kept, level, setTried, tried, type HardBoard, type Tried } from '../hardboards'
import { classInfo, lossText } from '../judge'
import { useKeys } from '../keys'
import { go } from '../route'
import { rich, t } from '../text'
import { dirs, type Board, type Dir } from '../types'
import { Button, Card, direction, Figure, showBoard } from '../ui'
import { Class } from './accuracy'
import { useDrills } from './drillsofgame'
import { Endings } from './endings'
import { Pad } from './follow'

export function PracticeView({ parts }: { parts: string[] }) {
  const all = useDrills()
  const [first] = useState(() => (due(all).length > 0 ? 'mistakes' : 'hard')) // what is answered since does not change the view
  const at = parts[0] || first
  const mode = (name: string, hash: string, on: boolean) => <Button pressed={on} onClick={() => go('practice/' + hash, true)}>{name}</Button>
  const modes = (
    <div class="buttons modes" role="group" aria-label={t('What to practise')}>
      {mode(t('Your mistakes ({n})', { n: due(all).length }), 'mistakes', at !== 'hard' && at !== 'endings')}
      {mode(t('Hard boards'), 'hard', at === 'hard')}
      {mode(t('Endings'), 'endings', at === 'endings')}
    </div>
  )
  if (at === 'endings') return <Endings modes={modes} />
  return at === 'hard' ? <Hard modes={modes} /> : <Drills modes={modes} all={all} />
}

/** Trial is the state of a position: the last answer, and whether the best move is shown. */
interface Trial {
  move: Dir | null
  shown: boolean
  counted: boolean // an answer was stored
}

const untried: Trial = { move: null, shown: false, counted: false }

interface TaskProps {
  board: Board
  legal: (d: Dir) => boolean
  score: number
  modes: preact.ComponentChildren
  marks: Marks | null
  open: boolean // an answer is accepted
  answered: boolean
  opinion: preact.ComponentChildren
  onMove: (d: Dir) => void
  onAgain: () => void
  onShow: () => void
  onNext: (() => void) | null
}

/** Task is a board with a question, its answer and the buttons. */
function Task(p: TaskProps) {
  const side = useRef<HTMLDivElement>(null)
  const here = boardText(p.board)
  const [blocked, setBlocked] = useState<{ board: string; move: Dir } | null>(null) // a move that changes nothing
  const then = (f: () => void) => () => {
    setBlocked(null)
    f()
    showBoard(side.current)
  }
  const move = (d: Dir) => {
    setBlocked(p.legal(d) ? null : { board: here, move: d })
    if (p.legal(d)) p.onMove(d)
  }
  useKeys((e) => {
    const d = direction(e)
    const onButton = e.target instanceof HTMLElement && e.target.matches('button, a, summary')
    if (d && p.open) move(d)
    else if (e.key === 't' && p.answered) p.onAgain()
    else if (e.key === 'Enter' && !onButton && p.open) p.onShow()
    else if (e.key === 'Enter' && !onButton && p.onNext) p.onNext()
    else return false
    return true
  })
  return (
    <div class="boardside practising" ref={side} style={shape(sizeOf(p.board))}>
      {p.modes}
      <BoardView board={p.board} marks={p.marks} {...(p.open ? { onMove: move } : {})} />
      <p class="opinion" role="status">{p.open && blocked?.board === here ? <>{rich('{move} moves no tile here.', { move: name(blocked.move) })} {t('Another try?')}</> : p.opinion}</p>
      <div class="buttons">
        {p.open && <Button icon="hint" keys="Enter" onClick={then(p.onShow)}>{t('Show the answer')}</Button>}
        {p.answered && <Button icon="undo" label={t('Try again')} keys="T" onClick={then(p.onAgain)}>{t('Try again')}</Button>}
        {!p.open && <Button icon="ask" onClick={() => go(`ask/${boardText(p.board)}/${p.score}`)}>{t('Ask')}</Button>}
        {!p.open && p.onNext && <Button kind="main" icon="step" keys="Enter" onClick={then(p.onNext)}>{t('Next')}</Button>}
      </div>
      {p.open && <Pad decision={null} waiting={false} onMove={move} />}
    </div>
  )
}

const question = t('Which move is best? Swipe, or press an arrow key.')

const name = (d: Dir) => <b>{arrow(d)} {dirNames[d]}</b>

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
        <Card title={t('Your mistakes')}><Empty all={all} /></Card>
      </div>
    )
  }
  const made = trial.move ? drill.moves[trial.move] : undefined
  return (
    <div class="arena">
      <Task board={boardOf(drill.board)} legal={(d) => drill.moves[d] !== undefined} score={drill.score} modes={modes} marks={drillMarks(drill, trial)} open={!trial.shown} answered={trial.move !== null}
        onMove={move} onShow={show} onAgain={() => setTrial({ ...untried, counted: trial.counted })} onNext={trial.counted ? next : null}
        opinion={made && trial.move ? (
          <><Class of={made.class} /> {made.class === 'best' ? rich('{move} is the best move.', { move: name(trial.move) }) : rich('{move} {loses}.', { move: name(trial.move), loses: lossText(made.loss, false) })}
            {trial.shown && made.class !== 'best' && <> {rich('Best: {move}.', { move: name(drill.best) })}</>}{!trial.shown && ' ' + t('Another try?')}</>
        ) : trial.shown ? <>{rich('Best: {move}. In the game you moved {played}.', { move: name(drill.best), played: name(drill.played) })}</> : question} />
      <div class="stack">
        <Card title={t('This position')}>
          <p>{drill.from}. {again(drill, trial)}</p>
          {trial.shown && <AllMoves of={dirs.flatMap((d) => (drill.moves[d] ? [[d, classInfo[drill.moves[d].class].name, drill.moves[d].loss > 0 ? `−${percent(drill.moves[d].loss)}` : percent(0)] as const] : []))} best={drill.best} head={t('Loss')} />}
          <Button kind="plain small" onClick={() => { removeDrill(drill.board); next() }}>{t('Remove it from practice')}</Button>
        </Card>
        <Card title={t('Your mistakes')}>
          <dl class="figures"><Figure name={t('Due')} value={<span id="due">{waiting.length}</span>} /><Figure name={t('Later')} value={all.filter((d) => !learned(d)).length - waiting.length} /><Figure name={t('Learned')} value={all.filter(learned).length} /></dl>
          <p class="dim">{t('Right answers bring a position back after 1, 3 and 7 days; then it is learned. After a wrong one it comes back in ten minutes, and takes a step back. The first answer counts.')}</p>
        </Card>
      </div>
    </div>
  )
}

function again(drill: Drill, trial: Trial): string {
  if (!trial.counted) return drill.step > 0 ? t('Answered right {n|once|# times}.', { n: drill.step }) : ''
  return learned(drill) ? t('Learned: it does not come back.') : t('It comes back {when}.', { when: ahead(drill.due - Date.now()) })
}

function drillMarks(drill: Drill, { move, shown }: Trial): Marks | null {
  const of = (d: Dir) => classInfo[drill.moves[d]?.class ?? 'best']
  const word = move ? `${of(move).sign} ${classNames[drill.moves[move]?.class ?? 'best']}` : ''
  if (!shown) return move && { best: null, played: move, word }
  return move && !of(move).bad ? { best: move, played: move, word, bestWord: word } : { best: drill.best, played: move, word }
}

/** Empty says why there is no drill, and what to do. */
function Empty({ all }: { all: Drill[] }) {
  const next = upcoming(all)
  return (
    <>
      <p>{next !== null ? t('Nothing is due. The next position comes back {when}.', { when: ahead(next - Date.now()) }) : all.length > 0 ? t('All positions are learned.') : t('Nothing to practise yet. Play a game, then review it: its worst mistakes come here.')}</p>
      <div class="row"><Button icon="play" onClick={() => go('play')}>{t('Play')}</Button><Button icon="review" onClick={() => go('review')}>{t('Review')}</Button></div>
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
  const word = trial.move ? t('{share} kept', { share: percent(kept(h, trial.move)) }) : ''
  const right = trial.move !== null && level(h, trial.move)
  return (
    <div class="arena">
      <Task board={boardOf(h.board)} legal={(d) => h.made[d] !== undefined} score={0} modes={modes} open={!trial.shown} answered={trial.move !== null && !right}
        marks={!trial.shown ? null : trial.move && right ? { best: trial.move, played: trial.move, word, bestWord: '★ ' + classNames.best } : { best, played: trial.move, word }}
        onMove={move} onShow={() => setTrial({ ...trial, shown: true })} onAgain={() => setTrial(untried)} onNext={() => choose(left >= 0 ? left : (at + 1) % hardBoards.length)}
        opinion={trial.move && right ? <>{trial.move === best ? rich('{move} is the best move:', { move: name(best) }) : rich('{move} is as good as the best move:', { move: name(trial.move) })} {t('{share} of games make {tile}.', { share: percent(chance(h, trial.move)), tile: h.tile })}</>
          : trial.move ? <>{rich('You keep *{share}* of the chance of {tile}: {chance} after {move}, {most} after {best}.', { share: percent(kept(h, trial.move)), tile: h.tile, chance: percent(chance(h, trial.move)), move: name(trial.move), most: percent(chance(h, best)), best: name(best) })}</>
            : trial.shown ? <>{rich('Best: {move}:', { move: name(best) })} {t('{share} of games make {tile}.', { share: percent(chance(h, best)), tile: h.tile })}</> : <>{t('Which move has the best chance of {tile}?', { tile: h.tile })}</>} />
      <div class="stack">
        {trial.shown && <Card title={t('This board')}>
          <AllMoves of={dirs.flatMap((d) => (h.made[d] === undefined ? [] : [[d, percent(chance(h, d)), percent(kept(h, d))] as const]))} best={best} head={t('Makes {tile}', { tile: String(h.tile) })} more={t('Kept')} />
          <p class="dim">{t('{n} games after each move, played by the network without search.', { n: h.games })}</p>
        </Card>}
        <Card title={t('All boards')} side={done.length > 0 && <Button kind="small" onClick={() => { store({}); choose(0) }}>{t('Start over')}</Button>}>
          <dl class="figures"><Figure name={t('Chance kept')} value={<span id="kept">{done.length > 0 ? percent(mean) : '–'}</span>} /><Figure name={t('Tried')} value={<span id="tried">{t('{n} of {all}', { n: done.length, all: hardBoards.length })}</span>} /></dl>
          <p class="dim">{t('Boards of real games where a search by a rule of thumb goes wrong. The score is the chance after your move, as a share of the chance after the best one. Your first answer counts. They are grouped by the sum of their tiles.')}</p>
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
        <div key={stage} class="choice" role="group" aria-label={t('Tiles with a sum of about {n}', { n: stage })}>
          <span class="dim">{whole(stage)}</span>
          {hardBoards.map((h: HardBoard, i) => {
            const move = answers[h.board]
            return h.stage === stage && <button key={h.board} type="button" aria-current={i === at} data-done={move ? '' : undefined} onClick={() => onChoose(i)} aria-label={t('Board {n}', { n: i + 1 }) + (move ? ', ' + t('{share} kept', { share: percent(kept(h, move)) }) : '')}>{move ? percent(kept(h, move)).replace(/\s/, '') : i + 1}</button>
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
      <thead><tr><th scope="col">{t('Move')}</th><th scope="col" class={more ? 'n' : ''}>{more ? head : t('Class')}</th><th scope="col" class="n">{more ?? head}</th></tr></thead>
      <tbody>{of.map(([d, a, b]) => <tr key={d}><th scope="row">{arrow(d)} {dirNames[d]}</th><td class={(more ? 'n' : '') + (d === best ? ' best' : '')}>{a}</td><td class={d === best ? 'n best' : 'n'}>{b}</td></tr>)}</tbody>
    </table>
  )
}
