// Duels: each player plays the same board with the same new tiles, once. A link contains the board, the goal
// and games; the page stores the visitor's duels. Links contain no scores: these are computed by replay.
import { crc32, largest, newSeed, unpack } from '../base/boards'
import { changeValues, deleteValue, loadValues } from '../base/database'
import { has, isObject, parsed } from '../base/store'
import { dirNames, t } from '../base/text'
import { complaint } from '../engine/net'
import { begin, over, type Position, playMove, seeded } from '../rules/rules'
import { dirs, p4, type Step } from '../types'
import { fresh, fromHash, hashOf, type Kept, placeOf, recordOf } from './kept'
import { begins, dropGame, unfinished } from './played'

export interface Match {
  size: string
  seed: number
  goal: number // a tile, or 0 for the best score
}

/** Moves holds the moves of a game, packed as text (see pack). */
export interface Moves {
  moves: string
  count: number
}

/** Game is the game of a player of a duel. Two players may make the same moves, so a random number names each game. */
export interface Game extends Moves {
  by: string
}

export interface Duel extends Match {
  when: number
  by: string // identifies the visitor's game
  mine: Moves | null
  others: Game[]
  outcome: Outcome | null // the outcome at the time when the duel was last opened
}

type Outcome = 'won' | 'lost' | 'draw'

export const prefix = 'duel '
const largestGoal = 2 ** 17

export const goalName = (goal: number) =>
  goal === 0 ? t('best score') : t('first to {tile}', { tile: String(goal) })

export const idOf = (m: Match) => `${m.goal}/${m.size}/${m.seed}`
const isGoal = (n: number) => n === 0 || (Number.isInteger(Math.log2(n)) && n >= 4 && n <= largestGoal)
const isPlayer = (v: unknown) => typeof v === 'string' && /^[0-9a-f]{8}$/.test(v)
const isMoves = (v: unknown) => isObject(v) && typeof v.moves === 'string' && Number.isSafeInteger(v.count)
const isGame = (v: unknown) => isMoves(v) && isPlayer((v as unknown as Game).by)
const isDuel = (v: unknown): v is Duel =>
  has(v, { size: 'string', goal: 'number', when: 'time' }) &&
  Number.isSafeInteger(v.seed) &&
  isGoal(Number(v.goal)) &&
  isPlayer(v.by) &&
  (v.mine === null || isMoves(v.mine)) &&
  Array.isArray(v.others) &&
  v.others.every(isGame) &&
  (v.outcome === null || ['won', 'lost', 'draw'].includes(String(v.outcome)))

/** gameOf returns a game of a duel in the form that Play stores. */
export const gameOf = (m: Match, moves: Moves | null): Kept => ({
  ...fresh(m.size, 'random', m.seed),
  ...(moves ?? {}),
  keep: true,
  duel: m.goal,
})

const goesOn = (m: Match, a: Moves, b: Moves) => begins(gameOf(m, a), gameOf(m, b))

/** longer returns the longer of two games if it continues the other one, else the first one. */
const longer = (m: Match, a: Moves | null, b: Moves | null) => (!a || (b && goesOn(m, b, a)) ? b : a)

/** ownOf returns a list with the visitor's game, or an empty list before the first move. */
export const ownOf = (d: Duel): Game[] => (d.mine ? [{ ...d.mine, by: d.by }] : [])

/** merge returns a duel with the games of two versions of it. */
function merge(d: Duel, other: Duel): Duel {
  const others = new Map<string, Game>()
  for (const g of [...d.others, ...other.others]) {
    if (g.count === 0 || g.by === d.by || g.by === other.by) continue
    others.set(g.by, { ...g, ...longer(d, others.get(g.by) ?? null, g) })
  }
  return { ...d, mine: longer(d, d.mine, other.mine), others: [...others.values()] }
}

function parse(text: string | undefined): Duel | null {
  const v = parsed(text)
  return isDuel(v) ? v : null
}

/** joined returns the stored form of a duel after merging it with that of a backup; undefined if that is damaged. */
export function joined(here: string | undefined, file: string): string | undefined {
  const [a, b] = [parse(here), parse(file)]
  return b ? JSON.stringify(a ? merge(a, b) : b) : undefined
}

