"""Checks of arguments, with messages that name the value and what to do about it."""

from __future__ import annotations

import difflib
import numbers
from collections.abc import Iterable
from typing import Any

from cvstrat.errors import InputError


def check_count(name: str, value: Any, minimum: int, *, or_none: bool = False) -> None:
    """Raise unless `value` is an integer of at least `minimum` (or None, where that means to estimate it)."""
    if or_none and value is None:
        return
    wanted = f"an integer of at least {minimum}{', or None to estimate it' if or_none else ''}"
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise InputError(f"{name} must be {wanted}; {value!r} is a {type(value).__name__}")
    if int(value) < minimum:
        raise InputError(f"{name} must be {wanted}; it is {value}")


def check_known(kind: str, name: object, known: Iterable[str]) -> None:
    """Raise an error that lists near names if `name` is not among the known ones."""
    names = list(known)
    if name not in names:
        raise InputError(f"no {kind} {name!r}: {did_you_mean(name, names)}")


def did_you_mean(name: object, known: Iterable[str], *, cutoff: float = 0.4, max_names: int | None = None) -> str:
    """Return ``did you mean ...?`` with the up to three known names that are most like `name`.

    `cutoff` is the least likeness, from 0 to 1; where no name has it, the first `max_names` are listed (None: all).
    """
    names = list(known)
    near = difflib.get_close_matches(str(name), names, n=3, cutoff=cutoff) or names[:max_names]
    return f"did you mean {', '.join(near)}?" if near else "nothing is called like it."
