"""How far class sizes are from equal."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from cvstrat.errors import InputError

# The score by which a kind of data is judged, as in the cluster-based study.
USUAL_METRIC = {"balanced": "accuracy", "imbalanced": "f1_macro"}


def imbalance_index(y: ArrayLike) -> float:
    r"""Return how unequal the classes of `y` are, from 0 (all equal) towards 1 (nearly all rows in one class).

    Labels are of any type that NumPy can sort. With :math:`n_i` of :math:`N` rows in class :math:`i` of :math:`K`,

    .. math:: I = \frac{K}{K-1} \sum_{i=1}^{K} \left(\frac{n_i}{N} - \frac{1}{K}\right)^2 .

    It is 0 for a single class. :cite:t:`spezia2025` print the sum with the factor :math:`K` (their Eq. 1); their
    Table I needs :math:`K/(K-1)`, which is also what keeps the index below 1.

    Examples
    --------
    >>> from cvstrat import imbalance_index
    >>> round(imbalance_index([0] * 150 + [1] * 35 + [2] * 30), 2)
    0.3
    """
    labels = np.asarray(y)
    if labels.ndim != 1 or labels.size == 0:
        raise InputError(f"y must be one column with at least one label; its shape is {labels.shape}")
    counts = np.unique(labels, return_counts=True)[1]
    n_classes = counts.size
    if n_classes == 1:
        return 0.0
    return float(n_classes / (n_classes - 1) * np.sum((counts / labels.size - 1 / n_classes) ** 2))


def balance_kind(index: float | None) -> str:
    """Return ``imbalanced`` for an imbalance index above 0.20, as in the cluster-based study, else ``balanced``."""
    return "imbalanced" if index is not None and index > 0.20 else "balanced"
