// What many games together say about the visitor.
import { useEffect, useState } from 'preact/hooks'
import { largest } from '../base/boards'
import { Listeners, load, save } from '../base/store'
import { t, whole } from '../base/text'
import { type Board, type GamePhase, levels } from '../types'
import { meanAccuracy, type PhaseReview } from './judge'
import { luckier } from './luck'
import { onPlayed, type PlayedGame, played } from './played'

export const span = 10 // number of games in a moving mean

/** luckOf returns the approximate share of games with less luck. */
export const luckOf = (g: PlayedGame) => (g.review?.luck ? luckier(g.review.luck) : null)

/** LevelOf returns the level of the visitor on boards of a size; empty if the size has no levels. */
export type LevelOf = (size: string) => string

/** judgedAt reports whether a game is judged at the level of its size. */
export const judgedAt = (g: PlayedGame, level: LevelOf) => g.review?.level === level(g.size)

/** accuracyOf returns the accuracy of a game at the level of its size: only those at one level can be compared. */
export const accuracyOf = (g: PlayedGame, level: LevelOf) =>
  judgedAt(g, level) ? (g.review?.game.accuracy ?? null) : null

const recent = 20 // number of finished games that determine the level

/** comparable returns the last games on a size that show the visitor's strength, the newest first: complete
    games from two start tiles. */
export const comparable = (games: readonly PlayedGame[], size: string) =>
  games
    .filter((g) => g.size === size && g.spawn === 'random' && g.start === undefined && g.over)
    .slice(0, recent)

/** usualScore returns the median score of the last finished games on a size, null if there are none. */
export function usualScore(games: readonly PlayedGame[], size: string): number | null {
  const scores = comparable(games, size)
    .map((g) => g.score)
    .sort((a, b) => a - b)
  const half = scores.length / 2
  const middle = scores.slice(Math.ceil(half) - 1, Math.floor(half) + 1)
  return middle.length > 0 ? average(middle) : null
}

export const average = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length

/** moving returns, for each value, the mean of the known values among it and the nine before it. */
export const moving = (values: readonly (number | null)[]) =>
  values.map((_, i) => {
    const known = values.slice(Math.max(0, i + 1 - span), i + 1).filter((v) => v !== null)
    return known.length > 0 ? average(known) : null
  })

/** bests returns a row for each size, the size with the most games first. */
export const bests = (games: readonly PlayedGame[]) =>
  [...new Set(games.map((g) => g.size))]
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

/** PhaseSum holds the mean loss of a move in a phase, and the number of mistakes and blunders. */
export type PhaseSum = ReturnType<typeof phaseSums>[number]

/** phaseSums sums up the phases over all games that are judged at their level. */
export function phaseSums(games: readonly PlayedGame[], level: LevelOf, order: readonly GamePhase[]) {
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

/** strong is the name of the highest level: the network judges its moves, not a reference player. */
export const strong = 'strong'

/** levelNames are the levels of 4x4, the lowest first. */
export const levelNames = [...(levels['4x4'] ?? []).map((l) => l.name), strong]

export const hasLevels = (size: string) => levels[size] !== undefined

/** teacher returns the level that judges a board of a puzzle or lesson, whatever the visitor's level: 20000, or
    strong if the board has a tile above 2048, which games at the level 20000 rarely have. */
export const teacher = (b: Board) => (largest(b) <= 2048 ? '20000' : strong)

/** own is the player of games that the visitor plays on the page. */
export const own = 'human'

const key = 'level'

/** chosenLevel returns the level that the visitor chose: strong, or a level of 4x4; empty: the level of their games. */
export const chosenLevel = () => load(key, '', (v) => v === '' || levelNames.includes(String(v)))

const changed = new Listeners() // called when the data that determine the level change

export function chooseLevel(name: string) {
  save(key, name)
  changed.tell()
}

/** levelOf returns the level nearest to a score, or the third level if the score is null; empty if the size
    has no levels. */
export function levelOf(score: number | null, size: string): string {
  const all = levels[size]
  if (!all) return ''
  return (score === null ? all[2] : all.find((l) => score < l.limit))?.name ?? strong
}

let games: Promise<PlayedGame[]> | null = null // null: the games must be read again
onPlayed(() => {
  games = null
  changed.tell()
})

/** myLevels returns the levels by which the visitor's moves are judged. */
export async function myLevels(): Promise<LevelOf> {
  games ??= played()
  const [all, chosen] = [await games, chosenLevel()]
  const holds = (size: string) => chosen && hasLevels(size) && (size === '4x4' || chosen === strong)
  return (size) => (holds(size) ? chosen : levelOf(usualScore(all, size), size))
}

/** levelFor returns the level that judges a player's games on a size: the visitor's level for their own games,
    else '', which stands for the level of the game's score. */
export const levelFor = async (player: string, size: string) =>
  player === own ? (await myLevels())(size) : ''

export const levelName = (level: string) => (level === strong ? t('strong@level') : whole(Number(level)))

/** useMyLevels returns the current levels of the visitor; null until they are known. */
export function useMyLevels(): LevelOf | null {
  const [level, set] = useState<LevelOf | null>(null)
  useEffect(() => {
    const read = () => void myLevels().then((now) => set(() => now))
    read()
    return changed.add(read)
  }, [])
  return level
}

/** useLevel returns the level of a game; null until it is known. The level stays the same while the game is shown. */
export function useLevel(player: string, size: string): string | null {
  const [level, set] = useState<string | null>(null)
  useEffect(() => {
    levelFor(player, size).then(set)
  }, [])
  return level
}
