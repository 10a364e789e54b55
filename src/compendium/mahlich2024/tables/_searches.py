"""What a search with e-fold saves, and what it costs to save it."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compendium.inference import effects_if_several
from compendium.mahlich2024.tables._controls import mixed_shares
from cvstrat.efold import StableDeviation, race

SAME_COST = "fixed, same cost"
WHOLE = "grid search"
_CELL = ["dataset", "model"]
_N_COMPARED = 7  # four cheaper searches with grid search, three of them with the fourth
_TIE = 1e-9  # means that differ by less are equal but for rounding


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
        A row per data set, model, run and search. Of candidates with equal means a search takes the first, as
        ``GridSearchCV`` does. Searches: ``grid search`` over all folds, ``e-fold``, ``e-fold, dropping``, ``fixed, same
        cost`` (the whole numbers of folds around e-fold's mean, mixed to the same mean), and ``five folds``. Columns:

        - ``fits``, ``seconds``: in percent of those of grid search;
        - ``loss``: by how much the candidate chosen is below that of grid search, in points of the score (hundredths),
          by the means over the folds of all other runs; missing if there are none;
        - ``loss_any``: the same if a tie is broken at random, in the mean;
        - ``below_best``: by how much the candidate chosen is below the best one, by the same means;
        - ``regret``: by how much it is below the best one by the mean over all folds of this run.
    """
    keys = [*_CELL, "run"]
    both = tables["fits"].merge(tables["fits_times"], on=[*keys, "candidate", "fold"])
    both["seconds"] = both["fit_seconds"] + both["predict_seconds"]
    rows = []
    for cell, runs in both.groupby(_CELL, sort=False):
        whole = runs.pivot_table("score", "candidate", "run")
        for run, part in runs.groupby("run", sort=False):
            scores, seconds = (
                part.pivot(index="candidate", columns="fold", values=name).to_numpy() for name in ("score", "seconds")
            )
            elsewhere = whole.drop(columns=run).mean(axis=1).to_numpy()
            for way, found in _searched(scores, seconds, elsewhere, rule or StableDeviation()).items():
                rows.append({**dict(zip(keys, (*cell, run), strict=True)), "search": way, **found})
    return pd.DataFrame(rows)


def _searched(
    scores: np.ndarray, seconds: np.ndarray, elsewhere: np.ndarray, rule: StableDeviation
) -> dict[str, dict[str, float]]:
    whole = scores.mean(axis=1)
    best = _ties(whole)

    def fold_scores(active: list[int], fold: int) -> list[float]:
        return [float(score) for score in scores[active, fold]]

    def outcome(used: np.ndarray) -> dict[str, float]:
        fitted = np.arange(scores.shape[1]) < used[:, None]
        chosen = _ties(np.where(fitted, scores, 0).sum(axis=1) / used)
        return {
            "fits": 100 * fitted.mean(),
            "seconds": 100 * seconds[fitted].sum() / seconds.sum(),
            "loss": 100 * (elsewhere[best[0]] - elsewhere[chosen[0]]),
            "loss_any": 100 * (elsewhere[best].mean() - elsewhere[chosen].mean()),
            "below_best": 100 * (elsewhere.max() - elsewhere[chosen[0]]),
            "regret": 100 * (whole[best[0]] - whole[chosen[0]]),
        }

    by_folds = pd.DataFrame([outcome(np.full(len(scores), n)) for n in range(1, scores.shape[1] + 1)])
    found = {WHOLE: {str(name): float(value) for name, value in by_folds.iloc[-1].items()}}
    for way, highest in {"e-fold": None, "e-fold, dropping": 1.0}.items():
        raced, _ = race(scores.shape[0], scores.shape[1], rule, fold_scores, highest=highest)
        found[way] = outcome(np.array([len(one) for one in raced]))
    mean = found["e-fold"]["fits"] / 100 * scores.shape[1]
    found[SAME_COST] = {str(name): float(by_folds[name] @ mixed_shares(mean, scores.shape[1])) for name in by_folds}
    found["five folds"] = {str(name): float(value) for name, value in by_folds.iloc[4].items()}
    return found


def _ties(means: np.ndarray) -> np.ndarray:
    """Return the candidates whose means are the largest, but for rounding, in their order."""
    return np.flatnonzero(means >= means.max() - _TIE)


def search_losses(searches: pd.DataFrame) -> pd.DataFrame:
    """Return the mean ``loss`` of each pair of data set and model, a column for each search.

    Parameters
    ----------
    searches : DataFrame
        From :func:`search_table`. If there is but one run, no choice has a loss, and the table is empty.
    """
    wide = searches.groupby([*_CELL, "search"], sort=False)["loss"].mean().unstack("search")
    return wide[list(searches["search"].unique())].dropna()


def search_effects(searches: pd.DataFrame) -> pd.DataFrame:
    """Return what the choices of cheaper searches lose, and how that differs from a fixed number of folds.

    Parameters
    ----------
    searches : DataFrame
        From :func:`search_table`.

    Returns
    -------
    DataFrame
        :func:`compendium.inference.effects` of the ``loss``, with intervals over data sets, once against ``grid
        search``, which loses nothing, and once against a fixed number of folds of e-fold's cost; ``panel`` says
        against which. Joint intervals hold for all rows.
    """
    losses = search_losses(searches)
    frames = []
    for reference, part in {WHOLE: losses, SAME_COST: losses.drop(columns=WHOLE)}.items():
        found = effects_if_several(part, reference, "dataset", n_comparisons=_N_COMPARED)
        frames.append(found.assign(panel=f"loss against {reference}"))
    return pd.concat(frames).rename_axis("technique").reset_index()
