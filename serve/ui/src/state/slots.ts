// The games that the visitor saved to play on later.
import { load, save } from '../base/store'
import { isKept, type Kept } from './kept'

export type Slot = Kept & { id: number }

/** slotsOf returns the saved games of a stored value; damaged ones are left out. */
export const slotsOf = (v: unknown): Slot[] =>
  Array.isArray(v) ? v.filter((s): s is Slot => isKept(s) && typeof (s as Slot).id === 'number') : []

/** slots returns the saved games, the newest first. */
export const slots = () => slotsOf(load<unknown>('slots', []))

/** saveSlot saves a game, and reports whether there was room. */
export const saveSlot = (k: Kept) => save('slots', [{ ...k, id: Date.now() }, ...slots()])

export const deleteSlot = (id: number) =>
  save(
    'slots',
    slots().filter((s) => s.id !== id),
  )
