"""docs/python-api.md has every public name, as its docstring describes it today."""

import inspect
import subprocess
import sys

from conftest import ROOT

import afterstate2048
from afterstate2048 import aec, jax_env


def test_the_page_is_fresh(tmp_path):
    subprocess.run([sys.executable, ROOT / "python/reference.py", tmp_path / "page.md"], check=True)
    fresh, page = (tmp_path / "page.md").read_text(), (ROOT / "docs/python-api.md").read_text()
    assert page == fresh, "docs/python-api.md is stale: run python3 python/reference.py"


def test_every_name_is_on_the_page():
    headings = (ROOT / "docs/python-api.md").read_text().splitlines()
    for name in [*afterstate2048.__all__, "aec.env", "aec.Game2048AEC", "jax_env.EnvState", "jax_env.Game2048JAX"]:
        *module, name_there = name.split(".")
        of = getattr({"aec": aec, "jax_env": jax_env}[module[0]] if module else afterstate2048, name_there)
        assert f"### {'class ' if inspect.isclass(of) else ''}{name}" in headings
        for member, value in vars(of).items() if inspect.isclass(of) else ():
            if inspect.isfunction(getattr(value, "__func__", value)) and not member.startswith("_"):
                assert f"#### {name}.{member}" in headings
