// The chances of solved endings in Ask, and how they are written.

import { useChanging } from '../base/changes'
import { boardText, fixed, share, sizeOf } from '../base/format'
import { rich, t } from '../base/text'
import { engine } from '../engine/net'
import { bestOf, topOf } from '../state/endingmoves'
import { type Board, type Dir, dirs, type EndingMoves } from '../types'
import { boldMove } from './board'
import { useAsked } from './hints'

/** exact formats a chance with a decimal, and points a difference in percentage points. */
export const exact = (x: number) => share(x, 1).replace(' ', '\u00a0')
export const points = (x: number) => (x < 0.0005 ? `<${fixed(0.1, 1)}` : fixed(100 * x, 1))

/** moves joins moves with "or". */
export const moves = (all: Dir[]) => all.flatMap((d, i) => [i > 0 ? t(' or ') : '', boldMove(d)])

export const rule = (e: { free_walls?: boolean }) => (e.free_walls ? t('walls free') : t('walls fixed'))

/** useSamples counts how often the site's engine has got samples of solved endings. */
export const useSamples = () =>
  useChanging(
    () => engine?.sampled,
    (f) => engine?.onSamples(f),
  )

/** EndingChances has a line for each solved ending that has a board. */
export function EndingChances({ board }: { board: Board | null }) {
  const params = board && sizeOf(board) === '4x4' ? { board: boardText(board) } : null
  const { current } = useAsked('endings.ask', params, useSamples())
  return (
    <>
      {current?.endings.map((e) => (
        <p key={rule(e) + e.goal} class="ending">
          <Chance of={e} />
        </p>
      ))}
    </>
  )
}

function Chance({ of: { goal, moves: chances, ...e } }: { of: EndingMoves }) {
  const best = bestOf(chances)
  const top = topOf(chances)
  const losses = dirs.filter((d) => chances[d] != null && !best.includes(d))
  const what = { tile: String(goal), rule: rule(e) }
  if (best.length === 0) return t('Exact chance of the {tile} ({rule}): no move keeps the walls.', what)
  const told = { ...what, share: exact(top), moves: moves(best) }
  return (
    <>
      {e.error
        ? rich('Chance of the {tile} ({rule}, rounded to {rounding}): *{share}*, best move {moves}', {
            ...told,
            rounding: share(0.00001, 3),
          })
        : rich('Exact chance of the {tile} ({rule}): *{share}*, best move {moves}', told)}
      {losses.map((d, i) => {
        const loss = { move: boldMove(d), n: points(top - (chances[d] ?? 0)) }
        return i === 0
          ? ['; ', rich('{move} loses {n} points', loss)]
          : [', ', rich('{move} loses {n}', loss)]
      })}
      .
    </>
  )
}
