"""The deterministic methods of the study of 2000, against its sections 4 and 5 written out by hand.

An instance is a list of values: a number (continuous), a word (discrete) or None (missing). Similarities are the
paper's, negative distances. Where the paper takes instances in the order of the file, they come in the order of their
contents. Similarities that differ in the tenth digit or later are taken as equal; such instances keep that order.
"""

import math
from statistics import mean, pstdev

import numpy as np
import pandas as pd
import pytest

from cvstrat import CenteredClusterKFold, OneCenterKFold, estimate_n_clusters
from cvstrat.clustering import mixed_rows
from cvstrat.splitters import make_splitter
from cvstrat.splitters._content import row_keys

FOLDS = [2, 3, 5, 10]


def mixed_frame(seed, n_rows=80, missing=0.06):
    """Three continuous and two discrete columns, some values missing."""
    random = np.random.RandomState(seed)
    frame = pd.DataFrame(random.randn(n_rows, 3) * [1, 50, 0.01], columns=["a", "b", "c"])
    frame["c"] += random.randint(0, 3, size=n_rows) * 0.05
    frame.insert(1, "word", random.choice(["red", "green", "blue"], size=n_rows, p=[0.2, 0.5, 0.3]))
    frame["flag"] = random.choice(["yes", "no"], size=n_rows)
    return frame.mask(random.rand(*frame.shape) < missing)


def numeric_frame(seed, n_rows=80):
    random = np.random.RandomState(seed)
    return pd.DataFrame(random.randn(n_rows, 3) + 3.0 * random.randint(0, 3, size=n_rows)[:, None])


def instances_of(frame):
    """The rows as lists, continuous attributes normalised to [0, 1]."""
    columns = []
    for number in range(frame.shape[1]):
        values = [None if pd.isna(value) else value for value in frame.iloc[:, number].tolist()]
        known = [value for value in values if value is not None]
        if known and not isinstance(known[0], str):
            low, high = min(known), max(known)
            width = high - low if high > low else 1.0
            values = [None if value is None else (value - low) / width for value in values]
        columns.append(values)
    return [list(row) for row in zip(*columns, strict=True)]


def by_content(frame):
    keys = row_keys(mixed_rows(frame).values(), np.random.RandomState(0))
    return sorted(range(len(frame)), key=lambda row: int(keys[row]))


def f(one, other):
    if one is None or other is None:
        return 1.0
    if isinstance(one, str):
        return 0.0 if one == other else 1.0
    return (one - other) ** 2


def sim(one, other):
    return -math.sqrt(sum(f(a, b) for a, b in zip(one, other, strict=True)))


def center_of(instances):
    """The mean of the known values, or the most frequent of them (the first by alphabet of several)."""
    center = []
    for values in zip(*instances, strict=True):
        known = [value for value in values if value is not None]
        if not known:
            center.append(None)
        elif isinstance(known[0], str):
            center.append(max(sorted(set(known)), key=known.count))
        else:
            center.append(sum(known) / len(known))
    return center


def most_similar_first(instances, numbers, center):
    return sorted(numbers, key=lambda number: -round(sim(instances[number], center), 9))


def deal_by_hand(order, n_splits):
    fold_of_row = {}
    for turn, row in enumerate(order):
        fold_of_row[row] = turn % n_splits
    return [fold_of_row[row] for row in range(len(order))]


def one_center(frame, n_splits):
    """1C-CV: by similarity to the centre of all."""
    order = by_content(frame)
    instances = [instances_of(frame)[row] for row in order]
    ordered = most_similar_first(instances, range(len(order)), center_of(instances))
    return deal_by_hand([order[number] for number in ordered], n_splits)


def initial_centers(x, K):
    """Fig. 4, with all of its three similarities."""
    C = [x[number] for number in range(K)]
    for i in range(K, len(x)):
        r = max(range(K), key=lambda number: sim(x[i], C[number]))
        s1 = sim(x[i], C[r])
        s2 = max((sim(C[f], C[h]) for f in range(K) for h in range(K) if f != h), default=-math.inf)
        s3 = max((sim(C[r], C[f]) for f in range(K) if f != r), default=-math.inf)
        if s1 < s2 or s1 < s3:
            C[r] = x[i]
    return C


def kmeans(x, K):
    """Assign, refine, and again until no centre moves by 2 % of the distance of the two closest ones before.

    An unknown value of a centre differs from itself, so that rounds may not end; then there are a hundred. Returns the
    clusters, with the instances assigned to the last centres, and the centres.
    """
    C = initial_centers(x, K)
    for _ in range(100):
        refined = []
        for number, members in enumerate(assigned(x, C)):
            refined.append(center_of([x[i] for i in members]) if members else C[number])
        change = max(-sim(new, old) for new, old in zip(refined, C, strict=True))
        closest = max((sim(C[f], C[h]) for f in range(K) for h in range(K) if f != h), default=-math.inf)
        C = refined
        if change < 0.02 * -closest or change == 0:
            break
    return assigned(x, C), C


