// What the parts of Learn share: the buttons that choose a part, and a board with a question.
import { createContext } from 'preact'
import { useContext, useRef, useState } from 'preact/hooks'
import { boardText, type Slid, sizeOf } from '../../base/boards'
import { direction, letter, onControl, undoes, useKeys } from '../../base/keys'
import { go } from '../../base/route'
import { classNames, rich, t } from '../../base/text'
import { useRequest } from '../../engine/net'
import { Class, Reasons } from '../../parts/accuracy'
import { BoardView, boldMove, type Marks, shape } from '../../parts/board'
import { Choices } from '../../parts/fields'
import { Button, Card, showBoard } from '../../parts/ui'
import { slide } from '../../rules/rules'
import { due, useDrills } from '../../state/drills'
import { classWord, lossText } from '../../state/judge'
import { learn, learned } from '../../state/learned'
import { teacher } from '../../state/strength'
import type { Board, Dir, MoveReview } from '../../types'

type Action = Parameters<typeof Button>[0]

interface PractisedProps {
  board: Board
  step?: Slid | null | undefined // the slide that led to the board
  marks: Marks | null
  task: preact.ComponentChildren
  opinion: preact.ComponentChildren // what is said about the answer
  onMove: ((d: Dir) => void) | undefined
  actions: (Action | false | null)[]
}

/** Practised shows a board with a task, and handles its buttons and keys. */
export function Practised(p: PractisedProps) {
  const side = useRef<HTMLDivElement>(null)
  const actions = p.actions.filter((a): a is Action => !!a)
  const act = (a: Action) => {
    a.onClick?.()
    showBoard(side.current)
  }
  const isKeyOf = (a: Action, e: KeyboardEvent) =>
    a.keys === 'U' ? undoes(e) : a.keys?.toLowerCase() === letter(e).toLowerCase()
  useKeys((e) => {
    const d = direction(e)
    const action = actions.find((a) => !a.disabled && isKeyOf(a, e))
    if (d && p.onMove) p.onMove(d)
    else if (action && !(e.key === 'Enter' && onControl(e))) act(action)
    else return false
    return true
  })
  return (
    <div class="boardside practising" ref={side} style={shape(sizeOf(p.board))}>
      <Modes />
      <p class="task">{p.task}</p>
      <BoardView board={p.board} step={p.step ?? null} marks={p.marks} onMove={p.onMove} />
      <p class="opinion" role="status">
        {p.opinion}
      </p>
      <div class="buttons">
        {actions.map((a) => (
          <Button key={a.icon} {...a} onClick={() => act(a)} />
        ))}
      </div>
    </div>
  )
}

/** Trial is the state of a position: the last answer, and whether the best move is shown. */
export interface Trial {
  move: Dir | null
  shown: boolean
  counted: boolean // an answer was stored
}

export const untried: Trial = { move: null, shown: false, counted: false }

interface TaskProps extends Omit<PractisedProps, 'onMove' | 'actions'> {
  score?: number
  open: boolean // an answer is accepted
  answered: boolean
  onMove: (d: Dir) => void
  onAgain: () => void
  onShow?: () => void
  onNext: (() => void) | null
}

/** Task shows a board and asks for moves. Each move is an answer. */
export function Task(p: TaskProps) {
  const here = boardText(p.board)
  // the last move, if it was illegal
  const [blocked, setBlocked] = useState<{ board: string; move: Dir } | null>(null)
  const move = (d: Dir) => {
    const legal = slide(p.board, d) !== null
    setBlocked(legal ? null : { board: here, move: d })
    if (legal) p.onMove(d)
  }
  const opinion =
    p.open && blocked?.board === here
      ? [rich('{move} moves no tile here.', { move: boldMove(blocked.move) }), ' ', t('Another try?')]
      : p.opinion
  return (
    <Practised
      {...p}
      onMove={p.open ? move : undefined}
      opinion={opinion}
      actions={[
        p.open && p.onShow
          ? { icon: 'hint', keys: 'Enter', onClick: p.onShow, text: t('Show the answer') }
          : null,
        p.answered && { icon: 'undo', keys: 'T', onClick: p.onAgain, text: t('Try again') },
        !p.open && { icon: 'solve', to: `solve/${here}/${p.score ?? 0}`, text: t('Solve') },
        !p.open && p.onNext
          ? { kind: 'main', icon: 'step', keys: 'Enter', onClick: p.onNext, text: t('Next') }
          : null,
      ]}
    />
  )
}

