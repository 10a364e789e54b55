"""e-fold cross-validation: folds that are not needed are not fitted."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn import get_config
from sklearn.base import is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection import check_cv
from sklearn.utils import Bunch, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.parallel import Parallel, delayed

from cvstrat.efold._fold import Evaluation, Fold
from cvstrat.efold._stopping import StableDeviation, StoppingRule, check_n_folds, running_means, running_stds
from cvstrat.errors import InputError


@dataclass(frozen=True, eq=False, repr=False)
class EFoldResult:
    """What an e-fold cross-validation gave.

    Attributes
    ----------
    cv_results : dict of str to ndarray
        As ``cross_validate`` returns it, with one entry per fold that was fitted.
    metric : str
        The metric that decided when to stop; ``score`` if there is one only.
    scores, mean, std : ndarray of shape (n_folds,), float, float
        Test scores by that metric, their mean, and their standard deviation with the rule's `ddof`.
    n_folds, max_folds : int
        Folds that were fitted, and that the splitter has.
    stopped : bool
        Whether the rule ended it before the last fold.
    running_mean, running_std : ndarray of shape (n_folds,)
        Mean and standard deviation of the scores after each fold.
    """

    cv_results: dict[str, Any]
    metric: str
    max_folds: int
    stopped: bool
    ddof: int = 1

    def __repr__(self) -> str:
        folds = f"n_folds={self.n_folds}, max_folds={self.max_folds}, stopped={self.stopped}"
        return f"EFoldResult({self.metric}: mean={self.mean:.4g}, std={self.std:.4g}, {folds})"

    @property
    def scores(self) -> np.ndarray:
        return np.asarray(self.cv_results[f"test_{self.metric}"])

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
    stop_metric: str | None = None,
    groups: Any = None,
    params: dict[str, Any] | None = None,
    n_jobs: int | None = None,
    return_train_score: bool = False,
    return_estimator: bool = False,
    error_score: Any = np.nan,
) -> EFoldResult:
    """Cross-validate until the scores are stable; folds after that are not fitted.

    Parameters
    ----------
    estimator, X, y, scoring, return_train_score, return_estimator
        As in ``cross_validate``.
    cv : int, splitter or iterable, default=10
        The greatest number of folds, which are not shuffled (as in scikit-learn), or any splitter.
    patience, tolerance, ddof, rule
        Parameters of :class:`cvstrat.StableDeviation`, the rule of e-fold, or another rule in place of it.
    stop_metric : str, default=None
        Of several metrics, the one that decides when to stop; None means the first.
    groups : array-like, default=None
        Group of each row, for splitters that keep groups together; with metadata routing it belongs into `params`.
    params : dict, default=None
        As in ``cross_validate``: handed to ``fit`` or, with metadata routing, to whatever asks for it.
    n_jobs : int, default=None
        Number of folds that are fitted at the same time; None means 1. The result is the same for any number, but up
        to ``n_jobs - 1`` folds after the stop are fitted in vain.
    error_score : "raise" or number, default=nan
        Score of a fold on which fitting or scoring fails, with a warning; if all fits fail, that is an error.

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
    >>> cv = StratifiedKFold(10, shuffle=True, random_state=1)
    >>> result = efold_cross_validate(GaussianNB(), X, y, cv=cv)
    >>> result.n_folds, result.stopped
    (4, True)
    """
    chosen = StableDeviation(patience, tolerance, ddof) if rule is None else rule
    X, y = indexable(X, y)
    splitter = check_cv(cv, y, classifier=is_classifier(estimator))
    scorer = check_scoring(estimator, scoring, raise_exc=error_score == "raise")
    routed = _routed(estimator, scorer, splitter, groups, params or {})
    evaluation = Evaluation(estimator, X, y, scorer, routed, error_score, return_train_score, return_estimator)
    max_folds = int(splitter.get_n_splits(X, y, **routed.splitter.split))
    check_n_folds(max_folds, chosen)
    folds: list[Fold] = []
    scores: list[float] = []
    for fold in _in_waves(evaluation.fold, splitter.split(X, y, **routed.splitter.split), effective_n_jobs(n_jobs)):
        folds.append(fold)
        scores.append(evaluation.deciding_score(fold, stop_metric))
        if chosen.should_stop(scores):
            break
    metrics, columns = evaluation.tabulated(folds)
    metric = stop_metric if stop_metric in metrics else metrics[0]
    return EFoldResult(columns, metric, max_folds, len(folds) < max_folds, getattr(chosen, "ddof", ddof))


def _routed(estimator: Any, scorer: Any, splitter: Any, groups: Any, params: dict[str, Any]) -> Bunch:
    """Return what estimator, scorer and splitter are to be handed, as ``cross_validate`` hands it."""
    if not get_config()["enable_metadata_routing"]:
        return Bunch(estimator=Bunch(fit=params), scorer=Bunch(score={}), splitter=Bunch(split={"groups": groups}))
    if groups is not None:
        raise InputError("with metadata routing groups go into params: params={'groups': groups}")
    router = MetadataRouter(owner="efold_cross_validate")
    router.add(splitter=splitter, method_mapping=MethodMapping().add(caller="fit", callee="split"))
    router.add(estimator=estimator, method_mapping=MethodMapping().add(caller="fit", callee="fit"))
    router.add(scorer=scorer, method_mapping=MethodMapping().add(caller="fit", callee="score"))
    return process_routing(router, "fit", **params)


def _in_waves(evaluate: Callable[..., Fold], splits: Iterator[Any], size: int) -> Iterator[Fold]:
    """Yield what the folds give, in their order; `size` of them are fitted at the same time."""
    if size == 1:
        yield from (evaluate(split) for split in splits)
        return
    with Parallel(n_jobs=size) as parallel:
        while wave := list(itertools.islice(splits, size)):
            try:
                found = parallel(delayed(evaluate)(split) for split in wave)
            except Exception:  # which fold failed is not known: one by one, only a fold that is needed raises
                found = (evaluate(split) for split in wave)
            yield from found
