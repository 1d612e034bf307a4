// The values of the four moves on the edges of a board.
import { arrows, classNames, dirNames, fractions, moveLabel, worth } from '../base/format'
import { type Decision, type Dir, dirs } from '../types'

/** Marks are moves drawn on the board: an arrow, and words at the edge. */
export interface Marks {
  best: Dir | null
  played: Dir | null
  word: string // for the played move
  bestWord?: string // instead of best
}

interface EdgesProps {
  decision: Decision | null
  marks?: Marks | null
  onMove: ((d: Dir) => void) | undefined
}

/** Edges are the values of the four moves around a board; with onMove, buttons for keys and screen readers. A
    finger or a mouse does not press them: what lies beside the board is too easy to touch. */
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