def assigned(x, C):
    clusters = [[] for _ in C]
    for i in range(len(x)):
        clusters[max(range(len(C)), key=lambda number: sim(x[i], C[number]))].append(i)
    return clusters


def hierarchy(x, K):
    """Merge the two clusters of largest average similarity until K are left, or as many as the stopping rule says."""
    n = len(x)
    table = [[sim(one, other) for other in x] for one in x]
    groups, coefficients, stages = [[i] for i in range(n)], [], {n: [[i] for i in range(n)]}
    while len(groups) > 1:
        best = (-math.inf, 0, 0)
        for g in range(len(groups)):
            for h in range(g):
                total = sum(table[i][j] for i in groups[g] for j in groups[h])
                best = max(best, (total / (len(groups[g]) * len(groups[h])), g, h))
        coefficients.append(best[0])
        merged = groups[best[1]] + groups[best[2]]
        groups = [group for number, group in enumerate(groups) if number not in best[1:]] + [merged]
        stages[len(groups)] = [sorted(group) for group in groups]
    if K is None:
        critical = mean(coefficients) - 2 * pstdev(coefficients)
        K = next((n - j for j in range(1, n - 1) if coefficients[j] < critical), 1)  # coefficients[j] is stage j + 1
    clusters = sorted(stages[K])  # the first cluster is that of the first instance
    return clusters, [center_of([x[i] for i in members]) for members in clusters]


def in_order(x, clusters, centers):
    """Clusters by similarity of their centres to the first one's, and instances by similarity to their centre."""
    ranked = sorted(range(len(centers)), key=lambda number: -round(sim(centers[number], centers[0]), 9))
    order = []
    for number in ranked:
        order += most_similar_first(x, clusters[number], centers[number])
    return order


def clustered(frame, n_splits, cluster, K):
    order = by_content(frame)
    x = [instances_of(frame)[row] for row in order]
    clusters, centers = cluster(x, K)
    return deal_by_hand([order[number] for number in in_order(x, clusters, centers)], n_splits)


class TestOneCenter:
    """1C-CV."""

    @pytest.mark.parametrize("k", FOLDS)
    @pytest.mark.parametrize("missing", [0, 0.1, 0.4])
    def test_mixed_attributes(self, k, missing):
        for seed in range(3):
            frame = mixed_frame(seed, n_rows=57, missing=missing)
            assert OneCenterKFold(k).fold_of_each_row(frame).tolist() == one_center(frame, k)

    @pytest.mark.parametrize("k", FOLDS)
    def test_numbers(self, k):
        frame = numeric_frame(k, n_rows=101)
        assert OneCenterKFold(k).fold_of_each_row(frame.to_numpy()).tolist() == one_center(frame, k)

    def test_words_only_and_so_many_ties(self):
        frame = mixed_frame(0, n_rows=90)[["word", "flag"]]
        assert OneCenterKFold(4).fold_of_each_row(frame).tolist() == one_center(frame, 4)

    def test_a_column_without_any_value_and_one_with_a_single_one(self):
        frame = mixed_frame(1)
        frame["nothing"], frame["same"] = np.nan, 7.0
        assert OneCenterKFold(4).fold_of_each_row(frame).tolist() == one_center(frame, 4)

    def test_discrete_columns_given_by_number(self):
        frame = mixed_frame(2)
        codes = frame.assign(
            word=frame["word"].map({"blue": 5.0, "green": 6.0, "red": 9.0}), flag=frame["flag"].map({"no": 0, "yes": 2})
        )
        X = codes.to_numpy(dtype=float)
        assert OneCenterKFold(5, categorical=[1, 4]).fold_of_each_row(X).tolist() == (
            OneCenterKFold(5).fold_of_each_row(frame[frame.columns]).tolist()
        )

    @pytest.mark.parametrize(
        "far",
        [1e2, 1e6],
    )
    def test_a_row_far_away_does_not_spoil_the_order_of_the_others(self, far):
        frame = numeric_frame(0)
        frame.iloc[0] = far
        assert OneCenterKFold(5).fold_of_each_row(frame).tolist() == one_center(frame, 5)


