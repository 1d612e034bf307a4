// The game of a day or of a duel: it is played once, without undo and hints.
import { useEffect } from 'preact/hooks'
import { dirNames, placeIn, spoken, whole } from '../../base/format'
import { direction, useKeys } from '../../base/keys'
import { t } from '../../base/text'
import { BoardView, useAnnounce } from '../../parts/board'
import { Alert, Figure } from '../../parts/ui'
import { useGame } from '../../state/game'
import type { Kept } from '../../state/kept'
import type { Dir, GameState } from '../../types'

interface MatchGameProps {
  kept: Kept
  best?: number | undefined
  ended?: preact.ComponentChildren // on the board when no move is left
  onChange: (k: Kept, s: GameState) => void // at first, too
}

/** MatchGame is the board of a game that is played apart. */
export function MatchGame(p: MatchGameProps) {
  const game = useGame(p.kept)
  const { state } = game
  const ended = state.over || game.complete
  const move = (d: Dir) => game.move(d)
  useEffect(() => {
    p.onChange(game.kept, state)
  }, [game.events])
  useKeys((e) => {
    const d = direction(e)
    if (d) move(d)
    return d !== undefined
  })
  const said = useAnnounce(announce(state))
  return (
    <div class="stack tight">
      <dl class="figures">
        <Figure main name={t('Score')} id="score" value={whole(state.score)} />
        <Figure name={t('Best day')} value={p.best ? whole(Math.max(p.best, state.score)) : '–'} />
        <Figure name={t('Moves')} id="moves" value={whole(state.moves)} />
      </dl>
      <BoardView board={state.board} step={state.step} onMove={ended ? undefined : move}>
        {ended && (
          <div class="over" role="group" aria-label={t('Game over')}>
            <b>{game.complete ? t('You made the stage!') : t('No moves left')}</b>
            <div class="row">{p.ended}</div>
          </div>
        )}
      </BoardView>
      <Alert text={game.trouble} />
      {said}
    </div>
  )
}

const announce = (s: GameState) =>
  s.step
    ? `${dirNames[s.step.move]}. ${t('New tile {tile} in row {row}, column {column}', {
        tile: s.step.spawn.tile,
        ...placeIn(s.step.spawn.cell, s.board[0]?.length ?? 4),
      })}`
    : spoken(s.board)
