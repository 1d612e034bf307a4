// A recorded game played back.
import { useEffect, useState } from 'preact/hooks'
import { complaint, link } from '../net'
import type { ReviewPosition } from '../types'
import { Button } from '../ui'

const delays = [400, 100, 25] // milliseconds between moves
const speedNames = ['Slow', 'Medium', 'Fast']

export interface Replay {
  moves: number
  at: number
  shown: ReviewPosition & { at: number } | null
  running: boolean
  over: boolean
  trouble: string
  speed: number
  to: (n: number) => void
  toggle: () => void
  faster: () => void
}

/** useReplay plays a record of some moves from a move on; an empty record has not come yet. */
export function useReplay(record: string, moves: number, from: number, runs: boolean): Replay {
  const [at, setAt] = useState(from)
  const [shown, setShown] = useState<ReviewPosition & { at: number } | null>(null)
  const [running, run] = useState(runs)
  const [speed, setSpeed] = useState(1)
  const [trouble, setTrouble] = useState('')
  useEffect(() => {
    if (!record) return
    const stop = new AbortController()
    link.insist('review.show', { record, move: at }, stop.signal).then((p) => stop.signal.aborted || setShown({ ...p, at }), (e: unknown) => {
      if (!stop.signal.aborted) setTrouble(complaint(e, 'review.show: '))
    })
    return () => stop.abort()
  }, [record, at])
  // The next position is requested when this one is shown: a slow server slows the game down.
  useEffect(() => {
    if (!running || shown?.at !== at || at >= moves) return
    const timer = setTimeout(() => setAt(at + 1), delays[speed])
    return () => clearTimeout(timer)
  }, [running, shown, at, speed])
  const over = at >= moves
  return {
    moves, at, shown, running: running && !over, over, trouble, speed,
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

export function ReplayControls({ r }: { r: Replay }) {
  return (
    <>
      <input type="range" min={0} max={r.moves} value={r.at} aria-label="Move" aria-valuetext={`${r.at} of ${r.moves}`} onInput={(e) => r.to(Number(e.currentTarget.value))} />
      <div class="buttons">
        <Button icon="back" label="One move back" keys="B" disabled={r.at === 0} onClick={() => r.to(r.at - 1)} />
        <Button kind="main" icon={r.running ? 'pause' : 'start'} label={r.running ? 'Pause' : 'Play'} keys="Space" disabled={r.moves === 0} onClick={r.toggle} />
        <Button icon="step" label="One move forward" keys="N" disabled={r.over} onClick={() => r.to(r.at + 1)} />
        <Button label="Speed" onClick={r.faster}>{speedNames[r.speed]}</Button>
      </div>
    </>
  )
}
