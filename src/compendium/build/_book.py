"""Rendering: staging tree in, HTML out."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE

from compendium.build._notebooks import pair
from compendium.build._stage import Say, digest, stage
from compendium.files import repository, write_atomically
from cvstrat.errors import CvstratError

# Jupyter Book's own has neither language nor title, and lets a browser ask for an icon that is not there.
_DOOR = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>cvstrat</title><link rel="icon" href="data:,">
<meta http-equiv="refresh" content="0; url=notebooks/index.html"></head>
<body><main><h1>cvstrat</h1><p><a href="notebooks/index.html">To the first page</a></p></main></body>
</html>
"""


_START = "import sys, cvstrat, myst_nb.sphinx_ext; from jupyter_book.cli.main import main; sys.stdin.read(); main()"


def build_book(*, jobs: int = 2, say: Say = print, anew: bool = False) -> Path:
    """Execute what changed, render the book strictly, and return the path of its first page.

    Nothing is rendered if nothing has changed. Sphinx leaves pages alone whose text is as it was, with the commit and
    the addresses that they had; `anew` renders all.
    """
    root = repository()
    for folder in (root / "_build" / "html", root / "_build" / ".doctrees") if anew else ():
        shutil.rmtree(folder, ignore_errors=True)
    folder, record = root / "_build" / "stage", root / "_build" / "rendered.json"
    door = root / "_build" / "html" / "index.html"
    with _renderer(folder, root, strict=True) as finish:
        for notebook in pair(check=True):
            say(f"note: {notebook.twin.name} is not what {notebook.path.name} makes; 'compendium pair' writes it")
        stage(folder, jobs=jobs, say=say)
        if record.is_file() and json.loads(record.read_text()) == _made_from(root):
            return door
        say("rendering")
        record.unlink(missing_ok=True)
        finish()
    door.write_text(_DOOR, encoding="utf-8")
    write_atomically(record, json.dumps(_made_from(root)).encode())
    return door


def _made_from(root: Path) -> dict[str, str]:
    """Return digests of what a book is rendered from (pages, code of the reference, versions), and of its files."""
    build, code = root / "_build", (root / "src").rglob("*.py")
    sources = [*code, root / "requirements.lock", *(one for one in (build / "stage").rglob("*") if one.is_file())]
    lines = [f"{path.relative_to(root)} {digest(path)}" for path in sorted(sources) if "__pycache__" not in path.parts]
    names = sorted(str(path.relative_to(build)) for path in (build / "html").rglob("*"))
    return {name: hashlib.sha256("\n".join(one).encode()).hexdigest() for name, one in (("from", lines), ("to", names))}


def render_single_page(source: Path, output: Path) -> Path:
    """Render a staging tree as one long page and return its path, from which all its links work."""
    render(source, output, strict=False, builder="singlehtml")
    folder = output / "_build" / "singlehtml"
    return (folder / "notebooks" / "index.html").replace(folder / "index.html")  # there is a mere redirection


def render(source: Path, output: Path, *, strict: bool, builder: str = "html") -> None:
    """Run Jupyter Book on `source`; its pages go to ``_build/html``, or as the builder is called, below `output`."""
    with _renderer(source, output, strict=strict, builder=builder) as finish:
        finish()


@contextmanager
def _renderer(source: Path, output: Path, *, strict: bool, builder: str = "html") -> Iterator[Callable[[], None]]:
    """Start Jupyter Book, which loads its libraries while others work, and yield what lets it do its own work."""
    flags = ["-W", "-n", "--keep-going", "-q"] if strict else ["-qq"]
    options = [str(source), "--path-output", str(output), "--builder", builder, *flags]
    command = [sys.executable, "-c", _START, "build", *options]
    quiet = os.environ | {"PYTHONWARNINGS": "ignore"}
    with subprocess.Popen(command, text=True, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=quiet) as program:

        def finish() -> None:
            told, warned = program.communicate()  # the end of its input is the sign to begin
            if program.returncode:
                raise CvstratError(f"the book could not be rendered:\n{told[-4000:]}\n{warned[-4000:]}")

        try:
            yield finish
        finally:
            program.kill()
