"""Findings on e-fold as sentences that read well whatever was found."""

from __future__ import annotations

import math

import pandas as pd

from compendium.mahlich2024.tables._claims import inside_shares
from compendium.words import listed, out_of, spelled

# By task: below which the paper's mean differences are, and where its largest ones end, in percent of the score.
PRINTED_LIMITS = {"binary": (1, 5), "multi-class": (2, 16), "regression": (2, 12)}
PRINTED_INSIDE, PRINTED_RUNS = 7230, 7500  # runs inside the interval, of all
PRINTED_PEAK = (98, 28)  # the most frequent percentage of runs inside, and the percentage of the pairs that have it
_OWN = "from the run's own ten folds"


def looking_text(effects: pd.DataFrame) -> str:
    """Return, in a sentence or two, what looking at the scores gains over stops dealt out at random.

    Parameters
    ----------
    effects : DataFrame
        From :func:`control_effects`. The interval that holds for all comparisons at once says how much at most.
    """
    own = effects["panel"] == _OWN
    (row,) = effects[own & (effects["technique"] == "random")].to_dict("records")
    low, high = float(row["joint_low"]), float(row["joint_high"])
    if math.isnan(low) or math.isnan(high):
        return "One data set does not tell whether looking at the scores gains anything over random stops."
    if low > 0:
        return "Random stops and e-fold's differ clearly: the rule does use what it sees."
    if high < 0:
        return "Random stops are clearly nearer than e-fold's: looking does harm."
    most = f"at most about {high:.2f} percent" if high >= 0.005 else "less than 0.01 percent"
    return (
        f"Random stops do as well as e-fold's, as far as can be told: looking gains {most} of the score, by the "
        "interval for all four comparisons at once."
    )


def far_text(names: list[str], n_means: int) -> str:
    """Return which means differ from the printed ones by more than two standard errors, and how many would by chance.

    Parameters
    ----------
    names : list of str
        The pairs of model and data set that do.
    n_means : int
        Number of means compared.
    """
    by_chance = 0.05 * n_means
    low = math.floor(by_chance)
    few = spelled(low).lower() if by_chance == low else f"{spelled(low).lower()} or {spelled(low + 1).lower()}"
    chance = f" Over {n_means} independent means chance alone would give {few}, but these runs share their seeds."
    verb = "differs" if len(names) < 2 else "differ"
    first = f"{spelled(len(names)) if names else 'None'} {verb} by more than two standard errors"
    return first + (f": {listed(names)}." if names else ".") + (chance if low >= 1 else "")


def limits_hold(stopped: pd.DataFrame) -> tuple[bool, float]:
    """Return whether all mean differences are below the printed limits, and how far the largest are from those printed.

    Parameters
    ----------
    stopped : DataFrame
        From :func:`stopped_runs`; runs that used all folds are left out, as in the paper.
    """
    early = stopped[stopped["stop"] < stopped["n_folds"]].groupby("task")["percent"]
    found = early.agg(["mean", "max"])
    below = all(row["mean"] < PRINTED_LIMITS[str(task)][0] for task, row in found.iterrows())
    return below, max((abs(row["max"] - PRINTED_LIMITS[str(task)][1]) for task, row in found.iterrows()), default=0.0)


def limits_text(stopped: pd.DataFrame) -> str:
    """Return, in two sentences, whether mean and largest differences are those that the paper prints."""
    below, off = limits_hold(stopped)
    first = "The means hold." if below else "Not all means are below the printed limits."
    away = "within a point of the printed ones" if off < 1 else f"up to {off:.1f} points away from the printed ones"
    return f"{first} The largest differences are {away}."


def inside_text(sample: pd.DataFrame, population: pd.DataFrame) -> str:
    """Return how many runs are inside the interval, by either standard deviation, beside the printed number.

    Parameters
    ----------
    sample, population : DataFrame
        From :func:`stopped_runs`, with ``interval_ddof`` of 1 and of 0.
    """
    inside, n = int(population["inside"].sum()), len(population)
    near = n == PRINTED_RUNS and abs(inside - PRINTED_INSIDE) < 0.002 * n
    beside = f"nearly the printed {PRINTED_INSIDE}" if near else f"the paper prints {PRINTED_INSIDE} of {PRINTED_RUNS}"
    return (
        f"With the deviation of a population {inside} of {n} runs ({100 * inside / n:.1f} %) are inside, {beside}. "
        f"With that of a sample it is {100 * sample['inside'].mean():.1f} %."
    )


