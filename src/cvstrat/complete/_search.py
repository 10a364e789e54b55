"""A search that chooses hyperparameters and the number of folds, and bounds the error of what it has chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from joblib import Parallel, delayed
from scipy.stats import rankdata
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.model_selection import ParameterGrid
from sklearn.utils import check_random_state, get_tags, indexable
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from cvstrat._candidates import candidate_columns
from cvstrat._compat import num_samples, safe_indexing
from cvstrat.checks import check_count
from cvstrat.complete._bounds import check_delta
from cvstrat.complete._draws import CompleteKFold, Draws, check_folds, row_numbers
from cvstrat.complete._learners import Learner, Setting, fitted, learner_of
from cvstrat.complete._select import Selection, mean_bound, select
from cvstrat.errors import InputError


class CompleteKFoldSearchCV(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Choose hyperparameters and the number of folds together, and return an upper bound of the error.

    For every candidate and every number of folds `k`, the data are cut at random, many times, into a training, a
    selection and an estimation part. The candidate and `k` with the least mean Clopper-Pearson bound on the selection
    parts are chosen; models are then fitted on training and selection part together, and the mean bound on the
    estimation parts is returned with them :cite:`anguita2012`.

    Parameters
    ----------
    estimator : classifier
        Any that has ``fit`` and ``predict``.
    param_grid : dict or list of dicts
        Lists of values, as in ``GridSearchCV``.
    ks : sequence of int, default=(3, 4, 5, 6, 8, 10)
        Numbers of folds, each from 3 to half the number of rows. With one, `k` is fixed.
    n_draws : int, default=100
        Draws for each number of folds; also the number of models.
    delta : float, default=0.05
        Chance with which a single bound may be too low.
    n_screening : int, default=None
        If given, all candidates are compared on this many draws and only the three best of each `k` on all of them:
        much faster, and no longer Algorithm 1 to the letter. None compares all on all draws.
    estimate_all : bool, default=False
        Whether to bound the error of the best candidate of every `k`, not only of the best `k`.
    stratify : bool, str or splitter, default=False
        How the data are cut: see :class:`cvstrat.CompleteKFold`.
    predict_mode : "draw" or "vote", default="draw"
        ``draw`` predicts each row by a model that is drawn for it, which is what the bound speaks of; ``vote`` by the
        majority of all models, to which the bound does not apply (it is rarely worse). The draw depends on
        `random_state` and on the row's contents, not on its place.
    n_jobs : int, default=None
        Number of candidates that are fitted at the same time; None means 1.
    verbose : int, default=0
        Above 0, progress is shown.
    random_state : int, RandomState instance or None, default=None
        Where draws and predictions come from.

    Attributes
    ----------
    best_params_ : dict
        Hyperparameters of the candidate that was chosen.
    best_k_, best_index_ : int
        Number of folds, and row of `cv_results_`.
    error_bound_, error_bound_se_ : float
        Mean bound on the estimation parts, and its standard error over draws.
    error_bounds_ : dict of int to float
        Bounds of the best candidate of each number of folds; of all of them with `estimate_all`.
    models_ : list of classifiers
        One per draw, fitted on training and selection part.
    cv_results_ : dict of str to ndarray
        A row per candidate and number of folds: ``params``, ``param_...``, ``k``, ``n_draws``,
        ``mean_selection_bound``, ``std_selection_bound``, ``mean_selection_error``, ``rank_selection_bound``.
    n_redrawn_ : dict of int to int
        Draws made again, since their training part had one class only.
    classes_ : ndarray
        Class labels, sorted.

    Notes
    -----
    Draws are shared by all candidates. A Gaussian ``SVC`` on numeric columns, with two classes and `C` and `gamma` as
    hyperparameters, is fitted from distances that are computed once; the predictions are the same, but for rows that
    lie on the boundary between the classes to within rounding.

    The bound is a mean of bounds, each of which holds with probability ``1 - delta`` if the hyperparameters are given.
    They are chosen on selection parts of other draws, which overlap with the estimation part of any one draw: the book
    measures what this amounts to.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.svm import SVC
    >>> from cvstrat import CompleteKFoldSearchCV
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X = (X - X.mean(axis=0)) / X.std(axis=0)
    >>> grid = {"C": [1, 10], "gamma": [0.001, 0.01]}
    >>> search = CompleteKFoldSearchCV(SVC(), grid, ks=(3, 5, 10), n_draws=20, random_state=0).fit(X, y)
    >>> search.best_params_, search.best_k_
    ({'C': 10, 'gamma': 0.01}, 3)
    >>> round(search.error_bound_, 2)
    0.05
    """

    def __init__(
        self,
        estimator: Any,
        param_grid: Any,
        *,
        ks: Sequence[int] = (3, 4, 5, 6, 8, 10),
        n_draws: int = 100,
        delta: float = 0.05,
        n_screening: int | None = None,
        estimate_all: bool = False,
        stratify: Any = False,
        predict_mode: str = "draw",
        n_jobs: int | None = None,
        verbose: int = 0,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.param_grid = param_grid
        self.ks = ks
        self.n_draws = n_draws
        self.delta = delta
        self.n_screening = n_screening
        self.estimate_all = estimate_all
        self.stratify = stratify
        self.predict_mode = predict_mode
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Search.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            The classes; two or more.

        Returns
        -------
        self
            Fitted.
        """
        if y is None:
            raise InputError("this search requires y to be passed, but the target y is None")
        X, y = indexable(X, column_or_1d(y, warn=True))
        settings = self._checked(X, y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise InputError(f"y holds one class only, {self.classes_[0]!r}: a classifier needs at least two classes")
        self._seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        draws = {int(k): self._draws(int(k), X, codes) for k in self.ks}
        self.n_redrawn_ = {k: some.redrawn for k, some in draws.items()}
        learner = learner_of(self.estimator, settings, X, codes, len(self.classes_))
        with Parallel(n_jobs=self.n_jobs, return_as="generator") as parallel:
            selection = select(
                learner,
                settings,
                draws,
                self.delta,
                n_screening=self.n_screening,
                parallel=parallel,
                verbose=bool(self.verbose),
            )
            self._tabulate(settings, selection)
            candidate, self.best_k_ = selection.best()
            self.best_index_ = candidate * len(draws) + selection.ks.index(self.best_k_)
            self.best_params_ = settings[candidate]
            best = draws[self.best_k_]
            self.models_ = list(
                parallel(delayed(fitted)(self.estimator, self.best_params_, X, y, one.both) for one in best)
            )
        errors = [
            np.sum(model.predict(safe_indexing(X, one.estimation)) != y[one.estimation])
            for model, one in zip(self.models_, best, strict=True)
        ]
        self.error_bound_, self.error_bound_se_ = mean_bound(errors, len(best[0].estimation), self.delta)
        self.error_bounds_ = {self.best_k_: self.error_bound_}
        if self.estimate_all:
            self.error_bounds_ = {k: self._bound(learner, settings, selection, k, draws[k]) for k in draws}
        return self

    def _checked(self, X: Any, y: Any) -> list[Setting]:
        """Check parameters and data, and return the candidates."""
        for method in ("fit", "predict"):
            if not hasattr(self.estimator, method):
                raise TypeError(
                    f"estimator must be a classifier with fit and predict; {self.estimator!r} has no {method}"
                )
        check_classification_targets(y)
        ks: Any = self.ks
        if isinstance(ks, str) or not isinstance(ks, Sequence | np.ndarray):
            raise InputError(f"ks must be a sequence of numbers of folds, such as (3, 5, 10); it is {ks!r}")
        if len(ks) == 0:
            raise InputError("ks is empty: give numbers of folds, such as (3, 5, 10)")
        for k in ks:
            check_folds(k, num_samples(X))
        check_count("n_draws", self.n_draws, 1)
        if self.n_screening is not None:
            check_count("n_screening", self.n_screening, 1)
        check_delta(self.delta)
        self._check_mode()
        settings = list(ParameterGrid(self.param_grid))
        if not settings:
            raise InputError("there is no candidate: param_grid is empty")
        return settings

    def _check_mode(self) -> None:
        if self.predict_mode not in ("draw", "vote"):
            raise InputError(f"predict_mode must be 'draw' or 'vote'; it is {self.predict_mode!r}")

    def _draws(self, k: int, X: Any, codes: np.ndarray) -> Draws:
        # A seed for each k: its draws are the same, whatever other numbers of folds are tried.
        seed = int(np.random.SeedSequence([self._seed, k]).generate_state(1)[0])
        return CompleteKFold(k, self.n_draws, stratify=self.stratify, random_state=seed).draw(X, codes)

    def _bound(self, learner: Learner, settings: list[Setting], selection: Selection, k: int, draws: Draws) -> float:
        if k == self.best_k_:
            return self.error_bound_
        setting = settings[selection.best(k)[0]]
        errors = learner.errors([setting], [(one.both, one.estimation) for one in draws])[0]
        return mean_bound(errors, len(draws[0].estimation), self.delta)[0]

    def _tabulate(self, settings: list[Setting], selection: Selection) -> None:
        results: dict[str, Any] = {"k": np.tile(selection.ks, len(settings))}
        results |= candidate_columns([setting for setting in settings for _ in selection.ks])
        results["n_draws"] = selection.n_draws.ravel()
        results["mean_selection_bound"] = selection.bounds.ravel()
        results["std_selection_bound"] = selection.stds.ravel()
        results["mean_selection_error"] = selection.rates.ravel()
        results["rank_selection_bound"] = rankdata(selection.bounds.ravel(), method="min").astype(np.int32)
        self.cv_results_ = results

    def predict(self, X: Any) -> np.ndarray:
        """Predict the class of each row, by a model drawn for it or by vote; see `predict_mode`.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Classes.
        """
        check_is_fitted(self, "models_")
        self._check_mode()
        (X,) = indexable(X)
        if self.predict_mode == "vote":
            votes = np.searchsorted(self.classes_, [model.predict(X) for model in self.models_])
            counts = [np.sum(votes == number, axis=0) for number in range(len(self.classes_))]
            most: np.ndarray = self.classes_[np.argmax(counts, axis=0)]
            return most
        self.models_[0].predict(safe_indexing(X, slice(0, 1)))  # lets the model say what it thinks of X
        drawn = row_numbers(X, self._seed) % np.uint64(len(self.models_))
        predicted = np.empty(num_samples(X), dtype=self.classes_.dtype)
        for number in np.unique(drawn):
            rows = np.flatnonzero(drawn == number)
            predicted[rows] = self.models_[int(number)].predict(safe_indexing(X, rows))
        return predicted

    @property
    def n_features_in_(self) -> int:
        """Number of columns seen by the models."""
        check_is_fitted(self, "models_")
        return int(self.models_[0].n_features_in_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        return tags
