"""Search for hyperparameters in which every candidate is cross-validated no longer than needed."""

from __future__ import annotations

import functools
import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from scipy.stats import rankdata
from sklearn.base import clone, is_classifier
from sklearn.model_selection import check_cv
from sklearn.utils import indexable
from sklearn.utils.parallel import Parallel, delayed

from cvstrat._candidates import candidate_columns, candidates_of
from cvstrat._compat import BaseSearchCV
from cvstrat.efold._fold import (
    Fold,
    check_error_score,
    check_splits,
    deciding_score,
    evaluate_fold,
    metric_names,
    missing_score,
)
from cvstrat.efold._race import race
from cvstrat.efold._stopping import StableDeviation, StoppingRule, warn_if_never


@dataclass
class _Candidate:
    """A setting of hyperparameters, and what its folds gave so far."""

    params: dict[str, Any]
    folds: list[Fold] = field(default_factory=list)
    dropped: bool = False

    def values(self, name: str, missing: float) -> list[float]:
        return [fold.get(name, missing) for fold in self.folds]


class EFoldSearchCV(BaseSearchCV):  # type: ignore[misc]
    """Search over hyperparameters with e-fold cross-validation: a scikit-learn search that fits fewer folds.

    All candidates are fitted on the first fold, then on the second, and so on; after each fold those whose scores are
    stable are done, and with ``drop_hopeless=True`` those that cannot be best any more are given up. The result does
    not depend on the number of jobs.

    Parameters
    ----------
    estimator : estimator
        As in ``GridSearchCV``.
    param_grid : dict or list of dicts
        Lists of values (or, with `n_iter`, distributions).
    n_iter : int, default=None
        If given, that many candidates are drawn at random, as in ``RandomizedSearchCV``.
    scoring : str, callable, list, tuple or dict, default=None
        As in ``GridSearchCV``; of several metrics, the one named by `refit` decides when to stop, else the first.
    n_jobs : int, default=None
        Number of fits that run at the same time; None means 1.
    refit : bool, str or callable, default=True
        As in ``GridSearchCV``.
    cv : int, splitter or iterable, default=10
        The greatest number of folds.
    patience, tolerance, ddof
        Parameters of :class:`cvstrat.StableDeviation`, the rule of e-fold.
    rule : stopping rule, default=None
        Another rule in place of it.
    drop_hopeless : bool, default=False
        Whether to give up candidates that can no longer be best, whatever their folds to come give.
    highest_score : float, default=None
        The best score a fold can have, for `drop_hopeless`; None means 0 for scorings named ``neg_...`` and 1 for
        others. A score above it is an error.
    verbose : int, default=0
        Above 0, the number of candidates left is printed before each fold.
    random_state : int, RandomState instance or None, default=None
        Seed of the candidates that are drawn with `n_iter`.
    error_score : "raise" or number, default=nan
        As in ``GridSearchCV``.
    return_train_score : bool, default=False
        As in ``GridSearchCV``.

    Attributes
    ----------
    cv_results_ : dict
        As in ``GridSearchCV``, with ``n_folds`` (folds fitted for each candidate) and ``dropped``; scores of folds that
        were not fitted are NaN, means and standard deviations are over those that were.
    n_fits_ : int
        Fits of all candidates together, without the last one on all data.
    best_index_, best_params_, best_score_, best_estimator_, scorer_, n_splits_, refit_time_, multimetric_
        As in ``GridSearchCV``.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from cvstrat import EFoldSearchCV
    >>> X, y = load_wine(return_X_y=True)
    >>> grid = {"max_depth": [1, 2, 3, 4]}
    >>> search = EFoldSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=10)
    >>> search.fit(X, y).n_fits_ < 40
    True
    """

    def __init__(
        self,
        estimator: Any,
        param_grid: Any,
        *,
        n_iter: int | None = None,
        scoring: Any = None,
        n_jobs: int | None = None,
        refit: Any = True,
        cv: Any = 10,
        patience: int = 2,
        tolerance: float = 0.05,
        ddof: int = 1,
        rule: StoppingRule | None = None,
        drop_hopeless: bool = False,
        highest_score: float | None = None,
        verbose: int = 0,
        random_state: Any = None,
        error_score: Any = np.nan,
        return_train_score: bool = False,
    ) -> None:
        super().__init__(
            estimator=estimator,
            scoring=scoring,
            n_jobs=n_jobs,
            refit=refit,
            cv=cv,
            verbose=verbose,
            error_score=error_score,
            return_train_score=return_train_score,
        )
        self.param_grid = param_grid
        self.n_iter = n_iter
        self.patience = patience
        self.tolerance = tolerance
        self.ddof = ddof
        self.rule = rule
        self.drop_hopeless = drop_hopeless
        self.highest_score = highest_score
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, **params: Any) -> Self:
        """Search.

        Parameters
        ----------
        X, y : array-like
            The data.
        **params
            As in ``GridSearchCV``: ``groups`` for the splitter, and what ``fit`` takes.

        Returns
        -------
        self
            Fitted.
        """
        rule = StableDeviation(self.patience, self.tolerance, self.ddof) if self.rule is None else self.rule
        check_error_score(self.error_score)
        scorers, metric = self._get_scorers()
        X, y = indexable(X, y)
        routed = self._get_routed_params_for_fit(params)
        splitter = check_cv(self.cv, y, classifier=is_classifier(self.estimator))
        splits = list(splitter.split(X, y, **routed.splitter.split))
        self.n_splits_ = len(splits)
        check_splits(self.n_splits_)
        warn_if_never(rule, self.n_splits_)
        settings = candidates_of(self.param_grid, self.n_iter, self.random_state)
        candidates = [_Candidate(setting) for setting in settings]
        fold = functools.partial(
            evaluate_fold,
            self.estimator,
            X,
            y,
            scorer=scorers,
            fit_params=routed.estimator.fit,
            score_params=routed.scorer.score,
            error_score=self.error_score,
            return_train_score=self.return_train_score,
        )
        self._run(candidates, rule, splits, fold)
        names = metric_names([one for candidate in candidates for one in candidate.folds], self.error_score)
        self.multimetric_ = hasattr(scorers, "_scorers") or names != ["score"]
        self.n_fits_ = sum(len(candidate.folds) for candidate in candidates)
        self.cv_results_ = self._tabulated(candidates, names)
        self.scorer_ = scorers._scorers if hasattr(scorers, "_scorers") else scorers
        if callable(self.scoring) and self.multimetric_:
            self._check_refit_for_multimetric(dict.fromkeys(names))
            metric = self.refit
        if self.refit or not self.multimetric_:
            self._choose(metric)
        if self.refit:
            self._refit(X, y, routed.estimator.fit)
        return self

    def _run(self, candidates: list[_Candidate], rule: StoppingRule, splits: list[Any], fold: Any) -> None:
        with Parallel(n_jobs=self.n_jobs) as parallel:

            def evaluate(active: list[int], number: int) -> list[float]:
                if self.verbose:
                    print(f"fold {number + 1} of {len(splits)}: {len(active)} candidates")
                left = [candidates[one] for one in active]
                found = parallel(delayed(fold)(split=splits[number], setting=one.params) for one in left)
                for candidate, scores in zip(left, found, strict=True):
                    candidate.folds.append(scores)
                return [deciding_score(scores, self.refit, self.error_score) for scores in found]

            highest = self._highest() if self.drop_hopeless else None
            _, dropped = race(len(candidates), len(splits), rule, evaluate, highest=highest)
        for candidate, given_up in zip(candidates, dropped, strict=True):
            candidate.dropped = bool(given_up)

    def _highest(self) -> float:
        if self.highest_score is not None:
            return self.highest_score
        name = self.refit if isinstance(self.refit, str) and not isinstance(self.scoring, str) else self.scoring
        name = self.scoring.get(name, name) if isinstance(self.scoring, Mapping) else name
        return 0.0 if isinstance(name, str) and name.startswith("neg_") else 1.0

    def _tabulated(self, candidates: list[_Candidate], names: list[str]) -> dict[str, Any]:
        results: dict[str, Any] = {}
        times = ["fit_time", "score_time"]
        for name in times + [f"{part}_{name}" for name in names for part in self._parts()]:
            values = [candidate.values(name, missing_score(self.error_score)) for candidate in candidates]
            means = np.array([np.mean(row) for row in values])
            if name not in times:
                table = np.array([row + [np.nan] * (self.n_splits_ - len(row)) for row in values])
                results |= {f"split{number}_{name}": table[:, number] for number in range(self.n_splits_)}
            results[f"mean_{name}"] = means
            results[f"std_{name}"] = np.array([np.std(row) for row in values])
            if name.startswith("test_"):
                if not np.isfinite(means).all():
                    warnings.warn(f"some mean scores are not finite: {means}", UserWarning, stacklevel=3)
                lowest = np.nanmin(means) - 1 if np.isfinite(means).any() else 0.0
                results[f"rank_{name}"] = rankdata(-np.nan_to_num(means, nan=lowest), method="min").astype(np.int32)
            if name == times[-1]:
                results |= candidate_columns([candidate.params for candidate in candidates])
        results["n_folds"] = np.array([len(candidate.folds) for candidate in candidates])
        results["dropped"] = np.array([candidate.dropped for candidate in candidates])
        return results

    def _parts(self) -> tuple[str, ...]:
        return ("test", "train") if self.return_train_score else ("test",)

    def _choose(self, metric: Any) -> None:
        self.best_index_ = self._select_best_index(self.refit, metric, self.cv_results_)
        if not callable(self.refit):
            self.best_score_ = self.cv_results_[f"mean_test_{metric}"][self.best_index_]
        self.best_params_ = self.cv_results_["params"][self.best_index_]

    def _refit(self, X: Any, y: Any, params: dict[str, Any]) -> None:
        self.best_estimator_ = clone(self.estimator).set_params(**clone(self.best_params_, safe=False))
        start = time.perf_counter()
        self.best_estimator_.fit(X, **({} if y is None else {"y": y}), **params)
        self.refit_time_ = time.perf_counter() - start
        if hasattr(self.best_estimator_, "feature_names_in_"):
            self.feature_names_in_ = self.best_estimator_.feature_names_in_
