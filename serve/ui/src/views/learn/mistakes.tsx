// Positions of the visitor's own mistakes, repeated until they are learned.
import { useEffect, useState } from 'preact/hooks'
import { boardOf } from '../../base/boards'
import { ahead, given, percent, rich, t } from '../../base/text'
import { HowGood } from '../../parts/accuracy'
import { boldMove, type Marks } from '../../parts/board'
import { AllMoves, Button, Card, Figure } from '../../parts/ui'
import { answer, type Drill, due, learned, removeDrill, right, upcoming, useDrills } from '../../state/drills'
import { classInfo, classWord } from '../../state/judge'
import { type Dir, dirs } from '../../types'
import { question, swipe, Task, type Trial, untried, verdict, WithoutBoard } from './task'

export function Mistakes() {
  const all = useDrills()
  const [board, setBoard] = useState(() => due(all)[0]?.board ?? '')
  const [trial, setTrial] = useState(untried)
  const drill = all.find((d) => d.board === board)
  const waiting = due(all).filter((d) => d.board !== board || !trial.counted)
  const next = () => {
    setBoard(waiting.find((d) => d.board !== board)?.board ?? waiting[0]?.board ?? '')
    setTrial(untried)
  }
  useEffect(() => {
    if (!drill && waiting[0]) next()
  })
  const count = (isRight: boolean) => !trial.counted && answer(board, isRight)
  const move = (d: Dir) => {
    if (!drill) return
    const isRight = right(drill, d)
    count(isRight)
    setTrial({ move: d, shown: isRight, counted: true })
  }
  const show = () => {
    count(false)
    setTrial({ ...trial, shown: true, counted: true })
  }
  if (!drill) {
    return (
      <WithoutBoard title={t('Your mistakes')}>
        <Empty all={all} />
      </WithoutBoard>
    )
  }
  return (
    <div class="arena">
      <Task
        board={boardOf(drill.board)}
        score={drill.score}
        task={question}
        marks={drillMarks(drill, trial)}
        open={!trial.shown}
        answered={trial.move !== null}
        onMove={move}
        onShow={show}
        onAgain={() => setTrial({ ...untried, counted: trial.counted })}
        onNext={trial.counted ? next : null}
        opinion={opinion(drill, trial)}
      />
      <div class="stack">
        <Card title={t('This position')}>
          <p>
            {t('{from}.', { from: drill.from })} {again(drill, trial.counted)}
          </p>
          {trial.shown && (
            <AllMoves
              of={dirs.filter((d) => drill.moves[d])}
              best={[drill.best]}
              columns={[
                [t('Class'), (d) => classInfo[drill.moves[d]?.class ?? 'best'].name],
                [t('Loss'), (d) => given(drill.moves[d]?.loss) || percent(0)],
              ]}
            />
          )}
          <Button
            kind="plain small"
            onClick={() => {
              removeDrill(drill.board)
              next()
            }}
            text={t('Remove this position')}
          />
        </Card>
        <Card title={t('Your mistakes')}>
          <dl class="figures">
            <Figure name={t('Due')} id="due" value={waiting.length} />
            <Figure name={t('Later')} value={all.filter((d) => !learned(d)).length - waiting.length} />
            <Figure name={t('Learned')} value={all.filter(learned).length} />
          </dl>
          <p class="dim">
            {t(
              'After a right answer, a position is repeated in 1, then 3, then 7 days; then it counts as learned. After a wrong answer it is repeated in ten minutes and goes back one step. Only the first answer counts.',
            )}
          </p>
        </Card>
      </div>
    </div>
  )
}

/** opinion says how much the answer gives away, and in the end why. */
function opinion({ best, played, moves }: Drill, { move, shown }: Trial): preact.ComponentChildren {
  const made = move && moves[move]
  if (!made && !shown) return swipe
  if (made && !shown) return [<HowGood move={move} of={{ ...made, lost: false }} />, ' ', t('Another try?')]
  const all = dirs.flatMap((d) => (moves[d] ? { ...moves[d], played: d, lost: false } : []))
  const inGame = !made && rich('In the game you moved {played}.', { played: boldMove(played) })
  return [verdict({ best, move, moves: all }), ' ', inGame]
}

function again(drill: Drill, counted: boolean): string {
  if (counted && learned(drill)) return t('Learned: this position does not come back.')
  if (counted) return t('This position comes back {when}.', { when: ahead(drill.due - Date.now()) })
  return drill.step > 0 ? t('Answered right {n|once|# times}.', { n: drill.step }) : ''
}

function drillMarks({ best, moves }: Drill, { move, shown }: Trial): Marks | null {
  const c = (move && moves[move]?.class) || 'best'
  const word = move ? classWord(c) : ''
  if (!shown) return move && { best: null, played: move, word }
  return move && !classInfo[c].bad
    ? { best: move, played: move, word, bestWord: word }
    : { best, played: move, word }
}

function Empty({ all }: { all: Drill[] }) {
  const next = upcoming(all)
  return (
    <>
      <p>
        {next !== null
          ? t('Nothing is due. The next position comes back {when}.', { when: ahead(next - Date.now()) })
          : all.length > 0
            ? t('All positions are learned.')
            : t('Nothing to practise yet. Play a game, then review it: its worst mistakes come here.')}
      </p>
      <div class="row">
        <Button icon="play" to="play" text={t('Play@verb')} />
        <Button icon="games" to="games" text={t('Games')} />
      </div>
    </>
  )
}
