"""The study of complete k-fold cross-validation (Anguita et al., 2012): the number of folds as a hyperparameter."""

from __future__ import annotations

import math
import time
import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import ParameterGrid, ShuffleSplit
from sklearn.svm import SVC

from compendium.anguita2012.study._grid import check_grid
from compendium.anguita2012.study._predictions import wrong_predictions
from compendium.datasets import DataError, Dataset, by_size, catalogue, checksums, load_cached, task_and_shape
from compendium.engine import Study, Table, Tables, Unit, axis, count, fraction
from cvstrat.checks import check_known
from cvstrat.clustering import estimate_n_clusters
from cvstrat.complete import CompleteKFold, GaussianSVM, select
from cvstrat.errors import InputError
from cvstrat.splitters import TECHNIQUES, make_splitter

RANDOM = "random"  # rows drawn at random, as in the paper
_FINEST = 1e-4


@dataclass(frozen=True)
class Anguita2012Spec:
    """Which searches are run: on which problems, with which numbers of folds, candidates and draws.

    Attributes
    ----------
    datasets : tuple of str
        Problems with two classes. Those without published splits are cut at random, 60 to 40.
    n_realizations : int
        Number of splits into learning and test set; of published splits, the first ones.
    ks : tuple of int
        Numbers of folds, each at least 3.
    log_costs, log_gammas : tuple of float
        Powers of ten: the grid of C and gamma.
    n_screening, n_finalists : int
        All candidates are tried on so many draws, the best few of each number of folds on all.
    precision : float
        Standard error of a mean bound over draws that is never exceeded: this fixes the number of draws.
    min_draws : int
        Smallest number of draws, at least 2.
    delta : float
        Probability with which a bound may be too low, between 0 and 1.
    draw_kinds : tuple of str
        Other ways to draw, tried with the hyperparameters chosen: ``random``, or names in ``cvstrat.TECHNIQUES``.
    kind_ks : tuple of int
        Numbers of folds at which these are tried; each must be in `ks`.
    kind_draws : int
        Number of draws of each of these.
    """

    datasets: tuple[str, ...] = axis("dataset")
    n_realizations: int = axis("realization", 10, first=1)
    ks: tuple[int, ...] = axis("k", (3, 4, 5, 6, 8, 10, 14, 20), minimum=3)
    log_costs: tuple[float, ...] = (-1.0, 0.0, 1.0, 2.0, 3.0)
    log_gammas: tuple[float, ...] = (-4.5, -4.0, -3.5, -3.0, -2.5, -2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0)
    n_screening: int = count(20)
    n_finalists: int = count(3)
    precision: float = fraction(0.005)
    min_draws: int = count(50, minimum=2)
    delta: float = fraction(0.05)
    draw_kinds: tuple[str, ...] = (RANDOM, "SCV", "SCBCV", "DOB-SCV")
    kind_ks: tuple[int, ...] = (4, 10)
    kind_draws: int = count(50)

    def n_draws(self, k: int, n: int) -> int:
        """Return how many draws keep the standard error below `precision`, whatever the error rate."""
        return max(self.min_draws, math.ceil(0.25 * k / n / self.precision**2))


def _validate(spec: Anguita2012Spec) -> None:
    for name in spec.draw_kinds:
        check_known("draw kind", name, [RANDOM, *TECHNIQUES])
    if set(spec.kind_ks) - set(spec.ks):
        raise InputError(f"kind_ks={spec.kind_ks} must be among ks={spec.ks}")
    if spec.precision < _FINEST:
        raise InputError(f"precision={spec.precision} takes too many draws: give at least {_FINEST:g}")
    check_grid(spec.log_costs, spec.log_gammas)


def _checksums(spec: Anguita2012Spec, wanted: Collection[str] | None) -> dict[str, str]:
    return checksums(spec.datasets, wanted, lambda data: _check(data, spec))


def _check(data: Dataset, spec: Anguita2012Spec) -> None:
    classes = len(np.unique(data.y))
    if data.task != "classification" or classes != 2:
        found = f"{classes} classes" if data.task == "classification" else "a numeric target"
        raise DataError(f"{data.name} has {found}; this study needs two classes")
    available = len(data.splits) or spec.n_realizations
    if spec.n_realizations > available:
        raise InputError(f"{data.name} has {available} realizations; n_realizations={spec.n_realizations} is too many")


