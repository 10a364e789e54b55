"""What a fold without a class does to the balanced error rate."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd

from compendium.stratification.theory._counts import random_counts
from cvstrat.errors import InputError
from cvstrat.metrics import check_class, dealt_counts, empty_probability

Missing = Literal["skip", "wrong"]


def balanced_error_bias(
    n: int, n_rare: int, n_splits: int, errors: tuple[float, float], *, missing: Missing = "skip"
) -> pd.Series:
    r"""Return the bias of the cross-validated balanced error rate of two classes, of which one may be missing in folds.

    If a share :math:`q` of the folds lacks the rare class, and the rate is then that of the common class alone, the
    bias is :math:`\frac{q}{2} (\varepsilon_0 - \varepsilon_1)`. Stratified folds have :math:`q = (k - n_1)/k` for
    :math:`n_1 < k`, else 0; random ones the probability of an empty fold.

    Parameters
    ----------
    n, n_rare, n_splits : int
        Rows, rows of the rare class, folds.
    errors : (float, float)
        Error rates of the common and the rare class, from 0 to 1.
    missing : {"skip", "wrong"}, default="skip"
        Whether a class that is not there is left out, or counted as wholly wrong, as a recall of zero does.

    Returns
    -------
    Series
        ``random`` and ``stratified``.

    Examples
    --------
    >>> from compendium.stratification.theory import balanced_error_bias
    >>> balanced_error_bias(100, 4, 10, (0.1, 0.5)).round(3).to_dict()
    {'random': -0.13, 'stratified': -0.12}
    """
    check_class(n, n_rare, n_splits)
    if missing not in ("skip", "wrong"):
        raise InputError(f"missing must be 'skip' or 'wrong'; it is {missing!r}")
    common, rare = errors
    effect = (common - rare) / 2 if missing == "skip" else (1 - rare) / 2
    empty = {"random": empty_probability(n, n_rare, n_splits), "stratified": max(0, n_splits - n_rare) / n_splits}
    return pd.Series(empty) * effect


def bias_by_folds(
    n: int,
    n_rare: int,
    n_splits: Any,
    errors: tuple[float, float],
    *,
    missing: Missing = "skip",
    n_cuts: int = 2000,
    random_state: Any = 0,
) -> pd.DataFrame:
    """Return the bias of the balanced error rate for several numbers of folds, by formula and by simulation.

    Parameters
    ----------
    n, n_rare, errors, missing
        As in :func:`balanced_error_bias`.
    n_splits : sequence of int
        Numbers of folds.
    n_cuts : int, default=2000
        Number of cross-validations to simulate, for each number of folds.
    random_state : int, Generator or None, default=0
        Seed or generator of the draws.

    Returns
    -------
    DataFrame
        Columns ``curve``, ``x`` (folds), ``kind``, ``value``.
    """
    rng = np.random.default_rng(random_state)
    rates = np.array(errors)
    rows: list[dict[str, Any]] = []
    for k in n_splits:
        exact = balanced_error_bias(n, n_rare, k, errors, missing=missing)
        dealt = np.broadcast_to(dealt_counts([n - n_rare, n_rare], k), (n_cuts, k, 2))
        for kind, counts in (("random", random_counts([n - n_rare, n_rare], k, n_cuts, rng)), ("stratified", dealt)):
            wrong = rng.binomial(counts, rates) / np.maximum(counts, 1)
            there = counts > 0
            skipped = np.where(there, wrong, 0).sum(axis=2) / there.sum(axis=2)
            score = skipped if missing == "skip" else np.where(there, wrong, 1).mean(axis=2)
            line = {"curve": kind, "x": k}
            rows.append(line | {"kind": "formula", "value": exact[kind]})
            rows.append(line | {"kind": "simulation", "value": score.mean() - rates.mean()})
    return pd.DataFrame(rows).assign(panel="")
