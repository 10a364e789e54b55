"""From paired text notebooks to executed ones, and from those to the book."""

from compendium.build._book import (
    build_book,
)
from compendium.build._execute import (
    NotebookFailed,
)
from compendium.build._notebooks import (
    Notebook,
    UnknownNotebook,
    find_notebook,
    notebooks,
    pair,
)
from compendium.build._parameters import (
    BadParameter,
    Parameter,
    parameters_of,
)
from compendium.build._rerun import (
    rerun,
)

__all__ = [
    "BadParameter",
    "Notebook",
    "NotebookFailed",
    "Parameter",
    "UnknownNotebook",
    "build_book",
    "find_notebook",
    "notebooks",
    "pair",
    "parameters_of",
    "rerun",
]
