"""Folds of a file: those of the Python classes, whatever the format; files too large for memory in batches."""

import importlib.util
import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import MiniBatchKMeans
from sklearn.datasets import load_iris, make_blobs
from sklearn.model_selection import KFold, StratifiedKFold

from cvstrat import ClusterKFold, StratifiedClusterKFold, make_splitter
from cvstrat.advice import advise_file
from cvstrat.assignment import _source, split_file
from cvstrat.errors import InputError
from cvstrat.metrics import fold_numbers
from cvstrat.splitters import streamed_folds
from cvstrat_cli import main


@pytest.fixture(scope="module")
def iris():
    """Return iris as a frame with names of classes, a group of three rows each and a column of text."""
    X, y = load_iris(return_X_y=True, as_frame=True)
    frame = X.set_axis(["a", "b", "c", "d"], axis=1).assign(
        plant=np.arange(150) // 3, kind=y.map({0: "s", 1: "e", 2: "v"})
    )
    return frame.sample(frac=1, random_state=0, ignore_index=True)


@pytest.fixture(scope="module")
def files(iris, tmp_path_factory):
    """Return the paths of iris as CSV and as Parquet (in row groups of 40 rows)."""
    folder = tmp_path_factory.mktemp("iris")
    iris.to_csv(folder / "iris.csv", index=False)
    found = [folder / "iris.csv"]
    try:
        iris.to_parquet(folder / "iris.parquet", row_group_size=40)
        found.append(folder / "iris.parquet")
    except ImportError:
        pass
    return found


def features(frame):
    return frame[["a", "b", "c", "d"]]


def batches(X, size):
    return lambda: (X[start : start + size] for start in range(0, len(X), size))


@pytest.mark.parametrize("technique", ["SCBCV-Mini", "SCBCV", "DOB-SCV", "CL-CV", "KFold", "SCV"])
def test_a_file_that_fits_has_the_folds_of_the_python_class(files, iris, technique):
    splitter = make_splitter(technique, n_splits=5, random_state=3)
    expected = fold_numbers(splitter, features(iris), iris["kind"])
    for path in files:
        found = split_file(path, "kind", technique=technique, n_splits=5, seed=3, ignore=("plant",))
        assert found.folds.tolist() == expected.tolist()


@pytest.mark.parametrize("technique", ["SCBCV-Mini", "KFold", "SCV", "CL-CV"])
def test_groups_stay_together(files, iris, technique):
    splitter = make_splitter(technique, n_splits=5, random_state=0)
    folds = fold_numbers(splitter, features(iris), iris["kind"], iris["plant"])
    for path in files:
        found = split_file(path, "kind", groups="plant", technique=technique, n_splits=5)
        assert found.folds.tolist() == folds.tolist()
        assert (pd.Series(found.folds).groupby(iris["plant"]).nunique() == 1).all()
        assert "50 groups of plant, each in one fold" in str(found)


def test_the_report_counts_all_rows_and_compares_classes(files, iris):
    found = split_file(files[0], "kind", n_splits=4, ignore=("plant",))
    sizes = np.bincount(found.folds)
    assert found.report["rows"].to_list() == [*sizes, 150]
    shares = pd.crosstab(found.folds, iris["kind"], normalize="index")
    assert found.report["class_gap"].iloc[:4].to_numpy() == pytest.approx((shares - 1 / 3).abs().max(axis=1))


def test_a_large_file_is_reported_on_by_a_sample_but_for_its_counts(tmp_path, monkeypatch):
    monkeypatch.setattr("cvstrat.assignment._split._REPORTED", 100)
    X, y = make_blobs(1000, random_state=0)
    pd.DataFrame(X).assign(y=y).to_csv(tmp_path / "large.csv", index=False)
    found = split_file(tmp_path / "large.csv", n_splits=4)
    assert found.report.loc["all", "rows"] == 1000
    assert found.report["class_gap"].max() <= 1 / 250
    assert "on 100 rows drawn at random" in str(found)


