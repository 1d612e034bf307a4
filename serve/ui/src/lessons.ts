// The lessons: steps with boards of real games, each with a goal that is checked, and the state of the one that is played.
import type { Slid } from './board'
import { any, emptyCells, put } from './follow'
import { boardText, largest, movable } from './format'
import { isMistake, lossText } from './judge'
import { tilesOf, type Theme } from './learn'
import { complaint, link } from './net'
import { dirs, type Board, type Dir, type MoveReview } from './types'

/** Goal is when a board of a step is right; says is why it is not, a sentence. */
interface Goal {
  holds: (b: Board, start: Board) => boolean
  says: string
}

export interface Step {
  board: string // sixteen exponents
  task: string
  moves?: number // at most, or to make without until; none: one move is made, which the judge must find best or good
  keep?: Goal // after each move
  until?: Goal
}

const corners = [0, 3, 12, 15]
const lines = [[0, 1, 2, 3], [0, 4, 8, 12], [3, 2, 1, 0], [3, 7, 11, 15], [12, 13, 14, 15], [12, 8, 4, 0], [15, 14, 13, 12], [15, 11, 7, 3]]

export const corner: Goal = { holds: (b) => corners.some((i) => b.flat()[i] === largest(b)), says: 'The largest tile is in no corner.' }

export const order: Goal = {
  holds: (b) => lines.some((l) => {
    const line = l.map((i) => b.flat()[i] ?? 0)
    return line[0] === largest(b) && line.every((t, i) => t > 0 && (i === 0 || t <= (line[i - 1] ?? 0)))
  }),
  says: 'The edge of the largest tile is not full, or not in order.',
}

/** stay: tiles from a value on are where they were, unless they merged. */
export const stay = (from: number): Goal => ({
  holds: (b, start) => start.flat().every((t, i) => t < from || (b.flat()[i] ?? 0) >= t),
  says: `A tile of ${from} or more left its place.`,
})

export const tile = (value: number): Goal => ({ holds: (b) => b.flat().includes(value), says: `There is no ${value} yet.` })

/** merged: less than two tiles of a value are left. */
export const merged = (value: number): Goal => ({ holds: (b) => b.flat().filter((t) => t === value).length < 2, says: `The tiles of ${value} are not merged yet.` })

export interface Lesson {
  theme: Theme
  says: string
  steps: Step[]
}

/** Tried is the step that is played. */
export interface Tried {
  step: Step
  start: Board
  board: Board
  slid: Slid | null
  made: number // moves
  move: Dir | null // the last one
  judged: MoveReview | null // of it, where the judge checks it
  end: 'done' | 'failed' | null
  why: string // of a failure, or why a move did nothing
}

export const begin = (step: Step): Tried => {
  const start = tilesOf(step.board)
  return { step, start, board: start, slid: null, made: 0, move: null, judged: null, end: null, why: '' }
}

/** play returns the state after a move. */
export async function play(t: Tried, d: Dir): Promise<Tried> {
  if (t.end || !movable(t.board, d)) return t
  try {
    return await (t.step.moves === undefined ? judge(t, d) : slide(t, d, t.step.moves))
  } catch (e) {
    return { ...t, why: complaint(e) }
  }
}

async function judge(t: Tried, d: Dir): Promise<Tried> {
  const { moves } = await link.insist('review.board', { board: boardText(t.board) })
  const m = moves.find((x) => x.played === d)
  if (!m) return t
  const right = !isMistake(m) && m.class !== 'inaccuracy'
  return { ...t, made: 1, move: d, judged: m, end: right ? 'done' : 'failed', why: right ? '' : m.why ?? `That move ${lossText(m.loss, m.lost, m.goal)}.` }
}

async function slide(t: Tried, d: Dir, most: number): Promise<Tried> {
  const { after, motions = [] } = (await link.insist('rules.inspect', { board: boardText(t.board), motions: true })).moves[d]
  const spawn = { cell: any(emptyCells(after)), tile: Math.random() < 0.1 ? 4 : 2 }
  const board = put(after, spawn.cell, spawn.tile)
  const made = t.made + 1
  const next = { ...t, board, slid: { motions, spawn }, made, move: d, why: '' }
  const { keep, until } = t.step
  if (keep && !keep.holds(after, t.start)) return { ...next, end: 'failed', why: keep.says }
  if (until ? until.holds(after, t.start) : made >= most) return { ...next, end: 'done' }
  if (made >= most) return { ...next, end: 'failed', why: `${until?.says} The ${most} moves are made.` }
  if (!dirs.some((x) => movable(board, x))) return { ...next, end: 'failed', why: 'No move is left.' }
  return next
}

export const lessons: readonly Lesson[] = [
]
