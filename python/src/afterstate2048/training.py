"""Training networks by temporal difference learning, as ``afterstate train`` does."""

from __future__ import annotations

import ctypes
import json
import os
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ._batch import address
from ._checks import whole
from ._library import Call, Locked, c_double, handle_t, library, text_p
from ._copies import Copied
from ._options import TrainingOptions, options_text
from .boards import Size, to_exponents
from .networks import Network

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

Metrics: TypeAlias = dict[str, Any]
"""Metrics of games; see Trainer.step."""

_MOST = 2**63


class Trainer(Locked, Copied):
    """Trains a network in games that it plays itself::

        trainer = afterstate2048.Trainer("4x6", seed=1)
        for _ in range(10):
            print(trainer.step(games=1000)["mean_score"])
        trainer.save("4x6.model")
        afterstate2048.best_move(board, player=trainer.network.player())

    Game i of a seed has the same spawns as everywhere in Afterstate. With one thread, the default, the options alone
    determine all weights.

    Args:
        network: a name such as "4x6", or patterns by cell: "012345 456789"; None: the one that
            ``afterstate train`` has for the size.
        size: rows and columns, each from 2 to 6: "3x4", or (3, 4).
        rate: the learning rate, more than 0 and at most 2, or a function that returns it for a number of games.
        starts: a function that returns the boards that games start from, for a number of games: uint8
            (n, rows, columns) of exponents. The games of its batch take one board after the other, and start over after the last. On a
            board without tiles a game starts as usual, and so does every game of a batch for which it returns None.
        callbacks: functions that are called with the metrics of each batch.
        options: all other options of ``afterstate train``, with underscores: ``seed=1, lambda_=0.5, restart_share=0.2``, and ``from_`` for a model to
            start from. A name that Python reserves takes an underscore at its end. ``training_options()`` lists them with their
            defaults and accepted values.

    A batch is ``report_every`` games (1000), and batches begin at its multiples. Functions get the number of games before the
    batch. They are called in the thread of ``step``, once for each batch that the trainer begins.

    ``copy()``, ``copy.copy`` and ``copy.deepcopy`` return a trainer that continues as this one does, with the same
    functions. It can be pickled if its functions can.

    Raises ValueError for options that are unknown or out of range, and MemoryError.
    """

    def __init__(
        self,
        network: str | None = None,
        *,
        size: Size | None = None,
        rate: float | Callable[[int], float] | None = None,
        starts: Callable[[int], NDArray[np.uint8] | None] | None = None,
        callbacks: Iterable[Callable[[Metrics], object]] = (),
        **options: Unpack[TrainingOptions],
    ) -> None:
        self._open(None, rate, starts, callbacks, {"network": network, "size": size, **options})

    @classmethod
    def load(
        cls,
        path: str | os.PathLike[str],
        *,
        rate: float | Callable[[int], float] | None = None,
        starts: Callable[[int], NDArray[np.uint8] | None] | None = None,
        callbacks: Iterable[Callable[[Metrics], object]] = (),
        **options: Unpack[TrainingOptions],
    ) -> Self:
        """Returns a trainer that continues from a file of ``save``, or from a checkpoint of ``afterstate train``.

        With one thread it trains bit for bit as the one that was saved. Functions are not saved: give them again. Without one the rate
        stays what it was. Given options replace saved ones; ``training_options()`` marks those that may change.
        """
        trainer = cls.__new__(cls)
        trainer._open(path, rate, starts, callbacks, options)
        return trainer

    def _open(
        self,
        path: str | os.PathLike[str] | None,
        rate: float | Callable[[int], float] | None,
        starts: Callable[[int], NDArray[np.uint8] | None] | None,
        callbacks: Iterable[Callable[[Metrics], object]],
        options: Mapping[str, Any],
    ) -> None:
        self._handle: Any = None
        self._library = library()
        super().__init__(self._library)
        self._rate, self._starts, self._callbacks = rate if callable(rate) else None, starts, tuple(callbacks)
        self._batch: int | None = None  # the first game of the batch that the functions were called for
        for name, function in (("starts", starts), *(("callbacks", f) for f in self._callbacks)):
            if function is not None and not callable(function):
                raise TypeError(f"{name} is {function!r}: must be a function")
        text = options_text({**options, "rate": None if callable(rate) else rate})
        handle = handle_t()
        self._library.check(self._library.trainer_new(text, None if path is None else os.fsencode(path), ctypes.byref(handle)))
        self._handle = handle
        rows, columns = self.network.size
        self._tiles = [2**e for e in range(2, rows * columns + 2)]  # all that a game of the size can make, except 2

    def _state(self) -> Any:
        return self._library.answer(self._library.trainer_state, self._opened())

    def _opened(self) -> Any:
        if self._handle is None:
            raise ValueError("this trainer was closed")
        return self._handle

    @property
    def games(self) -> int:
        """The games since the beginning of the training; those in progress do not count."""
        return int(self._state()["games"])

    @property
    def options(self) -> dict[str, Any]:
        """The options, defaults included. Those that have no effect are left out."""
        found: dict[str, Any] = self._state()["options"]
        return found

    @property
    def network(self) -> Network:
        """The network that is trained. Its weights are the trainer's own, and remain when the trainer is closed."""
        handle = handle_t()
        self._library.check(self._library.trainer_network(self._opened(), ctypes.byref(handle)))
        network = Network.__new__(Network)
        network._take(handle)
        return network

    def step(self, games: int | None = None) -> Metrics:
        """Trains for a number of games, and returns their metrics.

        Other threads of Python run meanwhile. Ctrl-C, or an exception of a function, ends training after the games in progress; the
        trainer can continue.

        Args:
            games: the number, 1 or more; None: all that the option ``games`` leaves. No step exceeds this total.

        Returns a dict with the keys of metrics.jsonl:

        - ``games``, ``moves``, ``elapsed_s``: games, moves and seconds of training since its beginning
        - ``games_per_s``, ``moves_per_s``: the speed in this step
        - ``mean_score``: the mean score, in points, of this step's games from the usual start; None without one
        - ``reached``: the share of these games, 0 to 1, that made each tile, from 4 to the largest that the size allows;
          the keys are texts such as "2048"; None without a game
        - ``restarted_games``, ``restarted_mean_score``, ``restarts``: of games from other boards, where there are any; scores count
          from the board. ``restarts`` has for each ``tile_sum``, the least sum of tiles, ``games``, ``mean_score`` and ``reached``
        """
        with self.lock:
            state = self._state()
            done, every, total = state["games"], state["options"]["report_every"], state["options"]["games"]
            if games is None and total == 0:
                raise ValueError("games is None: must be a number, or the trainer must have the option games, its total")
            end = total if games is None else done + whole("games", games, 1, _MOST)
            end = min(end, total) if total else end
            metrics, begin = self._play(0, True), False
            while done < end:
                first = done - done % every
                if self._batch != first:
                    self._begin(first)
                metrics = self._play(min(first + every, end) - done, begin)
                done = self.games
            return metrics

    def _begin(self, first: int) -> None:
        """Calls the functions for a batch."""
        rate = None if self._rate is None else ctypes.byref(c_double(self._rate(first)))
        found = None if self._starts is None else self._starts(first)
        boards = np.empty((0, 4, 4), np.uint8) if found is None or len(found) == 0 else to_exponents(found, many=True)
        self._library.check(self._library.trainer_batch(self._opened(), rate, first, *boards.shape, address(boards)))
        self._batch = first

    def _play(self, games: int, begin: bool) -> Metrics:
        text = text_p()
        work = Call(self._library, self, text)
        self._library.check(self._library.trainer_step(work.handle, self._opened(), games, begin, ctypes.byref(text)))
        self._library.check(work.result())
        assert text.value is not None
        answer = json.loads(self._library.take(text.value))
        for interval in answer["intervals"] or ():
            self._add_tiles(interval)
            for callback in self._callbacks:
                callback(interval)
        metrics: Metrics = answer["step"]
        self._add_tiles(metrics)
        return metrics

    def _add_tiles(self, metrics: Metrics) -> None:
        """Adds the shares of tiles that all games or no games made, which the library leaves out."""
        for part in (metrics, *metrics.get("restarts", ())):
            given, any_games = part["reached"], part["mean_score"] is not None
            largest = max((int(tile) for tile, share in given.items() if share > 0), default=0)
            shares = {str(tile): float(given.get(str(tile), tile < largest)) for tile in self._tiles}
            part["reached"] = shares if any_games else dict.fromkeys(shares)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a file from which ``load`` continues, and which is a model file too. It takes three times the size of the
        weights with temporal coherence; ``trainer.network.save`` writes the network alone."""
        self._library.check(self._library.trainer_save(self._opened(), os.fsencode(path)))

    def _loader(self) -> Callable[[Path], Self]:
        return partial(type(self).load, rate=self._rate, starts=self._starts, callbacks=self._callbacks)

    def close(self) -> None:
        """Frees the memory of training. Networks of this trainer stay."""
        with self.lock:
            handle, self._handle = self._handle, None
            if handle is not None:
                self._library.trainer_free(handle)

    def __enter__(self) -> Trainer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            self.close()
