"""2048 as a Gymnasium environment."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterator
from operator import index
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from ._batch import Batch, Illegal, Observation, Reward, Settings, SpawnRule
from ._checks import check_render_mode, check_score, check_seed
from ._library import check_workers
from ._screen import Screen
from .boards import Size, check_size, to_exponents


class _Outputs(ctypes.Structure):
    """The outputs of a step, which the library writes to."""

    _fields_ = [
        ("reward", ctypes.c_double),
        ("score", ctypes.c_int64),
        ("terminated", ctypes.c_bool),
        ("truncated", ctypes.c_bool),
        ("illegal", ctypes.c_bool),
        ("legal", ctypes.c_int8 * 4),
        ("rows", ctypes.c_void_p),  # the address of memory
    ]
    memory: NDArray[np.uint8]  # for the results of the next steps


_ACTION = "must be 0 up, 1 right, 2 down or 3 left"
_read = struct.Struct("=dq???").unpack_from  # all fields except the last; faster than one by one


class Game2048(gymnasium.Env[NDArray[np.uint8], Any]):
    """A single game. An action is a direction: 0 up, 1 right, 2 down, 3 left.

    Args:
        size: rows and columns, each from 2 to 6: (3, 4) or "3x4".
        p4: the probability that a random new tile is a 4.
        spawn: "random"; "adversary", the new tile that a search finds worst for the player; or "friendly", the best one.
            Then all games begin on the same board, and the player's moves alone decide a game.
        illegal: the effect of an action that moves no tile. It never spawns a tile, and
            counts as a step. "noop": none, with reward 0; "penalty": none, with
            the reward ``penalty``; "terminate": it ends the episode, with the same reward.
        penalty: the reward of an illegal action, -1 if None; not with ``illegal`` "noop".
        reward: the reward of a legal action: "score", the sum of the merged tiles; "log2", its base 2
            logarithm (0 without merges); or a function of that sum.
        observation: "exponents", an array (rows, columns) of dtype uint8, 0 for an empty
            cell, 1 for a 2, 11 for a 2048; or "planes", the same one-hot, (planes, rows,
            columns), where plane k is 1 if the exponent is k. There are rows x columns
            + 2 planes, enough for the largest tile that a game of the size can make.
        max_episode_steps: steps after which an episode is truncated; None: never.
        render_mode: "ansi" for boards as text, "rgb_array" for pictures, uint8 (height, width, 3)
            with 104 pixels a cell; "human" for a window that shows each board, as many a second as
            ``metadata["render_fps"]``; or None.

    ``info`` of reset and step has ``score``, the sum of all merged tiles of the episode;
    ``action_mask``, int8 of shape (4,), 1 for each legal action, which
    ``action_space.sample`` accepts; and ``illegal``, whether the action moved no tile.

    ``reset(seed=s)`` begins game 0 of seed s, and each reset without a seed the next game of
    the same seed: the same games as everywhere else in Afterstate.
    ``reset(options=...)`` takes ``game``, the number of the game; and ``board`` and
    ``score``, to begin on a board in any notation (see the package), with the spawns
    of the game.

    After the end of an episode a step does nothing, with reward 0.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["human", "ansi", "rgb_array"], "render_fps": 4}  # type: ignore[misc]
    """The modes of ``render``, and the boards that a window shows in a second."""

    def __init__(
        self,
        size: Size = (4, 4),
        *,
        p4: float = 0.1,
        spawn: SpawnRule = "random",
        illegal: Illegal = "noop",
        penalty: float | None = None,
        reward: Reward = "score",
        observation: Observation = "exponents",
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        check_workers()
        check_render_mode(render_mode, self.metadata["render_modes"])
        self.settings = Settings(check_size(size), p4, illegal, penalty, reward, observation, max_episode_steps, spawn)
        self.render_mode = render_mode
        self.observation_space: spaces.Box = self.settings.space  # type: ignore[assignment]
        self.action_space: spaces.Discrete[Any] = spaces.Discrete(4)
        self._function = reward if callable(reward) else None
        self._batch: Batch | None = None
        self._screen = Screen(render_mode)
        self._seeded = False

    def _open(self) -> Batch:
        """Creates the game in the library, at the first reset: the library must not be loaded
        before worker processes have been forked."""
        if self._batch is None:
            batch = Batch(1, self.settings, "Disabled")
            self._outputs = _Outputs()
            self._seen = np.zeros(self.settings.space.shape, np.uint8)
            self._mask = np.frombuffer(memoryview(self._outputs), np.int8, 4, _Outputs.legal.offset)
            at = ctypes.addressof(self._outputs)
            batch.bind(
                {
                    "rewards": at + _Outputs.reward.offset,
                    "scores": at + _Outputs.score.offset,
                    "terminated": at + _Outputs.terminated.offset,
                    "truncated": at + _Outputs.truncated.offset,
                    "illegal": at + _Outputs.illegal.offset,
                    "legal": at + _Outputs.legal.offset,
                    "rows": at + _Outputs.rows.offset,
                    "observations": self._seen.ctypes.data,
                },
                (self._outputs, self._seen),
            )
            self._row = np.dtype([("seen", np.uint8, self._seen.shape), ("legal", np.int8, 4)])
            self._rows = self._new_rows(batch)
            self._batch = batch  # only now, in case other threads step
        return self._batch

    def _new_rows(self, batch: Batch) -> Iterator[tuple[int, NDArray[np.uint8], NDArray[np.int8]]]:
        """Returns numbers, observations and masks of the next steps, which are parts of one array: that is faster than an array
        for each. The array is small, since keeping any part of it keeps all of it in memory."""
        n = max(16, 2048 // self._row.itemsize)
        with batch.lock:  # so that the library has the address of memory that is kept, also when threads step the same game
            memory, outputs = np.empty(n * self._row.itemsize, np.uint8), batch.outputs[0]
            outputs.rows = memory.ctypes.data
            outputs.memory = memory
        rows = memory.view(self._row)
        return zip(range(0, 4 * n, 4), rows["seen"], rows["legal"])

    def _info(self) -> dict[str, Any]:
        outputs = self._outputs
        return {"score": outputs.score, "action_mask": self._mask.copy(), "illegal": outputs.illegal}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begins an episode, and returns its first observation and ``info``. The class explains seeds and options."""
        given = dict(options or {})
        if "score" in given and given.get("board") is None:
            raise ValueError(f"reset option score {given['score']!r} without a board: a game begins with 0")
        game, board, score = given.pop("game", None), given.pop("board", None), given.pop("score", 0)
        if given:
            raise ValueError(f"reset option {next(iter(given))!r}: must be game, board, score")
        if seed is not None:
            seed = check_seed(seed)
        super().reset(seed=seed)
        score = check_score(score)
        exponents = None if board is None else to_exponents(board, many=False)[None]
        game = None if game is None else check_seed(game, "game")
        batch = self._open()
        if seed is None and not self._seeded:
            seed = int(self.np_random.integers(2**63))
        if seed is None and game is not None:
            seed = int(batch.games()[0, 0])
        self._seeded = True
        if seed is None:
            batch.reset(None, None, None)
        else:
            batch.reset(np.array([seed], np.uint64), np.array([game or 0], np.uint64), None)
        if exponents is not None:
            batch.place(exponents, np.array([score], np.int64), np.zeros(1, np.int64))
        if self.render_mode == "human":
            self.render()
        return self._seen.copy(), self._info()

    def step(self, action: int) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Makes a move, and returns the observation, the reward, terminated, truncated and ``info``, which the class explains."""
        try:
            direction = index(action)
        except TypeError:
            raise TypeError(f"action {action!r}: {_ACTION}") from None
        if not 0 <= direction <= 3:
            raise ValueError(f"action {action!r}: {_ACTION}")
        batch = self._batch
        if batch is None:
            raise ResetNeeded("call reset before the first step")
        try:
            row, seen, mask = next(self._rows)
        except StopIteration:
            self._rows = self._new_rows(batch)
            row, seen, mask = next(self._rows)
        failed = batch._library.vector_step_one(batch.handle, row | direction)
        if failed:
            batch.check(failed)
        reward, score, terminated, truncated, illegal = _read(self._outputs)
        if self._function is not None and not illegal:
            reward = float(self._function(reward))
        if self.render_mode == "human":
            self.render()
        return seen, reward, terminated, truncated, {"score": score, "action_mask": mask, "illegal": illegal}

    def render(self) -> str | NDArray[np.uint8] | None:
        """Returns the board by render_mode, as text or as a picture. "human" shows it, and returns None."""
        if self.render_mode is None:
            return None
        return self._screen.render(self.board, self.score, self.metadata["render_fps"])

    def close(self) -> None:
        """Frees the game, and closes its window; another reset begins again."""
        self._screen.close()
        if self._batch is not None:
            self._batch.close()
            self._batch = None

    @property
    def board(self) -> NDArray[np.uint8]:
        """The board as exponents, (rows, columns), for any kind of observations."""
        self._begun()
        return self._seen.argmax(0).astype(np.uint8) if self.settings.observation == "planes" else self._seen.copy()

    @property
    def score(self) -> int:
        """The sum of all merged tiles of the episode."""
        self._begun()
        return int(self._outputs.score)

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns whether each action is legal, bool (4,). sb3-contrib requires this name."""
        self._begun()
        return self._mask.astype(np.bool_)

    @property
    def game(self) -> tuple[int, int]:
        """The seed and the number of the game."""
        seed, game = self._begun().games()[:, 0].tolist()
        return seed, game

    def afterstates(self) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.bool_]]:
        """Returns the boards after each of the four slides, before a tile spawns.

        Returns:
            boards: exponents, uint8 (4, rows, columns), by direction;
            merged: the sum of merged tiles, int64 (4,);
            legal: whether the slide is legal, bool (4,). If not, the board is unchanged and
                the sum is 0.
        """
        boards, merged, legal = np.empty((4, *self.settings.size), np.uint8), np.empty(4, np.int64), np.empty(4, np.bool_)
        self._begun().afterstates(boards, merged, legal)
        return boards, merged, legal

    def snapshot(self) -> bytes:
        """Returns the complete state of the game, with the generator of its spawns."""
        return self._begun().snapshot().tobytes()

    def restore(self, state: bytes) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Restores a snapshot of this environment or of another one of its size."""
        batch = self._open()
        if len(state) != batch.state_bytes:
            raise ValueError(f"a snapshot of {len(state)} bytes: must be {batch.state_bytes}")
        batch.restore(np.frombuffer(state, np.uint8).copy(), np.zeros(1, np.int64))
        self._seeded = True
        return self._seen.copy(), self._info()

    def _begun(self) -> Batch:
        if self._batch is None or not self._seeded:
            raise ResetNeeded("call reset first")
        return self._batch

    def __getstate__(self) -> dict[str, Any]:
        state = {k: v for k, v in self.__dict__.items() if k not in ("_batch", "_outputs", "_seen", "_mask", "_rows")}
        state["snapshot"] = None if self._batch is None else self.snapshot()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        snapshot = state.pop("snapshot")
        self.__dict__.update(state, _batch=None)
        if snapshot is not None:
            self.restore(snapshot)
