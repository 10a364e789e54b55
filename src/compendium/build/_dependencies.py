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


def modules_of(code: str, source: Path) -> list[Path]:
    """Return the files below `source` that some code imports, directly or not, in the order of their names."""
    found: set[Path] = set()
    for module, name in _imports(ast.parse(code)):
        _follow(module, name, source, found, set())
    return sorted(found)


def _imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield what is imported of the project's packages, wherever in the code: a module, and a name in it or none."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names if alias.name.split(".")[0] in PACKAGES)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in PACKAGES:
            yield from ((str(node.module), alias.name) for alias in node.names)


def _follow(module: str, name: str, source: Path, found: set[Path], seen: set[tuple[str, str]]) -> None:
    if (module, name) in seen:
        return
    seen.add((module, name))
    path = _file(module, source)
    if path is None:
        return
    _add_parents(module, source, found)
    found.add(path)
    if name and path.name == "__init__.py":
        if _file(f"{module}.{name}", source) is not None:
            _follow(f"{module}.{name}", "", source, found, seen)
            return
        gathered = [pair for pair in _imports(_parsed(path)) if pair[1] == name]
        if gathered:
            _follow(*gathered[0], source, found, seen)
            return
    for imported, part in _imports(_parsed(path)):
        _follow(imported, part, source, found, seen)


def _add_parents(module: str, source: Path, found: set[Path]) -> None:
    parts = module.split(".")
    for end in range(1, len(parts)):
        parent = source.joinpath(*parts[:end], "__init__.py")
        if parent.is_file():
            found.add(parent)


def _file(module: str, source: Path) -> Path | None:
    place = source.joinpath(*module.split("."))
    for path in (place / "__init__.py", place.with_suffix(".py")):
        if path.is_file():
            return path
    return None


def _parsed(path: Path) -> ast.Module:
    state = path.stat()
    return _parse(path, state.st_mtime_ns, state.st_size)


@functools.lru_cache(maxsize=1024)
def _parse(path: Path, *_: int) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))
