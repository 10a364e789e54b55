"""Findings as sentences that read well whatever was found."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from compendium.spezia2025.tables._labels import LABELS
from compendium.words import listed, out_of

_MODELS = {
    "LR": "logistic regression",
    "DT": "a decision tree",
    "SVM": "a support vector machine",
    "RF": "a random forest",
}


def models_text(bias: pd.DataFrame) -> str:
    """Return which models were trained, in words."""
    return listed([words for name, words in _MODELS.items() if name in set(bias["model"])])


def shown_signs(signs: pd.DataFrame) -> pd.DataFrame:
    """Return sign tests as a table to be read: techniques and numbers of folds by metrics.

    Parameters
    ----------
    signs : DataFrame
        From :func:`signs_table`.

    Returns
    -------
    DataFrame
        Cells such as ``16 of 17, +1.48 *``: sets above, mean difference in points, and a star where the direction
        survives Holm's correction.
    """
    cells = [
        f"{row['larger']} of {row['n_sets']}, {100 * row['difference']:+.2f}{' *' if row['p_holm'] < 0.05 else ''}"
        for row in signs.to_dict("records")
    ]
    text = signs.assign(cell=[cell.replace("-", "\N{MINUS SIGN}") for cell in cells])
    index, metrics = ["technique", "n_splits"], list(signs["metric"].unique())
    wide = text.pivot(index=index, columns="metric", values="cell")[metrics].rename(columns=LABELS)
    return wide.reindex(signs["technique"].unique(), level="technique").reset_index().rename_axis(columns=None)


def findings_text(counts: Mapping[str, int], what: str, reference: str = "SCV") -> str:
    """Return what comparisons with a reference say, in two or three sentences.

    Parameters
    ----------
    counts : mapping of str to int
        From :func:`count_findings`.
    what : str
        The measure in words, such as ``error``.
    reference : str, default="SCV"
        What was compared with.
    """
    total, smaller, larger = counts["compared"], counts["smaller"], counts["larger"]
    clear = out_of(smaller + larger, total)
    if smaller and larger:
        sides = f"it is smaller in {smaller} and larger in {larger}"
        first = f"The {what} differs clearly from that of {reference} in {clear} comparisons: {sides}."
    elif smaller or larger:
        side = "smaller" if smaller else "larger"
        first = f"The {what} is clearly {side} than that of {reference} in {clear} comparisons."
    else:
        first = f"The {what} differs clearly from that of {reference} in {clear} comparisons."
    equal, rest = counts["equal"], counts["open"]
    second = f" The difference is shown to be within half a point in {out_of(equal, total)}." if equal else ""
    subject = "The remaining comparison is" if rest == 1 else f"The remaining {rest} are"
    third = f" {subject} open: the data show neither a difference nor equality." if rest else ""
    if rest == total:
        subject = {1: "It is", 2: "Both are"}.get(total, "All are")
        third = f" {subject} open: the data show neither a difference nor equality to within half a point."
    return first + second + third


def friedman_text(tests: pd.DataFrame) -> str:
    """Return how many tests of a set are below 0.05, in the paper and in ours, in one or two sentences.

    Parameters
    ----------
    tests : DataFrame
        From :func:`friedman_table`; the squared bias, which the paper does not test, is left out.
    """
    tested = tests[tests["measure"] != "squared bias"]
    columns = ["published", "as_published", "correct", "as_published_by_set", "correct_by_set"]
    below = [int(number) for number in (tested[columns] < 0.05).sum()]
    if not any(below):
        return (
            f"None of the {len(tested)} tests is below 0.05: not in the paper, not in our emulation of what it scored, "
            "and not with the correct folds."
        )
    paper, emulated, correct, emulated_by_set, correct_by_set = (str(number or "none") for number in below)
    return (
        f"Of {len(tested)} tests, the paper reports {paper} below 0.05, our emulation of what it scored gives "
        f"{emulated}, and the correct folds give {correct}. If a data set is one block, which is safer since its "
        f"models share their folds, the emulation gives {emulated_by_set} and the correct folds give {correct_by_set}."
    )
