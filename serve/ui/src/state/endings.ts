// Games of solved endings: what each move cost, and the score while the page is open.

import { useRedraw } from '../base/changes'
import { boardText, dirNames, mirrored, rotated, type Slid } from '../base/format'
import { t } from '../base/text'
import { complaint, link } from '../engine/net'
import { moves, slide } from '../rules/rules'
import { type Board, type Dir, dirs, type EndingMoves, type Solution } from '../types'
import { bestOf, even, topOf } from './endingmoves'
import { any, emptyCells, put, spawnOn } from './follow'

/** Made is a move, and the chances after it and after the best moves; null: the table does not have the
    board, or was not heard yet. */
export interface Made {
  move: Dir
  chance: number | null
  best: Dir[]
  top: number
  next: number // the chance after the best of the other moves; -1: there is none
  counts: boolean // it is the first one at its turn
}

/** Point is a board of a game, and the move that led to it. */
interface Point {
  board: Board
  made: Made | null
  answer?: Promise<Answer>
}

/** Answer is what the table knows of a board; chances null: it does not have the board. A chance null: the
    move shifts walls. */
interface Answer {
  chances: EndingMoves['moves'] | null
}

export interface EndingGame {
  ending: Solution
  points: Point[]
  now: Answer | null // of the last point, once it is known
  step: Slid | null // the slide that led to it
  undone: Made | null // the move that was just taken back
  shown: boolean // the best move of the last point
  note: string // why the last action did nothing
  answered: number // moves that count: the first one at each turn
  graded: number // of them, those that the table has
  kept: number // their product of chance after the move by chance after the best one
  costs: { turn: number; board: Board; made: Made }[] // of graded moves that were not best
  start: number | null // chance at the start
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

function isLost(g: EndingGame): boolean {
  if (g.now?.chances) return topOf(g.now.chances) === 0
  const board = boardOf(g)
  return moves(board).every((d) => shifts(g, board, slide(board, d)?.board ?? board))
}

export const costOf = (m: Made) => (m.chance === null || m.top - m.chance < even ? 0 : m.top - m.chance)

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
  const graded = [...played].filter((g) => g.graded > 0)
  const ended = [...played].filter((g) => g.end && !g.helped && g.start !== null)
  return {
    games: played.size,
    kept: graded.length > 0 ? graded.reduce((sum, g) => sum + g.kept, 0) / graded.length : null,
    ended: ended.length,
    made: ended.filter((g) => g.end === 'made').length,
    expected: ended.reduce((sum, g) => sum + (g.start ?? 0), 0),
  }
}

/** useEnding returns the game on the board and what can be done with it. A move waits for nothing: what it
    cost is said when it is known. */
export function useEnding() {
  const redraw = useRedraw()
  const g = current
  const act = (change: (g: EndingGame) => void) => () => {
    if (!g) return
    change(g)
    redraw()
    know(g).then(redraw)
  }
  return {
    game: g,
    start: (ending: Solution) => {
      current = { ...untouched, ending, points: [{ board: startOf(ending), made: null }], costs: [] }
      redraw()
      begin(current).then(redraw)
    },
    move: (d: Dir) => act((game) => move(game, d))(),
    undo: act(undo),
    show: act((game) => {
      game.shown = true
      game.helped ||= !game.end
      game.note = ''
    }),
    turn: act(turn),
  }
}

const untouched = {
  now: null,
  step: null,
  undone: null,
  shown: false,
  note: '',
  answered: 0,
  graded: 0,
  kept: 1,
  start: null,
  helped: false,
  end: null,
}

/** ask returns what the table knows of a board. */
function ask(g: EndingGame, p: Point): Promise<Answer> {
  p.answer ??= link.insist('endings.ask', { board: boardText(p.board) }).then((known) => ({
    chances: known.endings.find((e) => sameEnding(g.ending, e))?.moves ?? null,
  }))
  p.answer.catch(() => delete p.answer) // it is asked again
  return p.answer
}

