// What there is to say under the board of Play.
import { boardText } from '../../base/format'
import { rich, t } from '../../base/text'
import { boldMove } from '../../parts/board'
import { Alert, Note } from '../../parts/ui'
import type { OwnGame } from '../../state/game'
import type { Pilot } from '../../state/pilot'
import { refusal as noRoom } from '../../state/played'
import type { Decision } from '../../types'

/** OneHint says the hint that was asked for, and leads to its reasons. */
export function OneHint({
  g,
  hint,
}: {
  g: OwnGame
  hint: { current: Decision | null; wanted: boolean; trouble: string }
}) {
  const move = hint.current?.move
  return (
    <>
      <p class="hint dim">
        {move
          ? rich('Best: {move}. {why}', {
              move: boldMove(move),
              why: <a href={`#solve/${boardText(g.state.board)}/${g.state.score}`}>{t('Why?')}</a>,
            })
          : hint.wanted && t('Thinking…')}
      </p>
      <Note text={move && g.kept.spawn !== 'random' && t('Hints reckon with the usual new tiles.')} />
      <Alert text={hint.trouble} />
    </>
  )
}

export function Notes({ g, pilot }: { g: OwnGame; pilot: Pilot }) {
  return (
    <>
      <Alert text={g.trouble || pilot.trouble} />
      <Note
        text={g.kept.watched && t('The computer plays a copy: yours waits, and this one counts for nothing.')}
      />
      <Note text={g.elsewhere && t('This game was continued in another tab; here is its newest state.')} />
      {(!g.stored || noRoom) && (
        <p class="bad" role="alert">
          {g.stored
            ? `${noRoom} ${t('Nothing is lost: this game and those that you finish wait in another place.')}`
            : t('This browser cannot store any more, so new moves will be lost on a reload.')}{' '}
          <a href="#games">{t('Save a backup')}</a>
        </p>
      )}
    </>
  )
}
