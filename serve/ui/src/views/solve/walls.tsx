// A board whose letters may be walls: the person who pasted it says what they are.

import { t } from '../../base/text'
import { Mini } from '../../parts/board'
import { Button, Dialog } from '../../parts/ui'
import type { Board } from '../../types'

/** Walls asks which of the readings of a board is meant. The last one has walls. */
export function Walls(p: { readings: Board[]; onUse: (b: Board) => void; onClose: () => void }) {
  const names = [t('Each is 32768'), t('Walls')].slice(-p.readings.length)
  return (
    <Dialog
      title={p.readings.length > 1 ? t('Is each f a 32768, or a wall?') : t('The board has walls')}
      onClose={p.onClose}
    >
      <p>
        {p.readings.length > 1 && `${t('Tables of endgames write f for a wall, which is also the 32768.')} `}
        {t(
          'Walls are large tiles that stand still. Which ones they are is not written: the board has them row by row, the largest first, and you can change them.',
        )}
      </p>
      <ul class="readings">
        {p.readings.map((b, i) => (
          <li key={i}>
            <Mini board={b} />
            <Button onClick={() => p.onUse(b)} text={names[i]} />
          </li>
        ))}
      </ul>
      <Button kind="plain" onClick={p.onClose} text={t('Cancel')} />
    </Dialog>
  )
}
