"""What a pilot had led us to expect, sentence by sentence, and what the studies found."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pandas as pd

from compendium.figures import signed
from compendium.words import HOLDS, IN_PART, NOT, UNKNOWN, listed

_LOCAL = ("1-NN", "15-NN", "tree")
_NEAR, _LINEAR = ("DT", "RF"), ("LR",)  # models of the cluster-based study: small regions, and linear
_MODELS = {"DT": "the tree", "RF": "the forest", "LR": "logistic regression", "SVM": "the support vector machine"}
_SPREAD = 0.2  # correlations of a model that differ by less do not tell distances apart


def outcomes(
    ranks: Mapping[int, float],
    errors: pd.DataFrame,
    planned: pd.DataFrame,
    spread: float,
    followed: pd.DataFrame | None = None,
) -> list[tuple[str, str, str]]:
    """Return each expectation, what was found, and whether it holds.

    Parameters
    ----------
    ranks : mapping of int to float
        Rank correlation over techniques of balance ratio and bias, by number of folds.
    errors : DataFrame
        From :func:`compendium.balance.frontier.mean_over_problems`.
    planned : DataFrame
        From :func:`compendium.balance.plan.compare`.
    spread : float
        By how much the correlations of a model with the ratio at different scales differ at most.
    followed : DataFrame or None, default=None
        These correlations, a line per ``model``, ``n_splits`` and ``scale``. Without them nothing is known of the
        direction in which they differ, and what was expected of it cannot be told.
    """
    table = errors.set_index(["n_rows", "learner", "procedure"])
    bias, bias_se = table["bias"].to_dict(), table["bias_se"].to_dict()
    rows = int(errors["n_rows"].min())
    few, many = min(ranks), max(ranks)
    fair, plain = (bias[rows, "LDA", name] for name in ("balanced unbiased 2", "SCV 2"))
    two, ten = (_counts(planned, f"balanced unbiased {k}", f"SCV {k}") for k in (2, 10))
    walk, alike = ((rows, "1-NN", name) for name in ("DBSCV 2", "balanced 0 2"))
    noise = math.hypot(bias_se[walk], bias_se[alike])
    start, parted, lifted = (bias[rows, "tree", name] for name in ("SCV 2", "DBSCV 2", "balanced 0 2"))
    five, random = (table["rmse"].xs(name, level="procedure") for name in ("SCBCV 5", "KFold 10"))
    excess = (100 * (five / random - 1)).loc[(slice(None), list(_LOCAL))]
    sides, scales = _scales(followed)
    return [
        (
            "One number puts the techniques in the order of their bias.",
            f"The rank correlation is {signed(ranks[few], 2)} with {few} folds and {signed(ranks[many], 2)} with "
            f"{many}.",
            HOLDS if max(ranks.values()) < -0.5 else NOT,
        ),
        (
            "Two folds at the unbiased ratio leave LDA nearly without bias.",
            f"With {rows} rows it is {signed(fair, 1)} points, against {signed(plain, 1)} with two stratified folds.",
            HOLDS if abs(fair) < abs(plain) / 2 else NOT,
        ),
        (
            "With two folds, the error becomes smaller too.",
            f"It is smaller in {two['smaller'] or 'none'} of {two['all']} planned comparisons and larger in "
            f"{two['larger'] or 'none'}.",
            HOLDS if two["smaller"] == two["all"] else IN_PART if two["smaller"] > two["larger"] else NOT,
        ),
        (
            "With ten folds there is little left to gain.",
            f"The errors are equal within half a point in {ten['equal'] or 'none'} of {ten['all']}, and differ in "
            f"{ten['smaller'] + ten['larger'] or 'none'}.",
            HOLDS if ten["smaller"] + ten["larger"] == 0 else NOT,
        ),
        (
            "Walks that part neighbours flatter 1-NN beyond what their balance ratio says.",
            f"With {rows} rows and two folds the bias is {signed(bias[walk], 1)} points with DBSCV, and "
            f"{signed(bias[alike], 1)} with folds that are more alike but keep some neighbours together.",
            HOLDS if bias[walk] - bias[alike] > 2 * noise else NOT,
        ),
        (
            "Only such walks move the bias of a tree much.",
            f"With {rows} rows and two folds, a walk lifts it from {signed(start, 1)} to {signed(parted, 1)} points, "
            f"and folds as alike as can be in random order lift it to {signed(lifted, 1)}.",
            HOLDS if lifted - start < (parted - start) / 2 else NOT,
        ),
        (
            "For learners that look at small regions, five cluster-based folds do what takes ten random ones.",
            f"Relative to ten random folds, the error of five folds of SCBCV differs by {signed(min(excess), 0)} "
            f"to {signed(max(excess), 0)} %; up to 5 % more counts as the same.",
            HOLDS if max(excess) < 5 else IN_PART if min(excess) < 0 else NOT,
        ),
        (
            "The bias of such learners follows the balance at small distances, that of linear ones at large.",
            f"On real data the correlations of a model at different distances differ by {spread:.2f} at most.{sides}",
            UNKNOWN if spread < _SPREAD else scales,
        ),
    ]


def _scales(followed: pd.DataFrame | None) -> tuple[str, str]:
    """Return at which distances models follow the balance, and what that says of the expectation.

    Only models whose correlations at different distances are told apart have a say. Such a model follows the half of
    the scales, small or large, on which its mean correlation is lower. That linear models follow large distances says
    nothing of the expectation unless those that look at small regions, trees and forests, follow small ones.
    """
    if followed is None:
        return "", UNKNOWN
    apart = followed.groupby(["model", "n_splits"])["correlation"].transform(lambda values: values.max() - values.min())
    told = followed[apart >= _SPREAD]
    if told.empty:
        return "", UNKNOWN
    large = (told["scale"] > followed["scale"].median()).rename("large")
    means = told.groupby(["model", large])["correlation"].mean().unstack()
    sides = {str(name): "large" if line[True] < line[False] else "small" for name, line in means.iterrows()}
    names = {
        side: [_MODELS.get(name, name) for name, one in sides.items() if one == side] for side in ("small", "large")
    }
    where = listed([f"at {side} distances for {listed(models)}" for side, models in names.items() if models])
    near, linear = ({sides[name] for name in kind if name in sides} for kind in (_NEAR, _LINEAR))
    held = UNKNOWN if not near else NOT if "large" in near else HOLDS if linear == {"large"} else IN_PART
    return f" Where they differ by {_SPREAD:g} or more, they are strongest {where}.", held


def _counts(planned: pd.DataFrame, first: str, second: str) -> dict[str, int]:
    these = planned.loc[(planned["first"] == first) & (planned["second"] == second), "verdict"]
    return {"all": len(these), **{name: int((these == name).sum()) for name in ("smaller", "equal", "larger")}}
