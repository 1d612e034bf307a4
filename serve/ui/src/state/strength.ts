// What many games together say about the visitor.

import type { GamePhase } from '../types'
import { meanAccuracy, type PhaseReview } from './judge'
import { luckier } from './luck'
import type { PlayedGame } from './played'

/** span is the number of games of a moving mean. */
export const span = 10

/** luckOf returns about the share of games with less luck. */
export const luckOf = (g: PlayedGame) => (g.review?.luck ? luckier(g.review.luck) : null)

/** judgedAt reports whether a game is judged at a level, or has a size without levels. */
export const judgedAt = (g: PlayedGame, level: string) =>
  g.review !== null && (g.size !== '4x4' || g.review.level === level)

/** accuracyOf returns the accuracy of a game at a level: accuracies compare only at one. */
export const accuracyOf = (g: PlayedGame, level: string) =>
  judgedAt(g, level) ? (g.review?.game.accuracy ?? null) : null

/** recent is the number of finished games from which the level follows. */
const recent = 20

/** comparable returns the last games that show the strength, the newest first: on 4x4, from two random tiles to their end. */
export const comparable = (games: readonly PlayedGame[]) =>
  games
    .filter((g) => g.size === '4x4' && g.spawn === 'random' && g.start === undefined && g.over)
    .slice(0, recent)

/** usualScore returns the median score of the last finished games on 4x4, null without any. */
export function usualScore(games: readonly PlayedGame[]): number | null {
  const scores = comparable(games)
    .map((g) => g.score)
    .sort((a, b) => a - b)
  const half = scores.length / 2
  const middle = scores.slice(Math.ceil(half) - 1, Math.floor(half) + 1)
  return middle.length > 0 ? average(middle) : null
}

/** average is the mean of values. */
export const average = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length

/** moving returns for each value the mean of the known ones among the last ten up to it. */
export const moving = (values: readonly (number | null)[]) =>
  values.map((_, i) => {
    const known = values.slice(Math.max(0, i + 1 - span), i + 1).filter((v) => v !== null)
    return known.length > 0 ? average(known) : null
  })

/** bests has a row for each size, that with the most games first. */
export function bests(games: readonly PlayedGame[]) {
  return [...new Set(games.map((g) => g.size))]
    .map((size) => {
      const of = games.filter((g) => g.size === size)
      return {
        size,
        games: of.length,
        score: Math.max(...of.map((g) => g.score)),
        largest: Math.max(...of.map((g) => g.largest)),
      }
    })
    .sort((a, b) => b.games - a.games || (a.size < b.size ? -1 : 1))
}

/** PhaseSum has the mean loss of a move, and the mistakes with the blunders. */
export type PhaseSum = ReturnType<typeof phaseSums>[number]

/** phaseSums sums up the phases over all games that are judged at a level. */
export function phaseSums(games: readonly PlayedGame[], level: string, order: readonly GamePhase[]) {
  const judged = games.filter((g) => judgedAt(g, level))
  return order.flatMap((phase) => {
    const of = judged.flatMap((g) => g.review?.phases.filter((p) => p.phase === phase && p.moves > 0) ?? [])
    const total = (f: (p: PhaseReview) => number) => of.reduce((sum, p) => sum + f(p), 0)
    const moves = total((p) => p.moves)
    if (moves === 0) return []
    return [
      {
        phase,
        games: of.length,
        moves,
        loss: total((p) => p.moves * (p.loss ?? 0)) / moves,
        accuracy:
          meanAccuracy(
            total((p) => p.moves / (p.accuracy ?? 1)),
            moves,
          ) ?? 1,
        mistakes: total((p) => p.classes.mistake + p.classes.blunder),
      },
    ]
  })
}
