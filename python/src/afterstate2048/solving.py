"""Exact values of small boards."""

from __future__ import annotations

from dataclasses import dataclass

from ._batch import SpawnRule
from ._checks import check_p4, whole
from ._rpc import call
from .boards import Size, check_size


@dataclass(frozen=True)
class Solution:
    """The exact value of a game from the standard start."""

    size: tuple[int, int]
    """Rows and columns."""
    states: int
    """Boards on which the player is to move, up to rotations and reflections."""
    expected_score: float | None
    """The expected final score under optimal play; None with a goal."""
    probability: float | None
    """The greatest chance to make the goal; None without one."""
    goal: int | None
    """The tile to make; None if the score is solved."""
    spawn: str
    """How tiles appear: "random", "adversary" or "friendly"."""
    p4: float | None
    """The probability that a random spawn is a 4; None where spawns are not random."""


def solve(
    size: Size, *, goal: int | None = None, spawn: SpawnRule = "random", p4: float = 0.1
) -> Solution:
    """Returns the exact value of the boards of a size: "2x2", "2x3", "2x4" or "3x3", also rotated.

    "2x4" takes about a second the first time and "3x3" ten seconds, on two cores. Their tables
    are files in the cache, up to 230 MB each, which ``afterstate solve`` and the players auto, best
    and perfect use too: afterwards ``analyze`` has exact values on the size. An interrupted solve
    begins again when it is repeated. If another process is already solving the same, this one waits for it.

    Args:
        size: rows and columns: "3x3" or (3, 3).
        goal: the tile to make, by play that aims at it alone; None: the score.
        spawn: how tiles appear: "random"; "adversary", the worst one for the player; or
            "friendly", the best one.
        p4: the probability that a random spawn is a 4.

    Raises:
        ValueError: for other sizes and goals.
        MemoryError: if there is too little memory or disk space.
    """
    rows, columns = check_size(size)
    found = call(
        "solve",
        size=f"{rows}x{columns}",
        goal=None if goal is None else whole("goal", goal, 8, 2**48),
        spawn=spawn,
        p4=check_p4(p4) if spawn == "random" else None,
    )
    return Solution(
        size=(rows, columns),
        states=found["states"],
        expected_score=found.get("expected_score"),
        probability=found.get("probability"),
        goal=found.get("goal"),
        spawn=found["spawn"],
        p4=found["p4"],
    )
