"""2048 as a choice among afterstates, as a Gymnasium environment and as a vector of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from ._batch import Observation, Settings
from .boards import Size
from .environment import Game2048
from .rules import afterstates
from .vector import Bools, Game2048Vector

Choices: TypeAlias = dict[str, NDArray[Any]]


class _Choosing:
    """Makes observations of afterstates. The library gets exponents."""

    def __init__(self, settings: Settings, observation: Observation) -> None:
        one = replace(settings, observation=observation)
        high = {"score": 2.0**one.planes, "log2": one.planes}.get(str(one.reward), np.inf)  # more than all tiles of a board
        self.illegal = one.illegal_reward
        boards = spaces.Box(0, int(one.space.high.max()), (4, *one.space.shape), np.uint8)
        low = -np.inf if callable(one.reward) else min(self.illegal, 0.0)
        self.space = spaces.Dict({"boards": boards, "rewards": spaces.Box(low, max(high, self.illegal), (4,), np.float64)})
        self.planes = np.arange(one.planes, dtype=np.uint8)[:, None, None] if observation == "planes" else None
        self.reward = one.reward

    def __call__(self, boards: NDArray[np.uint8], merged: NDArray[np.int64], legal: Bools) -> Choices:
        values = merged.astype(np.float64)
        if self.reward == "log2":
            values = np.log2(np.maximum(values, 1))
        elif callable(self.reward):
            found = values[legal]
            values[legal] = self.reward(found) if legal.ndim > 1 else [self.reward(x) for x in found.tolist()]
        if self.planes is not None:
            boards = (boards[..., None, :, :] == self.planes).astype(np.uint8)
        return {"boards": boards, "rewards": np.where(legal, values, self.illegal)}


class Game2048Afterstates(Game2048):
    """Game2048 for learners of afterstate values: an observation is what the four actions lead to.

    It is a dict of ``boards``, uint8 (4, rows, columns), or (4, planes, rows, columns) with observation="planes": the board
    after each slide, before a tile spawns; and ``rewards``, float64 (4,): what ``step`` returns for each action. The board
    of an illegal action is unchanged. The arguments and ``info`` are the same as for Game2048.
    """

    observation_space: spaces.Dict  # type: ignore[assignment]
    """The space of ``boards`` and ``rewards``."""

    def __init__(self, size: Size = (4, 4), *, observation: Observation = "exponents", **options: Any) -> None:
        super().__init__(size, **options)
        self._choosing = _Choosing(self.settings, observation)
        self.observation_space = self._choosing.space

    def reset(  # type: ignore[override]
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Choices, dict[str, Any]]:
        """Begins an episode, as ``Game2048.reset`` does."""
        _, info = super().reset(seed=seed, options=options)
        return self._choosing(*self.afterstates()), info

    def step(self, action: int) -> tuple[Choices, float, bool, bool, dict[str, Any]]:  # type: ignore[override]
        """Makes a move, after which a tile spawns; see ``Game2048.step``."""
        _, *rest = super().step(action)
        return self._choosing(*self.afterstates()), *rest  # type: ignore[return-value]

    def restore(self, state: bytes) -> tuple[Choices, dict[str, Any]]:  # type: ignore[override]
        """Restores a snapshot, also of a Game2048 of the size."""
        _, info = super().restore(state)
        return self._choosing(*self.afterstates()), info


class Game2048AfterstatesVector(Game2048Vector):
    """Game2048Vector with the observations of Game2048Afterstates: ``boards``, uint8 (num_envs, 4, ...), and ``rewards``, float64
    (num_envs, 4), whose ``argmax`` with values of the boards is a greedy move. They are new arrays in each step."""

    single_observation_space: spaces.Dict
    """The space of one environment's ``boards`` and ``rewards``."""

    def __init__(self, num_envs: int = 1, size: Size = (4, 4), *, observation: Observation = "exponents", **options: Any) -> None:
        super().__init__(num_envs, size, **options)
        self._choosing = _Choosing(self.settings, observation)
        self.single_observation_space = self._choosing.space
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(  # type: ignore[override]
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Choices, dict[str, Any]]:
        """Begins episodes, as ``Game2048Vector.reset`` does."""
        with self._open().lock:
            _, info = super().reset(seed=seed, options=options)
            return self._choosing(*self.afterstates()), info

    def step(self, actions: ArrayLike) -> tuple[Choices, NDArray[np.float64], Bools, Bools, dict[str, Any]]:  # type: ignore[override]
        """Makes a move in every environment, as ``Game2048Vector.step`` does."""
        with self._begun().lock:
            _, rewards, terminated, truncated, info = super().step(actions)
            if "final_obs" in info:
                last, ended = info["final_obs"], info["_final_obs"]
                final = self._choosing(*afterstates(np.stack(last[ended].tolist())))
                for k, i in enumerate(np.flatnonzero(ended)):
                    last[i] = {name: array[k] for name, array in final.items()}
            return self._choosing(*self.afterstates()), rewards, terminated, truncated, info

    def observe(self) -> tuple[Choices, dict[str, Any]]:  # type: ignore[override]
        """Returns the current observations and info, in the form of step."""
        with self._begun().lock:
            return self._choosing(*self.afterstates()), super().observe()[1]
