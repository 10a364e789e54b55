"""Figures show the data they are given."""

import base64
import io
import itertools
import re
from html import unescape

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.lines import Line2D
from matplotlib.text import Text
from scipy.cluster.hierarchy import linkage

from compendium import figures
from compendium.figures._narrow import SMALLEST, make_narrow
from compendium.stratification import figures as stratification_figures
from cvstrat import TECHNIQUES


@pytest.fixture(autouse=True)
def style():
    """The style of the book, for one test, whatever ran before it."""
    with plt.rc_context():
        figures.use_style()
        yield
        plt.close("all")


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    part = pd.DataFrame({"x1": rng.normal(size=12), "x2": rng.normal(size=12), "fold": [0, 1, 2] * 4})
    part["class"] = ["a"] * 6 + ["b"] * 6
    return pd.concat([part.assign(technique=name) for name in ("one", "two", "three", "four")])


def test_the_gallery_has_a_titled_panel_per_technique_with_all_rows(table):
    axes = figures.plot_fold_gallery(table)
    shown = [ax for ax in axes if ax.get_visible()]
    assert [ax.get_title() for ax in shown] == ["one", "two", "three", "four"]
    assert all(sum(len(points.get_offsets()) for points in ax.collections) == 12 for ax in shown)


def test_shares_add_up_to_one_in_every_fold(table):
    ax = figures.plot_fold_shares(table)[0]
    heights = [sum(bars[fold].get_height() for bars in ax.containers) for fold in range(3)]
    assert heights == pytest.approx([1, 1, 1])


def test_the_report_draws_a_bar_per_fold_and_the_mean():
    report = pd.DataFrame({"shift": [0.1, 0.3, 0.2]}, index=[0, 1, "all"])
    ax = figures.plot_fold_report(report, ["shift"])[0]
    assert [bar.get_height() for bar in ax.patches] == [0.1, 0.3]
    assert list(ax.lines[0].get_ydata()) == [0.2, 0.2]


def test_the_comparison_draws_a_point_per_technique():
    comparison = pd.DataFrame({"shift": [0.1, 0.3], "nearest": [1.0, 2.0]}, index=["one", "two"])
    axes = figures.plot_fold_comparison(comparison, ["shift", "nearest"])
    assert [ax.get_xlabel() for ax in axes] == ["shift", "nearest"]
    assert axes[0].collections[0].get_offsets()[:, 0].tolist() == [0.1, 0.3]


def test_the_dendrogram_shows_the_threshold():
    tree = linkage(np.random.default_rng(0).normal(size=(20, 2)), "average")
    assert list(figures.plot_dendrogram(tree, 1.5).lines[0].get_ydata()) == [1.5, 1.5]


def test_the_knee_is_marked_where_there_is_one():
    distances = np.array([1.0, 1.1, 1.2, 5.0])
    assert len(figures.plot_k_distance(distances, 2, 1.2).collections) == 1
    assert len(figures.plot_k_distance(distances, None, 5.0).collections) == 0


def test_imbalance_shows_ours_and_published():
    frame = pd.DataFrame({"name": ["a", "b"], "ours": [0.5, 0.1], "published": [0.4, 0.1]})
    ax = figures.plot_imbalance(frame)
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
    axes = figures.plot_growth(frame.assign(family=frame["technique"].map(lambda name: f"kind of {name}")))
    names = frame["technique"].unique()
    assert all({text.get_text() for text in ax.texts} == set(names) for ax in axes)
    assert [sum(len(line.get_xdata()) == 2 for line in ax.lines) for ax in axes] == [2, 2]


