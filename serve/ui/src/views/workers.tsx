// The workers of a hub: who plays, how fast, what failed, and what waits for them.
import { ago, brief, lasting, whole } from '../format'
import { link } from '../net'
import { usePoll } from '../poll'
import { go } from '../route'
import { rich, t } from '../text'
import type { ExperimentQueue, FailureKind, Worker, WorkerFailure, WorkerState } from '../types'
import { Button, Card, Figure } from '../ui'

const states: Record<WorkerState, string> = {
  playing: t('plays'),
  waiting: t('waits for games'),
  lost: t('lost@worker'),
  rejected: t('rejected'),
}

/** good says which states are no reason to look closer. */
const colour: Record<WorkerState, string> = { playing: 'good', waiting: 'dim', lost: 'bad', rejected: 'bad' }

const cores = (w: Worker) => (w.playing ?? []).reduce((n, p) => n + p.cores, 0)

export function WorkersView() {
  const { result, trouble } = usePoll('workers', () => link.ask('experiments.workers', {}), 2000)
  const failures =
    result?.workers.flatMap((w) => (w.failures ?? []).map((failure) => ({ worker: w, failure }))) ?? []
  const present = result?.workers.filter((w) => w.state === 'playing' || w.state === 'waiting') ?? []
  return (
    <div class="stack">
      <div class="row">
        <Button icon="back" onClick={() => go('experiments')}>
          {t('Experiments')}
        </Button>
      </div>
      {(trouble || result?.error) && (
        <p class="bad" role="alert">
          {trouble ||
            t('The hub at {server} does not answer: {reason}', {
              server: result?.server ?? '',
              reason: result?.error ?? '',
            })}
        </p>
      )}
      {!result ? (
        <p role="status">{t('Loading…')}</p>
      ) : !result.server ? (
        <Without />
      ) : (
        !result.error && (
          <>
            <Card title={t('Workers')}>
              <p class="dim">
                {rich('Connected by {server}.', { server: <span class="mono">{result.server}</span> })}
              </p>
              <dl class="figures">
                <Figure name={t('Workers')} value={whole(present.length)} />
                <Figure
                  name={t('Cores that play')}
                  value={t('{n} of {all}', {
                    n: present.reduce((n, w) => n + cores(w), 0),
                    all: present.reduce((n, w) => n + w.cores, 0),
                  })}
                />
                <Figure
                  name={t('Games a second')}
                  value={brief(present.reduce((n, w) => n + w.games_per_s, 0))}
                />
              </dl>
              {result.workers.length === 0 ? (
                <p>
                  {rich(
                    'No worker was heard in the last ten minutes. {command} prints the line that starts one.',
                    { command: <code>afterstate-hub</code> },
                  )}
                </p>
              ) : (
                <Workers all={result.workers} />
              )}
              {(result.more ?? 0) > 0 && (
                <p class="dim">{t('{n|One more is|# more are} not shown.', { n: result.more ?? 0 })}</p>
              )}
            </Card>
            <Card title={t('What failed')}>
              {failures.length === 0 ? (
                <p class="dim">{t('Nothing, at the workers above since they were started.')}</p>
              ) : (
                <ul class="list">
                  {failures.map(({ worker, failure }, i) => (
                    <li key={i}>
                      <b>{worker.name}</b>: {what(failure)}
                      {failure.reason && (
                        <>
                          <br />
                          <span class="dim" lang="en">
                            {failure.reason}
                          </span>
                        </>
                      )}
                    </li>
                  ))}
                </ul>
              )}
            </Card>
            <Card title={t('Queue')}>
              {result.queues_denied ? (
                <p>
                  {t(
                    'This server has the address of a worker, who may not see the queue. Start it with the address of the hub’s owner.',
                  )}
                </p>
              ) : result.queues.length === 0 ? (
                <p class="dim">{t('No experiment is played by workers at present.')}</p>
              ) : (
                <Queues all={result.queues} />
              )}
            </Card>
          </>
        )
      )}
    </div>
  )
}

/** Without says how a server gets workers. */
function Without() {
  return (
    <Card title={t('Workers')}>
      <p>
        {t(
          'This server has no hub, so that only its own machine plays. With a hub, other machines play too. On this machine, run both:',
        )}
      </p>
      <p class="mono">
        afterstate-hub --listen 0.0.0.0:4222
        <br />
        afterstate serve --nats hub
      </p>
      <p>
        {rich(
          'The hub prints a line for each other machine, which begins with {command}. They appear here when they have run it.',
          { command: <code>afterstate worker</code> },
        )}
      </p>
    </Card>
  )
}

