import { t } from '../../base/text'
import { Button, Dialog } from '../../parts/ui'
import type { OwnGame } from '../../state/game'
import { unfinished } from '../../state/gamestorage'
import { type Kept, placeOf } from '../../state/kept'
import { minMoves } from '../../state/played'
import { saveSlot } from '../../state/slots'
import { focusBoard } from './sheet'

/** Replacing asks before a game that is played ends. */
export function Replacing(p: { by: Kept; game: OwnGame; onClose: () => void }) {
  const { game } = p
  const place = placeOf(p.by)
  const ends = (place !== placeOf(game.kept) && unfinished(place)) || game.kept
  const close = () => {
    p.onClose()
    focusBoard()
  }
  const start = (save: boolean) => () => {
    const stored = !save || saveSlot(ends)
    game.begin(p.by)
    if (!stored) game.stored = false
    close()
  }
  return (
    <Dialog title={t('Start another game?')} onClose={close}>
      <p>
        {t('The game you are playing would end: {n} {n|point|points}.', { n: ends.score })}{' '}
        {ends.count < minMoves
          ? t('Games keeps games of {n} moves and more.', { n: minMoves })
          : t('It stays in Games.')}{' '}
        {t('Save it to play on later.')}
      </p>
      <div class="row">
        <Button kind="main" onClick={start(true)} text={t('Save and start')} />
        <Button onClick={start(false)} text={t('Start without saving')} />
        <Button kind="plain" onClick={close} text={t('Keep playing')} />
      </div>
    </Dialog>
  )
}
