"""Advice: what a user reads about their own data, good and bad."""

import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.model_selection import KFold, StratifiedKFold

from cvstrat import advise, imbalance_index, metrics
from cvstrat.advice import advise_file, read_target
from cvstrat.errors import InputError
from cvstrat_cli import main

RNG = np.random.default_rng(0)


def labels(**counts):
    return np.repeat(list(counts), list(counts.values()))


def table(n=120, **columns):
    base = {"size": RNG.normal(size=n).round(3), "age": RNG.integers(1, 90, n), "y": ["a", "b", "b"] * (n // 3)}
    return pd.DataFrame(base | columns)


def write(tmp_path, frame, name="data.csv"):
    frame.to_csv(tmp_path / name, index=False)
    return str(tmp_path / name)


def test_counts_and_probabilities_are_those_of_folds():
    y = labels(common=70, some=20, rare=5)
    advice = advise(None, y, n_splits=5)
    assert advice.classes["rows"].to_dict() == {"common": 70, "some": 20, "rare": 5}
    assert advice.classes.loc["rare", ["min_rows", "max_rows"]].to_list() == [1, 1]
    assert advice.largest_n_splits == 5
    assert advice.imbalance == pytest.approx(imbalance_index(y))
    lacking = [
        [(y[test] == "rare").sum() == 0 for _, test in KFold(5, shuffle=True, random_state=seed).split(y)]
        for seed in range(800)
    ]
    assert advice.classes.loc["rare", "fold_empty"] == pytest.approx(np.mean(lacking), abs=0.04)
    assert advice.classes.loc["rare", "any_fold_empty"] == pytest.approx(np.any(lacking, axis=1).mean(), abs=0.04)


@pytest.mark.parametrize("metric", ["accuracy", "balanced_accuracy", "f1_macro"])
def test_noise_is_that_of_scores_of_folds(metric):
    from sklearn.metrics import get_scorer

    score = get_scorer(metric)._score_func
    options = {"average": "macro", "zero_division": 0} if metric == "f1_macro" else {}
    y, drawn = labels(a=150, b=50), []
    rng = np.random.default_rng(3)
    for seed in range(80):
        for _, test in StratifiedKFold(5, shuffle=True, random_state=seed).split(y, y):
            wrong = rng.random(len(test)) > 0.7
            drawn.append(score(y[test], np.where(wrong, np.where(y[test] == "a", "b", "a"), y[test]), **options))
    found = advise(None, y, n_splits=5, metric=metric, score=0.7).noise
    assert found.loc["stratified", "fold"] == pytest.approx(np.std(drawn), rel=0.1)
    assert found.loc["stratified", "mean"] == pytest.approx(found.loc["stratified", "fold"] / np.sqrt(5))


def test_without_a_number_of_folds_it_is_ten_or_what_the_rarest_class_allows():
    assert advise(None, labels(a=50, b=40)).n_splits == 10
    assert advise(None, labels(a=50, b=4)).n_splits == 4
    assert advise(None, labels(a=50, b=30, c=1)).n_splits == 10


def test_the_text_says_what_matters():
    text = str(advise(np.zeros((105, 3)), labels(a=90, b=12, c=3), n_splits=10))
    assert "105 rows, 3 features, 3 classes, imbalanced" in text
    assert "at most 3, so that every stratified fold holds every class: class c has 3 rows" in text
    assert "macro F1" in text
    assert "1 class with fewer rows than there are folds (c): however you cut, up to 7 folds lack one" in text
    assert "SCV" in text and "data sets" in text
    assert "predicted right with probability 0.8" in text
    assert "\n\nWarnings\n  - " in text


def test_many_classes_are_shown_in_part():
    text = str(advise(None, np.repeat(np.arange(40), 30), n_splits=5))
    assert "... and 30 more ..." in text
    assert len(text.splitlines()) < 60


@settings(deadline=None, max_examples=25)
@given(st.lists(st.integers(1, 60), min_size=2, max_size=6).filter(lambda counts: max(counts) > 1), st.data())
def test_any_classes_get_advice_or_one_line(counts, data):
    y = np.repeat(np.arange(len(counts)), counts)
    n_splits = data.draw(st.integers(2, 70))
    if n_splits > max(counts):
        with pytest.raises(ValueError, match="folds are more than"):
            advise(None, y, n_splits=n_splits)
        return
    advice = advise(None, y, n_splits=n_splits)
    assert advice.largest_n_splits == min(counts)
    assert advice.classes["rows"].sum() == len(y)
    assert (advice.classes["fold_empty"] <= advice.classes["any_fold_empty"] + 1e-12).all()
    assert ("fewer rows than there are folds" in str(advice)) == (min(counts) < n_splits)


def test_rows_without_a_target_are_left_out_and_counted():
    advice = advise(None, ["a", None, "b", "a", "b", np.nan, "a", "b"], n_splits=2)
    assert advice.n_rows == 6
    assert "2 rows without a target" in str(advice)
    whole = read_target(pd.Series([1.0, 2.0, np.nan, 1.0, 2.0]))
    assert whole.counts.index.to_list() == ["1", "2"]


def test_text_and_missing_features_are_named():
    frame = table(town="Rome", size=np.nan)
    text = str(advise(frame.drop(columns="y"), frame["y"]))
    assert "1 feature of 3 not a number (town)" in text
    assert "1 feature with missing values (size)" in text
    assert advise(sparse.eye(120, format="csr"), frame["y"]).n_features == 120


@pytest.mark.parametrize(
    ("values", "task"),
    [
        (RNG.normal(size=200), "regression"),
        (RNG.integers(0, 1000, 300), "regression"),
        (np.arange(25).repeat(4), "regression"),
        (np.arange(25).repeat(40), "classification"),
        (np.arange(10).repeat(3), "classification"),
        (np.array([True, False] * 5), "classification"),
        ([f"t{i % 60}" for i in range(200)], "classification"),
    ],
)
def test_numbers_and_classes_are_told_apart(values, task):
    assert read_target(values).task == task
    assert advise(None, values, n_splits=3).task == task


def test_a_number_to_predict_gets_what_applies_to_it():
    y = RNG.gamma(2, size=400)
    advice = advise(None, y, n_splits=8)
    text = str(advice)
    assert "there are no classes to keep in proportion" in text
    assert "KFold(8, shuffle=True, random_state=0)" in text
    assert advice.recommendation is None
    folds = [y[test] for seed in range(200) for _, test in KFold(8, shuffle=True, random_state=seed).split(y)]
    assert advice.noise.loc["random", "fold"] == pytest.approx(np.std([f.mean() for f in folds]) / y.std(), rel=0.06)
    assert advice.noise.loc["stratified", "fold"] < advice.noise.loc["random", "fold"] / 2
    assert advise(None, np.arange(30).repeat(5), task="classification", n_splits=5).task == "classification"


@pytest.mark.parametrize(
    ("y", "options", "message"),
    [
        (["a"] * 9, {}, "every row has the same target, a"),
        ([None] * 9, {}, "no value in any row"),
        ([], {}, "no value in any row"),
        ([f"id{i}" for i in range(9)], {}, "each of the 9 values of the target occurs once"),
        ([1.0, np.inf, 2.0], {}, "infinite"),
        (["a", "b"] * 9, {"n_splits": 1}, "must be an integer of at least 2; it is 1"),
        (["a", "b"] * 9, {"n_splits": 2.5}, "is a float"),
        (["a", "b"] * 9, {"n_splits": 10}, "the largest has 9: take at most 9"),
        (["a", "b"] * 9, {"n_splits": 99}, "99 folds are more than the 18 rows"),
        (["a", "b"] * 9, {"metric": "f1"}, "did you mean f1_macro"),
        (["a", "b"] * 9, {"score": 80}, "between 0 and 1; it is 80"),
        (["a", "b"] * 9, {"task": "regresion"}, "one of auto, classification, regression"),
        (["a", "b"] * 9, {"task": "regression"}, "not a number"),
        (RNG.normal(size=20), {"metric": "accuracy"}, "accuracy is for classes"),
        (np.zeros((9, 2)), {}, "its shape is"),
    ],
)
def test_what_cannot_be_advised_on_is_one_clear_line(y, options, message):
    with pytest.raises(ValueError, match=message) as caught:
        advise(None, y, **options)
    assert "\n" not in str(caught.value)


def test_a_rare_class_gets_fewer_folds_repeated_and_another_score():
    y = labels(no=288, yes=12)
    text = str(advise(None, y))
    assert "RepeatedStratifiedKFold(n_splits=2, n_repeats=10, random_state=0)" in text
    assert "average_precision" in text
    assert "moves the recall of such a class by 1.00, and a macro F1 by up to 0.50" in text
    even = str(advise(None, labels(a=200, b=180)))
    assert "Repeated" not in even and "average_precision" not in even


def test_wide_tables_same_columns_and_words_among_numbers_get_a_remark():
    y = ["a", "b"] * 15
    wide = pd.DataFrame(RNG.normal(size=(30, 31)))
    assert "31 features are more than the 30 rows" in str(advise(wide, y))
    assert "more than" not in str(advise(wide.iloc[:, :5], y))
    assert "0 and copy hold the same values" in str(advise(wide.iloc[:, :3].assign(copy=wide[0]), y))
    size = [str(value) for value in RNG.normal(size=28)]
    assert "size holds numbers but for '?', 'n.a.'" in str(advise(pd.DataFrame({"size": [*size, "?", "n.a."]}), y))
    assert "holds numbers" not in str(advise(pd.DataFrame({"town": ["Rome", "Oslo", "Bonn"] * 10}), y))


def test_an_interval_that_excludes_zero_but_is_not_clear_is_explained():
    advice = advise(None, labels(a=60, b=60))
    found = advice.recommendation.effects
    unclear = found.index[((found["low"] > 0) | (found["high"] < 0)) & ~found["better"] & ~found["worse"]]
    assert len(unclear) > 0
    assert f"({', '.join(unclear)}: the interval excludes zero, yet that is not clear" in str(advice)


def test_the_command_prints_the_advice(tmp_path, capsys):
    file = write(tmp_path, table())
    assert main(["advise", file, "--target", "y", "--folds", "4", "--metric", "balanced_accuracy"]) == 0
    out = capsys.readouterr().out
    assert out.strip() == str(advise_file(file, "y", n_splits=4, metric="balanced_accuracy"))
    assert "Classes in 4 folds" in out
    assert main(["advise", "iris"]) == 0
    assert "150 rows, 4 features, 3 classes, balanced" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--target", "Y"], 1, "did you mean y?"),
        (["--target", "ages"], 1, "did you mean age"),
        (["--groups", "ages"], 2, "did you mean age"),
        (["--folds", "81"], 2, "more than the rows of any class"),
        (["--folds", "1000"], 2, "more than the 120 rows"),
    ],
)
def test_a_slip_on_the_command_line_is_one_line(words, code, message, tmp_path, capsys):
    assert main(["advise", write(tmp_path, table()), *words]) == code
    error = capsys.readouterr().err
    assert message in error
    assert len(error.strip().splitlines()) == 1


