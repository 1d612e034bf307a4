// The transport of messages between the page and a server (a WebSocket), or the workers of a static site.
import type { Method } from '../types'

/** Events are the events that a connection reports. closed is the last one. */
export interface Events {
  opened(): void
  received(text: string): void
  /** closed: refused is set if the server requires a token that this browser does not have. */
  closed(refused: boolean): void
}

export interface Connection {
  readonly open: boolean
  /** send sends a request of a method as JSON. */
  send(text: string, method: Method): void
}

export interface Transport {
  connect(events: Events): Connection
  /** alone answers a request outside any connection, as JSON. Only such a request may contain a picture. */
  alone(text: string, method: Method, signal?: AbortSignal): Promise<string>
}

/** server returns a transport to the page's server; folder is the address of the page's folder. */
export function server(folder: string): Transport {
  const at = (path: string) => new URL(path, folder).href
  return {
    connect(events) {
      const socket = new WebSocket(at('ws').replace(/^http/, 'ws'))
      socket.onopen = () => events.opened()
      socket.onmessage = (e) => events.received(String(e.data))
      socket.onclose = async () => {
        events.closed(false)
        // Browsers do not report the HTTP status of a refused WebSocket. So request a small file: the status is
        // 401 if the token is missing.
        const answer = await fetch(at('favicon.svg'), { method: 'HEAD', cache: 'no-store' }).catch(() => null)
        if (answer?.status === 401) events.closed(true)
      }
      return {
        get open() {
          return socket.readyState === WebSocket.OPEN
        },
        send: (text) => socket.send(text),
      }
    },
    async alone(text, method, signal) {
      const path = ['picture.read', 'review.read', 'review.footage'].includes(method) ? 'api/picture' : 'api'
      const response = await fetch(at(path), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: text,
        ...(signal && { signal }),
      })
      return response.text()
    },
  }
}