/** know waits for what is known of the last board, grades the move that was made from it meanwhile, and notes
    the end of the game. */
async function know(g: EndingGame) {
  const p = g.points.at(-1) as Point
  const turn = g.points.length
  try {
    const answer = await ask(g, p)
    if (turn === 1 && g.points[0] === p && answer.chances) g.start = topOf(answer.chances)
    if (g.points.at(-1) === p) {
      g.now = answer
      if (over(g)) g.end ??= isMade(g) ? 'made' : 'lost'
    } else if (g.points[turn - 1] === p && g.points[turn]?.made) grade(g, turn, answer.chances)
  } catch (e) {
    g.note = complaint(e)
  }
}

/** begin draws other starts while the goal cannot be made from the one on the board. The limit is for endings
    that have no chance at all. */
async function begin(g: EndingGame) {
  await know(g)
  for (let tries = 0; tries < 20 && over(g) && g.points.length === 1; tries++) {
    g.points = [{ board: startOf(g.ending), made: null }]
    g.now = g.start = g.end = null
    await know(g)
  }
}

/** grade says what the move of a turn cost. The first one at each turn counts. */
function grade(g: EndingGame, turn: number, chances: Answer['chances']) {
  const made = g.points[turn]?.made
  const chance = made && chances?.[made.move]
  if (!made || !chances || made.chance !== null || chance == null) return
  const best = bestOf(chances)
  const next = Math.max(-1, ...dirs.flatMap((d) => (best.includes(d) ? [] : (chances[d] ?? []))))
  Object.assign(made, { chance, best, top: topOf(chances), next })
  if (!made.counts) return
  g.graded++
  g.kept *= chance / made.top
  if (costOf(made) > 0) g.costs.push({ turn, board: g.points[turn - 1]?.board ?? [], made })
}

function move(g: EndingGame, d: Dir) {
  if (over(g)) return
  const now = g.now
  const before = boardOf(g)
  const slid = slide(before, d)
  g.note = ''
  if (!slid) g.note = t('{move} moves no tile here.', { move: dirNames[d] })
  else if (now?.chances ? now.chances[d] == null : shifts(g, before, slid.board))
    g.note = g.ending.free_walls
      ? t('{move} would shift a wall to a place that this ending does not have.', { move: dirNames[d] })
      : t('{move} would shift a wall, and here they stay where they are.', { move: dirNames[d] })
  if (g.note || !slid) return
  const { board, motions } = slid
  const made: Made = { move: d, chance: null, best: [], top: 0, next: -1, counts: false }
  const turn = g.points.length
  if (turn > g.answered) {
    g.answered = turn
    made.counts = true
    played.add(g)
  }
  g.undone = null
  g.shown = false
  g.now = null
  if (board.flat().includes(g.ending.goal ?? 0)) {
    g.points.push({ board, made })
    g.step = { motions }
  } else {
    const spawn = spawnOn(board)
    g.points.push({ board: put(board, spawn.cell, spawn.tile), made })
    g.step = { motions, spawn }
  }
  if (now) grade(g, turn, now.chances)
}

function undo(g: EndingGame) {
  if (g.points.length < 2) return
  g.undone = g.points.pop()?.made ?? null
  g.helped ||= !g.end
  g.step = g.now = null
  g.shown = false
  g.note = ''
}

/** turn shows the next symmetric image of the boards, which have the same chances. */
function turn(g: EndingGame) {
  const made = (m: Made | null) =>
    m && { ...m, move: turnedDir(m.move, turns), best: m.best.map((d) => turnedDir(d, turns)) }
  g.points = g.points.map((p) => ({ board: turned(p.board, turns), made: made(p.made) }))
  g.costs = g.costs.map((c) => ({ ...c, board: turned(c.board, turns), made: made(c.made) as Made }))
  g.undone = made(g.undone)
  g.step = g.now = null
  turns = (turns + 1) % 8
}
