"""Figures of the parameters of clusterings, and of speed."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
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
    axes.axhline(threshold, color="0.3", linestyle="--", linewidth=1)
    axes.annotate(
        "mean + 2 standard deviations",
        (1, threshold),
        xycoords=("axes fraction", "data"),
        ha="right",
        va="bottom",
        fontsize="small",
    )
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
    axes.annotate(f"eps = {eps:.2f}", (0.02, eps), xycoords=("axes fraction", "data"), va="bottom", fontsize="small")
    axes.set(xlabel="rows, by that distance", ylabel="distance to the k-th neighbour")
    return axes


def plot_growth(growth: pd.DataFrame) -> np.ndarray:
    """Draw how time grows with rows and with columns, a line per technique, both axes logarithmic.

    Parameters
    ----------
    growth : DataFrame
        With columns ``technique``, ``rows``, ``features``, ``seconds`` and ``varied`` (``rows`` or ``features``).
    """
    figure, axes = plt.subplots(1, 2, sharey=True, figsize=(7.2, 4.6))
    for ax, varied in zip(axes, ("rows", "features"), strict=True):
        part = growth[growth["varied"] == varied]
        sns.lineplot(part, x=varied, y="seconds", hue="technique", style="technique", markers=True, dashes=False, ax=ax)
        ax.set(xscale="log", yscale="log", xlabel=varied, ylabel="seconds")
        ax.set_xticks(sorted(part[varied].unique())[::2])
        plain_ticks(ax.xaxis)
        plain_ticks(ax.yaxis)
    axes[1].get_legend().remove()
    handles, labels = axes[0].get_legend_handles_labels()
    axes[0].get_legend().remove()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize="small")
    return np.asarray(axes)
