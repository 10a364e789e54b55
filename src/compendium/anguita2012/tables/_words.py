"""Findings on complete k-fold as sentences that read well whatever was found."""

from __future__ import annotations

import pandas as pd

from compendium.figures import signed
from compendium.words import listed, spelled
from cvstrat.complete import clopper_pearson_upper


def apart_text(apart: pd.DataFrame) -> str:
    """Return how many of our means are far from the printed ones, and on which problems.

    Parameters
    ----------
    apart : DataFrame
        From :func:`distances_from_table1`.
    """
    if apart.empty:
        return "No printed mean can be compared with these."
    size = apart["z"].abs()
    two, three = int((size > 2).sum()), apart[size > 3]
    names = sorted({name.rpartition("/")[2] for name in three["dataset"]})
    count = "none" if three.empty else spelled(len(three)).lower()
    where = "" if three.empty else f", {'all ' if len(three) > 1 else ''}on {listed(names)},"
    verb = "differs" if two == 1 else "differ"
    return (
        f"Of {len(apart)} printed means, {two or 'none'} {verb} from ours by more than two standard errors of the "
        f"difference" + (f", and {count}{where} by more than three." if two else ".")
    )


def edges_text(edges: pd.DataFrame) -> str:
    """Return what it would cost to choose inside the grid, and for how many choices that cannot be told.

    Parameters
    ----------
    edges : DataFrame
        From :func:`grid_edges`.
    """
    cost, untold = edges["inside_cost_points"], int(edges["untold"].sum())
    if not (edges["at_edge_percent"] > 0).any():
        return "No choice lies at an edge."
    if cost.isna().all():
        return "No candidate inside was tried on all draws, so what it would cost to stay inside cannot be told."
    many = " of each problem" if len(edges) > 1 else ""
    first = (
        f"On average over the choices{many}, the bound of the best candidate inside is at most {cost.max():.2f} points "
        "higher."
    )
    if not untold:
        return first
    noun = "choice" if untold == 1 else "choices"
    return f"{first} For {spelled(untold).lower()} {noun} it cannot be told: no finalist lies inside."


def printed_text(impossible: pd.DataFrame) -> str:
    """Return that what the paper prints after ± is no standard deviation, and why.

    Parameters
    ----------
    impossible : DataFrame
        From :func:`impossible_spreads`.
    """
    if impossible.empty:
        return "The paper does not say what its ± is."
    one = impossible.iloc[0]
    rest = list(impossible["name"].iloc[1:])
    also = f", and likewise on {listed(rest)}" if rest else ""
    return (
        f"The ± of the paper cannot be a standard deviation: ten whole numbers with a mean of {one['k']:g} have one of "
        f"at least {one['least']:.2f}, and {one['k_spread']:g} is printed (k on {one['name']}{also}). Half a 95 % "
        "interval over realizations would fit, and we take it for that."
    )


def joint_text(rows: dict[str, pd.Series]) -> str:
    """Return which of some differences are clear alone and no longer are if all comparisons are allowed for.

    Parameters
    ----------
    rows : dict of str to Series
        Rows of :func:`fixed_effects`, by what they are in words.
    """
    lost = [
        f"{name} ({signed(row['joint_low'])} to {signed(row['joint_high'])})"
        for name, row in rows.items()
        if (row["low"] > 0 or row["high"] < 0) and row["joint_low"] <= 0 <= row["joint_high"]
    ]
    if not lost:
        return ""
    if len(lost) == 1:
        return f" For all at once, {lost[0]} does not differ clearly."
    subject = f"neither {lost[0]} nor {lost[1]} differs" if len(lost) == 2 else f"none of {listed(lost)} differs"
    return f" For all at once, {subject} clearly."


def kinds_text(kinds: pd.DataFrame) -> str:
    """Return which differences between draws are clear, in a sentence or two.

    Parameters
    ----------
    kinds : DataFrame
        From :func:`kind_effects`.
    """
    joint = (kinds["joint_low"] > 0) | (kinds["joint_high"] < 0)
    alone = int((((kinds["low"] > 0) | (kinds["high"] < 0)) & ~joint).sum())
    said: dict[str, list[str]] = {}
    for panel, part in kinds[joint].groupby("panel", sort=False):
        name, _, k = str(panel).rpartition(", ")
        cells = [f"{row['technique']} {signed(row['difference'])}" for row in part.to_dict("records")]
        said.setdefault(k, []).append(f"the {name} ({', '.join(cells)})")
    if said:
        verb = "is" if joint.sum() == 1 else "are"
        words = "; ".join(f"with {k} {listed(parts)}" for k, parts in said.items())
        first = (
            f"With intervals that hold for all {len(kinds)} differences at once, {joint.sum()} {verb} clear (in "
            f"points): {words}."
        )
    else:
        first = f"None of the {len(kinds)} differences is clear once all of them are allowed for."
    more = " more" if said else ""
    return first + (f" {spelled(alone)}{more} would be clear if looked at alone." if alone else "")


def spread_text(kinds: pd.DataFrame) -> str:
    """Return what becomes of the spread of the error where parts resemble each other, and what follows for the bound.

    Parameters
    ----------
    kinds : DataFrame
        From :func:`kind_effects`.
    """
    part = kinds[kinds["panel"].str.startswith("deviation over draws")]
    less = int((part["difference"] < 0).sum())
    if less < len(part):
        return "That the error varies less from draw to draw where parts resemble each other does not show here."
    sure = bool((part["joint_high"] < 0).any())
    return (
        f"On average{'' if sure else ', though not clearly,'} the error varies less from draw to draw where parts "
        f"resemble each other. {'So' if sure else 'If so,'} the binomial law overstates the spread, and the bound "
        "stays on the safe side as far as the spread goes, but not against a shift of the mean."
    )


def tested_text(replicates: pd.DataFrame, delta: float) -> str:
    """Return on which problems the bound can be exceeded at all: where the error is not mostly below its least value.

    Parameters
    ----------
    replicates : DataFrame
        ``replicates`` of the study of the guarantee.
    delta : float
        Probability with which a bound may be too low, between 0 and 1.
    """
    cells = replicates.groupby(["problem", "replicate", "k"], sort=False)[["true_error", "tested"]].mean().reset_index()
    rows = cells["tested"].to_numpy()
    below = (cells["true_error"] < clopper_pearson_upper(0 * rows, rows, delta)).groupby(cells["problem"]).mean()
    safe, real = (list(below.index[below > 0.5]), list(below.index[below <= 0.5]))
    if not safe:
        return ""
    reason = f"on {listed(safe)} the error is mostly below the least value the bound can take."
    if not real:
        return f" None of them is much of a test: {reason}" if len(safe) > 1 else f" It is not much of a test: {reason}"
    one = f"Only {real[0]} is a real test" if len(real) == 1 else f"{listed(real)} are real tests"
    return f" {one}: {reason}"


def drawn_text(shares: pd.DataFrame) -> str:
    """Return which problems have a panel of their own, and which are never above the bound.

    Parameters
    ----------
    shares : DataFrame
        From :func:`exceedance`, of one delta.
    """
    highest = shares.groupby("problem", sort=False)["share"].max()
    never, drawn = list(highest.index[highest == 0]), list(highest.index[highest > 0])
    if not never:
        return ""
    if not drawn:
        return f" The error is never above the bound, so only {never[0]} is drawn." if len(never) > 1 else ""
    verb = "is" if len(drawn) == 1 else "are"
    return f" Only {listed(drawn)} {verb} drawn; on {listed(never)} the error is never above the bound."
