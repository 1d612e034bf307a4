// Puzzles: boards of real games with one move that is clearly best.

import { useEffect, useState } from 'preact/hooks'
import { boardText, classNames } from '../../base/format'
import { rich, t } from '../../base/text'
import { Class } from '../../parts/accuracy'
import { boldMove } from '../../parts/board'
import { Select } from '../../parts/fields'
import { useAsked } from '../../parts/hints'
import { Table } from '../../parts/table'
import { question, Task, untried } from '../../parts/task'
import { Button, Card, Figure } from '../../parts/ui'
import { addDrills, drillOf } from '../../state/drills'
import { classWord, lossText } from '../../state/judge'
import { movable, type Puzzle, puzzles, type Theme, themeNames, themes, tilesOf } from '../../state/learn'
import { learn, learned } from '../../state/learned'
import { teacher } from '../../state/levels'
import type { Dir } from '../../types'

export function Puzzles({ modes }: { modes: preact.ComponentChildren }) {
  const [answers, setAnswers] = useState(() => learned().puzzles)
  const [theme, setTheme] = useState<Theme | ''>('') // all
  const [grade, setGrade] = useState(0) // all
  const [trial, setTrial] = useState(untried)
  const among = (of: string, g: number) =>
    puzzles.filter((p) => (!of || p.theme === of) && (!g || p.grade === g))
  const open = (all: readonly Puzzle[], not?: Puzzle) =>
    all.find((p) => p !== not && !(p.board in answers)) ?? all.find((p) => p !== not) ?? not
  const [at, setAt] = useState(() => open(byGrade(puzzles)))
  const board = at ? tilesOf(at.board) : []
  const judged = useAsked(
    'review.board',
    trial.shown ? { board: boardText(board), level: teacher(board) } : null,
  )
  const mine = judged.current?.moves.find((m) => m.played === trial.move)
  const right = trial.move === at?.best
  const wrong = mine !== undefined && !right
  useEffect(() => {
    if (at && wrong)
      addDrills([
        drillOf(
          mine,
          board,
          0,
          t('Puzzle: {theme}, grade {n}', { theme: themeNames[at.theme as Theme], n: at.grade }),
        ),
      ])
  }, [at?.board, wrong])
  if (!at) return null
  const choose = (p: Puzzle | undefined) => {
    setAt(p)
    setTrial(untried)
  }
  const store = (d: Dir) => {
    if (at.board in answers) return
    learn((now) => ({ puzzles: { ...now.puzzles, [at.board]: d } }))
    setAnswers({ ...answers, [at.board]: d })
  }
  const select = (of: Theme | '', g: number) => {
    setTheme(of)
    setGrade(g)
    choose(open(byGrade(among(of, g))))
  }
  const done = (all: readonly Puzzle[]) => all.filter((p) => p.board in answers)
  const solved = (all: readonly Puzzle[]) => all.filter((p) => answers[p.board] === p.best)
  const all = among(theme, grade)
  const best = rich('Best: {move}.', { move: boldMove(at.best) })
  const word = mine ? classWord(mine.class) : t('yours')
  return (
    <div class="arena">
      <Task
        board={board}
        legal={(d) => movable(board, d)}
        score={0}
        modes={modes}
        open={!trial.shown}
        answered={trial.move !== null && !right}
        marks={
          trial.shown ? { best: at.best, played: trial.move, word, bestWord: `★ ${classNames.best}` } : null
        }
        onMove={(d) => {
          store(d)
          setTrial({ move: d, shown: true, counted: true })
        }}
        onShow={() => setTrial({ ...trial, shown: true })}
        onAgain={() => setTrial(untried)}
        onNext={() => choose(open(byGrade(all), at))}
        opinion={
          !trial.shown ? (
            question
          ) : right ? (
            rich('{move} is the best move.', { move: boldMove(at.best) })
          ) : !trial.move ? (
            best
          ) : (
            <>
              {mine && <Class of={mine.class} />}{' '}
              {mine
                ? rich('{move} {gives}.', {
                    move: boldMove(trial.move),
                    gives: lossText(mine.loss, mine.lost, mine.goal),
                  })
                : rich('{move} is not the best move.', { move: boldMove(trial.move) })}{' '}
              {mine?.why && <span lang="en">{mine.why}</span>} {best}
            </>
          )
        }
      />
      <div class="stack">
        <Card title={t('Puzzles')}>
          <p>
            <b id="puzzle">
              {t('{theme}, grade {n} of 5.', { theme: themeNames[at.theme as Theme], n: at.grade })}
            </b>
          </p>
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
            <Figure
              name={t('Solved')}
              id="solved"
              value={t('{n} of {all}', { n: solved(all).length, all: done(all).length })}
            />
            <Figure name={t('Left@remaining')} id="left" value={all.length - done(all).length} />
          </dl>
          <p class="dim">
            {t(
              'Boards of real games where one move is clearly best. The grade says how many of four weak players miss it. Your first answer counts. A board that you answered wrong comes back in Mistakes.',
            )}
          </p>
        </Card>
        <Card
          title={t('By theme')}
          side={
            Object.keys(answers).length > 0 && (
              <Button
                kind="small"
                onClick={() => {
                  learn(() => ({ puzzles: {} }))
                  setAnswers({})
                  setTrial(untried)
                }}
                text={t('Start over')}
              />
            )
          }
        >
          <Table
            rows={themes}
            id={(x) => x}
            columns={[
              { name: t('Theme'), cell: (x) => themeNames[x] },
              { name: t('Solved'), number: (x) => solved(among(x, 0)).length },
              { name: t('Tried'), number: (x) => done(among(x, 0)).length },
              { name: t('All'), number: (x) => among(x, 0).length },
            ]}
          />
        </Card>
      </div>
    </div>
  )
}

/** byGrade sorts puzzles: the easy ones first, and themes in turn. */
const byGrade = (all: readonly Puzzle[]) => [...all].sort((a, b) => a.grade - b.grade || a.place - b.place)
