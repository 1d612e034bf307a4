// The games that the visitor saved to play on later.
import { load, save } from '../base/store'
import { isKept, type Kept } from './kept'

export type Slot = Kept & { id: number }

const isSlots = (v: unknown) =>
  Array.isArray(v) && v.every((s) => isKept(s) && typeof (s as Slot).id === 'number')

/** slots returns the saved games, the newest first. */
export const slots = () => load<Slot[]>('slots', [], isSlots)

/** saveSlot saves a game, and reports whether there was room. */
export const saveSlot = (k: Kept) => save('slots', [{ ...k, id: Date.now() }, ...slots()])

export const deleteSlot = (id: number) =>
  save(
    'slots',
    slots().filter((s) => s.id !== id),
  )
