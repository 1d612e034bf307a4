"""Validation of integers from callers: other values are rejected, never rounded or wrapped."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

MAX_SEED = 2**64 - 1
MAX_SCORE = 2**62
_INT64 = np.iinfo(np.int64)


def whole(name: str, value: Any, low: int, high: int | None, want: str = "") -> int:
    """Returns an integer from low to high (None: no limit).

    Raises TypeError for other types and ValueError beyond the limits.
    """
    want = want or f"a whole number from {low} to {high}"
    try:
        n = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}: must be {want}") from None
    if n < low or high is not None and n > high:
        raise ValueError(f"{name} is {n}: must be {want}")
    return n


def whole_array(name: str, values: ArrayLike, low: int = _INT64.min, high: int = _INT64.max) -> NDArray[np.int64]:
    """Validates an array as whole validates an integer. The result is contiguous."""
    raw = np.asarray(values)
    if raw.dtype.kind == "f" and not isinstance(values, np.ndarray):
        raw = np.asarray(values, object)  # NumPy would convert [1, 2**63] to floats
    if raw.dtype == object:  # numbers too large for a dtype, or other objects
        for value in raw.flat:
            whole(name, value, low, high)
    elif raw.dtype.kind not in "iu" and raw.size > 0:
        raise TypeError(f"{name} of dtype {raw.dtype}: must be whole numbers, such as int64")
    if raw.size > 0 and raw.dtype != np.int64 or (low, high) != (_INT64.min, _INT64.max):
        for value in (raw.min(), raw.max()) if raw.size > 0 else ():
            if not low <= int(value) <= high:
                raise ValueError(f"{name}: {value} is not from {low} to {high}")
    return np.ascontiguousarray(raw, np.int64)


def check_seed(seed: object, name: str = "seed") -> int:
    """Returns a valid seed, or number of a game. Errors name the accepted values."""
    if not isinstance(seed, (int, np.integer)) or not 0 <= int(seed) <= MAX_SEED:
        raise ValueError(f"{name} {seed!r}: must be a whole number from 0 to 2^64-1")
    return int(seed)


def check_p4(p4: Any) -> float:
    """Returns a valid probability of a 4. Errors name the accepted values."""
    try:
        value = float(p4)
    except (TypeError, ValueError):
        value = float("nan")
    if isinstance(p4, (str, bytes)) or not 0 <= value <= 1:
        raise ValueError(f"p4 is {p4!r}: must be the probability of a 4, from 0 to 1")
    return value


def check_render_mode(mode: object, accepted: Sequence[str]) -> None:
    """Raises ValueError unless an environment has the mode."""
    if mode is not None and mode not in accepted:
        raise ValueError(f"render_mode is {mode!r}: must be None, {', '.join(map(repr, accepted[:-1]))} or {accepted[-1]!r}")


def check_score(score: Any) -> int:
    """Returns a valid score. Errors name the accepted values."""
    return whole("score", score, 0, MAX_SCORE, "a whole number from 0 to 2^62")


def check_scores(scores: ArrayLike, n: int) -> NDArray[np.int64]:
    """Returns the scores of n boards, from one score each or one for all."""
    return np.ascontiguousarray(np.broadcast_to(whole_array("scores", scores, 0, MAX_SCORE), n))
