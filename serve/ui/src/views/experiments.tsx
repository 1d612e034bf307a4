import { useEffect, useRef, useState } from 'preact/hooks'
import { Chart } from '../chart'
import { brief, exponent, percent, seed, whole } from '../format'
import { later } from '../later'
import { complaint, engine, link } from '../net'
import { offer } from '../offer'
import { PlayerField } from '../player'
import { usePoll } from '../poll'
import { go } from '../route'
import { isObject, load, save } from '../store'
import { t } from '../text'
import type {
  ExperimentInfo,
  ExperimentResults,
  Interval95,
  PlayerStatistics,
  RemoteExperiment,
} from '../types'
import { Button, Card, Dialog, Field, SizeField } from '../ui'
import { Games } from './games'

interface Wanted {
  players: string // one a line
  size: string
  games: number
  decide?: boolean // as many games as a verdict takes
}
const usual: Wanted = { players: 'champion\nweighted-snake\ngreedy', size: '4x4', games: 20 }
const isWanted = (v: unknown) =>
  isObject(v) && typeof v.players === 'string' && typeof v.size === 'string' && typeof v.games === 'number'

/** colours of players in charts, by index. */
const colours = ['--accent', '--bad', '--good', '--dim', '--t7', '--t13', '--t4', '--t16']

/** played is whether somebody plays an experiment, here or in another tab. */

/** total returns the number of games requested of all players together. */
const total = (x: ExperimentInfo) => x.games * x.players.length

/** decides is whether an experiment ends at a verdict, after a number of games that nobody knows. */
const decides = (x: ExperimentInfo) => x.games === 0

/** progressOf returns the share of finished games, or their number if the total is not known. */
const progressOf = (x: RemoteExperiment) => {
  const games = (x.games ?? 0) * (x.players?.length ?? 0)
  return games > 0 ? percent(x.finished / games) : t('{n} games', { n: x.finished })
}

const Evidence = later(async () => (await import('./evidence')).EvidenceCard)
const Workers = later(async () => (await import('./workers')).WorkersView)

/** A server's workers are at #experiments/workers. A browser has none. */
export function ExperimentsView({ parts }: { parts: string[] }) {
  return parts[0] === 'workers' && !engine ? <Workers /> : <Experiments />
}

