"""The box "Run this page yourself": where the notebook is, which parameters it takes, and the commands."""

from __future__ import annotations

import ast
import json
import re
import shlex
from typing import Any

from nbformat import NotebookNode

from compendium.build._parameters import parameters_of
from compendium.parameters import Parameter, fits

TITLE = "Run this page yourself"
_OWN = re.compile(rf"^:::+\{{dropdown\}} {TITLE}\n(?P<words>.*?)^:::+[ \t]*$\n?", re.MULTILINE | re.DOTALL)
_EXAMPLE = re.compile(r"\b(?:or|such as) (?P<value>\[[^\]]*\]|\"[^\"]*\"|-?[\d.]+)")


def take_own_words(node: NotebookNode) -> str:
    """Take what a page itself says in a dropdown of this title out of its place, and return it."""
    found: list[str] = []
    for cell in node.cells:
        if cell.cell_type == "markdown":
            found += [match["words"].strip() for match in _OWN.finditer(cell.source)]
            cell.source = _OWN.sub("", cell.source)
    return "\n\n".join(found)


def run_box(node: NotebookNode, name: str, *, up: str = "../", folder: str = "notebooks/") -> str:
    """Return the box as text in MyST, folded.

    Parameters
    ----------
    node : NotebookNode
        The notebook, executed or not, with its parameters cell and the one that papermill puts in.
    name : str
        Its name.
    up : str, default="../"
        The way from the page to the first folder of the book.
    folder : str, default="notebooks/"
        Where the page lies in the book.
    """
    own = take_own_words(node)
    source = f"{up}_sources/{folder}{name}.ipynb"
    parts = [
        f'This page is a notebook: <a href="{source}" download="{name}.ipynb">{name}.ipynb</a>, as text '
        f"`notebooks/{name}.md`. In a checkout, after `make setup`, these commands execute it, as it is or with other "
        "parameters.",
        _code("bash", "\n".join(_commands(name, _examples(node)))),
    ]
    if own:
        parts.append(own)
    for tag, words in (
        ("parameters", "Its parameters and their defaults:"),
        ("injected-parameters", "It was executed with:"),
    ):
        parts += [f"{words}\n\n{_code('python', cell.source)}" for cell in tagged(node, tag)]
    body = "\n\n".join(parts)
    return f"::::::{{dropdown}} {TITLE}\n:class-container: run-box\n\n{body}\n::::::"


def tagged(node: NotebookNode, tag: str) -> list[NotebookNode]:
    """Return the cells with a tag."""
    return [cell for cell in node.cells if tag in cell.metadata.get("tags", [])]


def _examples(node: NotebookNode) -> dict[str, Any]:
    """Return up to two parameters with values to try: those that comments name, or else the defaults of the first."""
    parameters = parameters_of(node)
    lines = [line for cell in tagged(node, "parameters") for line in cell.source.splitlines()]
    comments = {line.partition(":")[0]: line.partition("#")[2] for line in lines}
    named = {name: _example(one, comments.get(name, "")) for name, one in parameters.items()}
    chosen = {name: value for name, value in named.items() if value is not None}
    return dict(list((chosen or {name: one.default for name, one in parameters.items()}).items())[:2])


def _example(parameter: Parameter, comment: str) -> Any:
    for found in _EXAMPLE.finditer(comment):
        try:
            value = ast.literal_eval(found["value"])
        except (ValueError, SyntaxError):
            continue
        if fits(value, parameter.type):
            return value
    return None


def _commands(name: str, values: dict[str, Any]) -> list[str]:
    ours = [f"-p {one} {shlex.quote(_json(value))}" for one, value in values.items()]
    plain = [
        f"-p {one} {shlex.quote(_json(value))}"
        if isinstance(value, str | int | float)
        else f"-y {shlex.quote(f'{one}: {_json(value)}')}"
        for one, value in values.items()
    ]
    start, other = f".venv/bin/compendium notebook {name}", f".venv/bin/papermill notebooks/{name}.ipynb out.ipynb"
    return [start, *([" ".join([start, *ours])] if ours else []), " ".join([other, *plain])]


def _json(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _code(language: str, text: str) -> str:
    return f"```{language}\n{text.strip()}\n```"
