// The transport of the static site: the engine in Web Workers. Searches and watched games have a
// worker of their own, and experiments another, so that no move waits for them; these two have the
// network. Each worker answers as a server does.
import type { FromWorker, NetworkState, ToWorker } from './messages'
import { folder, type Site, type SiteNetwork } from './site'
import { load, save } from './store'
import type { Events, Transport } from './transport'
import { searchMethods, type Method } from './types'

type Role = 'quick' | 'search' | 'experiments'

const phone = matchMedia('(pointer: coarse)').matches

/** experimenting is the role that plays experiments. A phone has no memory for a second network, so hints
    wait for games there. */
const experimenting: Role = phone ? 'search' : 'experiments'

/** roomy: workers may hold complete tables, 268 MB each, which are read faster. Browsers that do not
    report their memory, in GB, get the small form. */
const roomy = !phone && ((navigator as { deviceMemory?: number }).deviceMemory ?? 0) >= 8

function roleOf(method: Method): Role {
  if (method.startsWith('experiments.')) return experimenting
  return method.startsWith('watch.') || searchMethods.includes(method) ? 'search' : 'quick'
}

/** Engine is the workers of a site. */
export class Engine implements Transport {
  network: NetworkState = { state: 'none', name: '', loaded: 0, total: 0 }
  private module: Promise<WebAssembly.Module> | null = null
  private workers: Workers | null = null
  private changed = new Set<() => void>()
  private alones = new Map<number, { resolve(text: string): void; reject(e: Error): void }>()
  private count = 0

  constructor(readonly site: Site) {}

  connect(events: Events) {
    this.module ??= compiled(new URL(this.site.engine, folder).href)
    this.module.catch(() => (this.module = null)) // the next connection loads it again
    const workers = new Workers(this.module, new URL(this.site.worker, folder).href, (m, role) => {
      if (m.kind === 'line') events.received(m.text)
      else this.received(m, role)
    }, () => {
      if (this.workers !== workers) return
      this.workers = null
      workers.end()
      for (const a of this.alones.values()) a.reject(new Error('the engine has failed'))
      this.alones.clear()
      events.closed(false)
    }, (w) => this.loadNetwork(w))
    this.workers = workers
    workers.get('quick').started.then(events.opened, () => {})
    workers.get('search')
    return {
      get open() {
        return workers.open
      },
      send: (text: string, method: Method) => {
        if (method === 'cancel') workers.all((w) => w.post({ kind: 'line', text }))
        else workers.get(roleOf(method)).post({ kind: 'line', text })
      },
    }
  }

  alone(text: string, method: Method, signal?: AbortSignal): Promise<string> {
    const id = ++this.count
    return new Promise((resolve, reject) => {
      if (!this.workers) return reject(new Error('the engine has failed'))
      this.alones.set(id, { resolve, reject })
      signal?.addEventListener('abort', () => reject(new Error('cancelled')))
      this.workers.get(roleOf(method)).post({ kind: 'alone', id, text })
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
    this.workers?.all((w) => this.loadNetwork(w))
  }

  onNetwork(f: () => void): () => void {
    this.changed.add(f)
    return () => this.changed.delete(f)
  }

  /** loadNetwork lets a worker load the chosen network if it plays. */
  private loadNetwork(w: EngineWorker) {
    const n = this.chosen()
    if (!n || w.role === 'quick') return
    w.post({ kind: 'network', name: n.name, url: new URL(n.file, folder).href, bytes: n.bytes, known: this.site.networks.map((x) => new URL(x.file, folder).href) })
  }

  private received(m: FromWorker, role: Role) {
    if (m.kind === 'alone') {
      this.alones.get(m.id)?.resolve(m.text)
      this.alones.delete(m.id)
    } else if (m.kind === 'network' && role === 'search') {
      this.network = m.network
      for (const f of [...this.changed]) f()
    }
  }
}

/** Workers are those of a connection. One is made when it is first needed. */
class Workers {
  open = false
  private readonly made = new Map<Role, EngineWorker>()

  constructor(private readonly module: Promise<WebAssembly.Module>, private readonly url: string, private readonly received: (m: FromWorker, role: Role) => void,
    private readonly failed: () => void, private readonly begun: (w: EngineWorker) => void) {}

  get(role: Role): EngineWorker {
    let w = this.made.get(role)
    if (!w) {
      w = new EngineWorker(this.module, this.url, role, this.received, this.failed)
      this.made.set(role, w)
      w.started.then(() => (this.open = true), this.failed)
      this.begun(w)
    }
    return w
  }

  all(f: (w: EngineWorker) => void) {
    for (const w of this.made.values()) f(w)
  }

  end() {
    this.open = false
    this.all((w) => w.end())
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
  /** started is fulfilled when the engine runs. */
  readonly started: Promise<void>
  private readonly worker: Worker

  constructor(module: Promise<WebAssembly.Module>, url: string, readonly role: Role, received: (m: FromWorker, role: Role) => void, failed: () => void) {
    this.worker = new Worker(url, { name: `afterstate ${role}` })
    this.started = new Promise((resolve, reject) => {
      const end = (why: string) => {
        reject(new Error(why))
        failed()
      }
      this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (data.kind === 'started') resolve()
        else if (data.kind === 'failed') end(data.text)
        else received(data, role)
      }
      this.worker.onerror = (e) => end(e.message)
      module.then((m) => this.worker.postMessage({ kind: 'start', module: m, experiments: role === experimenting, roomy } satisfies ToWorker), reject)
    })
  }

  /** post sends a message once the engine runs. */
  post(m: ToWorker) {
    this.started.then(() => this.worker.postMessage(m), () => {})
  }

  end() {
    this.worker.terminate()
  }
}
