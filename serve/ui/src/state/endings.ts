// Games of solved endings: what each move cost, and the score while the page is open.

import { useRedraw } from '../base/changes'
import { boardText, dirNames, mirrored, rotated, type Slid } from '../base/format'
import { t } from '../base/text'
import { complaint, link } from '../engine/net'
import { type Board, type Dir, dirs, type EndingMoves, type Slides, type Solution } from '../types'
import { bestOf, even, topOf } from './endingmoves'
import { any, emptyCells, put, spawnOn } from './follow'

/** Made is a move, and the chances after it and after the best moves; null: the table does not have the board. */
export interface Made {
  move: Dir
  chance: number | null
  best: Dir[]
  top: number
}

/** Point is a board of a game, and the move that led to it. */
interface Point {
  board: Board
  made: Made | null
  answer?: Promise<Answer>
}

/** Answer is what is known of a board; chances null: the table does not have it. A chance null: the move shifts walls. */
interface Answer {
  slides: Slides
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
export const over = (g: EndingGame) => isMade(g) || (g.now !== null && isLost(g, g.now))
export const isMade = (g: EndingGame) =>
  boardOf(g)
    .flat()
    .includes(g.ending.goal ?? 0)
export const boardOf = (g: EndingGame): Board => g.points.at(-1)?.board ?? []

function isLost(g: EndingGame, { slides, chances }: Answer): boolean {
  if (chances) return topOf(chances) === 0
  return !dirs.some((d) => slides[d].moved && !shifts(g, boardOf(g), slides[d].after))
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

/** score sums up the games. Goals count in games that ended without help, for those perfect play has an expected number. */
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

/** useEnding returns the game on the board and what can be done with it. Actions take effect in order. */
export function useEnding() {
  const redraw = useRedraw()
  const then = (g: EndingGame | null, act: (g: EndingGame) => void | Promise<void>) => {
    queue = queue
      .then(() => (g && g === current ? act(g) : undefined))
      .catch((e: unknown) => {
        if (g) g.note = complaint(e)
      })
      .then(redraw)
  }
  const g = current
  return {
    game: g,
    start: (ending: Solution) => {
      current = {
        ending,
        points: [{ board: startOf(ending), made: null }],
        now: null,
        step: null,
        undone: null,
        shown: false,
        note: '',
        answered: 0,
        graded: 0,
        kept: 1,
        costs: [],
        start: null,
        helped: false,
        end: null,
      }
      then(current, begin)
      redraw()
    },
    move: (d: Dir) => then(g, (game) => move(game, d)),
    undo: () => then(g, undo),
    show: () =>
      then(g, (game) => {
        game.shown = true
        game.helped ||= !game.end
        game.note = ''
      }),
    turn: () => then(g, turn),
  }
}

let queue: Promise<unknown> = Promise.resolve()

/** ask returns what is known of the last board. */
function ask(g: EndingGame): Promise<Answer> {
  const p = g.points.at(-1) as Point
  const board = boardText(p.board)
  p.answer ??= Promise.all([
    link.insist('rules.inspect', { board, motions: true }),
    link.insist('endings.ask', { board }),
  ]).then(([rules, known]) => ({
    slides: rules.moves,
    chances: known.endings.find((e) => sameEnding(g.ending, e))?.moves ?? null,
  }))
  p.answer.catch(() => delete p.answer) // it is asked again
  return p.answer
}

/** know waits for what is known of the last board, and notes the end of the game. */
async function know(g: EndingGame) {
  g.now = null
  g.now = await ask(g)
  if (g.points.length === 1 && g.now.chances) g.start = topOf(g.now.chances)
  if (over(g)) g.end ??= isMade(g) ? 'made' : 'lost'
}

/** begin draws other starts while the goal cannot be made from the one on the board. The limit is for endings that have no chance at all. */
async function begin(g: EndingGame) {
  await know(g)
  for (let tries = 0; tries < 20 && over(g); tries++) {
    g.points = [{ board: startOf(g.ending), made: null }]
    g.start = g.end = null
    await know(g)
  }
}

async function move(g: EndingGame, d: Dir) {
  if (!g.now) await know(g)
  const now = g.now
  if (!now || over(g)) return
  const before = boardOf(g)
  const { moved, after, motions = [] } = now.slides[d]
  g.note = ''
  if (!moved) g.note = t('{move} moves no tile here.', { move: dirNames[d] })
  else if (now.chances ? now.chances[d] == null : shifts(g, before, after))
    g.note = g.ending.free_walls
      ? t('{move} would shift a wall to a place that this ending does not have.', { move: dirNames[d] })
      : t('{move} would shift a wall, and here they stay where they are.', { move: dirNames[d] })
  if (g.note) return
  const made: Made = {
    move: d,
    chance: now.chances?.[d] ?? null,
    best: bestOf(now.chances ?? {}),
    top: topOf(now.chances ?? {}),
  }
  const turn = g.points.length
  if (turn > g.answered) {
    g.answered = turn
    played.add(g)
    if (made.chance !== null) {
      g.graded++
      g.kept *= made.chance / made.top
      if (costOf(made) > 0) g.costs.push({ turn, board: before, made })
    }
  }
  g.undone = null
  g.shown = false
  if (after.flat().includes(g.ending.goal ?? 0)) {
    g.points.push({ board: after, made })
    g.step = { motions }
  } else {
    const spawn = spawnOn(after)
    g.points.push({ board: put(after, spawn.cell, spawn.tile), made })
    g.step = { motions, spawn }
  }
  await know(g)
}

async function undo(g: EndingGame) {
  if (g.points.length < 2) return
  g.undone = g.points.pop()?.made ?? null
  g.helped ||= !g.end
  g.step = null
  g.shown = false
  g.note = ''
  await know(g)
}

/** turn shows the next symmetric image of the boards, which have the same chances. */
async function turn(g: EndingGame) {
  const made = (m: Made | null) =>
    m && { ...m, move: turnedDir(m.move, turns), best: m.best.map((d) => turnedDir(d, turns)) }
  g.points = g.points.map((p) => ({ board: turned(p.board, turns), made: made(p.made) }))
  g.costs = g.costs.map((c) => ({ ...c, board: turned(c.board, turns), made: made(c.made) as Made }))
  g.undone = made(g.undone)
  g.step = null
  turns = (turns + 1) % 8
  await know(g)
}
