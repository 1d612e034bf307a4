// The game of a day, a duel or a stage: it is played once, without undo and hints.
import { useEffect } from 'preact/hooks'
import { whole } from '../../base/format'
import { direction, useKeys } from '../../base/keys'
import { t } from '../../base/text'
import { Alert, Button, Figure } from '../../parts/ui'
import { useGame } from '../../state/game'
import { type Kept, recordOf } from '../../state/kept'
import { review } from '../../state/reviewed'
import type { Dir, GameState } from '../../types'
import { EndCard } from '../play/end'
import { Gained, GameBoard } from '../play/gameboard'

interface MatchGameProps {
  kept: Kept
  best?: number | undefined // of other days
  ended: preact.ComponentChildren // the buttons of the end card
  actions: preact.ComponentChildren // the buttons until then
  onChange: (k: Kept, s: GameState) => void // at first, too
}

/** MatchGame is the board of a game that is played apart. */
export function MatchGame(p: MatchGameProps) {
  const game = useGame(p.kept)
  const { state, kept } = game
  const ended = state.over || game.complete
  const move = (d: Dir) => game.move(d)
  useEffect(() => p.onChange(kept, state), [kept])
  useKeys((e) => {
    const d = direction(e)
    if (d) move(d)
    return d !== undefined
  })
  return (
    <>
      <dl class="figures">
        <Figure main id="score" name={<Gained g={game} />} value={whole(state.score)} />
        {p.best !== undefined && <Figure name={t('Best day')} value={p.best ? whole(p.best) : '–'} />}
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
