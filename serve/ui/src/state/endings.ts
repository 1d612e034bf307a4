// Games of solved endings: the cost of each move, and a summary since the page was opened.
import { boardText, type Slid } from '../base/boards'
import { useRedraw } from '../base/store'
import { dirNames, t } from '../base/text'
import { complaint, link } from '../engine/net'
import { moves, slide } from '../rules/rules'
import { type Board, type Dir, dirs, type EndingMoves, type Solution } from '../types'
import { any, emptyCells, put, spawnOn } from './follow'

interface Point {
  board: Board
  chances?: EndingMoves['moves'] | null // after each move; null: the table lacks the board; undefined: not known yet
}

export interface Made {
  from: Point
  move: Dir
}

/** An EndingGame is a game of an ending. The cost of a move is shown when it is known; moves do not wait for it. */
export class EndingGame {
  points: Point[] = []
  moves: Made[] = [] // moves[i] was made at points[i]; the last point has no move
  firsts: Made[] = [] // the first move at each turn: only these count
  step: Slid | null = null // the slide that led to the last point
  undone: Made | null = null // the move that was just taken back
  shown = false // the best move of the last point is shown
  note = '' // why the last action did nothing
  helped = false // before the end, a move was taken back or the best move was shown
  end: 'made' | 'lost' | null = null // how the game first ended

  constructor(readonly ending: Solution) {
    this.restart()
  }

  private restart() {
    this.points = [{ board: startOf(this.ending) }]
    this.end = null
  }

  get goal() {
    return this.ending.goal ?? 0
  }

  get last() {
    return this.points.at(-1) as Point
  }

  get made() {
    return this.last.board.flat().includes(this.goal)
  }

  get over(): boolean {
    const { board, chances } = this.last
    if (this.made || chances) return this.made || topOf(chances ?? {}) === 0
    return moves(board).every((d) => this.shifts(board, slide(board, d)?.board ?? board))
  }

  /** kept is the product, over the moves that count, of the chance after the move divided by the chance after
      the best move; null if no move is graded. */
  get kept(): number | null {
    const graded = this.firsts.flatMap((m) => gradeOf(m) ?? [])
    return graded.length > 0 ? graded.reduce((kept, { chance, top }) => (kept * chance) / top, 1) : null
  }

  /** shifts reports whether a slide moves a wall in an ending with fixed walls. */
  private shifts(before: Board, after: Board) {
    const moved = (tile: number, cell: number) => tile > this.goal && after.flat()[cell] !== tile
    return !this.ending.free_walls && before.flat().some(moved)
  }

  /** know requests the chances of the last board, and records the end of the game. */
  async know() {
    const { last } = this
    try {
      if (last.chances === undefined) {
        const { endings } = await link.insist('endings.ask', { board: boardText(last.board) })
        last.chances = endings.find((e) => sameEnding(this.ending, e))?.moves ?? null
      }
      this.noteEnd()
    } catch (e) {
      this.note = complaint(e)
    }
  }

  noteEnd() {
    if (this.over) this.end ??= this.made ? 'made' : 'lost'
  }

  /** begin draws new starts until the goal can be made from the start. The limit is for endings that have no
      chance at all. */
  async begin() {
    await this.know()
    for (let tries = 0; tries < 20 && this.over && this.points.length === 1; tries++) {
      this.restart()
      await this.know()
    }
  }

  move(d: Dir) {
    if (this.over) return
    const from = this.last
    const slid = slide(from.board, d)
    this.note = ''
    if (!slid) this.note = t('{move} moves no tile here.', { move: dirNames[d] })
    else if (from.chances ? from.chances[d] == null : this.shifts(from.board, slid.board))
      this.note = t('{move} would shift a wall to a place where this ending has none.', { move: dirNames[d] })
    if (this.note || !slid) return
    const { board, motions } = slid
    const made = { from, move: d }
    this.moves.push(made)
    if (this.moves.length > this.firsts.length) this.firsts.push(made)
    played.add(this)
    this.undone = null
    this.shown = false
    const spawn = board.flat().includes(this.goal) ? null : spawnOn(board)
    this.points.push({ board: spawn ? put(board, spawn.cell, spawn.tile) : board })
    this.step = { motions, ...(spawn && { spawn }) }
  }

