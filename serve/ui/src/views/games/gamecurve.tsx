// How safe a game was, move by move.

import { useMemo } from 'preact/hooks'
import { classNames } from '../../base/format'
import { t } from '../../base/text'
import { Chart, type Mark } from '../../parts/chart'
import { Slider } from '../../parts/fields'
import { Card } from '../../parts/ui'
import { type Chance, isMistake } from '../../state/judge'
import type { MoveClass } from '../../types'
import type { Review } from './reviewgame'

/** GameCurve draws how safe the game was, with the mistakes on it. */
export function GameCurve({ r: { judged, info, values, at, atText, pick, to } }: { r: Review }) {
  const chance = judged?.chance ?? null
  const numbers = useMemo(() => Array.from({ length: info.moves + 1 }, (_, i) => i + 1), [info])
  const marks = useMemo(
    () => values.flatMap((m, at): Mark[] => (isMistake(m) ? [{ at, heavy: m.class === 'blunder' }] : [])),
    [values],
  )
  const chances = useMemo(() => between(chance, info.moves), [chance, info])
  const what = chance?.horizon
    ? t('Chance to survive {n} more {n|move|moves}', { n: chance.horizon })
    : t('Chance to survive some more moves')
  const key = (c: MoveClass, sign: string) => (
    <>
      <span class="mark-key" data-class={c}>
        {sign}
      </span>{' '}
      {classNames[c]}
    </>
  )
  return (
    <Card title={t('The game')}>
      <h3 class="dim">
        {what}{' '}
        {marks.length > 0 && (
          <>
            · {key('mistake', '●')} {key('blunder', '◆')}
          </>
        )}
      </h3>
      <Chart
        x={numbers}
        xLabel={t('move')}
        at={at + 1}
        onPick={pick}
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
        says={atText}
        onInput={(n) => to(n - 1)}
        onDone={(n) => pick(n - 1)}
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
