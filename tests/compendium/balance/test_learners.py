"""Learners fitted to many training parts at once, against scikit-learn's own, one fit at a time."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from compendium.balance.study._learners import LEARNERS, Prepared
from compendium.balance.study._problems import PROBLEMS, draw_sample

THEIRS = {
    "LDA": LinearDiscriminantAnalysis,
    "logistic regression": lambda: LogisticRegression(tol=1e-10, max_iter=10_000),
    "1-NN": lambda: KNeighborsClassifier(1),
    "15-NN": lambda: KNeighborsClassifier(15),
}


def parts(n, rng):
    """Two halves, nine tenths, and a bootstrap sample, each with the rows it leaves out."""
    halves = rng.permutation(n) % 2
    weights = np.array([halves == 0, halves == 1, rng.permutation(n) % 10 > 0], dtype=float)
    weights = np.vstack([weights, np.bincount(rng.integers(n, size=n), minlength=n)])
    return weights, [np.flatnonzero(row == 0) for row in weights]


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("minority", [0.5, 0.1])
@pytest.mark.parametrize("name", THEIRS)
def test_a_learner_is_that_of_scikit_learn(problem, minority, name):
    rng = np.random.default_rng(0)
    sample = draw_sample(problem, 100, minority, rng)
    weights, rows = parts(100, rng)
    ours = LEARNERS[name](Prepared(sample.X, sample.y, sample.X, 0), weights, rows)
    for weight, these, p in zip(weights, rows, ours, strict=True):
        used = np.repeat(np.arange(100), weight.astype(int))
        theirs = THEIRS[name]().fit(sample.X[used], sample.y[used])
        np.testing.assert_allclose(p, theirs.predict_proba(sample.X[these])[:, 1], atol=1e-5)


@pytest.mark.parametrize(("name", "n_trees"), [("tree", 1), ("forest", 10)])
def test_trees_are_those_of_scikit_learn(name, n_trees):
    sample = draw_sample("rings", 80, 0.5, np.random.default_rng(1))
    weights, rows = parts(80, np.random.default_rng(2))
    ours = LEARNERS[name](Prepared(sample.X, sample.y, sample.X, 7), weights, rows)
    for weight, these, p in zip(weights, rows, ours, strict=True):
        rng = np.random.default_rng(7)
        used = np.repeat(np.arange(80), weight.astype(int))
        votes = []
        for _ in range(n_trees):
            drawn = used if n_trees == 1 else rng.choice(used, len(used))
            tree = DecisionTreeClassifier(
                max_features="sqrt" if n_trees > 1 else None, random_state=int(rng.integers(2**31))
            )
            votes.append(tree.fit(sample.X[drawn], sample.y[drawn]).predict_proba(sample.X[these])[:, 1])
        np.testing.assert_allclose(p, np.mean(votes, axis=0))


@pytest.mark.parametrize("name", LEARNERS)
def test_a_training_part_with_one_class_says_that_class(name):
    sample = draw_sample("clusters near", 60, 0.05, np.random.default_rng(3))
    weights = (sample.y == 0).astype(float)[None]
    (p,) = LEARNERS[name](Prepared(sample.X, sample.y, sample.X, 0), weights, [np.flatnonzero(sample.y == 1)])
    assert (p == 0).all()


@pytest.mark.parametrize("name", LEARNERS)
def test_fresh_rows_are_predicted_as_any(name):
    rng = np.random.default_rng(4)
    sample, fresh = draw_sample("clusters far", 60, 0.5, rng), draw_sample("clusters far", 300, 0.5, rng)
    both = Prepared(sample.X, sample.y, np.vstack([sample.X, fresh.X]), 5)
    alone = Prepared(sample.X, sample.y, fresh.X, 5)
    weights = np.ones((1, 60))
    (first,) = LEARNERS[name](both, weights, [np.arange(60, 360)])
    (second,) = LEARNERS[name](alone, weights, [np.arange(300)])
    np.testing.assert_allclose(first, second, rtol=1e-12)
