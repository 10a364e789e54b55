"""Figures of the cluster-based study: boxes, ranks, effects, times."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.ticker import LogLocator, MaxNLocator

from compendium.figures import (
    captioned,
    draw_boxes,
    offer,
    p_text,
    panels,
    plain_ticks,
    plot_effects,
    short,
    signed,
    use_style,
)

__all__ = [
    "captioned",
    "offer",
    "p_text",
    "plot_batches",
    "plot_boxes",
    "plot_class_shares",
    "plot_effects",
    "plot_linkages",
    "plot_noise",
    "plot_ranks",
    "plot_reference_folds",
    "plot_signs",
    "plot_times",
    "signed",
    "use_style",
]


def plot_boxes(
    bias: pd.DataFrame, measure: str, techniques: list[str], *, label: str = "", hue: str = "version"
) -> np.ndarray:
    """Draw a measure as boxes over pairs of data set and model, a panel per kind of data and number of folds.

    Parameters
    ----------
    bias : DataFrame
        With columns ``balance``, ``n_splits``, ``technique``, the measure and `hue`.
    measure : str
        Column to draw, such as ``bias`` or ``std``.
    techniques : list of str
        The techniques to draw, in this order.
    label : str, default=""
        The measure in words, for the axis; empty means the name of the column.
    hue : str, default="version"
        Column whose values have a colour each.
    """
    kinds = [kind for kind in ("balanced", "imbalanced") if (bias["balance"] == kind).any()]
    folds = sorted(bias["n_splits"].unique())
    height = 0.55 + 0.3 * len(techniques)
    figure, axes = plt.subplots(
        len(kinds), len(folds), figsize=(7.2, 0.6 + height * len(kinds)), sharex="row", sharey=True, squeeze=False
    )
    hues = list(bias[hue].unique())
    for row, kind in zip(axes, kinds, strict=True):
        for ax, n_splits in zip(row, folds, strict=True):
            part = bias[(bias["balance"] == kind) & (bias["n_splits"] == n_splits)]
            draw_boxes(ax, part, measure, "technique", techniques, hue=hue, hues=hues)
            ax.axvline(0, color="0.3", linewidth=0.8, zorder=0)
            ax.set(title=f"{kind} sets, {n_splits} folds", xlabel=label or measure)
    if len(hues) > 1:
        handles = [Patch(facecolor=f"C{number}", edgecolor="0.2", label=name) for number, name in enumerate(hues)]
        figure.legend(handles=handles, loc="outside lower center", ncols=len(hues), fontsize="small")
    return np.asarray(axes).ravel()


def plot_ranks(ranks: pd.Series, difference: float, groups: list[list[str]]) -> Axes:
    """Draw a critical-difference diagram: mean ranks on a line, bars over those that cannot be told apart.

    Parameters
    ----------
    ranks : Series
        Mean rank of each technique; 1 is best.
    difference : float
        The critical difference of mean ranks.
    groups : list of list of str
        Groups of techniques whose mean ranks differ by less than that.
    """
    ranks = ranks.sort_values()
    half = (len(ranks) + 1) // 2
    axes = plt.figure(figsize=(7.2, 1.3 + 0.13 * len(groups) + 0.24 * half)).add_subplot()
    low, high = np.floor(ranks.min()), np.ceil(ranks.max())
    top = 0.6 + 0.35 * len(groups)
    axes.hlines(top, low, high, color="0.2", linewidth=1)
    axes.vlines(np.arange(low, high + 1), top, top + 0.15, color="0.2", linewidth=1)
    for tick in np.arange(low, high + 1):
        axes.text(tick, top + 0.2, f"{tick:.0f}", ha="center", va="bottom", fontsize="small")
    axes.errorbar([low + difference / 2], [top + 1.1], xerr=difference / 2, color="C3", capsize=3, linewidth=1.5)
    axes.text(low + difference + 0.05, top + 1.1, f"CD = {difference:.2f}", va="center", fontsize="small", color="C3")
    for place, (name, rank) in enumerate(ranks.items()):
        left = place < half
        y = -0.55 * (place if left else len(ranks) - 1 - place)
        edge, side = (low - 0.02, "right") if left else (high + 0.02, "left")
        axes.plot([rank, rank, edge], [top, y, y], color="0.5", linewidth=0.8)
        label = f"{name}  {rank:.2f}" if left else f"{rank:.2f}  {name}"
        axes.text(edge, y, label, ha=side, va="center", fontsize="small")
    for number, group in enumerate(groups):
        axes.hlines(
            top - 0.25 - 0.35 * number, ranks[group].min() - 0.03, ranks[group].max() + 0.03, color="C0", linewidth=3
        )
    margin = 0.45 * max(high - low, 1)
    axes.set(xlim=(low - margin, high + margin), ylim=(-0.55 * half - 0.1, top + 1.6))
    axes.axis("off")
    return axes


def plot_times(times: pd.DataFrame, techniques: list[str], *, reference: str) -> np.ndarray:
    """Draw what cutting takes, and what a whole cross-validation takes over that of the reference, as boxes over sets.

    Parameters
    ----------
    times : DataFrame
        With columns ``technique``, ``split`` (seconds) and ``ratio``.
    techniques : list of str
        The techniques to draw, in this order.
    reference : str
        The technique whose whole run counts as one.
    """
    size = (7.2, 0.9 + 0.28 * len(techniques))
    _, axes = plt.subplots(1, 2, figsize=size, sharey=True, gridspec_kw={"wspace": 0.06})
    shown = times.assign(milliseconds=1000 * times["split"])
    labels = ("milliseconds to cut into folds", f"whole run, {reference} = 1")
    for ax, column, label in zip(axes, ("milliseconds", "ratio"), labels, strict=True):
        draw_boxes(ax, shown, column, "technique", techniques)
        ax.set_xlabel(label)
    axes[0].set_xscale("log")
    low, high = axes[0].get_xlim()
    axes[0].xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 100 * low else (1,)))
    plain_ticks(axes[0].xaxis)
    axes[1].xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))  # with a tick at 1, the reference
    return np.asarray(axes)


def plot_reference_folds(measured: pd.DataFrame) -> np.ndarray:
    """Draw how far folds are from stratified, as the published code used them and mapped back.

    Parameters
    ----------
    measured : DataFrame
        A row per ``technique``, ``n_splits`` (a panel each), ``use`` and data set, with ``ratio``: variance of class
        shares over that of random folds. From :func:`compendium.spezia2025.tables.reference_folds`.
    """
    names, uses = list(measured["technique"].unique()), list(measured["use"].unique())
    folds = sorted(measured["n_splits"].unique())
    figure, axes = panels(len(folds), height=0.6 + 0.34 * len(names), margin=0.7, sharex=True, sharey=True)
    for ax, n_splits in zip(axes, folds, strict=True):
        for number, use in enumerate(uses):
            part = measured[(measured["n_splits"] == n_splits) & (measured["use"] == use)]
            places = part["technique"].map(names.index) + (number - (len(uses) - 1) / 2) * 0.26
            ax.scatter(part["ratio"], places, s=9, color=f"C{number}", alpha=0.55, linewidth=0)
            means = part.groupby("technique")["ratio"].mean().reindex(names).dropna()
            at = [names.index(name) + (number - (len(uses) - 1) / 2) * 0.26 for name in means.index]
            ax.scatter(means, at, s=42, color=f"C{number}", marker="D", edgecolor="white", linewidth=0.6, label=use)
        for x in (0, 1):
            ax.axvline(x, color="0.3", linewidth=0.8, zorder=0)
        ax.set(yticks=range(len(names)), yticklabels=names, ylim=(len(names) - 0.5, -0.5), title=f"{n_splits} folds")
    words = "variance of class shares: 0 = stratified, 1 = random"
    figure.supxlabel(words.replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}"), fontsize="medium")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=len(uses), fontsize="small")
    return axes


def plot_signs(gaps: pd.DataFrame, *, label: str) -> np.ndarray:
    """Draw the difference on every data set as a bar, sorted, a panel per ``n_splits``.

    Parameters
    ----------
    gaps : DataFrame
        With columns ``dataset``, ``n_splits``, ``balance`` and ``difference``.
    label : str
        What differs from what, for the axis.
    """
    folds = sorted(gaps["n_splits"].unique())
    order = gaps.groupby("dataset")["difference"].mean().sort_values().index
    figure, axes = panels(len(folds), height=0.5 + 0.22 * len(order), margin=0.6, sharey=True)
    for ax, n_splits in zip(axes, folds, strict=True):
        part = gaps[gaps["n_splits"] == n_splits].set_index("dataset").reindex(order)
        for number, kind in enumerate(("balanced", "imbalanced")):
            bars = np.where(part["balance"] == kind, part["difference"], np.nan)
            ax.barh(range(len(order)), bars, color=f"C{number}", label=f"{kind} set")
        ax.axvline(0, color="0.3", linewidth=0.8)
        ax.set(yticks=range(len(order)), yticklabels=[name.rpartition("/")[2] for name in order])
        ax.set_title(f"{n_splits} folds")
        ax.tick_params(axis="y", labelsize="small")
    figure.supxlabel(label, fontsize="medium")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2, fontsize="small")
    return axes


def plot_class_shares(shares: pd.DataFrame) -> Axes:
    """Draw how far the shares of classes in single folds are from those in the whole set, a box per kind of folds.

    Parameters
    ----------
    shares : DataFrame
        With columns ``folds`` (their kind) and ``difference`` (share in the fold minus share in the set).
    """
    kinds = list(shares["folds"].unique())
    axes = plt.figure(figsize=(7.2, 0.8 + 0.5 * len(kinds))).add_subplot()
    draw_boxes(axes, shares, "difference", "folds", kinds)
    axes.axvline(0, color="0.3", linewidth=0.8, zorder=0)
    axes.set(xlabel="share of a class in a fold, minus its share in the set")
    return axes


def plot_noise(bias: pd.DataFrame) -> Axes:
    """Draw how many biases are smaller than so many of their standard errors, a line per number of folds and kind.

    Parameters
    ----------
    bias : DataFrame
        With columns ``abs_bias``, ``bias_se``, ``n_splits`` and ``balance``.
    """
    axes = plt.figure(figsize=(7.2, 3.8)).add_subplot()
    sizes = (bias["abs_bias"] / bias["bias_se"]).groupby([bias["n_splits"], bias["balance"]])
    colours = {n_splits: f"C{number}" for number, n_splits in enumerate(sorted(bias["n_splits"].unique()))}
    for (n_splits, kind), part in sizes:
        smaller = 100 * np.arange(1, len(part) + 1) / len(part)
        line, named = "-" if kind == "balanced" else "--", f"{n_splits} folds, {kind}"
        axes.step(np.sort(part), smaller, line, where="post", color=colours[n_splits], label=named)
    axes.axvspan(0, 1.96, color="0.9", zorder=0)
    axes.set(xscale="log", xlim=(0.1, None), ylim=(0, 100), ylabel="smaller biases, percent")
    axes.set_xlabel("absolute bias, in its standard errors")
    plain_ticks(axes.xaxis)
    axes.legend(title="", loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2, fontsize="small")
    return axes


def plot_batches(batches: pd.DataFrame, *, margin: float) -> np.ndarray:
    """Draw the time of a cut against rows, a line per batch size and a panel per shape; filled points pay.

    Parameters
    ----------
    batches : DataFrame
        From :func:`compendium.spezia2025.tables.batch_table`.
    margin : float
        The ratio of times up to which a cut counts as faster.
    """
    shapes, sizes = list(batches["shape"].unique()), sorted(batches["rows"].unique())
    figure, axes = panels(len(shapes), height=3.2, sharex=True, sharey=True)
    for ax, shape in zip(axes, shapes, strict=True):
        for number, (size, line) in enumerate(batches[batches["shape"] == shape].groupby("batch_size")):
            ax.plot(line["rows"], line["cut"], color=f"C{number}", linewidth=1.2, label=f"{size}")
            for pays, one in line.groupby("pays"):
                face = f"C{number}" if pays else "white"
                ax.scatter(one["rows"], one["cut"], s=26, facecolor=face, edgecolor=f"C{number}", zorder=3)
        ax.axhline(1, color="0.3", linewidth=0.8)
        ax.axhline(margin, color="0.3", linewidth=0.8, linestyle="--")
        ax.set(xscale="log", yscale="log", title=shape, xlabel="rows", yticks=[0.25, 0.5, 1, 2, 4, 8, 16])
        plain_ticks(ax.yaxis)
        plain_ticks(ax.xaxis)
        ax.set_xticks(sizes, [short(int(size)) for size in sizes])
    axes[0].set_ylabel("time of a cut, K-means = 1")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, title="batch size", loc="outside upper center", ncols=len(labels), fontsize="small")
    return axes


def plot_linkages(linkages: pd.DataFrame) -> np.ndarray:
    """Draw the number of clusters, with its range over data sets, and the balance ratio of the folds, by linkage.

    Parameters
    ----------
    linkages : DataFrame
        From :func:`compendium.spezia2025.tables.linkage_table`.
    """
    rules, methods = list(linkages["rule"].unique()), list(linkages["linkage"].unique())
    folds = sorted(linkages["n_splits"].unique())
    figure, axes = panels(1 + len(folds), max_columns=3, height=0.5 + 0.5 * len(rules), margin=0.7, sharey=True)
    for number, method in enumerate(methods):
        part = linkages[linkages["linkage"] == method]
        shift = (number - (len(methods) - 1) / 2) * 0.18
        first = part[part["n_splits"] == folds[0]]
        places = first["rule"].map(rules.index) + shift
        axes[0].hlines(places, first["fewest"], first["most"], color=f"C{number}", linewidth=1)
        axes[0].scatter(first["n_clusters"], places, s=18, color=f"C{number}", label=method)
        for ax, n_splits in zip(axes[1:], folds, strict=True):
            one = part[part["n_splits"] == n_splits]
            ax.scatter(one["ratio"], one["rule"].map(rules.index) + shift, s=18, color=f"C{number}")
            ax.set(xlabel="balance ratio", title=f"{n_splits} folds")
    axes[0].set(yticks=range(len(rules)), yticklabels=rules, ylim=(len(rules) - 0.5, -0.5), xlabel="clusters")
    axes[0].set(xscale="log", xticks=[1, 3, 10, 30, 100])
    plain_ticks(axes[0].xaxis)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=4, fontsize="small")
    return axes
