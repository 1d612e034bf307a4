// Keys of a view.
import { useLayoutEffect, useRef } from 'preact/hooks'
import { typing } from './ui'

/** useKeys calls f for keys without modifiers, outside of inputs and dialogs; f reports whether it used the key. */
export function useKeys(f: (e: KeyboardEvent) => boolean) {
  const call = useRef(f)
  call.current = f
  useLayoutEffect(() => {
    const on = (e: KeyboardEvent) => {
      if (typing(e) || e.ctrlKey || e.metaKey || e.altKey || document.querySelector('dialog[open]')) return
      if (call.current(e)) e.preventDefault()
    }
    addEventListener('keydown', on)
    return () => removeEventListener('keydown', on)
  }, [])
}
