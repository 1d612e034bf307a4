// The board with its moving tiles.
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { exponent, fractions, type Slid, same } from '../base/boards'
import { arrows, classNames, dirNames, moveLabel, spoken, t, worth } from '../base/text'
import { type Board, type Decision, type Dir, dirs } from '../types'
import { useFreeSwipe, useSwipe } from './swipe'

/** shape returns CSS variables for a size such as 4x4. */
export function shape(size: string) {
  const [rows, cols] = size.split('x')
  return { '--rows': rows ?? 4, '--cols': cols ?? 4 }
}

export const moveText = (d: Dir) => `${arrows[d]} ${dirNames[d]}`
export const boldMove = (d: Dir) => <b key={d}>{moveText(d)}</b>

interface Props {
  board: Board
  step?: Slid | null
  decision?: Decision | null
  faded?: boolean // the decision is about the previous board
  onMove?: ((d: Dir) => void) | undefined
  label?: string
  busy?: boolean // moves are being made
  marks?: Marks | null
  children?: preact.ComponentChildren
}

export function BoardView(p: Props) {
  const stage = useStage(p.board, p.step ?? null)
  const rows = p.board.length
  const cols = p.board[0]?.length ?? 0
  const touch = useSwipe({ onMove: p.onMove })
  useFreeSwipe(p.onMove)
  return (
    <div class="frame" style={{ '--rows': rows, '--cols': cols }} data-faded={p.faded ? '' : undefined}>
      <Edges decision={p.decision ?? null} marks={p.marks ?? null} onMove={p.onMove} />
      <div
        class="board"
        ref={touch}
        role="img"
        tabIndex={-1}
        aria-busy={p.busy ?? false}
        aria-label={`${p.label ?? t('Board')}: ${spoken(p.board)}${p.marks ? spokenMarks(p.marks) : ''}`}
      >
        {p.board.flat().map((_, i) => (
          <i key={`c${i}`} class="cell" style={{ '--x': i % cols, '--y': Math.floor(i / cols) }} />
        ))}
        {stage.tiles.map((t) => (
          <b
            key={t.id}
            class={`tile ${t.kind}`}
            data-e={Math.min(exponent(t.tile), 18)}
            data-n={String(t.tile).length}
            style={{ '--x': t.cell % cols, '--y': Math.floor(t.cell / cols) }}
          >
            <u>{t.tile}</u>
          </b>
        ))}
        {p.marks && <Arrows {...p.marks} rows={rows} cols={cols} />}
      </div>
      {p.children}
    </div>
  )
}

function spokenMarks({ best, bestWord = classNames.best, played, word }: Marks) {
  const announce = (d: Dir, word: string) =>
    `; ${t('{class} move: {move}', { class: word, move: dirNames[d] })}`
  return (best ? announce(best, bestWord) : '') + (played && played !== best ? announce(played, word) : '')
}

const angles: Record<Dir, number> = { right: 0, down: 90, left: 180, up: 270 }

/** Arrows draws the best move as a filled arrow and another one as a dashed outline, so that
    they differ without colours. */
function Arrows(p: Marks & { rows: number; cols: number }) {
  const draw = (d: Dir, kind: string) => {
    const reach = (22 * (d === 'left' || d === 'right' ? p.cols : p.rows)) / 2
    const neck = reach - 13
    const path = {
      transform: `translate(${12.5 * p.cols} ${12.5 * p.rows}) rotate(${angles[d]})`,
      d: `M7 -3.5H${neck}V-10L${reach} 0L${neck} 10V3.5H7Z`,
    }
    return (
      <g key={kind}>
        <path class="halo" {...path} />
        <path class={kind} {...path} />
      </g>
    )
  }
  return (
    <svg class="arrows" viewBox={`0 0 ${25 * p.cols} ${25 * p.rows}`} aria-hidden="true">
      {p.played && p.played !== p.best && draw(p.played, 'played')}
      {p.best && draw(p.best, 'best')}
    </svg>
  )
}

export const Mini = (p: { board: Board; mark?: { row: number; col: number } | undefined }) =>
  useMemo(
    () => (
      <span
        class="mini"
        role="img"
        aria-label={spoken(p.board)}
        style={{ '--cols': p.board[0]?.length ?? 0 }}
      >
        {p.board.flatMap((r, i) =>
          r.map((t, j) => (
            <i
              key={i * 6 + j}
              data-e={t ? Math.min(exponent(t), 18) : undefined}
              data-n={String(t).length}
              class={p.mark?.row === i && p.mark.col === j ? 'mark' : undefined}
            >
              {t || ''}
            </i>
          )),
        )}
      </span>
    ),
    [p.board, p.mark],
  )