def test_text_is_named_and_columns_can_be_left_out(tmp_path, iris):
    iris.assign(town="Rome").to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(ValueError, match="SCBCV-Mini needs numbers, and there is text in town: .*--ignore.*CL-CV"):
        split_file(tmp_path / "t.csv", "kind")
    assert len(split_file(tmp_path / "t.csv", "kind", ignore=("town",)).folds) == 150
    assert len(split_file(tmp_path / "t.csv", "kind", technique="SCV").folds) == 150


# Streaming: sizes and class counts as in memory, clusters from a literal loop.


@settings(deadline=None, max_examples=10)
@given(st.lists(st.integers(1, 40), min_size=1, max_size=4), st.integers(2, 6), st.integers(20, 90), st.integers(0, 9))
def test_streamed_folds_are_as_even_as_those_in_memory(counts, n_splits, size, seed):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat(np.arange(len(counts)), counts))
    X = rng.integers(0, 5, (len(y), 2)).astype(float)
    splitter = StratifiedClusterKFold(n_splits, clusterer="minibatch", n_clusters=3, shuffle=True, random_state=seed)
    if max(counts) < n_splits:
        with pytest.raises(ValueError, match="n_splits"):
            streamed_folds(splitter, batches(X, size), y)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of classes with fewer rows than folds
        folds = streamed_folds(splitter, batches(X, size), y)
    table = pd.crosstab(y, folds).reindex(columns=range(n_splits), fill_value=0)
    assert (table.max(axis=1) - table.min(axis=1) <= 1).all()
    assert np.ptp(table.sum()) <= 1


def test_streamed_folds_are_those_of_a_literal_loop():
    X, y = make_blobs(400, centers=4, random_state=1)
    y = y % 2
    splitter = StratifiedClusterKFold(5, clusterer="minibatch", n_clusters=2, shuffle=True, random_state=7)
    found = streamed_folds(splitter, batches(X, 64), y)
    rng, dealt, models = np.random.RandomState(7), 0, []
    for label in (0, 1):
        models.append(MiniBatchKMeans(2, random_state=rng.randint(np.iinfo(np.int32).max)).partial_fit(X[y == label]))
    for start in range(0, 400, 64):
        for label in (0, 1):
            part = X[start : start + 64][y[start : start + 64] == label]
            models[label].partial_fit(part)
    for label in (0, 1):
        rows = np.flatnonzero(y == label)
        clusters = models[label].predict(X[rows])
        for cluster in (0, 1):
            members = rows[clusters == cluster]
            far = np.linalg.norm(X[members] - models[label].cluster_centers_[cluster], axis=1)
            for row in members[np.argsort(far, kind="stable")]:
                assert found[row] == dealt % 5
                dealt += 1


def test_clusters_that_lie_apart_are_spread_as_in_memory():
    X, blob = make_blobs(600, centers=3, cluster_std=0.1, random_state=0)
    streamed = streamed_folds(ClusterKFold(4, clusterer="minibatch", n_clusters=3), batches(X, 100), blob)
    table = pd.crosstab(blob, streamed)
    assert (table == 50).all(axis=None)


def test_folds_by_features_need_a_feature(tmp_path, iris):
    iris[["a", "kind"]].to_csv(tmp_path / "few.csv", index=False)
    with pytest.raises(InputError, match="goes by features, and no column is left: ignore fewer, or take SCV"):
        split_file(tmp_path / "few.csv", "kind", ignore=("a",))
    assert len(split_file(tmp_path / "few.csv", "kind", technique="SCV", ignore=("a",)).folds) == len(iris)


def test_batches_are_not_standardised():
    splitter = ClusterKFold(4, clusterer="minibatch", n_clusters=3, standardize=True)
    with pytest.raises(InputError, match="batches are not standardised"):
        streamed_folds(splitter, batches(np.eye(8), 4), np.arange(8))


