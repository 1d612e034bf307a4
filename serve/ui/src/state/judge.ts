// The judge's opinion of the moves of recorded games. It is kept while the page is open, so a
// game that was left and opened again is not judged again.
import { classNames, share, t, whole } from '../base/text'
import { link, usePoll } from '../engine/net'
import type { GamePhase, MoveClass, MoveReview } from '../types'

export interface Judged {
  moves: MoveReview[] // in the order of the game
  second: number[] // moves that still get a second look
  seconds: number // initial length of second
  judge: string // a spec
  exact: boolean // all losses are exact
  end: number | null // the final score that a level expects after the last move; null: not known
  done: boolean
  chance: Chance
}

/** Chance is the chance of a casual player to survive some moves, from positions of a game. */
export interface Chance {
  horizon: number // number of moves to survive; 0: not known yet
  at: number[] // move numbers of the positions, ascending; 0: before the first move
  chances: number[] // the chances from the first positions in at
}

const positions = 120 // maximum number of positions whose chance is requested

function noChance(moves: number): Chance {
  const steps = Math.min(moves, positions)
  return {
    horizon: 0,
    at: Array.from({ length: steps + 1 }, (_, i) => Math.round((i * moves) / Math.max(1, steps))),
    chances: [],
  }
}

const complete = ({ at, chances }: Chance) => chances.length >= at.length

/** found returns how much of the data that turningPoint needs is known, from 0 to 1. */
export const found = (j: Judged | null, total: number): number =>
  j ? Math.min(progress(j, total), j.chance.chances.length / j.chance.at.length) : 0

const mostKept = 4 // maximum number of games whose values are kept

const kept = new Map<string, Judged>()

/** keep stores the values of a game and returns them. The view of a game and the judge in the background may
    judge the same game: keep stores the more complete values of the two. */
function keep(key: string, values: Judged): Judged {
  const known = kept.get(key)
  const ahead = known && (known.moves.length > values.moves.length || (known.done && !values.done))
  const j = ahead ? known : values
  kept.delete(key)
  kept.set(key, j)
  for (const oldest of kept.keys()) if (kept.size > mostKept) kept.delete(oldest)
  return j
}

/** By says who judges: a player, or a level. The empty level stands for the level of the game's score. */
export type By = { player: string } | { level: string }

const sum = (values: number[]) => values.reduce((all, x) => all + x, 0)

const keyOf = (record: string, by: By) => `${JSON.stringify(by)}\n${record}`

/** useJudged returns the values of a record's moves as they arrive: all moves first, then again
    those that need a second look. It waits while by is null. */
export function useJudged(record: string, by: By | null, total: number) {
  const key = by ? keyOf(record, by) : ''
  const polled = usePoll<Judged>(
    key,
    async (_, signal) => {
      const judged = await further(record, by ?? { level: '' }, total, kept.get(key), signal)
      const { chance } = judged
      if (complete(chance)) return judged
      // One request after the other: a record may be so large that two requests are too much for a connection.
      const at = chance.at.slice(chance.chances.length)
      const part = await link.ask('review.chance', { record, at }, signal)
      return keep(key, {
        ...judged,
        chance: { ...chance, horizon: part.horizon, chances: [...chance.chances, ...part.chances] },
      })
    },
    0,
    (j) => !j.done || !complete(j.chance),
  )
  return {
    judged: polled.result ?? kept.get(key) ?? null,
    trouble: polled.trouble.replace('review.values: ', ''),
    again: polled.now,
  }
}

/** judgedSoFar returns what is known about the moves of a record at a level. */
export const judgedSoFar = (record: string, level: string) => kept.get(keyOf(record, { level }))

/** further judges some more moves of a record, stores all known values and returns them. */
export async function further(
  record: string,
  by: By,
  total: number,
  known: Judged | undefined,
  signal: AbortSignal,
): Promise<Judged> {
  if (known?.done) return known
  const params = { record, ...('level' in by && by.level === '' ? {} : by) }
  const key = keyOf(record, by)
  if (!known || known.moves.length < total) {
    const from = known?.moves.length ?? 0
    const part = await link.ask('review.values', { ...params, from }, signal)
    const moves = [...(known?.moves ?? []), ...part.moves]
    const second = [...(known?.second ?? []), ...part.moves.filter((m) => m.unclear).map((m) => m.move)]
    return keep(key, {
      moves,
      second,
      judge: part.judge,
      seconds: second.length,
      exact: (part.exact ?? part.moves.length === 0) && (known?.exact ?? true),
      end: part.end ?? null,
      done: moves.length >= total && second.length === 0,
      chance: known?.chance ?? noChance(total),
    })
  }
  const deepen = known.second.slice(0, mostAtOnce)
  const part = await link.ask('review.values', { ...params, deepen }, signal)
  const moves = [...known.moves]
  for (const m of part.moves) moves[m.move] = m
  const second = known.second.slice(part.next)
  return keep(key, { ...known, moves, second, done: second.length === 0 || part.next === 0 })
}

const mostAtOnce = 2000 // maximum number of moves to deepen in one request, a limit of the server

/** judgedOnce is the progress at which all moves are judged; the rest are second looks. */
export const judgedOnce = 0.9

/** progress returns how much of a game is judged, from 0 to 1. */
export function progress(j: Judged | null, total: number): number {
  if (!j || j.done) return j ? 1 : 0
  return (
    judgedOnce * (j.moves.length / Math.max(1, total)) +
    (j.moves.length < total ? 0 : (1 - judgedOnce) * (1 - j.second.length / Math.max(1, j.seconds)))
  )
}

/** ClassInfo describes a class: its sign, as in chess where there is one, and its names. A bad move is shown
    with a better one. */
