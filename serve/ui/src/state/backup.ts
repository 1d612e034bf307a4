// Backups: all that this page stores, in one file, to keep or to move to another browser.
import { crc32 } from '../base/crc32'
import { changeValues, loadValues } from '../base/database'
import { canonical } from '../base/format'
import { has, isObject, load, save } from '../base/store'
import { t } from '../base/text'
import { type Drill, drills, isDrill, maxDrills, write } from './drills'
import { prefix as duelPrefix, joined } from './duels'
import { apart, isKept, type Kept } from './kept'
import { isLearned, joinedLearned, learned, setLearned } from './learned'
import { begins, type PlayedGame, parse, played, prefix } from './played'
import { daysOf, joinDays } from './today'
import { isImported, prefix as trainingPrefix } from './trainings'

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

const drillsOf = (text: string | undefined): unknown[] => {
  const box = parsed(text)
  return isObject(box) && Array.isArray(box.drills) ? box.drills : []
}

/** contents says in a few words what a backup holds. */
export function contents({ data }: Backup): string {
  const count = (start: string) => Object.keys(data.values).filter((k) => k.startsWith(start)).length
  const some = (n: number, says: (holes: { n: number }) => string) => (n === 0 ? [] : says({ n }))
  const all = [
    some(count(prefix), (n) => t('{n} {n|game|games}', n)),
    some(drillsOf(data.local[`${local}drills`]).filter(isDrill).length, (n) => t('{n} {n|drill|drills}', n)),
    some(count(duelPrefix), (n) => t('{n} {n|duel|duels}', n)),
    some(count('experiment '), (n) => t('{n} {n|experiment|experiments}', n)),
    some(count('training '), (n) => t('{n} training {n|run|runs}', n)),
  ]
  return all.flat().join(', ') || t('settings')
}

/** restore adds what a backup holds, and returns what it did. What is here stays: a game changes only where the file
    has it with more moves. An experiment that is here keeps its games. With settings the file's take the place of those
    here. What is damaged is left out, and listed. */
export async function restore({ data }: Backup, settings: boolean): Promise<string[]> {
  const sound = Object.entries(data.values).filter(([k, text]) => isSound(k, text))
  const bad = Object.keys(data.values).filter((k) => !sound.some(([x]) => x === k))
  const done = await restoreValues(Object.fromEntries(sound))
  done.push(...restoreLocal(data.local, settings, bad))
  if (bad.length > 0)
    done.push(
      t('Left out, because it is damaged: {names}.', {
        names: bad.length > 10 ? [...bad.slice(0, 10), '…'].join(', ') : bad.join(', '),
      }),
    )
  return done
}

/** isSound reports whether a value of the database is what its key says. */
function isSound(key: string, text: string): boolean {
  if (key.startsWith(prefix)) return prefix + parse(text)?.uid === key
  if (key.startsWith(duelPrefix)) return joined(undefined, text) !== undefined
  const v = parsed(text)
  return key.startsWith(trainingPrefix) ? isImported(v) : isObject(v)
}

/** fork is the key of a game whose moves went another way here. */
const fork = (g: PlayedGame) => `${g.uid}-${crc32(g.moves)}`

