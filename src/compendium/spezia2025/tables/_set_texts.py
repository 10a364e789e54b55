"""What the pages of the three sets say first, in sentences that read well whatever was found."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import pandas as pd

from compendium.figures import signed
from compendium.spezia2025.study._spec import CORRECT
from compendium.words import listed

_WORDS = {"2": "two", "3": "three", "4": "four", "5": "five"}
_EQUAL = ("equal", "larger, below the margin", "smaller, below the margin")


def clusters_text(errors: pd.DataFrame, margin: str = "half a point") -> str:
    """Return, for each number of folds, whether the number of clusters matters to the error.

    Parameters
    ----------
    errors : DataFrame
        From :func:`effects_table`: fixed numbers of clusters against the estimated one.
    margin : str
        The difference that does not matter, in words.
    """
    told = []
    for n_splits, part in sorted(errors.groupby("n_splits"), reverse=True):
        clear = part[part["finding"].isin(["larger", "smaller"])]
        unsure = part[part["finding"] == "open"]
        start = f"With {n_splits} folds "
        if part["finding"].isin(_EQUAL).all():
            told.append(f"{start}the number of clusters does not matter (within {margin}).")
            continue
        if len(clear):
            names = listed([f"{one.technique} ({one.finding})" for one in clear.itertuples()])
            told.append(f"{start}it matters: the error differs clearly for {names}.")
            start = "There "
        if len(unsure):
            low, high = (f"{100 * value:.1f}" for value in (unsure["difference"].min(), unsure["difference"].max()))
            names = _numbers_text([str(name) for name in unsure["technique"]])
            worse = unsure["difference"].min() > 0
            amount = f"by {low} to {high} points" if low != high else f"by {high} points"
            what = f"may be worse than the estimated number, {amount} on average; that" if worse else "may differ; that"
            told.append(f"{start}{names} {what} is open.")
    return " ".join(told)


def _numbers_text(techniques: list[str]) -> str:
    """Return techniques such as SCBCV2 and SCBCV3 as ``two or three clusters``; other names as they are."""
    found = [re.fullmatch(r"SCBCV(\d)", name) for name in techniques]
    numbers = [_WORDS.get(one[1], one[1]) for one in found if one]
    if len(numbers) < len(techniques):
        return listed(techniques)
    return f"{listed(numbers).replace(' and ', ' or ')} clusters"


def twins_text(twins: Mapping[str, str]) -> str:
    """Return on how many data sets the estimated number of clusters is a fixed one, and what that does to the tests.

    Parameters
    ----------
    twins : mapping of str to str
        The fixed technique whose folds are those of SCBCV, by data set.
    """
    if not twins:
        return "On none of these sets is the estimated number one of the fixed ones."
    counts = pd.Series(twins).value_counts().sort_index()
    by_name = listed([f"{name} on {count}" for name, count in counts.items()])
    sets = "one of these sets" if len(twins) == 1 else f"{len(twins)} of these sets"
    return (
        f"On {sets} the estimated number is one of the fixed ones ({by_name}). There the two are the same folds, run "
        "once, and count under both names. Differences of zero pull the mean towards zero and help the test of "
        "equality."
    )


def without_twins(bias: pd.DataFrame, twins: Mapping[str, str]) -> pd.DataFrame:
    """Return the lines of `bias` without those of a fixed technique on data sets where it is the estimated number."""
    is_twin = [twins.get(dataset) == name for dataset, name in zip(bias["dataset"], bias["technique"], strict=True)]
    return bias[~np.array(is_twin, dtype=bool)]


def apart_text(errors: pd.DataFrame, apart: pd.DataFrame) -> str:
    """Return which findings of equality rest on data sets on which both techniques are the same folds.

    Parameters
    ----------
    errors, apart : DataFrame
        From :func:`effects_table`: of all data sets, and of :func:`without_twins`.
    """
    keys = ["n_splits", "technique"]
    both = errors.merge(apart, on=keys, suffixes=("", "_apart"))
    lost = both[both["finding"].isin(_EQUAL) & ~both["finding_apart"].isin(_EQUAL)]
    if lost.empty:
        return ""
    by_folds = [f"with {k} folds for {_numbers_text(list(part['technique']))}" for k, part in lost.groupby("n_splits")]
    return (
        "Some equality rests on data sets on which a fixed number is the estimated one: without them it is open "
        f"{listed(by_folds)}."
    )


def stratified_text(effects: pd.DataFrame, clustered: str = "SCBCV", plain: str = "SCV") -> str:
    """Return where stratified folds without clusters bring half or more of what clusters inside the classes bring.

    Parameters
    ----------
    effects : DataFrame
        From :func:`effects_table`, by kind of data: biases of both against a technique that clusters the whole set.
    clustered, plain : str
        The techniques with and without clusters inside the classes.
    """
    wide = effects.pivot(index=["balance", "n_splits"], columns="technique", values="difference").dropna()
    if not {clustered, plain} <= set(wide.columns):
        return ""
    told = [
        f"on {kind} sets with {k} folds, where {plain} has {signed(100 * line[plain], 1)} points of its "
        f"{signed(100 * line[clustered], 1)}"
        for (kind, k), line in zip(wide.index, wide.to_dict("records"), strict=True)
        if line[plain] > 0 and 2 * line[plain] >= line[clustered]
    ]
    return f"Stratification alone brings half of this or more {listed(told)} ({clustered})." if told else ""


def lead_text(wins: pd.DataFrame, verdict: str, n_splits: int, technique: str = "SCV") -> str:
    """Return what is left of the published lead of stratified folds on imbalanced data.

    Parameters
    ----------
    wins : DataFrame
        From :func:`wins_table`.
    verdict : str
        On whether the error of the others is larger, from :func:`verdict_on_lead`.
    n_splits : int
        The number of folds whose counts are told.
    technique : str, default="SCV"
        Whose lead.
    """
    here = wins[(wins["balance"] == "imbalanced") & (wins["n_splits"] == n_splits) & (wins["measure"] == "bias")]
    counts = here.set_index("version")[[technique, "pairs"]].dropna()
    if CORRECT not in counts.index:
        return "These data have no imbalanced set, so they say nothing of the published lead of stratified folds there."
    of_all, found = counts["pairs"].to_dict(), counts[technique].to_dict()
    ours, pairs = float(found[CORRECT]), float(of_all[CORRECT])
    published = float(found.get("published", np.nan))
    same = of_all.get("published") == pairs
    stays = ours > pairs / 2
    printed = f", not {published:g}" if same and not stays else f", and in {published:g} in the paper" if same else ""
    fate = "remains" if stays else "is not there"
    rest = {
        "holds": " In the error, bias and scatter together, SCV leads clearly.",
        "holds in part": " In the error, bias and scatter together, SCV leads in some comparisons.",
        "does not hold": "",
        "cannot be told": " Whether a small lead remains is open.",
    }[verdict]
    return (
        f"The large published lead of stratified cross-validation (SCV) on imbalanced data {fate} once the folds are "
        f"the right ones. With {n_splits} folds the bias of {technique} is closest to zero in {ours:g} of {pairs:g} "
        f"pairs of data set and model{printed}.{'' if stays else rest}"
    )


def clear_text(clear: pd.DataFrame) -> str:
    """Return which clear differences there are: with how many folds, and by techniques that cluster inside the classes.

    Parameters
    ----------
    clear : DataFrame
        The clear ones among the lines of :func:`effects_table`.
    """
    if clear.empty:
        return ""
    folds = sorted(clear["n_splits"].unique())
    names = listed([str(name) for name in dict.fromkeys(clear["technique"])])
    inside = clear["technique"].str.startswith("SCBCV").all()
    what = "of techniques that cluster inside the classes" if inside else f"of {names}"
    subject = "The clear difference is" if len(clear) == 1 else f"All {len(clear)} clear differences are"
    return f"{subject} with {listed([str(one) for one in folds])} folds, and {what}."


def cutting_text(times: pd.DataFrame, slow: float = 1.0) -> str:
    """Return which technique cuts fastest and which slowest in the median, and what the slowest take at most.

    Parameters
    ----------
    times : DataFrame
        From :func:`time_table`, of the techniques in question.
    slow : float, default=1.0
        Seconds from which on a maximum is told.
    """
    found = times.groupby("technique")["split"].agg(["median", "max"]).sort_values("median")
    rounded = (1000 * found["median"]).round()
    slowest = found[rounded == rounded.iloc[-1]].sort_index()
    if len(slowest) == len(found):
        return f"All take about as long to cut ({rounded.iloc[-1]:.0f} ms in the median over data sets)."
    first = f"{found.index[0]} cuts fastest ({rounded.iloc[0]:.0f} ms in the median over data sets)"
    verb = "is" if len(slowest) == 1 else "are"
    text = f"{first}; {listed([str(name) for name in slowest.index])} {verb} slowest ({rounded.iloc[-1]:.0f} ms)"
    maxima = [f"{seconds:.0f}" for seconds in slowest["max"]]
    if slowest["max"].min() < slow:
        return f"{text}."
    return f"{text}, with {'maxima' if len(slowest) > 1 else 'a maximum'} of {listed(maxima)} seconds."


def order_text(times: pd.DataFrame, techniques: list[str]) -> str:
    """Return on how many data sets the last of some techniques, with most clusters, takes longer to cut than others.

    Parameters
    ----------
    times : DataFrame
        From :func:`time_table`.
    techniques : list of str
        With rising numbers of clusters.
    """
    wide = times.pivot(index="dataset", columns="technique", values="split").reindex(columns=techniques).dropna()
    if len(techniques) < 2 or len(wide) < 2:
        return ""
    steps = [(techniques[-1], techniques[0]), *((b, a) for a, b in pairwise(techniques))]
    counts = [f"{more} than {less} on {(wide[more] > wide[less]).sum()}" for more, less in dict.fromkeys(steps)]
    return (
        f"{counts[0].partition(' than ')[0]} takes longer than {counts[0].partition(' than ')[2]} of {len(wide)} sets"
        + (f"; from one number to the next, {listed(counts[1:])}." if len(counts) > 2 else ".")
    )
