"""Advice looks at how rows hang together before it recommends anything."""

import numpy as np
import pandas as pd
import pytest
from sklearn import datasets, model_selection
from sklearn.dummy import DummyClassifier, DummyRegressor

import cvstrat
from cvstrat import advise
from cvstrat.advice import advise_file
from cvstrat.errors import InputError

N_PATIENTS, N_VISITS = 30, 10


def visits(name="patient", shuffled=False, noise=0.3):
    """Return ten rows per patient; whether a patient is ill hangs on the patient, not on the visit."""
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(N_PATIENTS), N_VISITS)
    base = rng.normal(size=(N_PATIENTS, 3))
    frame = pd.DataFrame(base[patient] + noise * rng.normal(size=(len(patient), 3)), columns=list("abc"))
    frame.insert(0, name, patient + 100)
    frame["ill"] = (base[patient, 0] > 0.3).astype(int)
    return frame.sample(frac=1, random_state=0, ignore_index=True) if shuffled else frame


def parts(frame):
    return frame.drop(columns="ill"), frame["ill"]


def run(advice, frame, target="ill"):
    """Run the recommended lines as they stand; return the scores."""
    model = DummyRegressor() if advice.task == "regression" else DummyClassifier()
    names = vars(model_selection) | {"make_splitter": cvstrat.make_splitter, "np": np, "pd": pd, "model": model}
    names |= {"data": frame, "X": frame.drop(columns=target), "y": frame[target]}
    *lines, last = advice.code.splitlines()
    exec("\n".join([*lines, f"scores = {last}"]), names)
    return names["scores"]


@pytest.mark.parametrize("name", ["patient", "subject_id", "UserID", "id", "Patient No"])
@pytest.mark.parametrize("shuffled", [False, True])
def test_several_rows_per_patient_are_kept_together(name, shuffled):
    frame = visits(name, shuffled)
    advice = advise(*parts(frame))
    assert advice.structure.groups.name == name
    assert not advice.structure.groups.given
    assert advice.splitter == "StratifiedGroupKFold(10, shuffle=True, random_state=0)"
    assert "30 values, each in 10 rows" in str(advice)
    assert "StratifiedKFold(" not in str(advice)
    assert len(run(advice, frame)) == 10


def test_blocks_of_equal_length_are_noticed_without_a_telling_name():
    frame = visits("code17")
    assert advise(*parts(frame)).structure.groups.name == "code17"
    words = visits("x").assign(x=lambda table: "p" + table["x"].astype(str))
    assert advise(*parts(words)).structure.groups.name == "x"


def test_a_quantity_by_which_rows_are_sorted_is_not_taken_for_a_name():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": np.sort(rng.binomial(90, 0.5, 300)), "b": rng.normal(size=300), "ill": [0, 1] * 150})
    advice = advise(*parts(frame))
    assert advice.structure.groups is None and advice.structure.time is None
    assert "the rows are sorted by age" in str(advice)


@pytest.mark.parametrize("name", ["group_size", "customer_age", "humid", "n_patients", "valid"])
def test_names_that_only_sound_like_it_are_not_enough(name):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({name: rng.integers(0, 40, 300), "b": rng.normal(size=300), "ill": [0, 1] * 150})
    assert advise(*parts(frame)).structure.groups is None


def test_what_the_caller_names_is_believed():
    frame = visits("x", shuffled=True)
    X, y = parts(frame)
    assert advise(X, y).structure.groups is None
    named, given = advise(X, y, groups="x"), advise(X.drop(columns="x"), y, groups=X["x"].to_numpy())
    assert named.structure.groups.given and named.n_features == given.n_features == 3
    assert len(run(named, frame)) == 10
    assert "groups=groups" in given.code
    assert named.largest_n_splits == given.largest_n_splits == y.groupby(X["x"]).first().value_counts().min()


def test_folds_are_at_most_the_groups_that_hold_the_rarest_class():
    frame = visits()
    few = frame.assign(ill=(frame["patient"] < 103).astype(int))
    advice = advise(*parts(few), groups="patient")
    assert (advice.n_splits, advice.largest_n_splits) == (3, 3)
    assert "class 1 has 3 groups" in str(advice)
    with pytest.raises(ValueError, match="31 folds are more than the 30 groups"):
        advise(*parts(frame), groups="patient", n_splits=31)


def test_a_number_to_predict_with_groups_and_time():
    frame = visits().assign(ill=lambda table: table["a"] * 2.5)
    assert advise(*parts(frame)).splitter == "GroupKFold(10, shuffle=True, random_state=0)"
    both = advise(*parts(frame.assign(day=range(len(frame)))), time="day")
    assert both.splitter == "TimeSeriesSplit(10)"
    assert "may still part a group" in str(both)


@pytest.mark.parametrize("form", [None, "%Y-%m-%d", "%d.%m.%Y %H:%M"])
@pytest.mark.parametrize("backwards", [False, True])
def test_rows_in_order_of_time_are_cut_by_time(form, backwards):
    dates = pd.Series(pd.date_range("2020-01-07", periods=40))
    dates = dates[::-1].reset_index(drop=True) if backwards else dates
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"when": dates.dt.strftime(form) if form else dates, "a": rng.normal(size=len(dates))})
    frame["ill"] = np.arange(len(frame)) % 2
    advice = advise(*parts(frame), n_splits=3)
    assert advice.structure.time.name == "when"
    assert len(run(advice, frame)) == 3
    assert "A row must not be predicted from later ones" in str(advice)


