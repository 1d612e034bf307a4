"""Slides, afterstates and spawns of single boards, held against the environments."""

import random

import afterstate2048
import numpy as np
import pytest
from afterstate2048 import Direction, Game2048, Game2048Vector, SpawnRng


def some_boards(size=(4, 4), n=40, steps=60):
    envs = Game2048Vector(n, size)
    envs.reset(seed=5)
    for _ in range(steps):
        envs.step(envs.sample_legal())
    return envs


@pytest.mark.parametrize("size", [(4, 4), (2, 3), (6, 6)])
def test_afterstates_are_those_of_the_environments(size):
    envs = some_boards(size)
    boards = envs.observe()[0]
    for got, want in zip(afterstate2048.afterstates(boards), envs.afterstates(), strict=True):
        assert got.dtype == want.dtype and (got == want).all()
    for i, board in enumerate(boards[:10]):
        one = afterstate2048.afterstates(board)
        assert [a.shape for a in one] == [(4, *size), (4,), (4,)]
        for direction in Direction:
            slid = afterstate2048.slide(board, direction)
            assert (slid.board == one[0][direction]).all()
            assert (slid.reward, slid.legal) == (one[1][direction], one[2][direction])
            assert type(slid.reward) is int and type(slid.legal) is bool
        assert (afterstate2048.afterstates(afterstate2048.tiles(board))[0] == one[0]).all(), i


@pytest.mark.parametrize("size", [4, np.int64(4), "4x4", (4, 4), [4, 4]])
def test_notations_of_sizes(size):
    """One number is the length of both sides."""
    network = afterstate2048.Network("2x4", size=size)
    assert afterstate2048.Game(size, seed=1).size == Game2048(size).settings.size == network.size == (4, 4)


@pytest.mark.parametrize("size", [1, 7, True, 4.0, "4", "44", None])
def test_sizes_that_are_refused(size):
    for make in (Game2048, Game2048Vector, afterstate2048.Game, afterstate2048.solve):
        with pytest.raises(ValueError, match="must be rows and columns from 2 to 6"):
            make(size=size)


def test_notations_and_names_of_moves():
    for board in ("2,2/0,4", [[2, 2], [0, 4]], np.array([[1, 1], [0, 2]], np.uint8), np.array([[2, 2], [0, 4]])):
        for move in ("left", "LEFT", 3, Direction.LEFT, np.int64(3), np.uint8(3)):
            board_after, reward, legal = afterstate2048.slide(board, move)
            assert afterstate2048.tiles(board_after).tolist() == [[4, 0], [4, 0]] and (reward, legal) == (4, True)
    assert afterstate2048.slide("2,0/0,0", "up") [1:] == (0, False)
    assert afterstate2048.afterstates(["2,2/0,4", "2,0/0,0"])[0].shape == (2, 4, 2, 2)
    assert afterstate2048.afterstates(np.empty((0, 4, 4), np.uint8))[1].shape == (0, 4)


def test_games_by_spawn_rng_are_those_of_the_seed():
    """The rules in five lines play game 3 of seed 9, tile for tile."""
    env, rng = Game2048((3, 4)), SpawnRng(9, 3)
    seen, info = env.reset(seed=9, options={"game": 3})
    board = afterstate2048.spawn(afterstate2048.spawn(np.zeros((3, 4), np.uint8), rng), rng)
    assert (board == seen).all()
    score, over, moves = 0, False, 0
    while not over:
        action = int(info["action_mask"].argmax())
        seen, reward, over, _, info = env.step(action)
        after, got, legal = afterstate2048.slide(board, action)
        board = afterstate2048.spawn(after, rng)
        score, moves = score + got, moves + 1
        assert legal and got == reward and (board == seen).all()
    assert moves > 20 and score == info["score"]


