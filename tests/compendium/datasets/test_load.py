"""From files to arrays: what each collection needs, and files that are not what they should be."""

import gzip
import io
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import sklearn.datasets
from pmlb import fetch_data

from compendium.datasets import Catalogue, CorruptData, catalogue, load, loaded
from compendium.datasets._catalogue import Column
from cvstrat import imbalance_index

needs_data = pytest.mark.skipif(
    not os.environ.get("CVSTRAT_DATA"), reason="set CVSTRAT_DATA to the folder with the studies' data sets"
)
TABLE = "a\tb\ttarget\n1\t2\t0\n3\t4\t1\n5\t6.5\t1\n"


def packed(text):
    return gzip.compress(text.encode(), mtime=0)


def archive(**arrays):
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


@pytest.fixture
def load_file(entry_of, in_folder):
    """Return a function that loads a file of the given content, whose checksum is right."""

    def load_content(content, **fields):
        entry = entry_of(content, **fields)
        in_folder(entry, content)
        return load(entry.id, known=Catalogue((entry,)))

    return load_content


@pytest.mark.usefixtures("no_data")
@pytest.mark.parametrize("name", ["breast_cancer", "diabetes", "digits", "iris", "wine"])
def test_bundled_set_is_scikit_learns(name):
    data, original = load(name), getattr(sklearn.datasets, f"load_{name}")()
    assert data.source == "scikit-learn"
    assert data.X.dtype == np.float64 and data.y.dtype.kind == ("f" if name == "diabetes" else "i")
    np.testing.assert_array_equal(data.X, original.data)
    np.testing.assert_array_equal(data.y, original.target)
    assert data.feature_names == tuple(original.feature_names)


def test_bundled_set_of_another_version_of_scikit_learn_is_refused(no_data):
    other = replace(catalogue().find("sklearn/iris"), sha256="0" * 64)
    with pytest.raises(CorruptData, match=r"iris\.csv of the installed scikit-learn"):
        load("iris", known=Catalogue((other,)))


@pytest.mark.parametrize("text", [TABLE, "a\ttarget\tb\n1\t0\t2\n3\t1\t4\n5\t1\t6.5\n"], ids=["last", "between"])
def test_pmlb_target_may_stand_in_any_column(load_file, text):
    data = load_file(packed(text))
    assert data.X.dtype == np.float64 and data.y.dtype.kind == "i"
    assert data.X.tolist() == [[1, 2], [3, 4], [5, 6.5]]
    assert data.y.tolist() == [0, 1, 1]
    assert list(data.frame.columns) == ["a", "b", "target"]
    assert (data.source, data.categorical, data.missing, data.splits) == ("folder", None, {}, ())


def test_target_of_a_regression_set_keeps_its_fractions(load_file):
    content = packed("a\tb\ttarget\n1\t2\t0.5\n3\t4\t-1\n5\t6\t1e-3\n")
    assert load_file(content, task="regression", classes=None).y.tolist() == [0.5, -1, 1e-3]


def test_described_columns_tell_categorical_ones_and_missing_codes(load_file):
    data = load_file(packed(TABLE), columns=(Column("a", "discrete", 3), Column("b", "continuous")))
    assert data.categorical.tolist() == [True, False]
    assert data.missing == {"a": 3}


@pytest.mark.parametrize(
    ("name", "header", "rows", "names"),
    [
        ("air_quality", "RecordID,AQI,PM10,Class", "7,1,2,0 8,2,4,1 9,0,6,1", ("AQI", "PM10")),
        ("student_performance", "StudentID,Age,GPA,Class", "7,1,2,0 8,2,4,1 9,0,6,1", ("Age", "GPA")),
        (
            "diabetes_prediction",
            "gender,smoking_history,bmi,y",
            "Male,a,2,0 Other,b,4,1 Female,a,6,1",
            ("gender", "bmi"),
        ),
        ("phishing", "RecordID,b,Result", "1,2,0 2,4,1 0,6,1", ("RecordID", "b")),
    ],
)
def test_efold_set_is_prepared_as_in_the_paper(load_file, name, header, rows, names):
    data = load_file(packed("\n".join([header, *rows.split()])), name=name, collection="efold")
    assert data.feature_names == names
    assert data.X.tolist() == [[1, 2], [2, 4], [0, 6]]
    assert data.y.tolist() == [0, 1, 1]


