// The curves of a reviewed game: how safe it was, where its time went, and what skill and luck changed.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { classNames, fixed, locale, percent, rich, share, t, whole } from '../../base/text'
import { link, usePoll } from '../../engine/net'
import { Sign } from '../../parts/accuracy'
import { Chart, type Mark } from '../../parts/chart'
import { Slider } from '../../parts/fields'
import { Card, Figure, Item } from '../../parts/ui'
import { type Chance, isMistake, levelText, phaseNames } from '../../state/judge'
import { type Account, accounted, contradictory, ledger, luckier } from '../../state/luck'
import type { MoveClass, MoveReview, TimesOfGame } from '../../types'
import type { Review } from './reviewgame'

/** GameCurve draws how safe the game was, with the mistakes marked. */
export function GameCurve({ r: { judged, info, values, at, atText, pick, to } }: { r: Review }) {
  const chance = judged?.chance ?? null
  const numbers = useMemo(() => Array.from({ length: info.moves + 1 }, (_, i) => i + 1), [info])
  const marks = useMemo(
    () => values.flatMap((m, at): Mark[] => (isMistake(m) ? [{ at, heavy: m.class === 'blunder' }] : [])),
    [values],
  )
  const chances = useMemo(() => between(chance, info.moves), [chance, info])
  const title = chance?.horizon
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
        {title}{' '}
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
          what: title,
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
        {t('Estimated: a fast player of human strength plays many games from boards of this game.')}
      </p>
    </Card>
  )
}

/** between returns the chance before every move, interpolated between the known ones; null where nothing is
    known yet. */
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

const letter = (m: MoveReview) => (m.class === 'blunder' ? 'x' : m.class.charAt(0))

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
        <Figure name={t('Median time per move')} value={seconds(times.median_ms)} />
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
        label={t('Times of {n} moves; the longest took {time}', {
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
          {rich('Median time: *{time}* for mistakes and blunders, *{best}* for best moves.', {
            time: seconds(times.mistake_median_ms),
            best: seconds(times.best_median_ms),
          })}
        </p>
      )}
      <h3 class="dim">{t('Slowest moves')}</h3>
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
    </Card>
  )
}

/** summed returns the figures of a complete account. worst and best are the moves with the worst and the best
    new tile. */
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

/** Luck is a card about the luck of a game, once the game is judged. */
export function Luck({ r }: { r: Review }) {
  const { record, info, judged } = r
  const { result: a, trouble } = usePoll<Account>(
    judged?.done ? `${judged.judge}\n${record}` : '',
    (last, signal) => (judged ? accounted(record, info.moves, judged, last, signal) : Promise.reject()),
    0,
    (x) => !x.done,
  )
  const all = useMemo(() => (a?.done ? summed(a) : null), [a]) // memoized: a game may have 60,000 moves
  const without = trouble
    ? trouble.replace(/^review\.luck: (record: )?/, '')
    : a && all && contradictory(a)
      ? t(
          'Skill and luck cannot be told apart in this game: the errors in the expected scores of {player} are larger than the effects of the moves and the new tiles.',
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
            'Expected final score before each of {n} moves: as played, and without the luck of the new tiles',
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
          ? t('Computed from exact values, so “Moves” is exactly what the mistakes cost.')
          : levelText(a.player)
            ? t(
                'These scores assume a player who scores {n} on average. Moves as good as those of that player do not change them.',
                { n: levelText(a.player) },
              )
            : t(
                'These scores assume that {player} plays on. “Moves” also includes corrections of its earlier estimates.',
                { player: a.player },
              )}
      </p>
    </>
  )
}
