// The unfinished games, those that were saved to play on later, and the best scores in local storage.
import { isObject, load, save, soundOf } from '../base/store'
import { apart, fresh, gameKey, isKept, type Kept, placeOf } from './kept'

/** gamesOf returns the games of a stored value by their places; damaged ones are left out. */
export const gamesOf = (v: unknown) => soundOf(v, isKept)

export const games = () => gamesOf(load<unknown>('games', {}))

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

export function bestOf({ size, spawn }: Pick<Kept, 'size' | 'spawn'>): Best {
  const key = gameKey(size, spawn)
  const score = Math.max(load<Record<string, number>>('best', {}, isNumbers)[key] ?? 0, bests[key] ?? 0)
  return { score, helped: load<Record<string, number>>('helped', {}, isNumbers)[key] === score }
}

/** counts is whether the score of a game may be a best one. */
export const counts = (k: Kept) => k.start === undefined && !k.watched

export function storeBest(k: Kept) {
  const key = gameKey(k.size, k.spawn)
  const best = bestOf(k)
  if (!counts(k) || k.score < best.score || (k.score === best.score && !best.helped)) return
  bests[key] = k.score
  if (k.score > best.score) save('best', { ...load('best', {}, isNumbers), [key]: k.score })
  const helped = load<Record<string, number>>('helped', {}, isNumbers)
  if (k.helped || best.helped) save('helped', { ...helped, [key]: k.helped ? k.score : -1 })
}

export type Slot = Kept & { id: number }

/** slotsOf returns the saved games of a stored value; damaged ones are left out. */
export const slotsOf = (v: unknown): Slot[] =>
  Array.isArray(v) ? v.filter((s): s is Slot => isKept(s) && typeof (s as Slot).id === 'number') : []

/** slots returns the saved games, the newest first. */
export const slots = () => slotsOf(load<unknown>('slots', []))

/** saveSlot saves a game, and reports whether there was room. */
export const saveSlot = (k: Kept) => save('slots', [{ ...k, id: Date.now() }, ...slots()])

export const deleteSlot = (id: number) =>
  save(
    'slots',
    slots().filter((s) => s.id !== id),
  )
