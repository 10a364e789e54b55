"""Balanced folds that come by the energy distance, as the library deals small sets, beside those of the studies.

The studies deal balanced folds by features. Both kinds are dealt here on data sets like those of the study of balance
in its primary cells, and scored by the same learners. What is compared is decided in :mod:`compendium.balance.plan`.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from compendium.balance.study._problems import Sample
from compendium.balance.study._procedures import BALANCES, Parts, from_splitter
from compendium.balance.study._study import (
    AXES,
    POOLED,
    PRIMARY_PROBLEMS,
    PRIMARY_SIZES,
    BalanceSpec,
    costs,
    drawn,
    scored,
    units,
    validate,
)
from compendium.engine import Study, Table, Tables, Unit, seed_of
from cvstrat import BalancedKFold, balance_ratio

CRITERIA = ("features", "energy")
AIMED_AT = ("0", "unbiased")
N_MEASURED = 200  # data sets of each kind whose folds are compared: the ratio varies far less than an estimate


def draw_by_criterion(sample: Sample, _: tuple[int, ...], few: tuple[int, ...], root: int) -> Iterator[Parts]:
    """Yield balanced folds by both criteria, with numbers of `few`; they are named by criterion and balance."""
    for k in few:
        for label in AIMED_AT:
            for criterion in CRITERIA:
                seed = seed_of(root, criterion, label, k)
                dealt = BalancedKFold(k, balance=BALANCES[label], criterion=criterion, shuffle=True, random_state=seed)
                yield from_splitter(f"{criterion} {label}", dealt, k, 0, sample)


def _estimates(spec: BalanceSpec, unit: Unit, _: Tables) -> pd.DataFrame:
    """Return the mean accuracy over folds of every learner and partition."""
    folds = scored(spec, unit, draw_by_criterion)
    folds = folds[folds["fold"] != POOLED]
    right = folds["true_positives"] + folds["true_negatives"]
    keys = ["technique", "n_splits", "learner"]
    means = folds.assign(estimate=right / folds["tested"]).groupby(keys, sort=False)["estimate"].mean()
    return means.astype("float32").reset_index()


def _measured(spec: BalanceSpec, tables: Tables) -> Iterator[Unit]:
    return (unit for unit in units(spec, tables) if unit["replicate"] < N_MEASURED)


def _ratios(spec: BalanceSpec, unit: Unit, _: Tables) -> pd.DataFrame:
    """Measure how alike the folds of every partition are."""
    sample, every = drawn(spec, unit, draw_by_criterion)
    ratios = [balance_ratio(parts.weights.argmin(axis=0), sample.X, sample.y) for parts in every]
    named = {"technique": [parts.technique for parts in every], "n_splits": [parts.n_splits for parts in every]}
    return pd.DataFrame({**named, "ratio": ratios}).astype({"n_splits": "int8", "ratio": "float32"})


def _report(tables: Tables) -> dict[str, pd.DataFrame]:
    by = ["n_rows", "n_splits", "technique"]
    return {
        "mean estimated accuracy": tables["estimates"]
        .groupby(by, sort=False)["estimate"]
        .mean()
        .unstack()
        .reset_index(),
        "mean balance ratio": tables["ratios"].groupby(by, sort=False)["ratio"].mean().unstack().reset_index(),
    }


BALANCE_CRITERION = Study(
    name="balance-criterion",
    summary="balanced folds by the energy distance, the library's default, beside those by features of the studies",
    spec_type=BalanceSpec,
    profiles={
        "paper": lambda: BalanceSpec(
            problems=PRIMARY_PROBLEMS,
            sizes=PRIMARY_SIZES,
            minorities=(0.5,),
            learners=("LDA", "logistic regression", "1-NN", "15-NN", "tree"),
            n_primary=3000,
        ),
        "smoke": lambda: BalanceSpec(
            problems=("clusters near",),
            sizes=(60,),
            minorities=(0.5,),
            learners=("LDA", "tree"),
            n_primary=3,
            few_splits=(2, 5),
        ),
    },
    tables=(
        Table("estimates", AXES, units, _estimates, keys=("technique", "n_splits", "learner"), costs=costs),
        Table("ratios", AXES, _measured, _ratios, keys=("technique", "n_splits"), costs=costs),
    ),
    validate=validate,
    checksums=lambda spec, wanted: {},
    report=_report,
)
