"""Facts of a data set that show only when its file is opened."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from compendium.datasets._load import load
from cvstrat.metrics import imbalance_index


def describe(names: Iterable[str]) -> pd.DataFrame:
    """Load data sets and return a row of facts for each, among them what can spoil a cross-validation.

    ``duplicates`` counts rows whose attributes and target both occurred before: such a case can be in training and test
    part at once. ``contradictions`` counts inputs that occur with more than one target, ``constant`` columns with one
    value.
    """
    return pd.DataFrame([_facts(name) for name in names]).set_index("name")


def _facts(name: str) -> dict[str, object]:
    data = load(name)
    inputs = pd.Series(list(map(bytes, np.ascontiguousarray(data.X).view(np.uint8).reshape(len(data.X), -1))))
    cases = pd.DataFrame({"input": inputs, "target": data.y})
    classified = data.task == "classification"
    return {
        "name": f"{data.collection}/{data.name}",
        "rows": data.X.shape[0],
        "features": data.X.shape[1],
        "classes": np.unique(data.y).size if classified else pd.NA,
        "smallest class": np.unique(data.y, return_counts=True)[1].min() if classified else pd.NA,
        "imbalance": round(imbalance_index(data.y), 3) if classified else pd.NA,
        "duplicates": int(cases.duplicated().sum()),
        "contradictions": int((cases.drop_duplicates().groupby("input").size() > 1).sum()),
        "constant": int((np.ptp(data.X, axis=0) == 0).sum()),
    }
