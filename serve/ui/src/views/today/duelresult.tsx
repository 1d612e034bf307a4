// One duel: its games are replayed, checked and compared.

import { useEffect, useState } from 'preact/hooks'
import { share as shareText, whole } from '../../base/format'
import { rich, t, within } from '../../base/text'
import { complaint } from '../../engine/net'
import { usePoll } from '../../engine/poll'
import { figure } from '../../parts/accuracy'
import { Alert, Button, Card, Note, Progress } from '../../parts/ui'
import {
  addressOf,
  begun,
  compare,
  type Duel,
  drop,
  finished,
  type Game,
  gameOf,
  keep,
  kept,
  LinkError,
  matchOf,
  type Outcome,
  ownOf,
  type Result,
  readAddress,
  replayed,
} from '../../state/duels'
import { complete, type Insight, judgedAll, more, soFar } from '../../state/insight'
import { progress, tally } from '../../state/judge'
import { recordOf } from '../../state/kept'
import { levelOf } from '../../state/levels'
import { contradictory, ledger, luckier } from '../../state/luck'
import { review } from '../../state/reviewed'
import { average } from '../../state/strength'
import { nameOf, play, ShareDuel } from './duelgame'

interface Player extends Game, Result {
  name: string
  own: boolean
}

/** opened reads what an address holds, joins it with what is kept, and replays all games. It throws a
    LinkError if the address is wrong. */
async function opened(parts: string[]): Promise<{ duel: Duel; players: Player[]; stored: boolean }> {
  const { match, games } = parts.length === 3 ? { match: matchOf(...parts), games: [] } : readAddress(parts)
  const results = new Map<string, Result>()
  for (const [i, g] of games.entries()) {
    try {
      results.set(g.by, replayed(match, g))
    } catch (e) {
      if (!(e instanceof LinkError)) throw e
      throw new LinkError(
        games.length > 1
          ? t('its game {n} breaks the rules: {why}', { n: i + 1, why: e.message })
          : t('its game breaks the rules: {why}', { why: e.message }),
      )
    }
  }
  const here = await kept(match)
  const known = here ?? begun(match)
  const duel =
    here || known.mine
      ? await keep({ ...known, others: [...known.others, ...games] })
      : { ...known, others: games }
  const all = [...ownOf(duel), ...duel.others]
  const players: Player[] = []
  for (const [i, g] of all.entries()) {
    const own = g.by === duel.by
    const friend = i + (duel.mine ? 0 : 1)
    const name = own
      ? t('You')
      : !duel.mine && all.length > 1
        ? t('Player {n}', { n: friend })
        : duel.others.length > 1
          ? t('Friend {n}', { n: friend })
          : t('Your friend')
    const seen = results.get(g.by)
    players.push({
      ...(seen && seen.moves === g.moves ? seen : replayed(match, g)),
      by: g.by,
      name,
      own,
    })
  }
  return { duel, players, stored: here !== null || duel.mine !== null }
}

export function OneDuel({ parts }: { parts: string[] }) {
  const [found, setFound] = useState<{ duel: Duel; players: Player[] } | null>(null)
  const [refused, setRefused] = useState('')
  const [trouble, setTrouble] = useState('')
  useEffect(() => {
    opened(parts)
      .then(async ({ duel, players, stored }) => {
        const outcome = outcomeOf(players)
        setFound({ duel: { ...duel, outcome }, players })
        if (players[0]?.own && finished(players[0])) drop(duel)
        if (stored && outcome !== duel.outcome) await keep({ ...duel, outcome })
      })
      .catch((e: unknown) => (e instanceof LinkError ? setRefused(e.message) : setTrouble(complaint(e))))
  }, [])
  if (trouble && !found) {
    return (
      <div class="narrow stack">
        <Alert text={t('The duel could not be opened: {why}', { why: trouble })} />
        <div class="row">
          <Button kind="main" onClick={() => location.reload()} text={t('Try again')} />
          <Button to="play" text={t('Play')} />
        </div>
      </div>
    )
  }
  if (refused) {
    return (
      <div class="narrow stack">
        <Card title={t('This is no duel')}>
          <Alert text={t('This link holds no duel: {why}. Ask for it again.', { why: refused })} />
          <div class="row">
            <Button kind="main" to="today/duel" text={t('All duels')} />
            <Button to="play" text={t('Play')} />
          </div>
        </Card>
      </div>
    )
  }
  if (!found) return <Note text={t('Checking the duel…')} />
  return <Standing {...found} />
}

