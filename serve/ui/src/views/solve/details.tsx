// The details of Solve: what players say, chances, the search tree, and the board as text.
import { useEffect, useRef, useState } from 'preact/hooks'
import { boardText, sizeOf } from '../../base/boards'
import { brief, percent, shown, t, worth } from '../../base/text'
import { useRequest } from '../../engine/net'
import { Field } from '../../parts/fields'
import { about, Busy, EndingChances, unitText } from '../../parts/hints'
import { PlayerField } from '../../parts/player'
import { SolveOffer } from '../../parts/solve'
import { Alert, AllMoves, Button, Card, PictureButton } from '../../parts/ui'
import type { Follow } from '../../state/follow'
import type { Board, Decision, Dir } from '../../types'

/** Change sets a board and shows it. */
export type Change = (b: Board, score?: number) => void

type Analysis = ReturnType<typeof useRequest<'analyze'>>

/** looksUp reports whether a player uses the tables of solved sizes. */
const looksUp = (player: string) => /^(auto|best|perfect)\b/.test(player)

/** Players shows what each player says about a board. answer is the answer of the first player. */
export function Players(p: {
  players: string[]
  game: Follow
  answer: Analysis
  solves: number
  onSolved: () => void
  onChange: (players: string[]) => void
}) {
  const { players, answer, solves, onChange } = p
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
          answer={i === 0 ? answer : null}
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

export function BoardText(p: { board: Board; onParse: (text: string) => void; onExample: () => void }) {
  const now = boardText(p.board)
  const [text, setText] = useState(now)
  useEffect(() => setText(now), [now])
  return (
    <Card title={t('Board')}>
      <Field
        label={t('Board as text')}
        note={t(
          'Accepted: numbers in rows or on one line (16k also works), spreadsheet cells, JSON, 16 exponents, a link to a position on this page or on 2048verse.com, and the saved state of the original game. You can also paste a board or a screenshot anywhere on the page, or drop a picture on it.',
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

export const Classes = ({ d }: { d: Decision }) => (
  <AllMoves
    label={t('How good each move is')}
    best={[d.move]}
    columns={[[t('How good'), (x) => worth(d.moves[x], x === d.move, d.unit) || '–']]}
  />
)

/** Values shows a player's values of the moves, from answer or else from its own request. */
function Values(p: {
  player: string
  waiting: boolean // the visitor has not placed the new tile yet; the last answer stays visible
  question: ReturnType<typeof about> | null
  answer: Analysis | null
  solves: number
  onChange: (player: string) => void
  onRemove: false | (() => void)
}) {
  const here = useRequest('analyze', p.answer ? null : p.question, p.solves)
  const answer = p.answer ?? here
  const last = useRef<Decision | null>(null)
  last.current = answer.trouble ? null : (answer.current ?? last.current)
  const d = last.current
  const busy = answer.busy || p.waiting
  return (
    <div class="stack tight">
      <div class="player">
        <PlayerField label={t('Player')} value={p.player} onChange={p.onChange} />
        {p.onRemove && <Button kind="plain small" onClick={p.onRemove} text={t('Remove')} about={p.player} />}
      </div>
      <Alert text={answer.trouble} />
      {busy && !d && <Busy work={p.waiting ? t('Waiting for the new tile.') : t('Thinking…')} />}
      {d && (
        <div aria-busy={busy}>
          <AllMoves
            label={t('Values of {player}', { player: p.player })}
            best={[d.move]}
            columns={[[t('Value'), (x) => valueText(d, x) || '–']]}
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

function valueText({ moves, unit, move }: Decision, x: Dir): string {
  const { class: _, ...m } = moves[x]
  if (unit === 'heuristic') return worth(m, x === move, unit)
  if (m.value === null) return '–'
  return (m.bound ? '≤ ' : '') + (unit === 'chance' ? percent(m.value) : brief(shown(m.value, unit)))
}
