// Links that hold a game.
import { unpack } from '../base/format'
import { fresh, isKept, type Kept } from './kept'

const encoded = (text: string) => encodeURIComponent(text).replaceAll('%2C', ',')

/** hashOf returns the part of a link that replays a game and opens it after some of its moves. */
export function hashOf(k: Kept, at: number): string {
  const rule = k.spawn === 'random' && k.start === undefined ? '' : `/${encoded(k.spawn)}`
  const start = k.start === undefined ? '' : `/${encoded(k.start)}`
  return `${k.size}/${k.seed}/${k.count}/${k.moves || '-'}/${at}${rule}${start}`
}

/** fromHash is the inverse of hashOf; null if there is no game. */
export function fromHash(parts: string[]): { kept: Kept; at: number } | null {
  const [size, seed, count, moves, place, spawn, start] = parts
  try {
    const kept = {
      ...fresh(size ?? '', spawn ? decodeURIComponent(spawn) : 'random', Number(seed)),
      ...(start ? { start: decodeURIComponent(start) } : {}),
      count: Number(count),
      moves: moves === '-' ? '' : (moves ?? ''),
      keep: true,
    }
    const at = Number(place)
    return isKept(kept) &&
      unpack(kept.moves, kept.count) &&
      Number.isSafeInteger(at) &&
      at >= 0 &&
      at <= kept.count
      ? { kept, at }
      : null
  } catch {
    return null
  }
}
