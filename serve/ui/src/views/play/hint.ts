// Hints for one's own game.
import { useEffect, useState } from 'preact/hooks'
import { boardText } from '../../base/format'
import { about, useAsked, useGraded } from '../../parts/hints'
import { strongest } from '../../rules/rules'
import type { OwnGame } from '../../state/game'
import { hintOptions } from './sheet'

export type Hint = ReturnType<typeof useHint>

/** useHint returns the hint for the board that is shown, if one was asked for, or if hints are live. */
export function useHint(g: OwnGame, off: boolean) {
  const [once, setOnce] = useState('') // the board that a single hint is for
  const live = hintOptions().live
  const { state } = g
  const text = boardText(state.board)
  const on = !off && !state.over && (live || once === text)
  const player = strongest(g.kept.spawn)
  const decision = useAsked('analyze', on ? about(state.board, state.score, player) : null)
  const current = useGraded(decision.current, on ? state.board : null, player)
  useEffect(() => {
    if (current) g.help()
  }, [current !== null, text])
  return {
    live,
    current,
    trouble: decision.trouble,
    wanted: current !== null || decision.busy,
    ask: () => off || live || setOnce(once === text ? '' : text),
  }
}
