"""The event files of afterstate train, read by TensorBoard's own reader."""

import json
import os
import subprocess
import warnings

import pytest

TAGS = {"score/mean", "reached/16", "reached/2048", "speed/games_per_s", "speed/moves_per_s"}


@pytest.fixture
def train(afterstate_program, tmp_path):
    """Trains a small network and returns the metrics of its run."""

    def play(*options):
        command = [afterstate_program, "train", *options, "-j", "1", "--report-every", "100", "--tensorboard", "logs"]
        env = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data")}
        subprocess.run(command, cwd=tmp_path, env=env, check=True, capture_output=True)
        path = tmp_path / "data/afterstate/runs/small/metrics.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()]

    return play


def load(folder):
    """What TensorBoard shows of a run."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about TensorFlow, which is not needed
        from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

        events = EventAccumulator(str(folder), size_guidance={"scalars": 0, "tensors": 0})
        events.Reload()
    return events


def test_a_run_and_its_continuation(train, tmp_path):
    metrics = train("2x4", "--name", "small", "--games", "500", "--restart-share", "0.3", "--restart-tile", "64")
    for games in (500, 900):
        if games > 500:
            metrics = train("--resume", "small", "--games", str(games))
        shown = load(tmp_path / "logs" / "small")
        tags = set(shown.Tags()["scalars"])
        assert tags >= TAGS | {"score/mean_restarted", "score/restarts_from_64"}
        for tag, key in (("score/mean", "mean_score"), ("score/mean_restarted", "restarted_mean_score"), ("speed/games_per_s", "games_per_s")):
            points = [(e.step, e.value) for e in shown.Scalars(tag)]
            wanted = [(m["games"], pytest.approx(m[key], rel=1e-6)) for m in metrics if m.get(key) is not None]
            assert points == wanted and len(points) >= games // 100 - 1
        for m, e in zip(metrics, shown.Scalars("reached/512"), strict=True):
            named = {int(t): s for t, s in m["reached"].items()}
            want = named.get(512, 1 if min(named) > 512 else 0)
            assert e.step == m["games"] and e.value == pytest.approx(want)
        times = [e.wall_time for e in shown.Scalars("score/mean")]
        assert times == sorted(times)
        text = shown.Tensors("options/text_summary" if "options/text_summary" in shown.Tags()["tensors"] else "options")
        assert b"| network | 2x4 |" in text[0].tensor_proto.string_val[0]


def test_earlier_intervals_and_exports(train, afterstate_program, tmp_path):
    """A run that is resumed with --tensorboard has its whole curve, and so has an exported one."""
    train("2x4", "--name", "small", "--games", "300")
    for file in (tmp_path / "logs/small").iterdir():
        file.unlink()
    train("--resume", "small", "--games", "500")
    env = {**os.environ, "XDG_DATA_HOME": str(tmp_path / "data")}
    export = [afterstate_program, "train", "export", "small", "--tensorboard", "exported"]
    subprocess.run(export, cwd=tmp_path, env=env, check=True, capture_output=True)
    curves = []
    for folder in ("logs/small", "exported/small"):
        curves.append([(e.step, e.value) for e in load(tmp_path / folder).Scalars("score/mean")])
    assert curves[0] == curves[1] and [step for step, _ in curves[0]] == [100, 200, 300, 400, 500]


def test_games_played_again_are_dropped(train, tmp_path):
    """A killed process leaves events of games that its last checkpoint lacks."""
    train("2x4", "--name", "small", "--games", "300")
    metrics = tmp_path / "data/afterstate/runs/small"
    saved = (metrics / "checkpoint.model").read_bytes()
    train("--resume", "small", "--games", "600")
    (metrics / "checkpoint.model").write_bytes(saved)
    lines = train("--resume", "small", "--games", "500")
    shown = load(tmp_path / "logs/small").Scalars("score/mean")
    assert [e.step for e in shown] == [100, 200, 300, 400, 500] == [m["games"] for m in lines]
