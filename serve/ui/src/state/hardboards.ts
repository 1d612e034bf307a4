// Hard boards to try, and the answers given so far.

import { isObject, load, save } from '../base/store'
import type { Dir } from '../types'
import all from './hard.json'

/** HardBoard has the number of games after each legal move that made a tile. */
export interface HardBoard {
  stage: number // sum of tiles
  board: string
  tile: number
  games: number // after each move
  made: Partial<Record<Dir, number>>
}

export const hardBoards: readonly HardBoard[] = all

/** bestOf returns the move after which most games made the tile. */
export const bestOf = (h: HardBoard) =>
  (Object.entries(h.made) as [Dir, number][]).reduce((a, b) => (b[1] > a[1] ? b : a))[0]

/** chance returns the share of games after a move that made the tile. */
export const chance = (h: HardBoard, d: Dir) => (h.made[d] ?? 0) / h.games

/** kept returns the share of the best move's chance that a move has. */
export const kept = (h: HardBoard, d: Dir) => (h.made[d] ?? 0) / Math.max(1, h.made[bestOf(h)] ?? 0)

/** level reports whether a move cannot be distinguished from the best one: their chances differ by less than
    two standard errors. */
export function level(h: HardBoard, d: Dir): boolean {
  const [a, b] = [chance(h, d), chance(h, bestOf(h))]
  return b - a <= 2 * Math.sqrt((a * (1 - a) + b * (1 - b)) / h.games)
}

const key = 'hard'
const version = 1

/** Tried is the first answer to each board. */
export type Tried = Record<string, Dir>

/** tried returns the stored answers to boards of today's set. */
export function tried(): Tried {
  const box = load<{ tried: Record<string, unknown> }>(
    key,
    { tried: {} },
    (v) => isObject(v) && v.version === version && isObject(v.tried),
  )
  const known: Tried = {}
  for (const h of hardBoards) {
    const d = box.tried[h.board] as Dir
    if (h.made[d] !== undefined) known[h.board] = d
  }
  return known
}

export const setTried = (t: Tried) => save(key, { version, tried: t })
