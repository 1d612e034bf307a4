import { useRef, useState } from 'preact/hooks'
import { Chart, type Curve } from '../chart'
import { ago, brief, fixed, percent, whole } from '../format'
import { complaint, engine, link } from '../net'
import { usePoll } from '../poll'
import { go } from '../route'
import { rich, t } from '../text'
import { importRuns, listRuns, removeRun, showRun } from '../trainings'
import type { TrainingInfo, TrainingInterval } from '../types'
import { Button, Card, Field, Figure } from '../ui'

const maxRuns = 8 // runs in one chart: more colours are hard to tell apart
/** colours of runs in charts, by index. */
const colours = ['--accent', '--bad', '--good', '--t7', '--t13', '--dim', '--t4', '--t16']

/** The fragment names the runs that are shown: #training/first,second. */
export function TrainingView({ parts }: { parts: string[] }) {
  const list = usePoll('list', listRuns, 3000)
  const runs = list.result?.runs ?? []
  const named = (parts[0] ?? '').split(',').filter(Boolean)
  const found = named.flatMap((name) => runs.filter((r) => r.run === name)).slice(0, maxRuns)
  const chosen = found.length > 0 ? found : runs.slice(0, 1)
  const current = useRef(chosen) // usePoll keeps the request of its first render
  current.current = chosen
  const { result, trouble } = usePoll<Metrics>(
    chosen.map((r) => r.run).join(','),
    (last) => newer(current.current, last),
    2000,
  )
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
        {trouble && (
          <p class="bad" role="alert">
            {trouble}
          </p>
        )}
        {lost.length > 0 && (
          <p class="bad" role="alert">
            {t('No run is called {name}.', { name: lost.join(', ') })}
          </p>
        )}
        {!engine && list.result && runs.length === 0 && (
          <First startable={list.result.can_start} onStart={list.now} />
        )}
        {shown.length === 1 && shown[0] && <Single run={shown[0]} />}
        {shown.length > 1 && <Several runs={shown} />}
        {shown.length === 1 && <Options runs={chosen} />}
      </div>
    </div>
  )
}

/** First says how the first run is trained, and starts it where that is allowed. */
function First({ startable, onStart }: { startable: boolean; onStart: () => void }) {
  const [trouble, setTrouble] = useState('')
  return (
    <Card title={t('Train your first network')}>
      <p>
        {t(
          'A network learns 2048 by playing, without examples. A small one plays 10,000 games in a minute or so; you see its scores rise, and can watch it play.',
        )}
      </p>
      {startable ? (
        <>
          <div class="row">
            <Button
              kind="main"
              icon="start"
              onClick={() => {
                setTrouble('')
                link
                  .insist('training.start', {})
                  .then(onStart, (e: unknown) => setTrouble(complaint(e, 'training.start: ')))
              }}
            >
              {t('Start the training')}
            </Button>
          </div>
          <p class="dim">
            {t('It takes half of this machine’s processors. In a terminal you choose everything else:')}
          </p>
        </>
      ) : (
        <p>
          {t('Start it in a terminal on the machine of this page. Its curve appears here while it runs.')}
        </p>
      )}
      <p class="mono">afterstate train 2x4 --games 10000 --report-every 200 --name first</p>
      {trouble && (
        <p class="bad" role="alert">
          {trouble}
        </p>
      )}
    </Card>
  )
}

