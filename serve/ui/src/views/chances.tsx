// The chances of each move: games played on from the board, refined while a person looks.
import { useEffect, useState } from 'preact/hooks'
import { arrow } from '../board'
import { percent, whole } from '../format'
import { about, Busy } from '../hints'
import { cancelled, complaint, link } from '../net'
import { dirs, type Board, type Dir, type MeanOdds, type OddsAnswer, type OddsDifference, type TileOdds } from '../types'
import { Button, Card } from '../ui'

/** Times of the requests for one board. Each plays the games of the one before again, and more. */
const times = [300, 1200, 4800]

/** useOdds asks for the odds of a board, for longer and longer, until one move is clearly better. */
function useOdds(board: Board, score: number, player: string) {
  const params = about(board, score, player)
  const key = JSON.stringify(params)
  const [state, set] = useState<{ key: string; result: OddsAnswer | null; trouble: string; busy: boolean }>({ key, result: null, trouble: '', busy: true })
  useEffect(() => {
    const end = new AbortController()
    const ask = async () => {
      for (const time_ms of times) {
        const result = await link.insist('odds', { ...params, time_ms }, end.signal)
        const more = time_ms !== times.at(-1) && result.odds.stopped === 'time'
        if (!end.signal.aborted) set({ key, result, trouble: '', busy: more })
        if (!more) return
      }
    }
    set({ key, result: null, trouble: '', busy: true })
    ask().catch((e: unknown) => !end.signal.aborted && !cancelled(e) && set({ key, result: null, trouble: complaint(e), busy: false }))
    return () => end.abort()
  }, [key])
  return state.key === key ? state : { key, result: null, trouble: '', busy: true }
}

/** Chances is a card that plays games when it is open. */
export function Chances(p: { board: Board; score: number; player: string }) {
  const [open, setOpen] = useState(false)
  return (
    <Card title="Chances" side={<Button kind="small" pressed={open} onClick={() => setOpen(!open)} id="chances">{open ? 'Close' : 'Play games'}</Button>}>
      {open ? <Games {...p} /> : <p class="dim">How often each move makes the next tiles, from games played on after it.</p>}
    </Card>
  )
}

function Games({ board, score, player }: { board: Board; score: number; player: string }) {
  const { result, trouble, busy } = useOdds(board, score, player)
  if (trouble) return <p class="bad" role="alert">{trouble}</p>
  if (!result) return <Busy work="Playing games from here…" />
  const { odds, move } = result
  const legal = dirs.filter((d) => odds.moves[d])
  if (legal.length === 0) return <p class="dim">No moves left.</p>
  if (odds.games === 0) return <p class="dim">{busy ? 'Playing games from here…' : 'No game ended in time: the player is too slow for that.'}</p>
  return (
    <div class="stack tight">
      <div class="scroll" tabIndex={0} role="region" aria-label="Chances" aria-busy={busy}>
        <table class="chances">
          <thead><tr><th scope="col">Move</th>{odds.asked.map((t) => <th key={t} scope="col" class="n">{t}</th>)}<th scope="col" class="n wrap">Final score</th></tr></thead>
          <tbody>{legal.map((d) => (
            <tr key={d}>
              <th scope="row">{arrow(d)} {d}</th>
              {odds.asked.map((t) => <Chance key={t} of={odds.moves[d]?.tiles[t]} best={d === move} />)}
              <Mean of={odds.moves[d]?.score} />
            </tr>
          ))}</tbody>
        </table>
      </div>
      <p class="dim">{whole(odds.games)} games after each move, played by {odds.played_by}{odds.whole_games > 0 && <>, {whole(odds.whole_games)} of them to the end, for the score</>}. Small figures: 95 % intervals.{busy && ' Playing on…'}{odds.stopped === 'clear' && ' One move is clearly better.'}</p>
      <Verdict of={result} />
    </div>
  )
}

/** A share as a bar, solid up to the lower bound of its interval and pale up to the upper one. */
function Chance({ of, best }: { of: TileOdds | undefined; best: boolean }) {
  if (!of || of.share === null || !of.ci95) return <td class="n">–</td>
  return (
    <td class={best ? 'n best' : 'n'}>
      {percent(of.share)}<span class="gauge" style={{ '--low': of.ci95[0], '--high': of.ci95[1] }} /><small class="dim">{percent(of.ci95[0])} to {percent(of.ci95[1])}</small>
    </td>
  )
}

function Mean({ of }: { of: MeanOdds | undefined }) {
  if (!of || of.mean === null) return <td class="n">–</td>
  return <td class="n">{whole(Math.round(of.mean))}{of.ci95 && <small class="dim">± {whole(Math.round((of.ci95[1] - of.ci95[0]) / 2))}</small>}</td>
}

/** Verdict says which move to trust where the games and the player disagree. */
function Verdict({ of: { source, odds: { verdict: v, asked } } }: { of: OddsAnswer }) {
  if (!v || v.advice === v.games) return null
  const name = (d: Dir) => <b>{arrow(d)} {d}</b>
  return (
    <p>
      The player advises {name(v.advice)}, the games {name(v.games)}: {difference(v.chance, (x) => `${(100 * x).toFixed(1)} %`)} more of them make {asked[0]}
      {v.score.difference !== null && <>, with {difference(v.score, (x) => whole(Math.round(x)))} points more</>}.{' '}
      {v.trusted === v.games ? <>Trust {name(v.games)}: the difference is clear.</> : <>Trust {name(v.advice)}: {source === 'exact' ? 'its values are exact, and they are points' : 'the difference may be chance'}{source === 'search' && ', and the player looks further than the games’ player'}.</>}
    </p>
  )
}

const difference = (d: OddsDifference, text: (x: number) => string) => `${text(d.difference ?? 0)}${d.ci95 ? ` (${text(d.ci95[0])} to ${text(d.ci95[1])})` : ''}`
