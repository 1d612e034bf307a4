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

MAX_EXPONENT = 15
_ALIGNMENT = 4096
_MAGIC, _QUANTIZED, _PART = b"AFTERNT1", b"AFTERNQ", b"AFTERNP"


@dataclass(frozen=True)
class Model:
    """A network. Its weights stay in the file until they are read."""

    size: tuple[int, int]
    """Rows and columns."""
    name: str
    """Such as "4x6"; "" if it has none."""
    patterns: tuple[tuple[int, ...], ...]
    """The cells of each pattern, row-major from the top left."""
    stages: tuple[tuple[int, ...], ...]
    """Tiles, as exponents, largest first, that a board must have for each stage, or larger
    ones; the last stage whose tiles it has is the board's. The first is ()."""
    bias: float
    stage_bias: tuple[float, ...]
    """What stage i adds where no stage has learned anything."""
    history: tuple[dict[str, Any], ...] = ()
    """The training runs that made it; empty for exported arrays."""
    _flat: tuple[tuple[NDArray[np.float32], ...], ...] = field(default=(), repr=False)
    _halves: bool = False  # tables are ordered by the upper halves of exponents first

    def table(self, stage: int = 0, pattern: int = 0) -> NDArray[np.float32]:
        """Returns the weights of a pattern, float32, with one dimension of 16 for each of its cells:
        ``table[a, b, c]`` is the weight for exponents a, b, c in the cells ``patterns[pattern]``.

        A weight of 0 in a later stage means the weight of the stage before it. The result is a
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
            raise ValueError(f"boards of {shape[0]}x{shape[1]}: the network is for {self.size[0]}x{self.size[1]}")
        if exponents.size and exponents.max() > MAX_EXPONENT:
            raise ValueError(f"a tile of 2^{exponents.max()}: networks know tiles up to 2^{MAX_EXPONENT}")
        return exponents.reshape(-1, shape[0] * shape[1]).astype(np.int64), one

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
        bias = np.zeros(len(self.stages), np.float32)
        bias[1 : len(self.stage_bias)] = np.asarray(self.stage_bias[1:], np.float32) / np.float32(8 * len(self.patterns))
        w = bias[stage]
        for s, tables in enumerate(self._flat):
            learned = tables[pattern][index]
            w = np.where((learned != 0) & (s <= stage), learned, w)
        return w


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
    the name of a training run, such as "4x6-1", if no file has this name.

    Raises FileNotFoundError if there is neither, ValueError for other files, including quantized models:
    ``afterstate model export FILE -o FILE.npz`` decodes those. ``afterstate model info``
    verifies all checksums of a file; this function verifies those of its header only.
    """
    path = _find(path)
    if path.is_dir():
        return _exported(
            json.loads((path / "layout.json").read_text()), lambda name: np.load(path / f"{name}.npy", mmap_mode="r")
        )
    with path.open("rb") as file:
        front = file.read(len(_MAGIC))
    if front.startswith(b"PK"):
        with np.load(path) as arrays:
            return _exported(json.loads(arrays["layout.json"]), lambda name: arrays[name])
    if front == _MAGIC:
        return _raw(path)
    if front.startswith(_QUANTIZED):
        raise ValueError(f"{path} is a quantized model: unpack it with afterstate model export {path} -o {path.stem}.npz")
    if front.startswith(_PART):
        raise ValueError(f"{path} is a part of a model: put the parts together with afterstate model join")
    raise ValueError(f"{path} is no model file of this version, nor arrays of afterstate model export")


def _find(name: str | os.PathLike[str]) -> Path:
    """Returns the path of a file, or of the network of the run with this name."""
    path = Path(name)
    if path.exists() or not isinstance(name, str) or "\0" in name:
        return path
    found = text_p()
    lib = library()
    try:
        lib.check(lib.run_checkpoint(name.encode(), ctypes.byref(found)))
    except ValueError as error:
        raise FileNotFoundError(f"{name!r} is no file and no training run: {error}") from None
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
        raise ValueError(f"{path} has weights for {len(flat)} stages: want {len(stages)}")
    return Model(
        size=_size(header["size"]),
        name=header.get("name", ""),
        patterns=patterns,
        stages=stages,
        bias=header.get("bias", 0.0),
        stage_bias=tuple(header.get("stage_bias") or header.get("hopes") or [0.0] * len(stages)),
        history=tuple(header.get("history") or []),
        _flat=tuple(flat[s] for s in range(len(stages))),
        _halves=True,
    )


def _exported(layout: dict[str, Any], load: Callable[[str], NDArray[np.float32]]) -> Model:
    stages = tuple(tuple(s) for s in layout["stages"])
    flat: list[list[NDArray[np.float32]]] = [[] for _ in stages]
    patterns: dict[int, tuple[int, ...]] = {}
    for array in layout["arrays"]:
        flat[array["stage"]].append(load(array["name"]).reshape(-1))
        patterns[array["pattern"]] = tuple(array["cells"])
    return Model(
        size=_size(layout["size"]),
        name="",
        patterns=tuple(patterns[p] for p in sorted(patterns)),
        stages=stages,
        bias=layout["bias"],
        stage_bias=tuple(layout["stage_bias"] if "stage_bias" in layout else layout["hopes"]),
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
