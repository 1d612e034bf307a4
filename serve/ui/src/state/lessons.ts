// The lessons: steps with boards of real games, each with a goal that is checked, and the state of the current step.
import { largest, rotated, type Slid } from '../base/boards'
import { t } from '../base/text'
import { over, slide } from '../rules/rules'
import type { Board, Dir } from '../types'
import { put, spawnOn } from './follow'
import { puzzles, type Theme, themes, tilesOf } from './learn'
import all from './lessons.json'

/** Goal says whether a board meets the goal of a step; met and missed are sentences for a board that does or does not. */
interface Goal {
  holds: (b: Board, start: Board) => boolean
  met: string
  missed: string
}

type GoalName = 'corner' | 'order' | 'stay' | 'tile' | 'merged'

export interface Step {
  theme: Theme
  at: number
  board: string // sixteen exponents
  moves?: number // maximum number of moves if until is set, else the exact number; absent: the best move
  keep?: GoalName // must hold after each move
  until?: GoalName
  value?: number // the tile of the goals stay, tile and merged
}

/** edges returns the eight ways to read an edge of a board from a corner. */
const edges = (b: Board) =>
  [b, rotated(b), rotated(rotated(b)), rotated(rotated(rotated(b)))].flatMap((image) => {
    const edge = image[0] ?? []
    return [edge, [...edge].reverse()]
  })

const goalOf = (name: GoalName, { value = 0 }: Step): Goal => {
  const tile = String(value)
  const goals: Record<GoalName, Goal> = {
    corner: {
      holds: (b) => edges(b).some((edge) => edge[0] === largest(b)),
      met: t('The largest tile is in a corner.'),
      missed: t('The largest tile is in no corner.'),
    },
    order: {
      holds: (b) =>
        edges(b).some(
          (edge) => edge[0] === largest(b) && edge.every((t, i) => t > 0 && t <= (edge[i - 1] ?? t)),
        ),
      met: t('The edge with the largest tile is full and in order.'),
      missed: t('The edge with the largest tile is not full, or not in order.'),
    },
    // Tiles of this value or more stay where they were, unless they merged.
    stay: {
      holds: (b, start) => start.flat().every((t, i) => t < value || (b.flat()[i] ?? 0) >= t),
      met: t('All tiles of {tile} or more are in their places.', { tile }),
      missed: t('A tile of {tile} or more left its place.', { tile }),
    },
    tile: {
      holds: (b) => b.flat().includes(value),
      met: t('You made the {tile}.', { tile }),
      missed: t('There is no {tile} yet.', { tile }),
    },
    merged: {
      holds: (b) => b.flat().filter((t) => t === value).length < 2,
      met: t('The {tile}s are merged.', { tile }),
      missed: t('The {tile}s are not merged yet.', { tile }),
    },
  }
  return goals[name]
}

/** taskOf returns the instruction for a step. */
export function taskOf({ moves: n = 0, keep, until, value = 0 }: Step): string {
  const tile = String(value)
  if (keep && until)
    return t('Make a {tile} within {n} moves. The largest tile must stay in a corner.', { tile, n })
  const tasks: Record<string, string> = {
    corner: until
      ? t('Bring the largest tile back into a corner within {n} moves.', { n })
      : t('Keep the largest tile in a corner for {n} moves.', { n }),
    order: t('Keep the edge with the largest tile full and in order for {n} moves.', { n }),
    stay: t('Tiles of {tile} and more must stay where they are for {n} moves.', { tile, n }),
    tile: t('Make a {tile} within {n} moves.', { tile, n }),
    merged: t('Merge the {tile}s within {n} moves.', { tile, n }),
  }
  return tasks[keep ?? until ?? ''] ?? t('Which move would a good player make?')
}

export interface Tried {
  step: Step
  start: Board
  board: Board
  slid: Slid | null
  made: number // number of moves made
  move: Dir | null // the last move
  end: 'done' | 'failed' | null
  why: string // why the step ended so
}

export const begin = (step: Step): Tried => {
  const start = tilesOf(step.board)
  return { step, start, board: start, slid: null, made: 0, move: null, end: null, why: '' }
}

/** bestOf returns the best move of a step that asks for it; the board of such a step is a puzzle. */
export const bestOf = (step: Step): Dir | null =>
  step.moves === undefined ? (puzzles.find((p) => p.board === step.board)?.best ?? null) : null

export function play(at: Tried, move: Dir): Tried {
  const slid = at.end ? null : slide(at.board, move)
  if (!slid) return at
  const most = at.step.moves
  const keep = at.step.keep && goalOf(at.step.keep, at.step)
  const until = at.step.until && goalOf(at.step.until, at.step)
  const made = at.made + 1
  if (most === undefined) return { ...at, made, move, end: move === bestOf(at.step) ? 'done' : 'failed' }
  const tile = spawnOn(slid.board)
  const board = put(slid.board, tile.cell, tile.tile)
  const next = { ...at, board, slid: { motions: slid.motions, spawn: tile }, made, move, why: '' }
  const failed = (why: string): Tried => ({ ...next, end: 'failed', why })
  if (keep && !keep.holds(slid.board, at.start)) return failed(keep.missed)
  if (until ? until.holds(slid.board, at.start) : made >= most)
    return { ...next, end: 'done', why: [until?.met, keep?.met].filter(Boolean).join(' ') }
  if (made >= most) return failed(`${until?.missed} ${t('All {n} moves have been made.', { n: most })}`)
  return over(board) ? failed(t('No move is left.')) : next
}

/** says holds, for each theme, what its lesson teaches. */
export const says: Record<Theme, string> = {
  corner: t(
    'Keep the largest tile in a corner. It is out of the way there, and no small tile gets behind it. Choose two directions for most moves, use a third when needed, and avoid the fourth.',
  ),
  order: t(
    'Fill the edge that holds the largest tile, in order from the corner. Then this edge does not move, and each tile finds its partner beside it.',
  ),
  recover: t(
    'When the largest tile is out of its corner, bring it back before you continue: make room beside the corner, and do not let a small tile get stuck there.',
  ),
  leave: t(
    'The corner is only a means. Leave it when staying would block the board and the way back is short.',
  ),
  large: t(
    'With many large tiles there is little room. Let the large ones stand, in order, and build their next partner from the small ones.',
  ),
  endings: t(
    'At the end the large tiles merge one after the other. Until then only the few cells beside them are free, and each small tile must find its place.',
  ),
}

/** steps holds the steps of all lessons in order; at is the index within the lesson. */
export const steps: readonly Step[] = themes.flatMap((theme) =>
  (all as Record<Theme, Omit<Step, 'theme' | 'at'>[]>)[theme].map((s, at) => ({ ...s, theme, at })),
)
