// Formatting of numbers and boards, and encoding of moves.

import {
  type Board,
  classLimits,
  type Decision,
  type Dir,
  dirs,
  type MoveClass,
  type MoveValue,
  type Step,
  type Unit,
} from '../types'
import { locale, t, whole } from './text'

export { whole }

/** fixed formats a number with a number of decimals. */
export function fixed(x: number, decimals: number) {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  formats[decimals] ??= new Intl.NumberFormat(locale, { ...digits, useGrouping: false })
  return formats[decimals].format(x)
}
const formats: Intl.NumberFormat[] = []

/** dateLocale is that of dates: days come before months. */
export const dateLocale = locale === 'en' ? 'en-GB' : locale

/** minute formats a date with its time. */
export const minute = new Intl.DateTimeFormat(dateLocale, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** share formats a share in percent. */
export const share = (x: number, decimals = 0) => t('{x} %', { x: fixed(100 * x, decimals) })

/** brief formats a number in few characters: 12.3, 1,234, 56.7k, 1.2M. */
export function brief(x: number): string {
  if (x < 0) return `−${brief(-x)}`
  if (x >= 1e15) return x.toExponential(1).replace('e+', 'e')
  for (const [unit, name] of [
    [1e12, 'T'],
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const) {
    if (x >= (unit > 1e3 ? unit : 10 * unit)) return fixed(x / unit, x >= 100 * unit ? 0 : 1) + name
  }
  if (x >= 100 || Number.isInteger(x)) return whole(x)
  return x < 0.1 ? x.toLocaleString(locale, { maximumSignificantDigits: 2 }) : fixed(x, x < 10 ? 2 : 1)
}

export const percent = (x: number) =>
  x > 0 && x < 0.001 ? `<${share(0.001, 1)}` : share(x, x < 0.1 && x > 0 ? 1 : 0)

const spans: [number, 'day' | 'hour' | 'minute'][] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
]
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

/** ago formats a time that has passed, in milliseconds. */
export function ago(ms: number): string {
  for (const [unit, name] of spans) if (ms >= unit) return relative.format(-Math.floor(ms / unit), name)
  return t('just now')
}

/** ahead formats a time to come, in milliseconds. */
export function ahead(ms: number): string {
  for (const [unit, name] of spans) if (ms >= 0.99 * unit) return relative.format(Math.round(ms / unit), name)
  return t('now')
}

/** lasting formats a duration in seconds. */
export function lasting(s: number): string {
  const [ms, unit] = spans.find(([ms]) => 1000 * s >= ms) ?? [1000, 'second']
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' })
  return format.format(Math.floor((1000 * s) / ms))
}

/** clock formats milliseconds as on a stopwatch. */
export function clock(ms: number): string {
  const s = Math.floor(ms / 1000)
  const two = (n: number) => String(n).padStart(2, '0')
  const [h, m] = [Math.floor(s / 3600), Math.floor(s / 60) % 60]
  return h > 0 ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`
}

export const sizeOf = (b: Board) => `${b.length}x${b[0]?.length ?? 0}`
export const sizeText = (size: string) => size.replace('x', ' × ')
export const largest = (b: Board) => Math.max(...b.flat())
export const sum = (b: Board) => b.flat().reduce((all, t) => all + t, 0)
export const exponent = (tile: number) => (tile > 0 ? Math.round(Math.log2(tile)) : 0)
export const boardText = (b: Board) => b.map((r) => r.join(',')).join('/')
/** boardOf is the inverse of boardText. */
export const boardOf = (text: string): Board => text.split('/').map((r) => r.split(',').map(Number))

export const rotated = (b: Board): Board => (b[0] ?? []).map((_, j) => b.map((r) => r[j] ?? 0).reverse())
export const mirrored = (b: Board): Board => b.map((r) => [...r].reverse())

/** canonical returns one text for a board and all its mirrored and turned images, of the text of any. */
export function canonical(text: string): string {
  const images: string[] = []
  for (let [b, i] = [boardOf(text), 0]; i < 4; i++, b = rotated(b))
    images.push(boardText(b), boardText(mirrored(b)))
  return images.sort()[0] ?? text
}

/** placeIn returns the row and the column of a cell, counted from 1. */
export const placeIn = (cell: number, cols: number) => ({
  row: Math.floor(cell / cols) + 1,
  column: (cell % cols) + 1,
})

export const same = (a: Board, b: Board) => boardText(a) === boardText(b)

/** spoken returns a board as text for screen readers. */
export const spoken = (b: Board) =>
  b
    .map((r, i) =>
      t('row {row}: {tiles}', { row: i + 1, tiles: r.map((tile) => tile || t('empty')).join(', ') }),
    )
    .join('; ')

/** shown returns a value for display: scores never decrease, so an estimate of less than 0 points is shown as 0. */
export const shown = (value: number, unit: Unit | null) => (unit === 'points' ? Math.max(0, value) : value)

/** given formats the share that a move gives away; empty without one. */
export const given = (loss: number | undefined) =>
  !loss ? '' : loss < 0.001 ? `<${share(0.001, 1)}` : `−${share(loss, loss < 0.0995 ? 1 : 0)}`

export const dirNames: Record<Dir, string> = {
  up: t('up'),
  right: t('right'),
  down: t('down'),
  left: t('left'),
}

export const arrows: Record<Dir, string> = { up: '↑', right: '→', down: '↓', left: '←' }

export const classNames: Record<MoveClass, string> = {
  best: t('best'),
  good: t('good'),
  undecided: t('not decided'),
  inaccuracy: t('inaccuracy'),
  mistake: t('mistake'),
  blunder: t('blunder'),
  forced: t('only move'),
}

/** worth says in a few characters what a move is worth: its class and loss, or its value on a scale without them. */
export function worth(m: MoveValue, best: boolean, unit: Unit): string {
  if (!m.legal) return ''
  if (m.lost) return t('may end')
  if (m.class)
    return m.class === 'forced' ? classNames.forced : `${classNames[m.class]} ${given(m.loss_share)}`.trim()
  if (m.bound) return t('worse')
  if (m.value === null) return best ? classNames.best : ''
  if (best || m.loss === null) return brief(shown(m.value, unit))
  return m.loss === 0 ? t('equal') : `−${brief(m.loss).replace('−', '')}`
}

/** moveLabel names the button of a move for screen readers, with what it is worth. */
export const moveLabel = (d: Dir, best: boolean, worth: string) =>
  [
    t('Move {direction}', { direction: dirNames[d] }),
    ...(best && worth && worth !== classNames.best ? [classNames.best] : []),
    ...(worth ? [worth] : []),
  ].join(', ')

/** fractions returns the lengths of bars, which show losses: from those of a blunder on they are shortest. Of moves without losses only the
    best one has a bar. */
export const fractions = ({ moves, move }: Decision) =>
  Object.fromEntries(
    dirs.map((d) => {
      const { lost, loss_share: loss } = moves[d]
      if (loss === undefined) return [d, Number(d === move)]
      return [d, lost ? 0 : 1 - 0.88 * Math.min(1, loss / classLimits.mistake)]
    }),
  ) as Record<Dir, number>

/** pack encodes moves as in records, two bits each, in URL-safe base64. */
export function pack(moves: readonly number[]): string {
  const bytes = new Uint8Array(Math.ceil(moves.length / 4))
  moves.forEach((m, i) => {
    bytes[i >> 2] = (bytes[i >> 2] ?? 0) | (m << (2 * (i & 3)))
  })
  let text = ''
  for (const b of bytes) text += String.fromCharCode(b)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

export function unpack(text: string, count: number): number[] {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  if (bytes.length !== Math.ceil(count / 4)) throw new Error(t('moves are missing'))
  return Array.from({ length: count }, (_, i) => (bytes.charCodeAt(i >> 2) >> (2 * (i & 3))) & 3)
}

/** packTimes encodes milliseconds as in records, a varint each; -1 is a time that is not known. */
export function packTimes(times: readonly number[]): string {
  let text = ''
  for (const ms of times) {
    let n = ms + 1
    for (; n > 127; n >>= 7) text += String.fromCharCode((n & 127) | 128)
    text += String.fromCharCode(n)
  }
  return btoa(text)
}

export function unpackTimes(text: string): number[] {
  const times: number[] = []
  let [n, shift] = [0, 0]
  for (const c of atob(text)) {
    const byte = c.charCodeAt(0)
    n |= (byte & 127) << shift
    shift += 7
    if (byte > 127) continue
    times.push(n - 1)
    n = shift = 0
  }
  return times
}

export const seed = () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 1

/** blank is an empty board of a size such as 4x4. */
export function blank(size: string) {
  const [rows, cols] = size.split('x').map(Number)
  return Array.from({ length: rows ?? 4 }, () => Array<number>(cols ?? 4).fill(0))
}

/** A slide, and the tile that appeared after it unless it is still to come. */
export type Slid = Pick<Step, 'motions'> & Partial<Pick<Step, 'spawn'>>
