import { useState } from 'preact/hooks'
import { go } from '../../base/route'
import { ago, brief, fixed, rich, t, whole } from '../../base/text'
import { engine, link, useAttempt, usePoll } from '../../engine/net'
import { Chart, type Curve, colours } from '../../parts/chart'
import { Choices, Field, Select } from '../../parts/fields'
import { Alert, Button, Card, Figure, Table } from '../../parts/ui'
import { importRun, listRuns, removeRun, showRun } from '../../state/trainings'
import type { TrainingInfo, TrainingInterval } from '../../types'

const maxRuns = 8 // maximum number of runs in a chart: more colours are hard to tell apart
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
                ? t('A browser cannot train networks, but it can show the curves of runs.')
                : list.result
                  ? t('There are no training runs on this machine.')
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
          ? t(
              'The training uses half of this machine’s processor cores. For other options, start it in a terminal:',
            )
          : t(
              'Start the training in a terminal on the machine that serves this page. Its curve appears here while it runs.',
            )}
      </p>
      <p class="mono">afterstate train 2x4 --games 10000 --report-every 200 --name first</p>
      <Alert text={trouble} />
    </Card>
  )
}

/** Import adds runs from files, on a site without a folder of runs, and removes the shown runs. */
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
      <Field label={t('Metrics files')}>
        <input
          type="file"
          multiple
          accept=".jsonl,.json"
          onChange={(e) => add([...(e.currentTarget.files ?? [])])}
        />
      </Field>
      <Alert text={trouble} />
      {runs.length > 0 && <Button onClick={remove} text={t('Remove the runs shown')} />}
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

/** Metrics holds the metrics of each run, by its name. */
type Metrics = Map<string, { lines: TrainingInterval[]; next: number }>

/** newer requests the metrics since last, and returns all metrics of the runs. */
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

export const states: Record<TrainingInfo['state'], string> = {
  running: t('running'),
  finished: t('finished'),
  stopped: t('stopped'),
}

export interface Shown {
  info: TrainingInfo
  lines: TrainingInterval[]
}

const known = (lines: TrainingInterval[]) => lines.filter((l) => l.mean_score !== null)
const scoreText = (lines: TrainingInterval[]) => {
  const score = known(lines).at(-1)?.mean_score
  return score == null ? '–' : whole(score)
}

const option = (r: TrainingInfo, name: string) => r.options.find((o) => o.option === name)?.value

function WatchLink({ run, children }: { run: TrainingInfo; children: string }) {
  if (engine) return null // a static site has a run's metrics but not its network
  const spec = `ntuple(model=${run.run})`
  return (
    <a href={`#watch/settings/play/${encodeURIComponent(spec)}/${option(run, 'size') ?? '4x4'}`}>
      {children}
    </a>
  )
}

/** reached returns the share of an interval's games that reached a tile. Metrics leave out smaller tiles,
    which all games reached, and larger ones. */
function reached(l: TrainingInterval, tile: number): number {
  const named = Object.keys(l.reached).map(Number)
  return l.reached[tile] ?? (named.length > 0 && tile < Math.min(...named) ? 1 : 0)
}

const axes = [t('games'), t('minutes')] as const

/** Curves shows a run, or several ones side by side. */
export function Curves({ runs }: { runs: Shown[] }) {
  const [axis, setAxis] = useState(axes[0])
  const at = (l: TrainingInterval) => (axis === axes[0] ? l.games : l.elapsed_s / 60)
  const [single] = runs.length === 1 ? runs : []
  const last = single?.lines.at(-1)
  const now = runs.map((r) => `${r.info.run} ${scoreText(r.lines)}`)
  if (last) now.push(t('{n} games', { n: last.games }))
  return (
    <>
      <Card
        title={single?.info.run ?? t('Mean score')}
        side={<Choices label={t('Horizontal axis')} value={axis} of={axes} onChange={setAxis} />}
      >
        {single && <WatchLink run={single.info}>{t('Watch it play')}</WatchLink>}
        {single && !last && <p class="dim">{t('This run has no finished interval yet.')}</p>}
        {single && last && (
          <dl class="figures">
            <Figure main name={t('Mean score')} value={scoreText(single.lines)} />
            <Figure name={t('Games')} value={brief(last.games)} />
            <Figure name={t('Moves a second')} value={brief(last.moves_per_s)} />
            <Figure name={t('Hours')} value={fixed(last.elapsed_s / 3600, 1)} />
            <Figure name={t('State')} value={states[single.info.state]} />
          </dl>
        )}
        <Chart
          {...together(runs, at, (l) => l.mean_score)}
          xLabel={axis}
          zero
          joined
          height={270}
          label={t('Mean score of each interval by {axis}; now {scores}', {
            axis,
            scores: now.join(', '),
          })}
        />
        {!single && (
          <Table
            label={t('Run')}
            rows={runs}
            id={(r) => r.info.run}
            columns={[
              {
                name: t('Run'),
                cell: ({ info }, i) => [
                  <span class="swatch" style={{ background: `var(${colours[i] ?? '--dim'})` }} />,
                  info.run,
                ],
              },
              { name: t('Mean score'), number: (r) => scoreText(r.lines) },
              { name: t('Games'), number: (r) => whole(r.lines.at(-1)?.games ?? 0) },
              { name: t('Minutes'), number: (r) => fixed((r.lines.at(-1)?.elapsed_s ?? 0) / 60, 1) },
              {
                name: t('Watch'),
                unseen: true,
                number: (r) => <WatchLink run={r.info}>{t('Watch')}</WatchLink>,
              },
            ]}
          />
        )}
      </Card>
      <Options runs={runs.map((r) => r.info)} />
      <Tiles runs={runs} at={at} axis={axis} />
    </>
  )
}

