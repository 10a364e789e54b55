"""What cannot be cut is refused, with a message that names the value."""

from itertools import chain

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import DBSCAN, KMeans
from sklearn.model_selection import StratifiedKFold

from cvstrat import (
    BalancedKFold,
    CenteredClusterKFold,
    ClusterBlockKFold,
    ClusterKFold,
    NeighborhoodKFold,
    NeighborWalkKFold,
    OneCenterKFold,
    RepeatedSplits,
    StratifiedClusterKFold,
    make_splitter,
)

BY_CENTER = [OneCenterKFold, CenteredClusterKFold]
BY_CLUSTER = [ClusterKFold, StratifiedClusterKFold]
STRATIFIED = [StratifiedClusterKFold, NeighborWalkKFold, NeighborhoodKFold, BalancedKFold]
FINITE = [*STRATIFIED, ClusterKFold, ClusterBlockKFold]
ALL = [*FINITE, *BY_CENTER]
X = np.random.RandomState(0).rand(20, 2)
Y = np.arange(20) % 2
NO_COUNT = [(0, "it is 0"), (-3, "it is -3"), (2.5, "2.5 is a float"), (5.0, "5.0 is a float"), ("5", "'5' is a str")]


class Labels(ClusterMixin, BaseEstimator):
    """A clusterer that gives the labels it is told to, or raises."""

    def __init__(self, labels):
        self.labels = labels

    def fit_predict(self, X, y=None):
        if isinstance(self.labels, str):
            raise RuntimeError(self.labels)
        if isinstance(self.labels, MemoryError):
            raise self.labels
        return np.array(self.labels)


def spoilt(value):
    rows = X.copy()
    rows[3, 1] = value
    return rows


def refused(splitter, *data, match, error=ValueError):
    with pytest.raises(error, match=match):
        next(splitter.split(*data))


class TestParameters:
    """A wrong parameter is found when the splitter is made."""

    @pytest.mark.parametrize("kind", ALL)
    @pytest.mark.parametrize(
        ("value", "said"), [*NO_COUNT, (1, "it is 1"), (True, "True is a bool"), (None, "None is a NoneType")]
    )
    def test_number_of_folds(self, kind, value, said):
        with pytest.raises(ValueError, match=f"n_splits must be an integer of at least 2; {said}$"):
            kind(value)

    @pytest.mark.parametrize("kind", FINITE)
    @pytest.mark.parametrize("shuffle", ["yes", 1, None])
    def test_shuffle(self, kind, shuffle):
        with pytest.raises(TypeError, match=f"shuffle must be True or False; it is {shuffle!r}"):
            kind(shuffle=shuffle)

    @pytest.mark.parametrize("kind", FINITE)
    def test_seed_without_shuffle(self, kind):
        with pytest.raises(ValueError, match="random_state=7 has no effect without shuffle=True"):
            kind(random_state=7)

    @pytest.mark.parametrize("kind", FINITE)
    def test_seed_of_the_wrong_kind(self, kind):
        refused(kind(2, shuffle=True, random_state="seven"), X, Y, match="'seven' cannot be used to seed")

    @pytest.mark.parametrize("kind", [*BY_CLUSTER, CenteredClusterKFold])
    @pytest.mark.parametrize(("value", "said"), NO_COUNT)
    def test_number_of_clusters(self, kind, value, said):
        with pytest.raises(ValueError, match=f"n_clusters must be an integer of at least 1, or None.*; {said}"):
            kind(n_clusters=value)

    @pytest.mark.parametrize("kind", BY_CLUSTER)
    @pytest.mark.parametrize("eps", [0, -1, np.nan, np.inf])
    def test_radius(self, kind, eps):
        with pytest.raises(ValueError, match=f"eps must be a positive number, or None.*; it is {eps!r}"):
            kind(clusterer="dbscan", eps=eps)

    def test_radius_that_is_no_number(self):
        with pytest.raises((TypeError, ValueError), match="eps must be a positive number.*'wide'"):
            ClusterKFold(eps="wide")

    @pytest.mark.parametrize("kind", BY_CLUSTER)
    @pytest.mark.parametrize(("value", "said"), NO_COUNT)
    def test_rows_of_a_dense_region(self, kind, value, said):
        with pytest.raises(ValueError, match=f"min_samples must be an integer of at least 1.*; {said}"):
            kind(clusterer="dbscan", min_samples=value)

    @pytest.mark.parametrize("kind", [*BY_CLUSTER, ClusterBlockKFold])
    def test_unknown_clusterer(self, kind):
        with pytest.raises(ValueError, match="'k-means' is not one of kmeans, minibatch, .*, spectral"):
            kind(clusterer="k-means")

    @pytest.mark.parametrize("kind", [*BY_CLUSTER, ClusterBlockKFold])
    @pytest.mark.parametrize("clusterer", [None, 3, StratifiedKFold()], ids=repr)
    def test_clusterer_that_does_not_cluster(self, kind, clusterer):
        with pytest.raises(TypeError, match="clusterer must be a name or .*clusterer; .* has no fit_predict"):
            kind(clusterer=clusterer)

    def test_clusterer_that_counts_by_itself_cannot_make_blocks(self):
        with pytest.raises(ValueError, match="'dbscan' finds as many clusters as it likes"):
            ClusterBlockKFold(clusterer="dbscan")

    def test_unknown_method(self):
        with pytest.raises(ValueError, match="method must be 'kmeans' or 'hierarchical'; it is 'ward'"):
            CenteredClusterKFold(method="ward")

    @pytest.mark.parametrize(
        ("name", "near"), [("SCBCV-mini", "SCBCV-Mini"), ("dob-scv", "DOB-SCV"), ("!", "KFold, SCV, .*, ROCBCV")]
    )
    def test_unknown_technique(self, name, near):
        with pytest.raises(ValueError, match=f"no technique '{name}': did you mean .*{near}"):
            make_splitter(name)

    @pytest.mark.parametrize(("value", "said"), [*NO_COUNT, (True, "True is a bool")])
    def test_number_of_repetitions(self, value, said):
        with pytest.raises(ValueError, match=f"n_repeats must be an integer of at least 1; {said}"):
            RepeatedSplits(ClusterKFold(), n_repeats=value)


