"""The rules of 2048, for boards of any size: rows of tile values from the top, 0 for an empty cell."""

MOVES = ("up", "right", "down", "left")


def slide(board, move):
    """Returns the board after a move, before a new tile appears, and the reward of the move."""
    if move in ("up", "down"):
        turned, reward = slide([list(row) for row in zip(*board)], "left" if move == "up" else "right")
        return [list(row) for row in zip(*turned)], reward
    rows, total = [], 0
    for row in board:
        row, reward = slide_left(row if move == "left" else row[::-1])
        rows.append(row if move == "left" else row[::-1])
        total += reward
    return rows, total


def slide_left(row):
    """Returns a row after a move to the left, and its reward. Each tile merges at most once."""
    merged, reward, may_merge = [], 0, False
    for tile in row:
        if tile == 0:
            continue
        if may_merge and merged[-1] == tile:
            merged[-1] *= 2
            reward += merged[-1]
            may_merge = False
        else:
            merged.append(tile)
            may_merge = True
    return merged + [0] * (len(row) - len(merged)), reward


def legal_moves(board):
    """Returns the moves that change a board."""
    return [move for move in MOVES if slide(board, move)[0] != board]
