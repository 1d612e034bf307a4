// The details of Solve: what players say, chances, the search tree, and the board as text.
import { useEffect, useRef, useState } from 'preact/hooks'
import { boardText, brief, percent, shown, sizeOf, worth } from '../../base/format'
import { t } from '../../base/text'
import { moveText } from '../../parts/board'
import { EndingChances } from '../../parts/endingchances'
import { Field } from '../../parts/fields'
import { type Asked, about, Busy, unitText, useAsked } from '../../parts/hints'
import { PlayerField } from '../../parts/player'
import { SolveOffer } from '../../parts/solve'
import { Table } from '../../parts/table'
import { Alert, Button, Card, PictureButton } from '../../parts/ui'
import type { Follow } from '../../state/follow'
import { type Board, type Decision, type Dir, dirs } from '../../types'

/** Change sets a board and shows it. */
export type Change = (b: Board, score?: number) => void

/** looksUp reports whether a player uses the tables of solved sizes. */
const looksUp = (player: string) => /^(auto|best|perfect)\b/.test(player)

/** Players has what each player says of a board. The first one was asked already. */
export function Players(p: {
  players: string[]
  game: Follow
  asked: Asked<Decision>
  solves: number
  onSolved: () => void
  onChange: (players: string[]) => void
}) {
  const { players, asked, solves, onChange } = p
  const { board, score, waiting } = p.game.at
  return (
    <Card
      title={t('Value of each move')}
      side={
        <Button
          kind="small"
          onClick={() => onChange([...players, 'weighted-snake'])}
          disabled={players.length > 3}
          text={t('Add a player')}
        />
      }
    >
      {players.map((player, i) => (
        <Values
          key={i}
          player={player}
          waiting={waiting}
          question={waiting ? null : about(board, score, player)}
          asked={i === 0 ? asked : null}
          solves={solves}
          onChange={(q) => onChange(players.map((x, j) => (j === i ? q : x)))}
          onRemove={players.length > 1 && (() => onChange(players.filter((_, j) => j !== i)))}
        />
      ))}
      <EndingChances board={waiting ? null : board} />
      <SolveOffer
        size={sizeOf(board)}
        player={players.find(looksUp) ?? players[0] ?? ''}
        onSolved={p.onSolved}
      />
    </Card>
  )
}

/** BoardText enters a board as text. */
export function BoardText(p: { board: Board; onParse: (text: string) => void; onExample: () => void }) {
  const now = boardText(p.board)
  const [text, setText] = useState(now)
  useEffect(() => setText(now), [now])
  return (
    <Card title={t('Board')}>
      <Field
        label={t('Board as text')}
        note={t(
          'Numbers in rows or all on one line, also as 16k, cells of a spreadsheet, JSON, 16 exponents, a link to a position of this page or at 2048verse.com, or the saved state of the original game. You can also paste a board or a screenshot anywhere on the page, or drop a picture on it.',
        )}
      >
        <textarea
          value={text}
          spellcheck={false}
          rows={3}
          onInput={(e) => setText(e.currentTarget.value)}
          onBlur={() => text !== now && p.onParse(text)}
          onPaste={({ currentTarget: area }) => setTimeout(() => area.blur())}
        />
      </Field>
      <div class="row fill">
        <Button onClick={p.onExample} text={t('Example')} />
        <PictureButton board={p.board} />
      </div>
    </Card>
  )
}

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

/** Values has what a player thinks that each move is worth, which was asked already, or is asked here. */
function Values(p: {
  player: string
  waiting: boolean // for a new tile: the last answer stays
  question: ReturnType<typeof about> | null
  asked: Asked<Decision> | null
  solves: number
  onChange: (player: string) => void
  onRemove: false | (() => void)
}) {
  const here = useAsked('analyze', p.asked ? null : p.question, p.solves)
  const asked = p.asked ?? here
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
