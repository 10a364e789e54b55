"""The .632 and .632+ bootstrap: between the accuracy on rows learned from and on rows that a resample leaves out."""

from __future__ import annotations

from typing import Any

import numpy as np

from cvstrat.errors import InputError

_SHARE = 0.632


def bootstrap_rows(n_rows: int, n_resamples: int, random_state: Any = None) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return resamples with replacement as pairs: the rows drawn, with their copies, and the rows left out.

    A draw that leaves nothing out is drawn again.

    Parameters
    ----------
    n_rows, n_resamples : int
        Rows of the data set, and of each resample, at least 2; and the number of resamples.
    random_state : int, Generator or None, default=None
        Seed or generator of the resamples; None draws anew each time.

    Examples
    --------
    >>> from compendium.inference import bootstrap_rows
    >>> drawn, left_out = bootstrap_rows(5, 1, random_state=0)[0]
    >>> drawn.tolist(), left_out.tolist()
    ([4, 3, 2, 1, 1], [0])
    """
    if n_rows < 2:
        raise InputError(f"n_rows={n_rows}: a resample of fewer than 2 rows leaves nothing out")
    rng = np.random.default_rng(random_state)
    pairs: list[tuple[np.ndarray, np.ndarray]] = []
    while len(pairs) < n_resamples:
        drawn = rng.integers(n_rows, size=n_rows)
        left_out = np.flatnonzero(np.bincount(drawn, minlength=n_rows) == 0)
        if left_out.size:
            pairs.append((drawn, left_out))
    return pairs


def no_information_accuracy(y: np.ndarray, predicted: np.ndarray) -> float:
    r"""Return the accuracy if attributes and classes had nothing to do with each other.

    That is :math:`\sum_c p_c q_c`, with the shares :math:`p_c` of the classes and :math:`q_c` of the predictions.

    Examples
    --------
    >>> from compendium.inference import no_information_accuracy
    >>> no_information_accuracy([0, 0, 0, 1], [0, 0, 1, 1])
    0.5
    """
    classes = np.unique(np.concatenate([y, predicted]))
    y_shares = (np.asarray(y)[:, None] == classes).mean(axis=0)
    predicted_shares = (np.asarray(predicted)[:, None] == classes).mean(axis=0)
    return float(y_shares @ predicted_shares)


def bootstrap_632(apparent: float, outside: float) -> float:
    """Return the .632 estimate of the accuracy :cite:p:`efron1983`.

    Parameters
    ----------
    apparent, outside : float
        Accuracy on the rows learned from; and, mean over resamples, on the rows that the resample leaves out.

    Examples
    --------
    >>> from compendium.inference import bootstrap_632
    >>> round(bootstrap_632(1.0, 0.5), 3)
    0.684
    """
    return _SHARE * outside + (1 - _SHARE) * apparent


def bootstrap_632_plus(apparent: float, outside: float, no_information: float) -> float:
    r"""Return the .632+ estimate of the accuracy :cite:p:`efron1997`.

    The weight of `outside` grows from .632 to 1 with the relative rate of overfitting :math:`R = (a - o) / (a - n)`,
    where :math:`a` is `apparent`, :math:`o` is `outside`, but not less than :math:`n`, and :math:`n` is
    `no_information`; it is :math:`.632 / (1 - .368 R)`, in the form of their Eq. 32.

    Parameters
    ----------
    apparent, outside, no_information : float
        As in :func:`compendium.inference.bootstrap_632`, and :func:`compendium.inference.no_information_accuracy`.

    Examples
    --------
    >>> from compendium.inference import bootstrap_632_plus
    >>> round(bootstrap_632_plus(1.0, 0.9, 0.5), 4)
    0.9318
    """
    floored = max(outside, no_information)
    overfits = apparent > floored and apparent > no_information
    rate = (apparent - floored) / (apparent - no_information) if overfits else 0.0
    correction = (1 - _SHARE) * _SHARE * rate / (1 - (1 - _SHARE) * rate)
    return bootstrap_632(apparent, outside) - correction * (apparent - floored)
