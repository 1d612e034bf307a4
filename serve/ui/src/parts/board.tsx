// The board with its moving tiles.
import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { arrows, classNames, dirNames, exponent, type Slid, spoken } from '../base/format'
import { t } from '../base/text'
import type { Board, Decision, Dir } from '../types'
import { Edges, type Marks } from './edges'
import { useFreeSwipe, useSwipe } from './swipe'
import { useStage } from './tiles'

/** shape returns CSS variables for a size, RxC. */
export function shape(size: string) {
  const [rows, cols] = size.split('x')
  return { '--rows': rows ?? 4, '--cols': cols ?? 4 }
}

export const arrow = (d: Dir) => arrows[d]

/** moveText is a move as texts name it. */
export const moveText = (d: Dir) => `${arrows[d]} ${dirNames[d]}`
export const boldMove = (d: Dir) => <b key={d}>{moveText(d)}</b>

interface Props {
  board: Board
  step?: Slid | null
  decision?: Decision | null
  faded?: boolean // the decision is about the board before
  onMove?: ((d: Dir) => void) | undefined
  label?: string
  busy?: boolean // moves are on their way
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
  const say = (d: Dir, word: string) => `; ${t('{class} move: {move}', { class: word, move: dirNames[d] })}`
  return (best ? say(best, bestWord) : '') + (played && played !== best ? say(played, word) : '')
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

/** Mini is a small board for lists and trees. */
export function Mini(p: { board: Board; mark?: { row: number; col: number } | undefined }) {
  return useMemo(
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
}

/** useAnnounce announces text to screen readers, the newest only. */
export function useAnnounce(text: string) {
  const [said, say] = useState('')
  useLayoutEffect(() => {
    const timer = setTimeout(() => say(text), 150)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <p class="unseen" role="status" aria-live="polite">
      {said}
    </p>
  )
}
