"""The public names of the package, with their parameters, stay the same; UPDATE=1 records them again."""

import inspect
import os
from pathlib import Path

import afterstate2048


def _call(of: object) -> str:
    return "(" + ", ".join(inspect.signature(of).parameters) + ")" if inspect.isfunction(of) else ""


def _members(name: str, of: object) -> list[str]:
    if not inspect.isclass(of):
        return [name + _call(of)]
    lines = [name]
    for member, value in sorted(vars(of).items()):
        if member.startswith("_") and member not in ("__init__", "__call__", "__len__", "__iter__", "__enter__"):
            continue
        value = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
        lines.append(f"{name}.{member}{_call(value)}")
    return lines


def test_names() -> None:
    lines = [line for name in sorted(afterstate2048.__all__) for line in _members(name, getattr(afterstate2048, name))]
    file = Path(__file__).parent / "names.txt"
    if os.environ.get("UPDATE"):
        file.write_text("\n".join(lines) + "\n")
    assert file.read_text().splitlines() == lines
