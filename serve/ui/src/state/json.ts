// What is read from where it was stored: it may be damaged.
import { isObject } from '../base/store'

/** parsed returns the value of a stored text of JSON; undefined if it is none. */
export function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

/** soundOf returns those fields of a value that are right. */
export const soundOf = <T>(v: unknown, right: (x: unknown, key: string) => x is T): Record<string, T> =>
  Object.fromEntries(Object.entries(isObject(v) ? v : {}).filter((e): e is [string, T] => right(e[1], e[0])))
