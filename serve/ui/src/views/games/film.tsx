// A screen recording that becomes games to review.

import { useEffect, useState } from 'preact/hooks'
import { t } from '../../base/text'
import { Select } from '../../parts/fields'
import { Alert, Button } from '../../parts/ui'
import { type Film, readFilm, troubleOf } from '../../state/footage'
import type { FootagePart, TimeSpan } from '../../types'

/** clock shows a time of a recording. */
const clock = (ms: number) =>
  `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`

const partText = (p: FootagePart) =>
  t('{from} to {to}: {n|one move|# moves}', { from: clock(p.from_ms), to: clock(p.to_ms), n: p.moves })

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
export function FilmInput(p: { file: File; onRecord: (record: string) => void; onCancel: () => void }) {
  const { file } = p
  const [share, setShare] = useState(0)
  const [film, setFilm] = useState<Film | null>(null)
  const [trouble, setTrouble] = useState('')
  const [chosen, setChosen] = useState(0)
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
  const cancel = <Button onClick={p.onCancel} text={t('Cancel')} />
  if (trouble)
    return (
      <>
        <Alert lines text={trouble} />
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
        <Select
          label={t('Part to review')}
          value={chosen}
          of={[...film.parts.keys()]}
          name={(i) => partText(film.parts[i] as FootagePart)}
          onChange={setChosen}
        />
      )}
      <div class="row">
        {part && <Button kind="main" onClick={() => p.onRecord(part.record)} text={t('Review this game')} />}
        {cancel}
      </div>
    </>
  )
}
