"""Figures of the e-fold study."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes

from cvstrat.plots._boxes import draw_boxes


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
        ax.set(title=title, xlabel="folds", xticks=part["fold"])
    axes[0, 0].set_ylabel("score")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize="small")
    return np.asarray(axes[0])


def plot_stop_shares(stopped: pd.DataFrame) -> Axes:
    """Draw how often runs stop after each number of folds.

    Parameters
    ----------
    stopped : DataFrame
        With a column ``stop``.
    """
    axes = plt.figure(figsize=(7.2, 3.4)).add_subplot()
    shares = stopped["stop"].value_counts(normalize=True).sort_index()
    bars = axes.bar(shares.index, 100 * shares, color="C0")
    axes.bar_label(bars, fmt="%.0f", fontsize="small")
    axes.set(xlabel="folds used", ylabel="percent of runs", xticks=shares.index)
    return axes


def plot_mean_stops(table: pd.DataFrame) -> Axes:
    """Draw our mean numbers of folds against the published ones, with standard errors.

    Parameters
    ----------
    table : DataFrame
        With columns ``published``, ``ours``, ``error`` and ``model``.
    """
    axes = plt.figure(figsize=(6.2, 5.2)).add_subplot()
    for number, (model, part) in enumerate(table.groupby("model", sort=False)):
        axes.errorbar(
            part["published"],
            part["ours"],
            yerr=1.96 * part["error"],
            fmt="o",
            color=f"C{number}",
            markersize=4,
            label=model,
        )
    ends = [table[["published", "ours"]].min().min() - 0.2, table[["published", "ours"]].max().max() + 0.2]
    axes.plot(ends, ends, color="0.4", linewidth=0.8, zorder=0)
    axes.set(xlabel="published mean number of folds", ylabel="ours, with 95 % interval", xlim=ends, ylim=ends)
    axes.legend(fontsize="small")
    return axes


def plot_inside(shares: pd.DataFrame) -> Axes:
    """Draw how the share of runs inside the interval is spread over pairs of data set and model.

    Parameters
    ----------
    shares : DataFrame
        With columns ``percent inside`` and ``interval`` (which deviation it is made with).
    """
    axes = plt.figure(figsize=(7.2, 3.4)).add_subplot()
    low = np.floor(shares["percent inside"].min())
    sns.histplot(
        shares, x="percent inside", hue="interval", bins=np.arange(low, 101.5), multiple="dodge", shrink=0.8, ax=axes
    )
    axes.set(xlabel="percent of the runs inside the 95 % interval", ylabel="pairs of data set and model")
    return axes


def plot_percent(stopped: pd.DataFrame) -> np.ndarray:
    """Draw the difference to the mean of all folds, in percent, a panel per task and a box per data set.

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
        draw_boxes(ax, part, "percent", "dataset", list(part["dataset"].unique()))
        ax.set_title(task)
    axes[-1, 0].set_xlabel("difference to the mean of all folds, in percent")
    return np.asarray(axes[:, 0])


def plot_sensitivity(table: pd.DataFrame, value: str, label: str) -> np.ndarray:
    """Draw a measure for each patience and tolerance, a panel per deviation and greatest number of folds.

    Parameters
    ----------
    table : DataFrame
        With columns ``patience``, ``tolerance``, ``ddof``, ``max_folds`` and the measure.
    value, label : str
        The measure, and what to call it.
    """
    most = sorted(table["max_folds"].unique())
    ddofs = sorted(table["ddof"].unique())
    figure, axes = plt.subplots(len(ddofs), len(most), figsize=(7.2, 2.4 * len(ddofs)), sharey=True, squeeze=False)
    limits = {"vmin": table[value].min(), "vmax": table[value].max()}
    for row, ddof in zip(axes, ddofs, strict=True):
        for ax, folds in zip(row, most, strict=True):
            part = table[(table["ddof"] == ddof) & (table["max_folds"] == folds)]
            wide = part.pivot(index="patience", columns="tolerance", values=value)
            sns.heatmap(wide, annot=True, fmt=".1f", cbar=False, cmap="viridis", annot_kws={"size": 7}, ax=ax, **limits)
            ax.set(title=f"at most {folds} folds, ddof {ddof}", xlabel="tolerance", ylabel="patience")
    figure.suptitle(label, fontsize="medium")
    return np.asarray(axes).ravel()
