// The service worker of the site. It caches all files of one version of the page, so that the page works offline. The
// builder of the site puts the list of files before this script.
import { givenCache, givenPicture, givenText } from '../base/given'

interface ExtendableEvent extends Event {
  waitUntil(p: Promise<unknown>): void
}

interface FetchEvent extends ExtendableEvent {
  request: Request
  respondWith(r: Promise<Response>): void
}

declare const files: { version: string; names: string[] }

const worker = globalThis as unknown as {
  addEventListener(type: 'install' | 'activate', f: (e: ExtendableEvent) => void): void
  addEventListener(type: 'fetch', f: (e: FetchEvent) => void): void
  addEventListener(type: 'message', f: (e: MessageEvent) => void): void
  skipWaiting(): Promise<void>
  clients: { claim(): Promise<void> }
  registration: { scope: string }
}

const prefix = 'afterstate-page-'
const own = prefix + files.version

worker.addEventListener('install', (e) => {
  // A version must not mix files of several versions, so revalidate files that the browser has cached.
  e.waitUntil(
    caches
      .open(own)
      .then((c) => c.addAll(files.names.map((name) => new Request(name, { cache: 'no-cache' })))),
  )
})

worker.addEventListener('activate', (e) => {
  const clean = async () => {
    // Other tabs may still show the previous version and load its files.
    const old = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== own)
    for (const name of old.slice(0, -1)) await caches.delete(name)
    await worker.clients.claim()
  }
  e.waitUntil(clean())
})

worker.addEventListener('message', (e) => {
  if (e.data === 'activate') worker.skipWaiting()
})

worker.addEventListener('fetch', (e) => {
  const url = new URL(e.request.url)
  if (e.request.method === 'POST' && url.href === `${worker.registration.scope}share`)
    return e.respondWith(receive(e.request))
  if (e.request.method !== 'GET' || !url.href.startsWith(worker.registration.scope)) return
  e.respondWith(answer(e.request))
})

async function answer(request: Request): Promise<Response> {
  const key = request.mode === 'navigate' ? worker.registration.scope : request.url
  const now = await caches.open(own)
  const found = (await now.match(key)) ?? (await caches.match(key))
  return found ?? fetch(request)
}

/** receive stores what another app shares (share_target in the manifest), and opens Solve, or Review for a video. */
async function receive(request: Request): Promise<Response> {
  let place = '#solve'
  try {
    await caches.delete(givenCache) // what was shared earlier and never used
    const form = await request.formData()
    const cache = await caches.open(givenCache)
    const picture = form.get('picture')
    if (picture instanceof File && picture.size > 0) await cache.put(givenPicture, new Response(picture))
    const text = form.get('url') || form.get('text')
    if (typeof text === 'string') await cache.put(givenText, new Response(text))
    place = picture instanceof File && picture.type.startsWith('video/') ? '#review/given' : '#solve/given'
  } catch {
    // There is no room, or the request is broken. An empty Solve is better than the browser's error page.
  }
  return Response.redirect(worker.registration.scope + place, 303)
}
