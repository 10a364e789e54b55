"""Clusters around centres: Fig. 4 with all of its similarities, round after round, and average linkage by hand."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cvstrat.clustering import MixedRows, _centered, centered_hierarchy, centered_kmeans, mixed_rows
from cvstrat.clustering._centered import initial_centers


def random_rows(seed, n_rows=60, *, discrete=1, missing=0.0):
    random = np.random.RandomState(seed)
    continuous = random.rand(n_rows, 2) + random.randint(0, 3, size=n_rows)[:, None]
    continuous /= continuous.max(axis=0)
    codes = random.randint(0, 3, size=(n_rows, discrete))
    continuous[random.rand(n_rows, 2) < missing] = np.nan
    codes[random.rand(n_rows, discrete) < missing] = -1
    return MixedRows(continuous, codes)


def sim(rows, one, other):
    total = 0.0
    for a, b in zip(rows.continuous[one], rows.continuous[other], strict=True):
        total += 1 if math.isnan(a) or math.isnan(b) else (a - b) ** 2
    for a, b in zip(rows.discrete[one], rows.discrete[other], strict=True):
        total += not (a == b and a >= 0)
    return -math.sqrt(total)


def fig_4(rows, K):
    """The indices of the rows chosen as centres."""
    table = [[sim(rows, one, other) for other in range(len(rows))] for one in range(len(rows))]
    C = list(range(K))
    for i in range(K, len(rows)):
        r = max(range(K), key=lambda number: table[i][C[number]])
        s1 = table[i][C[r]]
        s2 = max((table[C[f]][C[h]] for f in range(K) for h in range(K) if f != h), default=-math.inf)
        s3 = max((table[C[r]][C[f]] for f in range(K) if f != r), default=-math.inf)
        if s1 < s2 or s1 < s3:
            C[r] = i
    return C


def rounds_of(rows, n_clusters, monkeypatch):
    """The centres after each round: what comes out when there may be one round, two, three and so on."""
    found = [rows[initial_centers(rows, n_clusters)]]
    with monkeypatch.context() as patch:
        for max_rounds in range(1, 101):
            patch.setattr(_centered, "MAX_ROUNDS", max_rounds)
            centers = centered_kmeans(rows, n_clusters).centers
            if max_rounds > 1 and np.array_equal(centers.values(), found[-1].values(), equal_nan=True):
                break
            found.append(centers)
    return found


def length_of_move(before, after, number):
    """How far a centre moved; what is unknown before and after has not."""
    total = 0.0
    for a, b in zip(before.continuous[number], after.continuous[number], strict=True):
        if not (math.isnan(a) and math.isnan(b)):
            total += 1 if math.isnan(a) or math.isnan(b) else (a - b) ** 2
    for a, b in zip(before.discrete[number], after.discrete[number], strict=True):
        total += a != b
    return math.sqrt(total)


def moves_end_them(before, after):
    """The rule: the largest move is lower than 2 % of the distance of the two closest centres before it."""
    K = len(before)
    closest = min(-sim(before, f, h) for f in range(K) for h in range(K) if f != h)
    largest = max(length_of_move(before, after, number) for number in range(K))
    return largest < 0.02 * closest or largest == 0


def nothing_moves(rows, centers):
    """Whether the centres are those of the rows next to them."""
    nearest = rows.squared_distance(centers).argmin(axis=1)
    for number in set(nearest.tolist()):
        center = rows[np.flatnonzero(nearest == number)].center()
        if length_of_move(centers[[number]], center, 0) > 1e-12:
            return False
    return True


class TestInitialCenters:
    """Fig. 4."""

    @pytest.mark.parametrize("K", [1, 2, 3, 5, 8])
    @pytest.mark.parametrize("missing", [0.0, 0.15])
    def test_equal_the_figure(self, K, missing):
        for seed in range(5):
            rows = random_rows(seed, missing=missing)
            assert initial_centers(rows, K).tolist() == fig_4(rows, K)

    def test_centres_are_replaced(self):
        assert any(fig_4(random_rows(seed), 4) != [0, 1, 2, 3] for seed in range(3))

    @settings(max_examples=60)
    @given(
        st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(-1, 2)), min_size=1, max_size=25),
        st.integers(1, 6),
    )
    def test_equal_the_figure_with_ties(self, values, K):
        table = np.array(values)
        rows = MixedRows(table[:, :2] / 4, table[:, 2:])
        K = min(K, len(rows))
        assert initial_centers(rows, K).tolist() == fig_4(rows, K)

    @pytest.mark.parametrize("block", [1, 2, 7])
    def test_blocks_do_not_matter(self, block, monkeypatch):
        rows = random_rows(1, n_rows=90)
        monkeypatch.setattr(_centered, "_BLOCK", block)
        assert initial_centers(rows, 4).tolist() == fig_4(rows, 4)


class TestKMeans:
    """Rounds of assigning and refining."""

    @pytest.mark.parametrize("seed", [*range(6), 82, 148])  # in the last two it matters which centres are compared
    def test_rounds_go_on_until_centres_move_by_less_than_two_per_cent(self, seed, monkeypatch):
        rows = mixed_rows(np.random.RandomState(seed).rand(400, 2))
        rounds = rounds_of(rows, 3, monkeypatch)
        ended = [moves_end_them(before, after) for before, after in itertools.pairwise(rounds)]
        assert len(ended) > 1
        assert ended == [False] * (len(ended) - 1) + [True]

    @pytest.mark.parametrize(
        ("seed", "K", "missing"),
        [(0, 3, 0.0), (11, 3, 0.0), (36, 3, 0.0), (186, 3, 0.0), (1, 6, 0.3), (54, 6, 0.3), (171, 6, 0.3)],
    )
    def test_values_and_unknowns_of_centres_move_too(self, seed, K, missing, monkeypatch):
        """Seeds beyond 10: a round in which nothing but a mode, or what is known, changes by more than 2 %."""
        rows = random_rows(seed, n_rows=60, discrete=2, missing=missing)
        rounds = rounds_of(rows, K, monkeypatch)
        ended = [moves_end_them(before, after) for before, after in itertools.pairwise(rounds)]
        assert ended[:-1] == [False] * (len(ended) - 1)
        assert ended[-1] or nothing_moves(rows, rounds[-1])

    @pytest.mark.parametrize("missing", [0.0, 0.1])
    @pytest.mark.parametrize("max_rounds", [1, 2, 3])
    def test_a_round_assigns_and_then_refines(self, max_rounds, missing, monkeypatch):
        rows = random_rows(2, n_rows=120, discrete=2, missing=missing)
        monkeypatch.setattr(_centered, "TOLERANCE", 0.0)
        monkeypatch.setattr(_centered, "MAX_ROUNDS", max_rounds)
        centers = rows[initial_centers(rows, 4)]
        for _ in range(max_rounds):
            clusters = [[] for _ in range(4)]
            for row in range(len(rows)):
                both = MixedRows(
                    np.vstack([rows[[row]].continuous, centers.continuous]),
                    np.vstack([rows[[row]].discrete, centers.discrete]),
                )
                clusters[max(range(4), key=lambda number: sim(both, 0, number + 1))].append(row)
            parts = [rows[members].center() for members in clusters]
            centers = MixedRows(
                np.vstack([part.continuous for part in parts]), np.vstack([part.discrete for part in parts])
            )
        np.testing.assert_allclose(centered_kmeans(rows, 4).centers.values(), centers.values(), rtol=1e-12)

    @pytest.mark.parametrize("missing", [0.0, 0.1])
    def test_rows_belong_to_the_nearest_of_the_last_centres(self, missing):
        rows = random_rows(3, n_rows=150, missing=missing)
        found = centered_kmeans(rows, 5)
        squared = rows.squared_distance(found.centers)
        assert (squared[np.arange(150), found.cluster_of_row] == squared.min(axis=1)).all()
        assert found.distance == pytest.approx(np.sqrt(squared.min(axis=1)))

    def test_a_cluster_without_rows_keeps_its_centre(self):
        rows = mixed_rows(np.repeat([[0.0], [0.4], [1.0]], 4, axis=0))
        found = centered_kmeans(rows, 5)  # begins at 0, 0, 0, 0 and 1
        assert found.centers.continuous[:, 0].tolist() == pytest.approx([0.4, 0.0, 0.0, 0.0, 1.0])
        assert found.cluster_of_row.tolist() == [1] * 4 + [0] * 4 + [4] * 4

    def test_one_cluster_has_the_centre_of_all(self):
        rows = random_rows(4, missing=0.1)
        found = centered_kmeans(rows, 1)
        np.testing.assert_array_equal(found.centers.values(), rows.center().values())
        assert set(found.cluster_of_row.tolist()) == {0}

    def test_ends_where_nothing_moves_though_centres_are_equal(self, monkeypatch):
        rounds = []
        refine = _centered._centers_of
        monkeypatch.setattr(_centered, "_centers_of", lambda *args: (rounds.append(1), refine(*args))[1])
        centered_kmeans(mixed_rows(np.ones((20, 2))), 3)
        assert len(rounds) == 1

    def test_ends_where_nothing_moves_though_a_centre_has_unknown_values(self, monkeypatch):
        rounds = []
        refine = _centered._centers_of
        monkeypatch.setattr(_centered, "_centers_of", lambda *args: (rounds.append(1), refine(*args))[1])
        values = np.random.RandomState(0).rand(100, 3)
        values[:, 2] = np.nan
        centered_kmeans(mixed_rows(values), 3)
        assert len(rounds) < _centered.MAX_ROUNDS


class TestHierarchy:
    """Average linkage, cut."""

    @pytest.mark.parametrize("K", [1, 2, 3, 5, 12])
    @pytest.mark.parametrize("missing", [0.0, 0.1])
    def test_equals_merging_by_hand(self, K, missing):
        for seed in range(3):
            rows = random_rows(seed, n_rows=36, missing=missing)
            table = [[sim(rows, one, other) for other in range(36)] for one in range(36)]
            groups = [[i] for i in range(36)]
            while len(groups) > K:
                best = (-math.inf, 0, 0)
                for g in range(len(groups)):
                    for h in range(g):
                        total = sum(table[i][j] for i in groups[g] for j in groups[h])
                        best = max(best, (total / (len(groups[g]) * len(groups[h])), g, h))
                groups[best[2]] += groups.pop(best[1])
            expected = sorted(sorted(group) for group in groups)
            found = centered_hierarchy(rows, K)
            assert [np.flatnonzero(found.cluster_of_row == number).tolist() for number in range(K)] == expected
            for number, members in enumerate(expected):
                center = rows[members].center()
                np.testing.assert_allclose(found.centers[[number]].values(), center.values(), rtol=1e-12)
                squared = rows[members].squared_distance(center)[:, 0]
                assert found.distance[members] == pytest.approx(np.sqrt(squared), rel=1e-9)

    def test_as_many_clusters_as_rows(self):
        rows = random_rows(5, n_rows=9)
        found = centered_hierarchy(rows, 9)
        assert found.cluster_of_row.tolist() == list(range(9))
        assert found.distance.tolist() == [0.0] * 9

    def test_one_row(self):
        found = centered_hierarchy(random_rows(6, n_rows=1), None)
        assert found.cluster_of_row.tolist() == [0]
        assert found.distance.tolist() == [0.0]

    @pytest.mark.parametrize("K", [2, 3, 5])
    def test_as_many_clusters_as_asked_for_where_heights_are_tied(self, K):
        rows = mixed_rows(np.arange(8.0)[:, None], [0])
        assert len(set(centered_hierarchy(rows, K).cluster_of_row.tolist())) == K

    def test_too_many_rows_are_refused(self, monkeypatch):
        monkeypatch.setattr(_centered, "MAX_ROWS", 50)
        assert len(centered_hierarchy(random_rows(7, n_rows=50), 2).distance) == 50
        with pytest.raises(ValueError, match="51 rows in memory; use method='kmeans' for more than 50"):
            centered_hierarchy(random_rows(7, n_rows=51), 2)
