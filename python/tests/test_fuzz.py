"""Arguments of the wrong kind never end the interpreter: they are exceptions, or they are fine."""

import ctypes
import json
import random

import afterstate2048
import gymnasium
import numpy as np
import pytest
from afterstate2048 import _library

EXPECTED = (TypeError, ValueError, OverflowError, MemoryError, OSError, RuntimeError, KeyError, IndexError, gymnasium.error.Error)
"""What a wrong argument may raise. All else, such as SystemError or a crash, is a fault."""

NUMBERS = [0, 1, 3, 4, -1, 7, 48, 49, 255, 2**31, 2**63 - 1, 2**63, 2**64, 2**200, 0.5, 1e300, float("nan"), float("inf"), True]
JUNK = [
    None, "", "2,2/0,4", "left", "2,2/2", "\0", "ü" * 50, "x" * 5000, b"2,2/0,4", b"\xff", [], [[]], [[2]], [[2, 2], [0, 4]], [2, 2],
    [[2, [4]], [0, 0]], {}, {"a": 1}, object(), print, 1j, np.nan, np.zeros((4, 4), np.uint8), np.full((4, 4), 200, np.uint8),
    np.zeros((3, 4, 4), np.uint8), np.zeros((0, 4, 4), np.uint8), np.zeros((2, 2)), np.full((2, 2), np.nan), np.array(3), np.array([], object),
    np.zeros((2, 2), "U3"), np.zeros((9, 9), np.uint8), np.zeros((4, 4), np.uint8)[::2, ::2], np.zeros((1, 1, 1, 1, 1)), (4, 4), (2, 3), (9, 9), (4,),
    range(3), iter([1]), np.float32(1), np.datetime64("2020-01-01"), "greedy", "greedy(", "nosuch", float, [None], ["2,2/0,4"] * 2,
]  # fmt: skip


def functions():
    """What a program may call, with places for arguments."""
    a = afterstate2048
    game, env, envs = a.Game(seed=1), a.Game2048(render_mode="rgb_array"), a.Game2048Vector(2)
    env.reset(seed=1), envs.reset(seed=1)
    state = envs.snapshot()
    closed = a.Game(seed=1), a.Game2048(), a.Game2048Vector(2)
    for c in closed:
        c.close()
    yield from (
        a.slide, a.afterstates, a.spawn, a.SpawnRng, a.tiles, a.exponents, a.best_move, a.best_moves, a.analyze, a.analyze_many,
        a.load_model, a.Game, a.Game.from_record, a.Game.load, game.move, game.undo, game.redo, game.record, env.step, env.restore, a.Game2048,
        a.Game2048Vector, envs.step, envs.place, envs.afterstates, envs.restore, closed[0].move, closed[1].step, closed[2].step, closed[0].undo,
        lambda x, y=0: a.best_move("2,2/0,4", x, score=y), lambda x, y=1: a.best_move("2,2/0,4", "greedy", time_ms=x, score=0),
        lambda x, y=2: a.explain("2,2/0,4", "greedy", tiles=x, games=y, time_ms=1), lambda x, y=2: a.explain("2,2/0,4", "greedy", games=2, seed=x),
        lambda x, y=0: a.best_moves(["2,2/0,4"], "greedy", scores=x, threads=y), lambda x, y=0: a.best_moves(["2,2/0,4"], "greedy", seed=x),
        lambda x, y=0.1: a.Game(size=x, p4=y), lambda x, y=None: a.Game(board=x, seed=y), lambda x, y=0.1: a.Game2048(size=x, p4=y),
        lambda x, y=-1: a.Game2048(reward=x, penalty=y), lambda x, y=None: a.Game2048(observation=x, max_episode_steps=y),
        lambda x, y=None: env.reset(seed=x, options=y), lambda x, y=0: env.reset(options={"board": x, "score": y}),
        lambda x, y=0: env.reset(options={"game": x}), lambda x, y=None: envs.reset(seed=x, options=y),
        lambda x, y=None: envs.reset(options={"reset_mask": x}), lambda x, y=0: envs.place(["2,2,2,2/2,2,2,2/0,0,0,0/0,0,0,0"], scores=x, which=y),
        lambda x, y=0: envs.restore(state, which=x), lambda x, y=0: a.spawn("2,2/0,4", x, p4=0.1), lambda x, y=0: a.spawn("2,2/0,4", p4=x),
    )  # fmt: skip


