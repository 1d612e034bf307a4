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

/** listen calls f for events of the window, until what it returns is called. */
export function listen<K extends keyof WindowEventMap>(name: K, f: (e: WindowEventMap[K]) => void) {
  addEventListener(name, f)
  return () => removeEventListener(name, f)
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
