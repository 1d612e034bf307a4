// The messages between the page and its workers.

/** NetworkState is what became of the network that the site has chosen. */
export interface NetworkState {
  state: 'none' | 'loading' | 'unpacking' | 'ready' | 'failed'
  name: string
  loaded: number // bytes
  total: number
  problem?: string
}

export type ToWorker =
  // engine: its address for the worker that compiles it, or the compiled module. experiments: it plays and stores
  // them. roomy: the device has memory for complete tables.
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
  | { kind: 'samples'; files: { url: string; bytes: number }[] } // of solved endings

export type FromWorker =
  | { kind: 'compiled'; module: WebAssembly.Module }
  | { kind: 'started' }
  | { kind: 'failed'; text: string }
  | { kind: 'line'; text: string }
  | { kind: 'alone'; id: number; text: string }
  | { kind: 'network'; network: NetworkState }
  | { kind: 'samples' } // no more of them are loaded

/** networkCache holds the networks and samples, which outlive versions of the page. */
export const networkCache = 'afterstate-networks'
