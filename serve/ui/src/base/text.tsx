// The page's own texts, and numbers, dates and names of moves in its language. English texts are in the code; they
// are the keys of texts.json, which contains the other languages. The language in use is loaded before the page is
// shown, so modules may call t at once.
import type { ComponentChildren } from 'preact'
import type { Board, Dir, MoveClass, MoveValue, Unit } from '../types'
import { load } from './store'

export const languages = { en: 'English', de: 'Deutsch', zh: '中文' }
export type Language = keyof typeof languages

const isLanguage = (v: unknown): v is Language => typeof v === 'string' && Object.hasOwn(languages, v)

/** chosenLanguage returns the visitor's choice; auto stands for the first of the browser's languages that the
    page has. */
export const chosenLanguage = (): Language | 'auto' => load<Language | 'auto'>('language', 'auto', isLanguage)

async function texts(of: Language): Promise<Record<string, string>> {
  return (await (of === 'de' ? import('texts:de') : import('texts:zh'))).default
}

const chosen = chosenLanguage()
const wanted =
  chosen === 'auto' ? (navigator.languages.map((l) => l.slice(0, 2)).find(isLanguage) ?? 'en') : chosen
const loaded = wanted === 'en' ? null : await texts(wanted).catch(() => null)

/** language is the language in use: English if another one could not be loaded. */
export const language: Language = loaded ? wanted : 'en'

/** locale is the language's name for Intl and for the document. */
export const locale = language === 'zh' ? 'zh-Hans' : language
document.documentElement.lang = locale

const grouped = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })

export const whole = (n: number) => grouped.format(n)

/** Values of the placeholders in a text: {name} becomes the value, {n|one game|# games} the form for the number
    n, with # replaced by n. */
type Values = Record<string, ComponentChildren>

function fill(hole: string, values: Values): ComponentChildren {
  const [name = '', ...forms] = hole.slice(1, -1).split('|')
  const v = values[name]
  const shown = typeof v === 'number' ? whole(v) : v
  return forms.length > 0 ? (v === 1 ? forms[0] : forms.at(-1))?.replace('#', String(shown)) : shown
}

/** written returns a text as texts.json has it; the names of players come from the engine. The part after @ distinguishes
    two meanings of the same English text. */
export const written = (english: string) => (loaded?.[english] ?? english).replace(/@\w+$/, '')

/** t returns a text, with its numbers formatted, in the language of the page. */
export const t = (english: string, values: Record<string, string | number> = {}) =>
  written(english).replace(/\{[^}]*\}/g, (hole) => String(fill(hole, values)))

/** rich does what t does, for placeholders that may be elements. Text between asterisks is bold. */
export const rich = (english: string, values: Values = {}): ComponentChildren =>
  pieces(written(english), values)

const pieces = (text: string, values: Values): ComponentChildren =>
  text
    .split(/(\{[^}]*\}|\*[^*]+\*)/)
    .map((p) =>
      p.startsWith('{') ? fill(p, values) : p.startsWith('*') ? <b>{pieces(p.slice(1, -1), values)}</b> : p,
    )

/** ofEngine returns a text of the engine in the language of the page. Its values are directions, numbers, shares, or
    texts. */
export const ofEngine = (english: string, values: Record<string, string>) =>
  pieces(written(english), Object.fromEntries(Object.entries(values).map(([k, v]) => [k, localized(v)])))

function localized(v: string): ComponentChildren {
  if (v in arrows) return <b>{`${arrows[v as Dir]} ${dirNames[v as Dir]}`}</b>
  const n = Number(v.replace(/ %$|,/g, ''))
  if (Number.isNaN(n)) return written(v)
  return v.endsWith('%') ? t('{x} %', { x: n.toLocaleString(locale) }) : v.includes(',') ? whole(n) : v
}

/** within returns the form of a text in the middle of a line: in English, it begins with a lower-case letter. */
export const within = (text: string) =>
  language === 'en' ? text.slice(0, 1).toLowerCase() + text.slice(1) : text

export function fixed(x: number, decimals: number) {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  formats[decimals] ??= new Intl.NumberFormat(locale, { ...digits, useGrouping: false })
  return formats[decimals].format(x)
}

const formats: Intl.NumberFormat[] = []

/** dateLocale is the locale for dates, in which days come before months. */
export const dateLocale = locale === 'en' ? 'en-GB' : locale

export const minute = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'long', timeStyle: 'short' })

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

/** ago formats how long ago something was, given in milliseconds. */
export function ago(ms: number): string {
  for (const [unit, name] of spans) if (ms >= unit) return relative.format(-Math.floor(ms / unit), name)
  return t('just now')
}

/** ahead formats how far in the future something is, given in milliseconds. */
export function ahead(ms: number): string {
  for (const [unit, name] of spans) if (ms >= 0.99 * unit) return relative.format(Math.round(ms / unit), name)
  return t('now')
}

/** lasting formats a duration, given in seconds. */
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

export const sizeText = (size: string) => size.replace('x', ' × ')

/** placeIn returns the row and the column of a cell, counted from 1. */
export const placeIn = (cell: number, cols: number) => ({
  row: Math.floor(cell / cols) + 1,
  column: (cell % cols) + 1,
})

/** spoken returns a board as text for screen readers. */
export const spoken = (b: Board) =>
  b
    .map((r, i) =>
      t('row {row}: {tiles}', { row: i + 1, tiles: r.map((tile) => tile || t('empty')).join(', ') }),
    )
    .join('; ')

/** shown returns a value for display: scores never decrease, so an estimate of less than 0 points is shown as 0. */
export const shown = (value: number, unit: Unit | null) => (unit === 'points' ? Math.max(0, value) : value)

/** given formats the share that a move gives away; empty if it is undefined. */
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

/** worth returns a short text about a move: its class and loss or, if there is no class, its value. */
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

/** moveLabel names the button of a move for screen readers, including what the move is worth. */
export const moveLabel = (d: Dir, best: boolean, worth: string) =>
  [
    t('Move {direction}', { direction: dirNames[d] }),
    ...(best && worth && worth !== classNames.best ? [classNames.best] : []),
    ...(worth ? [worth] : []),
  ].join(', ')
