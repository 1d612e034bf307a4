import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { arrow, shape } from '../board'
import { useFollow } from '../follow'
import { boardText, brief, dirNames, percent, shown, sizeOf, worth } from '../format'
import { type Asked, about, Busy, effort, Simpler, unitText, useAsked } from '../hints'
import { later } from '../later'
import { complaint, link } from '../net'
import { PlayerField } from '../player'
import { go } from '../route'
import { SolveOffer } from '../solve'
import { load, save } from '../store'
import { t } from '../text'
import { type Board, type Decision, type Dir, dirs } from '../types'
import { Button, Card, direction, Field, PictureButton, reveal, SizeField, showBoard, typing } from '../ui'
import { Brushes, Editor, stepUp } from './editor'
import { EndingChances } from './endingchances'
import { Advice, FollowBoard, Pad } from './follow'
import { FromHere } from './from'
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
  const decision = question && asked.key === JSON.stringify(question) ? asked.result : null // about this board

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
    go('ask', true) // a reload shows the position reached since
  }, [given])
  useEffect(() => {
    if (parts[0] !== 'given') return
    go('ask', true)
    import('../given')
      .then((m) => m.given())
      .then((g) => {
        if (g.picture) setPicture(g.picture)
        else if (g.text) parse(g.text)
      })
      .catch(() => {})
  }, [parts[0]])
  useLayoutEffect(() => {
    const paste = (e: ClipboardEvent) => {
      if (
        e.defaultPrevented ||
        e.target instanceof HTMLInputElement ||
        e.target instanceof HTMLTextAreaElement
      )
        return
      const t = e.clipboardData?.getData('text')
      if (t) parse(t)
    }
    addEventListener('paste', paste)
    return () => removeEventListener('paste', paste)
  }, [])
  useEffect(() => {
    if (following) setWhy(false) // reasons take time at each move; the button shows them
  }, [following])

  const keys = useRef((_: KeyboardEvent) => {})
  keys.current = (e) => {
    if (e.defaultPrevented || typing(e) || document.querySelector('dialog[open]')) return
    const d = direction(e)
    if (d) game.move(d)
    else if (e.key === 'u' || (e.key === 'z' && (e.ctrlKey || e.metaKey)) || e.key === 'Backspace')
      game.undo()
    else return
    e.preventDefault()
  }
  useLayoutEffect(() => {
    // keys count as soon as the board is shown
    const f = (e: KeyboardEvent) => keys.current(e)
    addEventListener('keydown', f)
    return () => removeEventListener('keydown', f)
  }, [])
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
            <Button icon="undo" label={t('Undo')} keys="U" disabled={game.past === 0} onClick={game.undo}>
              {t('Undo')}
            </Button>
            <Button pressed={!following} label={t('Change tiles')} onClick={() => game.edit(following)}>
              {t('Edit')}
            </Button>
            <Button
              onClick={() =>
                change(
                  board.map((r) => r.map(() => 0)),
                  0,
                )
              }
            >
              {t('Clear')}
            </Button>
            <Button
              icon="hint"
              disabled={empty || waiting}
              onClick={() => {
                setWhy(true)
                reveal(reasons.current)
              }}
            >
              {t('Why')}
            </Button>
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
              >
                {t('Add a player')}
              </Button>
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
                  <Answer key={i} {...row} asked={asked} waiting={waiting} />
                ) : (
                  <Another key={i} {...row} board={board} score={score} waiting={waiting} solves={solves} />
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
              <Card
                title={t('Why')}
                side={
                  <Button kind="small" onClick={() => setWhy(false)}>
                    {t('Close')}
                  </Button>
                }
              >
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
          <Button icon="experiments" disabled={empty} onClick={() => setTree(true)} id="show-tree">
            {t('Open the search tree')}
          </Button>
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
  const alert = useRef<HTMLParagraphElement>(null)
  useEffect(() => setText(now), [now])
  useEffect(() => {
    if (p.trouble) reveal(alert.current, true)
  }, [p.trouble])
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
      {p.trouble && (
        <p class="bad lines" role="alert" ref={alert}>
          {p.trouble}
        </p>
      )}
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
        <Button onClick={() => p.onChange(example, 0)}>{t('Example')}</Button>
        <PictureButton board={p.board} />
      </div>
    </Card>
  )
}