def test_spawn_takes_the_usual_generators():
    empty = np.zeros((2, 2), np.uint8)
    for make in (np.random.default_rng, lambda s: np.random.Generator(np.random.MT19937(s)), random.Random, SpawnRng):
        first, again = ([afterstate2048.spawn(empty, rng) for _ in range(400)] for rng in (make(1), make(1)))
        assert all((a == b).all() for a, b in zip(first, again, strict=True))
        counts = np.sum([b > 0 for b in first], 0)
        assert counts.sum() == 400 and counts.min() > 60
        assert 15 < sum(b.max() == 2 for b in first) < 75
    assert not empty.any()
    assert afterstate2048.spawn(empty).sum() in (1, 2)
    assert all(afterstate2048.spawn(empty, p4=1).max() == 2 for _ in range(20))
    assert afterstate2048.spawn("2,2/2,0", p4=0)[1, 1] == 1


def test_tile_values_in_uint8_are_refused():
    """An array of uint8 has exponents: one with tile values would be other boards, with tiles of up to 2^128."""
    values = [[2, 4, 8, 16], [0, 32, 0, 2], [0, 0, 64, 0], [128, 0, 0, 2]]
    wrong = np.array(values, np.uint8)
    env, envs = Game2048(), Game2048Vector(1)
    for attempt in (
        lambda: afterstate2048.slide(wrong, "left"),
        lambda: afterstate2048.afterstates(wrong[None]),
        lambda: afterstate2048.spawn(wrong),
        lambda: afterstate2048.best_move(wrong, player="greedy"),
        lambda: afterstate2048.best_moves(wrong[None], player="greedy"),
        lambda: afterstate2048.Game(board=wrong),
        lambda: env.reset(seed=1, options={"board": wrong}),
        lambda: (envs.reset(seed=1), envs.place(wrong[None])),
    ):
        with pytest.raises(ValueError, match=r"128 in an array of uint8, which has exponents: no 4x4 game has more than 17"):
            attempt()
    right = np.array(values)
    assert (afterstate2048.slide(right, "left").board == afterstate2048.slide(afterstate2048.exponents(wrong), "left").board).all()
    assert afterstate2048.slide(np.array([[17, 0], [0, 0]] * 2, np.uint8).reshape(2, 4).repeat(2, 0), "right").legal  # of 4x4
    with pytest.raises(ValueError, match="6 in an array of uint8, .*: no 2x2 game has more than 5, a tile of 2.5; tile values"):
        afterstate2048.tiles(afterstate2048.slide(np.array([[6, 0], [0, 0]], np.uint8), "right").board)


def test_errors_say_what_is_accepted():
    for attempt, kind, message in (
        (lambda: afterstate2048.slide("2,2/0,4", 4), ValueError, "move 4: must be 0 up"),
        (lambda: afterstate2048.slide("2,2/0,4", "sideways"), ValueError, "move 'sideways': must be 0 up"),
        (lambda: afterstate2048.slide("2,2/0,4", 1.0), TypeError, "move 1.0: must be 0 up"),
        (lambda: afterstate2048.slide("2,2/0,4", None), TypeError, "move None"),
        (lambda: afterstate2048.spawn("2,2/2,2"), ValueError, "has no empty cell"),
        (lambda: afterstate2048.spawn("2,2/2,0", p4=float("nan")), ValueError, "p4 is nan"),
        (lambda: afterstate2048.spawn("2,2/2,0", p4="0.5"), ValueError, "p4 is '0.5'"),
        (lambda: afterstate2048.spawn("2,2/2,0", 7), TypeError, "rng is 7: must be numpy.random.default_rng"),
        (lambda: afterstate2048.afterstates(np.zeros((4, 4, 4, 4), np.uint8)), ValueError, "an array of shape"),
        (lambda: afterstate2048.afterstates([[2, 3], [0, 0]]), ValueError, "3 is not a tile"),
        (lambda: afterstate2048.slide([[2, 4], [8]], "left"), ValueError, "rows of different lengths"),
        (lambda: afterstate2048.afterstates(np.full((2, 2), 99, np.uint8)), ValueError, "99 in an array of uint8"),
        (lambda: SpawnRng(-1), ValueError, "seed -1"),
    ):
        with pytest.raises(kind, match=message):
            attempt()
