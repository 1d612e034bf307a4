// Who wants to know of changes.
import { useLayoutEffect, useReducer } from 'preact/hooks'

/** Listeners are functions that are called when something happens. */
export class Listeners<T = void> {
  private readonly all = new Set<(news: T) => void>()

  /** add adds a function, and returns what removes it. */
  readonly add = (f: (news: T) => void) => {
    this.all.add(f)
    return () => {
      this.all.delete(f)
    }
  }

  has(f: (news: T) => void): boolean {
    return this.all.has(f)
  }

  tell(news: T) {
    for (const f of [...this.all]) f(news)
  }
}

/** Events are those of the window, and one of the document that reaches it. */
type Events = WindowEventMap & Pick<DocumentEventMap, 'visibilitychange'>

/** listen calls f for events, until what it returns is called. */
export function listen<K extends keyof Events>(name: K, f: (e: Events[K]) => void) {
  const off = new AbortController()
  addEventListener(name, f as EventListener, { signal: off.signal })
  return () => off.abort()
}

/** useRedraw returns what draws a component again, as each change does that onChange reports. */
export function useRedraw(onChange?: (f: () => void) => (() => void) | undefined): () => void {
  const [, redraw] = useReducer((n: number) => n + 1, 0)
  useLayoutEffect(() => onChange?.(() => redraw(0)), [])
  return () => redraw(0)
}

/** useChanging returns what read returns, and again after each change that onChange reports. */
export function useChanging<T>(read: () => T, onChange: (f: () => void) => (() => void) | undefined): T {
  useRedraw(onChange)
  return read()
}
