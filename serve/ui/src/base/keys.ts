// Keys of a view.
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Dir } from '../types'
import { listen } from './changes'

export const typing = (e: Event) => {
  const t = e.target
  return (
    t instanceof HTMLElement &&
    (t.matches('input:not([type=range]):not([type=checkbox]), textarea, select, dialog *, [popover] *') ||
      t.isContentEditable)
  )
}

const arrows: Record<string, Dir> = {
  ArrowUp: 'up',
  ArrowRight: 'right',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  KeyW: 'up',
  KeyD: 'right',
  KeyS: 'down',
  KeyA: 'left',
  KeyK: 'up',
  KeyL: 'right',
  KeyJ: 'down',
  KeyH: 'left',
}

/** direction returns the move of a key: arrows, WASD by key position, HJKL. */
export function direction(e: KeyboardEvent) {
  if (e.ctrlKey || e.altKey || e.metaKey) return undefined
  if (
    e.target instanceof HTMLElement &&
    e.target.matches('input[type=range], [role=tree] *, .cells *') &&
    e.key.startsWith('Arrow')
  )
    return undefined
  return arrows[e.code] ?? arrows[e.key]
}

/** onControl reports whether Space or Enter is pressed on a control that uses it itself. */
export const onControl = (e: KeyboardEvent) =>
  e.target instanceof HTMLElement && e.target.matches(`button, a, summary${e.key === ' ' ? ', input' : ''}`)

const modified = (e: KeyboardEvent) => e.ctrlKey || e.metaKey || e.altKey

/** undoes reports whether a key takes a move back, redoes whether it makes it again. */
export const undoes = (e: KeyboardEvent) =>
  modified(e) ? e.key === 'z' && !e.altKey && !e.shiftKey : e.key === 'u' || e.key === 'Backspace'
export const redoes = (e: KeyboardEvent) =>
  modified(e) ? (e.key === 'y' || e.key === 'Z') && !e.altKey : e.key === 'r'

/** useKeys calls f for keys outside of inputs and dialogs; f reports whether it used the key. Of keys with modifiers it gets
    those that undo and redo. It counts as soon as the view is shown. */
export function useKeys(f: (e: KeyboardEvent) => boolean) {
  const call = useRef(f)
  call.current = f
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
