"""From an executed notebook to a page of the book: what the reader gets beside it, and what is put in order."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from compendium.build._run_box import run_box, tagged

DATA = Path("book", "_static", "data")
NARROW, NARROW_FOLDER = "application/x-narrow-svg", Path("book", "_static", "narrow")  # compendium.figures shows them
_LINK = re.compile(r'download="(?P<name>[^"]+)" href="data:[^;"]+;base64,(?P<content>[^"]*)"')


def page_of(node: NotebookNode, name: str, *, up: str = "../") -> tuple[NotebookNode, dict[Path, bytes]]:
    """Return an executed notebook as the book shows it, and the files that belong to it.

    Parameters
    ----------
    node : NotebookNode
        The executed notebook; it is changed.
    name : str
        Its name, with which the names of its files start.
    up : str, default="../"
        The way from the page to the first folder of the book.
    """
    files: dict[Path, bytes] = {}
    _put_run_box(node, name, up)
    _show_lessons_only(node)
    node.cells = [part for cell in node.cells for part in _figure_alone(cell)]
    for cell in node.cells:
        for output in cell.get("outputs", []):
            if "text/html" in output.get("data", {}):
                output.data["text/html"] = _with_files(output.data["text/html"], name, up, files)
            if NARROW in output.get("data", {}):
                files[NARROW_FOLDER / _image_name(output.data["image/svg+xml"])] = output.data.pop(NARROW).encode()
    return node, files


def _put_run_box(node: NotebookNode, name: str, up: str) -> None:
    """Put the box of parameters and commands before the last cell, and hide the cells of parameters where they are."""
    box = new_markdown_cell(run_box(node, name, up=up, folder="notebooks/" if up else ""), id="run-box")
    for cell in (*tagged(node, "parameters"), *tagged(node, "injected-parameters")):
        cell.metadata["tags"] = [*cell.metadata["tags"], "remove-cell"]
    node.cells.insert(len(node.cells) - 1, box)


def _show_lessons_only(node: NotebookNode) -> None:
    """Take away folded code: what teaches is shown, which is the code of a cell without a tag, and the rest is not."""
    for cell in node.cells:
        tags = cell.metadata.get("tags", [])
        if "hide-input" in tags:
            cell.metadata["tags"] = ["remove-input" if tag == "hide-input" else tag for tag in tags]


def _figure_alone(cell: NotebookNode) -> list[NotebookNode]:
    """Split a cell with a captioned figure: MyST-NB would take whatever else it shows for one more figure."""
    outputs = cell.get("outputs", [])
    others = [output for output in outputs if "image/svg+xml" not in output.get("data", {})]
    if "figure" not in cell.metadata.get("mystnb", {}) or len(others) in (0, len(outputs)):
        return [cell]
    cell.outputs = [output for output in outputs if output not in others]
    tags = {"tags": ["remove-input"]}
    below = new_code_cell("# below the figure", id=f"{cell['id']}-below", outputs=others, metadata=tags)
    return [cell, below]


def _with_files(text: str, page: str, up: str, files: dict[Path, bytes]) -> str:
    """Move the data out of the links of a page into files, named by page and content."""

    def link(found: re.Match[str]) -> str:
        content = base64.b64decode(found["content"])
        stem, _, ending = html.unescape(found["name"]).rpartition(".")
        target, number = DATA / f"{page}-{stem}.{ending}", 2
        while files.get(target, content) != content:
            target, number = DATA / f"{page}-{stem}-{number}.{ending}", number + 1
        files[target] = content
        return f'download="{target.name}" href="{up}_static/data/{target.name}"'

    return _LINK.sub(link, text)


def _image_name(svg: str) -> str:
    """Return how MyST-NB will name the file of a drawing: the narrow variant has the same name, in another folder."""
    return f"{hashlib.sha256(chr(10).join(svg.splitlines()).encode()).hexdigest()}.svg"
