"""Findings on searches as sentences that read well whatever was found."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from compendium.figures import signed
from compendium.mahlich2024.tables._searches import SAME_COST, WHOLE, search_losses
from compendium.words import listed, out_of, spelled

_MODELS = {"SVM": "a support vector machine", "Decision tree": "a decision tree"}
_BRACKETS = "In brackets are 95 % intervals over data sets, for one comparison each."
_ALONE = "One seed has no other folds to score the choices on."


def _against(effects: pd.DataFrame, reference: str) -> pd.DataFrame:
    return effects[effects["panel"].str.endswith(reference)].set_index("technique")


def _row(effects: pd.DataFrame, reference: str, search: str) -> dict[Any, float]:
    (row,) = _against(effects, reference).loc[[search]].to_dict("records")
    return row


def _plain(value: float) -> str:
    """Return a number with two digits, and with a sign if it is below zero."""
    return signed(value).removeprefix("+")


def _points(row: dict[Any, float], *, sign: bool = False) -> str:
    """Return a difference in points, with its interval in brackets if it has one."""
    middle = signed(row["difference"]) if sign else _plain(row["difference"])
    if math.isnan(row["low"]):
        return f"{middle} points"
    return f"{middle} points ({signed(row['low'])} to {signed(row['high'])})"


def loss_text(effects: pd.DataFrame, search: str) -> str:
    """Return what the choices of a search lose, such as ``0.21 points (+0.06 to +0.38)``.

    Parameters
    ----------
    effects : DataFrame
        From :func:`search_effects`.
    search : str
        One of the cheaper searches.
    """
    row = _row(effects, WHOLE, search)
    return "an amount that one seed cannot tell" if math.isnan(row["difference"]) else _points(row)


def losses_text(effects: pd.DataFrame) -> str:
    """Return what the choices of e-fold lose, of a fixed number of folds at the same cost, and of five folds."""
    efold, same, five = (_row(effects, WHOLE, search) for search in ("e-fold", SAME_COST, "five folds"))
    if math.isnan(efold["difference"]):
        return _ALONE
    return (
        f"The choices of e-fold lose {_points(efold)}, those of a fixed number of folds at the same cost "
        f"{_points(same)}, and those of five folds {_points(five)}."
    )


def answer_text(effects: pd.DataFrame) -> str:
    """Return what e-fold's choices lose, and whether those of a fixed number of folds at the same cost lose less."""
    efold, same = (_row(effects, WHOLE, search) for search in ("e-fold", SAME_COST))
    if math.isnan(efold["difference"]):
        return _ALONE
    ends = f"{signed(efold['low'])} to {signed(efold['high'])}"
    over = "" if math.isnan(efold["low"]) else f" (95 % interval of this loss over data sets {ends})"
    return (
        f"Scored on the folds of other seeds, its choices are on average {_worse(efold['difference'])} than those of "
        f"grid search over all folds{over}. Those of a fixed number of folds at the same cost are "
        f"{_worse(same['difference'])}. {versus_text(effects)}"
    )


def _spoken(search: str) -> str:
    return {"e-fold, dropping": "e-fold with dropping", SAME_COST: "a fixed number at the same cost"}.get(
        search, search
    )


def _worse(loss: float) -> str:
    return f"{abs(loss):.2f} points {'better' if loss < 0 else 'worse'}"


def versus_text(effects: pd.DataFrame) -> str:
    """Return whether e-fold chooses better candidates than a fixed number of folds at the same cost."""
    row = _row(effects, SAME_COST, "e-fold")
    if math.isnan(row["difference"]):
        return _ALONE
    if math.isnan(row["joint_low"]):
        return "One data set does not tell whether e-fold or a fixed number of folds is better."
    if row["joint_low"] > 0:
        return "At the same cost, e-fold loses clearly more than a fixed number of folds."
    if row["joint_high"] < 0:
        return "At the same cost, e-fold loses clearly less than a fixed number of folds."
    return "At the same cost, e-fold and a fixed number of folds do not differ clearly."


