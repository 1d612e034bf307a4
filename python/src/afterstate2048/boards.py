"""Boards and directions."""

from __future__ import annotations

import operator
import re
from collections.abc import Sequence
from enum import IntEnum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._checks import whole_array
from ._rpc import call

Board: TypeAlias = str | Sequence[Sequence[int]] | NDArray[Any]
"""Text, rows of tile values, or, of dtype uint8, exponents."""

Size: TypeAlias = "int | str | tuple[int, int]"
"""Rows and columns: "3x4", or (3, 4); 4 means 4x4."""

Move: TypeAlias = "Direction | int | str"
"""A Direction, its number, or its name such as "left"."""

MIN_SIDE, MAX_SIDE, MAX_EXPONENT = 2, 6, 48


class Direction(IntEnum):
    """The direction of a slide; an action of the environments."""

    UP = 0
    RIGHT = 1
    DOWN = 2
    LEFT = 3

    def __str__(self) -> str:
        return self.name.lower()


def to_direction(move: Any) -> Direction:
    """Returns the direction of a move. Errors name the accepted values."""
    want = "must be 0 up, 1 right, 2 down, 3 left, or a name"
    if isinstance(move, str):
        try:
            return Direction[move.upper()]
        except KeyError:
            raise ValueError(f"move {move!r}: {want}") from None
    try:
        return Direction(operator.index(move))
    except TypeError:
        raise TypeError(f"move {move!r}: {want}") from None
    except ValueError:
        raise ValueError(f"move {move!r}: {want}") from None


def tiles(board: ArrayLike) -> NDArray[np.int64]:
    """Converts exponents of any shape to tile values: 0 stays 0, 1 becomes 2, 11 becomes 2048."""
    e = whole_array("exponents", board)
    if e.size and (e.min() < 0 or e.max() > MAX_EXPONENT):
        raise ValueError(f"exponents from {e.min()} to {e.max()}: must be 0 to {MAX_EXPONENT}")
    return np.where(e > 0, np.left_shift(np.int64(1), e), 0)


def exponents(board: ArrayLike) -> NDArray[np.uint8]:
    """Converts tile values of any shape to exponents: 0 stays 0, 2 becomes 1, 2048 becomes 11."""
    raw = _array(board)
    if raw.dtype.kind not in "iuf":  # floats are accepted if they are integers
        raw = whole_array("tiles", raw, 0, 1 << MAX_EXPONENT)
    with np.errstate(invalid="ignore"):  # inf and NaN are rejected below
        values = raw.astype(np.int64)
    wrong = (values != raw) | (values < 0) | (values == 1) | (values & (values - 1) != 0) | (values > 1 << MAX_EXPONENT)
    if wrong.any():
        raise ValueError(
            f"{raw[wrong].flat[0]!s} is not a tile: must be 0 for an empty cell, or a power of two from 2 to 2^{MAX_EXPONENT}"
        )
    return np.where(values > 0, np.log2(np.maximum(values, 1)), 0).astype(np.uint8)


def to_exponents(boards: Board | Sequence[Any], many: bool) -> NDArray[np.uint8]:
    """Converts boards in any notation to exponents, (R, C), or (n, R, C) for several boards."""
    if isinstance(boards, str):
        return _sized(exponents(_rows(boards)), many)
    if many and len(boards) > 0 and isinstance(boards[0], str):
        return _sized(np.stack([exponents(_rows(str(b))) for b in boards]), many)
    array = _array(boards)
    if array.dtype != np.uint8:
        return _sized(exponents(array), many)
    array = _sized(array, many)
    rows, columns = array.shape[-2:]
    if array.size and array.max() > rows * columns + 1:
        raise ValueError(
            f"{array.max()} in an array of uint8, which has exponents: no {rows}x{columns} game has more than {rows * columns + 1}, "
            f"a tile of 2^{rows * columns + 1}; tile values take another dtype, such as int64"
        )
    return array


def exponents_of(boards: Board | NDArray[Any]) -> tuple[bool, NDArray[np.uint8]]:
    """Returns whether there is one board, and the exponents of all, (n, rows, columns)."""
    one = isinstance(boards, str) or _array(boards).ndim == 2
    exponents = to_exponents(boards, many=not one)
    return one, exponents[None] if one else exponents


def _array(board: Any) -> NDArray[Any]:
    try:
        return np.asarray(board)
    except ValueError:  # rows of different lengths; NumPy's text is about its own arrays
        raise ValueError("rows of different lengths: must be a board of rows of the same length") from None


def _rows(text: str) -> list[list[int]]:
    rows: list[list[int]] = call("rules.inspect", board=text)["board"]
    return rows


def _sized(board: NDArray[np.uint8], many: bool) -> NDArray[np.uint8]:
    shape = board.shape[1:] if many else board.shape
    if board.ndim != 2 + many or not all(MIN_SIDE <= side <= MAX_SIDE for side in shape):
        want = "n boards, an array of shape (n, rows, columns)" if many else "a board, an array of shape (rows, columns)"
        raise ValueError(f"an array of shape {board.shape}: must be {want}, from {MIN_SIDE}x{MIN_SIDE} to {MAX_SIDE}x{MAX_SIDE}")
    return np.ascontiguousarray(board)


def check_size(size: object) -> tuple[int, int]:
    """Returns rows and columns. Errors name the accepted values."""
    sides = [operator.index(side) for side in size] if isinstance(size, (tuple, list)) else []
    if isinstance(size, (int, np.integer)):
        sides = [int(size)] * 2
    if isinstance(size, str) and re.fullmatch("[0-9]x[0-9]", size):
        sides = [int(size[0]), int(size[2])]
    if len(sides) != 2 or not all(MIN_SIDE <= side <= MAX_SIDE for side in sides):
        want = f'rows and columns from {MIN_SIDE} to {MAX_SIDE}, as "3x4" or (3, 4), or one number for both'
        raise ValueError(f"size {size!r}: must be {want}")
    return sides[0], sides[1]
