// Kept is the stored form of a game that a person plays. Play, Games, duels and backups read it.

import { seed as newSeed } from '../base/format'
import { has } from '../base/store'

/** Kept is the stored and shared form of a game. */
export interface Kept {
  size: string
  uid?: string // the played game that it is
  spawn: string
  seed: number
  start?: string // the board that it began from; else two new tiles
  moves: string // packed, undone ones too
  count: number
  undone: number
  times?: string // packed, of all moves
  keep: boolean
  score: number
  when: number
  tally?: unknown // of graded moves: a Tally, if it is whole
  duel?: number // it is played in a duel, without undo and hints, for this goal: a tile, or 0 for the best score
  stage?: number // it is played in Practice, without undo and hints, until its tiles have this sum
}

export function isKept(v: unknown): v is Kept {
  return (
    has(v, {
      size: 'string',
      spawn: 'string',
      moves: 'string',
      keep: 'boolean',
      score: 'number',
      when: 'number',
    }) &&
    /^[2-6]x[2-6]$/.test(String(v.size)) &&
    [v.seed, v.count, v.undone].every(Number.isSafeInteger) &&
    [v.duel, v.stage].every((x) => x === undefined || Number.isSafeInteger(x)) &&
    [v.start, v.uid, v.times].every((x) => x === undefined || typeof x === 'string')
  )
}

const newUid = () => Date.now().toString(36) + newSeed().toString(36)

/** branch returns a game that is played on apart from the one that it was. */
export const branch = (k: Kept): Kept => ({ ...k, uid: newUid() })

export const fresh = (size: string, spawn: string, seed = newSeed()): Kept => ({
  uid: newUid(),
  size,
  spawn,
  seed,
  moves: '',
  count: 0,
  undone: 0,
  keep: false,
  score: 0,
  when: Date.now(),
})
