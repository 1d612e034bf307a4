// Swipes, taps and holds of fingers and pens.
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useLatest } from '../base/store'
import type { Dir } from '../types'

const minSwipe = 18 // pixels
const holdTime = 400 // milliseconds until a touch counts as a hold
const clickTime = 700 // maximum time in milliseconds from a touch to the click that it causes

/** swiped returns the direction in which a pointer has moved far enough. */
function swiped(from: { x: number; y: number }, e: PointerEvent): Dir | null {
  const x = e.clientX - from.x
  const y = e.clientY - from.y
  if (Math.max(Math.abs(x), Math.abs(y)) < minSwipe) return null
  return Math.abs(x) > Math.abs(y) ? (x > 0 ? 'right' : 'left') : y > 0 ? 'down' : 'up'
}

interface Touch {
  onMove?: ((d: Dir) => void) | undefined
  onTap?: (at: EventTarget | null) => void
  onHold?: (at: EventTarget | null) => boolean // returns false if the hold has no effect
}

/** useSwipe calls onMove as soon as a finger or a pen has moved far enough, onTap with the touched element, and
    onHold when the finger rests or on a right click. None of these is followed by a click. After a hold that did
    nothing, the touch may still become a swipe or a tap. Browsers may send no click for a tap right after a
    swipe, hence onTap. */
export function useSwipe(touch: Touch) {
  const ref = useRef<HTMLDivElement>(null)
  const call = useLatest(touch)
  const playable = touch.onMove !== undefined
  useLayoutEffect(() => {
    // a layout effect, so that the first swipe after the board is shown counts
    return ref.current && playable ? handleTouches(ref.current, call) : undefined
  }, [playable])
  return ref
}

/** handleTouches calls the functions of call for touches of el, until the function that it returns is called. */
function handleTouches(el: HTMLElement, call: { readonly current: Touch }): () => void {
  let from: { id: number; x: number; y: number } | null = null
  // event time at which the touch became a swipe, a tap or a hold; a busy page does not delay these times
  let spent = -Infinity
  let timer = 0
  const end = () => {
    from = null
    clearTimeout(timer)
  }
  const become = (e: Event, act: () => void) => {
    end()
    spent = e.timeStamp
    act()
  }
  const hold = (at: EventTarget | null) => {
    if (!call.current.onHold?.(at)) return
    end()
    spent = performance.now()
  }
  const down = (e: PointerEvent) => {
    end()
    spent = -Infinity
    if (!e.isPrimary || e.button !== 0) return // ignore a second finger
    from = { id: e.pointerId, x: e.clientX, y: e.clientY }
    timer = window.setTimeout(() => hold(e.target), holdTime)
  }
  const go = (e: PointerEvent) => {
    if (!from || from.id !== e.pointerId) return
    const d = swiped(from, e)
    if (d) become(e, () => call.current.onMove?.(d))
  }
  const up = (e: PointerEvent) => {
    if (from?.id === e.pointerId && call.current.onTap) become(e, () => call.current.onTap?.(e.target))
    else if (spent > 0) spent = e.timeStamp // the click follows now, however long the hold was
    end()
  }
  const click = (e: MouseEvent) => {
    if (e.timeStamp - spent > clickTime || e.detail === 0) return // a click by a key has detail 0
    e.stopPropagation()
    e.preventDefault()
  }
  const menu = (e: MouseEvent) => {
    if (!call.current.onHold) return
    e.preventDefault()
    if (e.timeStamp - spent > clickTime) hold(e.target)
  }
  const off = new AbortController()
  el.dataset.swipe = ''
  el.addEventListener('pointerdown', down, off)
  el.addEventListener('pointermove', go, off)
  el.addEventListener('pointerup', up, off)
  el.addEventListener('pointercancel', end, off)
  el.addEventListener('click', click, { capture: true, signal: off.signal })
  el.addEventListener('contextmenu', menu, off)
  return () => {
    end()
    delete el.dataset.swipe
    off.abort()
  }
}

/** taken matches elements that are not free space: controls, cards, anything else that scrolls, and elements
    that handle swipes themselves. */
const taken = 'a, button, input, select, textarea, label, summary, header, dialog, .card, .wide, [data-swipe]'

/** useFreeSwipe calls onMove when a finger or a pen swipes across free space, which then does not scroll. */
export function useFreeSwipe(onMove: ((d: Dir) => void) | undefined) {
  const call = useLatest(onMove)
  const playable = onMove !== undefined
  useLayoutEffect(() => {
    if (!playable) return
    let from: { id: number; x: number; y: number } | null = null
    let holds = false // the touch began on free space
    const down = (e: PointerEvent) => {
      if (e.isPrimary)
        holds = e.pointerType !== 'mouse' && e.target instanceof Element && !e.target.closest(taken)
      // a second finger cancels the swipe
      from = e.isPrimary && holds ? { id: e.pointerId, x: e.clientX, y: e.clientY } : null
    }
    const go = (e: PointerEvent) => {
      const d = from?.id === e.pointerId && swiped(from, e)
      if (!d) return
      from = null
      call.current?.(d)
    }
    const end = () => (from = null)
    const stay = (e: TouchEvent) => holds && e.touches.length === 1 && e.cancelable && e.preventDefault()
    const off = new AbortController()
    addEventListener('pointerdown', down, off)
    addEventListener('pointermove', go, off)
    addEventListener('pointerup', end, off)
    addEventListener('pointercancel', end, off)
    addEventListener('touchmove', stay, { passive: false, signal: off.signal })
    return () => off.abort()
  }, [playable])
}
