// Completion of a player's spec: names, keys of the player, and values of a key. It is in English, besides names in words.
import { written } from '../base/text'
import type { EvaluatorInfo, KeyInfo, PlayerInfo, Players } from '../types'

export interface Suggestion {
  insert: string
  from: number // the part of the text that insert replaces
  to: number
  title?: string // the suggestion in words
  label: string
  detail: string
  help: string
}

/** Known holds the players and evaluators that a spec can name, as returned by players.list. */
export type Known = Pick<Players, 'players' | 'evaluators'>

export interface Completion {
  items: Suggestion[]
  key: KeyInfo | null // the key whose value is being typed
  kind: 'Players' | 'Keys' | 'Values'
}

/** Call is a name with an open parenthesis before the caret: a player, or a nested evaluator. */
interface Call {
  name: string
  from: number // where the argument that contains the caret begins
}

/** openCalls returns the calls that enclose the caret. Quoted text is part of a value. */
function openCalls(text: string, caret: number): Call[] {
  const calls: Call[] = []
  let quoted = false
  for (let i = 0; i < caret; i++) {
    const c = text[i]
    if (c === '"') quoted = !quoted
    else if (quoted) continue
    else if (c === '(') calls.push({ name: /[\w-]*$/.exec(text.slice(0, i))?.[0] ?? '', from: i + 1 })
    else if (c === ')') calls.pop()
    else if (c === ',') calls.splice(-1, 1, ...calls.slice(-1).map((call) => ({ ...call, from: i + 1 })))
  }
  return calls
}

const nameOf = (text: string) => /^[\w-]*/.exec(text)?.[0] ?? ''

export const playerOf = (text: string, players: PlayerInfo[]) =>
  players.find((p) => p.name === text.trim()) ?? players.find((p) => p.name === nameOf(text.trim()))

/** inWords returns a player's name in words, in the language of the page, and the details. */
export function inWords({ summary }: PlayerInfo): [title: string, details: string] {
  const [title = '', ...details] = summary.split(': ')
  return [written(title.slice(0, 1).toUpperCase() + title.slice(1)), details.join(': ')]
}

/** closed returns a spec with the missing closing quotes and parentheses. */
export function closed(text: string): string {
  const all = text.trim().replace(/[,(]$/, '')
  const quotes = (all.match(/"/g)?.length ?? 0) % 2 ? '"' : ''
  return all + quotes + ')'.repeat(openCalls(all, all.length).length)
}

/** matching returns the items that begin with a word, then those that contain it. */
function matching<T>(all: T[], word: string, nameOf: (x: T) => string): T[] {
  const w = word.toLowerCase()
  const begins = all.filter((x) => nameOf(x).startsWith(w))
  return [...begins, ...all.filter((x) => !begins.includes(x) && nameOf(x).includes(w))]
}

export const detailOf = (k: KeyInfo) =>
  [k.range + (k.unit && !k.range.includes(k.unit) ? ` (${k.unit})` : ''), k.default && `default ${k.default}`]
    .filter(Boolean)
    .join('; ')

/** complete returns the completions at the caret. If whole is true, completions outside parentheses are all
    players, and they replace the whole text. */
export function complete(text: string, caret: number, known: Known, whole: boolean): Completion {
  const { players, evaluators } = known
  const calls = openCalls(text, caret)
  const call = calls.at(-1)
  if (!call) return names(text, caret, players, whole)
  const all = (calls.length === 1 ? players : evaluators).find((x) => x.name === call.name)?.keys ?? []
  const written = text.slice(call.from, caret)
  const equals = written.indexOf('=')
  if (equals < 0) return { items: keys(text, call.from, caret, all), key: null, kind: 'Keys' }
  const key = all.find((k) => k.name === written.slice(0, equals).trim()) ?? null
  return {
    items: key ? values(call.from + equals + 1, caret, text, key, evaluators) : [],
    key,
    kind: 'Values',
  }
}

function names(text: string, caret: number, players: PlayerInfo[], whole: boolean): Completion {
  const to = whole ? text.length : nameOf(text).length
  const word = whole ? '' : text.slice(0, caret)
  const found = caret > to && !whole ? [] : matching(players, word, (x) => x.name)
  const items: Suggestion[] = found.map((x) => {
    const [title, help] = inWords(x)
    return { insert: x.name, from: 0, to, title, label: x.name, detail: '', help }
  })
  const { name = '', keys = [] } = players.find((x) => x.name === text && !whole) ?? {}
  if (keys.length > 0) {
    const help = `set ${keys.map((k) => k.name).join(', ')}`
    items.unshift({ insert: `${name}(`, from: 0, to, label: `${name}(…)`, detail: '', help })
  }
  return { items, key: null, kind: 'Players' }
}

function keys(text: string, from: number, caret: number, all: KeyInfo[]): Suggestion[] {
  const start = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0)
  const rest = /^[\w-]*=?/.exec(text.slice(caret))?.[0].length ?? 0
  const others = text.slice(0, from) + text.slice(caret + rest)
  const free = all.filter((k) => !new RegExp(`[(,]\\s*${k.name}=`).test(others))
  return matching(free, text.slice(start, caret), (k) => k.name).map((k) => ({
    insert: `${k.name}=`,
    from: start,
    to: caret + rest,
    label: k.name,
    detail: detailOf(k),
    help: k.help,
  }))
}

function values(from: number, caret: number, text: string, key: KeyInfo, evaluators: EvaluatorInfo[]) {
  const word = text.slice(from, caret)
  const to = caret + (/^[^,()]*/.exec(text.slice(caret))?.[0].length ?? 0)
  // a default with spaces is a description, not a value
  const usual = key.default && !/\s/.test(key.default) ? [key.default] : []
  const all =
    key.name === 'eval'
      ? evaluators.map((e) => ({ name: e.name, suffix: e.keys.length > 0 ? '(' : '', help: e.formula }))
      : (key.values ?? usual).map((name) => ({ name, suffix: '', help: '' }))
  return matching(all, word, (v) => v.name)
    .filter((v) => v.name !== word)
    .map((v) => ({
      insert: v.name + v.suffix,
      from,
      to,
      label: v.name + (v.suffix && '(…)'),
      detail: v.name === key.default ? 'default' : '',
      help: v.help,
    }))
}
