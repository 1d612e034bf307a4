// The workers of a hub: who plays, how fast, what failed, and what waits for them.
import { brief, rich, t, whole } from '../../base/text'
import { link, usePoll } from '../../engine/net'
import { Alert, Button, Card, Figure, Table } from '../../parts/ui'
import type { Worker, WorkerList, WorkerState } from '../../types'

const states: Record<WorkerState, string> = {
  playing: t('plays'),
  waiting: t('waits for games'),
  paused: t('pauses for a minute'),
}

const colour: Record<WorkerState, string> = { playing: 'good', waiting: 'dim', paused: 'bad' }

const cores = (w: Worker) => (w.playing ?? []).reduce((n, p) => n + p.cores, 0)

export function WorkersView() {
  const { result, trouble } = usePoll('workers', () => link.ask('experiments.workers', {}), 2000)
  return (
    <div class="stack">
      <div class="row">
        <Button icon="back" to="experiments" text={t('Experiments')} />
      </div>
      <Alert
        text={
          trouble ||
          (result?.error &&
            t('The hub at {server} does not answer: {reason}', {
              server: result.server ?? '',
              reason: result.error,
            }))
        }
      />
      {!result ? (
        <p role="status">{t('Loading…')}</p>
      ) : !result.server ? (
        <Without />
      ) : (
        !result.error && <Hub of={result} />
      )}
    </div>
  )
}

function Hub({ of: hub }: { of: WorkerList }) {
  const { workers } = hub
  const sum = (of: (w: Worker) => number) => workers.reduce((n, w) => n + of(w), 0)
  return (
    <>
      <Card title={t('Workers')}>
        <p class="dim">
          {rich('Connected through {server}.', { server: <span class="mono">{hub.server}</span> })}
        </p>
        <dl class="figures">
          <Figure name={t('Workers')} value={whole(workers.length)} />
          <Figure
            name={t('Cores that play')}
            value={t('{n} of {all}', { n: sum(cores), all: sum((w) => w.cores) })}
          />
          <Figure name={t('Games a second')} value={brief(sum((w) => w.games_per_s))} />
        </dl>
        {workers.length === 0 ? (
          <p>
            {rich('No workers yet. {command} prints the command that starts one.', {
              command: <code>afterstate-hub</code>,
            })}
          </p>
        ) : (
          <Table
            label={t('Workers')}
            kind="named-rows"
            rows={workers}
            id={(w) => w.id}
            columns={[
              {
                name: t('Worker'),
                cell: (w) => [w.name, w.host && w.host !== w.name && <div class="dim">{w.host}</div>],
              },
              { name: t('State'), cell: (w) => <State of={w} /> },
              { name: t('Games/s'), number: (w) => brief(w.games_per_s) },
              { name: t('Games'), number: (w) => whole(w.games) },
              { name: t('Cores'), number: (w) => whole(w.cores) },
              { name: t('Version'), cell: (w) => w.version },
            ]}
          />
        )}
        {!!hub.more && <p class="dim">{t('{n|One more is|# more are} not shown.', { n: hub.more })}</p>}
      </Card>
      <Card title={t('Queue')}>
        {hub.queues.length === 0 ? (
          <p class="dim">{t('No experiment is being played by workers.')}</p>
        ) : (
          <Table
            label={t('Queue')}
            kind="named-rows"
            rows={hub.queues}
            id={(_, i) => i}
            columns={[
              { name: t('Experiment'), cell: (q) => q.name },
              {
                name: t('Games'),
                number: (q) => [
                  whole(q.finished),
                  !!q.games && (
                    <span class="dim"> {t('of {n}', { n: q.games * (q.players?.length ?? 0) })}</span>
                  ),
                ],
              },
              { name: t('Jobs'), number: (q) => whole(q.jobs) },
              { name: t('Machine'), cell: (q) => <span lang="en">{q.scheduler}</span> },
            ]}
          />
        )}
      </Card>
    </>
  )
}

const Without = () => (
  <Card title={t('Workers')}>
    <p>
      {t(
        'This server has no hub, so only its own machine plays. With a hub, other machines play too. Run both commands on this machine:',
      )}
    </p>
    <p class="mono">
      afterstate-hub --listen 0.0.0.0:4222
      <br />
      afterstate serve --nats hub
    </p>
    <p>{t('The hub prints the command to run on other machines.')}</p>
  </Card>
)

const State = ({ of: w }: { of: Worker }) => (
  <>
    <span class={colour[w.state]}>{states[w.state]}</span>
    {w.trouble && (
      <div class="bad" lang="en">
        {w.trouble}
      </div>
    )}
    {w.playing?.map((p) => (
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
