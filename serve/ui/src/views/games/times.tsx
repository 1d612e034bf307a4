// Where the time of a game went.
import { useEffect, useState } from 'preact/hooks'
import { classNames, fixed, percent } from '../../base/format'
import { rich, t } from '../../base/text'
import { link } from '../../engine/net'
import { Sign } from '../../parts/accuracy'
import { Chart } from '../../parts/chart'
import { Card, Figure, Item } from '../../parts/ui'
import { phaseNames } from '../../state/judge'
import type { MoveReview, TimesOfGame } from '../../types'
import type { Review } from './reviewgame'

const letter = (m: MoveReview) => (m.class === 'blunder' ? 'x' : m.class.charAt(0))

/** seconds writes milliseconds. */
function seconds(ms: number): string {
  const s = Math.round(ms / 1000)
  return (
    ms < 10_000 ? `${fixed(ms / 1000, 1)} s` : s < 60 ? `${s} s` : `${Math.floor(s / 60)} min ${s % 60} s`
  ).replaceAll(' ', '\u00a0')
}

/** Times is a card about the time of the moves. The class of a move that is tried again is not shown. */
export function Times(p: { r: Review; first: TimesOfGame }) {
  const { record, values, judged, at, hidden, pick } = p.r
  const done = judged?.done ?? false
  const [times, setTimes] = useState(p.first)
  useEffect(() => {
    if (done)
      link.insist('review.open', { record, classes: values.map(letter).join('') }).then(
        (info) => info.times && setTimes(info.times),
        () => {},
      )
  }, [record, done])
  const moves = times.moves_ms
  const longest = times.longest[0]
  return (
    <Card title={t('Time')}>
      <dl class="figures">
        <Figure main name={t('Game')} id="time" value={seconds(times.total_ms)} />
        <Figure name={t('Median of a move')} value={seconds(times.median_ms)} />
        {times.phases.length > 1 &&
          times.phases.map((p) => (
            <Figure key={p.phase} name={phaseNames[p.phase]} value={percent(p.ms / times.total_ms)} />
          ))}
      </dl>
      <h3 class="dim">{t('Seconds of each move')}</h3>
      <Chart
        x={moves.map((_, i) => i + 1)}
        xLabel={t('move')}
        at={at + 1}
        onPick={pick}
        zero
        height={130}
        label={t('Time of each of {n} moves; the longest took {time}', {
          n: moves.length,
          time: seconds(longest?.ms ?? 0),
        })}
        curves={[
          {
            label: t('seconds'),
            values: moves.map((ms) => (ms < 0 ? null : ms / 1000)),
            colour: '--accent',
            bars: true,
            thin: true,
          },
        ]}
      />
      {times.best_median_ms !== null && times.mistake_median_ms !== null && (
        <p id="hasty">
          {rich('The median of mistakes and blunders is *{time}*, that of best moves *{best}*.', {
            time: seconds(times.mistake_median_ms),
            best: seconds(times.best_median_ms),
          })}
        </p>
      )}
      <h3 class="dim">{t('Longest thoughts')}</h3>
      <ol class="list" id="longest">
        {times.longest.map((m) => {
          const v = hidden && m.move === at ? undefined : values[m.move]
          return (
            <Item key={m.move} current={m.move === at} onClick={() => pick(m.move)}>
              {v ? <Sign of={v.class} /> : <span class="sign" />}
              <span>
                {t('Move {n}', { n: m.move + 1 })}
                {v && <span class="unseen">, {classNames[v.class]}</span>}
              </span>
              <b>{seconds(m.ms)}</b>
            </Item>
          )
        })}
      </ol>
      {times.known < moves.length && (
        <p class="dim">
          {t('The time of {n} of {all} moves is not known.', {
            n: moves.length - times.known,
            all: moves.length,
          })}
        </p>
      )}
    </Card>
  )
}
