import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def afterstate_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command afterstate, built from this repository."""
    program = tmp_path_factory.mktemp("bin") / "afterstate"
    subprocess.run([os.environ.get("GO", "go"), "build", "-buildvcs=false", "-o", str(program), "."], cwd=ROOT, check=True)
    return program


# A shell's background jobs ignore SIGINT, and their children inherit that.
SIGINT_AS_USUAL = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"


def run(program: str, **options: Any) -> str:
    """What a separate Python program prints. Takes the options of subprocess.run."""
    program = SIGINT_AS_USUAL + textwrap.dedent(program)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=900, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout
