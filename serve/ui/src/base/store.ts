// Local storage. It may be full, forbidden or contain invalid data.

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
