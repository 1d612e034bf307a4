// The results of an experiment's players.
import { useState } from 'preact/hooks'
import { sizeOf } from '../../base/boards'
import { offer } from '../../base/offer'
import { brief, percent, sizeText, t, whole } from '../../base/text'
import { engine, link, useAttempt, usePoll, useRequest } from '../../engine/net'
import { BoardView, shape } from '../../parts/board'
import { Chart, colours } from '../../parts/chart'
import { Choices } from '../../parts/fields'
import { later } from '../../parts/later'
import { ReplayControls, useReplay } from '../../parts/replay'
import { Alert, Button, Card, CloseButton, Dialog, Progress, Table } from '../../parts/ui'
import { review } from '../../state/reviewed'
import type {
  ComparisonToFirst,
  ExperimentInfo,
  ExperimentRecords,
  ExperimentResults,
  HighestTiles,
  Interval95,
  StoredGame,
} from '../../types'

/** total returns the requested number of games of all players together. */
export const total = (x: ExperimentInfo) => x.games * x.players.length

/** decides reports whether an experiment ends at a verdict, after an unknown number of games. */
export const decides = (x: ExperimentInfo) => x.games === 0

const Evidence = later(async () => (await import('./evidence')).EvidenceCard)

const range = (ci: Interval95 | null) =>
  ci ? t('{low} to {high}', { low: brief(ci[0]), high: brief(ci[1]) }) : ''

export function Results({ x, onChange }: { x: ExperimentResults; onChange: () => void }) {
  const [player, setPlayer] = useState(0) // number of the player whose games are listed
  const { trouble, attempt } = useAttempt()
  // Update the list even after a refusal: another tab may already have started or stopped the experiment.
  const change = (method: 'experiments.start' | 'experiments.stop') =>
    attempt(() => link.ask(method, { name: x.name }), `${method}: `).then(onChange)
  const resume = () => change('experiments.start')
  return (
    <>
      <Card
        title={x.name}
        side={
          <span class="row">
            <Files x={x} attempt={attempt} />
            {x.running ? (
              <Button kind="small" onClick={() => change('experiments.stop')} text={t('Stop')} />
            ) : (
              !decides(x) &&
              x.finished < total(x) && <Button kind="small" onClick={resume} text={t('Resume')} />
            )}
          </span>
        }
      >
        <Alert text={trouble} />
        <Scores x={x} player={player} onPlayer={setPlayer} />
      </Card>
      {decides(x) && !engine && <Evidence name={x.name} running={x.running} onResume={resume} />}
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

function Files({ x, attempt }: { x: ExperimentResults; attempt: ReturnType<typeof useAttempt>['attempt'] }) {
  const { name } = x
  const file = (text: string, label: string, method: string, save: () => Promise<void>) => (
    <Button
      kind="small"
      icon="save"
      label={label}
      disabled={x.finished === 0}
      onClick={() => attempt(save, `${method}: `)}
      text={text}
    />
  )
  return (
    <>
      {!engine &&
        file(t('Report'), t('Save the report as a page'), 'experiments.report', async () =>
          offer(`${name}.html`, 'text/html', (await link.ask('experiments.report', { name })).html),
        )}
      {file(t('Records'), t('Save the records of all games'), 'experiments.records', async () =>
        offer(`${name}.jsonl`, 'application/jsonl', await allRecords(x)),
      )}
    </>
  )
}

const Scores = ({ x, ...p }: { x: ExperimentResults; player: number; onPlayer: (n: number) => void }) => (
  <>
    <p class="dim">
      {t('{n|One player|# players} on {size}', { n: x.players.length, size: sizeText(x.size) })},{' '}
      {decides(x)
        ? t('until the verdict is clear, seed {seed}', { seed: String(x.report.seed) })
        : t('{n} games each, seed {seed}', { n: x.games, seed: String(x.report.seed) })}
      {x.error === 'stopped' && ` · ${t('stopped early')}`}
    </p>
    {engine && x.running && (
      <p class="dim">{t('This experiment runs on this device while this page is open.')}</p>
    )}
    <Alert text={x.error !== 'stopped' && x.error} />
    {x.running && !decides(x) && <Progress name={t('Games finished')} value={x.finished} max={total(x)} />}
    <Table
      label={t('Scores')}
      kind="named-rows"
      rows={x.report.players}
      id={(s) => s.player}
      columns={[
        {
          name: t('Player'),
          cell: (s) => (
            <span title={s.spec}>
              {s.player}
              {s.foresees && ` (${t('knows the coming tiles')})`}
              {s.forfeits && (
                <span class="bad">
                  {' '}
                  {t('forfeited {n} of {all} games', { n: s.forfeits.games, all: s.games })}
                </span>
              )}
            </span>
          ),
        },
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
  </>
)

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
          {t(
            'A difference is clear if it is significant at the 95 % level for all comparisons together (Holm’s correction).',
          )}
        </p>
      )}
    </Card>
  )
}

