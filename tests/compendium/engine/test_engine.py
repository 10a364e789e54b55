"""The engine: the same files whatever the order and the workers, and no work done twice."""

import contextlib
import dataclasses
import errno
import itertools
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from compendium import engine
from compendium.cli import main
from compendium.engine import StudyError, _registry, _results, _shards, _store
from compendium.engine._folder import sole_writer
from compendium.engine._shards import Shards
from compendium.engine._specs import digest
from compendium.files import write_atomically

ALL = 3 + 9


def manifest_of(folder):
    return json.loads((folder / "manifest.json").read_text())


def failing_after(n, *modules, monkeypatch):
    """Let the disk be full after `n` files."""
    written = []

    def write(path, content):
        if len(written) >= n:
            raise OSError(errno.ENOSPC, "No space left on device")
        written.append(path)
        write_atomically(path, content)

    for module in modules:
        monkeypatch.setattr(module, "write_atomically", write)


def leave_shards(toy, folder, monkeypatch):
    """Run until tables are to be written, which fails: the units of the first table are left as shards."""
    with monkeypatch.context() as patch:
        failing_after(1, _store, monkeypatch=patch)
        with pytest.raises(StudyError):
            toy.run(folder, quiet=True)
    return Shards(folder, digest(toy.study.spec()))


def test_the_number_of_workers_does_not_matter(toy, tmp_path, deterministic):
    done = toy.run(tmp_path / "two", jobs=2)
    assert (done.computed, done.known, done.missing, done.failed) == (ALL, 0, 0, {})
    assert deterministic(tmp_path / "two") == toy.expected()
    assert sorted(toy.expected()) == ["first.parquet", "second.parquet"]


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_pieces_does_not_matter(toy, tmp_path, deterministic, seed):
    random = np.random.default_rng(seed)
    pieces = [{"set": [name], "number": [number]} for name in "abc" for number in range(3)]
    for place in random.permutation(len(pieces)):
        toy.run(tmp_path / "pieces", only=pieces[place], quiet=True)
    assert deterministic(tmp_path / "pieces") == toy.expected()
    assert len(toy.calls()) == ALL


def test_rows_are_in_the_order_of_the_spec(toy, tmp_path):
    toy.run(tmp_path / "r", only={"set": "b"}, quiet=True)
    toy.run(tmp_path / "r", quiet=True)
    table = engine.load_result("toy", "second", folder=tmp_path / "r")
    assert table["set"].tolist() == ["c"] * 6 + ["a"] * 6 + ["b"] * 6
    assert table["number"].tolist() == [0, 0, 1, 1, 2, 2] * 3
    assert "fit_seconds" not in table.columns
    times = engine.load_result("toy", "second_times", folder=tmp_path / "r")
    assert times.columns.tolist() == ["set", "number", "row", "fit_seconds"]
    assert len(times) == len(table)


def test_units_get_the_rows_they_need(toy, tmp_path):
    toy.run(tmp_path / "r", quiet=True)
    table = engine.load_result("toy", "second", folder=tmp_path / "r")
    assert (table["given"] == table["set"] * 2).all()


def test_what_is_done_is_not_done_again(toy, tmp_path, deterministic):
    toy.run(tmp_path / "r", only={"set": ["a"]}, quiet=True)
    done = toy.run(tmp_path / "r", quiet=True)
    assert (done.computed, done.known) == (ALL - 4, 4)
    before = deterministic(tmp_path / "r")
    done = toy.run(tmp_path / "r", quiet=True)
    assert (done.computed, done.known, done.missing) == (0, ALL, 0)
    assert len(toy.calls()) == len(set(toy.calls())) == ALL
    assert deterministic(tmp_path / "r") == before
    assert not (tmp_path / "r" / "shards").exists()


