"""The Go library: loaded on first use, once per process."""

from __future__ import annotations

import ctypes
import json
import multiprocessing
import os
import sys
import threading
import weakref
from collections.abc import Callable
from ctypes import POINTER, c_char_p, c_double, c_int32, c_int64, c_uint64, c_void_p
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from gymnasium.vector import AsyncVectorEnv

NAME = {"win32": "afterstate.dll", "darwin": "libafterstate.dylib"}.get(sys.platform, "libafterstate.so")

text_p = c_void_p  # text allocated by the library, freed by take
handle_t = ctypes.c_size_t


class ForkError(RuntimeError):
    """The library was used before this process was forked, so it cannot be used here."""

    def __init__(self, *_: object) -> None:  # pickle passes the message
        super().__init__(
            "afterstate was used before a fork, which its Go library does not survive: "
            'start processes with "spawn", as in multiprocessing.get_context("spawn"), AsyncVectorEnv(..., context="spawn") '
            'or make_vec(..., vectorization_mode="async", vector_kwargs={"context": "spawn"})'
        )


class Buffers(ctypes.Structure):
    """Output addresses of a vector; see afterstate_buffers in cmd/clib. None skips an output."""

    _fields_ = [
        (name, c_void_p)
        for name in [
            "rewards",
            "terminated",
            "truncated",
            "illegal",
            "observations",
            "legal",
            "scores",
            "final_observations",
            "final_legal",
            "final_scores",
            "rows",
        ]
    ]


class GameState(ctypes.Structure):
    """The state of a game; see afterstate_game in cmd/clib."""

    _fields_ = [("score", c_int64), ("moves", c_int64), ("legal", ctypes.c_uint8 * 4), ("won", ctypes.c_uint8)]


# The functions: result type, argument types, and whether to release the GIL during
# the call, which costs more than the shortest of them take.
_FUNCTIONS: dict[str, tuple[Any, list[Any] | None, bool]] = {
    "free": (None, [c_void_p], False),
    "call_new": (handle_t, [], False),
    "call_wait": (c_int32, [handle_t, c_int32], True),
    "call_end": (text_p, [handle_t], True),
    "rpc": (text_p, [handle_t, c_char_p], False),
    "decide": (
        text_p,
        [
            handle_t,
            c_char_p,
            c_uint64,
            c_uint64,
            c_int64,
            c_int32,
            c_int32,
            c_void_p,
            c_void_p,
            c_int32,
            c_void_p,
            c_void_p,
            POINTER(c_int32),
        ],
        False,
    ),
    "boards_afterstates": (text_p, [c_int64, c_int32, c_int32, c_void_p, c_void_p, c_void_p, c_void_p], False),
    "boards_spawn": (text_p, [c_int32, c_int32, c_void_p, c_double, c_uint64], False),
    "palette": (text_p, [c_void_p], False),
    "run_checkpoint": (text_p, [c_char_p, POINTER(text_p)], False),
    "network_new": (text_p, [c_char_p, POINTER(handle_t)], True),
    "network_open": (text_p, [c_char_p, POINTER(handle_t)], True),
    "network_layout": (text_p, [handle_t, POINTER(text_p)], False),
    "network_weights": (text_p, [handle_t, c_int32, c_int32, POINTER(ctypes.c_size_t)], False),
    "network_read": (text_p, [handle_t, c_int64, c_void_p, c_void_p, c_void_p, c_void_p], True),
    "network_save": (text_p, [handle_t, c_char_p], True),
    "network_free": (text_p, [handle_t], False),
    "trainer_options": (text_p, [POINTER(text_p)], False),
    "trainer_new": (text_p, [c_char_p, c_char_p, POINTER(handle_t)], True),
    "trainer_batch": (text_p, [handle_t, POINTER(c_double), c_uint64, c_int64, c_int32, c_int32, c_void_p], True),
    "trainer_step": (text_p, [handle_t, handle_t, c_uint64, c_int32, POINTER(text_p)], False),
    "trainer_state": (text_p, [handle_t, POINTER(text_p)], False),
    "trainer_save": (text_p, [handle_t, c_char_p], True),
    "trainer_network": (text_p, [handle_t, POINTER(handle_t)], False),
    "trainer_free": (text_p, [handle_t], False),
    "sweep": (text_p, [handle_t, c_char_p, c_char_p, c_char_p, c_int32, c_uint64, c_uint64, POINTER(text_p)], False),
    "game_new": (text_p, [c_char_p, POINTER(handle_t)], False),
    "game_open": (text_p, [c_char_p, POINTER(handle_t), POINTER(c_int32)], False),
    "game_free": (text_p, [handle_t], False),
    "game_move": (text_p, [handle_t, c_int32], False),
    "game_back": (text_p, [handle_t, POINTER(c_int64)], False),
    "game_state": (text_p, [handle_t, c_void_p, POINTER(GameState)], False),
    "game_record": (text_p, [handle_t, c_char_p, POINTER(text_p)], False),
    "vector_fits": (text_p, [c_int64, c_char_p, c_int64], False),
    "vector_new": (text_p, [c_int64, c_char_p, POINTER(handle_t), POINTER(c_int64), POINTER(c_int64)], False),
    "vector_free": (text_p, [handle_t], False),
    "vector_bind": (text_p, [handle_t, POINTER(Buffers)], False),
    "vector_reset": (text_p, [handle_t, c_void_p, c_void_p, c_void_p], False),
    "vector_step": (text_p, [handle_t, c_void_p], True),
    "vector_step_one": (text_p, None, False),  # c_size_t and int, which take longer with types
    "vector_sample": (text_p, [handle_t, c_uint64, c_void_p], True),
    "vector_afterstates": (text_p, [handle_t, c_void_p, c_void_p, c_void_p], True),
    "vector_place": (text_p, [handle_t, c_int64, c_void_p, c_void_p, c_void_p], False),
    "vector_snapshot": (text_p, [handle_t, c_void_p], False),
    "vector_restore": (text_p, [handle_t, c_int64, c_void_p, c_void_p], False),
    "vector_games": (text_p, [handle_t, c_void_p, c_void_p], False),
}


