"""Figures of the e-fold study."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from compendium.figures import captioned, draw_boxes, offer, p_text, plot_effects, signed, use_style

__all__ = [
    "captioned",
    "offer",
    "p_text",
    "plot_differences_by_size",
    "plot_effects",
    "plot_frontier",
    "plot_inside",
    "plot_mean_stops",
    "plot_percent",
    "plot_searches",
    "plot_stop_shares",
    "plot_stopping",
    "plot_technique_stops",
    "signed",
    "use_style",
]


def plot_stopping(examples: pd.DataFrame) -> np.ndarray:
    """Draw single runs: the score of each fold, the mean so far, the interval of all folds, and where the rule stops.

    Parameters
    ----------
    examples : DataFrame
        With columns ``title``, ``fold``, ``score``, ``stop``, ``reference`` and ``half``.
    """
    titles = list(examples["title"].unique())
    figure, axes = plt.subplots(1, len(titles), figsize=(7.2, 3.4), squeeze=False)
    for ax, title in zip(axes[0], titles, strict=True):
        part = examples[examples["title"] == title].sort_values("fold")
        stop, reference, half = (part[name].iloc[0] for name in ("stop", "reference", "half"))
        means = part["score"].expanding().mean()
        ax.axhspan(reference - half, reference + half, color="0.9", zorder=0, label="95 % interval of all folds")
        ax.plot(part["fold"], part["score"], "o-", color="C0", markersize=4, label="fold")
        ax.plot(part["fold"], means, "s-", color="C2", markersize=4, label="mean so far")
        ax.axvline(stop, color="C3", linestyle="--", label="stop")
        ax.set_title(title, fontsize="small")
        ax.set(xlabel="fold", xticks=part["fold"])
        ax.tick_params(labelsize="small")
        ax.grid(visible=False, axis="x")
    axes[0, 0].set_ylabel("score")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize="small")
    return np.asarray(axes[0])


def plot_stop_shares(stopped: pd.DataFrame, expected: pd.Series | None = None) -> Axes:
    """Draw how often runs stop after each number of folds.

    Parameters
    ----------
    stopped : DataFrame
        With a column ``stop``.
    expected : Series, default=None
        Percentages to compare with, by number of folds.
    """
    axes = plt.figure(figsize=(7.2, 3.4)).add_subplot()
    shares = stopped["stop"].value_counts(normalize=True).sort_index()
    bars = axes.bar(shares.index, 100 * shares, color="C0", label="runs of the study")
    axes.bar_label(bars, fmt="%.0f", fontsize="small", label_type="center", color="white")
    if expected is not None:
        axes.plot(expected.index, expected, "D", color="C3", markersize=6, label="scores that are noise")
        axes.legend()
    axes.set(xlabel="folds used", ylabel="percent of runs", xticks=shares.index)
    axes.grid(visible=False, axis="x")
    return axes


def plot_mean_stops(table: pd.DataFrame) -> Axes:
    """Draw our mean numbers of folds minus the published ones: a row per data set, a dot per model.

    Parameters
    ----------
    table : DataFrame
        With columns ``dataset``, ``model``, ``difference`` and ``stop_se`` (standard error of our mean). A dot that is
        further from zero than two standard errors of the difference of two such means is coloured and named.
    """
    names = list(table["dataset"].unique())
    axes = plt.figure(figsize=(7.2, 1.0 + 0.26 * len(names))).add_subplot()
    far = table["difference"].abs() > 1.96 * np.sqrt(2) * table["stop_se"]
    places = table["dataset"].map({name: place for place, name in enumerate(names)})
    axes.scatter(table.loc[~far, "difference"], places[~far], s=22, color="0.55", linewidth=0, label="within chance")
    axes.scatter(table.loc[far, "difference"], places[far], s=26, color="C3", linewidth=0, label="beyond it")
    for row, place in zip(table[far].to_dict("records"), places[far], strict=True):
        right = row["difference"] > 0
        axes.annotate(
            row["model"],
            (row["difference"], place),
            (-6 if right else 6, 0),
            textcoords="offset points",
            ha="right" if right else "left",
            va="center",
            fontsize="small",
            color="C3",
        )
    axes.axvline(0, color="0.3", linewidth=0.8, zorder=0)
    axes.set(yticks=range(len(names)), ylim=(len(names) - 0.5, -0.5), xlabel="folds, ours minus published")
    axes.set_yticklabels([name.rpartition("/")[2] for name in names])
    return axes


def plot_inside(shares: pd.DataFrame) -> Axes:
    """Draw how the share of runs inside the interval is spread over pairs of data set and model.

    Parameters
    ----------
    shares : DataFrame
        With columns ``percent_inside`` and ``interval`` (its name, such as the ddof of the standard deviation in it).
    """
    axes = plt.figure(figsize=(7.2, 3.4)).add_subplot()
    low = np.floor(shares["percent_inside"].min()) - 0.5
    sns.histplot(
        shares, x="percent_inside", hue="interval", bins=np.arange(low, 101), multiple="dodge", shrink=0.8, ax=axes
    )
    axes.set(xlabel="percent of the runs inside the 95 % interval", ylabel="pairs of data set and model")
    axes.xaxis.set_major_locator(MaxNLocator(8, steps=[1, 2, 5, 10], integer=True))
    sns.move_legend(axes, "lower center", bbox_to_anchor=(0.5, 1), ncols=2, title=None, frameon=False, fontsize="small")
    return axes


def plot_percent(stopped: pd.DataFrame) -> np.ndarray:
    """Draw the difference from the mean of all folds, in percent, a panel per task and a box per data set.

    Parameters
    ----------
    stopped : DataFrame
        With columns ``task``, ``dataset`` and ``percent``.
    """
    tasks = list(stopped["task"].unique())
    counts = [stopped.loc[stopped["task"] == task, "dataset"].nunique() for task in tasks]
    _, axes = plt.subplots(
        len(tasks),
        1,
        figsize=(7.2, 0.9 * len(tasks) + 0.3 * sum(counts)),
        squeeze=False,
        sharex=True,
        height_ratios=counts,
    )
    for ax, task in zip(axes[:, 0], tasks, strict=True):
        part = stopped[stopped["task"] == task]
        part = part.assign(dataset=part["dataset"].str.split("/").str[-1])
        draw_boxes(ax, part, "percent", "dataset", list(part["dataset"].unique()))
        ax.set_title(task)
    axes[-1, 0].set_xlabel("difference from the mean of all folds, in percent")
    return np.asarray(axes[:, 0])


def plot_frontier(settings: pd.DataFrame, fixed: pd.DataFrame) -> Axes:
    """Draw what settings of the rule cost and how near they come to all folds, beside fixed numbers of folds.

    Parameters
    ----------
    settings : DataFrame
        With columns ``patience``, ``tolerance``, ``stop`` (folds used on average) and ``percent`` (mean difference).
    fixed : DataFrame
        With columns ``folds`` and ``percent``.
    """
    axes = plt.figure(figsize=(7.2, 4.0)).add_subplot()
    axes.plot(fixed["folds"], fixed["percent"], "o-", color="0.35", markersize=5, label="fixed number of folds")
    for number, (patience, part) in enumerate(settings.groupby("patience")):
        axes.plot(part["stop"], part["percent"], "sD^v"[number % 4], color=f"C{number}", markersize=6)
        axes.annotate(
            f"patience {patience}",
            (part["stop"].max(), part["percent"].min()),
            (8, 6),
            textcoords="offset points",
            color=f"C{number}",
            fontsize="small",
        )
    axes.set(xlabel="folds used on average", ylabel="difference from all folds, percent", ylim=(0, None))
    axes.legend(fontsize="small")
    return axes


def plot_differences_by_size(table: pd.DataFrame) -> Axes:
    """Draw how far early stops are from ten folds: a row per data set, in the order given, a colour per task.

    Parameters
    ----------
    table : DataFrame
        With columns ``dataset``, ``task``, ``rows`` and ``percent``.
    """
    axes = plt.figure(figsize=(7.2, 1.0 + 0.26 * len(table))).add_subplot()
    places = pd.Series(range(len(table)), index=table.index)
    for number, (task, part) in enumerate(table.groupby("task", sort=False)):
        marker = "osD"[number % 3]
        axes.plot(part["percent"], places[part.index], marker, color=f"C{number}", markersize=7, label=task)
    axes.hlines(places, 0, table["percent"], color="0.75", linewidth=1, zorder=0)
    axes.set(yticks=places, ylim=(len(table) - 0.5, -0.5), xlim=(0, None), xlabel="difference in percent")
    axes.set_yticklabels(table["dataset"].str.split("/").str[-1] + ", " + table["rows"].map("{} rows".format))
    axes.figure.legend(loc="outside upper center", ncols=3, fontsize="small")
    return axes


def plot_technique_stops(table: pd.DataFrame, expected: float) -> Axes:
    """Draw the mean number of folds on the folds of each technique: a point per data set, a bar for their mean.

    Parameters
    ----------
    table : DataFrame
        With columns ``technique``, ``dataset`` and ``folds``.
    expected : float
        The mean number of folds to compare with, as a line.
    """
    axes = plt.figure(figsize=(7.2, 3.4)).add_subplot()
    means = table.groupby(["technique", "dataset"], sort=False)["folds"].mean().unstack()
    places = np.arange(len(means))
    for number, name in enumerate(means):
        label = str(name).rpartition("/")[2]
        beside = places + 0.16 * (number - (means.shape[1] - 1) / 2)  # points that meet stay apart
        axes.plot(means[name], beside, "osD^vP*X"[number % 8], color=f"C{number}", markersize=6, label=label)
    axes.plot(means.mean(axis=1), places, "|", color="0.1", markersize=22, markeredgewidth=2, label="mean")
    axes.axvline(expected, color="0.4", linestyle="--", linewidth=1, zorder=0, label="noise")
    axes.set(yticks=places, yticklabels=means.index, ylim=(len(means) - 0.5, -0.5), xlabel="folds used on average")
    legend = axes.figure.legend(loc="outside lower center", ncols=3, fontsize="small")
    for handle in legend.legend_handles:
        if isinstance(handle, Line2D):
            handle.set_markersize(min(handle.get_markersize(), 10))  # the bar stays within its line
    return axes


def plot_searches(table: pd.DataFrame) -> np.ndarray:
    """Draw what searches cost and what they give up: a row per data set, a point per search, with 95 % intervals.

    Parameters
    ----------
    table : DataFrame
        With columns ``dataset``, ``search``, ``fits`` (percent), ``loss`` (points) and ``loss_se`` (standard error of
        the loss).
    """
    sets, searches = list(table["dataset"].unique()), list(table["search"].unique())
    figure, axes = plt.subplots(1, 2, figsize=(7.2, 1.2 + 0.5 * len(sets)), sharey=True, width_ratios=(2, 3))
    for number, search in enumerate(searches):
        part = table[table["search"] == search].set_index("dataset").reindex(sets)
        places = np.arange(len(sets)) + 0.16 * (number - (len(searches) - 1) / 2)
        colour = ("C0", "C1", "C2", "C4")[number % 4]  # C1 and C3 look alike in dark mode
        style = {"fmt": "osD^v"[number % 5], "color": colour, "markersize": 4, "linewidth": 1}
        axes[0].errorbar(part["fits"], places, **style)
        axes[1].errorbar(part["loss"], places, xerr=1.96 * part["loss_se"], label=search, **style)
    axes[0].set(yticks=np.arange(len(sets)), ylim=(len(sets) - 0.5, -0.5), xlabel="fits, percent")
    axes[0].set_yticklabels([name.rpartition("/")[2] for name in sets])
    axes[1].axvline(0, color="0.3", linewidth=0.8, zorder=0)
    axes[1].set_xlabel("loss, points")
    figure.legend(loc="outside lower center", ncols=len(searches), fontsize="small")
    return np.asarray(axes)
