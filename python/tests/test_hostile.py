"""Values of the wrong kind, at every door: refused, never rounded, wrapped or written to."""

import ctypes

import afterstate2048
import numpy as np
import pytest
from afterstate2048 import Game2048, Game2048Vector, _library

BOARD = [[2, 4, 8, 16], [0, 2, 4, 8], [0, 0, 2, 4], [0, 0, 0, 2]]
MAX_SCORE = 2**62


@pytest.fixture
def env():
    env = Game2048()
    env.reset(seed=1)
    return env


@pytest.fixture
def envs():
    envs = Game2048Vector(3)
    envs.reset(seed=1)
    return envs


@pytest.mark.parametrize("action", [0.9, 1.0, "1", b"1", None, [1], np.float64(1), 1j])
def test_actions_that_are_no_whole_numbers(env, envs, action):
    before, all_before = env.snapshot(), envs.snapshot()
    with pytest.raises(TypeError, match="must be 0 up, 1 right, 2 down or 3 left"):
        env.step(action)
    if not isinstance(action, list):
        with pytest.raises(TypeError, match="actions|must be"):
            envs.step([action] * 3)
    assert env.snapshot() == before and (envs.snapshot() == all_before).all()


def test_actions_in_arrays(env, envs):
    before = envs.snapshot()
    for dtype in (np.float32, np.float64, bool, "U1", "S1", complex, "datetime64[s]"):
        with pytest.raises(TypeError, match="actions of dtype .*: must be whole numbers"):
            envs.step(np.array([1, 1, 1]).astype(dtype))
    for wrong in (np.array([0, 2**64 - 1, 0], np.uint64), np.array([0, 2**63, 0], np.uint64), [0, 2**70, 0], [0, -(2**70), 0]):
        with pytest.raises(ValueError, match="action"):
            envs.step(wrong)
    for wrong in (4, -1, 2**63, 2**64, 2**64 + 1, -(2**64)):
        with pytest.raises(ValueError, match=f"action {wrong}: must be 0 up"):
            env.step(wrong)
    assert (envs.snapshot() == before).all()
    for kind in (np.int8, np.uint8, np.int32, np.uint64, object):
        envs.step(np.array([0, 1, 2]).astype(kind))
    for action in (np.int64(1), np.uint8(1), np.array(1), afterstate2048.Direction.UP, True):
        env.step(action)


@pytest.mark.parametrize("score", [1.5, 1.0, "1", None, np.float32(2), [1]])
def test_scores_that_are_no_whole_numbers(env, envs, score):
    with pytest.raises(TypeError, match="score"):
        env.reset(options={"board": BOARD, "score": score})
    for ask in (afterstate2048.best_move, afterstate2048.analyze):
        with pytest.raises(TypeError, match="score is .*: must be a whole number from 0 to 2"):
            ask(BOARD, "greedy", score=score)
    if isinstance(score, list):
        return
    with pytest.raises(TypeError, match="scores"):
        envs.place([BOARD] * 3, scores=[1, score, 1])
    if score is not None:
        with pytest.raises(TypeError, match="scores"):
            afterstate2048.best_moves([BOARD] * 3, "greedy", scores=[score] * 3)


@pytest.mark.parametrize("score", [-1, MAX_SCORE + 1, 2**63 - 1, 2**63, 2**64, -(2**63), -(2**70)])
def test_scores_beyond_the_limits(env, envs, score):
    with pytest.raises(ValueError, match="score"):
        env.reset(options={"board": BOARD, "score": score})
    for ask in (afterstate2048.best_move, afterstate2048.analyze):
        with pytest.raises(ValueError, match=f"score is {score}: must be a whole number from 0 to 2"):
            ask(BOARD, "greedy", score=score)
    before = envs.snapshot()
    for scores in (score, [1, score, 1]):
        with pytest.raises(ValueError, match="score"):
            envs.place([BOARD] * 3, scores=scores)
        with pytest.raises(ValueError, match="score"):
            afterstate2048.analyze_many([BOARD] * 3, "greedy", scores=scores)
    assert (envs.snapshot() == before).all()


