import { useEffect, useRef, useState } from 'preact/hooks'
import { arrow, shape } from '../board'
import { boardText, sizeOf, worth } from '../format'
import { about, Busy, effort, unitText, useAsked, Why } from '../hints'
import { complaint, link } from '../net'
import { PlayerField } from '../player'
import { load, save } from '../store'
import { dirs, type Board, type Decision } from '../types'
import { Button, Card, Field, SizeField } from '../ui'
import { Chances } from './chances'
import { Editor } from './editor'
import { PictureInput } from './picture'
import { TreeView } from './tree'

const example: Board = [[0, 2, 4, 2], [2, 4, 16, 8], [4, 16, 64, 32], [512, 256, 128, 64]]
const isPlayers = (v: unknown) => Array.isArray(v) && v.length > 0 && v.every((p) => typeof p === 'string')

export function AskView({ parts }: { parts: string[] }) {
  const [board, setBoard] = useState<Board>(() => load('ask', example, (v) => Array.isArray(v) && v.every(Array.isArray)))
  const [score, setScore] = useState(0)
  const [text, setText] = useState(() => boardText(board))
  const [trouble, setTrouble] = useState('')
  const [players, setPlayers] = useState<string[]>(() => load('judges', ['auto'], isPlayers))
  const [tree, setTree] = useState(false)
  const [main, setMain] = useState<Decision | null>(null) // of the first player
  const given = parts.slice(0, -1).join('/')
  const address = useRef('')

  const set = (b: Board, points = score) => {
    setBoard(b)
    setScore(points)
    setText(boardText(b))
    setTrouble('')
    save('ask', b)
  }
  const parse = async (t: string, points?: number) => {
    try {
      const p = await link.insist('board.parse', { text: t })
      set(p.board, points ?? p.score ?? 0)
    } catch (e) {
      setTrouble(complaint(e, 'board.parse: text: '))
    }
  }
  useEffect(() => {
    if (given && given !== address.current) parse(given, Number(parts.at(-1)) || 0)
    address.current = given
  }, [given])
  useEffect(() => {
    const paste = (e: ClipboardEvent) => {
      if (e.target instanceof HTMLInputElement || e.target instanceof HTMLTextAreaElement) return
      const t = e.clipboardData?.getData('text')
      if (t) parse(t)
    }
    addEventListener('paste', paste)
    return () => removeEventListener('paste', paste)
  }, [])

  const ask = (next: string[]) => {
    setPlayers(next)
    save('judges', next)
  }
  const empty = board.flat().every((t) => t === 0)
  return (
    <>
    <div class="arena">
      <div class="boardside" style={shape(sizeOf(board))}>
        <Editor board={board} decision={main} onChange={(b) => set(b)} />
      </div>
      <div class="stack">
        <Card title="Value of each move" side={<Button kind="small" onClick={() => ask([...players, 'weighted-snake'])} disabled={players.length > 3}>Add a player</Button>}>
          {empty ? <p class="dim">Put some tiles on the board.</p> : players.map((p, i) => (
            <Answer key={i} board={board} score={score} player={p} {...(i === 0 ? { onAnswer: setMain } : {})} onChange={(q) => ask(players.map((x, j) => (j === i ? q : x)))}
              {...(players.length > 1 ? { onRemove: () => ask(players.filter((_, j) => j !== i)) } : {})} />
          ))}
        </Card>
        <Card title="Board">
          <form onSubmit={(e) => {
            e.preventDefault()
            parse(text)
          }}>
            <Field label="Board as text" note="Tile values, 16 exponents, JSON, or the saved state of the original game. You can also paste a board anywhere on the page.">
              <textarea value={text} spellcheck={false} rows={3} onInput={(e) => setText(e.currentTarget.value)} onBlur={() => text !== boardText(board) && parse(text)}
                onPaste={(e) => {
                  const t = e.clipboardData?.getData('text')
                  const all = e.currentTarget
                  if (t && (all.selectionEnd - all.selectionStart === all.value.length || !all.value)) {
                    e.preventDefault()
                    parse(t)
                  }
                }} />
            </Field>
          </form>
          {trouble && <p class="bad" role="alert">{trouble}</p>}
          <PictureInput onBoard={(b) => set(b, 0)} />
          <div class="pair">
            <SizeField value={sizeOf(board)} onChange={(size) => set(resize(board, size))} />
            <Field label="Score"><input inputMode="numeric" value={score} onInput={(e) => setScore(Math.max(0, Math.trunc(Number(e.currentTarget.value)) || 0))} /></Field>
          </div>
          <div class="row fill">
            <Button onClick={() => set(board.map((r) => r.map(() => 0)), 0)}>Clear</Button>
            <Button onClick={() => set(example, 0)}>Example</Button>
          </div>
        </Card>
        {!empty && <Card title="Why"><Why board={board} score={score} player={players[0] ?? 'auto'} /></Card>}
        {!empty && <Chances board={board} score={score} player={players[0] ?? 'auto'} />}
      </div>
    </div>
      <div class="wide">
        {tree && !empty ? <TreeView board={board} score={score} player={players[0] ?? 'auto'} onClose={() => setTree(false)} onAsk={(b, s) => {
          set(b, s)
          scrollTo({ top: 0, behavior: 'smooth' })
        }} />
          : <Button icon="experiments" disabled={empty} onClick={() => setTree(true)} id="show-tree">Open the search tree</Button>}
      </div>
    </>
  )
}

function resize(b: Board, size: string): Board {
  const [rows, cols] = size.split('x').map(Number)
  return Array.from({ length: rows ?? 4 }, (_, i) => Array.from({ length: cols ?? 4 }, (_, j) => b[i]?.[j] ?? 0))
}

function Answer(p: { board: Board; score: number; player: string; onAnswer?: (d: Decision | null) => void; onChange: (player: string) => void; onRemove?: () => void }) {
  const { result: d, trouble, busy } = useAsked('analyze', about(p.board, p.score, p.player))
  useEffect(() => p.onAnswer?.(d), [d])
  useEffect(() => () => p.onAnswer?.(null), [])
  return (
    <div class="stack tight">
      <div class="player">
        <PlayerField label="Player" value={p.player} onChange={p.onChange} />
        {p.onRemove && <Button kind="plain small" onClick={p.onRemove}>Remove<span class="unseen"> {p.player}</span></Button>}
      </div>
      {trouble && <p class="bad" role="alert">{trouble}</p>}
      {busy && !d && <Busy work="Thinking…" />}
      {d && (
        <div class="scroll" aria-busy={busy}>
          <table>
            <caption class="unseen">Values of {p.player}</caption>
            <thead><tr>{dirs.map((x) => <th key={x} scope="col" class="n">{arrow(x)} {x}</th>)}</tr></thead>
            <tbody><tr>{dirs.map((x) => <td key={x} class={x === d.move ? 'n best' : 'n'}>{worth(d.moves[x], x === d.move, d.unit) || '–'}</td>)}</tr></tbody>
          </table>
          <p class="dim">{busy ? 'Thinking… Before that: ' : ''}{d.move ? `Best: ${d.move}` : 'No moves left'} · {effort(d)}</p>
          <p class="dim">{unitText(d.unit)}</p>
        </div>
      )}
    </div>
  )
}
