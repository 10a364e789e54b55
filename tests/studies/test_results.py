"""Committed results: each is what its manifest says, and a changed one is refused."""

import json
from pathlib import Path

import pandas as pd
import pytest

from cvstrat import datasets, studies
from cvstrat.studies import _store

RESULTS = Path(__file__).parents[2] / "data" / "results"
NAMES = sorted(path.stem for path in RESULTS.glob("*.csv"))


@pytest.mark.parametrize("name", NAMES)
def test_a_committed_result_is_what_its_manifest_says(name):
    frame = studies.load_result(name)
    manifest = json.loads((RESULTS / f"{name}.json").read_text())
    assert len(frame) == manifest["rows"] > 0
    known = {entry.id: entry.sha256 for entry in datasets.catalogue()}
    assert manifest["data"].items() <= known.items()


def test_every_manifest_has_its_table():
    assert sorted(path.stem for path in RESULTS.glob("*.json")) == NAMES
    assert "cluster_counts" in NAMES


def test_saving_and_loading_gives_the_frame_back_and_a_change_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(_store, "data_root", lambda: tmp_path)
    monkeypatch.setattr(_store, "checkout", lambda: tmp_path)
    monkeypatch.setattr(_store, "data_file", lambda name: tmp_path / name)
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    studies.save_result("one", frame, {"what": "a test"})
    pd.testing.assert_frame_equal(studies.load_result("one"), frame)
    table = tmp_path / "results" / "one.csv"
    table.write_text(table.read_text().replace("2", "3"))
    with pytest.raises(studies.ResultError, match=r"one.csv is not what its manifest says"):
        studies.load_result("one")


def test_an_unknown_result_is_answered_with_those_there_are():
    with pytest.raises(studies.ResultError, match="no result 'none'; there are cluster_counts"):
        studies.load_result("none")


def test_at_least_nineteen_of_twenty_published_numbers_of_clusters_are_met():
    summary = studies.summarise_cluster_counts(studies.load_result("cluster_counts"))
    table = datasets.published("spezia2025_table1")
    ours = summary[summary["name"].isin("pmlb/" + table["name"])]
    assert len(ours) == 20
    assert ours["agrees"].sum() >= 19


def test_counts_can_be_computed_for_any_data_set():
    counts = studies.cluster_counts(["iris"], n_samples=5)
    assert counts["name"].unique().tolist() == ["sklearn/iris"]
    assert counts["clusters"].between(1, 10).all()