type ClassInfo = Record<'sign' | 'name' | 'many', string> & { bad: boolean }

export const classInfo: Record<MoveClass, ClassInfo> = {
  best: { sign: '★', name: t('Best@class'), many: t('Best moves'), bad: false },
  good: { sign: '✓', name: t('Good@class'), many: t('Good moves'), bad: false },
  undecided: { sign: '~', name: t('Not decided'), many: t('Not decided'), bad: false },
  inaccuracy: { sign: '?!', name: t('Inaccuracy'), many: t('Inaccuracies'), bad: true },
  mistake: { sign: '?', name: t('Mistake'), many: t('Mistakes'), bad: true },
  blunder: { sign: '??', name: t('Blunder'), many: t('Blunders'), bad: true },
  forced: { sign: '□', name: t('Only move'), many: t('Only moves'), bad: false },
}

export const classWord = (c: MoveClass) => `${classInfo[c].sign} ${classNames[c]}`

const span = (low: number, high: number) => t('{low} to {high}', { low: String(low), high: String(high) })

export const phaseNames: Record<GamePhase, string> = {
  to_512: t('Up to {tile}', { tile: '512' }),
  to_2048: span(512, 2048),
  to_8192: span(2048, 8192),
  to_16384: span(8192, 16384),
  to_32768: span(16384, 32768),
  beyond: t('Beyond {tile}', { tile: '32768' }),
}

/** isMistake reports whether a move is worth learning from. */
export const isMistake = (m: { class: MoveClass }) => m.class === 'mistake' || m.class === 'blunder'

/** faults returns the mistakes and blunders of a game in their order; without any, the inaccuracies. */
export function faults(moves: readonly MoveReview[]): MoveReview[] {
  const serious = moves.filter(isMistake)
  return serious.length > 0 ? serious : moves.filter((m) => m.class === 'inaccuracy')
}

// A drop is measured between chances that are this many positions apart: each chance comes from only 64 games, so
// the difference of two neighbours may be noise.
const stretch = 2

/** turningPoint returns the move that cost the game, null if no move was bad. It is the worst move in the
    largest drop of the chance to survive from which the game never recovered, or else the last bad move
    before the drop. */
export function turningPoint({ moves, chance: { at, chances } }: Judged): number | null {
  let [later, drop, to] = [0, 0, chances.length - 1]
  for (let i = chances.length - 1; i >= stretch; i--) {
    later = Math.max(later, chances[i] ?? 0)
    const lost = (chances[i - stretch] ?? 0) - later
    if (lost > drop) [drop, to] = [lost, i]
  }
  const before = faults(moves).filter((m) => m.move < (at[to] ?? moves.length))
  const atTheDrop = before.filter((m) => m.move >= (at[to - stretch] ?? 0))
  return (worst(atTheDrop, 1)[0] ?? before.at(-1) ?? faults(moves)[0])?.move ?? null
}

/** alive reports whether a game could still be saved at a move: a casual player survives at least a tenth of
    the games played on from there. */
export function alive({ at, chances }: Chance, move: number): boolean {
  const i = at.filter((n) => n <= move).length - 1
  return (chances[i] ?? 1) >= 0.1
}

/** worst returns the moves with the largest losses, those that lose at once first. */
export const worst = <M extends { lost: boolean; loss: number }>(moves: readonly M[], maximum: number) =>
  [...moves].sort((a, b) => Number(b.lost) - Number(a.lost) || b.loss - a.loss).slice(0, maximum)

/** accuracy returns the accuracy of moves, from 0 to 1: the harmonic mean, without forced ones; null if none is left. */
export function accuracy(moves: readonly MoveReview[]): number | null {
  const inverses = moves.flatMap((m) => (m.class === 'forced' ? [] : 1 / m.accuracy))
  return meanAccuracy(sum(inverses), inverses.length)
}

/** meanAccuracy returns the accuracy of n moves, given the sum of 1/accuracy; null if n is 0. */
export const meanAccuracy = (inverse: number, n: number) => (n > 0 ? Math.min(1, n / inverse) : null)

/** levelText returns the score of the level that judges, as in "3,000"; empty if the judge is not a level. */
export const levelText = (judge: string) => {
  const mean = /^level\(mean=(\d+)/.exec(judge)?.[1]
  return mean ? whole(Number(mean)) : ''
}

/** ReviewTally sums up judged moves: the number of moves that were not forced, their mean accuracy (0 to 1)
    and mean loss, null if there are none. */
export type ReviewTally = ReturnType<typeof tally>
export type PhaseReview = ReviewTally & { phase: GamePhase }

/** tally sums up judged moves. */
export function tally(moves: readonly MoveReview[]) {
  const classes = { best: 0, good: 0, undecided: 0, inaccuracy: 0, mistake: 0, blunder: 0, forced: 0 }
  for (const m of moves) classes[m.class]++
  const { forced, ...others } = classes
  const counted = moves.filter((m) => m.class !== 'forced')
  return {
    moves: counted.length,
    forced,
    accuracy: accuracy(moves),
    loss: counted.length > 0 ? sum(counted.map((m) => m.loss)) / counted.length : null,
    classes: others,
  }
}

/** lossText says what a move gave away: of the expected score, or of the chance to make a tile. */
export function lossText(loss: number, lost: boolean, goal?: number): string {
  if (lost) return t('loses the game at once')
  const x = 100 * loss
  if (x < 0.05) return t('gives away nothing')
  const part = share(loss, x < 10 ? 1 : 0).replace(' ', '\u00a0')
  return goal
    ? t('gives away {share} of the chance of a {tile}', { share: part, tile: String(goal) })
    : t('gives away {share} of the expected score', { share: part })
}
