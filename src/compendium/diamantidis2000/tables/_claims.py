"""What the study of 2000 says of CL-CV, each observation turned into a number with an interval."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from compendium.datasets import UnknownDataset, catalogue, load
from compendium.diamantidis2000.study._spec import sample_size
from compendium.diamantidis2000.tables._estimates import PRINTED
from compendium.inference import grouped_mean

_LETTER = "pmlb/letter"
_MODERATE = (5, 10)
_ENDS = ("low", "high", "joint_low", "joint_high")
_TESTS = 8  # four observations, gains in points and in deviations


def gain_table(
    samples: pd.DataFrame, accuracies: pd.DataFrame, technique: str = "CL-CV", reference: str = "R-CV"
) -> pd.DataFrame:
    """Return what a technique gains over another: how much higher, less pessimistic, its accuracy is.

    Parameters
    ----------
    samples : DataFrame
        From :func:`estimates_of_samples`.
    accuracies : DataFrame
        From :func:`accuracy_table`: the published means, which have no intervals.
    technique, reference : str, default="CL-CV" and "R-CV"
        The two to compare, by the paper's names.

    Returns
    -------
    DataFrame
        A row per ``source``, ``dataset`` and ``n_splits``: ``gain`` in points of accuracy with its 95 % interval over
        the samples (``low``, ``high``) and the interval that holds for all gains of ours at once (``joint_low``,
        ``joint_high``, by Bonferroni's correction); ``std``, the standard deviation of the reference's accuracy over
        the samples; and ``relative``, the gain divided by it.
    """
    keys = ["learner", "dataset", "n_splits"]
    wide = samples.pivot(index=[*keys, "sample"], columns="technique", values="accuracy")
    wide = wide[[technique, reference]].dropna()
    paired = (wide[technique] - wide[reference]).groupby(keys, sort=False).agg(["mean", "sem", "size"])
    ours = pd.DataFrame({"gain": paired["mean"]})
    for name, tail in {"": 0.025, "joint_": 0.025 / len(paired)}.items():
        half = stats.t.isf(tail, paired["size"] - 1) * paired["sem"]
        ours[f"{name}low"], ours[f"{name}high"] = paired["mean"] - half, paired["mean"] + half
    ours = ours.reset_index().rename(columns={"learner": "source"})
    means = accuracies[accuracies["source"] == PRINTED]
    printed = means.pivot(index=["source", "dataset", "n_splits"], columns="technique", values="accuracy")
    if len(printed):
        gained = (printed[technique] - printed[reference]).rename("gain").reset_index()
        ours = pd.concat([gained, ours], ignore_index=True)
    stds = accuracies[accuracies["technique"] == reference][["source", "dataset", "n_splits", "std"]]
    table: pd.DataFrame = ours.merge(stds, on=["source", "dataset", "n_splits"])
    return table.assign(relative=table["gain"] / table["std"].where(table["std"] > 0))


def observation_table(gains: pd.DataFrame) -> pd.DataFrame:
    """Return the paper's four observations as numbers: each is borne out if its number is clearly above zero.

    Parameters
    ----------
    gains : DataFrame
        From :func:`gain_table`; at least four data sets. Those without gains for all numbers of folds are left out.

    Returns
    -------
    DataFrame
        A row per ``observation``, ``source`` and ``measure``: ``points`` for gains in points of accuracy,
        ``deviations`` for gains divided by the standard deviation of R-CV's accuracy over the samples. For the first,
        ``value`` is the mean gain with 5 and 10 folds minus that with all other numbers of folds, with an interval over
        data sets (``low``, ``high``). For the others, which compare data sets, it is Spearman's correlation of the mean
        gain with the negative of that standard deviation, with the attributes per row, or with the negative size of the
        samples: with Fisher's interval (its standard error as Fieller has it) and an exact ``p_value``. ``joint_low``
        and ``joint_high`` hold for all tests of ours at once (Bonferroni's correction). ``sets`` is how many data sets
        there are.
    """
    rows: list[dict[str, Any]] = []
    folds = gains.groupby(["source", "dataset"])["n_splits"].transform("nunique")
    gains = gains[folds == gains["n_splits"].nunique()]
    joint = 1 - 0.05 / (_TESTS * max(1, gains["source"].drop_duplicates().ne(PRINTED).sum()))
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
            rows.append({"observation": "moderate number of folds", **common, **_contrast(part, column, joint)})
            mean = part.groupby("dataset")[column].mean().dropna()
            for observation, cause in causes.items():
                rows.append(
                    {"observation": observation, **common, **_correlation(mean, cause.reindex(mean.index), joint)}
                )
    order = ["moderate number of folds", "low variance", "many attributes, few rows", "small data"]
    table = pd.DataFrame(rows)
    table["observation"] = pd.Categorical(table["observation"], order, ordered=True)
    return table.sort_values("observation", kind="stable").astype({"observation": str}).reset_index(drop=True)


def curve_points(curves: pd.DataFrame, accuracies: pd.DataFrame) -> pd.DataFrame:
    """Return the published means of R-CV on letter as points of a learning curve, ours of C4.5 beside them.

    A model of k random folds learns from a share of 1 - 1/k of the sample, so that the mean accuracy of its folds is
    that of the learning curve at as many rows.

    Parameters
    ----------
    curves : DataFrame
        From :func:`curve_table`.
    accuracies : DataFrame
        From :func:`accuracy_table`.

    Returns
    -------
    DataFrame
        A row per number of folds: ``n_splits``, ``size`` (rows learned from), ``published`` and ``ours`` in percent,
        the latter between the two nearest points of the curve, on a logarithmic axis. Empty without C4.5 on letter.
    """
    ours = curves[(curves["dataset"] == _LETTER) & (curves["learner"] == "C4.5")].sort_values("size")
    rows = accuracies[(accuracies["dataset"] == _LETTER) & (accuracies["source"] == PRINTED)]
    rows = rows[rows["technique"] == "R-CV"].head(len(rows) if len(ours) else 0)
    size = sample_size(_LETTER) * (1 - 1 / rows["n_splits"])
    between = np.interp(np.log(size), np.log(ours["size"]), ours["accuracy"]) if len(rows) else []
    table = pd.DataFrame({"n_splits": rows["n_splits"], "size": size, PRINTED: rows["accuracy"], "ours": between})
    return table.reset_index(drop=True)


def _contrast(part: pd.DataFrame, column: str, joint: float) -> dict[str, float]:
    moderate = part["n_splits"].isin(_MODERATE)
    inside = part[moderate].groupby("dataset")[column].mean()
    difference = (inside - part[~moderate].groupby("dataset")[column].mean()).dropna()
    if len(difference) < 2:
        return dict.fromkeys(["value", *_ENDS], np.nan)
    found = grouped_mean(difference, difference.index)
    ends = (*found.interval(0.95), *found.interval(joint))
    return {"value": found.estimate, **dict(zip(_ENDS, ends, strict=True))}


def _correlation(gain: pd.Series, cause: pd.Series, joint: float) -> dict[str, float]:
    """Spearman's correlation; none for fewer than five data sets, or where all have the same value."""
    if len(gain) < 5 or gain.nunique() < 2 or cause.nunique() < 2:
        return dict.fromkeys(["value", *_ENDS, "p_value"], np.nan)
    value = float(stats.spearmanr(cause, gain).statistic)
    half = np.array([stats.norm.isf((1 - level) / 2) for level in (0.95, joint)]) * np.sqrt(1.06 / (len(gain) - 3))
    centre = np.arctanh(np.clip(value, -0.999, 0.999))
    ends = np.tanh(np.column_stack([centre - half, centre + half])).ravel()
    ranks = stats.rankdata(cause)
    test = stats.permutation_test(
        (stats.rankdata(gain),),
        lambda order, axis: (order * ranks).sum(axis),  # rises with the correlation, and is exact: ties stay ties
        vectorized=True,
        permutation_type="pairings",
        n_resamples=np.inf if len(gain) <= 7 else 9999,
        rng=0,
    )
    return {"value": value, **dict(zip(_ENDS, ends, strict=True)), "p_value": test.pvalue}


def _shape(name: str) -> tuple[int, int]:
    try:
        attributes = catalogue().find(name).features
    except UnknownDataset:
        attributes = load(name).X.shape[1]
    return attributes, sample_size(name)