class TestClusters:
    """CL-CV with K-means."""

    @pytest.mark.parametrize("K", [1, 2, 3, 6])
    @pytest.mark.parametrize("k", FOLDS)
    def test_numbers(self, k, K):
        for seed in range(3):
            frame = numeric_frame(10 * k + seed)
            found = CenteredClusterKFold(k, n_clusters=K).fold_of_each_row(frame)
            assert found.tolist() == clustered(frame, k, kmeans, K)

    @pytest.mark.parametrize("K", [1, 2, 3, 6])
    @pytest.mark.parametrize("missing", [0, 0.06])
    def test_mixed_attributes(self, K, missing):
        for seed in range(4):
            frame = mixed_frame(seed, missing=missing)
            found = CenteredClusterKFold(5, n_clusters=K).fold_of_each_row(frame)
            assert found.tolist() == clustered(frame, 5, kmeans, K)

    def test_rounds_end_by_the_rule_of_two_per_cent(self):
        """On data where two per cent, and not that nothing moves any more, is what ends them."""
        early = 0
        for seed in range(6):
            frame = pd.DataFrame(np.random.RandomState(seed).rand(400, 2))
            found = CenteredClusterKFold(5, n_clusters=3).fold_of_each_row(frame)
            assert found.tolist() == clustered(frame, 5, kmeans, 3)
            x = [instances_of(frame)[row] for row in by_content(frame)]
            clusters, centers = kmeans(x, 3)
            early += any(sim(center_of([x[i] for i in m]), c) < 0 for m, c in zip(clusters, centers, strict=True))
        assert early > 2

    def test_number_of_clusters_estimated(self):
        frame = numeric_frame(5, n_rows=130)
        K = estimate_n_clusters(mixed_rows(frame)[by_content(frame)])
        assert K > 1
        assert CenteredClusterKFold(5).fold_of_each_row(frame).tolist() == clustered(frame, 5, kmeans, K)

    def test_as_many_clusters_as_rows(self):
        frame = numeric_frame(6, n_rows=12)
        expected = clustered(frame, 3, kmeans, 12)
        for K in (12, 50):
            assert CenteredClusterKFold(3, n_clusters=K).fold_of_each_row(frame).tolist() == expected

    def test_clusters_that_lose_all_their_rows(self):
        """Copies of rows are centres of which only the first attracts anything."""
        frame = pd.concat([numeric_frame(7, n_rows=6)] * 5, ignore_index=True)
        x = [instances_of(frame)[row] for row in by_content(frame)]
        clusters, _ = kmeans(x, 8)
        assert [] in clusters
        found = CenteredClusterKFold(4, n_clusters=8).fold_of_each_row(frame)
        assert found.tolist() == clustered(frame, 4, kmeans, 8)

    def test_by_the_names_of_the_paper(self):
        frame = mixed_frame(9)
        assert make_splitter("1C-CV", n_splits=4).fold_of_each_row(frame).tolist() == one_center(frame, 4)
        splitter = make_splitter("CL-CV", n_splits=4, n_clusters=3)
        assert splitter.fold_of_each_row(frame).tolist() == clustered(frame, 4, kmeans, 3)


class TestHierarchy:
    """CL-CV with hierarchical clustering."""

    @pytest.mark.parametrize("K", [None, 1, 2, 4, 7])
    def test_numbers(self, K):
        for seed in range(3):
            frame = numeric_frame(seed, n_rows=40)
            found = CenteredClusterKFold(3, n_clusters=K, method="hierarchical").fold_of_each_row(frame)
            assert found.tolist() == clustered(frame, 3, hierarchy, K)

    @pytest.mark.parametrize("K", [None, 2, 5])
    def test_mixed_attributes(self, K):
        for seed in range(3):
            frame = mixed_frame(seed, n_rows=36)
            found = CenteredClusterKFold(5, n_clusters=K, method="hierarchical").fold_of_each_row(frame)
            assert found.tolist() == clustered(frame, 5, hierarchy, K)

    def test_the_stopping_rule_finds_clouds(self):
        random = np.random.RandomState(0)
        frame = pd.DataFrame(random.rand(40, 2) * 0.1 + random.randint(0, 3, size=40)[:, None] * [[1.0, 0.6]])
        clusters, _ = hierarchy([instances_of(frame)[row] for row in by_content(frame)], None)
        assert len(clusters) == 3
        found = CenteredClusterKFold(4, method="hierarchical").fold_of_each_row(frame)
        assert found.tolist() == clustered(frame, 4, hierarchy, None)


class TestOneCluster:
    """A single cluster makes CL-CV the same as 1C-CV."""

    @pytest.mark.parametrize("method", ["kmeans", "hierarchical"])
    @pytest.mark.parametrize("k", FOLDS)
    def test_same_folds(self, k, method):
        for frame in (mixed_frame(k), numeric_frame(k), mixed_frame(k)[["word", "flag"]]):
            one = OneCenterKFold(k).fold_of_each_row(frame)
            clusters = CenteredClusterKFold(k, n_clusters=1, method=method).fold_of_each_row(frame)
            assert clusters.tolist() == one.tolist()

    @pytest.mark.parametrize("method", ["kmeans", "hierarchical"])
    def test_same_folds_with_a_row_far_away(self, method):
        frame = numeric_frame(0)
        frame.iloc[0] = 1e6
        one = OneCenterKFold(5).fold_of_each_row(frame)
        assert CenteredClusterKFold(5, n_clusters=1, method=method).fold_of_each_row(frame).tolist() == one.tolist()
