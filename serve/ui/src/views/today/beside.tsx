// Both games of a duel side by side, and the difference of their scores over the moves.
import { useEffect } from 'preact/hooks'
import { t, whole } from '../../base/text'
import { useLoaded } from '../../engine/net'
import { BoardView, shape, useAnnounce } from '../../parts/board'
import { Chart } from '../../parts/chart'
import { type Playback, ReplayControls, usePlayback, useReplayKeys } from '../../parts/replay'
import { Alert, Button, Card, Figure } from '../../parts/ui'
import { type Result, readAddress, replayed } from '../../state/duels'

/** Side shows a game after at most the given number of moves. */
function Side({ name, of: g, at }: { name: string; of: Result; at: number }) {
  const move = Math.min(at, g.count)
  const now = g.positions[move]
  return (
    <section class="side" aria-label={name}>
      <h2>{name}</h2>
      <dl class="figures">
        <Figure main name={t('Score')} value={<span class="score">{whole(now?.score ?? 0)}</span>} />
        <Figure name={t('Moves')} value={<span class="moves">{whole(move)}</span>} />
      </dl>
      <BoardView
        board={now?.board ?? []}
        step={g.steps[move - 1] ?? null}
        label={t('Board of {name}', { name })}
      />
      <p class="dim">{g.over && move === g.count ? t('No moves left') : '\u00a0'}</p>
    </section>
  )
}

/** Difference is the first score minus the second after each move; the shorter game keeps its last score. */
function Difference({ of: [first, second], r }: { of: [Result, Result]; r: Playback }) {
  const [a, b] = [t('the first game'), t('the second game')]
  const score = (g: Result, move: number) => g.positions[Math.min(move, g.count)]?.score ?? 0
  const x = Array.from({ length: r.moves + 1 }, (_, move) => move)
  const y = x.map((move) => score(first, move) - score(second, move))
  const d = y[r.at] ?? 0
  const lead =
    d === 0
      ? t('Equal')
      : t('{name} leads by {n}', { name: (d > 0 ? a : b).replace(/^the/, 'The'), n: Math.abs(d) })
  const announcement = useAnnounce(`${lead}.`)
  return (
    <Card title={t('Score difference')} class="wide">
      <p id="lead">
        <b>{lead}</b> <span class="dim">{t('after {n} moves', { n: r.at })}</span>
      </p>
      <Chart
        x={x}
        xLabel={t('move')}
        zero
        height={180}
        label={t('Score of {a} minus that of {b}, after each move: {lead} after {n} moves', {
          a,
          b,
          lead,
          n: r.at,
        })}
        curves={[{ label: t('difference'), values: y, colour: '--accent' }]}
        at={r.at}
        onPick={r.to}
      />
      <p class="dim">{t('Above 0, {a} is ahead; below 0, {b} is.', { a, b })}</p>
      {announcement}
    </Card>
  )
}

/** BothGames plays back the two games of a duel's link side by side, move by move. */
export function BothGames({ parts }: { parts: string[] }) {
  useEffect(() => scrollTo(0, 0), [])
  const { found, trouble } = useLoaded(async () => {
    const { match, games } = readAddress(parts)
    if (games.length < 2) throw new Error(t('it has one game, not two'))
    return games.map((g, i) => replayed(match, g, i + 1))
  })
  const r = usePlayback(Math.max(0, ...(found ?? []).map((g) => g.count)), 0, true)
  useReplayKeys(r)
  const [first, second] = found ?? []
  if (!first || !second)
    return (
      <div class="narrow stack">
        <Alert text={trouble && t('This link cannot be shown side by side: {why}.', { why: trouble })} />
        <div class="row">
          <Button to="today/duel" text={t('All duels')} />
        </div>
      </div>
    )
  return (
    <div class="stack" style={shape(parts[1] ?? '4x4')}>
      <div class="beside">
        <Side name={t('First game')} of={first} at={r.at} />
        <Side name={t('Second game')} of={second} at={r.at} />
      </div>
      <div class="narrow stack tight">
        <ReplayControls r={r} />
      </div>
      <Difference of={[first, second]} r={r} />
      <div class="row">
        <Button icon="back" to={`today/duel/${parts.join('/')}`} text={t('The duel')} />
      </div>
    </div>
  )
}
