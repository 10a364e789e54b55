"""What the paper's future work brings, in sentences that read well whatever was found."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compendium.figures import signed
from compendium.words import at_least, listed, out_of, spaced

_WHERE = {"groups": "on data with clear groups", "cloud": "on data without groups"}


def pays_from(batches: pd.DataFrame) -> dict[int, int]:
    """Return the batch sizes that pay, each with the number of rows from which on it pays on all simulated data.

    Parameters
    ----------
    batches : DataFrame
        From :func:`batch_table`.
    """
    by_rows = batches.groupby(["batch_size", "rows"])["pays"].all().unstack()
    sizes, rows = by_rows.index.to_numpy(), by_rows.columns.to_numpy()
    always = np.logical_and.accumulate(by_rows.to_numpy()[:, ::-1], axis=1)[:, ::-1]  # here and at all larger sizes
    return {int(size): int(rows[line.argmax()]) for size, line in zip(sizes, always, strict=True) if line.any()}


def batch_text(batches: pd.DataFrame) -> str:
    """Return, in sentences, from how many rows on Mini-Batch K-means pays off, and with which batch size.

    Parameters
    ----------
    batches : DataFrame
        From :func:`batch_table`.
    """
    most = f"up to {spaced(batches['rows'].max())} rows"
    parts = {_WHERE[str(shape)]: part for shape, part in batches.groupby("shape", sort=False)}
    worth = {where: _from_text(part) for where, part in parts.items() if pays_from(part)}
    never = [where for where in parts if where not in worth]
    if not worth:
        return f"Mini-Batch K-means did not pay off at any size {most}."
    if pays_from(batches):
        return f"Mini-Batch K-means pays off {_from_text(batches)}."
    said = [f"{where} {start}" for where, start in worth.items()]
    text = f"Mini-Batch K-means pays off {', and '.join(said)}."
    return f"{text} {listed(never).capitalize()} it did not, {most}." if never else text


def _from_text(batches: pd.DataFrame) -> str:
    found = pays_from(batches)
    start = min(found.values())
    sizes = [spaced(size) for size, rows in found.items() if rows == start]
    return f"from {spaced(start)} rows on, with batches of {listed(sizes)}"


def steady_text(batches: pd.DataFrame, margin: float) -> str:
    """Return whether batches that pay in the median do so on each simulated set, with the range of their times.

    Parameters
    ----------
    batches : DataFrame
        From :func:`batch_table`.
    margin : float
        The ratio of times up to which a cut counts as faster.
    """
    sizes = {shape: pays_from(part) for shape, part in batches.groupby("shape", sort=False)}
    found = [
        part[(part["batch_size"] == size) & (part["rows"] >= rows)]
        for shape, part in batches.groupby("shape", sort=False)
        for size, rows in sizes[shape].items()
        if rows == min(sizes[shape].values())
    ]
    if not found:
        return ""
    paying = pd.concat(found)
    n_made = int(paying["n_made"].max())
    if n_made == 1:
        return "Each size was simulated once."
    if (paying["cut_high"] <= margin).all():
        return f"That holds for each of the {n_made} simulated sets of a size."
    lines = paying[paying["cut_high"] > margin].drop_duplicates(["rows", "batch_size"]).to_dict("records")
    shown = lines if len(lines) < 3 else [lines[0], lines[-1]]
    ranges = [f"{one['cut_low']:.2f} to {one['cut_high']:.2f} at {spaced(one['rows'])} rows" for one in shown]
    return (
        f"That is the median of {n_made} simulated sets of a size, and not so in each of them. The time of a cut "
        f"relative to K-means, where it pays in the median, is {listed(ranges)}."
    )


def alone_text(searches: pd.DataFrame) -> str:
    """Return which searches change the truth if a comparison is taken alone, with their intervals in points.

    Parameters
    ----------
    searches : DataFrame
        From :func:`search_table`.
    """
    truth = searches[searches["measure"] == "truth"]
    alone = truth[(truth["low"] > 0) | (truth["high"] < 0)]
    told = [
        f"{one['search']} search is {'lower' if one['high'] < 0 else 'higher'} in truth by "
        f"{100 * abs(one['difference']):.1f} points ({signed(100 * one['low'], 1)} to {signed(100 * one['high'], 1)})"
        for one in alone.to_dict("records")
    ]
    return f"Taken alone, {listed(told)}." if told else ""


def nearer_text(each: pd.DataFrame, plain: str = "SCV", reference: str = "KFold") -> str:
    """Return on how many data sets the folds of a technique are closer to the whole set than random ones on average.

    Parameters
    ----------
    each : DataFrame
        Columns ``dataset``, ``technique``, ``n_splits`` and ``ratio``, which is 1 for random folds on average.
    plain, reference : str
        The technique without clusters, and random folds, which are not counted.
    """
    wide = each.pivot(index=["n_splits", "dataset"], columns="technique", values="ratio")
    nearer = wide.drop(columns=reference).lt(1).groupby("n_splits").sum()
    total = int(each["dataset"].nunique())
    clustered = int(np.min(nearer.drop(columns=plain).to_numpy()))
    who = "very technique that clusters cuts folds closer to the whole set than random ones on average"
    first = f"E{who} {at_least(clustered, total)}" if clustered else f"Not e{who}"
    own = [f"on {out_of(int(n), total)} with {k} folds" for k, n in nearer[plain].items()]
    return f"{first}. {plain} does so {listed(own)}."
