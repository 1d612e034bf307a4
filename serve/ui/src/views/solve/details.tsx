// The details of Solve: what players say, chances, the search tree, and the board as text.
import { useEffect, useState } from 'preact/hooks'
import { boardText, sizeOf } from '../../base/format'
import { t } from '../../base/text'
import { EndingChances } from '../../parts/endingchances'
import { Field } from '../../parts/fields'
import type { Asked } from '../../parts/hints'
import { later } from '../../parts/later'
import { SolveOffer } from '../../parts/solve'
import { Alert, Button, Card, PictureButton } from '../../parts/ui'
import type { Follow } from '../../state/follow'
import type { Board, Decision } from '../../types'
import { Another, Values } from './values'
import type { Question } from './why'

const TreeView = later(async () => (await import('./tree')).TreeView)

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
      {players.map((player, i) => {
        const row = {
          player,
          waiting,
          onChange: (q: string) => onChange(players.map((x, j) => (j === i ? q : x))),
          ...(players.length > 1 && { onRemove: () => onChange(players.filter((_, j) => j !== i)) }),
        }
        return i === 0 ? (
          <Values key={i} {...row} asked={asked} />
        ) : (
          <Another key={i} {...row} board={board} score={score} solves={solves} />
        )
      })}
      <EndingChances board={waiting ? null : board} />
      <SolveOffer
        size={sizeOf(board)}
        player={players.find(looksUp) ?? players[0] ?? ''}
        onSolved={p.onSolved}
      />
    </Card>
  )
}

/** Tree is the search tree, once it is asked for. */
export function Tree(p: Question & { onAsk: Change }) {
  const [open, setOpen] = useState(false)
  return (
    <div class="wide">
      {open ? (
        <TreeView {...p} onClose={() => setOpen(false)} />
      ) : (
        <Button icon="experiments" onClick={() => setOpen(true)} text={t('Open the search tree')} />
      )}
    </div>
  )
}

/** BoardText enters a board as text. */
export function BoardText(p: {
  board: Board
  trouble: string
  onParse: (text: string) => void
  onExample: () => void
}) {
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
          onPaste={(e) => {
            const t = e.clipboardData?.getData('text')
            const all = e.currentTarget
            if (t && (all.selectionEnd - all.selectionStart === all.value.length || !all.value)) {
              e.preventDefault()
              setText(t)
              p.onParse(t)
            }
          }}
        />
      </Field>
      <Alert lines text={p.trouble} />
      <div class="row fill">
        <Button onClick={p.onExample} text={t('Example')} />
        <PictureButton board={p.board} />
      </div>
    </Card>
  )
}
