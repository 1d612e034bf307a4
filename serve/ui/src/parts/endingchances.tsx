// The chances of solved endings in Solve, and how they are written.
import { boardText, sizeOf } from '../base/boards'
import { useChanging } from '../base/changes'
import { fixed, rich, share, t } from '../base/text'
import { engine, useRequest } from '../engine/net'
import { bestOf, topOf } from '../state/endings'
import { type Board, type Dir, dirs, type EndingMoves } from '../types'
import { boldMove } from './board'

/** exact formats a chance with a decimal, and points a difference in percentage points. */
export const exact = (x: number) => share(x, 1).replace(' ', '\u00a0')
export const points = (x: number) => (x < 0.0005 ? `<${fixed(0.1, 1)}` : fixed(100 * x, 1))

export const moves = (all: Dir[]) => all.flatMap((d, i) => [i > 0 ? t(' or ') : '', boldMove(d)])

export const rule = (e: { free_walls?: boolean }) => (e.free_walls ? t('walls free') : t('walls fixed'))

/** useSamples counts how often the site's engine has got samples of solved endings. */
export const useSamples = () => useChanging(() => engine?.sampled, engine?.onSamples)

/** EndingChances has a line for each solved ending that has a board. */
export function EndingChances({ board }: { board: Board | null }) {
  const params = board && sizeOf(board) === '4x4' ? { board: boardText(board) } : null
  const { current } = useRequest('endings.ask', params, useSamples())
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
  const holes = { tile: String(goal), rule: rule(e) }
  if (best.length === 0) return t('Exact chance of the {tile} ({rule}): no move keeps the walls.', holes)
  const known = { ...holes, share: exact(top), moves: moves(best) }
  return (
    <>
      {e.error
        ? rich('Chance of the {tile} ({rule}, rounded to {rounding}): *{share}*, best move {moves}', {
            ...known,
            rounding: share(0.00001, 3),
          })
        : rich('Exact chance of the {tile} ({rule}): *{share}*, best move {moves}', known)}
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