function Experiments() {
  const list = usePoll('list', () => link.ask('experiments.list', {}), 1500)
  const [chosen, choose] = useState('')
  const [removing, remove] = useState('') // the name of an experiment
  const all = list.result?.experiments ?? []
  const remote = list.result?.remote ?? []
  const info = all.find((x) => x.name === chosen) ?? all[0]
  const name = info?.name ?? ''
  // Another process may be running an unfinished experiment.
  const every = info?.running ? 1000 : info && (decides(info) || info.finished < total(info)) ? 3000 : 60_000
  const going = all.find((x) => x.name === removing)
  const removed = useRef(false)
  const names = useRef<HTMLUListElement>(null)
  useEffect(() => {
    // the button that was pressed is gone
    if (removed.current)
      (names.current?.querySelector('button') ?? document.querySelector('main'))?.focus({
        preventScroll: true,
      })
    removed.current = false
  }, [all.length])
  const shown = usePoll(name, () => link.ask('experiments.show', { name }), every)
  /** show chooses an experiment. Where its results lie below the lists, they are scrolled to once they are there. */
  const results = useRef<HTMLDivElement>(null)
  const sought = useRef('')
  const show = (x: string) => {
    sought.current = x
    choose(x)
    seek()
  }
  const seek = () => {
    if (shown.result?.name !== sought.current) return
    sought.current = ''
    if ((results.current?.getBoundingClientRect().top ?? 0) > innerHeight / 2)
      results.current?.scrollIntoView({
        behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth',
      })
  }
  useEffect(seek, [shown.result?.name])
  return (
    <div class="sides">
      <div class="stack">
        <Start
          startable={list.result?.can_start ?? false}
          onStart={(name) => {
            show(name)
            list.now()
          }}
        />
        {all.length > 0 && (
          <Card title={t('Experiments')}>
            <ul class="list" ref={names}>
              {all.map((x) => (
                <li key={x.name} class="slot">
                  <button type="button" aria-current={x === info} onClick={() => show(x.name)}>
                    <span>{x.name}</span>
                    <span class="dim">
                      {x.running && !decides(x)
                        ? percent(x.finished / total(x))
                        : x.error
                          ? x.error.slice(0, 24)
                          : t('{n|one game|# games}', { n: x.finished })}
                    </span>
                  </button>
                  <Button kind="plain small" onClick={() => remove(x.name)}>
                    {t('Delete')}
                    <span class="unseen"> {x.name}</span>
                  </Button>
                </li>
              ))}
            </ul>
          </Card>
        )}
        {!engine && (
          <div class="row fill">
            <Button icon="engine" onClick={() => go('experiments/workers')}>
              {t('Workers of other machines')}
            </Button>
          </div>
        )}
        {remote.length > 0 && (
          <Card title={t('On other machines')}>
            <p class="dim">{t('They use the same workers. Their games are stored on those machines.')}</p>
            <ul class="list">
              {remote.map((x, i) => (
                <li key={i} class="stack tight">
                  <span class="spread">
                    <span>{x.name}</span>
                    <span class="dim">{progressOf(x)}</span>
                  </span>
                  <span class="dim">
                    {[...(x.players ?? []), t('at {machine}', { machine: x.scheduler })].join(', ')}
                  </span>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </div>
      <div class="stack results" ref={results}>
        {(list.trouble || shown.trouble) && (
          <p class="bad" role="alert">
            {list.trouble || shown.trouble}
          </p>
        )}
        {shown.result ? (
          <Results key={shown.result.name} x={shown.result} onChange={list.now} />
        ) : (
          <Card title={t('Which player is better?')}>
            <p class="dim">
              {t(
                'An experiment lets players play the same seeded games. It shows the mean score of each player with its 95 % interval, the tiles reached, and how each player does against the first one in the same games.',
              )}
            </p>
          </Card>
        )}
      </div>
      {going && (
        <Removing
          x={going}
          onClose={() => remove('')}
          onRemoved={() => {
            remove('')
            removed.current = true
            list.now()
          }}
        />
      )}
    </div>
  )
}

/** Removing asks before an experiment is deleted. */
function Removing({
  x,
  onClose,
  onRemoved,
}: {
  x: ExperimentInfo
  onClose: () => void
  onRemoved: () => void
}) {
  const [trouble, setTrouble] = useState('')
  const [busy, setBusy] = useState(false) // a decision may have to end first
  const remove = () => {
    setBusy(true)
    setTrouble('')
    link.ask('experiments.remove', { name: x.name }).then(onRemoved, (e) => {
      setBusy(false)
      setTrouble(complaint(e, 'experiments.remove: '))
    })
  }
  const games =
    x.finished === 0
      ? ''
      : t(
          '{n|Its finished game|Its # finished games} will be lost. Records, the button above its results, saves games in a file.',
          { n: x.finished },
        )
  return (
    <Dialog text title={t('Delete {name}?', { name: x.name })} onClose={onClose}>
      <p>
        {x.running && `${t('It is being played and will stop.')} `}
        {games || t('It has no finished games.')}
      </p>
      {trouble && (
        <p class="bad" role="alert">
          {trouble}
        </p>
      )}
      <div class="row">
        <Button kind="main" disabled={busy} onClick={remove}>
          {t('Delete it')}
        </Button>
        <Button kind="plain" onClick={onClose}>
          {t('Keep it')}
        </Button>
      </div>
    </Dialog>
  )
}

function Start({ startable, onStart }: { startable: boolean; onStart: (name: string) => void }) {
  const [wanted, set] = useState(() => load('experiment', usual, isWanted))
  const [games, setGames] = useState(String(wanted.games)) // as it is typed
  const [trouble, setTrouble] = useState('')
  const players = wanted.players.split('\n')
  const decide = !engine && wanted.decide === true
  const change = (w: Wanted) => {
    set(w)
    save('experiment', w)
  }
  /** put replaces player i by others. */
  const put = (i: number, others: string[]) =>
    change({ ...wanted, players: [...players.slice(0, i), ...others, ...players.slice(i + 1)].join('\n') })
  const start = async () => {
    setTrouble('')
    try {
      onStart(
        (
          await link.insist('experiments.start', {
            players: players.filter(Boolean),
            size: wanted.size,
            games: decide ? 0 : Number(games),
            seed: seed(),
          })
        ).name,
      )
    } catch (e) {
      setTrouble(complaint(e, 'experiments.start: '))
    }
  }
  return (
    <Card title={t('Compare players')}>
      {players.map((p, i) => (
        <div key={i} class="player">
          <PlayerField
            label={t('Player {n}', { n: i + 1 })}
            value={p}
            onChange={(q) => put(i, [q])}
            onLines={(qs) => put(i, qs)}
          />
          {players.length > 1 && (
            <Button kind="plain small" onClick={() => put(i, [])}>
              {t('Remove')}
              <span class="unseen"> {t('player {n}', { n: i + 1 })}</span>
            </Button>
          )}
        </div>
      ))}
      <Button
        icon="add"
        onClick={() => put(players.length, ['greedy'])}
        disabled={players.length >= colours.length}
      >
        {t('Add a player')}
      </Button>
      <div class="pair">
        <SizeField value={wanted.size} onChange={(size) => change({ ...wanted, size })} />
        {!engine && (
          <Field label={t('How long')}>
            <select
              value={decide ? 'decide' : 'games'}
              onChange={(e) => change({ ...wanted, decide: e.currentTarget.value === 'decide' })}
            >
              <option value="games">{t('a number of games')}</option>
              <option value="decide">{t('until it is clear')}</option>
            </select>
          </Field>
        )}
        {!decide && (
          <Field label={t('Games per player')}>
            <input
              type="number"
              min={1}
              max={10000}
              value={games}
              onInput={(e) => {
                setGames(e.currentTarget.value)
                if (Number(e.currentTarget.value) >= 1)
                  change({ ...wanted, games: Number(e.currentTarget.value) })
              }}
            />
          </Field>
        )}
      </div>
      {decide && (
        <p class="dim">
          {t(
            'Two players play the same games until one of them is better with 95 % confidence. More are ranked, with games where they decide most.',
          )}
        </p>
      )}
      {trouble && (
        <p class="bad" role="alert">
          {trouble}
        </p>
      )}
      <Button kind="main" icon="start" disabled={!startable} onClick={start}>
        {t('Start the experiment')}
      </Button>
    </Card>
  )
}

const range = (ci: Interval95 | null) =>
  ci ? t('{low} to {high}', { low: brief(ci[0]), high: brief(ci[1]) }) : ''

function Results({ x, onChange }: { x: ExperimentResults; onChange: () => void }) {
  const [trouble, setTrouble] = useState('')
  const [player, setPlayer] = useState(0) // the number of the one whose games are listed
  const report = () => {
    setTrouble('')
    link.ask('experiments.report', { name: x.name }).then(
      (r) => offer(`${x.name}.html`, 'text/html', r.html),
      (e) => setTrouble(complaint(e, 'experiments.report: ')),
    )
  }
  const change = (method: 'experiments.start' | 'experiments.stop') => {
    setTrouble('')
    // Also after a refusal the list has news: another tab may have been faster.
    link
      .ask(method, { name: x.name })
      .catch((e) => setTrouble(complaint(e, `${method}: `)))
      .then(onChange)
  }
  const records = async () => {
    setTrouble('')
    try {
      const all: string[] = []
      for (const player of x.players.keys()) {
        for (let from = 0, more = true; more; ) {
          const r = await link.ask('experiments.records', { name: x.name, player: player + 1, from })
          all.push(r.records)
          from = r.next ?? 0
          more = from > 0
        }
      }
      offer(`${x.name}.jsonl`, 'application/jsonl', all.join(''))
    } catch (e) {
      setTrouble(complaint(e, 'experiments.records: '))
    }
  }
  const next = x.running ? (
    <Button kind="small" onClick={() => change('experiments.stop')}>
      {t('Stop')}
    </Button>
  ) : !decides(x) && x.finished < total(x) ? (
    <Button kind="small" onClick={() => change('experiments.start')}>
      {t('Resume')}
    </Button>
  ) : undefined
  const side = (
    <span class="row">
      {!engine && (
        <Button
          kind="small"
          icon="save"
          label={t('Save the report as a page')}
          disabled={x.finished === 0}
          onClick={report}
        >
          {t('Report')}
        </Button>
      )}
      <Button
        kind="small"
        icon="save"
        label={t('Save the records of all games')}
        disabled={x.finished === 0}
        onClick={records}
      >
        {t('Records')}
      </Button>
      {next}
    </span>
  )
  return (
    <>
      <Card title={x.name} side={side}>
        <p class="dim">
          {t('{n|One player|# players} on {size}', { n: x.players.length, size: x.size.replace('x', ' × ') })}
          ,{' '}
          {decides(x)
            ? t('until it is clear, seed {seed}', { seed: String(x.report.seed) })
            : t('{n} games each, seed {seed}', { n: x.games, seed: String(x.report.seed) })}
          {x.error && x.error !== 'stopped' ? '' : x.error && ` · ${t('stopped early')}`}
        </p>
        {engine && x.running && (
          <p class="dim">{t('It is played on this device while this page is open.')}</p>
        )}
        {x.error && x.error !== 'stopped' && (
          <p class="bad" role="alert">
            {x.error}
          </p>
        )}
        {trouble && (
          <p class="bad" role="alert">
            {trouble}
          </p>
        )}
        {x.running && !decides(x) && (
          <div
            class="progress"
            role="progressbar"
            aria-label={t('Games finished')}
            aria-valuemin={0}
            aria-valuemax={total(x)}
            aria-valuenow={x.finished}
          >
            <i style={{ '--f': x.finished / total(x) }} />
          </div>
        )}
        <div class="scroll named-rows" tabIndex={0} role="region" aria-label={t('Scores')}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('Player')}</th>
                <th scope="col" class="n">
                  {t('Games')}
                </th>
                <th scope="col" class="n">
                  {t('Mean score')}
                </th>
                <th scope="col" class="n">
                  {t('95 % interval')}
                </th>
                <th scope="col" class="n">
                  {t('Median')}
                </th>
                <th scope="col" class="n">
                  {t('Reach 2048')}
                </th>
                <th scope="col" class="n">
                  {t('Moves/s')}
                </th>
                <th scope="col">
                  <span class="unseen">{t('Games')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {x.report.players.map((s, i) => (
                <tr key={s.player}>
                  <th scope="row" title={s.spec}>
                    {s.player}
                    {s.foresees && ` (${t('knows the coming spawns')})`}
                    {s.forfeits && (
                      <span class="bad">
                        {' '}
                        {t('forfeited {n} of {all}', { n: s.forfeits.games, all: s.games })}
                      </span>
                    )}
                  </th>
                  <td class="n">{whole(s.games)}</td>
                  <td class="n">
                    <b>{s.mean_score === null ? '–' : whole(s.mean_score)}</b>
                  </td>
                  <td class="n">{range(s.mean_score_ci95)}</td>
                  <td class="n">{s.median_score === null ? '–' : whole(s.median_score)}</td>
                  <td class="n">{percent(s.reached['2048']?.share ?? 0)}</td>
                  <td class="n">{s.moves_per_s === null ? '–' : brief(s.moves_per_s)}</td>
                  <td class="n">
                    <Button
                      kind="small"
                      pressed={player === i + 1}
                      disabled={s.games === 0}
                      onClick={() => setPlayer(i + 1)}
                    >
                      {t('Games')}
                      <span class="unseen"> {t('of {player}', { player: s.player })}</span>
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <Means all={x.report.players} />
      </Card>
      {decides(x) && !engine && <Evidence name={x.name} running={x.running} onChange={onChange} />}
      {player > 0 && <Games key={player} name={x.name} player={player} onClose={() => setPlayer(0)} />}
      {x.comparisons.length > 0 && !decides(x) && (
        <Card title={t('Against {player}', { player: x.players[0] ?? '' })}>
          <ul class="list">
            {x.comparisons.map((c) => {
              const ci = c.difference_ci95
              const sure = c.clear
              return (
                <li key={c.player} class="spread">
                  <span>{c.player}</span>
                  <span class={sure ? ((c.difference ?? 0) > 0 ? 'good' : 'bad') : 'dim'}>
                    {c.difference === null
                      ? t('no games yet')
                      : `${c.difference > 0 ? '+' : ''}${brief(c.difference)}${ci ? ` (${range(ci)})` : ''}; ${t('higher in {n} of {all} games', { n: c.higher ?? 0, all: c.games })}${sure ? '' : `; ${t('the difference is not clear')}`}`}
                  </span>
                </li>
              )
            })}
          </ul>
          {x.comparisons.length > 1 && (
            <p class="dim">
              {t('Clear or not: 95 % for all {n} comparisons together (Holm’s correction).', {
                n: x.comparisons.length,
              })}
            </p>
          )}
        </Card>
      )}
      {x.finished > 0 && (
        <Card title={t('Largest tile')}>
          {x.highest.map((h) => (
            <div key={h.player} class="stack tight">
              <h3 class="dim">{h.player}</h3>
              <div class="hbars">
                {h.tiles.map((own) => {
                  const games = h.tiles.reduce((n, u) => n + u.games, 0)
                  return (
                    <div key={own.tile}>
                      <span>{own.tile}</span>
                      <span class="track">
                        <i
                          data-e={exponent(own.tile)}
                          style={{
                            '--f': games ? own.games / games : 0,
                            background: `var(--t${Math.min(exponent(own.tile), 18)})`,
                          }}
                        />
                      </span>
                      <span class="dim">{games ? percent(own.games / games) : ''}</span>
                    </div>
                  )
                })}
              </div>
            </div>
          ))}
        </Card>
      )}
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
