// Lessons: each is a few steps, which are played.
import { useEffect, useReducer, useRef, useState } from 'preact/hooks'
import { movable } from '../format'
import { classInfo } from '../judge'
import { themeNames } from '../learn'
import { learn, learned } from '../learned'
import { begin, lessons, play, type Lesson, type Tried } from '../lessons'
import { go } from '../route'
import type { Dir } from '../types'
import { Button, Card, Figure } from '../ui'
import { Class } from './accuracy'
import { name, Task } from './task'

/** Lessons is the lesson and step of the address, else the first that is not done. */
export function Lessons({ part, modes }: { part: string; modes: preact.ComponentChildren }) {
  const [done, setDone] = useState(() => learned().lessons)
  const [theme, number] = part.split('.')
  const lesson = lessons.find((l) => l.theme === theme) ?? lessons.find((l) => (done[l.theme] ?? 0) < l.steps.length) ?? lessons[0]
  if (!lesson) return null
  const at = Math.min(Math.max(number ? Number(number) - 1 || 0 : done[lesson.theme] ?? 0, 0), lesson.steps.length - 1)
  const onDone = () => {
    if (at < (done[lesson.theme] ?? 0)) return
    learn((now) => ({ lessons: { ...now.lessons, [lesson.theme]: at + 1 } }))
    setDone(learned().lessons)
  }
  return <OneStep key={`${lesson.theme} ${at}`} lesson={lesson} at={at} done={done} modes={modes} onDone={onDone} />
}

const open = (l: Lesson, step: number) => go(`practice/lessons/${l.theme}.${step + 1}`, true)

function OneStep({ lesson, at, done, modes, onDone }: { lesson: Lesson; at: number; done: Record<string, number>; modes: preact.ComponentChildren; onDone: () => void }) {
  const step = lesson.steps[at] ?? lesson.steps[0]
  const now = useRef<Tried | null>(null)
  if (step) now.current ??= begin(step)
  const queue = useRef(Promise.resolve())
  const [, redraw] = useReducer((n: number) => n + 1, 0)
  const t = now.current
  useEffect(() => {
    if (t?.end === 'done') onDone()
  }, [t?.end])
  if (!t) return null
  const move = (d: Dir) => {
    queue.current = queue.current.then(async () => {
      if (now.current) now.current = await play(now.current, d)
      redraw(0)
    })
  }
  const again = () => {
    now.current = begin(t.step)
    redraw(0)
  }
  const following = lessons[lessons.indexOf(lesson) + 1]
  const last = at + 1 >= lesson.steps.length
  const next = () => (last ? following && open(following, 0) : open(lesson, at + 1))
  const { moves, until } = t.step
  const word = t.judged ? `${classInfo[t.judged.class].sign} ${classInfo[t.judged.class].name.toLowerCase()}` : ''
  return (
    <div class="arena">
      <Task board={t.board} step={t.slid} legal={(d) => movable(t.board, d)} score={0} modes={modes} open={!t.end} answered={t.made > 0}
        marks={t.judged ? { best: t.end === 'done' ? t.move : null, played: t.move, word, bestWord: word } : null}
        onMove={move} onShow={null} onAgain={again} onNext={t.end === 'done' && (!last || following) ? next : null} next={last ? 'Next lesson' : 'Next step'}
        opinion={t.end === 'done' ? <><b class="good">Done.</b> {t.judged && t.move && <><Class of={t.judged.class} /> {name(t.move)}. </>}{last ? 'You have finished this lesson.' : 'The next step is ready.'}</>
          : t.end ? <><b class="bad">Not yet.</b> {t.why} Try again.</>
            : t.why ? t.why
              : <>{t.step.task}{moves !== undefined && t.made > 0 && <> <b>{until ? `${moves - t.made} moves are left.` : `${t.made} of ${moves} moves are made.`}</b></>}</>} />
      <div class="stack">
        <Card title={themeNames[lesson.theme]}>
          <p>{lesson.says}</p>
          <ol class="list steps">{lesson.steps.map((s, i) => (
            <li key={i}><button type="button" aria-current={i === at} onClick={() => open(lesson, i)}><span>{s.task}</span> <span class="dim">{i < (done[lesson.theme] ?? 0) ? <b class="good">done</b> : `step ${i + 1}`}</span></button></li>
          ))}</ol>
          {lesson.theme === 'endings' && <Button onClick={() => go('practice/endings')}>Play solved endings</Button>}
        </Card>
        <Card title="All lessons">
          <dl class="figures"><Figure name="Steps done" value={<span id="steps">{lessons.reduce((n, l) => n + Math.min(done[l.theme] ?? 0, l.steps.length), 0)} of {lessons.reduce((n, l) => n + l.steps.length, 0)}</span>} /></dl>
          <ul class="list">{lessons.map((l) => (
            <li key={l.theme}><button type="button" aria-current={l === lesson} onClick={() => open(l, Math.min(done[l.theme] ?? 0, l.steps.length - 1))}><span>{themeNames[l.theme]}</span> <span class="dim">{done[l.theme] ?? 0} of {l.steps.length}</span></button></li>
          ))}</ul>
        </Card>
      </div>
    </div>
  )
}
