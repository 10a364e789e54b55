"""What a page rests on is read from imports, its own and theirs, name by name."""

import ast
import re
from pathlib import Path

import pytest

from compendium.build import notebooks
from compendium.build._dependencies import modules_of, room_graph
from compendium.files import repository

SOURCE = repository() / "src"
JOINING = {"index"}  # pages that draw on several texts


@pytest.fixture
def source(tmp_path):
    """Two small packages: one gathers names of two modules, the other uses one of them inside a function."""
    files = {
        "cvstrat/__init__.py": "from cvstrat.left import one\nfrom cvstrat.right import two\n"
        "version = '1'\nboth = one + two\n",
        "cvstrat/left.py": "from cvstrat.base import x\none = x\n",
        "cvstrat/right.py": "two = 2\n",
        "cvstrat/base.py": "import os\nx = 1\n",
        "compendium/__init__.py": "",
        "compendium/room/__init__.py": "",
        "compendium/room/study.py": "def work():\n    from cvstrat import two\n    return two\n",
        "compendium/room/tables/__init__.py": "from compendium.room.tables._a import a\n",
        "compendium/room/tables/_a.py": "from compendium.room.study import work\na = 1\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def names(code, source):
    return [path.relative_to(source).as_posix() for path in modules_of(code, source)]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import numpy", []),
        ("from cvstrat import two", ["cvstrat/__init__.py", "cvstrat/right.py"]),
        ("from cvstrat import one", ["cvstrat/__init__.py", "cvstrat/base.py", "cvstrat/left.py"]),
        ("from cvstrat.right import two", ["cvstrat/__init__.py", "cvstrat/right.py"]),
        ("from cvstrat import version", ["cvstrat/__init__.py"]),
        ("from cvstrat import both", ["cvstrat/__init__.py", "cvstrat/base.py", "cvstrat/left.py", "cvstrat/right.py"]),
        ("import cvstrat", ["cvstrat/__init__.py", "cvstrat/base.py", "cvstrat/left.py", "cvstrat/right.py"]),
        (
            "if True:\n    from compendium.room import tables",
            [
                *("compendium/__init__.py", "compendium/room/__init__.py", "compendium/room/study.py"),
                *("compendium/room/tables/__init__.py", "compendium/room/tables/_a.py"),
                *("cvstrat/__init__.py", "cvstrat/right.py"),
            ],
        ),
    ],
)
def test_names_lead_to_the_modules_they_come_from(source, code, expected):
    assert names(code, source) == expected


def test_modules_that_import_each_other_end(source):
    (source / "cvstrat" / "right.py").write_text("from cvstrat.left import one\n")
    (source / "cvstrat" / "base.py").write_text("from cvstrat.right import one\n")
    assert len(names("from cvstrat import two", source)) == 4


@pytest.mark.parametrize("notebook", notebooks(), ids=lambda notebook: notebook.name)
def test_a_page_rests_on_its_own_room_and_on_no_other(notebook):
    code = "\n".join(cell.source for cell in notebook.read().cells if cell.cell_type == "code")
    found = {path.relative_to(SOURCE).parts[1] for path in modules_of(code, SOURCE) if "compendium" in path.parts}
    papers = {"spezia2025", "diamantidis2000", "mahlich2024", "anguita2012", "stratification"}
    named = {node.module.split(".")[1] for node in ast.walk(ast.parse(code)) if _of_a_room(node)} & papers
    assert found & papers == (papers if "verdicts" in found else named)
    assert not found & {"build", "cli.py"}
    assert len(named) <= 1 or notebook.name in JOINING


def _of_a_room(node):
    return isinstance(node, ast.ImportFrom) and (node.module or "").startswith("compendium.")


def test_the_graph_in_contributing_is_that_of_the_code():
    text = (repository() / "CONTRIBUTING.md").read_text()
    shown = re.search(r"```mermaid\n(.*?)\n```", text, flags=re.DOTALL)[1]
    assert shown == room_graph(SOURCE), "put what this prints into CONTRIBUTING.md: python -m compendium.build"


def test_the_graph_leaves_out_arrows_that_follow_from_others(source: Path):
    (source / "cvstrat" / "low").mkdir()
    (source / "cvstrat" / "low" / "__init__.py").write_text("y = 1\n")
    (source / "cvstrat" / "mid").mkdir()
    (source / "cvstrat" / "mid" / "__init__.py").write_text("from cvstrat.low import y\n")
    (source / "compendium" / "room" / "study.py").write_text("from cvstrat.mid import y\nfrom cvstrat.low import y\n")
    arrows = [line.strip() for line in room_graph(source).splitlines() if "-->" in line]
    assert arrows == ["compendium_room --> cvstrat_mid", "cvstrat_mid --> cvstrat_low"]
