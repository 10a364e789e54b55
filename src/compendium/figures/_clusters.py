"""Figures of the parameters of clusterings, and of speed."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties
from matplotlib.ticker import MaxNLocator
from scipy.cluster.hierarchy import dendrogram

from compendium.figures._panels import plain_ticks


def plot_dendrogram(tree: np.ndarray, threshold: float) -> Axes:
    """Draw a dendrogram, its merges above the threshold in another colour.

    Parameters
    ----------
    tree : ndarray of shape (n_rows - 1, 4)
        Linkage matrix, as SciPy makes it.
    threshold : float
        Distance of merging at which the tree is cut.
    """
    axes = plt.figure().add_subplot()
    dendrogram(tree, ax=axes, no_labels=True, color_threshold=threshold, above_threshold_color="0.25")
    line = axes.axhline(threshold, color="0.3", linestyle="--", linewidth=1, label="mean + 2 standard deviations")
    axes.legend(handles=[line], loc="lower right", bbox_to_anchor=(1, 1))
    axes.set(ylabel="distance of the clusters merged", xlabel="rows of the sample")
    axes.grid(visible=False)
    return axes


def plot_cluster_counts(summary: pd.DataFrame) -> Axes:
    """Draw, for each data set, the number of clusters, its mean and standard deviation over samples, and as published.

    Parameters
    ----------
    summary : DataFrame
        With columns ``dataset``, ``mean``, ``std`` and ``published``.
    """
    axes = plt.figure(figsize=(7.2, 0.9 + 0.27 * len(summary))).add_subplot()
    places = np.arange(len(summary))
    axes.errorbar(
        summary["mean"],
        places,
        xerr=summary["std"],
        fmt="o",
        color="C0",
        label="ours, mean ± standard deviation",
    )
    axes.scatter(summary["published"], places, marker="D", color="C1", s=30, zorder=3, label="published")
    axes.set(yticks=places, yticklabels=summary["dataset"], xlabel="number of clusters", xlim=(0, None))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.invert_yaxis()
    axes.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
    return axes


def plot_k_distance(distances: np.ndarray, position: int | None, eps: float) -> Axes:
    """Draw the sorted distances to the k-th neighbour, and the knee.

    Parameters
    ----------
    distances : ndarray of shape (n_rows,)
        Distance of each row to its k-th neighbour, in ascending order.
    position : int or None
        Index of the knee in `distances`; None if there is no knee.
    eps : float
        Radius that follows from the knee: a distance.
    """
    axes = plt.figure().add_subplot()
    axes.plot(distances, color="C0")
    axes.axhline(eps, color="0.3", linestyle="--", linewidth=1)
    if position is not None:
        axes.scatter([position], [eps], color="C1", zorder=3, s=50)
    place, above = ("axes fraction", "data"), (0, 2)
    axes.annotate(
        f"eps = {eps:.2f}", (0.02, eps), above, place, textcoords="offset points", va="bottom", fontsize="small"
    )
    axes.set(xlabel="rows, by that distance", ylabel="distance to the k-th neighbour")
    return axes


def plot_growth(growth: pd.DataFrame, *, bold: str = "") -> np.ndarray:
    """Draw how time grows with rows and with columns, a line per technique with its name at the end, logarithmic axes.

    Parameters
    ----------
    growth : DataFrame
        With columns ``technique``, ``rows``, ``features``, ``seconds``, ``varied`` (``rows`` or ``features``) and
        ``family``, whose values have a colour each.
    bold : str, default=""
        Technique whose line is drawn bolder than the others.
    """
    figure, axes = plt.subplots(2, 1, figsize=(7.2, 9.2))
    families = list(growth["family"].unique())
    for ax, varied in zip(axes, ("rows", "features"), strict=True):
        part = growth[growth["varied"] == varied]
        ends = {}
        for technique in part["technique"].unique():
            line = part[part["technique"] == technique]
            number = families.index(line["family"].iloc[0])
            first = technique == part.loc[part["family"] == families[number], "technique"].iloc[0]
            label = families[number] if first else None
            drawn = ax.plot(line[varied], line["seconds"], color=f"C{number}", marker="o", markersize=3, label=label)
            if technique == bold:
                drawn[0].set(linewidth=3.0, zorder=3)
            ends[technique] = (line[varied].iloc[-1], line["seconds"].iloc[-1], number)
        ax.set(xscale="log", yscale="log", xlabel={"features": "columns"}.get(varied, varied), ylabel="seconds")
        _name_ends(ax, ends)
        ax.set_xticks(sorted(part[varied].unique())[::2])
        plain_ticks(ax.xaxis)
        plain_ticks(ax.yaxis)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3, fontsize="small")
    return np.asarray(axes)


def _name_ends(ax: Axes, ends: dict[str, tuple[float, float, int]]) -> None:
    """Write names to the right of lines, apart from each other, and join each to the end of its line at the right edge.

    A line that ends early has its name above its end, to the left.
    """
    edge = max(x for x, _, _ in ends.values())
    low, high = np.log10(ax.get_ylim())
    gap, last = 0.045 * (high - low), -np.inf
    height = FontProperties(size="small").get_size_in_points()
    stacks: dict[float, list[float]] = {}  # ends at the same place: their names stand above the highest, in order
    for x, y, _ in sorted(ends.values()):
        stacks.setdefault(x, []).append(y)
    for name, (x, y, number) in sorted(ends.items(), key=lambda end: end[1][1]):
        style: dict[str, Any] = {"color": f"C{number}", "va": "center", "fontsize": "small"}
        if x < edge:
            place = (3, 8 + 1.3 * height * stacks[x].index(y))
            ax.annotate(name, (x, stacks[x][-1]), place, textcoords="offset points", ha="right", **style)
            continue
        last = max(np.log10(y), last + gap)
        leader = {"arrowstyle": "-", "linewidth": 0.6, "color": f"C{number}", "relpos": (0, 0.5), "shrinkA": 1}
        at = ("axes fraction", "data")
        ax.annotate(name, (x, y), (1.03, 10**last), textcoords=at, arrowprops=leader, annotation_clip=False, **style)
