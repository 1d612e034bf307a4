// A picture of a board, in the colours and the font of the page.
import { boardText, exponent } from '../base/boards'
import { offer } from '../base/offer'
import type { Board } from '../types'

const tile = 192 // side in pixels
const gap = 24

export async function savePicture(board: Board) {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string) => style.getPropertyValue(`--${name}`)
  const side = (cells: number) => cells * (tile + gap) + gap
  const canvas = Object.assign(document.createElement('canvas'), {
    width: side(board[0]?.length ?? 0),
    height: side(board.length),
  })
  const c = canvas.getContext('2d')
  if (!c) throw new Error('no canvas')
  await document.fonts.load('700 88px Figtree')
  const fill = (name: string, x: number, y: number, w: number, h: number) => {
    c.fillStyle = colour(name)
    c.beginPath()
    c.roundRect(x, y, w, h, 18)
    c.fill()
  }
  fill('well', 0, 0, canvas.width, canvas.height)
  c.textAlign = 'center'
  board.forEach((row, i) => {
    row.forEach((value, j) => {
      const [x, y] = [side(j), side(i)]
      const e = Math.min(exponent(value), 18)
      fill(e ? `t${e}` : 'cell', x, y, tile, tile)
      if (!e) return
      const text = String(value)
      c.font = `700 ${tile * Math.min(0.46, 1.5 / text.length)}px Figtree, sans-serif`
      c.fillStyle = colour(`i${e}`)
      const { actualBoundingBoxAscent: height } = c.measureText(text)
      c.fillText(text, x + tile / 2, y + (tile + height) / 2)
    })
  })
  const file = await new Promise<Blob | null>((done) => canvas.toBlob(done))
  if (file) offer(`${boardText(board).replaceAll(',', '-').replaceAll('/', '_')}.png`, 'image/png', file)
}
