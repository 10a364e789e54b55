"""Figures of the study of 2000 show the data they are given."""

import itertools

import numpy as np
import pandas as pd
import pytest

from compendium.diamantidis2000 import figures


@pytest.fixture
def estimates():
    axes = itertools.product(["pmlb/a", "pmlb/b", "pmlb/c"], ["R-CV", "CL-CV"], (2, 10))
    table = pd.DataFrame(axes, columns=["dataset", "technique", "n_splits"])
    return table.assign(accuracy=np.arange(12.0), truth=50.0, bias=np.arange(12.0) - 6, rmse=1.0)


def test_orders_show_every_row_its_place_and_the_borders_of_clusters():
    part = pd.DataFrame({"x1": [0, 0.1, 1, 0.9], "x2": [0, 0, 1, 1], "place": [0, 1, 2, 3], "fold": [0, 1, 0, 1]})
    part = part.assign(cluster=[0, 0, 1, 1], center1=0.5, center2=0.5, distance=[0.1, 0.2, 0.1, 0.3], technique="CL-CV")
    plane, line = figures.plot_orders(part)
    assert len(plane.collections[0].get_offsets()) == 4
    assert [bar.get_height() for bar in line.patches] == [0.1, 0.2, 0.1, 0.3]
    assert list(line.lines[0].get_xdata()) == [1.5, 1.5]


def test_learning_curves_have_a_panel_per_set_and_a_circle_at_the_sample():
    curves = pd.DataFrame(
        itertools.product(["pmlb/a", "pmlb/b"], ["Tree"], (20, 100, 600)), columns=["dataset", "learner", "size"]
    )
    curves = curves.assign(accuracy=[50.0, 60, 70, 80, 85, 90], low=40.0, high=95.0, sampled=curves["size"] == 100)
    axes = figures.plot_learning_curves(curves)
    assert [ax.get_title() for ax in axes] == ["a", "b"]
    line, circle = axes[1].lines
    assert line.get_ydata().tolist() == [80, 85, 90]
    assert circle.get_xdata().tolist() == [100]
    assert axes[0].get_xticks().tolist() == [20, 200]


def test_estimates_are_joined_and_published_ones_are_not(estimates):
    printed = estimates[estimates["dataset"] == "pmlb/b"].assign(accuracy=7.0)
    axes = figures.plot_estimates(estimates, ["R-CV", "CL-CV"], printed)
    truth, ours, theirs, *_ = axes[1].lines
    assert list(truth.get_ydata()) == [50, 50]
    assert ours.get_ydata().tolist() == [4, 5]
    assert ours.get_linestyle() == "-"
    assert theirs.get_ydata().tolist() == [7, 7]
    assert theirs.get_linestyle() == "None"
    assert [ax.get_visible() for ax in axes[0].figure.axes] == [True, True, True, False]


def test_bias_and_rmse_are_means_over_data_sets(estimates):
    bias, rmse = figures.plot_bias_and_std(estimates, ["CL-CV", "R-CV"], {"bias": "bias", "rmse": "error"})
    assert bias.lines[0].get_xdata().tolist() == [0.0, -2.0]
    assert [label.get_text() for label in bias.get_yticklabels()] == ["CL-CV", "R-CV"]
    assert rmse.get_xlabel() == "error"


def test_gains_have_a_panel_per_source_and_intervals_where_there_are_any():
    gains = pd.DataFrame(
        itertools.product(["published", "Tree"], ["pmlb/a", "pmlb/b"], (2, 5)),
        columns=["source", "dataset", "n_splits"],
    )
    none = [np.nan] * 4
    gains = gains.assign(gain=np.arange(8.0), joint_low=[*none, 3.0, 4, 5, 6], joint_high=[*none, 5.0, 6, 7, 8])
    axes = figures.plot_gains(gains)
    assert [ax.get_title() for ax in axes] == ["published", "Tree"]
    assert not axes[0].containers[0].has_xerr
    points, _, bars = axes[1].containers[0]
    assert points.get_xdata().tolist() == [4, 6]
    assert [segment[:, 0].tolist() for segment in bars[0].get_segments()] == [[3, 5], [5, 7]]


def test_an_end_of_an_interval_beyond_what_is_possible_is_left_out():
    row = {"difference": -1.36, "low": -19.52, "high": 0.99}
    minus = "\N{MINUS SIGN}"
    assert figures.with_interval(row, unit=" points") == f"{minus}1.36 points ({minus}19.52 to +0.99)"
    assert figures.with_interval(row, least=-5.7) == f"{minus}1.36 (+0.99 or less)"
    assert figures.with_interval(row, most=0.5) == f"{minus}1.36 ({minus}19.52 or more)"
    assert figures.with_interval(row, -5.7, 0.5) == f"{minus}1.36 (no useful limits)"
