// Backups: all that this page stores, in one file, to keep or to move to another browser.
import { canonical, crc32 } from '../base/boards'
import { changeValues, loadValues } from '../base/database'
import { isObject, load, parsed, save } from '../base/store'
import { t } from '../base/text'
import { drills, drillsOf, maxDrills, write } from './drills'
import { prefix as duelPrefix, joined } from './duels'
import { apart } from './kept'
import { joinLearned, learnedOf } from './learned'
import type { PlayedGame, Slot } from './played'
import { begins, games, gamesOf, parse, played, prefix, slots, slotsOf } from './played'
import { daysOf, joinDays } from './today'
import { isImported, prefix as trainingPrefix } from './trainings'

type Texts = Record<string, string>

export interface Backup {
  afterstate_backup: 1
  written: string // a date
  crc32: string // of data as JSON
  data: { local: Texts; values: Texts } // the stored texts by key, of local storage and of the database
}

const local = 'afterstate.'

/** backup returns the text of a backup. */
export async function backup(): Promise<string> {
  const values = new Map(await loadValues(''))
  for (const g of await played()) values.set(prefix + g.uid, JSON.stringify(g)) // also games not in the database yet
  const data = {
    local: Object.fromEntries(
      Object.entries<string>(localStorage)
        .filter(([k]) => k.startsWith(local))
        .sort(),
    ),
    values: Object.fromEntries(values),
  }
  return JSON.stringify({
    afterstate_backup: 1,
    written: new Date().toISOString(),
    crc32: crc32(JSON.stringify(data)),
    data,
  } satisfies Backup)
}

const isTexts = (v: unknown) => isObject(v) && Object.values(v).every((x) => typeof x === 'string')

/** readBackup returns the contents of a backup file, or throws an error that says why the file is not a backup. */
export function readBackup(text: string): Backup {
  const v = parsed(text)
  if (v === undefined) throw new Error(t('This file is not a backup, or its end is missing.'))
  if (!isObject(v) || !('afterstate_backup' in v)) throw new Error(t('This is not a backup of this page.'))
  const { afterstate_backup: version, data } = v
  if (version !== 1)
    throw new Error(
      t('This backup has version {version}; only version 1 can be read.', { version: String(version) }),
    )
  if (
    !isObject(data) ||
    !isTexts(data.local) ||
    !isTexts(data.values) ||
    Number.isNaN(Date.parse(String(v.written))) ||
    v.crc32 !== crc32(JSON.stringify(data))
  )
    throw new Error(t('This backup is damaged: its checksum differs.'))
  return v as unknown as Backup
}

/** some returns a list with a text about n things, or an empty list if n is 0. */
const some = (n: number, says: (holes: { n: number }) => string) => (n === 0 ? [] : [says({ n })])

/** contents describes the contents of a backup in a few words. */
export function contents({ data }: Backup): string {
  const count = (start: string) => Object.keys(data.values).filter((k) => k.startsWith(start)).length
  const all = [
    some(count(prefix), (n) => t('{n} {n|game|games}', n)),
    some(drillsOf(parsed(data.local[`${local}drills`])).length, (n) => t('{n} {n|drill|drills}', n)),
    some(count(duelPrefix), (n) => t('{n} {n|duel|duels}', n)),
    some(count('experiment '), (n) => t('{n} {n|experiment|experiments}', n)),
    some(count(trainingPrefix), (n) => t('{n} training {n|run|runs}', n)),
  ]
  return all.flat().join(', ') || t('settings')
}

/** restore adds the contents of a backup, and returns a description of what it did. Existing data stays: a game
    changes only if the file has it with more moves, and an existing experiment keeps its games. If settings is
    true, the file's settings replace the present ones. Damaged parts are left out and listed. */
export async function restore({ data }: Backup, settings: boolean): Promise<string[]> {
  const sound = Object.entries(data.values).filter(([k, text]) => isSound(k, text))
  const damaged = Object.keys(data.values).filter((k) => !sound.some(([x]) => x === k))
  damaged.push(...damagedLocal(data.local))
  const names = damaged.length > 10 ? [...damaged.slice(0, 10), '…'] : damaged
  return [
    ...(await restoreValues(Object.fromEntries(sound))),
    ...restoreLocal(data.local, settings),
    ...some(damaged.length, () => t('Damaged and left out: {names}.', { names: names.join(', ') })),
  ]
}

