"""Search for hyperparameters in which every candidate is cross-validated no longer than needed."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from scipy.stats import rankdata
from sklearn.base import clone, is_classifier
from sklearn.model_selection import check_cv
from sklearn.utils import indexable
from sklearn.utils.parallel import Parallel, delayed

from cvstrat._candidates import candidate_columns, candidates_of
from cvstrat._compat import BaseSearchCV
from cvstrat.efold._fold import Evaluation, Fold, without_none
from cvstrat.efold._stopping import StableDeviation, StoppingRule, check_n_folds, race


class EFoldSearchCV(BaseSearchCV):  # type: ignore[misc]
    """Search over hyperparameters with e-fold cross-validation: a scikit-learn search that fits fewer folds.

    All candidates are fitted on the first fold, then on the second, and so on; after each fold those whose scores are
    stable are done. The result does not depend on the number of jobs.

    Parameters
    ----------
    estimator, n_jobs, refit, error_score, return_train_score
        As in ``GridSearchCV``.
    param_grid, n_iter, random_state : dict or list of dicts, int, seed, default of the last two=None
        As in ``GridSearchCV`` or, if `n_iter` is given, ``RandomizedSearchCV``.
    scoring : str, callable, list, tuple or dict, default=None
        As in ``GridSearchCV``; of several metrics, the one named by `refit` decides when to stop, else the first.
    cv : int, splitter or iterable, default=10
        The greatest number of folds, or any splitter.
    patience, tolerance, ddof, rule
        Parameters of :class:`cvstrat.StableDeviation`, the rule of e-fold, or another rule in place of it.
    drop_hopeless : bool, default=False
        Whether to give up candidates that can no longer be best, whatever their folds to come give.
    highest_score : float, default=None
        The best score a fold can have, for `drop_hopeless`; a score above it is an error. None means 0 for scorings
        named ``neg_...`` and 1 for others.
    verbose : int, default=0
        Above 0, the number of candidates left is printed before each fold.

    Attributes
    ----------
    cv_results_ : dict
        As in ``GridSearchCV``, with ``n_folds`` (fitted for each candidate) and ``dropped``; scores of folds that were
        not fitted are NaN, means and standard deviations are over those that were.
    n_fits_ : int
        Fits of all candidates together, without the last one on all data. Other attributes are those of
        ``GridSearchCV``.

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
        """Search; as in ``GridSearchCV``, `params` are ``groups`` for the splitter and what ``fit`` takes."""
        rule = StableDeviation(self.patience, self.tolerance, self.ddof) if self.rule is None else self.rule
        scorers, metric = self._get_scorers()
        X, y = indexable(X, y)
        routed = self._get_routed_params_for_fit(params)
        evaluation = Evaluation(self.estimator, X, y, scorers, routed, self.error_score, self.return_train_score)
        splitter = check_cv(self.cv, y, classifier=is_classifier(self.estimator))
        splits = list(splitter.split(X, y, **routed.splitter.split))
        self.n_splits_ = len(splits)
        check_n_folds(self.n_splits_, rule)
        settings = candidates_of(self.param_grid, self.n_iter, self.random_state)
        folds, dropped = self._raced(settings, splits, rule, evaluation)
        metrics, columns = evaluation.tabulated([fold for of_one in folds for fold in of_one])
        self.scorer_ = getattr(scorers, "_scorers", scorers)
        self.multimetric_ = self.scorer_ is not scorers or metrics != ["score"]
        n_folds = np.array([len(of_one) for of_one in folds])
        self.n_fits_ = int(n_folds.sum())
        self.cv_results_ = self._results(settings, n_folds, columns) | {"n_folds": n_folds, "dropped": dropped}
        if callable(self.scoring) and self.multimetric_:
            self._check_refit_for_multimetric(dict.fromkeys(metrics))
            metric = self.refit
        if self.refit or not self.multimetric_:
            self.best_index_ = self._select_best_index(self.refit, metric, self.cv_results_)
            self.best_params_ = settings[self.best_index_]
            if not callable(self.refit):
                self.best_score_ = self.cv_results_[f"mean_test_{metric}"][self.best_index_]
        if self.refit:
            self.best_estimator_ = clone(self.estimator).set_params(**clone(self.best_params_, safe=False))
            start = time.perf_counter()
            self.best_estimator_.fit(*without_none(X, y), **routed.estimator.fit)
            self.refit_time_ = time.perf_counter() - start
            if hasattr(self.best_estimator_, "feature_names_in_"):
                self.feature_names_in_ = self.best_estimator_.feature_names_in_
        return self

    def _raced(
        self, settings: list[dict[str, Any]], splits: list[Any], rule: StoppingRule, evaluation: Evaluation
    ) -> tuple[list[list[Fold]], np.ndarray]:
        """Return the folds of each candidate, as far as it got, and which candidates were dropped."""
        folds: list[list[Fold]] = [[] for _ in settings]

        def scores(active: list[int], number: int) -> list[float]:
            if self.verbose:
                print(f"fold {number + 1} of {len(splits)}: {len(active)} candidates")
            found = parallel(delayed(evaluation.fold)(splits[number], settings[one]) for one in active)
            for one, fold in zip(active, found, strict=True):
                folds[one].append(fold)
            return [evaluation.deciding_score(fold, self.refit) for fold in found]

        highest = self._highest() if self.drop_hopeless else None
        with Parallel(n_jobs=self.n_jobs) as parallel:
            _, dropped = race(len(settings), len(splits), rule, scores, highest=highest)
        return folds, dropped

    def _highest(self) -> float:
        if self.highest_score is not None:
            return self.highest_score
        scoring = self.refit if callable(self.scoring) else self.scoring  # a callable names its metrics itself
        several = scoring if isinstance(scoring, list | tuple | set | Mapping) else [scoring]
        scorings = list(several.items()) if isinstance(several, Mapping) else [(name, name) for name in several]
        decides = next((scoring for name, scoring in scorings if name == self.refit), next(iter(scorings), ("", ""))[1])
        return 0.0 if isinstance(decides, str) and decides.startswith("neg_") else 1.0

    def _results(
        self, settings: list[dict[str, Any]], n_folds: np.ndarray, columns: dict[str, np.ndarray]
    ) -> dict[str, Any]:
        """Return the table of ``GridSearchCV``; a column holds the folds of all candidates, one after another."""
        results: dict[str, Any] = {}
        for name, column in columns.items():
            if name.startswith(("test_", "train_")):
                table = np.full((len(settings), self.n_splits_), np.nan)
                table[np.arange(self.n_splits_) < n_folds[:, None]] = column
                results |= {f"split{number}_{name}": table[:, number] for number in range(self.n_splits_)}
            rows = np.split(column, n_folds.cumsum()[:-1])
            results[f"mean_{name}"] = means = np.array([np.mean(row) for row in rows])
            results[f"std_{name}"] = np.array([np.std(row) for row in rows])
            if name.startswith("test_"):
                if not np.isfinite(means).all():
                    warnings.warn(f"some mean scores are not finite: {means}", UserWarning, stacklevel=3)
                lowest = np.nanmin(means) - 1 if np.isfinite(means).any() else 0.0
                results[f"rank_{name}"] = rankdata(-np.nan_to_num(means, nan=lowest), method="min").astype(np.int32)
            if name == "score_time":
                results |= candidate_columns(settings)
        return results
