"""The law of balance, simulated: the bias of cross-validation where folds are dealt alike to any degree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import norm

from compendium.figures import signed
from cvstrat import BalancedKFold, balance_ratio
from cvstrat.metrics import expected_bias, unbiased_balance

Splits = list[tuple[np.ndarray, np.ndarray]]
N_COLUMNS = 4


@dataclass(frozen=True)
class _Drawn:
    """A data set: what a model sums up, row by row; classes, if any; what to do with folds; and the true score.

    `luck` is by how much the mean square of the noise in these rows is above its expectation. An estimate of squared
    error has all of it, whatever the folds; without it, the simulation is several times as precise.
    """

    statistics: np.ndarray
    y: np.ndarray | None
    variance: float
    truth: float
    estimate: Callable[[Splits], float]
    luck: float = 0.0


def balances(n_splits: int) -> list[float]:
    """Return the ratios that are tried: from as alike as can be, past the unbiased one, to random."""
    return [0.0, 0.25, 0.5, unbiased_balance(n_splits), 1.0]


def simulate_law(model: str, n_splits: int, n_rows: int, n_replicates: int, seed: int = 0) -> pd.DataFrame:
    """Return the bias of cross-validation at each degree of balance, simulated and by the formula.

    Parameters
    ----------
    model : {"mean", "least squares", "LDA"}
        A mean and least squares are scored by squared error, linear discriminant analysis by accuracy.
    n_splits, n_rows, n_replicates : int
        Number of folds, of rows of a data set, and of data sets.
    seed : int, default=0
        Seed of the data sets and the folds.

    Returns
    -------
    DataFrame
        A line per degree: ``ratio``, the balance ratio that was reached in the sums that the model is made of;
        ``bias`` with ``bias_se``; and ``formula``, which is missing for LDA.
    """
    found = []
    for balance in balances(n_splits):
        rng = np.random.default_rng(seed)
        drawn = ((_DRAWS[model](n_rows, rng), int(rng.integers(2**31))) for _ in range(n_replicates))
        each = np.array([_one(data, balance, n_splits, number) for data, number in drawn])
        ratio, bias = each[:, 0].mean(), each[:, 1]
        law = np.nan
        if model != "LDA":
            n_parameters = 1 if model == "mean" else N_COLUMNS
            law = expected_bias(ratio, n_rows, n_splits, n_parameters=n_parameters)
        se = bias.std(ddof=1) / np.sqrt(n_replicates)
        found.append({"asked": balance, "ratio": ratio, "bias": bias.mean(), "bias_se": se, "formula": law})
    return pd.DataFrame(found).assign(model=model, n_rows=n_rows, n_splits=n_splits)


def agreement_text(simulated: pd.DataFrame) -> str:
    """Return for which models and numbers of rows the formula agrees with the simulation, and how far it is off else.

    Parameters
    ----------
    simulated : DataFrame
        From :func:`simulate_law`, of models that have a formula.
    """
    told = []
    for (model, rows), lines in simulated.groupby(["model", "n_rows"], sort=False):
        off = lines["bias"] - lines["formula"]
        name = f"{'a mean' if model == 'mean' else model} with {rows} rows"
        if (off.abs() <= 2 * lines["bias_se"]).all():
            told.append(f"For {name} the formula is within two standard errors of the simulation.")
        else:
            told.append(f"For {name} the simulation is {signed(off.min())} to {signed(off.max())} off the formula.")
    return " ".join(told)


def crossing_text(simulated: pd.DataFrame) -> str:
    """Return at which ratios the simulated bias of a model cannot be told from zero, and why the law need not hold.

    Parameters
    ----------
    simulated : DataFrame
        From :func:`simulate_law`, of one model.
    """
    near = simulated.loc[simulated["bias"].abs() <= 2 * simulated["bias_se"], "ratio"]
    where = (
        f"at a ratio of {near.min():.2f}" if len(near) == 1 else f"from a ratio of {near.min():.2f} to {near.max():.2f}"
    )
    told = f"Its bias is within two standard errors of zero {where}" if len(near) else "Its bias is nowhere zero"
    return f"{told}. The law is about squared error; accuracy counts only on which side of a border a row lies."


def _one(data: _Drawn, balance: float, n_splits: int, seed: int) -> list[float]:
    """Deal one data set and return the ratio that was reached, and the error of the estimate."""
    deal = BalancedKFold(
        n_splits,
        balance=balance,
        scale=np.inf,  # the sums themselves
        stratified=data.y is not None,
        shuffle=True,
        random_state=seed,
    )
    splits = list(deal.split(data.statistics, data.y))
    ratio = balance_ratio(splits, data.statistics, data.y) * data.variance
    return [ratio, data.estimate(splits) - data.luck - data.truth]


def _mean(n: int, rng: np.random.Generator) -> _Drawn:
    values = rng.standard_normal(n)

    def estimate(splits: Splits) -> float:
        return float(np.mean([np.mean((values[test] - values[train].mean()) ** 2) for train, test in splits]))

    return _Drawn(values[:, None], None, float(values.var(ddof=1)), 1 + 1 / n, estimate, float(np.mean(values**2)) - 1)


def _least_squares(n: int, rng: np.random.Generator) -> _Drawn:
    X, noise = rng.standard_normal((n, N_COLUMNS)), rng.standard_normal(n)  # all coefficients are 0: none matters

    def estimate(splits: Splits) -> float:
        fits = [np.linalg.lstsq(X[train], noise[train], rcond=None)[0] for train, _ in splits]
        errors = [np.mean((noise[test] - X[test] @ fit) ** 2) for fit, (_, test) in zip(fits, splits, strict=True)]
        return float(np.mean(errors))

    fitted = np.linalg.lstsq(X, noise, rcond=None)[0]
    return _Drawn(X * noise[:, None], None, 1.0, 1 + float(fitted @ fitted), estimate, float(np.mean(noise**2)) - 1)


def _lda(n: int, rng: np.random.Generator) -> _Drawn:
    y = np.arange(n) % 2
    X = rng.standard_normal((n, N_COLUMNS)) + 0.5 * (2 * y[:, None] - 1)

    def fit(rows: np.ndarray) -> tuple[np.ndarray, float]:
        low, high = X[rows][y[rows] == 0], X[rows][y[rows] == 1]
        within = np.cov(np.vstack([low - low.mean(0), high - high.mean(0)]).T)
        slope = np.linalg.solve(within, high.mean(0) - low.mean(0))
        return slope, float(slope @ (high.mean(0) + low.mean(0)) / 2)

    def estimate(splits: Splits) -> float:
        right = [np.mean((X[test] @ slope > cut) == y[test]) for (slope, cut), test in ((fit(a), b) for a, b in splits)]
        return float(np.mean(right))

    slope, cut = fit(np.arange(n))
    middles = np.array([-0.5, 0.5]) * slope.sum()
    truth = norm.cdf(np.array([1, -1]) * (cut - middles) / np.linalg.norm(slope)).mean()
    return _Drawn(X, y, 1.0, float(truth), estimate)


_DRAWS: dict[str, Callable[[int, np.random.Generator], _Drawn]] = {
    "mean": _mean,
    "least squares": _least_squares,
    "LDA": _lda,
}
