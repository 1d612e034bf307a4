// The curves and options of training runs: of one, or of several side by side.

import { useState } from 'preact/hooks'
import { brief, fixed } from '../../base/format'
import { t, whole } from '../../base/text'
import { engine } from '../../engine/net'
import { Chart, type Curve, colours } from '../../parts/chart'
import { Choices, Select } from '../../parts/fields'
import { Table } from '../../parts/table'
import { Card, Figure } from '../../parts/ui'
import type { TrainingInfo, TrainingInterval } from '../../types'

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

/** WatchLink opens a game of the run's network. */
function WatchLink({ run, children }: { run: TrainingInfo; children: string }) {
  if (engine) return null // it has the curve alone
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

const axes = [t('games'), t('minutes')]

/** Curves shows a run, or several ones side by side. */
export function Curves({ runs }: { runs: Shown[] }) {
  const [axis, setAxis] = useState(0)
  const at = (l: TrainingInterval) => (axis === 0 ? l.games : l.elapsed_s / 60)
  const axisName = axes[axis] ?? ''
  const [single] = runs.length === 1 ? runs : []
  const last = single?.lines.at(-1)
  const now = runs.map((r) => `${r.info.run} ${scoreText(r.lines)}`)
  if (last) now.push(t('{n} games', { n: last.games }))
  return (
    <>
      <Card
        title={single?.info.run ?? t('Mean score')}
        side={<Choices label={t('Horizontal axis')} of={axes} at={axis} onPick={setAxis} />}
      >
        {single && <WatchLink run={single.info}>{t('Watch it play')}</WatchLink>}
        {single && !last && <p class="dim">{t('It has no finished interval.')}</p>}
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
          xLabel={axisName}
          zero
          joined
          height={270}
          label={t('Mean score of each interval by {axis}; now {scores}', {
            axis: axisName,
            scores: now.join(', '),
          })}
        />
        {!single && <Latest runs={runs} />}
      </Card>
      <Options runs={runs.map((r) => r.info)} />
      <Tiles runs={runs} at={at} axis={axisName} />
    </>
  )
}

/** Tiles shows how many games reached the tiles: of one run each tile, of several one that is chosen. */
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

/** contested returns the tiles that some but not all games reached lately, the largest first. */
function contested(runs: Shown[]): number[] {
  const tiles = new Set<number>()
  for (const { lines } of runs)
    for (const [t, share] of Object.entries(lines.at(-1)?.reached ?? {}))
      if (share > 0 && share < 0.99) tiles.add(Number(t))
  return [...tiles].sort((a, b) => b - a)
}

/** look tells curves apart. */
const look = (i: number) => ({ colour: colours[i] ?? '--dim', dashed: i >= 4 })

/** together puts runs, whose intervals end at different places, on one axis. */
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

/** Latest has the newest figures of each run. */
const Latest = ({ runs }: { runs: Shown[] }) => (
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
      { name: t('Watch'), unseen: true, number: (r) => <WatchLink run={r.info}>{t('Watch')}</WatchLink> },
    ]}
  />
)

/** Options shows what runs were begun with; differences come first. */
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