def test_files_that_are_not_there_or_not_tables_are_one_line(tmp_path, capsys):
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "ragged.csv").write_text("a,b\n1,2,3\n")
    for name, message in (("no.csv", "No such file"), ("empty.csv", "not a CSV"), ("ragged.csv", "not a CSV")):
        assert main(["advise", str(tmp_path / name)]) == 1
        assert message in capsys.readouterr().err
    assert main(["advise", "irs"]) == 2
    assert "did you mean iris" in capsys.readouterr().err


def test_a_million_rows_take_seconds():
    n = 10**6
    X = pd.DataFrame({"x": RNG.normal(size=n), "town": RNG.choice(["Rome", "Oslo"], n)})
    y = RNG.choice(["a", "b", "c"], n, p=[0.9, 0.0999, 0.0001])
    start = time.perf_counter()
    advice = advise(X, y)
    assert time.perf_counter() - start < 20
    assert advice.classes["rows"].sum() == n
    assert advice.classes.loc["c", "fold_empty"] == metrics.empty_probability(n, int((y == "c").sum()), 10)


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ([10**19, 10**19 + 1], {"10000000000000000000", "10000000000000000001"}),
        ([1e300, 2.0], {"1e+300", "2"}),
        ([1.0, 2.0], {"1", "2"}),
    ],
)
def test_classes_that_are_numbers_keep_their_names(values, names):
    assert set(read_target(pd.Series(values * 5), "classification").counts.index) == names


