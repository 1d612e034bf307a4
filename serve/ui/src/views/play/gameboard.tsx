// The board of a game that is played here, its score and its moments: a large tile, a new best score, the end. They are
// seen, heard, felt and said.
import { useEffect, useRef, useState } from 'preact/hooks'
import { largest } from '../../base/boards'
import { load } from '../../base/store'
import { dirNames, placeIn, spoken, t, whole } from '../../base/text'
import { BoardView, type Marks, useAnnounce } from '../../parts/board'
import { winningTile } from '../../rules/rules'
import type { OwnGame } from '../../state/game'
import { bestOf, counts } from '../../state/gamestorage'
import type { Decision, Dir } from '../../types'

const shown = 2200 // milliseconds

/** felt lets a phone vibrate. Browsers refuse it before the first touch. */
function felt(pattern: number[]) {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern)
}

/** useMoments returns the words of a moment as long as they are shown. */
function useMoments(g: OwnGame): string {
  const [words, say] = useState('')
  const last = useRef({ uid: g.kept.uid, state: g.state })
  const best = useRef(Number.POSITIVE_INFINITY) // to beat; infinite once it is beaten
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
    const timer = setTimeout(() => say(''), shown)
    return () => clearTimeout(timer)
  }, [state])
  return words
}

/** announced returns what screen readers say of the last event. The end of each other text differs, so that
    the same one is said again. */
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

/** Gained is the name of the score, with what the last move added. */
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

/** GameBoard is the board with what happens on it, for screen readers too. */
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
