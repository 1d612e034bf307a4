// What is said of a move of a reviewed game, and the moves around it.

import { dirNames, share } from '../../base/format'
import { rich, t } from '../../base/text'
import { Class, HowGood, Sign } from '../../parts/accuracy'
import { arrow, boldMove } from '../../parts/board'
import type { Marks } from '../../parts/edges'
import { classInfo, classWord } from '../../state/judge'
import type { MoveReview } from '../../types'
import type { Review, Trial } from './reviewgame'

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
export function Opinion({ r }: { r: Review }) {
  const { v, trial, at } = r
  if (r.seeking && r.known < 1)
    return (
      <>
        {t('Looking for the move that cost the game…')} {share(Math.floor(100 * r.known) / 100)}
      </>
    )
  if (at >= r.info.moves) return t('The end of the game.')
  if (!v) return t('Move {n} is not judged yet.', { n: at + 1 })
  const best = rich('Best: {move}.', { move: boldMove(v.best) })
  if (trial && !trial.move)
    return trial.shown ? best : t('Which move is best here? Swipe, or press an arrow key.')
  if (v.class === 'forced')
    return (
      <>
        <Class of="forced" /> {rich('{move}: there was no other.', { move: boldMove(v.played) })}
      </>
    )
  const move = trial?.move ?? v.played
  const tried = trial && v.moves[move]
  const of = tried ? { ...tried, lost: false, goal: v.goal } : v
  return (
    <>
      <HowGood move={move} of={of} />{' '}
      {trial && !trial.shown ? t('Another try?') : of.class !== 'best' && best}
    </>
  )
}

const around = 3 // moves of the strip on each side

/** Strip shows the moves around the current one with their marks. */
export function Strip({ r: { at, values, hidden, pick } }: { r: Review }) {
  const first = Math.max(0, Math.min(at - around, values.length - 2 * around - 1))
  return (
    <div class="strip" role="group" aria-label={t('Moves around this one')}>
      {values.slice(first, first + 2 * around + 1).map((m) => {
        const secret = hidden && m.move === at
        const label = secret ? '' : `, ${dirNames[m.played]}, ${classInfo[m.class].name}`
        return (
          <button
            key={m.move}
            type="button"
            data-class={secret ? undefined : m.class}
            aria-current={m.move === at}
            onClick={() => pick(m.move)}
            aria-label={t('Move {n}', { n: m.move + 1 }) + label}
          >
            {secret ? '?' : arrow(m.played)}
            {!secret && <Sign of={m.class} />}
          </button>
        )
      })}
    </div>
  )
}
