"""Targets of every form as arrays: labels, numbers, moments in time, one column or several."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.utils.multiclass import type_of_target

from cvstrat.errors import InputError


def as_target(values: Any, what: str = "y") -> tuple[np.ndarray, str]:
    """Return a target as an array, of two dimensions if it has several columns, and its kind.

    The kind is that of :func:`sklearn.utils.multiclass.type_of_target`, but times, which come as numbers, are
    ``continuous``. Missing and infinite values are refused; `what` names the target in the message.
    """
    target = values.toarray() if sparse.issparse(values) else np.asarray(values)
    target = target.ravel() if target.ndim == 2 and target.shape[1] == 1 else target
    n_missing = int(pd.isna(target).sum())
    if n_missing:
        raise InputError(f"{what} has missing values, {n_missing} of {target.size}: leave these rows out")
    target = target.astype(target.dtype.newbyteorder("="), copy=False)
    if target.ndim == 1 and target.dtype.kind in "mMO":
        column = pd.Series(target).infer_objects()  # times with a zone come as objects
        if column.dtype.kind in "mM":
            return column.astype("int64").to_numpy(), "continuous"
        target = column.to_numpy()
    elif target.dtype.kind == "O":
        target = np.array(target.tolist())  # columns of several types
    if target.dtype.kind == "f" and np.isinf(target).any():
        raise InputError(f"{what} has infinite values: leave these rows out")
    if target.ndim == 1 and target.dtype.kind in "biu":
        return target, "multiclass"  # without a look at every value
    return target, type_of_target(target)


def number_classes(target: np.ndarray) -> np.ndarray:
    """Return a number for each row of a target, the same for the same class or combination of labels."""
    return np.asarray(np.unique(target, return_inverse=True, axis=0 if target.ndim > 1 else None)[1].ravel())
