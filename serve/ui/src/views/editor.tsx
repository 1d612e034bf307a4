// An editor of boards: choose a tile and place it on cells, or change cells with keys.
import { useRef, useState } from 'preact/hooks'
import { arrow } from '../board'
import { exponent, fractions, worth } from '../format'
import { dirs, type Board, type Decision } from '../types'

const brushName = (tile: number) => (tile ? `tile ${tile}` : 'empty cell')
const brushes = [0, ...Array.from({ length: 17 }, (_, i) => 2 ** (i + 1))]
/** step returns a tile that is larger by a number of powers of two. */
const step = (tile: number, by: number) => {
  const e = Math.min(Math.max(exponent(tile) + by, 0), 17)
  return e ? 2 ** e : 0
}

export function Editor(p: { board: Board; decision: Decision | null; doubts?: number[]; onChange: (b: Board) => void }) {
  const [brush, setBrush] = useState(-1) // -1: one step up
  const [at, setAt] = useState(0) // the cell in the tab order
  const cells = useRef<HTMLDivElement>(null)
  const rows = p.board.length
  const cols = p.board[0]?.length ?? 0
  const put = (cell: number, tile: number) => p.onChange(p.board.map((r, i) => r.map((t, j) => (i * cols + j === cell ? tile : t))))
  const focus = (cell: number) => {
    setAt(cell)
    cells.current?.querySelectorAll('button')[cell]?.focus()
  }
  const key = (e: KeyboardEvent, cell: number, tile: number) => {
    const to: Record<string, number> = { ArrowUp: cell - cols, ArrowDown: cell + cols, ArrowLeft: cell % cols ? cell - 1 : -1, ArrowRight: (cell + 1) % cols ? cell + 1 : -1 }
    const next = to[e.key]
    if (next !== undefined) {
      if (next >= 0 && next < rows * cols) focus(next)
    } else if (e.key === '+' || e.key === '=') put(cell, step(tile, 1))
    else if (e.key === '-') put(cell, step(tile, -1))
    else if (e.key === 'Delete' || e.key === 'Backspace' || e.key === '0') put(cell, 0)
    else if (/^[1-9]$/.test(e.key)) put(cell, 2 ** Number(e.key))
    else return
    e.preventDefault()
  }
  const d = p.decision
  const f = d && d.source !== 'random' ? fractions(d.moves) : null
  return (
    <div class="editor">
      <div class="frame" style={{ '--rows': rows, '--cols': cols }}>
        {dirs.map((dir) => {
          const m = d?.moves[dir]
          const best = d?.move === dir
          const text = d && m ? worth(m, best, d.unit) : ''
          return <div key={dir} class={`edge ${dir}`} data-best={best ? '' : undefined} aria-hidden="true"><span class="bar" style={{ '--f': f?.[dir] ?? 0 }} />{text && <em>{best && arrow(dir) + ' '}{text}</em>}</div>
        })}
        <div class="cells" ref={cells} role="group" aria-label="Board to set up: arrow keys move between cells, plus and minus change the tile, 1 to 9 set it, Delete empties it" style={{ '--cols': cols }}>
          {p.board.flat().map((tile, cell) => (
            <button key={cell} type="button" data-e={tile ? Math.min(exponent(tile), 18) : undefined} data-n={String(tile).length} tabIndex={cell === Math.min(at, rows * cols - 1) ? 0 : -1}
              data-doubt={p.doubts?.includes(cell) ? '' : undefined}
              aria-label={`Row ${Math.floor(cell / cols) + 1}, column ${(cell % cols) + 1}: ${tile || 'empty'}${p.doubts?.includes(cell) ? ', not certain' : ''}`}
              onClick={() => {
                setAt(cell)
                put(cell, brush < 0 ? step(tile, 1) : tile === brush ? 0 : brush)
              }}
              onContextMenu={(e) => {
                e.preventDefault()
                put(cell, step(tile, -1))
              }}
              onKeyDown={(e) => key(e, cell, tile)}><span>{tile || ''}</span></button>
          ))}
        </div>
      </div>
      <div class="brushes" role="group" aria-label="Tile that a click puts on a cell">
        <button type="button" aria-pressed={brush < 0} aria-label="×2, one step up" onClick={() => setBrush(-1)}>×2</button>
        {brushes.map((t) => <button key={t} type="button" data-e={t ? exponent(t) : undefined} aria-pressed={brush === t} aria-label={brushName(t)} onClick={() => setBrush(t)}>{t || '⌫'}</button>)}
      </div>
    </div>
  )
}
