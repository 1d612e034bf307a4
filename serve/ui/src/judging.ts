// Judges played games in the background, one at a time, for their accuracy.
import { largest } from './format'
import { opening } from './game'
import { further, type Judged, judgedSoFar, phaseNames, tally } from './judge'
import type { Kept } from './kept'
import { type Account, accounted, type GameLuck, ledger } from './luck'
import { busy, link, RpcError } from './net'
import { type GameReview, learn, onPlayed, type PlayedGame, played } from './played'
import { load } from './store'
import type { GamePhase } from './types'

/** quiet is how long nobody may have touched the page for it to count as idle, in milliseconds. */
const quiet = 30_000
const pause = 5_000 // milliseconds between two looks for something to do

let touched = Date.now()
let viewing = false
let working = false
/** Part is what is known of a game whose review was interrupted. */
interface Part {
  of: string
  judged: Judged
  account: Account | null
}

let part: Part | null = null
const failed = new Set<string>() // games that cannot be judged, until the page is loaded again
let changed = true // there may be games to judge

/** may reports whether there is time to judge: nobody waits for other answers. */
const may = () => !document.hidden && link.status === 'open' && (viewing || Date.now() - touched > quiet)

const name = (g: PlayedGame) => `${g.uid} ${g.moves}`

/** lacking returns the games of which something is not known yet. Games that are still played wait. */
export function lacking(games: readonly PlayedGame[]): PlayedGame[] {
  const open = new Set(Object.values(load<Record<string, Kept>>('games', {})).map((k) => k.uid))
  return games.filter(
    (g) => !failed.has(name(g)) && (g.over || !open.has(g.uid)) && (g.largest === 0 || !g.review?.deep),
  )
}

/** judgeWhile judges games, at once, until its result is called. */
export function judgeWhile(): () => void {
  viewing = true
  work()
  return () => {
    viewing = false
  }
}

// From the time that this is loaded, games are judged whenever the page is idle.
for (const kind of ['pointerdown', 'keydown', 'wheel'])
  addEventListener(kind, () => (touched = Date.now()), { passive: true })
onPlayed(() => (changed = true))
setInterval(work, pause)

async function work() {
  if (working || !may() || !(changed || viewing)) return
  working = true
  changed = false
  try {
    for (let [g] = lacking(await played()); g && may(); [g] = lacking(await played())) {
      try {
        await judge(g)
      } catch (e) {
        if (!(e instanceof RpcError) || busy(e)) throw e
        failed.add(name(g))
      }
    }
    changed = !may()
  } catch {
    changed = true // the connection or the storage: the next time
  } finally {
    working = false
  }
}

/** judge judges a game, and returns early if there is no more time. */
async function judge(g: PlayedGame) {
  if (g.largest === 0) {
    const state = await link.alone('game.open', opening(g))
    return learn(g, { largest: largest(state.board), over: state.over, score: state.score })
  }
  const { record } = await link.ask('game.replay', opening(g))
  let judged = judgedSoFar(record) ?? (part?.of === name(g) ? part.judged : undefined)
  while (!g.review?.deep && !judged?.done) {
    if (!may()) return
    judged = await further(record, '', g.count, judged, new AbortController().signal)
    part = { of: name(g), judged, account: null }
    if (judged.moves.length === g.count && !judged.done && judged.second.length === judged.seconds)
      await learn(g, { review: summed(judged) })
  }
  if (!g.review?.deep && judged) {
    part = part?.of === name(g) ? part : { of: name(g), judged, account: null }
    const luck = await lucky(record, g.count, part)
    if (luck === undefined) return
    await learn(g, { review: { ...summed(judged), luck } })
  }
  part = null
}

/** lucky returns what moves and new tiles changed, null if that cannot be known, undefined if there is no more time. */
async function lucky(record: string, moves: number, known: Part): Promise<GameLuck | null | undefined> {
  try {
    while (!known.account?.done) {
      if (!may()) return undefined
      known.account = await accounted(record, moves, known.account, new AbortController().signal)
    }
  } catch (e) {
    if (!(e instanceof RpcError) || busy(e)) throw e
    return null
  }
  return ledger(known.account)
}

const summed = ({ moves, done }: Judged): GameReview => ({
  deep: done,
  game: tally(moves),
  phases: (Object.keys(phaseNames) as GamePhase[]).flatMap((phase) => {
    const of = moves.filter((m) => m.phase === phase)
    return of.length > 0 ? [{ phase, ...tally(of) }] : []
  }),
  luck: null,
})
