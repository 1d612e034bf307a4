"""Sweeps: the same as by ``afterstate train sweep``, from Python alone."""

import subprocess
from pathlib import Path

import afterstate2048
import numpy as np
import pytest
from conftest import run

GRID = {"lambda_": [0, 0.5], "rate": (0.5, 1)}
FIXED = {"network": "2x3", "size": (3, 3), "games": 200, "report_every": 50}


def test_sweep(tmp_path: Path) -> None:
    found = afterstate2048.sweep("s", GRID, seeds=2, play=20, workers=2, folder=tmp_path, **FIXED)
    assert len(found.rows) == 4
    best = found.rows[0]
    for row in found.rows:
        assert row["seeds"] == [1000, 1001] and row["runs"] == [f"{row['configuration']}-seed{seed}" for seed in row["seeds"]]
        assert row["games"] == 200 and row["curve_games"].tolist() == [50, 100, 150, 200] and row["curves"].shape == (2, 4)
        assert row["trained"].tolist() == row["curves"][:, -1].tolist()
        assert row["mean_score"] == pytest.approx(row["played"].mean())
        assert row["corrected"][0] < row["interval"][0] < row["mean_score"] < row["interval"][1] < row["corrected"][1]
        if row is not best:
            assert row["behind"] == pytest.approx(best["mean_score"] - row["mean_score"]) and row["behind"] >= 0
    assert best["behind"] is None and (best["lambda"], best["rate"]) in {(0, 0.5), (0, 1), (0.5, 0.5), (0.5, 1)}
    assert found.latex.startswith(r"\begin{tabular}{lrrrrrr}") and found.markdown.count("| `s-") == 4
    assert f"{best['configuration']} is best: " in found.text

    # Again, with more seeds: what there is stays. A trial is what Trainer trains.
    more = afterstate2048.sweep("s", GRID, seeds=[1000, 1001, 5], folder=tmp_path, **FIXED)
    before = {row["configuration"]: row["curves"] for row in found.rows}
    for row in more.rows:
        assert np.array_equal(row["curves"][:2], before[row["configuration"]]) and row["played"] is None
    row = next(row for row in more.rows if (row["lambda"], row["rate"]) == (0.5, 0.5))
    trainer = afterstate2048.Trainer("2x3", size="3x3", lambda_=0.5, rate=0.5, seed=5)
    assert [trainer.step(games=50)["mean_score"] for _ in range(4)] == row["curves"][2].tolist()


def test_equals_the_command(afterstate_program: Path, tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text('network = "2x3"\nsize = "3x3"\ngames = 200\nreport-every = 50\n[options]\nlambda = [0, 0.5]\n')
    env = {"XDG_DATA_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    done = subprocess.run([afterstate_program, "train", "sweep", tmp_path / "s.toml"], capture_output=True, text=True, env=env, check=True)
    found = afterstate2048.sweep("s", {"lambda": [0, 0.5]}, folder=tmp_path / "here", **FIXED)
    assert found.text == done.stdout


def test_ctrl_c(tmp_path: Path) -> None:
    """It stops at once, and resumes where it was."""
    program = """
        import os, signal, threading, time, pathlib, afterstate2048
        metrics = pathlib.Path("runs/s-seed1000/metrics.jsonl")
        def stop():
            while not (metrics.exists() and metrics.stat().st_size):
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=stop).start()
        try:
            afterstate2048.sweep("s", network="2x4", games=10**9, report_every=20, folder="runs")
        except KeyboardInterrupt:
            done = len(metrics.read_text().splitlines()) * 20
            found = afterstate2048.sweep("s", network="2x4", games=done + 40, report_every=20, folder="runs")
            print(found.rows[0]["games"] - done)
    """
    assert run(program, cwd=tmp_path) == "40\n"


@pytest.mark.parametrize(
    ("options", "spec", "says"),
    [
        ({"lamda": [0]}, {}, r"lamda: unknown option: must be one of network, .*lambda, "),
        ({"lambda_": [2]}, {}, "lambda 2: must be a number from 0 to 1"),
        ({"lambda_": ["x"]}, {}, 'lambda "x": must be a number from 0 to 1'),
        ({"lambda_": []}, {}, r"options {.lambda.: ?\[\]}: must be lists of values by option"),
        ({"lambda_": {"min": 0, "max": 1}}, {}, "must be lists of values by option"),
        (None, {"gamez": 3}, "gamez: unknown option: must be one of seeds, "),
        (None, {"seeds": 0}, "seeds 0: must be a number from 1 to 1000, or a list"),
        (None, {"method": "grid"}, "method: unknown option"),
        (None, {"play": 1}, "play 1: must be 0, or 2 or more"),
        (None, {"workers": 0}, "workers is 0: must be a whole number from 1 to 1024"),
        (None, {"network": "9x9"}, "9x9"),
    ],
)
def test_errors(options: dict[str, object] | None, spec: dict[str, object], says: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=says):
        afterstate2048.sweep("s", options, folder=tmp_path, **{**FIXED, **spec})
    assert not list(tmp_path.iterdir())
