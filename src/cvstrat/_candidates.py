"""The candidates of a search: which they are, and how scikit-learn shows them in ``cv_results_``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sklearn.model_selection import ParameterGrid, ParameterSampler

from cvstrat._compat import candidate_arrays
from cvstrat.checks import check_count
from cvstrat.errors import InputError


def candidates_of(space: Any, n_iter: int | None, random_state: Any) -> list[dict[str, Any]]:
    """Return the settings of a grid or, with `n_iter`, those that ``RandomizedSearchCV`` draws."""
    if n_iter is not None:
        check_count("n_iter", n_iter, 1)
        return list(ParameterSampler(space, n_iter, random_state=random_state))
    settings = list(ParameterGrid(space))
    if not settings:
        raise InputError("there is no candidate: param_grid is empty")
    return settings


def candidate_columns(settings: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return a column ``param_NAME`` for each hyperparameter, masked where a candidate lacks it, and ``params``."""
    return dict(candidate_arrays(settings)) | {"params": list(settings)}
