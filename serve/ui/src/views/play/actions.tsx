// The buttons under the board of Play.
import { t } from '../../base/text'
import { speedNames } from '../../parts/replay'
import { Button } from '../../parts/ui'
import type { OwnGame } from '../../state/game'
import type { Grader } from '../../state/grading'
import type { Pilot } from '../../state/pilot'
import { Better } from './grades'

/** Hint is what is known of the best move on the board. */
interface Hint {
  live: boolean
  wanted: boolean
  ask: () => void
}

export function Actions(p: {
  g: OwnGame
  grades: Grader
  pilot: Pilot
  hint: Hint
  onNew: () => void
  onMore: () => void
}) {
  const { g, grades, pilot, hint } = p
  if (g.kept.watched) return <Watched g={g} pilot={pilot} onMore={p.onMore} />
  const mistaken = grades.on && grades.mistaken
  return (
    <div class="buttons acts">
      <Button
        icon="undo"
        label={t('Undo')}
        keys="U"
        kind={mistaken ? 'bad' : ''}
        disabled={!g.state.moves}
        onClick={() => g.undo()}
        text={mistaken ? t('Take back') : t('Undo')}
      />
      {grades.on ? (
        <Better of={grades} />
      ) : (
        <Button
          icon="hint"
          keys="Space"
          pressed={hint.wanted}
          disabled={hint.live}
          onClick={hint.ask}
          text={t('Hint')}
        />
      )}
      <Button icon="add" label={t('New game')} keys="N" onClick={p.onNew} text={t('New')} />
      <More onClick={p.onMore} />
    </div>
  )
}

const More = ({ onClick }: { onClick: () => void }) => (
  <Button icon="more" label={t('More')} onClick={onClick} />
)

/** Watched are the buttons of a game that another player goes on with. */
function Watched({ g, pilot, onMore }: { g: OwnGame; pilot: Pilot; onMore: () => void }) {
  return (
    <div class="buttons acts">
      <Button
        kind="main"
        icon={pilot.running ? 'pause' : 'start'}
        onClick={() => (pilot.running ? pilot.stop() : pilot.start())}
        text={pilot.running ? t('Take over') : t('Hand back')}
      />
      <Button label={t('Speed')} onClick={() => pilot.faster()} text={speedNames[pilot.speed]} />
      <Button
        icon="back"
        onClick={() => {
          pilot.stop()
          g.takeBack()
        }}
        text={t('My game')}
      />
      <More onClick={onMore} />
    </div>
  )
}
