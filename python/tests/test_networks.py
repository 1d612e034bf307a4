"""Networks whose weights Python writes and players read."""

import gc
import json
import re
import struct
import subprocess

import afterstate2048
import numpy as np
import pytest
from afterstate2048 import Network, Trainer
from conftest import run


def boards(n, size=(4, 4), largest=9):
    random = np.random.default_rng(1)
    return random.integers(0, largest + 1, (n, *size)).astype(np.uint8) * random.integers(0, 2, (n, *size), np.uint8)


def random_weights(net, seed=1):
    random = np.random.default_rng(seed)
    for tables in net.weights:
        for table in tables:
            table[:] = random.normal(0, 10, table.shape) * (random.random(table.shape) < 0.5)


@pytest.mark.parametrize(
    ("network", "size", "stages"),
    [("2x4", "4x4", None), ("0123 01456", "4x4", "64/128,64"), (None, "2x3", None), ("01234 567", "5x4", "32")],
)
def test_players_read_the_weights_themselves(network, size, stages, tmp_path):
    """Values are sums of weights at their places, in Python and in a player, also after they are written again."""
    net = Network(network, size=size, stages=stages, optimistic_init=7)
    n = 60
    some = boards(n, net.size, 6)
    reference = afterstate2048.Model(
        size=net.size, name="", patterns=net.patterns, stages=net.stages, bias=net.bias,
        _flat=net.weights, _halves=True,
    )  # fmt: skip
    after, merged, legal = afterstate2048.afterstates(some)
    for seed in (1, 2):
        random_weights(net, seed)
        value = net.value(some)
        np.testing.assert_array_equal(value, reference.value(some))
        stage, places = net.stage(some), net.places(some)
        assert stage.dtype == np.int32 and (stage == reference.stage(some)).all()
        assert places.dtype == np.uint32 and places.shape == (n, len(net.patterns), 8)
        for i in np.flatnonzero(stage == 0):
            total = net.bias + sum(net.weights[0][p][places[i, p]].sum() for p in range(len(net.patterns)))
            assert value[i] == pytest.approx(total, rel=1e-4, abs=1e-2)
        assert net.value(some[0]) == value[0] and net.places(some[0]).shape == places.shape[1:]
        want = np.where(legal, merged + net.value(after.reshape(-1, *net.size)).reshape(-1, 4), np.nan)
        many = afterstate2048.analyze_many(some, net.player(downgrade=0))
        np.testing.assert_allclose(many.values, want, rtol=1e-5, atol=0.02)
        for k in range(5):
            one = afterstate2048.analyze(some[k], net.player(downgrade=0))
            np.testing.assert_allclose(one.values, want[k], rtol=1e-5, atol=0.02)
    net.save(tmp_path / "own.model")
    model = afterstate2048.load_model(tmp_path / "own.model")
    assert (model.value(some) == net.value(some)).all()
    assert all((model.table(s, p) == net.table(s, p)).all() for s in range(len(net.stages)) for p in range(len(net.patterns)))
    again = Network.load(tmp_path / "own.model")
    assert (again.value(some) == net.value(some)).all() and repr(again) == repr(net)
    for s in range(len(net.stages)):
        for p in range(len(net.patterns)):
            again.weights[s][p][:] = 0
            again.set_table(net.table(s, p).astype(np.float64), s, p)
            assert (again.weights[s][p] == net.weights[s][p]).all()


def test_deep_searches_after_weights_have_changed():
    """A new spec does not remember the values of the old weights."""
    net, board = Network("2x4"), [[2, 4, 8, 16], [0, 2, 4, 8], [0, 0, 2, 4], [0, 0, 0, 2]]
    random_weights(net, 1)
    first = afterstate2048.analyze(board, net.player(plies=3)).values
    random_weights(net, 2)
    second = afterstate2048.analyze(board, net.player(plies=3)).values
    fresh = Network("2x4")
    random_weights(fresh, 2)
    np.testing.assert_array_equal(second, afterstate2048.analyze(board, fresh.player(plies=3)).values)
    assert (first != second).any()


