// Puzzles: boards of real games with one move that is clearly best.

import { useEffect, useState } from 'preact/hooks'
import { t } from '../../base/text'
import { Select } from '../../parts/fields'
import { Table } from '../../parts/table'
import { Button, Card, Figure } from '../../parts/ui'
import { addDrills, drillOf } from '../../state/drills'
import { type Puzzle, puzzles, type Theme, themeNames, themes, tilesOf } from '../../state/learn'
import { learn, learned } from '../../state/learned'
import type { Dir } from '../../types'
import { answerMarks, question, swipe, Task, untried, useAnswer, Verdict } from './task'

type Answers = Record<string, Dir> // the first ones, by board

const among = (theme: Theme | '', grade: number) =>
  puzzles.filter((p) => (!theme || p.theme === theme) && (!grade || p.grade === grade))

const tally = (all: readonly Puzzle[], answers: Answers) => ({
  tried: all.filter((p) => p.board in answers).length,
  solved: all.filter((p) => answers[p.board] === p.best).length,
})

export function Puzzles({ modes }: { modes: preact.ComponentChildren }) {
  const [answers, setAnswers] = useState<Answers>(() => learned().puzzles)
  const [theme, setTheme] = useState<Theme | ''>('') // all
  const [grade, setGrade] = useState(0) // all
  const [trial, setTrial] = useState(untried)
  const open = (all: readonly Puzzle[], not?: Puzzle) =>
    all.find((p) => p !== not && !(p.board in answers)) ?? all.find((p) => p !== not) ?? not
  const [at, setAt] = useState(() => open(byGrade(puzzles)))
  const board = at ? tilesOf(at.board) : []
  const answer = useAnswer(trial.shown ? board : null, at?.best ?? 'up', trial.move)
  const mine = answer.moves.find((m) => m.played === trial.move)
  const right = trial.move === at?.best
  const wrong = mine !== undefined && !right
  useEffect(() => {
    if (at && wrong) addDrills([drillOf(mine, board, 0, t('Puzzle: {name}', { name: nameOf(at) }))])
  }, [at?.board, wrong])
  if (!at) return null
  const choose = (p: Puzzle | undefined) => {
    setAt(p)
    setTrial(untried)
  }
  const select = (of: Theme | '', g: number) => {
    setTheme(of)
    setGrade(g)
    choose(open(byGrade(among(of, g))))
  }
  const move = (d: Dir) => {
    setTrial({ move: d, shown: true, counted: true })
    if (at.board in answers) return
    learn((now) => ({ puzzles: { ...now.puzzles, [at.board]: d } }))
    setAnswers({ ...answers, [at.board]: d })
  }
  const clear = () => {
    learn(() => ({ puzzles: {} }))
    setAnswers({})
    setTrial(untried)
  }
  const all = among(theme, grade)
  const { tried, solved } = tally(all, answers)
  return (
    <div class="arena">
      <Task
        board={board}
        modes={modes}
        task={question}
        open={!trial.shown}
        answered={trial.move !== null && !right}
        marks={trial.shown ? answerMarks(answer) : null}
        onMove={move}
        onShow={() => setTrial({ ...trial, shown: true })}
        onAgain={() => setTrial(untried)}
        onNext={() => choose(open(byGrade(all), at))}
        opinion={trial.shown ? <Verdict of={answer} /> : swipe}
      />
      <div class="stack">
        <Card title={t('Puzzles')} side={<b id="puzzle">{nameOf(at)}</b>}>
          <div class="pair">
            <Select
              label={t('Theme')}
              value={theme}
              of={['', ...themes]}
              name={(x) => (x ? themeNames[x] : t('All themes'))}
              onChange={(x) => select(x, grade)}
            />
            <Select
              label={t('Grade')}
              value={grade}
              of={[0, 1, 2, 3, 4, 5]}
              name={(g) => g || t('All grades')}
              onChange={(g) => select(theme, g)}
            />
          </div>
          <dl class="figures">
            <Figure name={t('Solved')} id="solved" value={t('{n} of {all}', { n: solved, all: tried })} />
            <Figure name={t('Left@remaining')} id="left" value={all.length - tried} />
          </dl>
          <p class="dim">{t('Boards of real games with one right move. Your first answer counts.')}</p>
        </Card>
        <ByTheme answers={answers} onClear={clear} />
      </div>
    </div>
  )
}

const nameOf = (p: Puzzle) =>
  t('{theme}, grade {n} of 5', { theme: themeNames[p.theme as Theme], n: p.grade })

function ByTheme({ answers, onClear }: { answers: Answers; onClear: () => void }) {
  const any = Object.keys(answers).length > 0
  return (
    <Card
      title={t('By theme')}
      side={any && <Button kind="small" onClick={onClear} text={t('Start over')} />}
    >
      <Table
        label={t('By theme')}
        rows={themes}
        id={(x) => x}
        columns={[
          { name: t('Theme'), cell: (x) => themeNames[x] },
          { name: t('Solved'), number: (x) => tally(among(x, 0), answers).solved },
          { name: t('Tried'), number: (x) => tally(among(x, 0), answers).tried },
          { name: t('All'), number: (x) => among(x, 0).length },
        ]}
      />
      <p class="dim">{t('The grade says how many of four weak players miss the move.')}</p>
    </Card>
  )
}

/** byGrade sorts puzzles: the easy ones first, and themes in turn. */
const byGrade = (all: readonly Puzzle[]) => [...all].sort((a, b) => a.grade - b.grade || a.place - b.place)
