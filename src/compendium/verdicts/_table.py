"""The claims, as committed, joined with what the committed results say of each."""

from __future__ import annotations

import pandas as pd

from compendium.datasets import published
from compendium.verdicts import _anguita2012, _diamantidis2000, _mahlich2024, _spezia2025, _stratification
from compendium.words import HOLDS, IN_PART, NOT, UNKNOWN, listed

_FINDINGS = {
    "spezia2025": _spezia2025.findings,
    "diamantidis2000": _diamantidis2000.findings,
    "mahlich2024": _mahlich2024.findings,
    "anguita2012": _anguita2012.findings,
    "stratified_kfold": _stratification.findings,
}
_WORDS = {HOLDS: "hold", IN_PART: "hold in part", NOT: "do not hold", UNKNOWN: "cannot be told"}


def claims() -> pd.DataFrame:
    """Return every claim: ``id``, ``text`` (citation key), ``place``, ``claim``, and ``page`` and ``anchor`` to see."""
    return published("claims")


def verdict_table(text: str = "") -> pd.DataFrame:
    """Return the claims of a text with ``verdict`` and ``found``, computed from the committed results.

    Parameters
    ----------
    text : str, default=""
        Citation key of a text, or ``stratified_kfold``; empty means all.
    """
    table = claims()
    wanted = [text] if text else list(_FINDINGS)
    found = pd.concat(
        {name: pd.DataFrame(_FINDINGS[name](), index=["verdict", "found"]).T for name in wanted}, names=["text", "id"]
    )
    found["found"] = found["found"].str.replace(r"(?<![\w.])-(?=\d)", "\N{MINUS SIGN}", regex=True)
    return table[table["text"].isin(wanted)].merge(found.reset_index(), on=["text", "id"], how="left", validate="1:1")


def shown_counts(verdicts: pd.Series) -> str:
    """Return how many claims hold, hold in part, do not hold and cannot be told, in words."""
    counts = verdicts.value_counts()
    parts = [f"{counts[kind]} {kind if counts[kind] == 1 else word}" for kind, word in _WORDS.items() if kind in counts]
    return listed(parts)
