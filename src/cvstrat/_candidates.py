"""The candidates of a search, as scikit-learn shows them in ``cv_results_``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def candidate_columns(settings: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return ``params`` and a column ``param_NAME`` for each hyperparameter, masked where a candidate lacks it."""
    columns: dict[str, Any] = {}
    for key in dict.fromkeys(key for setting in settings for key in setting):
        column = np.ma.MaskedArray(np.empty(len(settings), dtype=object), mask=True)
        for number, setting in enumerate(settings):
            if key in setting:
                column[number] = setting[key]
        columns[f"param_{key}"] = column
    return columns | {"params": list(settings)}