/** useAnswers goes through boards that have one right answer each. Only the first answer is stored. */
export function useAnswers<B extends { board: string }>(kind: 'puzzles' | 'hard', all: readonly B[]) {
  const [answers, setAnswers] = useState(() => learned()[kind])
  const [trial, setTrial] = useState(untried)
  /** after returns the next board without an answer, or else the next one. */
  const after = (b: B | undefined, of: readonly B[]) => {
    const i = b ? of.indexOf(b) : -1
    const others = [...of.slice(i + 1), ...of.slice(0, Math.max(0, i))]
    return others.find((x) => !(x.board in answers)) ?? others[0] ?? b
  }
  const [at, setAt] = useState(() => after(undefined, all))
  const choose = (b: B | undefined) => {
    setAt(b)
    setTrial(untried)
  }
  const store = (change: Record<string, Dir>) => {
    learn(() => ({ [kind]: change }))
    setAnswers(change)
  }
  return {
    at,
    answers,
    trial,
    choose,
    first: (of: readonly B[]) => choose(after(undefined, of)),
    clear: () => {
      store({})
      choose(all[0])
    },
    task: {
      open: !trial.shown,
      onMove: (move: Dir) => {
        if (at && !(at.board in answers)) store({ ...learned()[kind], [at.board]: move })
        setTrial({ move, shown: true, counted: true })
      },
      onShow: () => setTrial({ ...trial, shown: true }),
      onAgain: () => setTrial(untried),
      onNext: () => choose(after(at, all)),
    },
  }
}

export const question = t('Which move is best?')
export const swipe = t('Swipe, or press an arrow key.')

/** Answer is a player's move on a board, its best move and, once it has arrived, a good player's opinion. */
interface Answer {
  best: Dir
  move: Dir | null
  moves: (Pick<MoveReview, 'played' | 'class' | 'loss' | 'lost'> & Partial<MoveReview>)[]
}

/** useAnswer requests a good player's opinion of an answered board; with null, none. */
export function useAnswer(board: Board | null, best: Dir, move: Dir | null) {
  const { current } = useRequest(
    'review.board',
    board ? { board: boardText(board), level: teacher(board) } : null,
  )
  return { best, move, moves: current?.moves ?? [] }
}

/** answerMarks returns the arrows for an answer. */
export function answerMarks({ best, move, moves }: Answer): Marks {
  const m = moves.find((m) => m.played === move)
  return { best, played: move, word: m ? classWord(m.class) : t('yours'), bestWord: `★ ${classNames.best}` }
}

/** verdict says what an answer was worth, and why: for the best move, also if the page showed it, what the second
    best gives away. */
export function verdict({ best, move, moves }: Answer): preact.ComponentChildren {
  const right = !move || move === best
  const [second] = moves.filter((m) => m.played !== best).sort((a, b) => a.loss - b.loss)
  const m = right ? second : moves.find((x) => x.played === move)
  const says = m && { move: boldMove(m.played), gives: lossText(m.loss, m.lost, m.goal) }
  const why = [' ', <Reasons of={m?.reasons} />]
  const bestMove = rich('Best: {move}.', { move: boldMove(best) })
  if (right)
    return [
      move ? <b class="good">{t('Right.')}</b> : bestMove,
      ' ',
      says && rich('The next best, {move}, {gives}.', says),
      why,
    ]
  if (!m || !says) return [rich('{move} is not the best move.', { move: boldMove(move) }), ' ', bestMove]
  return [<Class of={m.class} />, ' ', rich('{move} {gives}.', says), why, ' ', bestMove]
}

/** Choice is the button for one of several tasks. label is its tooltip and its name for screen readers. */
export const Choice = (p: {
  text: string | number
  label: string
  current: boolean
  done: boolean
  onClick: () => void
}) => (
  <li>
    <button
      type="button"
      aria-current={p.current}
      data-done={p.done ? '' : undefined}
      aria-label={p.label}
      title={p.label}
      onClick={p.onClick}
    >
      {p.text}
    </button>
  </li>
)

/** Part is the part of Learn that is shown, by its address. */
export const Part = createContext('lessons')

const expert: Record<string, string> = {
  endings: t('Endings'),
  stages: t('Stages'),
  hard: t('Hard boards'),
}

export function Modes() {
  const at = useContext(Part)
  const n = due(useDrills()).length
  const row = (label: string, all: Record<string, string>, chosen: string) => (
    <Choices
      class="buttons modes"
      kind=""
      label={label}
      of={Object.keys(all)}
      value={chosen}
      name={(part) => all[part]}
      onChange={(part) => go(`learn/${part}`, true)}
    />
  )
  const mistakes = n > 0 ? t('My mistakes ({n})', { n }) : t('My mistakes')
  const main = { lessons: t('Lessons'), puzzles: t('Puzzles'), mistakes, endings: t('Expert') }
  return (
    <div class="stack tight">
      {row(t('What to learn'), main, at in expert ? 'endings' : at)}
      {at in expert && row(t('Expert'), expert, at)}
    </div>
  )
}

/** WithoutBoard is a part of Learn that shows no board. */
export const WithoutBoard = (p: { title: string; children: preact.ComponentChildren }) => (
  <div class="stack narrow">
    <Modes />
    <Card title={p.title}>{p.children}</Card>
  </div>
)
