"""The paper's Table 1 beside ours."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compendium.anguita2012.tables._bounds import TUNED, tuned_and_fixed
from compendium.datasets import published


def compare_with_table1(folds: pd.DataFrame) -> pd.DataFrame:
    """Return the paper's Table 1 beside ours: means over realizations, and their standard deviations.

    Parameters
    ----------
    folds : DataFrame
        From :func:`bound_table`.

    Returns
    -------
    DataFrame
        A row per problem and kind of k (``tuned``, 5, 10), columns in pairs: ours, and published with the
        ending ``_published``. ``*_std`` is the standard deviation over realizations.
    """
    rows = tuned_and_fixed(folds, (5, 10))
    grouped = rows.groupby(["dataset", "folds"], sort=False)[["k", "bound", "test_error"]]
    ours = grouped.mean().join(grouped.std().add_suffix("_std"))
    printed = published("anguita2012_table1").assign(dataset=lambda table: "raetsch/" + table["name"])
    printed = printed.rename(columns=lambda name: name.replace("_spread", "_std"))
    both = ours.reset_index().merge(
        printed.drop(columns="name"), on=["dataset", "folds"], how="left", suffixes=("", "_published")
    )
    kinds = {name: place for place, name in enumerate([TUNED, "5", "10"])}
    return both.sort_values(["dataset", "folds"], key=lambda part: part.map(kinds) if part.name == "folds" else part)


def distances_from_table1(both: pd.DataFrame, n_realizations: int = 10) -> pd.DataFrame:
    """Return how far our means are from the published ones, in standard errors of their difference.

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
        ours, theirs = both[f"{measure}_std"] ** 2 / n_realizations, both[f"{measure}_std_published"] ** 2 / 10
        distance, se = both[measure] - both[f"{measure}_published"], np.sqrt(ours + theirs)
        found = {"measure": measure, "distance": distance, "distance_se": se, "z": distance / se}
        frames.append(both[["dataset", "folds"]].assign(**found))
    return pd.concat(frames, ignore_index=True).dropna(subset="z")


def shown_table1(both: pd.DataFrame) -> pd.DataFrame:
    """Return :func:`compare_with_table1` as text, ``mean ± standard deviation``, for a page."""
    texts = {}
    for name, word in {"k": "k", "bound": "bound, %", "test_error": "test error, %"}.items():
        for end, whose in {"": "ours", "_published": "published"}.items():
            means, stds = both[f"{name}{end}"], both[f"{name}_std{end}"]
            texts[word, whose] = [_pair(mean, std) for mean, std in zip(means, stds, strict=True)]
    shown = pd.DataFrame(texts, index=pd.MultiIndex.from_frame(both[["dataset", "folds"]]))
    tuned = shown.index.get_level_values("folds") == TUNED
    for whose in ("ours", "published"):
        shown.loc[~tuned, ("k", whose)] = ""
    return shown


def _pair(mean: float, std: float) -> str:
    if np.isnan(mean):
        return ""
    return f"{mean:.1f}" if np.isnan(std) else f"{mean:.1f} ± {std:.1f}"
