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
    """The unit of values: "points" of score still to come, or "heuristic", a scale of the player's own."""
    plies: int
    """How many of the player's moves it looked ahead."""
    nodes: int
    """How many positions it looked at."""
    elapsed_ms: float
    """How long the decision took, in milliseconds."""
    source: str
    """Where the answer comes from: "search", "reward", "random", or "exact", which is looked up (see ``solve``)."""


@dataclass(frozen=True)
class Analyses:
    """A player's decisions on n boards."""

    moves: NDArray[np.int8]
    """Directions, (n,); -1 where no move is legal."""
    values: NDArray[np.float64]
    """The value of each move, (n, 4), as in Analysis."""
    unit: str
    """The unit of values, as in Analysis."""


@dataclass(frozen=True)
class Reasons:
    """What each move of a board leads to, from games that were played on after it.

    Arrays have a row for each direction, NaN where a move is illegal or no game counts.
    """

    analysis: Analysis
    """The player's decision."""
    games: int
    """Games after each move."""
    whole_games: int
    """The games of them that were played to the end. They alone count for score, length, and tiles
    larger than those asked for."""
    horizon: int
    """The number of moves after which every game ended; 0: no limit."""
    game_over: NDArray[np.float64]
    """The chance that the game is over within 50 moves, (4,)."""
    game_over_intervals: NDArray[np.float64]
    """95 % Wilson intervals of game_over, (4, 2)."""
    tiles: tuple[int, ...]
    """The columns of chances: the tiles asked for and, with whole games, all from the next one to 65536."""
    chances: NDArray[np.float64]
    """The chance to make each tile, (4, tiles)."""
    chance_intervals: NDArray[np.float64]
    """95 % Wilson intervals of chances, (4, tiles, 2)."""
    score: NDArray[np.float64]
    """The expected final score, (4,): the board's score and all that is still to come."""
    score_intervals: NDArray[np.float64]
    """95 % intervals of score, (4, 2)."""
    length: NDArray[np.float64]
    """The expected number of moves to come, this one included, (4,)."""
    length_intervals: NDArray[np.float64]
    """95 % intervals of length, (4, 2)."""
    best: Direction | None
    """The best move in the games; None without games, without a choice, and with a horizon."""
    trusted: Direction | None
    """The move to trust: best if it is clearly better than the player's move at 95 %, else the
    player's move; None where no move is legal."""
    exact_tiles: tuple[int, ...]
    """The columns of exact_chances: on small boards the tiles whose goal is solved (see ``solve``)."""
    exact_chances: NDArray[np.float64]
    """The greatest chance to make each tile, (4, exact_tiles), each of play that aims at this tile
    alone. The games are played otherwise, so their chances are lower."""
    exact_score: NDArray[np.float64]
    """The exact expected final score under optimal play, (4,), if the player looks it up; else NaN."""


def best_move(board: Board, player: str = "auto", *, score: int = 0, time_ms: float | None = None) -> Direction | None:
    """Returns the best move on a board, or None if no move is legal.

    Args:
        board: text, rows of tile values, or exponents in an array of dtype uint8.
        player: a spec, such as "expectimax(eval=gradient,plies=2)"; see ``players``.
        score: the score of the game, for players that use it.
        time_ms: the time limit in milliseconds; TimeoutError if no move was found by then.
    """
    move = call("best_move", board=_rows(board), player=player, score=check_score(score), time_ms=time_ms)["move"]
    return None if move is None else Direction[move.upper()]


def analyze(board: Board, player: str = "auto", *, score: int = 0) -> Analysis:
    """Returns the value of each move on a board. Takes the same arguments as ``best_move``, except the time limit."""
    return _analysis(call("analyze", board=_rows(board), player=player, score=check_score(score)))


def _analysis(d: dict[str, Any]) -> Analysis:
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


