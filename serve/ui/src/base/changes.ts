// Who wants to know of changes.
import { useLayoutEffect, useReducer, useRef } from 'preact/hooks'

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

  get any(): boolean {
    return this.all.size > 0
  }

  has(f: (news: T) => void): boolean {
    return this.all.has(f)
  }

  tell(news: T) {
    for (const f of [...this.all]) f(news)
  }
}

type Events = WindowEventMap & DocumentEventMap

/** listen calls f for events of the window, and for those of the document that reach it, until what it returns is called. */
export function listen<K extends keyof Events>(
  names: K | readonly K[],
  f: (e: Events[K]) => void,
  options: AddEventListenerOptions = {},
) {
  const end = new AbortController()
  for (const name of [names].flat())
    addEventListener(name, f as EventListener, { ...options, signal: end.signal })
  return () => end.abort()
}

/** useLatest returns what holds the value of the last rendering, for what happens between renderings. */
export function useLatest<T>(value: T) {
  const latest = useRef(value)
  latest.current = value
  return latest
}

type Subscribe = (f: () => void) => () => void

/** useRedraw returns what draws a component again, as each change does that onChange reports. */
export function useRedraw(onChange?: Subscribe): () => void {
  const [, redraw] = useReducer((n: number) => n + 1, 0)
  useLayoutEffect(() => onChange?.(() => redraw(0)), [])
  return () => redraw(0)
}

/** useChanging returns what read returns, and again after each change that onChange reports. */
export function useChanging<T>(read: () => T, onChange: Subscribe | undefined): T {
  useRedraw(onChange)
  return read()
}
