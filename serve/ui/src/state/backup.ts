// Backups: all that this page stores, in one file, to keep or to move to another browser.
import { crc32 } from '../base/crc32'
import { changeValues, loadValues } from '../base/database'
import { canonical } from '../base/format'
import { isObject, load, save } from '../base/store'
import { t } from '../base/text'
import { type Drill, drills, isDrill, maxDrills, write } from './drills'
import { prefix as duelPrefix, joined } from './duels'
import { isKept, type Kept } from './kept'
import { isLearned, joinedLearned, learned, setLearned } from './learned'
import { begins, type PlayedGame, parse, played, prefix } from './played'

export interface Backup {
  afterstate_backup: 1
  written: string // a date
  crc32: string // of data as JSON
  data: { local: Record<string, string>; values: Record<string, string> } // of local storage and of the database
}

const local = 'afterstate.'

/** backup returns the text of a backup. */
export async function backup(): Promise<string> {
  const keys = Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i) ?? '')
    .filter((k) => k.startsWith(local))
    .sort()
  const values = new Map(await loadValues(''))
  for (const g of await played()) values.set(prefix + g.uid, JSON.stringify(g)) // those that wait too
  const data = {
    local: Object.fromEntries(keys.map((k) => [k, localStorage.getItem(k) ?? ''])),
    values: Object.fromEntries(values),
  }
  return JSON.stringify({
    afterstate_backup: 1,
    written: new Date().toISOString(),
    crc32: crc32(JSON.stringify(data)),
    data,
  } satisfies Backup)
}

const isTexts = (v: unknown): v is Record<string, string> =>
  isObject(v) && Object.values(v).every((x) => typeof x === 'string')

/** readBackup returns what a file holds, or throws an error that says why it is no backup. */
export function readBackup(text: string): Backup {
  let v: unknown
  try {
    v = JSON.parse(text)
  } catch {
    throw new Error(t('This file is no backup, or its end is missing.'))
  }
  if (!isObject(v) || !('afterstate_backup' in v)) throw new Error(t('This file is no backup of this page.'))
  if (v.afterstate_backup !== 1)
    throw new Error(
      t('This backup has version {version}: must be 1.', { version: String(v.afterstate_backup) }),
    )
  if (
    !isObject(v.data) ||
    !isTexts(v.data.local) ||
    !isTexts(v.data.values) ||
    v.crc32 !== crc32(JSON.stringify(v.data))
  )
    throw new Error(t('This backup is damaged: its checksum differs.'))
  return v as unknown as Backup
}

