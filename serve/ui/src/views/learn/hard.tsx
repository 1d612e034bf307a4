// Hard boards: the answer keeps a share of the chance of the next tile.

import { useState } from 'preact/hooks'
import { boardOf, classNames, percent, whole } from '../../base/format'
import { rich, t } from '../../base/text'
import { boldMove } from '../../parts/board'
import { Button, Card, Figure } from '../../parts/ui'
import {
  bestOf,
  chance,
  type HardBoard,
  hardBoards,
  kept,
  level,
  setTried,
  type Tried,
  tried,
} from '../../state/hardboards'
import { type Dir, dirs } from '../../types'
import { AllMoves, swipe, Task, untried } from './task'

export function Hard({ modes }: { modes: preact.ComponentChildren }) {
  const [answers, setAnswers] = useState<Tried>(tried)
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      hardBoards.findIndex((h) => !(h.board in tried())),
    ),
  )
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
  const clear = () => {
    store({})
    choose(0)
  }
  const left = hardBoards.findIndex((x, i) => i !== at && !(x.board in answers))
  const best = bestOf(h)
  const word = trial.move ? t('{share} kept', { share: percent(kept(h, trial.move)) }) : ''
  const right = trial.move !== null && level(h, trial.move)
  return (
    <div class="arena">
      <Task
        board={boardOf(h.board)}
        modes={modes}
        task={t('Which move has the best chance of {tile}?', { tile: h.tile })}
        open={!trial.shown}
        answered={trial.move !== null && !right}
        marks={
          !trial.shown
            ? null
            : trial.move && right
              ? { best: trial.move, played: trial.move, word, bestWord: `★ ${classNames.best}` }
              : { best, played: trial.move, word }
        }
        onMove={move}
        onShow={() => setTrial({ ...trial, shown: true })}
        onAgain={() => setTrial(untried)}
        onNext={() => choose(left >= 0 ? left : (at + 1) % hardBoards.length)}
        opinion={trial.shown ? <Opinion of={h} move={trial.move} /> : swipe}
      />
      <div class="stack">
        {trial.shown && (
          <Card title={t('This board')}>
            <AllMoves
              of={dirs.flatMap((d) =>
                h.made[d] === undefined ? [] : [[d, percent(chance(h, d)), percent(kept(h, d))] as const],
              )}
              best={[best]}
              head={t('Makes {tile}', { tile: String(h.tile) })}
              more={t('Kept')}
            />
            <p class="dim">
              {t('{n} games after each move, played by the network without search.', { n: h.games })}
            </p>
          </Card>
        )}
        <AllBoards answers={answers} at={at} onChoose={choose} onClear={clear} />
      </div>
    </div>
  )
}

/** Opinion says what the answer keeps, and of the best move what the next best one would. */
function Opinion({ of: h, move }: { of: HardBoard; move: Dir | null }) {
  const best = bestOf(h)
  const makes = (d: Dir) => t('{share} of games make {tile}.', { share: percent(chance(h, d)), tile: h.tile })
  if (!move)
    return (
      <>
        {rich('Best: {move}:', { move: boldMove(best) })} {makes(best)}
      </>
    )
  if (!level(h, move))
    return (
      <>
        {rich('You keep *{share}* of the chance of {tile}: {chance} after {move}, {most} after {best}.', {
          share: percent(kept(h, move)),
          tile: h.tile,
          chance: percent(chance(h, move)),
          move: boldMove(move),
          most: percent(chance(h, best)),
          best: boldMove(best),
        })}
      </>
    )
  const [other] = dirs
    .filter((d) => h.made[d] !== undefined && !level(h, d))
    .sort((a, b) => chance(h, b) - chance(h, a))
  return (
    <>
      {move === best
        ? rich('{move} is the best move:', { move: boldMove(best) })
        : rich('{move} is as good as the best move:', { move: boldMove(move) })}{' '}
      {makes(move)}{' '}
      {other &&
        rich('After {move} it is {share}.', { move: boldMove(other), share: percent(chance(h, other)) })}
    </>
  )
}

interface ChoiceProps {
  answers: Tried
  at: number
  onChoose: (i: number) => void
}

function AllBoards(p: ChoiceProps & { onClear: () => void }) {
  const done = hardBoards.filter((x) => p.answers[x.board] !== undefined)
  const mean = done.reduce((sum, x) => sum + kept(x, p.answers[x.board] as Dir), 0) / done.length
  return (
    <Card
      title={t('All boards')}
      side={done.length > 0 && <Button kind="small" onClick={p.onClear} text={t('Start over')} />}
    >
      <dl class="figures">
        <Figure name={t('Chance kept')} id="kept" value={done.length > 0 ? percent(mean) : '–'} />
        <Figure
          name={t('Tried')}
          id="tried"
          value={t('{n} of {all}', { n: done.length, all: hardBoards.length })}
        />
      </dl>
      <p class="dim">
        {t(
          'Boards of real games where a search by a rule of thumb goes wrong. The score is the chance after your move, as a share of the chance after the best one. Your first answer counts. They are grouped by the sum of their tiles.',
        )}
      </p>
      <Choice {...p} />
    </Card>
  )
}

/** Choice lists the boards by the sum of their tiles. */
function Choice({ answers, at, onChoose }: ChoiceProps) {
  const stages = [...new Set(hardBoards.map((h) => h.stage))]
  return (
    <div class="stack tight">
      {stages.map((stage) => (
        <div
          key={stage}
          class="choice"
          role="group"
          aria-label={t('Tiles with a sum of about {n}', { n: stage })}
        >
          <span class="dim">{whole(stage)}</span>
          {hardBoards.map((h: HardBoard, i) => {
            const move = answers[h.board]
            return (
              h.stage === stage && (
                <button
                  key={h.board}
                  type="button"
                  aria-current={i === at}
                  data-done={move ? '' : undefined}
                  onClick={() => onChoose(i)}
                  aria-label={
                    t('Board {n}', { n: i + 1 }) +
                    (move ? `, ${t('{share} kept', { share: percent(kept(h, move)) })}` : '')
                  }
                >
                  {move ? percent(kept(h, move)).replace(/\s/, '') : i + 1}
                </button>
              )
            )
          })}
        </div>
      ))}
    </div>
  )
}
