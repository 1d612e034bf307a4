"""Copies and pickles of objects that the library can write to a file and read again."""

from __future__ import annotations

import os
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from typing_extensions import Self

T = TypeVar("T")


class Copied(ABC):
    """An object that is copied and pickled by way of a file."""

    @abstractmethod
    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a file."""

    @abstractmethod
    def _loader(self) -> Callable[[Path], Self]:
        """Returns a function that makes an equal object from a file of ``save``. It can be pickled."""

    def copy(self) -> Self:
        """Returns an equal object with memory of its own. It takes as long as ``save`` and ``load``, which it uses."""
        return _with_file(self.save, self._loader())

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, _: dict[int, Any]) -> Self:
        return self.copy()

    def __reduce__(self) -> Any:
        return _unpickle, (self._loader(), _with_file(self.save, Path.read_bytes))


def _unpickle(load: Callable[[Path], T], data: bytes) -> T:
    return _with_file(lambda path: path.write_bytes(data), load)


def _with_file(write: Callable[[Path], object], read: Callable[[Path], T]) -> T:
    with tempfile.TemporaryDirectory(prefix="afterstate") as folder:
        path = Path(folder, "object")
        write(path)
        return read(path)
