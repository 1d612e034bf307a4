// Games that begin from a board of another view.
import { any, emptyCells, put } from '../follow'
import { boardText } from '../format'
import { link } from '../net'
import { go } from '../route'
import type { Board, Dir } from '../types'
import { Button } from '../ui'

export function FromHere({ board, disabled }: { board: Board | undefined; disabled?: boolean }) {
  const off = disabled || !board
  const to = (view: string) => () => board && go(`${view}/from/${boardText(board)}`)
  return (
    <div class="row fill">
      <Button icon="play" disabled={off} onClick={to('play')}>Play from here</Button>
      <Button icon="watch" disabled={off} onClick={to('watch')}>Watch from here</Button>
    </div>
  )
}

/** Futures shows games from the boards after a move and after the best one, with a 2 on an empty cell. */
export function Futures({ board, played, best }: { board: Board | undefined; played: Dir | undefined; best: Dir | undefined }) {
  const watch = async (d: Dir) => {
    const { after } = (await link.insist('rules.inspect', { board: boardText(board ?? []) })).moves[d]
    go(`watch/from/${boardText(put(after, any(emptyCells(after)), 2))}`)
  }
  return (
    <div class="row fill">
      <Button icon="watch" disabled={!board || !played} onClick={() => played && void watch(played)}>Watch after this move</Button>
      <Button icon="watch" disabled={!board || !best || best === played} onClick={() => best && void watch(best)}>Watch after the best</Button>
    </div>
  )
}
