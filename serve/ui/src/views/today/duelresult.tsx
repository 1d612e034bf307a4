// One duel: its games are replayed, checked and compared.
import { useEffect } from 'preact/hooks'
import { go } from '../../base/route'
import { rich, share as shareText, sizeText, t, whole, within } from '../../base/text'
import { useLoaded, usePoll } from '../../engine/net'
import { figure } from '../../parts/accuracy'
import { pageAddress, Share } from '../../parts/share'
import { Alert, Button, Card, Note, Progress, Table } from '../../parts/ui'
import type { Duel, Match, Player } from '../../state/duels'
import { addressOf, compare, finished, goalName, idOf, keep, opened, ownOf } from '../../state/duels'
import { progress, tally } from '../../state/judge'
import type { Insight } from '../../state/luck'
import { complete, contradictory, judgedAll, ledger, luckier, moreOf, soFar } from '../../state/luck'
import { review } from '../../state/reviewed'
import { average, levelOf } from '../../state/strength'
import { dateOfMatch, dateText } from '../../state/today'

export function OneDuel({ parts }: { parts: string[] }) {
  const { found, trouble } = useLoaded(() => opened(parts))
  useEffect(() => scrollTo(0, 0), [])
  if (found) return <Standing {...found} />
  if (!trouble) return <Note text={t('Checking the duel…')} />
  return (
    <div class="narrow stack">
      <Alert text={trouble} />
      <div class="row">
        <Button kind="main" to="today/duel" text={t('All duels')} />
        <Button onClick={() => location.reload()} text={t('Try again')} />
      </div>
    </div>
  )
}

function Standing({ duel, players }: { duel: Duel; players: Player[] }) {
  const own = players.find((p) => p.own)
  const done = own !== undefined && finished(own)
  const [first] = own ? players.filter((p) => !p.own).sort(compare) : players.slice(1)
  return (
    <div class="narrow stack">
      <Card title={t('Duel')} side={<span class="dim">{nameOf(duel)}</span>}>
        <p id="verdict" role="status">
          {verdict(players, duel.goal)}
        </p>
        {players.length > 0 && <Comparison players={players} duel={duel} secret={!own && !first} />}
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
          {first && players[0] && (
            <Button
              icon="watch"
              to={`today/beside/${addressOf(duel, [players[0], first])}`}
              text={t('Side by side')}
            />
          )}
          {done && <Button icon="review" onClick={() => review(own.record, true)} text={t('Review')} />}
          <Button to="today/duel" text={t('All duels')} />
        </div>
        <p class="dim">
          {t('Each player plays this board once, without undo or hints.')}{' '}
          {duel.goal > 0
            ? t(
                'Whoever makes a {tile} in fewer moves wins. If both need the same number, or neither makes it, the higher score wins.',
                { tile: String(duel.goal) },
              )
            : t('The highest score wins.')}{' '}
          {t(
            'Scores are computed here by replaying the moves. This proves that the moves are legal, but not who made them or how.',
          )}
        </p>
      </Card>
    </div>
  )
}

function verdict(players: Player[], goal: number): preact.ComponentChildren {
  const [a, b] = [...players].sort(compare)
  const tile = String(goal)
  if (!a) return t('Nobody has played this board yet.')
  if (!b && a.own)
    return `${t('Your friend has not answered yet.')} ${finished(a) ? '' : t('Your game is not finished.')}`
  if (!b && a.reached !== null) return rich('To beat: a {tile} after *{n}* moves.', { tile, n: a.reached })
  if (!b)
    return finished(a)
      ? rich('To beat: *{n}* points.', { n: a.score })
      : rich('*{n}* points so far. The game is not finished.', { n: a.score })
  const draw = compare(a, b) === 0
  const fewer = a.reached !== null && b.reached !== null && b.reached - a.reached
  const lead =
    a.reached === b.reached || a.reached === null
      ? t('{n} points more.', { n: a.score - b.score })
      : `${t('{tile} after {n} moves', { tile, n: a.reached })}${fewer ? `, ${t('{n} fewer', { n: fewer })}` : ''}.`
  const open = players
    .filter((p) => !finished(p))
    .map((p) => (p.own ? t('your game') : t('the game of {name}', { name: within(p.name) })))
  const games = open.join(t(' and '))
  if (open.length > 0) {
    const leads = a.own ? t('You lead:') : t('{name} leads:', { name: a.name })
    const undecided =
      open.length === 1
        ? t('Not decided: {games} is not finished.', { games })
        : t('Not decided: {games} are not finished.', { games })
    return draw ? undecided : `${undecided} ${leads} ${lead}`
  }
  if (draw) return <b>{t('A draw.')}</b>
  return (
    <>
      <b>{a.own ? t('You win:') : t('{name} wins:', { name: a.name })}</b> {lead}
    </>
  )
}

