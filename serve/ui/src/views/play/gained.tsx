import { whole } from '../../base/format'
import { t } from '../../base/text'
import type { OwnGame } from '../../state/game'

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