def test_california_housing_has_the_columns_of_scikit_learns_version(load_file):
    raw = "longitude,latitude,housingMedianAge,totalRooms,totalBedrooms,population,households,medianIncome,value"
    content = packed(f"{raw}\n-122.23,37.88,41,880,129,322,126,8.3252,452600\n")
    fields = {"rows": 1, "features": 8, "classes": None, "task": "regression"}
    data = load_file(content, name="california_housing", collection="efold", **fields)
    assert " ".join(data.feature_names) == "MedInc HouseAge AveRooms AveBedrms Population AveOccup Latitude Longitude"
    derived = [8.3252, 41, 880 / 126, 129 / 126, 322, 322 / 126, 37.88, -122.23]
    np.testing.assert_allclose(data.X[0], derived, rtol=1e-15)
    assert data.y.tolist() == [4.526]


@pytest.mark.parametrize("seed", range(5))
def test_raetsch_cases_become_rows_and_splits_partitions_of_them(load_file, seed):
    rng = np.random.default_rng(seed)
    pairs, labels = rng.normal(size=(6, 2)), np.array([-1, 1, 1, -1, 1, -1], dtype=np.int8)
    cases = np.repeat(np.arange(6), [10, 40, 20, 10, 70, 10])
    splits = np.array([rng.permutation(cases) for _ in range(4)])
    train, test = splits[:, :100], splits[:, 100:]
    data = load_file(archive(X=pairs, y=labels, train=train, test=test), collection="raetsch", rows=160)
    assert data.X.dtype == np.float64 and data.y.dtype.kind == "i"
    assert_splits_are_the_files(data, pairs, labels, train, test)


def assert_splits_are_the_files(data, pairs, labels, train, test):
    """Each split has every row once, in the published order, and occurrences of a pair take its rows in turn."""
    assert len(data.splits) == len(train)
    for (ours_train, ours_test), theirs_train, theirs_test in zip(data.splits, train, test, strict=True):
        rows, drawn = np.r_[ours_train, ours_test], np.r_[theirs_train, theirs_test]
        np.testing.assert_array_equal(np.sort(rows), np.arange(len(data.X)))
        np.testing.assert_array_equal(np.argsort(rows), np.argsort(drawn, kind="stable"))
        for ours, theirs in ((ours_train, theirs_train), (ours_test, theirs_test)):
            np.testing.assert_array_equal(data.X[ours], pairs[theirs])
            np.testing.assert_array_equal(data.y[ours], labels[theirs])


class Bomb(str):
    """The name of a file that comes into being when this is unpickled."""

    def __reduce__(self):
        return Path.touch, (Path(self),)


def test_raetsch_file_with_objects_is_refused_and_they_are_not_made(load_file, tmp_path):
    objects = np.array([Bomb(tmp_path / "trace"), 1], dtype=object)
    content = archive(X=np.eye(2), y=objects, train=np.array([[0, 0]]), test=np.array([[1]]))
    with pytest.raises(ValueError, match="Object arrays cannot be loaded"):
        load_file(content, collection="raetsch")
    assert not (tmp_path / "trace").exists()


RAETSCH = {"X": np.eye(2), "y": np.array([-1, 1]), "train": np.array([[0, 0], [0, 1]]), "test": np.array([[1], [0]])}
DIABETES = {"collection": "efold", "name": "diabetes_prediction"}
WRONG = {
    "no target column": (packed("a\tb\tclass\n1\t2\t0\n3\t4\t1\n5\t6\t1\n"), {}),
    "text in an attribute": (packed(TABLE.replace("6.5", "six")), {}),
    "text as target": (packed("a\tb\ttarget\n1\t2\tyes\n3\t4\tno\n5\t6\tno\n"), {}),
    "empty cell": (packed(TABLE.replace("6.5", "")), {}),
    "no target in one row": (packed(TABLE.replace("2\t0", "2\t")), {"task": "regression", "classes": None}),
    "one row too short": (packed(TABLE.replace("3\t4\t1", "3\t4")), {}),
    "one row too long": (packed(TABLE.replace("3\t4\t1", "3\t4\t1\t1")), {}),
    "every row too long": (packed("a\tb\ttarget\n9\t1\t2\t0\n9\t3\t4\t1\n9\t5\t6\t1\n"), {}),
    "fewer columns": (packed(TABLE), {"features": 3}),
    "more columns": (packed(TABLE), {"features": 1}),
    "other number of rows": (packed(TABLE), {"rows": 4}),
    "other number of classes": (packed(TABLE), {"classes": 3}),
    "fractions as classes": (packed("a\tb\ttarget\n1\t2\t0.2\n3\t4\t1.2\n5\t6\t1.7\n"), {}),
    "other column names": (packed(TABLE), {"columns": (Column("a", "discrete"), Column("c", "discrete"))}),
    "columns in another order": (packed(TABLE), {"columns": (Column("b", "discrete"), Column("a", "discrete"))}),
    "empty file": (b"", {}),
    "empty table": (packed(""), {}),
    "no gzip": (TABLE.encode(), {}),
    "cut gzip": (packed(TABLE)[:-4], {}),
    "broken gzip": (packed(TABLE)[:10] + b"\xff" * 20, {}),
    "unknown gender": (packed("gender,age,smoking_history,y\nMale,1,no,0\nOther,2,no,1\nmale,3,no,1\n"), DIABETES),
    "no column to leave out": (packed(TABLE.replace("\t", ",")), DIABETES | {"name": "air_quality"}),
    "no column to derive from": (packed(TABLE.replace("\t", ",")), DIABETES | {"name": "california_housing"}),
    "no archive": (b"not an archive", {"collection": "raetsch"}),
    "cut archive": (archive(**RAETSCH)[:-20], {"collection": "raetsch"}),
    "no splits": (archive(X=RAETSCH["X"], y=RAETSCH["y"]), {"collection": "raetsch"}),
    "splits of other cases": (archive(**RAETSCH | {"test": np.array([[1], [1]])}), {"collection": "raetsch"}),
    "splits of no case": (archive(**RAETSCH | {"test": np.array([[1], [2]])}), {"collection": "raetsch"}),
}


