"""What models fitted on draws get wrong."""

from __future__ import annotations

import numpy as np

from cvstrat.complete import Draws, GaussianSVM


def wrong_predictions(
    learner: GaussianSVM, setting: dict[str, float], draws: Draws, y: np.ndarray, y_test: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return errors on estimation parts, wrong predictions of each model on the test set, and those of their vote."""
    rows = np.arange(len(y) + len(y_test))
    predicted = learner.decisions(setting, [one.both for one in draws], rows)
    inner, outer = predicted[:, : len(y)], predicted[:, len(y) :]
    errors = np.array([np.sum(inner[place, one.estimation] != y[one.estimation]) for place, one in enumerate(draws)])
    wrong = outer != y_test
    vote = (outer.mean(axis=0) > 0.5) != y_test
    return errors, wrong, vote
