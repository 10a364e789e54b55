"""Checks of arguments that several rooms need, with messages that name the value."""

from __future__ import annotations

import difflib
import numbers
from collections.abc import Iterable
from typing import Any


def check_count(name: str, value: Any, least: int, *, or_none: bool = False) -> None:
    """Raise unless `value` is an integer of at least `least` (or None, where that means to estimate it)."""
    if or_none and value is None:
        return
    wanted = f"an integer of at least {least}{', or None to estimate it' if or_none else ''}"
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise ValueError(f"{name} must be {wanted}; {value!r} is a {type(value).__name__}")
    if int(value) < least:
        raise ValueError(f"{name} must be {wanted}; it is {value}")


def near_names(name: object, known: Iterable[str], *, cutoff: float = 0.4, most: int | None = None) -> str:
    """Return the three known names most like `name`, for "did you mean ...?"; the first `most` if none is like it."""
    names = list(known)
    return ", ".join(difflib.get_close_matches(str(name), names, n=3, cutoff=cutoff) or names[:most])
