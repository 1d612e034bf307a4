// Exact values of small boards: the offer to solve a size once, and the progress.
import { useEffect, useRef, useState } from 'preact/hooks'
import { lasting, share, sizeText, t } from '../base/text'
import { engine, link, useAttempt, usePoll } from '../engine/net'
import type { SolveState } from '../types'
import { Alert, Button } from './ui'

const maxCells = 9 // number of cells of the largest size that can be solved

/** SolveOffer offers to solve a size if that gives a player exact values. onSolved is called after that. */
export function SolveOffer(p: { size: string; player: string; onSolved: () => void }) {
  const { size, player } = p
  const [rows = 4, cols = 4] = size.split('x').map(Number)
  const key = !engine && rows * cols <= maxCells ? `${size} ${player}` : ''
  const [running, setRunning] = useState(false)
  const { trouble, setTrouble, attempt } = useAttempt()
  const [done, setDone] = useState('') // key of the offered size and player, once the size has been solved
  const offered = useRef('') // key of the size and player that are offered now
  const { result: s, now } = usePoll<SolveState>(
    key,
    (_, signal) => link.ask('solve.show', { size, player }, signal),
    running ? 300 : 0,
  )
  useEffect(() => {
    if (!s) return
    setRunning(s.state === 'solving')
    if (s.state === 'solving' || s.state === 'unsolved') offered.current = key
    else if (s.state === 'solved' && offered.current === key) {
      offered.current = ''
      setDone(key)
      p.onSolved()
    }
  }, [s])
  useEffect(() => setTrouble(''), [key])

  const request = (method: 'solve.start' | 'solve.stop') =>
    attempt(() => link.insist(method, { size }).then(now), `${method}: `)
  const name = sizeText(size)
  if (key && done === key && s?.state === 'solved')
    return (
      <p class="good" role="status">
        {t('{size} is solved: values are exact.', { size: name })}
      </p>
    )
  if (!s || s.state === 'none' || s.state === 'solved') return null
  return (
    <div class="offer" role="group" aria-label={t('Exact values')}>
      {s.state === 'solving' ? (
        <>
          <p role="status">{t('Solving {size}…', { size: name })}</p>
          <progress max={1} value={s.done} aria-label={t('Solving {size}…', { size: name })} />
          <span class="dim">
            {share(Math.floor(100 * s.done) / 100)}
            {s.left_s !== null && `, ${t('{time} left', { time: lasting(s.left_s) })}`}
          </span>
          <Button kind="small" onClick={() => request('solve.stop')} text={t('Cancel')} />
        </>
      ) : s.allowed ? (
        <>
          <p>
            {t('Solve {size} once to know the exact value of every move: {cost}.', {
              size: name,
              cost: cost(s),
            })}
          </p>
          <Button
            kind="small"
            onClick={() => request('solve.start')}
            text={t('Solve {size}', { size: name })}
          />
        </>
      ) : (
        <p class="dim">
          {t('This size cannot be solved from here; run afterstate solve {size} on the server ({cost}).', {
            size,
            cost: cost(s),
          })}
        </p>
      )}
      <Alert text={trouble || (s.state === 'unsolved' && s.error)} />
    </div>
  )
}

const cost = (s: SolveState) =>
  t('about {s}\u00a0s, {mb}\u00a0MB on disk', { s: Math.round(s.time_s), mb: Math.round(s.bytes / 1e6) })
