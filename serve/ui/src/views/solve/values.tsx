// How good each move on a board is, and what players say it is worth.
import { useRef } from 'preact/hooks'
import { brief, percent, shown, worth } from '../../base/format'
import { t } from '../../base/text'
import { moveText } from '../../parts/board'
import { type Asked, about, Busy, Simpler, unitText, useAsked } from '../../parts/hints'
import { PlayerField } from '../../parts/player'
import { Table } from '../../parts/table'
import { Alert, Button } from '../../parts/ui'
import { type Board, type Decision, type Dir, dirs } from '../../types'

/** Moves is a table with a column about the moves of a decision. */
function Moves(p: { d: Decision; name: string; label: string; text: (d: Dir) => string }) {
  return (
    <Table
      label={p.label}
      rows={dirs}
      id={(x) => x}
      columns={[
        { name: t('Move'), cell: moveText },
        {
          name: p.name,
          number: (x) => p.text(x) || '–',
          best: (x) => x === p.d.move,
        },
      ]}
    />
  )
}

/** Classes says how good each move is. */
export const Classes = ({ d }: { d: Decision }) => (
  <Moves
    d={d}
    name={t('How good')}
    label={t('How good each move is')}
    text={(x) => worth(d.moves[x], x === d.move, d.unit)}
  />
)

interface PlayerRow {
  player: string
  waiting: boolean // for a new tile: the last answer stays
  onChange: (player: string) => void
  onRemove?: () => void
}

/** Another asks a further player. */
export function Another(p: PlayerRow & { board: Board; score: number; solves: number }) {
  return (
    <Values
      {...p}
      asked={useAsked('analyze', p.waiting ? null : about(p.board, p.score, p.player), p.solves)}
    />
  )
}

/** Values has what a player thinks that each move is worth. */
export function Values({ asked, ...p }: PlayerRow & { asked: Asked<Decision> }) {
  const last = useRef<Decision | null>(null)
  last.current = asked.trouble ? null : (asked.current ?? last.current)
  const d = last.current
  const busy = asked.busy || p.waiting
  return (
    <div class="stack tight">
      <div class="player">
        <PlayerField label={t('Player')} value={p.player} onChange={p.onChange} />
        {p.onRemove && <Button kind="plain small" onClick={p.onRemove} text={t('Remove')} about={p.player} />}
      </div>
      <Alert text={asked.trouble} />
      {busy && !d && <Busy work={p.waiting ? t('Waiting for the new tile.') : t('Thinking…')} />}
      {d && (
        <div aria-busy={busy}>
          <Moves
            d={d}
            name={t('Value')}
            label={t('Values of {player}', { player: p.player })}
            text={(x) => valueText(d, x)}
          />
          <Simpler asked={p.player} d={d} />
          <p class="dim">
            {d.source === 'exact' && `${t('Exact values')}. `}
            {d.unit === 'points'
              ? t('Values: points still to come.')
              : d.unit === 'chance'
                ? t('Values: the chance to make the goal.')
                : unitText(d)}
          </p>
        </div>
      )}
    </div>
  )
}

/** valueText returns the value of a move in its unit. */
function valueText({ moves, unit, move }: Decision, x: Dir): string {
  const { class: _, ...m } = moves[x]
  if (unit === 'heuristic') return worth(m, x === move, unit)
  if (m.value === null) return '–'
  return (m.bound ? '≤ ' : '') + (unit === 'chance' ? percent(m.value) : brief(shown(m.value, unit)))
}
