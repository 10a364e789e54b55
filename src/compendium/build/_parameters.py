"""The parameters cell: which names a notebook takes, and what it may be given."""

from __future__ import annotations

import ast
from typing import Any

from nbformat import NotebookNode

from compendium.parameters import BadParameter, Parameter, shown_source, type_of
from cvstrat.checks import did_you_mean

_MAX_CHARACTERS = 20_000


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
            raise BadParameter(f"not of the form 'name: type = default': {shown_source(statement)}")
        name = statement.target.id
        if name in found:
            raise BadParameter(f"the parameter {name!r} is there twice")
        type_of(statement.annotation)
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


def _literal(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError) as error:
        raise BadParameter(f"a default must be a literal, such as 3 or ['iris']: {shown_source(node)}") from error


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
