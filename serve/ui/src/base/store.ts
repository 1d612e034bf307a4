// Local storage. It may be full, forbidden or contain invalid data. So may be what was stored elsewhere.
import { useState } from 'preact/hooks'

export function load<T>(key: string, otherwise: T, right: (v: unknown) => boolean = () => true): T {
  try {
    const text = localStorage.getItem(`afterstate.${key}`)
    if (text === null) return otherwise
    const v = JSON.parse(text)
    if (right(v)) return v as T
  } catch {
    // treated as empty
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

/** useStored returns a stored value, and what changes it. */
export function useStored<T>(key: string, otherwise: T, right?: (v: unknown) => boolean) {
  const [value, set] = useState(() => load(key, otherwise, right))
  const store = (next: T) => {
    set(() => next)
    save(key, next)
  }
  return [value, store] as const
}

/** has reports whether a value is an object whose fields have these types. Numbers are finite, times are dates. */
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

/** parsed returns the value of a stored text of JSON; undefined if it is none. */
export function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

export const soundOf = <T>(v: unknown, right: (x: unknown, key: string) => x is T): Record<string, T> =>
  Object.fromEntries(Object.entries(isObject(v) ? v : {}).filter((e): e is [string, T] => right(e[1], e[0])))
