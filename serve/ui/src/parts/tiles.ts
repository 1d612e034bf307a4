// The tiles that a board shows, and how they move.
import { useRef } from 'preact/hooks'
import { type Slid, same } from '../base/format'
import type { Board } from '../types'

interface Tile {
  id: number
  cell: number
  tile: number
  kind: 'still' | 'new' | 'merged' | 'gone'
}

/** stage is the displayed tiles; their ids let the browser animate them. */
interface Stage {
  board: Board
  tiles: Tile[]
  next: number
  base: number // tiles that have not moved have the id base + cell
}

const mostCells = 36

/** placed returns a board without animation. Its tiles get new ids. */
function placed(board: Board, before?: Stage): Stage {
  const pure = !before || before.next === before.base + mostCells
  const base = !before ? 0 : pure ? before.base : before.next
  const tiles = board
    .flat()
    .map((tile, cell): Tile => ({ id: base + cell, cell, tile, kind: 'still' }))
    .filter((t) => t.tile > 0)
  return { board, tiles, next: base + mostCells, base }
}

/** moved returns the stage after a step, or null if the step does not lead to the board. */
function moved(s: Stage, board: Board, step: Slid): Stage | null {
  const cells = board.flat()
  const standing = new Map(s.tiles.filter((t) => t.kind !== 'gone').map((t) => [t.cell, t]))
  if (s.board.length !== board.length || standing.size !== step.motions.length) return null
  let next = s.next
  const tiles: Tile[] = []
  const merged = new Set<number>()
  for (const m of step.motions) {
    const t = standing.get(m.from)
    if (!t) return null
    tiles.push({ ...t, cell: m.to, kind: m.merged ? 'gone' : 'still' })
    if (m.merged) merged.add(m.to)
  }
  for (const cell of merged) tiles.push({ id: next++, cell, tile: cells[cell] ?? 0, kind: 'merged' })
  if (step.spawn) tiles.push({ id: next++, cell: step.spawn.cell, tile: step.spawn.tile, kind: 'new' })
  const right =
    tiles.every((t) => t.kind === 'gone' || cells[t.cell] === t.tile) &&
    tiles.filter((t) => t.kind !== 'gone').length === cells.filter((c) => c > 0).length
  return right ? { ...s, board, tiles, next } : null
}

/** grown returns the stage after a tile appeared in an empty cell, or null if something else changed. */
function grown(s: Stage, board: Board): Stage | null {
  const before = s.board.flat()
  const changed = board
    .flat()
    .map((tile, cell) => ({ tile, cell }))
    .filter(({ tile, cell }) => tile !== before[cell])
  const [one] = changed
  if (s.board.length !== board.length || changed.length !== 1 || !one || !one.tile || before[one.cell])
    return null
  const tiles = s.tiles.filter((t) => t.kind !== 'gone').map((t): Tile => ({ ...t, kind: 'still' }))
  return { ...s, board, tiles: [...tiles, { id: s.next, ...one, kind: 'new' }], next: s.next + 1 }
}

/** useStage returns the stage of a board; the step that led to it is animated. */
export function useStage(board: Board, step: Slid | null): Stage {
  const stage = useRef<Stage>(placed(board))
  if (!same(stage.current.board, board)) {
    stage.current =
      (step && moved(stage.current, board, step)) ||
      grown(stage.current, board) ||
      placed(board, stage.current)
  }
  return stage.current
}
