"""Parameters of notebooks: of which type each is, whether a value fits it, and values that came as text."""

from __future__ import annotations

import ast
import inspect
import json
import types
import typing
from dataclasses import dataclass
from typing import Any

from cvstrat.errors import InputError

_PLAIN: dict[str, Any] = {"bool": bool, "float": float, "int": int, "str": str}
_FORMS = "bool, float, int, str, None, list[...], dict[str, ...], and several of these joined by |"


class BadParameter(InputError):
    """A parameter that the notebook does not have, or a value that does not fit it."""


@dataclass(frozen=True)
class Parameter:
    """A name in the parameters cell, its type as annotated, and its default, if that is known."""

    name: str
    annotation: str
    default: Any = None

    @property
    def type(self) -> Any:
        """The annotated type."""
        return type_of(ast.parse(self.annotation, mode="eval").body)

    def parse(self, text: str) -> Any:
        """Turn what a user typed into a value of this parameter's type, or say why it does not fit."""
        try:
            text.encode()
            value = json.loads(text, parse_constant=_refuse_constant)
        except json.JSONDecodeError:
            value = text
        except (ValueError, RecursionError) as error:
            raise BadParameter(f"parameter {self.name!r} cannot be read: {error}") from error
        if not fits(value, self.type) and fits(text, self.type):
            value = text
        return self.check(value)

    def check(self, value: Any) -> Any:
        """Return `value` if it fits this parameter."""
        if not fits(value, self.type):
            shown = json.dumps(value, default=str)
            form = f"{self.annotation} as JSON" if "[" in self.annotation else self.annotation
            usual = "" if self.default is None else f" (default {json.dumps(self.default)})"
            raise BadParameter(
                f"parameter {self.name!r} takes {form}{usual}, not {shown if len(shown) <= 80 else f'{shown[:77]}...'}"
            )
        return value


def _refuse_constant(word: str) -> float:
    raise ValueError(f"{word} is not a finite number")


def type_of(node: ast.expr) -> Any:
    """Return the type that an annotation names, if it is of a form that is known; nothing is evaluated."""
    if isinstance(node, ast.Name) and node.id in _PLAIN:
        return _PLAIN[node.id]
    if isinstance(node, ast.Constant) and node.value is None:
        return None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return typing.Union[type_of(node.left), type_of(node.right)]  # noqa: UP007  (None | None is no type)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        if node.value.id == "list":
            return list[type_of(node.slice)]  # type: ignore[misc]
        pair = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
        if node.value.id == "dict" and len(pair) == 2 and type_of(pair[0]) is str:
            return dict[str, type_of(pair[1])]  # type: ignore[misc]
    raise BadParameter(f"a parameter cannot be of the type {shown_source(node)}: it takes {_FORMS}")


def shown_source(node: ast.AST) -> str:
    """Return code for a message, not too much of it."""
    try:
        text = ast.unparse(node)
    except RecursionError:
        text = "(too deep to show)"
    return text if len(text) <= 80 else f"{text[:77]}..."


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


def read_parameters(namespace: dict[str, Any]) -> None:
    """Turn parameters that came as text into values of their types, in the namespace of a notebook.

    ``papermill -p datasets '["iris"]'`` gives a notebook a list as text. The cell after the parameters cell of every
    notebook calls this with ``globals()``; a value that does not fit raises before anything is computed.
    """
    for name, kind in _annotations(namespace).items():
        parameter = Parameter(name, inspect.formatannotation(kind))
        value = namespace[name]
        namespace[name] = parameter.parse(value) if isinstance(value, str) else parameter.check(value)


def _annotations(namespace: dict[str, Any]) -> dict[str, Any]:
    module = types.ModuleType("notebook")
    vars(module).update({name: namespace[name] for name in ("__annotations__", "__annotate__") if name in namespace})
    return inspect.get_annotations(module)
