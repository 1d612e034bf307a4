// Games that begin from a board of another view.
import { useState } from 'preact/hooks'
import { any, emptyCells, put } from '../follow'
import { boardText } from '../format'
import { complaint, link } from '../net'
import { go } from '../route'
import { t } from '../text'
import type { Board, Dir } from '../types'
import { Button } from '../ui'

export function FromHere({ board, disabled }: { board: Board | undefined; disabled?: boolean }) {
  const off = disabled || !board
  const to = (view: string) => () => board && go(`${view}/from/${boardText(board)}`)
  return (
    <div class="row fill">
      <Button icon="play" disabled={off} onClick={to('play')}>
        {t('Play from here')}
      </Button>
      <Button icon="watch" disabled={off} onClick={to('watch')}>
        {t('Watch from here')}
      </Button>
    </div>
  )
}

/** Futures shows games from the boards after a move and after the best one, with a 2 on an empty cell. */
export function Futures({
  board,
  played,
  best,
}: {
  board: Board | undefined
  played: Dir | undefined
  best: Dir | undefined
}) {
  const [trouble, setTrouble] = useState('')
  const watch = (d: Dir) =>
    link.insist('rules.inspect', { board: boardText(board ?? []) }).then(
      ({ moves }) => {
        const { after } = moves[d]
        go(`watch/from/${boardText(put(after, any(emptyCells(after)), 2))}`)
      },
      (e: unknown) => setTrouble(complaint(e, 'rules.inspect: ')),
    )
  return (
    <>
      <div class="row fill">
        <Button icon="watch" disabled={!board || !played} onClick={() => played && watch(played)}>
          {t('Watch after this move')}
        </Button>
        <Button
          icon="watch"
          disabled={!board || !best || best === played}
          onClick={() => best && watch(best)}
        >
          {t('Watch after the best')}
        </Button>
      </div>
      {trouble && (
        <p class="bad" role="alert">
          {trouble}
        </p>
      )}
    </>
  )
}
