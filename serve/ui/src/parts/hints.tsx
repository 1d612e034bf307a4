// A player's analysis of a board, and the chances of solved endings.
import { boardText, sizeOf } from '../base/boards'
import { useChanging } from '../base/store'
import { brief, fixed, rich, share, t } from '../base/text'
import { engine, link, useRequest } from '../engine/net'
import { shareFor } from '../rules/rules'
import { inWords, type Known, playerOf } from '../state/complete'
import { bestOf, topOf } from '../state/endings'
import { hasLevels, levelName, strong, useMyLevels } from '../state/strength'
import { type Board, type Decision, type Dir, dirs, type EndingMoves } from '../types'
import { boldMove } from './board'

/** useBusy returns the text for a pending answer: work, or a text about the network while that is being loaded. */
export const useBusy = (work: string) =>
  useChanging(() => link.loading, link.onChange) ? t('Loading the network…') : work

export const Busy = ({ work }: { work: string }) => <p class="dim">{useBusy(work)}</p>

const unknown: Known = { players: [], evaluators: [] }

export const usePlayers = (): Known => useRequest('players.list', {}).result ?? unknown

/** Named shows a player's name in words, if it has one. A tap, a click or a key shows its spec. */
function Named({ spec }: { spec: string }) {
  const found = playerOf(spec, usePlayers().players)
  return found ? (
    <details class="named">
      <summary>{inWords(found)[0]}</summary> <span class="mono">{spec}</span>
    </details>
  ) : (
    <span class="mono">{spec}</span>
  )
}

/** about returns the params of a request about a board. */
export const about = (board: Board, score: number, player: string) => ({
  board: boardText(board),
  score,
  player,
})

/** Graded is a decision; level is the level at which its moves are graded, undefined if none is. */
export type Graded = Decision & { level?: string | undefined }

/** useGraded returns a decision with its moves graded at the visitor's level, once these grades are known.
    Decisions with exact values, or that no level can judge, stay unchanged. With board null it sends no request. */
export function useGraded(d: Decision | null, board: Board | null, player: string): Graded | null {
  const levels = useMyLevels()
  const level = board && levels?.(sizeOf(board))
  const judges = board !== null && level !== strong && hasLevels(sizeOf(board))
  const params = judges && level ? { board: boardText(board), level, p4: shareFor(player) } : null
  const { current, trouble } = useRequest('review.board', params)
  if (!d || !judges || trouble || d.source === 'exact') return d
  const moves = { ...d.moves }
  // If the judge calls the player's move good (about equal to the best move), that move is shown as the best.
  const chosen = current?.moves.find((x) => x.played === d.move)
  const tie = chosen?.class === 'good'
  for (const dir of dirs) {
    const { legal, value, lost } = moves[dir]
    const m = current?.moves.find((x) => x.played === dir)
    moves[dir] = {
      legal,
      lost,
      loss: null,
      value: m ? value : null,
      ...(m && { class: tie && m.class === 'best' ? 'good' : m.class, loss_share: m.loss }),
      ...(tie && m === chosen && { class: 'best', loss_share: 0 }),
    }
  }
  return { ...d, moves, level: current ? params?.level : undefined }
}

/** ForWhom says for whom the grades of a decision are. It names both moves where a strong player chooses another one. */
export function ForWhom({ d: { level, moves, move, player } }: { d: Graded }) {
  if (!level) return null
  const n = levelName(level)
  const best = dirs.find((d) => moves[d].class === 'best')
  const differs = best && move && best !== move && /^(auto|best)/.test(player)
  return (
    <p class="dim whom">
      {t('For a player who scores about {n}. −2 % means that the move costs 2 % of that.', { n })}{' '}
      {differs &&
        rich('Best for this player: {best}. A strong player chooses {move}.', {
          best: boldMove(best),
          move: boldMove(move),
        })}
    </p>
  )
}

function effort(d: Decision): string {
  const parts: string[] = []
  if (d.source === 'exact') parts.push(t('exact'))
  if (d.plies) parts.push(t('{n} {n|move|moves} ahead', { n: d.plies }))
  if (d.nodes) parts.push(t('{n} boards', { n: brief(d.nodes) }))
  if (d.elapsed_ms) parts.push(`${fixed(d.elapsed_ms, d.elapsed_ms < 10 ? 1 : 0)} ms`)
  return parts.join(' · ')
}

/** unitText explains the values that are shown for the moves. */
export function unitText({ moves, unit }: Decision): string {
  if (dirs.some((d) => moves[d].class))
    return unit === 'chance'
      ? t('How good each move is, and the share of the chance that it gives away.')
      : t('How good each move is, and the share of the expected score that it gives away.')
  return t('Value of the best move on the player’s own scale. Other moves show the difference from it.')
}

/** Simpler says that another player answers, because the network of the requested player is not loaded yet. */
export function Simpler({ wanted, d }: { wanted: string; d: Decision }) {
  if (!engine || !/^(auto|best|$)/.test(wanted) || /^(auto|best)/.test(d.player)) return null
  return <p role="status">{t('A simpler player answers until the network is loaded.')}</p>
}

/** Origin shows the player of a decision, its search effort and the unit of its values; wanted is the requested
    player. */
export const Origin = ({ d, wanted }: { d: Decision; wanted: string }) => (
  <>
    <Simpler wanted={wanted} d={d} />
    <div class="dim">
      <Named spec={d.player} />
      <div>{effort(d)}</div>
      {d.source !== 'random' && <div>{unitText(d)}</div>}
    </div>
  </>
)

/** exact formats a chance with one decimal, points a difference in percentage points. */
export const exact = (x: number) => share(x, 1).replace(' ', '\u00a0')
export const points = (x: number) => (x < 0.0005 ? `<${fixed(0.1, 1)}` : fixed(100 * x, 1))

export const moves = (all: Dir[]) => all.flatMap((d, i) => [i > 0 ? t(' or ') : '', boldMove(d)])

export const rule = (e: { free_walls?: boolean }) => (e.free_walls ? t('walls free') : t('walls fixed'))

/** useSamples returns how often the site's engine has loaded samples of solved endings. */
export const useSamples = () => useChanging(() => engine?.sampled, engine?.onSamples)

/** EndingChances shows a line for each solved ending that contains a board. */
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
  if (best.length === 0)
    return t('Exact chance of the {tile} ({rule}): no move keeps the walls in place.', holes)
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
          ? ['; ', rich('{move} loses {n} percentage points', loss)]
          : [', ', rich('{move} loses {n}', loss)]
      })}
      .
    </>
  )
}
