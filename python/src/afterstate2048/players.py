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
    """Where the answer comes from: search, reward, random, or exact (looked up; see solve)."""


@dataclass(frozen=True)
class Analyses:
    """A player's decisions on n boards."""

    moves: NDArray[np.int8]
    """Directions, (n,); -1 where no move is legal."""
    values: NDArray[np.float64]
    """As in Analysis, (n, 4)."""
    unit: str


@dataclass(frozen=True)
class Odds:
    """What each move of a board leads to, from games that were played on after it.

    Arrays have a row for each direction, NaN where a move is illegal or no game counts.
    """

    analysis: Analysis
    """The player's decision."""
    games: int
    """Games after each move."""
    whole_games: int
    """Those of them that were played to the end: they alone count for score, length and tiles
    larger than those asked for."""
    stopped: str
    """Why there are no more games: "games", "clear" (one move is better than all others) or "time"."""
    tiles: tuple[int, ...]
    """The columns of chances: all tiles from the next one to 65536, and those asked for."""
    chances: NDArray[np.float64]
    """The chance to make each tile, (4, tiles)."""
    chance_intervals: NDArray[np.float64]
    """Their 95 % Wilson intervals, (4, tiles, 2)."""
    score: NDArray[np.float64]
    """The expected final score, (4,): what comes and the score of the board."""
    score_intervals: NDArray[np.float64]
    """95 % intervals, (4, 2)."""
    length: NDArray[np.float64]
    """The expected number of moves to come, this one included, (4,)."""
    length_intervals: NDArray[np.float64]
    """95 % intervals, (4, 2)."""
    best: Direction | None
    """The best move in the games; None without games or without a choice."""
    trusted: Direction | None
    """The move to trust: best if it is clearly better than the player's move at 95 %, else the
    player's move; None where no move is legal."""
    exact_tiles: tuple[int, ...]
    """The columns of exact_chances: on small boards the tiles whose goal is solved (see solve)."""
    exact_chances: NDArray[np.float64]
    """The greatest chance to make each tile, (4, exact_tiles), each of play that aims at this tile
    alone. The games are played otherwise, so their chances are lower."""
    exact_score: NDArray[np.float64]
    """The exact expected final score under optimal play, (4,), of players that look it up; else NaN."""


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


def odds(
    board: Board,
    player: str = "auto",
    *,
    tiles: Sequence[int] | None = None,
    games: int | None = None,
    time_ms: float | None = None,
    score: int = 0,
    seed: int = 0,
    exact: bool = False,
) -> Odds:
    """Plays games on after each move of a board, on all cores, and returns what they lead to.

    The games of a player with a network are played greedily by the network, those of others by a
    faster variant of the player. All moves have the same spawns, which seed determines.

    Args:
        board: text, rows of tile values, or exponents in an array of dtype uint8.
        player: a spec; see players().
        tiles: the tiles that games are played for; default: the next one, and the one after it.
            The result has every tile from the next one on; larger ones come from whole games alone.
        games: the limit of the games after each move. The result does not depend on the time if
            the games end before time_ms.
        time_ms: the limit of the time for games, up to 10000; default: 1000.
        score: the score of the game.
        seed: of the spawns.
        exact: do not stop when one move is clearly better than all others.
    """
    answer = call(
        "odds",
        board=_rows(board),
        player=player,
        tiles=None if tiles is None else [whole("tile", tile, 4, 2**48) for tile in tiles],
        games=games,
        time_ms=time_ms,
        score=check_score(score),
        seed=check_seed(seed),
        exact=exact,
    )
    found = answer["odds"]
    moves = [found["moves"].get(str(direction)) for direction in Direction]
    columns = tuple(int(tile) for tile in next((m for m in moves if m), {"tiles": {}})["tiles"])
    chances, intervals = np.full((4, len(columns)), np.nan), np.full((4, len(columns), 2), np.nan)
    means, bounds = np.full((2, 4), np.nan), np.full((2, 4, 2), np.nan)
    for i, m in enumerate(moves):
        if m is None:
            continue
        for k, tile in enumerate(m["tiles"].values()):
            _estimate(tile["share"], tile["ci95"], chances[i], k, intervals[i, k])
        for k, key in enumerate(("score", "length")):
            _estimate(m[key]["mean"], m[key]["ci95"], means[k], i, bounds[k, i])
    analysis = _analysis(answer)
    verdict = found["verdict"]
    known = [found.get("exact", {}).get(str(direction)) for direction in Direction]
    exact_tiles = tuple(int(tile) for tile in next((m for m in known if m), {"chances": {}})["chances"])
    exact_chances, exact_score = np.full((4, len(exact_tiles)), np.nan), np.full(4, np.nan)
    for i, m in enumerate(known):
        if m is not None:
            exact_chances[i] = list(m["chances"].values())
            exact_score[i] = np.nan if m["score"] is None else m["score"]
    return Odds(
        analysis=analysis,
        games=found["games"],
        whole_games=found["whole_games"],
        stopped=found["stopped"],
        tiles=columns,
        chances=chances,
        chance_intervals=intervals,
        score=means[0],
        score_intervals=bounds[0],
        length=means[1],
        length_intervals=bounds[1],
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
