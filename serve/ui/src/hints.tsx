// What a player thinks of a board: values, reasons, the expected line.
import { useEffect, useState } from 'preact/hooks'
import { arrow, Mini } from './board'
import { boardText, brief, percent, worth } from './format'
import { cancelled, complaint, link } from './net'
import { dirs, type Board, type Decision, type LineStep, type Method, type Params, type Result, type Share } from './types'

export interface Asked<T> {
  result: T | null
  trouble: string
  busy: boolean
}

/** useAsked asks a method about a board, again whenever it changes; key null asks nothing. */
export function useAsked<M extends Method>(method: M, params: Params<M> | null): Asked<Result<M>> & { key: string } {
  const key = params ? JSON.stringify(params) : ''
  const [state, set] = useState<Asked<Result<M>> & { key: string }>({ result: null, trouble: '', busy: false, key: '' })
  useEffect(() => {
    if (!params) {
      set({ result: null, trouble: '', busy: false, key })
      return
    }
    const end = new AbortController()
    set((s) => ({ ...s, busy: true, trouble: '' }))
    link.insist(method, params, end.signal).then(
      (result) => !end.signal.aborted && set({ result, trouble: '', busy: false, key }),
      (e: unknown) => !end.signal.aborted && !cancelled(e) && set({ result: null, trouble: complaint(e), busy: false, key }),
    )
    return () => end.abort()
  }, [method, key])
  return state
}

/** about are the params of a question about a board. */
export const about = (board: Board, score: number, player: string) => ({ board: boardText(board), score, player })

/** How a decision came about, in a line. */
export function How({ d }: { d: Decision }) {
  const parts = [d.player]
  if (d.plies) parts.push(`${d.plies} ${d.plies === 1 ? 'ply' : 'plies'}`)
  if (d.nodes) parts.push(`${brief(d.nodes)} boards`)
  if (d.elapsed_ms) parts.push(`${d.elapsed_ms < 10 ? d.elapsed_ms.toFixed(1) : Math.round(d.elapsed_ms)} ms`)
  return <p class="dim">{parts.join(' · ')}</p>
}

const chance = (c: Share | undefined) => (c && c.share !== null ? percent(c.share) : '–')
const interval = (c: Share | undefined) => (c?.ci95 ? `95 % interval: ${percent(c.ci95[0])} to ${percent(c.ci95[1])}` : undefined)

/** Why tells the reasons that explain answers. */
export function Why({ board, score, player }: { board: Board; score: number; player: string }) {
  const { result, trouble, busy, key } = useAsked('explain', { ...about(board, score, player), time_ms: 700 })
  const stale = key !== JSON.stringify({ ...about(board, score, player), time_ms: 700 })
  if (trouble) return <p class="bad" role="alert">{trouble}</p>
  if (!result || stale) return <p class="dim">{busy ? 'Playing games from here…' : ''}</p>
  const legal = dirs.filter((d) => result.moves[d].legal)
  if (legal.length === 0) return <p class="dim">No move is left.</p>
  return (
    <div class="stack tight">
      <div class="scroll" tabIndex={0} role="region" aria-label="Reasons">
        <table>
          <thead><tr><th scope="col">Move</th><th scope="col" class="n">Worth</th><th scope="col" class="n">Dead in {result.why.horizon_moves}</th><th scope="col" class="n">Makes {result.why.next_tile}</th></tr></thead>
          <tbody>{legal.map((d) => {
            const w = result.why.moves[d]
            const best = d === result.move
            return (
              <tr key={d}>
                <th scope="row">{arrow(d)} {d}</th><td class={best ? 'n best' : 'n'}>{worth(result.moves[d], best, result.unit)}</td>
                <td class="n" title={interval(w?.game_over)}>{chance(w?.game_over)}</td><td class="n" title={interval(w?.reach)}>{chance(w?.reach)}</td>
              </tr>
            )
          })}</tbody>
        </table>
      </div>
      <p class="dim">From {result.why.rollouts} games played on after each move{result.why.rollouts_limited_to && ` (${result.why.rollouts_limited_to})`}.</p>
      {result.why.line.length > 0 && <Line steps={result.why.line} />}
    </div>
  )
}

export function Line({ steps }: { steps: LineStep[] }) {
  return (
    <>
      <h3 class="dim">The line to expect</h3>
      <ol class="line" tabIndex={0} aria-label="The line to expect">
        {steps.map((s, i) => <li key={i}><span>{arrow(s.move)} {s.move}</span><Mini board={s.board} /></li>)}
      </ol>
    </>
  )
}
