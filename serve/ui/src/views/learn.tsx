// The parts of Practice that are loaded later: lessons, puzzles and stages.
import { Lessons } from './lessons'
import { Puzzles } from './puzzles'
import { Stages } from './stages'

export { StageCard } from './stages'

export function LearnView({ at, part, modes }: { at: string; part: string; modes: preact.ComponentChildren }) {
  return at === 'lessons' ? <Lessons part={part} modes={modes} /> : at === 'puzzles' ? <Puzzles modes={modes} /> : <Stages modes={modes} />
}
