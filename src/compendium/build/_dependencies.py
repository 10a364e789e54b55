"""Which modules a notebook rests on: read from its import statements and from theirs; nothing is run.

``from package import name`` leads to the module that `name` comes from, not to all that the package gathers: a page
that uses a splitter does not rest on the advice, although one ``__init__`` imports both.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

PACKAGES = ("cvstrat", "compendium")


Import = tuple[str, str]  # a module, and a name in it or none
Steps = dict[Import, tuple[set[Path], list[Import]]]  # the files that an import reads, and what these import


def modules_of(code: str, source: Path, steps: Steps | None = None) -> list[Path]:
    """Return the files below `source` that some code imports, directly or not, in the order of their names.

    Parameters
    ----------
    code : str
        The code.
    source : Path
        The folder of the packages.
    steps : dict, default=None
        What is known of imports, to which what is found is added: most pages rest on the same modules.
    """
    steps = {} if steps is None else steps
    found: set[Path] = set()
    seen: set[Import] = set()
    left = list(_imports(ast.parse(code)))
    while left:
        one = left.pop()
        if one not in seen:
            seen.add(one)
            if one not in steps:
                steps[one] = _step(*one, source)
            files, following = steps[one]
            found |= files
            left += following
    return sorted(found)


def _imports(tree: ast.AST) -> Iterator[Import]:
    """Yield what is imported of the project's packages, wherever in the code."""
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if alias.name.split(".")[0] in PACKAGES)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in PACKAGES:
            yield from ((str(node.module), alias.name) for alias in node.names)


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield all statements, also those inside others; expressions, which are most of the code, are left out."""
    left = [tree]
    while left:
        node = left.pop()
        yield node
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            inside = getattr(node, field, None)
            left += inside if isinstance(inside, list) else ()


def _step(module: str, name: str, source: Path) -> tuple[set[Path], list[Import]]:
    path = _file(module, source)
    if path is None:
        return set(), []
    files = {path, *_parents(module, source)}
    if name and path.name == "__init__.py":
        if _file(f"{module}.{name}", source) is not None:
            return files, [(f"{module}.{name}", "")]
        gathered = [one for one in _imports_of(path) if one[1] == name]
        if gathered or _is_constant(name, path):
            return files, gathered[:1]
    return files, _imports_of(path)


def _is_constant(name: str, path: Path) -> bool:
    """Whether a module gives a name a value that rests on nothing, such as ``__version__ = "1.0"``."""
    values = [
        node.value
        for node in _parsed(path).body
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == name for to in node.targets)
    ]
    return bool(values) and all(isinstance(value, ast.Constant) for value in values)


def _parents(module: str, source: Path) -> list[Path]:
    parts = module.split(".")
    places = [source.joinpath(*parts[:end], "__init__.py") for end in range(1, len(parts))]
    return [place for place in places if place.is_file()]


def _file(module: str, source: Path) -> Path | None:
    place = source.joinpath(*module.split("."))
    for path in (place / "__init__.py", place.with_suffix(".py")):
        if path.is_file():
            return path
    return None


def _imports_of(path: Path) -> list[Import]:
    state = path.stat()
    return _read_imports(path, state.st_mtime_ns, state.st_size)


@functools.lru_cache(maxsize=1024)
def _read_imports(path: Path, *_: int) -> list[Import]:
    return list(_imports(_parsed(path)))


def _parsed(path: Path) -> ast.Module:
    state = path.stat()
    return _parse(path, state.st_mtime_ns, state.st_size)


@functools.lru_cache(maxsize=1024)
def _parse(path: Path, *_: int) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def room_graph(source: Path) -> str:
    """Return which room imports which, as a Mermaid diagram without the arrows that follow from others."""
    edges: dict[str, set[str]] = {}
    for path in sorted(source.rglob("*.py")):
        room = _room(".".join(path.relative_to(source).with_suffix("").parts), source)
        for module, name in _imports_of(path) if room else ():
            other = _room(f"{module}.{name}", source)
            if other and other != room:
                edges.setdefault(room, set()).add(other)
    rooms = sorted(set(edges) | {other for others in edges.values() for other in others})
    lines = ["flowchart LR"]
    for package in PACKAGES:
        inside = [f"    {room}[{room.partition('_')[2]}]" for room in rooms if room.partition("_")[0] == package]
        lines += [f"  subgraph {package}", *inside, "  end"]
    arrows = [f"  {room} --> {other}" for room in sorted(edges) for other in sorted(_direct(room, edges))]
    return "\n".join(lines + arrows)


def _room(module: str, source: Path) -> str:
    """Return the room of a module, such as ``cvstrat_metrics``: a folder of a package, or its command line."""
    package, _, rest = module.partition(".")
    name = rest.partition(".")[0]
    is_room = bool(name) and ((source / package / name).is_dir() or name == "cli")
    return f"{package}_{name}" if is_room else ""


def _direct(room: str, edges: dict[str, set[str]]) -> set[str]:
    """Return the rooms that a room imports and that none of the others it imports leads to."""
    others = edges.get(room, set())
    return others - {far for near in others for far in _reachable(near, edges)}


def _reachable(room: str, edges: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    left = list(edges.get(room, ()))
    while left:
        one = left.pop()
        if one not in found:
            found.add(one)
            left += edges.get(one, ())
    return found