/** Import adds runs from files, for a site that has no folder of them, and removes those that are shown. */
function Import({ runs, onChange }: { runs: TrainingInfo[]; onChange: () => void }) {
  const [trouble, setTrouble] = useState('')
  const add = async (files: File[]) => {
    setTrouble('')
    try {
      const names: string[] = []
      for (const file of files) names.push(...(await importRuns(file)))
      onChange()
      go(`training/${names.slice(0, maxRuns).join(',')}`)
    } catch (e) {
      setTrouble(complaint(e))
    }
  }
  const remove = () =>
    Promise.all(runs.map((r) => removeRun(r.run))).then(onChange, (e: unknown) => setTrouble(complaint(e)))
  return (
    <Card title={t('Import runs')}>
      <p class="dim">
        {rich(
          'Train in a terminal with {train}, and open the {file} of the run’s folder here, or what {export} writes.',
          {
            train: <span class="mono">afterstate train</span>,
            file: <span class="mono">metrics.jsonl</span>,
            export: <span class="mono">afterstate train export</span>,
          },
        )}
      </p>
      <Field label={t('Metrics in files')}>
        <input
          type="file"
          multiple
          accept=".jsonl,.csv,.json,text/csv"
          onChange={(e) => add([...(e.currentTarget.files ?? [])])}
        />
      </Field>
      {trouble && (
        <p class="bad" role="alert">
          {trouble}
        </p>
      )}
      {runs.length > 0 && <Button onClick={remove}>{t('Remove what is shown')}</Button>}
    </Card>
  )
}

const states: Record<TrainingInfo['state'], string> = {
  running: t('running'),
  finished: t('finished'),
  stopped: t('stopped'),
}

interface Shown {
  info: TrainingInfo
  lines: TrainingInterval[]
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
            {run.network && <span lang="en">{run.network}</span>}
            {run.network && progress(run) && ' · '}
            {progress(run)}
          </span>
        </span>
        <span class={run.state === 'running' ? 'good' : 'dim'}>
          {states[run.state]}
          {run.state === 'running' ? (
            ''
          ) : (
            <>
              <br />
              {ago(1000 * run.idle_s)}
            </>
          )}
        </span>
      </button>
    </li>
  )
}

const progress = (r: TrainingInfo) =>
  r.games === 0
    ? ''
    : r.goal_games && r.state !== 'finished'
      ? t('{n} of {all} games', { n: brief(r.games), all: brief(r.goal_games) })
      : t('{n} games', { n: brief(r.games) })

/** Metrics are those of each run, by its name. */
type Metrics = Map<string, { lines: TrainingInterval[]; next: number; seen: string }>

const lively = 60 // seconds: the lines of a run that has just ended may not have been read

/** newer appends new metrics to those of the runs that may have some. */
async function newer(runs: TrainingInfo[], last: Metrics | null): Promise<Metrics> {
  const all: Metrics = new Map()
  for (const run of runs) {
    const old = last?.get(run.run)
    const seen = `${run.state} ${run.games}`
    if (old && old.seen === seen && run.state !== 'running' && run.idle_s > lively) {
      all.set(run.run, old)
      continue
    }
    const r = await showRun(run.run, old?.next ?? 0)
    if (old && !r.restarted && r.intervals.length === 0) all.set(run.run, { ...old, seen })
    else
      all.set(run.run, {
        lines: r.restarted || !old ? r.intervals : [...old.lines, ...r.intervals],
        next: r.next,
        seen,
      })
  }
  return all
}

const known = (lines: TrainingInterval[]) => lines.filter((l) => l.mean_score !== null)
const score = (lines: TrainingInterval[]) => known(lines).at(-1)?.mean_score ?? null

const option = (r: TrainingInfo, name: string) => r.options.find((o) => o.option === name)?.value

/** WatchLink opens a game of the run's network. */
function WatchLink({ run, children }: { run: TrainingInfo; children: string }) {
  if (engine) return null // it has the curve alone
  const spec = `ntuple(model=${run.run})`
  return <a href={`#watch/play/${encodeURIComponent(spec)}/${option(run, 'size') ?? '4x4'}`}>{children}</a>
}

