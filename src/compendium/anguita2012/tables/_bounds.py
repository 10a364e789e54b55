"""What the study of complete k-fold cross-validation says: bounds and test errors at every k, and when k is tuned."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compendium.anguita2012.study._problems import chosen_candidates
from compendium.engine import read_tables
from compendium.inference import effects_if_several
from cvstrat.complete import BOUNDS

_REALIZATION = ["dataset", "realization"]
_CELL = [*_REALIZATION, "k"]
TUNED = "tuned"
_MEASURES = {"bound": "bound", "test_error": "test error"}
# The kinds of bounds, by the names of their columns.
_KINDS = {name.lower().replace("-", "_").replace(" ", "_"): name for name in BOUNDS}
# What a page calls the columns of the tables.
LABELS = {
    "at_edge_percent": "at an edge, %",
    "inside_cost_points": "cost of staying inside, points",
    "untold": "choices for which it cannot be told",
}


def with_wider_grid(tables: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """Return the stored tables with the rows of `image` from the run whose grid goes on to larger C."""
    wider = read_tables("anguita2012-image")
    joined = {}
    for name, table in tables.items():
        rows = wider[name].merge(table[_CELL].drop_duplicates(), on=_CELL)  # only what the page asks for
        joined[name] = pd.concat([table[~table["dataset"].isin(rows["dataset"].unique())], rows], ignore_index=True)
    return joined


def with_bounds(counts: pd.DataFrame, delta: float = 0.05) -> pd.DataFrame:
    """Return counts of errors with a column for each kind of bound, such as ``clopper_pearson``."""
    errors, tested = counts["errors"].to_numpy(), counts["tested"].to_numpy()
    return counts.assign(**{column: BOUNDS[name](errors, tested, delta) for column, name in _KINDS.items()})


def summarise_draws(counts: pd.DataFrame, by: list[str], delta: float = 0.05) -> pd.DataFrame:
    """Return means over draws from how many draws gave each number of errors.

    Parameters
    ----------
    counts : DataFrame
        ``estimates`` or ``kinds`` of the study.
    by : list of str
        Columns that tell the cells apart.
    delta : float, default=0.05
        Probability with which a bound may be too low, between 0 and 1.

    Returns
    -------
    DataFrame
        For each cell, in percent: ``error_rate`` (on the estimation parts), ``error_std`` (its standard deviation over
        draws), ``test_error``, ``vote_error``, the mean of each kind of bound over draws (``bound`` for that of Clopper
        and Pearson, ``wilson``, ``hoeffding``, ``empirical_bernstein``), and the standard error of the first
        (``bound_se``); further ``draws`` and ``tested``.
    """
    rows = with_bounds(counts, delta).assign(error_rate=counts["errors"] / counts["tested"])
    weights = rows["draws"].to_numpy()
    groups = rows[by].assign(draws=weights).groupby(by, sort=False)
    total = groups["draws"].transform("sum")
    means = {
        column: 100 * (rows[column] * weights / total).groupby([rows[key] for key in by], sort=False).sum()
        for column in (*_KINDS, "error_rate", "test_error", "vote_error")
    }
    table = pd.DataFrame(means)
    for name, column in {"error_std": "error_rate", "bound_se": "clopper_pearson"}.items():
        square = 100**2 * (rows[column] ** 2 * weights / total).groupby([rows[key] for key in by], sort=False).sum()
        table[name] = np.sqrt(np.maximum(square - table[column] ** 2, 0))
    table["draws"] = groups["draws"].sum()
    table["bound_se"] /= np.sqrt(table["draws"])
    table["tested"] = rows.groupby(by, sort=False)["tested"].first()
    return table.reset_index().rename(columns={"clopper_pearson": "bound"})


def bound_table(tables: dict[str, pd.DataFrame], delta: float = 0.05) -> pd.DataFrame:
    """Return bound and test error of the best candidate at every number of folds.

    Parameters
    ----------
    tables : dict of str to DataFrame
        ``candidates`` and ``estimates`` of the study.
    delta : float, default=0.05
        Probability with which a bound may be too low, between 0 and 1.

    Returns
    -------
    DataFrame
        A row per problem, realization and k: that of :func:`summarise_draws`, with the candidate (``C``, ``gamma``),
        its ``selection_bound`` in percent, and ``tuned``: whether this k has the smallest one of its realization.
    """
    best = chosen_candidates(tables["candidates"])
    cells = summarise_draws(tables["estimates"], _CELL, delta)
    table = cells.merge(best[[*_CELL, "C", "gamma", "bound", "redrawn"]], on=_CELL, suffixes=("", "_selection"))
    table["selection_bound"] = 100 * table.pop("bound_selection")
    first = table.groupby(_REALIZATION)["selection_bound"].idxmin()
    return table.assign(tuned=table.index.isin(first))


def tuned_and_fixed(folds: pd.DataFrame, fixed: tuple[int, ...] = (4, 5, 10)) -> pd.DataFrame:
    """Return the rows of :func:`bound_table` at the tuned k and at fixed ones, with the name in ``folds``."""
    parts = {TUNED: folds[folds["tuned"]]} | {str(k): folds[folds["k"] == k] for k in fixed}
    return pd.concat(parts, names=["folds"]).reset_index(level=0).reset_index(drop=True)


def fixed_effects(folds: pd.DataFrame) -> pd.DataFrame:
    """Return by how much bound and test error of every fixed k differ from those of the tuned k.

    Parameters
    ----------
    folds : DataFrame
        From :func:`bound_table`.

    Returns
    -------
    DataFrame
        :func:`compendium.inference.effects` against ``tuned``, in points, with intervals over problems; ``panel`` says
        of what. Joint intervals hold for all rows.
    """
    ks = tuple(sorted(folds["k"].unique()))
    rows = tuned_and_fixed(folds, ks)
    named = rows.assign(technique=np.where(rows["folds"] == TUNED, TUNED, "k = " + rows["folds"]))
    return _effects(named, TUNED, _MEASURES, len(_MEASURES) * len(ks))


def kind_effects(kinds: pd.DataFrame, delta: float = 0.05) -> pd.DataFrame:
    """Return what other draws change: bound, error rate, its standard deviation, and its distance from the test error.

    Parameters
    ----------
    kinds : DataFrame
        ``kinds`` of the study.
    delta : float, default=0.05
        Probability with which a bound may be too low, between 0 and 1.

    Returns
    -------
    DataFrame
        :func:`compendium.inference.effects` against ``random``, in points, with intervals over problems; a ``panel``
        per measure and number of folds. Joint intervals hold for all rows.
    """
    table = summarise_draws(kinds, [*_CELL, "kind"], delta).rename(columns={"kind": "technique"})
    table["distance"] = (table["error_rate"] - table["test_error"]).abs()
    names = {
        "bound": "bound",
        "error_rate": "error on estimation parts",
        "error_std": "deviation over draws",
        "distance": "distance from the test error",
    }
    others = table[table["technique"] != "random"].groupby("k")["technique"].nunique()
    return pd.concat(
        [
            _effects(part, "random", {measure: f"{word}, k = {k}"}, len(names) * int(others.sum()))
            for measure, word in names.items()
            for k, part in table.groupby("k")
        ],
        ignore_index=True,
    )


def _effects(rows: pd.DataFrame, reference: str, measures: dict[str, str], n_comparisons: int) -> pd.DataFrame:
    frames = []
    for measure, word in measures.items():
        wide = rows.pivot_table(index=_REALIZATION, columns="technique", values=measure, sort=False)
        several = wide.index.get_level_values("dataset").nunique() > 1
        level = "dataset" if several else "realization"  # of one problem, over its splits
        found = effects_if_several(wide, reference, level, n_comparisons=n_comparisons)
        frames.append(found.assign(panel=word))
    return pd.concat(frames).rename_axis("technique").reset_index()


def bound_kinds(folds: pd.DataFrame) -> pd.DataFrame:
    """Return how far each kind of bound is above the error on the test set, in points, for every k.

    Parameters
    ----------
    folds : DataFrame
        From :func:`bound_table`.

    Returns
    -------
    DataFrame
        Columns ``k``, ``kind``, ``bound`` and ``looseness``, means over problems and realizations.
    """
    wide = folds.rename(columns={"bound": "clopper_pearson"}).rename(columns=_KINDS)
    long = wide.melt(["dataset", "realization", "k", "test_error"], list(BOUNDS), "kind", "bound")
    long["looseness"] = long["bound"] - long["test_error"]
    return long.groupby(["kind", "k"], sort=False)[["bound", "looseness"]].mean().reset_index()


def grid_edges(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return how often the chosen candidate is at an edge of the grid, and what a candidate inside would cost.

    Candidates are compared on the same draws. Only the best few of each choice were tried on all of them; of the others
    a bound on fewer draws is known, whose luck would pass for a difference.

    Parameters
    ----------
    tables : dict of str to DataFrame
        ``candidates`` of the study.

    Returns
    -------
    DataFrame
        For each problem: ``at_edge_percent``, the percent of the choices at an edge; ``inside_cost_points``, by how
        many points, on average over its choices, the selection bound of the best candidate inside the grid is higher,
        which is 0 where the choice lies inside; and ``untold``, the number of choices at an edge that are left out of
        this mean, since no candidate inside was tried on all draws.
    """
    table = tables["candidates"]
    by_problem = table.groupby("dataset")
    edge = pd.Series(False, index=table.index)
    for name in ("C", "gamma"):
        edge |= (table[name] == by_problem[name].transform("min")) | (table[name] == by_problem[name].transform("max"))
    best = chosen_candidates(table.assign(edge=edge)).set_index(_CELL)
    tried = table["draws"] == table.groupby(_CELL)["draws"].transform("max")
    inside = table[tried & ~edge].groupby(_CELL)["bound"].min().reindex(best.index)
    cost = (100 * (inside - best["bound"])).where(best["edge"], 0.0)
    return pd.DataFrame(
        {
            "at_edge_percent": 100 * best.groupby("dataset")["edge"].mean(),
            "inside_cost_points": cost.groupby("dataset").mean(),
            "untold": cost.isna().groupby("dataset").sum(),
        }
    )


def cost_table(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the time of choosing at each k, as a multiple of that at the smallest k, and the time of the estimates."""
    times = {
        name: tables[f"{name}_times"].groupby([*_CELL], sort=False)["fit_seconds"].sum()
        for name in ("candidates", "estimates")
    }
    frame = pd.DataFrame(times).groupby("k").sum()
    relative: pd.DataFrame = frame / frame["candidates"].iloc[0]
    return relative.rename(columns={"candidates": "choosing", "estimates": "estimating"})
