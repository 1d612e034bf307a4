// The board of a game that is played here, its score, its special moments and its end. Moments are shown, played as
// sounds, felt as vibrations, and announced to screen readers.
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { largest } from '../../base/boards'
import { direction, useKeys } from '../../base/keys'
import { load } from '../../base/store'
import { clock, dirNames, placeIn, rich, spoken, t, whole } from '../../base/text'
import { BoardView, type Marks, useAnnounce } from '../../parts/board'
import { Alert, Button, Figure, reveal } from '../../parts/ui'
import { winningTile } from '../../rules/rules'
import { type OwnGame, useGame } from '../../state/game'
import { apart, type Kept, recordOf } from '../../state/kept'
import { bestOf, counts } from '../../state/played'
import { review } from '../../state/reviewed'
import type { Decision, Dir, GameState } from '../../types'
import { ShareGame } from './sheet'

const momentTime = 2200 // milliseconds for which a moment is shown

/** felt makes a phone vibrate. Browsers refuse this before the first touch. */
function felt(pattern: number[]) {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern)
}

/** useMoments returns the words of the current moment, while they are shown. */
function useMoments(g: OwnGame): string {
  const [words, say] = useState('')
  const last = useRef({ uid: g.kept.uid, state: g.state })
  const best = useRef(Number.POSITIVE_INFINITY) // the best score to beat; infinite once it is beaten
  const { state, kept } = g
  useEffect(() => {
    const { score } = bestOf(kept)
    best.current = counts(kept) && score > kept.score ? score : Number.POSITIVE_INFINITY
    say('')
  }, [kept.uid])
  useEffect(() => {
    const before = last.current
    last.current = { uid: kept.uid, state }
    if (before.uid !== kept.uid || state.moves !== before.state.moves + 1 || g.event !== 'move') return
    const tile = largest(state.board)
    const larger = tile >= winningTile && tile > largest(before.state.board)
    const beaten = state.score > best.current
    if (beaten) best.current = Number.POSITIVE_INFINITY
    if (load('sound', false))
      void import('../../parts/sound').then((m) => m.sound(state, largest(before.state.board), beaten))
    if (state.over) felt([160, 80, 160])
    else if (larger) felt([30, 50, 30, 50, 90])
    else if (beaten) felt([60])
    if (larger) say(`${tile}!`)
    else if (beaten) say(t('New best'))
    else return
    const timer = setTimeout(() => say(''), momentTime)
    return () => clearTimeout(timer)
  }, [state])
  return words
}

/** announced returns the text that screen readers say about the last event. Every second text has another
    ending, so that an equal text is said again. */
const announced = (g: OwnGame) => eventText(g) + (g.events % 2 ? '\u00a0' : '')

function eventText({ state: s, event }: OwnGame): string {
  const reached = s.paused_on_win ? t('{tile} reached', { tile: '2048' }) : ''
  if (s.over) return [reached, t('No moves left. Score {n}.', { n: s.score })].filter(Boolean).join('. ')
  if (event === 'nothing')
    return s.paused_on_win ? t('You made {tile}!', { tile: '2048' }) : t('Nothing moves.')
  const parts: string[] = event === 'undo' ? [t('Move taken back')] : []
  if (s.step) {
    parts.push(dirNames[s.step.move])
    if (s.step.reward) parts.push(t('plus {n}', { n: s.step.reward }))
    const { cell, tile } = s.step.spawn
    parts.push(
      t('new {tile} in row {row}, column {column}', { tile, ...placeIn(cell, s.board[0]?.length ?? 1) }),
    )
  }
  if (reached) parts.push(reached)
  return `${[parts.join(', '), spoken(s.board), t('Score {n}', { n: s.score })].filter(Boolean).join('. ')}.`
}

/** Gained is the label of the score, with the points of the last move. */
export function Gained({ g }: { g: OwnGame }) {
  const reward = g.state.step?.reward ?? 0
  return (
    <>
      {t('Score')}
      {reward > 0 && (
        <span key={g.events} class="gain" aria-hidden="true">
          +{whole(reward)}
        </span>
      )}
    </>
  )
}

/** GameBoard is the board of a game. It shows the game's moments and announces events to screen readers. */
export function GameBoard(p: {
  g: OwnGame
  onMove: ((d: Dir) => void) | undefined
  decision?: Decision | null
  marks?: Marks | null
}) {
  const { g, ...board } = p
  const moment = useMoments(g)
  const announcement = useAnnounce(announced(g))
  return (
    <>
      <BoardView board={g.state.board} step={g.state.step} {...board}>
        {moment && (
          <p class="moment" key={g.events} aria-hidden="true">
            {moment}
          </p>
        )}
      </BoardView>
      {announcement}
    </>
  )
}

