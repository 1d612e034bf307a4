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

interface Playing {
  moves: number
  at: number
  running: boolean
  over: boolean
  trouble: string
  speed: number
  to: (n: number) => void
  toggle: () => void
  faster: () => void
}

export interface Replay extends Playing {
  shown: Shown | null
}

/** useReplay plays a record of some moves from a move on; an empty record has not come yet. */
export function useReplay(record: string, moves: number, from: number, runs: boolean): Replay {
  const r = useReplays([{ record, moves }], from, runs)
  return { ...r, shown: r.shown?.[0] ?? null }
}

/** useReplays plays records at the same time. One that has ended shows its end. */
export function useReplays(
  games: { record: string; moves: number }[],
  from: number,
  runs: boolean,
): Playing & { shown: Shown[] | null } {
  const moves = Math.max(...games.map((g) => g.moves))
  const [at, setAt] = useState(from)
  const [all, setShown] = useState<{ at: number; shown: Shown[] } | null>(null)
  const [running, run] = useState(runs)
  const [speed, setSpeed] = useState(1)
  const [trouble, setTrouble] = useState('')
  useEffect(() => {
    if (games.some((g) => !g.record)) return
    const stop = new AbortController()
    Promise.all(
      games.map(async (g) => {
        const move = Math.min(at, g.moves)
        return { ...(await link.insist('review.show', { record: g.record, move }, stop.signal)), at: move }
      }),
    ).then(
      (shown) => stop.signal.aborted || setShown({ at, shown }),
      (e: unknown) => {
        if (!stop.signal.aborted) setTrouble(complaint(e, 'review.show: '))
      },
    )
    return () => stop.abort()
  }, [...games.map((g) => g.record), at])
  // The next position is requested when this one is shown: a slow server slows the game down.
  useEffect(() => {
    if (!running || all?.at !== at || at >= moves) return
    const timer = setTimeout(() => setAt(at + 1), delays[speed])
    return () => clearTimeout(timer)
  }, [running, all, at, speed])
  const over = at >= moves
  return {
    moves,
    at,
    shown: all?.shown ?? null,
    running: running && !over,
    over,
    trouble,
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

/** useReplayKeys steps and plays by keys. Space stays the key of a button that has the focus. */
export function useReplayKeys(r: Playing) {
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

export function ReplayControls({ r }: { r: Playing }) {
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
