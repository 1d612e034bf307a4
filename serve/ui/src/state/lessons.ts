// The lessons: steps with boards of real games, each with a goal that is checked, and the state of the one
// that is played.

import { largest, type Slid } from '../base/format'
import { t } from '../base/text'
import { over, slide } from '../rules/rules'
import type { Board, Dir } from '../types'
import { put, spawnOn } from './follow'
import { puzzles, type Theme, tilesOf } from './learn'

/** Goal is when a board of a step is right; says is why it is not, a sentence. */
interface Goal {
  holds: (b: Board, start: Board) => boolean
  says: string
}

export interface Step {
  board: string // sixteen exponents
  task: string
  moves?: number // at most, or to make without until; none: one move is made, the best one
  keep?: Goal // after each move
  until?: Goal
}

const corners = [0, 3, 12, 15]
const lines = [
  [0, 1, 2, 3],
  [0, 4, 8, 12],
  [3, 2, 1, 0],
  [3, 7, 11, 15],
  [12, 13, 14, 15],
  [12, 8, 4, 0],
  [15, 14, 13, 12],
  [15, 11, 7, 3],
]

export const corner: Goal = {
  holds: (b) => corners.some((i) => b.flat()[i] === largest(b)),
  says: t('The largest tile is in no corner.'),
}

export const order: Goal = {
  holds: (b) =>
    lines.some((l) => {
      const line = l.map((i) => b.flat()[i] ?? 0)
      return line[0] === largest(b) && line.every((t, i) => t > 0 && (i === 0 || t <= (line[i - 1] ?? 0)))
    }),
  says: t('The edge of the largest tile is not full, or not in order.'),
}

/** stay: tiles from a value on are where they were, unless they merged. */
export const stay = (from: number): Goal => ({
  holds: (b, start) => start.flat().every((t, i) => t < from || (b.flat()[i] ?? 0) >= t),
  says: t('A tile of {tile} or more left its place.', { tile: String(from) }),
})

export const tile = (value: number): Goal => ({
  holds: (b) => b.flat().includes(value),
  says: t('There is no {tile} yet.', { tile: String(value) }),
})

/** merged: less than two tiles of a value are left. */
export const merged = (value: number): Goal => ({
  holds: (b) => b.flat().filter((t) => t === value).length < 2,
  says: t('The {tile}s are not merged yet.', { tile: String(value) }),
})

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
  end: 'done' | 'failed' | null
  why: string // of a failure
}

export const begin = (step: Step): Tried => {
  const start = tilesOf(step.board)
  return { step, start, board: start, slid: null, made: 0, move: null, end: null, why: '' }
}

/** bestOf returns the best move of a step that asks for it: its board is a puzzle. */
export const bestOf = (step: Step): Dir | null =>
  step.moves === undefined ? (puzzles.find((p) => p.board === step.board)?.best ?? null) : null

/** play returns the state after a move. */
export function play(at: Tried, move: Dir): Tried {
  const slid = at.end ? null : slide(at.board, move)
  if (!slid) return at
  const { keep, until, moves: most } = at.step
  const made = at.made + 1
  if (most === undefined) return { ...at, made, move, end: move === bestOf(at.step) ? 'done' : 'failed' }
  const tile = spawnOn(slid.board)
  const board = put(slid.board, tile.cell, tile.tile)
  const next = { ...at, board, slid: { motions: slid.motions, spawn: tile }, made, move, why: '' }
  const failed = (why: string): Tried => ({ ...next, end: 'failed', why })
  if (keep && !keep.holds(slid.board, at.start)) return failed(keep.says)
  if (until ? until.holds(slid.board, at.start) : made >= most) return { ...next, end: 'done' }
  if (made >= most) return failed(`${until?.says} ${t('The {n} moves are made.', { n: most })}`)
  return over(board) ? failed(t('No move is left.')) : next
}

const best = { task: t('Which move would a good player make?') }

const make = (value: number, moves: number) => ({
  task: t('Make a {tile} within {n} moves.', { tile: String(value), n: moves }),
  moves,
  until: tile(value),
})

const bringBack = (moves: number) => ({
  task: t('Bring the largest tile back into a corner within {n} moves.', { n: moves }),
  moves,
  until: corner,
})

export const lessons: readonly Lesson[] = [
  {
    theme: 'corner',
    says: t(
      'Keep the largest tile in a corner. It is out of the way there, and no small tile gets behind it. Choose two directions for most moves, a third one at need, and avoid the fourth.',
    ),
    steps: [
      { board: '6461124534320122', ...best },
      {
        board: 'ba86257521200000',
        task: t('Keep the largest tile in a corner for {n} moves.', { n: 15 }),
        moves: 15,
        keep: corner,
      },
      {
        board: '0027015623451214',
        task: t('Make a {tile} within {n} moves. The largest tile must stay in a corner.', {
          tile: '256',
          n: 30,
        }),
        moves: 30,
        keep: corner,
        until: tile(256),
      },
      { board: '3368141703261213', ...best },
    ],
  },
  {
    theme: 'order',
    says: t(
      'Fill the edge of the largest tile, in order from the corner: then it does not move, and each tile finds its partner beside it.',
    ),
    steps: [
      { board: '3268241603251014', ...best },
      {
        board: '2548125701460014',
        task: t('Keep the edge of the largest tile full and in order for {n} moves.', { n: 12 }),
        moves: 12,
        keep: order,
      },
      {
        board: '3138265700360125',
        task: t('Merge the {tile}s within {n} moves.', { tile: '64', n: 8 }),
        moves: 8,
        until: merged(64),
      },
      { board: '7461575643112121', ...best },
    ],
  },
  {
    theme: 'recover',
    says: t(
      'When the largest tile is out of its corner, bring it back before you build on: make room beside the corner, and do not lock a small tile in.',
    ),
    steps: [
      { board: '6761314543131331', ...best },
      { board: '2149145a013b002a', ...bringBack(8) },
      { board: '0034016724261214', ...bringBack(10) },
      { board: '4161335814351324', ...best },
    ],
  },
  {
    theme: 'leave',
    says: t(
      'The corner is a means. Leave it when every move that stays blocks the board, and when the way back is short.',
    ),
    steps: [
      { board: '9420127956432122', ...best },
      {
        board: '2125145800360024',
        task: t('You had to leave the corner. Bring the largest tile back into a corner within {n} moves.', {
          n: 6,
        }),
        moves: 6,
        until: corner,
      },
      {
        board: '8762325664310133',
        task: t('Here it is better to stay. Which move would a good player make?'),
      },
      { board: '7610215642302110', ...best },
    ],
  },
  {
    theme: 'large',
    says: t(
      'With many large tiles there is little room. Let the large ones stand, in order, and build their next partner from the small ones.',
    ),
    steps: [
      { board: 'dcba567434213310', ...best },
      {
        board: '005a016c137d248e',
        task: t('The tiles of {tile} and more must stay where they are for {n} moves.', {
          tile: '1024',
          n: 15,
        }),
        moves: 15,
        keep: stay(1024),
      },
      { board: '9abd764212342100', ...make(256, 40) },
      { board: 'cba2356914122031', ...best },
    ],
  },
  {
    theme: 'endings',
    says: t(
      'At the end the large tiles merge one after the other. Until then only the few cells beside them are free, and each small tile must find its place.',
    ),
    steps: [
      { board: '9862254554302311', ...best },
      { board: 'ba98256723120000', ...make(4096, 40) },
      { board: '9abc876521240121', ...make(8192, 60) },
      { board: '212111459876dcba', ...best },
    ],
  },
]
