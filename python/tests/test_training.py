"""Training from Python: the same as the command's, and the same in parts."""

import inspect
import json
import subprocess
import threading
import typing

import afterstate2048
import numpy as np
import pytest
from afterstate2048 import Trainer
from conftest import run

SMALL = {"network": "2x4", "seed": 3, "report_every": 40}
LATE = "64,32,16,8/2,4,8,16/0,0,0,0/0,0,0,0"


def content(path):
    """The header of a checkpoint, and its sections."""
    data = path.read_bytes()
    header = json.loads(data[16 : 16 + int.from_bytes(data[8:12], "little")])
    return header, data[header["sections"][0]["offset"] :]


def late(games):
    """Start boards for every second batch, of which each third game begins as usual."""
    if games % 80 == 0:
        return None
    return np.stack([afterstate2048.exponents(np.zeros((4, 4), np.int64)), *[board(k + 5) for k in range(2)]])


def board(largest):
    b = np.zeros((4, 4), np.uint8)
    b[0] = largest, largest - 1, 2, 1
    return b


@pytest.mark.parametrize(
    ("options", "functions"),
    [
        ({}, {}),
        ({"stages": "64", "restart_share": 0.5, "restart_tile": 64, "optimistic_init": 500}, {}),
        ({"coherent": False, "lambda_": 0, "games": 200, "anneal": 100}, {}),
        ({"size": "3x4", "network": "0123 4567"}, {}),
        ({"size": "5x4", "network": "01234 56789"}, {}),
        ({}, {"rate": lambda games: 1 / (1 + games / 40), "starts": late}),
    ],
)
def test_in_parts_as_at_once(options, functions, tmp_path):
    options = {**SMALL, **options}
    whole = Trainer(**options, **functions)
    whole.step(150)
    whole.save(tmp_path / "whole")
    parts = Trainer(**options, **functions)
    for games in (70, 50):
        parts.step(games)
        parts.save(tmp_path / "parts")
        parts.close()
        parts = Trainer.load(tmp_path / "parts", **functions)
    parts.step(30)
    parts.save(tmp_path / "parts")
    assert whole.games == parts.games == 150
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "parts").read_bytes()