_MEMORY = "memory: "  # prefix of messages about a lack of memory
_LOOK = 20  # milliseconds between checks for signals such as Ctrl-C


class Locked:
    """An object that only one thread at a time may use, while it holds the lock."""

    def __init__(self, lib: Library) -> None:
        self.lock = threading.RLock()
        lib.locked.add(self)


class Library:
    """The library's functions, as attributes without their prefix ``afterstate_``."""

    free: Callable[..., None]
    call_new: Callable[..., int]
    call_wait: Callable[..., int]
    call_end: Callable[..., int | None]
    rpc: Callable[..., int | None]
    decide: Callable[..., int | None]
    boards_afterstates: Callable[..., int | None]
    boards_spawn: Callable[..., int | None]
    palette: Callable[..., int | None]
    run_checkpoint: Callable[..., int | None]
    network_new: Callable[..., int | None]
    network_open: Callable[..., int | None]
    network_layout: Callable[..., int | None]
    network_weights: Callable[..., int | None]
    network_read: Callable[..., int | None]
    network_save: Callable[..., int | None]
    network_free: Callable[..., int | None]
    trainer_options: Callable[..., int | None]
    trainer_new: Callable[..., int | None]
    trainer_batch: Callable[..., int | None]
    trainer_step: Callable[..., int | None]
    trainer_state: Callable[..., int | None]
    trainer_save: Callable[..., int | None]
    trainer_network: Callable[..., int | None]
    trainer_free: Callable[..., int | None]
    sweep: Callable[..., int | None]
    game_new: Callable[..., int | None]
    game_open: Callable[..., int | None]
    game_free: Callable[..., int | None]
    game_move: Callable[..., int | None]
    game_back: Callable[..., int | None]
    game_state: Callable[..., int | None]
    game_record: Callable[..., int | None]
    vector_fits: Callable[..., int | None]
    vector_new: Callable[..., int | None]
    vector_free: Callable[..., int | None]
    vector_bind: Callable[..., int | None]
    vector_reset: Callable[..., int | None]
    vector_step: Callable[..., int | None]
    vector_step_one: Callable[..., int | None]
    vector_sample: Callable[..., int | None]
    vector_afterstates: Callable[..., int | None]
    vector_place: Callable[..., int | None]
    vector_snapshot: Callable[..., int | None]
    vector_restore: Callable[..., int | None]
    vector_games: Callable[..., int | None]

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise ImportError(f"{path} is missing: install the package with pip install ./python")
        self.locked: weakref.WeakSet[Locked] = weakref.WeakSet()
        waiting, working = ctypes.PyDLL(str(path)), ctypes.CDLL(str(path))
        for name, (result, arguments, long) in _FUNCTIONS.items():
            function = getattr(working if long else waiting, "afterstate_" + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)

    def take(self, text: int) -> str:
        """Returns a text allocated by the library, and frees it."""
        try:
            return ctypes.string_at(text).decode()
        finally:
            self.free(text)

    def answer(self, function: Callable[..., int | None], *arguments: object) -> Any:
        """Calls a function whose last argument gets a text of JSON, and returns what it says."""
        text = text_p()
        self.check(function(*arguments, ctypes.byref(text)))
        assert text.value is not None
        return json.loads(self.take(text.value))

    def check(self, error: int | None) -> None:
        """Raises an exception for an error of the library."""
        if error:
            text = self.take(error)
            if text.startswith(_MEMORY):
                raise MemoryError(text.removeprefix(_MEMORY))
            raise ValueError(text)

    def forked(self) -> None:
        """Makes every function raise ForkError, except those that clean up."""

        def refuse(*_: object) -> Any:
            raise ForkError

        for name in _FUNCTIONS:
            setattr(self, name, refuse)
        self.free = self.vector_free = self.game_free = self.network_free = self.trainer_free = lambda *_: None
        self.call_end = lambda *_: None
        for used in list(self.locked):
            used.lock = threading.RLock()  # the thread that held it does not exist in this process


