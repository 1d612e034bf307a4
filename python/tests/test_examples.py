"""The experiments of examples/python, and the documentation's programs."""

import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT


@pytest.mark.parametrize("page", ["docs/env.md"])
def test_programs_in_the_documentation(page, tmp_path):
    """They run one after the other, as a reader would type them."""
    blocks = re.findall(r"(?ms)^```python\n(.*?)^```", (ROOT / page).read_text())
    program = "".join(blocks)
    assert "import afterstate2048" in program
    env = {**os.environ, "MPLBACKEND": "agg"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=900, cwd=tmp_path, env=env)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "scores.png").stat().st_size > 5000


def test_learn_in_short(tmp_path):
    """A million moves of the NumPy learner: from a mean score of 1,100, which random moves
    have, to many times that."""
    program = ROOT / "examples/python/learn.py"
    command = [sys.executable, program, "--steps", "4000", "--envs", "256", "--test", "100", "--out", tmp_path / "curve"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    found = re.fullmatch(r"100 games: mean score (\d+), 2048 in ([\d.]+)% \[([\d.]+)%, ([\d.]+)%\]\n", done.stdout)
    score, share, low, high = map(float, found.groups())
    assert score > 8000 and low < share < high
    table = (tmp_path / "curve.csv").read_text().splitlines()
    assert table[0] == "minutes,moves,games,mean_score,share_2048" and len(table) > 1
    assert (tmp_path / "curve.png").read_bytes()[1:4] == b"PNG"
    assert (tmp_path / "curve.npy").stat().st_size > 1_000_000
    assert len(program.read_text().splitlines()) < 150
