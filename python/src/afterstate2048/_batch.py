"""A vector of environments in the library, and its options in Python."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from ._checks import check_p4, whole
from ._library import Buffers, Locked, c_int64, handle_t, library

Illegal: TypeAlias = Literal["noop", "penalty", "terminate"]
Observation: TypeAlias = Literal["exponents", "planes"]
SpawnRule: TypeAlias = Literal["random", "adversary", "friendly"]
Reward: TypeAlias = Literal["score", "log2"] | Callable[[Any], Any]

MAX_STEPS = 2**62
_SMALL = 64 << 20  # bytes; smaller requests are not checked


@dataclass(frozen=True)
class Settings:
    """The validated options of an environment. It does not use the library."""

    size: tuple[int, int]
    p4: float
    illegal: Illegal
    penalty: float | None
    reward: Reward
    observation: Observation
    max_episode_steps: int | None
    spawn: SpawnRule = "random"

    def __post_init__(self) -> None:
        _among("illegal", self.illegal, "noop", "penalty", "terminate")
        _among("observation", self.observation, "exponents", "planes")
        if not callable(self.reward):
            _among("reward", self.reward, "score", "log2")
        _among("spawn", self.spawn, "random", "adversary", "friendly")
        check_p4(self.p4)
        if self.penalty is not None and (
            not isinstance(self.penalty, (int, float, np.integer, np.floating)) or not np.isfinite(float(self.penalty))
        ):
            raise ValueError(f"penalty is {self.penalty!r}: must be a finite number")
        if self.penalty is not None and self.illegal == "noop":
            raise ValueError(f"penalty is {self.penalty!r}: must be left out with illegal='noop', whose reward is 0")
        if self.max_episode_steps is not None:
            whole("max_episode_steps", self.max_episode_steps, 1, MAX_STEPS, "1 or more, or None")

    @property
    def illegal_reward(self) -> float:
        """The reward of an illegal action."""
        if self.illegal == "noop":
            return 0.0
        return -1.0 if self.penalty is None else float(self.penalty)

    @property
    def planes(self) -> int:
        """The number of planes: one for empty cells, and one for each tile."""
        return self.size[0] * self.size[1] + 2

    @property
    def space(self) -> spaces.Box:
        """The observation space of one environment."""
        if self.observation == "planes":
            return spaces.Box(0, 1, (self.planes, *self.size), np.uint8)
        return spaces.Box(0, self.planes - 1, self.size, np.uint8)

    def text(self, autoreset: str) -> bytes:
        """The options in the library's JSON format."""
        options = {
            "size": f"{self.size[0]}x{self.size[1]}",
            "p4": float(self.p4),
            "illegal": self.illegal,
            "penalty": self.illegal_reward,
            "reward": "score" if callable(self.reward) else self.reward,
            "max_steps": int(self.max_episode_steps or 0),
            "observation": self.observation,
            "autoreset": autoreset,
            "spawn": self.spawn,
        }
        return json.dumps(options).encode()


def _among(name: str, value: object, *accepted: str) -> None:
    if value not in accepted:
        raise ValueError(f"{name} is {value!r}: must be one of {', '.join(map(repr, accepted))}")


def address(array: NDArray[Any] | None) -> int | None:
    """Returns the address of an array's memory."""
    return None if array is None else array.ctypes.data


def check_memory(n: int, settings: Settings, beside: int) -> None:
    """Raises MemoryError unless n environments and the bytes of their arrays fit into memory.

    It loads the library for large requests: running out of memory would end the process.
    """
    if beside >= _SMALL:
        lib, most = library(), 2**63 - 1
        lib.check(lib.vector_fits(min(n, most), settings.text("NextStep"), min(beside, most)))


class Batch(Locked):
    """n environments in the library. It holds references to the bound arrays, which steps write to.

    It has a lock because the library runs without the GIL. A caller that reads the arrays after a call must hold the
    lock during both.
    """

    def __init__(self, n: int, settings: Settings, autoreset: str) -> None:
        self.handle: Any = None
        self.n, self.size = n, settings.size
        self._library = library()
        super().__init__(self._library)
        handle, seen, state = handle_t(), c_int64(), c_int64()
        self._library.check(
            self._library.vector_new(n, settings.text(autoreset), ctypes.byref(handle), ctypes.byref(seen), ctypes.byref(state))
        )
        self.handle, self.state_bytes = handle, state.value
        self.outputs: Any = None
        if seen.value != int(np.prod(settings.space.shape)):
            raise AssertionError(f"observations of {seen.value} bytes for {settings.space}")

    def bind(self, addresses: dict[str, int | None], owner: object) -> None:
        """Sets the buffers that steps write to; owner is the object that owns the memory, the batch's ``outputs``."""
        self.outputs = owner
        self._call("bind", ctypes.byref(Buffers(**addresses)))

    def _call(self, name: str, *arguments: object) -> None:
        """Calls a function of the library. A thread that closes the batch waits until it has returned."""
        with self.lock:
            failed = getattr(self._library, "vector_" + name)(self.handle or 0, *arguments)
            if failed:
                self.check(failed)

    def check(self, failed: int) -> None:
        """Raises the error of a call."""
        try:
            self._library.check(failed)
        except ValueError:
            if self.handle is None:
                raise ResetNeeded("another thread has closed the environment: call reset first") from None
            raise

    def reset(self, seeds: NDArray[np.uint64] | None, games: NDArray[np.uint64] | None, mask: NDArray[np.bool_] | None) -> None:
        self._call("reset", address(seeds), address(games), address(mask))

    def sample(self, seed: int, actions: NDArray[np.int64]) -> None:
        self._call("sample", seed, address(actions))

    def place(self, boards: NDArray[np.uint8], scores: NDArray[np.int64], which: NDArray[np.int64]) -> None:
        if boards.shape[1:] != self.size:
            raise ValueError(f"the boards are {boards.shape[1]}x{boards.shape[2]}: must be {self.size[0]}x{self.size[1]}")
        self._call("place", len(which), address(which), address(boards), address(scores))

    def snapshot(self) -> NDArray[np.uint8]:
        states = np.empty((self.n, self.state_bytes), np.uint8)
        self._call("snapshot", address(states))
        return states

    def restore(self, states: NDArray[np.uint8], which: NDArray[np.int64]) -> None:
        self._call("restore", len(which), address(which), address(states))

    def afterstates(self, boards: NDArray[np.uint8], merged: NDArray[np.int64], legal: NDArray[np.bool_]) -> None:
        self._call("afterstates", address(boards), address(merged), address(legal))

    def games(self) -> NDArray[np.uint64]:
        """Returns seeds and game numbers, shape (2, n)."""
        both = np.empty((2, self.n), np.uint64)
        self._call("games", address(both[0]), address(both[1]))
        return both

    def close(self) -> None:
        with self.lock:
            handle, self.handle = self.handle, None
            if handle is not None:
                self._library.vector_free(handle)

    def __del__(self) -> None:
        if self.handle is not None:
            self.close()
