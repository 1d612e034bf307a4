// The transport of the static site: the engine in Web Workers. Searches and watched games have a
// worker of their own, so that no move waits for them; it alone has the network. Each worker
// answers as a server does.
import type { FromWorker, NetworkState, ToWorker } from './messages'
import { folder, type Site, type SiteNetwork } from './site'
import { load, save } from './store'
import type { Events, Transport } from './transport'
import { searchMethods, type Method } from './types'

type Role = 'quick' | 'search'

const roleOf = (method: Method): Role => (method.startsWith('watch.') || searchMethods.includes(method) ? 'search' : 'quick')

/** Engine is the workers of a site. */
export class Engine implements Transport {
  network: NetworkState = { state: 'none', name: '', loaded: 0, total: 0 }
  private readonly module: Promise<WebAssembly.Module>
  private workers: Record<Role, EngineWorker> | null = null
  private started: Promise<void> = Promise.resolve()
  private changed = new Set<() => void>()
  private alones = new Map<number, { resolve(text: string): void; reject(e: Error): void }>()
  private count = 0
  private events: Events | null = null

  constructor(readonly site: Site) {
    this.module = compiled(new URL(site.engine, folder).href)
    this.module.catch(() => {}) // connect reports it
  }

  connect(events: Events) {
    this.events = events
    let open = false
    this.end()
    const made = (role: Role) => new EngineWorker(new URL(this.site.worker, folder).href, role, (m) => this.received(m), () => {
      if (this.events !== events) return
      open = false
      this.end()
      events.closed(false)
    })
    const workers = (this.workers = { quick: made('quick'), search: made('search') })
    this.started = this.module.then(async (module) => {
      await Promise.all(Object.values(workers).map((w) => w.start(module)))
      open = true
      events.opened()
      this.loadNetwork(this.chosen())
    })
    this.started.catch(() => events.closed(false))
    return {
      get open() {
        return open
      },
      send: (text: string, method: Method) => {
        if (method === 'cancel') for (const w of Object.values(workers)) w.post({ kind: 'line', text })
        else workers[roleOf(method)].post({ kind: 'line', text })
      },
    }
  }

  async alone(text: string, method: Method, signal?: AbortSignal): Promise<string> {
    await this.started
    const id = ++this.count
    return new Promise((resolve, reject) => {
      this.alones.set(id, { resolve, reject })
      signal?.addEventListener('abort', () => reject(new Error('cancelled')))
      this.workers?.[roleOf(method)].post({ kind: 'alone', id, text })
    })
  }

  /** chosen returns the network to play with. */
  chosen(): SiteNetwork | undefined {
    const name = load('network', '')
    return this.site.networks.find((n) => n.name === name) ?? this.site.networks[0]
  }

  /** choose loads another network, now and in later sessions. */
  choose(n: SiteNetwork) {
    save('network', n.name)
    this.loadNetwork(n)
  }

  onNetwork(f: () => void): () => void {
    this.changed.add(f)
    return () => this.changed.delete(f)
  }

  private loadNetwork(n: SiteNetwork | undefined) {
    if (n) this.workers?.search.post({ kind: 'network', name: n.name, url: new URL(n.file, folder).href, bytes: n.bytes, known: this.site.networks.map((x) => new URL(x.file, folder).href) })
  }

  private end() {
    for (const w of Object.values(this.workers ?? {})) w.end()
    this.workers = null
    for (const a of this.alones.values()) a.reject(new Error('the engine has failed'))
    this.alones.clear()
  }

  private received(m: FromWorker) {
    switch (m.kind) {
      case 'line':
        this.events?.received(m.text)
        break
      case 'alone':
        this.alones.get(m.id)?.resolve(m.text)
        this.alones.delete(m.id)
        break
      case 'network':
        this.network = m.network
        for (const f of [...this.changed]) f()
    }
  }
}

/** compiled compiles the engine, which is large, while it is received. */
async function compiled(url: string): Promise<WebAssembly.Module> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  if (response.headers.get('Content-Type')?.startsWith('application/wasm')) return WebAssembly.compileStreaming(response)
  return WebAssembly.compile(await response.arrayBuffer()) // a host that does not know the type
}

class EngineWorker {
  private readonly worker: Worker
  private running: { resolve(): void; reject(e: Error): void } | null = null

  constructor(url: string, role: Role, received: (m: FromWorker) => void, failed: () => void) {
    this.worker = new Worker(url, { name: `afterstate ${role}` })
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.kind === 'started') this.running?.resolve()
      else if (data.kind === 'failed') {
        this.running?.reject(new Error(data.text))
        failed()
      } else received(data)
    }
    this.worker.onerror = (e) => {
      this.running?.reject(new Error(e.message))
      failed()
    }
  }

  /** start starts the engine. */
  start(module: WebAssembly.Module): Promise<void> {
    return new Promise((resolve, reject) => {
      this.running = { resolve, reject }
      this.post({ kind: 'start', module })
    })
  }

  post(m: ToWorker) {
    this.worker.postMessage(m)
  }

  end() {
    this.worker.terminate()
  }
}
