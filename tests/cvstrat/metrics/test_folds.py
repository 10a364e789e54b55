"""Reports on folds: against SciPy and slow versions, and on folds whose quality is known."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse, stats
from sklearn.datasets import load_iris, make_blobs
from sklearn.model_selection import KFold, PredefinedSplit, ShuffleSplit, StratifiedKFold

from cvstrat import ClusterBlockKFold, ClusterKFold, fold_report
from cvstrat.metrics import MEASURE_LABELS, MEASURES, assignment_table, compare_folds, energy_coefficient


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


def test_there_is_a_line_per_fold_and_one_for_all(iris):
    report = fold_report(KFold(4, shuffle=True, random_state=0), *iris)
    assert report.index.tolist() == [0, 1, 2, 3, "all"]
    assert report["rows"].tolist() == [38, 38, 37, 37, 150]
    assert report.loc["all", list(MEASURES)].notna().all()
    assert set(MEASURES) <= set(MEASURE_LABELS)
    assert report.loc["all", "seconds"] > 0


def test_feature_shift_is_scipys_kolmogorov_smirnov_distance():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=80), rng.integers(0, 4, size=80)])
    cv = KFold(3, shuffle=True, random_state=1)
    report = fold_report(cv, X)
    for fold, (train, test) in enumerate(cv.split(X)):
        expected = [stats.ks_2samp(X[train, j], X[test, j]).statistic for j in range(2)]
        assert report.loc[fold, "feature_shift"] == pytest.approx(np.mean(expected))
        assert report.loc[fold, "max_feature_shift"] == pytest.approx(max(expected))


def test_shift_is_the_literal_energy_distance():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(12, 3)), rng.normal(1, 2, size=(9, 3))
    mean = {
        pair: np.mean([np.linalg.norm(p - q) for p in pair_a for q in pair_b])
        for pair, pair_a, pair_b in (("ab", a, b), ("aa", a, a), ("bb", b, b))
    }
    expected = (2 * mean["ab"] - mean["aa"] - mean["bb"]) / (2 * mean["ab"])
    assert energy_coefficient(a, b) == pytest.approx(expected)
    assert energy_coefficient(a, a) == pytest.approx(0, abs=1e-12)
    assert energy_coefficient(a[:1], a[:1]) == 0


def test_class_gap_is_the_largest_difference_in_shares():
    X, y = np.arange(8.0)[:, None], np.array([0, 0, 0, 0, 1, 1, 1, 1])
    report = fold_report(PredefinedSplit([0, 0, 0, 1, 0, 1, 1, 1]), X, y)
    assert report.loc[0, "class_gap"] == 0.25
    assert fold_report(StratifiedKFold(2), X, y).loc["all", "class_gap"] == 0
    assert np.isnan(fold_report(KFold(2), X).loc["all", "class_gap"])


def test_nearest_is_the_mean_distance_to_the_training_part():
    X = np.array([[0.0], [1.0], [4.0], [10.0]])
    report = fold_report(PredefinedSplit([0, -1, 0, -1]), X)
    assert report.loc[0, "nearest"] * X.std() == pytest.approx((1 + 3) / 2)


def test_blocks_shift_more_than_spread_clusters():
    X, y = make_blobs(200, centers=4, random_state=0)
    table = compare_folds({"spread": ClusterKFold(4, n_clusters=4), "blocks": ClusterBlockKFold(4)}, X, y)
    assert table.loc["spread", "size_gap"] == 0 < table.loc["blocks", "size_gap"]
    assert table.loc["blocks", "shift"] > 5 * table.loc["spread", "shift"]
    assert table.loc["blocks", "nearest"] > table.loc["spread", "nearest"]


def test_silhouette_tells_clusters_from_noise():
    clusters = make_blobs(200, centers=3, cluster_std=0.2, random_state=0)[0]
    noise = np.random.default_rng(0).uniform(size=(200, 8))
    assert fold_report(KFold(2), clusters).loc["all", "silhouette"] > 0.75
    assert fold_report(KFold(2), noise).loc["all", "silhouette"] < 0.2


def test_a_continuous_target_is_compared_by_quarters():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    y = np.sort(X[:, 0] + 0.01)
    assert fold_report(KFold(4), X, y).loc["all", "class_gap"] == pytest.approx(0.75)


def test_sampling_large_parts_is_reproducible_and_leaves_the_global_state(iris):
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    cv = KFold(3, shuffle=True, random_state=0)
    first, second = (fold_report(cv, *iris, max_rows=20).drop(columns="seconds") for _ in range(2))
    pd.testing.assert_frame_equal(first, second)
    assert (np.random.get_state()[1] == before).all()  # noqa: NPY002


def test_sparse_rows_and_frames_give_the_same_report(iris):
    X, y = iris
    cv = KFold(3)
    expected = fold_report(cv, X, y).drop(columns="seconds")
    for same in (sparse.csr_array(X), pd.DataFrame(X), X.tolist()):
        pd.testing.assert_frame_equal(fold_report(cv, same, y).drop(columns="seconds"), expected)


def test_constant_and_tiny_data_are_no_error():
    report = fold_report(KFold(2), np.ones((4, 2)), [0, 1, 0, 1])
    assert report.loc["all", ["shift", "feature_shift", "nearest"]].tolist() == [0, 0, 0]
    assert np.isnan(report.loc["all", "silhouette"])


def test_overlapping_test_parts_are_reported_too(iris):
    report = fold_report(ShuffleSplit(3, test_size=0.5, random_state=0), *iris)
    assert report.loc["all", "rows"] == 3 * 75


def test_missing_values_are_refused(iris):
    X = iris[0].copy()
    X[0, 0] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        fold_report(KFold(3), X)


def test_the_table_of_folds_names_the_fold_of_each_row(iris):
    X, y = iris
    table = assignment_table({"plain": KFold(3), "by class": StratifiedKFold(3)}, X, y)
    assert len(table) == 2 * len(X)
    plain = table[table["technique"] == "plain"]
    assert plain["fold"].tolist() == [0] * 50 + [1] * 50 + [2] * 50
    assert (plain["class"].to_numpy() == y).all()
    assert (plain["x2"].to_numpy() == X[:, 1]).all()
