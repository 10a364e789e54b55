"""The balance ratio against its words, its expectation against every partition, energy distance against all pairs."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.datasets import load_iris, load_wine
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold

from cvstrat import ClusterBlockKFold, NeighborWalkKFold, balance_ratio, balance_spectrum, fold_report
from cvstrat.metrics import balance_test, energy_distance


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True)


def standardised(X):
    X = np.asarray(X, dtype=float)
    return (X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1)


def gap(X, y, folds):
    """Return the mean over rows of the squared distance of their class's mean in their fold to that in all rows."""
    Z = standardised(X)
    total = 0.0
    for row in range(len(Z)):
        alike = y == y[row]
        here = alike & (folds == folds[row])
        total += np.sum((Z[here].mean(axis=0) - Z[alike].mean(axis=0)) ** 2)
    return total / len(Z)


def same_counts(y, folds):
    """Return every partition with as many rows of each class in each fold."""
    per_class = [sorted(set(itertools.permutations(folds[y == label].tolist()))) for label in np.unique(y)]
    for choice in itertools.product(*per_class):
        other = np.empty_like(folds)
        for label, drawn in zip(np.unique(y), choice, strict=True):
            other[y == label] = drawn
        yield other


@pytest.mark.parametrize(
    ("y", "folds"),
    [
        ([0, 0, 0, 0, 0, 0], [0, 0, 1, 1, 2, 2]),
        ([0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 1, 2, 2]),
        ([0, 0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 0, 1, 1]),
        ([0, 0, 0, 0, 1, 1, 2], [0, 1, 2, 2, 0, 1, 2]),  # classes that are not in every fold, one with a single row
    ],
)
def test_the_expectation_is_the_mean_over_every_partition(y, folds):
    y, folds = np.array(y), np.array(folds)
    X = np.random.default_rng(0).normal(size=(len(y), 2)) ** 3
    mean = np.mean([gap(X, y, other) for other in same_counts(y, folds)])
    found = balance_test(folds, X, y)
    assert found.expected == pytest.approx(mean)
    assert found.distance == pytest.approx(gap(X, y, folds))
    assert found.ratio == pytest.approx(gap(X, y, folds) / mean)
    assert balance_ratio(folds, X, y) == found.ratio


def test_random_folds_have_one_on_average_and_blocks_far_more(wine):
    ratios = [balance_ratio(StratifiedKFold(5, shuffle=True, random_state=seed), *wine) for seed in range(60)]
    assert np.mean(ratios) == pytest.approx(1, abs=4 * np.std(ratios) / np.sqrt(60))
    assert balance_ratio(ClusterBlockKFold(3), wine[0]) > 20
    assert balance_ratio(NeighborWalkKFold(5), standardised(wine[0]), wine[1]) < 0.8


def test_folds_with_the_same_means_have_zero():
    X, y = np.repeat(np.random.default_rng(0).normal(size=(12, 3)), 4, axis=0), np.repeat([0, 1], 24)
    assert balance_ratio(np.arange(48) % 4, X, y) == pytest.approx(0, abs=1e-20)


def test_folds_may_be_given_as_a_splitter_as_numbers_or_as_splits(wine):
    cv = StratifiedKFold(4, shuffle=True, random_state=0)
    numbers = np.empty(178, dtype=int)
    for number, (_, test) in enumerate(cv.split(*wine)):
        numbers[test] = number
    expected = balance_ratio(cv, *wine)
    for same in (numbers, numbers.tolist(), pd.Series(numbers), cv.split(*wine), list(cv.split(*wine))):
        assert balance_ratio(same, *wine) == expected


def test_the_report_has_the_ratio_of_each_fold_and_of_all(wine):
    cv = StratifiedKFold(4, shuffle=True, random_state=0)
    report = fold_report(cv, *wine)
    assert report.loc["all", "balance"] == pytest.approx(balance_ratio(cv, *wine))
    for number, (_, test) in enumerate(cv.split(*wine)):
        folds = np.full(178, -1)
        folds[test] = 0
        assert report.loc[number, "balance"] == pytest.approx(balance_ratio(folds, *wine))


def test_test_parts_may_overlap(wine):
    ratios = [balance_ratio(ShuffleSplit(8, test_size=0.3, random_state=seed), wine[0]) for seed in range(20)]
    assert np.mean(ratios) == pytest.approx(1, abs=4 * np.std(ratios) / np.sqrt(20))


def test_scales_of_columns_and_containers_do_not_matter(wine):
    X, y = wine
    cv = StratifiedKFold(4)
    expected = balance_ratio(cv, X, y)
    for same in (X * np.geomspace(1e-9, 1e9, 13), X + 1e6, pd.DataFrame(X), X.tolist()):
        assert balance_ratio(cv, same, y) == pytest.approx(expected, rel=1e-6)
    assert balance_ratio(cv, sparse.csr_array(X), y) == pytest.approx(expected)
    assert balance_ratio(cv, X, np.array(["a", "b", "c"])[y]) == expected


def test_a_continuous_target_is_a_column():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)), rng.normal(size=40)
    assert balance_ratio(KFold(4), X, y) == pytest.approx(balance_ratio(KFold(4), np.column_stack([X, y])))


def test_nothing_to_compare_has_no_ratio():
    assert np.isnan(balance_ratio([0, 1, 0, 1], np.ones((4, 2))))
    assert np.isnan(balance_ratio([0, 1, 0, 1], [[1.0], [2.0], [3.0], [4.0]], [0, 1, 2, 3]))
    assert np.isnan(balance_ratio([0, 0, 1, 1], [[0.1], [0.3], [0.1], [0.3]], [0, 1, 0, 1]))


