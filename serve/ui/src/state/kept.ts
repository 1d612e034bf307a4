// Kept is the stored form of a game that a person plays. Play, Games, duels, backups and links to games use it.
import { boardOf, boardText, newSeed, pack, packTimes, sizeOf, unpack, unpackTimes } from '../base/boards'
import { has } from '../base/store'
import { Game } from '../rules/game'
import { hasWon, shareOf } from '../rules/rules'
import type { Board } from '../types'

/** Kept is the stored and shared form of a game. */
export interface Kept {
  size: string
  uid: string // ID of the played game
  spawn: string
  seed: number
  start?: string // the start board; absent: two new tiles
  moves: string // packed, including undone moves
  count: number
  undone: number
  times?: string // the times of all moves, packed
  keep: boolean
  score: number
  when: number
  tally?: unknown // a Tally of the graded moves, not checked yet
  helped?: boolean // moves were undone, hints were shown, or another player made moves
  // a copy of the game uid, which another player continued after count moves
  watched?: { uid: string; helped: boolean; count: number }
  duel?: number // a game of a duel, without undo and hints; the goal is this tile or, if 0, the best score
  stage?: number // a game of a stage, without undo and hints: the tiles' sum that completes it
}

export const isKept = (v: unknown): v is Kept =>
  has(v, { uid: 'string', size: 'string', spawn: 'string', moves: 'string' }) &&
  has(v, { keep: 'boolean', score: 'number', when: 'time' }) &&
  /^[2-6]x[2-6]$/.test(String(v.size)) &&
  shareOf(String(v.spawn)) !== null &&
  [v.seed, v.count, v.undone].every(Number.isSafeInteger) &&
  Number(v.count) <= 3 * String(v.moves).length && // each character holds three moves
  Number(v.undone) >= 0 &&
  Number(v.undone) <= Number(v.count) &&
  (v.watched === undefined || has(v.watched, { uid: 'string', helped: 'boolean', count: 'number' })) &&
  [v.duel, v.stage].every((x) => x === undefined || Number.isSafeInteger(x)) &&
  [v.start, v.times].every((x) => x === undefined || typeof x === 'string')

export const newUid = () => Date.now().toString(36) + newSeed().toString(36)

/** branch returns a copy of a game that continues as a separate game. */
export const branch = (k: Kept): Kept => ({ ...k, uid: newUid() })

export const fresh = (size: string, spawn: string, seed = newSeed()): Kept => ({
  uid: newUid(),
  size,
  spawn,
  seed,
  moves: '',
  count: 0,
  undone: 0,
  keep: false,
  score: 0,
  when: Date.now(),
})

/** from returns a game that begins with a board. */
export const from = (board: Board): Kept => ({
  ...fresh(sizeOf(board), 'random'),
  start: boardText(board),
  keep: hasWon(board),
})

/** timesOf returns the time of each move in milliseconds, -1 where it is not known. */
export function timesOf(k: Kept): number[] {
  try {
    const times = unpackTimes(k.times ?? '')
    if (times.length === k.count && times.every((ms) => ms >= -1)) return times
  } catch {
    // damaged times count as unknown
  }
  return Array<number>(k.count).fill(-1)
}

export const cut = (k: Kept, count: number): Kept => ({
  ...k,
  moves: pack(unpack(k.moves, k.count).slice(0, count)),
  count,
  undone: 0,
  ...(k.times && { times: packTimes(timesOf(k).slice(0, count)) }),
})

/** apart reports whether a game is played apart from the visitor's own games, without undo and hints. */
export const apart = (k: Pick<Kept, 'duel' | 'stage'>) => k.duel !== undefined || k.stage !== undefined

/** gameKey returns the storage key of the best score of a size and rule, and of its unfinished game. */
export const gameKey = (size: string, spawn: string) => (spawn === 'random' ? size : `${size} ${spawn}`)

export type Place = Pick<Kept, 'size' | 'spawn' | 'seed' | 'duel' | 'stage'>

/** placeOf returns the storage key of an unfinished game: one for each size and rule, each stage and each duel. */
export const placeOf = (k: Place) =>
  k.stage !== undefined
    ? `stage ${k.stage}`
    : k.duel !== undefined
      ? `duel ${k.duel}/${k.size}/${k.seed}`
      : gameKey(k.size, k.spawn)

/** mark identifies the state of a kept game. */
export const mark = (k: Kept) => [k.seed, k.start ?? '', k.moves, k.count, k.undone, k.keep].join()

/** gameOf returns the game in progress. It throws an Error if the moves are damaged or not legal. */
export const gameOf = (k: Kept) =>
  new Game(
    { ...k, start: k.start === undefined ? undefined : boardOf(k.start) },
    unpack(k.moves, k.count),
    k.undone,
  )

/** refusal returns why a game cannot be played, or ''. */
export function refusal(k: Kept): string {
  try {
    gameOf(k)
    return ''
  } catch (e) {
    return e instanceof Error ? e.message : String(e)
  }
}

/** recordOf returns the game without its undone moves as a line of package rules/record, for reviews. */
export function recordOf(k: Kept): string {
  const made = cut(k, k.count - k.undone)
  const { board, score } = gameOf(made).state
  const padded = (text: string) => text.padEnd(4 * Math.ceil(text.length / 4), '=')
  return JSON.stringify({
    afterstate_record: 1,
    size: k.size,
    ...(k.start !== undefined && { start: boardOf(k.start) }),
    spawn: 'random',
    p4: shareOf(k.spawn),
    seed: k.seed,
    game: 0,
    player: 'human',
    move_count: made.count,
    moves: padded(made.moves.replaceAll('-', '+').replaceAll('_', '/')),
    ...(timesOf(made).some((ms) => ms >= 0) && { times: made.times }),
    board,
    score,
  })
}

const encoded = (text: string) => encodeURIComponent(text).replaceAll('%2C', ',')

/** hashOf returns the part of a link that replays a game and opens it after some of its moves. */
export function hashOf(k: Kept, at: number): string {
  const rule = k.spawn === 'random' && k.start === undefined ? '' : `/${encoded(k.spawn)}`
  const start = k.start === undefined ? '' : `/${encoded(k.start)}`
  return `${k.size}/${k.seed}/${k.count}/${k.moves || '-'}/${at}${rule}${start}`
}

/** fromHash is the inverse of hashOf; null if there is no game. */
export function fromHash(parts: string[]): { kept: Kept; at: number } | null {
  const [size, seed, count, moves, place, spawn, start] = parts
  try {
    const kept = {
      ...fresh(size ?? '', spawn ? decodeURIComponent(spawn) : 'random', Number(seed)),
      ...(start ? { start: decodeURIComponent(start) } : {}),
      count: Number(count),
      moves: moves === '-' ? '' : (moves ?? ''),
      keep: true,
    }
    const at = Number(place)
    return isKept(kept) &&
      unpack(kept.moves, kept.count) &&
      Number.isSafeInteger(at) &&
      at >= 0 &&
      at <= kept.count
      ? { kept, at }
      : null
  } catch {
    return null
  }
}
