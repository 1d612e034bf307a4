// Boards with cells to touch: one for setting up a position, and one for following a game that is played elsewhere.
import { useLayoutEffect, useState } from 'preact/hooks'
import { exponent } from '../base/boards'
import { direction } from '../base/keys'
import { listen, useLatest } from '../base/store'
import { arrows, moveLabel, placeIn, t, worth } from '../base/text'
import { type Follow, put } from '../state/follow'
import { type Board, type Decision, type Dir, dirs } from '../types'
import { BoardView, Edges, moveText } from './board'
import { useBusy } from './hints'
import { useFreeSwipe, useSwipe } from './swipe'

/** step returns a tile that is larger by a number of powers of two. */
const step = (tile: number, by: number) => {
  const e = Math.min(Math.max(exponent(tile) + by, 0), 17)
  return e ? 2 ** e : 0
}

/** stepUp is the brush that doubles a tile. */
export const stepUp = -1

const cellText = (cell: number, cols: number, tile: number) =>
  `${t('Row {row}, column {column}', placeIn(cell, cols))}: ${tile || t('empty')}`

/** Editor changes cells; with onMove it also makes moves. Cells in doubt are marked. */
export function Editor(p: {
  board: Board
  decision: Decision | null
  brush: number
  doubts?: number[]
  onChange: (b: Board) => void
  onMove?: (d: Dir) => void
}) {
  const [at, setAt] = useState(0) // the cell that Tab moves the focus to
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
            aria-label={
              cellText(cell, cols, tile) + (p.doubts?.includes(cell) ? `, ${t('not certain')}` : '')
            }
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

export const Brushes = ({ brush, onChange }: { brush: number; onChange: (brush: number) => void }) => (
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

/** FollowBoard shows the position, and places new tiles in its cells. While it waits for a new tile, arrow keys
    move between empty cells, and Enter places the tile. */
export function FollowBoard({ game, decision }: { game: Follow; decision: Decision | null }) {
  const { board, waiting, fresh } = game.at
  const cols = board[0]?.length ?? 1
  const tiles = board.flat()
  const [at, setAt] = useState(-1) // the cell that Tab moves the focus to
  const cellOf = (on: EventTarget | null) => (on instanceof HTMLElement ? Number(on.dataset.cell ?? -1) : -1)
  const tap = (on: EventTarget | null, tile?: number) => {
    const cell = cellOf(on)
    if (cell < 0) return
    setAt(cell)
    game.tap(cell, tile)
  }
  const hold = (on: EventTarget | null) => {
    const can = waiting ? tiles[cellOf(on)] === 0 : fresh >= 0 && cellOf(on) === fresh
    if (can) tap(on, 4)
    return can
  }
  const spots = useSwipe({ onMove: game.move, onTap: tap, onHold: hold })
  const first =
    at >= 0 && (tiles[at] === 0 || at === fresh) ? at : waiting ? tiles.indexOf(0) : Math.max(fresh, 0)
  const keys = useLatest((e: KeyboardEvent) => {
    const d =
      waiting &&
      e.key.startsWith('Arrow') &&
      !(e.target instanceof HTMLElement && e.target.matches('input, select, textarea, [role=tree] *')) &&
      direction(e)
    if (!d) return
    const to = spots.current?.contains(document.activeElement) ? nextEmpty(tiles, cols, first, d) : first
    setAt(to)
    spots.current?.querySelectorAll('button')[to]?.focus()
    e.preventDefault()
    e.stopPropagation()
  })
  useLayoutEffect(() => listen('keydown', (e) => keys.current(e), { capture: true }), [])
  return (
    <BoardView board={board} step={game.step} decision={decision} onMove={game.move}>
      <div
        class="spots"
        ref={spots}
        data-waiting={waiting ? '' : undefined}
        role="group"
        aria-label={
          waiting ? t('Where did the new tile appear? Enter places a 2; press it again for a 4') : t('Cells')
        }
        style={{ '--cols': cols }}
      >
        {tiles.map((tile, cell) => (
          <button
            key={cell}
            type="button"
            data-cell={cell}
            data-fresh={cell === fresh ? '' : undefined}
            data-free={waiting && !tile ? '' : undefined}
            tabIndex={cell === first ? 0 : -1}
            aria-disabled={waiting ? tile > 0 : cell !== fresh && tile > 0}
            aria-label={cellText(cell, cols, tile)}
            onClick={(e) => tap(e.currentTarget)}
            onKeyDown={(e) => {
              if (e.key !== '2' && e.key !== '4') return
              e.preventDefault()
              game.tap(cell, Number(e.key))
            }}
          />
        ))}
      </div>
    </BoardView>
  )
}

const steps: Record<Dir, [number, number]> = { up: [0, -1], right: [1, 0], down: [0, 1], left: [-1, 0] }

/** nextEmpty returns the nearest empty cell in a direction: in the same line, else in the next lines. */
function nextEmpty(tiles: number[], cols: number, from: number, d: Dir): number {
  const [right, down] = steps[d]
  const far = (cell: number) => {
    const x = (cell % cols) - (from % cols)
    const y = Math.floor(cell / cols) - Math.floor(from / cols)
    const ahead = x * right + y * down
    return ahead > 0 ? ahead + 10 * Math.abs(x * down + y * right) : Infinity
  }
  const ahead = tiles.flatMap((tile, cell) => (tile === 0 && far(cell) < Infinity ? [cell] : []))
  return ahead.sort((a, b) => far(a) - far(b))[0] ?? from
}

const pad: readonly Dir[] = ['left', 'up', 'down', 'right']

/** Pad has a large button for each move, with its value. */
export function Pad(p: { decision?: Decision | null; onMove: (d: Dir) => void; waiting?: boolean }) {
  const { decision, waiting = false } = p
  return (
    <div class="pad" role="group" aria-label={t('Moves')} data-waiting={waiting ? '' : undefined}>
      {pad.map((d) => {
        const m = decision?.moves[d]
        const best = decision?.move === d
        const text = decision && m ? worth(m, best, decision.unit) : ''
        return (
          <button
            key={d}
            type="button"
            data-best={best ? '' : undefined}
            aria-disabled={waiting || m?.legal === false}
            aria-label={moveLabel(d, best, text)}
            onClick={() => p.onMove(d)}
          >
            <b aria-hidden="true">{arrows[d]}</b>
            <span data-class={best ? undefined : m?.class}>{text.replace(/ %$/, '\u00a0%')}</span>
          </button>
        )
      })}
    </div>
  )
}

/** Advice says what the page waits for, in two lines. */
export function Advice(p: { game: Follow; decision: Decision | null; busy: boolean; trouble: string }) {
  const { game, decision, busy, trouble } = p
  const { board, following, waiting, fresh } = game.at
  const empty = board.flat().every((t) => t === 0)
  const best = decision?.move ? t('Next move: {move}', { move: moveText(decision.move) }) : ''
  const over = decision !== null && dirs.every((d) => !decision.moves[d].legal)
  const tile = board.flat()[fresh]
  const waits = useBusy(t('Thinking…'))
  let first = best || trouble || (busy ? waits : '')
  let second = t('Swipe, or press the arrow key.')
  if (waiting) [first, second] = [t('Tap where the new tile appeared.'), t('Tap it again, or hold, for a 4.')]
  else if (empty) [first, second] = [t('Put some tiles on the board.'), t('Tap a cell, or paste a board.')]
  else if (over) [first, second] = [t('No moves left.'), following ? t('Undo, if a tile is wrong.') : '']
  else if (following && fresh >= 0)
    second = tile === 2 ? t('Tap the 2 again if it is a 4.') : t('Tap the 4 again to remove it.')
  else if (!following) [first, second] = [t('Set up your board.'), first]
  return (
    <p class="advice" role="status">
      <b>{game.note || first}</b>
      <span>{game.note ? first : second}</span>
    </p>
  )
}
