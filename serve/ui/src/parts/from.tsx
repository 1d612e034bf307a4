// Games that begin from a board of another view.

import { boardText } from '../base/format'
import { go } from '../base/route'
import { t } from '../base/text'
import { useAttempt } from '../engine/attempt'
import { link } from '../engine/net'
import { any, emptyCells, put } from '../state/follow'
import type { Board, Dir } from '../types'
import { Alert, Button } from './ui'

export function FromHere({ board, disabled }: { board: Board | undefined; disabled?: boolean }) {
  const off = disabled || !board
  const to = (view: string) => () => board && go(`${view}/from/${boardText(board)}`)
  return (
    <div class="row fill">
      <Button icon="play" disabled={off} onClick={to('play')} text={t('Play from here')} />
      <Button icon="watch" disabled={off} onClick={to('watch')} text={t('Watch from here')} />
    </div>
  )
}

/** Futures shows games from the boards after a move and after the best one, with a 2 on an empty cell. */
export function Futures(p: { board: Board | undefined; played: Dir | undefined; best: Dir | undefined }) {
  const { board, played, best } = p
  const { trouble, attempt } = useAttempt()
  const watch = (d: Dir) =>
    attempt(async () => {
      const { moves } = await link.insist('rules.inspect', { board: boardText(board ?? []) })
      const { after } = moves[d]
      go(`watch/from/${boardText(put(after, any(emptyCells(after)), 2))}`)
    }, 'rules.inspect: ')
  return (
    <>
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
          text={t('Watch after the best')}
        />
      </div>
      <Alert text={trouble} />
    </>
  )
}
