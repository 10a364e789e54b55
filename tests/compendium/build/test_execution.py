"""Executing notebooks for real: results, failures, what is executed again and what is not."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest

from compendium.build import BadParameter, NotebookFailed, UnknownNotebook, find_notebook, notebooks, pair, rerun
from compendium.build import _stage as staging
from compendium.build._execute import execute
from compendium.build._notebooks import Notebook
from compendium.files import repository
from compendium.provenance import with_commit
from compendium.versions import stamped_commit

HEAD = """---
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---
"""
SMALL = (
    HEAD
    + """
# Small

```{code-cell} ipython3
:tags: [parameters]

n: int = 2
```

```{code-cell} ipython3
from compendium.datasets import published
from compendium.provenance import provenance

table = published("spezia2025_table1").head(n)
print(f"{len(table)} rows")
table.style
```

```{code-cell} ipython3
provenance()
```
"""
)


def text_of(node):
    return "".join(output.get("text", "") for cell in node.cells for output in cell.get("outputs", []))


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.md"
    path.write_text(SMALL)
    return Notebook(path)


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A repository of one small notebook, with the package and its data beside it."""
    root = tmp_path / "clone"
    here = repository()
    for name in ("data", "book"):
        shutil.copytree(here / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("_config.yml", "requirements.lock"):
        shutil.copy(here / name, root / name)
    shutil.copytree(here / "src", root / "src", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "_toc.yml").write_text("format: jb-book\nroot: notebooks/small\n")
    (root / "notebooks").mkdir()
    (root / "notebooks" / "small.md").write_text(SMALL)
    for module in ("_stage", "_notebooks"):
        monkeypatch.setattr(f"compendium.build.{module}.repository", lambda: root)
    monkeypatch.setattr("compendium.build._explore.results_script", lambda: b"made in test_explore")
    return root


def add_a_line(path):
    path.write_text(path.read_text() + "\n")


def staged(root, jobs=1):
    return staging.stage(root / "_build" / "stage", jobs=jobs, say=lambda line: None)


def test_every_notebook_of_the_project_has_equal_halves():
    assert [notebook.name for notebook in pair(check=True)] == []


def test_pairing_notices_and_mends_a_changed_half(clone):
    assert [one.name for one in pair()] == ["small"]
    twin = clone / "notebooks" / "small.ipynb"
    written = twin.read_bytes()
    assert not any(cell.get("outputs") for cell in json.loads(written)["cells"])
    twin.write_bytes(written.replace(b"rows", b"lines"))
    assert [one.name for one in pair(check=True)] == ["small"]
    assert [one.name for one in pair()] == ["small"]
    assert twin.read_bytes() == written


def test_parameters_reach_the_notebook_and_no_time_is_left_in_it(small, tmp_path):
    first = execute(small, {"n": "5"}, tmp_path / "a" / "small.ipynb", tmp_path)
    execute(small, {"n": 5}, tmp_path / "b" / "small.ipynb", tmp_path)
    assert text_of(first) == "5 rows\n"
    assert first.cells[3].outputs[-1].data["text/html"].count('id="T_small-3"') == 1
    assert (tmp_path / "a" / "small.ipynb").read_bytes() == (tmp_path / "b" / "small.ipynb").read_bytes()
    assert small.path.read_text() == SMALL


def test_text_printed_in_pieces_is_one(tmp_path):
    slow = Notebook(tmp_path / "slow.md")
    code = "from time import sleep\n\nprint(1, flush=True)\nsleep(0.5)\nprint(2)"
    slow.path.write_text(HEAD + "\n# Slow\n\n```{code-cell} ipython3\n" + code + "\n```\n")
    node = execute(slow, {}, tmp_path / "slow.ipynb", tmp_path)
    assert [output.text for output in node.cells[1].outputs] == ["1\n2\n"]


@pytest.mark.parametrize("given", [{"m": "1"}, {"n": "many"}])
def test_a_wrong_parameter_stops_before_anything_runs(small, tmp_path, given):
    with pytest.raises(BadParameter):
        execute(small, given, tmp_path / "out" / "small.ipynb", tmp_path)
    assert not (tmp_path / "out").exists()


def test_a_failing_cell_is_named_and_the_partial_output_kept(tmp_path):
    broken = Notebook(tmp_path / "broken.md")
    broken.path.write_text(SMALL.replace("table = ", "print('so far')\ntable = no_such_name or "))
    with pytest.raises(NotebookFailed, match=r"code cell 2 \('table = no_such_name .*NameError: name 'no") as failure:
        execute(broken, {}, tmp_path / "broken.ipynb", tmp_path)
    partial = tmp_path / "broken.failed.ipynb"
    assert str(partial) in str(failure.value)
    assert "so far" in text_of(nbformat.read(partial, as_version=4))
    assert not (tmp_path / "broken.ipynb").exists()


def test_a_kernel_has_the_folder_and_environment_of_its_time_and_leaves_nothing(tmp_path, monkeypatch):
    asking = Notebook(tmp_path / "asking.md")
    code = "import os\n\nprint(os.getcwd(), os.environ.get('NUMBER'), 'asked' in globals(), os.getpid())\nasked = 1"
    asking.path.write_text(HEAD + "\n# Asking\n\n```{code-cell} ipython3\n" + code + "\n```\n")
    found = []
    for number in ("1", "2"):
        folder = tmp_path / number
        folder.mkdir()
        monkeypatch.setenv("NUMBER", number)
        *said, pid = text_of(execute(asking, {}, folder / "asking.ipynb", folder)).split()
        assert said == [str(folder), number, "False"]
        found.append(int(pid))
    assert len(set(found)) == 2
    for pid in found:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_kernels_end_with_the_program_that_started_them(tmp_path):
    slow = "from pathlib import Path\nimport os, time\nPath('begun').write_text(str(os.getpid()))\ntime.sleep(60)"
    (tmp_path / "slow.md").write_text(SMALL.replace("table = ", f"{slow}\ntable = "))
    words = [sys.executable, "-m", "compendium.cli", "notebook", "slow.md", "-o", "out"]
    running = subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.DEVNULL)
    while not (begun := tmp_path / "begun").exists() or not begun.read_text():
        time.sleep(0.05)
    running.kill()
    running.wait()
    while Path(f"/proc/{begun.read_text()}").exists():  # a kernel looks for its parent once a second
        time.sleep(0.05)


