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

export function Reviewing(p: { record: string; info: ReviewSummary }) {
  const { record, info } = p
  const [seeking, setSeeking] = useState(() => place() === 'mistake')
  const [at, setAt] = useState(() => (seeking ? info.moves : Math.min(info.moves, Number(place())))) // how many moves are made
  const [trial, setTrial] = useState<Trial | null>(null)
  const [player, setPlayer] = useState('')
  const level = useLevel(info.player, info.size)
  const by = player ? { player } : level === null ? null : { level }
  const { judged, trouble, again } = useJudged(record, by, info.moves)
  const shown = useShown(record, at)
  const hidden = trial !== null && !trial.shown
  const boardside = useRef<HTMLDivElement>(null)
  const values = judged?.moves ?? none
  const { wrong, endings, worse } = useMemo(
    () => ({
      wrong: faults(values),
      endings: values.filter((m) => m.goal).length,
      worse: worst(
        values.filter((m) => classInfo[m.class].bad),
        8,
      ),
    }),
    [values],
  ) // a game may have 60,000 moves
  const v = values[at]
  const done = progress(judged, info.moves)
  const fault = wrong[0]?.class === 'inaccuracy' ? 'inaccuracy' : 'mistake'
  const before = wrong.filter((m) => m.move < at).at(-1)
  const after = wrong.find((m) => m.move > at)

  const to = (n: number) => {
    const next = Math.max(0, Math.min(info.moves, n))
    setPlace(next)
    setSeeking(false)
    setTrial(null)
    setAt(next)
  }
  /** pick shows a move, and the board. */
  const pick = (n: number) => {
    to(n)
    showBoard(boardside.current)
  }
  const known = found(judged, info.moves)
  useEffect(() => {
    if (!seeking || !judged?.done || (known < 1 && !trouble)) return
    const turn = turningPoint(judged)
    if (turn !== null) to(turn)
    setSeeking(false)
  }, [seeking, known, trouble])

  const tries = () => {
    if (!v || v.class === 'forced') return
    setTrial({ at, move: null, shown: false })
    showBoard(boardside.current)
  }
  const answer = (d: Dir) =>
    trial &&
    !trial.shown &&
    v?.moves[d] &&
    setTrial({ ...trial, move: d, shown: !classInfo[v.moves[d].class].bad })
  const reveal = () => trial && setTrial({ ...trial, shown: true })
  useKeys((e) => {
    const d = direction(e)
    const range = e.target instanceof HTMLElement && e.target.matches('input[type=range]')
    if (hidden && d) answer(d)
    else if (trial && e.key === 'Escape') setTrial(null)
    else if (hidden && e.key === 'Enter' && !onControl(e)) reveal()
    else if (letter(e) === 't') tries()
    else if (letter(e) === 'm' && e.shiftKey) before && pick(before.move)
    else if (letter(e) === 'm') after && pick(after.move)
    else if (letter(e) === 'n' || (e.key === 'ArrowRight' && !range)) to(at + 1)
    else if (letter(e) === 'b' || (e.key === 'ArrowLeft' && !range)) to(at - 1)
    else if (e.key === 'Home' && !range) to(0)
    else if (e.key === 'End' && !range) to(info.moves)
    else return false
    return true
  })

  const steps = [
    ['first', t('Start of the game'), 'Home', 0],
    ['back', t('One move back'), 'B', Math.max(0, at - 1)],
    ['step', t('One move forward'), 'N', Math.min(info.moves, at + 1)],
    ['last', t('End of the game'), 'End', info.moves],
  ] as const
  return (
    <div class="arena">
      <div class="boardside reviewing" ref={boardside} style={shape(info.size)}>
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
          board={shown?.board ?? info.board.map((r) => r.map(() => 0))}
          step={hidden ? null : (shown?.step ?? null)}
          marks={v ? marksOf(v, trial) : null}
          onMove={hidden ? answer : undefined}
        />
        <p class="opinion" role="status">
          <Opinion at={at} moves={info.moves} v={v} trial={trial} seeking={seeking} known={known} />
        </p>
        {trial ? (
          <div class="buttons">
            {!trial.shown && (
              <Button
                {...(trial.move ? {} : { icon: 'hint' })}
                keys="Enter"
                onClick={reveal}
                text={t('Show the answer')}
              />
            )}
            {trial.move && (
              <Button
                icon="undo"
                label={t('Try again here')}
                keys="T"
                onClick={tries}
                text={t('Try again')}
              />
            )}
            <Button keys="Escape" onClick={() => setTrial(null)} text={trial.shown ? t('Done') : t('Stop')} />
          </div>
        ) : (
          <div class="buttons">
            <Button
              icon="undo"
              keys="T"
              disabled={!v || v.class === 'forced'}
              onClick={tries}
              text={t('Try again here')}
            />
            <AskButton of={shown} text={t('Ask why')} />
          </div>
        )}
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
        <Strip at={at} values={values} hidden={hidden} onPick={pick} />
      </div>
      <div class="stack">
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
        <Accuracy
          judged={judged}
          done={done}
          trouble={trouble}
          onAgain={again}
          onPick={(c) => pick(nextOf(values, c, at))}
        />
        <GameCurve
          chance={judged?.chance ?? null}
          info={info}
          values={values}
          at={at}
          onPick={pick}
          onSlide={to}
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
        <Luck record={record} info={info} judged={judged} at={at} onPick={pick} />
        <DrillsOfGame record={record} info={info} judged={judged} />
        <Card title={t('Game')}>
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
            onChange={(p) => setPlayer(p === judged?.judge ? player : p)}
          />
          {judged?.exact && endings === 0 && (
            <p class="dim">{t('This size is solved: all losses are exact.')}</p>
          )}
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
      </div>
    </div>
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
