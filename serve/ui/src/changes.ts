// Who wants to know of changes.
import { useLayoutEffect, useState } from 'preact/hooks'

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

/** listen calls f for an event of the window or the document, until what it returns is called. */
export function listen<K extends keyof WindowEventMap>(name: K, f: (e: WindowEventMap[K]) => void) {
  addEventListener(name, f)
  return () => removeEventListener(name, f)
}

/** useChanging returns what read returns, and again after each change that onChange reports. */
export function useChanging<T>(read: () => T, onChange: (f: () => void) => (() => void) | undefined): T {
  const [value, set] = useState(read)
  useLayoutEffect(() => onChange(() => set(() => read())), [])
  return value
}
