"""Sorts the bibliography as a reader looks for a name: without regard to accents."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from pybtex.database import Person
from pybtex.plugin import register_plugin
from pybtex.style.formatting.plain import Style as PlainStyle
from pybtex.style.sorting.author_year_title import SortingStyle
from sphinx.application import Sphinx


class PlainLetters(SortingStyle):
    """By author, year and title, as always, but ä is a, whether written so or in the manner of LaTeX."""

    def persons_key(self, persons: list[Person]) -> str:
        """Return the names of the persons without the marks of their letters."""
        return re.sub(r"[^\w\s]", "", unicodedata.normalize("NFKD", super().persons_key(persons)))


class PlainLetterStyle(PlainStyle):
    """The plain style, sorted so."""

    default_sorting_style = "plain_letters"


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    register_plugin("pybtex.style.sorting", "plain_letters", PlainLetters)
    register_plugin("pybtex.style.formatting", "plain_letters", PlainLetterStyle)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
