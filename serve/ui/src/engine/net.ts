// The JSON-RPC connection to a server or to the site's engine, which reconnects when it is lost. Hooks send
// the requests of views: on a click, for what is shown, or repeatedly while the view is visible.
import { useEffect, useState } from 'preact/hooks'
import { Listeners, listen, useChanging } from '../base/store'
import { t } from '../base/text'
import type { Frame, Method, Notifications, Params, Result } from '../types'
import { codeBusy, codeCancelled, maxBytes, maxReviewBytes } from '../types'
import { folder, site } from './site'
import { type Connection, server, type Transport } from './transport'
import { Engine } from './workers'

export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

/** Lost is the error of requests whose connection ended before their answer. */
export class Lost extends Error {
  constructor() {
    super(t('the connection was lost'))
  }
}

/** complaint returns the text of an error without the text known, which the user has seen already. */
export const complaint = (e: unknown, known = ''): string =>
  (e instanceof Error ? e.message : String(e)).replace(known, '')

/** refused: the server requires a token that this browser does not have. */
type Status = 'connecting' | 'open' | 'lost' | 'refused'

interface Waiting {
  resolve(result: unknown): void
  reject(why: Error): void
}

interface Answer {
  id?: number
  result?: unknown
  error?: { code: number; message: string }
}

const shortestPause = 250
const longestPause = 4000

export class Link {
  status: Status = 'connecting'
  loading = false // a request waits for a network to be loaded
  private connection: Connection | null = null
  private id = 0
  private waiting = new Map<number, Waiting>()
  private pause = shortestPause
  private timer = 0
  private opened = new Listeners()
  private changed = new Listeners()
  private frames = new Listeners<Frame>()
  /** onChange adds a function to call after each change, onFrame one to call with each frame. Both return a
      function that removes it. */
  readonly onChange = this.changed.add
  readonly onFrame = this.frames.add

  constructor(private readonly transport: Transport) {
    this.connect()
    listen('online', () => this.hurry())
    listen('visibilitychange', () => document.hidden || this.hurry())
  }

  /** ask sends a request. Aborting the signal cancels it. */
  ask<M extends Method>(method: M, params: Params<M>, signal?: AbortSignal): Promise<Result<M>> {
    const connection = this.connection
    if (!connection?.open) return Promise.reject(new Lost())
    const id = ++this.id
    const text = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    const size = new TextEncoder().encode(text).length
    const maximum = method.startsWith('review.') ? maxReviewBytes : maxBytes
    if (size > maximum)
      return Promise.reject(
        new Error(t('the request has {size} bytes; the limit is {largest}', { size, largest: maximum })),
      )
    connection.send(text, method)
    return new Promise<Result<M>>((resolve, reject) => {
      this.waiting.set(id, { resolve: (r) => resolve(r as Result<M>), reject })
      signal?.addEventListener('abort', () => {
        if (this.waiting.has(id)) this.ask('cancel', { id }).catch(() => {})
      })
    })
  }

  /** alone sends a request outside the connection, so that the connection's open game stays unaffected. Only
      such a request may contain a picture. */
  async alone<M extends Method>(method: M, params: Params<M>, signal?: AbortSignal): Promise<Result<M>> {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answer = JSON.parse(await this.transport.alone(text, method, signal)) as Answer
    if (answer.error) throw new RpcError(answer.error.code, answer.error.message)
    return answer.result as Result<M>
  }

  /** insist sends a request, and sends it again whenever the connection is lost before the answer. */
  async insist<M extends Method>(method: M, params: Params<M>, signal?: AbortSignal): Promise<Result<M>> {
    for (;;) {
      try {
        return await this.ask(method, params, signal)
      } catch (e) {
        if (!(e instanceof Lost) || signal?.aborted) throw e
        await new Promise<void>((done) => {
          const off = this.onOpen(() => {
            off()
            done()
          })
        })
        if (signal?.aborted) throw e
      }
    }
  }

  /** onOpen calls f whenever a connection opens, and at once if one is open. */
  onOpen(f: () => void): () => void {
    const off = this.opened.add(f)
    if (this.status === 'open') queueMicrotask(() => this.opened.has(f) && f())
    else this.changed.tell()
    return () => {
      off()
      if (this.status !== 'open') this.changed.tell()
    }
  }

  /** wanted reports whether anything waits for a connection. */
  get wanted(): boolean {
    return this.opened.any
  }

  /** busy reports whether a request waits for its answer. */
  get busy(): boolean {
    return this.waiting.size > 0
  }

  private hurry() {
    if (this.status !== 'lost' && this.status !== 'refused') return
    clearTimeout(this.timer)
    this.pause = shortestPause
    this.connect()
  }

  private setLoading(loading: boolean) {
    this.loading = loading
    this.changed.tell()
  }

  private set(status: Status) {
    this.status = status
    this.changed.tell()
  }