def _units(spec: Anguita2012Spec, _: Tables) -> Iterator[Unit]:
    for name in by_size(spec.datasets):
        for realization in range(1, spec.n_realizations + 1):
            for k in spec.ks:
                yield {"dataset": name, "realization": realization, "k": k}


def _kind_units(spec: Anguita2012Spec, tables: Tables) -> Iterator[Unit]:
    for unit in _units(spec, tables):
        if unit["k"] in spec.kind_ks:
            for kind in spec.draw_kinds:
                yield unit | {"kind": kind}


def realization(data: Dataset, number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return rows and classes (0 or 1) of learning and test set, standardised by the learning set."""
    if data.splits:
        learn, test = data.splits[number - 1]
    else:
        learn, test = next(ShuffleSplit(1, test_size=0.4, random_state=number).split(data.X))
    codes = np.unique(data.y, return_inverse=True)[1]
    X = data.X[learn]
    mean, std = X.mean(axis=0), X.std(axis=0)
    std[std == 0] = 1.0
    return (X - mean) / std, codes[learn], (data.X[test] - mean) / std, codes[test]


def _seed(*names: Any) -> int:
    numbers = [zlib.crc32(str(name).encode()) for name in names]
    return int(np.random.SeedSequence(numbers).generate_state(1)[0])


def _candidates(spec: Anguita2012Spec, unit: Unit, _: Tables) -> pd.DataFrame:
    """Compare all candidates at one number of folds."""
    start = time.perf_counter()
    X, y = realization(load_cached(unit["dataset"]), unit["realization"])[:2]
    k = unit["k"]
    draws = CompleteKFold(k, spec.n_draws(k, len(y)), random_state=_seed(*unit.values())).draw(X, y)
    settings = list(ParameterGrid({"C": 10.0 ** np.array(spec.log_costs), "gamma": 10.0 ** np.array(spec.log_gammas)}))
    found = select(
        GaussianSVM(SVC(), X, y),
        settings,
        {k: draws},
        spec.delta,
        n_screening=spec.n_screening,
        n_finalists=spec.n_finalists,
    )
    return pd.DataFrame(
        {
            "C": [setting["C"] for setting in settings],
            "gamma": [setting["gamma"] for setting in settings],
            "draws": found.n_draws[:, 0].astype(np.int16),
            "bound": found.bounds[:, 0],
            "std": found.stds[:, 0].astype(np.float32),
            "error_rate": found.rates[:, 0].astype(np.float32),
            "redrawn": np.int32(draws.redrawn),
            "fit_seconds": (time.perf_counter() - start) / len(settings),
        }
    )


def chosen_candidates(candidates: pd.DataFrame) -> pd.DataFrame:
    """Return the row of the best candidate of each problem, realization and number of folds."""
    by = ["dataset", "realization", "k"]
    final = candidates[candidates["draws"] == candidates.groupby(by)["draws"].transform("max")]
    return final.loc[final.groupby(by, sort=False)["bound"].idxmin()].reset_index(drop=True)


def _estimates(spec: Anguita2012Spec, unit: Unit, tables: Tables) -> pd.DataFrame:
    """Bound the error of the candidate chosen at one number of folds, and test its models."""
    X = realization(load_cached(unit["dataset"]), unit["realization"])[0]
    k = unit["k"]
    kind = CompleteKFold(k, spec.n_draws(k, len(X)), random_state=_seed(*unit.values()))
    return _estimated(unit, tables, kind)


def _kinds(spec: Anguita2012Spec, unit: Unit, tables: Tables) -> pd.DataFrame:
    """Do the same with draws of another kind."""
    X = realization(load_cached(unit["dataset"]), unit["realization"])[0]
    stratify = False
    if unit["kind"] != RANDOM:
        clusters = estimate_n_clusters(X, random_state=0)
        stratify = make_splitter(unit["kind"], n_splits=unit["k"], n_clusters=clusters, random_state=0)
    seed = _seed(*unit.values())
    return _estimated(unit, tables, CompleteKFold(unit["k"], spec.kind_draws, stratify=stratify, random_state=seed))


def _estimated(unit: Unit, tables: Tables, kind: CompleteKFold) -> pd.DataFrame:
    """Return how many draws gave each number of errors on the estimation part, and the test error of their models."""
    start = time.perf_counter()
    X, y, X_test, y_test = realization(load_cached(unit["dataset"]), unit["realization"])
    draws = kind.draw(X, y)
    (best,) = chosen_candidates(tables["candidates"]).to_dict("records")
    setting = {"C": best["C"], "gamma": best["gamma"]}
    learner = GaussianSVM(SVC(), np.concatenate([X, X_test]), np.concatenate([y, y_test]), n_pool=len(X))
    errors, wrong, vote = wrong_predictions(learner, setting, draws, y, y_test)
    rows = pd.DataFrame({"errors": errors, "test_error": wrong.mean(axis=1)}).groupby("errors")["test_error"]
    return (
        rows.agg(draws="size", test_error="mean")
        .reset_index()
        .astype({"errors": np.int16, "draws": np.int16})
        .assign(**setting, tested=np.int16(len(draws[0].estimation)), vote_error=float(np.mean(vote)))
        .assign(fit_seconds=lambda frame: (time.perf_counter() - start) / len(frame))
    )


def _costs(spec: Anguita2012Spec, units: list[Unit], _: Tables) -> list[float]:
    sizes = {name: _learning_rows(name) for name in {unit["dataset"] for unit in units}}
    return [_cost(spec, unit["k"], sizes[unit["dataset"]]) for unit in units]


def _learning_rows(name: str) -> int:
    splits = load_cached(name).splits
    return len(splits[0][0]) if splits else task_and_shape(name)[1]


def _cost(spec: Anguita2012Spec, k: int, n: int) -> float:
    fits = spec.n_screening * len(spec.log_costs) * len(spec.log_gammas) + spec.n_finalists * spec.n_draws(k, n)
    return float(fits * (100 + (n * (1 - 2 / k)) ** 1.9 / 50))


_AXES = ("dataset", "realization", "k")


def _report(tables: Tables) -> dict[str, pd.DataFrame]:
    from compendium.anguita2012 import tables as views

    return {"bounds and test errors, beside Table 1": views.compare_with_table1(views.bound_table(tables))}


ANGUITA2012 = Study(
    name="anguita2012",
    summary="the number of folds as a hyperparameter, with a bound of the error (Anguita et al., 2012)",
    spec_type=Anguita2012Spec,
    profiles={
        "paper": lambda: Anguita2012Spec(tuple(entry.id for entry in catalogue().select(collection="raetsch"))),
        "smoke": lambda: Anguita2012Spec(
            ("sklearn/breast_cancer",),
            n_realizations=1,
            ks=(3, 5),
            log_costs=(0.0, 1.0),
            log_gammas=(-2.0, -1.0),
            n_screening=3,
            precision=0.1,
            min_draws=6,
            draw_kinds=(RANDOM, "SCV"),
            kind_ks=(5,),
            kind_draws=4,
        ),
    },
    tables=(
        Table("candidates", _AXES, _units, _candidates, keys=("C", "gamma"), measured=("fit_seconds",), costs=_costs),
        Table(
            "estimates",
            _AXES,
            _units,
            _estimates,
            needs=("candidates",),
            keys=("errors",),
            measured=("fit_seconds",),
            costs=_costs,
        ),
        Table(
            "kinds",
            (*_AXES, "kind"),
            _kind_units,
            _kinds,
            needs=("candidates",),
            keys=("errors",),
            measured=("fit_seconds",),
        ),
    ),
    validate=_validate,
    checksums=_checksums,
    report=_report,
)

# On image the best C lies at the upper edge of that grid: one of its own, with larger ones.
ANGUITA2012_IMAGE = replace(
    ANGUITA2012,
    name="anguita2012-image",
    summary="complete k-fold on image, with a grid that goes on to larger C",
    profiles={
        **ANGUITA2012.profiles,
        "paper": lambda: Anguita2012Spec(
            ("raetsch/image",),
            log_costs=(1.0, 2.0, 3.0, 4.0, 5.0),
            log_gammas=(-3.0, -2.5, -2.0, -1.5, -1.0, -0.5, 0.0),
        ),
    },
)
