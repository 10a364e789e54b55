"""Figures of balance: the law on real data, the dial, the frontier of error and cost."""

from __future__ import annotations

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes

from compendium.figures import panels, plain_ticks, use_style

__all__ = ["plot_dial", "plot_frontier", "plot_law", "plot_spectra", "use_style"]


def plot_law(table: pd.DataFrame) -> np.ndarray:
    """Draw the difference in bias against the balance ratio, a point per technique, a panel per number of folds.

    Parameters
    ----------
    table : DataFrame
        With columns ``n_splits``, ``technique``, ``ratio``, ``difference`` and ``difference_se``.
    """
    numbers = sorted(table["n_splits"].unique())
    figure, axes = panels(len(numbers), max_columns=1, height=3.4, sharex=True)
    for ax, n_splits in zip(axes, numbers, strict=True):
        these = table[table["n_splits"] == n_splits].sort_values("difference")
        ax.errorbar(these["ratio"], these["difference"], 1.96 * these["difference_se"], fmt="o", ms=5, lw=1, color="C0")
        _label_points(ax, these)
        ax.axhline(0, color="0.6", lw=1)
        ax.set_title(f"{n_splits} folds", loc="left")
        ax.set_ylabel("bias minus that of SCV, points")
    axes[-1].set_xlabel("balance ratio (random folds: 1, perfectly alike folds: 0)")
    figure.align_ylabels()
    return axes


def _label_points(ax: Axes, points: pd.DataFrame) -> None:
    """Write names beside points, alternating sides so that near ones do not meet."""
    for number, one in enumerate(points.itertuples()):
        side = 1 if number % 2 else -1
        ax.annotate(
            str(one.technique),
            (one.ratio, one.difference),
            xytext=(7 * side, 0),
            textcoords="offset points",
            ha="left" if side > 0 else "right",
            va="center",
            fontsize="small",
        )
    ax.margins(x=0.2)


def plot_dial(errors: pd.DataFrame, *, measure: str = "bias", label: str = "bias, points") -> np.ndarray:
    """Draw what the dial does: a measure against the ratio aimed at, a panel per learner, a line per number of folds.

    Parameters
    ----------
    errors : DataFrame
        Lines of balanced folds, with columns ``learner``, ``n_splits``, ``balance``, the measure and ``{measure}_se``.
    measure, label : str
        Column to draw, and what the axis says.
    """
    learners = list(dict.fromkeys(errors["learner"]))
    _, axes = panels(len(learners), height=2.5, sharex=True)
    for ax, learner in zip(axes, learners, strict=True):
        for color, (n_splits, one) in enumerate(errors[errors["learner"] == learner].groupby("n_splits")):
            line = one.sort_values("balance")
            ax.errorbar(
                line["balance"], line[measure], 1.96 * line[f"{measure}_se"], color=f"C{color}", marker="o", ms=4
            )
            ax.annotate(
                f"{n_splits} folds",
                (line["balance"].iloc[-1], line[measure].iloc[-1]),
                xytext=(6, 0),
                textcoords="offset points",
                va="center",
                fontsize="small",
                color=f"C{color}",
            )
        ax.axhline(0, color="0.6", lw=1)
        ax.set(title=learner, ylabel=label, xlim=(-0.05, 1.35), xticks=[0, 0.25, 0.5, 0.75, 1])
    axes[-1].set_xlabel("balance ratio aimed at")
    return axes


def plot_frontier(errors: pd.DataFrame, named: list[str]) -> np.ndarray:
    """Draw error against cost, a point per procedure, a panel per learner; the frontier is a line.

    Parameters
    ----------
    errors : DataFrame
        With columns ``learner``, ``procedure``, ``cost`` and ``rmse``.
    named : list of str
        Procedures whose names are written beside their points, if they are not on the frontier.
    """
    learners = list(dict.fromkeys(errors["learner"]))
    _, axes = panels(len(learners), max_columns=1, height=3.2)
    for ax, learner in zip(axes, learners, strict=True):
        points = errors[errors["learner"] == learner].sort_values(["cost", "rmse"])
        edge = points[points["rmse"] < points["rmse"].cummin().shift(fill_value=np.inf)]
        ax.scatter(points["cost"], points["rmse"], s=14, color="0.6")
        ax.step(edge["cost"], edge["rmse"], where="post", color="C0")
        ax.scatter(edge["cost"], edge["rmse"], s=26, color="C0", zorder=3)
        for one in points[points["procedure"].isin([*named, *edge["procedure"]])].itertuples():
            ax.annotate(
                one.procedure,
                (one.cost, one.rmse),
                xytext=(4, 4),
                textcoords="offset points",
                fontsize="small",
            )
        ax.set(title=learner, xscale="log", ylabel="root mean squared error, points")
        plain_ticks(ax.xaxis)
    axes[-1].set_xlabel("rows trained on, in data sets")
    return axes


def plot_spectra(spectra: pd.DataFrame) -> np.ndarray:
    """Draw the balance ratio against the bandwidth, a line per technique, a panel per data set.

    Parameters
    ----------
    spectra : DataFrame
        With columns ``dataset``, ``technique``, ``relative`` and ``ratio``.
    """
    names = list(dict.fromkeys(spectra["dataset"]))
    techniques = list(dict.fromkeys(spectra["technique"]))
    colors = dict(zip(techniques, sns.color_palette("colorblind", len(techniques)), strict=True))
    _, axes = panels(len(names), height=2.6)
    for ax, name in zip(axes, names, strict=True):
        for technique, line in spectra[spectra["dataset"] == name].groupby("technique", sort=False):
            ax.plot(line["relative"], line["ratio"], color=colors[technique], label=technique)
        ax.axhline(1, color="0.6", lw=1)
        ax.set(title=name, xscale="log", ylabel="balance ratio", xlabel="bandwidth / nearest neighbour", ylim=(0, None))
        plain_ticks(ax.xaxis)
    axes[0].legend(fontsize="small")
    return axes