function headline({ state: s, complete }: OwnGame): string {
  if (complete) return t('You completed the stage!')
  if (s.over && s.paused_on_win) return t('You made {tile}. No moves are left', { tile: '2048' })
  return s.over ? t('No moves left') : t('You made {tile}!', { tile: '2048' })
}

/** EndCard is the card at the end of a game. A game that is played apart has its own buttons. */
export function EndCard(p: {
  g: OwnGame
  summary?: boolean
  onAgain?: () => void
  onMore?: () => void
  children?: ComponentChildren
}) {
  const { g } = p
  const { state: s, kept } = g
  const ended = s.over || g.complete
  return (
    <section class="card ending over" aria-label={ended && !g.complete ? t('Game over') : t('You win')}>
      <h2>{headline(g)}</h2>
      {ended ? (
        <Sums g={g} />
      ) : (
        <p>
          {rich('*{points}* {points|point|points} in {moves} {moves|move|moves}', {
            points: s.score,
            moves: s.moves,
          })}
        </p>
      )}
      <div class="row">
        {p.children && s.paused_on_win && !s.over && <Keep g={g} />}
        {p.children ?? (
          <>
            {ended ? (
              <Button kind="main" icon="add" onClick={() => p.onAgain?.()} text={t('Again')} />
            ) : (
              <Keep g={g} />
            )}
            <Button icon="undo" onClick={() => g.undo()} text={t('Undo')} />
            <Button icon="review" onClick={() => review(recordOf(kept), ended)} text={t('Review')} />
            <ShareGame g={g} />
            <Button icon="more" label={t('More')} onClick={() => p.onMore?.()} />
            {p.summary && ended && (
              <Button onClick={() => reveal(document.querySelector('.grades'))} text={t('Summary')} />
            )}
          </>
        )}
      </div>
    </section>
  )
}

const Keep = ({ g }: { g: OwnGame }) => (
  <Button kind="main" onClick={() => g.keepPlaying()} text={t('Keep playing')} />
)

function Sums({ g }: { g: OwnGame }) {
  const lasted = g.lasted()
  const splits = g.reached()
  const best = bestOf(g.kept)
  return (
    <>
      <dl class="figures">
        <Figure name={t('Score')} value={whole(g.state.score)} />
        <Figure name={t('Largest tile')} value={largest(g.state.board)} />
        {lasted !== null && <Figure name={t('Time')} value={clock(lasted)} />}
        {counts(g.kept) && !apart(g.kept) && (
          <Figure name={best.helped ? t('Best, with help') : t('Best so far')} value={whole(best.score)} />
        )}
      </dl>
      {splits.length > 0 && (
        <ul class="splits" aria-label={t('When large tiles were made')}>
          {splits.map((x) => (
            <li key={x.tile}>
              <b>{x.tile}</b> {clock(x.ms)}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

interface MatchGameProps {
  kept: Kept
  best?: number | undefined // best score of all days
  ended: preact.ComponentChildren // buttons of the end card
  actions: preact.ComponentChildren // buttons while the game goes on
  onChange: (k: Kept, s: GameState) => void // also called at the start
}

/** MatchGame shows a game apart from the visitor's own one: a game of the day, of a duel or of a stage. */
export function MatchGame(p: MatchGameProps) {
  const game = useGame(p.kept)
  const { state, kept } = game
  const ended = state.over || game.complete
  const move = (d: Dir) => game.move(d)
  // a layout effect, so that onChange is called before the next input is handled
  useLayoutEffect(() => p.onChange(kept, state), [kept])
  useKeys((e) => {
    const d = direction(e)
    if (d) move(d)
    return d !== undefined
  })
  return (
    <>
      <dl class="figures">
        <Figure main id="score" name={<Gained g={game} />} value={whole(state.score)} />
        {p.best !== undefined && <Figure name={t('Best of all days')} value={p.best ? whole(p.best) : '–'} />}
        <Figure name={t('Moves')} id="moves" value={whole(state.moves)} />
      </dl>
      <GameBoard g={game} onMove={ended ? undefined : move} />
      {ended ? (
        <EndCard g={game}>
          {p.ended}
          <Button icon="review" onClick={() => review(recordOf(kept), true)} text={t('Review')} />
        </EndCard>
      ) : (
        <div class="buttons">{p.actions}</div>
      )}
      <Alert text={game.trouble} />
    </>
  )
}
