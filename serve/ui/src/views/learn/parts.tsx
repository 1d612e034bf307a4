// The parts of Learn that are loaded later: all but one's own mistakes.
import { Endings } from './endings'
import { Hard } from './hard'
import { Lessons } from './lessons'
import { Puzzles } from './puzzles'
import { Stages } from './stages'

interface PartProps {
  at: string
  part: string
  modes: preact.ComponentChildren
}

const parts = { lessons: Lessons, puzzles: Puzzles, endings: Endings, stages: Stages, hard: Hard }

export function LearnPart({ at, ...rest }: PartProps) {
  const Part = parts[at as keyof typeof parts]
  return <Part {...rest} />
}
