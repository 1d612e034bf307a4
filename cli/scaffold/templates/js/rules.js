// The rules of 2048, for boards of any size: rows of tile values from the top, 0 for an empty cell.

export const moves = ['up', 'right', 'down', 'left']

// slide returns the board after a move, before a new tile appears, and the reward of the move.
export function slide(board, move) {
  if (move === 'up' || move === 'down') {
    const [turned, reward] = slide(columns(board), move === 'up' ? 'left' : 'right')
    return [columns(turned), reward]
  }
  let total = 0
  const rows = board.map((row) => {
    const [after, reward] = slideLeft(move === 'left' ? row : [...row].reverse())
    total += reward
    return move === 'left' ? after : after.reverse()
  })
  return [rows, total]
}

// columns returns the columns of a board as rows.
const columns = (board) => board[0].map((_, c) => board.map((row) => row[c]))

// slideLeft returns a row after a move to the left, and its reward. Each tile merges at most once.
function slideLeft(row) {
  const after = []
  let reward = 0, mayMerge = false
  for (const tile of row) {
    if (tile === 0) continue
    if (mayMerge && after.at(-1) === tile) {
      after[after.length - 1] *= 2
      reward += after.at(-1)
      mayMerge = false
    } else {
      after.push(tile)
      mayMerge = true
    }
  }
  return [[...after, ...Array(row.length - after.length).fill(0)], reward]
}

// legalMoves returns the moves that change a board.
export const legalMoves = (board) => moves.filter((move) => String(slide(board, move)[0]) !== String(board))
