// A recorded game played back.
import { useEffect, useState } from 'preact/hooks'
import { direction, letter, onControl, useKeys } from '../base/keys'
import { t } from '../base/text'
import { useRequest } from '../engine/net'
import { Button } from './ui'

const delays = [400, 100, 25] // milliseconds between moves
export const speedNames = [t('Slow'), t('Medium'), t('Fast')]

/** Playback is the state of a game being played back. */
export type Playback = ReturnType<typeof usePlace>

export function usePlayback(moves: number, from: number, runs: boolean) {
  const playback = usePlace(moves, from, runs)
  useRunning(playback, true)
  return playback
}

/** useRunning makes the next move of a running playback, once the position after the last move is loaded. */
function useRunning({ running, at, speed, next }: Playback, ready: boolean) {
  useEffect(() => {
    if (!running || !ready) return
    const timer = setTimeout(next, delays[speed])
    return () => clearTimeout(timer)
  }, [running, ready, at, speed])
}

function usePlace(moves: number, from: number, runs: boolean) {
  const [at, setAt] = useState(from)
  const [running, run] = useState(runs)
  const [speed, setSpeed] = useState(1)
  const over = at >= moves
  return {
    moves,
    at,
    running: running && !over,
    over,
    speed,
    to: (n: number) => {
      run(false)
      setAt(Math.max(0, Math.min(n, moves)))
    },
    toggle: () => {
      if (over) setAt(0)
      run(over || !running)
    },
    faster: () => setSpeed((speed + 1) % delays.length),
    next: () => setAt((now) => (now === at ? at + 1 : now)), // unless another move was chosen meanwhile
  }
}

/** useReplay plays back a record with a number of moves, starting at move from. record is empty until it is
    loaded. */
export function useReplay(record: string, moves: number, from: number, runs: boolean) {
  const place = usePlace(moves, from, runs)
  const { result, current, trouble } = useRequest('review.show', record ? { record, move: place.at } : null)
  useRunning(place, current !== null)
  // shown is the last loaded position; ready reports whether it is the position at the current move.
  return { ...place, shown: result, ready: current !== null, trouble: trouble.replace('review.show: ', '') }
}

/** useReplayKeys handles the keys for stepping and playing. If a button has the focus, Space presses that button. */
export function useReplayKeys(r: Playback) {
  useKeys((e) => {
    const d = direction(e)
    if (e.key === ' ' && onControl(e)) return false
    if (e.key === ' ') r.toggle()
    else if (letter(e) === 'n' || d === 'right') r.to(r.at + 1)
    else if (letter(e) === 'b' || d === 'left') r.to(r.at - 1)
    else if (e.key === 'Home') r.to(0)
    else if (e.key === 'End') r.to(r.moves)
    else return false
    return true
  })
}

export const ReplayControls = ({ r }: { r: Playback }) => (
  <>
    <input
      type="range"
      min={0}
      max={r.moves}
      value={r.at}
      aria-label={t('Move')}
      aria-valuetext={t('{n} of {all}', { n: r.at, all: r.moves })}
      onInput={(e) => r.to(Number(e.currentTarget.value))}
    />
    <div class="buttons">
      <Button
        icon="back"
        label={t('One move back')}
        keys="B"
        disabled={r.at === 0}
        onClick={() => r.to(r.at - 1)}
      />
      <Button
        kind="main"
        icon={r.running ? 'pause' : 'start'}
        label={r.running ? t('Pause') : t('Play@replay')}
        keys="Space"
        disabled={r.moves === 0}
        onClick={r.toggle}
      />
      <Button
        icon="step"
        label={t('One move forward')}
        keys="N"
        disabled={r.over}
        onClick={() => r.to(r.at + 1)}
      />
      <Button label={t('Speed')} onClick={r.faster} text={speedNames[r.speed]} />
    </div>
  </>
)
