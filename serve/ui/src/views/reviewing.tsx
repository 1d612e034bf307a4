// A game step by step, with the judge's opinion of each move.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { arrow, BoardView, type Marks, shape } from '../board'
import { Chart, type Mark } from '../chart'
import { boardText, classNames, dirNames, share, whole } from '../format'
import { type Chance, classInfo, faults, lossText, progress, useJudged, worst } from '../judge'
import { useKeys } from '../keys'
import { link } from '../net'
import { PlayerField } from '../player'
import { place, setPlace } from '../reviewed'
import { go } from '../route'
import { rich, t } from '../text'
import type { Dir, MoveClass, MoveReview, ReviewPosition, ReviewSummary } from '../types'
import { Button, Card, direction, Field, Figure, showBoard } from '../ui'
import { Accuracy, Class, Sign } from './accuracy'
import { DrillsOfGame } from './drillsofgame'
import { FromHere, Futures } from './from'
import { Luck } from './luck'
import { Times } from './times'

/** Trial is a move that a person tries again. */
interface Trial {
  at: number
  move: Dir | null // the last answer
  shown: boolean // the answer of the judge is shown
}

const none: MoveReview[] = []

export function Reviewing({
  record,
  info,
  onLoad,
}: {
  record: string
  info: ReviewSummary
  onLoad: () => void
}) {
  const [seeking, setSeeking] = useState(() => place() === 'mistake')
  const [at, setAt] = useState(() => (seeking ? info.moves : Math.min(info.moves, Number(place())))) // how many moves are made
  const [trial, setTrial] = useState<Trial | null>(null)
  const [player, setPlayer] = useState('')
  const { judged, trouble, again } = useJudged(record, player, info.moves)
  const shown = useShown(record, at)
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
  useEffect(() => {
    if (!seeking || !judged?.done) return
    const last = wrong.at(-1)
    if (last) to(last.move)
    setSeeking(false)
  }, [seeking, judged?.done])

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
    if (trial && d && !trial.shown) answer(d)
    else if (trial && e.key === 'Escape') setTrial(null)
    else if (
      trial &&
      e.key === 'Enter' &&
      !trial.shown &&
      !(e.target instanceof HTMLElement && e.target.matches('button, a'))
    )
      reveal()
    else if (e.key === 't') tries()
    else if (e.key === 'm') after && pick(after.move)
    else if (e.key === 'M') before && pick(before.move)
    else if (e.key === 'n' || (e.key === 'ArrowRight' && !range)) to(at + 1)
    else if (e.key === 'b' || (e.key === 'ArrowLeft' && !range)) to(at - 1)
    else if (e.key === 'Home' && !range) to(0)
    else if (e.key === 'End' && !range) to(info.moves)
    else return false
    return true
  })

  const hidden = trial !== null && !trial.shown
  return (
    <div class="arena">
      <div class="boardside reviewing" ref={boardside} style={shape(info.size)}>
        <dl class="figures">
          <Figure name={t('Score')} value={<span id="score">{whole(shown?.score ?? 0)}</span>} />
          <Figure
            name={t('Move')}
            value={
              <span id="moves">
                {at < info.moves
                  ? t('{n} of {all}', { n: at + 1, all: info.moves })
                  : t('end, after {n}', { n: info.moves })}
              </span>
            }
          />
        </dl>
        <BoardView
          board={shown?.board ?? info.board.map((r) => r.map(() => 0))}
          step={hidden ? null : (shown?.step ?? null)}
          marks={v ? marksOf(v, trial) : null}
          {...(trial && !trial.shown ? { onMove: answer } : {})}
        />
        <Opinion at={at} moves={info.moves} v={v} trial={trial} seeking={seeking} done={done} />
        {trial ? (
          <div class="buttons">
            {!trial.shown && (
              <Button {...(trial.move ? {} : { icon: 'hint' })} keys="Enter" onClick={reveal}>
                {t('Show the answer')}
              </Button>
            )}
            {trial.move && (
              <Button icon="undo" label={t('Try again here')} keys="T" onClick={tries}>
                {t('Try again')}
              </Button>
            )}
            <Button keys="Escape" onClick={() => setTrial(null)}>
              {trial.shown ? t('Done') : t('Stop')}
            </Button>
          </div>
        ) : (
          <div class="buttons">
            <Button
              icon="undo"
              label={t('Try again here')}
              keys="T"
              disabled={!v || v.class === 'forced'}
              onClick={tries}
            >
              {t('Try again here')}
            </Button>
            <Button
              icon="ask"
              disabled={!shown}
              onClick={() => shown && go(`ask/${boardText(shown.board)}/${shown.score}`)}
            >
              {t('Ask why')}
            </Button>
          </div>
        )}
        <div class="buttons">
          <Button
            icon="first"
            label={t('Start of the game')}
            keys="Home"
            disabled={at === 0}
            onClick={() => pick(0)}
          />
          <Button
            icon="back"
            label={t('One move back')}
            keys="B"
            disabled={at === 0}
            onClick={() => pick(at - 1)}
          />
          <Button
            icon="step"
            label={t('One move forward')}
            keys="N"
            disabled={at === info.moves}
            onClick={() => pick(at + 1)}
          />
          <Button
            icon="last"
            label={t('End of the game')}
            keys="End"
            disabled={at === info.moves}
            onClick={() => pick(info.moves)}
          />
        </div>
        <div class="buttons">
          <Button
            icon="earlier"
            label={t('Previous mistake')}
            keys="Shift+M"
            disabled={!before}
            onClick={() => before && pick(before.move)}
          >
            {fault === 'mistake' ? t('Previous mistake') : t('Previous inaccuracy')}
          </Button>
          <Button
            icon="later"
            label={t('Next mistake')}
            keys="M"
            disabled={!after}
            onClick={() => after && pick(after.move)}
          >
            {fault === 'mistake' ? t('Next mistake') : t('Next inaccuracy')}
          </Button>
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
        <Curve
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
              <li key={m.move}>
                <button type="button" aria-current={m.move === at} onClick={() => pick(m.move)}>
                  <Sign of={m.class} />
                  <span>
                    {t('Move {n}:', { n: m.move + 1 })}{' '}
                    {hidden && m.move === at
                      ? '?'
                      : t('{move} instead of {best}', { move: arrow(m.played), best: arrow(m.best) })}
                  </span>
                  <span class="bad">{m.lost ? t('loses') : `−${share(m.loss, m.loss < 0.1 ? 1 : 0)}`}</span>
                </button>
              </li>
            ))}
          </ol>
        </Card>
        <Luck record={record} info={info} now={values.length === info.moves} at={at} onPick={pick} />
        <DrillsOfGame record={record} info={info} judged={judged} />
        <Card title={t('Game')}>
          <p>
            {t('{player} on {size}', {
              player: info.player || t('unknown player'),
              size: info.size.replace('x', ' × '),
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
          <Button onClick={onLoad}>{t('Review another game')}</Button>
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

/** marksOf returns what the board shows of a move: nothing of the answer while it is tried again. */
function marksOf(v: MoveReview, trial: Trial | null): Marks | null {
  const word = (c: MoveClass) => `${classInfo[c].sign} ${classNames[c]}`
  const made = trial ? trial.move : v.played
  const c = trial && made ? (v.moves[made]?.class ?? v.class) : v.class
  if (trial && !trial.shown) return made ? { best: null, played: made, word: word(c) } : null
  if (!made) return { best: v.best, played: null, word: '' }
  if (!classInfo[c].bad) return { best: made, played: made, word: word(c), bestWord: word(c) }
  return { best: v.best, played: made, word: word(c) }
}

/** Opinion says in words how good the shown or the tried move is. */
function Opinion({
  at,
  moves,
  v,
  trial,
  seeking,
  done,
}: {
  at: number
  moves: number
  v: MoveReview | undefined
  trial: Trial | null
  seeking: boolean
  done: number
}) {
  const name = (d: Dir) => (
    <b>
      {arrow(d)} {dirNames[d]}
    </b>
  )
  if (seeking && done < 1)
    return (
      <p class="opinion" role="status">
        {t('Looking for your last serious mistake…')} {share(Math.floor(100 * done) / 100)}
      </p>
    )
  if (at >= moves)
    return (
      <p class="opinion" role="status">
        {t('The end of the game.')}
      </p>
    )
  if (!v)
    return (
      <p class="opinion" role="status">
        {t('Move {n} is not judged yet.', { n: at + 1 })}
      </p>
    )
  const tried = trial?.move ? v.moves[trial.move] : undefined
  if (trial?.move && tried) {
    return (
      <p class="opinion" role="status">
        <Class of={tried.class} />{' '}
        {tried.class === 'best'
          ? rich('{move} is the best move.', { move: name(trial.move) })
          : rich('{move} {loses}.', { move: name(trial.move), loses: lossText(tried.loss, false, v.goal) })}
        {trial.shown && tried.class !== 'best' && <> {rich('Best: {move}.', { move: name(v.best) })}</>}
        {!trial.shown && ` ${t('Another try?')}`}
      </p>
    )
  }
  if (trial)
    return (
      <p class="opinion" role="status">
        {trial.shown
          ? rich('Best: {move}.', { move: name(v.best) })
          : t('Which move is best here? Swipe, or press an arrow key.')}
      </p>
    )
  if (v.class === 'forced')
    return (
      <p class="opinion" role="status">
        <Class of="forced" /> {rich('{move}: there was no other.', { move: name(v.played) })}
      </p>
    )
  return (
    <p class="opinion" role="status">
      <Class of={v.class} />{' '}
      {v.class === 'best' ? (
        rich('{move} is the best move.', { move: name(v.played) })
      ) : (
        <>
          {rich('{move} {loses}.', { move: name(v.played), loses: lossText(v.loss, v.lost, v.goal) })}{' '}
          {rich('Best: {move}.', { move: name(v.best) })}
        </>
      )}
    </p>
  )
}

const around = 3 // moves of the strip on each side

/** Strip shows the moves around the current one with their marks. */
function Strip({
  at,
  values,
  hidden,
  onPick,
}: {
  at: number
  values: MoveReview[]
  hidden: boolean
  onPick: (n: number) => void
}) {
  const first = Math.max(0, Math.min(at - around, values.length - 2 * around - 1))
  return (
    <div class="strip" role="group" aria-label={t('Moves around this one')}>
      {values.slice(first, first + 2 * around + 1).map((m) => {
        const secret = hidden && m.move === at
        return (
          <button
            key={m.move}
            type="button"
            data-class={secret ? undefined : m.class}
            aria-current={m.move === at}
            onClick={() => onPick(m.move)}
            aria-label={
              t('Move {n}', { n: m.move + 1 }) +
              (secret ? '' : `, ${dirNames[m.played]}, ${classInfo[m.class].name}`)
            }
          >
            {secret ? (
              '?'
            ) : (
              <>
                {arrow(m.played)}
                <Sign of={m.class} />
              </>
            )}
          </button>
        )
      })}
    </div>
  )
}

/** nextOf returns the next move of a class after a position, or the first one of the game. */
function nextOf(values: MoveReview[], c: MoveClass, at: number): number {
  const all = values.filter((m) => m.class === c)
  return (all.find((m) => m.move > at) ?? all[0])?.move ?? at
}

/** Curve draws how safe the game was, with the mistakes on it. */
function Curve({
  chance,
  info,
  values,
  at,
  onPick,
  onSlide,
}: {
  chance: Chance | null
  info: ReviewSummary
  values: MoveReview[]
  at: number
  onPick: (n: number) => void
  onSlide: (n: number) => void
}) {
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
        onPick={onPick}
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
      <Field label={t('Move')}>
        <input
          type="range"
          min={1}
          max={info.moves + 1}
          value={at + 1}
          aria-valuetext={
            at < info.moves
              ? t('{n} of {all}', { n: at + 1, all: info.moves })
              : t('end, after {n}', { n: info.moves })
          }
          onInput={(e) => onSlide(Number(e.currentTarget.value) - 1)}
          onChange={(e) => onPick(Number(e.currentTarget.value) - 1)}
        />
      </Field>
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
