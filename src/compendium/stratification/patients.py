"""Simulated patients with several rows each, and how far estimates are off that tear them apart or keep them whole."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.model_selection import GroupKFold
from sklearn.neighbors import KNeighborsClassifier

from compendium.figures import signed
from cvstrat import make_splitter

__all__ = [
    "N_CLUSTERS",
    "PLAIN",
    "TORN",
    "TRUE",
    "WHOLE",
    "Patients",
    "draw_patients",
    "gap_text",
    "patient_scores",
    "score_table",
]

N_CLUSTERS = 4  # clusters per class in the page's example
TRUE, TORN, WHOLE, PLAIN = "new patients", "SCBCV, rows dealt", "SCBCV, patients dealt", "GroupKFold"
_ALIKE = (
    "So folds of SCBCV estimate too high even with whole patients: their training parts resemble their test parts more "
    "than new patients."
)


class Patients(NamedTuple):
    """Rows of patients in a study (``X``, ``y``, ``groups``), and of new ones (``new_rows``, ``new_y``)."""

    X: np.ndarray
    y: np.ndarray
    groups: np.ndarray
    new_rows: np.ndarray
    new_y: np.ndarray


def draw_patients(n_patients: int, n_new: int, random_state: Any) -> Patients:
    """Draw patients: each has a place in the plane, a class that depends on it a little, and 3 to 8 rows close by.

    Parameters
    ----------
    n_patients, n_new : int
        Numbers of patients in the study, and of new ones.
    random_state : int or Generator
        Seed or generator; a generator goes on from where it is left.
    """
    rng = np.random.default_rng(random_state)
    place = rng.normal(scale=4.0, size=(n_patients + n_new, 2))
    ill = rng.random(n_patients + n_new) < 1 / (1 + np.exp(-0.3 * place[:, 0]))
    patient = np.repeat(np.arange(len(place)), rng.integers(3, 9, len(place)))
    rows = place[patient] + rng.normal(scale=0.3, size=(len(patient), 2))
    here, labels = patient < n_patients, np.where(ill, "ill", "well")[patient]
    return Patients(rows[here], labels[here], patient[here], rows[~here], labels[~here])


def patient_scores(seeds: Iterable[int], n_patients: int, n_new: int, n_splits: int) -> pd.DataFrame:
    """Return the accuracy of one nearest neighbour on new patients, and what folds say it is, for fresh patients.

    Parameters
    ----------
    seeds : iterable of int
        A seed for each draw of patients; it also shuffles the folds.
    n_patients, n_new : int
        As in :func:`draw_patients`.
    n_splits : int
        Number of folds.

    Returns
    -------
    DataFrame
        A row per seed. Columns, in percent: ``new patients``, the truth; ``SCBCV, rows dealt``, whose folds tear
        patients apart; and ``SCBCV, patients dealt`` and ``GroupKFold``, which keep them whole.
    """
    found = {}
    for seed in seeds:
        X, y, groups, new_rows, new_y = draw_patients(n_patients, n_new, seed)
        model = KNeighborsClassifier(1)
        ours = make_splitter("SCBCV", n_splits=n_splits, n_clusters=N_CLUSTERS, random_state=seed)
        plain = GroupKFold(n_splits, shuffle=True, random_state=seed)
        cuts = {TORN: ours.split(X, y), WHOLE: ours.split(X, y, groups), PLAIN: plain.split(X, y, groups)}
        scores = {
            name: np.mean([np.mean(model.fit(X[train], y[train]).predict(X[test]) == y[test]) for train, test in folds])
            for name, folds in cuts.items()
        }
        found[seed] = {TRUE: model.fit(X, y).score(new_rows, new_y), **scores}
    return 100 * pd.DataFrame(found).T.rename_axis("seed")


def score_table(scores: pd.DataFrame) -> pd.DataFrame:
    """Return how far each estimate is off on average.

    Parameters
    ----------
    scores : DataFrame
        From :func:`patient_scores`; at least two draws.

    Returns
    -------
    DataFrame
        A row per kind of ``folds``: mean ``estimate``, its mean difference from the accuracy on new patients
        (``off``) with the standard error over draws (``off_se``), and the mean difference from ``GroupKFold`` on the
        same patients (``above``) with its standard error (``above_se``).
    """
    if len(scores) < 2:
        raise ValueError(f"a standard error needs at least 2 draws of patients; there is {len(scores)}")
    folds = scores.drop(columns=TRUE)
    off, above = folds.sub(scores[TRUE], axis=0), folds.sub(scores[PLAIN], axis=0)
    columns = {"estimate": folds.mean(), "off": off.mean(), "off_se": off.sem()}
    return pd.DataFrame({**columns, "above": above.mean(), "above_se": above.sem()}).rename_axis("folds").reset_index()


def gap_text(table: pd.DataFrame) -> str:
    """Return, in sentences, how far estimates with torn and with whole patients are off, and what alike folds add.

    Parameters
    ----------
    table : DataFrame
        From :func:`score_table`.
    """
    lines = table.set_index("folds").to_dict("index")
    torn, whole, plain = (lines[name] for name in (TORN, WHOLE, PLAIN))
    said = [f"{signed(one['off'], 1)} points (standard error {one['off_se']:.1f})" for one in (torn, whole, plain)]
    added = f"{signed(whole['above'], 1)} points (standard error {whole['above_se']:.1f})"
    clear = abs(whole["above"]) > 2 * whole["above_se"]
    text = (
        f"The estimates are off by {said[0]} with torn patients. With whole ones they are off by {said[1]} in folds of "
        f"SCBCV and by {said[2]} in those of GroupKFold. On the same patients these two differ by {added}, "
        f"{'more' if clear else 'no more'} than chance would explain."
    )
    return f"{text} {_ALIKE}" if clear and whole["above"] > 0 else text
