"""Figures of the cluster-based study show the data they are given."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from compendium.spezia2025 import figures


@pytest.fixture
def bias():
    rng = np.random.default_rng(0)
    cells = pd.MultiIndex.from_product(
        [["balanced", "imbalanced"], [2, 10], ["one", "two"], ["correct", "as published"], range(5)],
        names=["balance", "n_splits", "technique", "version", "pair"],
    )
    frame = cells.to_frame(index=False)
    return frame.assign(bias=rng.normal(size=len(frame)), abs_bias=1.0, bias_se=rng.random(len(frame)))


def test_boxes_have_a_panel_per_kind_and_folds_and_all_techniques(bias):
    axes = figures.plot_boxes(bias, "bias", ["two", "one"])
    assert [ax.get_title() for ax in axes] == [
        f"{kind} sets, {n} folds" for kind in ("balanced", "imbalanced") for n in (2, 10)
    ]
    assert [label.get_text() for label in axes[0].get_yticklabels()] == ["two", "one"]
    assert len(axes[0].figure.legends[0].get_texts()) == 2


def test_boxes_name_their_measure_in_words(bias):
    axes = figures.plot_boxes(bias, "abs_bias", ["one"], label="absolute bias")
    assert {ax.get_xlabel() for ax in axes} == {"absolute bias"}


def test_ranks_name_every_technique_with_its_rank_and_draw_a_bar_per_group():
    ranks = pd.Series({"a": 1.4, "b": 2.1, "c": 2.5})
    ax = figures.plot_ranks(ranks, 0.8, [["a", "b"], ["b", "c"]])
    texts = [text.get_text() for text in ax.texts]
    assert {"a  1.40", "b  2.10", "2.50  c", "CD = 0.80"} <= set(texts)
    bars = [lines for lines in ax.collections if lines.get_linewidth()[0] == 3]
    assert [round(float(bar.get_segments()[0][1, 0] - bar.get_segments()[0][0, 0]), 2) for bar in bars] == [0.76, 0.46]


def test_times_class_shares_and_noise_draw_what_they_are_given(bias):
    times = pd.DataFrame({"technique": ["a", "b"] * 3, "split": [0.1, 1.0] * 3, "ratio": [1.0, 2.0] * 3})
    left, right = figures.plot_times(times, ["a", "b"], reference="a")
    assert (left.get_xscale(), right.get_xscale()) == ("log", "linear")
    plt.close("all")
    shares = pd.DataFrame({"folds": ["right", "random"] * 4, "difference": [0.0, 0.2] * 4})
    ax = figures.plot_class_shares(shares)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["right", "random"]
    plt.close("all")
    noise = figures.plot_noise(bias)
    lines = {line.get_label(): line for line in noise.lines}
    assert set(lines) == {f"{n} folds, {kind}" for n in (2, 10) for kind in ("balanced", "imbalanced")}
    part = bias[(bias["n_splits"] == 2) & (bias["balance"] == "balanced")]
    inside = np.searchsorted(lines["2 folds, balanced"].get_xdata(), 1.96)
    assert inside == (part["abs_bias"] < 1.96 * part["bias_se"]).sum()


def test_effects_of_two_versions_stand_side_by_side_on_one_axis():
    frame = pd.DataFrame(
        {"panel": "p", "technique": ["a", "a", "b", "b"], "version": ["x", "y"] * 2, "difference": [0.1, 0.2, 0.3, 0.4]}
    ).assign(low=0.0, high=0.5, joint_low=-0.1, joint_high=0.6)
    (ax,) = figures.plot_effects(frame, label="bias", reference="SCV", hue="version", margin=0.05)
    assert [text.get_text() for text in ax.figure.legends[0].get_texts()] == ["x", "y"]
    points = [line for line in ax.lines if line.get_marker() == "o" and len(line.get_xdata())]
    assert [line.get_xdata().tolist() for line in points] == [[0.1, 0.3], [0.2, 0.4]]
    assert (np.asarray(points[0].get_ydata()) < np.asarray(points[1].get_ydata())).all()


def test_only_a_joint_interval_that_excludes_zero_gives_a_colour():
    frame = pd.DataFrame({"panel": "p", "technique": ["a", "b"], "difference": 0.2, "low": 0.1, "high": 0.3})
    (ax,) = figures.plot_effects(frame.assign(joint_low=[-0.1, 0.05], joint_high=0.4), label="", reference="SCV")
    clear, unclear = (line for line in ax.lines if line.get_marker() == "o")
    assert (clear.get_ydata().tolist(), unclear.get_ydata().tolist()) == ([1], [0])


def test_folds_of_the_published_code_and_differences_by_set_are_all_drawn():
    keys = pd.MultiIndex.from_product([["a", "b"], [2, 10], ["as used", "mapped back"], range(3)])
    measured = keys.set_names(["technique", "n_splits", "use", "dataset"]).to_frame(index=False).assign(ratio=0.5)
    axes = figures.plot_reference_folds(measured)
    assert [ax.get_title() for ax in axes] == ["2 folds", "10 folds"]
    assert sum(len(points.get_offsets()) for points in axes[0].collections) == 2 * 2 * (3 + 1)
    plt.close("all")
    gaps = pd.DataFrame({"dataset": ["p/a", "p/b"] * 2, "n_splits": [2, 2, 10, 10], "difference": [1.0, 2, 3, -1]})
    axes = figures.plot_signs(gaps.assign(balance=["balanced", "imbalanced"] * 2), label="gap")
    assert [label.get_text() for label in axes[0].get_yticklabels()] == ["b", "a"]
    assert {bar.get_width() for bar in axes[1].patches if np.isfinite(bar.get_width())} == {3, -1}
