"""From paired text notebooks to executed ones, and from those to the book."""

from cvstrat.publish._book import build_book
from cvstrat.publish._execute import NotebookFailed
from cvstrat.publish._notebooks import Notebook, UnknownNotebook, find_notebook, notebooks, pair
from cvstrat.publish._parameters import BadParameter, Parameter, parameters_of
from cvstrat.publish._provenance import commit, provenance
from cvstrat.publish._rerun import rerun

__all__ = [
    "BadParameter",
    "Notebook",
    "NotebookFailed",
    "Parameter",
    "UnknownNotebook",
    "build_book",
    "commit",
    "find_notebook",
    "notebooks",
    "pair",
    "parameters_of",
    "provenance",
    "rerun",
]
