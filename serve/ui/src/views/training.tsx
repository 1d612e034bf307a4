import { Chart } from '../chart'
import { ago, brief, percent, whole } from '../format'
import { link } from '../net'
import { usePoll } from '../poll'
import { go } from '../route'
import type { TrainingInterval } from '../types'
import { Card, Figure } from '../ui'

export function TrainingView({ parts }: { parts: string[] }) {
  const list = usePoll('list', () => link.ask('training.list', {}), 3000)
  const runs = list.result?.runs ?? []
  const run = runs.find((r) => r.run === parts[0]) ?? runs[0]
  const name = run?.run ?? ''
  const { result, trouble } = usePoll<Metrics>(name, (last) => newer(name, last), 2000)
  const lines = result?.lines ?? []
  return (
    <div class="sides">
      <div class="stack">
        <Card title="Training runs">
          {runs.length === 0 ? <p class="dim">{list.result ? <>There are none on this machine. Start one in a terminal with <span class="mono">afterstate train</span>, and its curve appears here while it runs.</> : 'Looking…'}</p> : (
            <ul class="list">{runs.map((r) => (
              <li key={r.run}><button type="button" aria-current={r === run} onClick={() => go(`training/${r.run}`)}>
                <span>{r.run}<br /><span class="dim">{r.network}</span></span><span class={r.idle_s < 300 ? 'good' : 'dim'}>{r.idle_s < 300 ? 'running' : ago(1000 * r.idle_s)}</span>
              </button></li>
            ))}</ul>
          )}
        </Card>
      </div>
      <div class="stack">
        {trouble && <p class="bad" role="alert">{trouble}</p>}
        {run && lines.length > 0 && <Curves name={run.run} lines={lines} />}
      </div>
    </div>
  )
}

interface Metrics {
  lines: TrainingInterval[]
  next: number // where the unread part begins
}

/** newer appends new metrics to those of a run. */
async function newer(run: string, last: Metrics | null): Promise<Metrics> {
  const r = await link.ask('training.show', { run, from: last?.next ?? 0 })
  return { lines: r.restarted || !last ? r.intervals : [...last.lines, ...r.intervals], next: r.next }
}

function Curves({ name, lines }: { name: string; lines: TrainingInterval[] }) {
  const last = lines.at(-1)
  if (!last) return null
  const known = lines.filter((l) => l.mean_score !== null)
  // The largest tiles matter most; tiles that almost every game reaches carry no information.
  const tiles = Object.entries(last.reached).filter(([, share]) => share > 0 && share < 0.99).map(([t]) => Number(t)).sort((a, b) => b - a).slice(0, 6)
  return (
    <>
      <Card title={name}>
        <dl class="figures">
          <Figure main name="Mean score" value={known.at(-1) ? whole(known.at(-1)?.mean_score ?? 0) : '–'} />
          <Figure name="Games" value={brief(last.games)} />
          <Figure name="Moves a second" value={brief(last.moves_per_s)} />
          <Figure name="Hours" value={(last.elapsed_s / 3600).toFixed(1)} />
        </dl>
        <Chart x={known.map((l) => l.games)} xLabel="games" zero height={260} label={`Mean score of each interval over ${whole(last.games)} games, now ${whole(known.at(-1)?.mean_score ?? 0)}`}
          curves={[{ label: 'mean score', values: known.map((l) => l.mean_score), colour: '--accent' }]} />
      </Card>
      {tiles.length > 0 && <Card title="Tiles reached">
        <Chart x={lines.map((l) => l.games)} xLabel="games" zero share height={220} label={`Share of games that reached each tile: ${tiles.map((t) => `${t} ${percent(last.reached[t] ?? 0)}`).join(', ')}`}
          curves={tiles.map((t, i) => ({ label: String(t), values: lines.map((l) => l.reached[t] ?? reachedMore(l, t)), colour: ['--accent', '--bad', '--good', '--dim', '--t7', '--t13'][i] ?? '--dim', dashed: i % 2 === 1 }))} />
        <p class="dim">{tiles.map((t) => `${t}: ${percent(last.reached[t] ?? 0)}`).join(' · ')}</p>
      </Card>}
    </>
  )
}

/** reachedMore returns the share of a tile that an interval omits: all of its games reached
    smaller tiles, none reached larger ones. */
function reachedMore(l: TrainingInterval, tile: number): number {
  const named = Object.keys(l.reached).map(Number)
  return named.length > 0 && tile < Math.min(...named) ? 1 : 0
}
