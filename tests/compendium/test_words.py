"""Numbers in words and in print."""

from compendium.words import at_least, out_of, spaced, spelled


def test_thousands_stand_apart_from_five_digits_on_and_no_line_breaks_between_them():
    assert [spaced(number) for number in (7, 2310.0, 32_000, 1_000_000)] == [
        "7",
        "2310",
        "32\N{NO-BREAK SPACE}000",
        "1\N{NO-BREAK SPACE}000\N{NO-BREAK SPACE}000",
    ]


def test_a_sentence_begins_with_a_word_up_to_twelve():
    assert [spelled(count) for count in (1, 7, 12, 13, 20_000)] == ["One", "Seven", "Twelve", "13", spaced(20_000)]


def test_shares_read_well_whatever_their_size():
    shares = [out_of(*pair) for pair in ((0, 24), (1, 24), (24, 24), (0, 2), (1, 2), (2, 2), (0, 1), (1, 1))]
    assert shares == [
        "none of the 24",
        "1 of the 24",
        "all 24",
        "neither of the 2",
        "1 of the 2",
        "both",
        "0 of 1",
        "1 of 1",
    ]
    places = [at_least(*pair) for pair in ((0, 3), (2, 3), (3, 3), (0, 1), (1, 1))]
    assert places == [
        "on no data set",
        "on at least 2 of the 3 data sets",
        "on every data set",
        "on no data set",
        "on the data set",
    ]
