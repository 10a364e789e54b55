"""What a run tells about itself while it goes on."""

import io

import pytest

from compendium.engine import _progress as module
from compendium.engine._progress import Progress, duration


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes when it is told to."""
    now = [1000.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])

    def advance(seconds):
        now[0] += seconds

    return advance


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (0.4, "0 s"),
        (45, "45 s"),
        (89, "89 s"),
        (90, "2 min"),
        (720, "12 min"),
        (89 * 60, "89 min"),
        (90 * 60, "1 h 30 min"),
        (3 * 3600 + 5 * 60, "3 h 05 min"),
        (7199.9, "2 h 00 min"),
        (100 * 3600, "100 h 00 min"),
    ],
)
def test_durations_are_for_people(seconds, text):
    assert duration(seconds) == text


def test_lines_tell_counts_remaining_time_and_the_last_unit(clock):
    stream = io.StringIO()
    progress = Progress("folds", [1.0, 1.0, 2.0], 4, stream=stream, every=30)
    for seconds, name, cost in ((10, "a", 1.0), (50, "b", 1.0), (60, "c", 2.0)):
        clock(seconds)
        progress.finished(name, cost)
    progress.close()
    assert stream.getvalue().splitlines() == [
        "folds: 6/7, 60 s left, last b",
        "folds: 7/7, 0 s left, last c",
    ]


def test_expensive_units_that_are_left_are_reckoned_with(clock):
    progress = Progress("folds", [1.0, 9.0], 0, stream=io.StringIO())
    assert progress.remaining() == "unknown time"
    clock(60)
    progress.finished("a", 1.0)
    assert progress.remaining() == "9 min"


def test_costs_of_nothing_make_the_time_unknown(clock):
    stream = io.StringIO()
    progress = Progress("folds", [0.0, 0.0], 0, stream=stream, every=0)
    clock(1)
    progress.finished("a", 0.0)
    assert stream.getvalue() == "folds: 1/2, unknown time left, last a\n"


def test_lines_do_not_come_faster_than_told_but_the_last_one_always_comes(clock):
    stream = io.StringIO()
    progress = Progress("folds", [1.0] * 100, 0, stream=stream, every=30)
    for number in range(100):
        clock(1)
        progress.finished(str(number), 1.0)
    assert [line.split(",")[0] for line in stream.getvalue().splitlines()] == [
        "folds: 30/100",
        "folds: 60/100",
        "folds: 90/100",
        "folds: 100/100",
    ]


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()])
def test_quiet_means_silent(clock, stream):
    progress = Progress("folds", [1.0, 1.0], 0, stream=stream, every=0, quiet=True)
    clock(100)
    progress.finished("a", 1.0)
    progress.say("look at this")
    progress.finished("b", 1.0)
    progress.close()
    assert stream.getvalue() == ""


def test_messages_are_lines_of_their_own(capsys):
    Progress("folds", [1.0], 0).say("look at this")
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "look at this\n")


def test_a_terminal_gets_a_bar():
    stream = Terminal()
    progress = Progress("folds", [1.0, 1.0], 3, stream=stream)
    progress.finished("a", 1.0)
    progress.say("look at this")
    progress.finished("b", 1.0)
    progress.close()
    drawn = stream.getvalue().replace("\n", "\r").split("\r")
    assert drawn[1].startswith("folds: 3/5 |")
    assert "look at this" in [text.strip() for text in drawn]
    last = [text for text in drawn if text.strip()][-1]
    assert last.startswith("folds: 5/5 |")
    assert last.rstrip().endswith("0 s left, last b")


def test_nothing_is_drawn_where_nothing_is_left():
    stream = Terminal()
    Progress("folds", [], 7, stream=stream).close()
    assert stream.getvalue() == ""
