"""A run that is killed, at whatever moment, goes on where it was and ends in the same files."""

import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

from compendium import engine
from compendium.engine import _store
from compendium.files import write_atomically
from compendium.lifetime import check_told_to_end, interrupted_when_told_to_end

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills groups of processes")

# Ends the whole group with SIGKILL in the middle of bringing the units of a table into it.
KILLED_WHILE_COLLECTING = """
import os, signal
from compendium.engine import _store
write = _store.write_atomically
def write_and_be_killed(path, content):
    write(path, content)
    if path.name == "truth.parquet":
        os.killpg(0, signal.SIGKILL)
_store.write_atomically = write_and_be_killed
"""


class Killed(BaseException):
    """Stands for the end of the process."""


def killed_after(n, toy, folder, monkeypatch, **options):
    """Run until `n` files are written that are no shards; return whether the run was killed by this."""
    left = iter(range(n))

    def write(path, content):
        if next(left, None) is None:
            raise Killed
        write_atomically(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(_store, "write_atomically", write)
        try:
            toy.run(folder, quiet=True, **options)
        except Killed:
            return True
    return False


def test_a_run_killed_again_and_again_ends_in_the_same_files(
    small_run, tmp_path, start_small_run, finish_small_run, wait_for_shards, kill_group, deterministic
):
    rng = random.Random(2025)
    folder = tmp_path / "killed"
    process = start_small_run(folder, "--jobs", "2")
    wait_for_shards(process, folder, rng.randint(1, 5))
    kill_group(process)
    assert process.returncode == -signal.SIGKILL
    process = start_small_run(folder, "--jobs", "1", code=KILLED_WHILE_COLLECTING)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert "replacing" in json.loads((folder / "manifest.json").read_text())
    assert _store.check_result(folder) == []
    process = start_small_run(folder, "--jobs", "2")
    wait_for_shards(process, folder, rng.randint(1, 15))
    kill_group(process)
    assert process.returncode == -signal.SIGKILL

    done = finish_small_run(folder)
    assert (done.missing, done.failed) == (0, {})
    assert done.known > 10
    assert deterministic(folder) == deterministic(small_run)
    assert sorted(deterministic(folder)) == ["clusters.parquet", "folds.parquet", "truth.parquet", "tuning.parquet"]
    assert _store.check_result(folder) == []
    assert finish_small_run(folder).computed == 0


def test_being_told_to_end_while_an_object_is_forgotten_is_neither_shown_nor_lost(capfd):
    class Forgotten:
        def __del__(self):
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(1)

    with interrupted_when_told_to_end():
        Forgotten()
        with pytest.raises(KeyboardInterrupt):
            check_told_to_end()
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_run_that_is_told_to_end_keeps_its_finished_units_in_tables(
    tmp_path, small_run, start_small_run, wait_for_shards, number
):
    folder = tmp_path / "ended"
    process = start_small_run(folder, "--jobs", "2")
    wait_for_shards(process, folder, 12)
    process.send_signal(number)
    _, said = process.communicate()
    assert process.returncode == 130, said
    assert said.splitlines()[-1].startswith("compendium: interrupted; what was finished is kept")
    assert "Traceback" not in said
    assert len(list((folder / "shards").glob("*"))) <= 1  # the one that was just being counted
    kept = engine.read_tables("spezia2025", folder)["folds"]
    whole = engine.read_tables("spezia2025", small_run)["folds"]
    assert 0 < len(kept) < len(whole)
    pd.testing.assert_frame_equal(kept, whole.merge(kept[["dataset", "technique", "repeat"]].drop_duplicates()))


def test_a_kill_between_any_two_writes_costs_nothing(toy, tmp_path, monkeypatch, deterministic):
    for n in itertools.count():
        folder = tmp_path / str(n)
        toy.run(folder, only={"set": ["a"], "number": [1]}, quiet=True)
        if not killed_after(n, toy, folder, monkeypatch):
            break
        assert _store.check_result(folder) == []
        toy.run(folder, quiet=True)
        assert deterministic(folder) == toy.expected()
    assert n >= 8
    assert len(toy.calls()) == 12 * (n + 1)


@pytest.mark.parametrize(
    ("fields", "calls"),
    [({"n": 3, "sets": ("b", "a", "c")}, 2 + 4 + 6), ({"rows": 3}, 2 + 4 + 4)],
    ids=["units", "rows"],
)
def test_a_kill_between_any_two_writes_of_a_growing_study_costs_nothing(
    toy, tmp_path, monkeypatch, deterministic, fields, calls
):
    small = toy.study.spec(sets=("a", "b"), n=2)
    large = toy.study.spec(**{"sets": ("a", "b"), "n": 2} | fields)
    for n in itertools.count():
        folder = tmp_path / str(n)
        toy.run(folder, spec=small, quiet=True)
        if not killed_after(n, toy, folder, monkeypatch, spec=large):
            break
        toy.run(folder, spec=large, quiet=True)
        assert deterministic(folder) == toy.expected(**{"sets": ("a", "b"), "n": 2} | fields)
        assert _store.check_result(folder) == []
    assert n >= 8
    assert len(toy.calls()) == calls * (n + 1)


def test_a_kill_while_units_are_computed_again_leaves_all_of_them_to_do_or_none(
    toy, tmp_path, monkeypatch, deterministic
):
    for n in itertools.count():
        folder = tmp_path / str(n)
        toy.run(folder, quiet=True)
        before = len(toy.calls())
        if not killed_after(n, toy, folder, monkeypatch, again={"set": ["a"]}):
            break
        missing = engine.status(toy.study, folder=folder)["missing"].sum()
        assert missing + len(toy.calls()) - before in (0, 4)
        assert not missing or _store.check_result(folder) != []
        toy.run(folder, quiet=True)
        assert len(toy.calls()) - before in (0, 4)
        assert deterministic(folder) == toy.expected()
        assert _store.check_result(folder) == []
    assert n >= 6


def test_nothing_is_left_lying_about_after_a_kill(toy, tmp_path, monkeypatch):
    for n in itertools.count():
        folder = tmp_path / str(n)
        if not killed_after(n, toy, folder, monkeypatch):
            break
        toy.run(folder, quiet=True)
        assert sorted(path.name for path in folder.iterdir()) == [
            ".lock",
            "first.parquet",
            "manifest.json",
            "second.parquet",
            "second_times.parquet",
        ]
    assert n > 5


def test_a_folder_killed_twice_while_it_is_written_ends_in_the_same_files(toy, tmp_path, monkeypatch, deterministic):
    moments = list(itertools.product(range(1, 9), repeat=2))
    for first, second in random.Random(1).sample(moments, 12):
        folder = tmp_path / f"{first}-{second}"
        killed_after(first, toy, folder, monkeypatch)
        killed_after(second, toy, folder, monkeypatch)
        toy.run(folder, quiet=True)
        assert deterministic(folder) == toy.expected()


def test_workers_end_when_the_program_that_started_them_is_killed(tmp_path):
    """The units of this run would last a minute."""
    pids = tmp_path / "pids"
    code = f"""
import os, time
from dataclasses import dataclass
from pathlib import Path
from compendium.engine import Study, Table, axis
from compendium.engine._engine import run_study

@dataclass(frozen=True)
class Spec:
    n: int = axis("number", 2)

def work(spec, unit, tables):
    import os, time
    from pathlib import Path
    with Path({str(pids)!r}).open("a") as file:
        file.write(f"{{os.getpid()}}\\n")
    time.sleep(60)

units = lambda spec, tables: [{{"number": number}} for number in range(spec.n)]
study = Study("slow", "", Spec, {{"paper": Spec}}, (Table("t", ("number",), units, work),), lambda spec: None,
              lambda spec, wanted: {{}}, dict)
run_study(study, study.spec(), Path({str(tmp_path / "r")!r}), jobs=2)
"""
    process = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
    while not pids.exists() or len(pids.read_text().splitlines()) < 2:
        assert process.poll() is None
        time.sleep(0.05)
    process.kill()
    process.wait()
    left = [int(pid) for pid in pids.read_text().split()]
    for _ in range(200):
        left = [pid for pid in left if _runs(pid)]
        if not left:
            break
        time.sleep(0.05)
    assert left == []


def _runs(pid):
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
