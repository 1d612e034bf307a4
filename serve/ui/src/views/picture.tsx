// Boards from screenshots: paste, drop or choose a picture; what is not certain is shown beside it
// and corrected before the board is used.
import { useEffect, useRef, useState } from 'preact/hooks'
import { shape } from '../board'
import { sizeOf } from '../format'
import { readPicture } from '../picture'
import type { Board, PictureBoard } from '../types'
import { Button, Dialog, reveal } from '../ui'
import { Brushes, Editor, stepUp } from './editor'

const kinds = 'image/png,image/jpeg,image/webp'
const pictureOf = (d: DataTransfer | null) => [...(d?.files ?? [])].find((f) => f.type.startsWith('image/'))

/** PictureInput reads the board of a picture and calls onBoard once it is certain or corrected. */
export function PictureInput(p: { onBoard: (b: Board) => void }) {
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState('')
  const [trouble, setTrouble] = useState('')
  const [over, setOver] = useState(false) // a file is held over the page
  const [doubtful, setDoubtful] = useState<{ read: PictureBoard; file: Blob } | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const newest = useRef<AbortController | null>(null)
  const alert = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (trouble) reveal(alert.current, true) // what is dropped or pasted may come while the page is elsewhere
  }, [trouble])

  const use = (b: Board) => {
    setDoubtful(null)
    setSaid(`The board of the picture, ${sizeOf(b).replace('x', ' × ')}, is set.`)
    p.onBoard(b)
  }
  const take = useRef(async (_: File) => {})
  take.current = async (file) => {
    newest.current?.abort()
    const stop = (newest.current = new AbortController())
    setBusy(true)
    setSaid('')
    setTrouble('')
    try {
      const read = await readPicture(file, stop.signal)
      if (stop.signal.aborted) return
      if (read.doubts.length > 0) setDoubtful({ read, file })
      else use(read.board)
    } catch (e) {
      if (!stop.signal.aborted) setTrouble(e instanceof Error ? e.message : String(e))
    } finally {
      if (newest.current === stop) setBusy(false)
    }
  }
  useEffect(() => {
    const paste = (e: ClipboardEvent) => {
      const file = pictureOf(e.clipboardData)
      if (!file || e.clipboardData?.getData('text')) return // cells of a spreadsheet come as both
      e.preventDefault()
      take.current(file)
    }
    const drag = (e: DragEvent) => {
      if (!e.dataTransfer?.types.includes('Files')) return
      e.preventDefault() // or else the browser opens what is dropped
      setOver(e.type === 'dragover')
      const file = e.type === 'drop' ? pictureOf(e.dataTransfer) : undefined
      if (file) take.current(file)
      else if (e.type === 'drop') setTrouble('Not a picture: want a PNG, JPEG or WebP file.')
    }
    addEventListener('paste', paste)
    addEventListener('dragover', drag)
    addEventListener('dragleave', drag)
    addEventListener('drop', drag)
    return () => {
      newest.current?.abort()
      removeEventListener('paste', paste)
      removeEventListener('dragover', drag)
      removeEventListener('dragleave', drag)
      removeEventListener('drop', drag)
    }
  }, [])
  return (
    <div class="stack tight picture" data-over={over ? '' : undefined}>
      <Button onClick={() => input.current?.click()}>{busy ? 'Reading…' : 'Read a screenshot'}</Button>
      <input ref={input} type="file" accept={kinds} class="unseen" tabIndex={-1} aria-label="Screenshot of a 2048 game" onChange={(e) => {
        const file = e.currentTarget.files?.[0]
        e.currentTarget.value = '' // so that the same file may be chosen again
        if (file) take.current(file)
      }} />
      <small class="dim" role="status">{said || 'Of any 2048 game. You can also paste a picture, or drop one on the page.'}</small>
      {trouble && <p class="bad lines" role="alert" ref={alert}>{trouble}</p>}
      {doubtful && <Check {...doubtful} onUse={use} onClose={() => setDoubtful(null)} />}
    </div>
  )
}

/** Check shows a doubtful board beside its picture. */
function Check(p: { read: PictureBoard; file: Blob; onUse: (b: Board) => void; onClose: () => void }) {
  const [board, setBoard] = useState(p.read.board)
  const [doubts, setDoubts] = useState(p.read.doubts)
  const [url, setURL] = useState('')
  const [brush, setBrush] = useState(stepUp)
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
  const some = doubts.length === 1 ? 'One cell is not certain: compare the marked one' : `${doubts.length} cells are not certain: compare the marked ones`
  return (
    <Dialog title="Is this your board?" onClose={p.onClose}>
      <div class="stack check">
        {p.read.grid && <p>The size is not certain: {p.read.grid}.</p>}
        <p>{doubts.length ? `${some} with the picture.` : 'Every cell was checked.'} A click changes a tile.</p>
        {url && <img src={url} alt="The picture" />}
        <div style={shape(sizeOf(board))}><Editor board={board} decision={null} brush={brush} doubts={doubts} onChange={change} /></div>
        <Brushes brush={brush} onChange={setBrush} />
        <div class="row fill">
          <Button kind="main" onClick={() => p.onUse(board)}>Use this board</Button>
          <Button onClick={p.onClose}>Cancel</Button>
        </div>
      </div>
    </Dialog>
  )
}
