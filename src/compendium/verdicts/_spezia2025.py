"""What the results say of the claims on cluster-based cross-validation."""

from __future__ import annotations

import pandas as pd

from compendium.datasets import published
from compendium.diamantidis2000.tables import summarise_cluster_counts
from compendium.engine import load_result, read_tables
from compendium.spezia2025 import study, tables
from compendium.words import HOLDS, IN_PART, NOT, UNKNOWN, listed, out_of

_BATCH = 1024  # the batch size of the paper
_MEANS = ("KCBCV", "KCBCV-Mini", "SCBCV", "SCBCV-Mini")


def findings() -> dict[str, tuple[str, str]]:
    """Return verdict and finding for each claim of the text, by its id."""
    results = read_tables("spezia2025")
    five = tables.verdict_table(results)
    pairs = [(row["verdict"], row["once the folds are right"]) for row in five.to_dict("records")]
    return {
        **_data(),
        **dict(zip(("clusters", "mini-balanced", "scv-imbalanced", "algorithms"), pairs[:4], strict=True)),
        **_optimism(results),
        **_times(results),
        **_batches(),
        **_folds(),
    }


def _data() -> dict[str, tuple[str, str]]:
    printed = published("spezia2025_table1").set_index("name")
    (row,) = printed[printed.index == "new_thyroid"].to_dict("records")
    classes = int(row["classes"])
    counts = summarise_cluster_counts(load_result("diamantidis2000-counts", "counts"))
    ours = counts[counts["dataset"].isin("pmlb/" + printed.index)].dropna(subset="published")
    agree = int(ours["agrees"].sum())
    rest = ours[~ours["agrees"]].to_dict("records")
    cells = {one["dataset"].rpartition("/")[2]: (one["mean"], one["published"]) for one in rest}
    others = listed([f"{name} (a mean of {mean:.1f}, {wanted:.0f} printed)" for name, (mean, wanted) in cells.items()])
    return {
        "imbalance": (
            NOT,
            f"Table I needs the factor K/(K \N{MINUS SIGN} 1): with K, new_thyroid ({classes} classes) would have "
            f"{row['imbalance'] * (classes - 1):.2f}, not {row['imbalance']:.2f}.",
        ),
        "cluster-numbers": (
            HOLDS if agree == len(ours) else IN_PART,
            f"We get the printed number on {out_of(agree, len(ours))} data sets; not on {others}.",
        ),
    }


def _optimism(results: dict[str, pd.DataFrame]) -> dict[str, tuple[str, str]]:
    bias = tables.bias_table(results)
    part = bias[(bias["version"] == "correct") & (bias["balance"] == "imbalanced") & (bias["n_splits"] == 2)]
    means = 100 * tables.complete(part, ["SCV", "SCBCV", "SCBCV-Mini"]).groupby("technique")["bias"].mean()
    highest = means.idxmax()
    return {
        "scv-optimistic": (
            HOLDS if highest == "SCV" else NOT,
            "Mean bias in points: " + ", ".join(f"{name} {value:+.1f}" for name, value in means.items()) + ".",
        )
    }


def _times(results: dict[str, pd.DataFrame]) -> dict[str, tuple[str, str]]:
    times = tables.time_table(results, n_splits=int(results["folds_times"]["n_splits"].max()))
    split = times.pivot(index="dataset", columns="technique", values="split")
    found = {}
    claims = {
        "clusters-time": ("SCBCV5", ["SCBCV2"], "Five clusters take longer than two"),
        "mini-slower": ("SCBCV-Mini", ["SCBCV"], "SCBCV-Mini takes longer than SCBCV"),
        "ac-slower": ("ACBCV", list(_MEANS), "ACBCV takes longer than all four based on K-means"),
        "dbscan-slower": ("DBSCANBCV", list(_MEANS), "DBSCANBCV takes longer than all four based on K-means"),
        "scv-cheapest": ("SCV", [*_MEANS], "SCV takes less time than all four based on K-means"),
    }
    for name, (one, others, words) in claims.items():
        wide = split.reindex(columns=[one, *others]).dropna()
        least = name == "scv-cheapest"
        right = wide[one] < wide[others].min(axis=1) if least else wide[one] > wide[others].max(axis=1)
        count, n = int(right.sum()), len(wide)
        verdict = UNKNOWN if not n else HOLDS if count > 0.8 * n else NOT if count <= 0.5 * n else IN_PART
        found[name] = (verdict, f"{words} on {out_of(count, n)} data sets." if n else "Not measured.")
    return found


def _batches() -> dict[str, tuple[str, str]]:
    future = read_tables(study.SPEZIA2025_FUTURE.name)
    batches = tables.batch_table(future["batches"], future["batches_times"])
    small = batches[(batches["rows"] <= _BATCH) & (batches["batch_size"] < _BATCH)]
    faster = small.groupby(["shape", "rows"])["cut"].min() < 1
    pays = [bool(tables.pays_from(part)) for _, part in batches.groupby("shape")]
    return {
        "batch-size": (
            HOLDS if faster.all() else IN_PART if faster.any() else NOT,
            f"On simulated data of up to {small['rows'].max()} rows, smaller batches take {small['cut'].min():.1f} to "
            f"{small['cut'].max():.1f} times as long as K-means.",
        ),
        "mini-large": (
            HOLDS if tables.pays_from(batches) else IN_PART if any(pays) else NOT,
            tables.batch_text(batches),
        ),
    }


def _folds() -> dict[str, tuple[str, str]]:
    measured = tables.reference_folds()
    used, built = tables.share_variance(measured), tables.share_variance(measured, "mapped back", "SCBCV")
    said, right = (f"{low:.2f} to {high:.2f}" for low, high in (used, built))
    return {
        "folds-built": (
            NOT if used[0] > 0.8 else IN_PART,
            f"In the scored folds the variance of class shares is {said} times that of random folds; in the folds that "
            f"SCBCV builds it is {right} times.",
        )
    }


def sentences() -> pd.DataFrame:
    """Return :func:`compendium.spezia2025.tables.sentence_table` of the committed results."""
    return tables.sentence_table(read_tables(study.SPEZIA2025.name))
