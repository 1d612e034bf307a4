"""Bots that Afterstate's commands start: the player exec, docs/protocol.md."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

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
    """Which game this is, with ``seeded``; for random numbers that can be reproduced."""
    game: int | None


Chooser: TypeAlias = Callable[[NDArray[np.uint8]], Move] | Callable[[NDArray[np.uint8], Turn], Move]


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
            move, and returns a Direction, its number, or its name such as "left". It owns the array.
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
                    result = {"move": _chosen(choose, request["params"], turns)}
            if "id" in request:
                out.write(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}) + "\n")
                out.flush()
            if request["method"] == "bye":
                return


def _chosen(choose: Any, params: dict[str, Any], turns: bool) -> str:
    board = exponents(params["board"])
    if not turns:
        return str(to_direction(choose(board)))
    turn = Turn(
        score=params["score"],
        legal=tuple(Direction[move.upper()] for move in params["legal"]),
        number=params["turn"],
        time_ms=params.get("time_ms"),
        seed=params.get("seed"),
        game=params.get("game"),
    )
    return str(to_direction(choose(board, turn)))


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
