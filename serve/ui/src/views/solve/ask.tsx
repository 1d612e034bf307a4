import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { listen } from '../../base/changes'
import { blank, boardText, sizeOf } from '../../base/format'
import { direction, undoes, useKeys } from '../../base/keys'
import { go } from '../../base/route'
import { load, save } from '../../base/store'
import { t } from '../../base/text'
import { complaint, link } from '../../engine/net'
import { shape } from '../../parts/board'
import { Brushes, Editor, stepUp } from '../../parts/editor'
import { EndingChances } from '../../parts/endingchances'
import { Field, SizeField } from '../../parts/fields'
import { Advice, FollowBoard, Pad } from '../../parts/follow'
import { FromHere } from '../../parts/from'
import { about, graded, useAsked, useGrades } from '../../parts/hints'
import { later } from '../../parts/later'
import { SolveOffer } from '../../parts/solve'
import { Alert, Button, Card, CloseButton, PictureButton, reveal, showBoard } from '../../parts/ui'
import { useFollow } from '../../state/follow'
import type { Board } from '../../types'
import { Another, Answer } from './answer'
import { PictureInput } from './picture'
import { Walls } from './walls'
import { Why } from './why'

const TreeView = later(async () => (await import('./tree')).TreeView)

const example: Board = [
  [0, 2, 4, 2],
  [2, 4, 16, 8],
  [4, 16, 64, 32],
  [512, 256, 128, 64],
]
const isPlayers = (v: unknown) => Array.isArray(v) && v.length > 0 && v.every((p) => typeof p === 'string')

/** looksUp reports whether a player uses the tables of solved sizes. */
const looksUp = (player: string) => /^(auto|best|perfect)\b/.test(player)

