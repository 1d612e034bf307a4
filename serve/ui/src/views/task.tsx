// A board with a question, as the parts of Practice have it.
import { useRef, useState } from 'preact/hooks'
import { arrow, BoardView, type Marks, type Slid, shape } from '../board'
import { boardText, dirNames, sizeOf } from '../format'
import { useKeys } from '../keys'
import { go } from '../route'
import { rich, t } from '../text'
import type { Board, Dir } from '../types'
import { Button, direction, showBoard } from '../ui'
import { Pad } from './follow'

/** Trial is the state of a position: the last answer, and whether the best move is shown. */
export interface Trial {
  move: Dir | null
  shown: boolean
  counted: boolean // an answer was stored
}

export const untried: Trial = { move: null, shown: false, counted: false }

interface TaskProps {
  board: Board
  step?: Slid | null // the slide that led to it
  legal: (d: Dir) => boolean
  score: number
  modes: preact.ComponentChildren
  marks: Marks | null
  open: boolean // an answer is accepted
  answered: boolean
  opinion: preact.ComponentChildren
  onMove: (d: Dir) => void
  onAgain: () => void
  onShow: (() => void) | null
  onNext: (() => void) | null
}

/** Task is a board with a question, its answer and the buttons. */
export function Task(p: TaskProps) {
  const side = useRef<HTMLDivElement>(null)
  const here = boardText(p.board)
  const [blocked, setBlocked] = useState<{ board: string; move: Dir } | null>(null) // a move that changes nothing
  const then = (f: () => void) => () => {
    setBlocked(null)
    f()
    showBoard(side.current)
  }
  const move = (d: Dir) => {
    setBlocked(p.legal(d) ? null : { board: here, move: d })
    if (p.legal(d)) p.onMove(d)
  }
  useKeys((e) => {
    const d = direction(e)
    const onButton = e.target instanceof HTMLElement && e.target.matches('button, a, summary')
    if (d && p.open) move(d)
    else if (e.key === 't' && p.answered) p.onAgain()
    else if (e.key === 'Enter' && !onButton && p.open && p.onShow) p.onShow()
    else if (e.key === 'Enter' && !onButton && p.onNext) p.onNext()
    else return false
    return true
  })
  return (
    <div class="boardside practising" ref={side} style={shape(sizeOf(p.board))}>
      {p.modes}
      <BoardView
        board={p.board}
        step={p.step ?? null}
        marks={p.marks}
        {...(p.open ? { onMove: move } : {})}
      />
      <p class="opinion" role="status">
        {p.open && blocked?.board === here ? (
          <>
            {rich('{move} moves no tile here.', { move: name(blocked.move) })} {t('Another try?')}
          </>
        ) : (
          p.opinion
        )}
      </p>
      <div class="buttons">
        {p.open && p.onShow && (
          <Button icon="hint" keys="Enter" onClick={then(p.onShow)}>
            {t('Show the answer')}
          </Button>
        )}
        {p.answered && (
          <Button icon="undo" label={t('Try again')} keys="T" onClick={then(p.onAgain)}>
            {t('Try again')}
          </Button>
        )}
        {!p.open && (
          <Button icon="ask" onClick={() => go(`ask/${boardText(p.board)}/${p.score}`)}>
            {t('Ask')}
          </Button>
        )}
        {!p.open && p.onNext && (
          <Button kind="main" icon="step" keys="Enter" onClick={then(p.onNext)}>
            {t('Next')}
          </Button>
        )}
      </div>
      {p.open && <Pad decision={null} waiting={false} onMove={move} />}
    </div>
  )
}

export const question = t('Which move is best? Swipe, or press an arrow key.')

export const name = (d: Dir) => (
  <b>
    {arrow(d)} {dirNames[d]}
  </b>
)

/** AllMoves compares the legal moves of a position. */
export function AllMoves({
  of,
  best,
  head,
  more,
}: {
  of: (readonly [Dir, string, string])[]
  best: Dir
  head: string
  more?: string
}) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('Move')}</th>
          <th scope="col" class={more ? 'n' : ''}>
            {more ? head : t('Class')}
          </th>
          <th scope="col" class="n">
            {more ?? head}
          </th>
        </tr>
      </thead>
      <tbody>
        {of.map(([d, a, b]) => (
          <tr key={d}>
            <th scope="row">
              {arrow(d)} {dirNames[d]}
            </th>
            <td class={(more ? 'n' : '') + (d === best ? ' best' : '')}>{a}</td>
            <td class={d === best ? 'n best' : 'n'}>{b}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
