"""One game at a time."""

import base64
import copy
import json
import pickle
import subprocess

import afterstate2048
import gymnasium
import numpy as np
import pytest
from afterstate2048 import Direction, Game2048
from conftest import ROOT, run
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

ID = "afterstate/Game2048-v0"


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"size": (2, 2)},
        {"size": [6, 6], "observation": "planes"},
        {"size": (3, 5), "illegal": "terminate", "penalty": -5, "reward": "log2"},
        {"illegal": "penalty", "reward": np.sqrt, "p4": 0.5},
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:.*render_mode='human' shows nothing")  # without a display
def test_check_env(options):
    check_env(gymnasium.make(ID, **options).unwrapped)


def golden_games():
    for line in (ROOT / "rules/game/testdata/golden.jsonl").read_text().splitlines():
        record = json.loads(line)
        if record["spawn"] == "random":
            packed = base64.b64decode(record["moves"])
            moves = [packed[i // 4] >> 2 * (i % 4) & 3 for i in range(record["move_count"])]
            yield record, moves


@pytest.mark.parametrize("observation", ["exponents", "planes"])
def test_games_are_the_published_ones(observation):
    """Seed and number give the game that every part of Afterstate plays."""
    games = 0
    for record, moves in golden_games():
        rows, columns = map(int, record["size"].split("x"))
        env = Game2048((rows, columns), p4=record["p4"], observation=observation)
        seen, info = env.reset(seed=record["seed"], options={"game": record["game"]})
        assert env.game == (record["seed"], record["game"])
        total = 0
        for i, move in enumerate(moves):
            assert info["action_mask"][move] == 1
            seen, reward, terminated, truncated, info = env.step(move)
            total += reward
            assert not truncated and not info["illegal"] and terminated == (i + 1 == len(moves))
        assert info["score"] == env.score == total == record["score"]
        assert not info["action_mask"].any()
        assert afterstate2048.tiles(env.board).tolist() == record["board"]
        assert seen in env.observation_space
        board = seen.argmax(0) if observation == "planes" else seen
        assert (board == env.board).all()
        games += 1
    assert games == 17


def test_resets_go_on_through_the_games_of_a_seed():
    env, other = Game2048(), Game2048()
    env.reset(seed=5)
    first = [env.game, env.reset()[0].tolist(), env.game, env.reset(options={"game": 7})[0].tolist(), env.game]
    assert [first[0], first[2], first[4]] == [(5, 0), (5, 1), (5, 7)]
    for game, board in ((1, first[1]), (7, first[3])):
        assert other.reset(seed=5, options={"game": game})[0].tolist() == board
    assert env.reset()[0].tolist() == other.reset(seed=5, options={"game": 8})[0].tolist()


def test_without_a_seed_games_differ():
    env, other = Game2048(), Game2048()
    env.reset(), other.reset()
    assert env.game[0] != other.game[0] and env.game[1] == 0


def test_illegal_actions():
    begin = {"board": "2,4,2,4/0,0,0,0/0,0,0,0/0,0,0,0", "score": 12}
    for illegal, reward, ends in (("noop", 0.0, False), ("penalty", -2.0, False), ("terminate", -2.0, True)):
        env = Game2048(illegal=illegal, penalty=None if illegal == "noop" else -2, max_episode_steps=3)
        seen, info = env.reset(seed=1, options=begin)
        assert info["action_mask"].tolist() == [0, 0, 1, 0] and info["score"] == 12
        for _ in range(2):
            after, got, terminated, truncated, info = env.step(Direction.UP)
            assert (after == seen).all() and (got, terminated, truncated) == (reward, ends, False)
            assert info["illegal"] and info["score"] == 12
            if ends:
                break
        else:
            assert env.step(Direction.DOWN)[1:4] == (0.0, False, True)
    # after the end nothing happens
    assert env.step(Direction.DOWN)[1:4] == (0.0, True, False)


def test_rewards():
    begin = {"board": [[1024, 1024, 2, 2], [0] * 4, [0] * 4, [0] * 4]}
    for reward, want in (("score", 2052.0), ("log2", np.log2(2052)), (lambda merged: merged / 4, 513.0)):
        env = Game2048(reward=reward)
        env.reset(seed=1, options=begin)
        assert env.step(Direction.LEFT)[1] == pytest.approx(want)
        assert env.score == 2052


def test_tiles_above_32768():
    env = Game2048(observation="planes")
    env.reset(seed=1, options={"board": "65536,32768,32768,2/0,0,0,0/0,0,0,0/0,0,0,0"})
    seen, reward, *_ = env.step(Direction.LEFT)
    assert reward == 65536 and seen in env.observation_space and seen[16, 0, :2].tolist() == [1, 1]
    seen, reward, *_ = env.step(Direction.LEFT)
    assert reward == 131072 and seen[17, 0, 0] == 1 and seen.sum() == 16


def test_snapshot_copy_and_pickle():
    env = gymnasium.make(ID, size=(3, 4), reward="log2").unwrapped
    env.reset(seed=9)
    for action in (0, 1, 2, 3, 0):
        env.step(action)
    state = env.snapshot()
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), Game2048((3, 4), reward="log2")]
    seen, info = twins[2].restore(state)
    assert (seen == env.board).all() and info["score"] == env.score
    want = [env.step(a % 4)[:4] for a in range(30)]
    for twin in twins:
        got = [twin.step(a % 4)[:4] for a in range(30)]
        assert all((g[0] == w[0]).all() and g[1:] == w[1:] for g, w in zip(got, want, strict=True))
        assert (twin.reset()[0] == copy.deepcopy(env).reset()[0]).all()
    env.restore(state)
    assert env.snapshot() == state
    unbegun = copy.deepcopy(Game2048())
    unbegun.reset(seed=1)