def test_names_of_lines_that_end_early_lie_on_no_line_and_on_no_other_name():
    ends = {"early": (20, 300), "next to it": (20, 200), "a slow technique": (10, 100), "whole": (80, 100)}
    frame = pd.DataFrame(
        [
            (varied, size, size, name, seconds * (size / last) ** 2)
            for varied in ("rows", "features")
            for name, (last, seconds) in ends.items()
            for size in (5, 10, 20, 40, 80)
            if size <= last
        ],
        columns=["varied", "rows", "features", "technique", "seconds"],
    )
    axes = figures.plot_growth(frame.assign(family="all"), bold="whole")
    assert [ax.get_xlabel() for ax in axes] == ["rows", "columns"]
    assert [sum(line.get_linewidth() == 3 for line in ax.lines) for ax in axes] == [1, 1]
    axes[0].figure.draw_without_rendering()
    for ax in axes:
        boxes = {text.get_text(): text.get_window_extent() for text in ax.texts}
        assert not any(a.overlaps(b) for a, b in itertools.combinations(boxes.values(), 2))
        for line in ax.lines:
            path = line.get_transform().transform_path(line.get_path())
            assert [name for name, box in boxes.items() if path.intersects_bbox(box, filled=False)] == []


def test_sizes_and_cluster_counts_show_every_row():
    catalogue = pd.DataFrame({"rows": [10, 100], "features": [2, 3], "collection": ["a", "b"]})
    assert len(figures.plot_sizes(catalogue).collections[0].get_offsets()) == 2
    plt.close("all")
    summary = pd.DataFrame({"dataset": ["a", "b"], "mean": [4.1, 5.0], "std": [1, 1], "published": [4, 5]})
    ax = figures.plot_cluster_counts(summary)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b"]


HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.mark.parametrize("form", [{}, {"precision": 2}, {"formatter": "{}!"}, {"na_rep": "-"}], ids=str)
def test_whatever_stands_in_a_styled_table_is_text(form):
    index = pd.MultiIndex.from_tuples([(HOSTILE, 1)], names=[HOSTILE, None])
    columns = pd.Index([HOSTILE, "b"], name=HOSTILE)
    frame = pd.DataFrame([[HOSTILE, "a < b & c"]], index=index, columns=columns)
    html = frame.style.format(**form).set_caption(HOSTILE).to_html()
    assert "<img" not in html
    assert html.count("&lt;img src=x onerror=alert(1)&gt;") == 6
    assert "a &lt; b &amp; c" in html
    assert "&amp;nbsp;" not in html
    assert ">&nbsp;</th>" in html


def test_whatever_stands_in_a_searchable_table_is_text():
    script = "</script><script>alert(1)</script>"
    html = figures.searchable(pd.DataFrame({HOSTILE: [script]}), f"{HOSTILE}{script}").data
    assert HOSTILE not in html
    assert script not in html


def test_a_dollar_in_a_name_starts_no_formula():
    names = ["$\\frac{$.csv", "a$b$"]
    summary = pd.DataFrame({"dataset": names, "mean": [4.1, 5.0], "std": [1, 1], "published": [4, 5]})
    ax = figures.plot_cluster_counts(summary)
    ax.figure.draw_without_rendering()
    assert [label.get_text() for label in ax.get_yticklabels()] == names


def test_ticks_of_logarithmic_axes_are_numbers():
    growth = pd.DataFrame({"technique": "a", "rows": [10, 1000], "features": [1, 100], "seconds": [1e-3, 10]})
    growth["family"] = "b"
    drawn = [
        *figures.plot_growth(pd.concat([growth.assign(varied=varied) for varied in ("rows", "features")])),
        figures.plot_sizes(growth.assign(collection="a")),
        *stratification_figures.plot_formula(
            pd.DataFrame({"panel": "p", "curve": "c", "x": [1, 100], "kind": "formula", "value": [1e-5, 1]}),
            x="folds",
            y="",
            logx=True,
            logy=True,
        ),
    ]
    for ax in drawn:
        ax.figure.draw_without_rendering()
        labels = [label.get_text() for axis in (ax.xaxis, ax.yaxis) for label in axis.get_ticklabels(which="both")]
        assert [float(label.replace("\N{MINUS SIGN}", "-")) for label in labels if label]


