// The position in Solve, and its history. The visitor edits the position, or it follows a game played elsewhere:
// a move, then the place where the new tile appeared, and so on.
import { useRef } from 'preact/hooks'
import { type Slid, same } from '../base/boards'
import { has, load, save, useRedraw } from '../base/store'
import { dirNames, t } from '../base/text'
import { slide } from '../rules/rules'
import { type Board, type Dir, p4 } from '../types'

export interface Position {
  board: Board
  score: number
  following: boolean
  waiting: boolean // a move is made, but its new tile is not placed yet
  fresh: number // the cell of the newest tile; -1: none
}

const maxPast = 400 // maximum number of positions in the past; a move takes two

const isPosition = (v: unknown) =>
  has(v, { score: 'number', following: 'boolean', waiting: 'boolean', fresh: 'number' }) && isBoard(v.board)
const isBoard = (v: unknown) => Array.isArray(v) && v.every(Array.isArray)
const isPast = (v: unknown) => Array.isArray(v) && v.length > 0 && v.every(isPosition)

const edited = (board: Board, score: number): Position => ({
  board,
  score,
  following: false,
  waiting: false,
  fresh: -1,
})

export const any = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T

export const emptyCells = (b: Board) => b.flat().flatMap((t, i) => (t === 0 ? [i] : []))

/** put returns a board with another tile in a cell. */
export const put = (b: Board, cell: number, tile: number): Board => {
  const cols = b[0]?.length ?? 1
  return b.map((r, i) => r.map((t, j) => (i * cols + j === cell ? tile : t)))
}

/** spawnOn returns a random spawn by the standard rules. */
export const spawnOn = (b: Board) => ({ cell: any(emptyCells(b)), tile: Math.random() < p4 ? 4 : 2 })

/** tapped returns the positions after a tap on a cell, which places the new tile, changes it (2, 4, none) or
    moves it; or a text that says why the tap does nothing. */
function tapped(past: Position[], cell: number, tile?: number): Position[] | string {
  const p = past.at(-1) as Position
  const old = p.board.flat()[cell] ?? 0
  const before = past.slice(0, -1)
  const placed = (on: Board, value: number): Position => ({
    ...p,
    board: put(on, cell, value),
    waiting: false,
    fresh: cell,
  })
  if (p.waiting) return old ? t('New tiles appear in empty cells.') : [...past, placed(p.board, tile ?? 2)]
  if (cell === p.fresh) return (tile ?? 2 * old) === 4 ? [...before, placed(p.board, 4)] : before
  if (p.fresh < 0 || old) return t('To change other tiles, choose Edit.')
  return [...before, placed(put(p.board, p.fresh, 0), tile ?? 2)]
}

export type Follow = ReturnType<typeof useFollow>

export function useFollow(example: Board) {
  const line = useRef<Position[] | null>(null)
  const shown = useRef<{ step: Slid | null; note: string }>({ step: null, note: '' })
  const redraw = useRedraw()
  line.current ??= load<Position[]>('asked', [edited(example, 0)], isPast)
  const now = () => line.current?.at(-1) ?? edited(example, 0)
  const show = (positions: Position[], step: Slid | null = null, note = '') => {
    line.current = positions.slice(-maxPast)
    shown.current = { step, note }
    save('asked', line.current)
    redraw()
  }
  const past = () => line.current ?? []
  const say = (note: string) => show(past(), null, note)
  const move = (d: Dir) => {
    const p = now()
    if (p.waiting) return say(t('First place the new tile, or undo.'))
    const slid = slide(p.board, d)
    if (!slid) return say(t('Nothing can move {direction}.', { direction: dirNames[d] }))
    const { board, gained, motions } = slid
    show([...past(), { board, score: p.score + gained, following: true, waiting: true, fresh: -1 }], {
      motions,
    })
  }
  return {
    at: now(),
    ...shown.current, // step: the slide that led to this position; note: why the last action did nothing
    past: past().length - 1, // number of actions that can be undone
    set: (board: Board, score: number) => {
      const p = now()
      if (same(p.board, board)) show([...past().slice(0, -1), { ...p, score }])
      else show([...past(), edited(board, score)])
    },
    edit: (on: boolean) =>
      show([...past().slice(0, -1), { ...now(), following: !on, waiting: false, fresh: -1 }]),
    move,
    tap: (cell: number, tile?: number) => {
      const next = tapped(past(), cell, tile)
      if (typeof next === 'string') say(next)
      else show(next)
    },
    undo: () => {
      if (past().length > 1) show(past().slice(0, -1))
    },
  }
}