/** Tiles shows how many games reached the tiles: each tile for one run, a chosen tile for several runs. */
function Tiles({ runs, at, axis }: { runs: Shown[]; at: (l: TrainingInterval) => number; axis: string }) {
  const [wanted, setTile] = useState(0)
  const tiles = contested(runs)
  const tile = tiles.includes(wanted) ? wanted : tiles[0]
  if (tile === undefined) return null
  const [single] = runs.length === 1 ? runs : []
  const shown = single ? tiles.slice(0, 6) : [tile] // the largest ones matter most
  const curvesOf = (tile: number) =>
    together(runs, at, (l) => (l.mean_score === null ? null : reached(l, tile)), single && String(tile))
      .curves
  return (
    <Card title={t('Tiles reached')}>
      {!single && <Select label={t('Tile')} value={tile} of={tiles} onChange={setTile} />}
      <Chart
        x={together(runs, at, () => null).x}
        curves={shown.flatMap(curvesOf).map((c, i) => ({ ...c, ...(single && look(i)) }))}
        xLabel={axis}
        zero
        share
        joined
        label={t('Share of games that reached {tile}, by {axis}', { tile: shown.join(', '), axis })}
      />
    </Card>
  )
}

/** contested returns the tiles that some but not all games of the last intervals reached, the largest first. */
function contested(runs: Shown[]): number[] {
  const tiles = new Set<number>()
  for (const { lines } of runs)
    for (const [t, share] of Object.entries(lines.at(-1)?.reached ?? {}))
      if (share > 0 && share < 0.99) tiles.add(Number(t))
  return [...tiles].sort((a, b) => b - a)
}

/** look returns the colour and the line style of a curve. */
const look = (i: number) => ({ colour: colours[i] ?? '--dim', dashed: i >= 4 })

/** together aligns runs, whose intervals end at different numbers of games, on one axis. */
function together(
  runs: Shown[],
  at: (l: TrainingInterval) => number,
  value: (l: TrainingInterval) => number | null,
  name?: string,
): { x: number[]; curves: Curve[] } {
  const x = [...new Set(runs.flatMap((r) => r.lines.map(at)))].sort((a, b) => a - b)
  const place = new Map(x.map((v, i) => [v, i]))
  const curves = runs.map((r, i) => {
    const values = Array<number | null>(x.length).fill(null)
    for (const l of r.lines) values[place.get(at(l)) ?? 0] = value(l)
    return { label: name ?? r.info.run, values, ...look(i) }
  })
  return { x, curves }
}

/** Options shows the options of runs; those that differ come first. */
function Options({ runs }: { runs: TrainingInfo[] }) {
  const names = [...new Set(runs.flatMap((r) => r.options.map((o) => o.option)))]
  if (names.length === 0) return null
  const differs = (name: string) =>
    runs.some((r) => option(r, name) !== option(runs[0] as TrainingInfo, name))
  const rows = [...names.filter(differs), ...names.filter((n) => !differs(n))]
  return (
    <Card title={t('Options')}>
      <Table
        label={t('Options')}
        table={{ class: 'options' }}
        rows={rows}
        id={(name) => name}
        mark={(name) => (differs(name) ? 'differs' : '')}
        columns={[
          { name: t('Option'), cell: (name) => name },
          ...runs.map((r) => ({ name: r.run, cell: (name: string) => option(r, name) ?? '–' })),
        ]}
      />
      {runs.length > 1 && <p class="dim">{t('Options that differ are marked and come first.')}</p>}
    </Card>
  )
}
