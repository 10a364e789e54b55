"""The draws of complete k-fold cross-validation: a data set cut into training, selection and estimation parts."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils import check_random_state, indexable

from cvstrat._compat import num_samples, safe_indexing
from cvstrat.checks import check_count
from cvstrat.errors import InputError
from cvstrat.splitters import TECHNIQUES, make_splitter, row_keys

_ATTEMPTS = 1000


class Draw(NamedTuple):
    """Row numbers of the three parts of one draw."""

    training: np.ndarray
    selection: np.ndarray
    estimation: np.ndarray

    @property
    def both(self) -> np.ndarray:
        """Training and selection part together, from which the final models learn."""
        return np.concatenate([self.training, self.selection])


class Draws(list[Draw]):
    """The draws of one number of folds; `redrawn` were made again, since their training part held one class only."""

    def __init__(self, draws: Iterable[Draw], redrawn: int = 0) -> None:
        super().__init__(draws)
        self.redrawn = redrawn


class CompleteKFold(BaseCrossValidator, BaseEstimator):  # type: ignore[misc]
    """Random draws of a training, a selection and an estimation part, as in complete k-fold cross-validation.

    Of `n` rows the selection and the estimation part have ``n // k`` each, the training part has the rest. All ways to
    cut the data so would be the *complete* procedure; `n_draws` of them are drawn :cite:`anguita2012`.

    Parameters
    ----------
    k : int
        Number of folds, at least 3 and at most half the number of rows.
    n_draws : int, default=100
        Number of draws, at least 1.
    stratify : bool, str or splitter, default=False
        Where the parts come from: False draws rows at random. Otherwise each draw cuts the data into `k` folds and
        takes two of them, chosen at random: True for stratified folds, the name of a technique in
        ``cvstrat.TECHNIQUES`` (such as ``"SCBCV"``), or a splitter, whose number of folds is set to `k`.
    random_state : int, RandomState instance or None, default=None
        Seed of the draws.

    Notes
    -----
    What the parts contain does not depend on the order of the rows. Rows that a fold has above ``n // k`` go to the
    training part. A draw whose training part has one class only is made again.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from cvstrat import CompleteKFold
    >>> X, y = load_iris(return_X_y=True)
    >>> draws = CompleteKFold(4, n_draws=10, stratify=True, random_state=0).draw(X, y)
    >>> [len(part) for part in draws[0]]
    [76, 37, 37]
    """

    def __init__(self, k: int, n_draws: int = 100, *, stratify: Any = False, random_state: Any = None) -> None:
        self.k = k
        self.n_draws = n_draws
        self.stratify = stratify
        self.random_state = random_state

    def draw(self, X: Any, y: Any = None) -> Draws:
        """Return the draws, triples of row numbers.

        Parameters
        ----------
        X : array-like, data frame or sparse matrix
            The rows to cut.
        y : array-like, default=None
            Classes; if given, every training part holds at least two of them.
        """
        check_count("n_draws", self.n_draws, 1)
        check_folds(self.k, num_samples(X))
        X, y = indexable(X, y)
        rng = check_random_state(self.random_state)
        codes = None if y is None else pd.factorize(np.asarray(y), sort=True)[0]
        if codes is not None and codes.max() == 0:
            raise InputError("y has one class only: there is nothing to learn, and no draw can help")
        keys = row_numbers(X)  # parts depend on what rows hold, not on where they stand
        order = np.lexsort((keys,) if codes is None else (codes, keys))
        draws = Draws([])
        while len(draws) < self.n_draws:
            one = self._one(X, y, order, rng)
            if codes is None or np.ptp(codes[one.training]) > 0:
                draws.append(one)
                continue
            draws.redrawn += 1
            if draws.redrawn > _ATTEMPTS * self.n_draws:
                raise InputError(
                    f"k={self.k} leaves training parts of {len(one.training)} rows, nearly always of one class: "
                    "take a larger k, or stratify=True"
                )
        return draws

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield, for each draw, training and selection part together, and the estimation part; `groups` is ignored."""
        for one in self.draw(X, y):
            yield one.both, one.estimation

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of draws; the arguments are ignored, for compatibility."""
        return int(self.n_draws)

    def _one(self, X: Any, y: Any, order: np.ndarray, rng: np.random.RandomState) -> Draw:
        size = len(order) // self.k
        shuffled = order[rng.permutation(len(order))]
        if isinstance(self.stratify, bool | np.bool_) and not self.stratify:
            return Draw(shuffled[2 * size :], shuffled[:size], shuffled[size : 2 * size])
        folds = self._folds(X, y, order, int(rng.randint(np.iinfo(np.int32).max)))[shuffled]
        first, second = rng.permutation(self.k)[:2]
        selection, estimation = (shuffled[folds == number][:size] for number in (first, second))
        if len(selection) < size or len(estimation) < size:
            raise InputError(f"stratify={self.stratify!r} gives folds of unequal size, some below {size} rows")
        taken = np.zeros(len(order), dtype=bool)
        taken[selection] = taken[estimation] = True
        return Draw(shuffled[~taken[shuffled]], selection, estimation)

    def _folds(self, X: Any, y: Any, order: np.ndarray, seed: int) -> np.ndarray:
        """Return the fold of each row; the splitter sees the rows in the order of their contents."""
        rows = safe_indexing(X if hasattr(X, "shape") else np.asarray(X), order)
        target = None if y is None else np.asarray(y)[order]
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="The least populated class")
            tests = [test for _, test in self._splitter(seed, y).split(rows, target)]
        folds = np.full(len(order), -1, dtype=np.intp)
        for number, test in enumerate(tests):
            folds[order[test]] = number
        if len(tests) != self.k or sum(map(len, tests)) != len(order) or (folds < 0).any():
            raise InputError(f"stratify={self.stratify!r} does not cut the rows into k={self.k} folds, each row in one")
        return folds

    def _splitter(self, seed: int, y: Any) -> Any:
        if isinstance(self.stratify, bool | np.bool_ | str):
            name = self.stratify if isinstance(self.stratify, str) else "SCV"
            if y is None and name in TECHNIQUES and TECHNIQUES[name].stratified:
                raise InputError(f"stratify={self.stratify!r} needs classes: give y")
            return make_splitter(name, n_splits=self.k, random_state=seed)
        if not hasattr(self.stratify, "split"):
            raise InputError(
                f"stratify must be True, False, the name of a technique or a splitter; it is {self.stratify!r}"
            )
        splitter = copy.deepcopy(self.stratify)
        splitter.n_splits = self.k
        if hasattr(splitter, "shuffle") and hasattr(splitter, "random_state"):
            splitter.shuffle, splitter.random_state = True, seed
        return splitter


def check_folds(k: Any, n_rows: int) -> None:
    """Raise unless each of three parts can have rows: `k` from 3 to half the number of rows."""
    check_count("k", k, 3)
    if k > n_rows // 2:
        raise InputError(
            f"k={k} is too large for n_samples={n_rows}: above {n_rows // 2} a part has fewer than two rows"
        )


def row_numbers(X: Any, seed: int = 0) -> np.ndarray:
    """Return a random 64-bit number for each row, the same for equal rows; rows may hold text and missing values."""
    if sparse.issparse(X):
        rows = X.tocsr().astype(np.float64)
        rows.sum_duplicates()
        return row_keys(rows, np.random.RandomState(seed))
    values = np.asarray(X)
    if values.ndim == 2 and values.dtype.kind in "biuf":
        return row_keys(values.astype(np.float64, copy=False), np.random.RandomState(seed))
    frame = pd.DataFrame(X if values.ndim == 2 else list(values))
    key = f"{seed:016d}"[-16:]
    try:
        hashed: np.ndarray = pd.util.hash_pandas_object(frame.astype(object), index=False, hash_key=key).to_numpy()
    except TypeError as error:
        raise TypeError(
            f"a value in X cannot be used ({error}): every argument must be a string or a number"
        ) from error
    return hashed
