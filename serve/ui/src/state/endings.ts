// Games of solved endings: what each move cost, and the score while the page is open.
import { boardText, mirrored, rotated, type Slid } from '../base/boards'
import { useRedraw } from '../base/store'
import { dirNames, t } from '../base/text'
import { complaint, link } from '../engine/net'
import { moves, slide } from '../rules/rules'
import { type Board, type Dir, dirs, type EndingMoves, type Solution } from '../types'
import { any, emptyCells, put, spawnOn } from './follow'

interface Point {
  board: Board
  chances?: EndingMoves['moves'] | null // of its moves; null: the table does not have the board; none: not known yet
}

export interface Made {
  from: Point
  move: Dir
}

export interface EndingGame {
  ending: Solution
  points: Point[]
  moves: Made[] // from each of the points but the last one
  firsts: Made[] // the first move at each turn: these count
  step: Slid | null // the slide that led to the last point
  undone: Made | null // the move that was just taken back
  shown: boolean // the best move of the last point
  note: string // why the last action did nothing
  helped: boolean // before the end a move was taken back or the best one shown
  end: 'made' | 'lost' | null // first end
}

/** over reports whether the last board ends the game. */
export const over = (g: EndingGame) => isMade(g) || isLost(g)
export const isMade = (g: EndingGame) =>
  boardOf(g)
    .flat()
    .includes(g.ending.goal ?? 0)
export const boardOf = (g: EndingGame): Board => g.points.at(-1)?.board ?? []
export const chancesOf = (g: EndingGame) => g.points.at(-1)?.chances

function isLost(g: EndingGame): boolean {
  const chances = chancesOf(g)
  if (chances) return topOf(chances) === 0
  const board = boardOf(g)
  return moves(board).every((d) => shifts(g, board, slide(board, d)?.board ?? board))
}

/** gradeOf returns the chances after a move, after the best moves and after the best of the others, -1 if
    there is none; null if the chance after the move is not known. */
export function gradeOf({ from: { chances }, move }: Made) {
  const chance = chances?.[move]
  if (!chances || chance == null) return null
  const [best, top] = [bestOf(chances), topOf(chances)]
  const next = Math.max(-1, ...dirs.flatMap((d) => (best.includes(d) ? [] : (chances[d] ?? []))))
  return { chance, best, top, next, cost: top - chance < even ? 0 : top - chance }
}

/** keptOf returns the product of chance after the move by chance after the best one of the moves that count;
    null if none is graded. */
export function keptOf(g: EndingGame): number | null {
  const graded = g.firsts.flatMap((m) => gradeOf(m) ?? [])
  return graded.length > 0 ? graded.reduce((kept, { chance, top }) => (kept * chance) / top, 1) : null
}

/** shifts reports whether a slide moves a wall where walls are fixed. */
const shifts = (g: EndingGame, before: Board, after: Board) =>
  !g.ending.free_walls && before.flat().some((t, i) => t > (g.ending.goal ?? 0) && after.flat()[i] !== t)

/** cellsOf returns which cells of a layout are walls. */
export const cellsOf = (layout: string) => [...layout.replaceAll('/', '')].map((c) => c === '#')

/** turns counts how often boards were turned: eight times show all symmetric images. */
let turns = 0
const turned = (b: Board, from: number): Board => (from % 4 === 3 ? mirrored(rotated(b)) : rotated(b))
const turnedDir = (d: Dir, from: number): Dir => {
  const to = dirs[(dirs.indexOf(d) + 1) % 4] ?? d
  return from % 4 === 3 ? ({ up: 'up', down: 'down', left: 'right', right: 'left' } as const)[to] : to
}

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
  for (let i = 0; i < turns; i++) b = turned(b, i)
  return b
}

/** played are the games of this page with a move that counts, and current is the one on the board. */
const played = new Set<EndingGame>()
let current: EndingGame | null = null

export const sameEnding = (a: Solution, b: Solution | EndingMoves) =>
  a.goal === b.goal && !a.free_walls === !b.free_walls && a.walls?.join() === b.walls?.join()

/** score sums up the games. Goals count in games that ended without help, for those perfect play has an
    expected number. */
