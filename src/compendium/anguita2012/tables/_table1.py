"""The paper's Table 1 beside ours."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from compendium.anguita2012.tables._bounds import TUNED, tuned_and_fixed
from compendium.datasets import published

_HALF_WIDTH = stats.t.ppf(0.975, 9)  # standard errors in half a 95 % interval over ten realizations
_ROUNDED = 0.05 + 1e-9  # a printed ± may be that much too small, since it has one digit


def compare_with_table1(folds: pd.DataFrame) -> pd.DataFrame:
    """Return the paper's Table 1 beside ours: means over realizations, and how they spread.

    Parameters
    ----------
    folds : DataFrame
        From :func:`bound_table`.

    Returns
    -------
    DataFrame
        A row per problem and kind of k (``tuned``, 5, 10), columns in pairs: ours, and published with the
        ending ``_published``. ``*_std`` is our standard deviation over realizations, ``*_spread_published`` what the
        paper prints after ±, which is no standard deviation (:func:`impossible_spreads`).
    """
    rows = tuned_and_fixed(folds, (5, 10))
    grouped = rows.groupby(["dataset", "folds"], sort=False)[["k", "bound", "test_error"]]
    ours = grouped.mean().join(grouped.std().add_suffix("_std"))
    printed = published("anguita2012_table1").assign(dataset=lambda table: "raetsch/" + table["name"])
    printed = printed.rename(columns=lambda name: name.replace("_spread", "_spread_published"))
    both = ours.reset_index().merge(
        printed.drop(columns="name"), on=["dataset", "folds"], how="left", suffixes=("", "_published")
    )
    kinds = {name: place for place, name in enumerate([TUNED, "5", "10"])}
    return both.sort_values(["dataset", "folds"], key=lambda part: part.map(kinds) if part.name == "folds" else part)


def distances_from_table1(both: pd.DataFrame, n_realizations: int = 10) -> pd.DataFrame:
    """Return how far our means are from the published ones, in standard errors of their difference.

    What the paper prints after ± is taken for half a 95 % interval of Student's over ten realizations. Both means are
    over the same published splits, at least in part; the standard error takes them for independent.

    Parameters
    ----------
    both : DataFrame
        From :func:`compare_with_table1`.
    n_realizations : int, default=10
        Number of realizations that our means are over; the published ones are over ten.

    Returns
    -------
    DataFrame
        A row per problem, kind of k and ``measure`` (``bound``, ``test_error``) that is printed: ``distance`` (ours
        minus theirs, in points), its standard error ``distance_se``, and their ratio ``z``.
    """
    frames = []
    for measure in ("bound", "test_error"):
        ours = both[f"{measure}_std"] ** 2 / n_realizations
        theirs = (both[f"{measure}_spread_published"] / _HALF_WIDTH) ** 2
        distance, se = both[measure] - both[f"{measure}_published"], np.sqrt(ours + theirs)
        found = {"measure": measure, "distance": distance, "distance_se": se, "z": distance / se}
        frames.append(both[["dataset", "folds"]].assign(**found))
    return pd.concat(frames, ignore_index=True).dropna(subset="z")


def impossible_spreads(printed: pd.DataFrame) -> pd.DataFrame:
    """Return on which problems the printed ± of the tuned k is too small for a standard deviation over realizations.

    Numbers of folds are whole, so their mean over ten realizations says how small their standard deviation can be.

    Parameters
    ----------
    printed : DataFrame
        The paper's Table 1, with columns ``name``, ``k`` and ``k_spread``; other rows than those of a tuned k have no
        spread.

    Returns
    -------
    DataFrame
        Columns ``name``, ``k``, ``k_spread`` and ``least``, the least standard deviation that ten whole numbers with
        this mean can have; the largest gap comes first.
    """
    part = printed["k"] % 1
    rows = printed.assign(least=np.sqrt(part * (1 - part)))
    gap = rows["least"] - rows["k_spread"]
    order = gap[gap > _ROUNDED].sort_values(ascending=False, kind="stable").index
    return rows.loc[order, ["name", "k", "k_spread", "least"]].reset_index(drop=True)


def shown_table1(both: pd.DataFrame) -> pd.DataFrame:
    """Return :func:`compare_with_table1` as text, a mean and what spreads around it, for a page."""
    texts = {}
    for name, word in {"k": "k", "bound": "bound, %", "test_error": "test error, %"}.items():
        texts[word, "ours"] = list(map(_pair, both[name], both[f"{name}_std"]))
        texts[word, "published"] = list(map(_pair, both[f"{name}_published"], both[f"{name}_spread_published"]))
    shown = pd.DataFrame(texts, index=pd.MultiIndex.from_frame(both[["dataset", "folds"]]))
    tuned = shown.index.get_level_values("folds") == TUNED
    for whose in ("ours", "published"):
        shown.loc[~tuned, ("k", whose)] = ""
    return shown


def _pair(mean: float, std: float) -> str:
    if np.isnan(mean):
        return ""
    return f"{mean:.1f}" if np.isnan(std) else f"{mean:.1f} ± {std:.1f}"
