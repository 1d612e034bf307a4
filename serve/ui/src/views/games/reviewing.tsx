// A game step by step, with the judge's opinion of each move.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { share, sizeText, whole } from '../../base/format'
import { direction, letter, onControl, useKeys } from '../../base/keys'
import { t } from '../../base/text'
import { link } from '../../engine/net'
import { Accuracy, Sign } from '../../parts/accuracy'
import { arrow, BoardView, shape } from '../../parts/board'
import { FromHere, Futures } from '../../parts/from'
import { PlayerField } from '../../parts/player'
import { AskButton, Button, Card, Figure, Item, showBoard } from '../../parts/ui'
import { classInfo, faults, found, progress, turningPoint, useJudged, worst } from '../../state/judge'
import { useLevel } from '../../state/levels'
import { place, setPlace } from '../../state/reviewed'
import type { Dir, MoveClass, MoveReview, ReviewPosition, ReviewSummary } from '../../types'
import { DrillsOfGame } from '../learn/drillsofgame'
import { GameCurve } from './gamecurve'
import { Luck } from './luck'
import { marksOf, Opinion, Strip, type Trial } from './move'
import { Times } from './times'

const none: MoveReview[] = []

type Review = ReturnType<typeof useReview>

/** useReview is a reviewed game at one of its moves, which may be tried again. */
function useReview(record: string, info: ReviewSummary) {
  const [seeking, setSeeking] = useState(() => place() === 'mistake')
  const [at, setAt] = useState(() => (seeking ? info.moves : Math.min(info.moves, Number(place())))) // how many moves are made
  const [trial, setTrial] = useState<Trial | null>(null)
  const [player, setPlayer] = useState('') // a judge that was chosen
  const level = useLevel(info.player, info.size)
  const by = player ? { player } : level === null ? null : { level }
  const { judged, trouble, again } = useJudged(record, by, info.moves)
  const boardside = useRef<HTMLDivElement>(null)
  const values = judged?.moves ?? none
  const wrong = useMemo(() => faults(values), [values]) // a game may have 60,000 moves
  const v = values[at]
  const hidden = trial !== null && !trial.shown
  const known = found(judged, info.moves)
  const to = (n: number) => {
    const next = Math.max(0, Math.min(info.moves, n))
    setPlace(next)
    setSeeking(false)
    setTrial(null)
    setAt(next)
  }
  const showing = () => showBoard(boardside.current)
  useEffect(() => {
    if (!seeking || !judged?.done || (known < 1 && !trouble)) return
    const turn = turningPoint(judged)
    if (turn !== null) to(turn)
    setSeeking(false)
  }, [seeking, known, trouble])
  return {
    ...{ info, at, trial, seeking, known, judged, trouble, again, values, wrong, v, hidden, boardside, to },
    ...{ player, setPlayer, setTrial },
    shown: useShown(record, at),
    before: wrong.filter((m) => m.move < at).at(-1),
    after: wrong.find((m) => m.move > at),
    /** pick shows a move, and the board. */
    pick: (n: number) => {
      to(n)
      showing()
    },
    tries: () => {
      if (!v || v.class === 'forced') return
      setTrial({ at, move: null, shown: false })
      showing()
    },
    answer: (d: Dir) =>
      trial &&
      !trial.shown &&
      v?.moves[d] &&
      setTrial({ ...trial, move: d, shown: !classInfo[v.moves[d].class].bad }),
    reveal: () => trial && setTrial({ ...trial, shown: true }),
  }
}

function useReviewKeys(r: Review) {
  const { at, trial, hidden, before, after } = r
  useKeys((e) => {
    const d = direction(e)
    const range = e.target instanceof HTMLElement && e.target.matches('input[type=range]')
    if (hidden && d) r.answer(d)
    else if (trial && e.key === 'Escape') r.setTrial(null)
    else if (hidden && e.key === 'Enter' && !onControl(e)) r.reveal()
    else if (letter(e) === 't') r.tries()
    else if (letter(e) === 'm' && e.shiftKey) before && r.pick(before.move)
    else if (letter(e) === 'm') after && r.pick(after.move)
    else if (letter(e) === 'n' || (e.key === 'ArrowRight' && !range)) r.to(at + 1)
    else if (letter(e) === 'b' || (e.key === 'ArrowLeft' && !range)) r.to(at - 1)
    else if (e.key === 'Home' && !range) r.to(0)
    else if (e.key === 'End' && !range) r.to(r.info.moves)
    else return false
    return true
  })
}

export function Reviewing({ record, info }: { record: string; info: ReviewSummary }) {
  const r = useReview(record, info)
  const { at, judged, values, hidden, pick } = r
  useReviewKeys(r)
  return (
    <div class="arena">
      <div class="boardside reviewing" ref={r.boardside} style={shape(info.size)}>
        <ReviewBoard r={r} />
        <TrialButtons r={r} />
        <Steps r={r} />
        <Strip at={at} values={values} hidden={hidden} onPick={pick} />
      </div>
      <div class="stack">
        <GaveAway r={r} />
        <Accuracy
          judged={judged}
          done={progress(judged, info.moves)}
          trouble={r.trouble}
          onAgain={r.again}
          onPick={(c) => pick(nextOf(values, c, at))}
        />
        <GameCurve
          chance={judged?.chance ?? null}
          info={info}
          values={values}
          at={at}
          onPick={pick}
          onSlide={r.to}
        />
        {info.times && (
          <Times
            record={record}
            first={info.times}
            values={values}
            done={judged?.done ?? false}
            at={at}
            secret={hidden ? at : null}
            onPick={pick}
          />
        )}
        <Worst r={r} />
        <Luck record={record} info={info} judged={judged} at={at} onPick={pick} />
        <DrillsOfGame record={record} info={info} judged={judged} />
        <GameCard r={r} />
      </div>
    </div>
  )
}

