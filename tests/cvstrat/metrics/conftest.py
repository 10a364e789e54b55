"""Shared by the tests of closed forms."""

import itertools

import numpy as np
import pytest

from cvstrat import metrics


@pytest.fixture
def every_cut():
    """Return a function: counts of a class per fold, for each equally likely place of its rows."""

    def cuts(n, n_class, n_splits):
        fold = np.repeat(np.arange(n_splits), metrics.fold_sizes(n, n_splits))
        return np.array(
            [np.bincount(fold[list(rows)], minlength=n_splits) for rows in itertools.combinations(range(n), n_class)]
        )

    return cuts
