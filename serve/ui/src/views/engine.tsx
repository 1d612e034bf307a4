// The static site's own parts of the page: the network that plays, new versions, and what a browser cannot do.
import { useEffect, useState } from 'preact/hooks'
import { useChanging } from '../base/store'
import { fixed, rich, t } from '../base/text'
import type { Engine } from '../engine/workers'
import { Button, CloseButton, Dialog, Progress } from '../parts/ui'

const size = (bytes: number) => `${fixed(bytes / 1e6, bytes < 1e7 ? 1 : 0)} MB`

const stateTexts: Record<Engine['network']['state'], (of: Engine['network']) => string> = {
  none: () => t('There is no network here; a simpler player answers.'),
  loading: ({ total }) =>
    t('Loading the network of {size}. A simpler player answers meanwhile.', { size: size(total) }),
  unpacking: () => t('Unpacking the network. A simpler player answers meanwhile.'),
  ready: () => t('The network plays.'),
  failed: ({ problem = '' }) =>
    t('The network could not be loaded, so a simpler player answers: {why}.', { why: problem }),
}

export function EngineDialog({ engine, onClose }: { engine: Engine; onClose: () => void }) {
  const now = useChanging(() => engine.network, engine.onNetwork)
  const busy = now.state === 'loading' || now.state === 'unpacking'
  const chosen = engine.chosen()
  return (
    <Dialog text title={t('How this page works without a server')} onClose={onClose}>
      <p>
        {t(
          'Everything is computed in this browser, on this device. Once opened, the page works offline, and you can install it as an app from your browser’s menu.',
        )}
      </p>
      <h3>{t('Network')}</h3>
      <p role="status">{stateTexts[now.state](now)}</p>
      {busy && <Progress name={t('Network loaded')} value={now.loaded} max={now.total} />}
      <ul class="list">
        {engine.site.networks.map((n) => (
          <li key={n.name} class="spread">
            <span>
              {n.name}, {size(n.bytes)}
            </span>
            {n.name === now.name && now.state !== 'failed' ? (
              <span class="good">{busy ? t('loading') : t('in use')}</span>
            ) : (
              <Button
                kind="small"
                onClick={() => engine.choose(n)}
                text={n === chosen ? t('Try again') : t('Use this one')}
              />
            )}
          </li>
        ))}
      </ul>
      <h3>{t('Features that need the program')}</h3>
      <p class="dim">
        {rich(
          'A browser cannot start your programs or train networks, and it searches on only one processor core. The downloaded program has no such limits: {command} opens this page with every feature.',
          { command: <span class="mono">afterstate serve</span> },
        )}
      </p>
      <p class="dim">{t('Version {version}.', { version: engine.site.version })}</p>
      <CloseButton onClick={onClose} />
    </Dialog>
  )
}

export function Update() {
  const [start, setStart] = useState<(() => void) | null>(null)
  useEffect(() => keepUpdated((f) => setStart(() => f)), [])
  return (
    <div role="status">
      {start && (
        <p class="banner">
          {t('There is a new version of this page; your games stay.')}
          <button type="button" onClick={start}>
            {t('Use it')}
          </button>
        </p>
      )}
    </div>
  )
}

let reloading = false

/** keepUpdated starts the service worker, and calls onUpdate with a function that starts a new version. */
export function keepUpdated(onUpdate: (start: () => void) => void) {
  const service = navigator.serviceWorker
  if (!service) return // a browser has service workers only with HTTPS or on localhost
  service.addEventListener('controllerchange', () => {
    if (reloading) location.reload()
  })
  const start = (worker: ServiceWorker) => {
    reloading = true
    // The worker may have started already: then no further event comes.
    if (service.controller === worker || worker.state === 'activated') return location.reload()
    worker.postMessage('activate')
  }
  const register = async () => {
    const r = await service.register('sw.js')
    // A version that was loaded during the last visit starts now.
    if (r.waiting && service.controller) return start(r.waiting)
    const offer = (fresh: ServiceWorker | null) =>
      fresh?.addEventListener('statechange', () => {
        if (fresh.state === 'installed' && service.controller) onUpdate(() => start(fresh))
      })
    offer(r.installing) // a new version that the browser has found already
    r.addEventListener('updatefound', () => offer(r.installing))
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) r.update().catch(() => {})
    })
  }
  register().catch(() => {}) // the page works without a service worker
}
