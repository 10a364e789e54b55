"""Figures of the study of complete k-fold cross-validation."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import NullFormatter, NullLocator

from compendium.figures import (
    captioned,
    offer,
    p_text,
    panels,
    plot_effects,
    signed,
    use_style,
)

__all__ = [
    "captioned",
    "offer",
    "p_text",
    "plot_bounds",
    "plot_calibration",
    "plot_chosen_folds",
    "plot_effects",
    "plot_exceedance",
    "plot_looseness",
    "signed",
    "use_style",
]


def _fold_axis(axis: Axes, ks: list[int]) -> None:
    """Put numbers of folds on a logarithmic axis, so that the low end has room."""
    axis.set_xscale("log")
    shown = [k for k in ks if k in (3, 4, 6, 10, 20)] or ks
    axis.set_xticks(shown, [str(k) for k in shown])
    axis.xaxis.set_minor_locator(NullLocator())
    axis.xaxis.set_minor_formatter(NullFormatter())


def plot_bounds(folds: pd.DataFrame, published: pd.DataFrame) -> np.ndarray:
    """Draw bound and test error against the number of folds, a panel per problem, and the published values.

    Parameters
    ----------
    folds : DataFrame
        With columns ``dataset``, ``realization``, ``k``, ``bound`` and ``test_error`` (percent).
    published : DataFrame
        With columns ``dataset``, ``k``, ``bound`` and ``test_error``.
    """
    names = list(folds["dataset"].unique())
    ks = sorted(folds["k"].unique())
    figure, axes = panels(len(names), max_columns=3, height=1.7, sharex=True)
    for ax, name in zip(axes, names, strict=True):
        part = folds[folds["dataset"] == name].groupby("k")[["bound", "test_error"]]
        for column, color, word in (("bound", "C0", "bound"), ("test_error", "C1", "test error")):
            mean, std = part.mean()[column], part.std()[column].fillna(0)
            ax.fill_between(mean.index, mean - std, mean + std, color=color, alpha=0.2, linewidth=0)
            ax.plot(mean.index, mean, "o-", color=color, markersize=3, label=f"{word}, ours")
            shown = published[published["dataset"] == name]
            ax.plot(shown["k"], shown[column], "x", color=color, markersize=7, mew=1.8, label=f"{word}, published")
        ax.set_title(name.rpartition("/")[2], fontsize="small")
        ax.set_ylim(bottom=0)
        ax.tick_params(labelsize="x-small")
        _fold_axis(ax, ks)
    for ax in axes[-3:]:
        ax.tick_params(labelbottom=True)  # the last of each column says which k is where
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=4, fontsize="small")
    figure.supxlabel("number of folds k", fontsize="small")
    figure.supylabel("percent", fontsize="small")
    return axes


def plot_chosen_folds(folds: pd.DataFrame, published: pd.DataFrame) -> Axes:
    """Draw how often each number of folds was chosen, a line per problem, beside the published mean.

    Parameters
    ----------
    folds : DataFrame
        With columns ``dataset``, ``k`` and ``tuned``.
    published : DataFrame
        With columns ``dataset`` and ``k`` (a mean).
    """
    names = list(folds["dataset"].unique())
    ks = sorted(folds["k"].unique())
    axes = plt.figure(figsize=(7.2, 1.0 + 0.3 * len(names))).add_subplot()
    counts = folds[folds["tuned"]].groupby(["dataset", "k"]).size()
    n_realizations = counts.groupby("dataset").sum().max()
    for place, name in enumerate(names):
        part = counts[name]
        axes.scatter(
            part.index, [place] * len(part), s=260 * part / n_realizations, color="C0", alpha=0.75, linewidth=0
        )
        mean = folds.loc[folds["tuned"] & (folds["dataset"] == name), "k"].mean()
        axes.plot([mean], [place], "|", color="black", markersize=13, mew=1.6, label="our mean" if place == 0 else None)
        theirs = published.loc[published["dataset"] == name, "k"]
        axes.plot(theirs, [place] * len(theirs), "x", color="C3", mew=1.8, label="published" if place == 0 else None)
    axes.set(yticks=range(len(names)), ylim=(len(names) - 0.5, -0.5), xlabel="chosen number of folds")
    axes.set_yticklabels([name.rpartition("/")[2] for name in names])
    _fold_axis(axes, ks)
    axes.set_xticks(ks, [str(k) for k in ks])
    axes.set_xlim(0.86 * ks[0], 1.12 * ks[-1])  # the largest dots have room, on a phone too
    axes.figure.legend(loc="outside upper center", ncols=2, fontsize="small")
    return axes


def plot_looseness(kinds: pd.DataFrame) -> Axes:
    """Draw how far each kind of bound is above the test error, against the number of folds.

    Parameters
    ----------
    kinds : DataFrame
        With columns ``kind``, ``k`` and ``looseness``.
    """
    axes = plt.figure(figsize=(7.2, 3.6)).add_subplot()
    for number, (name, part) in enumerate(kinds.groupby("kind", sort=False)):
        marker = "osD^"[number % 4]
        axes.plot(part["k"], part["looseness"], marker=marker, color=f"C{number}", markersize=5, label=name)
    axes.set(xlabel="number of folds k", ylabel="bound minus test error, points", ylim=(0, None))
    _fold_axis(axes, sorted(kinds["k"].unique()))
    axes.legend(fontsize="small")
    return axes


def plot_exceedance(shares: pd.DataFrame, delta: float) -> np.ndarray:
    """Draw how often the true error is above the bound for each number of folds, a panel per problem.

    Problems on which it never is have no panel of their own; a line below names them.

    Parameters
    ----------
    shares : DataFrame
        With columns ``problem``, ``k``, ``draws``, ``share``, ``low`` and ``high`` (percent), of one delta.
    delta : float
        How often the true error may be above the bound, between 0 and 1: drawn as a line.
    """
    highest = shares.groupby("problem", sort=False)["share"].max()
    never = list(highest.index[highest == 0])
    problems = list(highest.index[highest > 0]) or never[:1]
    ks = list(shares["k"].unique())
    figure, axes = panels(len(problems), max_columns=3, height=2.9, sharey=True)
    for ax, problem in zip(axes, problems, strict=True):
        for number, (name, lines) in enumerate(shares[shares["problem"] == problem].groupby("draws", sort=False)):
            part = lines.set_index("k").reindex(ks)
            places = np.arange(len(ks)) + 0.3 * number - 0.15
            spans = [part["share"] - part["low"], part["high"] - part["share"]]
            ax.errorbar(
                places, part["share"], yerr=spans, fmt="os"[number], color=f"C{number}", markersize=4, label=name
            )
        ax.axhline(100 * delta, color="0.3", linestyle="--", linewidth=1, label="allowed")
        ax.set(title=problem, xlabel="number of folds k")
        ax.set_xticks(range(len(ks)), ks, fontsize="small")
    axes[0].set_ylabel("percent of data sets")
    if never:
        figure.supxlabel(f"never above the bound: {', '.join(never)}", fontsize="small")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3, fontsize="small")
    return axes


def plot_calibration(shares: pd.DataFrame) -> Axes:
    """Draw how often the true error is above the bound against how often it may be.

    Parameters
    ----------
    shares : DataFrame
        With columns ``delta``, ``problem``, ``draws`` and ``share`` (percent).
    """
    axes = plt.figure(figsize=(5.6, 4.6)).add_subplot()
    for number, (name, part) in enumerate(shares.groupby("draws", sort=False)):
        for style, (problem, line) in zip(("-", "--", ":"), part.groupby("problem", sort=False), strict=False):
            axes.plot(
                100 * line["delta"],
                line["share"],
                style,
                color=f"C{number}",
                marker="o",
                markersize=4,
                label=f"{name}: {problem}",
            )
    ends = [0, 100 * shares["delta"].max()]
    axes.plot(ends, ends, color="0.4", linewidth=0.8, zorder=0)
    axes.set(xlabel="allowed: delta, percent", ylabel="seen: percent of data sets")
    axes.figure.legend(loc="outside lower center", ncols=2, fontsize="small")
    return axes