def clear_text(effects: pd.DataFrame) -> str:
    """Return which of the cheaper searches lose clearly, alone and with all comparisons allowed for."""
    rows = _against(effects, WHOLE)
    if rows["difference"].isna().any():
        return ""
    if rows["low"].isna().any():
        return "Intervals over data sets take two or more."
    alone, joint = (list(rows.index[rows[name] > 0]) for name in ("low", "joint_low"))
    if not alone:
        count = spelled(len(rows)).lower()
        return f"{_BRACKETS} Of the {count} cheaper searches, none loses clearly, even if looked at alone."
    names = listed([_spoken(name) for name in alone])
    if not joint:
        held = "none does"
    elif joint == alone:
        held = "it still does" if len(alone) == 1 else "they still do"
    else:
        held = f"only {listed([_spoken(name) for name in joint])} {'does' if len(joint) == 1 else 'do'}"
    return (
        f"{_BRACKETS} Looked at alone, {names} {'loses' if len(alone) == 1 else 'lose'} clearly; once all "
        f"{spelled(len(effects)).lower()} comparisons are allowed for, {held}."
    )


def gap_text(effects: pd.DataFrame, searches: pd.DataFrame) -> str:
    """Return e-fold's loss minus that at the same cost, and how much of it comes from a single data set and model.

    Parameters
    ----------
    effects : DataFrame
        From :func:`search_effects`.
    searches : DataFrame
        From :func:`search_table`.
    """
    row = _row(effects, SAME_COST, "e-fold")
    if math.isnan(row["difference"]):
        return ""
    first = f"The loss of e-fold minus that at the same cost is {_points(row, sign=True)}."
    losses = search_losses(searches)
    gaps = (losses["e-fold"] - losses[SAME_COST]).rename("gap").reset_index()
    if len(gaps) < 3:
        return first
    largest = int(gaps["gap"].abs().to_numpy().argmax())
    pair, rest = gaps.to_dict("records")[largest], gaps["gap"].drop(index=largest).mean()
    return (
        f"{first} Of the {len(gaps)} pairs of data set and model, {pair['dataset'].rpartition('/')[2]} with "
        f"{_MODELS.get(pair['model'], pair['model'])} has the largest difference, {signed(pair['gap'])}; the mean over "
        f"the others is {signed(rest)}."
    )


def whole_text(effects: pd.DataFrame) -> str:
    """Return whether all folds choose better candidates than the first five do."""
    row = _row(effects, WHOLE, "five folds")
    if math.isnan(row["difference"]):
        return _ALONE
    if math.isnan(row["low"]):
        return "One data set does not tell whether all folds choose better candidates than the first five."
    if row["low"] > 0:
        return f"All folds choose better candidates than the first five, by {_points(row)}."
    if row["high"] < 0:
        return "On these data, all folds choose worse candidates than the first five."
    return "All folds did not choose clearly better candidates than the first five, even if looked at alone."


def luck_text(searches: pd.DataFrame) -> str:
    """Return how lucky grid search is on its own folds: how far its choice is below the best one on others.

    Parameters
    ----------
    searches : DataFrame
        From :func:`search_table`.
    """
    means = searches.groupby("search")[["loss", "below_best", "regret"]].mean()
    if means["loss"].isna().all():
        return _ALONE
    whole, efold = means.loc[[WHOLE, "e-fold"]].to_dict("records")
    return (
        f"On the folds of the other seeds its choice is {whole['below_best']:.2f} points below the best "
        f"candidate there. The loss of e-fold is {_plain(efold['loss'])} points on those folds, and its regret "
        f"{efold['regret']:.2f} points on its own."
    )


def ties_text(searches: pd.DataFrame) -> str:
    """Return what e-fold and the same cost lose if ties are broken at random, with the parameters of `luck_text`."""
    means = searches.groupby("search")["loss_any"].mean()
    if means.isna().all():
        return ""
    efold, same = (_plain(means[name]) for name in ("e-fold", SAME_COST))
    return (
        f"Candidates often tie, and a search takes the first, as GridSearchCV does. If a tie were broken at random, "
        f"e-fold would lose {efold} points and a fixed number of folds {same}."
    )


def dropping_text(searches: pd.DataFrame) -> str:
    """Return in how many searches dropping candidates changed which one was chosen, by regret."""
    wide = searches.pivot(index=["dataset", "model", "run"], columns="search", values="regret")
    changed = int(((wide["e-fold"] - wide["e-fold, dropping"]).abs() > 1e-6).sum())
    if len(wide) == 1:
        return f"Dropping {'changed' if changed else 'did not change'} the regret of the search."
    return f"Dropping changed the regret of {out_of(changed, len(wide))} searches."
