// BOTNAME, a bot for 2048. Afterstate starts it and exchanges lines of JSON with it.
import { createInterface } from 'node:readline'

import { slide } from './rules.js'

const name = 'BOTNAME'
const version = '1' // change it with the bot: experiments show it beside the name

// choose returns one of the legal moves of a board, and the values of all, which Afterstate shows. A board has rows
// of tile values from the top, 0 for an empty cell. The moves are 'up', 'right', 'down' and 'left'. This bot likes
// empty cells, and tiles that differ little from their neighbours. A bot that searches may also return its depth,
// nodes and tree.
function choose(board, legal) {
  let best
  const values = {}
  for (const move of legal) {
    const [after] = slide(board, move) // the second is the reward, which greedy maximizes; this bot ignores it
    values[move] = value(after)
    if (best === undefined || values[move] > values[best]) best = move
  }
  return { move: best, values }
}

// value is how much the bot likes a board.
function value(board) {
  let v = 0
  board.forEach((row, r) => row.forEach((tile, c) => {
    if (tile === 0) v += 50
    if (c > 0) v -= Math.abs(tile - row[c - 1])
    if (r > 0) v -= Math.abs(tile - board[r - 1][c])
  }))
  return v
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  let result = {} // enough for bye
  if (method === 'hello') result = { name, version, protocol: 1 }
  if (method === 'best_move') result = choose(params.board, params.legal)
  // Print nothing else to stdout: for debug output, use console.error.
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
})