  undo() {
    if (this.moves.length === 0) return
    this.points.pop()
    this.undone = this.moves.pop() ?? null
    this.helped ||= !this.end
    this.step = null
    this.shown = false
    this.note = ''
  }

  show() {
    this.shown = true
    this.helped ||= !this.end
    this.note = ''
  }
}

/** gradeOf returns the chances after a move, after the best moves, and after the best of the other moves (-1
    if there are no others); null if the chance after the move is not known. */
export function gradeOf({ from: { chances }, move }: Made) {
  const chance = chances?.[move]
  if (!chances || chance == null) return null
  const [best, top] = [bestOf(chances), topOf(chances)]
  const next = Math.max(-1, ...dirs.flatMap((d) => (best.includes(d) ? [] : (chances[d] ?? []))))
  return { chance, best, top, next, cost: top - chance < even ? 0 : top - chance }
}

/** cellsOf returns which cells of a layout are walls. */
export const cellsOf = (layout: string) => [...layout.replaceAll('/', '')].map((c) => c === '#')

/** startOf draws a start of an ending: its walls, the larger ones first, and two 2s. */
function startOf(e: Solution): Board {
  const walls = cellsOf(e.walls?.[0] ?? '')
  let tile = (e.goal ?? 0) * 2 ** (walls.filter(Boolean).length + 1)
  const tiles = walls.map((w) => {
    if (w) tile /= 2
    return w ? tile : 0
  })
  let b: Board = [0, 4, 8, 12].map((i) => tiles.slice(i, i + 4))
  for (let i = 0; i < 2; i++) b = put(b, any(emptyCells(b)), 2)
  return b
}

/** played holds the games since the page was opened with a move that counts; current is the one on the board. */
const played = new Set<EndingGame>()
let current: EndingGame | null = null

export const sameEnding = (a: Solution, b: Solution | EndingMoves) =>
  a.goal === b.goal && !a.free_walls === !b.free_walls && a.walls?.join() === b.walls?.join()

/** score sums up the games. It counts goals only in games that ended without help, and compares them with the
    number that perfect play would make on average. */
export function score() {
  const kept = [...played].flatMap((g) => g.kept ?? [])
  const ended = [...played].filter((g) => g.end && !g.helped && g.points[0]?.chances)
  const add = (all: number[]) => all.reduce((sum, x) => sum + x, 0)
  return {
    games: played.size,
    kept: kept.length > 0 ? add(kept) / kept.length : null,
    ended: ended.length,
    made: ended.filter((g) => g.end === 'made').length,
    expected: add(ended.map((g) => topOf(g.points[0]?.chances ?? {}))),
  }
}

/** useEnding returns the game on the board, a function that starts another one, and a function that changes it. */
export function useEnding() {
  const redraw = useRedraw()
  const game = current
  return {
    game,
    start: (ending: Solution) => {
      current = new EndingGame(ending)
      redraw()
      current.begin().then(redraw)
    },
    act: (change: (g: EndingGame) => void) => {
      if (!game) return
      change(game)
      game.noteEnd()
      redraw()
      game.know().then(redraw)
    },
  }
}

export const topOf = (chances: EndingMoves['moves']) => Math.max(0, ...dirs.map((d) => chances[d] ?? 0))

/** even is the largest difference of chances that count as equal: samples are rounded to 0.00001. */
export const even = 2e-5

/** bestOf returns the moves with the greatest chance. */
export const bestOf = (chances: EndingMoves['moves']) =>
  dirs.filter((d) => chances[d] != null && topOf(chances) - (chances[d] ?? 0) < even)
