"""Figures of the study of 2000: how its methods order rows, learning curves, estimates, gains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MaxNLocator

from compendium.figures import (
    captioned,
    offer,
    p_text,
    panels,
    plain_ticks,
    plot_cluster_counts,
    plot_effects,
    signed,
    technique_style,
    use_style,
)

__all__ = [
    "captioned",
    "offer",
    "p_text",
    "plot_bias_and_std",
    "plot_cluster_counts",
    "plot_effects",
    "plot_estimates",
    "plot_gains",
    "plot_learning_curves",
    "plot_orders",
    "signed",
    "use_style",
    "with_interval",
]

_LINES: tuple[Any, ...] = ("-", "--", ":", "-.")
_SIZES = (20, 200, 2000)  # far enough apart for the narrowest panel; beyond 10 000 rows only every other one is
_LEARNERS = ("Decision tree", "Naive Bayes", "C4.5")  # each has its colour in all figures
_COLUMNS = 2
_MARKERS = ("o", "s", "^", "D", "P", "X", "v")


def with_interval(row: Mapping[str, Any], least: float = -np.inf, most: float = np.inf, unit: str = "") -> str:
    """Return a difference with its interval, such as ``+0.65 points (−0.40 to +5.73)``.

    Parameters
    ----------
    row : mapping
        With ``difference``, ``low`` and ``high``.
    least, most : float
        What the difference can be at all. An end beyond is no limit and is left out: ``+1.52 (−1.22 or more)``.
    unit : str
        Written after the difference.
    """
    low, high = signed(row["low"]), signed(row["high"])
    ends = {(True, True): f"{low} to {high}", (True, False): f"{low} or more", (False, True): f"{high} or less"}
    limits = ends.get((row["low"] > least, row["high"] < most), "no useful limits")
    return f"{signed(row['difference'])}{unit} ({limits})"


def plot_orders(orders: pd.DataFrame) -> np.ndarray:
    """Draw how rows are ordered and dealt: on the left rows and centres, on the right distances in that order.

    Parameters
    ----------
    orders : DataFrame
        With columns ``technique``, ``x1``, ``x2``, ``cluster``, ``center1``, ``center2``, ``distance``, ``place`` and
        ``fold``.
    """
    techniques = list(orders["technique"].unique())
    _, axes = plt.subplots(
        len(techniques), 2, figsize=(7.2, 3.1 * len(techniques)), squeeze=False, width_ratios=[1, 1.35]
    )
    for (plane, line), technique in zip(axes, techniques, strict=True):
        part = orders[orders["technique"] == technique].sort_values("place")
        colours = [f"C{fold}" for fold in part["fold"]]
        plane.scatter(part["x1"], part["x2"], c=colours, s=22, linewidths=0)
        line.bar(part["place"], part["distance"], color=colours, width=0.8)
        for number, rows in part.groupby("cluster"):
            _draw_center(plane, rows, int(str(number)) + 1)
            if rows["place"].min() > 0:
                line.axvline(rows["place"].min() - 0.5, color="0.3", linestyle="--", linewidth=1)
        plane.set(title=f"{technique}: rows and centres", xticks=[], yticks=[], aspect="equal")
        line.set(title=f"{technique}: the order, dealt", xlabel="place in the order", ylabel="distance to the centre")
        line.grid(visible=False, axis="x")
    return np.asarray(axes).ravel()


def _draw_center(ax: Axes, rows: pd.DataFrame, number: int) -> None:
    center = rows["center1"].iloc[0], rows["center2"].iloc[0]
    for share in (1 / 3, 2 / 3, 1):
        ax.add_patch(Circle(center, share * rows["distance"].max(), fill=False, color="0.6", linewidth=0.7))
    ax.scatter(*center, marker="X", s=90, color="0.1", edgecolor="white", zorder=3)
    around = withStroke(linewidth=2.5, foreground="white")  # so that the number is legible amid points
    corner = center[0] + 0.71 * rows["distance"].max(), center[1] + 0.71 * rows["distance"].max()  # on the widest ring
    text = ax.annotate(str(number), corner, xytext=(1, 1), textcoords="offset points", weight="bold", fontsize="small")
    text.set(path_effects=[around], zorder=4)


def _set_panels(sets: Sequence[str], height: float) -> tuple[Figure, np.ndarray]:
    """Return a panel per data set, with its name; the first of each row says what all axes show."""
    figure, axes = panels(len(sets), max_columns=_COLUMNS, height=height)
    for ax, name in zip(axes, sets, strict=True):
        ax.set_title(name.rpartition("/")[2])
        ax.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    for ax in axes[::_COLUMNS]:
        ax.set_ylabel("percent right")
    return figure, axes


def plot_learning_curves(curves: pd.DataFrame, printed: pd.DataFrame | None = None) -> np.ndarray:
    """Draw learning curves, a panel per data set and a line per learner; a circle marks the size of the samples.

    Parameters
    ----------
    curves : DataFrame
        With columns ``dataset``, ``learner``, ``size``, ``accuracy``, ``low``, ``high`` and ``sampled``.
    printed : DataFrame, optional
        Published points of the last data set's curve, with columns ``size`` and ``published``: drawn as diamonds.
    """
    sets = list(curves["dataset"].unique())
    figure, axes = _set_panels(sets, 2.3)
    here = set(curves["learner"])
    learners = {i: name for i, name in enumerate([*_LEARNERS, *sorted(here - {*_LEARNERS})]) if name in here}
    for ax, name in zip(axes, sets, strict=True):
        for number, learner in learners.items():
            part = curves[(curves["dataset"] == name) & (curves["learner"] == learner)].sort_values("size")
            ax.plot(part["size"], part["accuracy"], _LINES[number], color=f"C{number}", label=learner)
            ax.fill_between(part["size"], part["low"], part["high"], color=f"C{number}", alpha=0.2, linewidth=0)
            mark = part[part["sampled"]]
            ax.plot(mark["size"], mark["accuracy"], "o", markerfacecolor="white", markeredgecolor=f"C{number}")
        ax.set_xscale("log")
        low, high = curves.loc[curves["dataset"] == name, "size"].agg(["min", "max"])
        sizes = [size for size in _SIZES if low <= size <= high]
        ax.set_xticks(sizes[:: 2 if high > 10_000 else 1])
        plain_ticks(ax.xaxis)
    figure.supxlabel("rows learned from (logarithmic)", fontsize="medium")
    handles = [Line2D([], [], color=f"C{i}", linestyle=_LINES[i], label=name) for i, name in learners.items()]
    if printed is not None and len(printed):
        handles += axes[-1].plot(
            printed["size"], printed["published"], "D", color="0.2", markersize=4, label="published"
        )
    figure.legend(handles=handles, loc="outside upper center", ncols=len(handles), fontsize="small")
    return axes


def plot_estimates(estimates: pd.DataFrame, techniques: Sequence[str], printed: pd.DataFrame) -> np.ndarray:
    """Draw a panel per data set: the mean estimate of each technique against the number of folds, and the truth.

    Parameters
    ----------
    estimates : DataFrame
        Estimates of one learner, with columns ``dataset``, ``technique``, ``n_splits``, ``accuracy`` and ``truth``.
    techniques : sequence of str
        Techniques to draw, in this order.
    printed : DataFrame
        Published values, with the same columns but for the truth; may be empty. Drawn as open markers.
    """
    sets = list(estimates["dataset"].unique())
    folds = sorted(estimates["n_splits"].unique())
    figure, axes = _set_panels(sets, 2.3)
    for ax, name in zip(axes, sets, strict=True):
        part = estimates[estimates["dataset"] == name]
        ax.axhline(part["truth"].iloc[0], color="0.3", linestyle="--", linewidth=1)
        for number, technique in enumerate(techniques):
            shift = 0.09 * (number - (len(techniques) - 1) / 2)
            style = technique_style(technique)
            for rows, face in ((part, style["color"]), (printed[printed["dataset"] == name], "none")):
                line = rows[rows["technique"] == technique].set_index("n_splits")["accuracy"].reindex(folds)
                ax.plot(
                    np.arange(len(folds)) + shift,
                    line,
                    **style | ({"linestyle": "none"} if face == "none" else {}),
                    markerfacecolor=face,
                    markersize=4.5,
                    linewidth=1,
                )
        ax.set(xticks=np.arange(len(folds)), xticklabels=folds)
    handles = [Line2D([], [], markersize=4.5, label=name, **technique_style(name)) for name in techniques]
    handles.append(Line2D([], [], color="0.3", linestyle="--", label="truth"))
    if len(printed):
        handles.append(Line2D([], [], color="0.3", marker="o", markerfacecolor="none", linestyle="", label="published"))
    figure.supxlabel("number of folds", fontsize="medium")
    figure.legend(handles=handles, loc="outside upper center", ncols=min(4, len(handles)), fontsize="small")
    return axes


def plot_bias_and_std(estimates: pd.DataFrame, techniques: Sequence[str], measures: dict[str, str]) -> np.ndarray:
    """Draw a panel per measure: its mean over data sets and learners for each technique and number of folds.

    Parameters
    ----------
    estimates : DataFrame
        With columns ``technique``, ``n_splits`` (0 for ways without folds) and the measures.
    techniques : sequence of str
        Techniques to draw, in this order.
    measures : dict of str to str
        Columns of `estimates` to draw, and the label of each on its axis.
    """
    folds = sorted(estimates["n_splits"].unique())
    means = estimates.groupby(["technique", "n_splits"])[list(measures)].mean()
    figure, axes = plt.subplots(
        1, len(measures), figsize=(7.2, 1.3 + 0.3 * len(techniques)), sharey=True, squeeze=False
    )
    for ax, (measure, label) in zip(axes[0], measures.items(), strict=True):
        for number, n_splits in enumerate(folds):
            values = means[measure].unstack("n_splits")[n_splits].reindex(list(techniques))
            places = np.arange(len(techniques)) + 0.12 * (number - (len(folds) - 1) / 2)
            ax.plot(values, places, _MARKERS[number], color=f"C{number}", markersize=5)
        ax.axvline(0, color="0.3", linewidth=0.8, zorder=0)
        ax.set(xlabel=label, yticks=np.arange(len(techniques)), yticklabels=techniques)
        ax.set_ylim(len(techniques) - 0.5, -0.5)
        ax.margins(x=0.2)  # room for ticks beside those of the next panel
        ax.xaxis.set_major_locator(MaxNLocator(3, steps=[1, 2, 5, 10]))
    handles = [
        Line2D([], [], color=f"C{i}", marker=_MARKERS[i], linestyle="", label=f"{k} folds" if k else "no folds")
        for i, k in enumerate(folds)
    ]
    if len(handles) > 1:
        figure.legend(handles=handles, loc="outside upper center", ncols=len(handles), fontsize="small")
    return np.asarray(axes[0])


def plot_gains(gains: pd.DataFrame) -> np.ndarray:
    """Draw a panel per source: what a technique gains on each data set, with intervals, a colour per number of folds.

    Parameters
    ----------
    gains : DataFrame
        With columns ``source``, ``dataset``, ``n_splits``, ``gain``, ``joint_low`` and ``joint_high``.
    """
    sources, sets = list(gains["source"].unique()), list(gains["dataset"].unique())
    folds = sorted(gains["n_splits"].unique())
    figure, axes = panels(len(sources), height=0.7 + 0.42 * len(sets), sharex=True, sharey=True)
    for ax, source in zip(axes, sources, strict=True):
        for number, n_splits in enumerate(folds):
            chosen = gains[(gains["source"] == source) & (gains["n_splits"] == n_splits)]
            part = chosen.set_index("dataset").reindex(sets)
            places = np.arange(len(sets)) + 0.17 * (number - (len(folds) - 1) / 2)
            ends = [part["gain"] - part["joint_low"], part["joint_high"] - part["gain"]]
            ax.errorbar(
                part["gain"],
                places,
                xerr=None if part["joint_low"].isna().all() else ends,
                fmt=_MARKERS[number],
                color=f"C{number}",
                markersize=4,
                linewidth=1,
            )
        ax.axvline(0, color="0.3", linewidth=0.8, zorder=0)
        ax.set(title=source, yticks=np.arange(len(sets)), yticklabels=[name.rpartition("/")[2] for name in sets])
        ax.set_ylim(len(sets) - 0.5, -0.5)
    handles = [
        Line2D([], [], color=f"C{i}", marker=_MARKERS[i], linestyle="", label=f"{k} folds") for i, k in enumerate(folds)
    ]
    figure.supxlabel("estimate of CL-CV minus that of R-CV, points of accuracy", fontsize="medium")
    figure.legend(handles=handles, loc="outside upper center", ncols=len(handles), fontsize="small")
    return axes