def test_with_groups_streamed_folds_are_those_in_memory():
    rng = np.random.default_rng(0)
    group = rng.integers(0, 60, 500)
    X, y = rng.integers(0, 99, size=(500, 3)).astype(float), (group % 3 == 0).astype(int)
    splitter = StratifiedClusterKFold(5, clusterer="minibatch", n_clusters=3, shuffle=True, random_state=2)
    assert (
        streamed_folds(splitter, batches(X, 70), y, group).tolist() == splitter.fold_of_each_row(X, y, group).tolist()
    )


def test_a_parquet_file_is_streamed_when_large_or_on_request(tmp_path, monkeypatch, iris):
    pytest.importorskip("pyarrow")
    path = tmp_path / "iris.parquet"
    iris.to_parquet(path, row_group_size=30)
    asked = split_file(path, "kind", n_splits=5, stream="always", ignore=("plant",))
    assert "clusters by partial_fit" in str(asked)
    assert (pd.crosstab(iris["kind"], asked.folds) == 10).all(axis=None)
    monkeypatch.setattr("cvstrat.assignment._split._IN_MEMORY", 500)
    assert split_file(path, "kind", n_splits=5, ignore=("plant",)).folds.tolist() == asked.folds.tolist()
    with pytest.raises(ValueError, match="SCBCV needs all rows in memory: take KCBCV-Mini or SCBCV-Mini"):
        split_file(path, "kind", technique="SCBCV")
    assert len(split_file(path, "kind", technique="SCBCV", stream="never").folds) == 150
    assert len(split_file(path, "kind", technique="SCV").folds) == 150


def test_missing_values_are_found_in_batches_too(tmp_path, iris):
    pytest.importorskip("pyarrow")
    iris.assign(a=iris["a"].where(iris.index != 77)).to_parquet(tmp_path / "holes.parquet")
    with pytest.raises(ValueError, match="missing or infinite values"):
        split_file(tmp_path / "holes.parquet", "kind", stream="always")


# The command.


def test_the_command_writes_a_fold_per_row_and_a_report(files, iris, tmp_path, capsys):
    out, report = tmp_path / "folds.csv", tmp_path / "report.csv"
    words = ["split", str(files[0]), "--target", "kind", "--ignore", "plant", "--n-splits", "5", "--seed", "3"]
    assert main([*words, "-o", str(out), "--report", str(report)]) == 0
    table = pd.read_csv(out)
    assert table["row"].to_list() == list(range(150))
    expected = make_splitter("SCBCV-Mini", n_splits=5, random_state=3).fold_of_each_row(features(iris), iris["kind"])
    assert table["fold"].to_list() == expected.tolist()
    assert pd.read_csv(report)["rows"].to_list() == [30] * 5 + [150]
    said = capsys.readouterr().out
    assert "150 rows in 5 folds by SCBCV-Mini, in memory" in said and "class_gap" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folds.csv", "report.csv"]


def test_an_identifier_is_written_beside_the_folds(files, iris, tmp_path):
    for path in files:
        out = tmp_path / f"folds{path.suffix}"
        assert main(["split", str(path), "--target", "kind", "--id", "plant", "-o", str(out)]) == 0
        table = pd.read_csv(out) if path.suffix == ".csv" else pd.read_parquet(out)
        assert list(table.columns) == ["row", "plant", "fold"]
        assert table["plant"].to_list() == iris["plant"].to_list()


