"""The environments whose observations are afterstates, and what a learner needs of them."""

import copy
import functools
import pickle

import afterstate2048
import gymnasium
import numpy as np
import pytest
from afterstate2048 import Game2048Afterstates, Game2048AfterstatesVector, Game2048Vector
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from test_vector import KINDS, compare, strided

ID = "afterstate/Game2048Afterstates-v0"


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"size": (2, 3), "observation": "planes", "reward": "log2"},
        {"illegal": "terminate", "penalty": -5},
        {"illegal": "penalty", "penalty": 3},
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:.*render_mode='human' shows nothing")  # without a display
def test_check_env(options):
    check_env(gymnasium.make(ID, **options).unwrapped)


@pytest.mark.parametrize("reward", ["score", "log2", lambda merged: merged / 2 + 1])
def test_rewards_and_boards_are_those_of_the_action(reward):
    env = Game2048Afterstates((3, 4), reward=reward, illegal="penalty", penalty=-7)
    random = np.random.default_rng(1)
    seen, info = env.reset(seed=1)
    illegal = 0
    for _ in range(300):
        assert seen in env.observation_space
        action = int(random.integers(4))
        board = env.board
        boards, merged, legal = afterstate2048.afterstates(board)
        assert (seen["boards"] == boards).all() and (info["action_mask"] == legal).all()
        before = seen
        seen, got, terminated, _, info = env.step(action)
        assert got == pytest.approx(before["rewards"][action], rel=1e-15)
        if info["illegal"]:
            illegal += 1
            assert got == -7 and (before["boards"][action] == board).all()
        else:
            assert (before["boards"][action] != env.board).sum() == 1  # the spawn
        if terminated:
            assert (seen["boards"] == env.board).all() and (seen["rewards"] == -7).all()
            seen, info = env.reset()
    assert illegal > 10


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("options", KINDS, ids=range(len(KINDS)))
def test_it_is_a_vector_of_single_environments(options, mode):
    n = 17
    ours = gymnasium.make_vec(ID, num_envs=n, autoreset_mode=mode, **options)
    theirs = SyncVectorEnv([functools.partial(strided(Game2048Afterstates), i, n, **options) for i in range(n)], autoreset_mode=mode)
    assert isinstance(ours, Game2048AfterstatesVector)
    compare(ours, theirs, mode, steps=60)


def test_planes_are_those_of_the_boards():
    envs, planes = (Game2048AfterstatesVector(9, observation=how) for how in ("exponents", "planes"))
    seen, shown = envs.reset(seed=3)[0], planes.reset(seed=3)[0]
    assert shown["boards"].shape == (9, 4, 18, 4, 4) and (shown["boards"].sum(2) == 1).all()
    assert (shown["boards"].argmax(2) == seen["boards"]).all()
    assert (envs.observe()[0]["boards"] == envs.afterstates()[0]).all()


def test_it_plays_the_games_of_the_other_environment():
    """Whoever changes to it keeps seeds, games and snapshots."""
    plain, envs = Game2048Vector(5), Game2048AfterstatesVector(5)
    plain.reset(seed=4), envs.reset(seed=4)
    for _ in range(50):
        actions = plain.sample_legal()
        want, got = plain.step(actions), envs.step(actions)
        assert (got[0]["boards"] == plain.afterstates()[0]).all()
        assert all((g == w).all() for g, w in zip(got[1:4], want[1:4], strict=True))
    one = Game2048Afterstates()
    seen, info = one.restore(plain.snapshot()[2].tobytes())
    assert (seen["boards"] == plain.afterstates()[0][2]).all() and info["score"] == plain.observe()[1]["score"][2]
    for twin in (copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        assert (twin.step(1)[0]["boards"] == copy.deepcopy(one).step(1)[0]["boards"]).all()


def test_errors_are_those_of_the_other_environment():
    with pytest.raises(ValueError, match="observation is 'rgb': must be one of"):
        Game2048Afterstates(observation="rgb")
    with pytest.raises(TypeError, match="sizes"):
        Game2048AfterstatesVector(3, sizes=4)
