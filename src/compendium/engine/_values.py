"""Values of a spec: what a field may hold, read from text, and refused before any work if it cannot be used."""

from __future__ import annotations

import ast
import dataclasses
import math
import typing
from typing import Any

from cvstrat.errors import InputError

MAX_COUNT = 10_000_000
_MAX_SEED = 2**32 - 1  # what scikit-learn takes
_MAX_CHARACTERS = 20_000


def axis(column: str, default: Any = dataclasses.MISSING, *, first: int = 0, minimum: int = 1) -> Any:
    """Return a field of a spec whose value tells which rows of the results it stands for.

    Parameters
    ----------
    column : str
        The column of the results.
    default : optional
        Default of the field. A tuple lists values of the column; an integer is how many there are, from `first` on.
    first : int, default=0
        The first number of a column that counts.
    minimum : int, default=1
        Smallest value of an integer, or of each integer of a tuple.
    """
    return dataclasses.field(
        default=default, metadata={"column": column, "first": first, "range": (minimum, math.inf), "filled": True}
    )


def axis_fields(spec_type: type) -> list[dataclasses.Field[Any]]:
    """Return the fields of a spec that were made by :func:`axis`."""
    return [field for field in dataclasses.fields(spec_type) if "column" in field.metadata]


def count(default: int, *, minimum: int = 1) -> Any:
    """Return a field of a spec that says how many of something there are: at least `minimum`, at most ten million."""
    return dataclasses.field(default=default, metadata={"range": (minimum, MAX_COUNT)})


def seed(default: int) -> Any:
    """Return a field of a spec that is a seed: an integer from 0 to 2**32 - 1."""
    return dataclasses.field(default=default, metadata={"range": (0, _MAX_SEED)})


def fraction(default: float) -> Any:
    """Return a field of a spec that lies between 0 and 1, and is neither."""
    return dataclasses.field(default=default, metadata={"fraction": True})


def parse_value(spec_type: type, name: str, text: str, like: Any) -> Any:
    """Turn text into a value of the type that a field has; `like` is a value for the message if it cannot be read.

    A tuple is given as ``a,b`` or as a list, ``["a", "b"]``; lists in lists are none.
    """
    hint = typing.get_type_hints(spec_type)[name]
    try:
        if len(text) > _MAX_CHARACTERS:
            raise ValueError("it is too long")
        if typing.get_origin(hint) is not tuple:
            return hint(text)
        kind = typing.get_args(hint)[0]
        if not text.startswith(("[", "(")):
            return tuple(kind(part) for part in text.split(",") if part)
        parts = ast.literal_eval(text)
        if not isinstance(parts, list | tuple) or not all(_is_a(part, kind) for part in parts):
            raise ValueError("it is no list")
        return tuple(kind(part) for part in parts)
    except (ValueError, TypeError, SyntaxError, OverflowError, MemoryError, RecursionError) as error:
        shown = text if len(text) <= 80 else f"{text[:77]}..."
        raise InputError(f"{name}={shown!r} cannot be read: give a value such as {like!r}") from error


def check_values(spec: Any) -> None:
    """Raise if a value of a spec is of another type than its field, out of range, given twice, or not there."""
    hints = typing.get_type_hints(type(spec))
    for field in dataclasses.fields(spec):
        value, hint = getattr(spec, field.name), hints[field.name]
        if typing.get_origin(hint) is not tuple:
            _check(field, value, hint, f"{field.name}={value}")
            continue
        if not isinstance(value, tuple):
            raise InputError(f"{field.name}={value!r}: give a tuple")
        if not value and field.metadata.get("filled"):
            raise InputError(f"{field.name} is empty: give at least one value")
        for part in value:
            _check(field, part, typing.get_args(hint)[0], f"{field.name}: {part}")
            if value.count(part) > 1:
                raise InputError(f"{field.name}: {part} is given twice")


def _check(field: dataclasses.Field[Any], value: Any, kind: type, shown: str) -> None:
    if not _is_a(value, kind):
        raise InputError(f"{field.name}={value!r}: a {kind.__name__} is wanted")
    if kind is str and not value:
        raise InputError(f"{field.name} has an empty name in it: leave it out")
    if kind is float and not math.isfinite(value):
        raise InputError(f"{shown}: give a finite number")
    if field.metadata.get("fraction") and not 0 < value < 1:
        raise InputError(f"{shown}: give a share between 0 and 1")
    if kind is int and "range" in field.metadata:
        low, high = field.metadata["range"]
        if value < low:
            raise InputError(f"{shown} is too small: give at least {low}")
        if value > high:
            raise InputError(f"{shown} is too large: give at most {high}")


def _is_a(value: Any, kind: type) -> bool:
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, int | float if kind is float else kind)
