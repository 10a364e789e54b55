"""Numbers in words and in print."""

from compendium.words import spaced, spelled


def test_thousands_stand_apart_from_five_digits_on_and_no_line_breaks_between_them():
    assert [spaced(number) for number in (7, 2310.0, 32_000, 1_000_000)] == [
        "7",
        "2310",
        "32\N{NO-BREAK SPACE}000",
        "1\N{NO-BREAK SPACE}000\N{NO-BREAK SPACE}000",
    ]


def test_a_sentence_begins_with_a_word_up_to_twelve():
    assert [spelled(count) for count in (1, 7, 12, 13, 20_000)] == ["One", "Seven", "Twelve", "13", spaced(20_000)]
