"""Executing one notebook, never in place."""

from __future__ import annotations

import os
import re
import warnings
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from compendium.build._notebooks import Notebook
from compendium.build._parameters import checked
from compendium.datasets import UnknownDataset
from compendium.files import write_atomically
from compendium.parameters import BadParameter
from cvstrat.errors import CvstratError, InputError
from cvstrat_cli import one_line

_STYLED_ID = re.compile(r"\bT_[0-9a-f]{5}(?=\b|_)")
_WRONG_USE = {InputError.__name__, UnknownDataset.__name__}  # raised in a cell: a value of a parameter
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_LINE_IN_CELL = re.compile(r"Cell In ?\[\d+\], line (\d+)")
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


class NotebookFailed(CvstratError):
    """A cell raised; the message names it and where the partial output is."""


def execute(notebook: Notebook, given: dict[str, Any], target: Path, cwd: Path) -> NotebookNode:
    """Execute `notebook` with parameters into `target` and return the result, free of times and random ids.

    A failing cell raises :class:`NotebookFailed`; the notebook as far as it came is then beside the target, with
    ``.failed`` in its name.
    """
    import papermill  # heavy, as are kernels, and not needed to list or check notebooks

    from compendium.build._kernels import QuickKernelManager

    node = notebook.read()
    values = checked(node, given)
    partial = target.with_name(f"{target.stem}.failed.ipynb")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        partial.touch()
    except OSError as error:
        raise CvstratError(f"{target.parent} cannot be written: {error.strerror}") from error
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result: NotebookNode = papermill.execute_notebook(
                node,
                str(partial),
                parameters=values,
                kernel_name="python3",
                cwd=str(cwd),
                progress_bar=False,
                kernel_manager_class=QuickKernelManager,
                extra_arguments=["--IPKernelApp.log_level=CRITICAL"],
            )
    except papermill.PapermillExecutionError as error:
        if error.ename in _WRONG_USE:
            partial.unlink(missing_ok=True)
            raise BadParameter(f"{notebook.path.name}: {error.evalue}") from None
        raise NotebookFailed(
            f"{notebook.path.name}: code cell {error.exec_count} ({_raising_line(error)!r}) failed with "
            f"{error.ename}: {one_line(error.evalue)}; the notebook as far as it came: {partial}"
        ) from None
    partial.unlink()
    write_atomically(target, nbformat.writes(_cleaned(result, notebook.name)).encode())
    return result


def _raising_line(error: Any) -> str:
    """Return the line of the cell that raised, or called what did; the traceback names its number."""
    lines: list[str] = error.source.splitlines()
    number = _LINE_IN_CELL.search(_COLOUR.sub("", "\n".join(error.traceback)))
    place = int(number[1]) if number else 1
    return (lines[place - 1] if place <= len(lines) else error.source.strip().partition("\n")[0]).strip()


def _without_random_ids(text: str, name: str) -> str:
    """Give the random ids of styled tables a name, and take out addresses in memory."""
    return _ADDRESS.sub("", _STYLED_ID.sub(f"T_{name}", text))


def _joined(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Return outputs in which text that came in several pieces is one."""
    found: list[NotebookNode] = []
    for output in outputs:
        if found and output.output_type == "stream" and found[-1].get("name") == output.name:
            found[-1].text += output.text
        else:
            found.append(output)
    return found


def _cleaned(node: NotebookNode, name: str) -> NotebookNode:
    """Take out what differs from run to run, and hide what papermill puts in.

    The ids of tables bear the name of the notebook: the printed book has all tables on one page.
    """
    node.metadata.pop("papermill", None)
    for number, cell in enumerate(node.cells):
        cell.metadata.pop("papermill", None)
        cell.metadata.pop("execution", None)
        cell["id"] = f"cell-{number}"
        if "outputs" in cell:
            cell.outputs = _joined(cell.outputs)
        for output in cell.get("outputs", []):
            for kind in ("text/html", "text/plain"):
                if kind in output.get("data", {}):
                    output.data[kind] = _without_random_ids(output.data[kind], f"{name}-{number}")
        tags = cell.metadata.get("tags", [])
        if "injected-parameters" in tags and "hide-input" not in tags:
            cell.metadata["tags"] = [*tags, "hide-input"]
    return node