def test_a_searchable_table_needs_nothing_from_outside():
    html = figures.searchable(pd.DataFrame({"name": ["some & thing"]}), "A < B").data
    assert "<figcaption>A &lt; B.</figcaption>" in html
    assert 'download="a-b.csv"' in html
    assert "some &amp; thing" in html
    assert "cdn" not in html.split("<script")[0]
    assert 'src="http' not in html


def test_captioned_tables_have_signs_digits_and_no_index_without_a_name():
    frame = pd.DataFrame({"gain": [-0.123, np.nan], "p": [0.0001, 0.0421], "share": [0.5, 1.0]})
    shown = figures.captioned(frame, "Gains in points", {"gain": figures.signed, "p": figures.p_text, "other": str})
    html = unescape(shown.to_html())
    assert "<caption>Gains in points.</caption>" in html
    assert all(cell in html for cell in (">\N{MINUS SIGN}0.12<", "< 0.001", ">0.042<", ">0.50<"))
    assert figures.signed(-0.001) == "0.00"
    assert ".col0" in html.split("</style>")[0]  # numbers are set to the right
    assert "row_heading" not in html
    indexed = figures.captioned(frame.set_index("share"), "c").to_html()
    assert "row_heading" in indexed
    assert indexed.count("<tr>") == 1 + len(frame), "the name of the index has no row of its own"
    assert (figures.signed(float("nan")), figures.p_text(float("nan"))) == ("", "")


def test_captioned_tables_write_numbers_well_by_default():
    frame = pd.DataFrame({"gain": [-1.234, -0.001], "n": [-3, 1200], "p, Holm": [1e-9, 0.5], "as": [-2.0, 0.0]})
    html = unescape(figures.captioned(frame, "c", {"as": "{:.1f}"}).to_html())
    cells = re.findall(r"<td[^>]*>([^<]*|< 0.001)</td>", html)
    minus = "\N{MINUS SIGN}"
    assert cells == [f"{minus}1.23", f"{minus}3", "< 0.001", f"{minus}2.0", "0.00", "1200", "0.500", "0.0"]


def saved(html):
    """Return the files that the links of a page hold, by name."""
    links = re.findall(r'download="([^"]+)" href="data:[^;]+;base64,([^"]+)"', html)
    return {name: io.BytesIO(base64.b64decode(content)) for name, content in links}


def test_the_data_of_a_table_can_be_saved():
    index = pd.Index([1, 5], name="folds")
    frame = pd.DataFrame({"bias": [1 / 3, -2e-17], "who": ['a, "b"', "c"], "mixed": [1, "x"]}, index=index)
    files = saved(figures.captioned(frame, "Something else", name="Bias of folds")._repr_html_())
    assert set(files) == {"bias-of-folds.csv", "bias-of-folds.parquet"}
    expected = frame.reset_index().astype({"mixed": "str"})
    csv = pd.read_csv(files["bias-of-folds.csv"])
    pd.testing.assert_frame_equal(csv, expected, check_exact=True)
    parquet = pd.read_parquet(files["bias-of-folds.parquet"])
    pd.testing.assert_frame_equal(parquet, expected, check_exact=True)


def test_headings_of_several_levels_and_twins_can_be_saved():
    columns = pd.MultiIndex.from_tuples([("bias", 2), ("bias", 10), ("n", "")])
    frame = pd.DataFrame([[0.1, 0.2, 3]], columns=columns)
    files = saved(figures.captioned(frame, "twins")._repr_html_())
    assert list(pd.read_csv(files["twins.csv"])) == ["bias 2", "bias 10", "n"]
    twins = pd.DataFrame([[1, 2]], columns=["a", "a"])
    assert list(pd.read_parquet(saved(figures.captioned(twins, "t")._repr_html_())["t.parquet"])) == ["a", "a 2"]


@pytest.mark.parametrize(("n_rows", "folded"), [(15, False), (16, True)])
def test_a_table_beyond_a_screen_offers_the_other_rows(n_rows, folded):
    html = figures.captioned(pd.DataFrame({"n": range(n_rows)}), "many")._repr_html_()
    assert (f"Show all {n_rows} rows" in html) is folded


