// Lessons: each is a few steps, which are played.

import { useEffect, useRef, useState } from 'preact/hooks'
import { useRedraw } from '../../base/changes'
import { go } from '../../base/route'
import { t } from '../../base/text'
import { Class } from '../../parts/accuracy'
import { boldMove } from '../../parts/board'
import { Task } from '../../parts/task'
import { Button, Card, Figure, Item } from '../../parts/ui'
import { classWord } from '../../state/judge'
import { movable, themeNames } from '../../state/learn'
import { learn, learned } from '../../state/learned'
import { begin, type Lesson, lessons, play, type Tried } from '../../state/lessons'
import type { Dir } from '../../types'

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
export function Lessons({ part, modes }: { part: string; modes: preact.ComponentChildren }) {
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
    <OneStep key={address(lesson, at)} lesson={lesson} at={at} done={done} modes={modes} onDone={onDone} />
  )
}

const open = (l: Lesson, step: number) => go(`learn/lessons/${address(l, step)}`, true)

interface OneStepProps {
  lesson: Lesson
  at: number
  done: Done
  modes: preact.ComponentChildren
  onDone: () => void
}

function OneStep({ lesson, at, done, modes, onDone }: OneStepProps) {
  const step = lesson.steps[at] ?? lesson.steps[0]
  const now = useRef<Tried | null>(null)
  if (step) now.current ??= begin(step)
  const queue = useRef(Promise.resolve())
  const redraw = useRedraw()
  const tried = now.current
  useEffect(() => {
    if (tried?.end === 'done') onDone()
  }, [tried?.end])
  if (!tried) return null
  const move = (d: Dir) => {
    queue.current = queue.current.then(async () => {
      if (now.current) now.current = await play(now.current, d)
      redraw()
    })
  }
  const again = () => {
    queue.current = queue.current.then(() => {
      now.current = begin(tried.step)
      redraw()
    })
  }
  const following = lessons[lessons.indexOf(lesson) + 1]
  const last = at + 1 >= lesson.steps.length
  const onNext = () => (last ? following && open(following, next(done, following)) : open(lesson, at + 1))
  const { moves, until } = tried.step
  const word = tried.judged ? classWord(tried.judged.class) : ''
  return (
    <div class="arena">
      <Task
        board={tried.board}
        step={tried.slid}
        legal={(d) => movable(tried.board, d)}
        score={0}
        modes={modes}
        open={!tried.end}
        answered={tried.made > 0}
        marks={
          tried.judged
            ? { best: tried.end === 'done' ? tried.move : null, played: tried.move, word, bestWord: word }
            : null
        }
        onMove={move}
        onShow={null}
        onAgain={again}
        onNext={tried.end === 'done' && (!last || following) ? onNext : null}
        opinion={
          tried.end === 'done' ? (
            <>
              <b class="good">{t('Done.')}</b>{' '}
              {tried.judged && tried.move && (
                <>
                  <Class of={tried.judged.class} /> {boldMove(tried.move)}.{' '}
                </>
              )}
              {last ? t('You have finished this lesson.') : t('The next step is ready.')}
            </>
          ) : tried.end ? (
            <>
              <b class="bad">{t('Not yet.')}</b>{' '}
              {tried.judged?.why ? <span lang="en">{tried.why}</span> : tried.why} {t('Try it again.')}
            </>
          ) : tried.why ? (
            tried.why
          ) : (
            <>
              {tried.step.task}
              {moves !== undefined && tried.made > 0 && (
                <>
                  {' '}
                  <b>
                    {until
                      ? t('{n|One move is left|# moves are left}.', { n: moves - tried.made })
                      : t('{n} of {all} moves are made.', { n: tried.made, all: moves })}
                  </b>
                </>
              )}
            </>
          )
        }
      />
      <div class="stack">
        <Card title={themeNames[lesson.theme]}>
          <p>{lesson.says}</p>
          <ol class="list steps">
            {lesson.steps.map((s, i) => (
              <Item key={i} current={i === at} onClick={() => open(lesson, i)}>
                <span>{s.task}</span>
                {isDone(done, lesson, i) && <b class="good">{t('done')}</b>}
              </Item>
            ))}
          </ol>
          {lesson.theme === 'endings' && <Button to="learn/endings" text={t('Play solved endings')} />}
        </Card>
        <Card title={t('All lessons')}>
          <dl class="figures">
            <Figure
              name={t('Steps done')}
              id="steps"
              value={t('{n} of {all}', {
                n: lessons.reduce((n, l) => n + count(done, l), 0),
                all: lessons.reduce((n, l) => n + l.steps.length, 0),
              })}
            />
          </dl>
          <ul class="list">
            {lessons.map((l) => (
              <Item key={l.theme} current={l === lesson} onClick={() => open(l, next(done, l))}>
                <span>{themeNames[l.theme]}</span>{' '}
                <span class="dim">{t('{n} of {all}', { n: count(done, l), all: l.steps.length })}</span>
              </Item>
            ))}
          </ul>
        </Card>
      </div>
    </div>
  )
}