/** useAnnounce announces the newest text to screen readers. */
export function useAnnounce(text: string) {
  const [announced, announce] = useState('')
  useLayoutEffect(() => {
    const timer = setTimeout(() => announce(text), 150)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <p class="unseen" role="status" aria-live="polite">
      {announced}
    </p>
  )
}

/** Marks are moves drawn on the board: an arrow, and words at the edge. */
export interface Marks {
  best: Dir | null
  played: Dir | null
  word: string // text at the played move
  bestWord?: string // text at the best move; default: “best”
}

interface EdgesProps {
  decision: Decision | null
  marks?: Marks | null
  onMove: ((d: Dir) => void) | undefined
}

/** Edges shows the values of the four moves around a board. With onMove they are buttons, but only for
    keyboards and screen readers: fingers and mice would press them by accident. */
export function Edges(p: EdgesProps) {
  const f = p.decision && p.decision.source !== 'random' ? fractions(p.decision) : null
  const marked = (d: Dir) => (d === p.marks?.best || d === p.marks?.played ? 1 : 0)
  return (
    <>
      {dirs.map((d) => (
        <Edge key={d} {...p} dir={d} length={f?.[d] ?? marked(d)} />
      ))}
    </>
  )
}

function Edge(p: EdgesProps & { dir: Dir; length: number }) {
  const m = p.decision?.moves[p.dir]
  const best = p.decision?.move === p.dir || p.marks?.best === p.dir
  const mark =
    p.marks?.best === p.dir
      ? (p.marks.bestWord ?? classNames.best)
      : p.marks?.played === p.dir
        ? p.marks.word
        : ''
  const text = p.decision && m ? worth(m, best, p.decision.unit) : mark
  const inside = (
    <>
      <span class="bar" style={{ '--f': p.length }} data-lost={m?.lost ? '' : undefined} />
      {text && (
        <em data-class={best ? undefined : m?.class}>
          {best && <i>{arrows[p.dir]}</i>}
          <span>{text}</span>
        </em>
      )}
    </>
  )
  const props = {
    class: `edge ${p.dir}`,
    'data-best': best ? '' : undefined,
    'data-played': mark && !best ? '' : undefined,
    'data-blocked': m && !m.legal ? '' : undefined,
  }
  if (!p.onMove)
    return (
      <div
        {...props}
        aria-hidden={text ? undefined : 'true'}
        role="img"
        aria-label={text ? `${dirNames[p.dir]}: ${text}` : undefined}
      >
        {inside}
      </div>
    )
  const label = moveLabel(p.dir, best, text)
  return (
    <button type="button" {...props} aria-label={label} tabIndex={0} onClick={() => p.onMove?.(p.dir)}>
      {inside}
    </button>
  )
}

interface Tile {
  id: number
  cell: number
  tile: number
  kind: 'still' | 'new' | 'merged' | 'gone'
}

/** Stage holds the displayed tiles; their ids let the browser animate them. */
interface Stage {
  board: Board
  tiles: Tile[]
  next: number
  base: number // tiles that have not moved have the id base + cell
}

const mostCells = 36

/** placed returns the stage of a board without animation. Its tiles get new ids. */
function placed(board: Board, before?: Stage): Stage {
  const pure = !before || before.next === before.base + mostCells
  const base = !before ? 0 : pure ? before.base : before.next
  const tiles = board
    .flat()
    .map((tile, cell): Tile => ({ id: base + cell, cell, tile, kind: 'still' }))
    .filter((t) => t.tile > 0)
  return { board, tiles, next: base + mostCells, base }
}

/** moved returns the stage after a step, or null if the step does not lead to the board. */
function moved(s: Stage, board: Board, step: Slid): Stage | null {
  const cells = board.flat()
  const standing = new Map(s.tiles.filter((t) => t.kind !== 'gone').map((t) => [t.cell, t]))
  if (s.board.length !== board.length || standing.size !== step.motions.length) return null
  let next = s.next
  const tiles: Tile[] = []
  const merged = new Set<number>()
  for (const m of step.motions) {
    const t = standing.get(m.from)
    if (!t) return null
    tiles.push({ ...t, cell: m.to, kind: m.merged ? 'gone' : 'still' })
    if (m.merged) merged.add(m.to)
  }
  for (const cell of merged) tiles.push({ id: next++, cell, tile: cells[cell] ?? 0, kind: 'merged' })
  if (step.spawn) tiles.push({ id: next++, cell: step.spawn.cell, tile: step.spawn.tile, kind: 'new' })
  const right =
    tiles.every((t) => t.kind === 'gone' || cells[t.cell] === t.tile) &&
    tiles.filter((t) => t.kind !== 'gone').length === cells.filter((c) => c > 0).length
  return right ? { ...s, board, tiles, next } : null
}

/** grown returns the stage after a tile appeared in an empty cell, or null if something else changed. */
function grown(s: Stage, board: Board): Stage | null {
  const before = s.board.flat()
  const changed = board
    .flat()
    .map((tile, cell) => ({ tile, cell }))
    .filter(({ tile, cell }) => tile !== before[cell])
  const [one] = changed
  if (s.board.length !== board.length || changed.length !== 1 || !one || !one.tile || before[one.cell])
    return null
  const tiles = s.tiles.filter((t) => t.kind !== 'gone').map((t): Tile => ({ ...t, kind: 'still' }))
  return { ...s, board, tiles: [...tiles, { id: s.next, ...one, kind: 'new' }], next: s.next + 1 }
}

/** useStage returns the stage of a board; the step that led to it is animated. */
export function useStage(board: Board, step: Slid | null): Stage {
  const stage = useRef<Stage>(placed(board))
  if (!same(stage.current.board, board)) {
    stage.current =
      (step && moved(stage.current, board, step)) ||
      grown(stage.current, board) ||
      placed(board, stage.current)
  }
  return stage.current
}
