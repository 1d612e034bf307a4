// Skill and luck: what the moves and the new tiles of a game changed.
import { useMemo } from 'preact/hooks'
import { share, whole } from '../../base/format'
import { locale, rich, t } from '../../base/text'
import { usePoll } from '../../engine/poll'
import { Chart } from '../../parts/chart'
import { Card, Figure, Item } from '../../parts/ui'
import { levelText } from '../../state/judge'
import { type Account, accounted, contradictory, ledger, luckier } from '../../state/luck'
import type { Review } from './reviewgame'

/** summed returns the figures of a whole account. worst and best are the places of the new tiles that changed most. */
function summed(a: Account) {
  let total = 0
  const steady = [a.expected[0] ?? 0]
  a.luck.forEach((x, i) => {
    total += x
    steady.push((a.expected[i + 1] ?? 0) - total)
  })
  const most = (sign: number) =>
    a.luck.reduce((at, x, i) => (sign * x > sign * (a.luck[at] ?? 0) ? i : at), 0)
  return { sum: ledger(a), steady, worst: most(-1), best: most(1), numbers: a.expected.map((_, i) => i + 1) }
}

/** Luck is a card for the game of a record, once it is judged. */
export function Luck({ r }: { r: Review }) {
  const { record, info, judged } = r
  const { result: a, trouble } = usePoll<Account>(
    judged?.done ? `${judged.judge}\n${record}` : '',
    (last, signal) => (judged ? accounted(record, info.moves, judged, last, signal) : Promise.reject()),
    0,
    (x) => !x.done,
  )
  const all = useMemo(() => (a?.done ? summed(a) : null), [a]) // a game may have 60,000 moves
  const without = trouble
    ? trouble.replace(/^review\.luck: (record: )?/, '')
    : a && all && contradictory(a)
      ? t(
          'The expected scores of {player} contradict themselves on these boards by more than moves and new tiles changed, so they say nothing about this game.',
          { player: a.player },
        )
      : `${share(Math.floor((100 * (a?.next ?? 0)) / Math.max(1, info.moves)) / 100)}…`
  const known = a && all && !trouble && !contradictory(a)
  return (
    <Card title={t('Skill and luck')}>
      {known ? (
        <Changes r={r} a={a} all={all} />
      ) : (
        <p class="dim" role="status">
          {without}
        </p>
      )}
    </Card>
  )
}

function Changes(p: { r: Review; a: Account; all: ReturnType<typeof summed> }) {
  const { a, all } = p
  const { info, at, pick } = p.r
  const { sum, steady, worst, best } = all
  const remaining = sum.expected + sum.moves + sum.luck - info.score
  const points = (x: number) =>
    a.exact ? x.toLocaleString(locale, { maximumFractionDigits: 1 }) : whole(Math.round(x))
  const change = (x: number) => (x < 0 ? `−${points(-x)}` : `+${points(x)}`)
  const tile = (i: number, name: string) => (
    <Item onClick={() => pick(i + 1)}>
      <span>{t('{tile}: after move {n}', { tile: name, n: i + 1 })}</span>
      <span>{change(a.luck[i] ?? 0)}</span>
    </Item>
  )
  return (
    <>
      <dl class="figures" id="ledger">
        <Figure name={t('Expected')} value={points(sum.expected)} />
        <Figure name={t('Moves')} value={change(sum.moves)} />
        <Figure name={t('New tiles')} value={change(sum.luck)} />
        {Math.abs(remaining) > 0.05 && <Figure name={t('Still to come')} value={change(-remaining)} />}
        <Figure main name={t('Score')} value={whole(info.score)} />
      </dl>
      {sum.sd > 0 && <p>{rich('Luckier than about *{share}* of games.', { share: share(luckier(sum)) })}</p>}
      {a.luck.length > 0 && (
        <ol class="list">
          {tile(worst, t('Worst new tile'))}
          {tile(best, t('Best new tile'))}
        </ol>
      )}
      {a.luck.length > 1 && (
        <Chart
          x={all.numbers}
          at={at + 1}
          onPick={pick}
          xLabel={t('move')}
          height={170}
          label={t(
            'Expected final score before each of {n} moves, with all new tiles and without their luck',
            { n: info.moves },
          )}
          curves={[
            { label: t('expected score'), values: a.expected, colour: '--accent' },
            { label: t('without luck'), values: steady, colour: '--dim', dashed: true },
          ]}
        />
      )}
      <p class="dim">
        {a.exact
          ? t('By exact values: the moves’ part is what mistakes cost.')
          : levelText(a.player)
            ? t(
                'A player who scores {n} on average expects these scores. Moves as good as theirs change nothing.',
                { n: levelText(a.player) },
              )
            : t(
                '{player} expects these scores for its own play. “Moves” also has its corrections of what it expected.',
                { player: a.player },
              )}
      </p>
    </>
  )
}
