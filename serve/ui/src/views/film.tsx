// A screen recording that becomes games to review.
import { useEffect, useRef, useState } from 'preact/hooks'
import { readFilm, troubleOf, type Film } from '../footage'
import { whole } from '../format'
import type { FootagePart, TimeSpan } from '../types'
import { Button, Field } from '../ui'

/** clock shows a time of a recording. */
const clock = (ms: number) => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`

const many = (n: number, one: string, more = one + 's') => `${n === 1 ? 'One' : whole(n)} ${n === 1 ? one : more}`

/** gapText says where moves are missing. */
function gapText(gaps: TimeSpan[]) {
  if (gaps.length === 0) return 'No move is missing.'
  const times = gaps.slice(0, 6).map((g) => clock(g.from_ms)).join(', ') + (gaps.length > 6 ? ' …' : '')
  return `${many(gaps.length, 'gap')}, at ${times}: moves are missing there.`
}

const partText = (p: FootagePart) => `${clock(p.from_ms)} to ${clock(p.to_ms)}: ${many(p.moves, 'move').toLowerCase()}`

/** FilmInput reads a recording, and calls onRecord with the game, or with the part that is chosen. */
export function FilmInput({ file, onRecord, onCancel }: { file: File; onRecord: (record: string) => void; onCancel: () => void }) {
  const [share, setShare] = useState(0)
  const [film, setFilm] = useState<Film | null>(null)
  const [trouble, setTrouble] = useState('')
  const [chosen, setChosen] = useState(0)
  const done = useRef(onRecord)
  done.current = onRecord
  useEffect(() => {
    const stop = new AbortController()
    setFilm(null)
    setTrouble('')
    setShare(0)
    readFilm(file, stop.signal, setShare).then((f) => {
      const longest = f.parts.reduce((best, p, i) => (p.moves > (f.parts[best]?.moves ?? 0) ? i : best), 0)
      setChosen(longest)
      setFilm(f)
    }).catch((e: unknown) => !stop.signal.aborted && setTrouble(troubleOf(e)))
    return () => stop.abort()
  }, [file])
  const cancel = <Button onClick={onCancel}>Cancel</Button>
  if (trouble) return <><p class="bad lines" role="alert">{trouble}</p><div class="row">{cancel}</div></>
  if (!film) {
    return (
      <div class="offer" role="group" aria-label="Screen recording">
        <p role="status">Reading the recording…</p>
        <progress max={1} value={share} aria-label="Reading the recording" />
        <span class="dim">{Math.floor(100 * share)} %</span>
        {cancel}
      </div>
    )
  }
  const part = film.parts[chosen]
  const moves = film.parts.reduce((sum, p) => sum + p.moves, 0)
  return (
    <>
      <p role="status">{part ? `${many(moves, 'move')} in ${whole(film.frames)} frames. ${gapText(film.gaps)}` : `No move is found in ${whole(film.frames)} frames.`}</p>
      {film.parts.length > 1 && (
        <Field label="Part to review">
          <select value={chosen} onChange={(e) => setChosen(Number(e.currentTarget.value))}>
            {film.parts.map((p, i) => <option key={i} value={i}>{partText(p)}</option>)}
          </select>
        </Field>
      )}
      <div class="row">
        {part && <Button kind="main" onClick={() => done.current(part.record)}>Review this game</Button>}
        {cancel}
      </div>
    </>
  )
}
