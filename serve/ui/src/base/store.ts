// Local storage, and listeners for its changes. Stored values may be damaged, and storage may be full or forbidden.
import { useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks'

export function load<T>(key: string, otherwise: T, right: (v: unknown) => boolean = () => true): T {
  try {
    const text = localStorage.getItem(`afterstate.${key}`)
    if (text === null) return otherwise
    const v = JSON.parse(text)
    if (right(v)) return v as T
  } catch {
    // a damaged value counts as missing
  }
  return otherwise
}

/** save reports whether it succeeded. */
export function save(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(`afterstate.${key}`, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

/** useStored returns a stored value and its setter. otherwise replaces a missing value, or one that right rejects. */
export function useStored<T>(key: string, otherwise: T, right?: (v: unknown) => boolean) {
  const [value, set] = useState(() => load(key, otherwise, right))
  const store = (next: T) => {
    set(() => next)
    save(key, next)
  }
  return [value, store] as const
}

/** has reports whether a value is an object with fields of these types. Numbers must be finite, times valid dates. */
export const has = (
  v: unknown,
  types: Record<string, 'string' | 'number' | 'boolean' | 'time'>,
): v is Fields =>
  isObject(v) &&
  Object.entries(types).every(([k, type]) => {
    const x = v[k]
    if (type === 'time') return typeof x === 'number' && Math.abs(x) <= 8.64e15
    return typeof x === type && (type !== 'number' || Number.isFinite(x))
  })

type Fields = Record<string, unknown>

export const isObject = (v: unknown): v is Record<string, unknown> =>
  typeof v === 'object' && v !== null && !Array.isArray(v)

/** parsed returns the value of a stored JSON text, or undefined if the text is not JSON. */
export function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

export const soundOf = <T>(v: unknown, right: (x: unknown, key: string) => x is T): Record<string, T> =>
  Object.fromEntries(Object.entries(isObject(v) ? v : {}).filter((e): e is [string, T] => right(e[1], e[0])))

/** Listeners are functions that are called when something happens. */
export class Listeners<T = void> {
  private readonly all = new Set<(news: T) => void>()

  /** add adds a function, and returns a function that removes it. */
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

/** listen calls f for events that reach the window, until the function that it returns is called. */
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

/** useLatest returns a ref to the value of the last rendering, for code that runs between renderings. */
export function useLatest<T>(value: T) {
  const latest = useRef(value)
  latest.current = value
  return latest
}

type Subscribe = (f: () => void) => () => void

/** useRedraw returns a function that redraws the component. Each change that onChange reports redraws it too. */
export function useRedraw(onChange?: Subscribe): () => void {
  const [, redraw] = useReducer((n: number) => n + 1, 0)
  useLayoutEffect(() => onChange?.(() => redraw(0)), [])
  return () => redraw(0)
}

/** useChanging returns the result of read, and reads again after each change that onChange reports. */
export function useChanging<T>(read: () => T, onChange: Subscribe | undefined): T {
  useRedraw(onChange)
  return read()
}
