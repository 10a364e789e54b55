"""The candidates of a search: which they are, and how scikit-learn shows them in ``cv_results_``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sklearn.model_selection import ParameterGrid, ParameterSampler

from cvstrat._compat import candidate_arrays
from cvstrat.errors import InputError


def candidates_of(space: Any, n_iter: int | None, random_state: Any) -> list[dict[str, Any]]:
    """Return the settings of a grid or, with `n_iter`, those that ``RandomizedSearchCV`` draws."""
    sampled = n_iter is not None
    settings = list(ParameterSampler(space, n_iter, random_state=random_state) if sampled else ParameterGrid(space))
    if not settings:
        raise InputError("there is no candidate: the grid is empty")
    return settings


def candidate_columns(settings: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return a column ``param_NAME`` for each hyperparameter, masked where a candidate lacks it, and ``params``."""
    return dict(candidate_arrays(settings)) | {"params": list(settings)}