def test_nothing_is_replaced_without_force_and_nothing_half_written(files, tmp_path, capsys, monkeypatch):
    out = tmp_path / "folds.csv"
    out.write_text("mine")
    words = ["split", str(files[0]), "--target", "kind", "-o", str(out)]
    assert main(words) == 1
    assert "folds.csv is there already: say --force" in capsys.readouterr().err
    assert out.read_text() == "mine"

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(pd.DataFrame, "to_csv", full)
        assert main([*words, "--force"]) == 1
    assert "No space left" in capsys.readouterr().err
    assert out.read_text() == "mine" and list(tmp_path.iterdir()) == [out]
    assert main([*words, "--force"]) == 0
    assert out.read_text().startswith("row,fold\n0,")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--technique", "SCBC"], 2, "choose from"),
        (["--n-splits", "1"], 2, "at least 2"),
        (["--seed", "-1"], 2, "0 to 4294967295"),
        (["--target", "knd"], 1, "did you mean kind"),
        (["--groups", "plnt"], 1, "did you mean plant"),
        (["--ignore", "kind"], None, "kind is the target"),
        (["--n-splits", "60"], None, "n_splits=60"),
        (["-o", "folds.txt"], None, "must end in .csv or .parquet"),
        (["-o", "no/folder/folds.csv"], 1, "there is no folder"),
        (["--stream", "always"], None, "only those are read in batches"),
    ],
)
def test_what_cannot_be_done_is_said_and_leaves_no_file(files, tmp_path, monkeypatch, capsys, words, code, message):
    monkeypatch.chdir(tmp_path)
    try:
        found = main(["split", str(files[0]), "--target", "kind", "-o", "folds.csv", *words])
    except SystemExit as end:
        found = end.code
    assert found == code if code else found in (1, 2)
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_folds_of_scikit_learn_need_no_features(files, iris):
    for technique, splitter in (("KFold", KFold), ("SCV", StratifiedKFold)):
        expected = fold_numbers(splitter(5, shuffle=True, random_state=1), iris, iris["kind"])
        assert split_file(files[0], "kind", technique=technique, n_splits=5, seed=1).folds.tolist() == expected.tolist()


def test_folds_and_report_need_two_files(files, tmp_path, capsys):
    out = str(tmp_path / "folds.csv")
    assert main(["split", str(files[0]), "--target", "kind", "-o", out, "--report", out]) == 2
    assert "the data, the folds and the report cannot be in one file" in capsys.readouterr().err
    assert main(["split", str(files[0]), "--target", "kind", "-o", ""]) == 2
    assert "must end in .csv or .parquet" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("stream", ["never", "always"])
@pytest.mark.parametrize("columns", ["named index", "index without a name", "two indices", "numbers"])
def test_the_index_of_a_table_is_no_feature(tmp_path, iris, columns, stream):
    pytest.importorskip("pyarrow")
    frame = iris.assign(name=np.random.RandomState(0).permutation(150))
    stored = {
        "named index": lambda: frame.set_index("name"),
        "index without a name": lambda: frame.drop(columns="name").set_axis(frame["name"].to_numpy()),
        "two indices": lambda: frame.set_index(["name", "plant"]),
        "numbers": lambda: frame.drop(columns=["name", "plant"]).set_axis(range(5), axis=1),
    }[columns]()
    stored.to_parquet(tmp_path / "stored.parquet")
    plain = frame[["a", "b", "c", "d", *(["plant"] if "plant" in stored else []), "kind"]]
    plain.to_parquet(tmp_path / "plain.parquet", index=False)
    options = {"n_splits": 5, "seed": 0, "stream": stream}
    expected = split_file(tmp_path / "plain.parquet", "kind", **options).folds.tolist()
    found = split_file(tmp_path / "stored.parquet", **options)  # the last column that is no index is the target
    assert found.folds.tolist() == expected
    assert ("name is an index of the table, and no feature" in found.notes) == (
        columns in ("named index", "two indices")
    )
    if columns == "named index":
        out = tmp_path / "folds.csv"
        words = ["--id", "name", "--n-splits", "5", "--stream", stream, "-o", str(out)]
        assert main(["split", str(tmp_path / "stored.parquet"), *words]) == 0
        table = pd.read_csv(out)
        assert table["name"].to_list() == frame["name"].to_list() and table["fold"].to_list() == expected