def test_the_largest_score_does_not_wrap(env, envs):
    _, info = env.reset(seed=1, options={"board": "65536,65536,0,0/0,0,0,0/0,0,0,0/0,0,0,0", "score": MAX_SCORE})
    assert info["score"] == MAX_SCORE and env.step(3)[4]["score"] == MAX_SCORE + 131072
    envs.place(["65536,65536,0,0/0,0,0,0/0,0,0,0/0,0,0,0"] * 3, scores=np.uint64(MAX_SCORE))
    assert (envs.step([3] * 3)[4]["score"] == MAX_SCORE + 131072).all()
    assert afterstate2048.best_move(BOARD, "snake", score=np.int64(MAX_SCORE)) is not None
    assert afterstate2048.best_moves([BOARD], "greedy", scores=MAX_SCORE).shape == (1,)


def test_states_that_were_tampered_with(env, envs):
    """A score or a number of steps from which an int64 would overflow."""
    state = np.frombuffer(env.snapshot(), np.uint8)
    for at in (40, 48):  # score, steps
        for value in (2**63 - 1, MAX_SCORE + 1, 2**64 - 1):
            wrong = state.copy()
            wrong[at : at + 8] = np.frombuffer(value.to_bytes(8, "little"), np.uint8)
            with pytest.raises(ValueError, match="both must be from 0 to"):
                env.restore(wrong.tobytes())
    for dtype in (np.float64, np.int64, np.int8, bool):
        with pytest.raises(TypeError, match="states of dtype"):
            envs.restore(envs.snapshot().astype(dtype))


def test_environments_that_do_not_exist(envs):
    for which in ([0.5], ["1"], [True], [None], np.array([1.0])):
        with pytest.raises(TypeError, match="which"):
            envs.place([BOARD], which=which)
    for which in ([3], [-1], [2**63], [2**70]):
        with pytest.raises(ValueError, match="environment|which"):
            envs.place([BOARD], which=which)


def test_boards_of_the_wrong_kind(env, envs):
    def doors(board):
        yield lambda: afterstate2048.best_move(board, "greedy")
        yield lambda: afterstate2048.analyze(board, "greedy")
        yield lambda: afterstate2048.best_moves([board] * 2, "greedy")
        yield lambda: envs.place([board] * 3)
        yield lambda: env.reset(options={"board": board})

    def changed(value, dtype=None):
        rows = [list(row) for row in BOARD]
        rows[0][0] = value
        return rows if dtype is None else np.array(rows, dtype)

    strings = [[str(cell) for cell in row] for row in BOARD]
    for board in (strings, np.array(strings), changed(None), changed(1j), changed(object()), np.ones((4, 4), bool)):
        for door in doors(board):
            with pytest.raises(TypeError, match="must be (a )?whole number"):
                door()
    before = env.snapshot()
    for board in (
        changed(2.5), changed(float("nan")), changed(float("inf")), changed(-2), changed(3), changed(2**49), changed(2**63),
        changed(2**70), changed(2**63, np.uint64), changed(1e300), changed(-(2**63)),
    ):  # fmt: skip
        for door in doors(board):
            with pytest.raises(ValueError, match="is not a tile|not from 0 to|must be a whole number"):
                door()
    assert env.snapshot() == before  # nothing begins before all is found to be right
    for fine in (np.array(BOARD, float), np.array(BOARD, np.uint64), np.array(BOARD, object), afterstate2048.exponents(BOARD)):
        for door in doors(fine):
            door()
    for wrong in ([1.5], ["1"], [True]):
        with pytest.raises(TypeError):
            afterstate2048.tiles(wrong)


def test_other_numbers():
    for wrong in (2.0, "2", None):
        with pytest.raises(TypeError, match="num_envs is .*: must be 1 or more"):
            Game2048Vector(wrong)
        with pytest.raises(TypeError, match="threads is .*: must be a whole number"):
            afterstate2048.best_moves([BOARD], "greedy", threads=wrong)
    with pytest.raises(TypeError, match="max_episode_steps is 1.5: must be 1 or more, or None"):
        Game2048(max_episode_steps=1.5)
    for wrong in (-1, 2**31, 2**32 + 1):
        with pytest.raises(ValueError, match="threads is"):
            afterstate2048.best_moves([BOARD], "greedy", threads=wrong)
    with pytest.raises(ValueError, match="without the character 0"):
        afterstate2048.best_moves([BOARD], "greedy\0(")
    for wrong in (2**70, 0, -1):
        with pytest.raises(ValueError, match="max_episode_steps"):
            Game2048(max_episode_steps=wrong)


