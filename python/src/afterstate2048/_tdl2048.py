"""Weight files of TDL2048+ (https://github.com/moporgic/TDL2048), files that end in .w.

All numbers are little-endian. A file is a byte of 0, a uint32 with the number of tables, and the tables: a byte of 4, a name of 8 bytes, and blocks
of a uint16 with the bytes of a number, a uint64 with how many there are, and the numbers, until a block whose first number is 0. The first block has the
weights; others hold the sums of temporal coherence. A name is a text that ends at a space, or a uint32 in hexadecimal, a uint16 with the number of
its digits (0: one for 4 bits of an index), and a uint16 of 0. The digits are the pattern's cells, of which the first is the lowest digit of an index.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

_MOST_CELLS = 7


def read_tables(path: str | os.PathLike[str]) -> dict[str, NDArray[np.floating[Any]]]:
    """Returns the tables of a file by pattern, as ``Network.table`` has them. Raises ValueError for other files."""
    with open(path, "rb") as file:
        try:
            version, count = struct.unpack("<BI", _take(file, 5))
            if version != 0:
                raise ValueError("its first bytes are wrong")
            tables = dict(_table(file) for _ in range(count))
            if len(tables) != count or file.read(1):
                raise ValueError("it has a table twice, or data after its last table")
        except ValueError as error:
            raise ValueError(f"{os.fspath(path)!r} is not a weight file of TDL2048+ with patterns of 4x4: {error}") from None
    return tables


def _take(file: BinaryIO, n: int) -> bytes:
    data = file.read(n)
    if len(data) < n:
        raise ValueError("it is truncated")
    return data


def _table(file: BinaryIO) -> tuple[str, NDArray[np.floating[Any]]]:
    version, name = struct.unpack("<B8s", _take(file, 9))
    if version != 4:
        raise ValueError(f"a table has version {version}: must be 4")
    blocks = list(_blocks(file))
    if not blocks:
        raise ValueError("a table has no weights")
    weights = blocks[0]
    number, digits, rest = struct.unpack("<IHH", name)
    pattern = name.decode("latin1").split(" ")[0] if rest else f"{number:0{digits or len(f'{len(weights):x}') - 1}x}"
    if not set(pattern) <= set("0123456789abcdef") or len(weights) != 16 ** len(pattern):
        raise ValueError(f"table {pattern!r} has {len(weights)} weights: must be cells from 0 to f, and 16^k weights for k cells")
    return pattern, weights.reshape((16,) * len(pattern)).T


def _blocks(file: BinaryIO) -> Iterator[NDArray[np.floating[Any]]]:
    """Passes the first block, and skips the others."""
    first = True
    while size := struct.unpack("<H", _take(file, 2))[0]:
        (n,) = struct.unpack("<Q", _take(file, 8))
        if first and (size not in (4, 8) or n > 16**_MOST_CELLS):
            raise ValueError(f"a table has {n} numbers of {size} bytes: must be at most 16^{_MOST_CELLS}, of 4 or 8 bytes")
        if first:
            yield np.frombuffer(_take(file, size * n), f"<f{size}")
        else:
            file.seek(size * n, os.SEEK_CUR)
        first = False
