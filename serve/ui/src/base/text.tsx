// The page's own texts. English ones stand in the code, and are the keys of texts.json, which has the other languages. One of these is
// loaded before the page is shown: modules may call t at once.
import type { ComponentChildren } from 'preact'
import { load } from './store'

export const languages = { en: 'English', de: 'Deutsch', zh: '中文' }
export type Language = keyof typeof languages

const isLanguage = (v: unknown): v is Language => typeof v === 'string' && Object.hasOwn(languages, v)

/** chosenLanguage returns what the visitor has chosen; auto is the first language of the browser that the page has. */
export const chosenLanguage = (): Language | 'auto' => load<Language | 'auto'>('language', 'auto', isLanguage)

async function texts(of: Language): Promise<Record<string, string>> {
  return (await (of === 'de' ? import('texts:de') : import('texts:zh'))).default
}

const chosen = chosenLanguage()
const wanted =
  chosen === 'auto' ? (navigator.languages.map((l) => l.slice(0, 2)).find(isLanguage) ?? 'en') : chosen
const loaded = wanted === 'en' ? null : await texts(wanted).catch(() => null)

/** language is the one in use: English, if another one could not be loaded. */
export const language: Language = loaded ? wanted : 'en'

/** locale is its name for Intl and for the document. */
export const locale = language === 'zh' ? 'zh-Hans' : language
document.documentElement.lang = locale

const grouped = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })

export const whole = (n: number) => grouped.format(n)

/** Holes of a text: {name} is a value, and {n|one game|# games} what fits a number, which takes the place of #. */
type Values = Record<string, ComponentChildren>

function fill(hole: string, values: Values): ComponentChildren {
  const [name = '', ...forms] = hole.slice(1, -1).split('|')
  const v = values[name]
  const shown = typeof v === 'number' ? whole(v) : v
  return forms.length > 0 ? (v === 1 ? forms[0] : forms.at(-1))?.replace('#', String(shown)) : shown
}

/** What follows @ distinguishes two meanings of an English text. */
const written = (english: string) => (loaded?.[english] ?? english).replace(/@\w+$/, '')

/** t returns a text in the language of the page. Numbers are formatted in it. */
export const t = (english: string, values: Record<string, string | number> = {}) =>
  written(english).replace(/\{[^}]*\}/g, (hole) => String(fill(hole, values)))

/** rich returns a text whose holes may take elements; what is between stars is bold. */
export const rich = (english: string, values: Values = {}): ComponentChildren =>
  pieces(written(english), values)

const pieces = (text: string, values: Values): ComponentChildren =>
  text
    .split(/(\{[^}]*\}|\*[^*]+\*)/)
    .map((p) =>
      p.startsWith('{') ? fill(p, values) : p.startsWith('*') ? <b>{pieces(p.slice(1, -1), values)}</b> : p,
    )

/** within returns a text that begins a line as it stands within one: in English with a small letter. */
export const within = (text: string) =>
  language === 'en' ? text.slice(0, 1).toLowerCase() + text.slice(1) : text
