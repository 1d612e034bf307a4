// Hard boards to try.

import type { Dir } from '../types'
import all from './hard.json'

/** HardBoard has the number of games after each legal move that made a tile. */
export interface HardBoard {
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
