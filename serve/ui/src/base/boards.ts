// Boards, moves and times as text, and facts that follow from a board alone.
import { type Board, classLimits, type Decision, type Dir, dirs, type Step } from '../types'
import { t } from './text'

export const sizeOf = (b: Board) => `${b.length}x${b[0]?.length ?? 0}`
export const largest = (b: Board) => Math.max(...b.flat())
export const sum = (b: Board) => b.flat().reduce((all, t) => all + t, 0)
export const exponent = (tile: number) => (tile > 0 ? Math.round(Math.log2(tile)) : 0)
export const boardText = (b: Board) => b.map((r) => r.join(',')).join('/')

/** boardOf is the inverse of boardText. */
export const boardOf = (text: string): Board => text.split('/').map((r) => r.split(',').map(Number))
export const rotated = (b: Board): Board => (b[0] ?? []).map((_, j) => b.map((r) => r[j] ?? 0).reverse())
export const mirrored = (b: Board): Board => b.map((r) => [...r].reverse())

/** canonical takes a board as text and returns a text that is the same for all its mirrored and rotated images. */
export function canonical(text: string): string {
  const images: string[] = []
  for (let [b, i] = [boardOf(text), 0]; i < 4; i++, b = rotated(b))
    images.push(boardText(b), boardText(mirrored(b)))
  return images.sort()[0] ?? text
}

export const same = (a: Board, b: Board) => boardText(a) === boardText(b)

/** fractions returns the lengths of the bars that show losses; a blunder has the shortest. If the moves have
    no losses, only the best one has a bar. */
export const fractions = ({ moves, move }: Decision) =>
  Object.fromEntries(
    dirs.map((d) => {
      const { lost, loss_share: loss } = moves[d]
      if (loss === undefined) return [d, Number(d === move)]
      return [d, lost ? 0 : 1 - 0.88 * Math.min(1, loss / classLimits.mistake)]
    }),
  ) as Record<Dir, number>

/** pack encodes moves as in records, two bits each, in URL-safe base64. */
export function pack(moves: readonly number[]): string {
  const bytes = new Uint8Array(Math.ceil(moves.length / 4))
  moves.forEach((m, i) => {
    bytes[i >> 2] = (bytes[i >> 2] ?? 0) | (m << (2 * (i & 3)))
  })
  let text = ''
  for (const b of bytes) text += String.fromCharCode(b)
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

export function unpack(text: string, count: number): number[] {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  if (bytes.length !== Math.ceil(count / 4)) throw new Error(t('moves are missing'))
  return Array.from({ length: count }, (_, i) => (bytes.charCodeAt(i >> 2) >> (2 * (i & 3))) & 3)
}

/** packTimes encodes milliseconds as in records, as one varint each; -1 is an unknown time. */
export function packTimes(times: readonly number[]): string {
  let text = ''
  for (const ms of times) {
    let n = ms + 1
    for (; n > 127; n >>= 7) text += String.fromCharCode((n & 127) | 128)
    text += String.fromCharCode(n)
  }
  return btoa(text)
}

export function unpackTimes(text: string): number[] {
  const times: number[] = []
  let [n, shift] = [0, 0]
  for (const c of atob(text)) {
    const byte = c.charCodeAt(0)
    n |= (byte & 127) << shift
    shift += 7
    if (byte > 127) continue
    times.push(n - 1)
    n = shift = 0
  }
  return times
}

export const newSeed = () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 1

/** blank is an empty board of a size such as 4x4. */
export function blank(size: string) {
  const [rows, cols] = size.split('x').map(Number)
  return Array.from({ length: rows ?? 4 }, () => Array<number>(cols ?? 4).fill(0))
}

/** Slid is a slide and, once it has appeared, the new tile. */
export type Slid = Pick<Step, 'motions'> & Partial<Pick<Step, 'spawn'>>

export function crc32(text: string): string {
  let crc = -1
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte
    for (let i = 0; i < 8; i++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (~crc >>> 0).toString(16).padStart(8, '0')
}
