// Boards from screenshots: paste, drop or choose a picture. Uncertain cells are shown beside it and corrected before
// the board is used.
import { useEffect, useRef, useState } from 'preact/hooks'
import { blank, sizeOf } from '../../base/boards'
import { isFilm, useFiles } from '../../base/files'
import { sizeText, t } from '../../base/text'
import { complaint } from '../../engine/net'
import { NoBoard, readPicture } from '../../engine/picture'
import { shape } from '../../parts/board'
import { Brushes, Editor, stepUp } from '../../parts/editor'
import { Select } from '../../parts/fields'
import { Alert, Button, Dialog, FileButton } from '../../parts/ui'
import type { Board, PictureBoard, PictureFrame } from '../../types'

const kinds = 'image/png,image/jpeg,image/webp'
const isPicture = (f: File) => f.type.startsWith('image/')

/** useReading returns a function that reads a picture. A newer call cancels an older one, which returns undefined. */
function useReading() {
  const newest = useRef(new AbortController())
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState('')
  useEffect(() => () => newest.current.abort(), [])
  const read = async (file: Blob, at?: Parameters<typeof readPicture>[2]) => {
    newest.current.abort()
    newest.current = new AbortController()
    const { signal } = newest.current
    setBusy(true)
    setTrouble('')
    try {
      const found = await readPicture(file, signal, at)
      return signal.aborted ? undefined : found
    } catch (e) {
      if (signal.aborted) return undefined
      if (e instanceof NoBoard && !at) return null
      setTrouble(complaint(e))
      return undefined
    } finally {
      if (!signal.aborted) setBusy(false)
    }
  }
  return { read, busy, trouble, setTrouble }
}

/** PictureInput reads the board of a picture, and calls onBoard once it is certain or corrected. */
export function PictureInput(p: { given: File | null; onBoard: (b: Board) => void }) {
  const { read, busy, trouble, setTrouble } = useReading()
  const [status, setStatus] = useState('')
  const [last, setLast] = useState<Checked | null>(null)
  // the last reading is shown beside its picture, for corrections
  const [checking, setChecking] = useState(false)
  const use = (b: Board) => {
    setChecking(false)
    setStatus(t('The board was taken from the picture: {size}.', { size: sizeText(sizeOf(b)) }))
    p.onBoard(b)
  }
  const take = async (file: File) => {
    setStatus('')
    setLast(null)
    const found = await read(file)
    if (found === undefined) return
    setLast({ found, file })
    if (found?.doubts.length === 0) use(found.board)
    else setChecking(true)
  }
  useEffect(() => {
    if (p.given) void take(p.given)
  }, [p.given])
  const refuse = (f: File | undefined) =>
    setTrouble(
      isFilm(f)
        ? t('This is a video: open screen recordings in Games.')
        : t('Not a picture: choose a PNG, JPEG or WebP file.'),
    )
  const over = useFiles(take, isPicture, refuse)
  return (
    <div class="picture" data-over={over ? '' : undefined}>
      <div class="sources">
        <FileButton
          name={t('Screenshot of a 2048 game')}
          icon="image"
          accept={kinds}
          onFile={take}
          text={busy ? t('Reading…') : t('Read a screenshot')}
        />
        <FileButton
          name={t('Photo of a 2048 game')}
          icon="camera"
          accept={kinds}
          camera
          label={t('Take a photo')}
          onFile={take}
        />
      </div>
      <p class="unseen" role="status">
        {status}
      </p>
      {status && last && (
        <Button kind="small" onClick={() => setChecking(true)} text={t('Correct what was read')} />
      )}
      <Alert lines text={trouble} />
      {checking && last && <Check {...last} onUse={use} onClose={() => setChecking(false)} />}
    </div>
  )
}

interface Checked {
  found: PictureBoard | null // null: no board was found
  file: Blob
}

const lengths = [2, 3, 4, 5, 6]

/** Check shows a board beside its picture. When rows, columns or the frame of the cells are set, it is read again. */
function Check(p: Checked & { onUse: (b: Board) => void; onClose: () => void }) {
  const { read, trouble } = useReading()
  const [found, setFound] = useState(p.found)
  const [board, setBoard] = useState(p.found?.board ?? blank('4x4'))
  const [doubts, setDoubts] = useState(p.found?.doubts ?? [])
  const [sides, setSides] = useState(p.found ? sidesOf(p.found.frame) : whole)
  const [url, setURL] = useState('')
  const [brush, setBrush] = useState(stepUp)
  const rows = board.length
  const cols = board[0]?.length ?? 0
  useEffect(() => {
    const made = URL.createObjectURL(p.file)
    setURL(made)
    return () => URL.revokeObjectURL(made)
  }, [p.file])
  const change = (b: Board) => {
    const before = board.flat()
    const after = b.flat()
    setDoubts(doubts.filter((cell) => before[cell] === after[cell]))
    setBoard(b)
  }
  /** again reads the cells of a frame; what was corrected by hand is read again too. */
  const again = async (height: number, width: number, at: typeof sides) => {
    setSides(at)
    if (height !== rows || width !== cols) {
      setBoard(blank(`${height}x${width}`))
      setDoubts([])
    }
    const again = await read(p.file, { size: `${height}x${width}`, ...frameOf(at) })
    if (!again) return
    setFound(again)
    setBoard(again.board)
    setDoubts(again.doubts)
  }
  const some = t(
    '{n|One cell is not certain: compare the marked one|# cells are not certain: compare the marked ones} with the picture.',
    { n: doubts.length },
  )
  return (
    <Dialog title={t('Is this your board?')} onClose={p.onClose}>
      <div class="stack check">
        <p>
          {!found ? (
            t('No board was found. Drag the corners to the outer cells, and set rows and columns.')
          ) : (
            <>
              {found.grid && `${t('The size is not certain: {why}.', { why: found.grid })} `}
              {doubts.length ? some : t('Every cell was checked.')} {t('A click changes a tile.')}
            </>
          )}
        </p>
        <Alert text={trouble} />
        <div class="both">
          {url && (
            <FrameField
              url={url}
              sides={sides}
              rows={rows}
              cols={cols}
              onChange={setSides}
              onDone={(s) => void again(rows, cols, s)}
            />
          )}
          <div class="recognized" style={shape(sizeOf(board))}>
            <Editor board={board} decision={null} brush={brush} doubts={doubts} onChange={change} />
          </div>
        </div>
        <div class="pair">
          <Select label={t('Rows')} value={rows} of={lengths} onChange={(n) => again(n, cols, sides)} />
          <Select label={t('Columns')} value={cols} of={lengths} onChange={(n) => again(rows, n, sides)} />
        </div>
        <Brushes brush={brush} onChange={setBrush} />
        <div class="row fill">
          <Button kind="main" onClick={() => p.onUse(board)} text={t('Use this board')} />
          <Button onClick={p.onClose} text={t('Cancel')} />
        </div>
      </div>
    </Dialog>
  )
}

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

const least = 0.05 // minimum distance of two sides, as a share of the picture
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
