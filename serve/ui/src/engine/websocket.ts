// The transport to a server: a WebSocket, and HTTP for single requests.
import type { Transport } from './transport'

/** server returns the transport to the server of a page, at the address of its folder. */
export function server(folder: string): Transport {
  const at = (path: string) => new URL(path, folder).href
  return {
    connect(events) {
      const socket = new WebSocket(at('ws').replace(/^http/, 'ws'))
      socket.onopen = () => events.opened()
      socket.onmessage = (e) => events.received(String(e.data))
      socket.onclose = async () => {
        events.closed(false)
        // A browser does not report the status of a refused WebSocket.
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