def test_a_failing_unit_is_recorded_and_the_others_go_on(toy_command, tmp_path, capsys, deterministic):
    folder = tmp_path / "r"
    toy_command.trouble("second a 1", "fail")
    assert main(["run", "toy", "--output", str(folder), "--jobs", "1"]) == 1
    printed = capsys.readouterr()
    assert "second: a, 1 failed: RuntimeError: out of luck" in printed.err
    assert "11 units computed, 0 were there, 1 are missing" in printed.out
    assert manifest_of(folder)["failed"] == {"second: a, 1": "RuntimeError: out of luck"}
    assert len(engine.load_result("toy", "second", folder=folder)) == 2 * 8
    assert engine.status("toy", folder=folder).set_index(["table", "set"]).loc[("second", "a")].to_dict() == {
        "done": 2,
        "skipped": 0,
        "failed": 1,
        "missing": 0,
    }

    toy_command.mend()
    assert main(["run", "toy", "--output", str(folder), "--jobs", "1"]) == 0
    assert toy_command.calls("second a 1") == ["second a 1"] * 2
    assert len(toy_command.calls()) == ALL + 1
    assert manifest_of(folder)["failed"] == {}
    assert deterministic(folder) == toy_command.expected()


def test_a_failure_stays_on_record_while_other_parts_are_run(toy, tmp_path):
    toy.trouble("second a 1", "fail")
    toy.run(tmp_path / "r", only={"set": "a"}, quiet=True)
    toy.run(tmp_path / "r", only={"set": "b"}, quiet=True)
    assert manifest_of(tmp_path / "r")["failed"] == {"second: a, 1": "RuntimeError: out of luck"}


def test_what_needs_a_failed_unit_fails_too_and_is_done_later(toy, tmp_path, deterministic):
    toy.trouble("first b", "fail")
    done = toy.run(tmp_path / "r", quiet=True)
    assert sorted(done.failed) == ["first: b", "second: b, 0", "second: b, 1", "second: b, 2"]
    assert (done.computed, done.missing) == (ALL - 4, 4)
    toy.mend()
    toy.run(tmp_path / "r", quiet=True)
    assert deterministic(tmp_path / "r") == toy.expected()


def test_a_skipped_unit_is_recorded_and_not_tried_again(toy_command, tmp_path, capsys):
    folder = tmp_path / "r"
    toy_command.trouble("second c 0", "skip")
    for computed in (12, 0):
        assert main(["run", "toy", "--output", str(folder), "--jobs", "1"]) == 0
        printed = capsys.readouterr().out
        assert f"{computed} units computed" in printed
        assert "0 are missing" in printed
        assert "skipped: second: c, 0: does not apply" in printed
    assert manifest_of(folder)["skipped"] == {"second: c, 0": "does not apply"}
    assert toy_command.calls("second c 0") == ["second c 0"]
    assert engine.status("toy", folder=folder)["skipped"].sum() == 1


def test_an_interrupted_run_keeps_what_was_finished(toy_command, tmp_path, capsys, deterministic):
    folder = tmp_path / "r"
    toy_command.trouble("second a 1", "interrupt")
    assert main(["run", "toy", "--output", str(folder), "--jobs", "1"]) == 130
    assert "interrupted" in capsys.readouterr().err
    kept = engine.load_result("toy", "second", folder=folder)
    assert len(kept) == 2 * 4
    assert main(["run", "toy", "--output", str(folder), "--jobs", "1"]) == 130
    toy_command.mend()
    assert main(["run", "toy", "--output", str(folder), "--jobs", "1"]) == 0
    assert len(toy_command.calls()) == ALL + 2
    assert deterministic(folder) == toy_command.expected()


def test_a_signal_that_a_library_swallows_ends_the_run_all_the_same(toy_command, tmp_path, monkeypatch):
    first, second = toy_command.study.tables

    def work(*given):
        with contextlib.suppress(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGTERM)
        return first.work(*given)

    study = dataclasses.replace(toy_command.study, tables=(dataclasses.replace(first, work=work), second))
    monkeypatch.setattr(_registry, "studies", lambda: {"toy": study})
    assert main(["run", "toy", "--output", str(tmp_path / "r"), "--jobs", "1"]) == 130
    assert toy_command.calls() == ["first c"]
    assert len(engine.load_result("toy", "first", folder=tmp_path / "r")) == 1


def test_a_worker_that_is_killed_is_replaced(toy, tmp_path, capsys, deterministic):
    toy.trouble("second b 1", "die once")
    done = toy.run(tmp_path / "r", jobs=2)
    assert (done.missing, done.failed) == (0, {})
    assert "a worker was killed" in capsys.readouterr().err
    assert deterministic(tmp_path / "r") == toy.expected()


