"""The evidence of the audit: the published code's own folds, and our emulation among draws of random folds."""

from __future__ import annotations

import pandas as pd

from compendium.files import data_file
from compendium.inference import stands_out
from compendium.spezia2025.study._spec import AS_PUBLISHED, CORRECT, PUBLISHED, twins
from compendium.spezia2025.tables._bias import blocks

AS_USED, MAPPED_BACK = "as used", "mapped back"


def reference_folds() -> pd.DataFrame:
    """Return what was measured on the splitters of the published code.

    Returns
    -------
    DataFrame
        A row per ``technique``, ``n_splits``, ``dataset`` and ``use`` (indices as used, or mapped back to the rows they
        stand for), with ``ratio``, the variance of class shares over test folds in units of that of random folds (mean
        over subsamples), and ``fold_size_range``, the largest difference between fold sizes. KFold and SCV, which map
        nothing, stand once.
    """
    measured = pd.read_csv(data_file("measured/reference_splitters.csv"), comment="#")
    uses = {AS_USED: "class_variance_as_used", MAPPED_BACK: "class_variance_mapped_back"}
    frames = [measured.assign(use=use, ratio=measured[column]) for use, column in uses.items()]
    long = pd.concat(frames).dropna(subset="ratio")
    long = long[(long["use"] == AS_USED) | ~long["technique"].isin(["KFold", "SCV"])]
    grouped = long.groupby(["technique", "n_splits", "dataset", "use"], sort=False)
    return grouped.agg(ratio=("ratio", "mean"), fold_size_range=("fold_size_range", "max")).reset_index()


def share_variance(measured: pd.DataFrame, use: str = AS_USED, technique: str = "") -> tuple[float, float]:
    """Return the range of the variance of class shares over that of random folds: means over data sets.

    Parameters
    ----------
    measured : DataFrame
        From :func:`reference_folds`.
    use : str, default="as used"
        ``as used`` or ``mapped back``.
    technique : str, default=""
        One technique; empty means all that map indices.

    Returns
    -------
    low, high : float
        Over techniques and numbers of folds.
    """
    named = measured["technique"] == technique if technique else ~measured["technique"].isin(["KFold", "SCV"])
    means = measured[(measured["use"] == use) & named].groupby(["technique", "n_splits"])["ratio"].mean()
    return float(means.min()), float(means.max())


def random_draws(bias: pd.DataFrame, clusters: pd.DataFrame, measure: str = "bias") -> pd.DataFrame:
    """Return a measure of KFold beside those of the techniques as published, which should be draws of the same thing.

    Parameters
    ----------
    bias : DataFrame
        From :func:`bias_table`.
    clusters : DataFrame
        The study's table of clusters: where SCBCV is one of SCBCV2 to SCBCV5, that one is no draw of its own.
    measure : str, default="bias"
        ``bias``, ``std`` or ``rmse``.

    Returns
    -------
    DataFrame
        Indexed by ``balance``, ``n_splits`` and ``dataset`` (mean over models); a column per draw, KFold first.
    """
    published = bias[(bias["version"] == AS_PUBLISHED) & bias["technique"].isin(PUBLISHED)]
    kfold = bias[(bias["version"] == CORRECT) & (bias["technique"] == "KFold")]
    rows = pd.concat([kfold, published])
    rows = rows[rows["technique"] != rows["dataset"].map(twins(clusters))]
    keys = ["balance", "n_splits", "dataset"]
    wide = rows.pivot_table(index=keys, columns="technique", values=measure, aggfunc="mean")
    wide = wide.reindex(columns=["KFold", *PUBLISHED]).dropna(subset="KFold")
    return wide[wide.notna().sum(axis=1) > 1]


def exchangeable_table(bias: pd.DataFrame, clusters: pd.DataFrame, measure: str = "bias") -> pd.DataFrame:
    """Return whether KFold stands out among the techniques as published, by kind of data and number of folds.

    Parameters
    ----------
    bias, clusters, measure
        As in :func:`random_draws`.

    Returns
    -------
    DataFrame
        A row per ``balance`` and ``n_splits``, after one for ``all`` together (``n_splits`` 0), with ``n_sets`` and the
        columns of :func:`compendium.inference.stands_out`.
    """
    draws = random_draws(bias, clusters, measure)
    parts = [({"balance": "all", "n_splits": 0}, draws)] if len(draws) else []
    kinds = draws.index.to_frame(index=False)[["balance", "n_splits"]].drop_duplicates()
    for balance, n_splits in kinds.to_numpy():
        parts.append(({"balance": balance, "n_splits": int(n_splits)}, draws.loc[[balance]].loc[(balance, n_splits)]))
    rows = [
        {**where, "n_sets": part.index.get_level_values("dataset").nunique()}
        | stands_out(part.dropna(axis="columns", how="all"), "KFold").to_dict()
        for where, part in parts
    ]
    return pd.DataFrame(rows)


def dataset_gaps(bias: pd.DataFrame, technique: str, reference: str = "SCV", measure: str = "bias") -> pd.DataFrame:
    """Return the difference of a measure on every data set, mean over models, both techniques correct.

    Returns
    -------
    DataFrame
        Columns ``dataset``, ``balance``, ``n_splits`` and ``difference``.
    """
    frames = []
    for n_splits in sorted(bias["n_splits"].unique()):
        table = blocks(bias, [reference, technique], measure, version=CORRECT, n_splits=n_splits)
        gaps = (table[technique] - table[reference]).groupby("dataset").mean()
        frames.append(gaps.rename("difference").reset_index().assign(n_splits=int(n_splits)))
    kinds = bias.drop_duplicates("dataset").set_index("dataset")["balance"]
    found = pd.concat(frames, ignore_index=True)
    return found.assign(balance=found["dataset"].map(kinds))


def closest_shares(wins: pd.DataFrame, technique: str, **where: object) -> pd.Series:
    """Return how often a technique is closest to zero, as a share of the pairs, by version.

    Parameters
    ----------
    wins : DataFrame
        From :func:`wins_table`.
    technique : str
        A column of it.
    **where
        Values of its columns, such as ``balance="imbalanced"``, ``n_splits=10``, ``measure="bias"``.
    """
    for column, value in where.items():
        wins = wins[wins[column] == value]
    found: pd.Series = (wins[technique] / wins["pairs"]).set_axis(wins["version"])
    return found.reindex(["published", AS_PUBLISHED, CORRECT])
