"""Networks in NumPy, held against the program that made them."""

import json
import os
import subprocess

import afterstate2048
import numpy as np
import pytest
from conftest import run


@pytest.fixture(scope="module")
def model(afterstate_program, tmp_path_factory):
    """A network of two stages that was trained for a moment."""
    folder = tmp_path_factory.mktemp("model")
    command = [afterstate_program, "train", "2x4", "--games", "300", "--stages", "64", "--seed", "1", "--out", "small.model"]
    done = subprocess.run(
        command, cwd=folder, env={"XDG_DATA_HOME": str(folder), "HOME": str(folder)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return folder / "small.model"


def boards(n, largest=9):
    random = np.random.default_rng(1)
    return random.integers(0, largest + 1, (n, 4, 4)).astype(np.uint8) * random.integers(0, 2, (n, 4, 4), np.uint8)


def test_a_model_file(model):
    m = afterstate2048.load_model(model)
    assert (m.size, m.name, m.patterns) == ((4, 4), "2x4", ((0, 1, 2, 3), (4, 5, 6, 7)))
    assert m.stages == ((), (6,)) and len(m.history) == 1 and m.history[0]["games"] == 300
    assert m.stage(boards(100)).tolist() == [int(b.max() >= 6) for b in boards(100)]
    assert m.table(0, 1).shape == (16,) * 4 and m.table(1).dtype == np.float32
    value = m.value(boards(3))
    assert value.shape == (3,) and value.dtype == np.float32 and m.value(boards(3)[0]) == value[0]
    assert m.value(afterstate2048.tiles(boards(3))).tolist() == value.tolist()


def test_a_value_is_a_sum_of_weights(model):
    """Over all eight symmetries, plainly."""
    m = afterstate2048.load_model(model)
    for board in boards(40):
        stage = int(m.stage(board))
        total = m.bias
        for image in (np.rot90(b, k) for b in (board, board.T) for k in range(4)):
            cells = image.ravel()
            for p, pattern in enumerate(m.patterns):
                at = tuple(cells[list(pattern)])
                total += next((w for s in range(stage, -1, -1) if (w := m.table(s, p)[at]) != 0), 0)
        assert m.value(board) == pytest.approx(total, rel=1e-5, abs=1e-2)


def test_names_of_runs(model, tmp_path, afterstate_program):
    """Wherever a model is named, in a process that knows the folder of runs."""
    folder = {"XDG_DATA_HOME": str(model.parent), "HOME": str(model.parent)}
    program = """
        import afterstate2048, numpy as np
        boards = np.zeros((2, 4, 4), np.uint8)
        boards[:, 0] = 1, 2, 3, 4
        run, file = afterstate2048.load_model("2x4-1"), afterstate2048.load_model("small.model")
        assert (run.value(boards) == file.value(boards)).all() and (run.table(1, 1) == file.table(1, 1)).all()
        a, b = (afterstate2048.analyze_many(boards, player=f"ntuple(model={m},plies=1)") for m in ("2x4-1", '"small.model"'))
        assert (a.values == b.values)[~np.isnan(a.values)].all() and (a.moves == b.moves).all()
        assert afterstate2048.best_move(boards[0], player="ntuple(model=2x4-1)") is not None
        for attempt in (lambda: afterstate2048.load_model("2x4-9"), lambda: afterstate2048.load_model("no/such")):
            try:
                attempt()
            except FileNotFoundError as error:
                print(error)
    """
    said = run(program, cwd=model.parent, env={**os.environ, **folder})
    assert "'2x4-9' is not a file, not a training run (no run is called 2x4-9 in" in said and ') and not "champion"' in said
    assert "'no/such' is not a file" in said
    info = subprocess.run([afterstate_program, "model", "info", "2x4-1"], env=folder, capture_output=True, text=True)
    assert info.returncode == 0 and "2x4" in info.stdout, info.stderr


def test_exported_arrays_are_the_same(model, afterstate_program, tmp_path):
    raw = afterstate2048.load_model(model)
    small = tmp_path / "small.quantized"
    subprocess.run([afterstate_program, "model", "quantize", model, "--out", small], check=True, capture_output=True)
    decoded = afterstate2048.load_model(small)
    for source, out in ((model, "all.npz"), (model, "folder"), (small, "small.npz")):
        subprocess.run([afterstate_program, "model", "export", source, "-o", tmp_path / out], check=True, capture_output=True)
        m = afterstate2048.load_model(tmp_path / out)
        assert (m.size, m.patterns, m.stages, m.bias) == (raw.size, raw.patterns, raw.stages, raw.bias)
        if source == model:
            assert (m.value(boards(500)) == raw.value(boards(500))).all()
            assert all((m.table(s, p) == raw.table(s, p)).all() for s in (0, 1) for p in (0, 1))
        else:
            assert np.abs(m.value(boards(500)) - raw.value(boards(500))).max() < np.abs(raw.table()).max() / 100
            assert (m.value(boards(500)) == decoded.value(boards(500))).all()
            assert all((m.table(s, p) == decoded.table(s, p)).all() for s in (0, 1) for p in (0, 1))
    assert decoded.name == raw.name and decoded.history == raw.history


def test_a_player_with_the_network_agrees(model):
    """One ply: the reward and the value of each afterstate."""
    m, env = afterstate2048.load_model(model), afterstate2048.Game2048Vector(60)
    env.reset(seed=3)
    for _ in range(40):
        env.step(env.sample_legal())
    after, merged, legal = env.afterstates()
    want = np.where(legal, merged + m.value(after.reshape(-1, 4, 4)).reshape(-1, 4), np.nan)
    got = afterstate2048.analyze_many(env.observe()[0], f'ntuple(model="{model}",plies=1,downgrade=0)')
    assert got.unit == "points"
    weight = max(np.abs(m.table(s, p)).max() for s in (0, 1) for p in (0, 1))
    np.testing.assert_allclose(got.values, want, atol=16 * weight / 16000 + 1)


def test_the_champion(tmp_path, monkeypatch):
    """It has a name, and the values with which it plays, also of large tiles."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "champion").mkdir()  # as in this repository
    m, env = afterstate2048.load_model("champion"), afterstate2048.Game2048Vector(40)
    assert m.size == (4, 4) and m.history and m.downgrade == 14
    env.reset(seed=3)
    for _ in range(60):
        env.step(env.sample_legal())
    seen = env.observe()[0].copy()
    seen[20:, 0, :3] = 15, 14, 11
    after, merged, legal = afterstate2048.afterstates(seen)
    want = np.where(legal, merged + m.value(after.reshape(-1, 4, 4)).reshape(-1, 4), np.nan)
    np.testing.assert_allclose(afterstate2048.analyze_many(seen, "ntuple(plies=1)").values, want, rtol=1e-5, atol=1)
    (tmp_path / "champion" / "layout.json").write_text("{}")
    with pytest.raises(KeyError):  # files of the user come first
        afterstate2048.load_model("champion")


def test_a_process_loads_a_model_once(model, tmp_path):
    """After the first call its weights are spoiled, so that loading them again would fail."""
    file = tmp_path / "once.model"
    file.write_bytes(model.read_bytes())
    spec, some = f'ntuple(model="{file}",plies=2)', boards(20)
    first = afterstate2048.best_moves(some, player=spec)
    spoiled, before = bytearray(file.read_bytes()), file.stat()
    spoiled[4096:4196] = bytes(100)
    file.write_bytes(spoiled)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (afterstate2048.best_moves(some, player=spec) == first).all()
    assert (afterstate2048.analyze_many(some, player=spec).moves == first).all()
    for board, move in zip(some, first, strict=True):
        assert afterstate2048.best_move(board, player=spec) == (None if move < 0 else move)
    os.utime(file)
    with pytest.raises(ValueError, match="the checksum of section weights 0 is wrong"):
        afterstate2048.best_moves(some, player=spec)


def test_what_is_no_model(model, tmp_path):
    whole = model.read_bytes()
    length = int.from_bytes(whole[8:12], "little")
    for data, message in (
        (b"", "is neither a model file"),
        (b"AFTERNT9" + whole[8:], "is neither a model file of this version"),
        (whole[:12], "truncated"),
        (whole[: 16 + length // 2], "the checksum of its header is wrong"),
        (whole[:20] + b"x" + whole[21:], "the checksum of its header is wrong"),
        (whole[:-5000], "truncated: its weights end at"),
    ):
        file = tmp_path / "other.model"
        file.write_bytes(data)
        with pytest.raises(ValueError, match=message):
            afterstate2048.load_model(file)
    with pytest.raises(FileNotFoundError):
        afterstate2048.load_model(tmp_path / "nowhere")
    m = afterstate2048.load_model(model)
    with pytest.raises(ValueError, match="the boards are 3x3, but the network is for 4x4"):
        m.value([[2, 2, 2]] * 3)
    with pytest.raises(ValueError, match=r"a tile of 2\^16: networks know tiles up to 2\^15"):
        m.value([[65536, 0, 0, 0]] * 4)


def test_layout_says_what_the_header_says(model):
    data = model.read_bytes()
    header = json.loads(data[16 : 16 + int.from_bytes(data[8:12], "little")])
    assert header["patterns"] == ["0123", "4567"]
