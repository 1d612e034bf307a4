// What the games of an experiment say of its players.

import { useState } from 'preact/hooks'
import { brief, exponent, percent, sizeText, whole } from '../../base/format'
import { offer } from '../../base/offer'
import { t } from '../../base/text'
import { useAttempt } from '../../engine/attempt'
import { engine, link } from '../../engine/net'
import { Chart } from '../../parts/chart'
import { later } from '../../parts/later'
import { Table } from '../../parts/table'
import { Alert, Button, Card, Progress } from '../../parts/ui'
import type {
  ComparisonToFirst,
  ExperimentInfo,
  ExperimentRecords,
  ExperimentResults,
  Interval95,
  PlayerStatistics,
} from '../../types'
import { Games } from './games'

/** colours of players in charts, by index. */
export const colours = ['--accent', '--bad', '--good', '--dim', '--t7', '--t13', '--t4', '--t16']

/** total returns the number of games requested of all players together. */
export const total = (x: ExperimentInfo) => x.games * x.players.length

/** decides is whether an experiment ends at a verdict, after a number of games that nobody knows. */
export const decides = (x: ExperimentInfo) => x.games === 0

const Evidence = later(async () => (await import('./evidence')).EvidenceCard)

const range = (ci: Interval95 | null) =>
  ci ? t('{low} to {high}', { low: brief(ci[0]), high: brief(ci[1]) }) : ''

export function Results({ x, onChange }: { x: ExperimentResults; onChange: () => void }) {
  const [player, setPlayer] = useState(0) // the number of the one whose games are listed
  return (
    <>
      <Scores x={x} player={player} onPlayer={setPlayer} onChange={onChange} />
      {decides(x) && !engine && <Evidence name={x.name} running={x.running} onChange={onChange} />}
      {player > 0 && <Games key={player} name={x.name} player={player} onClose={() => setPlayer(0)} />}
      {x.comparisons.length > 0 && !decides(x) && <Comparisons x={x} />}
      {x.finished > 0 && <Tiles x={x} />}
      {x.scores.edges.length > 1 && (
        <Card title={t('Distribution of scores')}>
          <Chart
            x={x.scores.edges.slice(0, -1)}
            xLabel={t('score')}
            zero
            label={t('How often each score was reached, by player: {players}', {
              players: x.players.join(', '),
            })}
            curves={x.players.map((p, i) => ({
              label: p,
              values: x.scores.counts[i] ?? [],
              colour: colours[i] ?? '--dim',
              dashed: i % 2 === 1,
            }))}
          />
        </Card>
      )}
    </>
  )
}

/** allRecords returns the records of all games. */
async function allRecords({ name, players }: ExperimentResults): Promise<string> {
  const all: string[] = []
  for (const i of players.keys()) {
    for (let from: number | undefined = 0; from !== undefined; ) {
      const r: ExperimentRecords = await link.ask('experiments.records', { name, player: i + 1, from })
      all.push(r.records)
      from = r.next || undefined
    }
  }
  return all.join('')
}

/** Actions saves results, and stops or resumes an experiment. */
function Actions({ x, onChange, attempt }: ScoresProps & Pick<ReturnType<typeof useAttempt>, 'attempt'>) {
  const { name } = x
  const report = async () =>
    offer(`${name}.html`, 'text/html', (await link.ask('experiments.report', { name })).html)
  const records = async () => offer(`${name}.jsonl`, 'application/jsonl', await allRecords(x))
  // Also after a refusal the list has news: another tab may have been faster.
  const change = (method: 'experiments.start' | 'experiments.stop') =>
    attempt(() => link.ask(method, { name }), `${method}: `).then(onChange)
  return (
    <span class="row">
      {!engine && (
        <Button
          kind="small"
          icon="save"
          label={t('Save the report as a page')}
          disabled={x.finished === 0}
          onClick={() => attempt(report, 'experiments.report: ')}
          text={t('Report')}
        />
      )}
      <Button
        kind="small"
        icon="save"
        label={t('Save the records of all games')}
        disabled={x.finished === 0}
        onClick={() => attempt(records, 'experiments.records: ')}
        text={t('Records')}
      />
      {x.running ? (
        <Button kind="small" onClick={() => change('experiments.stop')} text={t('Stop')} />
      ) : (
        !decides(x) &&
        x.finished < total(x) && (
          <Button kind="small" onClick={() => change('experiments.start')} text={t('Resume')} />
        )
      )}
    </span>
  )
}

interface ScoresProps {
  x: ExperimentResults
  onChange: () => void
}

