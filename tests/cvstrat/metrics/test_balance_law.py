"""The law of balance: as an identity, against every partition, and for models it holds for approximately."""

import itertools

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import PredefinedSplit, cross_val_predict

from cvstrat.metrics import balance_ratio, expected_bias, expected_estimate, unbiased_balance


def cross_validated_mean(values, folds):
    """Return the squared error of the mean of the other folds."""
    return np.mean([(values[row] - values[folds != folds[row]].mean()) ** 2 for row in range(len(values))])


@pytest.mark.parametrize("n_splits", [2, 3, 5, 10])
def test_the_identity_holds_for_any_numbers_and_any_folds(n_splits):
    rng = np.random.default_rng(n_splits)
    values, folds = rng.exponential(size=30), rng.permutation(np.arange(30) % n_splits)
    c = 1 / (n_splits - 1)
    between = np.mean([(values[folds == fold].mean() - values.mean()) ** 2 for fold in range(n_splits)])
    assert cross_validated_mean(values, folds) == pytest.approx(values.var() + (2 * c + c**2) * between)
    # and in terms of the ratio, with the variance of the sample in place of the unknown one
    rho, sample = balance_ratio(folds, values[:, None]), values.var(ddof=1)
    assert cross_validated_mean(values, folds) == pytest.approx(expected_estimate(rho, 30, n_splits, noise=sample))


def test_over_every_partition_random_folds_are_pessimistic_by_what_the_law_says():
    values = np.random.default_rng(0).normal(size=8)
    folds = [np.isin(range(8), chosen).astype(int) for chosen in itertools.combinations(range(8), 4)]
    mean = np.mean([cross_validated_mean(values, fold) for fold in folds])
    assert mean == pytest.approx(expected_estimate(1.0, 8, 2, noise=values.var(ddof=1)))
    assert expected_bias(1.0, 8, 2) == pytest.approx(1 / 8)


@pytest.mark.parametrize(("n_splits", "fraction"), [(2, 2 / 3), (5, 8 / 9), (10, 18 / 19)])
def test_one_ratio_is_unbiased(n_splits, fraction):
    assert unbiased_balance(n_splits) == pytest.approx(fraction)
    assert expected_bias(fraction, 100, n_splits) == pytest.approx(0, abs=1e-15)
    assert expected_bias(0, 100, n_splits) == pytest.approx(-2 / 100)
    assert expected_bias(np.array([0.0, 1.0]), 100, n_splits) == pytest.approx([-0.02, 0.01 / (n_splits - 1)])


def mirrored(n, p, rng):
    """Return rows of which the second half repeats the first: two folds with the same statistics."""
    half = np.column_stack([np.ones(n // 2), rng.normal(size=(n // 2, p - 1))])
    return np.tile(half, (2, 1)), np.repeat([0, 1], n // 2)


def least_squares(X, y):
    """Return the coefficients for each of many data sets at once."""
    return np.linalg.solve(np.einsum("rni,rnj->rij", X, X), np.einsum("rni,rn->ri", X, y)[:, :, None])[:, :, 0]


def test_least_squares_follow_the_law_in_as_many_directions_as_there_are_coefficients():
    rng = np.random.default_rng(0)
    n, p, n_sets = 400, 10, 1500
    X, y = rng.normal(size=(n_sets, n, p)), rng.normal(size=(n_sets, n))
    X[:, :, 0] = 1
    halves, fitted = (slice(None, n // 2), slice(n // 2, None)), least_squares(X, y)
    truth = 1 + np.sum(fitted**2, axis=1)
    crossed = [least_squares(X[:, one], y[:, one]) for one in halves]
    errors = [y[:, two] - np.einsum("rni,ri->rn", X[:, two], b) for two, b in zip(halves[::-1], crossed, strict=True)]
    random = np.mean(np.square(errors), axis=(0, 2)) - truth
    apparent = np.mean((y - np.einsum("rni,ri->rn", X, fitted)) ** 2, axis=1) - truth
    for found, rho in ((random, 1.0), (apparent, 0.0)):
        tolerance = 3 * found.std() / np.sqrt(n_sets) + 3 * (p / n) ** 2  # the next term of the expansion
        assert found.mean() == pytest.approx(expected_bias(rho, n, 2, n_parameters=p), abs=tolerance)


def test_folds_with_the_same_statistics_give_the_model_of_all_rows():
    """Least squares take sums over rows: if these are the same in all folds, cross-validation is resubstitution."""
    rng = np.random.default_rng(1)
    X, folds = mirrored(40, 3, rng)
    y = np.tile(rng.normal(size=20), 2)
    predicted = cross_val_predict(LinearRegression(), X, y, cv=PredefinedSplit(folds))
    assert predicted == pytest.approx(LinearRegression().fit(X, y).predict(X))
    labels = np.tile(np.arange(20) % 2, 2)
    scores = cross_val_predict(
        LinearDiscriminantAnalysis(), X[:, 1:], labels, cv=PredefinedSplit(folds), method="decision_function"
    )
    fitted = LinearDiscriminantAnalysis().fit(X[:, 1:], labels)
    assert np.sign(scores).tolist() == np.sign(fitted.decision_function(X[:, 1:])).tolist()


def test_the_more_alike_folds_are_the_more_optimistic_is_discriminant_analysis():
    """Of random cuts of each data set, the most alike and the least alike: the direction that the law gives."""
    rng = np.random.default_rng(2)
    y, scores = np.arange(40) % 2, []
    for _ in range(50):
        X = rng.normal(size=(40, 4)) + 0.5 * y[:, None]
        cuts = [rng.permuted(np.tile([0, 1], (2, 10)), axis=1).T.ravel() for _ in range(12)]
        ratios = [balance_ratio(cut, X, y) for cut in cuts]
        both = [PredefinedSplit(cuts[chosen]) for chosen in (np.argmin(ratios), np.argmax(ratios))]
        scores.append([np.mean(cross_val_predict(LinearDiscriminantAnalysis(), X, y, cv=cv) == y) for cv in both])
    difference = np.subtract(*np.transpose(scores))
    assert difference.mean() > 3 * difference.std() / np.sqrt(len(scores))


@pytest.mark.parametrize(
    ("wrong", "said"), [((-0.1, 10, 2), "balance must be at least 0"), ((1, 10, 1), "n_splits"), ((1, 3, 5), "n must")]
)
def test_values_that_make_no_sense_are_refused(wrong, said):
    with pytest.raises(ValueError, match=said):
        expected_estimate(*wrong)
