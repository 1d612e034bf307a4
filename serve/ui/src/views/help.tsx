// The rules of the game, and the keys.
import { rich, t } from '../base/text'
import { CloseButton, Dialog } from '../parts/ui'

export function Help(p: { onClose: () => void }) {
  const touch = matchMedia('(pointer: coarse)').matches
  const keys: [string, string][] = [
    [t('Arrows, WASD, HJKL'), t('move@verb')],
    [t('U, Ctrl Z'), t('undo')],
    [t('R, Ctrl Y'), t('redo')],
    [t('Space'), t('Play: hint. Watch: pause or resume')],
    ['N', t('Play: new game. Watch and Review: one move forward')],
    ['B', t('Watch and Review: one move back')],
    [t('M, Shift M'), t('Review: next and previous mistake')],
    ['T', t('Review and Learn: try again here. Enter shows the answer')],
    [t('Enter, 2, 4'), t('Solve: place the new tile after a move; arrows choose its cell')],
    ['?', t('this help')],
  ]
  return (
    <Dialog text title={t('Help')} onClose={p.onClose}>
      <h3>{t('How to play')}</h3>
      <ol class="steps">
        <li>
          {touch
            ? t(
                'Swipe across the board: all tiles slide that way as far as they can. You can also swipe beside the board.',
              )
            : t(
                'Press an arrow key, or swipe across the board: all tiles slide that way as far as they can.',
              )}
        </li>
        <li>{t('Two equal tiles that meet become one of twice the value. You score that value.')}</li>
        <li>{t('After each move a new tile appears, a 2 or now and then a 4.')}</li>
        <li>{t('Make a 2048, then continue as far as you can. The game is over when no tile can move.')}</li>
      </ol>
      <p>
        {rich(
          'Stuck? {hint} shows the best move, and {undo} takes moves back, as many as you like. {watch} shows how a strong player does it.',
          { hint: <b>{t('Hint')}</b>, undo: <b>{t('Undo')}</b>, watch: <b>{t('Watch')}</b> },
        )}
      </p>
      <details open={!touch}>
        <summary>{t('Keys')}</summary>
        <table>
          <tbody>
            {keys.map(([k, action]) => (
              <tr key={k}>
                <th scope="row">
                  <kbd>{k}</kbd>
                </th>
                <td class="wrap">{action}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
      <p class="dim">
        <a href="licences.txt">{t('Licences of the software in this page.')}</a>
      </p>
      <CloseButton onClick={p.onClose} />
    </Dialog>
  )
}
