// The workers of a hub: who plays, how fast, what failed, and what waits for them.

import { brief, whole } from '../../base/format'
import { rich, t } from '../../base/text'
import { link } from '../../engine/net'
import { usePoll } from '../../engine/poll'
import { Table } from '../../parts/table'
import { Button, Card, Figure } from '../../parts/ui'
import type { ExperimentQueue, Worker, WorkerState } from '../../types'

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
        <Button icon="back" to="experiments" text={t('Experiments')} />
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

const Workers = ({ all }: { all: Worker[] }) => (
  <Table
    label={t('Workers')}
    kind="named-rows"
    rows={all}
    id={(w) => w.id}
    columns={[
      { name: t('Worker'), cell: (w) => <Named of={w} /> },
      { name: t('State'), cell: (w) => <State of={w} /> },
      { name: t('Games/s'), number: (w) => brief(w.games_per_s) },
      { name: t('Games'), number: (w) => whole(w.games) },
      { name: t('Cores'), number: (w) => whole(w.cores) },
      { name: t('Version'), cell: (w) => w.version },
    ]}
  />
)

const Named = ({ of: w }: { of: Worker }) => (
  <>
    {w.name}
    {w.host && w.host !== w.name && (
      <>
        <br />
        <span class="dim">{w.host}</span>
      </>
    )}
  </>
)

const State = ({ of: w }: { of: Worker }) => (
  <>
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
  </>
)

/** Finished is how many games of an experiment are finished, and of how many. */
function Finished({ of: q }: { of: ExperimentQueue }) {
  const all = (q.games ?? 0) * (q.players?.length ?? 0)
  return (
    <>
      {whole(q.finished)}
      {(q.games ?? 0) > 0 && <span class="dim"> {t('of {n}', { n: all })}</span>}
    </>
  )
}

function Queues({ all }: { all: ExperimentQueue[] }) {
  return (
    <>
      <Table
        label={t('Queue')}
        kind="named-rows"
        rows={all}
        id={(_, i) => i}
        columns={[
          { name: t('Experiment'), cell: (q) => q.name },
          { name: t('Games'), number: (q) => <Finished of={q} /> },
          { name: t('Jobs'), number: (q) => whole(q.jobs) },
          { name: t('Machine'), cell: (q) => <span lang="en">{q.scheduler}</span> },
        ]}
      />
      <p class="dim">
        {t(
          'Jobs are a few games, or a part of a training run: those that wait for a worker, and those that one does.',
        )}
      </p>
    </>
  )
}
