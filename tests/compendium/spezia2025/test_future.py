"""The study of the paper's future work, against slow literal versions of what it measures."""

import functools
import itertools
import json

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist, pdist
from sklearn import datasets
from sklearn.metrics import silhouette_score
from sklearn.model_selection import GridSearchCV

from compendium import engine
from compendium.spezia2025 import figures, study, tables
from compendium.spezia2025.study import _batches, _cuts, _distances, _searches
from compendium.spezia2025.study._cuts import LINKAGES, RULES, count_clusters
from cvstrat import estimate_n_clusters
from cvstrat.clustering import mojena_count
from cvstrat.errors import InputError

pytestmark = pytest.mark.filterwarnings("ignore")  # of fits that do not converge

IRIS = datasets.load_iris()
NAME = "spezia2025-future"


@pytest.fixture(scope="module")
def folder(smoke_run):
    return smoke_run(NAME)


@pytest.fixture(scope="module")
def results(folder):
    return engine.read_tables(NAME, folder)


@functools.cache
def fitted(search, model):
    return _searches.make_search(search, model, 0, 0).fit(IRIS.data, IRIS.target)


def merges_of(rows, method):
    """Merge the two closest clusters again and again; return the heights and the partition after each merge."""
    clusters, heights, partitions = [[number] for number in range(len(rows))], [], []
    between = {"single": np.min, "complete": np.max, "average": np.mean}
    square = cdist(rows, rows)

    def distance(one, other):
        if method == "ward":
            gap = ((rows[one].mean(axis=0) - rows[other].mean(axis=0)) ** 2).sum()
            return np.sqrt(2 * len(one) * len(other) / (len(one) + len(other)) * gap)
        return between[method](square[np.ix_(one, other)])

    while len(clusters) > 1:
        first, second = min(itertools.combinations(clusters, 2), key=lambda pair: distance(*pair))
        heights.append(distance(first, second))
        clusters = [one for one in clusters if one not in (first, second)] + [first + second]
        partitions.append(clusters)
    return np.array(heights), partitions


def count_slowly(rows, method, rule):
    heights, partitions = merges_of(rows, method)
    if rule.startswith("Mojena"):
        line = heights.mean() + float(rule.split()[1]) * np.sqrt(((heights - heights.mean()) ** 2).mean())
        return 1 + sum(height > line for height in heights)
    if rule == "largest gap":
        gaps = [(heights[after] - heights[after - 1], after) for after in range(1, len(heights))]
        merges_kept = max(gaps, key=lambda gap: gap[0])[1]
        return len(rows) - merges_kept
    best = {}
    for partition in partitions:
        if 2 <= len(partition) <= 10:
            labels = np.empty(len(rows), dtype=int)
            for number, members in enumerate(partition):
                labels[members] = number
            best[len(partition)] = silhouette_score(rows, labels)
    return max(sorted(best), key=best.get)


@pytest.mark.parametrize("method", LINKAGES)
@pytest.mark.parametrize("rule", RULES)
def test_rules_count_as_written_down(method, rule):
    for seed in range(3):
        rng = np.random.default_rng(seed)
        rows = rng.normal(size=(24, 3)) + 4 * rng.integers(3, size=(24, 1))
        assert count_clusters(rows, method, rule) == count_slowly(rows, method, rule)


def test_average_linkage_with_two_standard_deviations_is_the_estimate_of_the_paper(results):
    heights = _cuts.linkage(pdist(IRIS.data), method="average")[:, 2]
    assert count_clusters(IRIS.data, "average", "Mojena 2") == mojena_count(heights)
    counts = results["counts"].set_index(["linkage", "rule"])["n_clusters"]
    assert counts["average", "Mojena 2"] == estimate_n_clusters(IRIS.data) == results["clusters"]["n_clusters"].item()


def test_ward_with_the_number_of_the_study_is_the_technique_of_the_paper(results, tmp_path):
    fields = {"datasets": ("sklearn/iris",), "techniques": ("ACBCV",), "n_splits": (2,), "n_repeats": 2, "n_scales": 1}
    engine.run("spezia2025-balance", profile="smoke", folder=tmp_path, jobs=1, quiet=True, **fields)
    ratios = engine.read_tables("spezia2025-balance", tmp_path)["ratios"]
    expected = ratios[ratios["scale"] == 0]["ratio"].mean()
    folds = tables.linkage_folds(results["counts"], results["linkages"], results["clusters"])
    here = folds[(folds["linkage"] == "ward") & (folds["rule"] == tables.STUDY_RULE)]
    assert here["ratio"].item() == pytest.approx(expected, rel=1e-5)


