"""2048 for two players, one of whom places the tiles: an environment for PettingZoo.

::

    from afterstate2048 import aec

    env = aec.env(size="3x3")
    env.reset(seed=1)
    for agent in env.agent_iter():
        board, reward, terminated, truncated, info = env.last()
        ended = terminated or truncated
        env.step(None if ended else env.action_space(agent).sample(info["action_mask"]))

This module needs the package pettingzoo.
"""

from __future__ import annotations

import secrets
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ._checks import check_p4, check_render_mode, check_seed
from ._screen import Screen
from .boards import Size, check_size
from .chance import State
from .rules import SpawnRng, spawn

PLAYER, TILE = "player_0", "tile_0"


def env(**options: Any) -> AECEnv:
    """Returns a Game2048AEC in PettingZoo's usual wrappers. An illegal action ends the game, and costs its agent 1."""
    made: Any = wrappers.TerminateIllegalWrapper(Game2048AEC(**options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))


class Game2048AEC(AECEnv):  # type: ignore[misc]
    """The game of the agents "player_0", who slides, and "tile_0", who places each new tile after the two at the start.

    The action of the player is a direction: 0 up, 1 right, 2 down, 3 left. That of the tile is 2 * cell for a 2 and
    2 * cell + 1 for a 4, with cells counted row by row. The player's reward is the sum of the tiles that a move merges,
    the tile's is minus that sum. The game ends when no move is legal.

    Both observe the board as exponents, uint8 (rows, columns). ``info`` has ``action_mask``, int8, 1 for each legal action
    of the agent whose turn it is, and on the tile's turn ``probabilities``, float64: those of its actions in the game of
    one player.

    Args:
        size: rows and columns, each from 2 to 6: (3, 4) or "3x4".
        p4: the probability of a 4 at the start and in ``probabilities``. With 0 the tile can place no 4, with 1 no 2.
        render_mode: "human", "ansi", "rgb_array" or None, as for Game2048.

    ``reset(seed=s)`` begins as game 0 of seed s, and each reset without a seed as the next game of the same seed: on the
    same boards as everywhere else in Afterstate. ``reset(options=...)`` takes ``board`` and ``score``, to begin there.
    Other options have no effect, since PettingZoo's test passes one.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "afterstate_2048_v0",
        "render_modes": ["human", "ansi", "rgb_array"],
        "render_fps": 4,
        "is_parallelizable": False,
    }
    """What PettingZoo knows of the environment."""

    def __init__(self, size: Size = (4, 4), *, p4: float = 0.1, render_mode: str | None = None) -> None:
        super().__init__()
        check_render_mode(render_mode, self.metadata["render_modes"])
        self.render_mode, self._screen = render_mode, Screen(render_mode)
        self._size, self._p4 = check_size(size), check_p4(p4)
        cells = self._size[0] * self._size[1]
        self.possible_agents = [PLAYER, TILE]
        self.action_spaces = {PLAYER: spaces.Discrete(4), TILE: spaces.Discrete(2 * cells)}
        self.observation_spaces = {
            agent: spaces.Box(0, cells + 1, self._size, np.uint8) for agent in self.possible_agents
        }
        self.agents: list[str] = []
        self._state: State | None = None
        self._seed, self._game = secrets.randbits(63), -1

    def observation_space(self, agent: str) -> spaces.Box:
        """Returns the observation space of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[Any]:
        """Returns the action space of an agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game; see the class for the options."""
        given = options or {}
        board, score = given.get("board"), given.get("score", 0)
        self._seed, self._game = (self._seed, self._game + 1) if seed is None else (check_seed(seed), 0)
        if board is None:
            rng, board = SpawnRng(self._seed, self._game), np.zeros(self._size, np.uint8)
            for _ in range(2):
                board = spawn(board, rng, p4=self._p4)
        state = State(board=board, p4=self._p4, score=score)
        if state.board.shape != self._size:
            raise ValueError("the board is {}x{}: must be {}x{}".format(*state.board.shape, *self._size))
        if state.is_terminal():
            raise ValueError(f"board {board!r}: no move is legal on it")
        self._state, self.agents = state, self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._turn(state)

    def _turn(self, state: State) -> None:
        """Selects the agent whose turn it is, and says what it may do."""
        self.agent_selection = TILE if state.is_chance_node() else PLAYER
        self.infos: dict[str, dict[str, Any]] = {}
        for agent, space in self.action_spaces.items():
            self.infos[agent] = {"action_mask": np.zeros(int(space.n), np.int8)}
        info = self.infos[self.agent_selection]
        info["action_mask"][state.legal_actions()] = 1
        if state.is_chance_node():
            info["probabilities"] = np.zeros(len(info["action_mask"]))
            for action, chance in state.chance_outcomes():
                info["probabilities"][action] = chance
        if self.render_mode == "human":
            self.render()

    def _begun(self) -> State:
        if self._state is None:
            raise ResetNeeded("call reset first")
        return self._state

    def observe(self, agent: str) -> NDArray[np.uint8]:
        """Returns the board, which both agents observe."""
        return self._begun().board

    def step(self, action: int | None) -> None:
        """Makes the action of ``agent_selection``: None if the game is over for it.

        Raises ValueError if the action is illegal.
        """
        state, agent = self._begun(), self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        state.apply_action(action)  # type: ignore[arg-type]
        self._cumulative_rewards[agent] = 0.0
        gain = 0.0 if agent == TILE else state.rewards()[0]
        self.rewards = {PLAYER: gain, TILE: -gain}
        if state.is_terminal():
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._turn(state)

    @property
    def score(self) -> int:
        """The sum of all merged tiles of the game."""
        return self._begun().score

    def render(self) -> str | NDArray[np.uint8] | None:
        """Returns the board by render_mode, as text or as a picture. "human" shows it, and returns None."""
        state = self._begun()
        return self._screen.render(state.board, state.score, self.metadata["render_fps"])

    def close(self) -> None:
        """Closes the window."""
        self._screen.close()
