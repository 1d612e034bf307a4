// The game of a day, a duel or a stage: it is played once, without undo and hints.
import { useEffect } from 'preact/hooks'
import { whole } from '../../base/format'
import { direction, useKeys } from '../../base/keys'
import { t } from '../../base/text'
import { BoardView, useAnnounce } from '../../parts/board'
import { Alert, Button, Figure } from '../../parts/ui'
import { useGame } from '../../state/game'
import { type Kept, recordOf } from '../../state/kept'
import { review } from '../../state/reviewed'
import type { Dir, GameState } from '../../types'
import { announced } from '../play/announced'
import { EndCard } from '../play/end'
import { Gained } from '../play/gained'
import { useMoments } from '../play/moments'

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
  const moment = useMoments(game)
  const ended = state.over || game.complete
  const move = (d: Dir) => game.move(d)
  useEffect(() => p.onChange(kept, state), [kept])
  useKeys((e) => {
    const d = direction(e)
    if (d) move(d)
    return d !== undefined
  })
  const said = useAnnounce(announced(game))
  return (
    <>
      <dl class="figures">
        <Figure main id="score" name={<Gained g={game} />} value={whole(state.score)} />
        {p.best !== undefined && <Figure name={t('Best day')} value={p.best ? whole(p.best) : '–'} />}
        <Figure name={t('Moves')} id="moves" value={whole(state.moves)} />
      </dl>
      <BoardView board={state.board} step={state.step} onMove={ended ? undefined : move}>
        {moment && (
          <p class="moment" key={game.events} aria-hidden="true">
            {moment}
          </p>
        )}
      </BoardView>
      {ended ? (
        <EndCard g={game}>
          {p.ended}
          <Button icon="review" onClick={() => review(recordOf(kept), true)} text={t('Review')} />
        </EndCard>
      ) : (
        <div class="buttons">{p.actions}</div>
      )}
      <Alert text={game.trouble} />
      {said}
    </>
  )
}
