import { ago, brief } from '../../base/format'
import { go } from '../../base/route'
import { rich, t } from '../../base/text'
import { useAttempt } from '../../engine/attempt'
import { engine, link } from '../../engine/net'
import { usePoll } from '../../engine/poll'
import { Field } from '../../parts/fields'
import { Alert, Button, Card } from '../../parts/ui'
import { importRun, listRuns, removeRun, showRun } from '../../state/trainings'
import type { TrainingInfo, TrainingInterval } from '../../types'
import { Curves, states } from './runs'

const maxRuns = 8 // runs in one chart: more colours are hard to tell apart
/** The fragment names the runs that are shown: #training/first,second. */
export function TrainingView({ parts }: { parts: string[] }) {
  const list = usePoll('list', listRuns, 3000)
  const runs = list.result?.runs ?? []
  const named = (parts[0] ?? '').split(',').filter(Boolean)
  const found = named.flatMap((name) => runs.filter((r) => r.run === name)).slice(0, maxRuns)
  const chosen = found.length > 0 ? found : runs.slice(0, 1)
  const names = chosen.map((r) => r.run)
  const { result, trouble } = usePoll<Metrics>(names.join(','), (last) => newer(names, last), 2000)
  const shown = chosen.map((info) => ({ info, lines: result?.get(info.run)?.lines ?? [] }))
  const lost = list.result ? named.filter((name) => !runs.some((r) => r.run === name)) : []
  return (
    <div class="sides">
      <div class="stack">
        <Card title={t('Training runs')}>
          {runs.length === 0 ? (
            <p class="dim">
              {engine
                ? t('A browser trains no networks, but shows the curves of runs.')
                : list.result
                  ? t('There are none on this machine.')
                  : t('Looking…')}
            </p>
          ) : (
            <ul class="list choices">
              {runs.map((r) => (
                <Choice key={r.run} run={r} chosen={chosen} />
              ))}
            </ul>
          )}
          {runs.length > 1 && <p class="dim">{t('Tick several runs to compare them.')}</p>}
        </Card>
        {engine && <Import runs={chosen} onChange={list.now} />}
      </div>
      <div class="stack">
        <Alert text={trouble} />
        <Alert text={lost.length > 0 && t('No run is called {name}.', { name: lost.join(', ') })} />
        {!engine && list.result && runs.length === 0 && (
          <First startable={list.result.can_start} onStart={list.now} />
        )}
        {shown.length > 0 && <Curves runs={shown} />}
      </div>
    </div>
  )
}

/** First says how the first run is trained, and starts it where that is allowed. */
function First({ startable, onStart }: { startable: boolean; onStart: () => void }) {
  const { trouble, attempt } = useAttempt()
  const start = () => attempt(() => link.insist('training.start', {}).then(onStart), 'training.start: ')
  return (
    <Card title={t('Train your first network')}>
      <p>
        {t(
          'A network learns 2048 by playing, without examples. A small one plays 10,000 games in a minute or so; you see its scores rise, and can watch it play.',
        )}
      </p>
      {startable && <Button kind="main" icon="start" onClick={start} text={t('Start the training')} />}
      <p class="dim">
        {startable
          ? t('It takes half of this machine’s processors. In a terminal you choose everything else:')
          : t('Start it in a terminal on the machine of this page. Its curve appears here while it runs.')}
      </p>
      <p class="mono">afterstate train 2x4 --games 10000 --report-every 200 --name first</p>
      <Alert text={trouble} />
    </Card>
  )
}

/** Import adds runs from files, for a site that has no folder of them, and removes those that are shown. */
function Import({ runs, onChange }: { runs: TrainingInfo[]; onChange: () => void }) {
  const { trouble, attempt } = useAttempt()
  const add = (files: File[]) =>
    attempt(async () => {
      const names: string[] = []
      for (const file of files) names.push(await importRun(file))
      onChange()
      go(`training/${names.slice(0, maxRuns).join(',')}`)
    })
  const remove = () => attempt(() => Promise.all(runs.map((r) => removeRun(r.run))).then(onChange))
  return (
    <Card title={t('Import runs')}>
      <p class="dim">
        {rich('Train in a terminal with {train}, and open the {file} of the run’s folder here.', {
          train: <span class="mono">afterstate train</span>,
          file: <span class="mono">metrics.jsonl</span>,
        })}
      </p>
      <Field label={t('Metrics in files')}>
        <input
          type="file"
          multiple
          accept=".jsonl,.json"
          onChange={(e) => add([...(e.currentTarget.files ?? [])])}
        />
      </Field>
      <Alert text={trouble} />
      {runs.length > 0 && <Button onClick={remove} text={t('Remove what is shown')} />}
    </Card>
  )
}

function Choice({ run, chosen }: { run: TrainingInfo; chosen: TrainingInfo[] }) {
  const ticked = chosen.includes(run)
  const others = chosen.filter((r) => r !== run)
  const show = (all: TrainingInfo[]) => go(`training/${all.map((r) => r.run).join(',')}`)
  return (
    <li>
      <input
        type="checkbox"
        aria-label={t('Compare {name}', { name: run.run })}
        checked={ticked}
        disabled={ticked ? others.length === 0 : chosen.length >= maxRuns}
        onChange={() => show(ticked ? others : [...chosen, run])}
      />
      <button type="button" aria-current={ticked} onClick={() => show([run])}>
        <span>
          {run.run}
          <br />
          <span class="dim">
            {run.network && <span lang="en">{run.network} · </span>}
            {run.goal_games
              ? t('{n} of {all} games', { n: brief(run.games), all: brief(run.goal_games) })
              : t('{n} games', { n: brief(run.games) })}
          </span>
        </span>
        <span class={run.state === 'running' ? 'good' : 'dim'}>
          {states[run.state]}
          {run.state !== 'running' && <div>{ago(1000 * run.idle_s)}</div>}
        </span>
      </button>
    </li>
  )
}

/** Metrics are those of each run, by its name. */
type Metrics = Map<string, { lines: TrainingInterval[]; next: number }>

/** newer appends the new metrics of runs to those that are known. */
async function newer(runs: string[], last: Metrics | null): Promise<Metrics> {
  const all: Metrics = new Map()
  for (const run of runs) {
    const old = last?.get(run) ?? { lines: [], next: 0 }
    const { restarted, intervals, next } = await showRun(run, old.next)
    const known = restarted ? [] : old.lines
    all.set(run, { lines: intervals.length > 0 ? [...known, ...intervals] : known, next })
  }
  return all
}