@pytest.mark.parametrize(
    ("words", "cards"), [(("short", "long " * 20), True), (("short",) * 2, False), (("a" * 29,) * 5, False)]
)
def test_rows_of_sentences_are_cards_on_a_phone_with_headings_that_cannot_leave_their_style(words, cards):
    frame = pd.DataFrame([words], columns=["it's; } </style>?", *map(str, range(1, len(words)))])
    html = figures.captioned(frame, "c")._repr_html_()
    assert ("sentences" in html.split("data-name")[0]) == cards
    assert ("--label: 'it s     /style ? '" in html and "--label: '1: '" in html) == cards


def test_effects_that_exclude_zero_have_a_colour_of_their_own():
    frame = pd.DataFrame({"panel": "p", "technique": ["a", "b"], "difference": [0.2, 0.1], "low": [0.1, -0.1]})
    ax = figures.plot_effects(frame.assign(high=0.3), label="bias", reference="SCV")[0]
    clear, unclear = (line for line in ax.lines if line.get_marker() == "o")
    assert clear.get_xdata().tolist() == [0.2]
    assert unclear.get_xdata().tolist() == [0.1]
    assert clear.get_color() != unclear.get_color()


def test_effects_without_an_interval_are_drawn():
    frame = pd.DataFrame({"panel": "p", "technique": ["a"], "difference": [0.2], "low": [np.nan], "high": [np.nan]})
    ax = figures.plot_effects(frame, label="bias", reference="SCV")[0]
    assert [line.get_xdata().tolist() for line in ax.lines if line.get_marker() == "o"][-1] == [0.2]


def test_formulas_are_lines_and_simulations_dots_in_a_panel_each():
    rows = [
        {"panel": panel, "curve": curve, "x": x, "kind": kind, "value": x * 0.1}
        for panel in ("one", "two", "three")
        for curve in ("random", "stratified")
        for x in (1, 2, 5)
        for kind in ("formula", "simulation")
        if (curve, kind) != ("stratified", "formula")
    ]
    axes = stratification_figures.plot_formula(pd.DataFrame(rows), x="folds", y="", logx=True, level=0.3)
    assert [ax.get_ylabel() for ax in axes] == ["one", "two", "three"]
    assert [(line.get_linestyle(), line.get_marker()) for line in axes[0].lines[:3]] == [
        ("-", "None"),
        ("None", "o"),
        ("None", "o"),
    ]
    assert list(axes[0].lines[0].get_ydata()) == pytest.approx([0.1, 0.2, 0.5])
    named = [text.get_text() for text in axes[0].figure.legends[0].get_texts()]
    assert named == ["random", "stratified", "dots: simulation"]


def test_a_curve_of_dots_alone_is_named_once():
    frame = pd.DataFrame({"panel": "", "curve": ["dealt", "random"], "x": 2, "kind": ["formula", "simulation"]})
    ax = stratification_figures.plot_formula(frame.assign(value=0.1), x="folds", y="gap")[0]
    assert [text.get_text() for text in ax.figure.legends[0].get_texts()] == ["dealt", "random"]


def test_counts_in_folds_are_bars_with_the_stratified_value_marked():
    frame = pd.DataFrame({"n_class": 4, "rows": [0, 1, 2], "formula": [0.2, 0.5, 0.3], "simulation": [0.2, 0.5, 0.3]})
    ax = stratification_figures.plot_fold_counts(frame.assign(stratified=[0.0, 0.0, 1.0]))[0]
    assert [bar.get_height() for bar in ax.patches] == [0.2, 0.5, 0.3]
    assert [segment[0][0] for segment in ax.collections[0].get_segments()] == [2]


def test_moments_are_pairs_of_bars():
    index = pd.MultiIndex.from_product([["a, x", "b, y"], ["random", "stratified"]], names=["model", "folds"])
    axes = stratification_figures.plot_moments(
        pd.DataFrame({"variance": [4, 1, 3, 2], "mean": [1, 1, 1, 1]}, index=index), ["variance"]
    )
    assert len(axes) == 1
    assert [bar.get_height() for bar in axes[0].patches] == [4, 3, 1, 2]