@pytest.mark.parametrize("zone", [None, "Europe/Vienna"])
def test_dates_in_a_file_are_a_quantity(tmp_path, iris, zone):
    pytest.importorskip("pyarrow")
    days = pd.date_range("2026-01-01", periods=150, freq="h", tz=zone)
    frame = features(iris).assign(day=days[np.random.RandomState(0).permutation(150)])
    frame.to_parquet(tmp_path / "days.parquet", index=False)
    y = frame["day"].to_numpy(dtype="datetime64[ns]")
    for technique in ("SCV", "SCBCV-Mini"):
        with pytest.warns(UserWarning, match="continuous"):
            expected = fold_numbers(make_splitter(technique, n_splits=5, random_state=0), features(iris), y)
        found = split_file(tmp_path / "days.parquet", "day", technique=technique, n_splits=5)
        assert found.folds.tolist() == expected.tolist()
    assert len(split_file(tmp_path / "days.parquet", "day", n_splits=5, stream="always").folds) == 150


def test_a_target_without_end_is_refused(tmp_path, iris):
    features(iris).assign(y=[np.inf, *range(149)]).to_csv(tmp_path / "far.csv", index=False)
    for technique in ("SCV", "SCBCV"):
        with pytest.raises(InputError, match="y has infinite values"):
            split_file(tmp_path / "far.csv", "y", technique=technique)


def test_a_target_whose_classes_are_all_rare_is_refused(tmp_path, iris):
    features(iris).assign(y=range(150)).to_csv(tmp_path / "rare.csv", index=False)
    for technique in ("SCV", "SCBCV"):
        with pytest.raises(InputError, match="n_splits=5 is more than the members of any class"):
            split_file(tmp_path / "rare.csv", "y", technique=technique, n_splits=5)


