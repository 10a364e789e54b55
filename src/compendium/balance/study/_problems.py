"""Problems whose truth is known: as many fresh rows as one likes come from the same generator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from compendium.engine import seed_of

N_FEATURES = 5
N_CENTRES = 4
GROUP_SIZE = 5


@dataclass(frozen=True)
class Sample:
    """Rows of two classes, 0 and the rarer 1, and the group that each row belongs to."""

    X: np.ndarray
    y: np.ndarray
    groups: np.ndarray


def _clusters(separation: float) -> Callable[[np.ndarray, np.random.Generator], np.ndarray]:
    """Return a mixture in which each class has some Gaussian clusters, the same in all data sets."""
    fixed = np.random.default_rng(seed_of(0, "centres of clusters"))
    centres = separation * fixed.standard_normal((2, N_CENTRES, N_FEATURES))

    def draw(y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        place: np.ndarray = centres[y, rng.integers(N_CENTRES, size=len(y))]
        return place + rng.standard_normal((len(y), N_FEATURES))

    return draw


def _rings(y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw a ball inside a ring, in two of the columns: no straight line parts them."""
    X = rng.standard_normal((len(y), N_FEATURES))
    angle = rng.uniform(0, 2 * np.pi, len(y))
    radius = np.where(y == 1, 0.0, 2.5) + 0.7 * rng.standard_normal(len(y))
    X[:, 0], X[:, 1] = radius * np.cos(angle), radius * np.sin(angle)
    return X


def _heavy_tails(y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw two shifted Student distributions with three degrees of freedom."""
    return rng.standard_t(3, (len(y), N_FEATURES)) + np.where(y[:, None] == 1, 0.5, -0.5)


def _grouped(y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw rows in groups that share a place of their own, as the visits of one patient do."""
    n_groups = -(-len(y) // GROUP_SIZE)
    places = np.repeat(rng.standard_normal((n_groups, N_FEATURES)), GROUP_SIZE, axis=0)[: len(y)]
    return places + 0.3 * rng.standard_normal((len(y), N_FEATURES)) + np.where(y[:, None] == 1, 0.4, -0.4)


PROBLEMS: dict[str, Callable[[np.ndarray, np.random.Generator], np.ndarray]] = {
    "clusters near": _clusters(1.0),
    "clusters far": _clusters(2.0),
    "rings": _rings,
    "heavy tails": _heavy_tails,
    "grouped": _grouped,
}


def draw_sample(problem: str, n_rows: int, minority: float, rng: np.random.Generator) -> Sample:
    """Draw `n_rows` rows of which a fixed share is of class 1.

    In the problem ``grouped`` all rows of a group have one class; in the others every row is a group of its own.
    """
    size = GROUP_SIZE if problem == "grouped" else 1
    n_rare = max(round(n_rows * minority / size), 1) * size
    y = np.repeat([1, 0], [n_rare, n_rows - n_rare])
    X = PROBLEMS[problem](y, rng)
    groups = np.arange(n_rows) // size
    order = rng.permutation(n_rows)
    return Sample(X[order], y[order], groups[order])