export function score() {
  const kept = [...played].flatMap((g) => keptOf(g) ?? [])
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

/** useEnding returns the game on the board and what can be done with it. A move waits for nothing: what it
    cost is said when it is known. */
export function useEnding() {
  const redraw = useRedraw()
  const g = current
  const act = (change: (g: EndingGame) => void) => {
    if (!g) return
    change(g)
    noteEnd(g)
    redraw()
    know(g).then(redraw)
  }
  return {
    game: g,
    start: (ending: Solution) => {
      current = { ...untouched, ending, points: [{ board: startOf(ending) }], moves: [], firsts: [] }
      redraw()
      begin(current).then(redraw)
    },
    move: (d: Dir) => act((game) => move(game, d)),
    undo: () => act(undo),
    show: () =>
      act((game) => {
        game.shown = true
        game.helped ||= !game.end
        game.note = ''
      }),
    turn: () => act(turn),
  }
}

const untouched = { step: null, undone: null, shown: false, note: '', helped: false, end: null }

function noteEnd(g: EndingGame) {
  if (over(g)) g.end ??= isMade(g) ? 'made' : 'lost'
}

/** know asks for the chances of the last board, and notes the end of the game. */
async function know(g: EndingGame) {
  const p = g.points.at(-1) as Point
  const { board } = p
  try {
    if (p.chances === undefined) {
      const { endings } = await link.insist('endings.ask', { board: boardText(board) })
      const found = endings.find((e) => sameEnding(g.ending, e))?.moves ?? null
      if (p.board === board) p.chances = found // it was not turned
    }
    noteEnd(g)
  } catch (e) {
    g.note = complaint(e)
  }
}

/** begin draws other starts while the goal cannot be made from the one on the board. The limit is for endings
    that have no chance at all. */
async function begin(g: EndingGame) {
  await know(g)
  for (let tries = 0; tries < 20 && over(g) && g.points.length === 1; tries++) {
    g.points = [{ board: startOf(g.ending) }]
    g.end = null
    await know(g)
  }
}

function move(g: EndingGame, d: Dir) {
  if (over(g)) return
  const from = g.points.at(-1) as Point
  const slid = slide(from.board, d)
  g.note = ''
  if (!slid) g.note = t('{move} moves no tile here.', { move: dirNames[d] })
  else if (from.chances ? from.chances[d] == null : shifts(g, from.board, slid.board))
    g.note = t('{move} would shift a wall to a place where this ending has none.', { move: dirNames[d] })
  if (g.note || !slid) return
  const { board, motions } = slid
  const made = { from, move: d }
  g.moves.push(made)
  if (g.moves.length > g.firsts.length) g.firsts.push(made)
  played.add(g)
  g.undone = null
  g.shown = false
  if (board.flat().includes(g.ending.goal ?? 0)) {
    g.points.push({ board })
    g.step = { motions }
  } else {
    const spawn = spawnOn(board)
    g.points.push({ board: put(board, spawn.cell, spawn.tile) })
    g.step = { motions, spawn }
  }
}

function undo(g: EndingGame) {
  if (g.moves.length === 0) return
  g.points.pop()
  g.undone = g.moves.pop() ?? null
  g.helped ||= !g.end
  g.step = null
  g.shown = false
  g.note = ''
}

/** turn shows the next symmetric image of the boards, which have the same chances. */
function turn(g: EndingGame) {
  const made = new Set([...g.moves, ...g.firsts, ...(g.undone ? [g.undone] : [])])
  for (const p of new Set([...g.points, ...[...made].map((m) => m.from)])) {
    const known = p.chances
    p.board = turned(p.board, turns)
    if (known)
      p.chances = Object.fromEntries(
        dirs.flatMap((d) => (d in known ? [[turnedDir(d, turns), known[d]]] : [])),
      )
  }
  for (const m of made) m.move = turnedDir(m.move, turns)
  g.step = null
  turns = (turns + 1) % 8
}

export const topOf = (chances: EndingMoves['moves']) => Math.max(0, ...dirs.map((d) => chances[d] ?? 0))

/** even is a difference of chances that is none: samples are rounded to 0.00001. */
export const even = 2e-5

/** bestOf returns the moves with the greatest chance. */
export const bestOf = (chances: EndingMoves['moves']) =>
  dirs.filter((d) => chances[d] != null && topOf(chances) - (chances[d] ?? 0) < even)
