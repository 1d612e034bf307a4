"""The options of training. The library lists and checks them; here they only become its JSON."""

from __future__ import annotations

import json
import math
import operator
import os
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

import numpy as np

from ._library import library
from .boards import Size, check_size


class TrainingOptions(TypedDict, total=False):
    """The options of ``Trainer`` besides its own arguments, for type checkers and editors.

    ``training_options()`` explains them.
    """

    stages: str | Sequence[Sequence[int]]
    from_: str | os.PathLike[str]
    optimistic_init: float
    games: int
    seed: int
    threads: int
    warmup_games: int
    coherent: bool
    anneal: int
    settled: float
    only_known: bool
    lambda_: float
    horizon: int
    slips: float
    restart_share: float
    restart_tile: int
    downgrade: int
    report_every: int


class SweepOptions(TrainingOptions, total=False):
    """The options of all runs of a ``sweep``."""

    network: str
    size: Size
    rate: float
    seeds: int | Sequence[int]


def training_options() -> list[dict[str, Any]]:
    """Returns the options that ``Trainer`` takes as keywords: the options of ``afterstate train``.

    Each is a dict of its name, the accepted values, the default (0 and "": another option or the network
    decides), whether it may change when training is resumed, and a help.
    """
    lib = library()
    found: list[dict[str, Any]] = lib.answer(lib.trainer_options)
    return found


def options_text(options: Mapping[str, Any]) -> bytes:
    """Returns options in the library's JSON format; those that are None are left out."""
    given = {name.rstrip("_"): plain(name, value) for name, value in options.items() if value is not None}
    return json.dumps(given).encode()


def plain(name: str, value: Any) -> Any:
    """Returns a value of an option as JSON has it. The library refuses those of the wrong type."""
    if name == "size" and not isinstance(value, str):
        return "{}x{}".format(*check_size(value))
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return operator.index(value)
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return number if math.isfinite(number) else repr(number)
    if isinstance(value, str):
        return value
    if name == "stages" and isinstance(value, Sequence):
        return "/".join(",".join(map(str, stage)) for stage in value)
    return str(value)
