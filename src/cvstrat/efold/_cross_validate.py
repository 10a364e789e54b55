"""e-fold cross-validation: folds that are not needed are not fitted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils import indexable

from cvstrat.efold._fold import check_error_score, evaluate_fold
from cvstrat.efold._stopping import StableDeviation, StoppingRule, running_means, running_stds, warn_if_never
from cvstrat.errors import InputError


@dataclass(frozen=True, eq=False)
class EFoldResult:
    """What an e-fold cross-validation gave.

    Attributes
    ----------
    scores, fit_time, score_time : ndarray of shape (n_folds,)
        One entry per fold that was fitted.
    mean, std : float
        Mean of the scores, and their standard deviation with the rule's `ddof`.
    n_folds, max_folds : int
        Folds that were fitted, and that the splitter has.
    stopped : bool
        Whether the rule ended it before the last fold.
    running_mean, running_std : ndarray of shape (n_folds,)
        Mean and standard deviation of the scores after each fold.
    estimators : list or None
        The fitted estimators, if asked for.
    """

    scores: np.ndarray
    fit_time: np.ndarray
    score_time: np.ndarray
    max_folds: int
    stopped: bool
    ddof: int = 1
    estimators: list[Any] | None = field(default=None, repr=False)

    @property
    def n_folds(self) -> int:
        return len(self.scores)

    @property
    def mean(self) -> float:
        return float(np.mean(self.scores))

    @property
    def std(self) -> float:
        return float(self.running_std[-1])

    @property
    def running_mean(self) -> np.ndarray:
        return running_means(self.scores)

    @property
    def running_std(self) -> np.ndarray:
        return running_stds(self.scores, self.ddof)


def efold_cross_validate(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    scoring: Any = None,
    cv: Any = 10,
    patience: int = 2,
    tolerance: float = 0.05,
    ddof: int = 1,
    rule: StoppingRule | None = None,
    groups: Any = None,
    params: dict[str, Any] | None = None,
    return_estimator: bool = False,
    error_score: Any = np.nan,
) -> EFoldResult:
    """Cross-validate until the scores are stable; folds after that are not fitted.

    Parameters
    ----------
    estimator : estimator
        Any scikit-learn estimator; cloned for each fold.
    X, y : array-like
        All rows and their target.
    scoring : str or callable, default=None
        As in scikit-learn; None means the estimator's own ``score``.
    cv : int, splitter or iterable, default=10
        The greatest number of folds, or any splitter. As in scikit-learn, a number means folds without shuffling; rows
        that come in some order should be shuffled.
    patience, tolerance, ddof
        Parameters of :class:`cvstrat.StableDeviation`, the rule of e-fold.
    rule : stopping rule, default=None
        Another rule in place of it.
    groups : array-like, default=None
        Group of each row, for splitters that keep groups together.
    params : dict, default=None
        Handed to ``fit``; what has an entry per row is cut with the rows.
    return_estimator : bool, default=False
        Whether to keep the fitted estimators.
    error_score : "raise" or number, default=nan
        Score of a fold on which fitting or scoring fails, with a warning; if all fits fail, that is an error. A score
        that is not a number is never stable, so after one all folds are fitted.

    Returns
    -------
    EFoldResult
        Its scores are the first ones of the whole cross-validation with the same splitter.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import StratifiedKFold
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from cvstrat import efold_cross_validate
    >>> X, y = load_iris(return_X_y=True)
    >>> result = efold_cross_validate(GaussianNB(), X, y, cv=StratifiedKFold(10, shuffle=True, random_state=1))
    >>> result.n_folds, result.stopped
    (4, True)
    """
    chosen = StableDeviation(patience, tolerance, ddof) if rule is None else rule
    check_error_score(error_score)
    X, y, groups = indexable(X, y, groups)
    splitter = check_cv(cv, y, classifier=is_classifier(estimator))
    scorer = check_scoring(estimator, scoring)
    max_folds = splitter.get_n_splits(X, y, groups)
    warn_if_never(chosen, max_folds)
    scores: list[float] = []
    times: list[tuple[float, float]] = []
    estimators: list[Any] = []
    failures: list[str] = []
    for split in splitter.split(X, y, groups):
        one, model = evaluate_fold(
            estimator, X, y, split=split, scorer=scorer, fit_params=params, error_score=error_score
        )
        scores.append(one.get("test_score", error_score))
        times.append((one["fit_time"], one["score_time"]))
        failures += [one["failure"]] if "failure" in one else []
        if return_estimator:
            estimators.append(model)
        if chosen.should_stop(scores):
            break
    if len(failures) == len(scores):
        raise InputError(f"All the {len(scores)} fits failed, the first with\n{failures[0]}")
    fit_time, score_time = np.array(times).T
    return EFoldResult(
        scores=np.array(scores),
        fit_time=fit_time,
        score_time=score_time,
        max_folds=int(max_folds),
        stopped=len(scores) < max_folds,
        ddof=getattr(chosen, "ddof", ddof),
        estimators=estimators if return_estimator else None,
    )