def test_the_distance_of_random_folds_is_one_on_average_exactly():
    X = np.random.default_rng(0).normal(size=(6, 2))
    every = [np.isin(np.arange(6), test).astype(int) for test in itertools.combinations(range(6), 3)]
    assert np.mean([_distances.energy_ratio(folds, X) for folds in every]) == pytest.approx(1)
    thirds = {order for order in itertools.permutations([0, 0, 1, 1, 2, 2])}
    assert np.mean([_distances.energy_ratio(np.array(folds), X) for folds in thirds]) == pytest.approx(1)


def test_the_distance_between_training_and_test_part_has_the_same_ratio():
    X = np.random.default_rng(1).normal(size=(12, 3))
    rows = (X - X.mean(axis=0)) / X.std(axis=0)
    folds = np.arange(12) % 3

    def between_parts(folds):
        found = []
        for fold in range(3):
            test, train = rows[folds == fold], rows[folds != fold]
            found.append(2 * cdist(train, test).mean() - cdist(train, train).mean() - cdist(test, test).mean())
        return np.mean(found)

    other = np.repeat([0, 1, 2], 4)
    expected = between_parts(other) / between_parts(folds)
    assert _distances.energy_ratio(other, X) / _distances.energy_ratio(folds, X) == pytest.approx(expected)


def test_silhouettes_are_those_of_scikit_learn_and_none_for_one_cluster():
    labels = IRIS.target
    assert _distances.silhouettes(IRIS.data, labels).mean() == pytest.approx(silhouette_score(IRIS.data, labels))
    assert _distances.silhouettes(IRIS.data, np.zeros(150, dtype=int)).size == 0


def test_techniques_without_clusters_have_no_silhouette(results):
    assert set(results["silhouettes"]["technique"]) == {"SCBCV", "KCBCV"}
    assert set(results["distances"]["technique"]) == {"SCBCV", "KCBCV", "SCV", "KFold"}


def test_made_groups_are_clear_and_a_cloud_has_none():
    scores = {}
    for shape in ("groups", "cloud"):
        X, y = _batches.made_rows(shape, 400, seed=0)
        assert np.bincount(y).tolist() == [200, 200]
        (labels, inertia), _ = _batches._by_class(_batches.make_kmeans(0, 0), X, y)
        part = X[y == 0]
        slow = sum(min(((row - part[labels == number].mean(axis=0)) ** 2).sum() for number in range(5)) for row in part)
        assert inertia == pytest.approx(slow, rel=1e-3)
        scores[shape] = silhouette_score(part, labels)
    assert scores["cloud"] < 0.15 < scores["groups"]


def test_batches_are_compared_with_kmeans_on_the_same_rows(results):
    times = results["batches_times"]
    table = tables.batch_table(results["batches"], times)
    assert sorted(table["batch_size"].unique()) == [64, 1024]
    one = results["batches"].query("shape == 'cloud' and rows == 2500").merge(times)
    mini, full = (one[one["batch_size"] == size].set_index("made") for size in (64, 0))
    line = table.query("shape == 'cloud' and rows == 2500 and batch_size == 64").iloc[0]
    assert line["cut"] == pytest.approx((mini["cut_seconds"] / full["cut_seconds"]).median())
    assert line["inertia"] == pytest.approx((mini["inertia"] / full["inertia"]).mean())
    assert (full["agreement"] == 1).all()


@pytest.mark.parametrize(
    ("changed", "pays"),
    [
        ({}, True),
        ({"cut_seconds": 0.8}, False),
        ({"fit_seconds": 0.8}, False),
        ({"inertia": 1.03}, False),
        ({"ratio": 0.72}, False),
    ],
)
def test_a_batch_pays_if_it_is_faster_and_costs_nothing(changed, pays):
    keys = {"shape": "cloud", "rows": 10, "made": 0}
    mini = {"inertia": 1.01, "ratio": 0.65, "agreement": 0.5, "fit_seconds": 0.5, "cut_seconds": 0.7} | changed
    full = {"inertia": 1.0, "ratio": 0.6, "agreement": 1.0, "fit_seconds": 1.0, "cut_seconds": 1.0}
    rows = pd.DataFrame([keys | {"batch_size": 0} | full, keys | {"batch_size": 8} | mini])
    measured = ["fit_seconds", "cut_seconds"]
    table = tables.batch_table(rows.drop(columns=measured), rows[[*keys, "batch_size", *measured]])
    assert table["pays"].tolist() == [pays]


