// Questions that are asked again and again while somebody looks.
import { useEffect, useState } from 'preact/hooks'
import { link, RpcError } from './net'
import type { Method, Params, Result } from './types'

/** usePoll asks every so many milliseconds, not while the page is hidden; key '' asks nothing. */
export function usePoll<M extends Method>(method: M, params: Params<M>, every: number, key: string): { result: Result<M> | null; trouble: string; now: () => void } {
  const [state, set] = useState<{ result: Result<M> | null; trouble: string; key: string }>({ result: null, trouble: '', key: '' })
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    if (!key) return
    let ended = false
    let timer = 0
    const ask = async () => {
      if (!document.hidden) {
        try {
          const result = await link.ask(method, params)
          if (!ended) set({ result, trouble: '', key })
        } catch (e) {
          if (!ended && e instanceof RpcError) set((s) => ({ ...s, trouble: e.message, key }))
        }
      }
      if (!ended) timer = window.setTimeout(ask, every)
    }
    const off = link.onOpen(() => {
      clearTimeout(timer)
      ask()
    })
    return () => {
      ended = true
      clearTimeout(timer)
      off()
    }
  }, [method, key, every, turn])
  const fresh = state.key === key
  return { result: fresh ? state.result : null, trouble: fresh ? state.trouble : '', now: () => setTurn((n) => n + 1) }
}
