// A game step by step, with the judge's opinion of each move.

import { useMemo } from 'preact/hooks'
import { share, sizeText, whole } from '../../base/format'
import { t } from '../../base/text'
import { Accuracy, Sign } from '../../parts/accuracy'
import { arrow, BoardView, shape } from '../../parts/board'
import { FromHere, Futures } from '../../parts/from'
import { PlayerField } from '../../parts/player'
import { AskButton, Button, Card, Figure, Item } from '../../parts/ui'
import { classInfo, progress, worst } from '../../state/judge'
import type { MoveClass, MoveReview, ReviewSummary } from '../../types'
import { DrillsOfGame } from '../learn/drillsofgame'
import { GameCurve } from './gamecurve'
import { Luck } from './luck'
import { marksOf, Opinion, Strip } from './move'
import { type Review, useReview, useReviewKeys } from './reviewgame'
import { Times } from './times'

export function Reviewing({ record, info }: { record: string; info: ReviewSummary }) {
  const r = useReview(record, info)
  useReviewKeys(r)
  return (
    <div class="arena">
      <div class="boardside reviewing" ref={r.boardside} style={shape(info.size)}>
        <ReviewBoard r={r} />
        <TrialButtons r={r} />
        <Steps r={r} />
        <Strip r={r} />
      </div>
      <div class="stack">
        <GaveAway r={r} />
        <Accuracy
          judged={r.judged}
          done={progress(r.judged, info.moves)}
          trouble={r.trouble}
          onAgain={r.again}
          onPick={(c) => r.pick(nextOf(r.values, c, r.at))}
        />
        <GameCurve r={r} />
        {info.times && <Times r={r} first={info.times} />}
        <Worst r={r} />
        <Luck r={r} />
        <DrillsOfGame record={record} info={info} judged={r.judged} />
        <GameCard r={r} />
      </div>
    </div>
  )
}

function ReviewBoard({ r }: { r: Review }) {
  const { info, shown, hidden, v } = r
  return (
    <>
      <dl class="figures">
        <Figure name={t('Score')} id="score" value={whole(shown?.score ?? 0)} />
        <Figure name={t('Move')} id="moves" value={r.atText} />
      </dl>
      <BoardView
        board={shown?.board ?? info.board.map((row) => row.map(() => 0))}
        step={hidden ? null : (shown?.step ?? null)}
        marks={v ? marksOf(v, r.trial) : null}
        onMove={hidden ? r.answer : undefined}
      />
      <p class="opinion" role="status">
        <Opinion r={r} />
      </p>
    </>
  )
}

/** TrialButtons try the move again, or end that. */
function TrialButtons({ r }: { r: Review }) {
  const { trial, v, shown } = r
  return trial ? (
    <div class="buttons">
      {!trial.shown && (
        <Button
          {...(trial.move ? {} : { icon: 'hint' })}
          keys="Enter"
          onClick={r.reveal}
          text={t('Show the answer')}
        />
      )}
      {trial.move && (
        <Button icon="undo" label={t('Try again here')} keys="T" onClick={r.tries} text={t('Try again')} />
      )}
      <Button keys="Escape" onClick={() => r.setTrial(null)} text={trial.shown ? t('Done') : t('Stop')} />
    </div>
  ) : (
    <div class="buttons">
      <Button
        icon="undo"
        keys="T"
        disabled={!v || v.class === 'forced'}
        onClick={r.tries}
        text={t('Try again here')}
      />
      <AskButton of={shown} text={t('Ask why')} />
    </div>
  )
}

