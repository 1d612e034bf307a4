// A screen recording that becomes games to review.
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Film, readFilm, troubleOf } from '../footage'
import { t } from '../text'
import type { TimeSpan } from '../types'
import { Button, Field } from '../ui'

/** clock shows a time of a recording. */
const clock = (ms: number) =>
  `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`

/** gapText says where moves are missing. */
function gapText(gaps: TimeSpan[]) {
  if (gaps.length === 0) return t('No move is missing.')
  const times =
    gaps
      .slice(0, 6)
      .map((g) => clock(g.from_ms))
      .join(', ') + (gaps.length > 6 ? ' …' : '')
  return t('{n|One gap|# gaps}, at {times}: moves are missing there.', { n: gaps.length, times })
}

/** FilmInput reads a recording, and calls onRecord with the game, or with the part that is chosen. */
export function FilmInput({
  file,
  onRecord,
  onCancel,
}: {
  file: File
  onRecord: (record: string) => void
  onCancel: () => void
}) {
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
    readFilm(file, stop.signal, setShare)
      .then((f) => {
        const longest = f.parts.reduce((best, p, i) => (p.moves > (f.parts[best]?.moves ?? 0) ? i : best), 0)
        setChosen(longest)
        setFilm(f)
      })
      .catch((e: unknown) => !stop.signal.aborted && setTrouble(troubleOf(e)))
    return () => stop.abort()
  }, [file])
  const cancel = <Button onClick={onCancel}>{t('Cancel')}</Button>
  if (trouble)
    return (
      <>
        <p class="bad lines" role="alert">
          {trouble}
        </p>
        <div class="row">{cancel}</div>
      </>
    )
  if (!film) {
    return (
      <div class="offer" role="group" aria-label={t('Screen recording')}>
        <p role="status">{t('Reading the recording…')}</p>
        <progress max={1} value={share} aria-label={t('Reading the recording…')} />
        <span class="dim">{Math.floor(100 * share)} %</span>
        {cancel}
      </div>
    )
  }
  const part = film.parts[chosen]
  const moves = film.parts.reduce((sum, p) => sum + p.moves, 0)
  return (
    <>
      <p role="status">
        {part
          ? t('{n|One move|# moves} in {frames} frames.', { n: moves, frames: film.frames }) +
            ' ' +
            gapText(film.gaps)
          : t('No move is found in {frames} frames.', { frames: film.frames })}
      </p>
      {film.parts.length > 1 && (
        <Field label={t('Part to review')}>
          <select value={chosen} onChange={(e) => setChosen(Number(e.currentTarget.value))}>
            {film.parts.map((p, i) => (
              <option key={i} value={i}>
                {t('{from} to {to}: {n|one move|# moves}', {
                  from: clock(p.from_ms),
                  to: clock(p.to_ms),
                  n: p.moves,
                })}
              </option>
            ))}
          </select>
        </Field>
      )}
      <div class="row">
        {part && (
          <Button kind="main" onClick={() => done.current(part.record)}>
            {t('Review this game')}
          </Button>
        )}
        {cancel}
      </div>
    </>
  )
}
