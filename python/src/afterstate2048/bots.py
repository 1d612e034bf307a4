"""Bots that Afterstate's commands start: the player exec, docs/protocol.md."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._checks import whole
from .boards import Direction, Move, Size, check_size, exponents, to_direction

_PROTOCOL = 1


@dataclass(frozen=True)
class Turn:
    """What a bot knows besides the board."""

    score: int
    """The score of the game so far."""
    legal: tuple[Direction, ...]
    """The moves that change the board."""
    number: int
    """1 for the first move of a game, which begins a new one."""
    time_ms: float | None
    """The time to answer in, if the spec has ``time=``."""
    seed: int | None
    """With ``seeded``: the seed of the game, for random numbers that can be reproduced."""
    game: int | None
    """With ``seeded``: the number of the game within the seed."""


@dataclass(frozen=True)
class Choice:
    """A move, with what ``afterstate best``, ``afterstate tree`` and the page show beside it."""

    move: Move
    """A Direction, its number, or its name such as "left"."""
    values: ArrayLike | None = None
    """The value of each move, (4,), by direction; NaN where unknown. Those of illegal moves do not matter."""
    unit: str | None = None
    """The unit of values: "points" of score still to come, or "heuristic", a scale of the bot's own; None: heuristic."""
    depth: int | None = None
    """How many of the bot's moves it looked ahead, 0 to 1000."""
    nodes: int | None = None
    """How many positions it looked at."""
    tree: Mapping[str, Any] | None = None
    """The root of the search tree, ``{"children": [...]}``. Its children are moves, ``{"move": 3, "value": 1.5, "children": [...]}``,
    and theirs spawns, ``{"spawn": {"row": 0, "col": 1, "tile": 2}, "probability": 0.3, "value": 1, "children": [...]}``, as
    docs/protocol.md explains."""


Chooser: TypeAlias = "Callable[[NDArray[np.uint8]], Move | Choice] | Callable[[NDArray[np.uint8], Turn], Move | Choice]"


def run_bot(
    choose: Chooser,
    *,
    name: str | None = None,
    version: str | None = None,
    turns: bool = False,
    seeded: bool = False,
    sizes: Sequence[Size] | None = None,
) -> None:
    """Plays for Afterstate with a function that chooses moves. A whole bot, bot.py::

        import afterstate2048, numpy

        def choose(board):
            boards, rewards, legal = afterstate2048.afterstates(board)
            return numpy.where(legal, rewards, -1).argmax()

        afterstate2048.run_bot(choose)

    Then ``afterstate arena 'exec(cmd="python3 bot.py")' greedy`` plays it. The function speaks the protocol
    on stdin and stdout, and returns when the command ends the session. Meanwhile
    ``print`` writes to stderr, which is shown when the bot fails. An exception in ``choose``
    ends the bot, which forfeits the game.

    Args:
        choose: gets the board, exponents in uint8 (rows, columns), never one without a legal
            move, and returns a Direction, its number, or its name such as "left", or a Choice. It owns the array.
        name: the name in reports; None: that of the program's file.
        version: the version in reports.
        turns: also pass a Turn, with the score, the legal moves and more, as the second argument.
        seeded: ask for the seed and the number of each game; see Turn.
        sizes: the board sizes that the bot plays, such as ["4x4"]; None: all.
    """
    if not callable(choose):
        raise TypeError(f"choose is {choose!r}: must be a function of a board")
    hello: dict[str, Any] = {"name": name or os.path.basename(sys.argv[0]) or "python", "protocol": _PROTOCOL}
    if version is not None:
        hello["version"] = version
    if seeded:
        hello["wants_seed"] = True
    if sizes is not None:
        hello["sizes"] = ["{}x{}".format(*check_size(size)) for size in sizes]
    with _only_answers() as out:
        for line in sys.stdin:
            request = json.loads(line)
            result: dict[str, Any] = {}
            match request["method"]:
                case "hello":
                    result = hello
                case "best_move":
                    result = _chosen(choose, request["params"], turns)
            if "id" in request:
                out.write(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}, allow_nan=False) + "\n")
                out.flush()
            if request["method"] == "bye":
                return


def _chosen(choose: Any, params: dict[str, Any], turns: bool) -> dict[str, Any]:
    board = exponents(params["board"])
    legal = tuple(Direction[move.upper()] for move in params["legal"])
    if not turns:
        return _answer(choose(board), legal)
    turn = Turn(
        score=params["score"],
        legal=legal,
        number=params["turn"],
        time_ms=params.get("time_ms"),
        seed=params.get("seed"),
        game=params.get("game"),
    )
    return _answer(choose(board, turn), legal)


def _answer(choice: Any, legal: tuple[Direction, ...]) -> dict[str, Any]:
    """Returns the result of best_move."""
    if not isinstance(choice, Choice):
        choice = Choice(choice)
    answer: dict[str, Any] = {"move": str(to_direction(choice.move))}
    if choice.values is not None:
        values = np.asarray(choice.values, np.float64)
        if values.shape != (4,):
            raise ValueError(f"values have shape {values.shape}: must be (4,), a value for each direction")
        answer["values"] = {str(d): float(values[d]) if np.isfinite(values[d]) else None for d in legal}
    if choice.unit is not None:
        if choice.unit not in ("points", "heuristic"):
            raise ValueError(f"unit is {choice.unit!r}: must be points or heuristic")
        answer["unit"] = choice.unit
    for name, number, high in (("depth", choice.depth, 1000), ("nodes", choice.nodes, 2**62)):
        if number is not None:
            answer[name] = whole(name, number, 0, high)
    if choice.tree is not None:
        answer["tree"] = _node(choice.tree)
    return answer


def _node(node: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a node of a tree in the form of the protocol: without arrays, NumPy's numbers and infinities."""
    plain = {name: value.item() if isinstance(value, np.generic) else value for name, value in node.items()}
    if "move" in plain:
        plain["move"] = str(to_direction(plain["move"]))
    if "spawn" in plain:
        plain["spawn"] = {name: int(n) for name, n in plain["spawn"].items()}
    if plain.get("value") is not None and not np.isfinite(plain["value"]):
        plain["lost"], plain["value"] = plain["value"] == -np.inf, None
    if "children" in plain:
        plain["children"] = [_node(child) for child in plain["children"]]
    return plain


@contextmanager
def _only_answers() -> Iterator[IO[str]]:
    """Gives stdout to the protocol: whatever else is printed goes to stderr."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    stdout, sys.stdout = sys.stdout, sys.stderr
    try:
        with os.fdopen(os.dup(kept), "w", encoding="utf-8") as out:
            yield out
    except (BrokenPipeError, KeyboardInterrupt):
        pass  # the commands have ended
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        sys.stdout = stdout
