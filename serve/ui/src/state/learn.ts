// The puzzles and the boards of the stages. A Go test (serve/makelearn_test.go) makes the file from real games.
import { t } from '../base/text'
import type { Board, Dir } from '../types'
import all from './learn.json'

export interface Puzzle {
  theme: string
  board: string // sixteen exponents
  best: Dir
  grade: number // 1 to 5: the number of weak players that choose another move, plus one
  place: number // position among the puzzles of its theme and grade
}

const places = new Map<string, number>()

export const puzzles: readonly Puzzle[] = all.puzzles.map((line) => {
  const [theme = '', board = '', best, grade] = line.split(' ')
  const place = places.get(theme + grade) ?? 0
  places.set(theme + grade, place + 1)
  return { theme, board, best: best as Dir, grade: Number(grade), place }
})

/** StageBoards holds the boards of a stage: boards of real games with the sum of tiles from. The visitor plays on to
    the sum to. */
export interface StageBoards {
  from: number
  to: number
  champion: number // share of games in which the player champion reaches the sum in to (docs/lab/strength.md)
  boards: string[]
}

export const stages: readonly StageBoards[] = all.stages

/** tilesOf returns the board with sixteen exponents. */
export const tilesOf = (exponents: string): Board =>
  [0, 4, 8, 12].map((i) => [...exponents.slice(i, i + 4)].map((c) => (c === '0' ? 0 : 2 ** parseInt(c, 36))))

/** themes of the puzzles and lessons, in their order. */
export const themes = ['corner', 'order', 'recover', 'leave', 'large', 'endings'] as const
export type Theme = (typeof themes)[number]

export const themeNames: Record<Theme, string> = {
  corner: t('The corner'),
  order: t('Order'),
  recover: t('Recovering'),
  leave: t('Leaving the corner'),
  large: t('Large tiles'),
  endings: t('Endings'),
}
