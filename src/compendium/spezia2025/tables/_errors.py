"""Errors of the estimates in every metric, as the page that explores results wants them."""

from __future__ import annotations

import pandas as pd

from compendium.spezia2025.study._spec import CORRECT, STUDIED
from compendium.spezia2025.tables._bias import bias_table

_METRICS = ("accuracy", "balanced_accuracy", "f1_macro", "precision_macro")
_MEASURES = ["bias", "bias_se", "std", "rmse"]


def error_table(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return bias, standard deviation and error of every technique in every metric, in percentage points.

    Parameters
    ----------
    tables : dict of str to DataFrame
        ``clusters``, ``truth`` and ``folds`` of the cluster-based study.

    Returns
    -------
    DataFrame
        See ``Study.errors``. Folds as the paper's code made them stand beside the correct ones as techniques of their
        own.
    """
    found = [bias_table(tables, metric=metric).assign(metric=metric) for metric in _METRICS]
    table = pd.concat(found, ignore_index=True).assign(n=tables["folds"]["repeat"].nunique())
    table[_MEASURES] *= 100
    table = table.sort_values("technique", key=lambda names: names.map(STUDIED.index), kind="stable")
    is_correct = table["version"] == CORRECT
    return table.assign(technique=table["technique"].where(is_correct, table["technique"] + ", " + table["version"]))
