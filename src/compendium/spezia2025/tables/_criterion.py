"""Balanced folds by the energy distance beside those by features, on real data, and how far each is from the truth."""

from __future__ import annotations

from typing import Any

import pandas as pd

from compendium.figures import signed
from compendium.inference import effects_if_several, with_findings
from compendium.spezia2025.study._spec import BALANCED, CORRECT
from compendium.spezia2025.tables._bias import bias_table, blocks
from compendium.spezia2025.tables._effects import MARGIN
from compendium.words import listed

_BY_ENERGY = " by energy"
_BIASES = ["energy", "features", "SCV"]


def criterion_table(energy: dict[str, pd.DataFrame], tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return how far estimates from folds by the energy distance are from those by features, and both from the truth.

    What is compared was decided before the run: the bias of the accuracy, and the root mean squared error of one
    estimate; with intervals over data sets that hold for all lines together, and half a point as the margin.

    Parameters
    ----------
    energy : dict of str to DataFrame
        ``folds`` of the study ``spezia2025-criterion``.
    tables : dict of str to DataFrame
        ``clusters``, ``truth`` and ``folds`` of the study ``spezia2025``, which has the same subsamples.

    Returns
    -------
    DataFrame
        A line per ``measure`` (``bias`` or ``rmse``), ``technique`` and ``n_splits``: ``n`` data sets, the columns of
        :func:`compendium.inference.with_findings` (``difference`` is above 0 where it is larger by the energy
        distance), and the means of the measure for ``energy``, ``features`` and stratified folds (``SCV``).
    """
    main = tables["folds"]
    main = main[main["dataset"].isin(energy["folds"]["dataset"].unique()) & (main["version"] == CORRECT)]
    main = main[main["technique"].isin([*BALANCED, "SCV"])]
    added = energy["folds"].assign(version=CORRECT, technique=energy["folds"]["technique"].astype(str) + _BY_ENERGY)
    bias = bias_table({**tables, "folds": pd.concat([main, added])}, metric="accuracy").assign(balance="all")
    cells = [
        (measure, technique, n_splits)
        for measure in ("bias", "rmse")
        for technique in BALANCED
        for n_splits in sorted(added["n_splits"].unique())
    ]
    lines: list[dict[Any, object]] = []
    for measure, technique, n_splits in cells:
        names = [technique + _BY_ENERGY, technique, "SCV"]
        table = blocks(bias, names, measure, balance="all", n_splits=n_splits)
        pair = table[names[:2]]
        found = effects_if_several(pair, technique, "dataset", n_comparisons=len(cells), margin=MARGIN).iloc[0]
        means: dict[Any, object] = dict(zip(_BIASES, table[names].mean(), strict=True))
        n_sets = table.index.get_level_values("dataset").nunique()
        at: dict[Any, object] = {"measure": measure, "technique": technique, "n_splits": n_splits, "n": n_sets}
        lines.append({**at, **found.to_dict(), **means})
    return with_findings(pd.DataFrame(lines))


def criterion_text(table: pd.DataFrame) -> str:
    """Return what :func:`criterion_table` says, in three sentences."""
    counts = table["finding"].value_counts()
    words = {
        "equal": f"equal within {100 * MARGIN:g} points",
        "larger, below the margin": "higher by less than that",
        "smaller, below the margin": "lower by less than that",
        "larger": "higher",
        "smaller": "lower",
        "open": "open",
    }
    told = [f"{word} in {counts[finding]}" for finding, word in words.items() if finding in counts]
    unbiased = table[(table["technique"] == "Balanced") & (table["measure"] == "bias")]
    each = []
    for line in unbiased.to_dict("records"):
        energy, features, stratified = (signed(100 * line[name], 1) for name in _BIASES)
        each.append(f"{energy} with {line['n_splits']} folds (by features {features}, stratified {stratified})")
    return (
        f"On the {table['n'].max()} data sets of the cluster-based study that are small enough, bias and error by "
        f"energy are {listed(told)} of the {len(table)} comparisons. At the unbiased ratio, the default has a mean "
        f"bias, in points, of {listed(each)}."
    )
