// How safe a game was, move by move.

import { useMemo } from 'preact/hooks'
import { classNames } from '../../base/format'
import { t } from '../../base/text'
import { Chart, type Mark } from '../../parts/chart'
import { Slider } from '../../parts/fields'
import { Card } from '../../parts/ui'
import type { Chance } from '../../state/judge'
import type { MoveReview, ReviewSummary } from '../../types'

/** GameCurve draws how safe the game was, with the mistakes on it. */
export function GameCurve(p: {
  chance: Chance | null
  info: ReviewSummary
  values: MoveReview[]
  at: number
  onPick: (n: number) => void
  onSlide: (n: number) => void
}) {
  const { chance, info, values, at } = p
  const numbers = useMemo(() => Array.from({ length: info.moves + 1 }, (_, i) => i + 1), [info])
  const marks = useMemo(
    () =>
      values.flatMap((m, i): Mark[] =>
        m.class === 'blunder' || m.class === 'mistake' ? [{ at: i, heavy: m.class === 'blunder' }] : [],
      ),
    [values],
  )
  const chances = useMemo(() => between(chance, info.moves), [chance, info])
  const what = chance?.horizon
    ? t('Chance to survive {n} more {n|move|moves}', { n: chance.horizon })
    : t('Chance to survive some more moves')
  return (
    <Card title={t('The game')}>
      <h3 class="dim">
        {what}
        {marks.length > 0 && (
          <>
            {' '}
            ·{' '}
            <span class="mark-key" data-class="mistake">
              ●
            </span>{' '}
            {classNames.mistake}{' '}
            <span class="mark-key" data-class="blunder">
              ◆
            </span>{' '}
            {classNames.blunder}
          </>
        )}
      </h3>
      <Chart
        x={numbers}
        xLabel={t('move')}
        at={at + 1}
        onPick={p.onPick}
        marks={marks}
        zero
        share
        label={t('{what}, before each of {n} moves, with {mistakes} mistakes marked', {
          what,
          n: info.moves,
          mistakes: marks.length,
        })}
        curves={[{ label: t('chance'), values: chances, colour: '--accent' }]}
        height={190}
      />
      <Slider
        label={t('Move')}
        min={1}
        max={info.moves + 1}
        value={at + 1}
        says={
          at < info.moves
            ? t('{n} of {all}', { n: at + 1, all: info.moves })
            : t('end, after {n}', { n: info.moves })
        }
        onInput={(n) => p.onSlide(n - 1)}
        onDone={(n) => p.onPick(n - 1)}
      />
      <p class="dim">
        {t('Counted in games that a quick player, about as strong as people, plays on from there.')}
      </p>
    </Card>
  )
}

/** between returns the chance before every move, on straight lines between the known ones; null where nothing is known yet. */
function between(chance: Chance | null, moves: number): (number | null)[] {
  const all = Array<number | null>(moves + 1).fill(null)
  chance?.chances.forEach((c, k) => {
    const [from = 0, to = 0] = [chance.at[k - 1] ?? chance.at[k], chance.at[k]]
    const start = chance.chances[k - 1] ?? c
    for (let i = from; i <= to; i++)
      all[i] = to === from ? c : start + ((c - start) * (i - from)) / (to - from)
  })
  return all
}
