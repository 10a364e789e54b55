"""How many rows of a class a random fold holds: the hypergeometric distribution, and what follows from it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from cvstrat.metrics import any_empty_probability, count_distribution, empty_probability, fold_sizes


def random_counts(counts: Any, n_splits: int, n_cuts: int, random_state: Any = None) -> np.ndarray:
    """Draw how many rows of each class random folds hold, of shape (n_cuts, n_splits, n_classes); no row is moved.

    Parameters
    ----------
    counts : sequence of int
        Rows of each class.
    n_splits, n_cuts : int
        Number of folds, and number of times that the rows are cut into folds.
    random_state : int, Generator or None, default=None
        Seed or generator of the draws; None draws anew each time.
    """
    rng = np.random.default_rng(random_state)
    left = np.tile(np.asarray(counts, dtype=np.int64), (n_cuts, 1))
    drawn = np.empty((n_cuts, n_splits, left.shape[1]), dtype=np.int64)
    for fold, size in enumerate(fold_sizes(int(left[0].sum()), n_splits)):
        wanted = np.full(n_cuts, size)
        for label in range(left.shape[1]):
            others = left[:, label + 1 :].sum(axis=1)
            drawn[:, fold, label] = rng.hypergeometric(left[:, label], others, wanted)
            wanted -= drawn[:, fold, label]
        left -= drawn[:, fold]
    return drawn


def empty_table(n: int, n_class: Any, n_splits: Any, *, n_cuts: int = 2000, random_state: Any = 0) -> pd.DataFrame:
    """Return the probabilities of empty folds, by formula and by simulation, for several sizes of a class.

    Parameters
    ----------
    n : int
        Number of rows.
    n_class, n_splits : sequence of int
        Sizes of the class, numbers of folds.
    n_cuts, random_state
        As in :func:`random_counts`.

    Returns
    -------
    DataFrame
        Columns ``panel`` (a given fold, or any fold), ``curve`` (number of folds), ``x`` (rows of the class), ``kind``
        (formula or simulation) and ``value``.
    """
    rng = np.random.default_rng(random_state)
    rows = []
    for folds in n_splits:
        for size in n_class:
            empty = random_counts([size, n - size], folds, n_cuts, rng)[..., 0] == 0
            found = {
                "a given fold": (empty_probability(n, size, folds), empty.mean()),
                "at least one fold": (any_empty_probability(n, size, folds), empty.any(axis=1).mean()),
            }
            for panel, (formula, simulated) in found.items():
                line = {"panel": panel, "curve": f"{folds} folds", "x": size}
                rows += [
                    line | {"kind": "formula", "value": formula},
                    line | {"kind": "simulation", "value": simulated},
                ]
    return pd.DataFrame(rows)


def count_table(n: int, n_class: Any, n_splits: int, *, n_cuts: int = 2000, random_state: Any = 0) -> pd.DataFrame:
    """Return the distribution of the number of rows of a class in a random fold, by formula and by simulation.

    Parameters
    ----------
    n, n_class, n_splits, n_cuts, random_state
        As in :func:`empty_table`, but with a single number of folds.

    Returns
    -------
    DataFrame
        Columns ``n_class``, ``rows``, ``formula``, ``simulation``, ``stratified`` (share of the folds when the class is
        dealt out).
    """
    rng = np.random.default_rng(random_state)
    frames = []
    for size in n_class:
        formula = count_distribution(n, size, n_splits)
        drawn = random_counts([size, n - size], n_splits, n_cuts, rng)[..., 0].ravel()
        simulated = np.bincount(drawn, minlength=len(formula))[: len(formula)] / len(drawn)
        dealt = np.bincount(fold_sizes(size, n_splits), minlength=len(formula)) / n_splits
        frame = pd.DataFrame({"n_class": size, "formula": formula, "simulation": simulated, "stratified": dealt})
        frames.append(frame[(formula > 1e-6) | (dealt > 0)].reset_index())
    return pd.concat(frames, ignore_index=True)


def chance_text(probability: float) -> str:
    """Return a probability with two digits, and in words what these cannot tell.

    Parameters
    ----------
    probability : float
        From 0 to 1.

    Examples
    --------
    >>> from compendium.stratification.theory import chance_text
    >>> [chance_text(one) for one in (0, 0.0012, 0.763, 0.9999)]
    ['zero', 'one in 830', '0.76', 'more than 0.99']
    """
    if probability in (0, 1):
        return "one" if probability else "zero"
    if probability < 0.01:
        return f"one in {float(f'{1 / probability:.2g}'):,.0f}".replace(",", "\N{NO-BREAK SPACE}")
    return f"{probability:.2f}" if probability < 0.995 else "more than 0.99"