export function AskView({ parts }: { parts: string[] }) {
  const game = useFollow(example)
  const { board, score, following, waiting } = game.at
  const [trouble, setTrouble] = useState('')
  const [open, setOpen] = useState<{ readings: Board[]; points: number } | null>(null) // what a board with walls may be
  const [picture, setPicture] = useState<File | null>(null) // that another app shared
  const [players, setPlayers] = useState<string[]>(() => load('judges', ['best'], isPlayers))
  const [brush, setBrush] = useState(stepUp)
  const [tree, setTree] = useState(false)
  const [solves, setSolves] = useState(0) // answers from before a solve are out of date
  const [why, setWhy] = useState(!following)
  const boardside = useRef<HTMLDivElement>(null)
  const reasons = useRef<HTMLDivElement>(null)
  const scored = !parts.at(-1)?.includes(',') // a score may follow the rows
  const given = (scored ? parts.slice(0, -1) : parts).join('/')
  const empty = board.flat().every((t) => t === 0)
  const player = players[0] ?? 'best'
  const question = empty || waiting ? null : about(board, score, player)
  const asked = useAsked('analyze', question, solves)
  const grades = useGrades(question && board)
  const decision = graded(asked.current, grades)

  const set = (b: Board, points = score) => {
    game.set(b, points)
    setTrouble('')
  }
  /** change sets a board and shows it. */
  const change = (b: Board, points = score) => {
    set(b, points)
    showBoard(boardside.current)
  }
  const parse = async (t: string, points?: number) => {
    try {
      const p = await link.insist('board.parse', { text: t })
      if (p.readings) setOpen({ readings: p.readings, points: points ?? 0 })
      else change(p.board, points ?? p.score ?? 0)
    } catch (e) {
      setTrouble(complaint(e, 'board.parse: text: '))
    }
  }
  useEffect(() => {
    if (!given) return
    parse(given, scored ? Number(parts.at(-1)) || 0 : 0)
    go('solve', true) // a reload shows the position reached since
  }, [given])
  useEffect(() => {
    if (parts[0] !== 'given') return
    go('solve', true)
    import('../../base/given')
      .then((m) => m.given())
      .then((g) => {
        if (g.picture) setPicture(g.picture)
        else if (g.text) parse(g.text)
      })
      .catch(() => {})
  }, [parts[0]])
  useLayoutEffect(
    () =>
      listen('paste', (e) => {
        const inField = e.target instanceof HTMLInputElement || e.target instanceof HTMLTextAreaElement
        const t = e.clipboardData?.getData('text')
        if (t && !e.defaultPrevented && !inField) parse(t)
      }),
    [],
  )
  useEffect(() => {
    if (following) setWhy(false) // reasons take time at each move; the button shows them
  }, [following])

  useKeys((e) => {
    const d = direction(e)
    if (d) game.move(d)
    else if (undoes(e)) game.undo()
    else return false
    return true
  })
  const first = useRef(true)
  useEffect(() => {
    if (why && !first.current) reveal(reasons.current)
    first.current = false
  }, [why])

  const ask = (next: string[]) => {
    setPlayers(next)
    save('judges', next)
  }
  return (
    <>
      <div class="arena">
        <div class="boardside asking" ref={boardside} style={shape(sizeOf(board))}>
          <div class="guide">
            <Advice game={game} decision={decision} busy={asked.busy} trouble={asked.trouble} />
            <PictureInput given={picture} onBoard={(b) => change(b, 0)} />
          </div>
          {following ? (
            <FollowBoard game={game} decision={decision} />
          ) : (
            <Editor
              board={board}
              decision={decision}
              brush={brush}
              onChange={(b) => set(b)}
              onMove={game.move}
            />
          )}
          <Pad decision={decision} waiting={waiting} onMove={game.move} />
          <div class="buttons">
            <Button icon="undo" keys="U" disabled={game.past === 0} onClick={game.undo} text={t('Undo')} />
            <Button
              pressed={!following}
              label={t('Change tiles')}
              onClick={() => game.edit(following)}
              text={t('Edit')}
            />
            <Button onClick={() => change(blank(sizeOf(board)), 0)} text={t('Clear')} />
            <Button
              icon="hint"
              disabled={empty || waiting}
              onClick={() => {
                setWhy(true)
                reveal(reasons.current)
              }}
              text={t('Why')}
            />
          </div>
          {!following && <Brushes brush={brush} onChange={setBrush} />}
        </div>
        <div class="stack">
          <Card
            title={t('Value of each move')}
            side={
              <Button
                kind="small"
                onClick={() => ask([...players, 'weighted-snake'])}
                disabled={players.length > 3}
                text={t('Add a player')}
              />
            }
          >
            {empty ? (
              <p class="dim">{t('Put some tiles on the board.')}</p>
            ) : (
              players.map((p, i) => {
                const row = {
                  player: p,
                  onChange: (q: string) => ask(players.map((x, j) => (j === i ? q : x))),
                  ...(players.length > 1 ? { onRemove: () => ask(players.filter((_, j) => j !== i)) } : {}),
                }
                return i === 0 ? (
                  <Answer key={i} {...row} asked={asked} waiting={waiting} grades={grades} />
                ) : (
                  <Another
                    key={i}
                    {...row}
                    board={board}
                    score={score}
                    waiting={waiting}
                    solves={solves}
                    grades={grades}
                  />
                )
              })
            )}
            <EndingChances board={empty || waiting ? null : board} />
            <SolveOffer
              size={sizeOf(board)}
              player={players.find(looksUp) ?? player}
              onSolved={() => setSolves(solves + 1)}
            />
          </Card>
          <div ref={reasons} class="reveal">
            {why && !empty && !waiting && (
              <Card title={t('Why')} side={<CloseButton kind="small" onClick={() => setWhy(false)} />}>
                <Why key={solves} board={board} score={score} player={player} />
              </Card>
            )}
          </div>
          <BoardCard
            board={board}
            score={score}
            trouble={trouble}
            onParse={parse}
            onChange={change}
            onScore={(s) => game.set(board, s)}
          />
        </div>
      </div>
      <div class="wide">
        {tree && !empty ? (
          <TreeView
            board={board}
            score={score}
            player={player}
            onClose={() => setTree(false)}
            onAsk={change}
          />
        ) : (
          <Button
            icon="experiments"
            disabled={empty}
            onClick={() => setTree(true)}
            text={t('Open the search tree')}
          />
        )}
      </div>
      {open && (
        <Walls
          readings={open.readings}
          onClose={() => setOpen(null)}
          onUse={(b) => {
            setOpen(null)
            change(b, open.points)
          }}
        />
      )}
    </>
  )
}

/** BoardCard enters a board as text, and its size and score. */
function BoardCard(p: {
  board: Board
  score: number
  trouble: string
  onParse: (text: string) => void
  onChange: (b: Board, score?: number) => void
  onScore: (score: number) => void
}) {
  const now = boardText(p.board)
  const [text, setText] = useState(now)
  useEffect(() => setText(now), [now])
  return (
    <Card title={t('Board')}>
      <form
        onSubmit={(e) => {
          e.preventDefault()
          p.onParse(text)
        }}
      >
        <Field
          label={t('Board as text')}
          note={t(
            'Numbers in rows or all on one line, also as 16k, cells of a spreadsheet, JSON, 16 exponents, a link to a position at 2048verse.com, or the saved state of the original game. You can also paste a board or a screenshot anywhere on the page, or drop a picture on it.',
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
      </form>
      <Alert lines text={p.trouble} />
      <div class="pair">
        <SizeField value={sizeOf(p.board)} onChange={(size) => p.onChange(resize(p.board, size))} />
        <Field label={t('Score')}>
          <input
            inputMode="numeric"
            value={p.score}
            onInput={(e) => p.onScore(Math.max(0, Math.trunc(Number(e.currentTarget.value)) || 0))}
          />
        </Field>
      </div>
      <FromHere board={p.board} disabled={p.board.flat().every((t) => t === 0)} />
      <div class="row fill">
        <Button onClick={() => p.onChange(example, 0)} text={t('Example')} />
        <PictureButton board={p.board} />
      </div>
    </Card>
  )
}

const resize = (b: Board, size: string): Board =>
  blank(size).map((row, i) => row.map((_, j) => b[i]?.[j] ?? 0))
