"""How many rows of a class a fold holds: a random one, by the hypergeometric distribution, or one of those dealt."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import special, stats

from cvstrat.checks import check_count
from cvstrat.errors import InputError


def check_class(n: int, n_class: int, n_splits: int) -> None:
    """Raise unless a class of `n_class` out of `n` rows can be cut into `n_splits` folds."""
    check_count("n_splits", n_splits, 2)
    check_count("n_class", n_class, 0)
    if not n_class <= n:
        raise InputError(f"a class cannot have more rows than there are: n_class={n_class}, n={n}")
    if n_splits > n:
        raise InputError(f"n_splits={n_splits} is more than the number of rows, {n}")


def fold_sizes(n: int, n_splits: int) -> np.ndarray:
    """Return the sizes of folds of `n` rows: as equal as can be, larger ones first."""
    return np.full(n_splits, n // n_splits) + (np.arange(n_splits) < n % n_splits)


def count_distribution(n: int, n_class: int, n_splits: int) -> pd.Series:
    r"""Return how probable each number of rows of a class is in a random fold, indexed by that number.

    With :math:`P` of :math:`N` rows in the class, a fold of :math:`m` rows holds :math:`x` of them with probability

    .. math:: \binom{P}{x} \binom{N-P}{m-x} \Big/ \binom{N}{m} .

    Parameters
    ----------
    n, n_class : int
        Number of rows, and how many of them belong to the class, from 0 to `n`.
    n_splits : int
        Number of folds. If they differ in size, the fold is one chosen at random.

    Examples
    --------
    >>> from cvstrat.metrics import count_distribution
    >>> count_distribution(6, 2, 3).round(3).to_dict()
    {0: 0.4, 1: 0.533, 2: 0.067}
    """
    check_class(n, n_class, n_splits)
    sizes, folds = np.unique(fold_sizes(n, n_splits), return_counts=True)
    x = np.arange(min(n_class, sizes.max()) + 1)
    each = stats.hypergeom.pmf(x, n, n_class, sizes[:, None])
    return pd.Series(np.average(each, axis=0, weights=folds), index=x, name="probability").rename_axis("rows")


def empty_probability(n: int, n_class: int, n_splits: int) -> float:
    """Return the probability that a random fold holds no row of a class.

    Parameters are those of :func:`cvstrat.metrics.count_distribution`.

    Examples
    --------
    >>> from cvstrat.metrics import empty_probability
    >>> f"{empty_probability(20000, 200, 10):.2g}"
    '6.3e-10'
    """
    check_class(n, n_class, n_splits)
    sizes, folds = np.unique(fold_sizes(n, n_splits), return_counts=True)
    return float(np.average([np.exp(_log_none(n, n_class, int(size))) for size in sizes], weights=folds))


def _log_none(n: int, n_class: int, rows: int) -> float:
    """Return the logarithm of the probability that `rows` rows drawn from `n` hold none of a class."""
    few, many = sorted((n_class, rows))
    return float(np.log1p(-many / (n - np.arange(few))).sum()) if few + many <= n else -np.inf


def any_empty_probability(n: int, n_class: int, n_splits: int) -> float:
    """Return the probability that at least one of all random folds holds no row of a class.

    Parameters are those of :func:`cvstrat.metrics.count_distribution`.

    Where empty folds are rare the sum of inclusion and exclusion has no cancellation and is taken as it stands.
    Elsewhere the counts of the folds are seen as independent binomial ones, given that they add up to `n_class`: the
    probability that all are positive is a coefficient of a product of polynomials with positive coefficients.

    Examples
    --------
    >>> from cvstrat.metrics import any_empty_probability
    >>> round(any_empty_probability(6, 2, 2), 3), any_empty_probability(30, 9, 10)
    (0.4, 1.0)
    """
    if n_class < n_splits:
        check_class(n, n_class, n_splits)
        return 1.0
    rare = n_splits * empty_probability(n, n_class, n_splits) < 1
    found = _inclusion_exclusion(n, n_class, n_splits) if rare else 1 - _all_positive(n, n_class, n_splits)
    return float(np.clip(found, 0, 1))


def _inclusion_exclusion(n: int, n_class: int, n_splits: int) -> float:
    large, small = n % n_splits, n_splits - n % n_splits
    a, b = np.ogrid[: large + 1, : small + 1]
    left = n - a * (n // n_splits + 1) - b * (n // n_splits)
    fits = (left >= n_class) & (a + b > 0)
    logs = _log_choose(large, a) + _log_choose(small, b) + _log_choose(np.where(fits, left, n), n_class)
    terms = np.where(fits, np.exp(logs - _log_choose(n, n_class)), 0.0)
    return float((np.where((a + b) % 2, 1.0, -1.0) * terms).sum())


def _log_choose(n: Any, k: Any) -> Any:
    return -np.log1p(n) - special.betaln(n - k + 1, k + 1)


def _all_positive(n: int, n_class: int, n_splits: int) -> float:
    share = n_class / n
    product = np.ones(1)
    for size in fold_sizes(n, n_splits):
        some = stats.binom.pmf(np.arange(min(size, n_class) + 1), size, share)
        some[0] = 0.0
        product = np.convolve(product, some)[: n_class + 1]
    return float(product[n_class] / stats.binom.pmf(n_class, n, share)) if len(product) > n_class else 0.0


def quotas(n_class: int, n_splits: int) -> np.ndarray:
    r"""Return how many rows of a class each fold gets: :math:`\lfloor n_c/k \rfloor`, and one more in the first folds.

    Parameters
    ----------
    n_class, n_splits : int
        Rows of the class, and number of folds.

    Examples
    --------
    >>> from cvstrat.metrics import quotas
    >>> quotas(23, 3).tolist()
    [8, 8, 7]
    """
    check_count("n_class", n_class, 0)
    check_count("n_splits", n_splits, 2)
    return fold_sizes(n_class, n_splits)


def dealt_counts(counts: Any, n_splits: int, *, restart: bool = False) -> np.ndarray:
    """Return how many rows of each class (columns) each fold (rows) gets when classes are dealt one after the other.

    Parameters
    ----------
    counts, n_splits : sequence of int, int
        Rows of each class, and number of folds.
    restart : bool, default=False
        Whether each class is dealt from the first fold on. If not, it goes on where the class before it ended, as the
        splitters of this package do: then not only counts but also fold sizes differ by at most one.

    Examples
    --------
    >>> from cvstrat.metrics import dealt_counts
    >>> dealt_counts([23, 7, 3], 3).tolist()
    [[8, 2, 1], [8, 2, 1], [7, 3, 1]]
    """
    sizes = [int(count) for count in counts]
    starts = np.cumsum([0, *sizes[:-1]]) % n_splits
    return np.stack(
        [np.roll(quotas(count, n_splits), 0 if restart else start) for count, start in zip(sizes, starts, strict=True)],
        axis=1,
    )


def largest_n_splits(counts: Any) -> int:
    """Return the largest number of folds for which stratified folds hold every class: the least of `counts`.

    Examples
    --------
    >>> from cvstrat.metrics import largest_n_splits
    >>> largest_n_splits([23, 7, 3])
    3
    """
    return int(min(counts))
