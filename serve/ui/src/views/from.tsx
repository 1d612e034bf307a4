// Games that begin from a board of another view.
import { boardText } from '../format'
import { go } from '../route'
import type { Board } from '../types'
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
