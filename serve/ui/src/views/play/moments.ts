// The moments of a game: a large tile, a new best score, the end. They are seen, heard and felt.
import { useEffect, useRef, useState } from 'preact/hooks'
import { largest } from '../../base/format'
import { load } from '../../base/store'
import { t } from '../../base/text'
import { winningTile } from '../../rules/rules'
import type { OwnGame } from '../../state/game'
import { bestOf, counts } from '../../state/gamestorage'

const shown = 2200 // milliseconds

/** felt lets a phone vibrate. Browsers refuse it before the first touch. */
function felt(pattern: number[]) {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern)
}

/** useMoments returns the words of a moment as long as they are shown. */
export function useMoments(g: OwnGame): string {
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
