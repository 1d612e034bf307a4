// Games that begin from a board of another view.
import { boardText } from '../base/boards'
import { go } from '../base/route'
import { t } from '../base/text'
import { slide } from '../rules/rules'
import { any, emptyCells, put } from '../state/follow'
import type { Board, Dir } from '../types'
import { Button } from './ui'

export function FromHere({ board, disabled }: { board: Board | undefined; disabled?: boolean }) {
  const off = disabled || !board
  const to = (view: string) => () => board && go(`${view}/from/${boardText(board)}`)
  return (
    <div class="row fill">
      <Button disabled={off} onClick={to('play')} text={t('Play from here')} />
      <Button disabled={off} onClick={to('watch')} text={t('Watch from here')} />
    </div>
  )
}

/**
 * Futures has buttons that show games from the boards after the played move and after the best
 * move, with a 2 on an empty cell.
 */
export function Futures(p: { board: Board | undefined; played: Dir | undefined; best: Dir | undefined }) {
  const { board, played, best } = p
  const watch = (d: Dir) => {
    const after = slide(board ?? [], d)?.board
    if (after) go(`watch/from/${boardText(put(after, any(emptyCells(after)), 2))}`)
  }
  return (
    <div class="row fill">
      <Button
        icon="watch"
        disabled={!board || !played}
        onClick={() => played && watch(played)}
        text={t('Watch after this move')}
      />
      <Button
        icon="watch"
        disabled={!board || !best || best === played}
        onClick={() => best && watch(best)}
        text={t('Watch after the best move')}
      />
    </div>
  )
}
