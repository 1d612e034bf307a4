"""N-tuple networks trained by ``afterstate train``, in NumPy.

A network's value of a board is the expected score still to come: the bias plus, for each
pattern and each of the board's 8 symmetries, the weight indexed by the tiles in the
pattern's cells. Boards are afterstates: after a move, before its spawn.
"""

from __future__ import annotations

import ctypes
import json
import os
import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._library import library, text_p
from .boards import Board, exponents_of
from .networks import Network

MAX_EXPONENT = 15
_ALIGNMENT = 4096
_MAGIC, _QUANTIZED = b"AFTERNT1", b"AFTERNQ"


@dataclass(frozen=True)
class Model:
    """A network to read, from ``load_model``. The weights of a model file of training stay in the file until they are read."""

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
    history: tuple[dict[str, Any], ...] = ()
    """The training runs that made it; empty for exported arrays."""
    downgrade: int = 0
    """Boards with this exponent or a larger one are viewed with smaller tiles, as in training; 0: none."""
    _flat: tuple[tuple[NDArray[np.float32], ...], ...] = field(default=(), repr=False)
    _halves: bool = False  # tables are ordered by the upper halves of exponents first

    def table(self, stage: int = 0, pattern: int = 0) -> NDArray[np.float32]:
        """Returns the weights of a pattern, float32, with one dimension of 16 for each of its cells:
        ``table[a, b, c]`` is the weight for exponents a, b, c in the cells ``patterns[pattern]``.

        A weight of 0 in a later stage stands for the previous stage's weight. The result is a
        reordered copy (64 MB for six cells) from a model file, and a view of exported arrays.
        """
        flat, k = self._flat[stage][pattern], len(self.patterns[pattern])
        if not self._halves:
            return flat.reshape((16,) * k)
        order = [axis for cell in range(k) for axis in (cell, k + cell)]
        return np.ascontiguousarray(flat.reshape((4,) * (2 * k)).transpose(order)).reshape((16,) * k)

    def stage(self, boards: Board | NDArray[Any]) -> NDArray[np.int64]:
        """Returns the stage of each board, (n,), or of one board, ()."""
        cells, one = self._cells(boards)
        return _single(self._stages(cells), one)

    def value(self, boards: Board | NDArray[Any]) -> NDArray[np.float32]:
        """Returns the expected score still to come of each board, float32 (n,), or of one board, ().

        Boards are exponents in an array of dtype uint8, (n, rows, columns) or (rows, columns),
        or in another notation. Raises ValueError for tiles above 32768, which have no
        weights.
        """
        cells, one = self._cells(boards)
        stage = self._stages(cells)
        total = np.zeros(len(cells), np.float32)
        for p in range(len(self.patterns)):
            w = [self._weights(cells, stage, p, s) for s in range(8)]
            total += ((w[0] + w[1]) + (w[2] + w[3])) + ((w[4] + w[5]) + (w[6] + w[7]))
        return _single(total + np.float32(self.bias), one)

    def _cells(self, boards: Board | NDArray[Any]) -> tuple[NDArray[np.int64], bool]:
        one, exponents = exponents_of(boards)
        shape = exponents.shape[-2:]
        if shape != self.size:
            raise ValueError(f"the boards are {shape[0]}x{shape[1]}, but the network is for {self.size[0]}x{self.size[1]}")
        cells = exponents.reshape(-1, shape[0] * shape[1]).astype(np.int64)
        if self.downgrade:
            for i in np.flatnonzero((cells >= self.downgrade).any(1)):
                _downgrade(cells[i], self.downgrade)
        if cells.size and cells.max() > MAX_EXPONENT:
            raise ValueError(f"a tile of 2^{cells.max()}: networks know tiles up to 2^{MAX_EXPONENT}")
        return cells, one

    def _stages(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        stage = np.zeros(len(cells), np.int64)
        for s, needs in enumerate(self.stages):
            holds = np.ones(len(cells), np.bool_)
            for rank, exponent in enumerate(needs):
                holds &= (cells >= exponent).sum(1) > rank
            stage[holds] = s
        return stage

    def _weights(self, cells: NDArray[np.int64], stage: NDArray[np.int64], pattern: int, symmetry: int) -> NDArray[np.float32]:
        seen = [cells[:, _source(self.size, symmetry, cell)] for cell in self.patterns[pattern]]
        index = np.zeros(len(cells), np.int64)
        if self._halves:
            for e in seen:
                index = index << 2 | e >> 2
            for e in seen:
                index = index << 2 | e & 3
        else:
            for e in seen:
                index = index << 4 | e
        w = np.zeros(len(cells), np.float32)
        for s, tables in enumerate(self._flat):
            learned = tables[pattern][index]
            w = np.where((learned != 0) & (s <= stage), learned, w)
        return w


def _downgrade(board: NDArray[np.int64], least: int) -> None:
    """Lowers the tiles of a board above a gap that no tile can fill within two moves and their spawns,
    while there is a tile of 2^least or more (bitboard.Lower)."""
    for top in range(int(board.max()), least - 1, -1):
        sums = [8 + sum(1 << int(e) for e in board if 0 < e < gap) for gap in range(top)]
        gap = max((e for e in range(3, top) if e not in board and sums[e] < 1 << e), default=0)
        if gap == 0:
            return
        board[board > gap] -= 1


def _single(values: NDArray[Any], one: bool) -> NDArray[Any]:
    return values[0] if one else values


def _source(size: tuple[int, int], symmetry: int, cell: int) -> int:
    """Returns the cell that a symmetry maps to the given one: bit 0 reverses the cells of rows, bit 1
    the order of rows, bit 2 transposes."""
    rows, columns = size
    row, column = divmod(cell, columns)
    if symmetry & 1:
        column = columns - 1 - column
    if symmetry & 2:
        row = rows - 1 - row
    if symmetry & 4 and rows == columns:
        row, column = column, row
    return row * columns + column


def load_model(path: str | os.PathLike[str]) -> Model:
    """Loads a network from a model file of ``afterstate train``, which is mapped into memory, or
    from the output of ``afterstate model export``, a folder or an .npz file. ``path`` may also be
    the name of a training run, such as "4x6-1", or "champion", the 4x4 network that comes with the
    package, if no file has this name. Quantized models, such as the champion, are decoded into memory
    (at most 4 bytes a weight: 0.5 GB for the champion).

    Raises FileNotFoundError if there is no such file or run, ValueError for other files, MemoryError. ``afterstate model
    info`` verifies all checksums of a file; this function verifies that of the header or, for a
    quantized model, all.
    """
    found = _find(path)
    if found is None:
        return _decoded("champion")
    path = found
    if path.is_dir():
        if not (path / "layout.json").is_file():
            raise ValueError(f"{path} is a folder without layout.json: must be a model file, or the output of afterstate model export")
        return _exported(
            json.loads((path / "layout.json").read_text()), lambda array: np.load(path / f"{array['name']}.npy", mmap_mode="r")
        )
    with path.open("rb") as file:
        front = file.read(len(_MAGIC))
    if front.startswith(b"PK"):
        with np.load(path) as arrays:
            layout = arrays["layout.json"]  # an array if numpy.savez wrote it
            return _exported(json.loads(layout if isinstance(layout, bytes) else str(layout)), lambda array: arrays[array["name"]])
    if front == _MAGIC:
        return _raw(path)
    if front.startswith(_QUANTIZED):
        return _decoded(str(path))
    raise ValueError(f"{path} is neither a model file of this version nor the output of afterstate model export")


def _decoded(name: str) -> Model:
    """Returns a network that the library decodes, in memory."""
    net = Network.load(name)
    return Model(net.size, net.name, net.patterns, net.stages, net.bias, net.history, net.downgrade, net.weights, True)


def _find(name: str | os.PathLike[str]) -> Path | None:
    """Returns the path of a file, or of the network of the run with this name; None for the champion."""
    path = Path(name)
    if name == "champion" and not path.is_file() and not (path / "layout.json").is_file():
        return None
    if path.exists() or not isinstance(name, str) or "\0" in name:
        return path
    found = text_p()
    lib = library()
    try:
        lib.check(lib.run_checkpoint(name.encode(), ctypes.byref(found)))
    except ValueError as error:
        raise FileNotFoundError(f'{name!r} is not a file, not a training run ({error}) and not "champion"') from None
    assert found.value is not None
    return Path(lib.take(found.value))


def _raw(path: Path) -> Model:
    data: NDArray[np.uint8] = np.memmap(path, np.uint8, "r")
    if len(data) < 16:
        raise ValueError(f"{path} is truncated: {len(data)} bytes")
    length, check = struct.unpack("<II", data[8:16].tobytes())
    text = data[16 : 16 + length].tobytes()
    if len(text) != length or _crc32c(text) != check:
        raise ValueError(f"{path} is truncated or corrupt: the checksum of its header is wrong")
    header = json.loads(text)
    patterns = tuple(tuple(int(c, 16) for c in p) for p in header["patterns"])
    stages = tuple(tuple(s) for s in header.get("stages") or [[]])
    ends = np.cumsum([16 ** len(p) for p in patterns])
    flat: dict[int, tuple[NDArray[np.float32], ...]] = {}
    for section in header["sections"]:
        if section["name"] != "weights":
            continue
        begin, size = section["offset"], section["bytes"]
        if size != 4 * ends[-1] or begin % _ALIGNMENT or begin + size > len(data):
            raise ValueError(f"{path} is truncated: its weights end at byte {begin + size}, it has {len(data)}")
        flat[section["index"]] = tuple(np.split(data[begin : begin + size].view("<f4"), ends[:-1]))
    if sorted(flat) != list(range(len(stages))):
        raise ValueError(f"{path} has weights for {len(flat)} stages: must be {len(stages)}")
    return Model(
        size=_size(header["size"]),
        name=header.get("name", ""),
        patterns=patterns,
        stages=stages,
        bias=header.get("bias", 0.0),
        history=tuple(header.get("history") or []),
        downgrade=header.get("downgrade", 0),
        _flat=tuple(flat[s] for s in range(len(stages))),
        _halves=True,
    )


def _exported(layout: dict[str, Any], load: Callable[[dict[str, Any]], NDArray[np.float32]]) -> Model:
    stages = tuple(tuple(s) for s in layout.get("stages") or [[]])
    flat: list[list[NDArray[np.float32]]] = [[] for _ in stages]
    patterns: dict[int, tuple[int, ...]] = {}
    for array in layout["arrays"]:
        flat[array["stage"]].append(load(array).reshape(-1))
        patterns[array["pattern"]] = tuple(array["cells"])
    return Model(
        size=_size(layout["size"]),
        name=layout.get("name", ""),
        patterns=tuple(patterns[p] for p in sorted(patterns)),
        stages=stages,
        bias=layout.get("bias", 0.0),
        history=tuple(layout.get("history") or []),
        downgrade=layout.get("downgrade", 0),
        _flat=tuple(map(tuple, flat)),
    )


def _size(text: str) -> tuple[int, int]:
    rows, columns = text.split("x")
    return int(rows), int(columns)


def _crc32c(data: bytes) -> int:
    table = []
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ 0x82F63B78 * (n & 1)
        table.append(n)
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ table[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF
