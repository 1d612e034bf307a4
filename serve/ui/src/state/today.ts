// The board of the day, and what the visitor made of it on each day. A date is text such as 2026-11-30, in
// the visitor's time zone; arithmetic on dates is in UTC, where all days are equally long.
import { has, Listeners, listen, load, save, soundOf, useChanging } from '../base/store'
import { dateLocale, t, whole } from '../base/text'
import type { Match } from './duels'

const first = '2026-01-01' // the date of board 0
const length = 86_400_000 // milliseconds of a day
const utc = (date: string) => Date.parse(`${date}T00:00Z`)

/** dateOf returns the date of a time in the visitor's time zone. */
const dateOf = (now: Date) => now.toLocaleDateString('sv') // the Swedish locale writes dates as 2026-11-30

export const addDays = (date: string, days: number) =>
  new Date(utc(date) + days * length).toISOString().slice(0, 10)

/** isDate reports whether a text is a date that has a board. */
export const isDate = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && text >= first && !Number.isNaN(utc(text)) && addDays(text, 0) === text

/** numberOf returns the number of a date's board. */
export const numberOf = (date: string) => (utc(date) - utc(first)) / length

/** matchOf returns the board of a date as the match of a duel: the seed of 2026-11-30 is 20261130. */
export const matchOf = (date: string): Match => ({
  size: '4x4',
  goal: 0,
  seed: Number(date.replaceAll('-', '')),
})

/** dateOfMatch is the inverse of matchOf; empty for another duel. */
export function dateOfMatch({ size, goal, seed }: Match): string {
  const date = String(seed).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
  return size === '4x4' && goal === 0 && isDate(date) ? date : ''
}

const written = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'long', timeZone: 'UTC' })
export const dateText = (date: string) => written.format(utc(date))

/** Day is the result so far of the one counted game of a day. */
export interface Day {
  uid: string // of the game
  score: number
  largest: number
  moves: number
  over: boolean
}
export type Days = Record<string, Day>

const isDay = (v: unknown, date: string): v is Day =>
  isDate(date) &&
  has(v, { uid: 'string', score: 'number', largest: 'number', moves: 'number', over: 'boolean' })

/** daysOf returns the days of a stored value; damaged ones are left out. */
export const daysOf = (v: unknown): Days => soundOf(v, isDay)

/** days returns what is stored of all days. */
export const days = (): Days => daysOf(load<unknown>('days', {}))

const changed = new Listeners() // called for changes in another tab, too
listen('storage', () => changed.tell())

export const useDays = () => useChanging(days, changed.add)

/** useToday returns today's date. It changes when the page is looked at on another day. */
export const useToday = () =>
  useChanging(
    () => dateOf(new Date()),
    (f) => listen(['focus', 'visibilitychange'], f),
  )

/** count stores the result of the game of a date. Only the first game that was begun on that day counts. */
export function count(date: string, game: Day, now = new Date()) {
  const all = days()
  const known = all[date]
  if (game.moves === 0 || (known ? known.uid !== game.uid || known.over : date !== dateOf(now))) return
  save('days', { ...all, [date]: game })
  changed.tell()
}

/** joinDays merges the days of a backup, and reports whether there was room. Of two versions of a game, the
    longer one stays. */
export function joinDays(file: Days): boolean {
  const all = { ...file, ...days() }
  for (const [date, d] of Object.entries(file))
    if (all[date]?.uid === d.uid && all[date].moves < d.moves) all[date] = d
  const stored = save('days', all)
  changed.tell()
  return stored
}

/** streak returns the number of consecutive days with a game, up to a date, which need not be played yet. */
export function streak(all: Days, date: string): number {
  let n = 0
  for (let d = all[date] ? date : addDays(date, -1); all[d]; d = addDays(d, -1)) n++
  return n
}

/** place returns the rank of a date's score among the scores of all days that were played. */
export const place = (all: Days, date: string) =>
  1 + Object.values(all).filter((d) => d.score > (all[date]?.score ?? 0)).length

/** resultText returns a result to paste elsewhere: three lines, the last one a link. */
export function resultText(date: string, day: Day, link: string) {
  const figures = { score: whole(day.score), tile: String(day.largest), n: day.moves }
  return [
    t('Afterstate, board {n}, {date}', { n: String(numberOf(date)), date: dateText(date) }),
    day.over
      ? t('{score} points, largest tile {tile}, {n} moves', figures)
      : t('{score} points so far, largest tile {tile}, {n} moves', figures),
    link,
  ].join('\n')
}
