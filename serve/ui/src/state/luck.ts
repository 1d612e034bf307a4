// What is known about a game: its judged moves, and the contributions of moves and new tiles, as review.luck computes
// them.
import { busy, link, RpcError } from '../engine/net'
import type { LuckAccount } from '../types'
import { further, type Judged, judgedSoFar } from './judge'

/** Account is the luck account of the first moves of a game. The contribution of move i, without luck, is
    expected[i+1] - expected[i] - luck[i]. */
export interface Account extends LuckAccount {
  done: boolean
}

/** measured returns the account of a game that a level has judged, as Judge.Ledger does in Go; null if luck is
    not known. */
export function measured({ moves, end, judge, done }: Judged): Account | null {
  if (!done || end === null) return null
  const expected = [...moves.flatMap((m) => m.expected ?? []), end]
  const after = moves.flatMap((m) => m.after ?? [])
  if (after.length < moves.length || expected.length <= moves.length) return null
  const luck = after.map((x, i) => (expected[i + 1] ?? 0) - x)
  const variance = luck.reduce((sum, x) => sum + x * x, 0)
  return { from: 0, next: moves.length, expected, luck, variance, drift: 0, player: judge, done }
}

/** accounted returns the account of a judged game, extended by some more moves. moves is the number of moves of
    the record. */
export async function accounted(
  record: string,
  moves: number,
  judged: Judged,
  known: Account | null,
  signal: AbortSignal,
): Promise<Account> {
  if (known?.done) return known
  const all = measured(judged)
  if (all) return all
  const part = await link.ask('review.luck', { record, from: known?.next ?? 0 }, signal)
  return {
    ...part,
    from: 0,
    expected: [...(known?.expected.slice(0, -1) ?? []), ...part.expected],
    luck: [...(known?.luck ?? []), ...part.luck],
    variance: (known?.variance ?? 0) + part.variance,
    drift: (known?.drift ?? 0) + part.drift,
    done: part.next >= moves,
  }
}

/** GameLuck sums up an account: expected + moves + luck is the score plus the points expected after the last
    board. */
export type GameLuck = ReturnType<typeof ledger>

export function ledger(a: Account) {
  const luck = a.luck.reduce((sum, x) => sum + x, 0)
  const [expected = 0, end = 0] = [a.expected[0], a.expected.at(-1)]
  const sd = Math.sqrt(a.variance) // the standard deviation of luck, whose mean is 0
  return { expected, moves: end - expected - luck, luck, sd }
}

/** contradictory reports whether the drift of an account (the inconsistency of its values) is larger than the
    contributions of moves and luck. Such an account is meaningless. */
export function contradictory(a: Account): boolean {
  const { moves, luck } = ledger(a)
  return Math.abs(a.drift) > Math.abs(moves) + Math.abs(luck)
}

/** luckier returns the approximate share of games with less luck, assuming a normal distribution. */
export const luckier = ({ luck, sd }: { luck: number; sd: number }) => (sd > 0 ? normal(luck / sd) : 0.5)

/** normal is the distribution function of the standard normal distribution, to 1e-7 (Abramowitz and Stegun 26.2.17). */
function normal(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z))
  const tail =
    (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return z > 0 ? 1 - tail : tail
}

export interface Insight {
  judged: Judged | null
  account: Account | null
  unknown: boolean // the luck cannot be computed
}

/** soFar returns what Review knows about a record at a level. */
export const soFar = (record: string, level: string): Insight => ({
  judged: judgedSoFar(record, level) ?? null,
  account: null,
  unknown: false,
})

export const judgedAll = (x: Insight) => x.judged?.done === true
export const complete = (x: Insight) => judgedAll(x) && (x.unknown || x.account?.done === true)

/** moreOf adds a part of what is not known yet about a record at a level. moves is its number of moves. */
export async function moreOf(
  x: Insight,
  record: string,
  moves: number,
  level: string,
  signal: AbortSignal,
): Promise<Insight> {
  if (!x.judged?.done)
    return { ...x, judged: await further(record, { level }, moves, x.judged ?? undefined, signal) }
  try {
    return { ...x, account: await accounted(record, moves, x.judged, x.account, signal) }
  } catch (e) {
    if (!(e instanceof RpcError) || busy(e) || signal.aborted) throw e
    return { ...x, unknown: true }
  }
}
