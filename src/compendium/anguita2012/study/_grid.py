"""The grid of C and gamma."""

from __future__ import annotations

from cvstrat.errors import InputError

_LARGEST = 30.0


def check_grid(log_costs: tuple[float, ...], log_gammas: tuple[float, ...]) -> None:
    """Raise if there is no candidate, or a power of ten that a support vector machine cannot compute with."""
    for name, powers in (("log_costs", log_costs), ("log_gammas", log_gammas)):
        if not powers or max(map(abs, powers)) > _LARGEST:
            raise InputError(f"{name}={powers}: give powers of ten from {-_LARGEST:g} to {_LARGEST:g}")
