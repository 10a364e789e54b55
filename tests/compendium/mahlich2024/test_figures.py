"""Figures of the e-fold study show the data they are given."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from compendium.mahlich2024 import figures


@pytest.fixture
def stopped():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"dataset": ["a", "b", "c"] * 20, "task": ["binary", "binary", "regression"] * 20})
    return frame.assign(stop=rng.integers(4, 11, 60), percent=rng.random(60))


def test_a_stopped_run_shows_its_scores_their_mean_and_the_stop():
    run = pd.DataFrame({"title": "one", "fold": range(1, 5), "score": [0.5, 0.7, 0.6, 0.6], "stop": 4})
    ax = figures.plot_stopping(run.assign(reference=0.6, half=0.1))[0]
    score, mean, stop = ax.lines
    assert score.get_ydata().tolist() == [0.5, 0.7, 0.6, 0.6]
    assert mean.get_ydata() == pytest.approx([0.5, 0.6, 0.6, 0.6])
    assert list(stop.get_xdata()) == [4, 4]


def test_shares_of_stops_add_up_and_differences_have_a_panel_per_task(stopped):
    bars = figures.plot_stop_shares(stopped).patches
    assert sum(bar.get_height() for bar in bars) == pytest.approx(100)
    plt.close("all")
    axes = figures.plot_percent(stopped)
    assert [ax.get_title() for ax in axes] == ["binary", "regression"]
    assert [label.get_text() for label in axes[0].get_yticklabels()] == ["a", "b"]


def test_expected_shares_stand_beside_the_bars(stopped):
    expected = pd.Series({4: 60.0, 5: 40.0})
    ax = figures.plot_stop_shares(stopped, expected)
    assert ax.lines[0].get_xydata().tolist() == [[4, 60], [5, 40]]
    assert len(ax.get_legend().get_texts()) == 2


def test_stops_of_techniques_have_a_point_per_set_a_mean_and_a_line():
    table = pd.DataFrame(
        {"technique": ["SCV", "SCV", "SCBCV", "SCBCV"], "dataset": ["a", "b"] * 2, "folds": [5.0, 6.0, 4.0, 6.0]}
    )
    *sets, mean, noise = figures.plot_technique_stops(table, 5.7).lines
    assert [line.get_xdata().tolist() for line in sets] == [[5, 4], [6, 6]]
    assert mean.get_xdata().tolist() == [5.5, 5]
    assert list(noise.get_xdata()) == [5.7, 5.7]


def test_searches_show_their_cost_and_their_loss():
    table = pd.DataFrame(
        {
            "dataset": ["a", "a"],
            "search": ["one", "two"],
            "fits": [50, 60],
            "loss": [-0.1, 0.2],
            "loss_se": [0.01, 0.02],
        }
    )
    cost, loss = figures.plot_searches(table)
    assert [line.get_xdata().tolist() for line in cost.lines] == [[50], [60]]
    assert [bars.lines[0].get_xdata().tolist() for bars in loss.containers] == [[-0.1], [0.2]]
    assert [label.get_text() for label in cost.get_yticklabels()] == ["a"]


def test_only_means_that_are_far_from_the_published_are_named():
    table = pd.DataFrame({"dataset": ["a/x", "a/x", "a/y"], "model": ["near", "far", "near"], "stop_se": 0.1})
    ax = figures.plot_mean_stops(table.assign(difference=[0.1, -0.5, 0.0]))
    assert [text.get_text() for text in ax.texts] == ["far"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["x", "y"]


def test_shares_inside_settings_and_sizes():
    shares = pd.DataFrame({"percent_inside": [96.0, 98.0, 97.0, 95.0], "interval": ["ddof 0", "ddof 1"] * 2})
    assert sum(bar.get_height() for bar in figures.plot_inside(shares).patches) == 4
    plt.close("all")
    settings = pd.DataFrame({"patience": [1, 1, 2], "stop": [3.5, 3.6, 5], "percent": [1.4, 1.3, 1]})
    fixed, *points = figures.plot_frontier(settings, pd.DataFrame({"folds": [1, 10], "percent": [3, 0]})).lines
    assert fixed.get_xydata().tolist() == [[1, 3], [10, 0]]
    assert [line.get_xdata().tolist() for line in points] == [[3.5, 3.6], [5]]
    plt.close("all")
    table = pd.DataFrame({"dataset": ["a/x", "b/y"], "task": ["binary", "regression"], "rows": [9, 99]})
    ax = figures.plot_differences_by_size(table.assign(percent=[2.0, 1.0]))
    assert [line.get_xydata().tolist() for line in ax.lines] == [[[2, 0]], [[1, 1]]]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["x, 9 rows", "y, 99 rows"]
