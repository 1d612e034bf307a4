// The source of the runs in Training: the server or, on a static site, imported files.
import { deleteValue, loadValues, saveValue } from '../base/database'
import { has, isObject, parsed } from '../base/store'
import { t } from '../base/text'
import { engine, link } from '../engine/net'
import type { Training, TrainingInfo, TrainingInterval, TrainingList } from '../types'

interface Imported {
  name: string
  when: number
  lines: TrainingInterval[]
}

export const prefix = 'training '

/** isImported reports whether a value is the stored form of an imported run. */
export const isImported = (v: unknown): v is Imported =>
  has(v, { name: 'string', when: 'time' }) && Array.isArray(v.lines) && v.lines.every(isInterval)

async function imports(): Promise<Imported[]> {
  const all = (await loadValues(prefix)).map(([, text]) => parsed(text)).filter(isImported)
  return all.sort((a, b) => b.when - a.when)
}

const infoOf = (i: Imported): TrainingInfo => ({
  run: i.name,
  network: '',
  idle_s: (Date.now() - i.when) / 1000,
  state: 'finished',
  games: i.lines.at(-1)?.games ?? 0,
  goal_games: null,
  options: [],
})

/** listRuns returns the runs, the newest first. */
export const listRuns = async (): Promise<TrainingList> =>
  engine ? { runs: (await imports()).map(infoOf), can_start: false } : link.ask('training.list', {})

/** showRun returns the intervals of a run from an offset on. */
export async function showRun(run: string, from: number): Promise<Training> {
  if (!engine) return link.ask('training.show', { run, from })
  const found = (await imports()).find((i) => i.name === run)
  if (!found) throw new Error(t('no run is called {run}', { run }))
  return { intervals: found.lines.slice(from), next: found.lines.length }
}

export const removeRun = (run: string) => deleteValue(prefix + run)

/** importRun stores a run from its file metrics.jsonl, and returns the run's name. */
export async function importRun(file: File): Promise<string> {
  const lines = intervalsOf(await file.text())
  if (lines.length === 0)
    throw new Error(t('{file} has no intervals; choose metrics.jsonl of a run', { file: file.name }))
  const name = await nameFor(file.name.replace(/\.[a-z]+$/i, '').replace(/[,/]/g, '-') || 'run', lines)
  await saveValue(prefix + name, JSON.stringify({ name, when: Date.now(), lines } satisfies Imported))
  return name
}

/** nameFor returns a name that no other run has: files of different runs are all called metrics.jsonl. A
    run with the same first interval is the same run, and is replaced. */
async function nameFor(given: string, lines: TrainingInterval[]): Promise<string> {
  const have = await imports()
  const first = JSON.stringify(lines[0])
  for (let n = 1; ; n++) {
    const name = n === 1 ? given : `${given}-${n}`
    const other = have.find((i) => i.name === name)
    if (!other || JSON.stringify(other.lines[0]) === first) return name
  }
}

const isInterval = (v: unknown): v is TrainingInterval =>
  isObject(v) && typeof v.games === 'number' && v.games > 0 && isObject(v.reached)

const intervalsOf = (text: string) => text.split('\n').map(parsed).filter(isInterval)
