"""Models that were fitted on different draws, used as one classifier: one is drawn for each row, or all vote."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import get_tags, indexable
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from cvstrat._compat import num_samples, safe_indexing
from cvstrat.complete._draws import row_numbers
from cvstrat.complete._learners import losses
from cvstrat.errors import InputError


def _can_predict_proba(search: DrawnModels) -> bool:
    return hasattr(search.models_[0] if hasattr(search, "models_") else search.estimator, "predict_proba")


class DrawnModels(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """The part of a search that predicts; `fit` has to set ``models_``, ``classes_`` and ``_seed``."""

    estimator: Any
    loss: Any
    predict_mode: str

    def predict(self, X: Any) -> np.ndarray:
        """Return the class of each row of `X`, by a model drawn for it or by vote; see `predict_mode`."""
        check_is_fitted(self, "models_")
        self._check_mode()
        (X,) = indexable(X)
        if self.predict_mode == "vote":
            votes = np.searchsorted(self.classes_, [np.ravel(model.predict(X)) for model in self.models_])
            counts = [np.sum(votes == number, axis=0) for number in range(len(self.classes_))]
            return np.asarray(self.classes_[np.argmax(counts, axis=0)])
        self.models_[0].predict(safe_indexing(X, slice(0, 1)))  # the model's own validation, before rows are dispatched
        drawn = row_numbers(X, self._seed) % np.uint64(len(self.models_))
        predicted = np.empty(num_samples(X), dtype=self.classes_.dtype)
        for number in np.unique(drawn):
            rows = np.flatnonzero(drawn == number)
            predicted[rows] = np.ravel(self.models_[int(number)].predict(safe_indexing(X, rows)))
        return predicted

    @available_if(_can_predict_proba)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the probability of each class (columns, as in ``classes_``) for each row of `X`.

        It is the mean over all models, whatever `predict_mode` is; a model that has not seen a class gives it 0.
        """
        check_is_fitted(self, "models_")
        (X,) = indexable(X)
        total = np.zeros((num_samples(X), len(self.classes_)))
        for model in self.models_:
            total[:, np.searchsorted(self.classes_, model.classes_)] += model.predict_proba(X)
        return np.asarray(total / len(self.models_))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the (weighted) share of rows that are predicted without loss: the accuracy, unless `loss` is given."""
        return float(1 - np.average(losses(self.loss, np.asarray(y), self.predict(X)), weights=sample_weight))

    def _check_mode(self) -> None:
        if self.predict_mode not in ("draw", "vote"):
            raise InputError(f"predict_mode must be 'draw' or 'vote'; it is {self.predict_mode!r}")

    @property
    def n_features_in_(self) -> int:
        """Number of columns seen by the models."""
        check_is_fitted(self, "models_")
        return int(self.models_[0].n_features_in_)

    @property
    def feature_names_in_(self) -> np.ndarray:
        """Names of the columns seen by the models, if they had names."""
        check_is_fitted(self, "models_")
        return np.asarray(self.models_[0].feature_names_in_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator).input_tags
        tags.input_tags.sparse, tags.input_tags.allow_nan = inner.sparse, inner.allow_nan
        return tags
