// Puzzles: boards of real games with one move that is clearly best.
import { useEffect, useState } from 'preact/hooks'
import { addDrills, drillOf } from '../drills'
import { boardText, classNames } from '../format'
import { useAsked } from '../hints'
import { classInfo, lossText } from '../judge'
import { movable, type Puzzle, puzzles, type Theme, themeNames, themes, tilesOf } from '../learn'
import { learn, learned } from '../learned'
import { rich, t } from '../text'
import type { Dir } from '../types'
import { Button, Card, Field, Figure } from '../ui'
import { Class } from './accuracy'
import { name, question, Task, untried } from './task'

const grades = [1, 2, 3, 4, 5]

export function Puzzles({ modes }: { modes: preact.ComponentChildren }) {
  const [answers, setAnswers] = useState(() => learned().puzzles)
  const [theme, setTheme] = useState('') // all
  const [grade, setGrade] = useState(0) // all
  const [trial, setTrial] = useState(untried)
  const among = (of: string, g: number) =>
    puzzles.filter((p) => (!of || p.theme === of) && (!g || p.grade === g))
  const open = (all: readonly Puzzle[], not?: Puzzle) =>
    all.find((p) => p !== not && !(p.board in answers)) ?? all.find((p) => p !== not) ?? not
  const [at, setAt] = useState(() => open(byGrade(puzzles)))
  const board = at ? tilesOf(at.board) : []
  const asks = trial.shown ? { board: boardText(board) } : null
  const judged = useAsked('review.board', asks)
  const mine =
    asks && judged.key === JSON.stringify(asks)
      ? judged.result?.moves.find((m) => m.played === trial.move)
      : undefined
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
  const select = (of: string, g: number) => {
    setTheme(of)
    setGrade(g)
    choose(open(byGrade(among(of, g))))
  }
  const done = (all: readonly Puzzle[]) => all.filter((p) => p.board in answers)
  const solved = (all: readonly Puzzle[]) => all.filter((p) => answers[p.board] === p.best)
  const all = among(theme, grade)
  const best = rich('Best: {move}.', { move: name(at.best) })
  const word = mine ? `${classInfo[mine.class].sign} ${classNames[mine.class]}` : t('yours')
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
            rich('{move} is the best move.', { move: name(at.best) })
          ) : !trial.move ? (
            best
          ) : (
            <>
              {mine && <Class of={mine.class} />}{' '}
              {mine
                ? rich('{move} {gives}.', {
                    move: name(trial.move),
                    gives: lossText(mine.loss, mine.lost, mine.goal),
                  })
                : rich('{move} is not the best move.', { move: name(trial.move) })}{' '}
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
            <Field label={t('Theme')}>
              <select value={theme} onChange={(e) => select(e.currentTarget.value, grade)}>
                <option value="">{t('All themes')}</option>
                {themes.map((x) => (
                  <option key={x} value={x}>
                    {themeNames[x]}
                  </option>
                ))}
              </select>
            </Field>
            <Field label={t('Grade')}>
              <select value={grade} onChange={(e) => select(theme, Number(e.currentTarget.value))}>
                <option value={0}>{t('All grades')}</option>
                {grades.map((g) => (
                  <option key={g} value={g}>
                    {g}
                  </option>
                ))}
              </select>
            </Field>
          </div>
          <dl class="figures">
            <Figure
              name={t('Solved')}
              value={
                <span id="solved">{t('{n} of {all}', { n: solved(all).length, all: done(all).length })}</span>
              }
            />
            <Figure
              name={t('Left@remaining')}
              value={<span id="left">{all.length - done(all).length}</span>}
            />
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
              >
                {t('Start over')}
              </Button>
            )
          }
        >
          <table>
            <thead>
              <tr>
                <th scope="col">{t('Theme')}</th>
                <th scope="col" class="n">
                  {t('Solved')}
                </th>
                <th scope="col" class="n">
                  {t('Tried')}
                </th>
                <th scope="col" class="n">
                  {t('All')}
                </th>
              </tr>
            </thead>
            <tbody>
              {themes.map((x) => (
                <tr key={x}>
                  <th scope="row">{themeNames[x]}</th>
                  <td class="n">{solved(among(x, 0)).length}</td>
                  <td class="n">{done(among(x, 0)).length}</td>
                  <td class="n">{among(x, 0).length}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Card>
      </div>
    </div>
  )
}

/** byGrade sorts puzzles: the easy ones first, and themes in turn. */
const byGrade = (all: readonly Puzzle[]) => [...all].sort((a, b) => a.grade - b.grade || a.place - b.place)
