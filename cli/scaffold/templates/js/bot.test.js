// Run the tests: node --test
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import test from 'node:test'

import { legalMoves, slide } from './rules.js'

test('slides', () => {
  const board = [[2, 2, 4, 8], [0, 2, 0, 2], [4, 4, 4, 4], [0, 0, 0, 2]]
  assert.deepEqual(slide(board, 'left'), [[[4, 4, 8, 0], [4, 0, 0, 0], [8, 8, 0, 0], [2, 0, 0, 0]], 24])
  assert.deepEqual(slide(board, 'right'), [[[0, 4, 4, 8], [0, 0, 0, 4], [0, 0, 8, 8], [0, 0, 0, 2]], 24])
  assert.deepEqual(slide(board, 'up'), [[[2, 4, 8, 8], [4, 4, 0, 2], [0, 0, 0, 4], [0, 0, 0, 2]], 12])
  assert.deepEqual(slide(board, 'down'), [[[0, 0, 0, 8], [0, 0, 0, 2], [2, 4, 0, 4], [4, 4, 8, 2]], 12])
})

// It plays a whole game as Afterstate does.
test('plays', async () => {
  const bot = spawn(process.execPath, ['bot.js'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: bot.stdout })[Symbol.asyncIterator]()
  let id = 0
  async function ask(method, params) {
    bot.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }) + '\n')
    const answer = JSON.parse((await answers.next()).value)
    assert.equal(answer.id, id)
    return answer.result
  }
  assert.equal((await ask('hello', { name: 'test', protocol: 1, size: '4x4' })).protocol, 1)
  let board = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]], score = 0
  newTile(board)
  newTile(board)
  for (let turn = 1, legal; (legal = legalMoves(board)).length > 0; turn++) {
    const { move } = await ask('best_move', { board, score, legal, turn })
    assert.ok(legal.includes(move))
    const [after, reward] = slide(board, move)
    board = after
    score += reward
    newTile(board)
  }
  assert.ok(score > 0)
  await ask('bye')
  bot.stdin.end()
})

// newTile puts a 2, or a 4 in one of ten cases, on an empty cell.
function newTile(board) {
  const empty = board.flatMap((row, r) => row.flatMap((tile, c) => (tile === 0 ? [[r, c]] : [])))
  const [r, c] = empty[Math.floor(Math.random() * empty.length)]
  board[r][c] = Math.random() < 0.1 ? 4 : 2
}
