// The curves and options of training runs: of one, or of several side by side.

import { useState } from 'preact/hooks'
import { brief, fixed, percent } from '../../base/format'
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

export function Single({ run: { info, lines } }: { run: Shown }) {
  const watch = <WatchLink run={info}>{t('Watch it play')}</WatchLink>
  const last = lines.at(-1)
  if (!last)
    return (
      <Card title={info.run} side={watch}>
        <p class="dim">{t('It has no finished interval.')}</p>
      </Card>
    )
  const scored = known(lines)
  const tiles = contested([{ info, lines }]).slice(0, 6) // the largest ones matter most
  const shares = tiles.map((tile) => percent(last.reached[tile] ?? 0))
  return (
    <>
      <Card title={info.run} side={watch}>
        <dl class="figures">
          <Figure main name={t('Mean score')} value={scoreText(lines)} />
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
            score: scoreText(lines),
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
              tiles: tiles.map((tile, i) => `${tile} ${shares[i]}`).join(', '),
            })}
            curves={tiles.map((t, i) => ({
              label: String(t),
              values: lines.map((l) => reached(l, t)),
              colour: colours[i] ?? '--dim',
              dashed: i % 2 === 1,
            }))}
          />
          <p class="dim">{tiles.map((tile, i) => `${tile}: ${shares[i]}`).join(' · ')}</p>
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

const axes = [t('games'), t('minutes')]

export function Several({ runs }: { runs: Shown[] }) {
  const [axis, setAxis] = useState(0)
  const [wanted, setTile] = useState(0)
  const tiles = contested(runs)
  const tile = tiles.includes(wanted) ? wanted : tiles[0]
  const at = (l: TrainingInterval) => (axis === 0 ? l.games : l.elapsed_s / 60)
  const axisName = axes[axis] ?? ''
  const scores = runs.map((r) => `${r.info.run} ${scoreText(r.lines)}`).join(', ')
  return (
    <>
      <Card
        title={t('Mean score')}
        side={<Choices label={t('Horizontal axis')} of={axes} at={axis} onPick={setAxis} />}
      >
        <Chart
          {...together(runs, at, (l) => l.mean_score)}
          xLabel={axisName}
          zero
          joined
          height={280}
          label={t('Mean score of each interval by {axis}; now {scores}', { axis: axisName, scores })}
        />
        <Latest runs={runs} />
      </Card>
      <Options runs={runs.map((r) => r.info)} />
      {tile !== undefined && (
        <Card title={t('Tiles reached')}>
          <Select label={t('Tile')} value={tile} of={tiles} onChange={setTile} />
          <Chart
            {...together(runs, at, (l) => (l.mean_score === null ? null : reached(l, tile)))}
            xLabel={axisName}
            zero
            share
            joined
            height={220}
            label={t('Share of games that reached {tile}, by {axis}', {
              tile: String(tile),
              axis: axisName,
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
  at: (l: TrainingInterval) => number,
  value: (l: TrainingInterval) => number | null,
): { x: number[]; curves: Curve[] } {
  const x = [...new Set(runs.flatMap((r) => r.lines.map(at)))].sort((a, b) => a - b)
  const place = new Map(x.map((v, i) => [v, i]))
  const curves = runs.map((r, i) => {
    const values = Array<number | null>(x.length).fill(null)
    for (const l of r.lines) values[place.get(at(l)) ?? 0] = value(l)
    return { label: r.info.run, values, colour: colours[i] ?? '--dim', dashed: i >= 4 }
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
export function Options({ runs }: { runs: TrainingInfo[] }) {
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