def test_data_folds_and_report_stay_apart_by_whatever_path(tmp_path, iris, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    iris.to_csv("mine.csv", index=False)
    before = (tmp_path / "mine.csv").read_bytes()
    for words in (["-o", "mine.csv"], ["-o", "folds.csv", "--report", "sub/../mine.csv"],
                  ["-o", "x.csv", "--report", "sub/../x.csv"]):  # fmt: skip
        assert main(["split", "mine.csv", "--target", "kind", "--force", *words]) == 2
        assert "cannot be in one file" in capsys.readouterr().err
    assert main(["split", "mine.csv", "--target", "kind", "-o", "x.csv", "--report", "r.parquet"]) == 2
    assert "r.parquet: the name must end in .csv" in capsys.readouterr().err
    assert (tmp_path / "mine.csv").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.csv", "sub"]


@pytest.mark.parametrize("name", ["row", "fold"])
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_an_identifier_is_not_overwritten_by_what_is_written_beside_it(tmp_path, iris, monkeypatch, capsys, name, form):
    monkeypatch.chdir(tmp_path)
    iris.assign(**{name: [f"p{number}" for number in range(150)]}).to_csv("mine.csv", index=False)
    words = ["split", "mine.csv", "--target", "kind", "--ignore", "plant", "--id", name, "-o", f"folds.{form}"]
    assert main(words) == 2
    assert f"the identifier {name!r} has the name of a column that is written beside it" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.csv"]


def test_identifiers_of_text_files_are_written_as_they_are(tmp_path, iris):
    names = [f"{number:05}" for number in range(148)] + ["", "NA"]
    iris.assign(name=names).to_csv(tmp_path / "mine.csv", index=False)
    words = ["--target", "kind", "--ignore", "plant", "--id", "name", "-o", str(tmp_path / "folds.csv")]
    assert main(["split", str(tmp_path / "mine.csv"), *words]) == 0
    written = pd.read_csv(tmp_path / "folds.csv", dtype=str, keep_default_na=False)
    assert written["name"].tolist() == names


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_identifiers_of_parquet_files_keep_their_type_where_some_are_missing(tmp_path, iris, monkeypatch, form):
    """In batches: those without a missing one are like those with one."""
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(_source, "_MAX_BATCH", 50)
    names = pd.array([2**60 + number for number in range(149)] + [None], dtype="Int64")
    iris.assign(name=names).to_parquet(tmp_path / "mine.parquet")
    out = tmp_path / f"folds.{form}"
    words = ["--target", "kind", "--technique", "KFold", "--ignore", "plant", "--id", "name", "-o", str(out)]
    assert main(["split", str(tmp_path / "mine.parquet"), *words]) == 0
    if form == "csv":
        assert pd.read_csv(out, dtype=str)["name"].tolist()[:149] == [str(name) for name in names[:149]]
    else:
        assert pd.read_parquet(out, dtype_backend="numpy_nullable")["name"].tolist()[:149] == names[:149].tolist()


def test_decimals_are_numbers_in_memory_in_batches_and_in_advice(tmp_path, iris):
    pytest.importorskip("pyarrow")
    exact = iris.drop(columns="plant")
    exact = exact.assign(**{name: [Decimal(str(value)) for value in exact[name]] for name in "ad"})
    exact.to_parquet(tmp_path / "exact.parquet", index=False)
    iris.drop(columns="plant").to_parquet(tmp_path / "plain.parquet", index=False)
    for target in ("kind", "a"):
        for stream in ("never", "always"):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                one, other = (
                    split_file(tmp_path / name, target, ignore=("kind",) * (target == "a"), n_splits=5, stream=stream)
                    for name in ("exact.parquet", "plain.parquet")
                )
            assert one.folds.tolist() == other.folds.tolist()
        one, other = (str(advise_file(tmp_path / name, target)) for name in ("exact.parquet", "plain.parquet"))
        assert one == other


def test_columns_that_are_no_columns_are_refused_in_a_line(tmp_path, iris, capsys):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    base = pa.Table.from_pandas(iris[["a", "b", "kind"]])
    lists = base.append_column("some", pa.array([[number] for number in range(150)]))
    parquet.write_table(lists, tmp_path / "lists.parquet")
    parquet.write_table(base.append_column("a", base.column("b")), tmp_path / "twice.parquet")
    out = str(tmp_path / "folds.csv")
    for name, words, message in (
        ("lists", ["--target", "some"], "some holds lists or the like"),
        ("lists", ["--target", "kind", "--groups", "some"], "some holds lists or the like"),
        ("twice", ["--target", "kind"], "has more than one column 'a'"),
    ):
        assert main(["split", str(tmp_path / f"{name}.parquet"), "--technique", "SCV", *words, "-o", out]) == 1
        assert message in capsys.readouterr().err
    assert main(["advise", str(tmp_path / "lists.parquet"), "--target", "some"]) == 2
    assert "the target holds lists or the like" in capsys.readouterr().err


def test_what_is_said_of_a_file_is_said_by_split_too(tmp_path, iris, capsys):
    words = ["--target", "kind", "--ignore", "plant", "-o", str(tmp_path / "folds.csv")]
    (tmp_path / "latin.csv").write_bytes(iris.replace({"kind": {"s": "é"}}).to_csv(index=False).encode("latin-1"))
    assert main(["split", str(tmp_path / "latin.csv"), *words]) == 0
    assert "was read as Windows-1252" in capsys.readouterr().out
    iris.replace({"kind": {"s": "None"}}).to_csv(tmp_path / "none.csv", index=False)
    assert main(["split", str(tmp_path / "none.csv"), *words, "--force"]) == 2
    assert "kind is missing in 50 rows: leave them out; 'None' in kind is read as missing" in capsys.readouterr().err


def test_without_pyarrow_parquet_is_refused_before_the_work(files, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    out = tmp_path / "folds.parquet"
    assert main(["split", str(files[0]), "--target", "kind", "-o", str(out)]) == 1
    assert "needs pyarrow to be written" in capsys.readouterr().err
    assert not out.exists()