def test_own_learner():
    """TD(0) in NumPy on the places of a network: it learns to play better than a network without weights."""
    net, envs = Network("012 345 0134", size="3x3"), afterstate2048.Game2048Vector(200, (3, 3), autoreset_mode="SameStep")
    envs.reset(seed=1)
    scores, before = [], None
    for _ in range(1500):
        after, merged, legal = envs.afterstates()
        values = np.where(legal, merged + net.value(after.reshape(-1, 3, 3)).reshape(-1, 4), -np.inf)
        actions = values.argmax(1)
        if before is not None:
            errors = np.where(over, 0, values.max(1)) - net.value(before)
            for table, at in zip(net.weights[0], net.places(before).transpose(1, 0, 2), strict=True):
                seen = np.bincount(at.ravel(), minlength=table.size)
                sums = np.bincount(at.ravel(), np.repeat(errors, 8), table.size)
                table += 0.5 / (8 * len(net.patterns)) * sums / np.maximum(seen, 1)
        before = after[np.arange(200), actions].copy()
        _, _, over, _, info = envs.step(actions)
        if over.any():
            scores += info["final_info"]["score"][over].tolist()
    assert np.mean(scores[-200:]) > 1.5 * np.mean(scores[:200]), (np.mean(scores[:200]), np.mean(scores[-200:]))


def test_the_networks_of_a_trainer():
    """It is the trainer's own memory, and outlives the trainer."""
    trainer = Trainer("2x4", seed=1)
    net = trainer.network
    table = net.weights[0][0]
    assert not table.any()
    trainer.step(50)
    assert table.any() and (trainer.network.weights[0][0] == table).all()
    table[:] = 0  # and Python may write it
    assert not trainer.network.weights[0][0].any()
    trainer.step(20)
    some, kept = boards(20), table.copy()
    value = net.value(some)
    trainer.close()
    del trainer, net
    gc.collect()
    for _ in range(20):
        Network("2x4")  # frees and collects
    assert (table == kept).all() and value.any()


def test_what_is_gone():
    """A spec of a network that is gone is an error; arrays, players and large networks end in any order."""
    spec = Network("2x4").player()
    gc.collect()
    assert afterstate2048.best_move([[2, 2, 0, 0]] + [[0] * 4] * 3, spec) is not None
    spec = "".join(spec)  # a copy
    gc.collect()
    with pytest.raises(ValueError, match="shared-"):
        afterstate2048.best_move([[2, 2], [0, 4]], spec)
    said = run(
        """
        import afterstate2048, gc, resource
        board = [[2, 4, 8, 16], [0, 2, 4, 8], [0, 0, 2, 4], [0, 0, 0, 2]]
        for k in range(40):  # 64 MiB each
            net = afterstate2048.Network("012345")
            net.weights[0][0][:] = k
            table = net.weights[0][0]
            assert afterstate2048.best_move(board, net.player()) is not None
            del net
            assert table[-1] == k
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 1_500_000)
        """
    )
    assert said == "True\n"


def test_networks_that_are_refused(tmp_path):
    for options, message in (
        ({"network": "9x9"}, 'network "9x9" for 4x4 boards'),
        ({"network": "0123456789"}, "has 10 cells, must be from 2 to 7"),
        ({"size": "9x9"}, "size"),
        ({"stages": "3000"}, "stages 3000"),
        ({"optimistic_init": -1}, "optimistic_init -1: must be a number from 0 to 1000000000"),
    ):
        with pytest.raises(ValueError, match=message):
            Network(**options)
    with pytest.raises(ValueError, match="no run is called"):
        Network.load("nowhere")
    (tmp_path / "text").write_text("milk")
    with pytest.raises(ValueError, match="not a valid model file"):
        Network.load(tmp_path / "text")
    net = Network("2x4")
    with pytest.raises(ValueError, match="the boards are 3x3, but the network is for 4x4"):
        net.value(boards(1, (3, 3)))
    with pytest.raises(ValueError, match=r"table of shape \(16, 16\) .*: must be numbers of shape \(16, 16, 16, 16\)"):
        net.set_table(np.zeros((16, 16)))
    for value in (np.nan, np.inf, -1e39):
        table = np.zeros((16, 16, 16, 16))
        table[0, 0, 1, 2] = value
        with pytest.raises(ValueError, match=re.escape(f"weight 18 is {value}: must be a finite number of 32 bits")):
            net.set_table(table)
    assert not net.weights[0][0].any()
    with pytest.raises(ValueError, match="no such file or directory"):
        net.save(tmp_path / "no" / "such")


