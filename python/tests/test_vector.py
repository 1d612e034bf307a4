"""Many games at a time, held against as many single ones."""

import functools

import afterstate2048
import gymnasium
import numpy as np
import pytest
from afterstate2048 import Game2048, Game2048Vector
from conftest import run
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv

ID = "afterstate/Game2048-v0"
MODES = list(AutoresetMode)
KINDS = [
    {"size": (2, 2)},
    {"size": (2, 3), "observation": "planes", "reward": "log2", "illegal": "penalty"},
    {"illegal": "terminate", "penalty": -3.5},
    {"size": (3, 3), "reward": lambda merged: merged + 1, "max_episode_steps": 25},
]


def strided(kind):
    """The class of single environments of a kind that play the games of environment i of n: i, i + n, i + 2n and so on.

    Seeds from 100 on are their own: with them it plays all games.
    """

    class Strided(kind):
        def __init__(self, i, n, **options):
            super().__init__(**options)
            self.first, self.stride, self.number = i, n, None

        def reset(self, *, seed=None, options=None):
            if seed is not None and seed >= 100:
                self.first, self.stride = 0, 1
            self.number = self.first if seed is not None or self.number is None else self.number + self.stride
            return super().reset(seed=seed, options={"game": self.number})

    return Strided


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("options", KINDS, ids=range(len(KINDS)))
def test_it_is_a_vector_of_single_environments(options, mode):
    n = 33
    ours = gymnasium.make_vec(ID, num_envs=n, autoreset_mode=mode, **options)
    theirs = SyncVectorEnv([functools.partial(strided(Game2048), i, n, **options) for i in range(n)], autoreset_mode=mode)
    assert isinstance(ours, Game2048Vector) and ours.metadata["autoreset_mode"] == mode
    compare(ours, theirs, mode, steps=80)


def compare(ours, theirs, mode, steps):
    """Both give the same for the same actions and resets."""
    n = ours.num_envs
    for space in ("observation_space", "action_space", "single_observation_space", "single_action_space"):
        assert getattr(ours, space) == getattr(theirs, space)
    same(ours.reset(seed=3), theirs.reset(seed=[3] * n))
    random, ends = np.random.default_rng(1), 0
    for _ in range(steps):
        actions = random.integers(0, 4, n)
        got = ours.step(actions)
        same(got, theirs.step(actions))
        ended = got[2] | got[3]
        ends += ended.sum()
        if mode == AutoresetMode.DISABLED and ended.any():
            same(ours.reset(options={"reset_mask": ended}), theirs.reset(options={"reset_mask": ended.copy()}), ended)
    assert ends > n
    same(ours.reset(), theirs.reset())
    seeds = [None if i % 3 else 100 + i for i in range(n)]
    same(ours.reset(seed=seeds), theirs.reset(seed=list(seeds)))
    same(ours.reset(), theirs.reset())
    ours.close(), theirs.close()


def test_a_list_of_seeds():
    """Equal seeds are equal games, those of a single environment, also after the first episode."""
    envs, one = Game2048Vector(2, (2, 3)), Game2048((2, 3))
    seen, _ = envs.reset(seed=[7, 7])
    single, info = one.reset(seed=7)
    ends, state = 0, None
    while ends < 3:
        assert (seen[0] == single).all() and (seen[1] == single).all()
        if ends == 1 and state is None:
            state = envs.snapshot()
        action = int(info["action_mask"].argmax())
        seen, _, terminated, *_ = envs.step([action, action])
        if terminated[0]:
            ends += 1
            seen, *_ = envs.step([0, 0])
            single, info = one.reset()
        else:
            single, _, _, _, info = one.step(action)
    assert one.game == (7, 3) and envs.games[1].tolist() == [3, 3]
    envs.reset(seed=1)
    envs.restore(state)
    envs.reset()
    assert envs.games[0].tolist() == [7, 7] and envs.games[1].tolist() == [2, 2]


def test_vectors_of_neighbouring_seeds_share_no_game():
    played = []
    for seed in (1, 2):
        envs, begun = Game2048Vector(20, (2, 2), autoreset_mode="SameStep"), set()
        envs.reset(seed=seed)
        for _ in range(60):
            begun.update(zip(*(numbers.tolist() for numbers in envs.games), strict=True))
            envs.step(envs.sample_legal())
        played.append(begun)
    assert not played[0] & played[1] and len(played[0]) > 40
    assert {seed for seed, _ in played[0]} == {1} and {(1, i) for i in range(40)} <= played[0]
    # Environment i begins with game i, as everywhere else in Afterstate.
    first = Game2048Vector(3).reset(seed=9)[0]
    assert all((first[i] == Game2048().reset(seed=9, options={"game": i})[0]).all() for i in range(3))
    assert all((first[i] == afterstate2048.Game(seed=9, game=i).board).all() for i in range(3))
    fresh = Game2048Vector(5)
    fresh.reset()
    seeds, games = fresh.games
    assert len(set(seeds.tolist())) == 1 and games.tolist() == [0, 1, 2, 3, 4]


