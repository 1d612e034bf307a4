// The rules of 2048: slides, scores, seeded spawns, win and end. Package rules implements the same in Go;
// TestPageRules compares the two.
import type { Board, Dir, Motion, SpawnedTile, Step } from '../types'
import { dirs, p4 as usualShare } from '../types'

export const winningTile = 2048

const known = new Map<string, number[][]>()

/** linesOf returns the cells of each line, beginning at the edge towards which the tiles slide. */
function linesOf(board: Board, dir: Dir): number[][] {
  const [rows, cols] = [board.length, board[0]?.length ?? 0]
  const key = `${rows}${cols}${dir}`
  const found = known.get(key)
  if (found) return found
  const upright = dir === 'up' || dir === 'down'
  const [count, length] = upright ? [cols, rows] : [rows, cols]
  const lines = Array.from({ length: count }, (_, line) =>
    Array.from({ length }, (_, i) => {
      const k = dir === 'up' || dir === 'left' ? i : length - 1 - i
      return upright ? k * cols + line : line * cols + k
    }),
  )
  known.set(key, lines)
  return lines
}

/** rowsOf returns the board with these cells, which are listed row by row. */
function rowsOf(cells: readonly number[], cols: number): Board {
  const board: Board = []
  for (let i = 0; i < cells.length; i += cols) board.push(cells.slice(i, i + cols))
  return board
}

/** slide moves the tiles in a direction, before a tile appears; null: nothing moves. The motions are listed
    line by line, beginning at the edge towards which the tiles slide. */
export function slide(board: Board, dir: Dir) {
  const cells = board.flat()
  const after = Array<number>(cells.length).fill(0)
  const motions: Motion[] = []
  let gained = 0
  for (const line of linesOf(board, dir)) {
    let settled = 0
    let open = 0 // the last settled tile, if it may still merge
    for (const from of line) {
      const tile = cells[from] ?? 0
      if (tile === 0) continue
      const merged = tile === open
      const to = line[merged ? settled - 1 : settled++] ?? 0
      const last = motions.at(-1)
      if (merged && last) last.merged = true
      motions.push({ from, to, merged })
      after[to] = merged ? 2 * tile : tile
      if (merged) gained += 2 * tile
      open = merged ? 0 : tile
    }
  }
  if (!motions.some((m) => m.merged || m.from !== m.to)) return null
  return { board: rowsOf(after, board[0]?.length ?? 0), gained, motions }
}

/** moves returns the legal moves, in the order of dirs. */
export const moves = (board: Board): Dir[] => dirs.filter((d) => slide(board, d) !== null)

/** over reports whether a board with tiles has no legal move. */
export const over = (board: Board) => board.some((r) => r.some(Boolean)) && moves(board).length === 0

/** Random is the state of a stream of random numbers, PCG-DXSM with 128 bits, as Go's math/rand/v2 has it. */
type Random = bigint

const low64 = (x: bigint) => BigInt.asUintN(64, x)
const multiplier = (2549297995355413924n << 64n) | 4865540595714422341n
const increment = (6364136223846793005n << 64n) | 1442695040888963407n

/** seeded returns the random stream of a game, given its seed and number. */
export const seeded = (seed: number | bigint, game: number | bigint = 0): Random =>
  (low64(BigInt(seed)) << 64n) | low64(BigInt(game))

/** draw returns the next number of a stream, as its upper and its lower 32 bits, and the stream after it. */
function draw(random: Random): [upper: number, lower: number, Random] {
  const next = BigInt.asUintN(128, random * multiplier + increment)
  let x = next >> 64n
  x ^= x >> 32n
  x = low64(x * 0xda942042e4dd58b5n)
  x ^= x >> 48n
  x = low64(x * (low64(next) | 1n))
  return [Number(x >> 32n), Number(x & 0xffffffffn), next]
}

/** spawn adds a random tile to a board that is not full; share is that of 4s. It also returns the rest of the stream. */
function spawn(board: Board, random: Random, share: number): [Board, SpawnedTile, Random] {
  const [upper, lower, rest] = draw(random)
  const cells = board.flat()
  const empty = cells.flatMap((tile, cell) => (tile === 0 ? [cell] : []))
  const cell = empty[Math.floor((upper * empty.length) / 2 ** 32)] ?? 0
  const tile = lower < Math.floor(share * 2 ** 32) ? 4 : 2
  cells[cell] = tile
  return [rowsOf(cells, board[0]?.length ?? 0), { cell, tile }, rest]
}

/** shareOf returns the share of 4s of a spawn rule, "random" or "random(p4=...)"; null if not random. */
export function shareOf(rule: string): number | null {
  const share =
    rule === 'random' ? usualShare : Number(/^random\(p4=([0-9.e-]+)\)$/.exec(rule)?.[1] ?? Number.NaN)
  return share >= 0 && share <= 1 ? share : null
}

/** ruleOf is the inverse of shareOf. */
export const ruleOf = (share: number) => (share === usualShare ? 'random' : `random(p4=${share})`)

/** strongest returns the spec of the best player for a random spawn rule, with the rule's share of 4s: "best" or
    "best(p4=...)". */
export const strongest = (rule: string) => rule.replace('random', 'best')

/** shareFor returns the share of 4s that a player assumes. */
export const shareFor = (player: string) => Number(/\bp4=([^,)]+)/.exec(player)?.[1] ?? usualShare)

/** A Position is all that the next moves depend on. */
export interface Position {
  board: Board
  score: number
  won: boolean // the winning tile was made
  random: Random
}

export const hasWon = (board: Board) => board.some((r) => r.some((tile) => tile >= winningTile))

/** begin returns the first position of a game: two tiles on an empty board of a size such as 4x4. */
export function begin(size: string, random: Random, share: number): Position {
  const [rows = 4, cols = 4] = size.split('x').map(Number)
  const empty = Array.from({ length: rows }, () => Array<number>(cols).fill(0))
  const [one, , after] = spawn(empty, random, share)
  const [two, , rest] = spawn(one, after, share)
  return { board: two, score: 0, won: false, random: rest }
}

/** beginFrom returns the first position of a game that starts with a board. */
export const beginFrom = (board: Board, random: Random): Position => ({
  board,
  score: 0,
  won: hasWon(board),
  random,
})

/** playMove makes a move and adds a random tile; null: nothing moves. */
export function playMove(p: Position, move: Dir, share: number): { position: Position; step: Step } | null {
  const slid = slide(p.board, move)
  if (!slid) return null
  const [board, tile, random] = spawn(slid.board, p.random, share)
  return {
    position: {
      board,
      score: p.score + slid.gained,
      won: p.won || (slid.gained >= winningTile && hasWon(slid.board)),
      random,
    },
    step: { move, reward: slid.gained, motions: slid.motions, spawn: tile },
  }
}
