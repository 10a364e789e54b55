"""What the techniques cost in the cluster-based study, as ratios measured in one run."""

from __future__ import annotations

import pandas as pd

from cvstrat.studies import CORRECT, with_twins


def time_table(tables: dict[str, pd.DataFrame], *, n_splits: int = 10, reference: str = "SCV") -> pd.DataFrame:
    """Return the time of each technique on each data set, over that of stratified cross-validation.

    Parameters
    ----------
    tables : dict of str to DataFrame
        With ``clusters`` and ``folds_times``.
    n_splits : int, default=10
        Number of folds.
    reference : str, default="SCV"
        The technique whose time is one.

    Returns
    -------
    DataFrame
        A row per ``dataset`` and ``technique``: median seconds of cutting (``split``), of one whole cross-validation of
        all models (``total``), and the latter over the reference's (``ratio``).
    """
    times = with_twins(tables["folds_times"], tables["clusters"])
    times = times[(times["n_splits"] == n_splits) & (times["version"] == CORRECT)]
    runs = times.groupby(["dataset", "technique", "repeat"], sort=False).agg(
        split=("split_seconds", "first"), fit=("fit_seconds", "sum"), predict=("predict_seconds", "sum")
    )
    runs["total"] = runs.sum(axis=1)
    median = runs.groupby(["dataset", "technique"], sort=False)[["split", "total"]].median().reset_index()
    base = median[median["technique"] == reference].set_index("dataset")["total"]
    return median.assign(ratio=median["total"] / median["dataset"].map(base)).dropna(subset="ratio")
