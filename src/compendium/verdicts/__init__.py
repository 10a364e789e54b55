"""Every claim of the five texts, with what we found: a verdict, a number, and the page that shows it."""

from compendium.verdicts._spezia2025 import sentences
from compendium.verdicts._table import claims, shown_counts, verdict_table

__all__ = [
    "claims",
    "sentences",
    "shown_counts",
    "verdict_table",
]
