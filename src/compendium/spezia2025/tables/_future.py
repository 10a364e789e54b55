"""What the paper's future work brings: batches, dendrograms, searches, silhouettes and distances as tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from compendium.inference import effects_if_several, with_findings
from compendium.spezia2025.study._batches import FULL
from compendium.spezia2025.study._searches import ESTIMATED
from compendium.spezia2025.tables._effects import MARGIN

# Fixed after a pilot of single units, before the study was run: what is faster, worse clusters, other folds.
TIME_MARGIN, INERTIA_MARGIN, RATIO_MARGIN = 0.75, 1.02, 0.1
STUDY_RULE = "as in the study"
_RULE_OF_STUDY = "Mojena 2"  # with average linkage
_REFERENCE = "ward, " + STUDY_RULE


def batch_table(batches: pd.DataFrame, times: pd.DataFrame) -> pd.DataFrame:
    """Return what each batch size of Mini-Batch K-Means saves and costs, relative to K-Means on the same rows.

    Parameters
    ----------
    batches, times : DataFrame
        ``batches`` and ``batches_times`` of the study ``spezia2025-future``.

    Returns
    -------
    DataFrame
        A line per ``shape``, ``rows`` and ``batch_size``, over ``n_made`` simulated sets: ``fit`` and ``cut`` (median
        time of the clustering and of the whole cut, K-Means = 1), ``cut_low`` and ``cut_high`` (the extremes),
        ``inertia`` (mean, K-Means = 1), ``agreement`` (mean adjusted Rand index of the clusters), ``ratio`` and
        ``ratio_full`` (mean balance ratio of the folds, and with K-Means), and ``pays``: whether the cut and the
        clustering, timed apart, take at most three quarters of the time, and inertia and balance ratio stay within
        their margins.
    """
    made = ["shape", "rows", "made"]
    both = batches.merge(times, on=[*made, "batch_size"])
    full = both[both["batch_size"] == FULL].drop(columns=["batch_size", "agreement"])
    pairs = both[both["batch_size"] != FULL].merge(full, on=made, suffixes=("", "_full"))
    pairs = pairs.assign(
        fit=pairs["fit_seconds"] / pairs["fit_seconds_full"],
        cut=pairs["cut_seconds"] / pairs["cut_seconds_full"],
        inertia=pairs["inertia"] / pairs["inertia_full"],
    )
    table = pairs.groupby(["shape", "rows", "batch_size"], sort=False).agg(
        fit=("fit", "median"),
        cut=("cut", "median"),
        cut_low=("cut", "min"),
        cut_high=("cut", "max"),
        n_made=("cut", "size"),
        inertia=("inertia", "mean"),
        agreement=("agreement", "mean"),
        ratio=("ratio", "mean"),
        ratio_full=("ratio_full", "mean"),
    )
    good = (table["inertia"] <= INERTIA_MARGIN) & (table["ratio"] - table["ratio_full"] <= RATIO_MARGIN)
    return table.assign(pays=good & (table[["fit", "cut"]] <= TIME_MARGIN).all(axis=1)).reset_index()


def linkage_folds(counts: pd.DataFrame, linkages: pd.DataFrame, clusters: pd.DataFrame) -> pd.DataFrame:
    """Return the folds that each linkage and rule gives on each data set; the study's number of clusters is one rule.

    That number is the one of average linkage and Mojena's rule at 2. The other linkages are given it too; for average
    linkage itself it is no rule of its own, and is left out.

    Parameters
    ----------
    counts, linkages, clusters : DataFrame
        Tables of the study ``spezia2025-future``.

    Returns
    -------
    DataFrame
        A line per ``dataset``, ``linkage``, ``rule`` and ``n_splits``: ``n_clusters``, ``largest`` (share of the rows
        in the largest cluster) and ``ratio`` (balance ratio of the folds), means over subsamples.
    """
    own = clusters[["dataset", "n_clusters"]].merge(counts[["dataset", "linkage"]].drop_duplicates(), on="dataset")
    if (counts.loc[counts["linkage"] == "average", "rule"] == _RULE_OF_STUDY).any():
        own = own[own["linkage"] != "average"]
    chosen = pd.concat([counts[["dataset", "linkage", "rule", "n_clusters"]], own.assign(rule=STUDY_RULE)])
    by = ["dataset", "linkage", "n_clusters"]
    means = linkages.groupby([*by, "n_splits"], sort=False)[["largest", "ratio"]].mean().reset_index()
    found: pd.DataFrame = chosen.merge(means, on=by)
    return found


def linkage_table(folds: pd.DataFrame) -> pd.DataFrame:
    """Return, for each linkage, rule and number of folds, what came out over the data sets.

    Parameters
    ----------
    folds : DataFrame
        From :func:`linkage_folds`.

    Returns
    -------
    DataFrame
        ``n_clusters`` (median), ``fewest``, ``most``, ``largest`` and ``ratio`` (means), and how the ratio differs from
        that of Ward's linkage with the study's number of clusters: ``difference``, ``low``, ``high``, intervals that
        hold for all comparisons at once (``joint_low``, ``joint_high``), and ``finding`` as in :func:`effects_table`,
        with a margin of 0.1.
    """
    named = folds.assign(choice=folds["linkage"] + ", " + folds["rule"])
    by = ["n_splits", "linkage", "rule", "choice"]
    summary = named.groupby(by, sort=False).agg(
        n_clusters=("n_clusters", "median"),
        fewest=("n_clusters", "min"),
        most=("n_clusters", "max"),
        largest=("largest", "mean"),
        ratio=("ratio", "mean"),
    )
    frames = []
    for n_splits, part in named.groupby("n_splits"):
        wide = part.pivot(index="dataset", columns="choice", values="ratio").dropna()
        n_compared = (wide.shape[1] - 1) * named["n_splits"].nunique()
        found = effects_if_several(wide, _REFERENCE, "dataset", n_comparisons=n_compared, margin=RATIO_MARGIN)
        frames.append(found.rename_axis("choice").reset_index().assign(n_splits=n_splits))
    effects = with_findings(pd.concat(frames, ignore_index=True))
    columns = ["n_splits", "choice", "difference", "low", "high", "joint_low", "joint_high", "finding"]
    table: pd.DataFrame = summary.reset_index().merge(effects[columns], on=["n_splits", "choice"], how="left")
    return table


def search_table(searches: pd.DataFrame) -> pd.DataFrame:
    """Return what each search costs and changes, relative to the grid on the same data set and model.

    Parameters
    ----------
    searches : DataFrame
        The table of that name of the study ``spezia2025-future``.

    Returns
    -------
    DataFrame
        A line per ``search`` and ``measure`` (``truth``: balanced accuracy on hold-outs; ``bias SCV``, ``bias SCBCV``:
        estimate with two folds minus truth): ``fits`` and ``full_fits`` (number of fits, and what they amount to in
        fits on all rows; grid = 1), ``moved`` (share of the searches after which it differs by more than half a point),
        ``difference`` and its intervals over data sets, ``detectable`` and ``finding`` as in :func:`effects_table`.
    """
    biases = {f"bias {name}": searches[name] - searches["truth"] for name in ESTIMATED}
    rows = searches.assign(**biases)
    measures = ["truth", *biases]
    grid = rows[rows["search"] == "grid"].drop(columns=["search", "repeat"])
    pairs = rows.merge(grid, on=["dataset", "model"], suffixes=("", "_grid"))
    n_others = rows["search"].nunique() - 1
    found = []
    for measure in measures:
        pairs["moved"] = (pairs[measure] - pairs[f"{measure}_grid"]).abs() > MARGIN
        wide = pairs.pivot_table(measure, ["dataset", "model"], "search", sort=False).dropna()
        lines = effects_if_several(
            wide, "grid", "dataset", n_comparisons=n_others * len(measures), margin=MARGIN
        ).assign(measure=measure, moved=pairs.groupby("search")["moved"].mean())
        found.append(lines.rename_axis("search").reset_index())
    sums = pairs.groupby("search")[["fits", "fits_grid", "full_fits", "full_fits_grid"]].sum()
    costs = pd.DataFrame({name: sums[name] / sums[f"{name}_grid"] for name in ("fits", "full_fits")}).reset_index()
    columns = ["search", "measure", "fits", "full_fits", "moved", "difference", "low", "high"]
    columns += ["joint_low", "joint_high", "p_equivalent", "detectable", "finding"]
    return with_findings(pd.concat(found, ignore_index=True)).merge(costs, on="search").reindex(columns=columns)


def distance_table(distances: pd.DataFrame, silhouettes: pd.DataFrame) -> pd.DataFrame:
    """Return silhouette and distance of every technique, means over data sets.

    Parameters
    ----------
    distances, silhouettes : DataFrame
        Tables of the study ``spezia2025-future``.

    Returns
    -------
    DataFrame
        A line per ``technique``: ``silhouette``, ``one_cluster`` (data sets in which it found a single cluster), a
        column per number of folds such as ``2`` (energy distance between training and test part, random folds = 1), and
        ``n_sets``.
    """
    wide = distances.pivot_table("ratio", "technique", "n_splits", sort=False)
    clear = silhouettes.groupby("technique")["silhouette"]
    single = silhouettes["n_clusters"].eq(1).groupby(silhouettes["technique"]).sum()
    summary = clear.agg(silhouette="mean").assign(one_cluster=single).reindex(wide.index)
    n_sets = distances.groupby("technique")["dataset"].nunique()
    table: pd.DataFrame = pd.concat([summary, wide], axis=1).assign(n_sets=n_sets).reset_index()
    return table


def silhouettes_and_distances(distances: pd.DataFrame, silhouettes: pd.DataFrame) -> pd.DataFrame:
    """Return both measures of every technique on every data set: ``silhouette``, ``ratio``, means over subsamples."""
    by = ["dataset", "technique", "n_splits"]
    means = distances.groupby(by, sort=False)["ratio"].mean().reset_index()
    pairs: pd.DataFrame = means.merge(silhouettes.dropna(subset="silhouette"), on=["dataset", "technique"])
    return pairs


def silhouette_correlations(pairs: pd.DataFrame, techniques: Sequence[str] = ()) -> pd.DataFrame:
    """Return Spearman's correlation over data sets of silhouette and distance, for each technique and number of folds.

    Parameters
    ----------
    pairs : DataFrame
        From :func:`silhouettes_and_distances`.
    techniques : sequence of str, default=()
        Which; none means all.
    """
    found = []
    for (technique, n_splits), one in pairs.groupby(["technique", "n_splits"], sort=False):
        if (not techniques or technique in techniques) and len(one) > 2:
            result = spearmanr(one["silhouette"], one["ratio"])
            correlation, p_value = float(result.statistic), float(result.pvalue)
            found.append((technique, n_splits, correlation, p_value, len(one)))
    columns = ["technique", "n_splits", "correlation", "p_value", "n_sets"]
    return pd.DataFrame(found, columns=columns).astype({"correlation": np.float64})
