// The static site's own parts of the page: the network that plays, new versions, and what a
// browser cannot do.
import { useEffect, useReducer, useState } from 'preact/hooks'
import type { SiteNetwork } from '../site'
import { keepUpdated } from '../update'
import type { Engine } from '../workers'
import { Button, Dialog } from '../ui'

const size = (bytes: number) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`

/** useNetwork returns the state of the engine's network. */
function useNetwork(engine: Engine) {
  const [, redraw] = useReducer((n: number) => n + 1, 0)
  useEffect(() => engine.onNetwork(() => redraw(0)), [])
  return engine.network
}

/** stateText says what becomes of the network. */
function stateText({ state, loaded, total, problem }: Engine['network']): string {
  switch (state) {
    case 'none':
      return 'There is no network here; the player expert answers.'
    case 'loading':
      return `Loading the network, ${Math.floor((100 * loaded) / Math.max(1, total))} % of ${size(total)}. The player expert answers meanwhile.`
    case 'unpacking':
      return 'Unpacking the network. The player expert answers meanwhile.'
    case 'ready':
      return 'The network plays.'
    case 'failed':
      return `The network could not be loaded, so the player expert answers: ${problem}.`
  }
}

/** EngineDialog shows and changes what the engine plays with. */
export function EngineDialog({ engine, onClose }: { engine: Engine; onClose: () => void }) {
  const now = useNetwork(engine)
  const busy = now.state === 'loading' || now.state === 'unpacking'
  const chosen = engine.chosen()
  const use = (n: SiteNetwork) => engine.choose(n)
  return (
    <Dialog text title="This page without a server" onClose={onClose}>
      <p>Everything is computed in this browser, on this device. Once opened, the page works offline, and you can install it as an app from your browser's menu.</p>
      <h3>Network</h3>
      <p role="status">{stateText(now)}</p>
      {busy && <div class="progress" role="progressbar" aria-label="Network loaded" aria-valuemin={0} aria-valuemax={now.total} aria-valuenow={now.loaded}><i style={{ '--f': now.loaded / Math.max(1, now.total) }} /></div>}
      <ul class="list">{engine.site.networks.map((n) => (
        <li key={n.name} class="spread"><span>{n.name}, {size(n.bytes)}</span>
          {n.name === now.name && now.state !== 'failed' ? <span class="good">{busy ? 'loading' : 'in use'}</span> : <span><Button kind="small" onClick={() => use(n)}>{n === chosen ? 'Try again' : 'Use this one'}</Button></span>}
        </li>
      ))}</ul>
      <h3>What needs the program</h3>
      <p class="dim">A browser starts no programs of yours, trains no networks, and uses one processor for a search. The program Afterstate does: <span class="mono">afterstate serve</span> is this page with all of it.</p>
      <p class="dim">Version {engine.site.version}.</p>
      <Button kind="main" onClick={onClose}>Close</Button>
    </Dialog>
  )
}

/** Update offers a new version of the page. */
export function Update() {
  const [start, setStart] = useState<(() => void) | null>(null)
  useEffect(() => keepUpdated((f) => setStart(() => f)), [])
  return <div role="status">{start && <p class="banner">There is a new version of this page; your games stay.<button type="button" onClick={start}>Use it</button></p>}</div>
}
