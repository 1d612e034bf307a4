// The games in this browser. Local storage holds the unfinished games, the games saved for later and the best scores;
// the database holds the played games. A game waits in local storage until the database has it, so a
// closed tab or a full disk loses nothing.
import { largest, unpack } from '../base/boards'
import { changeValues, deleteValue, loadValues } from '../base/database'
import { has, isObject, Listeners, listen, load, parsed, save, soundOf } from '../base/store'
import { t } from '../base/text'
import type { GameState } from '../types'
import type { PhaseReview, ReviewTally } from './judge'
import { apart, branch, fresh, gameKey, isKept, type Kept, placeOf } from './kept'
import type { GameLuck } from './luck'

export interface PlayedGame extends Kept {
  largest: number // tile; 0: not known yet
  over: boolean
  review: GameReview | null
}

/** GameReview sums up the judged moves of a game. */
export interface GameReview {
  level: string // the level that judged the moves; empty: the size has no levels
  deep: boolean // unclear moves had their second look
  game: ReviewTally
  phases: PhaseReview[]
  luck: GameLuck | null // null: not known
}

export const prefix = 'played '
const key = 'waiting'

/** minMoves is the minimum number of moves of an unfinished game that is kept. */
export const minMoves = 10

type Games = Record<string, PlayedGame>

const isTally = (v: unknown) =>
  has(v, { moves: 'number' }) &&
  [v.accuracy, v.loss].every((x) => x === null || Number.isFinite(x)) &&
  has(v.classes, { mistake: 'number', blunder: 'number' })

const isReview = (v: unknown): v is GameReview =>
  has(v, { level: 'string', deep: 'boolean' }) &&
  [v.game, ...(Array.isArray(v.phases) ? v.phases : [null])].every(isTally) &&
  (v.luck === null || has(v.luck, { expected: 'number', moves: 'number', luck: 'number', sd: 'number' }))

const isPlayed = (v: unknown): v is PlayedGame =>
  isKept(v) && has(v, { largest: 'number', over: 'boolean' }) && (v.review === null || isReview(v.review))

let unsaved: Games = {} // games that wait for the database, and do not fit into local storage either

const waiting = (): Games => ({ ...soundOf(load<unknown>(key, {}), isPlayed), ...unsaved })

function setWaiting(games: Games) {
  unsaved = save(key, games) ? {} : games
}

const changed = new Listeners()

/** onPlayed adds a function to call after each change, also in another tab. */
export const onPlayed = changed.add
const tell = () => changed.tell()
listen('storage', tell)

/** refusal says why the database has not stored a game; empty if it has stored all. */
export let refusal = ''

export function remember(k: Kept, { board, over }: GameState) {
  if (k.count === 0 || (k.count < minMoves && !over)) return
  setWaiting({ ...waiting(), [k.uid]: { ...k, largest: largest(board), over, review: null } })
  store()
}

/** begins reports whether a game begins with all moves of another one, from the same start with the same tiles. */
export function begins(g: Kept, other: Kept): boolean {
  const start = ({ seed, size, spawn, start }: Kept) => [seed, size, spawn, start].join()
  if (g.count < other.count || start(g) !== start(other)) return false
  const moves = unpack(g.moves, g.count)
  return unpack(other.moves, other.count).every((m, i) => m === moves[i])
}

let storing: Promise<void> | null = null

/** store moves the waiting games into the database. */
export function store(): Promise<void> {
  storing ??= move().finally(() => (storing = null))
  return storing
}

async function move() {
  for (let games = waiting(); Object.keys(games).length > 0; games = waiting()) {
    try {
      await changeValues(
        Object.keys(games).map((uid) => prefix + uid),
        (k, old) => {
          const g = games[k.slice(prefix.length)]
          const known = parse(old)
          return g && !(known && begins(known, g) && known.largest >= g.largest)
            ? JSON.stringify(g)
            : undefined // the stored game has these moves and more: keep it
        },
      )
    } catch (e) {
      refusal =
        e instanceof Error && e.name === 'QuotaExceededError'
          ? t('This browser has no more room for this page.')
          : t('This browser stores no games: {why}.', { why: String(e) })
      return tell()
    }
    refusal = ''
    const now = waiting()
    for (const [uid, g] of Object.entries(games))
      if (JSON.stringify(now[uid]) === JSON.stringify(g)) delete now[uid]
    setWaiting(now)
    tell()
  }
}

export function parse(text: string | undefined): PlayedGame | null {
  const v = parsed(text)
  return isPlayed(v) ? v : null
}

/** played returns all games, the newest first. */
export async function played(): Promise<PlayedGame[]> {
  const stored = await loadValues(prefix).catch(() => [])
  const all = new Map(stored.flatMap(([, text]) => parse(text) ?? []).map((g) => [g.uid, g]))
  for (const g of Object.values(waiting())) {
    const known = all.get(g.uid)
    if (!known || !begins(known, g)) all.set(g.uid, g)
  }
  return [...all.values()].sort((a, b) => b.when - a.when)
}

/** resumed returns a saved game to be continued. It becomes a separate game if the original one has continued
    differently since. */
export async function resumed(k: Kept): Promise<Kept> {
  const known = [...(await played()), ...Object.values(games())].filter((g) => g.uid === k.uid)
  return known.length > 0 && known.every((g) => begins(k, g)) ? k : branch(k)
}

/** learn stores what became known about a game, unless the game was played on since. */
export async function learn(g: PlayedGame, news: Partial<PlayedGame>) {
  const same = (now: PlayedGame | null | undefined): now is PlayedGame =>
    now?.moves === g.moves && now.count === g.count
  const games = waiting()
  const now = games[g.uid]
  if (same(now)) setWaiting({ ...games, [g.uid]: { ...now, ...news } })
  else {
    await changeValues([prefix + g.uid], (_, old) => {
      const now = parse(old)
      return same(now) ? JSON.stringify({ ...now, ...news }) : undefined
    })
  }
  tell()
}

export async function forget(uid: string) {
  const now = waiting()
  delete now[uid]
  setWaiting(now)
  await deleteValue(prefix + uid)
  tell()
}

/** gamesOf returns the games of a stored value by their places; damaged ones are left out. */
export const gamesOf = (v: unknown) => soundOf(v, isKept)

export const games = () => gamesOf(load<unknown>('games', {}))

export const unfinished = (place: string): Kept | undefined => games()[place]

/** lastGame returns the game that was played last, not counting duels and stages. */
export function lastGame(): Kept {
  const own = Object.values(games()).filter((k) => !apart(k))
  const place = load<string>('last', '4x4', (v) => typeof v === 'string')
  return unfinished(place) ?? own.sort((a, b) => b.when - a.when)[0] ?? fresh('4x4', 'random')
}

/** storeGame stores a game, as the last one unless the game is played apart, and reports whether there was room. */
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

const bests: Record<string, number> = {} // scores for which storage has no room

/** bestOf returns the best score, and whether it was made with undo or hints. */
export function bestOf({ size, spawn }: Pick<Kept, 'size' | 'spawn'>) {
  const key = gameKey(size, spawn)
  const score = Math.max(load<Record<string, number>>('best', {}, isNumbers)[key] ?? 0, bests[key] ?? 0)
  return { score, helped: load<Record<string, number>>('helped', {}, isNumbers)[key] === score }
}

/** counts reports whether the score of a game may be a best score. */
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
