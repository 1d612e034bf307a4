// The script of the site's workers: starts the engine and passes messages between it and the page. cmd/site
// puts Go's wasm_exec.js, which defines the class Go, before this script.
import { deleteValue, loadValues, saveValue } from '../base/database'
import { type FromWorker, type NetworkState, networkCache, type ToWorker } from './messages'

declare class Go {
  importObject: WebAssembly.Imports
  run(instance: WebAssembly.Instance): Promise<void>
}

interface Exports {
  receive(text: string): void
  alone(text: string, done: (answer: string) => void): void
  expect(): void
  fail(problem: string): void
  network(file: Uint8Array, done: (problem: string) => void): void
  sample(table: Uint8Array): void
}

const post = (m: FromWorker) => postMessage(m)

let running: Promise<Exports>

/** settle is called when the engine answers for the first time. */
let settle: () => void
const settled = new Promise<void>((done) => (settle = done))

/** patience is how long, in milliseconds, a loaded network waits for the engine's first answer: unpacking it
    during a search would delay the first hint. */
const patience = 1000

/** compiled compiles the engine while it is being received, since it is large. */
async function compiled(url: string): Promise<WebAssembly.Module> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  if (response.headers.get('Content-Type')?.startsWith('application/wasm'))
    return WebAssembly.compileStreaming(response)
  // the server did not send the media type that compileStreaming requires
  return WebAssembly.compile(await response.arrayBuffer())
}

async function start(source: string | WebAssembly.Module, experiments: boolean, roomy: boolean) {
  const module = typeof source === 'string' ? await compiled(source) : source
  if (module !== source) post({ kind: 'compiled', module })
  const engine = {
    roomy,
    ...(experiments && { hold, save: saveValue, remove: deleteValue, load: loadValues }),
    send: (text: string) => {
      settle()
      post({ kind: 'line', text })
    },
    failed: (text: string) => post({ kind: 'failed', text }),
  }
  await new Promise<void>((started, failed) => {
    Object.assign(globalThis, { afterstate: Object.assign(engine, { started }) })
    const go = new Go()
    WebAssembly.instantiate(module, go.importObject)
      .then((instance) => go.run(instance))
      .then(() => engine.failed('the engine has ended'), failed)
  })
  return engine as unknown as Exports
}

// fulfilled when the newest network and its ending network are loaded, or have failed
let loading: Promise<void> = Promise.resolve()
let newest = 0 // the number of the last request for a network

/** network loads a network and lets the engine play with it. */
async function network({ name, url, bytes, known, endings }: ToWorker & { kind: 'network' }) {
  const mine = ++newest
  const now: NetworkState = { state: 'loading', name, loaded: 0, total: bytes }
  const report = (change: Partial<NetworkState>) => {
    if (mine === newest) post({ kind: 'network', network: Object.assign(now, change) })
  }
  report({})
  ;(await running).expect()
  try {
    const file = await fetched(url, bytes, (loaded) => report({ loaded }))
    const engine = await running
    await Promise.race([settled, new Promise((done) => setTimeout(done, patience))])
    if (mine !== newest) return
    report({ state: 'unpacking', loaded: bytes })
    const problem = await new Promise<string>((done) => engine.network(file, done))
    await forget(problem ? known.filter((k) => k !== url) : known)
    if (problem) throw new Error(problem)
    report({ state: 'ready' })
    if (!endings) return
    // Without the ending network, the engine plays endings with the main network alone.
    const late = await fetched(endings.url, endings.bytes).catch(() => null)
    if (late && mine === newest) await new Promise<string>((done) => engine.network(late, done))
  } catch (e) {
    const problem = e instanceof Error ? e.message : String(e)
    ;(await running).fail(problem)
    report({ state: 'failed', problem })
  }
}

/** samples loads samples of solved endings, after the network. Without them the engine searches those boards. */
async function samples(files: { url: string; bytes: number }[]) {
  const engine = await running
  await Promise.race([settled, new Promise((done) => setTimeout(done, patience))])
  await loading
  for (const { url, bytes } of files) {
    const file = await fetched(url, bytes).catch(() => null)
    if (!file) break
    const table = new Blob([file as BlobPart]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
    engine.sample(new Uint8Array(await new Response(table).arrayBuffer()))
  }
  post({ kind: 'samples' })
}

/** networks opens the cache of networks, which private windows do not have. */
const networks = async () => globalThis.caches?.open(networkCache).catch(() => undefined)

/** fetched returns a file from the cache, or downloads and caches it. */
async function fetched(url: string, bytes: number, progress?: (loaded: number) => void) {
  const cache = await networks()
  const found = await cache?.match(url)
  if (found) return new Uint8Array(await found.arrayBuffer())
  const response = await fetch(url)
  if (!response.ok || !response.body) throw new Error(`the network could not be loaded: ${response.status}`)
  const file = new Uint8Array(bytes)
  let at = 0
  let reported = 0
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) break
    if (at + value.length > bytes) throw new Error('the network is longer than it should be')
    file.set(value, at)
    at += value.length
    if (at - reported > bytes / 50) {
      reported = at
      progress?.(at)
    }
  }
  if (at < bytes) throw new Error('the network is shorter than it should be')
  await cache?.put(url, new Response(file)).catch(() => {}) // the storage may be full
  return file
}

async function forget(known: string[]) {
  const cache = await networks()
  for (const request of (await cache?.keys()) ?? [])
    if (!known.includes(request.url)) await cache?.delete(request)
}

addEventListener('message', async ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case 'start':
      running = start(data.engine, data.experiments, data.roomy)
      running.then(
        () => post({ kind: 'started' }),
        (e: unknown) => post({ kind: 'failed', text: String(e) }),
      )
      break
    case 'line':
      ;(await running).receive(data.text)
      break
    case 'alone':
      ;(await running).alone(data.text, (text) => post({ kind: 'alone', id: data.id, text }))
      break
    case 'network':
      loading = network(data)
      break
    case 'samples':
      samples(data.files)
  }
})

let holding = false

/** hold takes the lock for playing experiments until this worker ends, or returns false if another tab has it.
    A page loaded over plain HTTP from another machine has no locks; there, each tab may play experiments. */
export function hold(): Promise<boolean> {
  if (holding || !('locks' in navigator)) return Promise.resolve(true)
  return new Promise((resolve, reject) => {
    navigator.locks
      .request('afterstate experiments', { ifAvailable: true }, (lock) => {
        holding = lock !== null
        resolve(holding)
        return holding ? new Promise<void>(() => {}) : undefined
      })
      .catch(reject)
  })
}
