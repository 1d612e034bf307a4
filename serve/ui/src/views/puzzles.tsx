// Puzzles: boards of real games with one move that is clearly best.
import { useEffect, useState } from 'preact/hooks'
import { addDrills, drillOf } from '../drills'
import { boardText, movable } from '../format'
import { useAsked } from '../hints'
import { classInfo, lossText } from '../judge'
import { puzzles, themeNames, themes, tilesOf, type Puzzle, type Theme } from '../learn'
import { learn, learned } from '../learned'
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
  const among = (t: string, g: number) => puzzles.filter((p) => (!t || p.theme === t) && (!g || p.grade === g))
  const open = (all: readonly Puzzle[], not?: Puzzle) => all.find((p) => p !== not && !(p.board in answers)) ?? all.find((p) => p !== not) ?? not
  const [at, setAt] = useState(() => open(byGrade(puzzles)))
  const board = at ? tilesOf(at.board) : []
  const asks = trial.shown ? { board: boardText(board) } : null
  const judged = useAsked('review.board', asks)
  const mine = asks && judged.key === JSON.stringify(asks) ? judged.result?.moves.find((m) => m.played === trial.move) : undefined
  const right = trial.move === at?.best
  const wrong = mine !== undefined && !right
  useEffect(() => {
    if (at && wrong) addDrills([drillOf(mine, board, 0, `Puzzle: ${themeNames[at.theme as Theme]}, grade ${at.grade}`)])
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
  const select = (t: string, g: number) => {
    setTheme(t)
    setGrade(g)
    choose(open(byGrade(among(t, g))))
  }
  const done = (all: readonly Puzzle[]) => all.filter((p) => p.board in answers)
  const solved = (all: readonly Puzzle[]) => all.filter((p) => answers[p.board] === p.best)
  const all = among(theme, grade)
  const word = mine ? `${classInfo[mine.class].sign} ${classInfo[mine.class].name.toLowerCase()}` : 'yours'
  return (
    <div class="arena">
      <Task board={board} legal={(d) => movable(board, d)} score={0} modes={modes} open={!trial.shown} answered={trial.move !== null && !right}
        marks={trial.shown ? { best: at.best, played: trial.move, word, bestWord: '★ best' } : null}
        onMove={(d) => { store(d); setTrial({ move: d, shown: true, counted: true }) }} onShow={() => setTrial({ ...trial, shown: true })} onAgain={() => setTrial(untried)}
        onNext={() => choose(open(byGrade(all), at))}
        opinion={!trial.shown ? question : right ? <>{name(at.best)} is the best move.</>
          : !trial.move ? <>Best: {name(at.best)}.</>
            : <>{mine && <Class of={mine.class} />} {name(trial.move)} {mine ? `${lossText(mine.loss, mine.lost, mine.goal)}.` : 'is not the best move.'} {mine?.why} Best: {name(at.best)}.</>} />
      <div class="stack">
        <Card title="Puzzles">
          <p><b id="puzzle">{themeNames[at.theme as Theme]}, grade {at.grade} of 5.</b></p>
          <div class="pair">
            <Field label="Theme"><select value={theme} onChange={(e) => select(e.currentTarget.value, grade)}>
              <option value="">All themes</option>{themes.map((t) => <option key={t} value={t}>{themeNames[t]}</option>)}
            </select></Field>
            <Field label="Grade"><select value={grade} onChange={(e) => select(theme, Number(e.currentTarget.value))}>
              <option value={0}>All grades</option>{grades.map((g) => <option key={g} value={g}>{g}</option>)}
            </select></Field>
          </div>
          <dl class="figures"><Figure name="Solved" value={<span id="solved">{solved(all).length} of {done(all).length}</span>} /><Figure name="Left" value={<span id="left">{all.length - done(all).length}</span>} /></dl>
          <p class="dim">Boards of real games where one move is clearly best. The grade says how many of four weak players miss it. Your first answer counts. A wrong one comes back in Mistakes.</p>
        </Card>
        <Card title="By theme" side={Object.keys(answers).length > 0 && <Button kind="small" onClick={() => { learn(() => ({ puzzles: {} })); setAnswers({}); setTrial(untried) }}>Start over</Button>}>
          <table>
            <thead><tr><th scope="col">Theme</th><th scope="col" class="n">Solved</th><th scope="col" class="n">Tried</th><th scope="col" class="n">All</th></tr></thead>
            <tbody>{themes.map((t) => <tr key={t}><th scope="row">{themeNames[t]}</th><td class="n">{solved(among(t, 0)).length}</td><td class="n">{done(among(t, 0)).length}</td><td class="n">{among(t, 0).length}</td></tr>)}</tbody>
          </table>
        </Card>
      </div>
    </div>
  )
}

/** byGrade sorts puzzles, the easy ones first. */
const byGrade = (all: readonly Puzzle[]) => [...all].sort((a, b) => a.grade - b.grade)
