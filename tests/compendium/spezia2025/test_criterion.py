"""Balanced folds by the energy distance on the data sets of the cluster-based study."""

import numpy as np
import pandas as pd
import pytest

from compendium import engine
from compendium.datasets import catalogue
from compendium.spezia2025 import tables
from compendium.spezia2025.study import BALANCED, SPEZIA2025, SPEZIA2025_CRITERION
from compendium.spezia2025.study._units import evaluate, prepared, resamples, tuned
from cvstrat import BalancedKFold

PAPER = SPEZIA2025_CRITERION.profiles["paper"]()


def test_folds_are_those_of_the_library_by_default_on_the_subsamples_of_the_study(smoke_run):
    found = engine.read_tables("spezia2025-criterion", smoke_run("spezia2025-criterion"))
    spec = SPEZIA2025_CRITERION.profiles["smoke"]()
    data, models = prepared("sklearn/iris"), tuned(spec, found)
    sample = resamples("sklearn/iris", spec.n_repeats, spec.test_size, spec.subsample_seed)[1][0]
    X, y = data.X[sample], data.y[sample]
    for technique, options in {"Balanced": {}, "Balanced0": {"balance": 0}}.items():
        splitter = BalancedKFold(2, shuffle=True, random_state=spec.splitter_seed, **options)
        expected = evaluate(models, X, y, splitter.fold_of_each_row(X, y), data.n_classes)
        folds = found["folds"]
        ours = folds[(folds["technique"] == technique) & (folds["repeat"] == 1)]
        assert ours["model"].tolist() == expected["model"].tolist() == ["LR", "DT"]
        assert ours["accuracy"].to_numpy() == pytest.approx(expected["accuracy"].to_numpy(), abs=1e-6)


def test_data_sets_are_those_whose_distances_are_held():
    rows = {entry.id: entry.rows for entry in catalogue().select(study="spezia2025")}
    assert set(PAPER.datasets) == {name for name, n in rows.items() if 0.9 * n <= 4096}
    assert PAPER.n_repeats == SPEZIA2025.profiles["paper"]().n_repeats
    assert PAPER.techniques == BALANCED


def test_other_techniques_have_no_criterion(tmp_path):
    with pytest.raises(engine.StudyError, match="only Balanced and Balanced0"):
        engine.run("spezia2025-criterion", profile="smoke", folder=tmp_path, jobs=1, quiet=True, techniques=("SCV",))


def shifted(main, points):
    """Return folds of the main study as if they were by energy, their accuracy higher by some points on each set."""
    chosen = main[(main["version"] == "correct") & main["technique"].isin(BALANCED)].drop(columns="version")
    sets = pd.factorize(chosen["dataset"])[0]
    return chosen.assign(accuracy=chosen["accuracy"] + (points + 0.01 * np.cos(sets)) / 100)


def test_biases_and_errors_are_compared_pair_by_pair_over_data_sets():
    main = engine.read_tables("spezia2025")
    table = tables.criterion_table({"folds": shifted(main["folds"], 0.1)}, main).set_index(["measure", "n_splits"])
    bias = table.loc["bias"]
    assert (bias["finding"] == "larger, below the margin").all() and (bias["n"] == 20).all()
    assert bias["difference"].to_numpy() == pytest.approx(0.001, abs=1e-4)
    accuracy = main["folds"].query("version == 'correct' and technique == 'SCV' and n_splits == 2")
    means = accuracy.groupby(["dataset", "model"])["accuracy"].mean()
    truth = main["truth"].groupby(["dataset", "model"])["accuracy"].mean()
    assert bias.loc[2, "SCV"].to_numpy() == pytest.approx((means - truth).mean())
    apart = tables.criterion_table({"folds": shifted(main["folds"], 2)}, main).set_index("measure")
    assert (apart.loc["bias", "finding"] == "larger").all()


def test_the_comparison_reads_well():
    found = ["equal", "larger, below the margin", "larger", "open"] * 2
    lines = [
        {"measure": measure, "technique": technique, "n_splits": k, "n": 16}
        for measure in ("bias", "rmse")
        for technique in BALANCED
        for k in (2, 10)
    ]
    values = {"energy": -0.011, "features": -0.0161, "SCV": -0.0213, "finding": found}
    assert tables.criterion_text(pd.DataFrame(lines).assign(**values)) == (
        "On the 16 data sets of the cluster-based study that are small enough, bias and error by energy are equal "
        "within 0.5 points in 2, higher by less than that in 2, higher in 2 and open in 2 of the 8 comparisons. At "
        "the unbiased ratio, the default has a mean bias, in points, of −1.1 with 2 folds (by features −1.6, "
        "stratified −2.1) and −1.1 with 10 folds (by features −1.6, stratified −2.1)."
    )
