// Learn: lessons, puzzles, one's own mistakes; for experts endings, stages and hard boards.

import { useState } from 'preact/hooks'
import { go } from '../../base/route'
import { t } from '../../base/text'
import { Button } from '../../parts/ui'
import { due, useDrills } from '../../state/drills'
import { Endings } from './endings'
import { Hard } from './hard'
import { Lessons } from './lessons'
import { Mistakes } from './mistakes'
import { Puzzles } from './puzzles'
import { Stages } from './stages'

const expert = { endings: t('Endings'), stages: t('Stages'), hard: t('Hard boards') }

const others = { lessons: Lessons, puzzles: Puzzles, endings: Endings, stages: Stages, hard: Hard }

export function LearnView({ parts }: { parts: string[] }) {
  const all = useDrills()
  const [first] = useState(() => (due(all).length > 0 ? 'mistakes' : 'lessons')) // what is answered since does not change the view
  const at = parts[0] || first
  const modes = <Modes at={at} due={due(all).length} />
  const Part = others[at as keyof typeof others]
  return Part ? <Part key={at} part={parts[1] ?? ''} modes={modes} /> : <Mistakes modes={modes} all={all} />
}

function Modes({ at, due }: { at: string; due: number }) {
  const mode = (hash: string, text: string, on = at === hash) => (
    <Button pressed={on} onClick={() => go(`learn/${hash}`, true)} text={text} />
  )
  const hard = at in expert
  const mistakes = due > 0 ? t('My mistakes ({n})', { n: due }) : t('My mistakes')
  return (
    <div class="stack tight">
      <div class="buttons modes" role="group" aria-label={t('What to learn')}>
        {mode('lessons', t('Lessons'))}
        {mode('puzzles', t('Puzzles'))}
        {mode('mistakes', mistakes, !hard && at !== 'lessons' && at !== 'puzzles')}
        {mode('endings', t('Expert'), hard)}
      </div>
      {hard && (
        <div class="buttons modes" role="group" aria-label={t('Expert')}>
          {Object.entries(expert).map(([hash, text]) => mode(hash, text))}
        </div>
      )}
    </div>
  )
}
