// What all parts of Learn have: the buttons to choose one.

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { go } from '../../base/route'
import { t } from '../../base/text'
import { Choices } from '../../parts/fields'
import { Card } from '../../parts/ui'
import { due, useDrills } from '../../state/drills'

/** Part is the part of Learn that is shown, by its address. */
export const Part = createContext('lessons')

const expert: Record<string, string> = {
  endings: t('Endings'),
  stages: t('Stages'),
  hard: t('Hard boards'),
}

export function Modes() {
  const at = useContext(Part)
  const n = due(useDrills()).length
  const row = (label: string, all: Record<string, string>, chosen: string) => (
    <Choices
      class="buttons modes"
      kind=""
      label={label}
      of={Object.values(all)}
      at={Object.keys(all).indexOf(chosen)}
      onPick={(i) => go(`learn/${Object.keys(all)[i]}`, true)}
    />
  )
  const mistakes = n > 0 ? t('My mistakes ({n})', { n }) : t('My mistakes')
  const main = { lessons: t('Lessons'), puzzles: t('Puzzles'), mistakes, endings: t('Expert') }
  return (
    <div class="stack tight">
      {row(t('What to learn'), main, at in expert ? 'endings' : at)}
      {at in expert && row(t('Expert'), expert, at)}
    </div>
  )
}

/** WithoutBoard is a part of Learn that shows no board. */
export const WithoutBoard = (p: { title: string; children: preact.ComponentChildren }) => (
  <div class="stack narrow">
    <Modes />
    <Card title={p.title}>{p.children}</Card>
  </div>
)
