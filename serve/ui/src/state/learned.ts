// What the visitor has done in the lessons, puzzles and stages of Practice. It is stored in the browser.
import { isObject, load, save } from '../base/store'
import { type Dir, dirs } from '../types'

export interface Learned {
  version: 1
  lessons: Record<string, number> // of each lesson the steps that are done, a bit each
  puzzles: Record<string, Dir> // the first answer to each board
  stages: Record<string, Rate> // by the sum that completes the stage
}

/** Rate counts the games of a stage. */
export interface Rate {
  games: number
  made: number // of them, completed the stage
  last: string // the newest one, so that it counts once
}

const isRate = (v: unknown): v is Rate =>
  isObject(v) && Number.isSafeInteger(v.games) && Number.isSafeInteger(v.made) && typeof v.last === 'string'
const all = (v: unknown, right: (x: unknown) => boolean) => isObject(v) && Object.values(v).every(right)

export const isLearned = (v: unknown): v is Learned =>
  isObject(v) &&
  v.version === 1 &&
  all(v.lessons, Number.isSafeInteger) &&
  all(v.puzzles, (d) => dirs.includes(d as Dir)) &&
  all(v.stages, isRate)

export const learned = () =>
  load<Learned>('learned', { version: 1, lessons: {}, puzzles: {}, stages: {} }, isLearned)

export const setLearned = (l: Learned) => save('learned', l)

/** learn stores a change. */
export function learn(change: (now: Learned) => Partial<Learned>) {
  const now = learned()
  setLearned({ ...now, ...change(now) })
}

/** joinedLearned adds what a backup has to what is here. */
export function joinedLearned(here: Learned, file: Learned): Learned {
  const lessons = { ...file.lessons }
  for (const [k, n] of Object.entries(here.lessons)) lessons[k] = n | (lessons[k] ?? 0)
  const stages = { ...file.stages }
  for (const [k, r] of Object.entries(here.stages)) if (r.games >= (stages[k]?.games ?? 0)) stages[k] = r
  return { version: 1, lessons, puzzles: { ...file.puzzles, ...here.puzzles }, stages }
}