/** Scores is the table of the players' scores. */
function Scores(p: ScoresProps & { player: number; onPlayer: (n: number) => void }) {
  const { x } = p
  const { trouble, attempt } = useAttempt()
  const failed = x.error && x.error !== 'stopped'
  return (
    <Card title={x.name} side={<Actions x={x} onChange={p.onChange} attempt={attempt} />}>
      <p class="dim">
        {t('{n|One player|# players} on {size}', { n: x.players.length, size: sizeText(x.size) })},{' '}
        {decides(x)
          ? t('until it is clear, seed {seed}', { seed: String(x.report.seed) })
          : t('{n} games each, seed {seed}', { n: x.games, seed: String(x.report.seed) })}
        {x.error === 'stopped' && ` · ${t('stopped early')}`}
      </p>
      {engine && x.running && <p class="dim">{t('It is played on this device while this page is open.')}</p>}
      <Alert text={failed} />
      <Alert text={trouble} />
      {x.running && !decides(x) && <Progress name={t('Games finished')} value={x.finished} max={total(x)} />}
      <Table
        label={t('Scores')}
        kind="named-rows"
        rows={x.report.players}
        id={(s) => s.player}
        columns={[
          { name: t('Player'), cell: (s) => <PlayerName of={s} /> },
          { name: t('Games'), number: (s) => whole(s.games) },
          {
            name: t('Mean score'),
            number: (s) => <b>{s.mean_score === null ? '–' : whole(s.mean_score)}</b>,
          },
          { name: t('95 % interval'), number: (s) => range(s.mean_score_ci95) },
          { name: t('Median'), number: (s) => (s.median_score === null ? '–' : whole(s.median_score)) },
          { name: t('Reach 2048'), number: (s) => percent(s.reached['2048']?.share ?? 0) },
          { name: t('Moves/s'), number: (s) => (s.moves_per_s === null ? '–' : brief(s.moves_per_s)) },
          {
            name: t('Games'),
            unseen: true,
            number: (s, i) => (
              <Button
                kind="small"
                pressed={p.player === i + 1}
                disabled={s.games === 0}
                onClick={() => p.onPlayer(i + 1)}
                text={t('Games')}
                about={t('of {player}', { player: s.player })}
              />
            ),
          },
        ]}
      />
      <Means all={x.report.players} />
    </Card>
  )
}

const PlayerName = ({ of: s }: { of: PlayerStatistics }) => (
  <span title={s.spec}>
    {s.player}
    {s.foresees && ` (${t('knows the coming spawns')})`}
    {s.forfeits && (
      <span class="bad"> {t('forfeited {n} of {all}', { n: s.forfeits.games, all: s.games })}</span>
    )}
  </span>
)

/** Comparisons compares the other players with the first one. */
function Comparisons({ x }: { x: ExperimentResults }) {
  const says = (c: ComparisonToFirst) => {
    if (c.difference === null) return t('no games yet')
    const by = (c.difference > 0 ? '+' : '') + brief(c.difference)
    return [
      c.difference_ci95 ? `${by} (${range(c.difference_ci95)})` : by,
      t('higher in {n} of {all} games', { n: c.higher ?? 0, all: c.games }),
      ...(c.clear ? [] : [t('the difference is not clear')]),
    ].join('; ')
  }
  return (
    <Card title={t('Against {player}', { player: x.players[0] ?? '' })}>
      <ul class="list">
        {x.comparisons.map((c) => (
          <li key={c.player} class="spread">
            <span>{c.player}</span>
            <span class={c.clear ? ((c.difference ?? 0) > 0 ? 'good' : 'bad') : 'dim'}>{says(c)}</span>
          </li>
        ))}
      </ul>
      {x.comparisons.length > 1 && (
        <p class="dim">
          {t('Clear or not: 95 % for all {n} comparisons together (Holm’s correction).', {
            n: x.comparisons.length,
          })}
        </p>
      )}
    </Card>
  )
}

/** Tiles shows how often each tile was the largest one. */
function Tiles({ x }: { x: ExperimentResults }) {
  return (
    <Card title={t('Largest tile')}>
      {x.highest.map((h) => {
        const games = h.tiles.reduce((n, u) => n + u.games, 0)
        return (
          <div key={h.player} class="stack tight">
            <h3 class="dim">{h.player}</h3>
            <div class="hbars">
              {h.tiles.map((own) => {
                const e = exponent(own.tile)
                const style = {
                  '--f': games ? own.games / games : 0,
                  background: `var(--t${Math.min(e, 18)})`,
                }
                return (
                  <div key={own.tile}>
                    <span>{own.tile}</span>
                    <span class="track">
                      <i data-e={e} style={style} />
                    </span>
                    <span class="dim">{games ? percent(own.games / games) : ''}</span>
                  </div>
                )
              })}
            </div>
          </div>
        )
      })}
    </Card>
  )
}

/** Means draws means and their intervals on one scale. */
function Means({ all }: { all: PlayerStatistics[] }) {
  const known = all.filter((s) => s.mean_score_ci95 !== null)
  const top = Math.max(...known.map((s) => s.mean_score_ci95?.[1] ?? 0), 1)
  if (known.length === 0) return null
  const at = (n: number) => (100 * Math.max(0, n)) / top
  return (
    <figure
      class="means"
      role="img"
      aria-label={t('Mean scores with intervals: {scores}', {
        scores: known.map((s) => `${s.player} ${whole(s.mean_score ?? 0)}`).join(', '),
      })}
    >
      {known.map((s) => (
        <div key={s.player}>
          <span>{s.player}</span>
          <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
            <line x1={at(s.mean_score_ci95?.[0] ?? 0)} x2={at(s.mean_score_ci95?.[1] ?? 0)} y1="3" y2="3" />
            <rect x={at(s.mean_score ?? 0) - 0.5} width="1" y="0.5" height="5" />
          </svg>
        </div>
      ))}
    </figure>
  )
}