const parsed = (text: string | undefined): unknown => {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

const keptOf = (v: unknown): [string, Kept][] =>
  isObject(v) ? Object.entries(v).filter((e): e is [string, Kept] => isKept(e[1])) : []
const drillsOf = (text: string | undefined): Drill[] => {
  const box = parsed(text)
  return isObject(box) && Array.isArray(box.drills) ? box.drills.filter(isDrill) : []
}

/** contents says in a few words what a backup holds. */
export function contents({ data }: Backup): string {
  const count = (start: string) => Object.keys(data.values).filter((k) => k.startsWith(start)).length
  const some = (n: number, says: (holes: { n: number }) => string) => (n === 0 ? [] : says({ n }))
  const all = [
    some(count(prefix), (n) => t('{n} {n|game|games}', n)),
    some(drillsOf(data.local[`${local}drills`]).length, (n) => t('{n} {n|drill|drills}', n)),
    some(count(duelPrefix), (n) => t('{n} {n|duel|duels}', n)),
    some(count('experiment '), (n) => t('{n} {n|experiment|experiments}', n)),
    some(count('training '), (n) => t('{n} training {n|run|runs}', n)),
  ]
  return all.flat().join(', ') || t('settings')
}

/** restore adds what a backup holds, and returns what it did. What is here stays: a game changes only where the file
    has it with more moves. An experiment that is here keeps its games. With settings the file's take the place of those here. */
export async function restore({ data }: Backup, settings: boolean): Promise<string[]> {
  const done = await restoreValues(data.values)
  return [...done, ...restoreLocal(data.local, settings)]
}

/** fork is the key of a game whose moves went another way here. */
const fork = (g: PlayedGame) => `${g.uid}-${crc32(g.moves)}`

async function restoreValues(values: Record<string, string>): Promise<string[]> {
  const games = new Map<string, PlayedGame>()
  for (const [k, text] of Object.entries(values)) {
    const g = k.startsWith(prefix) ? parse(text) : null
    if (!g || k !== prefix + g.uid) continue
    games.set(k, g)
    games.set(prefix + fork(g), { ...g, uid: fork(g) })
  }
  const forked = new Set<string>() // keys of forks that are wanted
  const taken: string[] = [] // names of other things
  const known = new Set((await loadValues(prefix)).map(([k]) => k))
  const rest = Object.keys(values)
    .filter((k) => !k.startsWith(prefix))
    .sort() // experiments before their games
  const stored = await changeValues([...games.keys(), ...rest], (key, old) => {
    const g = games.get(key)
    if (key.startsWith(duelPrefix)) return joined(old, values[key] ?? '')
    if (!g) {
      const batch = /^games (.*) \d+ \d+$/.exec(key)?.[1]
      if (old === undefined)
        return batch !== undefined && taken.includes(`experiment ${batch}`) ? undefined : values[key]
      if (old !== values[key] && batch === undefined) taken.push(key)
      return undefined
    }
    if (!(key in values) && !forked.has(key)) return undefined
    const here = old === undefined ? null : parse(old)
    if (!here) return JSON.stringify(g)
    if (begins(here, g))
      return begins(g, here)
        ? JSON.stringify({ ...here, review: here.review?.deep ? here.review : (g.review ?? here.review) })
        : undefined
    if (begins(g, here)) return JSON.stringify(g)
    forked.add(prefix + fork(g))
    return undefined
  })
  const added = stored.filter((k) => games.has(k) && !known.has(k)).length
  const longer = stored.filter((k) => games.has(k) && known.has(k)).length
  const all = Object.keys(values).filter((k) => games.has(k)).length
  const others = stored.filter((k) => /^(experiment|training) /.test(k)).length
  const duels = stored.filter((k) => k.startsWith(duelPrefix)).length
  return [
    ...(all > 0
      ? [
          `${[
            t('{n} {n|game|games} added', { n: added }),
            ...(all > added + longer ? [t('{n} here already', { n: all - added - longer })] : []),
            ...(longer > 0 ? [t('{n} completed', { n: longer })] : []),
          ].join(', ')}.`,
        ]
      : []),
    ...(duels > 0 ? [t('{n} {n|duel|duels} added or completed.', { n: duels })] : []),
    ...(others > 0
      ? [t('{n} {n|experiment or training run|experiments or training runs} added.', { n: others })]
      : []),
    ...(taken.length > 0
      ? [t('Not added, because others here have their names: {names}.', { names: taken.join(', ') })]
      : []),
  ]
}

function restoreLocal(texts: Record<string, string>, settings: boolean): string[] {
  const done: string[] = []
  let full = false
  const put = (key: string, value: unknown) => (full = !save(key, value) || full)
  const file = (key: string) => parsed(texts[local + key])

  const slots = load<(Kept & { id: number })[]>('slots', [], Array.isArray)
  const saved =
    (file('slots') as typeof slots | null)?.filter?.((s) => isKept(s) && !slots.some((x) => x.id === s.id)) ??
    []
  const here = load<Record<string, Kept>>('games', {}, isObject)
  for (const [k, g] of keptOf(file('games'))) {
    const mine = here[k]
    if (!mine || (mine.count === 0 && mine.start === undefined) || begins(g, mine)) here[k] = g
    else if (!begins(mine, g) && ![...slots, ...saved].some((s) => s.id === g.when))
      saved.push({ ...g, id: g.when })
  }
  put('games', here)
  if (saved.length > 0) {
    put(
      'slots',
      [...slots, ...saved].sort((a, b) => b.id - a.id),
    ) // the newest first
    done.push(t('{n} saved {n|game|games} added to Play.', { n: saved.length }))
  }

  const mine = drills()
  const all = new Map(mine.map((d) => [canonical(d.board), d]))
  for (const d of drillsOf(texts[`${local}drills`])) {
    const known = all.get(canonical(d.board))
    if (known ? known.due < d.due : all.size < maxDrills) all.set(canonical(d.board), d) // none of those here makes room
  }
  if (all.size > mine.length) done.push(t('{n} {n|drill|drills} added.', { n: all.size - mine.length }))
  if (all.size > 0) full = !write([...all.values()]) || full

  const best = load<Record<string, number>>('best', {}, isObject)
  for (const [k, n] of Object.entries(file('best') ?? {}))
    if (typeof n === 'number' && !((best[k] ?? 0) >= n)) best[k] = n
  put('best', best)
  const hard = file('hard')
  if (isObject(hard) && isObject(hard.tried))
    put('hard', {
      ...hard,
      tried: { ...hard.tried, ...load<{ tried: object }>('hard', { tried: {} }, isObject).tried },
    })

  const learn = file('learned')
  if (isLearned(learn)) full = !setLearned(joinedLearned(learned(), learn)) || full

  const merged = ['games', 'slots', 'drills', 'best', 'hard', 'learned', 'waiting'].map((k) => local + k)
  for (const [k, text] of Object.entries(texts)) {
    const key = k.slice(local.length)
    if (
      !k.startsWith(local) ||
      merged.includes(k) ||
      (localStorage.getItem(k) !== null && !(settings && !key.startsWith('aside.')))
    )
      continue
    put(key, parsed(text))
  }
  if (full)
    done.push(
      t(
        'This browser has no room for all of the saved games, drills and settings. What was here is still here.',
      ),
    )
  return done
}