def test_afterstates():
    env = Game2048()
    env.reset(seed=1, options={"board": "2,2,4,8/0,0,0,0/0,0,0,0/0,0,0,0"})
    boards, merged, legal = env.afterstates()
    assert merged.tolist() == [0, 4, 0, 4] and legal.tolist() == [False, True, True, True]
    assert afterstate2048.tiles(boards[Direction.LEFT])[0].tolist() == [4, 4, 8, 0]
    assert (boards[Direction.UP] == env.board).all() and (env.action_masks() == legal).all()


def test_render():
    env = gymnasium.make(ID, size=(2, 2), render_mode="ansi")
    env.reset(seed=1, options={"board": [[2, 0], [0, 16]]})
    assert env.render() == "score 0\n     2      .\n     .     16\n"
    assert Game2048().render() is None


def test_what_is_returned_is_the_users():
    env = Game2048()
    seen, info = env.reset(seed=1)
    seen[:] = 9
    info["action_mask"][:] = 9
    assert env.board.max() <= 2 and env.step(0)[4]["action_mask"].max() == 1


@pytest.mark.parametrize("observation", ["exponents", "planes"])
def test_observations_stay_what_they_were(observation):
    """They are parts of larger arrays, which no later step writes to."""
    env = Game2048(observation=observation)
    kept = [env.reset(seed=1)[0]]
    copies, masks = [kept[0].copy()], []
    for i in range(500):
        seen, _, terminated, _, info = env.step(i * i // 3 % 4)
        assert (env.board == (seen.argmax(0) if observation == "planes" else seen)).all()
        kept.append(seen), copies.append(seen.copy()), masks.append((info["action_mask"], info["action_mask"].tolist()))
        if terminated:
            env.reset()
    assert all((k == c).all() for k, c in zip(kept, copies, strict=True)) and all(m.tolist() == was for m, was in masks)
    assert len({k.tobytes() for k in kept}) > 100


STEPPING = """
    import collections, sys, threading
    import numpy as np
    from afterstate2048 import Game2048
    from gymnasium.error import ResetNeeded

    sys.setswitchinterval(1e-6)
    env = Game2048((6, 6), observation="planes")
    env.reset(seed=1)
    counts, done = collections.Counter(), threading.Event()

    def use(action):
        while not done.is_set():
            try:
                seen = env.step(action)[0]
                counts["worked" if seen.shape == (38, 6, 6) else seen.shape] += 1
            except ResetNeeded:
                counts["closed"] += 1
            except BaseException as error:
                counts[type(error).__name__ + ": " + str(error)] += 1

    threads = [threading.Thread(target=use, args=(a,)) for a in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(400):
        env.close()
        env.reset(seed=2)
        np.zeros(22000, np.uint8)  # takes what was freed
    done.set()
    for thread in threads:
        thread.join()
    assert counts["worked"] and counts["closed"], counts
    print(sorted(counts))
"""


def test_threads_that_share_an_environment_do_not_end_the_process():
    """They must not, but then it is an error or a wrong observation."""
    assert run(STEPPING) == "['closed', 'worked']\n"


@pytest.mark.parametrize("spawn", ["adversary", "friendly"])
@pytest.mark.parametrize("size", ["3x3", "4x4"])
def test_spawn_rules_are_those_of_the_commands(spawn, size, afterstate_program, tmp_path):
    """The same player makes the same game in the command, in an environment and in a vector."""
    record = tmp_path / "game.jsonl"
    words = [afterstate_program, "watch", "greedy", "--size", size, "--spawn", spawn, "--seed", "1", "--record", record]
    subprocess.run(words, check=True, capture_output=True)
    want = json.loads(record.read_text())
    env, envs = (make(ID, size=size, spawn=spawn, **k) for make, k in ((gymnasium.make, {}), (gymnasium.make_vec, {"num_envs": 3})))
    info = env.reset(seed=1)[1]
    envs.reset(seed=1)
    for _ in range(want["move_count"]):
        assert info["action_mask"].any()
        _, merged, legal = env.unwrapped.afterstates()
        action = np.where(legal, merged, -1).argmax()
        board, _, terminated, _, info = env.step(action)
        assert (envs.step([action] * 3)[0] == board).all()
    assert terminated and info["score"] == want["score"] and afterstate2048.tiles(board).tolist() == want["board"]


def test_sizes_are_written_as_everywhere():
    """A size is text, as in commands, or a pair."""
    for size in ("3x5", (3, 5)):
        env = gymnasium.make(ID, size=size)
        assert env.reset(seed=1)[0].shape == env.observation_space.shape == (3, 5)
        assert gymnasium.make_vec(ID, num_envs=2, size=size).reset(seed=1)[0].shape == (2, 3, 5)
        assert afterstate2048.Game(size, seed=1).size == (3, 5)
    assert afterstate2048.solve("2x2") == afterstate2048.solve((2, 2))


def test_errors_say_what_is_accepted():
    for options, message in (
        ({"size": (1, 4)}, r'size \(1, 4\): must be rows and columns from 2 to 6, as "3x4" or \(3, 4\)'),
        ({"size": "4x7"}, "size '4x7': must be rows and columns from 2 to 6"),
        ({"size": "4 x 4"}, "size '4 x 4': must be"),
        ({"illegal": "explode"}, "illegal is 'explode': must be one of 'noop', 'penalty', 'terminate'"),
        ({"spawn": "worst"}, "spawn is 'worst': must be one of 'random', 'adversary', 'friendly'"),
        ({"reward": "tiles"}, "reward is 'tiles': must be one of 'score', 'log2'"),
        ({"observation": "rgb"}, "observation is 'rgb': must be one of"),
        ({"p4": 1.5}, "p4 is 1.5: must be the probability of a 4, from 0 to 1"),
        ({"penalty": float("nan")}, "penalty is nan: must be a finite number"),
        ({"penalty": -2}, "penalty is -2: must be left out with illegal='noop', whose reward is 0"),
        ({"max_episode_steps": 0}, "max_episode_steps is 0: must be 1 or more, or None"),
        ({"render_mode": "film"}, "render_mode is 'film': must be None, 'human', 'ansi' or 'rgb_array'"),
    ):
        with pytest.raises(ValueError, match=message):
            Game2048(**options)
    env = Game2048()
    for before in (lambda: env.step(0), lambda: env.board, lambda: env.snapshot(), env.afterstates):
        with pytest.raises(ResetNeeded):
            before()
    for options, message in (
        ({"bord": 1}, "reset option 'bord': must be game, board, score"),
        ({"score": 500}, "reset option score 500 without a board: a game begins with 0"),
        ({"game": -1}, "game -1: must be a whole number from 0 to"),
        ({"board": "2,2/2,2"}, "the boards are 2x2: must be 4x4"),
        ({"board": "2,3,0,0/0,0,0,0/0,0,0,0/0,0,0,0"}, "3"),
        ({"board": np.full((4, 4), 200, np.uint8)}, "exponent"),
        ({"board": np.array([[1, 2], [1, 2]]) * 4 + [[1, 0], [0, 0]]}, "5 is not a tile"),
        ({"board": "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2"}, "no move is legal"),
    ):
        with pytest.raises(ValueError, match=message):
            env.reset(seed=1, options=options)
    for seed in (-1, 2**64, 1.5):
        with pytest.raises(ValueError, match="must be a whole number from 0 to 2"):
            env.reset(seed=seed)
    env.reset(seed=2**64 - 1)
    for action in (4, -1):
        with pytest.raises(ValueError, match=f"action {action}: must be 0 up, 1 right, 2 down or 3 left"):
            env.step(action)
    with pytest.raises(ValueError, match="a snapshot of 3 bytes"):
        env.restore(b"abc")
    with pytest.raises(ValueError, match="not a state of this version"):
        env.restore(bytes(len(env.snapshot())))
    env.close()
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.close()
    env.reset()
