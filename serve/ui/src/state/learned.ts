// What the visitor has done in Learn. It is stored in the browser.
import { isObject, load, save, soundOf } from '../base/store'
import { type Dir, dirs } from '../types'

export interface Learned {
  lessons: Record<string, number> // for each lesson, the completed steps as bits
  puzzles: Record<string, Dir> // the first answer to each board
  hard: Record<string, Dir>
  stages: Record<string, Rate> // by the sum that completes the stage
}

/** Rate counts the games of a stage. */
interface Rate {
  games: number
  made: number // number of these games that completed the stage
}

const isDir = (v: unknown): v is Dir => dirs.includes(v as Dir)
const isCount = (v: unknown): v is number => Number.isSafeInteger(v)
const isRate = (v: unknown): v is Rate => isObject(v) && isCount(v.games) && isCount(v.made)

/** learnedOf returns the valid parts of a stored value. */
export function learnedOf(v: unknown): Learned {
  const stored = isObject(v) ? v : {}
  return {
    lessons: soundOf(stored.lessons, isCount),
    puzzles: soundOf(stored.puzzles, isDir),
    hard: soundOf(stored.hard, isDir),
    stages: soundOf(stored.stages, isRate),
  }
}

export const learned = () => learnedOf(load<unknown>('learned', null))

/** learn stores a change, and reports whether there was room. */
export function learn(change: (now: Learned) => Partial<Learned>): boolean {
  const now = learned()
  return save('learned', { ...now, ...change(now) })
}

/** joinLearned merges what a backup has with what is here, and reports whether there was room. */
export const joinLearned = (file: Learned) =>
  learn((here) => {
    const lessons = { ...file.lessons }
    for (const [k, n] of Object.entries(here.lessons)) lessons[k] = n | (lessons[k] ?? 0)
    const stages = { ...file.stages }
    for (const [k, r] of Object.entries(here.stages)) if (r.games >= (stages[k]?.games ?? 0)) stages[k] = r
    const [puzzles, hard] = [
      { ...file.puzzles, ...here.puzzles },
      { ...file.hard, ...here.hard },
    ]
    return { lessons, puzzles, hard, stages }
  })