@pytest.mark.parametrize("case", WRONG)
def test_file_of_wrong_content_is_refused_and_the_set_named(load_file, case):
    content, fields = WRONG[case]
    name = f"{fields.get('collection', 'pmlb')}/{fields.get('name', 'tiny')}"
    with pytest.raises(CorruptData, match=name):
        load_file(content, **fields)


def test_loaded_records_name_and_checksum_of_what_was_loaded_and_of_nothing_else(load_file):
    load_file(packed(TABLE), name="recorded")
    with pytest.raises(CorruptData):
        load_file(packed(TABLE), name="refused", rows=4)
    assert loaded()["pmlb/recorded"] == load_file(packed(TABLE)).sha256
    assert "pmlb/refused" not in loaded()
    assert list(loaded()) == sorted(loaded())


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(entry, id=entry.id, marks=() if entry.collection == "sklearn" else needs_data)
        for entry in catalogue()
    ],
)
def test_real_file_is_what_the_catalogue_says(entry):
    data = load(entry.id, download=False)
    assert data.X.shape == (entry.rows, entry.features) and data.y.shape == (entry.rows,)
    assert data.X.dtype == np.float64 and np.isfinite(data.X).all() and np.isfinite(data.y).all()
    if entry.task == "classification":
        assert data.y.dtype.kind == "i"
        assert (np.unique(data.y).size, round(imbalance_index(data.y), 4)) == (entry.classes, entry.imbalance)
    for column, code in data.missing.items():
        assert code in data.frame[column].unique()
    assert loaded()[entry.id] == entry.sha256


@needs_data
@pytest.mark.parametrize("entry", catalogue().select(collection="pmlb"), ids=lambda entry: entry.id)
def test_real_pmlb_file_is_read_as_pmlb_reads_it(entry):
    data = load(entry.id, download=False)
    X, y = fetch_data(entry.name, return_X_y=True, local_cache_dir=os.environ["CVSTRAT_DATA"] + "/pmlb", dropna=False)
    np.testing.assert_array_equal(data.X, X)
    np.testing.assert_array_equal(data.y, y)


@needs_data
@pytest.mark.parametrize("entry", catalogue().select(collection="raetsch"), ids=lambda entry: entry.id)
def test_real_raetsch_splits_are_the_published_ones(entry):
    with np.load(Path(os.environ["CVSTRAT_DATA"], entry.path)) as file:
        assert_splits_are_the_files(load(entry.id, download=False), *(file[key] for key in ("X", "y", "train", "test")))


@needs_data
def test_real_efold_files_are_prepared():
    gender = load("diabetes_prediction", download=False).frame["gender"]
    assert gender.value_counts().to_dict() == {0: 58552, 1: 41430, 2: 18}
    houses = load("california_housing", download=False)
    first = [8.3252, 41, 6.98412698, 1.02380952, 322, 2.55555556, 37.88, -122.23]  # as scikit-learn documents it
    np.testing.assert_allclose(houses.X[0], first, rtol=1e-8)
    assert houses.y[0] == pytest.approx(4.526)
