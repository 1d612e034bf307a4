// Lessons. Each has a few steps, which the learner plays.
import { useEffect, useState } from 'preact/hooks'
import { go } from '../../base/route'
import { t } from '../../base/text'
import { Button, Card, Item } from '../../parts/ui'
import { type Theme, themeNames, themes } from '../../state/learn'
import { learn, learned } from '../../state/learned'
import { begin, bestOf, play, type Step, says, steps, type Tried, taskOf } from '../../state/lessons'
import { answerMarks, Choice, swipe, Task, useAnswer, verdict } from './task'

type Done = Record<string, number>

const isDone = (done: Done, s: Step) => (((done[s.theme] ?? 0) >> s.at) & 1) === 1
const stepsOf = (theme: Theme) => steps.filter((s) => s.theme === theme)
const address = (s: Step) => `${s.theme}.${s.at + 1}`
const open = (s: Step | undefined) => s && go(`learn/lessons/${address(s)}`, true)

/** Lessons shows the step in the address, or else the first step that is not done. */
export function Lessons({ part }: { part: string }) {
  const [done, setDone] = useState<Done>(() => learned().lessons)
  const [first] = useState(() => steps.find((s) => !isDone(done, s)) ?? steps[0])
  const step = steps.find((s) => address(s) === part) ?? first
  if (!step) return null
  const onDone = () => {
    learn(({ lessons }) => ({
      lessons: { ...lessons, [step.theme]: (lessons[step.theme] ?? 0) | (1 << step.at) },
    }))
    setDone(learned().lessons)
  }
  return (
    <div class="arena">
      <OneStep key={address(step)} of={step} onDone={onDone} />
      <div class="stack">
        <ThisLesson at={step} done={done} />
        <AllLessons at={step} done={done} />
      </div>
    </div>
  )
}

function OneStep({ of: step, onDone }: { of: Step; onDone: () => void }) {
  const [tried, set] = useState<Tried>(() => begin(step))
  const best = bestOf(step)
  const answer = useAnswer(tried.end && best ? tried.board : null, best ?? 'up', tried.move)
  useEffect(() => {
    if (tried.end === 'done') onDone()
  }, [tried.end])
  const next = steps[steps.indexOf(step) + 1]
  return (
    <Task
      board={tried.board}
      step={tried.slid}
      task={taskOf(step)}
      open={!tried.end}
      answered={tried.made > 0}
      marks={tried.end && best ? answerMarks(answer) : null}
      onMove={(d) => set((now) => play(now, d))}
      onAgain={() => set(begin(step))}
      onNext={tried.end === 'done' && next ? () => open(next) : null}
      opinion={
        !tried.end ? (
          left(tried)
        ) : (
          <>
            {tried.end === 'failed' && <b class="bad">{t('Not yet.')} </b>}
            {tried.end === 'done' && !best && <b class="good">{t('Done.')} </b>}
            {best ? verdict(answer) : tried.why}
          </>
        )
      }
    />
  )
}

const left = ({ step: { moves, until }, made }: Tried) =>
  moves === undefined
    ? swipe
    : until
      ? t('{n|One move is left|# moves are left}.', { n: moves - made })
      : t('{n} of {all} moves made.', { n: made, all: moves })

const ThisLesson = ({ at, done }: { at: Step; done: Done }) => (
  <Card title={themeNames[at.theme]}>
    <p>{says[at.theme]}</p>
    <ol class="choice">
      {stepsOf(at.theme).map((s) => {
        const stepDone = isDone(done, s)
        const label = `${s.at + 1}: ${taskOf(s)}${stepDone ? ` ${t('done')}` : ''}`
        const text = stepDone ? '✓' : s.at + 1
        return (
          <Choice
            key={s.at}
            text={text}
            label={label}
            current={s === at}
            done={stepDone}
            onClick={() => open(s)}
          />
        )
      })}
    </ol>
    {at.theme === 'endings' && <Button to="learn/endings" text={t('Play solved endings')} />}
  </Card>
)

function AllLessons({ at, done }: { at: Step; done: Done }) {
  const count = (of: readonly Step[]) => `${of.filter((s) => isDone(done, s)).length}/${of.length}`
  return (
    <Card
      title={t('All lessons')}
      side={
        <span class="dim" id="steps">
          {count(steps)}
        </span>
      }
    >
      <ul class="list">
        {themes.map((theme) => {
          const all = stepsOf(theme)
          return (
            <Item
              key={theme}
              current={theme === at.theme}
              onClick={() => open(all.find((s) => !isDone(done, s)) ?? all[0])}
            >
              <span>{themeNames[theme]}</span> <span class="dim">{count(all)}</span>
            </Item>
          )
        })}
      </ul>
    </Card>
  )
}
