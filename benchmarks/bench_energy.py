"""Energy of ten cross-validations in full and by e-fold, as an estimate of codecarbon's (cvstrat[energy])."""

import time

import pandas as pd
from sklearn.ensemble import AdaBoostClassifier
from sklearn.model_selection import StratifiedKFold, cross_validate

from compendium import datasets
from compendium.mahlich2024.energy import estimate_energy
from cvstrat import efold_cross_validate

SEEDS = range(1, 11)


def run() -> pd.DataFrame:
    """Return a row per procedure: fits, seconds of the processor, estimated energy, and each against ten folds."""
    table = pd.DataFrame([_measured(_whole), _measured(_early)])
    for name in ("fits", "CPU seconds", "watt hours"):
        table[f"{name}, ratio"] = table[name] / table[name].iloc[0]
    return table.assign(procedure=["ten folds", "e-fold"]).set_index("procedure").reset_index()


def _measured(procedure) -> dict[str, object]:
    data, fits = datasets.load("breast_cancer"), []
    start = time.process_time()
    energy = estimate_energy(lambda: fits.extend(procedure(data.X, data.y, _folds(seed)) for seed in SEEDS))
    spent = time.process_time() - start
    found = energy.drop("seconds").rename({"watt_hours": "watt hours"})  # as the stored table has it
    return {"fits": sum(fits), "CPU seconds": spent, **found.to_dict()}


def _whole(X, y, cv) -> int:
    return len(cross_validate(_model(), X, y, cv=cv, scoring="f1")["test_score"])


def _early(X, y, cv) -> int:
    return efold_cross_validate(_model(), X, y, cv=cv, scoring="f1").n_folds


def _model():
    return AdaBoostClassifier(random_state=0)


def _folds(seed):
    return StratifiedKFold(10, shuffle=True, random_state=seed)
