"""What the cluster-based paper leaves to future work, done small: batches, dendrograms, searches, two diagnostics."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import pandas as pd

from compendium.datasets import by_size, catalogue, checksums, task_and_shape
from compendium.engine import Study, StudyError, Table, Tables, Unit, axis, count, fraction, seed
from compendium.spezia2025.study._batches import SHAPES, batch_unit
from compendium.spezia2025.study._cuts import LINKAGES, RULES, count_unit, linkage_unit
from compendium.spezia2025.study._distances import distance_unit, silhouette_unit
from compendium.spezia2025.study._models import MODELS
from compendium.spezia2025.study._searches import SEARCHES, search_unit
from compendium.spezia2025.study._spec import STUDIED
from compendium.spezia2025.study._units import cluster_unit
from cvstrat.checks import check_known

_COMPARED = ("SCBCV", "SCBCV-Mini", "KCBCV", "KCBCV-Mini", "ACBCV", "DBSCANBCV", "SCV", "KFold")


@dataclass(frozen=True)
class FutureSpec:
    """What is computed of the paper's future work.

    Attributes
    ----------
    datasets : tuple of str
        Names of the catalogue, or CSV files whose last column (or the one after a colon) is the class.
    shapes : tuple of str
        Kinds of made data: ``groups`` and ``cloud``.
    rows : tuple of int
        Sizes of made data, each at least 100.
    batch_sizes : tuple of int
        Batch sizes of Mini-Batch K-Means; K-Means itself is always run.
    linkages, rules : tuple of str
        Linkages of dendrograms, and rules that cut them.
    models, searches : tuple of str
        Models whose hyperparameters are searched, and searches.
    max_search_rows : int
        Largest data set on which hyperparameters are searched.
    techniques : tuple of str
        Techniques whose clusters and folds are measured.
    n_splits : tuple of int
        Numbers of folds, each at least 2.
    n_made : int
        Number of made sets of each shape and size.
    n_repeats : int
        Number of subsamples whose folds are measured, and of searches of each kind that are random.
    n_holdouts, n_subsamples : int
        Number of hold-outs behind a true score, and of subsamples that are drawn: those behind an estimate.
    test_size : float
        Share of the rows, between 0 and 1, that a hold-out tests on and that a subsample leaves out.
    made_seed, search_seed : int
        Seeds of made data and of searches.
    truth_seed, subsample_seed, splitter_seed, model_seed : int
        Seeds of the cluster-based study.
    """

    datasets: tuple[str, ...] = axis("dataset")
    shapes: tuple[str, ...] = axis("shape", tuple(SHAPES))
    rows: tuple[int, ...] = axis("rows", (300, 1_000, 10_000, 100_000, 1_000_000), minimum=100)
    batch_sizes: tuple[int, ...] = axis("batch_size", (64, 256, 1024, 4096, 16384))
    linkages: tuple[str, ...] = axis("linkage", LINKAGES)
    rules: tuple[str, ...] = axis("rule", RULES)
    models: tuple[str, ...] = axis("model", ("LR", "DT", "SVM"))
    searches: tuple[str, ...] = axis("search", SEARCHES)
    max_search_rows: int = count(250)
    techniques: tuple[str, ...] = axis("technique", _COMPARED)
    n_splits: tuple[int, ...] = axis("n_splits", (2, 10), minimum=2)
    n_made: int = axis("made", 3)
    n_repeats: int = axis("repeat", 1)
    n_holdouts: int = count(50, minimum=2)
    n_subsamples: int = count(10)
    test_size: float = fraction(0.1)
    made_seed: int = seed(0)
    search_seed: int = seed(0)
    truth_seed: int = seed(123)
    subsample_seed: int = seed(456)
    splitter_seed: int = seed(123)
    model_seed: int = seed(0)


def _validate(spec: FutureSpec) -> None:
    for kind, names, known in (
        ("shape", spec.shapes, SHAPES),
        ("linkage", spec.linkages, LINKAGES),
        ("rule", spec.rules, RULES),
        ("model", spec.models, MODELS),
        ("search", spec.searches, SEARCHES),
        ("technique", spec.techniques, STUDIED),
    ):
        for name in names:
            check_known(kind, name, known)
    if spec.n_repeats > spec.n_subsamples:
        raise StudyError(f"n_repeats={spec.n_repeats}: give at most n_subsamples={spec.n_subsamples}")


def _checksums(spec: FutureSpec, wanted: Collection[str] | None) -> dict[str, str]:
    return checksums(spec.datasets, wanted, lambda data: None)


def _each_made(spec: FutureSpec, _: Tables) -> Iterator[Unit]:
    for made in range(spec.n_made):
        for rows in sorted(spec.rows):
            for shape in spec.shapes:
                yield {"shape": shape, "rows": rows, "made": made}


def _each_set(spec: FutureSpec, _: Tables) -> Iterator[Unit]:
    return ({"dataset": name} for name in by_size(spec.datasets))


def _each_linkage(spec: FutureSpec, _: Tables) -> Iterator[Unit]:
    return ({"dataset": name, "linkage": one} for name in by_size(spec.datasets) for one in spec.linkages)


def _each_dendrogram(spec: FutureSpec, tables: Tables) -> Iterator[Unit]:
    return (unit | {"repeat": repeat} for unit in _each_linkage(spec, tables) for repeat in range(spec.n_repeats))


def _each_search(spec: FutureSpec, _: Tables) -> Iterator[Unit]:
    for name in by_size(spec.datasets):
        if task_and_shape(name)[1] <= spec.max_search_rows:
            for model in spec.models:
                for search in spec.searches:
                    for repeat in range(1 if search == "grid" else spec.n_repeats):  # nothing in a grid is random
                        yield {"dataset": name, "model": model, "search": search, "repeat": repeat}


def _each_technique(spec: FutureSpec, _: Tables) -> Iterator[Unit]:
    return ({"dataset": name, "technique": one} for name in by_size(spec.datasets) for one in spec.techniques)


def _each_split(spec: FutureSpec, tables: Tables) -> Iterator[Unit]:
    return (unit | {"repeat": repeat} for unit in _each_technique(spec, tables) for repeat in range(spec.n_repeats))


def _costs(spec: FutureSpec, units: list[Unit], _: Tables) -> list[float]:
    shapes = {name: task_and_shape(name) for name in spec.datasets}
    return [1e4 + shapes[unit["dataset"]][1] ** 2 for unit in units]


def _report(tables: Tables) -> dict[str, pd.DataFrame]:
    from compendium.spezia2025 import tables as views

    folds = views.linkage_folds(tables["counts"], tables["linkages"], tables["clusters"])
    return {
        "Mini-Batch K-Means relative to K-Means": views.batch_table(tables["batches"], tables["batches_times"]),
        "linkages and rules": views.linkage_table(folds),
        "searches relative to the grid": views.search_table(tables["searches"]),
        "distance between training and test part": views.distance_table(tables["distances"], tables["silhouettes"]),
    }


SPEZIA2025_FUTURE = Study(
    name="spezia2025-future",
    summary="the future work of Spezia et al. (2025), done small: batch sizes, dendrograms, searches, distances",
    spec_type=FutureSpec,
    profiles={
        "paper": lambda: FutureSpec(tuple(entry.id for entry in catalogue().select(study="spezia2025"))),
        "smoke": lambda: FutureSpec(
            ("sklearn/iris",),
            rows=(2500, 5000),  # few enough, and so many that they are not timed again and again
            batch_sizes=(64, 1024),
            models=("LR", "DT"),
            techniques=("SCBCV", "KCBCV", "SCV", "KFold"),
            n_splits=(2,),
            n_made=2,
            n_repeats=2,
            n_holdouts=3,
            n_subsamples=2,
        ),
    },
    tables=(
        Table("clusters", ("dataset",), _each_set, cluster_unit, measured=("count_seconds", "eps_seconds")),
        Table("counts", ("dataset", "linkage"), _each_linkage, count_unit, keys=("rule",)),
        Table(
            "linkages",
            ("dataset", "linkage", "repeat"),
            _each_dendrogram,
            linkage_unit,
            needs=("clusters", "counts"),
            keys=("n_clusters", "n_splits"),
            costs=_costs,
            extent=lambda spec, unit: (spec.rules, spec.n_splits),
        ),
        Table(
            "searches",
            ("dataset", "model", "search", "repeat"),
            _each_search,
            search_unit,
            needs=("clusters",),
        ),
        Table("silhouettes", ("dataset", "technique"), _each_technique, silhouette_unit, needs=("clusters",)),
        Table(
            "distances",
            ("dataset", "technique", "repeat"),
            _each_split,
            distance_unit,
            needs=("clusters",),
            keys=("n_splits",),
            costs=_costs,
        ),
        Table(
            "batches",
            ("shape", "rows", "made"),
            _each_made,
            batch_unit,
            keys=("batch_size",),
            measured=("fit_seconds", "cut_seconds"),
            costs=lambda spec, units, tables: [1e3 + unit["rows"] for unit in units],
        ),
    ),
    validate=_validate,
    checksums=_checksums,
    report=_report,
)