def test_workers_that_are_always_killed_end_the_run_with_a_reason(toy, tmp_path, deterministic):
    for name in "abc":
        toy.trouble(f"first {name}", "die")
    with pytest.raises(StudyError, match="memory enough"):
        toy.run(tmp_path / "r", jobs=2, quiet=True)
    toy.mend()
    toy.run(tmp_path / "r", quiet=True)
    assert deterministic(tmp_path / "r") == toy.expected()


def test_shards_that_were_left_are_taken_up(toy, tmp_path, monkeypatch, deterministic):
    leave_shards(toy, tmp_path / "r", monkeypatch)
    assert len(list((tmp_path / "r" / "shards").iterdir())) == 3
    done = toy.run(tmp_path / "r")
    assert (done.computed, done.known) == (9, 3)
    assert deterministic(tmp_path / "r") == toy.expected()
    assert not (tmp_path / "r" / "shards").exists()


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1],
        lambda content: b"",
        lambda content: np.random.default_rng(0).bytes(len(content)),
        lambda content: content.replace(b"out", b"0ut") + b"x",
    ],
    ids=["half", "last byte", "empty", "random", "longer"],
)
def test_a_damaged_shard_is_named_and_computed_again(toy, tmp_path, monkeypatch, capsys, deterministic, damage):
    shard = leave_shards(toy, tmp_path / "r", monkeypatch).path("first: a")
    shard.write_bytes(damage(shard.read_bytes()))
    toy.run(tmp_path / "r")
    aside = tmp_path / "r" / f"{shard.name}.damaged-1"
    assert f"{shard.name} is damaged, set aside as {aside.name}: computed again" in capsys.readouterr().err
    assert aside.exists()
    assert toy.calls("first") == ["first a", "first a", "first b", "first c"]
    assert deterministic(tmp_path / "r") == toy.expected()
    assert not (tmp_path / "r" / "shards").exists()


def test_a_shard_with_a_flipped_bit_is_never_taken_for_another_result(toy, tmp_path, monkeypatch):
    shards = leave_shards(toy, tmp_path / "r", monkeypatch)
    shard = shards.path("first: a")
    content, right = shard.read_bytes(), shards.read("first: a")
    random = np.random.default_rng(0)
    for _ in range(300):
        flipped = bytearray(content)
        flipped[random.integers(len(content))] ^= 1 << random.integers(8)
        shard.write_bytes(flipped)
        try:
            rows, skipped = shards.read("first: a")
        except _store.ResultError:
            continue
        assert rows.equals(right[0])
        assert skipped == right[1]


def test_a_shard_of_another_spec_or_unit_is_named_and_computed_again(toy, tmp_path, monkeypatch, capsys, deterministic):
    shards = leave_shards(toy, tmp_path / "r", monkeypatch)
    foreign = Shards(tmp_path / "other", digest(toy.study.spec(seed=1)))
    foreign.write("first: a", pd.DataFrame({"set": ["a"], "letter": ["aa"], "value": [0.0]}))
    foreign.path("first: a").replace(shards.path("first: a"))
    shutil.copy(shards.path("first: c"), shards.path("first: b"))
    plain = pd.DataFrame({"set": ["c"], "letter": ["cc"], "value": [0.0]})
    plain.to_parquet(shards.path("first: c"))
    toy.run(tmp_path / "r")
    printed = capsys.readouterr().err
    for name in "abc":
        assert re.search(rf"{re.escape(shards.path(f'first: {name}').name)} is .*: computed again", printed)
    assert toy.calls("first") == [f"first {name}" for name in "aabbcc"]
    assert deterministic(tmp_path / "r") == toy.expected()


def test_results_of_another_spec_are_refused_with_the_difference(toy, tmp_path, deterministic):
    toy.run(tmp_path / "r", quiet=True)
    before = {path.name: path.read_bytes() for path in (tmp_path / "r").iterdir()}
    with pytest.raises(StudyError, match=r"another spec(.|\n)*--output(.|\n)*seed: 0 there, 1 here") as caught:
        toy.run(tmp_path / "r", spec=toy.study.spec(seed=1), quiet=True)
    assert "n:" not in str(caught.value)
    assert {path.name: path.read_bytes() for path in (tmp_path / "r").iterdir()} == before