class Call:
    """A request that the library processes in the background. Ctrl-C cancels it.

    The arrays that it uses are kept alive until it has ended, also after an exception.
    """

    def __init__(self, lib: Library, *used: object) -> None:
        self._handle: int | None = None
        self._library, self._used = lib, used
        self._handle = lib.call_new()

    @property
    def handle(self) -> int | None:
        return self._handle

    def result(self) -> int | None:
        """Waits for the answer and returns it. Python handles signals between waits."""
        try:
            while not self._library.call_wait(self._handle, _LOOK):
                pass
        except BaseException:
            self.close()
            raise
        return self._end()

    def _end(self) -> int | None:
        handle, self._handle = self._handle, None
        return None if handle is None else self._library.call_end(handle)

    def close(self) -> None:
        """Cancels the request, unless it has ended."""
        answer = self._end()
        if answer:
            self._library.free(answer)

    def __del__(self) -> None:
        self.close()


_loaded: Library | None = None
_lock = threading.Lock()


def library() -> Library:
    """Returns the library, which the first call in a process loads."""
    global _loaded
    if _loaded is None:
        with _lock:
            if _loaded is None:
                _loaded = Library(Path(__file__).with_name(NAME))
    return _loaded


def check_workers() -> None:
    """Raises ForkError if an AsyncVectorEnv that is being made will fork workers which cannot use the library.

    The workers would raise it too, each with a traceback. To make its spaces, an AsyncVectorEnv makes an environment itself
    before it forks. Nothing but the stack tells that environment what it is for.
    """
    frame = sys._getframe(1) if _loaded is not None else None
    while frame is not None and frame.f_code is not BaseProcess._bootstrap.__code__:  # type: ignore[attr-defined]
        if frame.f_code is AsyncVectorEnv.__init__.__code__:
            if multiprocessing.get_context(frame.f_locals["context"]).get_start_method() == "fork":
                raise ForkError
            return
        frame = frame.f_back


def _in_child() -> None:
    global _lock
    _lock = threading.Lock()  # the thread that held it does not exist in this process
    if _loaded is not None:
        _loaded.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)

__all__ = ["Buffers", "Call", "ForkError", "GameState", "Library", "c_double", "c_int32", "c_int64", "handle_t", "library", "text_p"]
