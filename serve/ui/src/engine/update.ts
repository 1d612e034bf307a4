// Keeps the site's copy in the browser up to date, without losing anything: games are in local
// storage, and a new version begins when the page does.

let reloading = false

/** onUpdate is called with a function that starts a new version. */
export function keepUpdated(onUpdate: (start: () => void) => void) {
  const service = navigator.serviceWorker
  if (!service) return // an address that is neither HTTPS nor of this machine
  service.addEventListener('controllerchange', () => {
    if (reloading) location.reload()
  })
  const start = (worker: ServiceWorker) => {
    reloading = true
    // It may have begun before it was asked to: then there is no other change to wait for.
    if (service.controller === worker || worker.state === 'activated') return location.reload()
    worker.postMessage('activate')
  }
  const register = async () => {
    const r = await service.register('sw.js')
    // What was loaded while the page was open before begins now.
    if (r.waiting && service.controller) return start(r.waiting)
    const offer = (fresh: ServiceWorker | null) =>
      fresh?.addEventListener('statechange', () => {
        if (fresh.state === 'installed' && service.controller) onUpdate(() => start(fresh))
      })
    offer(r.installing) // the browser may have found it before this page asked
    r.addEventListener('updatefound', () => offer(r.installing))
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) r.update().catch(() => {})
    })
  }
  register().catch(() => {}) // the page works without it
}
