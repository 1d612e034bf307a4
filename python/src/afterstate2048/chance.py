"""The game as a tree of moves and chance outcomes, for programs that search it themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ._checks import check_p4, check_score, whole
from ._draw import as_text
from .boards import Board, Direction, Size, check_size, to_exponents
from .rules import Slide, afterstates

if TYPE_CHECKING:
    from typing_extensions import Self


class State:
    """A position of the game, in which the player moves or a tile spawns, with the methods of OpenSpiel's State::

        state = afterstate2048.State()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, probabilities = zip(*state.chance_outcomes())
                state.apply_action(random.choices(actions, probabilities)[0])
            else:
                state.apply_action(random.choice(state.legal_actions()))
        print(state, state.returns())

    An action of the player is a direction: 0 up, 1 right, 2 down, 3 left. The action of a chance node is
    2 * cell for a new 2 and 2 * cell + 1 for a new 4, with cells counted row by row. A game begins with two
    chance nodes. These are the actions of OpenSpiel's game "2048", which equals ``State(stop=2048)``.

    Args:
        size: rows and columns, each from 2 to 6: (3, 4) or "3x4".
        p4: the probability that a new tile is a 4.
        stop: the tile that ends the game when the player makes it; None: none.
        board: the board to begin from, where the player is to move, in any notation (see the package); None: a new
            game. Its size replaces ``size``.
        score: the score of this board.
    """

    CHANCE: ClassVar[int] = -1
    """The current player of a chance node."""
    TERMINAL: ClassVar[int] = -4
    """The current player of a finished game."""

    def __init__(
        self,
        size: Size = (4, 4),
        *,
        p4: float = 0.1,
        stop: int | None = None,
        board: Board | None = None,
        score: int = 0,
    ) -> None:
        self._p4 = check_p4(p4)
        self._stop = 255 if stop is None else _exponent(stop)
        if board is None and score != 0:
            raise ValueError(f"score {score!r} without a board: a game begins with 0")
        self._board = np.zeros(check_size(size), np.uint8) if board is None else to_exponents(board, many=False)
        self._spawns = 2 if board is None else 0  # tiles to come before the next move
        self._score, self._reward = check_score(score), 0
        self._history: tuple[int, ...] = ()
        self._look()

    def _look(self) -> None:
        """Finds the moves of the player, and whether the game is over."""
        self._slides: list[Slide] = []
        if self._board.max() >= self._stop:
            self._spawns = 0
        elif self._spawns == 0:
            found = zip(*afterstates(self._board), strict=True)
            self._slides = [Slide(board, int(reward), bool(legal)) for board, reward, legal in found]

    @property
    def board(self) -> NDArray[np.uint8]:
        """The board, exponents (rows, columns)."""
        return self._board.copy()

    @property
    def score(self) -> int:
        """The sum of all merged tiles."""
        return self._score

    def current_player(self) -> int:
        """Returns 0 for the player, CHANCE or TERMINAL."""
        if self._spawns > 0:
            return self.CHANCE
        return 0 if any(slide.legal for slide in self._slides) else self.TERMINAL

    def is_chance_node(self) -> bool:
        """Returns whether a tile spawns next."""
        return self._spawns > 0

    def is_terminal(self) -> bool:
        """Returns whether the game is over: no move is legal, or the tile ``stop`` was made."""
        return self.current_player() == self.TERMINAL

    def legal_actions(self) -> list[int]:
        """Returns the legal moves, or the actions of all chance outcomes; none if the game is over."""
        if self._spawns > 0:
            return [action for action, _ in self.chance_outcomes()]
        return [direction for direction, slide in enumerate(self._slides) if slide.legal]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns the actions of a chance node with their probabilities, which sum to 1; impossible ones are left out.

        Raises ValueError if this is no chance node.
        """
        if self._spawns == 0:
            raise ValueError("this is no chance node: it has no chance outcomes")
        cells = np.flatnonzero(self._board == 0).tolist()
        kinds = ((0, (1 - self._p4) / len(cells)), (1, self._p4 / len(cells)))
        return [(2 * cell + four, chance) for cell in cells for four, chance in kinds if chance > 0]

    def apply_action(self, action: int) -> None:
        """Makes a move, or places the new tile of a chance outcome.

        Raises ValueError if the action is not one of ``legal_actions()``.
        """
        action = whole("action", action, 0, None, "one of legal_actions()")
        if action not in self.legal_actions():
            whose = "chance" if self._spawns > 0 else "the player"
            raise ValueError(f"action {action} of {whose}: must be one of legal_actions()")
        if self._spawns > 0:
            self._board = self._board.copy()
            self._board.flat[action // 2] = 1 + action % 2
            self._spawns -= 1
        else:
            self._board, self._reward, _ = self._slides[action]
            self._spawns, self._score = 1, self._score + self._reward
        self._history += (action,)
        self._look()

    def child(self, action: int) -> Self:
        """Returns the state after an action, and leaves this one unchanged."""
        state = self.clone()
        state.apply_action(action)
        return state

    def clone(self) -> Self:
        """Returns an independent copy."""
        state = type(self).__new__(type(self))
        state.__dict__.update(self.__dict__)  # nothing in it is changed in place
        return state

    def returns(self) -> list[float]:
        """Returns the score, as a list of one number."""
        return [float(self._score)]

    def rewards(self) -> list[float]:
        """Returns the sum of the tiles that the last move merged, as a list of one number."""
        return [float(self._reward)]

    def history(self) -> list[int]:
        """Returns all actions from the beginning, of the player and of chance."""
        return list(self._history)

    def action_to_string(self, *player_and_action: int) -> str:
        """Returns an action in words, such as "Left" or "4 added to row 1, column 2"; the player may be left out."""
        action = player_and_action[-1]
        if self._spawns == 0:
            return str(Direction(action)).capitalize()
        row, column = divmod(action // 2, self._board.shape[1])
        return f"{2 + action % 2 * 2} added to row {row + 1}, column {column + 1}"

    def __str__(self) -> str:
        return as_text(self._board, self._score)


def _exponent(tile: int) -> int:
    """Returns the exponent of the tile at which a game ends."""
    value = whole("stop", tile, 4, 2**48)
    if value & (value - 1):
        raise ValueError(f"stop is {tile}: must be a power of two from 4 to 2^48, or None")
    return value.bit_length() - 1
