"""What a loaded data set is."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pandas as pd


@dataclass(frozen=True, eq=False)
class Dataset:
    """A loaded data set.

    Attributes
    ----------
    X : ndarray of shape (n_samples, n_features)
        The attributes, as float64.
    y : ndarray of shape (n_samples,)
        Class labels (integers) or the numeric target.
    name, collection, task, sha256 : str
        As in the catalogue.
    source : str
        Where the file was found: ``scikit-learn``, ``folder``, ``cache`` or ``download``.
    feature_names : tuple of str
        Names of the columns of `X`.
    categorical : ndarray of bool, or None
        Which columns are discrete; None where no study needs to know.
    missing : dict of str to int
        Columns in which a code stands for a missing value, and that code.
    splits : tuple of (train, test) pairs
        The published splits, as row numbers into `X`; empty for sets that have none.
    """

    X: np.ndarray
    y: np.ndarray
    name: str
    collection: str
    task: str
    source: str
    sha256: str
    feature_names: tuple[str, ...] = field(repr=False)
    categorical: np.ndarray | None = field(default=None, repr=False)
    missing: dict[str, int] = field(default_factory=dict, repr=False)
    splits: tuple[tuple[np.ndarray, np.ndarray], ...] = field(default=(), repr=False)

    def __repr__(self) -> str:
        rows, columns = self.X.shape
        return f"<Dataset {self.collection}/{self.name}: {rows} x {columns}, {self.task}, from {self.source}>"

    @property
    def frame(self) -> pd.DataFrame:
        """Attributes and target (last column) as one data frame."""
        return pd.DataFrame(self.X, columns=list(self.feature_names)).assign(target=self.y)
