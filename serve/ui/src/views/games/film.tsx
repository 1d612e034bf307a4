// A screen recording that becomes games to review.

import { useEffect, useState } from 'preact/hooks'
import { clock } from '../../base/format'
import { t } from '../../base/text'
import { Select } from '../../parts/fields'
import { Alert, Button } from '../../parts/ui'
import { type Film, readFilm, troubleOf } from '../../state/footage'
import type { FootagePart, TimeSpan } from '../../types'

const partText = (p: FootagePart) =>
  t('{from} to {to}: {n|one move|# moves}', { from: clock(p.from_ms), to: clock(p.to_ms), n: p.moves })

/** gapText says where moves are missing. */
function gapText(gaps: TimeSpan[]) {
  if (gaps.length === 0) return t('No move is missing.')
  const times = gaps.slice(0, 6).map((g) => clock(g.from_ms))
  const more = gaps.length > times.length ? ' …' : ''
  return t('{n|One gap|# gaps}, at {times}: moves are missing there.', {
    n: gaps.length,
    times: times.join(', ') + more,
  })
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
    readFilm(file, stop.signal, setShare)
      .then((f) => {
        const moves = f.parts.map((part) => part.moves)
        setChosen(moves.indexOf(Math.max(0, ...moves)))
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
  if (!film)
    return (
      <div class="offer" role="group" aria-label={t('Screen recording')}>
        <p role="status">{t('Reading the recording…')}</p>
        <progress max={1} value={share} aria-label={t('Reading the recording…')} />
        {cancel}
      </div>
    )
  const part = film.parts[chosen]
  const moves = film.parts.reduce((sum, p) => sum + p.moves, 0)
  return (
    <>
      <p role="status">
        {part
          ? `${t('{n|One move|# moves} in {frames} frames.', { n: moves, frames: film.frames })} ${gapText(film.gaps)}`
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
