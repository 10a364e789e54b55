"""The five conclusions of the cluster-based paper, each with what we find."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from compendium.spezia2025.study._spec import CORRECT, SETS
from compendium.spezia2025.tables._audit import closest_shares
from compendium.spezia2025.tables._bias import bias_table
from compendium.spezia2025.tables._effects import count_findings, effects_table
from compendium.spezia2025.tables._sets import friedman_table, wins_table
from compendium.spezia2025.tables._time import time_table
from compendium.spezia2025.tables._words import findings_text
from compendium.words import HOLDS, IN_PART, NOT, UNKNOWN, out_of


def verdict_on_equality(counts: Mapping[str, int]) -> str:
    """Return whether counts of findings bear out that nothing differs."""
    if counts["smaller"] or counts["larger"]:
        return NOT
    if counts["equal"] == counts["compared"]:
        return HOLDS
    return IN_PART if counts["equal"] else UNKNOWN


def verdict_on_lead(counts: Mapping[str, int], side: str) -> str:
    """Return whether counts of findings bear out that all comparisons come out on one side, smaller or larger."""
    other = "larger" if side == "smaller" else "smaller"
    if counts[side]:
        return HOLDS if counts[side] == counts["compared"] else IN_PART
    return NOT if counts[other] or counts["equal"] else UNKNOWN


def verdict_table(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the paper's five conclusions, what they rest on, what we find in the correct version, and our verdict.

    Parameters
    ----------
    tables : dict of str to DataFrame
        All tables of the cluster-based study.

    Returns
    -------
    DataFrame
        Columns are headings. A verdict is ``holds``, ``holds in part``, ``does not hold`` or ``cannot be told``, and
        follows from joint intervals and tests of equality of the error (``effects_table``); the last one from times.
    """
    bias = bias_table(tables)
    correct = bias[bias["version"] == CORRECT]
    clusters = count_findings(effects_table(correct, "rmse", SETS["set1"], "SCBCV", by_balance=False))
    second = effects_table(correct, "rmse", SETS["set2"], "SCV")  # intervals that hold for all of Set 2, as on its page
    balanced = second["balance"] == "balanced"
    mini = count_findings(second[balanced & (second["technique"] == "SCBCV-Mini")])
    lead = count_findings(second[~balanced])
    algorithms = count_findings(effects_table(correct, "rmse", SETS["set3"], "KCBCV", by_balance=False))
    rows = [
        (
            "The number of clusters does not matter to SCBCV (Set 1).",
            "Random folds, cut five times.",
            findings_text(clusters, "error", "SCBCV"),
            verdict_on_equality(clusters),
        ),
        (
            "On balanced sets SCBCV-Mini is ahead of SCV (Set 2).",
            "Random folds against stratified ones.",
            findings_text(mini, "error of SCBCV-Mini"),
            verdict_on_lead(mini, "smaller"),
        ),
        (
            "On imbalanced sets SCV is ahead (Set 2).",
            "Stratified folds against random ones.",
            f"{findings_text(lead, 'error of SCBCV and SCBCV-Mini')} {_closest(bias)}",
            verdict_on_lead(lead, "larger"),
        ),
        (
            "No clustering algorithm stands out (Set 3).",
            "Random folds, cut six times.",
            f"{findings_text(algorithms, 'error', 'KCBCV')} {_directions(bias)}",
            verdict_on_equality(algorithms),
        ),
        (
            "SCV costs least, and Mini-Batch K-means saves no time.",
            "Times of cutting, which the defect does not touch.",
            *_cost(tables),
        ),
    ]
    return pd.DataFrame(rows, columns=["the paper concludes", "it rests on", "once the folds are right", "verdict"])


def _closest(bias: pd.DataFrame) -> str:
    wins = wins_table(bias, SETS["set2"], "set2")
    n_splits = int(bias["n_splits"].max())
    shares = closest_shares(wins, "SCV", balance="imbalanced", n_splits=n_splits, measure="bias").mul(100)
    if shares.isna().any():
        return ""
    published, rerun, correct = (f"{share:.3g}" for share in shares)
    return (
        f"With {n_splits} folds SCV has the bias closest to zero in {published} % of the pairs as printed, {rerun} % "
        f"in our emulation, {correct} % once the folds are right."
    )


def _directions(bias: pd.DataFrame) -> str:
    tests = friedman_table(bias, SETS["set3"]).query("measure == 'signed bias'")["correct_by_set"].dropna()
    below = int((tests < 0.05).sum())
    if not below:
        return ""
    return (
        "In the signed bias the techniques do differ: the p-value of Friedman's test over data sets is below 0.05 in "
        f"{out_of(below, len(tests))} cases (kind of data set and number of folds)."
    )


def _cost(tables: dict[str, pd.DataFrame]) -> tuple[str, str]:
    times = time_table(tables, n_splits=int(tables["folds_times"]["n_splits"].max()))
    split = (
        times.pivot(index="dataset", columns="technique", values="split").reindex(columns=list(SETS["set2"])).dropna()
    )
    if split.empty:
        return "Not measured here.", UNKNOWN
    cheapest, slower = int((split.idxmin(axis=1) == "SCV").sum()), int((split["SCBCV-Mini"] > split["SCBCV"]).sum())
    n = len(split)
    text = (
        f"Of the three techniques of Set 2, SCV is the cheapest to cut on {out_of(cheapest, n)} data sets, and "
        f"SCBCV-Mini is slower than SCBCV on {out_of(slower, n)}."
    )
    right = (cheapest > n / 2) + (slower > n / 2)
    return text, (NOT, IN_PART, HOLDS)[right]
