"""Programs of users under mypy --strict: the package's annotations are found and say what comes."""

import subprocess
import sys
from pathlib import Path

PROGRAM = """
from typing import assert_type

import afterstate2048
import numpy as np
from numpy.typing import NDArray


def choose(board: NDArray[np.uint8]) -> int:
    boards, rewards, legal = afterstate2048.afterstates(board)
    assert_type(boards, NDArray[np.uint8])
    assert_type(legal, NDArray[np.bool_])
    return int(np.where(legal, rewards, -1).argmax())


def with_turn(board: NDArray[np.uint8], turn: afterstate2048.Turn) -> afterstate2048.Direction:
    return turn.legal[0]


afterstate2048.run_bot(choose)
afterstate2048.run_bot(with_turn, turns=True)
game = afterstate2048.Game((4, 4), seed=1)
assert_type(game.move("left"), int)
assert_type(game.legal, list[afterstate2048.Direction])
assert_type(afterstate2048.slide("2,2/0,4", 1).reward, int)
assert_type(afterstate2048.best_move([[2, 2], [0, 4]]), afterstate2048.Direction | None)
assert_type(afterstate2048.spawn(game.board, np.random.default_rng(1)), NDArray[np.uint8])
assert_type(afterstate2048.load_model("first").value(game.board), NDArray[np.float32])

training: afterstate2048.TrainingOptions = {"seed": 1, "lambda_": 0.5}
afterstate2048.Trainer("2x4", size=4, **training)
afterstate2048.Trainer("2x4", stages=[[64], [128, 64]], from_="champion")
afterstate2048.sweep("rates", {"rate": [0.5, 1]}, network="2x4", games=400, seeds=[1, 2])
assert_type(afterstate2048.Network("2x4").copy(), afterstate2048.Network)
assert_type(afterstate2048.__version__, str)

# With strict checks, an unneeded type: ignore is an error too.
afterstate2048.slide("2,2/0,4", 1.5)  # type: ignore[arg-type]
afterstate2048.Game(seeds=3)  # type: ignore[call-arg]
afterstate2048.run_bot(lambda: 3)  # type: ignore[arg-type]
afterstate2048.best_move("2,2/0,4", time_ms="soon")  # type: ignore[arg-type]
afterstate2048.Trainer(lamda=0.5)  # type: ignore[call-arg]
afterstate2048.Trainer(threads=1.5)  # type: ignore[arg-type]
"""

def test_programs_are_checked_strictly(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    cache = Path(sys.prefix) / "mypy"  # shared with make check, which has read NumPy by then
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(cache), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