def peak_text(sample: pd.DataFrame, population: pd.DataFrame) -> str:
    """Return which share of runs inside is the most frequent one over pairs; parameters as of :func:`inside_text`."""
    place, often = PRINTED_PEAK
    (one, one_in), (other, other_in) = (
        (shares.idxmax(), shares.max()) for shares in map(inside_shares, (population, sample))
    )
    if one == other:
        where = f"at {one} % either way, in {one_in:.0f} % and {other_in:.0f} % of the pairs"
    else:
        where = f"at {one} % (in {one_in:.0f} % of the pairs) and at {other} % (in {other_in:.0f} %)"
    printed = f"{often} %" if one == other == place else f"at {place} %, in {often} %"
    return f"The peak is {where} (printed: {printed})."


def six_text(stopped: pd.DataFrame, fixed: pd.DataFrame) -> str:
    """Return, in half a sentence, how six fixed folds compare with e-fold in distance from all folds, and in cost.

    Parameters
    ----------
    stopped : DataFrame
        From :func:`stopped_runs`.
    fixed : DataFrame
        From :func:`fixed_table`.
    """
    nearer = stopped["percent"].mean() - float(fixed.set_index("folds")["percent"][6])
    more = 6 - stopped["stop"].mean()
    distance = "do not come nearer than e-fold" if nearer <= 0 else "come a little nearer than e-fold"
    cost = "fewer fits" if more < 0 else "slightly more fits" if more < 1 else "more fits"
    return f"{distance}, for {cost}"


def stops_text(table: pd.DataFrame, noise: float) -> str:
    """Return between which numbers of folds the means of techniques lie, and whether data sets differ more.

    Parameters
    ----------
    table : DataFrame
        From :func:`technique_table`.
    noise : float
        Mean number of folds on noise.
    """
    means = table.groupby("technique")["folds"].mean()
    side = "below" if means.max() < noise else "above" if means.min() > noise else "around"
    line = f"{side} the {noise:.2f} of noise"
    if len(means) == 1:
        return f"The mean is {means.iloc[0]:.2f} folds, {line}."
    first = f"The means of the techniques lie between {means.min():.2f} and {means.max():.2f} folds, {line}."
    sets = table.groupby("dataset")["folds"].mean()
    if len(sets) == 1 or sets.max() - sets.min() <= means.max() - means.min():
        return first
    sets = sets.sort_values()
    ends = [f"{sets.iloc[n]:.2f} ({str(sets.index[n]).rpartition('/')[2]})" for n in (0, -1)]
    return f"{first} Data sets differ more, from {ends[0]} to {ends[1]}: the way of cutting matters less than the data."


def distances_text(ranges: pd.DataFrame, n_sets: int) -> str:
    """Return what the panels of distances say, and how often data sets agree in direction by chance.

    Parameters
    ----------
    ranges : DataFrame
        With columns ``panel``, ``technique``, ``low`` and ``high``: lowest and highest difference over data sets.
    n_sets : int
        Number of data sets.
    """
    if n_sets < 2 or ranges.empty:
        return "One data set shows no direction."
    same = (ranges["low"] > 0) | (ranges["high"] < 0)
    lower = ranges[ranges["panel"].str.startswith("distance")]
    words = [
        f"the {row['panel']} is {'larger' if row['low'] > 0 else 'smaller'} with {row['technique']}"
        for row in lower[same[lower.index]].to_dict("records")
    ]
    rest = "are larger on some sets and smaller on others"
    found = f"{listed(words)} on all {n_sets} sets; the others {rest}" if words else f"all distances {rest}"
    chance = f"by chance this happens in one of {spelled(2 ** (n_sets - 1)).lower()} comparisons of {n_sets} sets"
    return (
        f"In the lower panels, {found}. Blue needs all {n_sets} sets on one side: {chance}, and here in "
        f"{out_of(int(same.sum()), len(ranges))}."
    )
