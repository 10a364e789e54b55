"""The shape of the project: which way imports point, how large a module may be, what a notebook may hold."""

import ast
from pathlib import Path

import pytest

from compendium.build import notebooks, parameters_of

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "cvstrat"
MODULES = sorted(PACKAGE.rglob("*.py"))
NOTEBOOKS = notebooks()

# A room may import from rooms in lower places only; rooms in the same place do not know each other.
PLACE = {
    "_checks": 0,
    "_files": 0,
    "_progress": 0,
    "clustering": 1,
    "diagnostics": 2,
    "datasets": 3,
    "theory": 3,
    "splitters": 3,
    "procedures": 4,
    "studies": 5,
    "statistics": 6,
    "plots": 6,
    "reports": 7,
    "advice": 8,
    "publish": 8,
    "cli": 9,
}
# These show and test frames; they must not know what made them.
FRAMES_ONLY = {"statistics", "plots"}


def room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def imported_rooms(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module == "cvstrat":
            names |= {f"cvstrat.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return {room(name) for name in names if name.startswith("cvstrat.")}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_point_one_way(path):
    own = path.relative_to(PACKAGE).with_suffix("").parts[0]
    if own in ("__init__", "__main__"):
        return
    others = imported_rooms(path) - {own} - {"__version__"}
    assert own in PLACE, f"give the room {own!r} a place"
    backwards = {other for other in others if PLACE[other] >= PLACE[own]}
    assert not backwards, f"{own} must not import {backwards}"
    if own in FRAMES_ONLY:
        assert others <= {"_files"}, f"{own} takes frames; it must not import {others}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_module_fits_on_a_few_screens(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300


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
            if "plots.plot_" in cell.source:
                options = cell.metadata.get("mystnb", {})
                assert options.get("figure", {}).get("caption"), cell.source
                assert len(options.get("image", {}).get("alt", "")) > 40, cell.source

    def test_ends_with_its_provenance(self, notebook):
        assert self.cells(notebook)[-1].source.strip() == "provenance()"
