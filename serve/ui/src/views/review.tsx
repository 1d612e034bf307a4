import { useEffect, useRef, useState } from 'preact/hooks'
import { arrow, BoardView, shape, useAnnounce } from '../board'
import { boardText, brief, shown as shownValue, whole } from '../format'
import { Chart } from '../chart'
import { cancelled, complaint, link } from '../net'
import { go } from '../route'
import { isObject } from '../store'
import type { ReviewSummary, ReviewPosition, MoveReview } from '../types'
import { Button, Card, Dialog, Field, Figure, PlayerField, typing } from '../ui'

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
      <p class="dim">Step through a game, see where it was won and lost, and what another player would have done. Play and Watch have a Review button; a game in a file works too.</p>
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

/** recordIn is the first record of a file, or that of a kept game. */
function recordIn(text: string): string {
  const line = text.trim().split('\n')[0] ?? ''
  try {
    const v: unknown = JSON.parse(line)
    if (isObject(v) && isObject(v.record)) return JSON.stringify(v.record)
  } catch {
    // the server says what is wrong
  }
  return line
}

function Reviewing({ record, info, onLoad }: { record: string; info: ReviewSummary; onLoad: () => void }) {
  const [at, setAt] = useState(0)
  const [shown, setShown] = useState<ReviewPosition | null>(null)
  const [judge, setJudge] = useState('auto')
  const { values, trouble } = useValues(record, judge, info.moves)
  const wanted = useRef(0)
  const to = (n: number) => setAt(Math.max(0, Math.min(info.moves, n)))

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
  const said = useAnnounce(`Move ${at} of ${info.moves}`)
  const v = values[at]
  const worst = worstOf(values)
  const next = shown?.next?.move
  return (
    <div class="arena">
      <div class="boardside" style={{ ...shape(info.size), '--rest': '20rem' }}>
        <dl class="figures">
          <Figure main name="Score" value={<span id="score">{whole(shown?.score ?? 0)}</span>} />
          <Figure name="Move" value={<span id="moves">{whole(at)} of {whole(info.moves)}</span>} />
        </dl>
        <BoardView board={shown?.board ?? info.board.map((r) => r.map(() => 0))} step={shown?.step ?? null} />
        <Field label="Move"><input type="range" min={0} max={info.moves} value={at} onInput={(e) => to(Number(e.currentTarget.value))} /></Field>
        <div class="buttons">
          <Button icon="back" label="One move back" keys="B" disabled={at === 0} onClick={() => to(at - 1)} />
          <Button icon="step" label="One move on" keys="N" disabled={at === info.moves} onClick={() => to(at + 1)} />
          <Button icon="ask" disabled={!shown} onClick={() => shown && go(`ask/${boardText(shown.board)}/${shown.score}`)}>Ask here</Button>
        </div>
        <p role="status">{next && <>Played: <b>{arrow(next)} {next}</b>{v && (v.played === v.best ? <span class="good"> · the best move</span> : <span class="bad"> · {v.best} is better{lossText(v)}</span>)}</>}</p>
        {said}
      </div>
      <div class="stack">
        <Card title="Value over time" side={<span class="dim">{values.length < info.moves ? `${Math.floor((100 * values.length) / Math.max(1, info.moves))} %` : ''}</span>}>
          <Chart x={values.map((_, i) => i)} xLabel="move" at={at} onPick={to} label={`What the position was worth over ${info.moves} moves`}
            curves={[{ label: 'value', values: values.map((x) => x.value), colour: '--accent' }]} height={170} />
          <Chart x={values.map((_, i) => i)} xLabel="move" at={at} onPick={to} zero label="What each move lost against the best one"
            curves={[{ label: 'loss', values: values.map((x) => x.loss), colour: '--bad' }]} height={130} />
          <PlayerField label="Judge" value={judge} onChange={setJudge} />
          {trouble && <p class="bad" role="alert">{trouble}</p>}
        </Card>
        <Card title="Worst mistakes">
          {worst.length === 0 ? <p class="dim">{values.length < info.moves ? 'Looking…' : 'None: every move was the judge’s own.'}</p> : (
            <ol class="list">{worst.map(([i, x]) => (
              <li key={i}><button type="button" aria-current={i === at} onClick={() => to(i)}><span>Move {i + 1}: {arrow(x.played)} instead of {arrow(x.best)}</span><span class="bad">{x.lost ? 'lost' : '−' + brief(x.loss ?? 0)}</span></button></li>
            ))}</ol>
          )}
        </Card>
        <Card title="Game">
          <p>{info.player || 'unknown player'} on {info.size.replace('x', ' × ')}, seed {info.seed}{info.spawn !== 'random' && `, tiles ${info.spawn}`}: {whole(info.score)} points</p>
          <Button onClick={onLoad}>Review another game</Button>
        </Card>
      </div>
    </div>
  )
}

const lossText = (v: MoveReview) => (v.lost ? ', this one is lost' : v.loss !== null ? ` by ${brief(v.loss)}` : '')

/** worstOf are the worst moves: those that lost everything, then the largest losses. */
function worstOf(values: MoveReview[]): [number, MoveReview][] {
  return values.map((v, i): [number, MoveReview] => [i, v]).filter(([, v]) => v.lost || (v.loss ?? 0) > 0)
    .sort(([, a], [, b]) => Number(b.lost) - Number(a.lost) || (b.loss ?? 0) - (a.loss ?? 0)).slice(0, 8)
}

/** useValues asks for the values of all moves, a part at a time. */
function useValues(record: string, player: string, moves: number) {
  const [values, set] = useState<MoveReview[]>([])
  const [trouble, setTrouble] = useState('')
  useEffect(() => {
    const end = new AbortController()
    set([])
    setTrouble('')
    const all: MoveReview[] = []
    const more = async () => {
      while (all.length < moves && !end.signal.aborted) {
        const part = await link.insist('review.values', { record, player, from: all.length }, end.signal)
        if (end.signal.aborted || part.moves.length === 0) return
        all.push(...part.moves.map((v) => ({ ...v, value: v.value === null ? null : shownValue(v.value, part.unit) })))
        set([...all])
      }
    }
    more().catch((e: unknown) => !cancelled(e) && !end.signal.aborted && setTrouble(complaint(e, 'review.values: ')))
    return () => end.abort()
  }, [record, player])
  return { values, trouble }
}
