"""The time that the techniques take in the cluster-based study, as ratios measured in one run."""

from __future__ import annotations

import pandas as pd

from compendium.spezia2025.study._spec import CORRECT, with_twins


def time_table(tables: dict[str, pd.DataFrame], *, n_splits: int = 10, reference: str = "SCV") -> pd.DataFrame:
    """Return the time of each technique on each data set, over that of stratified cross-validation.

    Parameters
    ----------
    tables : dict of str to DataFrame
        With ``clusters`` and ``folds_times``.
    n_splits : int, default=10
        Number of folds, one of those that were run.
    reference : str, default="SCV"
        The technique whose time is one.

    Returns
    -------
    DataFrame
        A row per ``dataset`` and ``technique``: median seconds of cutting (``split``), median share of cutting in fits
        and predictions of all models (``overhead``), and what a whole cross-validation takes over the reference
        (``ratio``), fits and predictions taken to last equally long: they do not depend on how folds were cut.
    """
    times = with_twins(tables["folds_times"], tables["clusters"])
    times = times[(times["n_splits"] == n_splits) & (times["version"] == CORRECT)]
    runs = times.groupby(["dataset", "technique", "repeat"], sort=False).agg(
        split=("split_seconds", "first"), fit=("fit_seconds", "sum"), predict=("predict_seconds", "sum")
    )
    runs["overhead"] = runs["split"] / (runs["fit"] + runs["predict"])
    median = runs.groupby(["dataset", "technique"], sort=False)[["split", "overhead"]].median().reset_index()
    base = median[median["technique"] == reference].set_index("dataset")["overhead"]
    ratio = (1 + median["overhead"]) / (1 + median["dataset"].map(base))
    return median.assign(ratio=ratio).dropna(subset="ratio")
