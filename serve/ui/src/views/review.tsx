import { useEffect, useRef, useState } from 'preact/hooks'
import { arrow, BoardView, shape, useAnnounce } from '../board'
import { boardText, brief, shown as shownValue, whole } from '../format'
import { Chart } from '../chart'
import { complaint, link } from '../net'
import { PlayerField } from '../player'
import { usePoll } from '../poll'
import { go } from '../route'
import { isObject } from '../store'
import type { ReviewSummary, ReviewPosition, MoveReview } from '../types'
import { Button, Card, Dialog, Field, Figure, reveal, showBoard, typing } from '../ui'
import { FromHere } from './from'

const key = 'afterstate.review'

export function ReviewView() {
  const [record, setRecord] = useState(() => sessionStorage.getItem(key) ?? '')
  const [info, setInfo] = useState<ReviewSummary | null>(null)
  const [trouble, setTrouble] = useState('')
  const [loading, setLoading] = useState(false)

  useEffect(() => {
    if (!record) return
    setTrouble('')
    link.insist('review.open', { record }).then((r) => {
      setInfo(r)
      sessionStorage.setItem(key, record)
    }, (e: unknown) => {
      setTrouble(complaint(e, 'review.open: '))
      setInfo(null)
    })
  }, [record])

  const load = <Load onRecord={(r) => {
    setLoading(false)
    setRecord(r)
  }} trouble={trouble} />
  if (!info) return <div class="stack" style={{ maxWidth: '40rem', margin: '0 auto' }}><Card title="A game to review">{load}</Card></div>
  return (
    <>
      <Reviewing key={record} record={record} info={info} onLoad={() => setLoading(true)} />
      {loading && <Dialog title="Review another game" onClose={() => setLoading(false)}>{load}<Button kind="plain" onClick={() => setLoading(false)}>Cancel</Button></Dialog>}
    </>
  )
}

/** Load takes a record from a file, from text, or an example. */
function Load({ onRecord, trouble }: { onRecord: (r: string) => void; trouble: string }) {
  const [text, setText] = useState('')
  const first = (t: string) => onRecord(recordIn(t))
  const example = async () => {
    const made = await link.insist('watch.start', { player: 'snake(depth=0)', size: '4x4', seed: 3, moves_per_s: 0, until: 512 })
    for (let i = 0; i < 50; i++) {
      await new Promise((done) => setTimeout(done, 100))
      const list = await link.insist('watch.list', {})
      const g = list.games.find((x) => x.id === made.id)
      if (g && (g.over || Math.max(...g.board.flat()) >= 512)) break
    }
    onRecord((await link.insist('watch.record', { id: made.id })).record)
  }
  return (
    <div class="stack tight">
      <p class="dim">Step through a game and see which moves were mistakes, and what another player would have done. Play and Watch have a Review button. You can also open the record of a game, as Play downloads it.</p>
      <Field label="Record in a file"><input type="file" accept=".jsonl,.json,application/json" onChange={async (e) => {
        const f = e.currentTarget.files?.[0]
        if (f) first(await f.text())
      }} /></Field>
      <Field label="Record as text"><textarea rows={3} spellcheck={false} value={text} onInput={(e) => setText(e.currentTarget.value)} /></Field>
      {trouble && <p class="bad" role="alert">{trouble}</p>}
      <div class="row"><Button kind="main" disabled={!text.trim()} onClick={() => first(text)}>Review it</Button><Button onClick={example}>Show an example</Button></div>
    </div>
  )
}

/** recordIn returns the first record of a file, or that of a saved game. */
function recordIn(text: string): string {
  const line = text.trim().split('\n')[0] ?? ''
  try {
    const v: unknown = JSON.parse(line)
    if (isObject(v) && isObject(v.record)) return JSON.stringify(v.record)
  } catch {
    // the server reports the error
  }
  return line
}

/** longGame is the number of moves above which auto reviews a game: best takes some milliseconds a move. */
const longGame = 3000

