"""What is private in scikit-learn and used here all the same: one place to look at when a new version comes out.

Tried with scikit-learn 1.6 to 1.9 (``make test-lowest`` and ``make test``). An older version is refused by the package
index; with a newer one a warning says that nobody has tried it.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import sklearn
from sklearn.model_selection._search import BaseSearchCV
from sklearn.model_selection._search import _yield_masked_array_for_each_param as candidate_arrays
from sklearn.svm import _libsvm
from sklearn.utils import _safe_indexing as safe_indexing
from sklearn.utils.metaestimators import _safe_split as safe_split
from sklearn.utils.validation import _check_method_params as check_method_params
from sklearn.utils.validation import _num_samples as num_samples

__all__ = [
    "BaseSearchCV",
    "candidate_arrays",
    "check_method_params",
    "num_samples",
    "safe_indexing",
    "safe_split",
    "solve_svm",
]

_TRIED = ("1.6", "1.7", "1.8", "1.9")


def solve_svm(kernel: np.ndarray, y: np.ndarray, *, C: float, **options: Any) -> tuple[np.ndarray, np.ndarray, float]:
    """Return support vectors (as indices into rows), weights and intercept of a machine for two classes, of libsvm."""
    _libsvm.set_verbosity_wrap(0)
    support, _, _, weights, intercept, *_ = _libsvm.fit(kernel, y, svm_type=0, kernel="precomputed", C=C, **options)
    return support, weights[0], float(intercept[0])


def warn_of_untried_version(version: str = sklearn.__version__) -> None:
    """Warn if nobody has tried this version of scikit-learn with what is private in it."""
    if ".".join(version.split(".")[:2]) not in _TRIED:
        warnings.warn(
            f"cvstrat has been tried with scikit-learn {_TRIED[0]} to {_TRIED[-1]}; this is {version}. Searches and "
            "complete k-fold use private parts of it: check results against GridSearchCV, or install one of those",
            RuntimeWarning,
            stacklevel=2,
        )


warn_of_untried_version()
