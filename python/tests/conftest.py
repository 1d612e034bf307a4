import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def afterstate_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command afterstate, built from this repository."""
    program = tmp_path_factory.mktemp("bin") / "afterstate"
    subprocess.run([os.environ.get("GO", "go"), "build", "-buildvcs=false", "-o", str(program), "."], cwd=ROOT, check=True)
    return program


def run(program: str) -> str:
    """What a Python program of its own prints."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout
