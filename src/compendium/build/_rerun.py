"""Executing a notebook again with other parameters, into a folder of the user's choice."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import nbformat

from compendium.build._book import render
from compendium.build._execute import execute
from compendium.build._notebooks import find_notebook
from compendium.build._page import page_of
from compendium.files import repository, write_atomically


def rerun(name: str, parameters: dict[str, Any], folder: Path) -> tuple[Path, Path]:
    """Execute the notebook `name` with `parameters`; return the executed notebook and its HTML page.

    Parameters
    ----------
    name : str
        Name of a notebook of the project, or path of a text notebook.
    parameters : dict
        Values for names in the parameters cell; text is read as JSON where the parameter is not text itself.
        A name or a value that does not fit raises :class:`compendium.build.BadParameter` before anything runs.
    folder : Path
        Where the results go; made if it is not there.
    """
    notebook = find_notebook(name)
    executed = folder / f"{notebook.name}.ipynb"
    execute(notebook, parameters, executed, cwd=Path.cwd())
    return executed, render_pages([executed], folder)[0]


def render_pages(executed: list[Path], folder: Path) -> list[Path]:
    """Render executed notebooks into `folder`, in one go, and return their HTML pages."""
    root = repository()
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch, "source")
        shutil.copytree(root / "book", source / "book", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(root / "_config.yml", source)
        for path in executed:
            page, files = page_of(nbformat.read(path, as_version=4), path.stem, up="")
            for name, content in {Path(path.name): nbformat.writes(page).encode(), **files}.items():
                write_atomically(source / name, content)
        first, *others = (path.stem for path in executed)
        chapters = [*others, "book/glossary", "book/bibliography"]  # what pages refer to
        toc = {"format": "jb-book", "root": first, "chapters": [{"file": name} for name in chapters]}
        (source / "_toc.yml").write_text(json.dumps(toc))
        render(source, Path(scratch), strict=False)
        shutil.copytree(Path(scratch, "_build", "html"), folder, dirs_exist_ok=True)
    return [folder / f"{path.stem}.html" for path in executed]