function resize(b: Board, size: string): Board {
  const [rows, cols] = size.split('x').map(Number)
  return Array.from({ length: rows ?? 4 }, (_, i) =>
    Array.from({ length: cols ?? 4 }, (_, j) => b[i]?.[j] ?? 0),
  )
}

interface AnswerRow {
  player: string
  waiting: boolean // for a new tile: the last answer stays
  onChange: (player: string) => void
  onRemove?: () => void
}

/** Another asks a further player. */
function Another(p: AnswerRow & { board: Board; score: number; solves: number }) {
  return (
    <Answer
      {...p}
      asked={useAsked('analyze', p.waiting ? null : about(p.board, p.score, p.player), p.solves)}
    />
  )
}

function Answer({ asked, ...p }: AnswerRow & { asked: Asked<Decision> }) {
  const last = useRef<Decision | null>(null)
  last.current = asked.result ?? (p.waiting ? last.current : null)
  const d = last.current
  const busy = asked.busy || p.waiting
  const scaled = d !== null && d !== undefined && dirs.some((x) => d.moves[x].class) // the values are shown apart
  return (
    <div class="stack tight">
      <div class="player">
        <PlayerField label={t('Player')} value={p.player} onChange={p.onChange} />
        {p.onRemove && (
          <Button kind="plain small" onClick={p.onRemove}>
            {t('Remove')}
            <span class="unseen"> {p.player}</span>
          </Button>
        )}
      </div>
      {asked.trouble && (
        <p class="bad" role="alert">
          {asked.trouble}
        </p>
      )}
      {busy && !d && <Busy work={p.waiting ? t('Waiting for the new tile.') : t('Thinking…')} />}
      {d && (
        <div class="scroll" aria-busy={busy}>
          <table>
            <caption class="unseen">{t('Values of {player}', { player: p.player })}</caption>
            <thead>
              <tr>
                <th scope="col">{t('Move')}</th>
                {scaled && <th scope="col">{t('How good')}</th>}
                <th scope="col" class="n">
                  {t('Value')}
                </th>
              </tr>
            </thead>
            <tbody>
              {dirs.map((x) => {
                const text = worth(d.moves[x], x === d.move, d.unit) || '–'
                const best = x === d.move ? ' best' : ''
                return (
                  <tr key={x}>
                    <th scope="row">
                      {arrow(x)} {dirNames[x]}
                    </th>
                    {scaled && (
                      <td class={best} data-class={d.moves[x].class}>
                        {text}
                      </td>
                    )}
                    <td class={scaled ? 'n dim' : `n${best}`}>{scaled ? valueText(d, x) : text}</td>
                  </tr>
                )
              })}
            </tbody>
          </table>
          <Simpler asked={p.player} d={d} />
          <p class="dim">
            {busy ? `${t('Before:')} ` : ''}
            {d.move ? t('Best: {move}', { move: dirNames[d.move] }) : t('No moves left')} · {effort(d)}
            {d.player !== p.player && ` · ${t('by {player}', { player: d.player })}`}
          </p>
          <p class="dim">
            {unitText(d)}
            {scaled &&
              ' ' +
                (d.unit === 'points'
                  ? t('Values: points still to come.')
                  : d.unit === 'chance'
                    ? t('Values: the chance to make the goal.')
                    : t('Values: the player’s own scale.'))}
          </p>
        </div>
      )}
    </div>
  )
}

/** valueText returns the value of a move in its unit. */
function valueText({ moves, unit }: Decision, x: Dir): string {
  const { value, bound } = moves[x]
  if (value === null) return '–'
  return (bound ? '≤ ' : '') + (unit === 'chance' ? percent(value) : brief(shown(value, unit)))
}
