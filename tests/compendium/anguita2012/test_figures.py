"""Figures of complete k-fold show the data they are given."""

import pandas as pd
import pytest

from compendium.anguita2012 import figures


class TestCompleteKFold:
    """Figures of complete k-fold."""

    @pytest.fixture
    def folds(self):
        rows = [
            {"dataset": f"raetsch/{name}", "realization": realization, "k": k, "bound": 20.0 + k, "test_error": 10.0}
            | {"tuned": k == 3 + realization % 2}
            for name in ("heart", "image")
            for realization in (1, 2, 3)
            for k in (3, 4, 10)
        ]
        return pd.DataFrame(rows)

    @pytest.fixture
    def printed(self):
        return pd.DataFrame({"dataset": ["raetsch/heart"], "k": [3.4], "bound": [27.8], "test_error": [17.5]})

    def test_a_panel_per_problem_with_ours_and_the_published(self, folds, printed):
        axes = figures.plot_bounds(folds, printed)
        assert [ax.get_title() for ax in axes] == ["heart", "image"]
        lines = {line.get_label(): line.get_ydata().tolist() for line in axes[0].lines}
        assert lines["bound, ours"] == [23, 24, 30]
        assert lines["bound, published"] == [27.8]

    def test_chosen_folds_are_counted(self, folds, printed):
        ax = figures.plot_chosen_folds(folds, printed)
        sizes = ax.collections[0].get_sizes()
        assert sizes[1] == pytest.approx(2 * sizes[0])  # 4 folds twice, 3 once
        assert [text.get_text() for text in ax.get_yticklabels()] == ["heart", "image"]

    def test_a_line_per_kind_of_bound(self):
        kinds = pd.DataFrame({"kind": ["a", "a", "b", "b"], "k": [3, 10] * 2, "looseness": [1.0, 2.0, 3.0, 4.0]})
        ax = figures.plot_looseness(kinds)
        assert [line.get_ydata().tolist() for line in ax.lines] == [[1, 2], [3, 4]]

    def test_shares_above_the_bound_with_what_is_allowed(self):
        shares = pd.DataFrame({"problem": "twonorm", "k": ["3", "tuned"] * 2, "draws": ["all"] * 2 + ["one"] * 2})
        shares = shares.assign(share=[0.0, 1.0, 4.0, 6.0], low=0.0, high=10.0, delta=0.05)
        (ax,) = figures.plot_exceedance(shares, 0.05)
        assert any(line.get_label() == "allowed" and line.get_ydata()[0] == 5 for line in ax.lines)
        assert [text.get_text() for text in ax.get_xticklabels()] == ["3", "tuned"]

    def test_problems_on_which_nothing_is_above_the_bound_are_named_and_have_no_panel(self):
        part = pd.DataFrame({"k": ["3", "tuned"], "draws": "one", "share": [0.0, 4.0], "low": 0.0, "high": 6.0})
        shares = pd.concat([part.assign(problem="waveform"), part.assign(problem="twonorm", share=0.0)])
        (ax,) = figures.plot_exceedance(shares, 0.05)
        assert ax.get_title() == "waveform"
        assert ax.figure.get_supxlabel() == "never above the bound: twonorm"

    def test_calibration_has_a_line_per_problem_and_kind(self):
        shares = pd.DataFrame({"delta": [0.05, 0.5] * 2, "problem": "twonorm", "draws": ["all"] * 2 + ["one"] * 2})
        ax = figures.plot_calibration(shares.assign(share=[0.0, 20.0, 5.0, 50.0]))
        assert ax.lines[1].get_xdata().tolist() == [5, 50]
        assert ax.lines[1].get_ydata().tolist() == [5, 50]
