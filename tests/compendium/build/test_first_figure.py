"""README's figure is that of the committed results."""

from compendium.build._first_figure import FIGURES, draw_first_figure
from compendium.files import repository


def test_the_figure_of_readme_is_current():
    drawn = draw_first_figure()
    assert drawn.keys() == FIGURES.keys()
    for theme, path in FIGURES.items():
        assert (repository() / path).read_bytes() == drawn[theme], "python -m compendium.build draws it anew"
        assert str(path) in (repository() / "README.md").read_text()
