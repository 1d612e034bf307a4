// The connection to what answers, a server or the site's engine: JSON-RPC, and a new connection
// whenever one is lost.
import { Listeners, useChanging } from '../base/changes'
import { t } from '../base/text'
import {
  codeBusy,
  codeCancelled,
  type Frame,
  type Method,
  maxBytes,
  maxReviewBytes,
  type Notifications,
  type Params,
  type Result,
} from '../types'
import { folder, site } from './site'
import type { Connection, Transport } from './transport'
import { server } from './websocket'
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

/** complaint returns the text of an error without the part that the user knows. */
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
  /** loading is whether a request waits for a network to be loaded. */
  loading = false
  private connection: Connection | null = null
  private id = 0
  private waiting = new Map<number, Waiting>()
  private pause = shortestPause
  private timer = 0
  private opened = new Listeners()
  private changed = new Listeners()
  private frames = new Listeners<Frame>()
  /** onChange and onFrame call a function after each change, until what they return is called. */
  readonly onChange = this.changed.add
  readonly onFrame = this.frames.add

  constructor(private readonly transport: Transport) {
    this.connect()
    window.addEventListener('online', () => this.hurry())
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.hurry()
    })
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
        new Error(t('the request has {size} bytes: must be at most {largest}', { size, largest: maximum })),
      )
    connection.send(text, method)
    return new Promise<Result<M>>((resolve, reject) => {
      this.waiting.set(id, { resolve: (r) => resolve(r as Result<M>), reject })
      signal?.addEventListener('abort', () => {
        if (this.waiting.has(id)) this.ask('cancel', { id }).catch(() => {})
      })
    })
  }

  /** alone sends a request outside of the connection, whose open game it does not change. Only it may
      send a picture. */
  async alone<M extends Method>(method: M, params: Params<M>, signal?: AbortSignal): Promise<Result<M>> {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const answer = JSON.parse(await this.transport.alone(text, method, signal)) as Answer
    if (answer.error) throw new RpcError(answer.error.code, answer.error.message)
    return answer.result as Result<M>
  }

  /** insist repeats a request after lost connections. */
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

  /** onOpen calls f whenever there is a new connection, and now if there is one. */
  onOpen(f: () => void): () => void {
    const off = this.opened.add(f)
    if (this.status === 'open') queueMicrotask(() => this.opened.has(f) && f())
    else this.changed.tell()
    return () => {
      off()
      if (this.status !== 'open') this.changed.tell()
    }
  }

  /** wanted is whether something waits for a connection. */
  get wanted(): boolean {
    return this.opened.any
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

  /** lost ends what waits for answers, and soon connects again. */
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

/** engine is what answers on a static site; null: a server does. */
export const engine = site && new Engine(site)

export const link = new Link(engine ?? server(folder))

/** useStatus returns the state of the connection. */
export const useStatus = () => useChanging(() => link.status, link.onChange)

/** busy reports whether the error is a limit of the server, so that the same request may succeed later. */
export const busy = (e: unknown) => e instanceof RpcError && e.code === codeBusy

export const cancelled = (e: unknown) => e instanceof RpcError && e.code === codeCancelled