def test_results_of_another_study_are_refused(toy, tmp_path):
    toy.run(tmp_path / "r", quiet=True)
    other = dataclasses.replace(toy.study, name="other")
    with pytest.raises(StudyError, match="study: toy there, other here"):
        engine._engine.run_study(other, other.spec(), tmp_path / "r", jobs=1)


def test_changed_data_are_refused(toy, tmp_path):
    toy.run(tmp_path / "r", quiet=True)
    changed = dataclasses.replace(
        toy.study, checksums=lambda spec, wanted: dict.fromkeys(spec.sets, "0" * 64) | {"a": "1" * 64}
    )
    with pytest.raises(StudyError, match=f"a: {'0' * 64} there, {'1' * 64} here"):
        engine._engine.run_study(changed, changed.spec(), tmp_path / "r", jobs=1)


def test_a_full_disk_is_said_and_costs_nothing_that_was_finished(toy, tmp_path, monkeypatch, deterministic):
    fields = {"sets": ("b", "a"), "n": 1}
    spec = toy.study.spec(**fields)
    for n in itertools.count():
        folder = tmp_path / str(n)
        with monkeypatch.context() as patch:
            failing_after(n, _store, _shards, monkeypatch=patch)
            try:
                toy.run(folder, spec=spec, quiet=True)
                break
            except StudyError as error:
                assert "cannot be written (the disk is full)" in str(error)
        if (folder / "manifest.json").exists():
            assert _store.check_result(folder) == []
        toy.run(folder, spec=spec, quiet=True)
        assert deterministic(folder) == toy.expected(**fields)
    assert n > 8


def test_a_unit_that_was_kept_before_the_disk_was_full_is_not_computed_again(toy, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        failing_after(3, _store, _shards, monkeypatch=patch)
        with pytest.raises(StudyError):
            toy.run(tmp_path / "r", quiet=True)
    toy.run(tmp_path / "r", quiet=True)
    assert toy.calls("first") == ["first a", "first b", "first b", "first c"]


def test_an_output_that_is_a_file_is_said_in_one_line(toy_command, tmp_path, capsys):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(SystemExit) as ended:
        main(["run", "toy", "--output", str(tmp_path / "file"), "--jobs", "1"])
    assert ended.value.code == 2
    assert re.fullmatch(r"compendium run: .*file' cannot be a folder.*\n", capsys.readouterr().err)
    assert (tmp_path / "file").read_text() == "mine"
    assert toy_command.calls() == []


def test_the_manifest_says_what_the_results_are_and_what_made_them(toy, tmp_path):
    toy.run(tmp_path / "r", only={"set": "a"}, quiet=True)
    toy.run(tmp_path / "r", quiet=True)
    manifest = manifest_of(tmp_path / "r")
    assert manifest["study"] == "toy"
    assert manifest["spec"] == {"sets": ["c", "a", "b"], "n": 3, "rows": 2, "seed": 0}
    assert manifest["data"] == dict.fromkeys("abc", "0" * 64)
    assert {name: listed["rows"] for name, listed in manifest["tables"].items()} == {
        "first": 3,
        "second": 18,
        "second_times": 18,
    }
    (made,) = manifest["environments"]
    assert made["workers"] == "1 processes"
    assert re.fullmatch(r"[0-9a-f]{40}|release .*", made["commit"])
    assert made["versions"]["python"] == platform.python_version()
    assert made["versions"]["numpy"] == np.__version__
    assert {"scikit-learn", "scipy", "pandas", "cvstrat"} <= set(made["versions"])
    assert made["machine"]["processor"]
    assert made["machine"]["cores"] >= 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--only", "sets=a"], "no axis 'sets': did you mean set?"),
        (["--only", "set=d"], "no set 'd'"),
        (["--sed", "1"], "no field 'sed': did you mean seed"),
        (["--n", "many"], "n='many' cannot be read"),
        (["--n"], "options come in pairs"),
        (["--profile", "papre"], "no profile 'papre': did you mean paper?"),
        (["--jobs", "1", "--scheduler", "tcp://127.0.0.1:1"], "not both"),
    ],
)
def test_a_mistake_is_one_line_and_makes_no_folder(toy_command, tmp_path, capsys, words, message):
    assert main(["run", "toy", "--output", str(tmp_path / "r"), *words]) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert printed.count("\n") == 1
    assert not (tmp_path / "r").exists()
    assert toy_command.calls() == []


