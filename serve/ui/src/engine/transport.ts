// What carries messages between the page and what answers them: a WebSocket to a server, or the
// workers of a static site.
import type { Method } from '../types'

/** Events are what a connection reports to its user. After closed there are no others. */
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
  /** connect makes a connection. */
  connect(events: Events): Connection
  /** alone answers a request outside of any connection, as JSON. Only here may it hold a picture. */
  alone(text: string, method: Method, signal?: AbortSignal): Promise<string>
}
