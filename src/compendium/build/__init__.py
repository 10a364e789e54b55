"""From paired text notebooks to executed ones, and from those to the book."""

from compendium.build._book import (
    build_book,
    render_single_page,
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
    parameters_of,
)
from compendium.build._rerun import (
    rerun,
)
from compendium.build._stage import (
    Say,
)
from compendium.parameters import (
    BadParameter,
    Parameter,
)

__all__ = [
    "BadParameter",
    "Notebook",
    "NotebookFailed",
    "Parameter",
    "Say",
    "UnknownNotebook",
    "build_book",
    "find_notebook",
    "notebooks",
    "pair",
    "parameters_of",
    "render_single_page",
    "rerun",
]
