"""Networks whose weights are NumPy arrays, and which play without a copy of them."""

from __future__ import annotations

import ctypes
import itertools
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._batch import address
from ._copies import Copied
from ._library import handle_t, library
from ._options import options_text
from ._tdl2048 import read_tables
from .boards import Board, Size, exponents_of

if TYPE_CHECKING:
    from typing_extensions import Self

_questions = itertools.count()


class _Handle:
    """A network of the library. Arrays of its weights keep it alive."""

    def __init__(self, handle: Any) -> None:
        self._library, self.value = library(), handle

    def __del__(self) -> None:
        self._library.network_free(self.value)

    def __deepcopy__(self, _: dict[int, Any]) -> _Handle:
        return self

    def __reduce__(self) -> Any:
        raise TypeError("a spec of a network in memory cannot be pickled: pickle the network, and ask it for a player")


class _Spec(str):
    """A spec that keeps its network alive."""

    network: _Handle


class Network(Copied):
    """An n-tuple network with weights that you may write, for learners of your own::

        net = afterstate2048.Network("4x6")
        places = net.places(boards)  # (n, patterns, 8)
        errors = targets - net.value(boards)
        for table, at in zip(net.weights[0], places.transpose(1, 0, 2)):
            numpy.add.at(table, at, (0.1 / (8 * len(net.patterns)) * errors)[:, None])
        afterstate2048.best_move(board, player=net.player())

    The value of a board, an afterstate, is ``bias`` plus the sum of 8 weights for each pattern, one for each symmetry:
    the score still to come, in points. In a later stage a weight of 0 stands for the previous stage's weight.

    Args:
        network: a name such as "4x6", or patterns by cell: "012345 456789"; None: the one that
            ``afterstate train`` has for the size.
        size: rows and columns, each from 2 to 6: "3x4", or (3, 4).
        stages: further stages, as ``afterstate train --stages`` takes them: "16384/16384,8192".
        optimistic_init: the bias, added to the value of every board, in points, from 0 to 1e9.

    ``copy()``, ``copy.copy`` and ``copy.deepcopy`` return a network with weights of its own; it can be pickled.

    Raises ValueError for an impossible network, and MemoryError if the weights do not fit: 4 bytes each, 256 MiB for a 4x6.
    """

    size: tuple[int, int]
    """Rows and columns."""
    name: str
    """A name such as "4x6", or ""."""
    patterns: tuple[tuple[int, ...], ...]
    """The cells of each pattern, row-major from the top left."""
    stages: tuple[tuple[int, ...], ...]
    """For each stage the tiles, as exponents, largest first, that a board must have, or larger
    ones. A board belongs to the last stage whose tiles it has. The first stage is ()."""
    bias: float
    """What is added to the value of every board, in points."""
    downgrade: int
    """Boards with this exponent or a larger one are viewed with smaller tiles, as in training; 0: none."""
    history: tuple[dict[str, Any], ...]
    """The training runs that made it."""
    weights: tuple[tuple[NDArray[np.float32], ...], ...]
    """The weights of each pattern in each stage, ``weights[stage][pattern]``: float32 ``(16**k,)`` for a pattern of k cells.
    They are the library's own memory, which you may write. ``places`` says which of them a board reads."""

    def __init__(
        self, network: str | None = None, *, size: Size | None = None, stages: str | None = None, optimistic_init: float = 0
    ) -> None:
        handle, lib = handle_t(), library()
        text = options_text({"network": network, "size": size, "stages": stages, "optimistic_init": optimistic_init})
        lib.check(lib.network_new(text, ctypes.byref(handle)))
        self._take(handle)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Loads a model file of any format, the network of a training run by the run's name, or "champion".

        Its weights are a copy of the file's. Raises ValueError for anything else, and MemoryError.
        """
        handle, lib = handle_t(), library()
        lib.check(lib.network_open(os.fsencode(path), ctypes.byref(handle)))
        network = cls.__new__(cls)
        network._take(handle)
        return network

    @classmethod
    def load_tdl2048(cls, path: str | os.PathLike[str]) -> Network:
        """Loads a weight file of TDL2048+ (``2048 -o FILE.w``) whose tables are patterns of 4x4, such as those of its default network.

        The network gives boards the same values as in TDL2048+. Raises ValueError for other files, and MemoryError.
        """
        tables = read_tables(path)
        network = cls(" ".join(tables))
        for p, table in enumerate(tables.values()):
            network.set_table(table, 0, p)
        return network

    def _take(self, handle: Any) -> None:
        """Makes this the network of a handle, which it frees."""
        self._handle, self._library = _Handle(handle.value), library()
        layout = self._library.answer(self._library.network_layout, handle)
        rows, columns = layout["size"].split("x")
        self.size = (int(rows), int(columns))
        self.name = layout.get("name", "")
        self.stages = tuple(map(tuple, layout["stages"]))
        self.patterns = tuple(tuple(a["cells"]) for a in layout["arrays"] if a["stage"] == 0)
        self.bias = layout["bias"]
        self.downgrade = layout["downgrade"]
        self.history = tuple(layout.get("history") or [])
        self.weights = tuple(
            tuple(self._shared(stage, p) for p in range(len(self.patterns))) for stage in range(len(self.stages))
        )

    def _shared(self, stage: int, pattern: int) -> NDArray[np.float32]:
        begin = ctypes.c_size_t()
        self._library.check(self._library.network_weights(self._handle.value, stage, pattern, ctypes.byref(begin)))
        memory = (ctypes.c_float * 16 ** len(self.patterns[pattern])).from_address(begin.value)
        memory._network = self._handle  # arrays outlive this object
        return np.ctypeslib.as_array(memory)

    def places(self, boards: Board | NDArray[Any]) -> NDArray[np.uint32]:
        """Returns where boards read their weights, uint32 (n, patterns, 8), or (patterns, 8) of one board.

        ``weights[stage][p][places[i, p]]`` are the 8 weights of pattern p that board i reads, one for each symmetry (on boards
        that are not square there are 4, each twice). Boards are given as to ``value``.
        """
        return self._read(boards, "places")

    def stage(self, boards: Board | NDArray[Any]) -> NDArray[np.int32]:
        """Returns the stage of each board, int32 (n,), or of one board, ()."""
        return self._read(boards, "stage")

    def value(self, boards: Board | NDArray[Any]) -> NDArray[np.float32]:
        """Returns the expected score still to come of each board, in points, float32 (n,), or of one board, ().

        Boards are exponents in an array of dtype uint8, (n, rows, columns) or (rows, columns),
        or in another notation. Tiles above 32768 read as 32768.
        """
        return self._read(boards, "value")

    def _read(self, boards: Board | NDArray[Any], what: str) -> NDArray[Any]:
        one, cells = exponents_of(boards)
        n, rows, columns = cells.shape
        if (rows, columns) != self.size:
            raise ValueError(f"the boards are {rows}x{columns}, but the network is for {self.size[0]}x{self.size[1]}")
        out: dict[str, NDArray[Any] | None] = {"value": None, "stage": None, "places": None}
        shape = (n, len(self.patterns), 8) if what == "places" else (n,)
        found = out[what] = np.empty(shape, {"value": np.float32, "stage": np.int32, "places": np.uint32}[what])
        self._library.check(self._library.network_read(self._handle.value, n, address(cells), *map(address, out.values())))
        return found[0] if one else found

    def table(self, stage: int = 0, pattern: int = 0) -> NDArray[np.float32]:
        """Returns a copy of the weights of a pattern, float32, with one dimension of 16 for each of its cells: ``table[a, b, c]``
        is the weight for exponents a, b, c in the cells ``patterns[pattern]``. ``weights`` has them in another order."""
        k = len(self.patterns[pattern])
        return np.ascontiguousarray(self.weights[stage][pattern].reshape((4,) * (2 * k)).transpose(_interleaved(k))).reshape((16,) * k)

    def set_table(self, table: NDArray[Any], stage: int = 0, pattern: int = 0) -> None:
        """Writes weights in the order of ``table``, which are finite numbers of 32 bits."""
        k = len(self.patterns[pattern])
        values = np.asarray(table)
        if values.shape != (16,) * k or values.dtype.kind not in "fiu":
            raise ValueError(f"table of shape {values.shape} and dtype {values.dtype}: must be numbers of shape {(16,) * k}, 16 for each cell")
        with np.errstate(over="ignore"):
            finite = np.isfinite(values.astype(np.float32))
        if not finite.all():
            i = int(finite.argmin())
            raise ValueError(f"weight {i} is {values.flat[i]}: must be a finite number of 32 bits")
        self.weights[stage][pattern].reshape((4,) * (2 * k)).transpose(_interleaved(k))[...] = values.reshape((4,) * (2 * k))

    def player(self, **keys: object) -> str:
        """Returns the spec of a player with the network, which reads the weights in place::

            afterstate2048.best_moves(boards, player=net.player(plies=2))

        Accepts the keys of the player ``ntuple`` (see ``players``); without ``plies`` it looks one move ahead. A player may keep values
        of boards that it has searched: ask for a new spec after weights have changed. The network lives as long as this text, but
        not as long as copies of it.
        """
        given = {"plies": 1, **keys}
        words = ",".join(f"{key}={str(value).lower() if isinstance(value, bool) else value}" for key, value in given.items())
        spec = _Spec(f"ntuple(model=shared-{self._handle.value}-{next(_questions)},{words})")
        spec.network = self._handle
        return spec

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a model file, which plays everywhere as ``ntuple(model="FILE")`` and which ``afterstate train --from`` trains on."""
        self._library.check(self._library.network_save(self._handle.value, os.fsencode(path)))

    def _loader(self) -> Callable[[Path], Self]:
        return type(self).load

    def __repr__(self) -> str:
        return f"<Network {self.name or 'own'} for {self.size[0]}x{self.size[1]}, {sum(map(np.size, self.weights[0])) * len(self.stages)} weights>"


def _interleaved(cells: int) -> list[int]:
    """Returns the axes of a table, which has all upper halves of exponents before all lower ones, cell by cell."""
    return [axis for cell in range(cells) for axis in (cell, cells + cell)]
