// A frame around the cells of a board on a picture: its corners are dragged, or moved by arrow keys.
import { useRef } from 'preact/hooks'
import { t } from '../base/text'
import type { PictureFrame } from '../types'

/** Sides are shares of the picture's width and height. */
interface Sides {
  left: number
  top: number
  right: number
  bottom: number
}

export const whole: Sides = { left: 0, top: 0, right: 1, bottom: 1 }
export const sidesOf = ({ left = 0, top = 0, width = 1, height = 1 }: PictureFrame): Sides => ({
  left: Math.max(0, left),
  top: Math.max(0, top),
  right: Math.min(1, left + width),
  bottom: Math.min(1, top + height),
})
export const frameOf = (s: Sides): Required<PictureFrame> => ({
  left: s.left,
  top: s.top,
  width: s.right - s.left,
  height: s.bottom - s.top,
})

const least = 0.05 // of the picture, between two sides
const corners = [
  ['left', 'top', t('top left corner of the frame: arrow keys move it')],
  ['right', 'top', t('top right corner of the frame: arrow keys move it')],
  ['left', 'bottom', t('bottom left corner of the frame: arrow keys move it')],
  ['right', 'bottom', t('bottom right corner of the frame: arrow keys move it')],
] as const
const between = (x: number, low: number, high: number) => Math.min(Math.max(x, low), high)

/** FrameField shows the picture with its frame. onChange gets every change, onDone the last one of a drag. */
export function FrameField(p: {
  url: string
  sides: Sides
  rows: number
  cols: number
  onChange: (s: Sides) => void
  onDone: (s: Sides) => void
}) {
  const area = useRef<HTMLDivElement>(null)
  const held = useRef<{ x: number; y: number; from: Sides; now: Sides } | null>(null)
  const { left, top, right, bottom } = p.sides

  /** moved returns a frame with one corner moved, or all of it. */
  const moved = (s: Sides, corner: (typeof corners)[number] | null, dx: number, dy: number): Sides => {
    if (!corner) {
      const x = between(dx, -s.left, 1 - s.right),
        y = between(dy, -s.top, 1 - s.bottom)
      return { left: s.left + x, right: s.right + x, top: s.top + y, bottom: s.bottom + y }
    }
    const [h, v] = corner
    return {
      ...s,
      [h]: h === 'left' ? between(s.left + dx, 0, s.right - least) : between(s.right + dx, s.left + least, 1),
      [v]: v === 'top' ? between(s.top + dy, 0, s.bottom - least) : between(s.bottom + dy, s.top + least, 1),
    }
  }
  const drags = (corner: (typeof corners)[number] | null) => ({
    onPointerDown: (e: PointerEvent) => {
      e.stopPropagation()
      ;(e.currentTarget as HTMLElement).setPointerCapture(e.pointerId)
      held.current = { x: e.clientX, y: e.clientY, from: p.sides, now: p.sides }
    },
    onPointerMove: (e: PointerEvent) => {
      const box = area.current?.getBoundingClientRect()
      const h = held.current
      if (!h || !box) return
      h.now = moved(h.from, corner, (e.clientX - h.x) / box.width, (e.clientY - h.y) / box.height)
      p.onChange(h.now)
    },
    onPointerUp: () => {
      if (held.current) p.onDone(held.current.now)
      held.current = null
    },
    onPointerCancel: () => {
      held.current = null
    },
  })
  const key = (e: KeyboardEvent, corner: (typeof corners)[number]) => {
    if (!e.key.startsWith('Arrow')) return
    e.preventDefault()
    const step = (e.shiftKey ? 0.05 : 0.005) * (/Left|Up/.test(e.key) ? -1 : 1)
    const across = /Left|Right/.test(e.key)
    p.onDone(moved(p.sides, corner, across ? step : 0, across ? 0 : step))
  }
  const percent = (x: number) => `${100 * x}%`
  return (
    <div class="framed" ref={area}>
      <img src={p.url} alt={t('The picture')} draggable={false} />
      <div
        class="cells-frame"
        style={{
          left: percent(left),
          top: percent(top),
          width: percent(right - left),
          height: percent(bottom - top),
          '--rows': p.rows,
          '--cols': p.cols,
        }}
        {...drags(null)}
      >
        {corners.map((c) => (
          <button
            key={c[2]}
            type="button"
            class={`corner ${c[0]} ${c[1]}`}
            aria-label={c[2]}
            onKeyDown={(e) => key(e, c)}
            {...drags(c)}
          />
        ))}
      </div>
    </div>
  )
}
