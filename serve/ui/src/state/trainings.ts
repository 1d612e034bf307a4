// Where Training's runs come from: the server, or on a static site files that were imported.
import { deleteValue, loadValues, saveValue } from '../base/database'
import { has, isObject } from '../base/store'
import { t } from '../base/text'
import { engine, link } from '../engine/net'
import type { Training, TrainingInfo, TrainingInterval, TrainingList } from '../types'

interface Imported {
  name: string
  when: number
  lines: TrainingInterval[]
}

export const prefix = 'training '

/** isImported reports whether a value is a run as it is stored. */
export const isImported = (v: unknown): v is Imported =>
  has(v, { name: 'string', when: 'time' }) && Array.isArray(v.lines) && v.lines.every(isInterval)

async function imports(): Promise<Imported[]> {
  const all = (await loadValues(prefix)).map(([, text]) => JSON.parse(text) as unknown).filter(isImported)
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

/** importRuns stores the runs of a file: metrics.jsonl of a run's folder, or what train export writes. It
    returns their names. */
export async function importRuns(file: File): Promise<string[]> {
  const text = await file.text()
  const base = file.name.replace(/\.[a-z]+$/i, '').replace(/[,/]/g, '-') || 'run'
  const found = text.trimStart().startsWith('{') ? new Map([[base, fromLines(text)]]) : fromCSV(text)
  const names: string[] = []
  for (const [given, lines] of found) {
    if (lines.length === 0) continue
    const name = await nameFor(given, lines)
    await saveValue(prefix + name, JSON.stringify({ name, when: Date.now(), lines } satisfies Imported))
    names.push(name)
  }
  if (names.length === 0)
    throw new Error(
      t('{file} has no intervals: must be metrics.jsonl of a run, or the CSV of afterstate train export', {
        file: file.name,
      }),
    )
  return names
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

function fromLines(text: string): TrainingInterval[] {
  return text.split('\n').flatMap((line) => {
    try {
      const v: unknown = JSON.parse(line)
      return isInterval(v) ? [v] : []
    } catch {
      return []
    }
  })
}

/** fromCSV returns the intervals of each run. A tile below those of a row was reached by all of its games. */
function fromCSV(text: string): Map<string, TrainingInterval[]> {
  const all = new Map<string, TrainingInterval[]>()
  const [head, ...rows] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(',').map((cell) => cell.replace(/^"|"$/g, '')))
  if (!head?.includes('run') || !head.includes('games')) return all
  for (const row of rows) {
    const cell = (name: string) => row[head.indexOf(name)] ?? ''
    const known = (name: string) => (cell(name) === '' ? null : Number(cell(name)))
    const reached: Record<string, number> = {}
    for (const name of head)
      if (name.startsWith('reached_') && cell(name) !== '')
        reached[name.slice('reached_'.length)] = Number(cell(name))
    const interval: TrainingInterval = {
      games: Number(cell('games')),
      moves: Number(cell('moves')),
      mean_score: known('mean_score'),
      reached,
      games_per_s: Number(cell('games_per_s')),
      moves_per_s: Number(cell('moves_per_s')),
      elapsed_s: Number(cell('elapsed_s')),
    }
    if (isInterval(interval)) all.set(cell('run'), [...(all.get(cell('run')) ?? []), interval])
  }
  return all
}
