"""Afterstate: the game 2048 for reinforcement learning.

Environments for Gymnasium, registered when this package is imported::

    import gymnasium, afterstate2048

    env = gymnasium.make("afterstate/Game2048-v0", size="4x4")
    envs = gymnasium.make_vec("afterstate/Game2048-v0", num_envs=4096)
    gymnasium.make("afterstate/Game2048Afterstates-v0")  # shows what each action leads to
    gymnasium.make("afterstate/Game2048-v0", spawn="adversary", render_mode="human")

The game for PettingZoo, with an agent that places the tiles, as pure functions of JAX, and as a tree with chance outcomes::

    afterstate2048.aec.env(size="3x3")  # after import afterstate2048.aec
    afterstate2048.jax_env.Game2048JAX("4x4").reset(key)  # after import afterstate2048.jax_env
    afterstate2048.State().chance_outcomes()

Decisions of players::

    afterstate2048.best_move([[2, 2], [0, 4]])                 # Direction.RIGHT
    afterstate2048.analyze(observation, player="snake").values  # by direction: up, right, down, left
    afterstate2048.explain(board, tiles=[2048]).chances         # from games played on after each move

Exact values of small boards::

    afterstate2048.solve((2, 3)).expected_score                 # 480.258271775958
    afterstate2048.solve((3, 3), goal=512).probability          # 0.736774177023

Rules and games by hand::

    after, reward, legal = afterstate2048.slide("2,2/0,4", "left")
    board = afterstate2048.spawn(after, numpy.random.default_rng(1))
    game = afterstate2048.Game(seed=1)
    game.move("left")

A bot for ``afterstate arena 'exec(cmd="python3 bot.py")' greedy``::

    def choose(board):
        boards, rewards, legal = afterstate2048.afterstates(board)
        return numpy.where(legal, rewards, -1).argmax()

    afterstate2048.run_bot(choose)

Training, and networks whose weights are NumPy arrays, to learn with code of your own::

    trainer = afterstate2048.Trainer("4x6", seed=1)
    trainer.step(games=1000)["mean_score"]
    trainer.save("4x6.model")
    afterstate2048.best_move(board, player=trainer.network.player())
    afterstate2048.sweep("rates", {"rate": [0.5, 1]}, network="4x6", games=20000, seeds=3).rows
    net = afterstate2048.Network("012345 456789")
    net.weights[0][0][:] = 0

Networks trained by ``afterstate train``, in NumPy::

    afterstate2048.load_model("first.model").value(boards)      # a file, a run's name, or "champion"

**Boards.** A board is text (``"2,0,0,4/0,0,8,0/..."``), rows of tile values, or an array of
dtype uint8 with exponents, as in observations: 0 is an empty cell, 1 a tile of 2, 11 a
tile of 2048. Arrays of tile values must have another dtype; an exponent that no game of the size can
have is a ValueError. Cells are row-major from the top left; sizes go from "2x2" to "6x6", or (2, 2) to (6, 6); 4 means 4x4.

**Directions** are 0 up, 1 right, 2 down, 3 left.

**Processes.** The underlying Go library is loaded on first use. It does not work in a process
forked after that: use multiprocessing with "spawn", or fork before the first use.
"""

import importlib.metadata

from gymnasium.envs.registration import register, registry

from ._library import ForkError
from ._options import TrainingOptions, training_options
from .boards import Board, Direction, Move, Size, exponents, tiles
from .bots import Choice, Turn, run_bot
from .chance import State
from .choosing import Game2048Afterstates, Game2048AfterstatesVector
from .environment import Game2048
from .games import Game
from .models import Model, load_model
from .networks import Network
from .players import Analyses, Analysis, Reasons, analyze, analyze_many, best_move, best_moves, explain, players
from .rules import Slide, SpawnRng, afterstates, slide, spawn
from .solving import Solution, solve
from .sweeps import Sweep, sweep
from .training import Trainer
from .vector import Game2048Vector

__all__ = [
    "Analyses",
    "Analysis",
    "Board",
    "Choice",
    "Direction",
    "ForkError",
    "Game",
    "Game2048",
    "Game2048Afterstates",
    "Game2048AfterstatesVector",
    "Game2048Vector",
    "Model",
    "Move",
    "Network",
    "Reasons",
    "Size",
    "Slide",
    "Solution",
    "SpawnRng",
    "State",
    "Sweep",
    "Trainer",
    "TrainingOptions",
    "Turn",
    "afterstates",
    "analyze",
    "analyze_many",
    "best_move",
    "best_moves",
    "explain",
    "exponents",
    "load_model",
    "players",
    "run_bot",
    "slide",
    "solve",
    "spawn",
    "sweep",
    "tiles",
    "training_options",
]

__version__: str
"""The version of the package, and of the program in it."""


def __getattr__(name: str) -> str:
    if name == "__version__":
        return importlib.metadata.version("afterstate-2048")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


for _name, _single, _vector in (
    ("Game2048", "environment:Game2048", "vector:Game2048Vector"),
    ("Game2048Afterstates", "choosing:Game2048Afterstates", "choosing:Game2048AfterstatesVector"),
):
    if f"afterstate/{_name}-v0" not in registry:
        register(
            id=f"afterstate/{_name}-v0",
            entry_point=f"afterstate2048.{_single}",
            vector_entry_point=f"afterstate2048.{_vector}",
            order_enforce=False,  # the environments check it, and actions too
            disable_env_checker=True,
        )
