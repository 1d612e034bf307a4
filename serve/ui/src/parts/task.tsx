// A board with a question, as the parts of Practice have it.
import { useRef, useState } from 'preact/hooks'
import { boardText, type Slid, sizeOf } from '../base/format'
import { direction, letter, onControl, useKeys } from '../base/keys'
import { rich, t } from '../base/text'
import type { Board, Dir } from '../types'
import { BoardView, boldMove, moveText, shape } from './board'
import type { Marks } from './edges'
import { Pad } from './follow'
import { Button, showBoard } from './ui'

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
    if (d && p.open) move(d)
    else if (letter(e) === 't' && p.answered) p.onAgain()
    else if (e.key !== 'Enter' || onControl(e)) return false
    else if (p.open && p.onShow) p.onShow()
    else if (p.onNext) p.onNext()
    else return false
    return true
  })
  return (
    <div class="boardside practising" ref={side} style={shape(sizeOf(p.board))}>
      {p.modes}
      <BoardView board={p.board} step={p.step ?? null} marks={p.marks} onMove={p.open ? move : undefined} />
      <p class="opinion" role="status">
        {p.open && blocked?.board === here ? (
          <>
            {rich('{move} moves no tile here.', { move: boldMove(blocked.move) })} {t('Another try?')}
          </>
        ) : (
          p.opinion
        )}
      </p>
      <div class="buttons">
        {p.open && p.onShow && (
          <Button icon="hint" keys="Enter" onClick={then(p.onShow)} text={t('Show the answer')} />
        )}
        {p.answered && <Button icon="undo" keys="T" onClick={then(p.onAgain)} text={t('Try again')} />}
        {!p.open && <Button icon="solve" to={`solve/${boardText(p.board)}/${p.score}`} text={t('Solve')} />}
        {!p.open && p.onNext && (
          <Button kind="main" icon="step" keys="Enter" onClick={then(p.onNext)} text={t('Next')} />
        )}
      </div>
      {p.open && <Pad onMove={move} />}
    </div>
  )
}

export const question = t('Which move is best? Swipe, or press an arrow key.')

/** AllMoves compares the legal moves of a position. */
export function AllMoves(p: {
  of: (readonly [Dir, string, string])[]
  best: Dir[]
  head: string
  more?: string
}) {
  const { head, more } = p
  const on = (d: Dir, number: boolean) =>
    [...(number ? ['n'] : []), ...(p.best.includes(d) ? ['best'] : [])].join(' ')
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
        {p.of.map(([d, a, b]) => (
          <tr key={d}>
            <th scope="row">{moveText(d)}</th>
            <td class={on(d, more !== undefined)}>{a}</td>
            <td class={on(d, true)}>{b}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
