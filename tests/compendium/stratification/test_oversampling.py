"""Oversampling: classes become equal, test rows stay as they are, and only copies made before cutting leak."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from compendium.stratification.oversampling import OversampledClassifier, leakage_table, oversample


@pytest.fixture
def noise():
    """Classes that no column tells of: an honest balanced accuracy is one half."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(300, 3)), np.repeat(["common", "rare", "rarer"], [200, 60, 40])


def test_classes_are_equally_frequent_and_no_row_is_new_or_lost(noise):
    X, y = noise
    more, labels = oversample(X, y, random_state=1)
    assert dict(zip(*np.unique(labels, return_counts=True), strict=True)) == {"common": 200, "rare": 200, "rarer": 200}
    assert (more[: len(X)] == X).all()
    known = {(*row, label) for row, label in zip(X.tolist(), y, strict=True)}
    assert {(*row, label) for row, label in zip(more.tolist(), labels, strict=True)} == known


def test_the_same_seed_draws_the_same_copies(noise):
    one, two, other = (oversample(*noise, random_state=seed)[0] for seed in (0, 0, 1))
    assert (one == two).all()
    assert (one != other).any()


def test_equal_classes_stay_as_they_are():
    X, y = oversample([[1], [2]], ["a", "b"])
    assert (X.tolist(), y.tolist()) == ([[1], [2]], ["a", "b"])


def test_the_model_is_fitted_to_copies_and_predicts_rows_as_they_come(noise):
    X, y = noise
    model = clone(OversampledClassifier(KNeighborsClassifier(1), random_state=0)).fit(X, y)
    assert model.classes_.tolist() == ["common", "rare", "rarer"]
    assert model.estimator_.n_samples_fit_ == 600
    assert (model.predict(X) == y).all()


def test_only_copies_made_before_cutting_leak(noise):
    X, y = noise
    y = np.where(y == "common", "common", "rare")
    options = {"cv": StratifiedKFold(10, shuffle=True, random_state=0), "scoring": "balanced_accuracy"}
    model = KNeighborsClassifier(1)
    right = cross_val_score(OversampledClassifier(model, random_state=0), X, y, **options).mean()
    wrong = cross_val_score(model, *oversample(X, y, 0), **options).mean()
    assert right == pytest.approx(0.5, abs=0.07)
    assert wrong > right + 0.15


def test_the_table_compares_both_ways_with_untouched_rows(noise):
    X, y = noise
    models = {"neighbour": KNeighborsClassifier(1), "line": LogisticRegression()}
    found = leakage_table(models, X, y == "rarer", 5, n_draws=3)
    assert list(found.columns) == ["model", "draw", "plain", "before", "inside", "untouched"]
    assert len(found) == 6
    mean = found.groupby("model")[["before", "inside", "untouched"]].mean()
    assert mean.loc["neighbour", "before"] > 0.85
    assert abs(mean["inside"] - 0.5).max() < 0.12
    assert abs(mean["untouched"] - 0.5).max() < 0.12
