"""Boards as text and as pictures."""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from ._batch import address
from ._library import library
from .boards import MAX_EXPONENT

CELL, GAP = 96, 8  # pixels

# Digits and ^ of 5x7 pixels, a row a number, the leftmost pixel in the highest bit.
_FONT = {
    "0": (14, 17, 17, 17, 17, 17, 14),
    "1": (4, 12, 4, 4, 4, 4, 14),
    "2": (14, 17, 1, 2, 4, 8, 31),
    "3": (31, 2, 4, 2, 1, 17, 14),
    "4": (2, 6, 10, 18, 31, 2, 2),
    "5": (31, 16, 30, 1, 1, 17, 14),
    "6": (6, 8, 16, 30, 17, 17, 14),
    "7": (31, 1, 2, 4, 8, 8, 8),
    "8": (14, 17, 17, 14, 17, 17, 14),
    "9": (14, 17, 17, 15, 1, 2, 12),
    "^": (4, 10, 17, 0, 0, 0, 0),
}
_WIDTH = 6  # of a letter and the space after it


def as_text(board: NDArray[np.uint8], score: int) -> str:
    """Returns the score and the board, a line a row."""
    rows = (" ".join(f"{2**e if e else '.':>6}" for e in row) for row in board.tolist())
    return f"score {score}\n" + "\n".join(rows) + "\n"


def as_picture(board: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Returns a picture of a board, uint8 (height, width, 3): 104 pixels a cell and 8 for the edge."""
    rows, columns = board.shape
    tiles, grid = _tiles()
    pitch = CELL + GAP
    out = np.empty((rows * pitch + GAP, columns * pitch + GAP, 3), np.uint8)
    out[:] = grid
    cells = out[GAP:, GAP:].reshape(rows, pitch, columns, pitch, 3)[:, :CELL, :, :CELL]
    cells[:] = tiles[board].transpose(0, 2, 1, 3, 4)
    return out


@functools.cache
def _tiles() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Returns the pictures of all tiles by exponent, and the colour of the grid."""
    count = MAX_EXPONENT + 1
    colours = np.empty((2 * count + 1, 3), np.uint8)
    lib = library()
    lib.check(lib.palette(address(colours)))
    pictures = np.empty((count, CELL, CELL, 3), np.uint8)
    for exponent in range(count):
        pictures[exponent] = colours[exponent]
        if exponent > 0:
            text = str(2**exponent) if exponent < 20 else f"2^{exponent}"
            letters = _letters(text)
            top, left = (CELL - letters.shape[0]) // 2, (CELL - letters.shape[1]) // 2
            pictures[exponent, top : top + letters.shape[0], left : left + letters.shape[1]][letters] = colours[count + exponent]
    return pictures, colours[2 * count]


def _letters(text: str) -> NDArray[np.bool_]:
    """Returns the pixels of a text, as large as a cell allows."""
    bits = [np.array([[row >> (4 - x) & 1 for x in range(5)] for row in _FONT[letter]], np.bool_) for letter in text]
    space = np.zeros((7, 1), np.bool_)
    line = np.hstack([part for b in bits for part in (b, space)][:-1])
    scale = min(5, (CELL - 16) // (_WIDTH * len(text) - 1))
    return line.repeat(scale, 0).repeat(scale, 1)