def test_narrow_figures_stack_panels_and_have_no_small_text():
    figure, axes = figures.panels(4, height=2, sharex=True, sharey=True)
    for number, ax in enumerate(axes):
        ax.plot([1, 2], [number, 1], label=f"a long name of line {number}")
        ax.text(1, 1, "tiny", fontsize=4)
        ax.set_title(f"panel {number}")
    figure.supxlabel("a label that is far too long to stand in one line on the screen of a phone")
    labels = [f"{one} of the lines" for one in "abcd"]
    figure.legend([ax.lines[0] for ax in axes], labels, loc="outside upper center", ncols=4)
    make_narrow(figure)
    figure.draw_without_rendering()
    places = [ax.get_position() for ax in axes]
    assert all(upper.y0 > lower.y1 for upper, lower in itertools.pairwise(places))
    assert len({round(place.x0, 3) for place in places}) == 1
    assert all(label.get_visible() for ax in axes for label in ax.get_yticklabels())
    assert min(text.get_fontsize() for text in figure.findobj(Text) if text.get_text()) >= SMALLEST
    inside = figure.bbox
    boxes = [figure.legends[0].get_window_extent(), *(text.get_window_extent() for text in figure.texts)]
    assert all(box.x0 >= inside.x0 - 1 and box.x1 <= inside.x1 + 1 for box in boxes)


def test_a_legend_above_its_panel_fits_into_a_narrow_figure():
    ax = plt.figure(figsize=(7.2, 3), layout="constrained").add_subplot()
    ax.plot([1, 2], label="published")
    ax.plot([2, 1], label="ours, mean and its standard deviation")
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
    make_narrow(ax.figure)
    ax.figure.draw_without_rendering()
    box = ax.figure.legends[0].get_window_extent()
    assert box.x0 >= ax.figure.bbox.x0 - 1
    assert box.x1 <= ax.figure.bbox.x1 + 1


def test_the_legend_of_a_narrow_figure_keeps_the_markers_of_intervals():
    figure, ax = plt.subplots(layout="constrained")
    ax.errorbar([1], [1], yerr=[1], fmt="s", label="intervals")
    figure.legend(loc="outside lower center")
    make_narrow(figure)
    assert "s" in [line.get_marker() for line in figure.legends[0].findobj(Line2D)]


def test_tick_labels_of_narrow_figures_do_not_meet():
    ax = plt.figure(figsize=(7.2, 3)).add_subplot()
    ax.set_xticks(range(8), [f"data set {number}" for number in range(8)])
    make_narrow(ax.figure)
    ax.figure.draw_without_rendering()
    boxes = [label.get_window_extent() for label in ax.get_xticklabels()]
    assert all(left.x1 <= right.x0 for left, right in itertools.pairwise(boxes))


def test_a_technique_looks_the_same_under_all_its_names_and_no_two_look_alike():
    styles = {name: str(figures.technique_style(name)) for name in TECHNIQUES}
    assert len(set(styles.values())) == len(TECHNIQUES)
    assert figures.technique_style("R-CV") == figures.technique_style("KFold")
    assert figures.technique_style("SCBCV3") == figures.technique_style("SCBCV")
    assert str(figures.technique_style("of my own")) not in styles.values()


def test_effects_in_points_are_hundredths_of_the_score():
    frame = pd.DataFrame({"panel": "p", "technique": ["a"], "difference": [0.02], "low": [0.01], "high": [0.03]})
    ax = figures.plot_effects(frame, label="bias", reference="SCV", margin=0.005, points=True)[0]
    assert next(line for line in ax.lines if line.get_marker() == "o").get_xdata().tolist() == pytest.approx([2.0])
    assert ax.figure.get_supxlabel() == "bias, minus that of SCV (points)"
