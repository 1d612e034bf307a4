"""Training with many options and seeds, as ``afterstate train sweep`` does."""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._checks import whole
from ._library import Call, library, text_p
from ._options import SweepOptions, options_text, plain

if TYPE_CHECKING:
    from typing_extensions import Unpack

_MOST = 2**63


@dataclass(frozen=True)
class Sweep:
    """What ``sweep`` found."""

    rows: list[dict[str, Any]]
    """A dict for each configuration, the best first; ``pandas.DataFrame(found.rows)`` is a table of them:

    - ``configuration``, ``runs``, ``seeds``: its name, the names of its runs, and their seeds
    - the options that differ, by name
    - ``games``: the number of games of training
    - ``mean_score``, ``interval``, ``corrected``: the mean score in points over seeds, its 95 % interval, and the one that holds for
      all configurations tried at once; None with one seed
    - ``behind``, ``behind_interval``: the best mean minus this one, with an interval that holds for all pairs at once; None for the best
      one
    - ``trained``: the mean score of each run's last interval, float64 (seeds,)
    - ``played``: the mean score of each network in games of its own, float64 (seeds,); None without such games
    - ``curve_games``, ``curves``: the games at the end of each interval, int64 (intervals,), and its mean score, float64 (seeds, intervals)
    """
    text: str
    """The table, and its conclusion about the best configuration."""
    markdown: str
    """The table for GitHub."""
    latex: str
    """The table as an environment tabular of booktabs."""


def sweep(
    name: str,
    options: Mapping[str, Any] | None = None,
    *,
    play: int = 0,
    play_seed: int = 0,
    workers: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    **spec: Unpack[SweepOptions],
) -> Sweep:
    """Trains a network under many options and seeds, and says which options are best::

        found = afterstate2048.sweep("rates", {"lambda": [0, 0.5], "rate": [0.5, 1]}, network="4x6", games=20000, seeds=3, play=1000)
        print(found.text)

    Each configuration has a run of one thread for each seed, ``rates-1-seed1000`` and so on, as ``afterstate train`` keeps them: the page
    shows their curves meanwhile, and ``"ntuple(model=rates-1-seed1000)"`` plays with the network. After Ctrl-C, or in another process, the same call
    resumes, with the same results.

    Args:
        name: the name of the sweep, with which those of its runs begin.
        options: the options in which configurations differ, with a list of values each.
        play: the number of games that each network plays, 0, or 2 or more. The best score of a training is partly luck.
        play_seed: the seed of these games.
        workers: runs that are trained at the same time; None: one for each processor.
        folder: where runs are kept; None: where ``afterstate train`` keeps them.
        spec: ``seeds``, their number or a list; and the options of all runs, as for ``Trainer``: ``network="4x6", games=20000``.

    Raises ValueError, which names the accepted values, and MemoryError.
    """
    lib = library()
    cores = os.cpu_count() or 1 if workers is None else whole("workers", workers, 1, 1024)
    differ = {key.rstrip("_"): _values(key, values) for key, values in (options or {}).items()}
    given = json.loads(options_text({**spec, "seeds": None})) | {"options": differ}
    if spec.get("seeds") is not None:
        given["seeds"] = _values("seeds", spec["seeds"])
    text = text_p()
    where = None if folder is None else os.fsencode(folder)
    work = Call(lib, text)
    lib.check(
        lib.sweep(
            work.handle, name.encode(), json.dumps(given).encode(), where, cores, whole("play", play, 0, _MOST), play_seed, ctypes.byref(text)
        )
    )
    lib.check(work.result())
    assert text.value is not None
    answer = json.loads(lib.take(text.value))
    rows = [_row(row, answer["curves"]) for row in answer["result"]["configurations"]]
    return Sweep(rows, answer["text"], answer["markdown"], answer["latex"])


def _values(name: str, values: Any) -> Any:
    """The values of an option as JSON has them: a list, or a range."""
    if isinstance(values, Mapping):
        return {key: plain(name, value) for key, value in values.items()}
    if isinstance(values, (str, bool, int, float, np.generic)):
        return plain(name, values)
    return [plain(name, value) for value in values]


def _row(row: dict[str, Any], curves: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    behind = row.get("behind") or {}
    games = [interval["games"] for interval in curves[row["runs"][0]]]
    return {
        "configuration": row["configuration"],
        **row["options"],
        "games": row["games"],
        "seeds": row["seeds"],
        "runs": row["runs"],
        "mean_score": row["mean_score"],
        "interval": row["mean_score_ci95"],
        "corrected": row["mean_score_ci95_corrected"],
        "behind": behind.get("mean"),
        "behind_interval": behind.get("ci95"),
        "trained": _floats(row["runs_trained_score"]),
        "played": None if row["runs_played_score"] is None else _floats(row["runs_played_score"]),
        "curve_games": np.array(games, np.int64),
        "curves": np.array([[interval["mean_score"] for interval in curves[run]] for run in row["runs"]], np.float64),
    }


def _floats(values: list[float | None]) -> NDArray[np.float64]:
    return np.array(values, np.float64)
