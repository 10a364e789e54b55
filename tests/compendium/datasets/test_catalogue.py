"""What the catalogue says, and finding entries in it."""

import dataclasses
import importlib.resources
import re

import pandas as pd
import pytest
from pmlb import pmlb

from compendium.datasets import Catalogue, UnknownDataset, catalogue, published
from compendium.datasets._store import PMLB_URL


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("iris", "sklearn/iris"),
        ("breast_cancer", "sklearn/breast_cancer"),
        ("mushroom", "pmlb/mushroom"),
        ("titanic", "pmlb/titanic"),
        ("heart", "raetsch/heart"),
        ("era", "efold/era"),
        ("pmlb/iris", "pmlb/iris"),
        ("raetsch/breast_cancer", "raetsch/breast_cancer"),
        ("efold/mushroom", "efold/mushroom"),
    ],
)
def test_name_full_or_bare_finds_the_entry(name, found):
    assert catalogue().find(name).id == found


def test_bare_name_means_the_first_collection_whatever_the_order_of_lines(entry_of):
    collections = ["sklearn", "pmlb", "raetsch", "efold"]
    entries = [entry_of(name="same", collection=collection) for collection in reversed(collections)]
    for first in collections:
        assert Catalogue(tuple(entries)).find("same").collection == first
        entries.pop()


@pytest.mark.parametrize(
    ("name", "near"),
    [("sonr", "sonar"), ("Iris", "iris"), ("pmlb/iriss", "pmlb/iris"), ("wine_quality", "wine_quality_red")],
)
def test_unknown_name_is_refused_with_names_like_it(name, near):
    with pytest.raises(UnknownDataset) as error:
        catalogue().find(name)
    assert repr(name) in str(error.value)
    assert near in re.split(r"[ ,?]+", str(error.value))


@pytest.mark.parametrize("name", ["", "zzzzzzzzzz", "../../x", "pmlb/", "/iris", "iris ", "pmlb/../sklearn/iris"])
def test_no_other_spelling_finds_anything(name):
    with pytest.raises(UnknownDataset, match="compendium data list"):
        catalogue().find(name)


def test_two_entries_of_one_name_are_refused(entry_of):
    with pytest.raises(ValueError, match="same collection and name"):
        Catalogue((entry_of(b"one"), entry_of(b"other")))


@pytest.mark.parametrize(
    ("chosen", "size"),
    [
        ({}, 95),
        ({"study": "spezia2025"}, 20),
        ({"study": "diamantidis2000"}, 7),
        ({"study": "anguita2012"}, 13),
        ({"study": "mahlich2024"}, 15),
        ({"collection": "sklearn"}, 5),
        ({"collection": "pmlb"}, 67),
        ({"collection": "raetsch"}, 13),
        ({"collection": "efold"}, 10),
        ({"study": "mahlich2024", "collection": "efold"}, 10),
        ({"study": "anguita2012", "collection": "pmlb"}, 0),
    ],
    ids=str,
)
def test_number_of_data_sets(chosen, size):
    assert len({entry.id for entry in catalogue().select(**chosen)}) == size


@pytest.mark.parametrize("chosen", [{"study": "nobody1999"}, {"collection": "uci"}, {"study": ""}], ids=str)
def test_selecting_by_an_unknown_value_lists_the_known_ones(chosen):
    with pytest.raises(ValueError, match="is not one of .*(spezia2025|raetsch)"):
        catalogue().select(**chosen)


def test_every_file_is_described_fully():
    assert len(catalogue()) == 95
    for entry in catalogue():
        assert re.fullmatch("[0-9a-f]{64}", entry.sha256), entry.id
        assert entry.bytes > 0 and entry.source and entry.licence, entry.id
        assert not entry.path.startswith("/") and ".." not in entry.path, entry.id
        if entry.task == "classification":
            assert entry.classes >= 2 and 0 <= entry.imbalance < 1, entry.id
        else:
            assert (entry.task, entry.classes, entry.imbalance) == ("regression", None, None), entry.id
    assert len({entry.sha256 for entry in catalogue()}) == len({entry.path for entry in catalogue()}) == 95


