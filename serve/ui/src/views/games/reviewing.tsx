// A game step by step, with the judge's opinion of each move.
import { useMemo } from 'preact/hooks'
import { blank } from '../../base/boards'
import { arrows, dirNames, rich, share, sizeText, t, whole } from '../../base/text'
import { Accuracy, Class, HowGood, Reasons, Sign } from '../../parts/accuracy'
import { BoardView, boldMove, type Marks, shape } from '../../parts/board'
import { FromHere, Futures } from '../../parts/from'
import { PlayerField } from '../../parts/player'
import { AskButton, Button, Card, Figure, Item } from '../../parts/ui'
import { classInfo, classWord, progress, worst } from '../../state/judge'
import type { MoveClass, MoveReview, ReviewSummary } from '../../types'
import { DrillsOfGame } from '../learn/drillsofgame'
import { GameCurve, Luck, Times } from './curves'
import { type Review, type Trial, useReview, useReviewKeys } from './reviewgame'

export function Reviewing({ record, info }: { record: string; info: ReviewSummary }) {
  const r = useReview(record, info)
  useReviewKeys(r)
  const { shown, hidden, v } = r
  const reasons = hidden ? undefined : v?.reasons
  /** pickNext shows the next move of a class or, after the last such move, the first. */
  const pickNext = (c: MoveClass) => {
    const all = r.values.filter((m) => m.class === c)
    r.pick((all.find((m) => m.move > r.at) ?? all[0])?.move ?? r.at)
  }
  return (
    <div class="arena">
      <div class="boardside reviewing" ref={r.boardside} style={shape(info.size)}>
        <dl class="figures">
          <Figure name={t('Score')} id="score" value={whole(shown?.score ?? 0)} />
          <Figure name={t('Move')} id="moves" value={r.atText} />
        </dl>
        <BoardView
          board={shown?.board ?? blank(info.size)}
          step={hidden ? null : (shown?.step ?? null)}
          marks={v ? marksOf(v, r.trial) : null}
          onMove={hidden ? r.answer : undefined}
        />
        <p class="opinion" role="status">
          <Opinion r={r} />
        </p>
        <TrialButtons r={r} />
        <Steps r={r} />
        <Strip r={r} />
      </div>
      <div class="stack">
        <Card title={t('What the move cost')}>
          <p class={reasons ? 'why' : 'why dim'}>
            {reasons ? (
              <Reasons of={reasons} />
            ) : v && !hidden && classInfo[v.class].bad ? (
              t('The reason is not certain. Ask why, or watch how the game goes on after both moves.')
            ) : (
              '–'
            )}
          </p>
        </Card>
        <Accuracy
          judged={r.judged}
          done={progress(r.judged, info.moves)}
          trouble={r.trouble}
          onAgain={r.again}
          onPick={pickNext}
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
    ['earlier', inaccuracies ? t('Previous error') : t('Previous mistake'), 'Shift+M', r.before],
    ['later', inaccuracies ? t('Next error') : t('Next mistake'), 'M', r.after],
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

function Worst({ r }: { r: Review }) {
  const { values, judged, at, hidden, pick } = r
  const bad = useMemo(() => values.filter((m) => classInfo[m.class].bad), [values])
  return (
    <Card title={t('Worst moves')}>
      {judged?.done && bad.length === 0 && <p class="dim">{t('None: no move was a clear mistake.')}</p>}
      <ol class="list worst">
        {worst(bad, 8).map((m) => (
          <Item key={m.move} current={m.move === at} onClick={() => pick(m.move)}>
            <Sign of={m.class} />
            <span>
              {t('Move {n}:', { n: m.move + 1 })}{' '}
              {hidden && m.move === at
                ? '?'
                : t('{move} instead of {best}', { move: arrows[m.played], best: arrows[m.best] })}
            </span>
            <span class="bad">{m.lost ? t('loses') : `−${share(m.loss, m.loss < 0.1 ? 1 : 0)}`}</span>
          </Item>
        ))}
      </ol>
    </Card>
  )
}

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
        label={t('Judged by')}
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
/** marksOf returns the marks that the board shows for a move. While the move is tried again, they do not reveal
    the answer. */
export function marksOf(v: MoveReview, trial: Trial | null): Marks | null {
  const made = trial ? trial.move : v.played
  const c = trial && made ? (v.moves[made]?.class ?? v.class) : v.class
  if (trial && !trial.shown) return made ? { best: null, played: made, word: classWord(c) } : null
  if (!made) return { best: v.best, played: null, word: '' }
  if (!classInfo[c].bad) return { best: made, played: made, word: classWord(c), bestWord: classWord(c) }
  return { best: v.best, played: made, word: classWord(c) }
}

/** Opinion says in words how good the shown or the tried move is. */
export function Opinion({ r }: { r: Review }) {
  const { v, trial, at } = r
  if (r.seeking && r.known < 1)
    return (
      <>
        {t('Looking for the move that cost the game…')} {share(Math.floor(100 * r.known) / 100)}
      </>
    )
  if (at >= r.info.moves) return t('The end of the game.')
  if (!v) return t('Move {n} is not judged yet.', { n: at + 1 })
  const best = rich('Best: {move}.', { move: boldMove(v.best) })
  if (trial && !trial.move)
    return trial.shown ? best : t('Which move is best here? Swipe, or press an arrow key.')
  if (v.class === 'forced')
    return (
      <>
        <Class of="forced" /> {rich('{move}: the only legal move.', { move: boldMove(v.played) })}
      </>
    )
  const move = trial?.move ?? v.played
  const tried = trial && v.moves[move]
  const of = tried ? { ...tried, lost: false, goal: v.goal } : v
  return (
    <>
      <HowGood move={move} of={of} />{' '}
      {trial && !trial.shown ? t('Another try?') : of.class !== 'best' && best}
    </>
  )
}

const around = 3 // number of moves in the strip on each side

/** Strip shows the moves around the current one with their marks. */
export function Strip({ r: { at, values, hidden, pick } }: { r: Review }) {
  const first = Math.max(0, Math.min(at - around, values.length - 2 * around - 1))
  return (
    <div class="strip" role="group" aria-label={t('Moves around this one')}>
      {values.slice(first, first + 2 * around + 1).map((m) => {
        const secret = hidden && m.move === at
        const label = secret ? '' : `, ${dirNames[m.played]}, ${classInfo[m.class].name}`
        return (
          <button
            key={m.move}
            type="button"
            data-class={secret ? undefined : m.class}
            aria-current={m.move === at}
            onClick={() => pick(m.move)}
            aria-label={t('Move {n}', { n: m.move + 1 }) + label}
          >
            {secret ? '?' : arrows[m.played]}
            {!secret && <Sign of={m.class} />}
          </button>
        )
      })}
    </div>
  )
}
