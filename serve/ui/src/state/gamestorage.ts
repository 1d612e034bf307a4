// The unfinished games and the best scores in local storage.
import { isObject, load, save } from '../base/store'
import { soundOf } from './json'
import { apart, fresh, gameKey, isKept, type Kept, placeOf } from './kept'

/** gamesOf returns the games of a stored value by their places; damaged ones are left out. */
export const gamesOf = (v: unknown) => soundOf(v, isKept)

/** games returns the unfinished games. */
export const games = () => gamesOf(load<unknown>('games', {}))

/** unfinished returns the game of a storage key. */
export const unfinished = (place: string): Kept | undefined => games()[place]

/** lastGame returns the game that was played last, in no duel and of no stage. */
export function lastGame(): Kept {
  const own = Object.values(games()).filter((k) => !apart(k))
  const place = load<string>('last', '4x4', (v) => typeof v === 'string')
  return unfinished(place) ?? own.sort((a, b) => b.when - a.when)[0] ?? fresh('4x4', 'random')
}

/** storeGame stores a game, as the last one unless it is played apart, and reports whether there was room. */
export function storeGame(k: Kept): boolean {
  if (!apart(k)) save('last', placeOf(k))
  return save('games', { ...games(), [placeOf(k)]: k })
}

/** dropGame removes the game of a storage key. */
export function dropGame(place: string) {
  const all = games()
  delete all[place]
  save('games', all)
}

const isNumbers = (v: unknown) => isObject(v) && Object.values(v).every((n) => typeof n === 'number')

const bests: Record<string, number> = {} // what storage has no room for

/** Best is a best score, and whether it was made with undo or hints. */
export interface Best {
  score: number
  helped: boolean
}

/** bestOf returns the best score of a size and rule. */
export function bestOf({ size, spawn }: Pick<Kept, 'size' | 'spawn'>): Best {
  const key = gameKey(size, spawn)
  const score = Math.max(load<Record<string, number>>('best', {}, isNumbers)[key] ?? 0, bests[key] ?? 0)
  return { score, helped: load<Record<string, number>>('helped', {}, isNumbers)[key] === score }
}

/** counts is whether the score of a game may be a best one. */
export const counts = (k: Kept) => k.start === undefined && !k.watched

/** storeBest stores the score of a game if it is the best one. */
export function storeBest(k: Kept) {
  const key = gameKey(k.size, k.spawn)
  const best = bestOf(k)
  if (!counts(k) || k.score < best.score || (k.score === best.score && !best.helped)) return
  bests[key] = k.score
  if (k.score > best.score) save('best', { ...load('best', {}, isNumbers), [key]: k.score })
  const helped = load<Record<string, number>>('helped', {}, isNumbers)
  if (k.helped || best.helped) save('helped', { ...helped, [key]: k.helped ? k.score : -1 })
}