/** damagedLocal lists the damaged unfinished games, saved games, days and drills, which their readers leave out. */
function damagedLocal(texts: Texts): string[] {
  const ofFile = (key: string) => parsed(texts[local + key])
  const drillFile = ofFile('drills')
  const leftOut = (name: string, all: unknown, read: (one: object) => object) =>
    Object.entries(all ?? {}).flatMap(([key, value]) => {
      const one = Array.isArray(all) ? [value] : { [key]: value }
      return Object.keys(read(one)).length > 0
        ? []
        : [`${name} ${Array.isArray(all) ? Number(key) + 1 : key}`]
    })
  return [
    ...leftOut(t('unfinished game'), ofFile('games'), gamesOf),
    ...leftOut(t('saved game'), ofFile('slots'), slotsOf),
    ...leftOut(t('day'), ofFile('days'), daysOf),
    ...leftOut(t('drill'), isObject(drillFile) ? drillFile.drills : [], (one) => drillsOf({ drills: one })),
  ]
}

/** isSound reports whether a value of the database is valid for its key. */
function isSound(key: string, text: string): boolean {
  if (key.startsWith(prefix)) return prefix + parse(text)?.uid === key
  if (key.startsWith(duelPrefix)) return joined(undefined, text) !== undefined
  return key.startsWith(trainingPrefix) ? isImported(parsed(text)) : isObject(parsed(text))
}

/** fork returns an ID for a game of the file whose moves differ from those of the stored game with its ID. */
const fork = (g: PlayedGame) => `${g.uid}-${crc32(g.moves)}`

async function restoreValues(values: Texts): Promise<string[]> {
  const keys = Object.keys(values).sort() // puts experiments before their games
  const found = keys.flatMap((k) => (k.startsWith(prefix) ? (parse(values[k]) ?? []) : []))
  const games = new Map(found.flatMap((g) => [g, { ...g, uid: fork(g) }]).map((g) => [prefix + g.uid, g]))
  const forked = new Set<string>() // keys of forks to add
  const taken: string[] = [] // experiments not added, because other experiments here have their names
  const known = new Set((await loadValues(prefix)).map(([k]) => k))
  const mergeGame = (key: string, g: PlayedGame, old: string | undefined) => {
    if (!(key in values) && !forked.has(key)) return undefined
    const here = parse(old)
    if (!here) return JSON.stringify(g)
    if (begins(here, g))
      return begins(g, here) && !here.review ? JSON.stringify({ ...here, review: g.review }) : undefined
    if (begins(g, here)) return JSON.stringify(g)
    forked.add(prefix + fork(g))
    return undefined
  }
  const mergeOther = (key: string, old: string | undefined) => {
    if (key.startsWith(duelPrefix)) return joined(old, values[key] ?? '')
    const experiment = key.replace(/^games (.*) \d+ \d+$/, 'experiment $1')
    if (old === undefined) return taken.includes(experiment) ? undefined : values[key]
    if (old !== values[key] && experiment === key) taken.push(key)
    return undefined
  }
  const others = keys.filter((k) => !k.startsWith(prefix))
  const stored = await changeValues([...games.keys(), ...others], (key, old) => {
    const g = games.get(key)
    return g ? mergeGame(key, g, old) : mergeOther(key, old)
  })
  const changed = stored.filter((k) => games.has(k))
  const longer = changed.filter((k) => known.has(k)).length
  const duels = stored.filter((k) => k.startsWith(duelPrefix)).length
  const runs = stored.filter((k) => /^(experiment|training) /.test(k)).length
  const ofGames = [
    t('{n} {n|game|games} added', { n: changed.length - longer }),
    ...some(found.length - changed.length, (n) => t('{n} already here', n)),
    ...some(longer, (n) => t('{n} completed', n)),
  ]
  return [
    ...some(found.length, () => `${ofGames.join(', ')}.`),
    ...some(duels, (n) => t('{n} {n|duel|duels} added or completed.', n)),
    ...some(runs, (n) => t('{n} {n|experiment or training run|experiments or training runs} added.', n)),
    ...some(taken.length, () =>
      t('Not added, because their names are taken: {names}.', { names: taken.join(', ') }),
    ),
  ]
}

