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

_PLAIN: dict[str, Any] = {"bool": bool, "float": float, "int": int, "str": str}
_FORMS = "bool, float, int, str, None, list[...], dict[str, ...], and several of these joined by |"
_MAX_CHARACTERS = 20_000


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
        return _type(ast.parse(self.annotation, mode="eval").body)

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
            raise BadParameter(
                f"parameter {self.name!r} takes {self.annotation} (default {json.dumps(self.default)}), "
                f"not {shown if len(shown) <= 80 else f'{shown[:77]}...'}"
            )
        return value


def _refuse_constant(word: str) -> float:
    raise ValueError(f"{word} is not a finite number")


def parameters_of(node: NotebookNode) -> dict[str, Parameter]:
    """Return the parameters of a notebook, from the cell tagged ``parameters``.

    Each line of that cell is ``name: type = default``, the default a literal. The cell is read, never run: types are
    compared with a short list, and anything else is refused.
    """
    cells = [cell for cell in node.cells if "parameters" in cell.metadata.get("tags", [])]
    if len(cells) > 1:
        raise BadParameter("a notebook has one parameters cell, this one has more")
    found: dict[str, Parameter] = {}
    for statement in _statements(cells[0].source) if cells else []:
        if (
            not isinstance(statement, ast.AnnAssign)
            or not isinstance(statement.target, ast.Name)
            or not statement.value
        ):
            raise BadParameter(f"not of the form 'name: type = default': {_shown(statement)}")
        name = statement.target.id
        if name in found:
            raise BadParameter(f"the parameter {name!r} is there twice")
        _type(statement.annotation)
        parameter = Parameter(name, ast.unparse(statement.annotation), _literal(statement.value))
        parameter.check(parameter.default)
        found[name] = parameter
    return found


def _statements(source: str) -> list[ast.stmt]:
    if len(source) > _MAX_CHARACTERS:
        raise BadParameter(f"the parameters cell has {len(source)} characters; {_MAX_CHARACTERS} are enough")
    try:
        return ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise BadParameter(f"the parameters cell is not Python: {error}") from error


def _type(node: ast.expr) -> Any:
    """Return the type that an annotation names, if it is of a form that is known; nothing is evaluated."""
    if isinstance(node, ast.Name) and node.id in _PLAIN:
        return _PLAIN[node.id]
    if isinstance(node, ast.Constant) and node.value is None:
        return None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return typing.Union[_type(node.left), _type(node.right)]  # noqa: UP007  (None | None is no type)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        if node.value.id == "list":
            return list[_type(node.slice)]  # type: ignore[misc]
        pair = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
        if node.value.id == "dict" and len(pair) == 2 and _type(pair[0]) is str:
            return dict[str, _type(pair[1])]  # type: ignore[misc]
    raise BadParameter(f"a parameter cannot be of the type {_shown(node)}: it takes {_FORMS}")


def _literal(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError) as error:
        raise BadParameter(f"a default must be a literal, such as 3 or ['iris']: {_shown(node)}") from error


def _shown(node: ast.AST) -> str:
    try:
        text = ast.unparse(node)
    except RecursionError:
        text = "(too deep to show)"
    return text if len(text) <= 80 else f"{text[:77]}..."


def checked(node: NotebookNode, given: dict[str, Any]) -> dict[str, Any]:
    """Return `given`, with text turned into values, if the notebook takes all of it; raise if not."""
    known = parameters_of(node)
    values = {}
    for name, value in given.items():
        if name not in known:
            hint = did_you_mean(name, known) if known else "it takes none."
            raise BadParameter(f"the notebook has no parameter {name!r}: {hint}")
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