def same(got, want, mask=None):
    """Equal to the last type; of infos, where mask is true."""
    *got, info = got
    *want, wanted = want
    for g, w in zip(got, want, strict=True):
        assert data_equivalence(g, w, exact=True)
    if mask is not None:
        assert (info["_score"] == mask).all()
        info, wanted = ({k: v[mask] for k, v in i.items()} for i in (info, wanted))
    assert info.keys() == wanted.keys()
    assert data_equivalence(info, wanted, exact=True), (info, wanted)


@pytest.mark.parametrize("way", ["AsyncVectorEnv", "make_vec"])
def test_async_under_spawn(way):
    if way == "make_vec":
        envs = gymnasium.make_vec(ID, num_envs=2, size=(3, 3), vectorization_mode="async", vector_kwargs={"context": "spawn"})
    else:  # a process that has not imported afterstate2048 finds it by the name before the colon
        envs = AsyncVectorEnv([functools.partial(gymnasium.make, "afterstate2048:" + ID, size=(3, 3))] * 2, context="spawn")
    try:
        ours = SyncVectorEnv([functools.partial(Game2048, (3, 3))] * 2)
        same(envs.reset(seed=4), ours.reset(seed=4))
        random = np.random.default_rng(2)
        for _ in range(100):
            actions = random.integers(0, 4, 2)
            same(envs.step(actions), ours.step(actions))
    finally:
        envs.close()


def test_buffers_are_written_in_place():
    envs = Game2048Vector(5, copy=False)
    seen, info = envs.reset(seed=1)
    actions = envs.sample_legal()
    kept = seen.copy()
    again, rewards, _, _, infos = envs.step(actions)
    assert again is seen and not (seen == kept).all() and infos["score"] is info["score"]
    assert envs.step(envs.sample_legal())[1] is rewards
    copies = Game2048Vector(5)
    first = copies.reset(seed=1)[0]
    second = copies.step(actions)[0]
    assert (first == kept).all() and not np.shares_memory(first, second)


def test_legal_samples():
    envs = Game2048Vector(200)
    with pytest.raises(ResetNeeded):
        envs.sample_legal()
    chosen = []
    for _ in range(2):
        _, info = envs.reset(seed=1)
        for _ in range(60):
            actions = envs.sample_legal()
            running = info["action_mask"].any(1)
            assert running.sum() > 190 and info["action_mask"][running, actions[running]].all()
            info = envs.step(actions)[4]
            assert not info["illegal"].any()
        chosen.append(actions)
    assert (chosen[0] == chosen[1]).all() and set(chosen[0]) == {0, 1, 2, 3}


def test_afterstates_are_what_steps_make():
    envs = Game2048Vector(50, (4, 3), autoreset_mode="SameStep")
    envs.reset(seed=1)
    out = envs.afterstates()
    for _ in range(60):
        assert envs.afterstates(out) is out
        boards, merged, legal = out
        actions, every = envs.sample_legal(), np.arange(50)
        seen, rewards, terminated, _, _ = envs.step(actions)
        went_on = ~terminated
        assert legal[every, actions].all() and (rewards == merged[every, actions]).all()
        difference = (seen != boards[every, actions]).sum((1, 2))[went_on]
        assert (difference == 1).all()  # the spawn
    with pytest.raises(ValueError, match=r"out: boards of shape \(50, 2, 4, 3\): must be \(50, 4, 4, 3\)"):
        envs.afterstates((boards[:, ::2], merged, legal))


def test_place_and_snapshots():
    envs = Game2048Vector(4, (3, 3))
    envs.reset(seed=1)
    envs.place(["2,4,8/0,0,0/0,0,0", "0,0,0/0,0,0/16,0,0"], scores=[7, 9], which=[3, 1])
    seen, info = envs.observe()
    assert info["score"].tolist() == [0, 9, 0, 7] and afterstate2048.tiles(seen[3, 0]).tolist() == [2, 4, 8]
    states = envs.snapshot()
    ahead = [envs.step(np.full(4, a % 4)) for a in range(20)]
    envs.restore(states)
    for a, want in enumerate(ahead):
        same(envs.step(np.full(4, a % 4)), want)
    other = Game2048Vector(2, (3, 3))
    other.restore(np.repeat(states[3:4], 2, 0))
    assert (other.observe()[0] == seen[3]).all() and (other.games[1] == 3).all()
    single = Game2048((3, 3))
    assert (single.restore(states[1].tobytes())[0] == seen[1]).all()
    envs.restore(states[[0, 0]], which=[2, 0])
    assert (envs.observe()[0][2] == seen[0]).all()
    seeds, games = envs.games
    assert seeds.tolist() == [1, 1, 1, 1] and games.tolist() == [0, 1, 0, 3]


