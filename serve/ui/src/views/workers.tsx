// The workers of a hub: who plays, how fast, what failed, and what waits for them.
import { brief, whole } from '../format'
import { link } from '../net'
import { usePoll } from '../poll'
import { go } from '../route'
import { rich, t } from '../text'
import type { ExperimentQueue, Worker, WorkerState } from '../types'
import { Button, Card, Figure } from '../ui'

const states: Record<WorkerState, string> = {
  playing: t('plays'),
  waiting: t('waits for games'),
  paused: t('pauses for a minute'),
}

/** good says which states are no reason to look closer. */
const colour: Record<WorkerState, string> = { playing: 'good', waiting: 'dim', paused: 'bad' }

const cores = (w: Worker) => (w.playing ?? []).reduce((n, p) => n + p.cores, 0)

export function WorkersView() {
  const { result, trouble } = usePoll('workers', () => link.ask('experiments.workers', {}), 2000)
  const present = result?.workers ?? []
  const troubles = present.filter((w) => w.trouble)
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
                  {rich('No worker is there. {command} prints the line that starts one.', {
                    command: <code>afterstate-hub</code>,
                  })}
                </p>
              ) : (
                <Workers all={result.workers} />
              )}
              {(result.more ?? 0) > 0 && (
                <p class="dim">{t('{n|One more is|# more are} not shown.', { n: result.more ?? 0 })}</p>
              )}
            </Card>
            {troubles.length > 0 && (
              <Card title={t('Handed back')}>
                <ul class="list">
                  {troubles.map((w) => (
                    <li key={w.id}>
                      <b>{w.name}</b>
                      <br />
                      <span class="dim" lang="en">
                        {w.trouble}
                      </span>
                    </li>
                  ))}
                </ul>
                <p class="dim">
                  {t(
                    'What a worker cannot do it hands back, and others do it. Then it takes nothing for a minute.',
                  )}
                </p>
              </Card>
            )}
            <Card title={t('Queue')}>
              {result.queues.length === 0 ? (
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
            <th scope="col">{t('Version')}</th>
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
              <td>{w.version}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
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
                {t('Jobs')}
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
                <td class="n">{whole(q.jobs)}</td>
                <td lang="en">{q.scheduler}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="dim">
        {t(
          'Jobs are a few games, or a part of a training run: those that wait for a worker, and those that one does.',
        )}
      </p>
    </>
  )
}