def outputs(n=3, size=(4, 4)):
    return [np.empty((n, 4, *size), np.uint8), np.empty((n, 4), np.int64), np.empty((n, 4), np.bool_)]


@pytest.mark.parametrize("which", range(3))
def test_out_that_must_not_be_written(envs, which, tmp_path):
    def with_array(array):
        out = outputs()
        out[which] = array
        return tuple(out)

    good = outputs()[which]
    frozen = np.zeros_like(good)
    frozen.flags.writeable = False
    file = tmp_path / "array"
    file.write_bytes(bytes(good.nbytes))
    mapped = np.memmap(file, good.dtype, "r", shape=good.shape)
    literal = np.frombuffer(bytes(good.nbytes), good.dtype).reshape(good.shape)
    broadcast = np.broadcast_to(good[:1], good.shape)
    for array in (frozen, mapped, literal, broadcast):
        with pytest.raises(ValueError, match="read-only|contiguous"):
            envs.afterstates(with_array(array))
    assert not frozen.any() and not mapped.any() and not literal.any() and file.read_bytes() == bytes(good.nbytes)
    with pytest.raises(ValueError, match="contiguous"):
        envs.afterstates(with_array(np.asfortranarray(good)))
    with pytest.raises(ValueError, match="contiguous"):
        envs.afterstates(with_array(np.empty((6, *good.shape[1:]), good.dtype)[::2]))
    with pytest.raises(ValueError, match="of shape"):
        envs.afterstates(with_array(good[:2]))
    with pytest.raises(TypeError, match="of dtype"):
        envs.afterstates(with_array(good.astype(np.float64)))
    if good.itemsize > 1:
        with pytest.raises(TypeError, match="of dtype"):
            envs.afterstates(with_array(good.astype(good.dtype.newbyteorder())))
        shifted = np.frombuffer(bytearray(good.nbytes + 1), np.uint8)[1:].view(good.dtype).reshape(good.shape)
        with pytest.raises(ValueError, match="contiguous"):
            envs.afterstates(with_array(shifted))
    for wrong in (None, good.tolist(), memoryview(good)):
        with pytest.raises(TypeError, match="must be three arrays"):
            envs.afterstates(with_array(wrong))


def test_out_as_a_whole(envs):
    memory = np.zeros(1000, np.uint8)
    boards, legal = memory[: 3 * 4 * 16].reshape(3, 4, 4, 4), memory[100:112].view(np.bool_).reshape(3, 4)
    with pytest.raises(ValueError, match="overlap"):
        envs.afterstates((boards, np.empty((3, 4), np.int64), legal))
    assert not memory.any()
    for wrong in (outputs()[:2], [*outputs(), 1], outputs()[0], "abc", {}):
        with pytest.raises(TypeError, match="must be three arrays"):
            envs.afterstates(wrong)
    for got, want in zip(envs.afterstates(tuple(outputs())), envs.afterstates(), strict=True):
        assert (got == want).all()


def test_handles_of_training_that_were_freed():
    """An error of the library, as of every other handle."""
    lib, kinds = _library.library(), (ctypes.c_size_t * 1)()
    trainer = afterstate2048.Trainer("2x4", seed=1)
    net = trainer.network
    for handle in (0, 10**9, net._handle.value, trainer._handle.value):
        wrong = [lambda h=handle: lib.trainer_save(h, b"x"), lambda h=handle: lib.trainer_network(h, kinds)]
        if handle == trainer._handle.value:
            wrong = [lambda h=handle: lib.network_save(h, b"x"), lambda h=handle: lib.network_weights(h, 0, 0, kinds)]
        for call in wrong:
            with pytest.raises(ValueError, match="the library was used wrongly"):
                lib.check(call())
    for stage, pattern in ((-1, 0), (1, 0), (2**31 - 1, 0), (0, -1), (0, 2**31 - 1)):
        with pytest.raises(ValueError, match="the library was used wrongly"):
            lib.check(lib.network_weights(net._handle.value, stage, pattern, kinds))
    with pytest.raises(ValueError, match="the library was used wrongly"):
        lib.check(lib.trainer_batch(trainer._handle, None, 0, -1, 4, 4, None))
    assert trainer.step(3)["games"] == 3
