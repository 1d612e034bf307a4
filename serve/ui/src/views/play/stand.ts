import { t } from '../../base/text'
import type { Kept } from '../../state/kept'

/** stand is the button that leads from the game of a stage or of a duel to how it stands. */
export const stand = ({ stage, duel, size, seed }: Kept) =>
  stage !== undefined
    ? { text: t('Stages'), to: 'learn/stages' }
    : { text: t('Result'), to: `play/duel/${duel}/${size}/${seed}` }
