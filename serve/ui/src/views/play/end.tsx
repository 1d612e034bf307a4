// What a game came to, at its end or at its winning tile.
import type { ComponentChildren } from 'preact'
import { clock, largest, whole } from '../../base/format'
import { rich, t } from '../../base/text'
import { Button, Figure, reveal } from '../../parts/ui'
import type { OwnGame } from '../../state/game'
import { bestOf, counts } from '../../state/gamestorage'
import { recordOf } from '../../state/kept'
import { review } from '../../state/reviewed'
import { ShareGame } from './sheet'

/** headline says what ended the game, and what it won. */
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

/** Sums are the figures of a game, and when its large tiles were made. */
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
