// An editor of boards: choose a tile and place it on cells, or change cells with keys.
import { useState } from 'preact/hooks'
import { exponent } from '../base/boards'
import { placeIn, t } from '../base/text'
import { put } from '../state/follow'
import type { Board, Decision, Dir } from '../types'
import { Edges } from './board'
import { useFreeSwipe, useSwipe } from './swipe'

/** step returns a tile that is larger by a number of powers of two. */
const step = (tile: number, by: number) => {
  const e = Math.min(Math.max(exponent(tile) + by, 0), 17)
  return e ? 2 ** e : 0
}

/** stepUp is the brush that doubles a tile. */
export const stepUp = -1

/** Editor changes cells; with onMove it also makes moves. Cells in doubt are marked. */
export function Editor(p: {
  board: Board
  decision: Decision | null
  brush: number
  doubts?: number[]
  onChange: (b: Board) => void
  onMove?: (d: Dir) => void
}) {
  const [at, setAt] = useState(0) // the cell in the tab order
  const cells = useSwipe({ onMove: p.onMove })
  useFreeSwipe(p.onMove)
  const rows = p.board.length
  const cols = p.board[0]?.length ?? 0
  const set = (cell: number, tile: number) => p.onChange(put(p.board, cell, tile))
  const key = (e: KeyboardEvent, cell: number, tile: number) => {
    const to: Record<string, number> = {
      ArrowUp: cell - cols,
      ArrowDown: cell + cols,
      ArrowLeft: cell % cols ? cell - 1 : -1,
      ArrowRight: (cell + 1) % cols ? cell + 1 : -1,
    }
    const next = to[e.key]
    if (next !== undefined) {
      const button = cells.current?.querySelectorAll('button')[next]
      if (button) setAt(next)
      button?.focus()
    } else if (e.key === '+' || e.key === '=') set(cell, step(tile, 1))
    else if (e.key === '-') set(cell, step(tile, -1))
    else if (e.key === 'Delete' || e.key === 'Backspace' || e.key === '0') set(cell, 0)
    else if (/^[1-9]$/.test(e.key)) set(cell, 2 ** Number(e.key))
    else return
    e.preventDefault()
  }
  return (
    <div class="frame" style={{ '--rows': rows, '--cols': cols }}>
      <Edges decision={p.decision} onMove={p.onMove} />
      <div
        class="cells"
        ref={cells}
        role="group"
        aria-label={t(
          'Board to set up: arrow keys move between cells, plus and minus change the tile, 1 to 9 set it, Delete empties it',
        )}
        style={{ '--cols': cols }}
      >
        {p.board.flat().map((tile, cell) => (
          <button
            key={cell}
            type="button"
            data-e={tile ? Math.min(exponent(tile), 18) : undefined}
            data-n={String(tile).length}
            tabIndex={cell === Math.min(at, rows * cols - 1) ? 0 : -1}
            data-doubt={p.doubts?.includes(cell) ? '' : undefined}
            aria-label={`${t('Row {row}, column {column}', placeIn(cell, cols))}: ${tile || t('empty')}${p.doubts?.includes(cell) ? `, ${t('not certain')}` : ''}`}
            onClick={() => {
              setAt(cell)
              set(cell, p.brush === stepUp ? step(tile, 1) : tile === p.brush ? 0 : p.brush)
            }}
            onContextMenu={(e) => {
              e.preventDefault()
              set(cell, step(tile, -1))
            }}
            onKeyDown={(e) => key(e, cell, tile)}
          >
            <span>{tile || ''}</span>
          </button>
        ))}
      </div>
    </div>
  )
}

const tiles = Array.from({ length: 17 }, (_, i) => 2 ** (i + 1))
const brushes: [number, string | number, string][] = [
  [stepUp, '×2', t('×2, one step up')],
  [0, '⌫', t('empty cell')],
  ...tiles.map((n): [number, number, string] => [n, n, t('tile {tile}', { tile: String(n) })]),
]

export function Brushes({ brush, onChange }: { brush: number; onChange: (brush: number) => void }) {
  return (
    <div class="brushes" role="group" aria-label={t('Tile that a click puts on a cell')}>
      {brushes.map(([b, text, name]) => (
        <button
          key={b}
          type="button"
          data-e={b > 0 ? exponent(b) : undefined}
          aria-pressed={brush === b}
          aria-label={name}
          onClick={() => onChange(b)}
        >
          {text}
        </button>
      ))}
    </div>
  )
}
