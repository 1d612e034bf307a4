// Judges played games in the background, one at a time, for their accuracy.
import { largest } from '../base/boards'
import { listen, load } from '../base/store'
import { busy, link, RpcError } from '../engine/net'
import type { GamePhase } from '../types'
import { type Judged, phaseNames, tally } from './judge'
import { gameOf, type Kept, recordOf, refusal } from './kept'
import { complete, contradictory, ledger, moreOf, soFar } from './luck'
import { type GameReview, learn, onPlayed, type PlayedGame, played } from './played'
import { judgedAt, type LevelOf, levelFor, myLevels, own } from './strength'

const quiet = 30_000 // milliseconds without input, after which the page counts as idle
const pause = 5_000 // milliseconds between two searches for games to judge

let touched = Date.now()
let viewing = false
let working = false
const failed = new Set<string>() // games that cannot be judged, until the page is loaded again
let changed = true // there may be games to judge

/** may reports whether games may be judged now: a view waits for them (judgeWhile), or the visitor is idle and no
    request is open. */
const may = () =>
  !document.hidden && link.status === 'open' && (viewing || (!link.busy && Date.now() - touched > quiet))

const name = (g: PlayedGame) => `${g.uid} ${g.moves}`

const judgedAgain = 50 // number of the newest games that are judged again at a new level

/** lacking returns the games that are not completely judged at the visitor's levels, except games in progress. */
export function lacking(games: readonly PlayedGame[], level: LevelOf): PlayedGame[] {
  const open = new Set(Object.values(load<Record<string, Kept>>('games', {})).map((k) => k.uid))
  return games.filter(
    (g, i) =>
      !failed.has(name(g)) &&
      (g.over || !open.has(g.uid)) &&
      (g.largest === 0 || !g.review?.deep || (i < judgedAgain && !judgedAt(g, level))),
  )
}

/** judgeWhile judges games, at once, until the function that it returns is called. */
export function judgeWhile(): () => void {
  viewing = true
  work()
  return () => {
    viewing = false
  }
}

// Once this module is loaded, games are judged whenever the page is idle.
listen(['pointerdown', 'keydown', 'wheel'], () => (touched = Date.now()), { passive: true })
onPlayed(() => (changed = true))
setInterval(work, pause)

async function work() {
  if (working || !may() || !(changed || viewing)) return
  working = true
  changed = false
  try {
    const next = async () => lacking(await played(), await myLevels())[0]
    for (let g = await next(); g && may(); g = await next()) {
      try {
        if (refusal(g)) failed.add(name(g))
        else await judge(g)
      } catch (e) {
        if (!(e instanceof RpcError) || busy(e)) throw e
        failed.add(name(g))
      }
    }
    changed = !may()
  } catch {
    changed = true // the connection or the storage failed: try again the next time
  } finally {
    working = false
  }
}

/** judge judges a game. It returns early when games may no longer be judged. */
async function judge(g: PlayedGame) {
  if (g.largest === 0) {
    const { board, over, score } = gameOf(g).state
    return learn(g, { largest: largest(board), over, score })
  }
  const record = recordOf(g)
  const level = await levelFor(own, g.size)
  let known = soFar(record, level)
  while (!complete(known)) {
    if (!may()) return
    known = await moreOf(known, record, g.count, level, new AbortController().signal)
    const { judged: j } = known
    if (j && j.moves.length === g.count && !j.done && j.second.length === j.seconds)
      await learn(g, { review: summed(j, level) })
  }
  const { judged, account } = known
  if (judged)
    await learn(g, {
      review: {
        ...summed(judged, level),
        luck: account?.done && !contradictory(account) ? ledger(account) : null,
      },
    })
}

const summed = ({ moves, done }: Judged, level: string): GameReview => ({
  level,
  deep: done,
  game: tally(moves),
  phases: (Object.keys(phaseNames) as GamePhase[]).flatMap((phase) => {
    const of = moves.filter((m) => m.phase === phase)
    return of.length > 0 ? [{ phase, ...tally(of) }] : []
  }),
  luck: null,
})