function Reviewing({ record, info, onLoad }: { record: string; info: ReviewSummary; onLoad: () => void }) {
  const [at, setAt] = useState(0) // how many moves are made
  const [shown, setShown] = useState<ReviewPosition | null>(null)
  const [player, setPlayer] = useState(info.moves > longGame ? 'auto' : 'best')
  const polled = usePoll<MoveReview[]>(record + player, (known, signal) => further(record, player, info.moves, known ?? [], signal), 0, (all) => all.length < info.moves)
  const values = polled.result ?? []
  const wanted = useRef(0)
  const numbers = values.map((_, i) => i + 1)
  // The board is the one before this move; its number is the same in the list, the charts and the slider.
  const place = at < info.moves ? `${whole(at + 1)} of ${whole(info.moves)}` : `end, after ${whole(info.moves)}`
  const to = (n: number) => setAt(Math.max(0, Math.min(info.moves, n)))
  const boardside = useRef<HTMLDivElement>(null)
  const mistakes = useRef<HTMLDivElement>(null)
  const pick = (n: number) => {
    to(n)
    showBoard(boardside.current)
  }

  useEffect(() => {
    wanted.current = at
    link.insist('review.show', { record, move: at }).then((s) => wanted.current === at && setShown(s), () => {})
  }, [at])
  const keys = useRef((_: KeyboardEvent) => {})
  keys.current = (e) => {
    if (typing(e) || e.ctrlKey || e.metaKey || e.altKey || document.querySelector('dialog[open]')) return
    const range = e.target instanceof HTMLElement && e.target.matches('input[type=range]')
    if (e.key === 'n' || (e.key === 'ArrowRight' && !range)) to(at + 1)
    else if (e.key === 'b' || (e.key === 'ArrowLeft' && !range)) to(at - 1)
    else if (e.key === 'Home' && !range) to(0)
    else if (e.key === 'End' && !range) to(info.moves)
    else return
    e.preventDefault()
  }
  useEffect(() => {
    const f = (e: KeyboardEvent) => keys.current(e)
    addEventListener('keydown', f)
    return () => removeEventListener('keydown', f)
  }, [])
  const said = useAnnounce(`Move ${place}`)
  const v = values[at]
  const worst = worstOf(values)
  const next = shown?.next?.move
  return (
    <div class="arena">
      <div class="boardside" ref={boardside} style={{ ...shape(info.size), '--rest': '23rem' }}>
        <dl class="figures">
          <Figure main name="Score" value={<span id="score">{whole(shown?.score ?? 0)}</span>} />
          <Figure name="Move" value={<span id="moves">{place}</span>} />
        </dl>
        <BoardView board={shown?.board ?? info.board.map((r) => r.map(() => 0))} step={shown?.step ?? null} />
        <Field label="Move"><input type="range" min={1} max={info.moves + 1} value={at + 1} aria-valuetext={place} onInput={(e) => to(Number(e.currentTarget.value) - 1)} /></Field>
        <div class="buttons">
          <Button icon="back" label="One move back" keys="B" disabled={at === 0} onClick={() => to(at - 1)} />
          <Button icon="step" label="One move forward" keys="N" disabled={at === info.moves} onClick={() => to(at + 1)} />
          <Button onClick={() => reveal(mistakes.current)}>Mistakes</Button>
          <Button icon="ask" disabled={!shown} onClick={() => shown && go(`ask/${boardText(shown.board)}/${shown.score}`)}>Ask</Button>
        </div>
        <p role="status">{next && <>Move {whole(at + 1)}: <b>{arrow(next)} {next}</b>{v && (v.played === v.best ? <span class="good"> · the best move</span> : <span class="bad"> · {v.best} is better{lossText(v)}</span>)}</>}</p>
        <FromHere board={shown?.board} />
        {said}
      </div>
      <div class="stack">
        <Card title="Values" side={<span class="dim">{values.length < info.moves ? `${Math.floor((100 * values.length) / Math.max(1, info.moves))} %` : ''}</span>}>
          <h3 class="dim">Value of the position before each move</h3>
          <Chart x={numbers} xLabel="move" at={at + 1} onPick={pick} label={`Value of the position before each of ${info.moves} moves`}
            curves={[{ label: 'value', values: values.map((x) => x.value), colour: '--accent' }]} height={170} />
          <h3 class="dim">Loss of each move against the best one</h3>
          <Chart x={numbers} xLabel="move" at={at + 1} onPick={pick} zero label="Loss of each move against the best one"
            curves={[{ label: 'loss', values: values.map((x) => x.loss), colour: '--bad' }]} height={130} />
          <PlayerField label="Player" value={player} onChange={setPlayer} />
          {polled.trouble && <p class="bad" role="alert">{polled.trouble.replace('review.values: ', '')}</p>}
        </Card>
        <div ref={mistakes} class="reveal mistakes"><Card title="Worst mistakes">
          {worst.length === 0 ? <p class="dim">{values.length < info.moves ? 'Looking…' : `None: ${player} would have made the same moves.`}</p> : (
            <ol class="list">{worst.map(([i, x]) => (
              <li key={i}><button type="button" aria-current={i === at} onClick={() => pick(i)}><span>Move {whole(i + 1)}: {arrow(x.played)} instead of {arrow(x.best)}</span><span class="bad">{x.lost ? 'loses' : '−' + brief(x.loss ?? 0)}</span></button></li>
            ))}</ol>
          )}
        </Card></div>
        <Card title="Game">
          <p>{info.player || 'unknown player'} on {info.size.replace('x', ' × ')}, seed {info.seed}{info.spawn !== 'random' && `, new tiles ${info.spawn}`}: {whole(info.score)} points</p>
          <Button onClick={onLoad}>Review another game</Button>
        </Card>
      </div>
    </div>
  )
}

const lossText = (v: MoveReview) => (v.lost ? ', this one loses the game' : v.loss !== null ? ` by ${brief(v.loss)}` : '')

/** worstOf returns the worst moves: losing ones first, then the largest losses. */
function worstOf(values: MoveReview[]): [number, MoveReview][] {
  return values.map((v, i): [number, MoveReview] => [i, v]).filter(([, v]) => v.lost || (v.loss ?? 0) > 0)
    .sort(([, a], [, b]) => Number(b.lost) - Number(a.lost) || (b.loss ?? 0) - (a.loss ?? 0)).slice(0, 8)
}

/** further appends newly computed values to those of a record's moves. */
async function further(record: string, player: string, moves: number, known: MoveReview[], signal: AbortSignal): Promise<MoveReview[]> {
  if (known.length >= moves) return known
  const part = await link.ask('review.values', { record, player, from: known.length }, signal)
  return [...known, ...part.moves.map((v) => ({ ...v, value: v.value === null ? null : shownValue(v.value, part.unit) }))]
}
