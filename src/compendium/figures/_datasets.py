"""Figures of the data chapter."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes

from compendium.figures._panels import plain_ticks


def plot_sizes(catalogue: pd.DataFrame, *, by: str = "collection") -> Axes:
    """Draw the features of every data set against its rows, both on logarithmic axes.

    Parameters
    ----------
    catalogue : DataFrame
        With columns ``rows``, ``features`` and the one named in `by`.
    by : str, default="collection"
        Column that gives colour and marker.
    """
    axes: Axes = sns.scatterplot(catalogue, x="rows", y="features", hue=by, style=by, s=55, alpha=0.8)
    axes.set(xscale="log", yscale="log", xlabel="rows", ylabel="features")
    for axis in (axes.xaxis, axes.yaxis):
        plain_ticks(axis)
    axes.legend(title=None, loc="upper left", bbox_to_anchor=(1, 1))
    return axes


def plot_imbalance(table: pd.DataFrame, *, threshold: float = 0.2) -> Axes:
    """Draw the imbalance index of each data set as computed here, and as published.

    Parameters
    ----------
    table : DataFrame
        With columns ``name``, ``ours`` and ``published``.
    threshold : float, default=0.2
        Imbalance index above which the study calls a data set imbalanced.
    """
    ordered = table.sort_values("ours", kind="stable")
    axes = plt.figure(figsize=(7.2, 0.9 + 0.27 * len(ordered))).add_subplot()
    sns.barplot(ordered, y="name", x="ours", color="C0", label="computed here", ax=axes)
    diamonds = axes.scatter(ordered["published"], ordered["name"], marker="D", s=30, color="C1", label="published")
    diamonds.set(zorder=3, clip_on=False)
    axes.axvline(threshold, color="0.4", linestyle="--", linewidth=1, label=f"threshold {threshold:g}")
    axes.set(xlabel="imbalance index", ylabel="", xlim=(0, 1))
    for legend in filter(None, [axes.get_legend()]):
        legend.remove()  # seaborn's, of the bars alone
    axes.figure.legend(loc="outside lower center", ncols=3)
    return axes
