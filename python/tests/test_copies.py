"""Copies and pickles of networks, trainers and vectors: equal at first, and independent afterwards."""

import copy
import pickle

import afterstate2048
import gymnasium
import numpy as np
import pytest
from afterstate2048 import Network, Trainer
from conftest import run
from gymnasium.utils.env_checker import data_equivalence

WAYS = [
    pytest.param(lambda found: found.copy(), id="method"),
    pytest.param(copy.copy, id="copy"),
    pytest.param(copy.deepcopy, id="deepcopy"),
    pytest.param(lambda found: pickle.loads(pickle.dumps(found)), id="pickle"),
]


def rate(games):
    return 0.5 if games < 80 else 0.25


def starts(games):
    boards = np.zeros((3, 4, 4), np.uint8)
    boards[0, 0] = 8, 7, 2, 1
    return boards


def same(a, b):
    """Whether two results of an environment are equal, in all their parts."""
    assert data_equivalence(a, b), (a, b)


@pytest.mark.parametrize("way", WAYS)
def test_networks(way):
    trainer = Trainer("0123 01456", stages="64", seed=3, optimistic_init=7, downgrade=1024)
    trainer.step(20)
    net = trainer.network
    twin = way(net)
    for name in ("size", "name", "patterns", "stages", "bias", "downgrade", "history"):
        assert getattr(twin, name) == getattr(net, name)
    same(twin.weights, net.weights)
    board = np.array([[3, 2, 1, 0]] * 4, np.uint8)
    before, spec = net.value(board), net.player()
    for table in twin.weights[0]:
        table[:] = 0
    assert net.value(board) == before != twin.value(board) == twin.bias
    del net, trainer
    assert afterstate2048.analyze(board, twin.player()).move is not None and copy.deepcopy(spec) == spec
    with pytest.raises(TypeError, match="pickle the network"):
        pickle.dumps(spec)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("functions", [{}, {"rate": rate, "starts": starts}], ids=["plain", "functions"])
def test_trainers_continue_alike(way, functions):
    trainer = Trainer("2x4", seed=3, report_every=40, lambda_=0.25, games=300, anneal=100, **functions)
    trainer.step(70)  # ends within a batch
    twin = way(trainer)
    assert twin.options == trainer.options and twin.games == 70
    one, other = trainer.step(100), twin.step(100)
    assert all(one[key] == other[key] for key in ("games", "moves", "mean_score", "reached"))
    same(twin.network.weights, trainer.network.weights)
    trainer.close()
    assert twin.step()["games"] == 300
    with pytest.raises(ValueError, match="this trainer was closed"):
        way(trainer)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("name", ["Game2048", "Game2048Afterstates"])
def test_vectors_play_on_alike(way, mode, name):
    options = {"size": 2, "autoreset_mode": mode, "observation": "planes", "copy": False}
    envs = gymnasium.make_vec(f"afterstate/{name}-v0", num_envs=20, **options)
    same(way(envs).reset(seed=5), envs.reset(seed=5))
    ended = np.zeros(20, np.bool_)
    for step in range(8):
        ended = envs.step(envs.sample_legal() if step % 2 else np.zeros(20, np.int64))[2].copy()
        if mode == "Disabled" and ended.any():
            break
    twin = way(envs)
    same(twin.observe(), envs.observe())
    same(twin.games, envs.games)
    for _ in range(30):
        if mode == "Disabled" and ended.any():
            options = {"reset_mask": ended}
            same(twin.reset(options=options), envs.reset(options=options))
        actions = envs.sample_legal()
        assert (actions == twin.sample_legal()).all()
        result = envs.step(actions)
        same(twin.step(actions), result)
        ended = result[2].copy()
    seen = copy.deepcopy(twin.observe())
    envs.reset()
    envs.close()
    same(twin.observe(), seen)


def test_copies_without_a_word():
    """Nothing is printed when objects that cannot be copied are dropped."""
    said = run(
        """
        import copy, os, pickle, afterstate2048
        os.dup2(1, 2)
        envs = afterstate2048.Game2048Vector(2, reward=lambda merged: merged)
        envs.reset(seed=1)
        trainer = afterstate2048.Trainer("2x4", callbacks=[lambda metrics: None])
        for found in (envs, trainer, trainer.network.player()):
            try:
                pickle.dumps(found)
            except (TypeError, AttributeError, pickle.PicklingError):
                print("refused")
        print([type(copy.deepcopy(found)).__name__ for found in (envs, trainer, trainer.network)])
        """
    )
    assert said == "refused\n" * 3 + "['Game2048Vector', 'Trainer', 'Network']\n"
