"""The shape of the project: which way imports point, how large things may be, what a notebook may hold."""

import ast
from pathlib import Path

import pytest

from compendium.build import notebooks, parameters_of

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
MODULES = sorted(SOURCE.rglob("*.py"))
NOTEBOOKS = notebooks()

# A room may import from rooms in lower places only; rooms in the same place do not know each other.
LIBRARY = {
    "errors": 0,
    "checks": 1,
    "_candidates": 2,
    "_compat": 1,
    "commands": 2,
    "inputs": 2,
    "targets": 2,
    "fourier": 2,
    "clustering": 2,
    "splitters": 3,
    "metrics": 3,
    "efold": 4,
    "complete": 4,
    "advice": 4,
    "assignment": 4,
    "cli": 5,
}
COMPENDIUM = {
    "files": 0,
    "words": 0,
    "lifetime": 0,
    "parameters": 0,
    "versions": 1,
    "inference": 1,
    "figures": 1,
    "datasets": 2,
    "engine": 2,
    "citation": 1,
    "provenance": 3,
    "reproduce": 3,
    "spezia2025": 3,
    "diamantidis2000": 3,
    "mahlich2024": 3,
    "anguita2012": 3,
    "stratification": 3,
    "balance": 3,
    "verdicts": 4,
    "build": 5,
    "release": 6,
    "cli": 7,
}
PLACES = {"cvstrat": LIBRARY, "compendium": COMPENDIUM}
# These show and test frames; they must not know what made them.
FRAMES_ONLY = {"inference", "figures"}
# What a library that people install must not need.
HEAVY = {"compendium", "matplotlib", "pyarrow", "dask", "distributed", "seaborn", "IPython", "papermill", "jupytext"}


def each(modules, package=""):
    chosen = [path for path in modules if path.relative_to(SOURCE).parts[0] in (package or tuple(PLACES))]
    return pytest.mark.parametrize("path", chosen, ids=lambda path: path.relative_to(SOURCE).as_posix())


def imports_of(path, *, late=True):
    """Return all that a module imports: ``from a import b`` as a.b, ``import a`` as a and a point; `late` wherever."""
    found = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree) if late else tree.body:
        if isinstance(node, ast.Import):
            found |= {f"{alias.name}." for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: imports are absolute"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def room_of(path):
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return parts[0], parts[1]


@each(MODULES)
def test_imports_point_one_way(path):
    package, room = room_of(path)
    if room == "__init__":
        return
    assert room in PLACES[package], f"give the room {room!r} a place"
    place = PLACES[package][room]
    for name in imports_of(path):
        parts = name.split(".")
        if parts[0] == package and parts[1] in PLACES[package] and parts[1] != room:
            assert PLACES[package][parts[1]] < place, f"{room} must not import {name}"
            if room in FRAMES_ONLY:
                assert parts[1] == "files", f"{room} takes frames; it must not import {name}"


@each(MODULES)
def test_no_room_reaches_into_the_private_modules_of_another(path):
    package, room = room_of(path)
    for name in imports_of(path):
        parts = name.split(".")
        if parts[0] in PLACES and len(parts) > 2 and (parts[0], parts[1]) != (package, room):
            assert not any(part.startswith("_") for part in parts[2:]), f"{name} is private to its room"
        if parts[0] in PLACES and parts[0] != package:
            assert not parts[1].startswith("_") or parts[1] == "__version__", f"{name} is private to its package"


@each(MODULES, ("cvstrat",))
def test_the_library_needs_nothing_of_the_research(path):
    assert not {name.split(".")[0] for name in imports_of(path)} & (HEAVY - {"pyarrow"})
    assert not {name.split(".")[0] for name in imports_of(path, late=False)} & HEAVY


@each(MODULES)
def test_private_parts_of_scikit_learn_are_in_one_place(path):
    allowed = {"cvstrat/_compat.py", "compendium/spezia2025/study/_forest.py"}
    private = {
        name
        for name in imports_of(path)
        if name.startswith("sklearn.") and any(part.startswith("_") for part in name.split("."))
    }
    assert not private or path.relative_to(SOURCE).as_posix() in allowed, private


@each(MODULES)
def test_a_module_fits_on_a_few_screens(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300


def lines_of_code(path):
    """Count lines that are neither empty, nor comments, nor docstrings: those hold formulas and examples."""
    text = path.read_text(encoding="utf-8")
    written = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            written |= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    lines = {number: line.strip() for number, line in enumerate(text.splitlines(), start=1)}
    return sum(number not in written and line != "" and line[0] != "#" for number, line in lines.items())


def test_the_library_is_small():
    library = [path for path in MODULES if path.relative_to(SOURCE).parts[0].startswith("cvstrat")]
    assert sum(lines_of_code(path) for path in library) <= 5200


def test_tests_of_the_library_need_the_library_alone():
    for path in (ROOT / "tests" / "cvstrat").rglob("*.py"):
        assert not {name.split(".")[0] for name in imports_of(path)} & HEAVY, path


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.name)
class TestNotebook:
    """Rules of style for notebooks."""

    def cells(self, notebook):
        return [cell for cell in notebook.read().cells if cell.cell_type == "code"]

    def test_has_one_typed_parameters_cell(self, notebook):
        assert parameters_of(notebook.read())

    def test_cells_are_short_and_define_nothing(self, notebook):
        for cell in self.cells(notebook):
            lines = [line for line in cell.source.splitlines() if line.strip()]
            assert len(lines) <= 15, lines[0]
            defined = [
                node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.FunctionDef | ast.ClassDef)
            ]
            assert not defined, lines[0]

    def test_figures_have_caption_and_alt_text(self, notebook):
        for cell in self.cells(notebook):
            if "figures.plot_" in cell.source:
                options = cell.metadata.get("mystnb", {})
                assert options.get("figure", {}).get("caption"), cell.source
                assert len(options.get("image", {}).get("alt", "")) > 40, cell.source

    def test_the_data_of_every_figure_are_offered(self, notebook):
        for cell in self.cells(notebook):
            assert "figures.plot" not in cell.source or "figures.offer(" in cell.source, cell.source

    def test_says_which_study_it_loads(self, notebook):
        """A study given as an object is an import, so that the page is made anew when the study changes."""
        for cell in self.cells(notebook):
            for node in ast.walk(ast.parse(cell.source)):
                if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("load_or_run"):
                    assert ast.unparse(node.args[0]).startswith("study."), cell.source

    def test_ends_with_its_provenance(self, notebook):
        assert self.cells(notebook)[-1].source.strip() == "provenance()"