class TestData:
    """Data that a method cannot take are found when splitting."""

    @pytest.mark.parametrize("kind", ALL)
    def test_more_folds_than_rows(self, kind):
        refused(kind(21), X, Y, match="n_splits=21 is more than the number of rows, 20")

    @pytest.mark.parametrize("kind", ALL)
    @pytest.mark.parametrize(
        "empty", [[], np.empty((0, 2)), pd.DataFrame({"a": []}), sparse.csr_array((0, 2))], ids=type
    )
    def test_no_rows(self, kind, empty):
        refused(kind(2), empty, [], match="n_splits=2 is more than the number of rows, 0")

    @pytest.mark.parametrize("kind", ALL)
    def test_no_columns(self, kind):
        refused(kind(2), np.empty((20, 0)), Y, match=r"0 feature\(s\) \(shape=\(20, 0\)\)")

    @pytest.mark.parametrize("kind", BY_CENTER)
    def test_a_frame_without_columns(self, kind):
        refused(kind(2), pd.DataFrame(index=range(20)), match="column|feature")

    @pytest.mark.parametrize("kind", ALL)
    def test_one_dimension(self, kind):
        refused(kind(2), X[:, 0], Y, match="Expected 2D array, got 1D array")

    @pytest.mark.parametrize("kind", ALL)
    def test_lengths_that_differ(self, kind):
        refused(kind(2), X, Y[:-1], match=r"inconsistent numbers of samples: \[20, 19\]")

    @pytest.mark.parametrize("kind", FINITE)
    @pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
    @pytest.mark.parametrize("hold", [np.asarray, pd.DataFrame, sparse.csr_array])
    def test_values_missing_or_infinite(self, kind, value, hold):
        said = f"{kind.__name__} cannot take missing or infinite values in X.*OneCenterKFold or CenteredClusterKFold"
        refused(kind(2), hold(spoilt(value)), Y, match=said)

    @pytest.mark.parametrize("kind", BY_CENTER)
    @pytest.mark.parametrize("value", [np.inf, -np.inf])
    def test_methods_by_centres_take_missing_values_but_no_infinite_ones(self, kind, value, folds):
        assert sorted(chain(*folds(kind(3), spoilt(np.nan)))) == list(range(20))
        refused(kind(2), spoilt(value), match="column 1 holds infinite values")
        refused(kind(2), pd.DataFrame(spoilt(value), columns=["a", "b"]), match="column 'b' holds infinite values")

    @pytest.mark.parametrize("kind", BY_CENTER)
    @pytest.mark.parametrize(
        ("categorical", "said"),
        [
            ([True], "mask of 1 columns; X has 2"),
            ([True, False, True], "mask of 3 columns; X has 2"),
            ([2], "column 2; X has 2 columns"),
            ([-3], "column -3; X has 2 columns"),
            (["colour"], "column 'colour'; X has 2 columns"),
            ([0.5], "column 0.5; X has 2 columns"),
        ],
    )
    def test_discrete_columns_that_are_not_there(self, kind, categorical, said):
        refused(kind(2, categorical=categorical), X, match=f"categorical (is a|names) {said}")

    @pytest.mark.parametrize("categorical", ["colour", 5])
    def test_discrete_columns_not_in_a_list(self, categorical):
        refused(OneCenterKFold(2, categorical=categorical), X, match=f"categorical.*{categorical!r}")

    @pytest.mark.parametrize("kind", BY_CENTER)
    def test_text_that_is_not_declared(self, kind):
        rows = np.array([["red", 1.0], ["blue", 2.0], ["red", 3.0]], dtype=object)
        refused(kind(2), rows, match="column 0 is not numeric.*'red'.*name it in categorical")
        refused(kind(2, categorical=[]), pd.DataFrame(rows, columns=["hue", "b"]), match="column 'hue' is not numeric")

    @pytest.mark.parametrize("kind", FINITE)
    def test_text_where_numbers_are_needed(self, kind):
        refused(kind(2), [["red", 1.0], ["blue", 2.0]] * 10, Y, match="could not convert string to float: .*'red'")

    @pytest.mark.parametrize("kind", FINITE)
    @pytest.mark.parametrize(
        ("column", "said"),
        [
            (["red", "blue"] * 10, "text"),
            (pd.array(["1.5", None] * 10, dtype="string"), "text"),
            (pd.Categorical([1, 2] * 10), "categories"),
            (pd.date_range("2020", periods=20), "dates or durations"),
            (pd.date_range("2020", periods=20, tz="UTC"), "dates or durations"),
            (pd.to_timedelta(np.arange(20), "s"), "dates or durations"),
            ([1, "one"] * 10, "mixed-integer"),
            ([[1], [2]] * 10, "mixed"),
        ],
        ids=str,
    )
    def test_columns_of_a_frame_that_hold_no_numbers_are_named(self, kind, column, said):
        frame = pd.DataFrame({"a": X[:, 0], "hue": column})
        wanted = rf"{kind.__name__} needs numbers; X has 'hue' \({said}\)\. Encode .* or use CenteredClusterKFold"
        refused(kind(2), frame, Y, match=wanted)

    @pytest.mark.parametrize("kind", FINITE)
    def test_yes_and_no_and_numbers_held_as_objects_are_numbers(self, kind, folds):
        frame = pd.DataFrame({"a": X[:, 0], "b": np.arange(20) % 3 == 0, "c": X[:, 1]})
        wanted = folds(kind(2), frame.to_numpy(dtype=float), Y)
        assert folds(kind(2), frame, Y) == wanted
        assert folds(kind(2), frame.astype({"b": "boolean", "c": object}), Y) == wanted

    @pytest.mark.parametrize("kind", FINITE)
    @pytest.mark.parametrize(
        "hold", [np.asarray, sparse.csr_array, lambda rows: pd.DataFrame(rows, columns=["a", "b"])]
    )
    def test_values_too_large_for_distances(self, kind, hold):
        said = f"{kind.__name__} cannot take values as large as 1e.307.*scale column (1|'b') of X, or use CenteredCl"
        refused(kind(2), hold(spoilt(1e307)), Y, match=said)
        refused(kind(2), hold(spoilt(-1e307)), Y, match=said)

    @pytest.mark.parametrize("value", [1e149, 1e150])
    @pytest.mark.parametrize("kind", FINITE)
    def test_values_just_small_enough_are_taken(self, kind, value, folds):
        rows = np.where(np.arange(20)[:, None] % 2, X, -X) * value  # two heaps, and blocks need two
        assert sorted(chain(*folds(kind(2), rows, Y))) == list(range(20))

    @pytest.mark.parametrize("kind", BY_CENTER)
    @pytest.mark.parametrize("value", [1e307, 1.7e308])
    def test_methods_by_centres_scale_whatever_is_finite(self, kind, value, folds):
        signed = np.where(np.arange(20)[:, None] % 2, X, -X)
        assert folds(kind(3), signed * value) == folds(kind(3), signed)

    @pytest.mark.parametrize("kind", BY_CENTER)
    @pytest.mark.parametrize("value", [[1], {"a": 1}, {1}], ids=str)
    def test_a_column_of_values_that_cannot_be_told_apart_is_named(self, kind, value):
        frame = pd.DataFrame({"a": X[:, 0], "tags": [value] * 20})
        refused(kind(2), frame, match="column 'tags' holds values that cannot be told apart .unhashable.*leave")

    def test_agglomerative_clusters_of_too_many_rows(self):
        rows = np.random.RandomState(0).rand(1_000_000, 1)
        said = "AgglomerativeClustering.* needs more memory for 1000000 rows than there is: use clusterer='minibatch'"
        refused(ClusterKFold(2, clusterer="agglomerative", n_clusters=2), rows, match=said)

    def test_a_clusterer_that_runs_out_of_memory(self):
        refused(ClusterKFold(2, clusterer=Labels(MemoryError())), X, match="Labels.*needs more memory for 20 rows")


