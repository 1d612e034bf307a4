// The parts of Practice that are loaded later: lessons, puzzles, stages, hard boards and endings.
import { Endings } from './endings'
import { Hard } from './hard'
import { Lessons } from './lessons'
import { Puzzles } from './puzzles'
import { Stages } from './stages'

export { StageCard } from './stages'

export function LearnView({
  at,
  part,
  modes,
}: {
  at: string
  part: string
  modes: preact.ComponentChildren
}) {
  if (at === 'endings') return <Endings modes={modes} />
  if (at === 'lessons') return <Lessons part={part} modes={modes} />
  return at === 'puzzles' ? (
    <Puzzles modes={modes} />
  ) : at === 'stages' ? (
    <Stages modes={modes} />
  ) : (
    <Hard modes={modes} />
  )
}
