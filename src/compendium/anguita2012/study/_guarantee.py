"""Does the bound of complete k-fold cross-validation hold? Problems whose true error their generators tell."""

from __future__ import annotations

import time
import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.model_selection import ParameterGrid
from sklearn.svm import SVC

from compendium.anguita2012.study._grid import check_grid
from compendium.anguita2012.study._predictions import wrong_predictions
from compendium.engine import Study, Table, Tables, Unit, axis, count, fraction
from cvstrat.checks import check_known
from cvstrat.complete import CompleteKFold, GaussianSVM, select
from cvstrat.errors import InputError

_WAVES = np.maximum(6 - np.abs(np.arange(1, 22) - np.array([[7], [15], [11]])), 0)
_PAIRS = np.array([[0, 1], [0, 2], [1, 2]])


def twonorm(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw from two Gaussians in 20 dimensions, with centres on either side of zero (Breiman, 1996)."""
    y = rng.integers(2, size=n)
    return rng.standard_normal((n, 20)) + (2 * y[:, None] - 1) * 2 / np.sqrt(20), y


def ringnorm(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw from a wide Gaussian around zero and a narrow one inside it, in 20 dimensions (Breiman, 1996)."""
    y = rng.integers(2, size=n)
    noise = rng.standard_normal((n, 20))
    return np.where(y[:, None] == 1, noise + 1 / np.sqrt(20), 2 * noise), y


def waveform(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw mixtures of two of three triangular waves, with noise; one pair of waves against the other two pairs."""
    pair = rng.integers(3, size=n)
    share = rng.random((n, 1))
    first, second = _WAVES[_PAIRS[pair, 0]], _WAVES[_PAIRS[pair, 1]]
    return share * first + (1 - share) * second + rng.standard_normal((n, 21)), (pair == 1).astype(int)


GENERATORS = {"ringnorm": ringnorm, "twonorm": twonorm, "waveform": waveform}


@dataclass(frozen=True)
class GuaranteeSpec:
    """On which problems the bound is checked, with how many data sets, draws and candidates.

    Attributes
    ----------
    problems : tuple of str
        Names in ``GENERATORS``: ``ringnorm``, ``twonorm`` or ``waveform``.
    n_replicates : int
        Number of data sets drawn from each problem.
    n_rows : int
        Number of rows of each data set.
    ks : tuple of int
        Numbers of folds, each from 3 to half of `n_rows`.
    n_draws : int
        Number of draws at each number of folds.
    log_costs, log_gammas : tuple of float
        Powers of ten: the grid of C and gamma.
    delta : float
        Probability with which a bound may be too low, between 0 and 1, where candidates are chosen.
    n_test : int
        Number of further rows on which a true error is measured.
    """

    problems: tuple[str, ...] = axis("problem", tuple(GENERATORS))
    n_replicates: int = axis("replicate", 200)
    n_rows: int = count(200)
    ks: tuple[int, ...] = axis("k", (3, 4, 5, 6, 8, 10, 14, 20), minimum=3)
    n_draws: int = axis("draw", 30)
    log_costs: tuple[float, ...] = (-1.0, 0.0, 1.0)
    log_gammas: tuple[float, ...] = (-2.5, -2.0, -1.5, -1.0, -0.5)
    delta: float = fraction(0.05)
    n_test: int = count(20000)


def _validate(spec: GuaranteeSpec) -> None:
    for name in spec.problems:
        check_known("problem", name, GENERATORS)
    check_grid(spec.log_costs, spec.log_gammas)
    if max(spec.ks) > spec.n_rows // 2:
        raise InputError(f"ks={spec.ks}: give numbers of folds from 3 to half of n_rows={spec.n_rows}")


def _checksums(spec: GuaranteeSpec, _: Collection[str] | None) -> dict[str, str]:
    return {}


def _units(spec: GuaranteeSpec, _: Tables) -> Iterator[Unit]:
    for problem in spec.problems:
        for replicate in range(spec.n_replicates):
            yield {"problem": problem, "replicate": replicate}


def _replicates(spec: GuaranteeSpec, unit: Unit, _: Tables) -> pd.DataFrame:
    """Draw a data set, run the procedure at every number of folds, and compare bounds with true errors."""
    start = time.perf_counter()
    sequence = np.random.SeedSequence([zlib.crc32(unit["problem"].encode()), unit["replicate"]])
    rng = np.random.default_rng(sequence)
    X, y = GENERATORS[unit["problem"]](spec.n_rows + spec.n_test, rng)
    learn = X[: spec.n_rows]
    X = (X - learn.mean(axis=0)) / learn.std(axis=0)
    learner = GaussianSVM(SVC(), X, y, n_pool=spec.n_rows)
    inner, outer = y[: spec.n_rows], y[spec.n_rows :]
    settings = list(ParameterGrid({"C": 10.0 ** np.array(spec.log_costs), "gamma": 10.0 ** np.array(spec.log_gammas)}))
    seeds = dict(zip(spec.ks, sequence.generate_state(len(spec.ks)), strict=True))
    draws = {
        k: CompleteKFold(k, spec.n_draws, random_state=int(seeds[k])).draw(X[: spec.n_rows], inner) for k in spec.ks
    }
    small = GaussianSVM(SVC(), X[: spec.n_rows], inner)  # the kernel between learning rows is all that choosing needs
    selection = select(small, settings, draws, spec.delta)
    frames = []
    for place, k in enumerate(spec.ks):
        best = selection.best(k)[0]
        errors, wrong, vote = wrong_predictions(learner, settings[best], draws[k], inner, outer)
        frames.append(
            pd.DataFrame(
                {
                    "k": np.int8(k),
                    "draw": np.arange(spec.n_draws, dtype=np.int16),
                    "errors": errors.astype(np.int16),
                    "tested": np.int16(spec.n_rows // k),
                    "true_error": wrong.mean(axis=1).astype(np.float32),
                    "vote_error": np.float32(vote.mean()),
                    "selection_bound": np.float32(selection.bounds[best, place]),
                }
            )
        )
    rows = pd.concat(frames, ignore_index=True)
    return rows.assign(fit_seconds=(time.perf_counter() - start) / len(rows))


def _report(tables: Tables) -> dict[str, pd.DataFrame]:
    from compendium.anguita2012.tables import exceedance

    shares = exceedance(tables["replicates"], deltas=(0.05,))
    return {"how often the true error is above the bound, percent": shares}


ANGUITA2012_GUARANTEE = Study(
    name="anguita2012-guarantee",
    summary="how often the true error is above the bound of complete k-fold cross-validation",
    spec_type=GuaranteeSpec,
    profiles={
        "paper": GuaranteeSpec,
        "smoke": lambda: GuaranteeSpec(
            n_replicates=2,
            n_rows=40,
            ks=(3, 5),
            n_draws=4,
            log_costs=(0.0,),
            log_gammas=(-2.0, -1.0),
            n_test=200,
        ),
    },
    tables=(
        Table(
            "replicates",
            ("problem", "replicate"),
            _units,
            _replicates,
            keys=("k", "draw"),
            measured=("fit_seconds",),
        ),
    ),
    validate=_validate,
    checksums=_checksums,
    report=_report,
)
