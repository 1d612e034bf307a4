"""The rules of the game on single boards: slides, afterstates and new tiles."""

from __future__ import annotations

import random
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ._batch import address
from ._checks import check_p4, check_seed
from ._library import library
from .boards import Board, Move, exponents_of, to_direction, to_exponents

_MASK64 = 2**64 - 1
_MASK128 = 2**128 - 1


class SpawnRng:
    """The random numbers from which one game of a seed spawns its tiles, one number for each tile.

    A program that draws the two start tiles and then one tile per move from it plays on the same
    tiles as ``afterstate arena --seed SEED``, the environments and ``Game``. The generator
    is PCG-DXSM with 128 bits of state, as in Go's math/rand/v2.

    Args:
        seed: from 0 to 2^64-1.
        game: the number of the game within the seed, from 0.
    """

    def __init__(self, seed: int, game: int = 0) -> None:
        self._state = check_seed(seed) << 64 | check_seed(game)

    def getrandbits(self, k: int) -> int:
        """Returns the next k random bits. k must be 64, the bits that a spawn takes."""
        if k != 64:
            raise ValueError(f"k is {k!r}: must be 64, the bits of a spawn")
        self._state = (self._state * (2549297995355413924 << 64 | 4865540595714422341)) & _MASK128
        self._state = (self._state + (6364136223846793005 << 64 | 1442695040888963407)) & _MASK128
        high, low = self._state >> 64, self._state & _MASK64
        high ^= high >> 32
        high = high * 0xDA942042E4DD58B5 & _MASK64
        high ^= high >> 48
        return high * (low | 1) & _MASK64


Rng: TypeAlias = SpawnRng | np.random.Generator | random.Random
_default = np.random.default_rng()


class Slide(NamedTuple):
    """The result of a slide, before a tile spawns."""

    board: NDArray[np.uint8]
    """Exponents, (rows, columns); the board itself if the move is illegal."""
    reward: int
    """The sum of the merged tiles."""
    legal: bool
    """Whether the move changes the board."""


def slide(board: Board, move: Move) -> Slide:
    """Slides the tiles of a board, and spawns none. ``move`` is a Direction, its number, or its name such as "left"."""
    direction = to_direction(move)
    boards, rewards, legal = afterstates(board)
    return Slide(boards[direction].copy(), int(rewards[direction]), bool(legal[direction]))


def afterstates(boards: Board | NDArray[Any]) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.bool_]]:
    """Returns the results of the four slides of one board or of n boards of one size.

    Returns:
        boards: exponents, uint8 (4, rows, columns) by direction, or (n, 4, rows, columns);
        rewards: the sums of merged tiles, int64 (4,), or (n, 4);
        legal: whether each slide changes the board, bool (4,), or (n, 4). If not, the board is
            unchanged and the reward is 0.
    """
    one, exponents = exponents_of(boards)
    n, rows, columns = exponents.shape
    after, rewards, legal = np.empty((n, 4, rows, columns), np.uint8), np.empty((n, 4), np.int64), np.empty((n, 4), np.bool_)
    if n > 0:
        lib = library()
        lib.check(
            lib.boards_afterstates(n, rows, columns, address(exponents), address(after), address(rewards), address(legal))
        )
    return (after[0], rewards[0], legal[0]) if one else (after, rewards, legal)


def spawn(board: Board, rng: Rng | None = None, *, p4: float = 0.1) -> NDArray[np.uint8]:
    """Returns a copy of a board with a new tile, as exponents, uint8 (rows, columns).

    The tile is a 4 with probability p4, else a 2, in a random empty cell. One draw of 64 bits
    selects both.

    Args:
        board: a board with an empty cell; ValueError otherwise.
        rng: a generator of numpy.random or random, or a SpawnRng; None: a generator of this
            module without a fixed seed.
        p4: the probability of a 4.
    """
    exponents = to_exponents(board, many=False).copy()
    rng = _default if rng is None else rng
    if isinstance(rng, np.random.Generator):
        draw = int(rng.integers(_MASK64, dtype=np.uint64, endpoint=True))
    elif isinstance(rng, (SpawnRng, random.Random)):
        draw = rng.getrandbits(64)
    else:
        raise TypeError(f"rng is {rng!r}: must be numpy.random.default_rng(...), random.Random(...) or a SpawnRng")
    lib = library()
    lib.check(lib.boards_spawn(*exponents.shape, address(exponents), check_p4(p4), draw))
    return exponents
