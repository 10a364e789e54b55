"""The table of effects that the library's advice reads: every comparison with SCV that a recommendation may need."""

from __future__ import annotations

import itertools
from pathlib import Path

import pandas as pd

from compendium.engine import read_tables
from compendium.files import repository, write_atomically
from compendium.inference import effects
from compendium.spezia2025.study._spec import CORRECT, STUDIED
from compendium.spezia2025.tables._bias import bias_table, blocks
from cvstrat.advice import CANDIDATES, DEFAULT
from cvstrat.splitters import TECHNIQUES

_METRICS = ("accuracy", "balanced_accuracy", "f1_macro")
_QUADRATIC = {"ACBCV", "SpectralBCV"}


def advice_file() -> Path:
    """Return the path of the table in the library's sources."""
    return repository() / "src" / "cvstrat" / "advice" / "effects.csv"


def write_advice(*, check: bool = False) -> bool:
    """Write the table from the committed results, or only look (`check`); return whether it was current before."""
    content = advice_table().to_csv(index=False, float_format="%.6f", lineterminator="\n").encode()
    path = advice_file()
    current = path.is_file() and path.read_bytes() == content
    if not current and not check:
        write_atomically(path, content)
    return current


def advice_table() -> pd.DataFrame:
    """Return the effects on the RMSE for every kind of data, metric, number of folds and set of candidates.

    Returns
    -------
    DataFrame
        Columns as :class:`cvstrat.advice.Recommendation` describes them. ``better`` and ``worse`` hold for all
        techniques of a set of candidates at once: their intervals are widened by Bonferroni's correction.
    """
    tables = read_tables("spezia2025")
    frames = []
    for metric in _METRICS:
        bias = bias_table(tables, metric=metric)
        cells = bias[["balance", "n_splits"]].drop_duplicates().sort_values(["balance", "n_splits"])
        for (balance, n_splits), candidates in itertools.product(cells.to_numpy(), CANDIDATES):
            part = bias[(bias["balance"] == balance) & (bias["n_splits"] == n_splits) & (bias["version"] == CORRECT)]
            found = _effects(part, _names(part, candidates))
            frames.append(found.assign(balance=balance, metric=metric, n_splits=n_splits, candidates=candidates))
    table = pd.concat(frames, ignore_index=True)
    where = ["balance", "metric", "n_splits", "candidates", "technique"]
    return table[[*where, *(name for name in table.columns if name not in where)]]


def _names(part: pd.DataFrame, candidates: str) -> list[str]:
    """Return the techniques to compare: those of the library by name, not their settings, and no blocks."""
    known = (set(part["technique"]) & TECHNIQUES.keys()) - {"ROCBCV", DEFAULT}
    if candidates == "any, many rows":
        known -= _QUADRATIC
    if candidates == "stratified":
        known = {name for name in known if TECHNIQUES[name].stratified}
    return [name for name in STUDIED if name in known]


def _effects(part: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    rows = []
    for name in names:
        table = blocks(part, [DEFAULT, name], "rmse")
        n_datasets = table.index.get_level_values("dataset").nunique()
        if n_datasets > 1:
            found = effects(table, DEFAULT, "dataset", n_comparisons=len(names)).loc[name]
            rows.append(
                {
                    "technique": name,
                    **found[["difference", "low", "high"]],
                    "better": found["joint_high"] < 0,
                    "worse": found["joint_low"] > 0,
                    "n_datasets": n_datasets,
                    "n_pairs": len(table),
                }
            )
    return pd.DataFrame(rows).sort_values("difference", kind="stable")
