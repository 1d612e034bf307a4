// The visitor's games together: level, best results of each size, curves, and where most is given away.
import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { dateLocale, fixed, share, sizeText, t, whole } from '../../base/text'
import { figure } from '../../parts/accuracy'
import { Chart } from '../../parts/chart'
import { Slider } from '../../parts/fields'
import { Button, Card, Figure, Table } from '../../parts/ui'
import { phaseNames } from '../../state/judge'
import { lacking } from '../../state/judging'
import type { PlayedGame } from '../../state/played'
import type { PhaseSum } from '../../state/strength'
import {
  accuracyOf,
  average,
  bests,
  chosenLevel,
  comparable,
  type LevelOf,
  levelName,
  luckOf,
  moving,
  phaseSums,
  span,
  usualScore,
} from '../../state/strength'
import type { GamePhase } from '../../types'

export const percent = (x: number | null) => (x === null ? '–' : share(x))
export const tileText = (tile: number) => (tile > 0 ? whole(tile) : '–')

export const dateText = (when: number) =>
  new Date(when).toLocaleDateString(dateLocale, {
    day: 'numeric',
    month: 'short',
    ...(new Date(when).getFullYear() !== new Date().getFullYear() && { year: 'numeric' }),
  })

const points = (x: number | null) => (x === null ? '–' : whole(x))

/** Progress shows the cards about all games, and the cards about the chosen size. */
export function Progress(p: { games: PlayedGame[]; level: LevelOf; onShow: (g: PlayedGame) => void }) {
  const { games, level } = p
  const [size, setSize] = useState('')
  const sizes = bests(games)
  const chosen = sizes.find((s) => s.size === size) ?? sizes[0]
  const of = games.filter((g) => g.size === chosen?.size)
  const sizeCell = (s: (typeof sizes)[number]) => (
    <Button kind="small" pressed={s === chosen} onClick={() => setSize(s.size)} text={sizeText(s.size)} />
  )
  return (
    <>
      <LevelCard games={games} level={level} />
      {sizes.length > 0 && (
        <Card title={t('Best of each size')}>
          <Table
            label={t('Best of each size')}
            rows={sizes}
            id={(s) => s.size}
            columns={[
              { name: t('Size'), cell: sizeCell },
              { name: t('Games'), number: (s) => whole(s.games) },
              { name: t('Best score'), number: (s) => <b>{whole(s.score)}</b> },
              { name: t('Largest tile'), number: (s) => tileText(s.largest) },
            ]}
          />
        </Card>
      )}
      {chosen && of.length > 1 && (
        <Curves key={chosen.size} games={of} level={level} size={chosen.size} onShow={p.onShow} />
      )}
      {chosen && <Phases games={of} level={level} size={chosen.size} />}
    </>
  )
}

function LevelCard({ games, level }: { games: PlayedGame[]; level: LevelOf }) {
  const score = usualScore(games, '4x4')
  const of = comparable(games, '4x4')
  const judged = of.flatMap((g) => accuracyOf(g, level) ?? [])
  const left = lacking(games, level).length
  return (
    <Card title={t('Your level')}>
      <dl class="figures">
        <Figure main name={t('Level')} id="level" value={levelName(level('4x4'))} />
        {score !== null && <Figure name={t('Usual score')} id="usual" value={whole(Math.round(score))} />}
        {judged.length > 0 && <Figure name={t('Accuracy')} id="mean" value={figure(average(judged))} />}
      </dl>
      <p>
        {chosenLevel()
          ? t('You chose this level in Settings.')
          : score === null
            ? t('Finish a game on 4 × 4 with random new tiles: your level is computed from your scores.')
            : t(
                'Computed from the scores of your last {n|finished game|# finished games} on 4 × 4 with random new tiles.',
                { n: of.length },
              )}
      </p>
      {left > 0 && (
        <p class="dim" role="status" id="left">
          {t('{n|One game is|# games are} still to be judged, one after the other.', { n: left })}
        </p>
      )}
    </Card>
  )
}

/** Curves draws the games of a size in the order in which they were played. */
function Curves(p: { games: PlayedGame[]; level: LevelOf; size: string; onShow: (g: PlayedGame) => void }) {
  const [picked, pick] = useState(Infinity)
  const line = [...p.games].reverse()
  const at = Math.min(picked, line.length - 1)
  const curve = (name: string, values: (number | null)[], text: (x: number | null) => string) => {
    const means = moving(values)
    const label = t('{what} of {n} games; the mean of the last {span} is {value}', {
      what: name,
      n: line.length,
      span,
      value: text(means.at(-1) ?? null),
    })
    return { name, values, means, label, at: text(values[at] ?? null), mean: text(means[at] ?? null) }
  }
  const scores = line.map((g) => g.score)
  const score = curve(t('Score'), scores, points)
  const accuracies = line.map((g) => accuracyOf(g, p.level))
  const accuracy = curve(t('Accuracy'), accuracies, figure)
  const luck = curve(t('Luckier than this share of games'), line.map(luckOf), percent)
  const g = line[at]
  return (
    <Card title={t('Your curves on {size}', { size: sizeText(p.size) })}>
      {[score, accuracy, luck].map(
        (c) =>
          c.values.filter((v) => v !== null).length > 1 && (
            <Fragment key={c.name}>
              <h3 class="dim">{c.name}</h3>
              <Chart
                label={c.label}
                x={line.map((_, i) => i + 1)}
                xLabel={t('game')}
                at={at + 1}
                onPick={pick}
                joined
                height={170}
                zero={c !== accuracy}
                share={c !== score}
                curves={[
                  { label: t('game'), values: c.values, colour: '--dim', thin: true },
                  { label: t('mean of {n}', { n: span }), values: c.means, colour: '--accent' },
                ]}
              />
            </Fragment>
          ),
      )}
      <Slider
        label={t('Game')}
        min={1}
        max={line.length}
        value={at + 1}
        says={t('{n} of {all}', { n: at + 1, all: line.length })}
        onInput={(n) => pick(n - 1)}
      />
      {g && (
        <div class="spread">
          <p id="picked">
            {t('Game {n}, {date}: {points} points (mean {mean}), accuracy {share} (mean {usual})', {
              n: at + 1,
              date: dateText(g.when),
              points: g.score,
              mean: score.mean,
              share: accuracy.at,
              usual: accuracy.mean,
            })}
            {luckOf(g) !== null && `, ${t('luckier than {share} of games', { share: luck.at })}`}
          </p>
          <Button kind="small" onClick={() => p.onShow(g)} text={t('Open')} />
        </div>
      )}
    </Card>
  )
}

function Phases({ games, level, size }: { games: PlayedGame[]; level: LevelOf; size: string }) {
  const sums = phaseSums(games, level, Object.keys(phaseNames) as GamePhase[])
  if (sums.length === 0) return null
  const often = (p: PhaseSum) => fixed((1000 * p.mistakes) / p.moves, 0)
  return (
    <Card title={t('Loss by phase on {size}', { size: sizeText(size) })}>
      <Table
        label={t('Loss by phase')}
        table={{ id: 'phases' }}
        rows={sums}
        id={(p) => p.phase}
        columns={[
          { name: t('Phase'), cell: (p) => phaseNames[p.phase] },
          { name: t('Games'), number: (p) => whole(p.games) },
          { name: t('Moves'), number: (p) => whole(p.moves) },
          { name: t('Loss per move'), number: (p) => share(p.loss, 2) },
          { name: t('Accuracy'), number: (p) => figure(p.accuracy) },
          { name: t('Mistakes per 1,000 moves'), number: often },
        ]}
      />
    </Card>
  )
}
