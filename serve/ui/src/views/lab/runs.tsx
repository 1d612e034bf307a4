// The curves and options of training runs: of one, or of several side by side.

import { useState } from 'preact/hooks'
import { brief, fixed, percent } from '../../base/format'
import { t, whole } from '../../base/text'
import { engine } from '../../engine/net'
import type { Curve } from '../../parts/chart'
import { Chart } from '../../parts/chart'
import { Select } from '../../parts/fields'
import { Button, Card, Figure } from '../../parts/ui'
import type { TrainingInfo, TrainingInterval } from '../../types'

/** colours of runs in charts, by index. */
const colours = ['--accent', '--bad', '--good', '--t7', '--t13', '--dim', '--t4', '--t16']

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
const score = (lines: TrainingInterval[]) => known(lines).at(-1)?.mean_score ?? null

const scoreText = (lines: TrainingInterval[]) => {
  const n = score(lines)
  return n === null ? '–' : whole(n)
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
        <p class="dim">
          {info.state === 'running'
            ? t('The first interval has not ended yet.')
            : t('It has no finished interval.')}
        </p>
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
              tiles: tiles.map((tile, i) => `${tile} ${shares[i]}`).join(', '),
            })}
            curves={tiles.map((t, i) => ({
              label: String(t),
              values: lines.map((l) => reached(l, t)),
              colour: ['--accent', '--bad', '--good', '--dim', '--t7', '--t13'][i] ?? '--dim',
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

type Axis = 'games' | 'minutes'
const axisNames: Record<Axis, string> = { games: t('games'), minutes: t('minutes') }

export function Several({ runs }: { runs: Shown[] }) {
  const [axis, setAxis] = useState<Axis>('games')
  const [wanted, setTile] = useState(0)
  const tiles = contested(runs)
  const tile = tiles.includes(wanted) ? wanted : tiles[0]
  const axes = (
    <span class="row" role="group" aria-label={t('Horizontal axis')}>
      {(['games', 'minutes'] as const).map((a) => (
        <Button key={a} kind="small" pressed={a === axis} onClick={() => setAxis(a)} text={axisNames[a]} />
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
          <Select label={t('Tile')} value={tile} of={tiles} onChange={setTile} />
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
              <td class="n">{scoreText(lines)}</td>
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
export function Options({ runs }: { runs: TrainingInfo[] }) {
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
