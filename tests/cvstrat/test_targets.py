"""Targets of every form: the same values give the same folds, and the measures of folds take what splitters take."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from cvstrat import BalancedKFold, StratifiedClusterKFold, balance_ratio, fold_report
from cvstrat.errors import InputError
from cvstrat.splitters import ClusterKFold
from cvstrat.targets import as_target

rng = np.random.RandomState(0)
X = rng.rand(120, 3)
LABELS = rng.randint(0, 2, (120, 3))
DAYS = pd.Series(pd.Timestamp("2024-01-01", tz="Europe/Berlin") + pd.to_timedelta(rng.permutation(120), unit="D"))


def folds(y, **options):
    return StratifiedClusterKFold(4, n_clusters=2, **options).fold_of_each_row(X, y).tolist()


@pytest.mark.parametrize(
    "labels",
    [
        pd.DataFrame(LABELS).astype("Int64"),
        pd.DataFrame(LABELS).astype("boolean"),
        pd.DataFrame(LABELS).astype({0: bool}),
        sparse.csr_matrix(LABELS),
    ],
    ids=["nullable numbers", "nullable booleans", "booleans beside numbers", "sparse"],
)
def test_labels_of_several_columns_may_be_held_in_any_way(labels):
    assert folds(labels) == folds(LABELS)


@pytest.mark.parametrize("hold", [lambda y: y.astype(">i8"), lambda y: y.astype(object)], ids=["big-endian", "objects"])
def test_whole_numbers_may_be_held_in_any_way(hold):
    y = rng.randint(0, 3, 120)
    assert folds(hold(y)) == folds(y)
    assert folds(y, strata=hold(y)) == folds(y, strata=y)
    grouped, groups = ClusterKFold(4, n_clusters=2), np.arange(120) // 4
    assert (grouped.fold_of_each_row(X, None, hold(groups)) == grouped.fold_of_each_row(X, None, groups)).all()


@pytest.mark.parametrize(
    "hold",
    [lambda days: days, lambda days: days.dt.tz_convert(None), lambda days: days - days[0]],
    ids=["zone", "no zone", "durations"],
)
def test_times_are_quantities_with_and_without_a_zone(hold):
    numbers = ((DAYS - DAYS.min()) / pd.Timedelta(days=1)).to_numpy()
    assert folds(hold(DAYS), n_bins=5) == folds(numbers + 0.5, n_bins=5)
    assert folds(None, strata=hold(DAYS), n_bins=5) == folds(None, strata=numbers + 0.5, n_bins=5)
    assert balance_ratio(folds(numbers, n_bins=5), X, hold(DAYS)) == pytest.approx(
        balance_ratio(folds(numbers, n_bins=5), X, numbers + 0.5)
    )


def test_times_are_one_of_the_columns_that_balanced_folds_make_alike():
    alike = BalancedKFold(4, balance=0, n_bins=2).fold_of_each_row(X, DAYS)
    assert balance_ratio(alike, DAYS.astype("int64").to_numpy()[:, None]) < 0.1


@pytest.mark.parametrize(
    ("y", "same"),
    [
        (X[:, :1], X[:, 0]),
        (sparse.csr_matrix(LABELS), LABELS),
        (pd.DataFrame({"kind": np.where(LABELS[:, 0], "a", "b")}), LABELS[:, 0]),
    ],
    ids=["one column", "sparse labels", "a frame of one column"],
)
def test_measures_take_what_splitters_take(y, same):
    some = np.arange(120) % 4
    assert balance_ratio(some, X, y) == pytest.approx(balance_ratio(some, X, same))
    report, expected = (fold_report(ClusterKFold(4, n_clusters=2), X, one) for one in (y, same))
    pd.testing.assert_frame_equal(report.drop(columns="seconds"), expected.drop(columns="seconds"))


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (np.r_[np.inf, np.arange(119)], "y has infinite values"),
        ([1.0, None] * 60, "y has missing values, 60 of 120"),
        ([Decimal("0.5"), Decimal("1.5")] * 60, "it is of the kind 'unknown'"),
        (rng.rand(120, 2), "2 columns that are not labels of 0 and 1"),
    ],
)
def test_what_is_no_target_is_refused_in_a_line(y, message):
    with pytest.raises(InputError, match=message):
        folds(y)


def test_the_kind_of_a_target_is_told():
    assert as_target(["a", "b"])[1] == "binary"
    assert as_target([[1], [2], [3]])[1] == "multiclass"
    assert as_target(LABELS)[1] == "multilabel-indicator"
