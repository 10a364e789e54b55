"""The staging tree: prose copied, notebooks executed if what they depend on changed, and nothing else touched."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path

from nbformat import NotebookNode, v4

from compendium.build import _explore as explore
from compendium.build._dependencies import Steps, modules_of
from compendium.build._execute import NotebookFailed, execute
from compendium.build._notebooks import Notebook, notebooks
from compendium.build._page import page_of
from compendium.files import repository, write_atomically
from compendium.provenance import with_commit
from compendium.versions import stamped_commit

Say = Callable[[str], None]


def stage(folder: Path, *, jobs: int, say: Say) -> int:
    """Bring `folder` up to date with the repository and return how many notebooks were executed."""
    root = repository()
    executed = _execute_changed(root, folder.parent / "executed", jobs, say)
    wanted = {path.relative_to(root): path.read_bytes() for path in _prose(root)}
    wanted[explore.SCRIPT] = _results(root, folder.parent / "executed")
    current = stamped_commit()
    for notebook in notebooks():
        text = (folder.parent / "executed" / f"{notebook.name}.ipynb").read_text(encoding="utf-8")
        node = v4.reads(text)  # without a check of its form, which takes a second for all: it was made here
        _stamp(node, current)
        page, files = page_of(node, notebook.name)
        wanted[notebook.twin.relative_to(root)] = v4.writes(page).encode()
        wanted |= files
    _mirror(wanted, folder)
    return executed


def needs_execution(root: Path, notebook: Notebook, record: Path, steps: Steps | None = None) -> bool:
    """Tell whether anything that the page was made from has changed since `record` was written.

    `steps` is what is known of imports; see :func:`modules_of`.
    """
    if not record.is_file() or not record.with_suffix(".ipynb").is_file():
        return True
    known: dict[str, dict[str, str]] = json.loads(record.read_text())
    return known != _fingerprint(root, notebook, sorted(known["files"]), steps)


def _results(root: Path, folder: Path) -> bytes:
    """Return the script of all results, made anew if results or code have changed."""
    record, script = folder / "results-script.json", folder / "results-script.js"
    made_from = {path.relative_to(root).as_posix(): digest(path) for path in explore.sources(root)}
    if not (record.is_file() and script.is_file() and json.loads(record.read_text()) == made_from):
        write_atomically(script, explore.results_script())
        write_atomically(record, json.dumps(made_from, indent=1).encode())
    return script.read_bytes()


def _execute_changed(root: Path, folder: Path, jobs: int, say: Say) -> int:
    steps: Steps = {}
    due = [one for one in notebooks() if needs_execution(root, one, folder / f"{one.name}.json", steps)]
    say(f"{len(due)} of {len(notebooks())} notebooks to execute")
    due.sort(key=lambda one: one.path.stat().st_size, reverse=True)  # long pages take long: none is left for the end
    failures = []
    for number, (name, result) in enumerate(_executions(root, due, folder, jobs), start=1):
        try:
            say(f"  [{number}/{len(due)}] {name}: executed in {result():.1f} s")
        except NotebookFailed as failure:
            failures.append(str(failure))
            say(f"  [{number}/{len(due)}] {name}: failed")
    if failures:
        raise NotebookFailed("\n".join(failures))
    return len(due)


def _executions(root: Path, due: list[Notebook], folder: Path, jobs: int) -> Iterator[tuple[str, Callable[[], float]]]:
    """Yield the name of each notebook and a function that gives its seconds, or raises what went wrong."""
    if min(jobs, len(due)) <= 1:  # here, where a process that starts kernels may already be
        yield from ((notebook.name, partial(_execute_one, root, notebook, folder)) for notebook in due)
        return
    with ProcessPoolExecutor(max_workers=min(jobs, len(due))) as pool:
        script = pool.submit(_results, root, folder)  # beside the notebooks: it takes as long as one of them
        running = {pool.submit(_execute_one, root, notebook, folder): notebook.name for notebook in due}
        yield from ((running[future], future.result) for future in as_completed(running))
        script.result()


def _execute_one(root: Path, notebook: Notebook, folder: Path) -> float:
    start = time.perf_counter()
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # notebooks run side by side: more threads would only wait for cores
    record = folder / f"{notebook.name}.json"
    record.unlink(missing_ok=True)
    node = execute(notebook, {}, record.with_suffix(".ipynb"), cwd=root)
    fingerprint = _fingerprint(root, notebook, _files_read(node, notebook))
    write_atomically(record, json.dumps(fingerprint, indent=1).encode())
    return time.perf_counter() - start


def _files_read(node: NotebookNode, notebook: Notebook) -> list[str]:
    for cell in reversed(node.cells):
        for output in cell.get("outputs", []):
            if "cvstrat" in output.get("metadata", {}):
                files: list[str] = output.metadata["cvstrat"]["files"]
                return files
    raise NotebookFailed(f"{notebook.path.name}: its last cell must call compendium.provenance.provenance()")


def _fingerprint(root: Path, notebook: Notebook, files: list[str], steps: Steps | None = None) -> dict[str, object]:
    """Return digests of what a page is made from: text, way of execution, locked versions, modules, files read."""
    cells = [cell.source for cell in notebook.read().cells if cell.cell_type == "code"]
    modules = modules_of("\n".join(cells), root / "src", steps)
    return {
        "source": digest(notebook.path),
        "execution": digest(root / "src" / "compendium" / "build" / "_execute.py"),
        "versions": digest(root / "requirements.lock"),
        "modules": {path.relative_to(root).as_posix(): digest(path) for path in modules},
        "files": {name: digest(root / "data" / name) for name in files},
    }


def digest(path: Path) -> str:
    """Return the digest of a file, or that it is gone."""
    if not path.is_file():
        return "gone"
    state = path.stat()
    return _digest_once(path, state.st_mtime_ns, state.st_size)


@functools.lru_cache(maxsize=4096)
def _digest_once(path: Path, *_: int) -> str:
    """Return the digest of a file; kept while the file is as it was, since most pages rest on the same files."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _prose(root: Path) -> list[Path]:
    pages = [path for path in (root / "book").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return [root / "_config.yml", root / "_toc.yml", *pages]


def _stamp(node: NotebookNode, current: str) -> None:
    for cell in node.cells:
        for output in cell.get("outputs", []):
            if "cvstrat" in output.get("metadata", {}):
                output.data["text/html"] = with_commit(output.data["text/html"], current)


def _mirror(wanted: dict[Path, bytes], folder: Path) -> None:
    """Make `folder` hold just the wanted files; a file that is right already keeps its time."""
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        if path.relative_to(folder) not in wanted:
            path.unlink()
    for relative, content in wanted.items():
        target = folder / relative
        if target.is_dir():
            shutil.rmtree(target)
        if not target.is_file() or target.read_bytes() != content:
            write_atomically(target, content)