def test_errors_say_what_is_accepted():
    envs = Game2048Vector(3)
    with pytest.raises(ResetNeeded):
        envs.step([0, 0, 0])
    envs.reset(seed=1)
    before = envs.observe()[0]
    for actions, message in (
        ([0, 1], r"actions of shape \(2,\): must be \(3,\)"),
        ([0, 4, 9], "action 4 of environment 1: must be 0 up, 1 right, 2 down or 3 left"),
        ([0, 0, -1], "action -1 of environment 2"),
    ):
        with pytest.raises(ValueError, match=message):
            envs.step(actions)
    assert (envs.observe()[0] == before).all()
    for wrong, message in (
        (lambda: Game2048Vector(0), "num_envs is 0: must be 1 or more"),
        (lambda: Game2048Vector(autoreset_mode="sometimes"), "sometimes"),
        (lambda: Game2048Vector(size=(7, 2)), "size"),
        (lambda: envs.reset(seed=[1, 2]), "2 seeds for 3 environments"),
        (lambda: envs.reset(seed=-1), "seed -1"),
        (lambda: envs.reset(options={"reset_mask": [True] * 3}), r"reset_mask: must be a bool array of shape \(3,\)"),
        (lambda: envs.reset(options={"mask": 1}), "reset option 'mask': must be reset_mask"),
        (lambda: envs.place(["2,0/0,2"], which=[0]), "the boards are 2x2: must be 4x4"),
        (lambda: envs.place(np.ones((1, 4, 4), np.uint8), which=[3]), "environment 3: must be from 0 to 2"),
        (lambda: envs.place(["131072,131072,2,4/0,0,0,0/0,0,0,0/0,0,0,0"], which=[0]), "no 4x4 game has more than 262140"),
        (lambda: envs.place(np.ones((2, 4, 4), np.uint8)), "2 rows for environments"),
        (lambda: envs.restore(envs.snapshot()[:, :5]), "states of shape"),
    ):
        with pytest.raises(ValueError, match=message):
            wrong()
    disabled = Game2048Vector(2, illegal="terminate", autoreset_mode="Disabled")
    disabled.reset(seed=1)
    disabled.place(["2,4,2,4/0,0,0,0/0,0,0,0/0,0,0,0"] * 2)
    assert disabled.step([2, 0])[2].tolist() == [False, True]
    with pytest.raises(ResetNeeded, match="environment 1 has ended"):
        disabled.step([0, 0])


CLOSING = """
    import collections, sys, threading
    import numpy as np
    from afterstate2048 import Game2048Vector
    from gymnasium.error import ResetNeeded

    sys.setswitchinterval(1e-6)
    n = 512
    envs = Game2048Vector(n, autoreset_mode="{mode}", observation="{observation}")
    envs.reset(seed=1)
    actions, counts, done = np.arange(n) % 4, collections.Counter(), threading.Event()
    uses = [lambda: envs.step(actions), envs.sample_legal, envs.afterstates, envs.snapshot, envs.observe,
            lambda: envs.restore(envs.snapshot()), lambda: envs.reset(seed=3)]

    def use(function):
        while not done.is_set():
            try:
                function()
                counts["worked"] += 1
            except ResetNeeded:
                counts["closed"] += 1
            except BaseException as error:
                counts[type(error).__name__ + ": " + str(error)] += 1

    threads = [threading.Thread(target=use, args=(f,)) for f in uses]
    for thread in threads:
        thread.start()
    for _ in range(400):
        envs.close_extras()
        envs.reset(seed=2)
        np.zeros(n * 64, np.uint8)  # takes what was freed
    done.set()
    for thread in threads:
        thread.join()
    assert counts["worked"] and counts["closed"], counts
    print(sorted(counts))
"""


@pytest.mark.parametrize(("mode", "observation"), [("NextStep", "exponents"), ("SameStep", "planes")])
def test_closing_while_other_threads_use_it_is_an_error_for_them(mode, observation):
    assert run(CLOSING.format(mode=mode, observation=observation)) == "['closed', 'worked']\n"