def explain(
    board: Board,
    player: str = "auto",
    *,
    tiles: Sequence[int] | None = None,
    games: int | None = None,
    time_ms: float | None = None,
    score: int = 0,
    seed: int = 0,
) -> Reasons:
    """Returns why a move is the best: games are played on after each move, on all cores.

    The games of a player with a network are played greedily by the network, those of others by a
    faster variant of the player. All moves have the same spawns, which seed determines.

    Args:
        board: text, rows of tile values, or exponents in an array of dtype uint8.
        player: a spec; see ``players``.
        tiles: the tiles whose chances are wanted: games go on until they have made the largest of
            them, and every eighth to its end. Default: the next tile, where games of a player
            without a network end after 50 moves.
        games: the limit of the games after each move. The result does not depend on the time if
            the games end before time_ms.
        time_ms: the limit of the time after the decision, up to 10000; default: 1000.
        score: the score of the game.
        seed: the seed of the spawns.
    """
    answer = call(
        "explain",
        board=_rows(board),
        player=player,
        tiles=None if tiles is None else [whole("tile", tile, 4, 2**48) for tile in tiles],
        games=games,
        time_ms=time_ms,
        score=check_score(score),
        seed=check_seed(seed),
    )
    found = answer["why"]
    moves = [found["moves"].get(str(direction)) for direction in Direction]
    legal = [m for m in moves if m]
    columns = tuple(int(tile) for tile in legal[0]["tiles"]) if legal else ()
    chances, intervals = np.full((4, len(columns)), np.nan), np.full((4, len(columns), 2), np.nan)
    means, bounds = np.full((3, 4), np.nan), np.full((3, 4, 2), np.nan)
    exact_tiles = tuple(sorted({int(tile) for m in legal for tile in m.get("exact", {"chances": {}})["chances"]}))
    exact_chances, exact_score = np.full((4, len(exact_tiles)), np.nan), np.full(4, np.nan)
    for i, m in enumerate(moves):
        if m is None:
            continue
        for k, tile in enumerate(m["tiles"].values()):
            _estimate(tile["share"], tile["ci95"], chances[i], k, intervals[i, k])
        _estimate(m["game_over"]["share"], m["game_over"]["ci95"], means[0], i, bounds[0, i])
        _estimate(m["score"]["mean"], m["score"]["ci95"], means[1], i, bounds[1, i])
        _estimate(m["length"]["mean"], m["length"]["ci95"], means[2], i, bounds[2, i])
        if "exact" in m:
            exact_chances[i] = [m["exact"]["chances"].get(str(tile), np.nan) for tile in exact_tiles]
            exact_score[i] = np.nan if m["exact"]["score"] is None else m["exact"]["score"]
    analysis = _analysis(answer)
    verdict = found["verdict"]
    return Reasons(
        analysis=analysis,
        games=found["games"],
        whole_games=found["whole_games"],
        horizon=found["horizon_moves"],
        game_over=means[0],
        game_over_intervals=bounds[0],
        tiles=columns,
        chances=chances,
        chance_intervals=intervals,
        score=means[1],
        score_intervals=bounds[1],
        length=means[2],
        length_intervals=bounds[2],
        best=None if verdict is None else Direction[verdict["games"].upper()],
        trusted=analysis.move if verdict is None else Direction[verdict["trusted"].upper()],
        exact_tiles=exact_tiles,
        exact_chances=exact_chances,
        exact_score=exact_score,
    )


def _estimate(
    value: float | None,
    interval: list[float] | None,
    values: NDArray[np.float64],
    i: int,
    bounds: NDArray[np.float64],
) -> None:
    """Writes a value and its interval, where they are known."""
    if value is not None:
        values[i] = value
    if interval is not None:
        bounds[:] = interval


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
        player: a spec; see ``players``.
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
    """Returns the value of each move on each of n boards. Takes the same arguments as ``best_moves``."""
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
        raise ValueError(f"player {player!r}: must be a spec without the character 0")
    moves, points = np.empty(n, np.int8), c_int32()
    work = Call(lib, exponents, had, moves, values, points)
    begun = lib.decide(
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
    lib.check(begun)
    lib.check(work.result())
    return moves, bool(points.value)


def players() -> list[dict[str, Any]]:
    """Returns the players that a spec may name, each a dict of ``name``, ``spec``, ``keys``, ``origin`` and ``summary``.

    Each of ``keys`` is a dict of ``name``, ``unit``, ``range``, ``default`` and ``help``, and of ``values`` if they are words.
    """
    found: list[dict[str, Any]] = call("players.list")["players"]
    return found


def _rows(board: Board) -> Any:
    return board if isinstance(board, str) else tiles(to_exponents(board, many=False)).tolist()
