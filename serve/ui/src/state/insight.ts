// What is known of a game: its judged moves, and what moves and new tiles changed.

import { busy, RpcError } from '../engine/net'
import { further, type Judged, judgedSoFar } from './judge'
import { type Account, accounted } from './luck'

export interface Insight {
  judged: Judged | null
  account: Account | null
  unknown: boolean // the luck
}

/** soFar is what Review knows of a record at a level. */
export const soFar = (record: string, level: string): Insight => ({
  judged: judgedSoFar(record, level) ?? null,
  account: null,
  unknown: false,
})

export const judgedAll = (x: Insight) => x.judged?.done === true
export const complete = (x: Insight) => judgedAll(x) && (x.unknown || x.account?.done === true)

/** more returns what is known with a part of what is missing of a record with some moves at a level. */
export async function more(
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
