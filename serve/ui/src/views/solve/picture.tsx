// Boards from screenshots: paste, drop or choose a picture; what is not certain is shown beside it
// and corrected before the board is used.

import { useEffect, useRef, useState } from 'preact/hooks'
import { isFilm, useFiles } from '../../base/files'
import { blank, sizeOf, sizeText } from '../../base/format'
import { t } from '../../base/text'
import { complaint } from '../../engine/net'
import { NoBoard, readPicture } from '../../engine/picture'
import { shape } from '../../parts/board'
import { Brushes, Editor, stepUp } from '../../parts/editor'
import { Select } from '../../parts/fields'
import { FrameField, frameOf, sidesOf, whole } from '../../parts/frame'
import { Alert, Button, Dialog, FileButton } from '../../parts/ui'
import type { Board, PictureBoard } from '../../types'

const kinds = 'image/png,image/jpeg,image/webp'
const isPicture = (f: File) => f.type.startsWith('image/')

/** useNewest returns what begins a request, and ends the one before. The last one ends with the component. */
function useNewest(): () => AbortSignal {
  const newest = useRef(new AbortController())
  useEffect(() => () => newest.current.abort(), [])
  return () => {
    newest.current.abort()
    newest.current = new AbortController()
    return newest.current.signal
  }
}

/** PictureInput reads the board of a picture, or of the one that was given, and calls onBoard once it is certain or corrected. */
export function PictureInput(p: { given: File | null; onBoard: (b: Board) => void }) {
  const [busy, setBusy] = useState(false)
  const [said, setSaid] = useState('')
  const [trouble, setTrouble] = useState('')
  const [last, setLast] = useState<Checked | null>(null)
  const [checking, setChecking] = useState(false) // last is shown beside its picture
  const renew = useNewest()
  const use = (b: Board) => {
    setChecking(false)
    setSaid(t('The board of the picture, {size}, is set.', { size: sizeText(sizeOf(b)) }))
    p.onBoard(b)
  }
  const take = useRef(async (_: File) => {})
  take.current = async (file) => {
    const signal = renew()
    setBusy(true)
    setSaid('')
    setTrouble('')
    setLast(null)
    try {
      const read = await readPicture(file, signal).catch((e: unknown) => {
        if (e instanceof NoBoard) return null
        throw e
      })
      if (signal.aborted) return
      setLast({ read, file })
      if (read && read.doubts.length === 0) use(read.board)
      else setChecking(true)
    } catch (e) {
      if (!signal.aborted) setTrouble(complaint(e))
    } finally {
      if (!signal.aborted) setBusy(false)
    }
  }
  useEffect(() => {
    if (p.given) take.current(p.given)
  }, [p.given])
  const over = useFiles(
    isPicture,
    (f) => take.current(f),
    (f) =>
      setTrouble(
        isFilm(f)
          ? t('Open a screen recording in Games.')
          : t('Not a picture: must be a PNG, JPEG or WebP file.'),
      ),
  )
  return (
    <div class="picture" data-over={over ? '' : undefined}>
      <div class="sources">
        <FileButton
          name={t('Screenshot of a 2048 game')}
          icon="image"
          accept={kinds}
          onFile={(f) => take.current(f)}
          text={busy ? t('Reading…') : t('Read a screenshot')}
        />
        <FileButton
          name={t('Photo of a 2048 game')}
          icon="camera"
          accept={kinds}
          camera
          label={t('Take a photo')}
          onFile={(f) => take.current(f)}
        />
      </div>
      <p class="unseen" role="status">
        {said}
      </p>
      {said && last && (
        <Button kind="small" onClick={() => setChecking(true)} text={t('Correct what was read')} />
      )}
      <Alert lines text={trouble} />
      {checking && last && <Check {...last} onUse={use} onClose={() => setChecking(false)} />}
    </div>
  )
}

interface Checked {
  read: PictureBoard | null // null: no board was found
  file: Blob
}

const lengths = [2, 3, 4, 5, 6]

/** Check shows a board beside its picture. Rows, columns and the frame of the cells can be set, and then it is read again. */
function Check(p: Checked & { onUse: (b: Board) => void; onClose: () => void }) {
  const [read, setRead] = useState(p.read)
  const [board, setBoard] = useState(p.read?.board ?? blank('4x4'))
  const [doubts, setDoubts] = useState(p.read?.doubts ?? [])
  const [sides, setSides] = useState(p.read ? sidesOf(p.read.frame) : whole)
  const [trouble, setTrouble] = useState('')
  const [url, setURL] = useState('')
  const [brush, setBrush] = useState(stepUp)
  const renew = useNewest()
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
    const signal = renew()
    setSides(at)
    setTrouble('')
    if (height !== rows || width !== cols) {
      setBoard(blank(`${height}x${width}`))
      setDoubts([])
    }
    try {
      const found = await readPicture(p.file, signal, { size: `${height}x${width}`, ...frameOf(at) })
      if (signal.aborted) return
      setRead(found)
      setBoard(found.board)
      setDoubts(found.doubts)
    } catch (e) {
      if (!signal.aborted) setTrouble(complaint(e))
    }
  }
  const some = t(
    '{n|One cell is not certain: compare the marked one|# cells are not certain: compare the marked ones} with the picture.',
    { n: doubts.length },
  )
  return (
    <Dialog title={t('Is this your board?')} onClose={p.onClose}>
      <div class="stack check">
        <p>
          {!read ? (
            t('No board was found. Drag the corners to the outer cells, and set rows and columns.')
          ) : (
            <>
              {read.grid && `${t('The size is not certain: {why}.', { why: read.grid })} `}
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
