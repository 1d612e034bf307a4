// The position that Ask is about, with its past. It is edited, or it follows a game that is played
// elsewhere: a move, then the place where the new tile appeared, and so on.

import { useRef } from 'preact/hooks'
import { useRedraw } from '../base/changes'
import { dirNames, type Slid, same } from '../base/format'
import { has, load, save } from '../base/store'
import { t } from '../base/text'
import { slide } from '../rules/rules'
import { type Board, type Dir, p4 } from '../types'

export interface Position {
  board: Board
  score: number
  following: boolean
  waiting: boolean // a move is made, its new tile is not placed yet
  fresh: number // the cell of the newest tile; -1: none
}

const maxPast = 400 // positions of the past; a move takes two

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

/** any returns a random element. */
export const any = <T>(all: readonly T[]): T => all[Math.floor(Math.random() * all.length)] as T

export const emptyCells = (b: Board) => b.flat().flatMap((t, i) => (t === 0 ? [i] : []))

/** put returns a board with another tile in a cell. */
export const put = (b: Board, cell: number, tile: number): Board => {
  const cols = b[0]?.length ?? 1
  return b.map((r, i) => r.map((t, j) => (i * cols + j === cell ? tile : t)))
}

/** spawnOn returns a spawn as the standard rules draw it. */
export const spawnOn = (b: Board) => ({ cell: any(emptyCells(b)), tile: Math.random() < p4 ? 4 : 2 })

export type Follow = ReturnType<typeof useFollow>

/** useFollow returns the position and the actions on it. */
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
  /** tap places the new tile, changes it (2, 4, none) or moves it. */
  const tap = (cell: number, tile?: number) => {
    const p = now()
    const there = p.board.flat()[cell] ?? 0
    const place = (board: Board, t: number): Position => ({
      ...p,
      board: put(board, cell, t),
      waiting: false,
      fresh: cell,
    })
    if (p.waiting && there) say(t('The new tile appeared in an empty cell.'))
    else if (p.waiting) show([...past(), place(p.board, tile ?? 2)])
    else if (cell === p.fresh && (tile ?? 2 * there) === 4) show([...past().slice(0, -1), place(p.board, 4)])
    else if (cell === p.fresh) undo()
    else if (p.fresh >= 0 && !there)
      show([...past().slice(0, -1), place(put(p.board, p.fresh, 0), tile ?? 2)])
    else say(t('To change other tiles, choose Edit.'))
  }
  const undo = () => {
    if (past().length > 1) show(past().slice(0, -1))
  }
  return {
    at: now(),
    /** step is the slide that led to at, note why the last action did nothing. */
    ...shown.current,
    /** past is the number of actions that can be undone. */
    past: past().length - 1,
    set: (board: Board, score: number) => {
      const p = now()
      if (same(p.board, board)) show([...past().slice(0, -1), { ...p, score }])
      else show([...past(), edited(board, score)])
    },
    edit: (on: boolean) =>
      show([...past().slice(0, -1), { ...now(), following: !on, waiting: false, fresh: -1 }]),
    move,
    tap,
    undo,
  }
}
