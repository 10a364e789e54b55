"""A search that chooses hyperparameters and the number of folds, and bounds the error of what it has chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from scipy.stats import rankdata
from sklearn import get_config
from sklearn.utils import check_random_state, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import column_or_1d

from cvstrat._candidates import candidate_columns, candidates_of
from cvstrat._compat import num_samples, safe_indexing
from cvstrat.checks import check_count
from cvstrat.complete._bounds import check_delta
from cvstrat.complete._draws import CompleteKFold, Draws, check_folds
from cvstrat.complete._learners import Loss, Setting, fitted, learner_of, losses
from cvstrat.complete._models import DrawnModels
from cvstrat.complete._proven import mean_risk_upper, share_of_cuts_kept
from cvstrat.complete._select import Selection, mean_bound, select
from cvstrat.errors import InputError


class CompleteKFoldSearchCV(DrawnModels):
    """Choose hyperparameters and the number of folds together, and return an upper bound of the error.

    For every number of folds `k`, the data are cut many times into a training, a selection and an estimation part. The
    candidate and `k` with the least mean Clopper-Pearson bound on the selection parts are chosen; models are then
    fitted on training and selection part together, and bounded on the estimation parts :cite:`anguita2012`.

    Parameters
    ----------
    estimator : classifier
        Any that has ``fit`` and ``predict``.
    param_grid, n_iter : dict or list of dicts, int, default=None
        As in ``GridSearchCV`` or, if `n_iter` is given, ``RandomizedSearchCV``.
    ks : sequence of int, default=(3, 4, 5, 6, 8, 10)
        Numbers of folds, each from 3 to half the number of rows. With one, `k` is fixed.
    n_draws : int, default=100
        Draws for each number of folds; also the number of models.
    delta : float, default=0.05
        Probability with which the bound may be too low: a single one of those that are averaged, or the proven one.
    bound : "mean" or "proven", default="mean"
        What `error_bound_` is; the choice is the same. ``mean`` is the paper's: the mean over draws of Clopper-Pearson
        bounds; no theorem covers it, or the choice. ``proven`` is above the mean risk of the models with probability
        ``1 - delta``, overlapping draws and the choice included (:func:`cvstrat.complete.mean_risk_upper`); it is
        looser, and needs ``stratify=False``.
    loss : callable, default=None
        ``loss(y_true, y_pred)``: 0 or 1 for each row. None counts predictions that differ from the class.
    n_screening : int, default=None
        If given, all candidates are compared on this many draws and only the three best of each `k` on all of them:
        much faster, and no longer Algorithm 1 to the letter.
    estimate_all : bool, default=False
        Whether to bound the error of the best candidate of every `k`, not only of the best `k`.
    stratify : bool, str or splitter, default=False
        How the data are cut: see :class:`cvstrat.CompleteKFold`.
    predict_mode : "draw" or "vote", default="draw"
        ``draw`` predicts each row by a model that is drawn for it (by `random_state` and the row's contents), which is
        what the bound speaks of; ``vote`` by the majority of all models, to which it does not apply (but which is
        rarely worse).
    n_jobs, verbose : int, default=None, 0
        As in ``GridSearchCV``; above 0, `verbose` shows progress.
    random_state : int, RandomState instance or None, default=None
        Where draws and predictions come from.

    Attributes
    ----------
    best_params_ : dict
        Hyperparameters that were chosen.
    best_k_, best_index_ : int
        Number of folds that was chosen, and the row of `cv_results_` of both.
    best_score_ : float
        Mean score of that candidate on the selection parts: 1 minus its mean loss.
    error_bound_, error_bound_se_ : float
        Bound from the estimation parts, and its standard error over draws (NaN if it is no mean over draws).
    error_bounds_ : dict of int to float
        Bound of the best candidate for the number of folds chosen, with `estimate_all` for each.
    models_ : list of classifiers
        One per draw, fitted on training and selection part.
    cv_results_ : dict of str to ndarray
        A row per candidate and number of folds: ``params``, ``param_...``, ``k``, ``n_draws``,
        ``mean_selection_bound``, ``std_selection_bound``, ``mean_selection_error``, ``rank_selection_bound``.
    n_redrawn_ : dict of int to int
        Draws made again, since their training part had one class only.
    classes_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Notes
    -----
    A Gaussian ``SVC`` on numeric columns, with two classes and `C` and `gamma` as hyperparameters, is fitted from
    distances that are computed once; the predictions are the same, but for rows that lie on the boundary between the
    classes to within rounding. Weights and other parameters of ``fit`` are for learning; errors are counted without
    them. Neither bound speaks of votes or of mean probabilities. The book measures how far the mean of bounds can be
    trusted.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.svm import SVC
    >>> from cvstrat import CompleteKFoldSearchCV
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X = (X - X.mean(axis=0)) / X.std(axis=0)
    >>> grid = {"C": [1, 10], "gamma": [0.001, 0.01]}
    >>> search = CompleteKFoldSearchCV(SVC(), grid, ks=(3, 5, 10), n_draws=20, random_state=0)
    >>> search = search.fit(X, y)
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
        n_iter: int | None = None,
        ks: Sequence[int] = (3, 4, 5, 6, 8, 10),
        n_draws: int = 100,
        delta: float = 0.05,
        bound: str = "mean",
        loss: Loss | None = None,
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
        self.n_iter = n_iter
        self.ks = ks
        self.n_draws = n_draws
        self.delta = delta
        self.bound = bound
        self.loss = loss
        self.n_screening = n_screening
        self.estimate_all = estimate_all
        self.stratify = stratify
        self.predict_mode = predict_mode
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.random_state = random_state

    def fit(self, X: Any, y: Any, **params: Any) -> Self:
        """Search; as in ``GridSearchCV``, `params` are what ``fit`` takes, such as ``sample_weight``."""
        if y is None:
            raise InputError("this search requires y to be passed, but the target y is None")
        X, y = indexable(X, column_or_1d(y, warn=True))
        settings = self._checked(X, y)
        self.classes_, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
        if len(self.classes_) < 2:
            raise InputError(f"y holds one class only, {self.classes_[0]!r}: a classifier needs at least two classes")
        if get_config()["enable_metadata_routing"]:
            params = process_routing(self, "fit", **params).estimator.fit
        weights = params.get("sample_weight")
        if weights is not None and len(np.unique(codes[np.asarray(weights) > 0])) < 2:
            raise InputError("sample_weight is above 0 in one class only: a classifier needs at least two classes")
        self._seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        draws = {int(k): self._draws(int(k), X, codes) for k in self.ks}
        self.n_redrawn_ = {k: some.redrawn for k, some in draws.items()}
        learner = learner_of(self.estimator, settings, X, y, fit_params=params, loss=self.loss)
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
            self.best_score_ = float(1 - self.cv_results_["mean_selection_error"][self.best_index_])
            best = draws[self.best_k_]
            self.models_ = list(
                parallel(delayed(fitted)(self.estimator, self.best_params_, X, y, one.both, params) for one in best)
            )
        errors = [
            np.sum(losses(self.loss, y[one.estimation], model.predict(safe_indexing(X, one.estimation))))
            for model, one in zip(self.models_, best, strict=True)
        ]
        n_choices = selection.bounds.size
        self.error_bound_, self.error_bound_se_ = self._bound(errors, best, counts, n_choices)
        self.error_bounds_ = dict.fromkeys(draws if self.estimate_all else [self.best_k_], self.error_bound_)
        for k in self.error_bounds_.keys() - {self.best_k_}:
            parts = [(one.both, one.estimation) for one in draws[k]]
            (errors,) = learner.errors([settings[selection.best(k)[0]]], parts)
            self.error_bounds_[k] = self._bound(errors, draws[k], counts, n_choices)[0]
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
        if self.bound not in ("mean", "proven"):
            raise InputError(f"bound must be 'mean' or 'proven'; it is {self.bound!r}")
        if self.bound == "proven" and self.stratify not in (False,):
            raise InputError("bound='proven' needs rows that are drawn at random: set stratify=False, or bound='mean'")
        self._check_mode()
        return candidates_of(self.param_grid, self.n_iter, self.random_state)

    def _draws(self, k: int, X: Any, codes: np.ndarray) -> Draws:
        # A seed for each k: its draws are the same, whatever other numbers of folds are tried.
        seed = int(np.random.SeedSequence([self._seed, k]).generate_state(1)[0])
        return CompleteKFold(k, self.n_draws, stratify=self.stratify, random_state=seed).draw(X, codes)

    def _bound(self, errors: Any, draws: Draws, counts: np.ndarray, n_choices: int) -> tuple[float, float]:
        size = len(draws[0].estimation)
        if self.bound == "mean":
            return mean_bound(errors, size, self.delta)
        kept = share_of_cuts_kept(counts, len(draws[0].training))
        return float(mean_risk_upper(np.mean(errors) / size, size, self.delta / n_choices, kept=kept)), float("nan")

    def _tabulate(self, settings: list[Setting], selection: Selection) -> None:
        candidates = candidate_columns([setting for setting in settings for _ in selection.ks])
        last = selection.n_draws < selection.n_draws.max()  # those that were screened out, on fewer draws
        self.cv_results_ = {"k": np.tile(selection.ks, len(settings))} | candidates
        self.cv_results_ |= {
            "n_draws": selection.n_draws.ravel(),
            "mean_selection_bound": selection.bounds.ravel(),
            "std_selection_bound": selection.stds.ravel(),
            "mean_selection_error": selection.rates.ravel(),
            "rank_selection_bound": rankdata((selection.bounds + last).ravel(), method="min").astype(np.int32),
        }

    def get_metadata_routing(self) -> MetadataRouter:
        """Return what ``fit`` of the estimator asks for."""
        mapping = MethodMapping().add(caller="fit", callee="fit")
        return MetadataRouter(owner=type(self).__name__).add(estimator=self.estimator, method_mapping=mapping)