def test_functions_of_the_package(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    draw, calls, refused = random.Random(1), 0, 0
    for function in functions():
        arguments = [(value,) for value in NUMBERS + JUNK]
        arguments += [(draw.choice(NUMBERS + JUNK), draw.choice(NUMBERS + JUNK)) for _ in range(60)]
        for given in arguments:
            if function in (afterstate2048.Game2048Vector,) and isinstance(given[0], int) and given[0] > 1 << 20:
                continue  # it allocates what the machine has
            calls += 1
            try:
                function(*given)
            except EXPECTED:
                refused += 1
    assert calls > 5000 and refused > calls / 2


def test_the_library_itself():
    """Handles that were freed or never were, NULL, negative and huge counts: each is an error in words."""
    lib = _library.library()
    cells, wide = np.zeros(64, np.uint8), np.zeros(64, np.int64)
    at, at_wide = cells.ctypes.data, wide.ctypes.data
    handle = _library.handle_t()
    sizes = _library.c_int64(), _library.c_int64()
    options = {"size": "4x4", "p4": 0.1, "illegal": "noop", "penalty": 0, "reward": "score", "max_steps": 0, "observation": "exponents"}
    good = json.dumps({**options, "autoreset": "NextStep", "spawn": "random"}).encode()
    lib.check(lib.vector_new(2, good, ctypes.byref(handle), *map(ctypes.byref, sizes)))
    lib.check(lib.vector_free(handle))
    call = lib.call_new()
    lib.check(lib.rpc(call, b"{}"))
    state, text, count = _library.GameState(), _library.text_p(), _library.c_int64(1)
    cases = [lambda: lib.rpc(call, b"{}")]
    for n in (-1, 2**62, -(2**63)):
        cases += [
            lambda n=n: lib.vector_new(n, good, ctypes.byref(handle), *map(ctypes.byref, sizes)),
            lambda n=n: lib.boards_afterstates(n, 4, 4, at, None, None, None),
        ]
    for sides in ((0, 4), (7, 4), (-1, -1), (2**31 - 1, 2)):
        cases += [
            lambda s=sides: lib.boards_afterstates(1, *s, at, None, None, None),
            lambda s=sides: lib.boards_spawn(*s, at, 0.1, 1),
        ]
    for p4 in (float("nan"), float("inf"), -1e300):
        cases += [
            lambda p=p4: lib.boards_spawn(4, 4, at, p, 1),
            lambda p=p4: lib.game_new(json.dumps({"size": "4x4", "p4": p}).encode(), ctypes.byref(handle)),
        ]
    for words in (b"", b"{", b"[]", b'{"size":"9x9"}', b'{"size":4}', None, b'{"board":[[3]]}', b"\xff"):
        cases += [
            lambda w=words: lib.game_new(w, ctypes.byref(handle)),
            lambda w=words: lib.game_open(w, ctypes.byref(handle), (_library.c_int32 * 2)()),
            lambda w=words: lib.vector_new(2, w, ctypes.byref(handle), *map(ctypes.byref, sizes)),
            lambda w=words: lib.vector_fits(2, w, 0),
        ]
    cases += [
        lambda: lib.boards_afterstates(3, 4, 4, None, None, None, None),
        lambda: lib.palette(None),
        lambda: lib.vector_new(2, good, None, None, None),
        lambda: lib.game_new(b'{"size":"4x4"}', None),
        lambda: lib.run_checkpoint(b"../..", ctypes.byref(text)),
    ]
    freed = handle.value
    for wrong in (freed, 0, 2**63, 12345, call):
        cases += [
            lambda h=wrong: lib.vector_step(h, at_wide),
            lambda h=wrong: lib.vector_step_one(h, 0),
            lambda h=wrong: lib.vector_reset(h, None, None, None),
            lambda h=wrong: lib.vector_bind(h, ctypes.byref(_library.Buffers())),
            lambda h=wrong: lib.vector_sample(h, 1, at_wide),
            lambda h=wrong: lib.vector_afterstates(h, None, None, None),
            lambda h=wrong: lib.vector_place(h, 1, None, at, at_wide),
            lambda h=wrong: lib.vector_snapshot(h, at),
            lambda h=wrong: lib.vector_restore(h, 1, None, at),
            lambda h=wrong: lib.vector_games(h, at_wide, at_wide),
            lambda h=wrong: lib.game_move(h, 1),
            lambda h=wrong: lib.game_back(h, ctypes.byref(count)),
            lambda h=wrong: lib.game_state(h, at, ctypes.byref(state)),
            lambda h=wrong: lib.game_record(h, b"", ctypes.byref(text)),
        ]
        if wrong != call:
            cases += [
                lambda h=wrong: lib.vector_free(h),
                lambda h=wrong: lib.game_free(h),
                lambda h=wrong: lib.call_end(h),
                lambda h=wrong: lib.rpc(h, b"{}"),
                lambda h=wrong: lib.decide(h, b"greedy", 0, 0, 1, 4, 4, at, None, 1, at, None, ctypes.byref(_library.c_int32())),
            ]
            assert lib.call_wait(wrong, 1) == 1
    accepted = []
    for number, case in enumerate(cases):
        try:
            lib.check(case())
        except (ValueError, MemoryError) as error:
            assert len(str(error)) > 5
        else:
            accepted.append(number)
    assert not accepted
    assert not cells.any()
    while not lib.call_wait(call, 100):
        pass
    assert "error" in json.loads(lib.take(lib.call_end(call)))
    for wrong in (None, "x", 1.5, b"", -1.5):
        with pytest.raises(ctypes.ArgumentError):
            lib.vector_step(wrong, at_wide)