def test_fields_of_the_spec_are_options(toy_command, tmp_path):
    words = ["--sets", "x,y", "--n=1", "--jobs", "1"]
    assert main(["run", "toy", "--output", str(tmp_path / "r"), *words]) == 0
    assert toy_command.calls() == ["first x", "first y", "second x 0", "second y 0"]


def test_status_counts_what_is_done_and_what_is_missing(toy_command, tmp_path, capsys):
    folder = str(tmp_path / "r")
    assert main(["status", "toy", "--output", folder]) == 1
    assert "holds no results of toy yet" in capsys.readouterr().err
    main(["run", "toy", "--output", folder, "--jobs", "1", "--only", "set=a"])
    capsys.readouterr()
    assert main(["status", "toy", "--output", folder]) == 0
    assert "8 units are missing" in capsys.readouterr().out
    main(["run", "toy", "--output", folder, "--jobs", "1"])
    capsys.readouterr()
    assert main(["status", "toy", "--output", folder]) == 0
    assert "complete" in capsys.readouterr().out


def test_a_second_run_in_the_same_folder_is_refused(tmp_path):
    with sole_writer(tmp_path / "results"):
        code = (
            f"from pathlib import Path; from compendium import engine; folder = Path({str(tmp_path / 'results')!r})\n"
            "engine.run('diamantidis2000-counts', profile='smoke', folder=folder, jobs=1)"
        )
        found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert found.returncode != 0
    assert "another run is writing to" in found.stderr
    assert [path.name for path in (tmp_path / "results").iterdir()] == [".lock"]


def test_only_the_data_sets_that_are_asked_for_must_be_here(no_data, tmp_path):
    done = engine.run(
        "diamantidis2000-counts",
        folder=tmp_path,
        only={"dataset": ["sklearn/iris"]},
        jobs=1,
        quiet=True,
        datasets=("sklearn/iris", "pmlb/sonar"),
        n_samples=3,
    )
    assert (done.computed, done.missing) == (1, 1)


def test_finished_units_go_into_the_tables_while_the_run_goes_on(toy, tmp_path, monkeypatch, deterministic):
    monkeypatch.setattr(_results, "_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(_results, "_SHARE_OF_TIME", float("inf"))
    toy.trouble("second b 2", "interrupt")
    loose = []

    def count(path, content):
        write_atomically(path, content)
        loose.append(len(list(path.parent.iterdir())))

    monkeypatch.setattr(_shards, "write_atomically", count)
    with pytest.raises(KeyboardInterrupt):
        toy.run(tmp_path / "r", quiet=True)
    assert loose == [1] * 11
    toy.mend()
    toy.run(tmp_path / "r", quiet=True)
    assert deterministic(tmp_path / "r") == toy.expected()


def test_collecting_takes_no_more_than_its_share_of_the_time(toy, tmp_path, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(_results, "monotonic", lambda: clock[0])
    results = _results.Results(toy.study, toy.study.spec(), tmp_path / "r")

    def save():
        clock[0] += 10

    monkeypatch.setattr(results, "save", save)
    clock[0] = 29.0
    assert not results.collecting_is_due
    clock[0] = 30.0
    assert results.collecting_is_due
    results.collect(toy.study.tables[0], {})
    clock[0] = 40.0 + 199.0
    assert not results.collecting_is_due
    clock[0] = 40.0 + 200.0
    assert results.collecting_is_due


@pytest.mark.parametrize("n", [3, 30])
def test_a_run_with_nothing_to_do_lists_its_units_a_fixed_number_of_times(toy, tmp_path, n):
    lists = []
    first, second = toy.study.tables
    counted = dataclasses.replace(second, units=lambda *given: (lists.append(1), second.units(*given))[1])
    study = dataclasses.replace(toy.study, tables=(first, counted))
    for _ in range(2):
        lists.clear()
        engine.run_study(study, study.spec(sets=("a",), n=n), tmp_path / "r", jobs=1, quiet=True)
    assert len(lists) == 1
