"""What the results say of the claims on complete k-fold cross-validation."""

from __future__ import annotations

import math

import pandas as pd

from compendium.anguita2012 import tables
from compendium.datasets import published
from compendium.engine import read_tables
from compendium.figures import signed
from compendium.words import HOLDS, IN_PART, NOT, UNKNOWN, listed, out_of, spelled

_MARGIN = 0.5  # half a point, as elsewhere in the book


def findings() -> dict[str, tuple[str, str]]:
    """Return verdict and finding for each claim of the text, by its id."""
    folds = tables.bound_table(tables.with_wider_grid(read_tables("anguita2012")))
    return {**_choice(folds), **_fixed(folds), **_bounds(folds), **_printed(folds)}


def _choice(folds: pd.DataFrame) -> dict[str, tuple[str, str]]:
    chosen = folds[folds["tuned"]]
    low = 100 * chosen["k"].isin([3, 4]).mean()
    means = chosen.groupby("dataset")["k"].mean()
    other = int((means > 4.5).sum())
    names = listed([f"{str(name).rpartition('/')[2]} ({k:.1f})" for name, k in means[means > 4.5].items()])
    return {
        "three-four": (HOLDS if low > 75 else IN_PART, f"3 or 4 folds are chosen in {low:.0f} % of the realizations."),
        "data-dependent": (
            IN_PART if 0 < other < len(means) / 2 else NOT if not other else HOLDS,
            f"On average more than 4.5 folds are chosen on {out_of(other, len(means))} problems: {names}.",
        ),
    }


def _fixed(folds: pd.DataFrame) -> dict[str, tuple[str, str]]:
    printed = published("anguita2012_table1").pivot(index="name", columns="folds", values="bound")
    failed = printed[printed["tuned"] > printed[["5", "10"]].min(axis=1)]
    where = listed([f"{name} ({row['tuned']:g} against {row[['5', '10']].min():g})" for name, row in failed.iterrows()])
    mine = tables.compare_with_table1(folds).pivot(index="dataset", columns="folds", values="bound")
    looser = [str(name).rpartition("/")[2] for name in mine.index[mine["tuned"] > mine[["5", "10"]].min(axis=1)]]
    lines = tables.fixed_effects(folds).set_index(["panel", "technique"])
    bounds, tests = lines.loc["bound"], lines.loc["test error"]
    least = str(bounds["difference"].idxmin())
    lower, clear = int((tests["difference"] < 0).sum()), int((tests["joint_high"] < 0).sum())
    rivals = (5, 10)  # those of the paper's own comparison
    cost = -tests.loc[[f"k = {k}" for k in rivals], "joint_low"].min()
    dearer = {k: int((_costs(folds, k) > 0).sum()) for k in rivals}
    problems = folds["dataset"].nunique()
    slight, seldom = cost < _MARGIN, max(dearer.values()) < problems / 2
    often = listed([f"{out_of(count, problems)} (k = {k})" for k, count in dearer.items()])
    # The claim names one number beforehand, so the interval of one comparison decides.
    (four,) = lines.loc[[("bound", "k = 4")]].to_dict("records")
    side = "above" if four["difference"] > 0 else "below"
    ends = " to ".join(signed(four[end]) for end in ("low", "high"))
    other = "" if least == "k = 4" else f"; {least} is tighter"
    return {
        "always-tighter": (
            NOT if len(failed) or looser else HOLDS,
            f"It fails in the paper's own Table 1 on {where}; in ours it fails on {listed(looser, 'no problem')}.",
        ),
        "test-increase": (
            HOLDS if slight and seldom else IN_PART if slight or seldom else NOT,
            f"Beside 5 and 10 folds, the paper's comparison, tuning costs at most {max(cost, 0):.2f} points (intervals "
            f"for all comparisons at once). By means over realizations it does cost on {often} problems. "
            f"{out_of(lower, len(tests)).capitalize()} fixed numbers have a lower test error on average, "
            f"{clear or 'none'} clearly.",
        ),
        "k-four": (
            IN_PART if four["low"] > 0 else HOLDS,
            f"Its bound is {abs(four['difference']):.2f} points {side} that of the tuned number ({ends}, an interval "
            f"for this comparison alone){other}.",
        ),
    }


def _costs(folds: pd.DataFrame, k: int) -> pd.Series:
    """Return by how much the test error of the tuned k is above that of a fixed one: a mean for each problem."""
    cell = ["dataset", "realization"]
    tuned, fixed = (part.set_index(cell)["test_error"] for part in (folds[folds["tuned"]], folds[folds["k"] == k]))
    return (tuned - fixed).round(12).groupby("dataset").mean()


def _bounds(folds: pd.DataFrame) -> dict[str, tuple[str, str]]:
    loose = tables.bound_kinds(folds).pivot(index="k", columns="kind", values="looseness")
    first, fewest = loose.iloc[0], spelled(int(loose.index[0]))
    shares = tables.exceedance(read_tables("anguita2012-guarantee")["replicates"], (0.05,))
    mean = shares[shares["draws"] == "mean of all draws"]["share"]
    return {
        "loose": (
            HOLDS if first["Clopper-Pearson"] > 2 else NOT,
            f"By {first['Clopper-Pearson']:.1f} points with the fewest folds, {loose['Clopper-Pearson'].iloc[-1]:.1f} "
            "with the most.",
        ),
        "tightest": (
            HOLDS if first.drop(["Wilson", "Clopper-Pearson"]).min() > first["Clopper-Pearson"] else NOT,
            f"With {fewest.lower()} folds, Hoeffding's is {first['Hoeffding'] - first['Clopper-Pearson']:.1f} points "
            f"higher. Wilson's is {first['Clopper-Pearson'] - first['Wilson']:.1f} lower, but only approximate.",
        ),
        "rigorous": (
            UNKNOWN if mean.max() <= 5 else NOT,
            f"It was exceeded in {f'{mean.mean():.2f} %' if mean.max() else 'none'} of the simulated data sets (5 % "
            "are allowed), but no theorem covers a mean of bounds over overlapping draws; a proven one is looser.",
        ),
        "equation3": (
            NOT if _printed_sum() < 0.9 else HOLDS,
            f"The binomial tail has pʲ. With pˢ all terms together give {_printed_sum():.3f} in place of 1 for "
            "s = 10 and p = 0.3.",
        ),
    }


def _printed_sum(s: int = 10, p: float = 0.3) -> float:
    """Return what the terms of Equation 3, as printed, add up to over all numbers of errors."""
    return sum(math.comb(s, j) * p**s * (1 - p) ** (s - j) for j in range(s + 1))


def _printed(folds: pd.DataFrame) -> dict[str, tuple[str, str]]:
    both = tables.compare_with_table1(folds)
    apart = tables.distances_from_table1(both)
    return {"table1": (IN_PART if (apart["z"].abs() > 3).any() else HOLDS, tables.apart_text(apart))}
