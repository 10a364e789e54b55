"""Figures of balance: the law on real data, the dial, the frontier of error and cost."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator

from compendium.figures import (
    captioned,
    offer,
    p_text,
    panels,
    plain_ticks,
    signed,
    technique_style,
    use_style,
)
from cvstrat.metrics import unbiased_balance

__all__ = [
    "captioned",
    "offer",
    "p_text",
    "plot_dial",
    "plot_frontier",
    "plot_law",
    "plot_spectra",
    "signed",
    "use_style",
]


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
        ax.errorbar(
            these["ratio"],
            these["difference"],
            1.96 * these["difference_se"],
            fmt="o",
            ms=5,
            lw=1.5,
            color="C0",
            alpha=0.8,
        )
        _label_points(ax, these)
        ax.axhline(0, color="0.6", lw=1)
        ax.set_title(f"{n_splits} folds", loc="left")
        ax.set_ylabel("bias minus that of SCV, points")
    axes[-1].set_xlabel("balance ratio (random folds: 1, perfectly alike folds: 0)")
    figure.align_ylabels()
    return axes


def _label_points(ax: Axes, points: pd.DataFrame) -> None:
    """Write names in two columns, left and right of all points, each as near as can be to the height of its point.

    The names of a column end where their lines begin, so that no line crosses a name.
    """
    ax.margins(x=0.72, y=0.1)  # room for the names
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1])
    ordered = points.sort_values("difference", ascending=False)
    is_left = ordered["ratio"] < ordered["ratio"].median()
    for names, x, side, end in ((ordered[is_left], 0.27, "right", 1.0), (ordered[~is_left], 0.73, "left", 0.0)):
        for one, y in zip(names.itertuples(), _spread(ax, names["difference"]), strict=True):
            ax.annotate(
                str(one.technique),
                (one.ratio, one.difference),
                xytext=(x, y),
                textcoords="axes fraction",
                ha=side,
                va="center",
                fontsize="small",
                arrowprops={"arrowstyle": "-", "color": "0.7", "lw": 0.7, "shrinkB": 3, "relpos": (end, 0.5)},
            )


def _spread(ax: Axes, values: pd.Series, step: float = 0.105) -> np.ndarray:
    """Return heights in parts of the axis for falling `values`: their own, moved so that they are `step` apart."""
    low, high = ax.get_ylim()
    heights = (values.to_numpy() - low) / (high - low)
    rungs = step * np.arange(len(heights))
    down: np.ndarray = np.minimum.accumulate(np.minimum(heights, 0.95) + rungs) - rungs  # each below the one before
    lowest: np.ndarray = 0.05 + rungs[::-1]  # none below the axis
    return np.where(down > lowest, down, lowest)


def plot_dial(errors: pd.DataFrame, *, measure: str = "bias", label: str = "bias, points") -> np.ndarray:
    """Draw what the dial does: a measure against the ratio aimed at, a panel per learner, a line per number of folds.

    Dotted lines of the same colours mark the ratio that is unbiased for a mean.

    Parameters
    ----------
    errors : DataFrame
        Lines of balanced folds, with columns ``learner``, ``n_splits``, ``balance``, the measure and ``{measure}_se``.
    measure, label : str
        Column to draw, and what the axis says.
    """
    learners = list(dict.fromkeys(errors["learner"]))
    figure, axes = panels(len(learners), height=2.5)
    for ax, learner in zip(axes, learners, strict=True):
        ends: list[tuple[float, float, str, str]] = []
        for color, (n_splits, one) in enumerate(errors[errors["learner"] == learner].groupby("n_splits")):
            line = one.sort_values("balance")
            ax.errorbar(
                line["balance"], line[measure], 1.96 * line[f"{measure}_se"], color=f"C{color}", marker="o", ms=4
            )
            ax.axvline(unbiased_balance(int(str(n_splits))), color=f"C{color}", lw=1, ls=":", zorder=0)
            ends.append((line[measure].iloc[-1], line["balance"].iloc[-1], f"{n_splits} folds", f"C{color}"))
        ax.axhline(0, color="0.6", lw=1)
        ax.set(title=learner, ylabel=label, xlim=(-0.05, 1.35), xticks=[0, 0.25, 0.5, 0.75, 1])
        ends.sort(reverse=True)
        for (_, x, text, color_name), y in zip(ends, _spread(ax, pd.Series([one[0] for one in ends])), strict=True):
            place = {"transform": ax.get_xaxis_transform(), "va": "center"}
            ax.text(x + 0.05, y, text, fontsize="small", color=color_name, **place)
    figure.supxlabel("balance ratio aimed at", fontsize="medium")
    return axes


def plot_frontier(errors: pd.DataFrame) -> np.ndarray:
    """Draw error against cost, a point per procedure, a panel per learner; the frontier is a line.

    The names of what is on the frontier stand below it, where nothing else is; those of stratified folds above.

    Parameters
    ----------
    errors : DataFrame
        With columns ``learner``, ``procedure``, ``cost`` and ``rmse``.
    """
    learners = list(dict.fromkeys(errors["learner"]))
    figure, axes = panels(len(learners), max_columns=1, height=3.4)
    for ax, learner in zip(axes, learners, strict=True):
        points = errors[errors["learner"] == learner].sort_values(["cost", "rmse"])
        edge = points[points["rmse"] < points["rmse"].cummin().shift(fill_value=np.inf)]
        named = points["procedure"]
        ax.scatter(points["cost"], points["rmse"], s=14, color="0.6")
        ax.step(edge["cost"], edge["rmse"], where="post", color="C0")
        ax.scatter(edge["cost"], edge["rmse"], s=26, color="C0", zorder=3, label="frontier")
        kinds = {"C1": (r"SCV \d+", "stratified (SCV)"), "C2": (r"balanced unbiased \d+", "balanced, unbiased ratio")}
        for color, (pattern, kind) in kinds.items():
            these = points[named.str.fullmatch(pattern)]
            ax.scatter(these["cost"], these["rmse"], s=26, marker="D", color=color, zorder=4, label=kind)
        low, high = ax.get_ylim()
        ax.set_ylim(low - 0.3 * (high - low), high)
        _name_below(ax, edge)
        _name_above(ax, points[named.str.fullmatch(r"SCV \d+|e-fold") & ~named.isin(edge["procedure"])])
        ax.set(title=learner, xscale="log", ylabel="root mean squared error, points", xlim=(0.7, 48))
        ax.set_xticks([1, 2, 5, 10, 20])
        plain_ticks(ax.xaxis)
    axes[-1].set_xlabel("rows trained on, in data sets")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3, fontsize="small")
    return axes


def _name_above(ax: Axes, points: pd.DataFrame) -> None:
    """Write names in rows above points, in two heights so that neighbours do not meet; e-fold stands apart."""
    ordered = points.sort_values("cost")
    costs, errors = ordered["cost"].to_numpy(), ordered["rmse"].to_numpy()
    for place, (name, cost, error) in enumerate(zip(ordered["procedure"], costs, errors, strict=True)):
        if name == "e-fold":  # beside its point: above it, the line of five folds would cross the name
            ax.annotate(name, (cost, error), (5, 0), textcoords="offset points", fontsize="small", va="center")
            continue
        side = "center" if place else "left"  # the frontier falls where the first stands
        _name(ax, f"{name}" if place else f" {name}", (cost, error), (0.76, 0.66)[place % 2], side)


def _name_below(ax: Axes, edge: pd.DataFrame) -> None:
    """Write names in rows below points, each in the lowest row with room; the cheapest beside its point."""
    names, costs, errors = edge["procedure"].tolist(), edge["cost"].to_numpy(), edge["rmse"].to_numpy()
    beside = (costs[min(1, len(costs) - 1)], errors[0])  # right of the line that falls from it
    ax.annotate(names[0], beside, (7, 0), textcoords="offset points", fontsize="small", va="center")
    ends = [0.0] * len(names)  # of the names in each row, as multiples of the cost
    for name, cost, error in zip(names[1:], costs[1:], errors[1:], strict=True):
        row = next(number for number, end in enumerate(ends) if cost >= end)
        ends[row] = cost * 1.11 ** len(name)  # the width of a letter on a phone
        _name(ax, name, (cost, error), 0.05 + 0.085 * row, "left")


def _name(ax: Axes, name: str, point: tuple[float, float], height: float, side: str) -> None:
    """Write a name at a height of the panel, over or under its point, with a line between both."""
    line = {"arrowstyle": "-", "color": "0.7", "lw": 0.7, "shrinkA": 0, "shrinkB": 3}
    line["relpos"] = (0.0 if side == "left" else 0.5, 0.5)
    ax.annotate(
        name, point, (point[0], height), textcoords=ax.get_xaxis_transform(), ha=side, va="center", fontsize="small",
        arrowprops=line,
    )  # fmt: skip


def plot_spectra(spectra: pd.DataFrame) -> np.ndarray:
    """Draw the balance ratio against the scale, a line per technique, a panel per data set.

    Parameters
    ----------
    spectra : DataFrame
        With columns ``dataset``, ``technique``, ``relative`` and ``ratio``.
    """
    names = list(dict.fromkeys(spectra["dataset"]))
    figure, axes = panels(len(names), height=3.2)
    for ax, name in zip(axes, names, strict=True):
        for technique, line in spectra[spectra["dataset"] == name].groupby("technique", sort=False):
            ax.plot(line["relative"], line["ratio"], label=technique, markevery=3, **technique_style(str(technique)))
        ax.axhline(1, color="0.6", lw=1)
        ax.set(
            title=name,
            xscale="log",
            ylabel="balance ratio",
            xlabel="scale / distance to nearest neighbour",
            ylim=(0, None),
        )
        ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 3, 5)))
        plain_ticks(ax.xaxis)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=5, fontsize="small")
    return axes
