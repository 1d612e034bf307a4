// Puzzles: boards of real games with one move that is clearly best.
import { useEffect, useState } from 'preact/hooks'
import { t } from '../../base/text'
import { Select } from '../../parts/fields'
import { Button, Card, Figure, Table } from '../../parts/ui'
import { addDrills, drillOf } from '../../state/drills'
import { type Puzzle, puzzles, type Theme, themeNames, themes, tilesOf } from '../../state/learn'
import type { Dir } from '../../types'
import { answerMarks, question, swipe, Task, useAnswer, useAnswers, verdict } from './task'

/** among returns the puzzles of a theme and grade, easy ones first, with the themes alternating. */
const among = (theme: Theme | '', grade: number) =>
  puzzles
    .filter((p) => (!theme || p.theme === theme) && (!grade || p.grade === grade))
    .sort((a, b) => a.grade - b.grade || a.place - b.place)

const tally = (all: readonly Puzzle[], answers: Record<string, Dir>) => ({
  tried: all.filter((p) => p.board in answers).length,
  solved: all.filter((p) => answers[p.board] === p.best).length,
})

export function Puzzles() {
  const [[theme, grade], setChosen] = useState<[Theme | '', number]>(['', 0]) // all themes, all grades
  const all = among(theme, grade)
  const { at, answers, trial, task, first, clear } = useAnswers('puzzles', all)
  const board = at ? tilesOf(at.board) : []
  const answer = useAnswer(trial.shown ? board : null, at?.best ?? 'up', trial.move)
  const mine = answer.moves.find((m) => m.played === trial.move)
  const right = trial.move === at?.best
  const wrong = mine !== undefined && !right
  useEffect(() => {
    if (at && wrong) addDrills([drillOf(mine, board, 0, t('Puzzle: {name}', { name: nameOf(at) }))])
  }, [at?.board, wrong])
  if (!at) return null
  const select = (of: Theme | '', g: number) => {
    setChosen([of, g])
    first(among(of, g))
  }
  const { tried, solved } = tally(all, answers)
  return (
    <div class="arena">
      <Task
        {...task}
        board={board}
        task={question}
        answered={trial.move !== null && !right}
        marks={trial.shown ? answerMarks(answer) : null}
        opinion={trial.shown ? verdict(answer) : swipe}
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
          <p class="dim">{t('Boards from real games with one right move. Your first answer counts.')}</p>
        </Card>
        <ByTheme answers={answers} onClear={clear} />
      </div>
    </div>
  )
}

const nameOf = (p: Puzzle) =>
  t('{theme}, grade {n} of 5', { theme: themeNames[p.theme as Theme], n: p.grade })

function ByTheme({ answers, onClear }: { answers: Record<string, Dir>; onClear: () => void }) {
  const any = Object.keys(answers).length > 0
  return (
    <Card
      title={t('By theme')}
      side={any && <Button kind="small" onClick={onClear} text={t('Start over')} />}
    >
      <Table
        label={t('By theme')}
        rows={themes.map((theme) => ({ theme, all: among(theme, 0) }))}
        id={(x) => x.theme}
        columns={[
          { name: t('Theme'), cell: (x) => themeNames[x.theme] },
          { name: t('Solved'), number: (x) => tally(x.all, answers).solved },
          { name: t('Tried'), number: (x) => tally(x.all, answers).tried },
          { name: t('All'), number: (x) => x.all.length },
        ]}
      />
      <p class="dim">{t('The grade says how many of four weak players miss the move.')}</p>
    </Card>
  )
}
