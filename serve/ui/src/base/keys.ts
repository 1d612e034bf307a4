// Keyboard input of a view.
import { useLayoutEffect } from 'preact/hooks'
import type { Dir } from '../types'
import { listen, useLatest } from './store'

const typing = (e: Event) => {
  const t = e.target
  return (
    t instanceof HTMLElement &&
    (t.matches('input:not([type=range]):not([type=checkbox]), textarea, select, dialog *, [popover] *') ||
      t.isContentEditable)
  )
}

const places: Record<string, Dir> = { KeyW: 'up', KeyD: 'right', KeyS: 'down', KeyA: 'left' }
const letters: Record<string, Dir> = { k: 'up', l: 'right', j: 'down', h: 'left' }

/** letter returns the letter that a key types, in lower case. On a layout without Latin letters it returns the
    letter of the same key on a QWERTY keyboard. */
export const letter = (e: KeyboardEvent) =>
  e.key.length > 1
    ? e.key
    : e.key < '\u0080'
      ? e.key.toLowerCase()
      : (/^Key([A-Z])$/.exec(e.code)?.[1]?.toLowerCase() ?? e.key)

/** direction returns the move of a key: arrows, WASD by position, HJKL by letter. Views handle their shortcuts
    first, because on other layouts the keys at the positions of WASD type other letters, which may be shortcuts. */
export function direction(e: KeyboardEvent): Dir | undefined {
  if (modified(e)) return undefined
  if (!e.key.startsWith('Arrow')) return letters[letter(e)] ?? places[e.code]
  const own =
    e.target instanceof HTMLElement && e.target.matches('input[type=range], [role=tree] *, .cells *')
  return own ? undefined : (e.key.slice(5).toLowerCase() as Dir)
}

/** onControl reports whether Space or Enter is pressed on a control that handles the key itself. */
export const onControl = (e: KeyboardEvent) =>
  e.target instanceof HTMLElement && e.target.matches(`button, a, summary${e.key === ' ' ? ', input' : ''}`)

const modified = (e: KeyboardEvent) => e.ctrlKey || e.metaKey || e.altKey

/** undoes reports whether a key undoes a move, redoes whether it redoes one. */
export const undoes = (e: KeyboardEvent) =>
  modified(e) ? letter(e) === 'z' && !e.altKey && !e.shiftKey : letter(e) === 'u' || e.key === 'Backspace'
export const redoes = (e: KeyboardEvent) =>
  modified(e) ? (letter(e) === 'y' || (letter(e) === 'z' && e.shiftKey)) && !e.altKey : letter(e) === 'r'

/** useKeys calls f for keys pressed outside inputs and dialogs; f reports whether it used the key. Of keys with
    modifiers, f gets only those for undo and redo. Keys count as soon as the view is shown. */
export function useKeys(f: (e: KeyboardEvent) => boolean) {
  const call = useLatest(f)
  useLayoutEffect(
    () =>
      listen('keydown', (e) => {
        if (e.defaultPrevented || typing(e) || document.querySelector('dialog[open]')) return
        if (modified(e) && !undoes(e) && !redoes(e)) return
        if (call.current(e)) e.preventDefault()
      }),
    [],
  )
}
