"""Numbers in words and in print."""

from compendium.words import spaced


def test_thousands_stand_apart_from_five_digits_on_and_no_line_breaks_between_them():
    assert [spaced(number) for number in (7, 2310.0, 32_000, 1_000_000)] == [
        "7",
        "2310",
        "32\N{NO-BREAK SPACE}000",
        "1\N{NO-BREAK SPACE}000\N{NO-BREAK SPACE}000",
    ]
