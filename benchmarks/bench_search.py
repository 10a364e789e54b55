"""Wall time of EFoldSearchCV against GridSearchCV over all ten folds, on the same folds."""

import pandas as pd

from compendium import datasets
from compendium.mahlich2024.study import search_comparison, search_space

SETS = ("iris", "wine", "breast_cancer", "digits", "diabetes")


def run() -> pd.DataFrame:
    """Return a row per data set and search of a support vector machine: fits, seconds, and both against grid search."""
    frames = []
    for name in SETS:
        model, settings = search_space("SVM", datasets.load(name).task)
        grid = [{key: [value] for key, value in setting.items()} for setting in settings]
        found = search_comparison([name], model, grid, seeds=[1])
        whole = found.iloc[0]
        frames.append(found.assign(**{f"{part}, ratio": found[part] / whole[part] for part in ("fits", "seconds")}))
    return pd.concat(frames, ignore_index=True).drop(columns=["seed", "regret"])
