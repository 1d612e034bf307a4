// What is said of a move of a reviewed game, and the moves around it.

import { dirNames, share } from '../../base/format'
import { rich, t } from '../../base/text'
import { Class, HowGood, Sign } from '../../parts/accuracy'
import { arrow, boldMove } from '../../parts/board'
import type { Marks } from '../../parts/edges'
import { classInfo, classWord } from '../../state/judge'
import type { Dir, MoveReview } from '../../types'

/** Trial is a move that a person tries again. */
export interface Trial {
  at: number
  move: Dir | null // the last answer
  shown: boolean // the answer of the judge is shown
}

/** marksOf returns what the board shows of a move: nothing of the answer while it is tried again. */
export function marksOf(v: MoveReview, trial: Trial | null): Marks | null {
  const made = trial ? trial.move : v.played
  const c = trial && made ? (v.moves[made]?.class ?? v.class) : v.class
  if (trial && !trial.shown) return made ? { best: null, played: made, word: classWord(c) } : null
  if (!made) return { best: v.best, played: null, word: '' }
  if (!classInfo[c].bad) return { best: made, played: made, word: classWord(c), bestWord: classWord(c) }
  return { best: v.best, played: made, word: classWord(c) }
}

/** Opinion says in words how good the shown or the tried move is. */
export function Opinion(p: {
  at: number
  moves: number
  v: MoveReview | undefined
  trial: Trial | null
  seeking: boolean
  known: number // how much of what is sought, from 0 to 1
}) {
  const { v, trial } = p
  if (p.seeking && p.known < 1)
    return (
      <>
        {t('Looking for the move that cost the game…')} {share(Math.floor(100 * p.known) / 100)}
      </>
    )
  if (p.at >= p.moves) return t('The end of the game.')
  if (!v) return t('Move {n} is not judged yet.', { n: p.at + 1 })
  const tried = trial?.move ? v.moves[trial.move] : undefined
  if (trial?.move && tried)
    return (
      <>
        <HowGood move={trial.move} of={{ ...tried, lost: false, goal: v.goal }} />
        {trial.shown && tried.class !== 'best' && <> {rich('Best: {move}.', { move: boldMove(v.best) })}</>}
        {!trial.shown && ` ${t('Another try?')}`}
      </>
    )
  if (trial)
    return trial.shown
      ? rich('Best: {move}.', { move: boldMove(v.best) })
      : t('Which move is best here? Swipe, or press an arrow key.')
  if (v.class === 'forced')
    return (
      <>
        <Class of="forced" /> {rich('{move}: there was no other.', { move: boldMove(v.played) })}
      </>
    )
  return (
    <>
      <HowGood move={v.played} of={v} />
      {v.class !== 'best' && <> {rich('Best: {move}.', { move: boldMove(v.best) })}</>}
    </>
  )
}

const around = 3 // moves of the strip on each side

/** Strip shows the moves around the current one with their marks. */
export function Strip(p: { at: number; values: MoveReview[]; hidden: boolean; onPick: (n: number) => void }) {
  const { at, values, hidden } = p
  const first = Math.max(0, Math.min(at - around, values.length - 2 * around - 1))
  return (
    <div class="strip" role="group" aria-label={t('Moves around this one')}>
      {values.slice(first, first + 2 * around + 1).map((m) => {
        const secret = hidden && m.move === at
        return (
          <button
            key={m.move}
            type="button"
            data-class={secret ? undefined : m.class}
            aria-current={m.move === at}
            onClick={() => p.onPick(m.move)}
            aria-label={
              t('Move {n}', { n: m.move + 1 }) +
              (secret ? '' : `, ${dirNames[m.played]}, ${classInfo[m.class].name}`)
            }
          >
            {secret ? (
              '?'
            ) : (
              <>
                {arrow(m.played)}
                <Sign of={m.class} />
              </>
            )}
          </button>
        )
      })}
    </div>
  )
}
