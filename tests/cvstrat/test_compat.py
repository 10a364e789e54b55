"""What is private in scikit-learn: one module knows it, and says so on a version that nobody has tried."""

import warnings

import numpy as np
import pytest
from sklearn.svm import SVC

from cvstrat import _compat


@pytest.mark.parametrize("version", ["1.10.0", "2.0.1", "1.5.2"])
def test_a_version_that_nobody_has_tried_is_said_so(version):
    with pytest.warns(RuntimeWarning, match=f"this is {version}"):
        _compat.warn_of_untried_version(version)


@pytest.mark.parametrize("version", ["1.6.0", "1.7.2", "1.9.1", "1.9.dev0"])
def test_versions_that_were_tried_are_silent(version):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _compat.warn_of_untried_version(version)


def test_the_solver_is_that_of_svc():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.arange(60) % 2
    kernel = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(axis=2))
    options = {"tol": 1e-3, "max_iter": -1, "cache_size": 200, "shrinking": 1}
    support, weights, intercept = _compat.solve_svm(kernel, y.astype(float), C=2.0, **options)
    model = SVC(C=2.0, kernel="precomputed").fit(kernel, y)
    assert support.tolist() == model.support_.tolist()
    ours = kernel[:, support] @ weights + intercept  # libsvm's own sign: class 1 is where the sum is not positive
    assert -ours == pytest.approx(model.decision_function(kernel))
