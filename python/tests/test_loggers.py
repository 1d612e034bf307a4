"""The recipes of docs/loggers.md, read back with the tools that they write for."""

import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec

import afterstate2048
import pytest
from conftest import ROOT

PAGE = (ROOT / "docs/loggers.md").read_text()
READ = {
    # The log of an offline run: protocol buffers in blocks of 32 kB, as in LevelDB.
    "wandb": """
        import glob, json, struct
        from wandb.proto import wandb_internal_pb2

        data, at, part = open(glob.glob("wandb/offline-run-*/*.wandb")[0], "rb").read(), 7, b""
        while at + 7 <= len(data):
            if 32768 - at % 32768 < 7:
                at += 32768 - at % 32768
                continue
            _, size, kind = struct.unpack_from("<IHB", data, at)
            part += data[at + 7 : at + 7 + size]
            at += 7 + size
            if kind in (1, 4):
                record, part = wandb_internal_pb2.Record.FromString(part), b""
                for item in record.history.item if record.WhichOneof("record_type") == "history" else ():
                    found.setdefault(item.key or "/".join(item.nested_key), []).append(json.loads(item.value_json))
                options.update({u.key: json.loads(u.value_json) for u in record.config.update if u.key})
        """,
    "mlflow": """
        import mlflow

        mlflow.set_tracking_uri("sqlite:///mlflow.db")
        client = mlflow.MlflowClient()
        (run,) = client.search_runs(["0"])
        for name in run.data.metrics:
            found[name] = [m.value for m in client.get_metric_history(run.info.run_id, name)]
        found["_step"] = [m.step for m in client.get_metric_history(run.info.run_id, "mean_score")]
        options.update(run.data.params)
        assert [file.path for file in client.list_artifacts(run.info.run_id)] == ["2x4.model"]
        """,
    "aim": """
        import aim

        repo = aim.Repo(".")
        (number,) = repo.list_all_runs()
        run = aim.Run(number, repo=repo, system_tracking_interval=None)
        options.update(run["options"])
        for metric in run.metrics():
            found[metric.name] = metric.values.sparse_list()[1]
        """,
    "tensorboard": """
        from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

        events = EventAccumulator("logs/2x4", size_guidance={"tensors": 0})
        events.Reload()
        for name in events.Tags()["tensors"]:
            found[name] = [e.tensor_proto.float_val[0] for e in events.Tensors(name)]
        found["_step"] = [e.step for e in events.Tensors("mean_score")]
        """,
}


def need(tool):
    if find_spec(tool) is None:
        pytest.skip(f"NOT RUN: {tool} of python/tests/extras.txt is not installed")


def blocks(heading):
    """The code of a section."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return "".join(re.findall(r"(?ms)^```(?:python|sh)\n(.*?)^```", section))


def run(command, folder, **env):
    quiet = {"WANDB_SILENT": "true", "WANDB_ERROR_REPORTING": "false", "WANDB__SERVICE_WAIT": "600", "WANDB_INIT_TIMEOUT": "600", "MLFLOW_DISABLE_TELEMETRY": "true"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=900, env={**os.environ, **quiet, **env})
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(("tool", "heading"), [("wandb", "Weights & Biases"), ("mlflow", "MLflow"), ("aim", "Aim"), ("tensorboard", "TensorBoard")])
def test_curves(tool, heading, tmp_path):
    """The curves and options in the tool equal those of the training."""
    need(tool)
    recipe = blocks(heading)
    assert len(recipe.strip().splitlines()) <= 10
    run([sys.executable, "-c", re.findall(r"(?ms)^```python\n(.*?)^```", PAGE)[0] + recipe], tmp_path)
    read = "import json\nfound, options = {}, {}\n" + re.sub("(?m)^        ", "", READ[tool]) + "\nprint(json.dumps([found, options]))"
    found, options = json.loads(run([sys.executable, "-c", read], tmp_path).splitlines()[-1])
    want = []
    trainer = afterstate2048.Trainer("2x4", seed=1, report_every=100, callbacks=[want.append])
    trainer.step(300)
    if tool != "tensorboard":  # which shows no options
        assert [str(options[name]) for name in ("seed", "report_every")] == ["1", "100"] and options.keys() >= trainer.options.keys()
    single = 1e-6 if tool == "tensorboard" else 0  # it stores numbers of 32 bits
    assert sorted(found["mean_score"]) == pytest.approx(sorted(m["mean_score"] for m in want), rel=single)
    assert sorted(found["reached/512"]) == pytest.approx(sorted(m["reached"]["512"] for m in want), rel=single)
    assert found.get("_step", [100, 200, 300]) == [m["games"] for m in want] and len(found["games_per_s"]) == 3


def test_parquet(afterstate_program, tmp_path):
    need("pyarrow")
    text = PAGE.split("\n## Parquet\n")[1]
    shell, program = (re.search(rf"(?ms)^```{kind}\n(.*?)^```", text)[1] for kind in ("sh", "python"))
    path = f"{afterstate_program.parent}{os.pathsep}{os.environ['PATH']}"
    run(["sh", "-ec", shell], tmp_path, PATH=path, XDG_DATA_HOME=str(tmp_path / "data"))
    read = "import json; print(json.dumps(pyarrow.parquet.read_table('curve.parquet').to_pydict()))"
    columns = json.loads(run([sys.executable, "-c", program + read], tmp_path))
    lines = (tmp_path / "data/afterstate/runs/curve/metrics.jsonl").read_text().splitlines()
    metrics = [json.loads(line) for line in lines]
    assert columns["games"] == [m["games"] for m in metrics] == [100, 200, 300, 400, 500, 600]
    assert columns["mean_score"] == [pytest.approx(m["mean_score"], rel=1e-6) for m in metrics]