/** A Join merges the value of a key in a file with the stored one; ofFile returns the file's value of another key. */
type Join = (file: unknown, ofFile: (key: string) => unknown) => { stored: boolean; says?: string[] }

/** joins holds a Join for each key of local storage that is merged; other keys are settings. */
const joins: Record<string, Join> = {
  // nothing to do: a backup also contains these games among the values of the database
  waiting: () => ({ stored: true }),
  games: joinGames,
  slots: (file) => joinSlots(slotsOf(file)),
  drills: joinDrills,
  best: (file, ofFile) => {
    const best = load<Record<string, number>>('best', {}, isObject)
    const helped = load<Record<string, unknown>>('helped', {}, isObject)
    const marks = ofFile('helped')
    for (const [k, n] of Object.entries(file ?? {}))
      if (Number.isFinite(n) && !((best[k] ?? 0) >= n)) {
        best[k] = n
        helped[k] = Number(isObject(marks) ? marks[k] : 0) || -1
      }
    return { stored: save('best', best) && save('helped', helped) }
  },
  helped: () => ({ stored: true }), // restored with best
  learned: (file) => ({ stored: joinLearned(learnedOf(file)) }),
  days: (file) => ({ stored: joinDays(daysOf(file)) }),
}

function restoreLocal(texts: Texts, settings: boolean): string[] {
  const ofFile = (key: string) => parsed(texts[local + key])
  const done = Object.keys(texts).map((k): ReturnType<Join> => {
    const key = k.slice(local.length)
    const value = ofFile(key)
    const join = joins[key]
    if (!k.startsWith(local) || value === undefined) return { stored: true }
    if (join) return join(value, ofFile)
    const kept = localStorage.getItem(k) !== null && (!settings || key.startsWith('aside.'))
    return { stored: kept || save(key, value) }
  })
  return [
    ...done.flatMap((d) => d.says ?? []),
    ...some(done.filter((d) => !d.stored).length, () =>
      t(
        'This browser has no room for all saved games, drills and settings of the backup: some were not restored. What was here before is unchanged.',
      ),
    ),
  ]
}

/** joinGames adds the unfinished games. If a different game is in progress here in the same place, the file's
    game becomes a saved game. */
function joinGames(file: unknown) {
  const here = games()
  const others: Slot[] = []
  for (const [place, g] of Object.entries(gamesOf(file))) {
    const mine = here[place]
    if (!mine || (mine.count === 0 && mine.start === undefined) || begins(g, mine)) here[place] = g
    else if (!apart(g) && !begins(mine, g)) others.push({ ...g, id: g.when })
  }
  const stored = save('games', here)
  const { says, ...slots } = joinSlots(others)
  return { stored: stored && slots.stored, says }
}

/** joinSlots adds saved games, the newest first. */
function joinSlots(file: Slot[]) {
  const here = slots()
  const added = file.filter((s) => !here.some((x) => x.id === s.id))
  const all = [...here, ...added].sort((a, b) => b.id - a.id)
  return {
    stored: added.length === 0 || save('slots', all),
    says: some(added.length, (n) => t('{n} saved {n|game|games} added to Play.', n)),
  }
}

function joinDrills(file: unknown) {
  const mine = drills()
  const all = new Map(mine.map((d) => [canonical(d.board), d]))
  for (const d of drillsOf(file)) {
    const known = all.get(canonical(d.board))
    const better = known ? known.due < d.due : all.size < maxDrills // existing drills are never dropped to make room
    if (better) all.set(canonical(d.board), d)
  }
  return {
    stored: write([...all.values()]),
    says: some(all.size - mine.length, (n) => t('{n} {n|drill|drills} added.', n)),
  }
}
