"""What the results say of the claims on cluster-based cross-validation."""

from __future__ import annotations

import pandas as pd

from compendium.datasets import published
from compendium.diamantidis2000.tables import summarise_cluster_counts
from compendium.engine import load_result, read_tables
from compendium.figures import signed
from compendium.spezia2025 import study, tables
from compendium.words import HOLDS, IN_PART, NOT, UNKNOWN, listed, out_of

_BATCH = 1024  # the batch size of the paper
_KMEANS = 0  # the batch size under which K-means itself is stored
_MEANS = ("KCBCV", "KCBCV-Mini", "SCBCV", "SCBCV-Mini")
_FASTER = ("KCBCV", "KCBCV-Mini", "SCBCV")  # those that the paper calls faster than ACBCV and DBSCANBCV


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
        "scv-cheapest": ("SCV", [*_MEANS], "SCV takes less time than all four based on K-means"),
    }
    for name, (one, others, words) in claims.items():
        wide = split.reindex(columns=[one, *others]).dropna()
        least = name == "scv-cheapest"
        right = wide[one] < wide[others].min(axis=1) if least else wide[one] > wide[others].max(axis=1)
        count, n = int(right.sum()), len(wide)
        found[name] = (_by_share(count, n), f"{words} on {out_of(count, n)} data sets." if n else "Not measured.")
    return found | {"ac-slower": _slower(split, "ACBCV"), "dbscan-slower": _slower(split, "DBSCANBCV")}


def _by_share(count: int, n: int) -> str:
    """Return the verdict on a claim about single data sets that is true on `count` of `n`."""
    return UNKNOWN if not n else HOLDS if count > 0.8 * n else IN_PART if count > n / 2 else NOT


def _slower(split: pd.DataFrame, one: str) -> tuple[str, str]:
    """Return whether a technique is slower than those that the paper calls faster: not SCBCV-Mini, slow there too."""
    wide = split.reindex(columns=[one, *_MEANS]).dropna()
    n = len(wide)
    rivals = {"all": list(_FASTER), "variants": ["KCBCV", "KCBCV-Mini"], "SCBCV": ["SCBCV"], "mini": ["SCBCV-Mini"]}
    count = {name: int((wide[one] > wide[others].max(axis=1)).sum()) for name, others in rivals.items()}
    return (
        _by_share(count["all"], n),
        f"Read as in the paper, against {listed(list(_FASTER))}: {one} takes longer than all three on "
        f"{out_of(count['all'], n)} data sets (than both variants of KCBCV on {count['variants']}, than SCBCV on "
        f"{count['SCBCV']}). It takes longer than SCBCV-Mini, which the paper itself finds slow, on {count['mini']}."
        if n
        else "Not measured.",
    )


def _batches() -> dict[str, tuple[str, str]]:
    future = read_tables(study.SPEZIA2025_FUTURE.name)
    batches = tables.batch_table(future["batches"], future["batches_times"])
    pays = [bool(tables.pays_from(part)) for _, part in batches.groupby("shape")]
    return {
        "batch-size": _batch_size(future["batches_times"]),
        "mini-large": (
            HOLDS if tables.pays_from(batches) else IN_PART if any(pays) else NOT,
            tables.batch_text(batches),
        ),
    }


def _batch_size(times: pd.DataFrame) -> tuple[str, str]:
    """Return whether smaller batches than the paper's are faster on small simulated sets, and as fast as K-means."""
    small = times[times["rows"] <= _BATCH]
    cut = small.pivot(index=["shape", "rows", "made"], columns="batch_size", values="cut_seconds")
    sizes = sorted(int(size) for size in small["batch_size"].unique())
    ratios = cut.div(cut[_KMEANS], axis=0)[_BATCH]
    below = [size for size in sizes if _KMEANS < size < _BATCH]
    smaller = cut[below]
    same = cut[[size for size in sizes if size >= _BATCH]]  # a batch of all rows, whatever its size
    noise = 100 * (same.max(axis=1) / same.min(axis=1) - 1).median()
    faster = smaller.lt(cut[_BATCH], axis=0).sum()
    slow = int((smaller.min(axis=1) > cut[_KMEANS]).sum())
    change = 100 * (smaller.div(cut[_BATCH], axis=0).median() - 1)
    counts = [f"{faster[size]} with batches of {size} (median change {signed(change[size], 0)} %)" for size in below]
    cured = _by_share(len(cut) - slow, len(cut)) == HOLDS
    return (
        HOLDS if cured else IN_PART if faster.min() > len(cut) / 2 else NOT,
        f"On {len(cut)} simulated sets of up to {small['rows'].max()} rows, the cut with batches of {_BATCH} takes "
        f"{ratios.min():.1f} to {ratios.max():.1f} times as long as with K-means. It is shorter on {listed(counts)}. "
        f"With the best of these it is longer than with K-means on {out_of(slow, len(cut))}. Times of the same work "
        f"differ by {noise:.0f} % in the median.",
    )


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