def test_the_command_trains_the_same(tmp_path, afterstate_program):
    """Network, game by game, with options of every kind; and each resumes from the other's checkpoint."""
    env = {"XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path)}

    def command(*words):
        subprocess.run([afterstate_program, "train", *words, "--threads", "1"], env=env, check=True, capture_output=True)

    flags = ["--seed", "5", "--lambda", "0.7", "--horizon", "4", "--stages", "64/128,64"]
    command("2x4", "--games", "120", "--name", "first", *flags)
    trainer = Trainer("2x4", seed=5, lambda_=0.7, horizon=4, stages=[(64,), (128, 64)])
    trainer.step(120)
    trainer.save(tmp_path / "120")
    checkpoint = tmp_path / "afterstate/runs/first/checkpoint.model"
    assert content(checkpoint)[1] == content(tmp_path / "120")[1]
    command("--resume", "first", "--games", "200")
    onward = Trainer.load(tmp_path / "120", games=200)
    assert onward.step()["games"] == 200
    onward.save(tmp_path / "200")
    assert content(checkpoint)[1] == content(tmp_path / "200")[1]
    command("--from", str(tmp_path / "200"), "--games", "30", "--name", "second")
    warm = Trainer(from_=str(tmp_path / "200"), seed=1000)
    warm.step(30)
    warm.save(tmp_path / "230")
    assert content(tmp_path / "afterstate/runs/second/checkpoint.model")[1] == content(tmp_path / "230")[1]
    assert [part["games"] for part in warm.network.history] == [200, 30]


def test_metrics():
    seen = []
    trainer = Trainer(**SMALL, callbacks=[seen.append])
    first, second = trainer.step(100), trainer.step(60)
    assert [m["games"] for m in seen] == [40, 80, 120, 160] and (first["games"], second["games"]) == (100, 160)
    assert second["moves"] > first["moves"] > 0 and second["elapsed_s"] > first["elapsed_s"] > 0
    assert second["mean_score"] > 100 and second["moves_per_s"] > 0
    together = Trainer(**SMALL).step(160)
    assert together["mean_score"] == pytest.approx((100 * first["mean_score"] + 60 * second["mean_score"]) / 160)
    assert together["moves"] == second["moves"]


@pytest.mark.parametrize(("size", "largest"), [(2, 32), ("2x3", 128), (4, 131072)])
def test_every_tile_is_in_every_report(size, largest):
    """Shares fall from 1 to 0, and are None without a game from the usual start."""
    reports = []
    trainer = Trainer(size=size, seed=1, report_every=50, callbacks=[reports.append])
    reports.append(trainer.step(200))
    for report in reports:
        assert [int(tile) for tile in report["reached"]] == [2**e for e in range(2, largest.bit_length())]
        shares = list(report["reached"].values())
        assert shares == sorted(shares, reverse=True) and shares[0] == 1 and 0 <= shares[-1] < 1
        assert all(type(share) is float for share in shares)
    if size == 4:
        trainer = Trainer(size=size, seed=1, starts=lambda games: board(10)[None])
        report = trainer.step(20)
        assert set(report["reached"].values()) == {None}
        late = report["restarts"][0]["reached"]
        assert late.keys() == report["reached"].keys() and late["512"] == late["1024"] == 1 and late["131072"] == 0


def test_start_boards():
    """They are counted apart, with their tiles; a batch takes one after another."""
    calls = []

    def starts(games):
        calls.append(games)
        return np.stack([board(10), np.zeros((4, 4), np.uint8)])

    trainer = Trainer(**SMALL, starts=starts)
    m = trainer.step(30)
    m = trainer.step(30)
    assert calls == [0, 40] and m["restarted_games"] == 15 and m["mean_score"] is not None
    assert [(r["tile_sum"], r["games"]) for r in m["restarts"]] == [(1024, 15)] and m["restarts"][0]["reached"]["1024"] == 1


def test_rates():
    calls = []

    def rate(games):
        calls.append(games)
        return 0.5 if games < 80 else 0.25

    trainer = Trainer(**SMALL, rate=rate)
    trainer.step(60)
    assert trainer.options["rate"] == 0.5
    trainer.step(60)
    assert calls == [0, 40, 80] and trainer.options["rate"] == 0.25
    still = Trainer(**SMALL, rate=0.5)
    still.step(80)
    moving = Trainer(**SMALL, rate=rate)
    moving.step(80)
    assert (still.network.weights[0][0] == moving.network.weights[0][0]).all()


def test_what_a_function_raises_ends_the_step():
    def fail(games):
        if games:
            raise RuntimeError("enough")
        return 0.5

    trainer = Trainer(**SMALL, rate=fail)
    with pytest.raises(RuntimeError, match="enough"):
        trainer.step(100)
    assert trainer.games == 40

    def stop(metrics):
        raise StopIteration

    trainer = Trainer(**SMALL, callbacks=[stop])
    with pytest.raises(StopIteration):
        trainer.step(100)
    assert trainer.games == 40 and trainer.step(20)["games"] == 60


def test_options_have_one_source(afterstate_program):
    """The library lists what the command has."""
    said = subprocess.run([afterstate_program, "train", "--help"], capture_output=True, text=True, check=True).stdout
    names = {option["name"] for option in afterstate2048.training_options()}
    flags = {word.lstrip("-").replace("-", "_") for word in said.split() if word.startswith("--")}
    assert names <= flags and {"lambda", "seed", "from", "stages", "restart_share"} <= names
    assert Trainer("2x4").options.keys() <= {*names, "checkpoint_every"}


KINDS = {"whole number": int, "number": float, "tile": int, "true or false": bool}


def test_options_have_types():
    """Each option is an argument of Trainer or in TrainingOptions, and has the type of the values that the library accepts."""
    typed = typing.get_type_hints(afterstate2048.TrainingOptions)
    own = inspect.signature(Trainer).parameters
    listed = {option["name"]: option["accepted"] for option in afterstate2048.training_options()}
    names = {name.rstrip("_") for name in typed}
    assert names | (own.keys() & listed.keys()) == listed.keys() and not names & own.keys()
    for name, kind in typed.items():
        want = next((kind for words, kind in KINDS.items() if words in listed[name.rstrip("_")]), None)
        assert kind is want or want is None and str in typing.get_args(kind), name


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"network": "9x9"}, 'network "9x9" for 4x4 boards: must be one of 2x4'),
        ({"size": "9x9"}, "size .*: must be"),
        ({"size": 7}, "size 7: must be rows and columns from 2 to 6"),
        ({"rate": 3}, "rate 3: must be a number above 0 and up to 2"),
        ({"rate": float("nan")}, 'rate "nan": must be a number above 0 and up to 2'),
        ({"rate": "fast"}, 'rate "fast": must be a number'),
        ({"seed": -1}, "seed -1: must be a whole number"),
        ({"seed": 1.5}, "seed 1.5: must be a whole number"),
        ({"coherent": 1}, "coherent 1: must be true or false"),
        ({"restart_tile": 64}, "restart_tile 64: without restart_share no game starts from a stored board"),
        ({"restart_share": 0.5, "restart_tile": 65}, "restart_tile 65: must be a tile from 8 to 32768"),
        ({"anneal": 5}, "anneal 5: without games there is no last game"),
        ({"settled": 5}, "settled 5: without from no weight is known yet"),
        ({"stages": "3000"}, 'stages 3000: "3000": must be tiles up to 32768'),
        ({"lamda": 0.5}, "lamda: unknown option: must be one of network, size, .*lambda"),
        ({"join_every": 5}, "join_every: unknown option"),
        ({"from_": "no/such"}, "no/such"),
    ],
)
def test_options_that_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Trainer(**{"network": "2x4", **options})