/** known returns a duel with the moves that Play has made since it was stored. */
function known(d: Duel): Duel {
  const played = unfinished(placeOf(gameOf(d, null)))
  return played?.count
    ? merge(d, { ...d, mine: { moves: played.moves, count: played.count }, others: [] })
    : d
}

/** begun returns a new duel of the visitor. */
export const begun = (m: Match): Duel =>
  known({
    ...m,
    when: Date.now(),
    by: newSeed().toString(16).padStart(8, '0'),
    mine: null,
    others: [],
    outcome: null,
  })

/** duels returns the stored duels, the newest first. */
export async function duels(): Promise<Duel[]> {
  return (await loadValues(prefix))
    .flatMap(([, text]) => parse(text) ?? [])
    .map(known)
    .sort((a, b) => b.when - a.when)
}

export async function kept(m: Match): Promise<Duel | null> {
  const key = prefix + idOf(m)
  const d = parse((await loadValues(key)).find(([k]) => k === key)?.[1])
  return d && known(d)
}

export const keptOrBegun = async (m: Match) => (await kept(m)) ?? begun(m)

/** keep stores a duel, merged with its stored form, and returns it. */
export async function keep(d: Duel): Promise<Duel> {
  let now = d
  await changeValues([prefix + idOf(d)], (_, old) => {
    const here = parse(old)
    now = here ? { ...merge(here, d), outcome: d.outcome } : d
    return JSON.stringify(now)
  })
  return now
}

export async function forget(d: Duel) {
  drop(d)
  await deleteValue(prefix + idOf(d))
}

export const drop = (m: Match) => dropGame(placeOf(gameOf(m, null)))

/** playedOf returns the visitor's game of a duel: the unfinished one, or else the one stored in the duel. */
export const playedOf = (d: Duel): Kept => unfinished(placeOf(gameOf(d, null))) ?? gameOf(d, d.mine)

/** addressOf returns the part of a link with a duel and up to two games. Each game has the form that it has in a
    link to a game, followed by its player. */
export function addressOf(m: Match, games: readonly Game[]): string {
  const all = games.length > 0 ? games : [{ moves: '', count: 0, by: '00000000' }]
  const text = [m.goal, ...all.map((g) => hashOf(gameOf(m, g), g.count).replace(/[^/]*$/, g.by))].join('/')
  return `${text}/${crc32(text)}`
}

/** matchOf returns the match with a goal, size and seed, or throws an error that says which of them is wrong. */
export function matchOf(goal = '', size = '', seed = ''): Match {
  if (!/^\d+$/.test(goal) || !isGoal(Number(goal)))
    throw new Error(
      t('its goal is “{goal}”; it must be 0, or a tile from 4 to {largest}', {
        goal,
        largest: String(largestGoal),
      }),
    )
  if (!/^[2-6]x[2-6]$/.test(size)) throw new Error(t('its size is “{size}”; it must be 2x2 to 6x6', { size }))
  if (!/^\d+$/.test(seed) || !Number.isSafeInteger(Number(seed)))
    throw new Error(t('its seed is “{seed}”; it must be a whole number', { seed }))
  return { goal: Number(goal), size, seed: Number(seed) }
}

/** readAddress is the inverse of addressOf. It throws an error that says what is wrong with a link; the moves
    are not replayed yet. */
export function readAddress(parts: readonly string[]): { match: Match; games: Game[] } {
  const perGame = 5 // number of parts of the address for each game
  const count = (parts.length - 2) / perGame
  if (count !== 1 && count !== 2) throw new Error(t('its end is missing, or something was added'))
  const match = matchOf(parts[0], parts[1], parts[2])
  const games = Array.from({ length: count }, (_, i): Game => {
    const [size = '', seed = '', n = '', moves = '', by = ''] = parts.slice(1 + perGame * i)
    const kept = fromHash([size, seed, n, moves, n])?.kept
    if (size !== parts[1] || seed !== parts[2]) throw new Error(t('its two games are on different boards'))
    if (!kept || !isPlayer(by)) throw new Error(t('the moves of game {n} are damaged', { n: i + 1 }))
    return { moves: kept.moves, count: kept.count, by }
  })
  const [sum, right] = [parts.at(-1) ?? '', crc32(parts.slice(0, -1).join('/'))]
  if (sum !== right)
    throw new Error(
      t('it was changed: its checksum is “{sum}”, but its contents have the checksum “{right}”', {
        sum,
        right,
      }),
    )
  return { match, games: games.filter((g) => g.count > 0) }
}