/** useInsights returns the accuracy and luck of games as they become known, judged at a level. */
const useInsights = (players: Player[], level: string, off: boolean) =>
  usePoll<Insight[]>(
    off ? '' : players.map((p) => p.record).join('\n'),
    async (last, signal) => {
      const all = last ?? players.map((p) => soFar(p.record, level))
      const at = all.findIndex((x) => !complete(x))
      const [x, p] = [all[at], players[at]]
      if (!x || !p) return all
      const next = await moreOf(x, p.record, p.count, level, signal)
      return all.map((y) => (y === x ? next : y))
    },
    0,
    (all) => !all.every(complete),
  )

/** known returns how much of a game is judged, and its luck measured, from 0 to 1. */
function known(p: Player, x: Insight | undefined): number {
  if (!x || complete(x)) return x ? 1 : 0
  return judgedAll(x) ? 0.5 + (0.5 * (x.account?.next ?? 0)) / p.count : 0.5 * progress(x.judged, p.count)
}

const accuracyOf = (x?: Insight) => (x?.judged && judgedAll(x) ? figure(tally(x.judged.moves).accuracy) : '–')

const luckOf = (x?: Insight) =>
  x?.account?.done && !x.unknown && judgedAll(x) && !contradictory(x.account)
    ? t('{share} of games', { share: shareText(luckier(ledger(x.account))) })
    : '–'

type Row = [name: string, cell: (p: Player, i: number) => preact.ComponentChildren]

/** Comparison compares the results. Before the visitor has played, it shows only the result to beat. */
function Comparison({ players, duel, secret }: { players: Player[]; duel: Duel; secret: boolean }) {
  const { goal } = duel
  // Accuracies can only be compared at the same level.
  const level = levelOf(average(players.map((p) => p.score)), duel.size)
  const { result, trouble } = useInsights(players, level, secret)
  const done = players.reduce((sum, p, i) => sum + known(p, result?.[i]) / players.length, 0)
  const toGoal: Row = [
    t('Moves to {tile}', { tile: String(goal) }),
    (p) => (p.reached === null ? '–' : <b>{whole(p.reached)}</b>),
  ]
  const judged: Row[] = [
    [t('Accuracy'), (_, i) => accuracyOf(result?.[i])],
    [t('Luckier than'), (_, i) => luckOf(result?.[i])],
  ]
  const luckless = result?.every((x) => x.unknown)
  const rows: Row[] = [
    [t('Score'), (p) => <b>{whole(p.score)}</b>],
    ...(goal > 0 ? [toGoal] : []),
    [t('Largest tile'), (p) => whole(p.largest)],
    [t('Moves'), (p) => whole(p.count)],
    ...(secret ? [] : judged.slice(0, luckless ? 1 : 2)),
  ]
  return (
    <>
      <Table
        label={t('Comparison')}
        table={{ id: 'compared' }}
        rows={rows}
        id={([name]) => name}
        columns={[
          { name: t('Figure'), unseen: true, cell: ([name]) => name },
          ...players.map((p, i) => ({ name: p.name, number: ([, cell]: Row) => cell(p, i) })),
        ]}
      />
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

export function nameOf(m: Match): string {
  const date = dateOfMatch(m)
  return date ? t('Board of {date}', { date: dateText(date) }) : `${sizeText(m.size)}, ${goalName(m.goal)}`
}

export async function play(d: Duel) {
  await keep(d)
  const date = dateOfMatch(d)
  go(date ? `today/${date}` : `today/duel/${idOf(d)}/play`)
}

/** ShareDuel makes the link of a duel, with the visitor's game and the game of the friend to whom it replies. */
export function ShareDuel({ duel, name, kind }: { duel: Duel; name: string; kind: string }) {
  const answers = duel.others.slice(-1)
  const address = () => {
    keep(duel).catch(() => {})
    return pageAddress(`today/duel/${addressOf(duel, [...answers, ...ownOf(duel)])}`)
  }
  const says = !duel.mine
    ? t('The link contains the board. Your friend plays it and answers with a link.')
    : answers.length > 0
      ? t('The link contains both games. Anyone who opens it sees the comparison.')
      : t(
          'The link contains the board and your game. Your friend plays the same board and answers with a link.',
        )
  return <Share kind={kind} name={name} says={says} address={address} />
}
