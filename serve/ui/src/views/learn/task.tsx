// A board with a question: the question above it, what the answer was worth below it.
import { useRef, useState } from 'preact/hooks'
import { boardText, classNames, type Slid, sizeOf } from '../../base/format'
import { direction, letter, onControl, useKeys } from '../../base/keys'
import { rich, t } from '../../base/text'
import { Class } from '../../parts/accuracy'
import { BoardView, boldMove, moveText, shape } from '../../parts/board'
import type { Marks } from '../../parts/edges'
import { useAsked } from '../../parts/hints'
import { Button, showBoard } from '../../parts/ui'
import { slide } from '../../rules/rules'
import { classWord, lossText } from '../../state/judge'
import { teacher } from '../../state/levels'
import type { Board, Dir, MoveReview } from '../../types'

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
  legal?: (d: Dir) => boolean // by more than the rules
  score?: number
  modes: preact.ComponentChildren
  task: preact.ComponentChildren
  marks: Marks | null
  open: boolean // an answer is accepted
  answered: boolean
  opinion: preact.ComponentChildren // of the answer
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
    const legal = p.legal ? p.legal(d) : slide(p.board, d) !== null
    setBlocked(legal ? null : { board: here, move: d })
    if (legal) p.onMove(d)
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
      <p class="task">{p.task}</p>
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
        {!p.open && <Button icon="solve" to={`solve/${here}/${p.score ?? 0}`} text={t('Solve')} />}
        {!p.open && p.onNext && (
          <Button kind="main" icon="step" keys="Enter" onClick={then(p.onNext)} text={t('Next')} />
        )}
      </div>
    </div>
  )
}

export const question = t('Which move is best?')
export const swipe = t('Swipe, or press an arrow key.')

/** Answer is a move on a board whose best move is known, and what a good player thinks of it, once that is
    known. */
export interface Answer {
  best: Dir
  move: Dir | null
  moves: readonly MoveReview[]
}

/** useAnswer asks a good player about an answered board; board null asks nothing. Without an answer the move
    is still right or wrong. */
export function useAnswer(board: Board | null, best: Dir, move: Dir | null): Answer {
  const { current } = useAsked(
    'review.board',
    board ? { board: boardText(board), level: teacher(board) } : null,
  )
  return { best, move, moves: current?.moves ?? [] }
}

const judged = (a: Answer) => a.moves.find((m) => m.played === a.move)

/** answerMarks are the arrows of an answer. */
export function answerMarks(a: Answer): Marks {
  const m = judged(a)
  return {
    best: a.best,
    played: a.move,
    word: m ? classWord(m.class) : t('yours'),
    bestWord: `★ ${classNames.best}`,
  }
}

/** Verdict says what an answer was worth, and why: of the best move, what the next best one would give away.
 */
export function Verdict({ of }: { of: Answer }) {
  const best = rich('Best: {move}.', { move: boldMove(of.best) })
  if (!of.move) return <>{best}</>
  const right = of.move === of.best
  const m = right ? second(of) : judged(of)
  return (
    <>
      {right ? (
        <b class="good">{t('Right.')}</b>
      ) : m ? (
        <Class of={m.class} />
      ) : (
        rich('{move} is not the best move.', { move: boldMove(of.move) })
      )}{' '}
      {m && (right ? rich('The next best, {move}, {gives}.', says(m)) : rich('{move} {gives}.', says(m)))}{' '}
      {m?.why && <span lang="en">{m.why}</span>} {!right && best}
    </>
  )
}

const says = (m: MoveReview) => ({ move: boldMove(m.played), gives: lossText(m.loss, m.lost, m.goal) })

/** second returns the best of the other moves. */
const second = ({ best, moves }: Answer) =>
  moves
    .filter((m) => m.played !== best)
    .reduce<MoveReview | undefined>((a, b) => (!a || b.loss < a.loss ? b : a), undefined)

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