def test_an_interrupt_is_told_in_one_line(tmp_path):
    slow = SMALL.replace(
        "table = ", "from pathlib import Path\nfrom time import sleep\nPath('begun').touch()\nsleep(60)\ntable = "
    )
    (tmp_path / "slow.md").write_text(slow)
    words = [sys.executable, "-m", "compendium.cli", "notebook", "slow.md", "-o", "out"]
    running = subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "begun").exists() and running.poll() is None:
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    said = running.communicate()[1]
    assert re.fullmatch("compendium: interrupted.*\n", said), said
    assert running.returncode == 130


def test_only_what_changed_is_executed_again(clone):
    assert staged(clone) == 1
    page = clone / "_build" / "stage" / "notebooks" / "small.ipynb"
    before = page.stat().st_mtime_ns
    assert staged(clone) == 0
    assert page.stat().st_mtime_ns == before

    unread = clone / "data" / "published" / "mahlich2024_table1.csv"
    unread.write_text(unread.read_text() + "\n")
    assert staged(clone) == 0
    read = clone / "data" / "published" / "spezia2025_table1.csv"
    read.write_text(read.read_text() + "\n")
    assert staged(clone) == 1
    add_a_line(clone / "src" / "compendium" / "files.py")  # which its room of data sets imports
    assert staged(clone) == 1
    for unused in (
        "compendium/build/_stage.py",
        "compendium/cli/_commands.py",
        "compendium/mahlich2024/figures.py",
        "cvstrat/advice/_answer.py",
    ):
        add_a_line(clone / "src" / unused)
    assert staged(clone) == 0
    (clone / "notebooks" / "small.md").write_text(SMALL.replace("n: int = 2", "n: int = 3"))
    assert staged(clone) == 1
    assert staged(clone) == 0


def test_a_page_taken_away_leaves_the_staging_tree(clone):
    (clone / "book" / "extra.md").write_text("# Extra\n")
    staged(clone)
    assert (clone / "_build" / "stage" / "book" / "extra.md").is_file()
    (clone / "book" / "extra.md").unlink()
    staged(clone)
    assert not (clone / "_build" / "stage" / "book" / "extra.md").exists()


def test_a_failing_notebook_fails_the_stage_and_is_tried_again(clone):
    source = clone / "notebooks" / "small.md"
    source.write_text(SMALL.replace("table = ", "table = 1 / 0 + "))
    with pytest.raises(NotebookFailed, match="ZeroDivisionError"):
        staged(clone)
    with pytest.raises(NotebookFailed, match="ZeroDivisionError"):
        staged(clone)
    source.write_text(SMALL)
    assert staged(clone) == 1


def test_of_notebooks_side_by_side_the_failing_one_is_named_and_the_other_kept(clone):
    source = clone / "notebooks" / "other.md"
    source.write_text(SMALL.replace("table = ", "table = 1 / 0 + "))
    with pytest.raises(NotebookFailed, match="^other.md: .*ZeroDivisionError"):
        staged(clone, jobs=2)
    source.write_text(SMALL)
    assert staged(clone, jobs=2) == 1


def test_provenance_names_versions_files_and_commit_but_no_date(small, tmp_path):
    node = execute(small, {}, tmp_path / "small.ipynb", tmp_path)
    box = node.cells[-1].outputs[0].data["text/html"]
    for expected in ("scikit-learn", "data/published/spezia2025_table1.csv", stamped_commit()):
        assert expected in box
    assert "2026" not in box
    assert '<code class="commit">abc &amp; d</code>' in with_commit(box, "abc & d")


def test_rerun_writes_an_executed_notebook_and_a_page(small, tmp_path):
    executed, page = rerun(str(small.path), {"n": "4"}, tmp_path / "out")
    assert text_of(nbformat.read(executed, as_version=4)) == "4 rows\n"
    html = page.read_text()
    assert "4 rows" in html
    assert (tmp_path / "out" / "_static" / "book.css").is_file()


def test_an_unknown_notebook_is_answered_with_the_nearest():
    with pytest.raises(UnknownNotebook, match="did you mean datasets"):
        find_notebook("dataset")
    assert "datasets" in {notebook.name for notebook in notebooks()}
