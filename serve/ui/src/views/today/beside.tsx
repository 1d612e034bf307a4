// Both games of a duel side by side, and the difference of their scores as it grows.
import { useEffect, useState } from 'preact/hooks'
import { whole } from '../../base/format'
import { t } from '../../base/text'
import { complaint } from '../../engine/net'
import { BoardView, shape, useAnnounce } from '../../parts/board'
import { Chart } from '../../parts/chart'
import { ReplayControls, usePlayback, useReplayKeys } from '../../parts/replay'
import { Alert, Button, Card, Figure } from '../../parts/ui'
import { type Result, readAddress, replayed } from '../../state/duels'
import type { Board, Step } from '../../types'

interface Side {
  name: string
  board: Board
  step: Step | null
  score: number
  moves: number
  over: boolean
}

function Boards({ sides }: { sides: Side[] }) {
  return (
    <div class="beside">
      {sides.map((s, i) => (
        <section key={i} class="side" aria-label={`${i + 1}: ${s.name}`}>
          <h2>{s.name}</h2>
          <dl class="figures">
            <Figure main name={t('Score')} value={<span class="score">{whole(s.score)}</span>} />
            <Figure name={t('Moves')} value={<span class="moves">{whole(s.moves)}</span>} />
          </dl>
          <BoardView board={s.board} step={s.step} label={t('Board of {name}', { name: s.name })} />
          <p class="dim">{s.over ? t('No moves left') : '\u00a0'}</p>
        </section>
      ))}
    </div>
  )
}

/** differences returns the first score minus the second after each move; the last score of the shorter game
    stays. */
function differences(a: number[], b: number[]): { x: number[]; y: number[] } {
  const after = (scores: number[], move: number) => scores[Math.min(move, scores.length - 1)] ?? 0
  const x = Array.from({ length: Math.max(a.length, b.length) }, (_, move) => move)
  return { x, y: x.map((move) => after(a, move) - after(b, move)) }
}

function Difference(p: {
  names: [string, string]
  x: number[]
  y: number[]
  at: number
  onPick: (move: number) => void
}) {
  const { x, y } = p
  const [a, b] = p.names
  const move = Math.min(p.at, x.length - 1)
  const d = y[move] ?? 0
  const lead =
    d === 0
      ? t('Equal')
      : t('{name} leads by {n}', { name: (d > 0 ? a : b).replace(/^the/, 'The'), n: Math.abs(d) })
  const said = useAnnounce(`${lead}.`)
  return (
    <Card title={t('Difference of the scores')} class="wide">
      <p id="lead">
        <b>{lead}</b> <span class="dim">{t('after {n} moves', { n: move })}</span>
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
          n: move,
        })}
        curves={[{ label: t('difference'), values: y, colour: '--accent' }]}
        at={move}
        onPick={p.onPick}
      />
      <p class="dim">{t('Above 0 {a} has more, below 0 {b} has.', { a, b })}</p>
      {said}
    </Card>
  )
}

/** gamesOf reads the games of a duel's link. It throws an error that says what is wrong. */
function gamesOf(parts: string[]): Result[] {
  const { match, games } = readAddress(parts)
  if (games.length < 2) throw new Error(t('it has one game, and two are shown side by side'))
  return games.map((g) => replayed(match, g))
}

/** BothGames plays the games of a duel's link back, move beside move. */
export function BothGames({ parts }: { parts: string[] }) {
  useEffect(() => scrollTo(0, 0), [])
  const [{ games, trouble }] = useState(() => {
    try {
      return { games: gamesOf(parts), trouble: '' }
    } catch (e) {
      return { games: [], trouble: t('This link holds no two games: {why}.', { why: complaint(e) }) }
    }
  })
  const r = usePlayback(Math.max(0, ...games.map((g) => g.count)), 0, true)
  useReplayKeys(r)
  const [first, second] = games
  if (!first || !second)
    return (
      <div class="narrow stack">
        <Alert text={trouble} />
        <div class="row">
          <Button to="today/duel" text={t('All duels')} />
        </div>
      </div>
    )
  const names: [string, string] = [t('the first game'), t('the second game')]
  const { x, y } = differences(
    first.positions.map((p) => p.score),
    second.positions.map((p) => p.score),
  )
  return (
    <div class="stack" style={shape(parts[1] ?? '4x4')}>
      <Boards
        sides={games.map((g, i): Side => {
          const at = Math.min(r.at, g.count)
          return {
            name: i === 0 ? t('First game') : t('Second game'),
            board: g.positions[at]?.board ?? [],
            step: g.steps[at - 1] ?? null,
            score: g.positions[at]?.score ?? 0,
            moves: at,
            over: g.over && at === g.count,
          }
        })}
      />
      <div class="narrow stack tight">
        <ReplayControls r={r} />
      </div>
      <Difference names={names} x={x} y={y} at={r.at} onPick={r.to} />
      <div class="row">
        <Button icon="back" to={`today/duel/${parts.join('/')}`} text={t('The duel')} />
      </div>
    </div>
  )
}
