// What the server says; see docs/api.md.

export type Dir = 'up' | 'right' | 'down' | 'left'
export const dirs: readonly Dir[] = ['up', 'right', 'down', 'left']

export type Board = number[][]

export interface Motion {
  from: number
  to: number
  merged: boolean
}

export interface Step {
  move: Dir
  reward: number
  motions: Motion[]
  spawn: { cell: number; tile: number }
}

export interface GameState {
  board: Board
  score: number
  moves: number
  undone: number
  over: boolean
  won: boolean
  waiting: boolean
  step: Step | null
}

export interface MoveValue {
  legal: boolean
  value: number | null
  lost: boolean
  loss: number | null
  bound?: boolean
}

export interface Decision {
  board: Board
  player: string
  move: Dir | null
  moves: Record<Dir, MoveValue>
  unit: 'points' | 'heuristic'
  plies: number
  nodes: number
  elapsed_ms: number
  source: string
}

/** Interval95 is a 95 % interval, null while it is not known. */
export type Interval95 = [number, number] | null

export interface Chance {
  share: number | null
  ci95: Interval95
}

export interface Reasons extends Decision {
  why: {
    rollouts: number
    rollouts_limited_to: string
    horizon_moves: number
    next_tile: number
    moves: Partial<Record<Dir, { reach: Chance; dead: Chance; terms: { name: string; value: number }[] | null }>>
    line: { move: Dir; board: Board }[]
  }
}

export interface Frame {
  id: string
  player: string
  spawn: string
  seed: number
  board: Board
  score: number
  moves: number
  running: boolean
  over: boolean
  reached: boolean
  by_hand: number
  moves_per_s_wanted: number
  moves_per_s: number | null
  decided: boolean
  decision: Decision | null
  step: Step | null
  watchers: number
  complaint?: string
}

export interface PlayerInfo {
  name: string
  spec: string
  keys: string
  origin: string
  summary: string
}

export interface TreeNode {
  board: Board
  score: number
  turn: 'player' | 'chance' | 'opponent'
  value: number | null
  lost: boolean
  leaf?: boolean
  dead?: boolean
  dropped?: boolean
  move?: Dir
  reward?: number
  spawn?: { row: number; col: number; tile: number }
  probability?: number
  best?: boolean
  chosen?: boolean
  children?: TreeNode[]
  hidden?: number
}

export interface Tree {
  player: string
  unit: 'points' | 'heuristic'
  plies: number
  depth: number
  boards: number
  left_out: { beyond_width: number; no_room: number }
  tree: TreeNode
}

export interface Reviewed {
  size: string
  spawn: string
  seed: number
  player: string
  moves: number
  board: Board
  score: number
}

export interface ReviewedAt {
  board: Board
  score: number
  step: Step | null
  next: { move: Dir } | null
}

export interface ReviewedValue {
  played: Dir
  best: Dir
  value: number | null
  loss: number | null
  lost: boolean
}

export interface ReviewValues {
  from: number
  next: number
  moves: ReviewedValue[]
  unit: string | null
}

export interface ExperimentInfo {
  name: string
  size: string
  players: string[]
  games: number
  finished: number
  running: boolean
  trouble?: string
}

export interface Summary {
  player: string
  games: number
  mean_score: number | null
  mean_score_ci95: Interval95
  median_score: number | null
  best_score: number | null
  reached: Record<string, { share: number | null; ci95: Interval95 }>
  moves_per_s: number | null
  foresees?: boolean
}

export interface Experiment extends ExperimentInfo {
  report: { seed: number; until?: number; players: Summary[] }
  highest: { player: string; tiles: { tile: number; games: number }[] }[]
  scores: { edges: number[]; counts: number[][] }
  comparisons: { player: string; games: number; difference: number | null; difference_ci95: Interval95; higher: number; lower: number }[]
}

export interface TrainingInfo {
  run: string
  network: string
  quiet_s: number
}

export interface Interval {
  games: number
  moves: number
  mean_score: number | null
  reached: Record<string, number>
  games_per_s: number
  moves_per_s: number
  elapsed_s: number
}
