// The transport of the static site: the engine in Web Workers. One worker runs searches and watched games, and
// another runs experiments, so that neither delays a move. Only these two load a network. Each worker answers as
// a server does.
import { Listeners, load, save } from '../base/store'
import { t } from '../base/text'
import { type ExperimentList, type Method, searchMethods } from '../types'
import type { FromWorker, NetworkState, ToWorker } from './messages'
import { folder, type Site, type SiteNetwork } from './site'
import type { Events, Transport } from './transport'

type Role = 'quick' | 'search' | 'experiments'

const phone = matchMedia('(pointer: coarse)').matches

/** experimenting is the role that plays experiments. A phone has no memory for a second network, so on a phone
    hints wait for the games of experiments. */
const experimenting: Role = phone ? 'search' : 'experiments'

/** roomy: workers may hold complete tables (268 MB each), which are faster to read. Browsers that do not report
    the device's memory, in GB, get the compact form. */
const roomy = !phone && ((navigator as { deviceMemory?: number }).deviceMemory ?? 0) >= 8

function roleOf(method: Method): Role {
  if (method.startsWith('experiments.')) return experimenting
  return method.startsWith('watch.') || searchMethods.includes(method) ? 'search' : 'quick'
}

/** painted is fulfilled when the page has been painted. Workers that start earlier would delay it. */
const painted = () =>
  new Promise<void>((done) => {
    if (document.hidden)
      done() // a hidden page is never painted, so do not wait
    else requestAnimationFrame(() => setTimeout(done))
  })

/** Engine manages the workers of a site. */
export class Engine implements Transport {
  network: NetworkState = { state: 'none', name: '', loaded: 0, total: 0 }
  loaded = 0 // number of networks loaded
  sampled = 0 // number of times that samples of solved endings were loaded
  module: WebAssembly.Module | null = null // compiled by a worker
  private workers: Workers | null = null
  private changed = new Listeners()
  private gotSamples = new Listeners()
  /** onNetwork adds a function to call when the state of the network changes, onSamples one to call when samples
      of endings are loaded. */
  readonly onNetwork = this.changed.add
  readonly onSamples = this.gotSamples.add
  private alones = new Map<number, { resolve(text: string): void; reject(e: Error): void }>()
  private count = 0

  constructor(readonly site: Site) {}

  connect(events: Events) {
    const failed = () => {
      if (this.workers !== workers) return
      this.workers = null
      workers.end()
      for (const a of this.alones.values()) a.reject(new Error(t('the engine has failed')))
      this.alones.clear()
      events.closed(false)
    }
    const workers = new Workers(this, events, failed)
    this.workers = workers
    painted().then(() => {
      workers.get('quick').started.then(events.opened, () => {})
      workers.get('search')
    })
    return {
      get open() {
        return workers.open
      },
      send: (text: string, method: Method) => {
        if (method === 'cancel') workers.all((w) => w.post({ kind: 'line', text }))
        else workers.send(roleOf(method), text)
      },
    }
  }

  alone(text: string, method: Method, signal?: AbortSignal): Promise<string> {
    const id = ++this.count
    return new Promise((resolve, reject) => {
      if (!this.workers) return reject(new Error(t('the engine has failed')))
      this.alones.set(id, { resolve, reject })
      signal?.addEventListener('abort', () => reject(new Error('cancelled')))
      this.workers.get(roleOf(method)).post({ kind: 'alone', id, text })
    })
  }

  chosen(): SiteNetwork | undefined {
    const name = load('network', '')
    return this.site.networks.find((n) => n.name === name) ?? this.site.networks[0]
  }

  /** choose loads another network, now and in later sessions. */
  choose(n: SiteNetwork) {
    save('network', n.name)
    this.workers?.all((w) => this.loadNetwork(w))
  }

  private url(x: SiteNetwork) {
    return new URL(x.file, folder).href
  }

  /** begun makes a new worker load its network and, if it searches, the samples of endings. */
  begun(w: EngineWorker) {
    this.loadNetwork(w)
    const { samples } = this.site
    if (w.role === 'search' && samples.length)
      w.post({ kind: 'samples', files: samples.map((s) => ({ url: this.url(s), bytes: s.bytes })) })
  }

  /** loadNetwork makes a worker load the chosen network, if the worker plays. */
  private loadNetwork(w: EngineWorker) {
    const n = this.chosen()
    if (!n || w.role === 'quick') return
    const { networks, endings, samples } = this.site
    w.post({
      kind: 'network',
      name: n.name,
      url: this.url(n),
      bytes: n.bytes,
      known: [...networks, ...(endings ? [endings] : []), ...samples].map((x) => this.url(x)),
      ...(endings && { endings: { url: this.url(endings), bytes: endings.bytes } }),
    })
  }