/** Steps go to other moves, and to other mistakes. */
function Steps({ r }: { r: Review }) {
  const { at, info, pick } = r
  const steps = [
    ['first', t('Start of the game'), 'Home', 0],
    ['back', t('One move back'), 'B', Math.max(0, at - 1)],
    ['step', t('One move forward'), 'N', Math.min(info.moves, at + 1)],
    ['last', t('End of the game'), 'End', info.moves],
  ] as const
  const inaccuracies = r.wrong[0]?.class === 'inaccuracy'
  const faults = [
    ['earlier', inaccuracies ? t('Previous inaccuracy') : t('Previous mistake'), 'Shift+M', r.before],
    ['later', inaccuracies ? t('Next inaccuracy') : t('Next mistake'), 'M', r.after],
  ] as const
  return (
    <>
      <div class="buttons">
        {steps.map(([icon, label, keys, n]) => (
          <Button key={icon} {...{ icon, label, keys }} disabled={at === n} onClick={() => pick(n)} />
        ))}
      </div>
      <div class="buttons">
        {faults.map(([icon, text, keys, m]) => (
          <Button key={icon} {...{ icon, text, keys }} disabled={!m} onClick={() => m && pick(m.move)} />
        ))}
      </div>
    </>
  )
}

function GaveAway({ r: { v, hidden } }: { r: Review }) {
  return (
    <Card title={t('What the move gave away')}>
      <p class="why">
        {(!hidden && v?.why && <span lang="en">{v.why}</span>) || (
          <span class="dim">
            {v && !hidden && classInfo[v.class].bad
              ? t('Nothing sure can be said. Ask why, or watch both futures.')
              : '–'}
          </span>
        )}
      </p>
    </Card>
  )
}

/** Worst lists the moves that gave most away. */
function Worst({ r }: { r: Review }) {
  const { values, judged, at, hidden, pick } = r
  const bad = useMemo(() => values.filter((m) => classInfo[m.class].bad), [values])
  return (
    <Card title={t('Worst moves')}>
      {judged?.done && bad.length === 0 && <p class="dim">{t('None: no move gave much away.')}</p>}
      <ol class="list worst">
        {worst(bad, 8).map((m) => (
          <Item key={m.move} current={m.move === at} onClick={() => pick(m.move)}>
            <Sign of={m.class} />
            <span>
              {t('Move {n}:', { n: m.move + 1 })}{' '}
              {hidden && m.move === at
                ? '?'
                : t('{move} instead of {best}', { move: arrow(m.played), best: arrow(m.best) })}
            </span>
            <span class="bad">{m.lost ? t('loses') : `−${share(m.loss, m.loss < 0.1 ? 1 : 0)}`}</span>
          </Item>
        ))}
      </ol>
    </Card>
  )
}

/** GameCard says which game it is, and goes on from its boards. */
function GameCard({ r }: { r: Review }) {
  const { info, judged, player, shown, hidden, v } = r
  return (
    <Card title={t('Game')} class="words-only">
      <p>
        {t('{player} on {size}', { player: info.player || t('unknown player'), size: sizeText(info.size) })},{' '}
        {info.spawn === 'imported' ? t('imported') : t('seed {seed}', { seed: String(info.seed) })}
        {!/^(random|imported)$/.test(info.spawn) && `, ${t('new tiles {rule}', { rule: info.spawn })}`}:{' '}
        {t('{n} points', { n: info.score })}
      </p>
      <PlayerField
        label={t('Judge')}
        value={player || judged?.judge || ''}
        onChange={(p) => r.setPlayer(p === judged?.judge ? player : p)}
      />
      {judged?.exact && <p class="dim">{t('This size is solved: all losses are exact.')}</p>}
      <FromHere board={shown?.board} />
      <Futures
        board={shown?.board}
        played={hidden ? undefined : v?.played}
        best={hidden ? undefined : v?.best}
      />
      <div class="row fill">
        <Button icon="games" to="games" text={t('Games')} />
        <Button icon="open" to="review/open" text={t('Review another game')} />
      </div>
    </Card>
  )
}

/** nextOf returns the next move of a class after a position, or the first one of the game. */
function nextOf(values: MoveReview[], c: MoveClass, at: number): number {
  const all = values.filter((m) => m.class === c)
  return (all.find((m) => m.move > at) ?? all[0])?.move ?? at
}