def test_arrays_of_numpy_become_a_model(afterstate_program, tmp_path):
    """What numpy.savez writes, with or without this package, plays; and import is the inverse of export."""

    def command(*words):
        return subprocess.run([afterstate_program, *words], capture_output=True, text=True, cwd=tmp_path)

    random = np.random.default_rng(1)
    rows, square = random.normal(0, 9, (16,) * 4), np.asfortranarray(random.normal(0, 9, (16,) * 3).astype(np.float32))
    arrays = [("rows", 0, [0, 1, 2, 3]), ("corner", 1, [0, 1, 4])]
    layout = {"size": "4x4", "arrays": [{"name": n, "stage": 0, "pattern": p, "cells": c} for n, p, c in arrays]}
    np.savez_compressed(tmp_path / "own.npz", rows=rows, corner=square, **{"layout.json": json.dumps(layout)})
    done = command("model", "import", "own.npz", "-o", "own.model")
    assert done.returncode == 0, done.stderr
    net = Network.load(tmp_path / "own.model")
    assert (net.table(0, 0) == rows.astype(np.float32)).all() and (net.table(0, 1) == square).all()
    done = command("best", "2,4,8,16/0,2,4,8/0,0,2,4/0,0,0,2", "--player", 'ntuple(model="own.model",plies=1)')
    assert done.returncode == 0, done.stderr
    assert command("model", "export", "own.model", "-o", "back.npz").returncode == 0
    assert command("model", "import", "back.npz", "-o", "again.model").returncode == 0
    assert (tmp_path / "again.model").read_bytes() == (tmp_path / "own.model").read_bytes()
    both = [afterstate2048.load_model(tmp_path / name).value(boards(50)) for name in ("own.npz", "own.model")]
    np.testing.assert_allclose(*both, rtol=1e-5, atol=1e-2)
    del layout["arrays"][1]["cells"][0]
    np.savez(tmp_path / "own.npz", rows=rows, corner=square, **{"layout.json": json.dumps(layout)})
    refused = command("model", "import", "own.npz", "-o", "own.model")
    assert refused.returncode == 2 and "must be type <f4 or <f8 and shape (16,16)" in refused.stderr


def tdl2048(*tables, version=0, count=None):
    """A weight file of TDL2048+, as its source writes it."""
    file = struct.pack("<BI", version, len(tables) if count is None else count)
    for name, *blocks in tables:
        file += b"\4" + name
        for numbers in blocks:
            file += struct.pack("<HQ", numbers.itemsize, numbers.size) + numbers.tobytes()
        file += b"\0\0"
    return file


def test_weights_of_tdl2048(tmp_path):
    """The first cell of a pattern is the lowest digit of an index; sums of temporal coherence are skipped."""
    random = np.random.default_rng(1)
    rows, square = random.normal(0, 9, 16**4).astype(np.float32), random.normal(0, 9, 16**3)
    path = tmp_path / "a.w"
    path.write_bytes(tdl2048((struct.pack("<IHH", 0x123, 4, 0), rows, np.ones(2 * 16**4, np.float32)), (b"6a5     ", square)))
    net = Network.load_tdl2048(path)
    assert net.patterns == ((0, 1, 2, 3), (6, 10, 5))
    for a, b, c, d in random.integers(0, 16, (50, 4)):
        assert net.table(0, 0)[a, b, c, d] == rows[a + 16 * b + 256 * c + 4096 * d]
        assert net.table(0, 1)[a, b, c] == np.float32(square[a + 16 * b + 256 * c])
    path.write_bytes(tdl2048((struct.pack("<IHH", 0x45, 0, 0), np.arange(256, dtype=np.float32))))
    assert Network.load_tdl2048(path).patterns == ((4, 5),)
    good = (b"01      ", np.zeros(256, np.float32))
    for data, message in (
        (b"milk and bread", "its first bytes are wrong"),
        (b"", "it is truncated"),
        (tdl2048(good)[:-3], "it is truncated"),
        (tdl2048(good, version=1), "its first bytes are wrong"),
        (tdl2048(good, good), "it has a table twice"),
        (tdl2048(good) + b"x", "or data after its last table"),
        (tdl2048(good, count=2**32 - 1), "it is truncated"),
        (tdl2048((b"01      ",)), "a table has no weights"),
        (tdl2048((b"012     ", good[1])), "table '012' has 256 weights: must be cells from 0 to f"),
        (tdl2048((b"merge   ", good[1])), "table 'merge' has 256 weights"),
        (tdl2048((b"01      ", np.zeros(256, np.float16))), "a table has 256 numbers of 2 bytes: must be at most"),
        (b"\0\1\0\0\0\4" + b"01      " + struct.pack("<HQ", 4, 2**63), "must be at most 16\\^7"),
    ):
        path.write_bytes(data)
        with pytest.raises(ValueError, match=f"a.w' is not a weight file of TDL2048.*{message}"):
            Network.load_tdl2048(path)
    path.write_bytes(tdl2048((b"011     ", np.zeros(4096, np.float32))))
    with pytest.raises(ValueError, match='pattern "011" names a cell twice'):
        Network.load_tdl2048(path)