function Workers({ all }: { all: Worker[] }) {
  return (
    <div class="scroll named-rows" tabIndex={0} role="region" aria-label={t('Workers')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Worker')}</th>
            <th scope="col">{t('State')}</th>
            <th scope="col" class="n">
              {t('Games/s')}
            </th>
            <th scope="col" class="n">
              {t('Games')}
            </th>
            <th scope="col" class="n">
              {t('Cores')}
            </th>
            <th scope="col">{t('Chunk')}</th>
            <th scope="col">{t('Version')}</th>
            <th scope="col">{t('Last heard')}</th>
          </tr>
        </thead>
        <tbody>
          {all.map((w) => (
            <tr key={w.id}>
              <th scope="row">
                {w.name}
                {w.host && w.host !== w.name && (
                  <>
                    <br />
                    <span class="dim">{w.host}</span>
                  </>
                )}
              </th>
              <td>
                <span class={colour[w.state]}>{states[w.state]}</span>
                {w.state !== 'lost' && <span class="dim"> · {lasting(w.since_s)}</span>}
                {(w.playing ?? []).map((p) => (
                  <div key={p.experiment + p.player} class="dim">
                    {t('{experiment}: {player} on {n|one core|# cores}', {
                      experiment: p.experiment,
                      player: p.player,
                      n: p.cores,
                    })}
                  </div>
                ))}
              </td>
              <td class="n">{brief(w.games_per_s)}</td>
              <td class="n">{whole(w.games)}</td>
              <td class="n">{whole(w.cores)}</td>
              <td>
                {w.playing && <br />}
                {(w.playing ?? []).map((p) => (
                  <div key={p.experiment + p.player}>
                    {t('games {first} to {last}', { first: p.first_game, last: p.last_game })}
                    <span class="dim"> · {lasting(p.for_s)}</span>
                  </div>
                ))}
              </td>
              <td>{w.version}</td>
              <td>{w.heard_s < 60 ? t('{n} s ago', { n: Math.floor(w.heard_s) }) : ago(1000 * w.heard_s)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** what names a failure. */
function what(f: WorkerFailure): string {
  const values = { n: f.count ?? 0, player: f.player ?? '', experiment: f.experiment ?? '' }
  const of: Record<FailureKind, string> = {
    forfeits: t('{n|One game|# games} forfeited by {player} of {experiment}', values),
    chunks: t('{n|One chunk|# chunks} of {player} of {experiment} given up; others play it', values),
    lost_leases: t(
      '{n|One chunk|# chunks} of {player} of {experiment} handed out again: the worker was silent for too long',
      values,
    ),
    refused: t('does not play {player} of {experiment}', values),
    rejected: t('rejected, because it delivered a false game'),
  }
  return of[f.kind]
}

function Queues({ all }: { all: ExperimentQueue[] }) {
  return (
    <>
      <div class="scroll named-rows" tabIndex={0} role="region" aria-label={t('Queue')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Experiment')}</th>
              <th scope="col" class="n">
                {t('Games')}
              </th>
              <th scope="col" class="n">
                {t('Waiting')}
              </th>
              <th scope="col" class="n">
                {t('Handed out')}
              </th>
              <th scope="col" class="n">
                {t('Handed out again')}
              </th>
              <th scope="col" class="n">
                {t('To store')}
              </th>
              <th scope="col">{t('Machine')}</th>
            </tr>
          </thead>
          <tbody>
            {all.map((q, i) => (
              <tr key={i}>
                <th scope="row">{q.name}</th>
                <td class="n">
                  {whole(q.finished)}
                  {(q.games ?? 0) > 0 && (
                    <span class="dim"> {t('of {n}', { n: (q.games ?? 0) * (q.players?.length ?? 0) })}</span>
                  )}
                </td>
                <td class="n">{whole(q.waiting)}</td>
                <td class="n">{whole(q.leased)}</td>
                <td class={q.redelivered > 0 ? 'n bad' : 'n'}>{whole(q.redelivered)}</td>
                <td class="n">{whole(q.results)}</td>
                <td>
                  {q.scheduler ? (
                    <span lang="en">{q.scheduler}</span>
                  ) : (
                    <span class="bad">{t('stopped')}</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="dim">
        {t(
          'Chunks of games: those that wait for a worker, that were handed out, and of these those that were handed out more than once, because a worker was lost. To store: deliveries that the machine of the experiment has not stored yet.',
        )}
      </p>
    </>
  )
}