def test_dates_in_no_order_are_only_remarked_on():
    rng = np.random.default_rng(0)
    dates = pd.Series(pd.date_range("1950-01-01", periods=200)).sample(frac=1, random_state=0).dt.strftime("%Y-%m-%d")
    frame = pd.DataFrame({"born": dates.to_numpy(), "a": rng.normal(size=200), "ill": [0, 1] * 100})
    advice = advise(*parts(frame))
    assert advice.structure.time is None and "born holds dates" in str(advice)
    assert advise(*parts(frame), time="born").splitter == "TimeSeriesSplit(10)"
    assert len(run(advise(*parts(frame), time="born"), frame)) == 10


def test_rows_are_sorted_by_time_in_the_recommended_lines():
    frame = pd.DataFrame({"year": [2003, 2001, 2002, 2004, 2000, 2005], "ill": [3, 1, 2, 4, 0, 5]})
    names = {"data": frame, "pd": pd}
    exec("\n".join(advise(frame[["year"]], frame["ill"] + 0.5, time="year", n_splits=2).code.splitlines()[:2]), names)
    assert names["y"].to_list() == [0, 1, 2, 3, 4, 5]


def test_copies_and_near_copies_of_rows_are_noticed():
    frame = visits(noise=0.001, shuffled=True).drop(columns="patient")
    assert "of the rows nearly repeat another row" in str(advise(*parts(frame)))
    doubled = pd.concat([visits(shuffled=True).drop(columns="patient")] * 2, ignore_index=True)
    assert "600 of 600 rows have the same features as another row" in str(advise(*parts(doubled)))
    rng = np.random.default_rng(0)
    aged = pd.DataFrame({"age": rng.permutation(300), "sex": rng.integers(0, 2, 300), "ill": [0, 1] * 150})
    assert "repeat" not in str(advise(*parts(aged)))
    coarse = pd.DataFrame(np.random.default_rng(0).integers(0, 3, (300, 3)), columns=list("abc")).assign(
        ill=[0, 1] * 150
    )
    assert "repeat" not in str(advise(*parts(coarse))) and "same features" not in str(advise(*parts(coarse)))


def test_columns_that_count_or_name_rows_are_noticed():
    frame = visits().drop(columns="patient").assign(number=range(1, 301), code_id=[f"r{i}" for i in range(300)])
    text = str(advise(*parts(frame)))
    assert "number counts the rows: leave it out" in text


def test_the_sets_of_scikit_learn_get_no_false_alarm():
    for name in ("breast_cancer", "diabetes", "digits", "iris", "wine"):
        X, y = getattr(datasets, f"load_{name}")(return_X_y=True, as_frame=True)
        found = advise(X, y).structure
        assert (found.groups, found.time, found.notes) == (None, None, ()), name


def test_it_says_what_it_cannot_know():
    frame = visits("x", shuffled=True)
    text = str(advise(*parts(frame)))
    assert "whether rows belong together that no column names" in text
    assert "--groups" not in str(advise(*parts(frame), groups="x"))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"groups": "patiend"}, "groups: no column 'patiend': did you mean patient"),
        ({"time": "when"}, "time: no column 'when'"),
        ({"groups": np.arange(3)}, "groups has 3 values for 300 rows"),
        ({"groups": np.where(np.arange(300) < 9, np.nan, 1.0)}, "groups has missing values, 9"),
    ],
)
def test_columns_that_cannot_be_used_are_said(options, message):
    with pytest.raises(ValueError, match=message):
        advise(*parts(visits()), **options)


def test_the_target_cannot_be_the_group(tmp_path):
    visits().to_csv(tmp_path / "v.csv", index=False)
    with pytest.raises(ValueError, match="ill is the target"):
        advise_file(tmp_path / "v.csv", groups="ill")


def test_groups_of_a_file_may_be_values(tmp_path):
    table = visits()
    table.to_csv(tmp_path / "v.csv", index=False)
    named = advise_file(tmp_path / "v.csv", "ill", groups="patient")
    given = advise_file(tmp_path / "v.csv", "ill", groups=table["patient"].to_numpy())
    assert given.largest_n_splits == named.largest_n_splits


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (pd.DataFrame(np.ones((40, 2)), columns=["age", "age"]), "several columns named 'age'"),
        (pd.DataFrame(np.ones((40, 2)), columns=[1, "1"]), "several columns named '1'"),
        (pd.DataFrame({"marks": [[1, 2]] * 40}), "column 'marks' of X holds lists"),
    ],
    ids=["same name", "same name as text", "lists"],
)
def test_tables_that_cannot_be_read_are_said(X, message):
    with pytest.raises(InputError, match=message):
        advise(X, np.repeat([0, 1], 20))


def test_columns_need_no_names_of_text(tmp_path):
    words, y = np.array([["a", "b"], ["b", "a"], ["a", "a"]] * 20), [0, 1] * 30
    assert "2 features of 2 not a number (0, 1)" in str(advise(words, y))
    frame = pd.DataFrame({("x", "one"): ["a", "b"] * 30, ("x", "two"): range(60)})
    assert "('x', 'one')" in str(advise(frame, y))


def test_a_column_without_a_name_can_say_the_order(tmp_path):
    days = pd.date_range("2026-01-01", periods=60)
    found = advise(pd.DataFrame({"": days, "a": range(60)}), [0, 1] * 30, groups=np.arange(60) % 12)
    assert found.structure.time.values.tolist() == days.tolist()


def test_columns_of_a_parquet_file_may_be_numbers(tmp_path):
    pytest.importorskip("pyarrow")
    pd.DataFrame({0: range(60), 1: [0, 1] * 30}).to_parquet(tmp_path / "numbers.parquet")
    assert advise_file(tmp_path / "numbers.parquet").target == "1"