/** decided returns the players from the best to the worst, null while one of them, or only one, plays. */
function decided(players: Player[]): Player[] | null {
  return players.length > 1 && players.every(finished) ? [...players].sort(compare) : null
}

function outcomeOf(players: Player[]): Outcome | null {
  const own = players.find((p) => p.own)
  const order = decided(players)
  const best = order?.find((p) => !p.own)
  if (!own || !best) return null
  const c = compare(own, best)
  return c < 0 ? 'won' : c > 0 ? 'lost' : 'draw'
}

function Standing({ duel, players }: { duel: Duel; players: Player[] }) {
  const [own] = players.filter((p) => p.own)
  const compared = players.length > 1
  const done = own !== undefined && finished(own)
  const [first] = own ? [...players].filter((p) => !p.own).sort(compare) : players.slice(1)
  const pair = first && players[0] && [players[0], first]
  return (
    <div class="narrow stack">
      <Card title={t('Duel')} side={<span class="dim">{nameOf(duel)}</span>}>
        <p id="verdict" role="status">
          <Verdict players={players} goal={duel.goal} />
        </p>
        {players.length > 0 && <Table players={players} duel={duel} secret={!own && !compared} />}
        <div class="row four">
          {!done && (
            <Button
              kind="main"
              icon="play"
              onClick={() => play(duel)}
              text={own ? t('Play on') : t('Play this board')}
            />
          )}
          {(own || players.length === 0) && (
            <ShareDuel
              duel={duel}
              kind={done ? 'main' : ''}
              name={own ? t('Send your game') : t('Challenge link')}
            />
          )}
          {pair && (
            <Button icon="watch" to={`today/beside/${addressOf(duel, pair)}`} text={t('Side by side')} />
          )}
          {own && done && (
            <Button
              icon="review"
              onClick={() => review(recordOf(gameOf(duel, own)), true)}
              text={t('Review')}
            />
          )}
          <Button to="today/duel" text={t('All duels')} />
        </div>
        <p class="dim">
          {rules(duel.goal)}{' '}
          {t(
            'Scores are counted here, by replaying the moves. A link shows that moves are legal, not who made them or how.',
          )}
        </p>
      </Card>
    </div>
  )
}

const rules = (goal: number) =>
  `${t('Each plays this board once, without undo and hints.')} ${goal > 0 ? t('Who makes a {tile} in the fewest moves wins; if these are equal, or nobody makes it, the highest score.', { tile: String(goal) }) : t('The highest score wins.')}`

function Verdict({ players, goal }: { players: Player[]; goal: number }) {
  const [a, b] = decided(players) ?? [...players].sort(compare)
  if (!a) return <>{t('Nobody has played this board yet.')}</>
  if (!b)
    return a.own ? (
      <>
        {t('Your friend has not answered yet.')}
        {!finished(a) && ` ${t('Your game is not finished.')}`}
      </>
    ) : goal > 0 && a.reached !== null ? (
      rich('To beat: a {tile} after *{n}* moves.', { tile: String(goal), n: a.reached })
    ) : finished(a) ? (
      rich('To beat: *{n}* points.', { n: a.score })
    ) : (
      rich('*{n}* points so far. The game is not finished.', { n: a.score })
    )
  const lead =
    a.reached !== b.reached && a.reached !== null
      ? ` ${t('{tile} after {n} moves', { tile: String(goal), n: a.reached })}${b.reached !== null ? `, ${t('{n} fewer', { n: b.reached - a.reached })}` : ''}.`
      : ` ${t('{n} points more.', { n: a.score - b.score })}`
  const open = players
    .filter((p) => !finished(p))
    .map((p) => (p.own ? t('your game') : t('the game of {name}', { name: within(p.name) })))
  if (open.length > 0)
    return (
      <>
        {open.length === 1
          ? t('Not decided: {games} is not finished.', { games: open[0] ?? '' })
          : t('Not decided: {games} are not finished.', { games: open.join(t(' and ')) })}
        {compare(a, b) !== 0 && ` ${a.own ? t('You lead:') : t('{name} leads:', { name: a.name })}${lead}`}
      </>
    )
  if (compare(a, b) === 0) return <b>{t('A draw.')}</b>
  return (
    <>
      <b>{a.own ? t('You win:') : t('{name} wins:', { name: a.name })}</b>
      {lead}
    </>
  )
}

