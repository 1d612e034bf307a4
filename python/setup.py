"""Builds the Go library into the package. This needs Go and a C compiler."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent.parent  # of the repository
SYSTEM = os.environ.get("GOOS") or {"win32": "windows"}.get(sys.platform, sys.platform)  # that the library is for
LIBRARY = {"windows": "afterstate.dll", "darwin": "libafterstate.dylib"}.get(SYSTEM, "libafterstate.so")


def version() -> str:
    """Returns the program's version, which is also the package's."""
    source = ROOT / "internal" / "version" / "version.go"
    if not (ROOT / "go.mod").is_file() or not source.is_file():
        raise SystemExit(
            f"afterstate is built from its repository: there is no Go module in {ROOT}.\n"
            "Run pip install ./python in a checkout, or install a wheel."
        )
    return re.search(r'^var Version = "(.+)"', source.read_text(), re.MULTILINE).group(1)


def build_library(to: Path) -> None:
    """Compiles the Go library to a file."""
    go = shutil.which(os.environ.get("GO", "go"))
    if go is None:
        raise SystemExit("afterstate needs Go to build its library, but there is no go on PATH. Install Go 1.25 or later")
    env = {**os.environ, "CGO_ENABLED": "1"}
    words = subprocess.run([go, "env", "CC"], env=env, capture_output=True, text=True, check=True).stdout.split()
    if not words or shutil.which(words[0]) is None:
        raise SystemExit(
            f"afterstate's Go library needs a C compiler: there is no {' '.join(words) or 'gcc'} on PATH.\n"
            "Install one (Debian: apt install gcc libc6-dev), or name yours in CC."
        )
    to.parent.mkdir(parents=True, exist_ok=True)
    command = [go, "build", "-buildmode=c-shared", "-tags=clib", "-trimpath", "-buildvcs=false"]
    # Releases contain the version and the commit, and nothing else about the build.
    command += ["-ldflags=" + os.environ.get("GO_LDFLAGS", "-s -w"), "-o", str(to), "./cmd/clib"]
    if subprocess.run(command, cwd=ROOT, env=env).returncode != 0:
        raise SystemExit("afterstate's Go library cannot be built; see Go's output above")
    to.with_suffix(".h").unlink(missing_ok=True)


class BuildPy(build_py):
    def library(self) -> Path:
        return Path(self.get_package_dir("afterstate2048") if self.editable_mode else Path(self.build_lib, "afterstate2048"), LIBRARY)

    def run(self) -> None:
        super().run()
        build_library(self.library().resolve())

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        return [*super().get_outputs(include_bytecode), str(self.library())]


class BdistWheel(bdist_wheel):
    """Tags the wheel for any Python version on this platform."""

    def get_tag(self) -> tuple[str, str, str]:
        return "py3", "none", super().get_tag()[2]


class Binary(Distribution):
    def has_ext_modules(self) -> bool:
        return True


with tempfile.TemporaryDirectory() as folder:  # keeps the repository clean
    setup(
        version=version(),
        cmdclass={"build_py": BuildPy, "bdist_wheel": BdistWheel},
        distclass=Binary,
        options={"build": {"build_base": folder}, "egg_info": {"egg_base": folder}},
    )
