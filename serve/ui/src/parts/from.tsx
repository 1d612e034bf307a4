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

/** Futures has buttons that show games from the boards after the played move and after the best move, with a 2 on
    an empty cell. */
export function Futures(p: { board: Board | undefined; played: Dir | undefined; best: Dir | undefined }) {
  const { board, played, best } = p
  const after = (d: Dir | undefined) => (board && d ? slide(board, d)?.board : undefined)
  const watch = (text: string, b: Board | undefined) => (
    <Button
      icon="watch"
      disabled={!b}
      onClick={() => b && go(`watch/from/${boardText(put(b, any(emptyCells(b)), 2))}`)}
      text={text}
    />
  )
  return (
    <div class="row fill">
      {watch(t('Watch after this move'), after(played))}
      {watch(t('Watch after the best move'), best === played ? undefined : after(best))}
    </div>
  )
}