  private connect() {
    let ended = false
    this.connection = this.transport.connect({
      opened: () => {
        this.pause = shortestPause
        this.set('open')
        this.opened.tell()
      },
      received: (text) => this.receive(text),
      closed: (refused) => {
        if (!ended) this.lost()
        ended = true
        const now = refused ? 'refused' : 'lost'
        if (this.status !== 'open' && this.status !== now) this.set(now)
      },
    })
  }

  /** lost rejects the requests that wait for answers, and reconnects after a pause. */
  private lost() {
    this.connection = null
    const waiting = [...this.waiting.values()]
    this.waiting.clear()
    this.setLoading(false)
    if (this.status !== 'refused') this.set('lost')
    for (const w of waiting) w.reject(new Lost())
    this.timer = window.setTimeout(() => this.connect(), this.pause)
    this.pause = Math.min(2 * this.pause, longestPause)
  }

  private receive(text: string) {
    const m = JSON.parse(text) as
      | Answer
      | { [K in keyof Notifications]: { method: K; params: Notifications[K] } }[keyof Notifications]
    if ('method' in m) {
      if (m.method === 'loading') this.setLoading(m.params.loading)
      else this.frames.tell(m.params)
      return
    }
    const w = m.id === undefined ? undefined : this.waiting.get(m.id)
    if (!w || m.id === undefined) return
    this.waiting.delete(m.id)
    if (m.error) w.reject(new RpcError(m.error.code, m.error.message))
    else w.resolve(m.result)
  }
}

/** engine is the engine of a static site; null if a server answers. */
export const engine = site && new Engine(site)

export const link = new Link(engine ?? server(folder))

export const useStatus = () => useChanging(() => link.status, link.onChange)

/** busy reports whether the error is a limit of the server; the same request may succeed later. */
export const busy = (e: unknown) => e instanceof RpcError && e.code === codeBusy

export const cancelled = (e: unknown) => e instanceof RpcError && e.code === codeCancelled

/** useAttempt returns attempt, a function that does work and stores the text of its
    error, without what the visitor knows. */
export function useAttempt() {
  const [trouble, setTrouble] = useState('')
  const attempt = async (work: () => unknown, known = '') => {
    setTrouble('')
    try {
      await work()
    } catch (e) {
      setTrouble(complaint(e, known))
    }
  }
  return { trouble, setTrouble, attempt }
}

/** useLoaded returns what load found; again calls load again. */
export function useLoaded<T>(load: () => Promise<T>) {
  const [found, setFound] = useState<T | null>(null)
  const { trouble, attempt } = useAttempt()
  const again = () => attempt(() => load().then(setFound))
  useEffect(() => void again(), [])
  return { found, trouble, again }
}

/** usePoll repeats a request while its key and version are unchanged; with key '' it sends none. ask gets its last
    result, so that it can request only new data. While unfinished returns true, the next request follows immediately,
    otherwise after a pause of the given length (every, in milliseconds). If every is 0, no further request follows,
    not even after an error. now sends a request immediately and starts again. A hidden page pauses the timer; a new
    connection sends a request immediately. last is the newest result, possibly for another key. */
export function usePoll<T>(
  key: string,
  ask: (last: T | null, signal: AbortSignal) => Promise<T>,
  every = 0,
  unfinished: (result: T) => boolean = () => false,
  version = '',
) {
  const [turn, setTurn] = useState(0)
  const request = `${turn} ${version} ${key}`
  const nothing = { result: null as T | null, trouble: '', key, request: '' }
  const [state, set] = useState(nothing)
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
          set({ result: last, trouble: '', key, request })
        } while (unfinished(last))
        wait()
      } catch (e) {
        // after a lost connection, the next one asks again
        if (end.signal.aborted || cancelled(e) || e instanceof Lost) return
        set((s) => ({ result: s.key === key ? s.result : null, trouble: complaint(e), key, request }))
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
  }, [request, every])
  const { result, trouble } = state.key === key ? state : nothing
  const busy = key !== '' && state.request !== request
  return { result, trouble, busy, last: key ? state.result : null, now: () => setTurn((n) => n + 1) }
}

/** useRequest calls a method whenever its params or turn change, and after the site's engine has loaded a
    network; with params null it sends nothing. Until the answer to new params arrives, result is the previous
    answer, and current is null. */
export function useRequest<M extends Method>(method: M, params: Params<M> | null, turn = 0) {
  const networks = useChanging(() => engine?.loaded, engine?.onNetwork)
  const { result, last, trouble, busy } = usePoll<Result<M>>(
    params ? method + JSON.stringify(params) : '',
    (_, signal) => (params ? link.ask(method, params, signal) : Promise.reject()),
    0,
    () => false,
    `${turn} ${networks}`,
  )
  return { result: last, current: result, trouble, busy }
}