def test_what_else_is_refused(tmp_path):
    trainer = Trainer(**SMALL)
    for games in (0, -1, 2**64):
        with pytest.raises(ValueError, match="games is .*: must be"):
            trainer.step(games)
    with pytest.raises(TypeError, match="games is 1.5: must be"):
        trainer.step(1.5)
    with pytest.raises(ValueError, match="games is None: must be a number, or the trainer must have the option games"):
        trainer.step()
    for rate in (0, -1, 3, float("nan")):
        with pytest.raises(ValueError, match="rate .*: must be a number above 0 and up to 2"):
            Trainer(**SMALL, rate=lambda games, rate=rate: rate).step(5)
    for starts, message in (
        (np.zeros((2, 3, 3), np.uint8), "starts: board 0 is 3x3: must be 4x4"),
        (np.zeros((4, 4), np.uint8), "must be n boards"),
        (np.full((1, 4, 4), 16, np.uint8), "starts: board 0 has the exponent 16: must be at most 15"),
    ):
        with pytest.raises(ValueError, match=message):
            Trainer(**SMALL, starts=lambda games, starts=starts: starts).step(5)
    with pytest.raises(TypeError, match="starts is 5: must be a function"):
        Trainer(**SMALL, starts=5)
    with pytest.raises(TypeError, match="callbacks is 5: must be a function"):
        Trainer(**SMALL, callbacks=[5])
    assert trainer.games == 0
    trainer.save(tmp_path / "a")
    with pytest.raises(ValueError, match="seed: unknown option: must be one of games, threads"):
        Trainer.load(tmp_path / "a", seed=4)
    with pytest.raises(ValueError, match="rate 5: must be a number above"):
        Trainer.load(tmp_path / "a", rate=5)
    trainer.network.save(tmp_path / "weights")
    with pytest.raises(ValueError, match="cannot be resumed"):
        Trainer.load(tmp_path / "weights")
    with pytest.raises(ValueError, match="nowhere"):
        Trainer.load(tmp_path / "nowhere")
    with pytest.raises(ValueError, match="no such file or directory"):
        trainer.save(tmp_path / "no" / "such")
    trainer.close()
    trainer.close()
    with pytest.raises(ValueError, match="this trainer was closed"):
        trainer.step(1)


def test_the_total_of_games():
    trainer = Trainer(**SMALL, games=50)
    assert trainer.step(30)["games"] == 30 and trainer.step(30)["games"] == 50
    done = trainer.step(5)
    assert done["games"] == 50 and done["mean_score"] is None
    with Trainer(**SMALL, games=50) as whole:
        assert whole.step()["games"] == 50


def test_threads_that_train_together():
    """A step on two threads ends with its games, and the functions see each batch once."""
    calls = []
    with Trainer(**SMALL, threads=2, warmup_games=50, rate=lambda games: calls.append(games) or 1.0) as trainer:
        assert trainer.step(30)["games"] == 30
        assert trainer.step(170)["games"] == 200 and calls == [0, 40, 80, 120, 160]


def test_other_threads_run_and_ctrl_c_ends_a_step():
    """A thread counts while a step runs, and then interrupts it. What was trained until then is what is trained at once."""
    said = run(
        """
        import os, signal, threading, afterstate2048
        trainer, counted = afterstate2048.Trainer("2x4", seed=3), []
        def count():
            while trainer.games < 20:
                counted.append(trainer.games)
            for i in range(100_000):
                counted.append(i)
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=count, daemon=True).start()
        try:
            trainer.step(10**9)
        except KeyboardInterrupt:
            games = trainer.games
            print(len(counted) >= 100_000, 20 <= games < 10**9)
        again = afterstate2048.Trainer("2x4", seed=3)
        again.step(games + 10)
        print(trainer.step(10)["games"] == games + 10, (trainer.network.weights[0][0] == again.network.weights[0][0]).all())
        """
    )
    assert said == "True True\nTrue True\n"


def test_threads_that_use_one_trainer():
    """Steps follow one another, and closing waits."""
    trainer, failed = Trainer(**SMALL), []

    def work():
        try:
            for _ in range(20):
                trainer.step(7)
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failed and trainer.games == 3 * 20 * 7