/** Figures are what is known of a game, with its record, which is asked for first. */
type Figures = Insight & { record: string }

const figuresOf = new Map<string, Figures>() // by level, board and moves

type Row = [name: string, cell: (p: Player, i: number) => preact.ComponentChildren]

/** useFigures returns the accuracy and luck of games, as they become known; a level judges. */
function useFigures(players: Player[], duel: Duel, level: string, off: boolean) {
  const of = (p: Player) => `${level} ${duel.size} ${duel.seed} ${p.count} ${p.moves}`
  return usePoll<(Figures | null)[]>(
    off ? '' : players.map(of).join('\n'),
    async (last, signal) => {
      const all = last ?? players.map((p) => figuresOf.get(of(p)) ?? null)
      const at = all.findIndex((f) => !f || !complete(f))
      const p = players[at]
      if (!p) return all
      const record = all[at]?.record ?? recordOf(gameOf(duel, p))
      const known = all[at] ?? soFar(record, level)
      const next = { ...(await more(known, record, p.count, level, signal)), record }
      figuresOf.set(of(p), next)
      return all.map((x, i) => (i === at ? next : x))
    },
    0,
    (all) => !all.every((f) => f && complete(f)),
  )
}

/** known returns how much of a game is judged, and its luck measured, from 0 to 1. */
function known(p: Player, f: Figures | null | undefined): number {
  if (!f) return 0
  if (complete(f)) return 1
  return judgedAll(f) ? 0.5 + (0.5 * (f.account?.next ?? 0)) / p.count : 0.5 * progress(f.judged, p.count)
}

/** Table compares the results. Of a game to beat, before the visitor has played, it says no more than what is
    to beat. */
function Table({ players, duel, secret }: { players: Player[]; duel: Duel; secret: boolean }) {
  const { goal } = duel
  // Accuracies compare at one level only.
  const level = duel.size === '4x4' ? levelOf(average(players.map((p) => p.score))) : ''
  const { result, trouble } = useFigures(players, duel, level, secret)
  const done = players.reduce((sum, p, i) => sum + known(p, result?.[i]) / players.length, 0)
  const accuracy = (f?: Figures | null) =>
    f?.judged && judgedAll(f) ? figure(tally(f.judged.moves).accuracy) : '–'
  const luck = (f?: Figures | null) =>
    f?.account?.done && !f.unknown && judgedAll(f) && !contradictory(f.account)
      ? t('{share} of games', { share: shareText(luckier(ledger(f.account))) })
      : '–'
  const toGoal: Row = [
    t('Moves to {tile}', { tile: String(goal) }),
    (p) => (p.reached === null ? '–' : <b>{whole(p.reached)}</b>),
  ]
  const judged: Row[] = [
    [t('Accuracy'), (_, i) => accuracy(result?.[i])],
    [t('Luckier than'), (_, i) => luck(result?.[i])],
  ]
  const rows: Row[] = [
    [t('Score'), (p) => <b>{whole(p.score)}</b>],
    ...(goal > 0 ? [toGoal] : []),
    [t('Largest tile'), (p) => whole(p.largest)],
    [t('Moves'), (p) => whole(p.count)],
    ...(secret ? [] : judged),
  ]
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label={t('Comparison')}>
        <table id="compared">
          <thead>
            <tr>
              <th scope="col">
                <span class="unseen">{t('Figure')}</span>
              </th>
              {players.map((p) => (
                <th key={p.name} scope="col" class="n">
                  {p.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, cell]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {players.map((p, i) => (
                  <td key={p.name} class="n">
                    {cell(p, i)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Alert text={trouble} />
      {!secret && !trouble && done < 1 && (
        <div class="stack tight">
          <p class="dim">{t('The moves are being judged…')}</p>
          <Progress name={t('Judged moves')} value={100 * done} max={100} />
        </div>
      )}
    </>
  )
}
