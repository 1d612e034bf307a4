"""2048 as pure functions of JAX, for learners that run on an accelerator as a whole.

::

    import jax
    from afterstate2048.jax_env import Game2048JAX

    env = Game2048JAX("4x4", autoreset=True)
    keys = jax.random.split(jax.random.key(1), 4096)
    state = jax.jit(jax.vmap(env.reset))(keys)
    actions = state.action_mask.argmax(1)
    state = jax.jit(jax.vmap(env.step))(state, actions)

The rules are written a second time here, in JAX; a test proves them equal to the Go library's, which this module
does not load. It needs the package jax.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ._checks import check_p4
from .boards import Size, check_size


class EnvState(NamedTuple):
    """A game, with the results of its last step. Under ``vmap`` each array has a first dimension of the games."""

    board: jax.Array
    """The observation: exponents, uint8 (rows, columns). 0 is an empty cell, 1 a tile of 2, 11 one of 2048."""
    action_mask: jax.Array
    """Whether each action is legal, bool (4,). All are False if the game is over."""
    reward: jax.Array
    """The sum of the tiles merged by the last step, float32 (), at least 0; exact up to 2^24."""
    done: jax.Array
    """Whether the last step ended its game, bool (). It stays True without ``autoreset``."""
    score: jax.Array
    """The sum of the rewards of the board's game, int32 (), up to 2^31 - 1."""
    key: jax.Array
    """The random key of the coming tiles."""


class Game2048JAX:
    """2048 as pure functions, which run under ``jax.jit``, ``jax.vmap`` and ``jax.lax.scan``.

    Actions are 0 up, 1 right, 2 down, 3 left. An illegal action, and any action in a finished game, changes
    nothing, has reward 0 and spawns no tile.

    Args:
        size: rows and columns, each from 2 to 6: (3, 4) or "3x4".
        p4: the probability that a new tile is a 4, in steps of 2^-31.
        autoreset: whether a step that ends a game also begins the next. Its ``reward`` and ``done`` are those of
            the game that ended, whose score was ``state.score`` before the step plus this reward; all else is the
            new game's.
    """

    size: tuple[int, int]
    """Rows and columns."""

    def __init__(self, size: Size = (4, 4), *, p4: float = 0.1, autoreset: bool = False) -> None:
        self.size = check_size(size)
        self._autoreset = autoreset
        self._fours = np.uint32(check_p4(p4) * 2**31)  # of 2^31

    def reset(self, key: jax.Array) -> EnvState:
        """Begins a game with two tiles. ``key`` is a key of ``jax.random.key`` or ``jax.random.PRNGKey``."""
        key, draw = jax.random.split(key)
        board = self._begin(jax.random.bits(draw, (2,), jnp.uint32))
        return EnvState(board, _legal(board), jnp.float32(0), jnp.bool_(False), jnp.int32(0), key)

    def step(self, state: EnvState, action: jax.Array | int) -> EnvState:
        """Slides the tiles, and places a new tile if any moved.

        ``action`` is an integer from 0 to 3, which is not checked.
        """
        key, draw = jax.random.split(state.key)
        bits = jax.random.bits(draw, (3 if self._autoreset else 1,), jnp.uint32)
        after, merged = _slide(state.board, action)
        moved = (after != state.board).any()
        board = jnp.where(moved, self._spawn(after, bits[0]), state.board)
        mask, score = _legal(board), state.score + merged
        done = ~mask.any()
        if self._autoreset:
            fresh = self._begin(bits[1:])
            board, mask = jnp.where(done, fresh, board), jnp.where(done, _legal(fresh), mask)
            score = jnp.where(done, 0, score)
        return EnvState(board, mask, merged.astype(jnp.float32), done, score, key)

    def afterstates(self, board: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
        """Returns the results of the four slides of a board, before a tile spawns.

        Returns:
            boards: exponents, uint8 (4, rows, columns) by action, equal to the board if the action is illegal;
            rewards: the sums of merged tiles, float32 (4,);
            legal: whether each action changes the board, bool (4,).
        """
        boards, merged = jax.vmap(_slide, (None, 0))(board, jnp.arange(4))
        return boards, merged.astype(jnp.float32), (boards != board).any((1, 2))

    def _begin(self, bits: jax.Array) -> jax.Array:
        """Returns a board with two tiles, from two words of 32 random bits."""
        return self._spawn(self._spawn(jnp.zeros(self.size, jnp.uint8), bits[0]), bits[1])

    def _spawn(self, board: jax.Array, bits: jax.Array) -> jax.Array:
        """Returns the board with a new tile in one of its n empty cells, from 32 random bits, uint32.

        Of the product bits * n the word above 32 bits is the number of the cell, and the word below, uniform for each
        cell, decides between 2 and 4.
        """
        cells = board.ravel()
        number = np.tri(len(cells), dtype=np.float32) @ (cells == 0)  # of the empty cells up to each
        n = number[-1].astype(jnp.uint32)
        chosen = ((bits >> 16) * n + ((bits & 0xFFFF) * n >> 16)) >> 16  # from 0
        place = jnp.sum(number <= chosen.astype(jnp.float32))
        tile = jnp.where(bits * n >> 1 < self._fours, jnp.uint8(2), jnp.uint8(1))
        return jnp.where(jnp.arange(len(cells)) == place, tile, cells).reshape(self.size)


def _slide(board: jax.Array, action: jax.Array | int) -> tuple[jax.Array, jax.Array]:
    """Returns the board after a slide, and the sum of the merged tiles, int32 ()."""
    rows, columns = board.shape
    longest = max(rows, columns)
    level, back = jnp.asarray(action) % 2 == 1, (action == 1) | (action == 2)
    # Each column of the square is a line, which slides up, or down if back. The cells that were added are empty: they
    # change no slide.
    square = jnp.pad(board, ((0, longest - rows), (0, longest - columns)))
    square = jnp.where(level, square.T, square)
    last = jnp.zeros(longest, jnp.uint8)  # the tile before, in each line, if the next one can merge with it
    count, merged = jnp.zeros(longest, jnp.uint8), jnp.zeros(longest, jnp.int32)
    counts, added = [], []
    for i in range(longest):
        cell = jnp.where(back, square[-1 - i], square[i])
        merges = (cell > 0) & (cell == last)
        last = jnp.where(merges, 0, jnp.where(cell > 0, cell, last))
        count += (cell > 0) & ~merges  # the tiles so far: the cell's goes to, or makes larger, the one of this number
        merged += jnp.where(merges, 2 << cell.astype(jnp.int32), 0)
        counts.append(count)
        added.append(jnp.where(merges, 1, cell))
    place = jnp.arange(longest)
    place = jnp.where(back, jnp.where(level, columns, rows) - place, place + 1)  # from 1
    here = jnp.stack(counts)[None] == place[:, None, None]
    square = jnp.sum(jnp.where(here, jnp.stack(added)[None], 0), 1, dtype=jnp.uint8)
    return jnp.where(level, square.T, square)[:rows, :columns], merged.sum(dtype=jnp.int32)


def _legal(board: jax.Array) -> jax.Array:
    """Returns whether each action changes the board, bool (4,)."""

    def moves(near: jax.Array, far: jax.Array) -> jax.Array:  # whether some far tile moves to its neighbour
        return ((far > 0) & ((near == 0) | (near == far))).any()

    up, down, left, right = board[:-1], board[1:], board[:, :-1], board[:, 1:]
    return jnp.stack([moves(up, down), moves(right, left), moves(down, up), moves(left, right)])
