"""Every sentence that the cluster-based paper draws from its Figures 4 to 18, answered from the results."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from compendium.spezia2025.study._spec import AS_PUBLISHED, CORRECT, SETS
from compendium.spezia2025.tables._bias import bias_table
from compendium.spezia2025.tables._coverage import complete
from compendium.spezia2025.tables._sets import both_versions
from compendium.spezia2025.tables._time import time_table
from compendium.words import listed


@dataclass(frozen=True)
class _Sentence:
    figure: str
    claim: str
    experiment: str
    balance: str
    n_splits: int
    statistic: str
    names: tuple[str, ...]
    largest: bool = False
    among: tuple[str, ...] = ()  # the techniques that the sentence compares; all of the set if empty


_TWO, _TEN = 2, 10
_BALANCED, _IMBALANCED = "balanced", "imbalanced"
_MINI, _DBSCAN = "SCBCV-Mini", "DBSCANBCV"
SENTENCES = (
    _Sentence("4", "SCBCV2 has the mean bias closest to zero.", "set1", _BALANCED, _TEN, "mean bias", ("SCBCV2",)),
    _Sentence("4", "SCBCV2 has the largest deviation.", "set1", _BALANCED, _TEN, "mean std", ("SCBCV2",), largest=True),
    _Sentence("5", "SCBCV has the median bias closest to zero.", "set1", _IMBALANCED, _TEN, "median bias", ("SCBCV",)),
    _Sentence("5", "SCBCV2 has the lowest mean deviation.", "set1", _IMBALANCED, _TEN, "mean std", ("SCBCV2",)),
    _Sentence("6", "SCBCV varies least.", "set1", _BALANCED, _TWO, "mean std", ("SCBCV",)),
    _Sentence("7", "SCBCV varies least.", "set1", _IMBALANCED, _TWO, "mean std", ("SCBCV",)),
    _Sentence("8", "Five clusters take longest to find.", "set1", "", _TEN, "time", ("SCBCV5",), largest=True),
    _Sentence("9", "SCBCV-Mini has the median bias closest to zero.", "set2", _BALANCED, _TWO, "median bias", (_MINI,)),
    _Sentence("9", "SCBCV-Mini has the lowest median deviation.", "set2", _BALANCED, _TWO, "median std", (_MINI,)),
    _Sentence("9", "SCV has the smallest spread of bias.", "set2", _BALANCED, _TWO, "spread of bias", ("SCV",)),
    _Sentence(
        "9",
        "SCV has the largest spread of deviation.",
        "set2",
        _BALANCED,
        _TWO,
        "spread of std",
        ("SCV",),
        largest=True,
    ),
    _Sentence(
        "10",
        "SCV has a lower median bias than SCBCV-Mini.",
        "set2",
        _BALANCED,
        _TEN,
        "median bias",
        ("SCV",),
        among=("SCV", _MINI),
    ),
    _Sentence(
        "10",
        "SCV has a lower median deviation than SCBCV-Mini.",
        "set2",
        _BALANCED,
        _TEN,
        "median std",
        ("SCV",),
        among=("SCV", _MINI),
    ),
    _Sentence(
        "10",
        "SCBCV has the largest spread of bias.",
        "set2",
        _BALANCED,
        _TEN,
        "spread of bias",
        ("SCBCV",),
        largest=True,
    ),
    _Sentence("11", "SCV has the lowest median deviation.", "set2", _IMBALANCED, _TWO, "median std", ("SCV",)),
    _Sentence(
        "11", "SCV has the most positive bias.", "set2", _IMBALANCED, _TWO, "signed bias", ("SCV",), largest=True
    ),
    _Sentence("12", "SCV has the median bias closest to zero.", "set2", _IMBALANCED, _TEN, "median bias", ("SCV",)),
    _Sentence("12", "SCV has the lowest median deviation.", "set2", _IMBALANCED, _TEN, "median std", ("SCV",)),
    _Sentence("12", "SCV has the narrowest range of bias.", "set2", _IMBALANCED, _TEN, "spread of bias", ("SCV",)),
    _Sentence("13", "SCV is fastest.", "set2", "", _TEN, "time", ("SCV",)),
    _Sentence("13", "SCBCV-Mini is slowest, behind SCBCV.", "set2", "", _TEN, "time", (_MINI,), largest=True),
    _Sentence(
        "14",
        "KCBCV and ACBCV have the median biases closest to zero.",
        "set3",
        _BALANCED,
        _TWO,
        "median bias",
        ("KCBCV", "ACBCV"),
    ),
    _Sentence(
        "14",
        "DBSCANBCV and SCBCV-Mini have the lowest median deviations.",
        "set3",
        _BALANCED,
        _TWO,
        "median std",
        (_DBSCAN, _MINI),
    ),
    _Sentence("15", "SCBCV-Mini has the bias closest to zero.", "set3", _BALANCED, _TEN, "median bias", (_MINI,)),
    _Sentence("15", "SCBCV-Mini has the lowest deviation.", "set3", _BALANCED, _TEN, "median std", (_MINI,)),
    _Sentence("16", "DBSCANBCV has the bias closest to zero.", "set3", _IMBALANCED, _TWO, "median bias", (_DBSCAN,)),
    _Sentence("16", "DBSCANBCV has the lowest median deviation.", "set3", _IMBALANCED, _TWO, "median std", (_DBSCAN,)),
    _Sentence("17", "DBSCANBCV has the bias closest to zero.", "set3", _IMBALANCED, _TEN, "median bias", (_DBSCAN,)),
    _Sentence("17", "DBSCANBCV has the lowest deviation.", "set3", _IMBALANCED, _TEN, "median std", (_DBSCAN,)),
    _Sentence("18", "KCBCV and KCBCV-Mini are fastest.", "set3", "", _TEN, "time", ("KCBCV", "KCBCV-Mini")),
    _Sentence("18", "DBSCANBCV and ACBCV are slowest.", "set3", "", _TEN, "time", (_DBSCAN, "ACBCV"), largest=True),
)


def sentence_table(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the sentences with the technique that comes first in either version, and whether it is the one named.

    Parameters
    ----------
    tables : dict of str to DataFrame
        All tables of the cluster-based study.

    Returns
    -------
    DataFrame
        Columns ``figure``, ``data`` (kind of data and number of folds), ``sentence``, ``as_published`` and ``correct``
        (who comes first among those compared, or the first two where two are named), ``answer_as_published`` and
        ``answer_correct`` (``yes`` or ``no``; empty where the results lack a technique). Times do not depend on the
        version. An answer is about the order in these results, not about whether the difference is more than luck.
    """
    bias = both_versions(bias_table(tables))
    rows = []
    for sentence in SENTENCES:
        row = {
            "figure": sentence.figure,
            "data": f"{sentence.balance}, {sentence.n_splits} folds" if sentence.balance else "all",
            "sentence": sentence.claim,
        }
        for version, column in {AS_PUBLISHED: "as_published", CORRECT: "correct"}.items():
            values = _values(sentence, tables, bias, version)
            if (sentence.statistic == "time" and version == AS_PUBLISHED) or values.isna().any() or values.empty:
                row |= {column: "", f"answer_{column}": ""}
                continue
            values = values.reindex(sentence.among) if sentence.among else values
            first = values.sort_values(ascending=not sentence.largest).index[: len(sentence.names)]
            row |= {
                column: listed(list(first)),
                f"answer_{column}": "yes" if set(first) == set(sentence.names) else "no",
            }
        rows.append(row)
    return pd.DataFrame(rows)


def _values(sentence: _Sentence, tables: dict[str, pd.DataFrame], bias: pd.DataFrame, version: str) -> pd.Series:
    techniques = list(SETS[sentence.experiment])
    if sentence.statistic == "time":
        times = time_table(tables, n_splits=sentence.n_splits)
        wide = times.pivot(index="dataset", columns="technique", values="split").reindex(columns=techniques)
        return wide.dropna().rank(axis=1).mean()  # every data set counts alike
    part = bias[(bias["version"] == version) & (bias["balance"] == sentence.balance)]
    part = complete(part[part["n_splits"] == sentence.n_splits], techniques)
    grouped = part.groupby("technique")
    statistic, _, measure = sentence.statistic.rpartition(" ")
    values = grouped[measure]
    found: dict[str, pd.Series] = {
        "mean": values.mean().abs(),
        "median": values.median().abs(),
        "signed": values.median(),
        "spread of": values.quantile(0.75) - values.quantile(0.25),
    }
    return found[statistic].reindex(techniques).replace([np.inf], np.nan)
