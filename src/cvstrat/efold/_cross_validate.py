"""e-fold cross-validation: folds that are not needed are not fitted."""

from __future__ import annotations

import functools
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

from cvstrat.efold._fold import (
    Fold,
    check_error_score,
    check_splits,
    deciding_score,
    evaluate_fold,
    metric_names,
    missing_score,
)
from cvstrat.efold._stopping import StableDeviation, StoppingRule, running_means, running_stds, warn_if_never
from cvstrat.errors import InputError


@dataclass(frozen=True, eq=False, repr=False)
class EFoldResult:
    """What an e-fold cross-validation gave.

    Attributes
    ----------
    cv_results : dict of str to ndarray
        As ``cross_validate`` returns it, with one entry per fold that was fitted: ``fit_time``, ``score_time``,
        ``test_score`` (or ``test_NAME`` for each of several metrics), and on request ``train_...`` and ``estimator``.
    metric : str
        The metric that decided when to stop; ``score`` if there is one only.
    scores : ndarray of shape (n_folds,)
        Test scores by that metric.
    mean, std : float
        Mean of the scores, and their standard deviation with the rule's `ddof`.
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
    estimator : estimator
        Any scikit-learn estimator; cloned for each fold.
    X, y : array-like
        All rows and their target.
    scoring : str, callable, list, tuple or dict, default=None
        As in ``cross_validate``, one metric or several; None means the estimator's own ``score``.
    cv : int, splitter or iterable, default=10
        The greatest number of folds, or any splitter. As in scikit-learn, a number means folds without shuffling; rows
        that come in some order should be shuffled.
    patience, tolerance, ddof
        Parameters of :class:`cvstrat.StableDeviation`, the rule of e-fold.
    rule : stopping rule, default=None
        Another rule in place of it.
    stop_metric : str, default=None
        Of several metrics, the one that decides when to stop; None means the first.
    groups : array-like, default=None
        Group of each row, for splitters that keep groups together. As in ``cross_validate``, with metadata routing it
        belongs into `params`.
    params : dict, default=None
        As in ``cross_validate``: handed to ``fit`` or, with metadata routing, to whatever asks for it (``fit``, scorer,
        splitter); what has an entry per row is cut with the rows.
    n_jobs : int, default=None
        Number of folds that are fitted at the same time; None means 1. The result is the same for any number, but up
        to ``n_jobs - 1`` folds after the stop are fitted in vain.
    return_train_score, return_estimator : bool, default=False
        Whether to score the training parts too, and to keep the fitted estimators.
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
    >>> cv = StratifiedKFold(10, shuffle=True, random_state=1)
    >>> result = efold_cross_validate(GaussianNB(), X, y, cv=cv)
    >>> result.n_folds, result.stopped
    (4, True)
    """
    chosen = StableDeviation(patience, tolerance, ddof) if rule is None else rule
    check_error_score(error_score)
    X, y = indexable(X, y)
    splitter = check_cv(cv, y, classifier=is_classifier(estimator))
    scorer = check_scoring(estimator, scoring, raise_exc=error_score == "raise")
    routed = _routed(estimator, scorer, splitter, groups, params or {})
    max_folds = int(splitter.get_n_splits(X, y, **routed.splitter.split))
    check_splits(max_folds)
    warn_if_never(chosen, max_folds)
    evaluate = functools.partial(
        evaluate_fold,
        estimator,
        X,
        y,
        scorer=scorer,
        fit_params=routed.estimator.fit,
        score_params=routed.scorer.score,
        error_score=error_score,
        return_train_score=return_train_score,
        return_estimator=return_estimator,
    )
    folds: list[Fold] = []
    scores: list[float] = []
    for fold in _in_waves(evaluate, splitter.split(X, y, **routed.splitter.split), effective_n_jobs(n_jobs)):
        folds.append(fold)
        scores.append(deciding_score(fold, stop_metric, error_score))
        if chosen.should_stop(scores):
            break
    names = metric_names(folds, error_score)
    return EFoldResult(
        cv_results=_tabulated(folds, names, missing_score(error_score), return_train_score=return_train_score),
        metric=stop_metric if stop_metric in names else names[0],
        max_folds=max_folds,
        stopped=len(scores) < max_folds,
        ddof=getattr(chosen, "ddof", ddof),
    )


def _routed(estimator: Any, scorer: Any, splitter: Any, groups: Any, params: dict[str, Any]) -> Bunch:
    """Return what estimator, scorer and splitter are to be handed, as ``cross_validate`` hands it."""
    if not get_config()["enable_metadata_routing"]:
        return Bunch(estimator=Bunch(fit=params), scorer=Bunch(score={}), splitter=Bunch(split={"groups": groups}))
    if groups is not None:
        raise InputError("with metadata routing groups go into params: params={'groups': groups}")
    router = MetadataRouter(owner="efold_cross_validate")
    for name, (consumer, method) in {
        "splitter": (splitter, "split"),
        "estimator": (estimator, "fit"),
        "scorer": (scorer, "score"),
    }.items():
        router.add(**{name: consumer}, method_mapping=MethodMapping().add(caller="fit", callee=method))
    return process_routing(router, "fit", **params)


def _in_waves(evaluate: Callable[..., Fold], splits: Iterator[Any], size: int) -> Iterator[Fold]:
    """Yield what the folds give, in their order; `size` of them are fitted at the same time."""
    if size == 1:
        yield from (evaluate(split=split) for split in splits)
        return
    with Parallel(n_jobs=size) as parallel:
        while wave := list(itertools.islice(splits, size)):
            try:
                found = parallel(delayed(evaluate)(split=split) for split in wave)
            except Exception:  # which fold failed is not known: one by one, only a fold that is needed raises
                found = (evaluate(split=split) for split in wave)
            yield from found


def _tabulated(folds: list[Fold], names: list[str], missing: float, *, return_train_score: bool) -> dict[str, Any]:
    results: dict[str, Any] = {key: np.array([fold[key] for fold in folds]) for key in ("fit_time", "score_time")}
    if "estimator" in folds[0]:
        results["estimator"] = [fold["estimator"] for fold in folds]
    for name in names:
        for part in ("test", "train") if return_train_score else ("test",):
            results[f"{part}_{name}"] = np.array([fold.get(f"{part}_{name}", missing) for fold in folds])
    return results
