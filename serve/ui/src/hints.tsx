// A player's analysis of a board: values, reasons, the expected line.
import { useEffect, useState } from 'preact/hooks'
import { arrow, Mini } from './board'
import { boardText, brief, dirNames, fixed, percent, worth } from './format'
import { cancelled, complaint, engine, link } from './net'
import { Named } from './player'
import { rich, t } from './text'
import {
  type Board,
  type Decision,
  dirs,
  type LineStep,
  type Method,
  type Params,
  type Result,
  type Share,
} from './types'

export interface Asked<T> {
  result: T | null
  trouble: string
  busy: boolean
}

/** useNetworks counts the networks that the site's engine has loaded, with which answers are better. */
function useNetworks(): number {
  const [count, set] = useState(0)
  useEffect(() => engine?.onNetwork(() => engine?.network.state === 'ready' && set((n) => n + 1)), [])
  return count
}

/** useAsked calls a method whenever its params or turn change; params null call nothing. */
export function useAsked<M extends Method>(
  method: M,
  params: Params<M> | null,
  turn = 0,
): Asked<Result<M>> & { key: string } {
  const key = params ? JSON.stringify(params) : ''
  const [state, set] = useState<Asked<Result<M>> & { key: string }>({
    result: null,
    trouble: '',
    busy: false,
    key: '',
  })
  const networks = useNetworks()
  useEffect(() => {
    if (!params) {
      set({ result: null, trouble: '', busy: false, key })
      return
    }
    const end = new AbortController()
    set((s) => ({ ...s, busy: true, trouble: '' }))
    link.insist(method, params, end.signal).then(
      (result) => !end.signal.aborted && set({ result, trouble: '', busy: false, key }),
      (e: unknown) =>
        !end.signal.aborted &&
        !cancelled(e) &&
        set({ result: null, trouble: complaint(e), busy: false, key }),
    )
    return () => end.abort()
  }, [method, key, turn, networks])
  return state
}

/** Busy says what an answer waits for: the work, or first a network that is being loaded. */
export function Busy({ work }: { work: string }) {
  const [loading, set] = useState(link.loading)
  useEffect(() => {
    set(link.loading) // it may have changed since
    return link.onLoading(set)
  }, [])
  return <p class="dim">{loading ? t('Loading the network…') : work}</p>
}

/** about returns the params of a request about a board. */
export const about = (board: Board, score: number, player: string) => ({
  board: boardText(board),
  score,
  player,
})

/** effort returns the search effort of a decision as text. */
export function effort(d: Decision): string {
  const parts: string[] = []
  if (d.source === 'exact') parts.push(t('exact'))
  if (d.plies) parts.push(t('{n} {n|move|moves} ahead', { n: d.plies }))
  if (d.nodes) parts.push(t('{n} boards', { n: brief(d.nodes) }))
  if (d.elapsed_ms) parts.push(`${fixed(d.elapsed_ms, d.elapsed_ms < 10 ? 1 : 0)} ms`)
  return parts.join(' · ')
}

/** unitText explains what is shown of the moves. */
export function unitText({ moves, unit }: Decision): string {
  if (dirs.some((d) => moves[d].class))
    return unit === 'chance'
      ? t('How good each move is, and the share of the chance that it gives away.')
      : t('How good each move is, and the share of the expected score that it gives away.')
  return t('Value of the best move on the player’s own scale; of the others, how much less.')
}

/** Simpler says that another player answers in place of the one that was asked, whose network is not there yet. */
export function Simpler({ asked, d }: { asked: string; d: Decision }) {
  if (!engine || !/^(auto|best)?$/.test(asked) || /^(auto|best)$/.test(d.player)) return null
  return <p role="status">{t('A simpler player answers until the network is loaded.')}</p>
}

/** How good the moves are, the origin and the search effort of a decision; asked is the player that was asked. */
export function How({ d, asked }: { d: Decision; asked: string }) {
  return (
    <>
      <Simpler asked={asked} d={d} />
      <div class="dim">
        <Named spec={d.player} />
        <br />
        {effort(d)}
        {d.source !== 'random' && (
          <>
            <br />
            {unitText(d)}
          </>
        )}
      </div>
    </>
  )
}

const chance = (c: Share | undefined) => (c && c.share !== null ? percent(c.share) : '–')
const interval = (c: Share | undefined) =>
  c?.ci95
    ? t('95 % interval: {low} to {high}', { low: percent(c.ci95[0]), high: percent(c.ci95[1]) })
    : undefined

/** Why shows the result of explain. */
export function Why({ board, score, player }: { board: Board; score: number; player: string }) {
  const { result, trouble, busy, key } = useAsked('explain', { ...about(board, score, player), time_ms: 700 })
  const stale = key !== JSON.stringify({ ...about(board, score, player), time_ms: 700 })
  if (trouble)
    return (
      <p class="bad" role="alert">
        {trouble}
      </p>
    )
  if (!result || stale) return busy ? <Busy work={t('Playing games from here…')} /> : <p class="dim" />
  const legal = dirs.filter((d) => result.moves[d].legal)
  if (legal.length === 0) return <p class="dim">{t('No moves left.')}</p>
  return (
    <div class="stack tight">
      <div class="scroll" tabIndex={0} role="region" aria-label={t('Reasons')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Move')}</th>
              <th scope="col">{t('Worth')}</th>
              <th scope="col" class="n wrap">
                {t('Lost within {n}\u00a0moves', { n: result.why.horizon_moves })}
              </th>
              <th scope="col" class="n wrap">
                {result.why.reach_horizon_moves > 0
                  ? t('Reaches {tile} within {n} moves', {
                      tile: String(result.why.next_tile),
                      n: result.why.reach_horizon_moves,
                    })
                  : t('Reaches {tile}', { tile: String(result.why.next_tile) })}
              </th>
            </tr>
          </thead>
          <tbody>
            {legal.map((d) => {
              const w = result.why.moves[d]
              const best = d === result.move
              return (
                <tr key={d}>
                  <th scope="row">
                    {arrow(d)} {dirNames[d]}
                  </th>
                  <td class={best ? 'best' : ''}>{worth(result.moves[d], best, result.unit)}</td>
                  <td class="n" title={interval(w?.game_over)}>
                    {chance(w?.game_over)}
                  </td>
                  <td class="n" title={interval(w?.reach)}>
                    {chance(w?.reach)}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      <p class="dim">
        {result.why.rollouts === 0
          ? legal.length === 1
            ? t('There is no other move.')
            : t('No games were played on: the player is too slow for that.')
          : rich('Shares of {n} games, played on after each move{limit}.', {
              n: result.why.rollouts,
              limit: result.why.rollouts_limited_to && (
                <span lang="en"> ({result.why.rollouts_limited_to})</span>
              ),
            })}
      </p>
      {result.why.line.length > 0 && <Line steps={result.why.line} />}
    </div>
  )
}

export function Line({ steps }: { steps: LineStep[] }) {
  return (
    <>
      <h3 class="dim">{t('Expected line')}</h3>
      <ol class="line" tabIndex={0} aria-label={t('Expected line')}>
        {steps.map((s, i) => (
          <li key={i}>
            <span>
              {arrow(s.move)} {dirNames[s.move]}
            </span>
            <Mini board={s.board} />
          </li>
        ))}
      </ol>
    </>
  )
}
