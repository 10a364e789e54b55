"""A claim on trial: density-preserving folds, dealt once, are as accurate as cross-validation repeated ten times.

The data sets are those of the study of balance in its primary cells, and so are the first of the stratified folds: same
seeds, same rows. So the truth is not computed again: it is in the table ``truths`` of that study.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
from sklearn.model_selection import PredefinedSplit, StratifiedKFold

from compendium.balance.halving import density_preserving_folds
from compendium.balance.study._problems import Sample
from compendium.balance.study._procedures import Parts, from_splitter
from compendium.balance.study._study import (
    AXES,
    FOLD_KEYS,
    PRIMARY_PROBLEMS,
    PRIMARY_SIZES,
    BalanceSpec,
    costs,
    drawn,
    scored,
    units,
    validate,
)
from compendium.engine import Study, StudyError, Table, Tables, Unit, seed_of
from cvstrat import BalancedKFold, balance_ratio, make_splitter

REPEATS = {8: 10, 10: 10}
N_MEASURED = 100  # data sets of each kind whose folds are compared: the ratio varies far less than an error


def draw_halves(sample: Sample, n_splits: tuple[int, ...], few: tuple[int, ...], root: int) -> Iterator[Parts]:
    """Yield stratified folds, eight and ten of them ten times over, and folds that are alike, with numbers of `few`."""
    for k in n_splits:
        for repeat in range(REPEATS.get(k, 1)):
            splitter = StratifiedKFold(k, shuffle=True, random_state=seed_of(root, "SCV", k, repeat))
            yield from_splitter("SCV", splitter, k, repeat, sample)
    for k in few:
        halved = PredefinedSplit(density_preserving_folds(sample.X, sample.y, k))
        yield from_splitter("DPS", halved, k, 0, sample)
        walk = make_splitter("DBSCV", n_splits=k, random_state=seed_of(root, "DBSCV", k))
        yield from_splitter("DBSCV", walk, k, 0, sample)
        seed = seed_of(root, "balanced", "unbiased", k)
        dealt = BalancedKFold(k, criterion="features", shuffle=True, random_state=seed)
        yield from_splitter("balanced unbiased", dealt, k, 0, sample)


def _folds(spec: BalanceSpec, unit: Unit, _: Tables) -> pd.DataFrame:
    return scored(spec, unit, draw_halves)


def _measured(spec: BalanceSpec, tables: Tables) -> Iterator[Unit]:
    return (unit for unit in units(spec, tables) if unit["replicate"] < N_MEASURED)


def _ratios(spec: BalanceSpec, unit: Unit, _: Tables) -> pd.DataFrame:
    """Measure how alike the folds of every partition are."""
    sample, every = drawn(spec, unit, draw_halves)
    found = [
        {
            "technique": parts.technique,
            "n_splits": parts.n_splits,
            "ratio": balance_ratio(parts.weights.argmin(axis=0), sample.X, sample.y),
        }
        for parts in every
        if parts.repeat == 0
    ]
    return pd.DataFrame(found).astype({"n_splits": "int8", "ratio": "float32"})


def _validate(spec: BalanceSpec) -> None:
    validate(spec)
    for k in spec.few_splits:
        if k & (k - 1):
            raise StudyError(f"few_splits={spec.few_splits}: halves of halves give 2, 4, 8, ... folds")


def _report(tables: Tables) -> dict[str, pd.DataFrame]:
    mean = tables["ratios"].groupby(["n_rows", "n_splits", "technique"], sort=False)["ratio"].mean()
    return {"mean balance ratio": mean.reset_index()}


BALANCE_DPS = Study(
    name="balance-dps",
    summary="density-preserving folds against cross-validation repeated ten times, where the truth is known",
    spec_type=BalanceSpec,
    profiles={
        "paper": lambda: BalanceSpec(
            problems=PRIMARY_PROBLEMS,
            sizes=PRIMARY_SIZES,
            minorities=(0.5,),
            learners=("LDA", "1-NN", "tree"),
            n_splits=(2, 4, 8, 10),
            few_splits=(2, 4, 8),
        ),
        "smoke": lambda: BalanceSpec(
            problems=("clusters near",),
            sizes=(60,),
            minorities=(0.5,),
            learners=("LDA", "tree"),
            n_primary=3,
            n_splits=(2, 8, 10),
            few_splits=(2, 8),
            n_fresh=500,
        ),
    },
    tables=(
        Table("folds", AXES, units, _folds, keys=FOLD_KEYS, costs=costs),
        Table("ratios", AXES, _measured, _ratios, keys=("technique", "n_splits"), costs=costs),
    ),
    validate=_validate,
    checksums=lambda spec, wanted: {},
    report=_report,
)