class TestTarget:
    """Stratified methods need one class or number per row."""

    @pytest.mark.parametrize("kind", STRATIFIED)
    def test_no_target(self, kind):
        refused(kind(2), X, match=f"{kind.__name__} cuts class by class and needs y")

    @pytest.mark.parametrize("kind", STRATIFIED)
    def test_several_targets(self, kind):
        for several in (np.column_stack([Y, 2 * Y]), np.column_stack([Y, X])):
            refused(kind(2), X, several, match=r"y has \d columns that are not labels of 0 and 1.*strata=y")

    @pytest.mark.parametrize("y", [[0.5, np.nan] * 10, pd.Series(["a", None] * 10), pd.Categorical(["a", None] * 10)])
    def test_missing_target(self, y):
        refused(NeighborWalkKFold(2), X, y, match="NaN|missing")

    @pytest.mark.parametrize("kind", STRATIFIED)
    def test_no_class_fills_the_folds(self, kind):
        refused(kind(5), X, np.arange(20) // 3, match="n_splits=5 is more than the members of any class.*has 3")

    @pytest.mark.parametrize("kind", STRATIFIED)
    @pytest.mark.parametrize("sizes", [[15, 3, 2], [16, 0, 4]])
    def test_a_rare_class_brings_the_warning_of_scikit_learn(self, kind, sizes):
        y = np.repeat([0, 1, 2], sizes)
        said = []
        for splitter in (StratifiedKFold(5), kind(5)):
            with pytest.warns(UserWarning, match="The least populated class") as caught:
                assert len(list(splitter.split(X, y))) == 5
            said.append([(one.category, str(one.message)) for one in caught])
        assert said[0] == said[1]

    @pytest.mark.parametrize("kind", STRATIFIED)
    @pytest.mark.parametrize("y", [np.ones(20), np.arange(20) < 5], ids=["one class", "a class of five"])
    def test_no_warning_without_need(self, kind, folds, y):
        assert [len(test) for test in folds(kind(5), X, y)] == [4] * 5


class TestClusterers:
    """A clusterer may find little; one that fails is named."""

    @pytest.mark.parametrize("kind", BY_CLUSTER)
    @pytest.mark.parametrize("clusterer", [Labels([4] * 10), Labels([-1] * 10), DBSCAN(eps=1e-9), KMeans(1)], ids=repr)
    def test_one_cluster_or_nothing_but_noise_is_fine(self, kind, clusterer, folds):
        assert [len(test) for test in folds(kind(2, clusterer=clusterer), X[:10], np.zeros(10))] == [5, 5]

    @pytest.mark.parametrize("kind", [*BY_CLUSTER, ClusterBlockKFold])
    def test_a_clusterer_that_fails_is_named(self, kind):
        refused(kind(2, clusterer=Labels("out of luck")), X, Y, match=r"Labels\(.*\) failed on \d+ rows: out of luck")

    @pytest.mark.parametrize("kind", [*BY_CLUSTER, ClusterBlockKFold])
    @pytest.mark.parametrize("labels", [[0, 1, 1], [[0, 1]] * 20])
    def test_labels_that_do_not_fit_the_rows(self, kind, labels):
        refused(kind(2, clusterer=Labels(labels)), X, np.zeros(20), match=r"gave labels of shape \(.*\) for 20 rows")

    @pytest.mark.parametrize("clusterer", ["kmeans", "minibatch"])
    def test_fewer_different_rows_than_blocks(self, clusterer):
        rows = np.repeat(X[:2], 10, axis=0)
        refused(ClusterBlockKFold(3, clusterer=clusterer), rows, match="found 2 clusters; as folds, there must be 3")

    @pytest.mark.parametrize("clusterer", ["kmeans", "minibatch", "agglomerative", "spectral"])
    def test_as_many_blocks_as_different_rows(self, clusterer, folds):
        blocks = folds(ClusterBlockKFold(4, clusterer=clusterer), X[:4])
        assert sorted(blocks) == [[0], [1], [2], [3]]
        refused(ClusterBlockKFold(4, clusterer=clusterer), X[[0, 1, 2, 2]], match="found 3 clusters; as folds, .* be 4")

    def test_a_clusterer_that_finds_too_many_blocks(self):
        refused(ClusterBlockKFold(3, clusterer=KMeans(4)), X, match="found 4 clusters; as folds, there must be 3")
