"""What the tables of balance say, in sentences that read well for every value."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compendium.balance.plan import MARGIN
from compendium.figures import signed
from compendium.words import listed, out_of
from cvstrat.metrics import unbiased_balance

_ARTICLES = {"tree": "the tree", "forest": "the forest"}


def dial_text(turned: pd.DataFrame) -> str:
    """Return at which ratio the bias of each learner vanishes with the fewest folds, and at which the law has it.

    Parameters
    ----------
    turned : DataFrame
        From :func:`compendium.balance.frontier.dial`, of one number of rows.
    """
    few = int(turned["n_splits"].min())
    near: list[str] = []
    noise: dict[str, list[str]] = {}
    never: dict[str, list[str]] = {"below": [], "above": []}
    for learner, line in turned[turned["n_splits"] == few].groupby("learner", sort=False):
        name = _ARTICLES.get(str(learner), str(learner))
        ordered = line.sort_values("balance")
        ratio, bias = ordered["balance"].to_numpy(), ordered["bias"].to_numpy()
        falls = np.flatnonzero((bias[:-1] > 0) & (bias[1:] <= 0))
        noise_of = 1.96 * ordered["bias_se"].to_numpy()
        quiet = ratio[np.abs(bias) <= noise_of]
        if len(falls) and (bias > noise_of).any() and (bias < -noise_of).any():
            i = falls[0]
            zero = ratio[i] + bias[i] * (ratio[i + 1] - ratio[i]) / (bias[i] - bias[i + 1])
            near.append(f"{zero:.2f} for {name}")
        elif len(quiet):
            noise.setdefault(listed([f"{one:.2g}" for one in quiet]), []).append(name)
        else:
            never["below" if bias.mean() < 0 else "above"].append(name)
    law = f"; the law, made for a mean, has {unbiased_balance(few):.2f}"
    parts = [f"the bias changes its sign near a ratio of {listed(near)}{law}."] if near else []
    parts += [f"for {listed(names)} it is within its noise of zero only at {where}." for where, names in noise.items()]
    parts += [f"for {listed(names)} it is {side} zero at every ratio." for side, names in never.items() if names]
    first, *others = parts
    return " ".join([f"With {few} folds {first}", *(other[0].upper() + other[1:] for other in others)])


def at_law_text(turned: pd.DataFrame) -> str:
    """Return for which learners the bias at the law's ratio is beyond its noise.

    Parameters
    ----------
    turned : DataFrame
        From :func:`compendium.balance.frontier.dial`, of one number of rows.
    """
    told = []
    for k in sorted(turned["n_splits"].unique().tolist()):
        star = unbiased_balance(k)
        line = turned[(turned["n_splits"] == k) & np.isclose(turned["balance"], star)]
        far = line[line["bias"].abs() > 1.96 * line["bias_se"]].sort_values("bias", ascending=False)
        biases = far.set_index("learner")["bias"].to_dict()
        each = [f"{_ARTICLES.get(str(name), str(name))} ({signed(bias, 1)})" for name, bias in biases.items()]
        told.append(
            f"With {k} folds, at the law's {star:.2f}, it is beyond its noise for {listed(each, 'no learner')}."
        )
    return " ".join(told)


def spectra_text(spectra: pd.DataFrame, plain: str = "SCV") -> str:
    """Return how low the balance ratio of each technique is at small and at large scales.

    Parameters
    ----------
    spectra : DataFrame
        With columns ``technique``, ``relative`` (bandwidth) and ``ratio``; of one data set.
    plain : str, default="SCV"
        The technique that is compared with the others.
    """
    wide = spectra.pivot(index="relative", columns="technique", values="ratio").sort_index()
    others = [str(name) for name in dict.fromkeys(spectra["technique"]) if name != plain]
    ends = [f"{name} from {wide[name].iloc[0]:.2f} to {wide[name].iloc[-1]:.2f}" for name in others]
    text = f"From the smallest scale to the largest, {plain} goes from {wide[plain].iloc[0]:.2f} to "
    text += f"{wide[plain].iloc[-1]:.2f}, {listed(ends)}."
    lower = (wide[others].lt(wide[plain], axis=0)).all(axis=None)
    falling = (wide[others].iloc[-1] < wide[others].iloc[0]).all()
    if lower:
        text += f" So all but {plain} lower the ratio at every scale{', most at large ones' if falling else ''}."
    return text


def flat_text(errors: pd.DataFrame) -> str:
    """Return how the smallest error falls with the cost, from the cheapest procedure to two, five and any folds.

    Parameters
    ----------
    errors : DataFrame
        The lines of the figure: ``learner``, ``procedure``, ``cost`` and ``rmse``, also of stratified folds.
    """
    cheapest = errors["cost"].min()
    best = {
        limit: errors[errors["cost"] <= limit].groupby("learner")["rmse"].min().mean()
        for limit in (cheapest, 1, 4, errors["cost"].max())
    }
    start, two, five, end = best.values()
    flat = end > 0 and start - two > 2 * (two - end)
    lead = "The line is steep up to two folds and nearly flat from there" if flat else "The line falls all along"
    plain = errors.groupby("procedure")["rmse"].mean()
    told = listed([f"{plain[f'SCV {k}']:.1f} with {word}" for k, word in ((2, "two"), (5, "five"), (10, "ten"))])
    return (
        f"{lead}. In the mean of these learners the smallest error is {start:.1f} points with a hold-out, {two:.1f} "
        f"with two folds (cost 1), {five:.1f} up to five folds (cost 4) and {end:.1f} at any cost. These are picked "
        "afterwards, for each learner anew, which flatters them. Stratified folds, which nobody has to pick, have "
        f"{told}."
    )


def ten_text(overall: pd.DataFrame, on_frontier: pd.Series) -> str:
    """Return what beats ten stratified folds, if they are never on the frontier; nothing if they are.

    Parameters
    ----------
    overall : DataFrame
        ``rmse`` and ``cost`` by procedure.
    on_frontier : Series
        Share of the cells in which a procedure is on the frontier, by procedure.
    """
    if on_frontier["SCV 10"] > 0:
        return ""
    cheaper, ten = overall.loc["SCV 2 x 5"], overall.loc["SCV 10"]
    gap = cheaper["rmse"] - ten["rmse"]
    side = "smaller" if gap < 0 else "larger"
    told = f"its error is {abs(gap):.2f} points {side}" if abs(gap) >= 0.005 else "its error is the same"
    link = "and" if gap < 0.005 else "but"
    return (
        "SCV 10, our default, is never on the line: SCV 2 x 5 costs less "
        f"({cheaper['cost']:.0f} against {ten['cost']:.0f}), {link} on average {told}."
    )


def area_text(areas: pd.DataFrame) -> str:
    """Return by how much each kind of folds moves the pooled area under the curve, with the fewest rows.

    Parameters
    ----------
    areas : DataFrame
        Lines of one learner: ``technique``, ``n_splits``, ``n_rows`` and ``bias``.
    """
    kinds = {
        "KFold": "random folds",
        "SCV": "stratified ones",
        "balanced unbiased": "balanced ones",
        "balanced 0": "folds as alike as can be",
    }
    rows = int(areas["n_rows"].min())
    biases = areas[areas["n_rows"] == rows].groupby("technique")["bias"]
    low, high = biases.min(), biases.max()
    told = [
        f"{signed(low[name], 1)} to {signed(high[name], 1)} with {words}"
        for name, words in kinds.items()
        if name in low
    ]
    text = f"With {rows} rows its bias is, in points, {listed(told)}."
    means = biases.mean()
    if {"KFold", "SCV"} <= set(means.index) and means["KFold"] < means["SCV"] < 0:
        text += " Random folds lower the area most; stratified ones lower it less."
    alike = areas[areas["technique"] == "balanced 0"]
    not_up = alike[alike["bias"] <= 0]
    if len(not_up) < len(alike):
        cells = [f"{line.n_splits} folds of {line.n_rows} rows" for line in not_up.itertuples()]
        text += f" Folds as alike as can be push it up instead{f', save for {listed(cells)}' if cells else ''}."
    return text


def width_text(grouped: pd.DataFrame, unbounded: float = 100.0) -> str:
    """Return that the corrected interval of two folds is wider than all accuracies, if it is; else nothing.

    Parameters
    ----------
    grouped : DataFrame
        Columns ``technique``, ``n_splits``, ``interval``, ``n_rows`` and ``width``, in points.
    unbounded : float, default=100.0
        The width from which on an interval says nothing.
    """
    rows = grouped["n_rows"].min()
    of_two = (grouped["technique"] == "SCV") & (grouped["n_splits"] == 2) & (grouped["interval"] == "corrected")
    widths = grouped.loc[of_two & (grouped["n_rows"] == rows), "width"]
    if not len(widths) or widths.iloc[0] < unbounded:
        return ""
    return (
        f"Two folds are of no use for an interval: with {rows:.0f} rows the corrected one is {widths.iloc[0]:.0f} "
        f"points wide, and all accuracies lie within {unbounded:.0f}."
    )


def hold_text(grouped: pd.DataFrame) -> str:
    """Return how often the corrected interval and that of single rows hold the truth, with five and ten folds.

    Parameters
    ----------
    grouped : DataFrame
        Columns ``technique``, ``n_splits``, ``interval``, ``n_rows``, ``coverage`` and ``width``, in points.
    """
    some = grouped[(grouped["technique"] == "SCV") & grouped["n_splits"].isin([5, 10])]
    by_kind = some.groupby("interval")
    held, width = by_kind["coverage"].agg(["min", "max"]).round().astype(int), by_kind["width"].mean()
    corrected, single = (" to ".join(dict.fromkeys(map(str, held.loc[one]))) for one in ("corrected", "within"))
    narrower = 100 * (1 - width["within"] / width["corrected"])
    return (
        f"With five or ten stratified folds the corrected interval holds the truth in {corrected} % of cases, where 95 "
        f"are promised; that of single rows, which is {narrower:.0f} % narrower, in {single} %."
    )


def criteria_text(compared: pd.DataFrame) -> str:
    """Return whether estimates from folds by the energy distance differ from those by features.

    Parameters
    ----------
    compared : DataFrame
        From :func:`compendium.balance.plan.compare_criteria`.
    """
    counts = compared["verdict"].value_counts()
    told = [f"equal within {MARGIN:g} points in {out_of(int(counts.get('equal', 0)), len(compared))} cases"]
    words = {"higher": "higher by energy", "lower": "lower by energy", "not told": "open"}
    told += [f"{word} in {counts[verdict]}" for verdict, word in words.items() if verdict in counts]
    largest = compared.iloc[int(compared["difference"].abs().argmax())]
    name = _ARTICLES.get(largest["learner"], largest["learner"])
    balance = "as alike as can be" if largest["balance"] == "0" else "of the unbiased ratio"
    return (
        f"Estimates are {listed(told)}. The largest difference is {signed(largest['difference'])} points, for {name} "
        f"with {largest['n_rows']} rows and {largest['n_splits']} folds {balance}."
    )


def explained_text(compared: pd.DataFrame, reached: pd.DataFrame, apart: float = 0.02) -> str:
    """Return how many of the differences between both criteria the ratio that was reached explains.

    Parameters
    ----------
    compared : DataFrame
        From :func:`compendium.balance.plan.compare_criteria`.
    reached : DataFrame
        From :func:`compendium.balance.frontier.ratios_reached`.
    apart : float, default=0.02
        Ratios that are not farther from each other are told to be about equal.
    """
    both = compared[compared["verdict"].isin(["higher", "lower"])].merge(reached, on=["n_rows", "n_splits", "balance"])
    if both.empty:
        return ""
    gap = both["energy"] - both["features"]
    apart_enough = gap.abs() > apart
    n_law = int((apart_enough & (gap * both["difference"] < 0)).sum())
    n_equal = int((~apart_enough).sum())
    n_against = len(both) - n_law - n_equal
    told = [f"Of the {len(both)} cases that differ, {n_law} are as the law says: the lower ratio has higher estimates."]
    told += [f"In {n_equal} the ratios are about equal, so that they explain nothing."] if n_equal else []
    told += [f"In {n_against} it is the other way round."] if n_against else []
    return " ".join(told)


def truth_text(biases: pd.DataFrame) -> str:
    """Return how far from the truth the linear models are at the unbiased ratio, dealt by either criterion.

    Parameters
    ----------
    biases : DataFrame
        From :func:`compendium.balance.frontier.bias_by_criterion`.
    """
    linear = biases[biases["learner"].isin(["LDA", "logistic regression"])]
    told = []
    for rows, of_size in linear.groupby("n_rows", observed=True):
        each = []
        for k, part in of_size.groupby("n_splits", observed=True):
            energy, features = (_span(part.loc[part["criterion"] == name, "bias"]) for name in ("energy", "features"))
            each.append(f"{energy} with {k} folds ({features} by features)")
        told.append(f"With {rows} rows that is {listed(each)}.")
    return (
        f"On {biases['n'].min()} of these data sets per problem and size we know the truth, and how far the estimates "
        f"of the linear models at the unbiased ratio are off. {' '.join(told)} These are points of accuracy, with "
        f"standard errors of up to {linear['se'].max():.1f}."
    )


def _span(values: pd.Series) -> str:
    """Return the smallest and the largest value, once if they are written alike."""
    return " to ".join(dict.fromkeys(signed(value, 1) for value in (values.min(), values.max())))
