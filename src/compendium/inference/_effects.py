"""How large differences are: intervals for each and for all at once, tests, and evidence of no difference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from compendium.inference._pairwise import adjusted
from compendium.inference._studentized import detectable, grouped_mean
from compendium.inference._table import DECIMALS, checked

_ALPHA = 0.05


def effects(
    table: pd.DataFrame,
    reference: Any,
    groups: Any,
    *,
    n_comparisons: int = 0,
    margin: float = np.nan,
    n_resamples: int | None = None,
    level: float = 0.95,
    random_state: Any = 0,
) -> pd.DataFrame:
    """Measure how each technique differs from a reference.

    Parameters
    ----------
    table : DataFrame
        A block per row, a technique per column; complete. Differences are compared after rounding to 12 decimals.
    reference : column of the table
        The technique that the others are compared to.
    groups : str or array-like of shape (n_blocks,)
        What to resample: the name of a level of the table's index, or a group for each block.
    n_comparisons : int, default=0
        Number of differences for which the joint intervals are to hold at once; 0 means those of this table.
    margin : float, default=nan
        Size below which a difference does not matter, fixed before looking; NaN means that none was.
    n_resamples, random_state
        As in :func:`grouped_mean`. An integer as `random_state` draws the same groups for all techniques.
    level : float, default=0.95
        Probability, between 0 and 1, with which an interval should hold the true difference.

    Returns
    -------
    DataFrame
        A line per other technique. Columns:

        - ``difference``: mean over the blocks of the technique minus the reference;
        - ``low``, ``high``: its interval over the groups;
        - ``joint_low``, ``joint_high``: the interval that holds for all comparisons at once (Bonferroni's correction);
        - ``p_value``: of no difference, two-sided;
        - ``p_equivalent``: of a difference as large as the margin or larger (two one-sided tests);
        - ``detectable``: smallest true difference that Student's joint interval finds with probability 0.8;
        - ``rank_biserial``: matched pairs, from -1 (always smaller than the reference) to 1 (always larger);
        - ``share_smaller``: share of the blocks in which it is smaller than the reference; ties count half.

    Notes
    -----
    The rank-biserial correlation is the sum of signed ranks as a share of the sum of all ranks. Differences of zero are
    ranked and have no sign, as in :func:`pairwise`: blocks without a difference bring the correlation nearer to 0.

    Examples
    --------
    >>> import pandas as pd
    >>> from compendium.inference import effects
    >>> both = [["iris", "wine"], ["tree", "svm"]]
    >>> blocks = pd.MultiIndex.from_product(both, names=["dataset", "model"])
    >>> table = pd.DataFrame({"plain": [3, 4, 5, 6], "new": [2, 4, 3, 3]}, index=blocks)
    >>> found = effects(table, "plain", "dataset").loc["new"]
    >>> found[["difference", "rank_biserial", "share_smaller"]].to_dict()
    {'difference': -1.5, 'rank_biserial': -0.9, 'share_smaller': 0.875}
    """
    values = checked(table)
    if reference not in values.columns:
        raise ValueError(f"the reference must be a technique of the table, one of {list(table)}; it is {reference!r}")
    labels = _labels(values.index, groups)
    others = values.drop(columns=reference)
    differences = others.sub(values[reference], axis=0).round(DECIMALS)
    joint = 1 - (1 - level) / (n_comparisons or others.shape[1])
    lines = []
    for name in others:
        found = grouped_mean(differences[name], labels, n_resamples, random_state)
        (low, high), (joint_low, joint_high) = found.interval(level), found.interval(joint)
        lines.append(
            {
                "difference": found.estimate,
                "low": low,
                "high": high,
                "joint_low": joint_low,
                "joint_high": joint_high,
                "p_value": found.p_value(),
                "p_equivalent": found.p_equivalent(margin) if margin > 0 else np.nan,
                "detectable": detectable(found.se, found.n_groups, joint),
            }
        )
    signs = np.sign(differences)
    ranks = stats.rankdata(differences.abs(), axis=0)
    return pd.DataFrame(lines, index=others.columns).assign(
        rank_biserial=(signs * ranks).sum() / ranks.sum(axis=0), share_smaller=(1 - signs.mean()) / 2
    )


def effects_if_several(table: pd.DataFrame, reference: Any, groups: str, **options: Any) -> pd.DataFrame:
    """Return :func:`effects` over a level of the index, or bare differences where it has but one value.

    Parameters
    ----------
    table, reference, groups, **options
        As in :func:`effects`; `groups` is the name of a level.

    Returns
    -------
    DataFrame
        As from :func:`effects`. A single group has no interval and no test: those are missing then.
    """
    if table.index.get_level_values(groups).nunique() > 1:
        return effects(table, reference, groups, **options)
    others = table.drop(columns=reference)
    bare = pd.DataFrame({"difference": others.sub(table[reference], axis=0).mean()})
    return bare.reindex(columns=["difference", "low", "high", "joint_low", "joint_high", "p_value", "p_equivalent"])


def with_findings(effects: pd.DataFrame) -> pd.DataFrame:
    """Return effects with what each of them is evidence of, all rows of the table taken together.

    Parameters
    ----------
    effects : DataFrame
        Rows of :func:`effects` with a margin, whose joint intervals hold for all of them.

    Returns
    -------
    DataFrame
        The same with ``p_holm`` and ``p_fdr`` (of the differences), ``p_equivalent`` corrected by Holm's method, and
        ``finding``:

        - ``larger`` or ``smaller``: the joint interval excludes zero;
        - ``equal``: the difference is clearly below the margin;
        - ``larger, below the margin`` and ``smaller, below the margin``: both;
        - ``open``: neither, so that there is no evidence of a difference and none of equality.
    """
    equal = adjusted(effects["p_equivalent"])
    sign = np.where(effects["joint_low"] > 0, "larger", np.where(effects["joint_high"] < 0, "smaller", ""))
    small = equal < _ALPHA
    finding = np.where(sign == "", np.where(small, "equal", "open"), sign)
    finding = np.where((sign != "") & small, np.char.add(sign, ", below the margin"), finding)
    return effects.assign(
        p_holm=adjusted(effects["p_value"]),
        p_fdr=adjusted(effects["p_value"], "fdr_bh"),
        p_equivalent=equal,
        finding=finding,
    )


def _labels(index: pd.Index, groups: Any) -> Any:
    if not isinstance(groups, str):
        return groups
    if groups not in index.names:
        raise ValueError(f"groups must be a level of the table's index, one of {list(index.names)}; it is {groups!r}")
    return index.get_level_values(groups)