def test_the_p_value_is_the_share_of_partitions_that_differ_as_much():
    y, folds = np.array([0, 0, 0, 0, 1, 1, 1, 1]), np.array([0, 0, 1, 1, 0, 1, 0, 1])
    X = np.random.default_rng(3).normal(size=(8, 2))
    gaps = np.array([gap(X, y, other) for other in same_counts(y, folds)])
    share = np.mean(gaps >= gap(X, y, folds) - 1e-12)
    assert balance_test(folds, X, y, n_permutations=600).p_value == pytest.approx(share, abs=0.06)
    assert np.isnan(balance_test(folds, X, y).p_value)
    alike, blocks = folds.copy(), folds.copy()
    for other in same_counts(y, folds):
        alike = other if gap(X, y, other) == gaps.min() else alike
        blocks = other if gap(X, y, other) == gaps.max() else blocks
    assert balance_test(alike, X, y, n_permutations=200).p_value > 0.95
    assert balance_test(blocks, X, y, n_permutations=200).p_value < 0.15


class TestSpectrum:
    """The ratio at each bandwidth, by features and by the kernel itself."""

    def kernel_ratio(self, X, y, folds, bandwidth):
        """Return the ratio in the space of the Gaussian kernel, from all pairs."""
        kernel = np.exp(-(cdist(standardised(X), standardised(X)) ** 2) / (2 * bandwidth**2))
        found = expected = 0.0
        for label in np.unique(y):
            own = kernel[np.ix_(y == label, y == label)]
            fold, n = folds[y == label], int((y == label).sum())
            variance = (np.trace(own) - own.sum() / n) / (n - 1)
            for number in np.unique(fold):
                weight = (fold == number) / (fold == number).sum() - 1 / n
                found += (fold == number).sum() * weight @ own @ weight
                expected += (1 - (fold == number).sum() / n) * variance
        return found / expected

    def test_it_is_the_ratio_of_the_kernel(self, wine):
        X, y = wine
        folds = NeighborWalkKFold(3).fold_of_each_row(X, y)
        spectrum = balance_spectrum(folds, X, y, bandwidths=5, n_features=8000)
        assert spectrum["relative"].iloc[0] == 1
        assert spectrum["bandwidth"].iloc[-1] == pytest.approx(np.sqrt(26))
        for line in spectrum.itertuples():
            assert line.ratio == pytest.approx(self.kernel_ratio(X, y, folds, line.bandwidth), abs=0.03)

    def test_wide_windows_see_the_columns(self, wine):
        found = balance_spectrum(NeighborWalkKFold(3), *wine, bandwidths=[200.0], n_features=4000)["ratio"].iloc[0]
        assert found == pytest.approx(balance_ratio(NeighborWalkKFold(3), *wine), rel=0.1)

    def test_bandwidths_come_in_units_of_the_nearest_distance(self, wine):
        Z = standardised(wine[0])
        nearest = np.median(np.sort(cdist(Z, Z), axis=1)[:, 1])
        found = balance_spectrum(KFold(3), *wine, bandwidths=[1, 3])
        assert found["bandwidth"].to_numpy() == pytest.approx([nearest, 3 * nearest])

    def test_rows_that_are_all_equal_have_no_ratio(self):
        assert balance_spectrum(KFold(2), np.ones((6, 2)), bandwidths=3)["ratio"].isna().all()

    @pytest.mark.parametrize("wrong", [0, [0.0], [-1, 2], [np.inf]])
    def test_bandwidths_must_be_positive(self, wine, wrong):
        with pytest.raises(ValueError, match="bandwidths must be"):
            balance_spectrum(KFold(3), *wine, bandwidths=wrong)


class TestEnergy:
    """The distance between a fold and the whole set."""

    def literal(self, X, tests):
        Z = standardised(X)
        mean = lambda a, b: np.mean([np.linalg.norm(p - q) for p in a for q in b])  # noqa: E731
        return np.mean([2 * mean(Z[test], Z) - mean(Z[test], Z[test]) - mean(Z, Z) for test in tests])

    def test_it_is_the_literal_one(self):
        X, y = load_iris(return_X_y=True)
        X, y = X[::5], y[::5]
        cv = StratifiedKFold(3)
        wanted = self.literal(X, [test for _, test in cv.split(X, y)])
        assert energy_distance(cv, X, y) == pytest.approx(wanted)
        assert balance_test(cv, X, y).energy == pytest.approx(wanted)

    def test_beyond_a_size_it_is_estimated_from_shadows(self, wine):
        cv = StratifiedKFold(5, shuffle=True, random_state=0)
        assert energy_distance(cv, *wine, max_rows=100) == pytest.approx(energy_distance(cv, *wine), rel=0.05)

    def test_on_a_line_shadows_are_exact(self):
        X = np.random.default_rng(0).normal(size=(50, 1))
        assert energy_distance(KFold(5), X, max_rows=0) == pytest.approx(energy_distance(KFold(5), X))


class TestBadInput:
    """What cannot be compared is refused."""

    @pytest.mark.parametrize("folds", [[0, 1, 0], [0.5, 1, 0, 1], ["a", "b", "a", "b"]])
    def test_folds_that_are_no_numbers_of_rows(self, folds):
        with pytest.raises(ValueError, match="folds must be one whole number for each of the 4 rows"):
            balance_ratio(folds, np.eye(4))

    @pytest.mark.parametrize("folds", [[], [-1, -1, -1, -1]])
    def test_no_fold(self, folds):
        with pytest.raises(ValueError, match="no fold at all"):
            balance_ratio(folds, np.eye(4))

    def test_missing_values(self):
        with pytest.raises(ValueError, match="NaN"):
            balance_ratio([0, 1], [[np.nan], [1.0]])
