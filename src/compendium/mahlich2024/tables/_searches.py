"""What a search with e-fold saves, and what it costs to save it."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compendium.inference import effects_if_several
from compendium.mahlich2024.tables._controls import mixed_shares
from cvstrat.efold import StableDeviation, race

SAME_COST = "fixed, same cost"


def search_table(tables: dict[str, pd.DataFrame], *, rule: StableDeviation | None = None) -> pd.DataFrame:
    """Return what several ways to search would have fitted and chosen, from all scores of all candidates.

    Parameters
    ----------
    tables : dict of str to DataFrame
        ``fits`` and ``fits_times`` of the study ``mahlich2024-search``.
    rule : StableDeviation, default=None
        The stopping rule of e-fold; None means the paper's.

    Returns
    -------
    DataFrame
        A row per data set, model, run and search: ``fits`` and ``seconds`` in percent of those of grid search over all
        folds, and ``regret``, in points of the score (hundredths): by how much the mean over all folds of the best
        candidate is above that of the one chosen. Searches: ``e-fold``, ``e-fold, dropping``, ``fixed, same cost`` (the
        whole numbers of folds around e-fold's mean, mixed to the same mean), and ``five folds``.
    """
    keys = ["dataset", "model", "run"]
    both = tables["fits"].merge(tables["fits_times"], on=[*keys, "candidate", "fold"])
    both["seconds"] = both["fit_seconds"] + both["predict_seconds"]
    rows = []
    for search, part in both.groupby(keys, sort=False):
        scores, seconds = (
            part.pivot(index="candidate", columns="fold", values=name).to_numpy() for name in ("score", "seconds")
        )
        for way, found in _searched(scores, seconds, rule or StableDeviation()).items():
            rows.append({**dict(zip(keys, search, strict=True)), "search": way, **found})
    return pd.DataFrame(rows)


def _searched(scores: np.ndarray, seconds: np.ndarray, rule: StableDeviation) -> dict[str, dict[str, float]]:
    def fold_scores(active: list[int], fold: int) -> list[float]:
        return [float(score) for score in scores[active, fold]]

    def outcome(used: np.ndarray) -> dict[str, float]:
        fitted = np.arange(scores.shape[1]) < used[:, None]
        means = np.where(fitted, scores, 0).sum(axis=1) / used
        whole = scores.mean(axis=1)
        return {
            "fits": 100 * fitted.mean(),
            "seconds": 100 * seconds[fitted].sum() / seconds.sum(),
            "regret": 100 * (whole.max() - whole[means.argmax()]),
        }

    found = {}
    for way, highest in {"e-fold": None, "e-fold, dropping": 1.0}.items():
        raced, _ = race(scores.shape[0], scores.shape[1], rule, fold_scores, highest=highest)
        found[way] = outcome(np.array([len(one) for one in raced]))
    by_folds = pd.DataFrame([outcome(np.full(len(scores), n)) for n in range(1, scores.shape[1] + 1)])
    mean = found["e-fold"]["fits"] / 100 * scores.shape[1]
    found[SAME_COST] = {str(name): float(by_folds[name] @ mixed_shares(mean, scores.shape[1])) for name in by_folds}
    found["five folds"] = {str(name): float(value) for name, value in by_folds.iloc[4].items()}
    return found


def search_effects(searches: pd.DataFrame) -> pd.DataFrame:
    """Return how regrets differ from that of a fixed number of folds of e-fold's cost, with intervals over data sets.

    Parameters
    ----------
    searches : DataFrame
        From :func:`search_table`.
    """
    wide = searches.pivot(index=["dataset", "model", "run"], columns="search", values="regret")
    means = wide[list(searches["search"].unique())].groupby(["dataset", "model"]).mean()
    found = effects_if_several(means, SAME_COST, "dataset")
    return found.assign(panel="regret").rename_axis("technique").reset_index()
