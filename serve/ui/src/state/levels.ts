// The level of the visitor. A reference player that scores about as much as they do says what a move costs them.
import { useEffect, useState } from 'preact/hooks'
import { Listeners } from '../base/changes'
import { largest, whole } from '../base/format'
import { load, save } from '../base/store'
import { t } from '../base/text'
import { type Board, levels } from '../types'
import { onPlayed, played } from './played'
import { usualScore } from './strength'

/** strong is the level of the strongest players: no reference player, but the network. */
export const strong = 'strong'

/** levelNames are the levels, the lowest first. */
export const levelNames = [...levels.map((l) => l.name), strong]

/** firstLevel judges those who have not finished a game yet. */
const firstLevel = levels[2]?.name ?? strong

/** teacher returns the level that judges a board of a puzzle or lesson, whoever plays: a good player, who hardly knows larger
    tiles than 2048. */
export const teacher = (b: Board) => (largest(b) <= 2048 ? (levels.at(-1)?.name ?? strong) : strong)

/** own is the player of the games that are played on the page. */
export const own = 'human'

const key = 'level'

/** chosenLevel is the level that the visitor chose, empty: the one of their games. */
export const chosenLevel = () => load(key, '', (v) => v === '' || levelNames.includes(String(v)))

const changed = new Listeners() // what the level follows from

export function chooseLevel(name: string) {
  save(key, name)
  changed.tell()
}

/** levelOf returns the level nearest to a score on 4x4. */
export const levelOf = (score: number | null) =>
  score === null ? firstLevel : (levels.find((l) => score < l.limit)?.name ?? strong)

let usual: Promise<string> | null = null // read again after a change of the games
onPlayed(() => {
  usual = null
  changed.tell()
})

/** myLevel returns the level by which the visitor's moves on 4x4 are judged. */
export async function myLevel(): Promise<string> {
  usual ??= played().then((games) => levelOf(usualScore(games)))
  return chosenLevel() || usual
}

/** levelFor returns the level of a player on boards of a size: the visitor's; empty: by the score of a game, if there are any. */
export const levelFor = async (player: string, size: string) =>
  player === own && size === '4x4' ? await myLevel() : ''

/** levelName is a level as people read it. */
export const levelName = (level: string) => (level === strong ? t('strong@level') : whole(Number(level)))

/** useMyLevel returns the visitor's level, as it is now; empty until it is known. */
export function useMyLevel(): string {
  const [level, set] = useState('')
  useEffect(() => {
    const read = () => void myLevel().then(set)
    read()
    return changed.add(read)
  }, [])
  return level
}

/** useLevel returns the level of a game from the time on when it is known. It stays while the game is shown. */
export function useLevel(player: string, size: string): string | null {
  const [level, set] = useState<string | null>(null)
  useEffect(() => {
    levelFor(player, size).then(set)
  }, [])
  return level
}
