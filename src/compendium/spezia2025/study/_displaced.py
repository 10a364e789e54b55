"""The index defect behind the published cluster-based results, emulated. Not a splitter, and of no use as one.

The published code shuffles a copy of the rows (and, for the stratified techniques, sorts it by class), builds folds on
that copy, and returns *positions in the copy* as if they were row indices. Used on the rows as they stood before, they
name other rows than the ones the folds were built from.
"""

from __future__ import annotations

import numpy as np


def displaced_folds(folds: np.ndarray, y: np.ndarray, *, sorts_by_class: bool, random_state: int) -> np.ndarray:
    """Return the folds that are scored when positions in a shuffled copy are taken for row indices.

    Parameters
    ----------
    folds : ndarray of shape (n,)
        Index of the fold that each row belongs to.
    y : ndarray of shape (n,)
        Class of each row.
    sorts_by_class : bool
        Whether the technique also sorts its copy by class.
    random_state : int
        Seed of the shuffling, 0 or larger.

    Returns
    -------
    ndarray of shape (n,)
        Row `i` gets the fold of the row that stands at position `i` of the copy.
    """
    copy = np.random.default_rng(random_state).permutation(len(folds))
    if sorts_by_class:
        copy = copy[np.argsort(y[copy], kind="stable")]
    displaced: np.ndarray = folds[copy]
    return displaced