def test_a_batch_size_pays_from_where_it_pays_at_all_larger_sizes_and_on_all_shapes():
    sizes = [1000, 10_000, 100_000]
    pays = {("cloud", 64): [1, 0, 1], ("groups", 64): [1, 1, 1], ("cloud", 256): [0, 1, 1], ("groups", 256): [1, 1, 1]}
    pays |= {("cloud", 1024): [0, 0, 0], ("groups", 1024): [1, 1, 1]}
    rows = [(*key, size, bool(one)) for key, values in pays.items() for size, one in zip(sizes, values, strict=True)]
    table = pd.DataFrame(rows, columns=["shape", "batch_size", "rows", "pays"])
    assert tables.pays_from(table) == {64: 100_000, 256: 10_000}
    assert tables.batch_text(table) == (
        "Mini-Batch K-means pays off from 10\N{NO-BREAK SPACE}000 rows on, with batches of 256."
    )
    one = tables.batch_text(table[table["batch_size"] == 1024])
    assert one == (
        "Mini-Batch K-means pays off on data with clear groups from 1000 rows on, with batches of 1024. "
        "On data without groups it did not, up to 100\N{NO-BREAK SPACE}000 rows."
    )
    never = tables.batch_text(table[table["shape"] == "cloud"].assign(pays=False))
    assert never == "Mini-Batch K-means did not pay off at any size up to 100\N{NO-BREAK SPACE}000 rows."
    each = [("cloud", 64, True), ("cloud", 256, False), ("groups", 64, False), ("groups", 256, True)]
    apart = pd.DataFrame(each, columns=["shape", "batch_size", "pays"]).assign(rows=1000)
    assert tables.batch_text(apart) == (
        "Mini-Batch K-means pays off on data without groups from 1000 rows on, with batches of 64, and on data "
        "with clear groups from 1000 rows on, with batches of 256."
    )


