// Lessons: each is a few steps, which are played.

import { useEffect, useState } from 'preact/hooks'
import { go } from '../../base/route'
import { t } from '../../base/text'
import { Button, Card, Item } from '../../parts/ui'
import { themeNames } from '../../state/learn'
import { learn, learned } from '../../state/learned'
import { begin, bestOf, type Lesson, lessons, play, type Tried } from '../../state/lessons'
import { answerMarks, swipe, Task, useAnswer, Verdict } from './task'

type Done = Record<string, number>

const isDone = (done: Done, l: Lesson, step: number) => (((done[l.theme] ?? 0) >> step) & 1) === 1
const count = (done: Done, l: Lesson) => l.steps.filter((_, i) => isDone(done, l, i)).length

/** next returns the first step of a lesson that is not done, else the first one. */
const next = (done: Done, l: Lesson) =>
  Math.max(
    0,
    l.steps.findIndex((_, i) => !isDone(done, l, i)),
  )

const address = (l: Lesson, step: number) => `${l.theme}.${step + 1}`

/** Lessons is the lesson and step of the address, else the first step that is not done. */
export function Lessons({ part }: { part: string }) {
  const [done, setDone] = useState<Done>(() => learned().lessons)
  const [first] = useState(() => {
    const l = lessons.find((x) => count(done, x) < x.steps.length) ?? lessons[0]
    return l ? address(l, next(done, l)) : ''
  })
  const [theme, number] = (part || first).split('.')
  const lesson = lessons.find((l) => l.theme === theme) ?? lessons[0]
  if (!lesson) return null
  const at = Math.min(Math.max(Number(number) - 1 || 0, 0), lesson.steps.length - 1)
  const onDone = () => {
    learn((now) => ({
      lessons: { ...now.lessons, [lesson.theme]: (now.lessons[lesson.theme] ?? 0) | (1 << at) },
    }))
    setDone(learned().lessons)
  }
  return (
    <div class="arena">
      <OneStep key={address(lesson, at)} lesson={lesson} at={at} done={done} onDone={onDone} />
      <div class="stack">
        <ThisLesson of={lesson} at={at} done={done} />
        <AllLessons at={lesson} done={done} />
      </div>
    </div>
  )
}

const open = (l: Lesson, step: number) => go(`learn/lessons/${address(l, step)}`, true)

interface OneStepProps {
  lesson: Lesson
  at: number
  done: Done
  onDone: () => void
}

function OneStep({ lesson, at, done, onDone }: OneStepProps) {
  const step = lesson.steps[at]
  const [tried, set] = useState<Tried | null>(() => (step ? begin(step) : null))
  const best = step ? bestOf(step) : null
  const answer = useAnswer(tried?.end && best ? tried.board : null, best ?? 'up', tried?.move ?? null)
  useEffect(() => {
    if (tried?.end === 'done') onDone()
  }, [tried?.end])
  if (!step || !tried) return null
  const following = lessons[lessons.indexOf(lesson) + 1]
  const last = at + 1 >= lesson.steps.length
  const onNext = () => (last ? following && open(following, next(done, following)) : open(lesson, at + 1))
  return (
    <Task
      board={tried.board}
      step={tried.slid}
      task={step.task}
      open={!tried.end}
      answered={tried.made > 0}
      marks={tried.end && best ? answerMarks(answer) : null}
      onMove={(d) => set((now) => now && play(now, d))}
      onAgain={() => set(begin(step))}
      onNext={tried.end === 'done' && (!last || following) ? onNext : null}
      opinion={
        !tried.end ? (
          left(tried)
        ) : (
          <>
            {tried.end === 'failed' && <b class="bad">{t('Not yet.')} </b>}
            {tried.end === 'done' && !best && <b class="good">{t('Done.')} </b>}
            {best ? <Verdict of={answer} /> : tried.why}
          </>
        )
      }
    />
  )
}

/** left says how many moves are left. */
const left = ({ step: { moves, until }, made }: Tried) =>
  moves === undefined
    ? swipe
    : until
      ? t('{n|One move is left|# moves are left}.', { n: moves - made })
      : t('{n} of {all} moves are made.', { n: made, all: moves })

function ThisLesson({ of: l, at, done }: { of: Lesson; at: number; done: Done }) {
  return (
    <Card title={themeNames[l.theme]}>
      <p>{l.says}</p>
      <ol class="choice">
        {l.steps.map((s, i) => (
          <li key={i}>
            <button
              type="button"
              aria-current={i === at}
              data-done={isDone(done, l, i) ? '' : undefined}
              aria-label={`${i + 1}: ${s.task}${isDone(done, l, i) ? ` ${t('done')}` : ''}`}
              title={s.task}
              onClick={() => open(l, i)}
            >
              {isDone(done, l, i) ? '✓' : i + 1}
            </button>
          </li>
        ))}
      </ol>
      {l.theme === 'endings' && <Button to="learn/endings" text={t('Play solved endings')} />}
    </Card>
  )
}

function AllLessons({ at, done }: { at: Lesson; done: Done }) {
  return (
    <Card
      title={t('All lessons')}
      side={
        <span class="dim" id="steps">
          {lessons.reduce((n, l) => n + count(done, l), 0)}/{lessons.reduce((n, l) => n + l.steps.length, 0)}
        </span>
      }
    >
      <ul class="list">
        {lessons.map((l) => (
          <Item key={l.theme} current={l === at} onClick={() => open(l, next(done, l))}>
            <span>{themeNames[l.theme]}</span>{' '}
            <span class="dim">
              {count(done, l)}/{l.steps.length}
            </span>
          </Item>
        ))}
      </ul>
    </Card>
  )
}