function ReviewBoard({ r }: { r: Review }) {
  const { at, info, shown, hidden, v, trial } = r
  return (
    <>
      <dl class="figures">
        <Figure name={t('Score')} id="score" value={whole(shown?.score ?? 0)} />
        <Figure
          name={t('Move')}
          id="moves"
          value={
            at < info.moves
              ? t('{n} of {all}', { n: at + 1, all: info.moves })
              : t('end, after {n}', { n: info.moves })
          }
        />
      </dl>
      <BoardView
        board={shown?.board ?? info.board.map((row) => row.map(() => 0))}
        step={hidden ? null : (shown?.step ?? null)}
        marks={v ? marksOf(v, trial) : null}
        onMove={hidden ? r.answer : undefined}
      />
      <p class="opinion" role="status">
        <Opinion at={at} moves={info.moves} v={v} trial={trial} seeking={r.seeking} known={r.known} />
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
  const { at, info, before, after, pick } = r
  const fault = r.wrong[0]?.class === 'inaccuracy' ? 'inaccuracy' : 'mistake'
  const steps = [
    ['first', t('Start of the game'), 'Home', 0],
    ['back', t('One move back'), 'B', Math.max(0, at - 1)],
    ['step', t('One move forward'), 'N', Math.min(info.moves, at + 1)],
    ['last', t('End of the game'), 'End', info.moves],
  ] as const
  return (
    <>
      <div class="buttons">
        {steps.map(([icon, label, keys, n]) => (
          <Button
            key={icon}
            icon={icon}
            label={label}
            keys={keys}
            disabled={at === n}
            onClick={() => pick(n)}
          />
        ))}
      </div>
      <div class="buttons">
        <Button
          icon="earlier"
          label={t('Previous mistake')}
          keys="Shift+M"
          disabled={!before}
          onClick={() => before && pick(before.move)}
          text={fault === 'mistake' ? t('Previous mistake') : t('Previous inaccuracy')}
        />
        <Button
          icon="later"
          label={t('Next mistake')}
          keys="M"
          disabled={!after}
          onClick={() => after && pick(after.move)}
          text={fault === 'mistake' ? t('Next mistake') : t('Next inaccuracy')}
        />
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
  const { values, wrong, judged, at, info, hidden, pick } = r
  const worse = useMemo(
    () =>
      worst(
        values.filter((m) => classInfo[m.class].bad),
        8,
      ),
    [values],
  )
  const done = progress(judged, info.moves)
  return (
    <Card title={t('Worst moves')}>
      {values.length > 0 && wrong.length === 0 && done === 1 && (
        <p class="dim">{t('None: no move gave much away.')}</p>
      )}
      <ol class="list worst">
        {worse.map((m) => (
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
  const { info, judged, player, shown, hidden, values, v } = r
  const endings = useMemo(() => values.filter((m) => m.goal).length, [values])
  return (
    <Card title={t('Game')} class="words-only">
      <p>
        {t('{player} on {size}', {
          player: info.player || t('unknown player'),
          size: sizeText(info.size),
        })}
        ,{' '}
        {info.spawn === 'imported'
          ? t('imported')
          : t('seed {seed}', { seed: String(info.seed) }) +
            (info.spawn === 'random' ? '' : `, ${t('new tiles {rule}', { rule: info.spawn })}`)}
        : {t('{n} points', { n: info.score })}
      </p>
      <PlayerField
        label={t('Judge')}
        value={player || judged?.judge || ''}
        onChange={(p) => r.setPlayer(p === judged?.judge ? player : p)}
      />
      {judged?.exact && endings === 0 && <p class="dim">{t('This size is solved: all losses are exact.')}</p>}
      {endings > 0 && (
        <p class="dim">
          {t('{n} of {all} moves judged by exact chances of solved endings.', {
            n: endings,
            all: values.length,
          })}
        </p>
      )}
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

/** useShown returns the position of a record after some moves: the last one until it has arrived. */
function useShown(record: string, at: number): ReviewPosition | null {
  const [shown, setShown] = useState<ReviewPosition | null>(null)
  const wanted = useRef(at)
  useEffect(() => {
    wanted.current = at
    link.insist('review.show', { record, move: at }).then(
      (s) => wanted.current === at && setShown(s),
      () => {},
    )
  }, [at])
  return shown
}

/** nextOf returns the next move of a class after a position, or the first one of the game. */
function nextOf(values: MoveReview[], c: MoveClass, at: number): number {
  const all = values.filter((m) => m.class === c)
  return (all.find((m) => m.move > at) ?? all[0])?.move ?? at
}
