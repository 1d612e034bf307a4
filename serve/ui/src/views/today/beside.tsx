// Both games of a duel side by side, and the difference of their scores over the moves.
import { useEffect } from 'preact/hooks'
import { t, whole } from '../../base/text'
import { useLoaded } from '../../engine/net'
import { BoardView, shape, useAnnounce } from '../../parts/board'
import { Chart } from '../../parts/chart'
import { type Playback, ReplayControls, usePlayback, useReplayKeys } from '../../parts/replay'
import { Alert, Button, Card, Figure } from '../../parts/ui'
import { opened, type Player } from '../../state/duels'

/** Side shows a game after at most the given number of moves. */
function Side({ of: g, at }: { of: Player; at: number }) {
  const move = Math.min(at, g.count)
  const now = g.positions[move]
  return (
    <section class="side" aria-label={g.name}>
      <h2>{g.name}</h2>
      <dl class="figures">
        <Figure main name={t('Score')} value={<span class="score">{whole(now?.score ?? 0)}</span>} />
        <Figure name={t('Moves')} value={<span class="moves">{whole(move)}</span>} />
      </dl>
      <BoardView
        board={now?.board ?? []}
        step={g.steps[move - 1] ?? null}
        label={t('Board of {name}', { name: g.name })}
      />
      <p class="dim">{g.over && move === g.count ? t('No moves left') : '\u00a0'}</p>
    </section>
  )
}

/** Difference is the first score minus the second after each move; the shorter game keeps its last score. */
function Difference({ of: [first, second], r }: { of: [Player, Player]; r: Playback }) {
  const score = (g: Player, move: number) => g.positions[Math.min(move, g.count)]?.score ?? 0
  const x = Array.from({ length: r.moves + 1 }, (_, move) => move)
  const y = x.map((move) => score(first, move) - score(second, move))
  const d = y[r.at] ?? 0
  const { own, name } = d > 0 ? first : second
  const lead =
    d === 0
      ? t('Equal')
      : `${own ? t('You lead:') : t('{name} leads:', { name })} ${t('{n} points more', { n: Math.abs(d) })}`
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
        label={t('Score difference after each move: {lead} after {n} moves', { lead, n: r.at })}
        curves={[{ label: t('difference'), values: y, colour: '--accent' }]}
        at={r.at}
        onPick={r.to}
      />
      <p class="dim">
        {first.own ? t('Above 0, you are ahead.') : t('Above 0, {name} is ahead.', { name: first.name })}
      </p>
      {announcement}
    </Card>
  )
}

/** BothGames plays back the two games of a duel's link side by side, move by move. */
export function BothGames({ parts }: { parts: string[] }) {
  useEffect(() => scrollTo(0, 0), [])
  const { found, trouble } = useLoaded(async () => {
    const { players } = await opened(parts) // the visitor first
    const both = players.filter((p) => parts.includes(p.by))
    if (both.length < 2) throw new Error(t('This link has one game, not two.'))
    return both
  })
  const r = usePlayback(Math.max(0, ...(found ?? []).map((g) => g.count)), 0, true)
  useReplayKeys(r)
  const [first, second] = found ?? []
  if (!first || !second)
    return (
      <div class="narrow stack">
        <Alert text={trouble} />
        <div class="row">
          <Button to="today/duel" text={t('All duels')} />
        </div>
      </div>
    )
  return (
    <div class="stack" style={shape(parts[1] ?? '4x4')}>
      <div class="beside">
        <Side of={first} at={r.at} />
        <Side of={second} at={r.at} />
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
