"""What the study of 2000 says of CL-CV, each observation turned into a number with an interval."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from compendium.datasets import UnknownDataset, catalogue, load
from compendium.diamantidis2000.study._spec import sample_size
from compendium.diamantidis2000.tables._estimates import PRINTED
from compendium.inference import bootstrap_interval

_MODERATE = (5, 10)


def gain_table(samples: pd.DataFrame, accuracies: pd.DataFrame) -> pd.DataFrame:
    """Return what CL-CV gains over R-CV: how much higher, less pessimistic, its accuracy is.

    Parameters
    ----------
    samples : DataFrame
        From :func:`estimates_of_samples`.
    accuracies : DataFrame
        From :func:`accuracy_table`: the published means, which have no intervals.

    Returns
    -------
    DataFrame
        A row per ``source``, ``dataset`` and ``n_splits``: ``gain`` in points of accuracy with its 95 % interval over
        the samples (``low``, ``high``); ``std``, the standard deviation of R-CV's accuracy over the samples; and
        ``relative``, the gain divided by it.
    """
    keys = ["learner", "dataset", "n_splits"]
    wide = samples.pivot(index=[*keys, "sample"], columns="technique", values="accuracy")[["CL-CV", "R-CV"]].dropna()
    paired = (wide["CL-CV"] - wide["R-CV"]).groupby(keys, sort=False).agg(["mean", "sem", "size"])
    half = stats.t.ppf(0.975, paired["size"] - 1) * paired["sem"]
    ours = pd.DataFrame({"gain": paired["mean"], "low": paired["mean"] - half, "high": paired["mean"] + half})
    ours = ours.reset_index().rename(columns={"learner": "source"})
    means = accuracies[accuracies["source"] == PRINTED]
    printed = means.pivot(index=["source", "dataset", "n_splits"], columns="technique", values="accuracy")
    if len(printed):
        gained = (printed["CL-CV"] - printed["R-CV"]).rename("gain").reset_index()
        ours = pd.concat([gained, ours], ignore_index=True)
    stds = accuracies[accuracies["technique"] == "R-CV"][["source", "dataset", "n_splits", "std"]]
    table: pd.DataFrame = ours.merge(stds, on=["source", "dataset", "n_splits"])
    return table.assign(relative=table["gain"] / table["std"].where(table["std"] > 0))


def observation_table(gains: pd.DataFrame) -> pd.DataFrame:
    """Return the paper's four observations as numbers: each is borne out if its number is clearly above zero.

    Parameters
    ----------
    gains : DataFrame
        From :func:`gain_table`; at least four data sets.

    Returns
    -------
    DataFrame
        A row per ``observation``, ``source`` and ``measure``: ``points`` for gains in points of accuracy,
        ``deviations`` for gains divided by the standard deviation of R-CV's accuracy over the samples. For the first,
        ``value`` is the mean gain with 5 and 10 folds minus that with all other numbers of folds, with an interval over
        data sets (``low``, ``high``). For the others, which compare data sets, it is Spearman's correlation of the mean
        gain with the negative of that standard deviation, with the attributes per row, or with the negative size of the
        samples: with Fisher's interval (its standard error as Fieller has it) and an exact ``p_value``. ``sets`` is how
        many data sets there are.
    """
    rows: list[dict[str, Any]] = []
    for source, part in gains.groupby("source", sort=False):
        sets = list(part["dataset"].unique())
        shapes = pd.DataFrame({name: _shape(name) for name in sets}, index=["attributes", "rows"]).T
        causes = {
            "low variance": -part.groupby("dataset")["std"].mean(),
            "many attributes, few rows": shapes["attributes"] / shapes["rows"],
            "small data": -shapes["rows"],
        }
        for column, measure in {"gain": "points", "relative": "deviations"}.items():
            common = {"source": source, "measure": measure, "sets": len(sets)}
            rows.append({"observation": "moderate number of folds", **common, **_contrast(part, column)})
            mean = part.groupby("dataset")[column].mean().dropna()
            for observation, cause in causes.items():
                rows.append({"observation": observation, **common, **_correlation(mean, cause.reindex(mean.index))})
    order = ["moderate number of folds", "low variance", "many attributes, few rows", "small data"]
    table = pd.DataFrame(rows)
    table["observation"] = pd.Categorical(table["observation"], order, ordered=True)
    return table.sort_values("observation", kind="stable").astype({"observation": str}).reset_index(drop=True)


def _contrast(part: pd.DataFrame, column: str) -> dict[str, float]:
    moderate = part["n_splits"].isin(_MODERATE)
    inside = part[moderate].groupby("dataset")[column].mean()
    difference = (inside - part[~moderate].groupby("dataset")[column].mean()).dropna()
    if len(difference) < 2:
        return {"value": np.nan, "low": np.nan, "high": np.nan}
    found = bootstrap_interval(difference, difference.index)
    return {"value": found["estimate"], "low": found["low"], "high": found["high"]}


def _correlation(gain: pd.Series, cause: pd.Series) -> dict[str, float]:
    """Spearman's correlation; none for fewer than five data sets, or where all have the same value."""
    if len(gain) < 5 or gain.nunique() < 2 or cause.nunique() < 2:
        return {"value": np.nan, "low": np.nan, "high": np.nan, "p_value": np.nan}
    value = float(stats.spearmanr(cause, gain).statistic)
    half = 1.96 * np.sqrt(1.06 / (len(gain) - 3))
    centre = np.arctanh(np.clip(value, -0.999, 0.999))
    ranks = stats.rankdata(cause)
    test = stats.permutation_test(
        (stats.rankdata(gain),),
        lambda order, axis: (order * ranks).sum(axis),  # rises with the correlation, and is exact: ties stay ties
        vectorized=True,
        permutation_type="pairings",
        n_resamples=np.inf if len(gain) <= 7 else 9999,
        rng=0,
    )
    return {"value": value, "low": np.tanh(centre - half), "high": np.tanh(centre + half), "p_value": test.pvalue}


def _shape(name: str) -> tuple[int, int]:
    try:
        attributes = catalogue().find(name).features
    except UnknownDataset:
        attributes = load(name).X.shape[1]
    return attributes, sample_size(name)
