"""Decisions of players."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._batch import address
from ._checks import check_score, check_scores, check_seed, whole
from ._library import Call, c_int32, library
from ._rpc import call
from .boards import Board, Direction, tiles, to_exponents


@dataclass(frozen=True)
class Analysis:
    """A player's decision on one board, as printed by ``afterstate best --json``."""

    board: NDArray[np.uint8]
    """Exponents, (rows, columns)."""
    player: str
    """The player's spec."""
    move: Direction | None
    """The best move; None where no move is legal."""
    values: NDArray[np.float64]
    """The value of each move, (4,), by direction: NaN where it is illegal or not known, minus
    infinity where it loses whatever comes."""
    losses: NDArray[np.float64]
    """The best move's value minus each value, (4,); NaN where unknown."""
    unit: str
    """Of values: "points" of score still to come, or "heuristic", a scale of the player's own."""
    plies: int
    """How many of the player's moves it looked ahead."""
    nodes: int
    """How many positions it looked at."""
    elapsed_ms: float
    source: str
    """Where the answer comes from: search, reward, or random."""


@dataclass(frozen=True)
class Analyses:
    """A player's decisions on n boards."""

    moves: NDArray[np.int8]
    """Directions, (n,); -1 where no move is legal."""
    values: NDArray[np.float64]
    """As in Analysis, (n, 4)."""
    unit: str


def best_move(board: Board, player: str = "auto", *, score: int = 0, time_ms: float | None = None) -> Direction | None:
    """Returns the best move on a board, or None if no move is legal.

    Args:
        board: text, rows of tile values, or exponents in an array of dtype uint8.
        player: a spec, such as "expectimax(eval=gradient,plies=2)"; see players().
        score: the score of the game, for players that use it.
        time_ms: the time limit in milliseconds; TimeoutError if no move was found by then.
    """
    move = call("best_move", board=_rows(board), player=player, score=check_score(score), time_ms=time_ms)["move"]
    return None if move is None else Direction[move.upper()]


def analyze(board: Board, player: str = "auto", *, score: int = 0) -> Analysis:
    """Returns the value of each move on a board; arguments as for best_move."""
    d = call("analyze", board=_rows(board), player=player, score=check_score(score))
    moves = [d["moves"][str(direction)] for direction in Direction]
    nan = float("nan")
    return Analysis(
        board=to_exponents(np.array(d["board"]), many=False),
        player=d["player"],
        move=None if d["move"] is None else Direction[d["move"].upper()],
        values=np.array([-np.inf if m["lost"] else nan if m["value"] is None else m["value"] for m in moves], np.float64),
        losses=np.array([nan if m["loss"] is None else m["loss"] for m in moves], np.float64),
        unit=d["unit"],
        plies=d["plies"],
        nodes=d["nodes"],
        elapsed_ms=d["elapsed_ms"],
        source=d["source"],
    )


def best_moves(
    boards: Sequence[Board] | NDArray[Any],
    player: str = "auto",
    *,
    scores: ArrayLike | None = None,
    threads: int = 0,
    seed: int = 0,
) -> NDArray[np.int8]:
    """Returns the best move on each of n boards of one size, int8 (n,); -1 if none is legal.

    Args:
        boards: an array of shape (n, rows, columns), of exponents if its dtype is uint8, else
            of tile values; or a list of boards.
        player: a spec.
        scores: the scores of the games, (n,).
        threads: the number of boards processed in parallel; 0: one for each core.
        seed: for players with random choices: board i counts as the first of game i of this seed.
    """
    return _decide(boards, player, scores, threads, seed, None)[0]


def analyze_many(
    boards: Sequence[Board] | NDArray[Any],
    player: str = "auto",
    *,
    scores: ArrayLike | None = None,
    threads: int = 0,
    seed: int = 0,
) -> Analyses:
    """Returns the value of each move on each of n boards; arguments as for best_moves."""
    values = np.empty((len(boards), 4), np.float64)
    moves, points = _decide(boards, player, scores, threads, seed, values)
    return Analyses(moves, values, "points" if points else "heuristic")


def _decide(
    boards: Sequence[Board] | NDArray[Any],
    player: str,
    scores: ArrayLike | None,
    threads: int,
    seed: int,
    values: NDArray[np.float64] | None,
) -> tuple[NDArray[np.int8], bool]:
    lib = library()
    if len(boards) == 0:
        return np.empty(0, np.int8), False
    exponents = to_exponents(boards, many=True)
    n, rows, columns = exponents.shape
    had = None if scores is None else check_scores(scores, n)
    if "\0" in player:
        raise ValueError(f"player {player!r}: want a spec without the character 0")
    moves, points = np.empty(n, np.int8), c_int32()
    work = Call(lib, exponents, had, moves, values, points)
    lib.decide(
        work.handle,
        player.encode(),
        check_seed(seed),
        0,
        n,
        rows,
        columns,
        address(exponents),
        address(had),
        whole("threads", threads, 0, 2**31 - 1),
        address(moves),
        address(values),
        ctypes.byref(points),
    )
    lib.check(work.result())
    return moves, bool(points.value)


def players() -> list[dict[str, Any]]:
    """Returns the players that specs may name: name, spec, keys, origin and summary of each. A
    key is a dict with its name, unit, range, default and help, and values if they are words."""
    found: list[dict[str, Any]] = call("players.list")["players"]
    return found


def version() -> str:
    """Returns the version of Afterstate."""
    lib = library()
    return lib.take(lib.version())


def _rows(board: Board) -> Any:
    return board if isinstance(board, str) else tiles(to_exponents(board, many=False)).tolist()
