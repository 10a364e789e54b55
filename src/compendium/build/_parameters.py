"""The parameters cell: which names a notebook takes, of which type, and whether a value fits."""

from __future__ import annotations

import ast
import json
import types
import typing
from dataclasses import dataclass
from typing import Any

from nbformat import NotebookNode

from cvstrat.checks import did_you_mean
from cvstrat.errors import InputError

_TYPES: dict[str, Any] = {"bool": bool, "dict": dict, "float": float, "int": int, "list": list, "str": str}


class BadParameter(InputError):
    """A parameter that the notebook does not have, or a value that does not fit it."""


@dataclass(frozen=True)
class Parameter:
    """A name in the parameters cell, its type as annotated, and its default."""

    name: str
    annotation: str
    default: Any

    @property
    def type(self) -> Any:
        """The annotated type."""
        return eval(self.annotation, {"__builtins__": {}}, _TYPES)  # the text of our own notebooks, no builtins

    def parse(self, text: str) -> Any:
        """Turn what a user typed into a value of this parameter's type, or say why it does not fit."""
        try:
            value = json.loads(text)
        except json.JSONDecodeError:
            value = text
        if not fits(value, self.type) and fits(text, self.type):
            value = text
        return self.check(value)

    def check(self, value: Any) -> Any:
        """Return `value` if it fits this parameter."""
        if not fits(value, self.type):
            raise BadParameter(
                f"parameter {self.name!r} takes {self.annotation} (default {json.dumps(self.default)}), "
                f"not {json.dumps(value, default=str)}"
            )
        return value


def parameters_of(node: NotebookNode) -> dict[str, Parameter]:
    """Return the parameters of a notebook, from the cell tagged ``parameters``.

    Each line of that cell is ``name: type = default``, the default a literal.
    """
    cells = [cell for cell in node.cells if "parameters" in cell.metadata.get("tags", [])]
    if len(cells) > 1:
        raise BadParameter("a notebook has one parameters cell, this one has more")
    found = {}
    for statement in ast.parse(cells[0].source).body if cells else []:
        if (
            not isinstance(statement, ast.AnnAssign)
            or not isinstance(statement.target, ast.Name)
            or not statement.value
        ):
            raise BadParameter(f"not of the form 'name: type = default': {ast.unparse(statement)}")
        name, annotation = statement.target.id, ast.unparse(statement.annotation)
        found[name] = Parameter(name, annotation, ast.literal_eval(statement.value))
        found[name].check(found[name].default)
    return found


def checked(node: NotebookNode, given: dict[str, Any]) -> dict[str, Any]:
    """Return `given`, with text turned into values, if the notebook takes all of it; raise if not."""
    known = parameters_of(node)
    values = {}
    for name, value in given.items():
        if name not in known:
            raise BadParameter(f"the notebook has no parameter {name!r}: {did_you_mean(name, known)}")
        values[name] = known[name].parse(value) if isinstance(value, str) else known[name].check(value)
    return values


def fits(value: Any, wanted: Any) -> bool:
    """Tell whether `value`, as JSON can carry it, is of type `wanted`."""
    if wanted is None or wanted is types.NoneType:
        return value is None
    origin, arguments = typing.get_origin(wanted), typing.get_args(wanted)
    if origin in (types.UnionType, typing.Union):
        return any(fits(value, one) for one in arguments)
    if origin is list:
        return isinstance(value, list) and all(fits(item, arguments[0]) for item in value)
    if origin is dict:
        return isinstance(value, dict) and all(fits(item, arguments[1]) for item in value.values())
    if wanted is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if wanted is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, wanted)
