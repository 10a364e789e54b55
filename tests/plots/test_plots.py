"""Figures show the data they are given."""

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from scipy.cluster.hierarchy import linkage

from cvstrat import plots


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    part = pd.DataFrame({"x1": rng.normal(size=12), "x2": rng.normal(size=12), "fold": [0, 1, 2] * 4})
    part["class"] = ["a"] * 6 + ["b"] * 6
    return pd.concat([part.assign(technique=name) for name in ("one", "two", "three", "four")])


def test_the_gallery_has_a_titled_panel_per_technique_with_all_rows(table):
    axes = plots.plot_fold_gallery(table)
    shown = [ax for ax in axes if ax.get_visible()]
    assert [ax.get_title() for ax in shown] == ["one", "two", "three", "four"]
    assert all(sum(len(points.get_offsets()) for points in ax.collections) == 12 for ax in shown)


def test_shares_add_up_to_one_in_every_fold(table):
    ax = plots.plot_fold_shares(table)[0]
    heights = [sum(bars[fold].get_height() for bars in ax.containers) for fold in range(3)]
    assert heights == pytest.approx([1, 1, 1])


def test_the_report_draws_a_bar_per_fold_and_the_mean():
    report = pd.DataFrame({"shift": [0.1, 0.3, 0.2]}, index=[0, 1, "all"])
    ax = plots.plot_fold_report(report, ["shift"])[0]
    assert [bar.get_height() for bar in ax.patches] == [0.1, 0.3]
    assert list(ax.lines[0].get_ydata()) == [0.2, 0.2]


def test_the_comparison_draws_a_point_per_technique():
    comparison = pd.DataFrame({"shift": [0.1, 0.3], "nearest": [1.0, 2.0]}, index=["one", "two"])
    axes = plots.plot_fold_comparison(comparison, ["shift", "nearest"])
    assert [ax.get_xlabel() for ax in axes] == ["shift", "nearest"]
    assert axes[0].collections[0].get_offsets()[:, 0].tolist() == [0.1, 0.3]


def test_the_dendrogram_shows_the_threshold():
    tree = linkage(np.random.default_rng(0).normal(size=(20, 2)), "average")
    assert list(plots.plot_dendrogram(tree, 1.5).lines[0].get_ydata()) == [1.5, 1.5]


def test_the_knee_is_marked_where_there_is_one():
    distances = np.array([1.0, 1.1, 1.2, 5.0])
    assert len(plots.plot_k_distance(distances, 2, 1.2).collections) == 1
    assert len(plots.plot_k_distance(distances, None, 5.0).collections) == 0


def test_imbalance_shows_ours_and_published():
    frame = pd.DataFrame({"name": ["a", "b"], "ours": [0.5, 0.1], "published": [0.4, 0.1]})
    ax = plots.plot_imbalance(frame)
    assert [bar.get_width() for bar in ax.patches] == [0.1, 0.5]
    assert ax.collections[0].get_offsets()[:, 0].tolist() == [0.1, 0.4]


def test_growth_has_a_line_per_technique_in_both_panels():
    frame = pd.DataFrame(
        [
            (varied, size, size, name, size / 10)
            for varied in ("rows", "features")
            for size in (1, 10)
            for name in ("a", "b")
        ],
        columns=["varied", "rows", "features", "technique", "seconds"],
    )
    axes = plots.plot_growth(frame)
    assert [sum(len(line.get_xdata()) == 2 for line in ax.lines) for ax in axes] == [2, 2]


def test_sizes_and_cluster_counts_show_every_row():
    catalogue = pd.DataFrame({"rows": [10, 100], "features": [2, 3], "collection": ["a", "b"]})
    assert len(plots.plot_sizes(catalogue).collections[0].get_offsets()) == 2
    plt.close("all")
    summary = pd.DataFrame({"dataset": ["a", "b"], "mean": [4.1, 5.0], "deviation": [1, 1], "published": [4, 5]})
    ax = plots.plot_cluster_counts(summary)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]


def test_a_searchable_table_needs_nothing_from_outside():
    html = plots.searchable(pd.DataFrame({"name": ["some & thing"]})).data
    assert "some &amp; thing" in html
    assert "cdn" not in html.split("<script")[0]
    assert 'src="http' not in html
