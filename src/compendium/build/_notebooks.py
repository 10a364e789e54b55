"""The notebooks of the project: text is the source, the ``.ipynb`` beside it is made from it."""

from __future__ import annotations

import copy
import functools
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

import jupytext
from jupytext.config import load_jupytext_config
from nbformat import NotebookNode

from compendium.files import repository, write_atomically
from cvstrat.checks import did_you_mean
from cvstrat.errors import DataError, InputError
from cvstrat.inputs import is_there, read_file

_MAX_BYTES = 2**24
_CELL_ID = re.compile(rb'^   "id": "[^"]+",$', re.MULTILINE)


class UnknownNotebook(InputError):
    """There is no notebook of that name."""


@dataclass(frozen=True)
class Notebook:
    """A text notebook and where its other half lies."""

    path: Path

    @property
    def name(self) -> str:
        """Its name on the command line."""
        return self.path.stem

    @property
    def twin(self) -> Path:
        """The committed ``.ipynb`` without outputs, for launch links."""
        return self.path.with_suffix(".ipynb")

    def read(self) -> NotebookNode:
        """Return the text notebook as cells, with ids that depend on nothing but the text."""
        text = read_file(self.path, _MAX_BYTES)
        try:
            return copy.deepcopy(_cells(text.decode()))
        except Exception as error:  # whatever the readers of a foreign file stumble over
            reason = str(error).partition("\n")[0]
            raise DataError(f"{self.path} cannot be read as a text notebook: {reason}") from error

    def halves(self) -> dict[Path, bytes]:
        """Return what text and twin must contain: the form that ``jupytext --sync`` gives both, whichever is newer."""
        node = self.read()
        node.metadata["jupytext"] = {"default_lexer": node.metadata["jupytext"]["default_lexer"]}
        twin: str = jupytext.writes(node, fmt="ipynb")
        config = load_jupytext_config(str(self.path))
        text: str = jupytext.writes(jupytext.reads(twin, fmt="ipynb"), fmt="md:myst", config=config)
        return {self.path: text.encode(), self.twin: f"{twin.rstrip()}\n".encode()}


@functools.lru_cache(maxsize=64)
def _cells(text: str) -> NotebookNode:
    """Return the cells of a text; kept, since a build asks for them more than once."""
    node: NotebookNode = jupytext.reads(text, fmt="md")
    for number, cell in enumerate(node.cells):
        cell["id"] = hashlib.sha256(f"{number}:{cell.source}".encode()).hexdigest()[:12]
    return node


def notebooks() -> list[Notebook]:
    """Return all notebooks of the checkout."""
    return [Notebook(path) for path in sorted((repository() / "notebooks").glob("*.md"))]


def find_notebook(name: str) -> Notebook:
    """Return the notebook called `name`, or the one in the text file of that path."""
    known = {notebook.name: notebook for notebook in notebooks()}
    if name in known:
        return known[name]
    path = Path(name)
    if path.suffix == ".md" and is_there(path):
        return Notebook(path.resolve())
    raise UnknownNotebook(f"no notebook {name!r}: {did_you_mean(name, known)}")


def pair(*, check: bool = False) -> list[Notebook]:
    """Bring both halves of every notebook into jupytext's own form; return those of which one was not.

    Parameters
    ----------
    check : bool, default=False
        Only look; write nothing.
    """
    differing = []
    for notebook in notebooks():
        halves = notebook.halves()
        if not all(path.is_file() and _same(path.read_bytes(), wanted) for path, wanted in halves.items()):
            differing.append(notebook)
            for path, content in halves.items() if not check else ():
                write_atomically(path, content)
    return differing


def _same(one: bytes, other: bytes) -> bool:
    """Whether halves agree but for the ids of cells, which jupytext keeps from an earlier text."""
    return one == other or _CELL_ID.sub(b"", one) == _CELL_ID.sub(b"", other)
