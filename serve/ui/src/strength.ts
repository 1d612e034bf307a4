// What many games together say about the visitor.
import { luckier } from './luck'
import type { PlayedGame } from './played'
import type { GamePhase, PhaseReview } from './types'

/** ladder are players from the tables of docs/lab/review.md, the weakest first. */
export const ladder = [
  { player: 'random', score: 1025, accuracy: 27.9 },
  { player: 'greedy', score: 2485, accuracy: 44.3 },
  { player: 'expectimax(eval=empty,plies=1)', score: 3395, accuracy: 52.4 },
  { player: 'snake(depth=0)', score: 5216, accuracy: 57.7 },
  { player: 'expectimax(eval=duplicates,plies=2)', score: 6217, accuracy: 60.8 },
  { player: 'expectimax(eval=empty,plies=2)', score: 8951, accuracy: 70.7 },
  { player: 'minimax(depth=2)', score: 12727, accuracy: 72.1 },
  { player: 'minimax(depth=3)', score: 16706, accuracy: 77 },
  { player: 'alphabeta', score: 28752, accuracy: 82.9 },
  { player: 'expectimax(eval=expert,plies=2)', score: 34441, accuracy: 89.1 },
  { player: 'snake', score: 37227, accuracy: 92.9 },
  { player: 'weighted-snake', score: 49965, accuracy: 94.3 },
  { player: 'expert(nodes=30000)', score: 217336, accuracy: 95.7 },
  { player: 'ntuple(plies=1)', score: 436276, accuracy: 99.78 },
  { player: 'champion', score: 564630, accuracy: 99.95 },
]

/** span is the number of games of a moving mean. */
export const span = 10

/** enough is the number of games from which on the strength is shown. */
export const enough = 3

/** quantiles are those of Student's t for 95 %, for 2 games and more. */
const quantiles = [12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262]

/** luckOf returns about the share of games with less luck. */
export const luckOf = (g: PlayedGame) => (g.review?.luck ? luckier(g.review.luck) : null)

export const accuracyOf = (g: PlayedGame) => g.review?.game.accuracy ?? null

/** isComparable reports whether a game is like those of the ladder: on 4x4, from two random tiles to its end. */
const isComparable = (g: PlayedGame) =>
  g.size === '4x4' && g.spawn === 'random' && g.start === undefined && g.over

export interface Strength {
  games: number
  mean: number // accuracy, 0 to 1
  around: number // half of the 95 % interval
  like: (typeof ladder)[number]
}

/** strength comes from the last comparable games; the newest game is the first. */
export function strength(games: readonly PlayedGame[]): Strength | { games: number } {
  const last = games
    .filter(isComparable)
    .flatMap((g) => accuracyOf(g) ?? [])
    .slice(0, span)
  const n = last.length
  if (n < enough) return { games: n }
  const mean = average(last)
  const spread = Math.sqrt(last.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (n - 1))
  const far = (p: (typeof ladder)[number]) => Math.abs(p.accuracy - 100 * mean)
  return {
    games: n,
    mean,
    around: ((quantiles[n - 2] ?? 0) * spread) / Math.sqrt(n),
    like: ladder.reduce((a, b) => (far(b) < far(a) ? b : a)),
  }
}

const average = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length

/** moving returns for each value the mean of the known ones among the last ten up to it. */
export const moving = (values: readonly (number | null)[]) =>
  values.map((_, i) => {
    const known = values.slice(Math.max(0, i + 1 - span), i + 1).filter((v) => v !== null)
    return known.length > 0 ? average(known) : null
  })

export interface Best {
  size: string
  games: number
  score: number
  largest: number
}

/** bests has a row for each size, that with the most games first. */
export function bests(games: readonly PlayedGame[]): Best[] {
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

export interface PhaseSum {
  phase: GamePhase
  games: number
  moves: number
  loss: number // mean of a move
  accuracy: number
  mistakes: number // blunders too
}

/** phaseSums sums up a phase over all judged games. */
export function phaseSums(games: readonly PlayedGame[], order: readonly GamePhase[]): PhaseSum[] {
  return order.flatMap((phase) => {
    const of = games.flatMap(
      (g): PhaseReview[] => g.review?.phases.filter((p) => p.phase === phase && p.moves > 0) ?? [],
    )
    const moves = of.reduce((sum, p) => sum + p.moves, 0)
    if (moves === 0) return []
    const inverse = of.reduce((sum, p) => sum + p.moves / (p.accuracy ?? 1), 0)
    return [
      {
        phase,
        games: of.length,
        moves,
        loss: of.reduce((sum, p) => sum + p.moves * (p.loss ?? 0), 0) / moves,
        accuracy: moves / inverse,
        mistakes: of.reduce((sum, p) => sum + p.classes.mistake + p.classes.blunder, 0),
      },
    ]
  })
}