function Single({ run: { info, lines } }: { run: Shown }) {
  const last = lines.at(-1)
  if (!last)
    return (
      <Card title={info.run} side={<WatchLink run={info}>{t('Watch it play')}</WatchLink>}>
        <p class="dim">
          {info.state === 'running'
            ? t('The first interval has not ended yet.')
            : t('It has no finished interval.')}
        </p>
      </Card>
    )
  const scored = known(lines)
  // The largest tiles matter most; tiles that almost every game reaches carry no information.
  const tiles = Object.entries(last.reached)
    .filter(([, share]) => share > 0 && share < 0.99)
    .map(([t]) => Number(t))
    .sort((a, b) => b - a)
    .slice(0, 6)
  return (
    <>
      <Card title={info.run} side={<WatchLink run={info}>{t('Watch it play')}</WatchLink>}>
        <dl class="figures">
          <Figure
            main
            name={t('Mean score')}
            value={score(lines) === null ? '–' : whole(score(lines) ?? 0)}
          />
          <Figure name={t('Games')} value={brief(last.games)} />
          <Figure name={t('Moves a second')} value={brief(last.moves_per_s)} />
          <Figure name={t('Hours')} value={fixed(last.elapsed_s / 3600, 1)} />
          <Figure name={t('State')} value={states[info.state]} />
        </dl>
        <Chart
          x={scored.map((l) => l.games)}
          xLabel={t('games')}
          zero
          height={260}
          label={t('Mean score of each interval over {n} games, now {score}', {
            n: last.games,
            score: score(lines) ?? 0,
          })}
          curves={[{ label: t('mean score'), values: scored.map((l) => l.mean_score), colour: '--accent' }]}
        />
      </Card>
      {tiles.length > 0 && (
        <Card title={t('Tiles reached')}>
          <Chart
            x={lines.map((l) => l.games)}
            xLabel={t('games')}
            zero
            share
            height={220}
            label={t('Share of games that reached each tile: {tiles}', {
              tiles: tiles.map((tile) => `${tile} ${percent(last.reached[tile] ?? 0)}`).join(', '),
            })}
            curves={tiles.map((t, i) => ({
              label: String(t),
              values: lines.map((l) => reached(l, t)),
              colour: ['--accent', '--bad', '--good', '--dim', '--t7', '--t13'][i] ?? '--dim',
              dashed: i % 2 === 1,
            }))}
          />
          <p class="dim">{tiles.map((t) => `${t}: ${percent(last.reached[t] ?? 0)}`).join(' · ')}</p>
        </Card>
      )}
    </>
  )
}

/** reached returns the share of an interval's games that reached a tile. Metrics leave out smaller tiles,
    which all games reached, and larger ones. */
function reached(l: TrainingInterval, tile: number): number {
  const named = Object.keys(l.reached).map(Number)
  return l.reached[tile] ?? (named.length > 0 && tile < Math.min(...named) ? 1 : 0)
}

type Axis = 'games' | 'minutes'
const axisNames: Record<Axis, string> = { games: t('games'), minutes: t('minutes') }

function Several({ runs }: { runs: Shown[] }) {
  const [axis, setAxis] = useState<Axis>('games')
  const [wanted, setTile] = useState(0)
  const tiles = contested(runs)
  const tile = tiles.includes(wanted) ? wanted : tiles[0]
  const axes = (
    <span class="row" role="group" aria-label={t('Horizontal axis')}>
      {(['games', 'minutes'] as const).map((a) => (
        <button
          key={a}
          type="button"
          class="button small"
          aria-pressed={a === axis}
          onClick={() => setAxis(a)}
        >
          {axisNames[a]}
        </button>
      ))}
    </span>
  )
  const scores = runs.map((r) => `${r.info.run} ${whole(score(r.lines) ?? 0)}`).join(', ')
  return (
    <>
      <Card title={t('Mean score')} side={axes}>
        <Chart
          {...together(runs, axis, (l) => l.mean_score)}
          xLabel={axisNames[axis]}
          zero
          joined
          height={280}
          label={t('Mean score of each interval by {axis}; now {scores}', { axis: axisNames[axis], scores })}
        />
        <Table runs={runs} />
      </Card>
      <Options runs={runs.map((r) => r.info)} />
      {tile !== undefined && (
        <Card title={t('Tiles reached')}>
          <Field label={t('Tile')}>
            <select value={tile} onChange={(e) => setTile(Number(e.currentTarget.value))}>
              {tiles.map((t) => (
                <option key={t} value={t}>
                  {t}
                </option>
              ))}
            </select>
          </Field>
          <Chart
            {...together(runs, axis, (l) => (l.mean_score === null ? null : reached(l, tile)))}
            xLabel={axisNames[axis]}
            zero
            share
            joined
            height={220}
            label={t('Share of games that reached {tile}, by {axis}', {
              tile: String(tile),
              axis: axisNames[axis],
            })}
          />
        </Card>
      )}
    </>
  )
}

