"""Writes docs/python-api.md, the reference of the package, from the signatures and docstrings in its source.

A docstring has paragraphs, lists, code after "::", and sections such as "Args:" with entries "name: text".
"""

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECTIONS = {
    "Boards, rules and games": ["boards", "rules", "games"],
    "Bots": ["bots"],
    "Environments": ["environment", "vector", "choosing", "chance", "aec", "jax_env"],
    "Players and exact values": ["players", "solving"],
    "Networks and training": ["networks", "models", "training", "_options", "sweeps"],
    "Errors": ["_library"],
}


class Module:
    """A module of the package, with its definitions and their docstrings by name."""

    def __init__(self, path: Path) -> None:
        self.name, self.text = path.stem, path.read_text()
        self.tree = ast.parse(self.text)
        self.defined = dict(definitions(self.tree.body))

    def code(self, node: ast.AST | None) -> str:
        """Returns the source of an expression in one line, that of a quoted type without the quotes."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "|" in node.value:
            return node.value
        return " ".join((ast.get_source_segment(self.text, node) or "").split()) if node else ""

    def variable(self, name: str, kind: ast.AST | None, value: ast.AST | None) -> str:
        return name + (f": {self.code(kind)}" if kind else "") + (f" = {self.code(value)}" if value else "")

    def signature(self, name: str, function: ast.FunctionDef, bound: bool) -> str:
        """Returns the signature of a function; of a bound one without its first parameter."""
        a = function.args
        defaults = [None] * (len(a.args) - len(a.defaults)) + a.defaults
        placed = zip(a.args, defaults, strict=True)
        words = [self.variable(p.arg, p.annotation, value) for p, value in placed][bound:]
        if a.vararg or a.kwonlyargs:
            words.append("*" + (self.variable(a.vararg.arg, a.vararg.annotation, None) if a.vararg else ""))
        named = zip(a.kwonlyargs, a.kw_defaults, strict=True)
        words += [self.variable(p.arg, p.annotation, value) for p, value in named]
        if a.kwarg:
            words.append("**" + self.variable(a.kwarg.arg, a.kwarg.annotation, None))
        end = ")" if function.name == "__init__" else f") -> {self.code(function.returns)}"
        line = f"{name}({', '.join(words)}{end}"
        return line if len(line) <= 100 else "\n".join([f"{name}(", *(f"    {word}," for word in words), end])


def definitions(body: list[ast.stmt]) -> Iterator[tuple[str, tuple[ast.stmt, str]]]:
    """Yields the names of classes, functions and variables, with their definition and docstring, "" if it has none."""
    for node, after in zip(body, [*body[1:], ast.Pass()], strict=True):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            yield node.name, (node, ast.get_docstring(node) or "")
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            doc = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
            if isinstance(target, ast.Name):
                yield target.id, (node, inspect.cleandoc(str(doc)))


def markdown(doc: str) -> str:
    """Returns a docstring as Markdown."""
    out = []
    for block in re.split(r"\n\n+(?=\S)", doc.replace("``", "`")):
        first, _, rest = block.partition("\n")
        text, _, program = block.partition("::\n\n")
        if re.fullmatch("(Args|Returns|Raises):", first):
            entries = [entry.split(": ", 1) for entry in re.split(r"\n(?=\S)", textwrap.dedent(rest))]
            out.append(f"*{first[:-1]}*\n\n" + "\n".join(item(name, of) for name, of in entries))
        elif program:
            out.append(f"{text}:\n\n" + python(textwrap.dedent(program)))
        else:
            out.append(block)
    return "\n\n".join(out)


def python(program: str) -> str:
    return f"```python\n{program.rstrip()}\n```"


def item(name: str, doc: str) -> str:
    """Returns an item of a list, which may hold lists."""
    return f"- `{name}`" + (": " + textwrap.indent(markdown(inspect.cleandoc(doc)), "  ").lstrip() if doc else "")


def of_class(
    module: Module, shown: str, node: ast.ClassDef, doc: str, modules: dict[str, Module], public: dict[str, str]
) -> Iterator[str]:
    """Yields the parts of a class: how to make one, its docstring, attributes and methods."""
    bases = [module.code(base) for base in node.bases]
    members = dict(definitions(node.body))
    homes = dict.fromkeys(members, module)
    for other in modules.values():  # members of bases that users do not know are the class's own
        for base in bases:
            found, _ = other.defined.get(base, (None, ""))
            for name, of in definitions(found.body) if isinstance(found, ast.ClassDef) and base not in public else ():
                homes.setdefault(name, other)
                members.setdefault(name, of)
    init, _ = members.get("__init__", (None, ""))
    if isinstance(init, ast.FunctionDef) and not shown.endswith("Error"):
        yield python(homes["__init__"].signature(shown, init, True))
    yield markdown(doc)
    yield from (f"It also has the members of [{base}](#class-{base.lower()})." for base in bases if base in public)
    attributes: list[str] = []
    methods: list[str] = []
    for name, (member, text) in members.items():
        home, marks = homes[name], [module.code(mark) for mark in getattr(member, "decorator_list", [])]
        if name.startswith("_"):
            continue
        if not text and "TypedDict" not in bases and "IntEnum" not in bases:
            raise SystemExit(f"{module.name}.py: {node.name}.{name} has no docstring")
        if isinstance(member, ast.FunctionDef) and "property" not in marks:
            called = f"{shown}.{name}" if "classmethod" in marks else name
            methods += [f"#### {shown}.{name}", python(home.signature(called, member, True)), markdown(text)]
        else:
            kind = getattr(member, "returns", None) or getattr(member, "annotation", None)
            attributes.append(item(home.variable(name, kind, getattr(member, "value", None)), text))
    if attributes:
        yield "*Attributes*\n\n" + "\n".join(attributes)
    yield from methods


def page() -> str:
    modules = {path.stem: Module(path) for path in sorted((ROOT / "python/src/afterstate2048").glob("*.py"))}
    package = modules["__init__"]
    imports = [node for node in package.tree.body if isinstance(node, ast.ImportFrom) and node.level == 1]
    public = {alias.name: node.module or "" for node in imports for alias in node.names}  # names, and their modules
    listed = [name for names in SECTIONS.values() for name in names]
    if missing := [name for name in modules if not name.startswith("_") and name not in listed]:
        raise SystemExit(f"{', '.join(missing)}: must be in SECTIONS of reference.py")
    contents, sections = ["| name | |", "|---|---|"], []
    for title, names in SECTIONS.items():
        sections.append(f"## {title}")
        for module in (modules[name] for name in names):
            imported = module.name in public.values()  # the others are imported by their users
            for name, (node, doc) in module.defined.items():
                if public.get(name) != module.name if imported else name.startswith("_") or name.isupper():
                    continue
                if not doc:
                    raise SystemExit(f"{module.name}.py: {name} has no docstring")
                shown = name if imported else f"{module.name}.{name}"
                heading = f"class {shown}" if isinstance(node, ast.ClassDef) else shown
                sections.append(f"### {heading}")
                if isinstance(node, ast.ClassDef):
                    sections += of_class(module, shown, node, doc, modules, public)
                elif isinstance(node, ast.FunctionDef):
                    sections += [python(module.signature(shown, node, False)), markdown(doc)]
                else:
                    sections += [python(module.variable(name, None, getattr(node, "value", None))), markdown(doc)]
                summary = re.split(r"(?<=[.:])\s|::", " ".join(doc.replace("``", "`").split()))[0].rstrip(".:")
                contents.append(f"| [`{heading}`](#{heading.lower().replace(' ', '-').replace('.', '')}) | {summary} |")
    types = {
        module.variable(name, None, node.value)
        for module in modules.values()
        for name, (node, _) in module.defined.items()
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and re.fullmatch("[A-Z][A-Za-z]+", name) and name not in public
        if any(re.search(rf"[ \[(]{name}\b", part) for part in sections if part.startswith("```python"))
    }
    return "\n\n".join(
        [
            "<!-- Generated from the package's docstrings: python3 python/reference.py -->",
            "# Python reference",
            "The names of the package. [env.md](env.md) and [python.md](python.md) introduce them.",
            "\n".join(contents),
            "## The package",
            markdown(ast.get_docstring(package.tree) or ""),
            *sections,
            "## Types in signatures",
            python("\n".join(sorted(types))),
        ]
    ) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "docs/python-api.md").write_text(page())
