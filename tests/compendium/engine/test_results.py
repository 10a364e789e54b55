"""Committed results: each is what its manifest says, and a change is noticed."""

import json
import shutil

import pandas as pd
import pytest

from compendium import datasets, engine
from compendium.cli import main
from compendium.diamantidis2000 import tables
from compendium.engine import ResultError, _store

FOLDERS = _store.result_folders()
each_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


@pytest.fixture
def results(tmp_path, monkeypatch):
    """A folder of results of two small tables, as the only one that is committed."""
    monkeypatch.setattr(_store, "data_root", lambda: tmp_path)
    monkeypatch.setattr(_store, "data_file", lambda name: tmp_path / name)
    folder = tmp_path / "results" / "own"
    tables = {"one": pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}), "two": pd.DataFrame({"c": [0.5]})}
    _store.save_result("own", tables, {"spec": {}, "data": {}, "environments": []}, folder)
    return folder


def test_there_are_results_and_all_are_right(capsys):
    found = engine.check_results()
    assert {"diamantidis2000-counts", "speed"} <= set(found)
    assert found == {name: [] for name in found}
    assert main(["check", "results"]) == 0
    assert capsys.readouterr().out.splitlines() == [f"{name}: right" for name in found]


@each_folder
def test_data_were_those_of_the_catalogue(folder):
    known = {entry.id: entry.sha256 for entry in datasets.catalogue()}
    assert _store.read_manifest(folder)["data"].items() <= known.items()


@each_folder
def test_tables_can_be_read_and_are_not_empty(folder):
    for name, table in engine.read_tables(folder.name).items():
        assert len(table) == _store.read_manifest(folder)["tables"][name]["rows"] > 0


@each_folder
def test_a_manifest_says_what_made_the_results(folder):
    manifest = _store.read_manifest(folder)
    assert manifest["study"] == folder.name
    assert manifest["spec"]
    assert manifest["environments"]
    for made in manifest["environments"]:
        assert {"commit", "versions", "machine", "workers"} <= set(made)


@pytest.mark.parametrize("study", [name for name in engine.studies() if name in {folder.name for folder in FOLDERS}])
def test_results_of_a_study_are_of_its_present_spec(study):
    status = engine.status(study)
    assert status["done"].sum() > 0
    assert status["failed"].sum() == 0


@each_folder
def test_a_changed_byte_in_any_file_is_noticed(folder, tmp_path):
    copy = tmp_path / folder.name
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("shards"))
    assert _store.check_result(copy) == []
    for path in sorted(copy.glob("*.parquet")):
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
        assert _store.check_result(copy)[0] == (
            f"{path} is not what its manifest says: restore it, or run the study again"
        )
        with pytest.raises(ResultError, match=f"{path.name} is not what its manifest says"):
            engine.load_result(folder.name, path.stem, folder=copy)
        shutil.copy(folder / path.name, path)
    assert _store.check_result(copy) == []


def test_what_is_saved_is_what_is_read(results):
    pd.testing.assert_frame_equal(engine.load_result("own", "one"), pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}))
    wanted = engine.load_result("own", "one", where={"b": ["y", "z"], "a": [1, 2]})
    pd.testing.assert_frame_equal(wanted, pd.DataFrame({"a": [2], "b": ["y"]}))
    assert list(engine.read_tables("own", results)) == ["one", "two"]
    assert engine.check_results() == {"own": []}


def test_a_missing_file_is_noticed(results, capsys):
    (results / "two.parquet").unlink()
    assert main(["check", "results"]) == 1
    assert f"own: {results / 'two.parquet'} is missing" in capsys.readouterr().err
    with pytest.raises(ResultError, match="two.parquet is missing: restore it, or run the study again"):
        engine.load_result("own", "two")


def test_a_file_too_many_is_noticed(results):
    shutil.copy(results / "one.parquet", results / "three.parquet")
    assert engine.check_results() == {"own": [f"{results / 'three.parquet'} is not in the manifest"]}


def test_a_wrong_number_of_rows_is_noticed(results):
    manifest = json.loads((results / "manifest.json").read_text())
    manifest["tables"]["one"]["rows"] = 3
    del manifest["sha256"]
    (results / "manifest.json").write_text(json.dumps(manifest))
    assert engine.check_results() == {"own": [f"{results / 'one'}.parquet has 2 rows, the manifest says 3"]}


@pytest.mark.parametrize("text", ["{", "", "\x00", "[]", "{}", '"tables"'])
def test_a_manifest_that_is_none_is_noticed(results, text):
    (results / "manifest.json").write_text(text)
    (wrong,) = engine.check_results()["own"]
    assert str(results / "manifest.json") in wrong
    with pytest.raises(ResultError, match="manifest.json"):
        engine.load_result("own", "one")


def test_a_folder_without_a_manifest_is_no_result(tmp_path):
    with pytest.raises(ResultError, match="holds no results"):
        engine.load_result("own", "one", folder=tmp_path)


def test_an_unknown_study_or_table_is_answered_with_those_there_are(results):
    with pytest.raises(ResultError, match="no results of 'none'; there are those of own"):
        engine.load_result("none", "one")
    with pytest.raises(ResultError, match="own has no table 'three'; it has one, two"):
        engine.load_result("own", "three")


def test_the_same_frame_gives_the_same_bytes():
    frame = pd.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "z"], "c": [0.1, float("nan"), 2.0]})
    shuffled = frame.iloc[[2, 0, 1]].sort_values("a")
    assert _store.to_parquet(frame) == _store.to_parquet(shuffled)


def test_at_least_nineteen_of_twenty_published_numbers_of_clusters_are_met():
    summary = tables.summarise_cluster_counts(engine.load_result("diamantidis2000-counts", "counts"))
    table = datasets.published("spezia2025_table1")
    ours = summary[summary["dataset"].isin("pmlb/" + table["name"])]
    assert len(ours) == 20
    assert ours["agrees"].sum() >= 19


def test_cluster_counts_can_be_computed_for_any_data_set(tmp_path):
    engine.run("diamantidis2000-counts", profile="smoke", folder=tmp_path / "r", jobs=1, quiet=True)
    counts = engine.read_tables("diamantidis2000-counts", tmp_path / "r")["counts"]
    assert counts["dataset"].unique().tolist() == ["sklearn/iris", "sklearn/wine"]
    assert counts["sample"].tolist() == [0, 1, 2, 3, 4] * 2
    assert counts["clusters"].between(1, 20).all()
