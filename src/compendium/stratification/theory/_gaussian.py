"""The smallest learner that learns: two classes on a line, cut where a linear discriminant would cut."""

from __future__ import annotations

from typing import Any

import numpy as np


def draw_line(counts: Any, distance: float, rng: np.random.Generator, n_sets: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw data sets on a line: class 0 around zero, class 1 around `distance`, both with standard deviation one.

    Parameters
    ----------
    counts : (int, int)
        Rows of class 0 and of class 1.
    distance : float
        Distance between the means of the two classes.
    rng : Generator
        The only source of randomness.
    n_sets : int
        Number of data sets to draw.

    Returns
    -------
    x : ndarray of shape (n_sets, n)
        Positions, class by class.
    y : ndarray of shape (n,)
        Classes.
    """
    y = np.repeat([0, 1], counts)
    return rng.normal(distance * y, 1.0, size=(n_sets, len(y))), y


def wrong_rows(x: np.ndarray, y: np.ndarray, folds: np.ndarray, n_splits: int) -> np.ndarray:
    """Return which rows are predicted wrongly by a linear discriminant fitted on all folds but their own.

    Parameters
    ----------
    x, y : ndarray of shape (n_sets, n)
        Positions and classes (0 or 1) of the rows.
    folds : ndarray of shape (n_sets, n)
        Fold of each row, from 0 to ``n_splits - 1``.
    n_splits : int
        Number of folds.

    Returns
    -------
    ndarray of bool, shape (n_sets, n)
        Whether each row is predicted wrongly. Where a class is missing in training, the other one is predicted.
    """
    wrong = np.empty(x.shape, dtype=bool)
    for fold in range(n_splits):
        train = folds != fold
        number, mean, square = [], [], np.zeros(len(x))
        for label in (0, 1):
            mine = train & (y == label)
            rows = mine.sum(axis=1)
            centre = np.where(mine, x, 0).sum(axis=1) / np.maximum(rows, 1)
            square += np.where(mine, (x - centre[:, None]) ** 2, 0).sum(axis=1)
            number.append(rows)
            mean.append(centre)
        gap = mean[1] - mean[0]
        variance = square / np.maximum(number[0] + number[1], 1)
        prior = variance * np.log(np.maximum(number[0], 1) / np.maximum(number[1], 1))
        towards = gap[:, None] * (x - ((mean[0] + mean[1]) / 2)[:, None]) > prior[:, None]
        one_class = (number[0] == 0) | (number[1] == 0)
        guess = np.where(one_class[:, None], (number[1] > 0)[:, None], towards)
        wrong = np.where(train, wrong, guess != y)
    return wrong


def random_folds(n_sets: int, n: int, n_splits: int, rng: np.random.Generator) -> np.ndarray:
    """Return folds of rows dealt out in random order, for each of several data sets."""
    return rng.permuted(np.tile(np.arange(n) % n_splits, (n_sets, 1)), axis=1)


def stratified_folds(y: np.ndarray, n_splits: int, rng: np.random.Generator) -> np.ndarray:
    """Return folds of rows dealt out class by class, in random order inside, for each of several data sets."""
    order = np.argsort(y + rng.random(y.shape), axis=1)
    folds = np.empty(y.shape, dtype=np.intp)
    dealt = np.broadcast_to(np.arange(y.shape[1]) % n_splits, y.shape)
    np.put_along_axis(folds, order, dealt, axis=1)
    return folds
