import { useEffect, useState } from 'preact/hooks'
import { complaint, link } from '../net'
import { reviewed, setReviewed } from '../reviewed'
import { isObject } from '../store'
import type { ReviewSummary } from '../types'
import { Button, Card, Dialog, Field } from '../ui'
import { Reviewing } from './reviewing'

export function ReviewView() {
  const [record, setRecord] = useState(reviewed)
  const [opened, setOpened] = useState<{ record: string; info: ReviewSummary } | null>(null)
  const [trouble, setTrouble] = useState('')
  const [loading, setLoading] = useState(false)

  useEffect(() => {
    if (!record) return
    setTrouble('')
    link.insist('review.open', { record }).then((info) => {
      if (record !== reviewed()) setReviewed(record, 'mistake')
      setOpened({ record, info })
    }, (e: unknown) => {
      setTrouble(complaint(e, 'review.open: '))
      setOpened(null)
    })
  }, [record])

  const load = <Load onRecord={(r) => {
    setLoading(false)
    setRecord(r)
    scrollTo(0, 0)
  }} trouble={trouble} />
  if (!opened) return <div class="stack" style={{ maxWidth: '40rem', margin: '0 auto' }}><Card title="A game to review">{load}</Card></div>
  return (
    <>
      <Reviewing key={opened.record} {...opened} onLoad={() => setLoading(true)} />
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