async function restoreValues(values: Record<string, string>): Promise<string[]> {
  const games = new Map<string, PlayedGame>()
  for (const [k, text] of Object.entries(values)) {
    const g = k.startsWith(prefix) ? parse(text) : null
    if (!g) continue
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

/** restoreLocal adds to local storage. It adds the names of what is damaged to bad. */
function restoreLocal(texts: Record<string, string>, settings: boolean, bad: string[]): string[] {
  const done: string[] = []
  const file = (key: string) => parsed(texts[local + key])
  /** sound returns those of a list that are right. */
  const sound = <T>(name: string, all: unknown[], right: (v: unknown) => v is T): T[] =>
    all.filter((v, i): v is T => right(v) || !bad.push(`${name} ${i + 1}`))
  const slots = file('slots')
  const games = file('games')
  const stored = [
    restoreGames(
      Object.entries(isObject(games) ? games : {}).filter(
        (e): e is [string, Kept] => isKept(e[1]) || !bad.push(`${t('unfinished game')} ${e[0]}`),
      ),
      sound(t('saved game'), Array.isArray(slots) ? slots : [], isSlot),
      done,
    ),
    restoreDrills(sound(t('drill'), drillsOf(texts[`${local}drills`]), isDrill), done),
    restoreProgress(file),
  ]
  const merged = ['games', 'slots', 'drills', 'best', 'hard', 'learned', 'days', 'waiting'].map(
    (k) => local + k,
  )
  for (const k of Object.keys(texts)) {
    const key = k.slice(local.length)
    const known = localStorage.getItem(k) !== null
    if (!k.startsWith(local) || merged.includes(k) || (known && !(settings && !key.startsWith('aside.'))))
      continue
    const value = file(key)
    if (value === null) bad.push(key)
    else stored.push(save(key, value))
  }
  if (!stored.every(Boolean))
    done.push(
      t(
        'This browser has no room for all of the saved games, drills and settings. What was here is still here.',
      ),
    )
  return done
}

type Slot = Kept & { id: number }
const isSlot = (v: unknown): v is Slot => isKept(v) && has(v, { id: 'number' })

/** restoreGames adds the unfinished games, by their places, and the saved ones. It reports whether they are stored. */
function restoreGames(games: [string, Kept][], saved: Slot[], done: string[]): boolean {
  const slots = load<Slot[]>('slots', [], Array.isArray)
  const added = saved.filter((s) => !slots.some((x) => x.id === s.id))
  const here = load<Record<string, Kept>>('games', {}, isObject)
  for (const [k, g] of games) {
    const mine = here[k]
    if (!mine || (mine.count === 0 && mine.start === undefined) || begins(g, mine)) here[k] = g
    else if (!apart(g) && !begins(mine, g) && ![...slots, ...added].some((s) => s.id === g.when))
      added.push({ ...g, id: g.when })
  }
  const stored = save('games', here)
  if (added.length === 0) return stored
  done.push(t('{n} saved {n|game|games} added to Play.', { n: added.length }))
  return (
    save(
      'slots',
      [...slots, ...added].sort((a, b) => b.id - a.id),
    ) && stored
  ) // the newest first
}

function restoreDrills(more: Drill[], done: string[]): boolean {
  const mine = drills()
  const all = new Map(mine.map((d) => [canonical(d.board), d]))
  for (const d of more) {
    const known = all.get(canonical(d.board))
    if (known ? known.due < d.due : all.size < maxDrills) all.set(canonical(d.board), d) // none of those here makes room
  }
  if (all.size > mine.length) done.push(t('{n} {n|drill|drills} added.', { n: all.size - mine.length }))
  return all.size === 0 || write([...all.values()])
}

/** restoreProgress adds the best scores, the days, the hard boards that were tried, and the lessons. */
function restoreProgress(file: (key: string) => unknown): boolean {
  const best = load<Record<string, number>>('best', {}, isObject)
  for (const [k, n] of Object.entries(file('best') ?? {}))
    if (Number.isFinite(n) && !((best[k] ?? 0) >= n)) best[k] = n
  const stored = [save('best', best)]
  const hard = file('hard')
  if (isObject(hard) && isObject(hard.tried)) {
    const { tried } = load<{ tried: object }>('hard', { tried: {} }, isObject)
    stored.push(save('hard', { ...hard, tried: { ...hard.tried, ...tried } }))
  }
  stored.push(joinDays(daysOf(file('days'))))
  const learn = file('learned')
  if (isLearned(learn)) stored.push(setLearned(joinedLearned(learned(), learn)))
  return stored.every(Boolean)
}
