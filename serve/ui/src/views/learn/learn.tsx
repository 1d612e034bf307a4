// Learn: lessons, puzzles, the visitor's own mistakes; for experts, also endings, stages and hard boards.
import { useState } from 'preact/hooks'
import { drills, due } from '../../state/drills'
import { Endings } from './endings'
import { Hard } from './hard'
import { Lessons } from './lessons'
import { Mistakes } from './mistakes'
import { Puzzles } from './puzzles'
import { Stages } from './stages'
import { Part } from './task'

const views = {
  lessons: Lessons,
  puzzles: Puzzles,
  mistakes: Mistakes,
  endings: Endings,
  stages: Stages,
  hard: Hard,
}

export function LearnView({ parts }: { parts: string[] }) {
  // The view stays the same when mistakes are answered.
  const [first] = useState(() => (due(drills()).length > 0 ? 'mistakes' : 'lessons'))
  const at = parts[0] && Object.hasOwn(views, parts[0]) ? parts[0] : first
  const View = views[at as keyof typeof views]
  return (
    <Part.Provider value={at}>
      <View key={at} part={parts[1] ?? ''} />
    </Part.Provider>
  )
}
