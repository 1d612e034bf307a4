// The messages between the page and its workers.

/** NetworkState is the state of the network that the site's engine loads or uses. */
export interface NetworkState {
  state: 'none' | 'loading' | 'unpacking' | 'ready' | 'failed'
  name: string
  loaded: number // bytes
  total: number
  problem?: string
}

export type ToWorker =
  // engine: the address of the engine for the worker that compiles it, or the compiled module. experiments: the
  // worker plays and stores experiments. roomy: the device has memory for complete tables.
  | { kind: 'start'; engine: string | WebAssembly.Module; experiments: boolean; roomy: boolean }
  | { kind: 'line'; text: string }
  | { kind: 'alone'; id: number; text: string }
  | {
      kind: 'network'
      name: string
      url: string
      bytes: number
      known: string[]
      endings?: { url: string; bytes: number }
    }
  | { kind: 'samples'; files: { url: string; bytes: number }[] } // samples of solved endings

export type FromWorker =
  | { kind: 'compiled'; module: WebAssembly.Module }
  | { kind: 'started' }
  | { kind: 'failed'; text: string }
  | { kind: 'line'; text: string }
  | { kind: 'alone'; id: number; text: string }
  | { kind: 'network'; network: NetworkState }
  | { kind: 'samples' } // no further samples will be loaded

/** networkCache is the name of the cache of networks and samples, which outlives versions of the page. */
export const networkCache = 'afterstate-networks'