/** Tiles shows how often each tile was the largest one. */
function Tiles({ x }: { x: ExperimentResults }) {
  const columns = x.highest[0]?.tiles.map(({ tile }, i) => ({
    name: String(tile),
    number: ({ tiles }: HighestTiles) =>
      percent(
        (tiles[i]?.games ?? 0) /
          Math.max(
            1,
            tiles.reduce((n, u) => n + u.games, 0),
          ),
      ),
  }))
  return (
    <Card title={t('Largest tile')}>
      <Table
        label={t('Largest tile')}
        kind="named-rows"
        rows={x.highest}
        id={(h) => h.player}
        columns={[{ name: t('Player'), cell: (h) => h.player }, ...(columns ?? [])]}
      />
    </Card>
  )
}

/** Games lists the games of a player with the highest or lowest scores. */
export function Games({ name, player, onClose }: { name: string; player: number; onClose: () => void }) {
  const [worst, setWorst] = useState(false)
  const [game, setGame] = useState<StoredGame | null>(null)
  const found = usePoll(
    `${name}/${player}/${worst}`,
    () => link.ask('experiments.games', { name, player, worst }),
    10_000,
  )
  const all = found.result
  return (
    <Card
      title={all ? t('Games of {player}', { player: all.player }) : t('Games')}
      side={<CloseButton kind="small" onClick={onClose} />}
    >
      <Alert text={found.trouble} />
      {all && (
        <>
          <div class="spread">
            <Choices
              label={t('Games')}
              value={worst}
              of={[false, true]}
              name={(lowest) => (lowest ? t('Lowest scores') : t('Highest scores'))}
              onChange={setWorst}
            />
            <span class="dim">{t('{n} of {all} games', { n: all.games.length, all: all.total })}</span>
          </div>
          <Table
            label={t('Games')}
            rows={all.games}
            id={(g) => g.game}
            columns={[
              {
                name: t('Game'),
                cell: (g) => [
                  whole(g.game),
                  g.forfeit && <span class="bad"> {t('forfeited: {why}', { why: g.forfeit })}</span>,
                ],
              },
              { name: t('Score'), number: (g) => whole(g.score) },
              { name: t('Largest tile'), number: (g) => whole(g.max_tile) },
              { name: t('Moves'), number: (g) => whole(g.moves) },
              {
                name: t('Watch'),
                unseen: true,
                number: (g) => (
                  <Button
                    kind="small"
                    icon="watch"
                    onClick={() => setGame(g)}
                    text={t('Watch')}
                    about={t('game {n}', { n: g.game })}
                  />
                ),
              },
            ]}
          />
        </>
      )}
      {game && all && (
        <Replay
          name={name}
          player={player}
          title={`${all.player}, ${t('game {n}', { n: game.game })}`}
          game={game}
          onClose={() => setGame(null)}
        />
      )}
    </Card>
  )
}

function Replay(p: { name: string; player: number; game: StoredGame; title: string; onClose: () => void }) {
  const { name, player, game } = p
  const { result, trouble } = useRequest('experiments.record', { name, player, game: game.game })
  const record = result?.record ?? ''
  const r = useReplay(record, game.moves, 0, true)
  const { shown } = r
  return (
    <Dialog title={p.title} onClose={p.onClose}>
      <Alert text={trouble || r.trouble} />
      {shown && (
        <div class="replay" style={shape(sizeOf(shown.board))}>
          <BoardView board={shown.board} step={shown.step} />
        </div>
      )}
      <p role="status">
        {shown
          ? t('Move {n} of {all}, score {score}', { n: r.at, all: game.moves, score: shown.score })
          : t('Loading…')}
      </p>
      <ReplayControls r={r} />
      <div class="row fill">
        <Button
          icon="review"
          disabled={!record}
          onClick={() => review(record)}
          text={t('Review this game')}
        />
        <CloseButton kind="plain" onClick={p.onClose} />
      </div>
    </Dialog>
  )
}
