"""Many games as a Gymnasium vector environment."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any, ClassVar

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from ._batch import Batch, Illegal, Observation, Reward, Settings, SpawnRule, address, check_memory
from ._checks import check_render_mode, check_scores, check_seed, whole, whole_array
from ._draw import as_picture, as_text
from .boards import Board, Size, check_size, to_exponents
from .environment import Game2048

if TYPE_CHECKING:
    from typing_extensions import Self

Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]


class _Outputs:
    """The outputs of steps: arrays with an entry for each environment."""

    def __init__(self, n: int, shape: tuple[int, ...], final: bool) -> None:
        self.rewards = np.zeros(n, np.float64)
        self.terminated, self.truncated, self.illegal = (np.zeros(n, np.bool_) for _ in range(3))
        self.observations, self.legal, self.scores = self._view(n, shape)
        self.final_observations, self.final_legal, self.final_scores = self._view(n if final else 0, shape)

    @staticmethod
    def _view(n: int, shape: tuple[int, ...]) -> tuple[Bytes, NDArray[np.int8], NDArray[np.int64]]:
        return np.zeros((n, *shape), np.uint8), np.zeros((n, 4), np.int8), np.zeros(n, np.int64)

    def addresses(self) -> dict[str, int | None]:
        return {name: address(array) if array.size else None for name, array in vars(self).items()}


def _check_out(given: Any, shapes: tuple[tuple[tuple[int, ...], Any], ...]) -> None:
    """Rejects arrays that the library must not write to. The library does not check addresses."""
    names = ("boards", "merged", "legal")
    if not isinstance(given, (tuple, list)) or len(given) != len(names) or not all(isinstance(a, np.ndarray) for a in given):
        raise TypeError(f"out: must be three arrays, {', '.join(names)}")
    for name, array, (shape, dtype) in zip(names, given, shapes, strict=True):
        if array.dtype != dtype:
            raise TypeError(f"out: {name} of dtype {array.dtype}: must be {np.dtype(dtype)}")
        if array.shape != shape:
            raise ValueError(f"out: {name} of shape {array.shape}: must be {shape}")
        if not array.flags.c_contiguous or not array.flags.aligned:
            raise ValueError(f"out: {name}: must be contiguous arrays, rows after each other")
        if not array.flags.writeable:
            raise ValueError(f"out: {name} is read-only")
    if any(np.shares_memory(given[i], given[k]) for i, k in ((0, 1), (0, 2), (1, 2))):
        raise ValueError("out: must be arrays that do not overlap")


class Game2048Vector(gymnasium.vector.VectorEnv[Bytes, NDArray[np.int64], NDArray[Any]]):
    """Many games that are stepped together, in one call to the library.

    Args:
        num_envs: the number of games.
        autoreset_mode: when an environment whose episode has ended begins the next game:
            Gymnasium's NEXT_STEP, SAME_STEP or DISABLED, or their values.
        copy: whether reset and step return copies. Otherwise they return the arrays that the
            library writes to, which the next step overwrites.

    The other arguments are the same as for Game2048; a function as ``reward`` takes and returns arrays.
    Observations are uint8 (num_envs, ...), rewards float64, ends bool (num_envs,). ``info``
    has ``score`` int64 and ``illegal`` bool (num_envs,), and ``action_mask`` int8
    (num_envs, 4). With SAME_STEP ``info`` has ``final_obs`` and ``final_info`` of those that
    ended, as in Gymnasium.

    With ``reset(seed=s)`` environment i of n plays games i, i + n, i + 2n and so on of seed s, so that
    no two play the same game. A list gives each a seed of its own, with which it plays the same games as
    Game2048, or None to continue with its next game. ``reset(options=...)`` takes
    ``reset_mask``, a bool array that selects the environments to reset.
    """

    metadata: ClassVar[dict[str, Any]] = {**Game2048.metadata, "render_modes": ["ansi", "rgb_array"]}  # type: ignore[misc]
    """The modes of ``render``."""

    def __init__(
        self,
        num_envs: int = 1,
        size: Size = (4, 4),
        *,
        p4: float = 0.1,
        spawn: SpawnRule = "random",
        illegal: Illegal = "noop",
        penalty: float | None = None,
        reward: Reward = "score",
        observation: Observation = "exponents",
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        num_envs = whole("num_envs", num_envs, 1, None, "1 or more")
        check_render_mode(render_mode, self.metadata["render_modes"])
        self.render_mode = render_mode
        self.settings = Settings(check_size(size), p4, illegal, penalty, reward, observation, max_episode_steps, spawn)
        # Bytes per environment: spaces, outputs of steps, their copies and, during resets, seeds.
        check_memory(num_envs, self.settings, num_envs * (9 * int(np.prod(self.settings.space.shape)) + 300))
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}  # type: ignore[misc]
        self.num_envs, self._copies = num_envs, copy
        self.single_observation_space = self.settings.space
        self.single_action_space = Discrete(4)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._function = reward if callable(reward) else None
        self._batch: Batch | None = None

    def _open(self) -> Batch:
        if self._batch is None:
            same = self.autoreset_mode == AutoresetMode.SAME_STEP
            batch = Batch(self.num_envs, self.settings, self.autoreset_mode.value)
            outputs = _Outputs(self.num_envs, self.settings.space.shape, same)
            batch.bind(outputs.addresses(), outputs)
            self._all = np.ones(self.num_envs, np.bool_)
            self._fresh = self._all.copy()  # environments without a seed from the caller
            self._batch = batch
        return self._batch

    def _begun(self) -> Batch:
        if self._batch is None:
            raise ResetNeeded("call reset first")
        return self._batch

    def _out(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copies else array

    def _info(self, outputs: _Outputs, mask: Bools) -> dict[str, Any]:
        info: dict[str, Any] = {
            "score": self._out(outputs.scores),
            "action_mask": self._out(outputs.legal),
            "illegal": self._out(outputs.illegal),
        }
        for key in list(info):
            info["_" + key] = mask.copy()
        return info

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Bytes, dict[str, Any]]:
        """Begins episodes, and returns the observations and ``info``. The class explains seeds and options."""
        given = dict(options or {})
        mask = given.pop("reset_mask", None)
        if given:
            raise ValueError(f"reset option {next(iter(given))!r}: must be reset_mask")
        mask = np.ones(self.num_envs, np.bool_) if mask is None else self._mask(mask)
        seeds: Sequence[int | None]
        games = None
        if seed is None or isinstance(seed, (int, np.integer)):
            first = None if seed is None else check_seed(seed)
            super().reset(seed=first)
            seeds = [first] * self.num_envs
        else:
            seeds = [None if s is None else check_seed(s) for s in seed]
            if len(seeds) != self.num_envs:
                raise ValueError(f"{len(seeds)} seeds for {self.num_envs} environments")
            games = np.zeros(self.num_envs, np.uint64)
        seeded = np.array([s is not None for s in seeds]) & mask
        chosen = np.array([s or 0 for s in seeds], np.uint64)
        batch = self._open()
        with batch.lock:
            drawn = mask & ~seeded & self._fresh
            if drawn.any():
                chosen[drawn] = int(self.np_random.integers(2**62))
            batch.reset(chosen, games, seeded)
            batch.reset(chosen, None, drawn)
            batch.reset(None, None, mask & ~seeded & ~drawn)
            self._fresh &= ~mask
            return self._out(batch.outputs.observations), self._info(batch.outputs, mask)

    def _mask(self, mask: object) -> Bools:
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(f"reset_mask: must be a bool array of shape ({self.num_envs},) with at least one True")
        return np.ascontiguousarray(mask)

    def step(self, actions: ArrayLike) -> tuple[Bytes, NDArray[np.float64], Bools, Bools, dict[str, Any]]:
        """Makes a move in every environment, and returns the observations, rewards, terminated, truncated and ``info``.

        Actions are an array of integers (num_envs,); one of int64 is not copied.
        """
        batch = self._begun()
        moves = whole_array("actions", actions)
        if moves.shape != (self.num_envs,):
            raise ValueError(f"actions of shape {moves.shape}: must be ({self.num_envs},)")
        with batch.lock:
            return self._step(batch, batch.outputs, moves)

    def _step(
        self, batch: Batch, outputs: _Outputs, moves: NDArray[np.int64]
    ) -> tuple[Bytes, NDArray[np.float64], Bools, Bools, dict[str, Any]]:
        ended = None
        if self.autoreset_mode == AutoresetMode.DISABLED or self._function is not None:
            ended = outputs.terminated | outputs.truncated
        if self.autoreset_mode == AutoresetMode.DISABLED and ended is not None and ended.any():
            raise ResetNeeded(f"environment {ended.argmax()} has ended: reset it, with options reset_mask")
        failed = batch._library.vector_step(batch.handle or 0, moves.ctypes.data)
        if failed:
            batch.check(failed)
        if self._function is not None:
            self._apply(self._function, outputs, ended)
        infos = self._finals(outputs)
        infos.update(self._info(outputs, self._all))
        out = self._out
        return out(outputs.observations), out(outputs.rewards), out(outputs.terminated), out(outputs.truncated), infos

    def _apply(self, function: Any, outputs: _Outputs, ended: Bools | None) -> None:
        """Applies the reward function to the sums of merged tiles of legal moves."""
        moved = ~outputs.illegal
        if self.autoreset_mode == AutoresetMode.NEXT_STEP and ended is not None:
            moved &= ~ended  # those environments began a game
        outputs.rewards[moved] = function(outputs.rewards[moved])

    def _finals(self, outputs: _Outputs) -> dict[str, Any]:
        """Returns the infos of episodes that ended in this step and were reset in it."""
        if self.autoreset_mode != AutoresetMode.SAME_STEP:
            return {}
        ended = outputs.terminated | outputs.truncated
        if not ended.any():
            return {}
        last = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(ended):
            last[i] = outputs.final_observations[i].copy()
        final = {
            "score": np.where(ended, outputs.final_scores, 0),
            "action_mask": np.where(ended[:, None], outputs.final_legal, 0).astype(np.int8),
            "illegal": ended & outputs.illegal,
        }
        for key in list(final):
            final["_" + key] = ended.copy()
        outputs.illegal[ended] = False  # the value for the new episode
        return {"final_obs": last, "_final_obs": ended.copy(), "final_info": final, "_final_info": ended.copy()}

    def copy(self) -> Self:
        """Returns a vector of its own in the same state, which plays on as this one does.

        ``copy.deepcopy`` does the same, and a vector can be pickled if its reward can.
        """
        return deepcopy(self)

    def __copy__(self) -> Self:
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        batch = state.pop("_batch")
        state["snapshot"] = None
        if batch is not None:
            with batch.lock:
                state["snapshot"] = self.snapshot(), {name: array.copy() for name, array in vars(batch.outputs).items()}
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        snapshot = state.pop("snapshot")
        self.__dict__.update(state, _batch=None)
        if snapshot is not None:
            batch, (states, outputs), fresh = self._open(), snapshot, state["_fresh"]
            batch.restore(states, np.arange(self.num_envs))
            self._fresh = fresh
            for name, array in outputs.items():
                getattr(batch.outputs, name)[...] = array

    def close_extras(self, **_: Any) -> None:
        """Frees the games, after the call of another thread that uses them."""
        batch, self._batch = self._batch, None
        if batch is not None:
            batch.close()

    def render(self) -> tuple[str | NDArray[np.uint8], ...] | None:
        """Returns the boards of all environments as texts or pictures, as Game2048 renders one."""
        if self.render_mode is None:
            return None
        batch = self._begun()
        with batch.lock:
            boards, scores = batch.outputs.observations.copy(), batch.outputs.scores.tolist()
        if self.settings.observation == "planes":
            boards = boards.argmax(1).astype(np.uint8)
        if self.render_mode == "rgb_array":
            return tuple(map(as_picture, boards))
        return tuple(map(as_text, boards, scores))

    def observe(self) -> tuple[Bytes, dict[str, Any]]:
        """Returns the current observations and info, in the form of step."""
        batch = self._begun()
        with batch.lock:
            return self._out(batch.outputs.observations), self._info(batch.outputs, self._all)

    def sample_legal(self) -> NDArray[np.int64]:
        """Returns a random legal action for each environment, int64 (num_envs,), drawn from np_random."""
        batch, actions = self._begun(), np.empty(self.num_envs, np.int64)
        batch.sample(int(self.np_random.integers(2**63)), actions)
        return actions

    def afterstates(self, out: tuple[Bytes, NDArray[np.int64], Bools] | None = None) -> tuple[Bytes, NDArray[np.int64], Bools]:
        """Returns the boards after each of the four slides, before a tile spawns.

        Returns:
            boards: exponents, uint8 (num_envs, 4, rows, columns), by direction;
            merged: the sums of merged tiles, int64 (num_envs, 4);
            legal: whether the slide is legal, bool (num_envs, 4). If not, the board is
                unchanged and the sum is 0.

        They are written into the arrays of ``out``, if it is given.
        """
        n = self.num_envs
        if out is None:
            check_memory(0, self.settings, n * 4 * (self.settings.size[0] * self.settings.size[1] + 9))
            out = np.empty((n, 4, *self.settings.size), np.uint8), np.empty((n, 4), np.int64), np.empty((n, 4), np.bool_)
        shapes = ((n, 4, *self.settings.size), np.uint8), ((n, 4), np.int64), ((n, 4), np.bool_)
        given: tuple[NDArray[Any], ...] = out
        _check_out(given, shapes)
        self._begun().afterstates(*out)
        return out

    @property
    def games(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """The seed and the number of the game of each environment, both uint64 (num_envs,)."""
        seeds, games = self._begun().games()
        return seeds, games

    def place(self, boards: Sequence[Board] | NDArray[Any], scores: ArrayLike = 0, which: ArrayLike | None = None) -> None:
        """Sets boards in all environments, or in those with the indices ``which``.

        It also sets the scores, and the step counts to 0; the generators of the spawns are
        unchanged. Boards are in any notation (see the package), (n, rows, columns).
        """
        exponents = to_exponents(boards, many=True)
        batch, chosen = self._begun(), self._which(which, len(exponents))
        batch.place(exponents, check_scores(scores, len(chosen)), chosen)

    def snapshot(self) -> Bytes:
        """Returns the complete states of all environments, uint8 (num_envs, bytes of a state)."""
        batch = self._begun()
        check_memory(0, self.settings, self.num_envs * batch.state_bytes)
        return batch.snapshot()

    def restore(self, states: Bytes, which: ArrayLike | None = None) -> None:
        """Restores snapshots, one row of ``states`` each, in all environments, or in those with
        the indices ``which``."""
        batch = self._open()
        states = np.asarray(states)
        if states.dtype != np.uint8:
            raise TypeError(f"states of dtype {states.dtype}: must be what snapshot returns, uint8")
        states = np.ascontiguousarray(states)
        if states.ndim != 2 or states.shape[1] != batch.state_bytes:
            raise ValueError(f"states of shape {states.shape}: must be (n, {batch.state_bytes})")
        chosen = self._which(which, len(states))
        batch.restore(states, chosen)
        self._fresh[chosen] = False

    def _which(self, which: ArrayLike | None, n: int) -> NDArray[np.int64]:
        chosen = np.arange(self.num_envs) if which is None else whole_array("which", which)
        if chosen.shape != (n,):
            raise ValueError(f"{n} rows for environments of shape {chosen.shape}: must be the same number")
        return chosen
