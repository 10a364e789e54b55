"""The commands that people know work on the notebooks: papermill and jupytext, as they come."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from compendium.build import BadParameter, notebooks, parameters_of
from compendium.files import repository
from compendium.parameters import read_parameters

TOOLS = Path(sys.executable).parent
NOTEBOOKS = notebooks()


def code_cells(notebook):
    return [cell for cell in notebook.read().cells if cell.cell_type == "code"]


def typed_as_text(cell, **given):
    """Run a parameters cell and what papermill puts after it, then read the values."""
    namespace = {}
    for source in (cell, "\n".join(f"{name} = {text!r}" for name, text in given.items())):
        exec(source, namespace)
    read_parameters(namespace)
    return {name: namespace[name] for name in given}


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.name)
def test_parameters_given_to_papermill_as_text_arrive_with_their_types(notebook):
    cells = code_cells(notebook)
    place = next(number for number, cell in enumerate(cells) if "parameters" in cell.metadata.get("tags", []))
    assert cells[place + 1].source.endswith("read_parameters(globals())"), "papermill puts its values before this cell"
    known = parameters_of(notebook.read())
    texts = {name: one.default if one.type is str else json.dumps(one.default) for name, one in known.items()}
    assert typed_as_text(cells[place].source, **texts) == {name: one.default for name, one in known.items()}


def test_a_value_that_papermill_gives_and_that_does_not_fit_is_refused_by_name():
    with pytest.raises(BadParameter, match=r"'names' takes list\[str\] as JSON, not \"iris\""):
        typed_as_text("names: list[str] = []", names="iris")
    with pytest.raises(BadParameter, match=r"'n' takes int, not 2.5"):
        typed_as_text("n: int = 3", n=2.5)


@pytest.mark.parametrize("folder", [".", "notebooks"])
def test_plain_papermill_takes_lists_from_any_folder(folder, tmp_path, no_data):
    root = repository()
    words = [str(TOOLS / "papermill"), str(root / "notebooks" / "trust.ipynb"), str(tmp_path / "out.ipynb")]
    options = ["-p", "records", '["kills"]', "--no-progress-bar", "--log-level", "ERROR"]
    subprocess.run(words + options, cwd=root / folder, check=True, capture_output=True)
    box = nbformat.read(tmp_path / "out.ipynb", as_version=4).cells[-1].outputs[0].data["text/html"]
    assert re.findall(r"soak/(\w+)\.json", box) == ["kills"]


def test_jupytext_finds_nothing_to_change_whichever_half_is_newer(tmp_path):
    root = repository()
    shutil.copy(root / "pyproject.toml", tmp_path)
    shutil.copytree(root / "notebooks", tmp_path / "notebooks", ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    files = sorted((tmp_path / "notebooks").glob("*.*"))
    before = {file: file.read_bytes() for file in files}
    for newer in (".md", ".ipynb"):
        for file in files:
            os.utime(file, (2e9, 2e9) if file.suffix == newer else (1e9, 1e9))
        texts = [str(file) for file in files if file.suffix == ".md"]
        subprocess.run([str(TOOLS / "jupytext"), "--sync", *texts], check=True, capture_output=True)
        assert [file.name for file in files if file.read_bytes() != before[file]] == []


def test_jupyter_book_at_the_root_names_the_right_command_and_spoils_nothing(tmp_path):
    root = repository()
    for name in ("_config.yml", "_toc.yml", "pyproject.toml"):
        shutil.copy(root / name, tmp_path)
    shutil.copytree(root / "book", tmp_path / "book", ignore=shutil.ignore_patterns("__pycache__"))
    good = tmp_path / "_build" / "html" / "index.html"
    good.parent.mkdir(parents=True)
    good.write_text("a good book")
    done = subprocess.run(
        [str(TOOLS / "jupyter-book"), "build", "."], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "'make book'" in line
    assert good.read_text() == "a good book" and list(good.parent.iterdir()) == [good]
