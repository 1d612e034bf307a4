"""The experiments of examples/python, and the documentation's programs."""

import os
import re
import subprocess
import sys
import textwrap

import nbformat
import pytest
from conftest import ROOT
from nbclient import NotebookClient


@pytest.mark.parametrize(("page", "writes"), [("docs/env.md", "scores.png"), ("docs/python.md", "own.model")])
def test_programs_in_the_documentation(page, writes, tmp_path):
    """They run one after the other, as a reader would type them."""
    blocks = re.findall(r"(?ms)^```python\n(.*?)^```", (ROOT / page).read_text())
    program = "".join(blocks)
    assert "import afterstate2048" in program
    env = {**os.environ, "MPLBACKEND": "agg"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=900, cwd=tmp_path, env=env)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / writes).stat().st_size > 5000


def test_programs_in_the_tutorials(afterstate_program, tmp_path):
    """The figures of the tutorial on papers: its commands and programs in their order."""
    env = {**os.environ, "MPLBACKEND": "agg", "XDG_DATA_HOME": str(tmp_path / "data")}
    env["PATH"] = f"{afterstate_program.parent}{os.pathsep}{env['PATH']}"
    page = (ROOT / "docs/tutorials/paper.md").read_text()
    kinds = {"sh": ["sh", "-ec"], "python": [sys.executable, "-c"]}
    for name, block in re.findall(r"(?ms)^```toml (\S+)\n(.*?)^```", page):
        (tmp_path / name).write_text(block)
    for kind, block in re.findall(r"(?ms)^```(sh|python)\n(.*?)^```", page):
        done = subprocess.run([*kinds[kind], block], capture_output=True, text=True, timeout=900, cwd=tmp_path, env=env)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "curves.pdf").read_bytes().startswith(b"%PDF")
    table = (tmp_path / "regret.tex").read_text()
    assert r"\texttt{perfect} & 0.0 $\pm$ 0.0 & 100.0\% \\" in table and table.count(r"\\") == 4


@pytest.fixture(scope="module")
def notebook_cache(tmp_path_factory):
    """A cache without solved boards, which all notebooks share: the second one that needs the 3x3 board finds it."""
    return tmp_path_factory.mktemp("cache")


@pytest.mark.parametrize(
    ("notebook", "says", "writes"),
    [
        ("first_bot", r"corner_bot - greedy_bot: \d+ ± \d+", "bots.png"),
        ("first_network", r"best move in \d+\.\d% of 20000 positions", "training.png"),
        ("paper_table", r"perfect & [\d ]+\$\\pm\$ \d+ & ", "table.tex"),
    ],
)
@pytest.mark.filterwarnings("ignore")  # those of Jupyter's own packages
def test_notebooks(notebook, says, writes, notebook_cache, tmp_path, monkeypatch):
    """A kernel runs all cells, which check their own results; outputs are not committed."""
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.setenv("XDG_CACHE_HOME", str(notebook_cache))
    book = nbformat.read(ROOT / f"examples/notebooks/{notebook}.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in book.cells)
    NotebookClient(book, timeout=900, startup_timeout=900, iopub_timeout=900, resources={"metadata": {"path": tmp_path}}).execute()
    printed = "".join(out.get("text", "") for cell in book.cells for out in cell.get("outputs", []))
    assert re.search(says, printed), printed
    assert (tmp_path / writes).stat().st_size > 300


def test_the_readme(tmp_path):
    """What a reader of python/README.md types, with fewer games of a smaller network: it trains, saves and plays."""
    text = (ROOT / "python/README.md").read_text()
    blocks = re.findall(r"(?m)(?:^    .*\n|^\n(?=    ))+", text)
    programs = [b.replace("    pip install ./python\n", "") for b in blocks if "run_bot" not in b]
    program = textwrap.dedent("".join(programs)).replace('"4x6"', '"2x4"').replace("games=1000", "games=20")
    assert "Trainer(" in program and "Network(" in program
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=900, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "first.model").exists() and (tmp_path / "own.model").exists()


def test_train_in_short(tmp_path):
    """It learns, resumes from its file, and plays better for it."""
    command = [sys.executable, ROOT / "examples/python/train.py", "--network", "2x4", "--test", "50", "--out", tmp_path / "a.model"]
    found = []
    for more in (["--games", "100"], ["--games", "2900", "--resume"]):
        done = subprocess.run([*command, *more], capture_output=True, text=True, timeout=900)
        assert done.returncode == 0, done.stderr
        found.append(re.findall(r"(?m)^(\d+) games.*: mean score (\d+)", done.stdout))
    (first, second) = found
    assert (first[-2][0], second[-2][0], second[-1][0]) == ("100", "3000", "50")
    assert int(second[-1][1]) > 2 * int(first[-1][1]) > 2000


def test_sweep_in_short(tmp_path):
    """It trains, resumes where it was, and writes a table and a figure."""
    command = [sys.executable, ROOT / "examples/python/sweep.py", "--network", "2x3", "--size", "3x3", "--games", "200", "--play", "20"]
    for _ in range(2):
        done = subprocess.run([*command, "--out", tmp_path], capture_output=True, text=True, timeout=900)
        assert done.returncode == 0, done.stderr
        assert re.search(r"^returns-\d is best: ", done.stdout, re.MULTILINE), done.stdout
    table = (tmp_path / "table.tex").read_text()
    assert table.startswith(r"\begin{tabular}{lrrrrrr}") and table.count(r"\texttt{returns-") == 4
    assert (tmp_path / "curves.pdf").read_bytes().startswith(b"%PDF")


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


def test_neural_in_short(tmp_path):
    """300,000 moves of the neural learner: well above the mean score of 1,100 of random moves."""
    command = [sys.executable, ROOT / "examples/python/neural.py", "--moves", "300000", "--test", "50", "--out", tmp_path / "curve"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    score = int(re.fullmatch(r"50 games: mean score (\d+) \+- \d+, 2048 in \d+%\n", done.stdout)[1])
    assert score > 2000
    table = (tmp_path / "curve.csv").read_text().splitlines()
    assert table[0] == "minutes,moves,games,mean_score" and len(table) > 1
    assert (tmp_path / "curve.png").read_bytes()[1:4] == b"PNG"
    assert (tmp_path / "curve.npz").stat().st_size > 1_000_000
