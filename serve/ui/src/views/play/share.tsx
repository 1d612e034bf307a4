import { t } from '../../base/text'
import { pageAddress, Share } from '../../parts/share'
import type { OwnGame } from '../../state/game'
import { hashOf } from '../../state/gamelinks'

/** ShareGame makes a link that replays the game. */
export const ShareGame = ({ g }: { g: OwnGame }) => (
  <Share
    board={g.state.board}
    address={() => pageAddress(`play/${hashOf(g.made(), g.state.moves)}`)}
    says={t('It replays this game and opens it at this move.')}
    elsewhere={t('“Download” saves the game as a file, which Games opens anywhere.')}
  />
)