@pytest.mark.parametrize(
    ("y", "groups", "message"),
    [
        (RNG.normal(size=60), ["one"] * 60, "there is only one group"),
        (["a", "b"] * 30, ["one"] * 60, "each class lies in one group only"),
        (["a", "b"] * 30, ["a", "b"] * 30, "each class lies in one group only"),
    ],
)
def test_groups_that_no_folds_can_keep_whole_are_refused(y, groups, message):
    with pytest.raises(InputError, match=message):
        advise(table(60).drop(columns="y"), y, groups=groups)


@pytest.mark.parametrize(
    "form",
    [
        lambda day: f"{day:%Y-%m-%dT%H:%M:%S}{'+01:00' if day.month == 1 else '+02:00'}",
        lambda day: f"{day:%Y-%m-%d %H:%M}" if day.day % 2 else f"{day:%Y-%m-%d}",
        lambda day: f"{day:%d.%m.%Y}",
    ],
    ids=["two zones", "with and without a time", "day first"],
)
def test_the_advised_code_sorts_the_dates_that_were_found(form):
    when = [form(day) for day in pd.date_range("2024-01-02", periods=60)]
    data = pd.DataFrame({"when": when, "size": RNG.normal(size=60), "y": ["a", "b"] * 30})
    advice = advise(data.drop(columns="y"), data["y"])
    (line,) = [line.strip() for line in str(advice).splitlines() if "sort_values" in line]
    shuffled = {"data": data.sample(frac=1, random_state=0), "pd": pd}
    exec(line, shuffled)
    assert shuffled["data"]["when"].tolist() == when


def test_a_class_that_was_read_as_missing_is_told_where_it_leaves_one_class(tmp_path):
    path = write(tmp_path, table(60).assign(y=["None", "Some"] * 30))
    with pytest.raises(InputError, match="every row has the same target, Some: .*'None' in y is read as missing"):
        advise_file(path, "y")


def test_a_target_of_lists_is_refused():
    with pytest.raises(InputError, match="the target holds lists or the like"):
        advise(table(60).drop(columns="y"), pd.Series([[1], [2]] * 30))


def test_a_bundled_set_has_one_target():
    assert advise_file("wine", "target").n_rows == 178
    with pytest.raises(InputError, match="no target of wine 'alcohol'"):
        advise_file("wine", "alcohol")