/** contested returns the tiles that some but not all games reached lately, the largest first. */
function contested(runs: Shown[]): number[] {
  const tiles = new Set<number>()
  for (const { lines } of runs)
    for (const [t, share] of Object.entries(lines.at(-1)?.reached ?? {}))
      if (share > 0 && share < 0.99) tiles.add(Number(t))
  return [...tiles].sort((a, b) => b - a)
}

/** together puts runs, whose intervals end at different places, on one axis. */
function together(
  runs: Shown[],
  axis: Axis,
  value: (l: TrainingInterval) => number | null,
): { x: number[]; curves: Curve[] } {
  const at = (l: TrainingInterval) => (axis === 'games' ? l.games : l.elapsed_s / 60)
  const x = [...new Set(runs.flatMap((r) => r.lines.map(at)))].sort((a, b) => a - b)
  const place = new Map(x.map((v, i) => [v, i]))
  const curves = runs.map((r, i) => {
    const values = Array<number | null>(x.length).fill(null)
    for (const l of r.lines) values[place.get(at(l)) ?? 0] = value(l)
    return { label: r.info.run, values, colour: colours[i] ?? '--dim', dashed: i >= 4 }
  })
  return { x, curves }
}

function Table({ runs }: { runs: Shown[] }) {
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>{t('Run')}</th>
            <th class="n">{t('Mean score')}</th>
            <th class="n">{t('Games')}</th>
            <th class="n">{t('Minutes')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {runs.map(({ info, lines }, i) => (
            <tr key={info.run}>
              <td>
                <span class="swatch" style={{ background: `var(${colours[i] ?? '--dim'})` }} />
                {info.run}
              </td>
              <td class="n">{score(lines) === null ? '–' : whole(score(lines) ?? 0)}</td>
              <td class="n">{whole(lines.at(-1)?.games ?? 0)}</td>
              <td class="n">{fixed((lines.at(-1)?.elapsed_s ?? 0) / 60, 1)}</td>
              <td class="n">
                <WatchLink run={info}>{t('Watch')}</WatchLink>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Options shows what runs were begun with; differences come first. */
function Options({ runs }: { runs: TrainingInfo[] }) {
  const names = [...new Set(runs.flatMap((r) => r.options.map((o) => o.option)))]
  if (names.length === 0) return null
  const differs = (name: string) =>
    runs.some((r) => option(r, name) !== option(runs[0] as TrainingInfo, name))
  const rows = [...names.filter(differs), ...names.filter((n) => !differs(n))]
  return (
    <Card title={t('Options')}>
      <div class="scroll">
        <table class="options">
          {runs.length > 1 && (
            <thead>
              <tr>
                <th>{t('Option')}</th>
                {runs.map((r) => (
                  <th key={r.run}>{r.run}</th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>
            {rows.map((name) => (
              <tr key={name} class={differs(name) ? 'differs' : ''}>
                <th scope="row">{name}</th>
                {runs.map((r) => (
                  <td key={r.run}>{option(r, name) ?? '–'}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {runs.length > 1 && (
        <p class="dim">
          {rows.some(differs)
            ? t('Options that differ are marked and come first.')
            : t('All options are equal.')}
        </p>
      )}
    </Card>
  )
}