/** Result is the result of replaying a game. */
export type Result = ReturnType<typeof replayed>

/** replayed plays the moves of game n of a link again. It throws an error that names the first wrong move. */
export function replayed(m: Match, moves: Moves, n = 1) {
  const positions = [begin(m.size, seeded(m.seed), p4)] // the positions before each move, and at the end
  const steps: Step[] = []
  let last = positions[0] as Position
  for (const number of unpack(moves.moves, moves.count)) {
    const move = dirs[number] ?? 'up'
    const made = playMove(last, move, p4)
    if (!made)
      throw new Error(
        t('game {n} breaks the rules: move {move} ({direction}) moves no tile', {
          n,
          move: positions.length,
          direction: dirNames[move],
        }),
      )
    last = made.position
    positions.push(last)
    steps.push(made.step)
  }
  const reached = m.goal > 0 ? positions.findIndex((p) => largest(p.board) >= m.goal) : -1
  return {
    ...moves,
    positions,
    steps,
    score: last.score,
    largest: largest(last.board),
    over: over(last.board),
    reached: reached < 0 ? null : reached, // moves until the goal was reached; null: not reached, or no goal
  }
}

/** finished reports whether further moves cannot change the result of a game. */
export const finished = (r: Result) => r.over || r.reached !== null

/** compare is negative if the first game is better. With a goal, the fewest moves to the goal win. Without a
    goal, or with equally many moves, the higher score (when the goal was reached) wins. */
export function compare(a: Result, b: Result): number {
  const [x, y] = [a.reached ?? Infinity, b.reached ?? Infinity]
  const score = (r: Result) => r.positions[r.reached ?? r.count]?.score ?? 0
  return x === y ? score(b) - score(a) : x - y
}

/** Player is a player of a duel, with the result of the game. */
export interface Player extends Game, Result {
  name: string
  own: boolean
  record: string
}

/** linked reads and checks the contents of an address, or throws an error that says what is wrong. */
function linked(parts: string[]) {
  try {
    if (parts.length === 3) return { match: matchOf(parts[0], parts[1], parts[2]), games: [] }
    const found = readAddress(parts)
    for (const [i, g] of found.games.entries()) replayed(found.match, g, i + 1)
    return found
  } catch (e) {
    throw new Error(
      t('This link is not a valid duel: {why}. Ask the sender for a new link.', { why: complaint(e) }),
    )
  }
}

/** opened merges the contents of an address with the stored duel, replays all games, and stores the outcome. */
export async function opened(parts: string[]): Promise<{ duel: Duel; players: Player[] }> {
  const { match, games } = linked(parts)
  const here = await kept(match)
  const known = here ?? begun(match)
  const stored = here !== null || known.mine !== null
  const duel = stored
    ? await keep({ ...known, others: [...known.others, ...games] })
    : { ...known, others: games }
  const all = [...ownOf(duel), ...duel.others]
  const players = all.map((g, i): Player => {
    const name = duel.mine ? nameOfFriend(i, duel.others.length) : nameOfPlayer(i + 1, all.length)
    const own = g.by === duel.by
    return { ...replayed(duel, g), by: g.by, own, name, record: recordOf(gameOf(duel, g)) }
  })
  const outcome = outcomeOf(players)
  if (players[0]?.own && finished(players[0])) drop(duel)
  if (stored && outcome !== duel.outcome) await keep({ ...duel, outcome })
  return { duel: { ...duel, outcome }, players }
}

const nameOfPlayer = (n: number, all: number) => (all > 1 ? t('Player {n}', { n }) : t('Your friend'))

const nameOfFriend = (n: number, all: number) =>
  n === 0 ? t('You') : all > 1 ? t('Friend {n}', { n }) : t('Your friend')

/** outcomeOf returns the outcome of a duel for the visitor; null while a player is still playing, or if the
    visitor has not played. */
function outcomeOf(players: Player[]): Outcome | null {
  const own = players.find((p) => p.own)
  const [best] = players.filter((p) => !p.own).sort(compare)
  if (!own || !best || !players.every(finished)) return null
  const c = compare(own, best)
  return c < 0 ? 'won' : c > 0 ? 'lost' : 'draw'
}
