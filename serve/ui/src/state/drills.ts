// Drills: positions of the visitor's own mistakes, repeated after some days. They have a separate key in the
// browser's storage, so that damaged drills cannot affect games.
import { boardText, canonical } from '../base/boards'
import { has, isObject, Listeners, listen, load, save, useChanging } from '../base/store'
import { type Board, type Dir, dirs, type MoveClass, type MoveReview } from '../types'

/** Judgement is the judge's opinion of one move of a drill. */
interface Judgement {
  loss: number // 0 to 1
  class: MoveClass
}

export interface Drill {
  board: string // its text identifies the drill
  score: number
  best: Dir
  played: Dir // the move made in the game
  moves: Partial<Record<Dir, Judgement>>
  from: string // the game, in a few words
  step: number // index into steps; steps.length: learned
  due: number // milliseconds since 1970
}

const day = 86_400_000

/** steps are the pauses in days before each repetition. A right answer leads to the next step, a wrong one to
    the previous step. After the last step, the position is learned. */
const steps = [0, 1, 3, 7]

const retryDelay = 10 * 60_000 // milliseconds until a drill is repeated after a wrong answer

export const maxDrills = 200

const isDrill = (v: unknown): v is Drill =>
  has(v, { board: 'string', score: 'number', from: 'string', due: 'time', step: 'number' }) &&
  isObject(v.moves) &&
  isObject(v.moves[String(v.best)]) &&
  Object.values(v.moves).every((m) => has(m, { loss: 'number', class: 'string' }))

/** drillsOf returns the drills of a stored value; damaged ones are left out. */
export const drillsOf = (v: unknown): Drill[] =>
  isObject(v) && Array.isArray(v.drills) ? v.drills.filter(isDrill) : []

export const drills = () => drillsOf(load<unknown>('drills', null))

const changed = new Listeners() // called for changes in another tab, too
listen('storage', () => changed.tell())

export const useDrills = (): Drill[] => useChanging(drills, changed.add)

/** write stores the drills. Above the limit it drops learned ones first, then those that are due last. */
export function write(all: Drill[]): boolean {
  const rank = (d: Drill) => (learned(d) ? Infinity : d.due)
  const kept = all.length > maxDrills ? [...all].sort((a, b) => rank(a) - rank(b)).slice(0, maxDrills) : all
  const stored = save('drills', { drills: kept })
  changed.tell()
  return stored
}

export const learned = (d: Drill) => d.step >= steps.length

/** due returns the drills to answer now, the longest due first. */
export const due = (all: readonly Drill[]) =>
  all.filter((d) => !learned(d) && d.due <= Date.now()).sort((a, b) => a.due - b.due)

/** upcoming returns the next time at which a drill is due, null if none is waiting. */
export function upcoming(all: readonly Drill[]): number | null {
  const next = Math.min(...all.filter((d) => !learned(d) && d.due > Date.now()).map((d) => d.due))
  return Number.isFinite(next) ? next : null
}

export function drillOf(m: MoveReview, board: Board, score: number, from: string): Drill {
  const { moves, best, played } = m
  const judged = dirs.flatMap((d) => (moves[d] ? [[d, { loss: moves[d].loss, class: moves[d].class }]] : []))
  const times = { step: 0, due: Date.now() }
  return { board: boardText(board), score, best, played, moves: Object.fromEntries(judged), from, ...times }
}

/** addDrills adds the drills whose board is not stored yet, in any mirrored or rotated form, and returns their
    number. */
export function addDrills(found: readonly Drill[]): number {
  const all = drills()
  const known = new Set(all.map((d) => canonical(d.board)))
  const added = found.filter((d) => !known.has(canonical(d.board)) && known.add(canonical(d.board)))
  if (added.length > 0) write([...all, ...added])
  return added.length
}

export const right = (d: Drill, move: Dir) => ['best', 'good', 'forced'].includes(d.moves[move]?.class ?? '')

/** answer moves a drill one step on after a right answer, and one step back after a wrong one. */
export function answer(board: string, isRight: boolean) {
  const now = Date.now()
  write(
    drills().map((d) => {
      if (d.board !== board) return d
      const step = isRight ? d.step + 1 : Math.max(0, d.step - 1)
      return { ...d, step, due: now + (isRight ? (steps[step] ?? 0) * day : retryDelay) }
    }),
  )
}

export const removeDrill = (board: string) => write(drills().filter((d) => d.board !== board))
