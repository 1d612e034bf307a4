// The parts of Practice that are loaded later: lessons, puzzles, stages and hard boards.
import { Hard } from './hard'
import { Lessons } from './lessons'
import { Puzzles } from './puzzles'
import { Stages } from './stages'

export { StageCard } from './stages'

export function LearnView({ at, part, modes }: { at: string; part: string; modes: preact.ComponentChildren }) {
  if (at === 'lessons') return <Lessons part={part} modes={modes} />
  return at === 'puzzles' ? <Puzzles modes={modes} /> : at === 'stages' ? <Stages modes={modes} /> : <Hard modes={modes} />
}