def test_frame_has_a_row_per_data_set_with_the_fields_of_its_entry():
    frame = catalogue().frame().set_index(["collection", "name"])
    assert len(frame) == 95
    for entry in catalogue():
        line = frame.loc[(entry.collection, entry.name)]
        assert (line["rows"], line["features"], line["sha256"]) == (entry.rows, entry.features, entry.sha256)
        assert line["studies"] == ", ".join(entry.studies)
        assert pd.isna(line["classes"]) if entry.classes is None else line["classes"] == entry.classes


def test_agrees_with_the_statistics_pmlb_ships():
    with importlib.resources.files("pmlb").joinpath("all_summary_stats.tsv").open() as lines:
        stats = pd.read_csv(lines, sep="\t", index_col="dataset")
    other_task = set()
    for entry in catalogue().select(collection="pmlb"):
        line = stats.loc[entry.name]
        assert (entry.rows, entry.features) == (line["n_instances"], line["n_features"]), entry.id
        if entry.task == "classification":
            assert (entry.classes, entry.imbalance) == (line["n_classes"], round(line["imbalance"], 4)), entry.id
        if entry.task != line["task"]:
            other_task.add(entry.name)
    assert other_task == {"banana", "titanic"}  # two classes, -1 and 1, that PMLB's table takes for a regression target


def test_downloads_come_from_where_pmlb_itself_downloads():
    assert PMLB_URL == pmlb.GITHUB_URL
    sets = catalogue().select(collection="pmlb")
    assert all(entry.remote in (entry.name, f"_deprecated_{entry.name}") for entry in sets if entry.remote)
    assert {entry.name for entry in sets if not entry.remote} == {"banana", "titanic"}  # replaced by PMLB since
    assert not any(entry.remote for entry in catalogue() if entry.collection != "pmlb")


def test_agrees_with_table_1_of_spezia2025():
    table = published("spezia2025_table1")
    assert set(table["name"]) == {entry.name for entry in catalogue().select(study="spezia2025")}
    for line in table.itertuples():
        entry = catalogue().find(f"pmlb/{line.name}")
        assert (entry.rows, entry.features, entry.classes) == (line.instances, line.attributes, line.classes), line.name
        assert round(entry.imbalance, 2) == line.imbalance, line.name


def test_agrees_with_table_1_of_diamantidis2000_but_for_soybean():
    table = published("diamantidis2000_table1")
    ours = {}
    for entry in catalogue():
        if entry.columns:
            kinds = [column.kind for column in entry.columns]
            counts = (kinds.count("discrete"), kinds.count("continuous"))
            ours[entry.id] = (entry.classes, entry.features, *counts, entry.rows)
    theirs = {f"pmlb/{line.name}": tuple(line[3:8]) for line in table.itertuples()}
    assert theirs.pop("pmlb/soybean") == (19, 35, 35, 0, 683)
    assert ours.pop("pmlb/soybean") == (18, 35, 35, 0, 675)
    assert ours == theirs


def test_agrees_with_table_1_of_mahlich2024_but_for_six_counts_of_features():
    differences = {}
    for line in published("mahlich2024_table1").astype({"classes": "Int64"}).itertuples():
        entry = catalogue().find(f"{line.collection}/{line.name}")
        assert "mahlich2024" in entry.studies and entry.task == line.task, line.name
        ours, theirs = (entry.rows, entry.features), (line.instances, line.features)
        assert (None if pd.isna(line.classes) else line.classes) == entry.classes, line.name
        if ours != theirs:
            differences[line.name] = (theirs, ours)
    assert differences == {
        "mushroom": ((54035, 22), (54035, 8)),
        "digits": ((1791, 16), (1797, 64)),
        "diabetes_prediction": ((100000, 8), (100000, 7)),  # this and the rest: one more column counted
        "phishing": ((11055, 31), (11055, 30)),
        "elevators": ((16599, 19), (16599, 18)),
        "cpu_small": ((8192, 13), (8192, 12)),
    }


@pytest.mark.parametrize("table", ["", "spezia2025_table9", "../catalogue", "/etc/hosts"])
def test_only_published_tables_can_be_asked_for(table):
    with pytest.raises(LookupError, match="no published table"):
        published(table)


def test_entries_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        catalogue().find("iris").sha256 = "0" * 64