  /** received handles messages that are not answers on a connection. */
  received(m: FromWorker, role: Role) {
    if (m.kind === 'alone') {
      this.alones.get(m.id)?.resolve(m.text)
      this.alones.delete(m.id)
    } else if (m.kind === 'network' && role === 'search') {
      this.network = m.network
      if (m.network.state === 'ready') this.loaded++
      this.changed.tell()
    } else if (m.kind === 'samples') {
      this.sampled++
      this.gotSamples.tell()
    }
  }
}

const idleTime = 60_000 // milliseconds without a request, after which the worker of experiments may end

/** Workers holds the workers of a connection. Each is created when it is first needed. The first one compiles
    the engine for all, because compiling would block the page's own thread for seconds. The worker for
    experiments, which holds a network too, ends when it is idle. */
class Workers {
  open = false
  private readonly made = new Map<Role, EngineWorker>()
  private module: Promise<WebAssembly.Module> | null = null
  private compiled: (m: WebAssembly.Module) => void = () => {}
  private idle = 0 // a timer
  private questions = 0 // number of times that rest asked whether an experiment is running
  private asking = false // rest's question is the newest request, and has no answer yet

  constructor(
    private readonly engine: Engine,
    private readonly events: Events,
    private readonly failed: () => void,
  ) {
    if (engine.module) this.module = Promise.resolve(engine.module)
  }

  get(role: Role): EngineWorker {
    let w = this.made.get(role)
    if (!w) {
      const { site } = this.engine
      const engine = this.module ?? Promise.resolve(new URL(site.engine, folder).href)
      this.module ??= new Promise((done) => (this.compiled = done))
      const script = new URL(site.worker, folder).href
      w = new EngineWorker(engine, script, role, (m) => this.received(m, role), this.failed)
      this.made.set(role, w)
      w.started.then(() => (this.open = true), this.failed)
      this.engine.begun(w)
    }
    return w
  }

  send(role: Role, text: string) {
    this.get(role).post({ kind: 'line', text })
    if (role === 'experiments') this.rest()
  }

  all(f: (w: EngineWorker) => void) {
    for (const w of this.made.values()) f(w)
  }

  end() {
    this.open = false
    clearTimeout(this.idle)
    this.all((w) => w.end())
  }

  private received(m: FromWorker, role: Role) {
    if (m.kind === 'compiled') {
      this.compiled(m.module)
      this.engine.module = m.module
    } else if (m.kind !== 'line') this.engine.received(m, role)
    else if (!(role === 'experiments' && this.asking && this.settled(m.text))) this.events.received(m.text)
  }

  /** rest ends the worker for experiments after a while without requests. */
  private rest() {
    this.asking = false
    clearTimeout(this.idle)
    this.idle = window.setTimeout(() => {
      this.asking = true // answers come in order: when this one comes, no other request is open
      const id = `idle ${++this.questions}` // the page's own ids are numbers
      const request = { jsonrpc: '2.0', id, method: 'experiments.list', params: {} }
      this.made.get('experiments')?.post({ kind: 'line', text: JSON.stringify(request) })
    }, idleTime)
  }

  /** settled handles the answer to rest's question, and reports whether a message is that answer. */
  private settled(text: string): boolean {
    const { id, result } = JSON.parse(text) as { id?: unknown; result?: ExperimentList }
    if (id !== `idle ${this.questions}`) return false
    if (!result || result.experiments.some((x) => x.running)) this.rest()
    else {
      this.made.get('experiments')?.end()
      this.made.delete('experiments')
    }
    return true
  }
}

class EngineWorker {
  /** started is fulfilled when the engine runs. */
  readonly started: Promise<void>
  private readonly worker: Worker

  constructor(
    engine: Promise<string | WebAssembly.Module>,
    script: string,
    readonly role: Role,
    received: (m: FromWorker) => void,
    failed: () => void,
  ) {
    this.worker = new Worker(script, { name: `afterstate ${role}` })
    this.started = new Promise((resolve, reject) => {
      const end = (why: string) => {
        reject(new Error(why))
        failed()
      }
      this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
        if (data.kind === 'started') resolve()
        else if (data.kind === 'failed') end(data.text)
        else received(data)
      }
      this.worker.onerror = (e) => end(e.message)
      const experiments = role === experimenting
      engine.then((e) => this.worker.postMessage({ kind: 'start', engine: e, experiments, roomy }))
    })
  }

  /** post sends a message once the engine runs. */
  post(m: ToWorker) {
    this.started.then(
      () => this.worker.postMessage(m),
      () => {},
    )
  }

  end() {
    this.worker.terminate()
  }
}
