// Games that begin from a board of another view.
import { arrow } from '../board'
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

/** Futures are games from the boards after some moves, with a 2 on an empty cell: what the moves lead to. */
export function Futures({ board, moves }: { board: Board; moves: Dir[] }) {
  const watch = async (d: Dir) => {
    const { after } = (await link.insist('rules.inspect', { board: boardText(board) })).moves[d]
    go(`watch/from/${boardText(put(after, any(emptyCells(after)), 2))}`)
  }
  return <div class="row fill">{moves.map((d) => <Button key={d} icon="watch" onClick={() => void watch(d)}>Watch on after {arrow(d)} {d}</Button>)}</div>
}
