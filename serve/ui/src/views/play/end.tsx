// What a game came to, at its end or at its winning tile.
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { largest } from '../../base/boards'
import { direction, useKeys } from '../../base/keys'
import { clock, rich, t, whole } from '../../base/text'
import { Alert, Button, Figure, reveal } from '../../parts/ui'
import { type OwnGame, useGame } from '../../state/game'
import { bestOf, counts } from '../../state/gamestorage'
import { type Kept, recordOf } from '../../state/kept'
import { review } from '../../state/reviewed'
import type { Dir, GameState } from '../../types'
import { Gained, GameBoard } from './gameboard'
import { ShareGame } from './sheet'

function headline({ state: s, complete }: OwnGame): string {
  if (complete) return t('You made the stage!')
  if (s.over && s.paused_on_win) return t('You made {tile}. No moves are left', { tile: '2048' })
  return s.over ? t('No moves left') : t('You made {tile}!', { tile: '2048' })
}

/** EndCard has its own buttons for a game that is played apart. */
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
        {counts(g.kept) && (
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
