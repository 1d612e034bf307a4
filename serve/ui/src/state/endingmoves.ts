// The chances of the moves of a solved ending.
import { dirs, type EndingMoves } from '../types'

export const topOf = (chances: EndingMoves['moves']) => Math.max(0, ...dirs.map((d) => chances[d] ?? 0))

/** even is a difference of chances that is none: samples are rounded to 0.00001. */
export const even = 2e-5

/** bestOf returns the moves with the greatest chance. */
export const bestOf = (chances: EndingMoves['moves']) =>
  dirs.filter((d) => chances[d] != null && topOf(chances) - (chances[d] ?? 0) < even)
