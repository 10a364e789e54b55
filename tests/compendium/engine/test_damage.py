"""Damaged files are set aside under a name that says so, and what they held is computed again."""

import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from compendium import engine, files
from compendium.cli import main
from compendium.engine import StudyError, _repair, _store
from compendium.engine._folder import sole_writer
from compendium.engine._shards import Shards
from compendium.files import write_atomically

FILES = ["first.parquet", "second.parquet", "second_times.parquet", "manifest.json"]


def flip(path, place=None):
    content = bytearray(path.read_bytes())
    content[len(content) // 2 if place is None else place] ^= 1
    path.write_bytes(content)


DAMAGES = {
    "flipped": flip,
    "cut": lambda path: path.write_bytes(path.read_bytes()[:-40]),
    "empty": lambda path: path.write_bytes(b""),
}


def manifest_of(folder):
    return json.loads((folder / "manifest.json").read_text())


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_is_set_aside_and_its_units_are_computed_again(
    toy, tmp_path, capsys, deterministic, name, damage
):
    folder = tmp_path / "r"
    toy.run(folder, quiet=True)
    damage(folder / name)
    damaged = (folder / name).read_bytes()
    done = toy.run(folder)
    assert f"set aside as {name}.damaged-1: computed again" in capsys.readouterr().err
    assert (folder / f"{name}.damaged-1").read_bytes() == damaged
    assert deterministic(folder) == toy.expected()
    assert _store.check_result(folder) == []
    if name != "manifest.json":
        assert done.computed == (3 if name == "first.parquet" else 9)
    assert f"{name}.damaged-1" in [event["set aside"] for event in manifest_of(folder)["history"]]
    assert toy.run(folder, quiet=True).computed == 0


def test_rows_stay_while_the_times_that_belong_to_them_are_measured_again(toy, tmp_path, deterministic):
    toy.run(tmp_path / "r", quiet=True)
    flip(tmp_path / "r" / "second_times.parquet")
    toy.run(tmp_path / "r", only={"set": ["a"]}, quiet=True)
    assert deterministic(tmp_path / "r") == toy.expected()
    assert len(engine.load_result("toy", "second_times", folder=tmp_path / "r")) == 6
    assert engine.status(toy.study, folder=tmp_path / "r")["missing"].sum() == 6
    assert "6 units of" in _store.check_result(tmp_path / "r")[0]
    assert toy.run(tmp_path / "r", quiet=True).computed == 6
    assert _store.check_result(tmp_path / "r") == []


def test_a_file_that_is_gone_is_computed_again(toy, tmp_path, deterministic):
    toy.run(tmp_path / "r", quiet=True)
    (tmp_path / "r" / "second.parquet").unlink()
    assert toy.run(tmp_path / "r", quiet=True).computed == 9
    assert deterministic(tmp_path / "r") == toy.expected()


def test_a_byte_of_the_manifest_never_leads_to_other_results(toy, tmp_path, deterministic):
    """Whichever it is: the folder heals. What the rest of the manifest proves is kept."""
    toy.run(tmp_path / "r", quiet=True)
    text = (tmp_path / "r" / "manifest.json").read_text()
    for place in [text.index("processor"), *np.random.default_rng(0).integers(len(text), size=6).tolist()]:
        folder = tmp_path / str(place)
        shutil.copytree(tmp_path / "r", folder, dirs_exist_ok=True)
        flip(folder / "manifest.json", place)
        done = toy.run(folder, quiet=True)
        assert done.computed == 0 or place != text.index("processor")
        assert deterministic(folder) == toy.expected()
        assert _store.check_result(folder) == []


def test_a_damaged_folder_can_be_damaged_again(toy, tmp_path, deterministic):
    toy.run(tmp_path / "r", quiet=True)
    for number in (1, 2):
        flip(tmp_path / "r" / "first.parquet")
        toy.run(tmp_path / "r", quiet=True)
        assert (tmp_path / "r" / f"first.parquet.damaged-{number}").exists()
    assert deterministic(tmp_path / "r") == toy.expected()


def test_reading_changes_nothing_in_a_damaged_folder(toy, tmp_path):
    toy.run(tmp_path / "r", quiet=True)
    flip(tmp_path / "r" / "second.parquet")
    before = {path.name: path.read_bytes() for path in (tmp_path / "r").iterdir()}
    with pytest.raises(engine.ResultError, match="restore it, or run the study again"):
        engine.status(toy.study, folder=tmp_path / "r")
    assert {path.name: path.read_bytes() for path in (tmp_path / "r").iterdir()} == before


@pytest.mark.parametrize("name", ["second_times.parquet", "manifest.json"])
def test_committed_results_can_be_repaired(toy_command, tmp_path, monkeypatch, capsys, deterministic, name):
    monkeypatch.setattr(_store, "data_root", lambda: tmp_path)
    monkeypatch.setattr(_repair, "studies", lambda: {"toy": toy_command.study})
    folder = tmp_path / "results" / "toy"
    toy_command.run(folder, quiet=True)
    assert main(["check", "results", "--repair"]) == 0
    assert capsys.readouterr().out == "toy: right\n"
    flip(folder / name)
    assert main(["check", "results"]) == 1
    capsys.readouterr()
    main(["check", "results", "--repair"])
    said = capsys.readouterr().out
    assert f"set aside as {name}.damaged-1" in said
    assert "units are missing; this computes them: compendium run toy" in said
    toy_command.run(folder, quiet=True)
    assert deterministic(folder) == toy_command.expected()
    assert main(["check", "results"]) == 0


def test_tables_that_no_study_makes_can_be_repaired(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(_store, "data_root", lambda: tmp_path)
    folder = tmp_path / "results" / "own"
    tables = {"one": pd.DataFrame({"a": [1]}), "two": pd.DataFrame({"b": [2]})}
    _store.save_result("own", tables, {"spec": {}, "data": {}, "environments": []}, folder)
    flip(folder / "one.parquet")
    assert main(["check", "results", "--repair"]) == 0
    assert "one.parquet is set aside as one.parquet.damaged-1: measure it again" in capsys.readouterr().out
    assert list(_store.read_manifest(folder)["tables"]) == ["two"]


def test_a_file_is_on_disk_before_it_replaces_another(tmp_path, monkeypatch):
    happened = []
    sync, replace = os.fsync, Path.replace

    def record_sync(file):
        happened.append("folder" if stat.S_ISDIR(os.fstat(file).st_mode) else os.fstat(file).st_size)
        sync(file)

    monkeypatch.setattr(os, "fsync", record_sync)
    monkeypatch.setattr(Path, "replace", lambda self, other: (happened.append("replaced"), replace(self, other))[1])
    write_atomically(tmp_path / "file", b"content")
    assert happened == [7, "replaced", "folder"]
    assert (tmp_path / "file").read_bytes() == b"content"


def test_parts_that_a_killed_writer_left_are_removed_at_the_start(toy, tmp_path, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:  # as SIGKILL leaves it: no clean-up
        patch.setattr(files.Path, "replace", stop)
        patch.setattr(files.Path, "unlink", lambda self, missing_ok=False: None)
        for path in (tmp_path / "r" / "manifest.json", tmp_path / "r" / "shards" / "x.parquet"):
            with pytest.raises(KeyboardInterrupt):
                write_atomically(path, b"half")
    assert len(list((tmp_path / "r").rglob(".*.part"))) == 2
    toy.run(tmp_path / "r", quiet=True)
    assert list((tmp_path / "r").rglob("*.part")) == []
    assert not (tmp_path / "r" / "shards").exists()


def test_a_shard_is_a_parquet_file_that_any_reader_opens(tmp_path):
    frame = pd.DataFrame({"a": [1, 2], "text": ["x", None], "share": [0.5, float("nan")]})
    shards = Shards(tmp_path, "spec")
    shards.write("unit", frame)
    pd.testing.assert_frame_equal(pd.read_parquet(shards.path("unit")), frame)
    shards.write("none", pd.DataFrame(), "does not apply")
    assert shards.read("none")[1] == "does not apply"


def test_a_planted_link_truncates_no_file(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / ".lock").symlink_to(victim)
    with pytest.raises(StudyError, match="cannot be written"), sole_writer(tmp_path / "results"):
        pass
    assert victim.read_text() == "precious"


HOLD = """
import sys
from pathlib import Path
from compendium.engine._folder import sole_writer
with sole_writer(Path(sys.argv[1])):
    print("held")
"""


def test_another_temporary_folder_does_not_open_the_lock(tmp_path):
    with sole_writer(tmp_path / "results"):
        found = subprocess.run(
            [sys.executable, "-c", HOLD, str(tmp_path / "results")],
            env=os.environ | {"TMPDIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
    assert "another run is writing to" in found.stderr
    assert found.stdout == ""


def test_who_may_write_to_a_folder_may_hold_it(tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    with sole_writer(shared):
        assert stat.S_IMODE((shared / ".lock").stat().st_mode) == 0o666
    own = tmp_path / "own"
    own.mkdir(mode=0o700)
    with sole_writer(own):
        assert stat.S_IMODE((own / ".lock").stat().st_mode) == 0o600
