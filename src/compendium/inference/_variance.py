"""Where differences come from, and whether they are larger than the noise."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from compendium.inference._table import DECIMALS


def variance_shares(
    frame: pd.DataFrame, value: str, factors: Sequence[str], interactions: bool = False
) -> pd.DataFrame:
    """Share out the total sum of squares of a value among the factors of a balanced design.

    Parameters
    ----------
    frame : DataFrame
        A line per observation. Each combination of the factors' levels must occur, and equally often.
    value : str
        The numeric column to explain, no value missing.
    factors : sequence of str
        The columns with the factors, at least one and all different.
    interactions : bool, default=False
        Whether to set apart what each two factors explain together, beyond each alone; otherwise it stays in the
        residual.

    Returns
    -------
    DataFrame
        A line per factor, per pair (``first:second``) if wanted, and ``residual``. Columns: ``factor``, ``share`` (they
        sum to 1) and ``df``, the degrees of freedom.

    Notes
    -----
    The effect of a factor is how far the means of its levels are from the mean of all. In a balanced design the effects
    are orthogonal, so that their sums of squares add up to the total in whatever order they are taken out.

    Examples
    --------
    >>> import pandas as pd
    >>> from compendium.inference import variance_shares
    >>> frame = pd.DataFrame({"data": list("aabb"), "cv": list("xyxy"), "score": [0, 1, 4, 7]})
    >>> variance_shares(frame, "score", ["data", "cv"])
         factor     share  df
    0      data  0.833333   1
    1        cv  0.133333   1
    2  residual  0.033333   1
    """
    values, codes, levels = _design(frame, value, factors)
    shape = [len(names) for names in levels]
    residual = values - values.mean()
    lines = []
    for size in (1, 2) if interactions else (1,):
        for term in combinations(range(len(factors)), size):
            cells = np.ravel_multi_index([codes[part] for part in term], [shape[part] for part in term])
            effect = (np.bincount(cells, weights=residual) / np.bincount(cells))[cells]
            residual = residual - effect
            df = int(np.prod([shape[part] - 1 for part in term]))
            lines.append((":".join(factors[part] for part in term), (effect**2).sum(), df))
    lines.append(("residual", (residual**2).sum(), len(values) - 1 - sum(df for _, _, df in lines)))
    shares = pd.DataFrame(lines, columns=["factor", "share", "df"])
    return shares.assign(share=shares["share"] / shares["share"].sum())


def beyond_noise(difference: Any, se: Any, z: float = 1.96) -> np.ndarray:
    """Return where a difference, of either sign, is larger than `z` standard errors.

    Parameters
    ----------
    difference, se : array-like
        Differences and their standard errors, of the same shape, or one for all. Two Series must have the same index.
        Differences are rounded to 12 decimals first.
    z : float, default=1.96
        Number of standard errors up to which a difference passes for noise.

    Returns
    -------
    array of bool
        False where the standard error is NaN, since nothing is known of the noise.

    Examples
    --------
    >>> from compendium.inference import beyond_noise
    >>> beyond_noise([0.5, -0.5, 0.1], 0.2).tolist()
    [True, True, False]
    """
    if isinstance(difference, pd.Series) and isinstance(se, pd.Series) and not difference.index.equals(se.index):
        raise ValueError("difference and se have different indices; reindex one like the other")
    standard_errors = np.asarray(se, dtype=float)
    if (standard_errors < 0).any():
        raise ValueError(f"standard errors cannot be negative; the smallest is {np.nanmin(standard_errors)}")
    return np.asarray(np.abs(np.round(np.asarray(difference, dtype=float), DECIMALS)) > z * standard_errors)


def _design(
    frame: pd.DataFrame, value: str, factors: Sequence[str]
) -> tuple[np.ndarray, list[np.ndarray], list[list[Any]]]:
    if isinstance(factors, str) or not factors or len({value, *factors}) < len(factors) + 1:
        raise ValueError(f"factors must be a list of different columns, without {value!r}; it is {factors!r}")
    _check_columns(frame, [*factors, value])
    values = _finite_column(frame, value)
    if (values == values[0]).all():
        raise ValueError(f"there is no variance to share out: {value!r} is {values[0]} in all {len(values)} lines")
    pairs = [pd.factorize(pd.Index(frame[factor])) for factor in factors]
    codes, levels = [code for code, _ in pairs], [names.tolist() for _, names in pairs]
    for factor, code in zip(factors, codes, strict=True):
        if (code < 0).any():
            raise ValueError(f"{int((code < 0).sum())} lines have no {factor!r}; drop them or name the level")
    _check_balance(factors, codes, levels)
    return values, codes, levels


def _check_balance(factors: Sequence[str], codes: list[np.ndarray], levels: list[list[Any]]) -> None:
    shape = [len(names) for names in levels]
    cells, counts = np.unique(np.ravel_multi_index(codes, shape), return_counts=True)

    def named(cell: int) -> str:
        place = np.unravel_index(cell, shape)
        return ", ".join(f"{factor}={names[at]!r}" for factor, names, at in zip(factors, levels, place, strict=True))

    if len(cells) < np.prod(shape):
        gaps = np.flatnonzero(cells != np.arange(len(cells)))
        missing = int(gaps[0]) if len(gaps) else len(cells)
        raise ValueError(f"the design is not complete: there is no line with {named(missing)}; drop a level or run it")
    if counts.min() < counts.max():
        rarest, commonest = int(counts.argmin()), int(counts.argmax())
        raise ValueError(
            f"the design is not balanced: {counts[rarest]} lines with {named(rarest)}, "
            f"{counts[commonest]} with {named(commonest)}; average the lines of each combination first"
        )


def _check_columns(frame: pd.DataFrame, names: Sequence[str]) -> None:
    absent = [name for name in names if name not in frame.columns]
    if absent:
        raise ValueError(f"the frame has no column {absent[0]!r}; it has {list(frame.columns)}")


def _finite_column(frame: pd.DataFrame, value: str) -> np.ndarray:
    if frame.empty:
        raise ValueError("the frame has no lines")
    if not pd.api.types.is_numeric_dtype(frame[value]):
        raise ValueError(f"the column {value!r} must hold numbers; it is of type {frame[value].dtype}")
    values = frame[value].to_numpy(dtype=float, na_value=np.nan)
    bad = int((~np.isfinite(values)).sum())
    if bad:
        raise ValueError(f"{bad} of {len(values)} lines have no finite {value!r}; drop them")
    return values
