// A recorded game played back.
import { useEffect, useState } from 'preact/hooks'
import { direction, letter, onControl, useKeys } from '../base/keys'
import { t } from '../base/text'
import { complaint, link } from '../engine/net'
import type { ReviewPosition } from '../types'
import { Button } from './ui'

const delays = [400, 100, 25] // milliseconds between moves
export const speedNames = [t('Slow'), t('Medium'), t('Fast')]

type Shown = ReviewPosition & { at: number }

/** Playback is where a game is that is played back. */
export interface Playback {
  moves: number
  at: number
  running: boolean
  over: boolean
  speed: number
  to: (n: number) => void
  toggle: () => void
  faster: () => void
}

/** usePlayback plays some moves back from a move on. If positions come late, shown is the one that is there:
    the next one waits for it. */
export function usePlayback(moves: number, from: number, runs: boolean, shown?: number): Playback {
  const [at, setAt] = useState(from)
  const [running, run] = useState(runs)
  const [speed, setSpeed] = useState(1)
  useEffect(() => {
    if (!running || at >= moves || (shown ?? at) !== at) return
    const timer = setTimeout(() => setAt(at + 1), delays[speed])
    return () => clearTimeout(timer)
  }, [running, shown, at, speed, moves])
  const over = at >= moves
  return {
    moves,
    at,
    running: running && !over,
    over,
    speed,
    to: (n) => {
      run(false)
      setAt(Math.max(0, Math.min(n, moves)))
    },
    toggle: () => {
      if (over) setAt(0)
      run(over || !running)
    },
    faster: () => setSpeed((speed + 1) % delays.length),
  }
}

export interface Replay extends Playback {
  shown: Shown | null
  trouble: string
}

/** useReplay plays a record of some moves from a move on; an empty record has not come yet. */
export function useReplay(record: string, moves: number, from: number, runs: boolean): Replay {
  const [shown, setShown] = useState<Shown | null>(null)
  const [trouble, setTrouble] = useState('')
  const p = usePlayback(moves, from, runs, shown?.at ?? -1)
  useEffect(() => {
    if (!record) return
    const stop = new AbortController()
    link.insist('review.show', { record, move: p.at }, stop.signal).then(
      (x) => stop.signal.aborted || setShown({ ...x, at: p.at }),
      (e: unknown) => {
        if (!stop.signal.aborted) setTrouble(complaint(e, 'review.show: '))
      },
    )
    return () => stop.abort()
  }, [record, p.at])
  return { ...p, shown, trouble }
}

/** useReplayKeys steps and plays by keys. Space stays the key of a button that has the focus. */
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

export function ReplayControls({ r }: { r: Playback }) {
  return (
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
}
