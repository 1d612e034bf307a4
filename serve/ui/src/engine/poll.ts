// Requests that are repeated while the view is visible.
import { useEffect, useState } from 'preact/hooks'
import { cancelled, complaint, Lost, link } from './net'

/** usePoll repeats a request while its key is unchanged; key '' sends none. ask gets its last
    result, so that it can fetch only new data. While more returns true the next request follows
    immediately, otherwise after every milliseconds; with every 0 there is no further one, not
    even after an error. now restarts it. A hidden page pauses the timer; a new connection sends one immediately. */
export function usePoll<T>(
  key: string,
  ask: (last: T | null, signal: AbortSignal) => Promise<T>,
  every: number,
  more: (result: T) => boolean = () => false,
): { result: T | null; trouble: string; now: () => void } {
  const nothing = { result: null, trouble: '', key }
  const [state, set] = useState<{ result: T | null; trouble: string; key: string }>(nothing)
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    if (!key) return
    const end = new AbortController()
    let last: T | null = null
    let timer = 0
    let asking = false
    let done = false
    const wait = () => {
      done = every === 0
      if (done) off()
      else timer = window.setTimeout(() => (document.hidden ? wait() : step()), every)
    }
    const step = async () => {
      if (asking || done) return
      asking = true
      try {
        do {
          last = await ask(last, end.signal)
          if (end.signal.aborted) return
          set({ result: last, trouble: '', key })
        } while (more(last))
        wait()
      } catch (e) {
        if (end.signal.aborted || cancelled(e) || e instanceof Lost) return // a new connection asks again
        set((s) => ({ result: s.key === key ? s.result : null, trouble: complaint(e), key }))
        wait()
      } finally {
        asking = false
      }
    }
    const off = link.onOpen(() => {
      clearTimeout(timer)
      step()
    })
    return () => {
      end.abort()
      clearTimeout(timer)
      off()
    }
  }, [key, every, turn])
  const { result, trouble } = state.key === key ? state : nothing
  return { result, trouble, now: () => setTurn((n) => n + 1) }
}