@pytest.mark.parametrize("model", ["LR", "DT", "SVM"])
def test_searches_try_what_they_say(model):
    size = _searches.n_settings(model)
    fits = {}
    for name in _searches.SEARCHES:
        search = fitted(name, model)
        fits[name], full = _searches.cost(search, 150)
        assert full <= fits[name]
    assert (fits["grid"], fits["random"], fits["wide"]) == (5 * size, 5 * ((size + 1) // 2), 10 * size)
    assert fits["halving"] > fits["grid"]  # but on fewer rows
    assert isinstance(_searches.make_search("grid", model, 0, 0), GridSearchCV)


def test_halving_costs_less_than_the_grid_in_rows():
    search = fitted("halving", "SVM")
    results = pd.DataFrame(search.cv_results_)
    expected = 5 * (results["n_resources"] / 150).sum()
    assert _searches.cost(search, 150)[1] == pytest.approx(expected)
    assert expected < 5 * 20


def test_ranges_reach_as_far_as_the_grid_or_ten_times_as_far():
    for model, name, ends in (
        ("LR", "logisticregression__C", (0.003, 30)),
        ("DT", "decisiontreeclassifier__max_depth", (1, 50)),
    ):
        near, wide = (_searches.make_search(one, model, 0, 0).param_distributions[name] for one in ("random", "wide"))
        low, high = near.support()
        assert (low, high) == pytest.approx(ends)
        assert wide.support()[1] == pytest.approx(10 * ends[1])


def test_the_grid_chooses_as_the_main_study_does_and_is_run_once(results, small_run):
    tuning = engine.read_tables("spezia2025", small_run)["tuning"].set_index(["dataset", "model"])
    grid = results["searches"][results["searches"]["search"] == "grid"]
    assert grid["repeat"].tolist() == [0, 0]
    for row in grid.to_dict("records"):
        published = json.loads(tuning.loc[(row["dataset"], row["model"]), "hyperparameters"])
        assert json.loads(row["hyperparameters"]) == published


def test_searches_are_compared_with_the_grid():
    cells = itertools.product(["a", "b", "c"], ["LR", "DT"], [("grid", 0), ("random", 0), ("random", 1)])
    rows = [{"dataset": d, "model": m, "search": s, "repeat": r} for d, m, (s, r) in cells]
    frame = pd.DataFrame(rows).assign(fits=10, full_fits=10.0, truth=0.9, SCV=0.88, SCBCV=0.89)
    random = frame["search"] == "random"
    frame.loc[random, ["fits", "full_fits"]] = 5
    frame.loc[random & (frame["dataset"] == "a"), "truth"] = 0.93
    table = tables.search_table(frame).set_index("measure")
    assert table["fits"].tolist() == [0.5] * 3
    assert table.loc["truth", "difference"] == pytest.approx(0.01)
    assert table.loc["truth", "moved"] == pytest.approx(1 / 3)
    assert table.loc["bias SCV", "difference"] == pytest.approx(-0.01)


def test_silhouettes_and_distances_are_correlated_over_data_sets():
    names = ["a", "b", "c", "d"]
    distances = pd.DataFrame({"dataset": names, "technique": "KCBCV", "n_splits": 2, "ratio": [0.9, 0.7, 0.5, 0.2]})
    silhouettes = pd.DataFrame({"dataset": names, "technique": "KCBCV", "silhouette": [0.1, 0.2, 0.3, np.nan]})
    silhouettes["n_clusters"] = [2.0, 3.0, 2.0, 1.0]
    pairs = tables.silhouettes_and_distances(distances, silhouettes)
    assert tables.silhouette_correlations(pairs)[["correlation", "n_sets"]].to_numpy().tolist() == [[-1.0, 3]]
    line = tables.distance_table(distances, silhouettes).iloc[0]
    assert (line["one_cluster"], line["n_sets"]) == (1, 4)
    assert line[2] == pytest.approx(0.575)
    silhouettes.loc[0, "silhouette"] = np.nan  # the rows that were drawn are all in one of two clusters
    assert tables.distance_table(distances, silhouettes).iloc[0]["one_cluster"] == 1


def test_the_status_counts_the_units_of_every_table(folder):
    status = engine.status(NAME, profile="smoke", folder=folder)
    assert set(status["table"]) == {table.name for table in study.SPEZIA2025_FUTURE.tables}
    assert status.set_index("table").loc["batches", ["shape", "done"]].to_numpy().tolist() == [
        ["groups", 4],
        ["cloud", 4],
    ]
    assert not status["missing"].any()


def test_the_report_has_a_table_for_each_part(results):
    found = study.SPEZIA2025_FUTURE.report(results)
    assert len(found) == 4
    assert all(len(frame) for frame in found.values())


@pytest.mark.parametrize(
    "fields", [{"rules": ("elbow",)}, {"searches": ("optuna",)}, {"linkages": ("median",)}, {"shapes": ("ring",)}]
)
def test_unknown_names_are_refused(fields, tmp_path):
    with pytest.raises(InputError):
        engine.run(NAME, profile="smoke", folder=tmp_path, jobs=1, quiet=True, **fields)


def test_more_repeats_than_subsamples_are_refused(tmp_path):
    with pytest.raises(engine.StudyError, match="n_subsamples=2"):
        engine.run(NAME, profile="smoke", folder=tmp_path, jobs=1, quiet=True, n_repeats=3)


def test_figures_draw_every_batch_size_and_every_linkage(results):
    batches = tables.batch_table(results["batches"], results["batches_times"])
    left, right = figures.plot_batches(batches, margin=0.75)
    assert (left.get_title(), right.get_title()) == ("groups", "cloud")
    assert [text.get_text() for text in left.figure.legends[0].get_texts()] == ["64", "1024"]
    folds = tables.linkage_folds(results["counts"], results["linkages"], results["clusters"])
    axes = figures.plot_linkages(tables.linkage_table(folds))
    assert [label.get_text() for label in axes[0].get_yticklabels()] == [*RULES, tables.STUDY_RULE]
    assert (
        sum(len(points.get_offsets()) for points in axes[1].collections) == 4 * (len(RULES) + 1) - 1
    )  # of average linkage it is Mojena 2
