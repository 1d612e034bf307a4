"""The options of training. The library lists and checks them; here they only become its JSON."""

from __future__ import annotations

import json
import math
import operator
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._library import library


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
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return operator.index(value)
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return number if math.isfinite(number) else repr(number)
    if isinstance(value, str):
        return value
    if name == "size" and isinstance(value, (tuple, list)):
        return "x".join(map(str, value))
    if name == "stages" and isinstance(value, Sequence):
        return "/".join(",".join(map(str, stage)) for stage in value)
    return str(value)
