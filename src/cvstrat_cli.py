"""The words of the command line ``cvstrat``, apart from the library so that help is there at once.

Whatever is imported from :mod:`cvstrat` loads scikit-learn and pandas, which takes a second or more. This module loads
nothing of the sort: help and wrong words are answered by it alone; :mod:`cvstrat.cli` does the work.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any, NoReturn

# As the library has them; a test compares them.
TECHNIQUES = (
    *("KFold", "SCV", "KCBCV", "KCBCV-Mini", "ACBCV", "DBSCANBCV", "SpectralBCV", "SCBCV", "SCBCV-Mini"),
    *("1C-CV", "CL-CV", "DBSCV", "DOB-SCV", "ROCBCV"),
)
METRICS = ("accuracy", "balanced_accuracy", "f1_macro")
TASKS = ("auto", "classification", "regression")
_MAX_CHARACTERS = 2000


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 if all went well, 1 for a failure, 2 for wrong use."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.command is None:
        parser.print_help()
        return 0
    from cvstrat.cli import run

    return run(options)


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse, but refuse ``--option=--``, of which argparse makes an empty list."""
        words = sys.argv[1:] if args is None else list(args)
        for word in words:
            if word.startswith("--") and word.endswith("=--"):
                self.error(f"{word}: '--' is no value")
        return super().parse_known_args(words, namespace)

    def error(self, message: str) -> NoReturn:
        """End the program with exit code 2."""
        self.exit(2, f"{self.prog}: {one_line(message)} ('{self.prog} --help' says what there is)\n")


def one_line(message: object) -> str:
    """Return a message without line breaks and without characters that a terminal would obey."""
    text = "; ".join(line.strip() for line in str(message).splitlines() if line.strip())
    text = "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)
    return text if len(text) <= _MAX_CHARACTERS else f"{text[: _MAX_CHARACTERS - 3]}..."


class _Version(argparse.Action):
    """Print the version, which only the library knows."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from cvstrat import __version__

        print(f"cvstrat {__version__}")
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="cvstrat",
        description="How should a data set be cut into folds?",
        epilog="'cvstrat COMMAND --help' explains a command and shows an example.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    commands = parser.add_subparsers(metavar="COMMAND", dest="command")
    _add_advise(commands)
    return parser


def _add_advise(commands: Any) -> None:
    command = commands.add_parser(
        "advise",
        help="what a number of folds means for your data, and which splitter to use",
        description="Say what a number of folds means for your data, and which splitter to use.\n\n"
        "It looks for rows that belong together (several per patient), for an order in time and for\n"
        "repeated rows, counts what each class has in a fold, says how noisy a score of a fold is, and\n"
        "recommends a splitter. It cannot know how the rows were collected: name the columns that say so\n"
        "by --groups and --time.",
        epilog="examples:\n"
        "  cvstrat advise data.csv --target y\n"
        "  cvstrat advise visits.csv --target ill --groups patient --folds 5\n"
        "  cvstrat advise iris",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("data", help="a CSV or Parquet file, or a set of scikit-learn's such as iris")
    _add_columns(command)
    command.add_argument("--time", default="", metavar="COLUMN", help="column that orders the rows in time")
    command.add_argument("--folds", type=_folds, metavar="K", help="number of folds (default: 10, or fewer if need be)")
    command.add_argument(
        "--metric",
        default="",
        choices=METRICS,
        help="the score of interest: %(choices)s (default: accuracy for balanced classes, else f1_macro)",
        metavar="METRIC",
    )
    command.add_argument(
        "--score", type=_share, default=0.8, help="assumed probability of a right prediction (default: %(default)s)"
    )
    command.add_argument(
        "--task",
        default="auto",
        choices=TASKS,
        metavar="TASK",
        help="%(choices)s (default: auto, which looks at the target)",
    )


def _folds(text: str) -> int:
    value: int = _number(int, text, lambda value: value >= 2, "an integer of at least 2")
    return value


def _share(text: str) -> float:
    value: float = _number(float, text, lambda value: 0 < value < 1, "a number between 0 and 1")
    return value


def _number(kind: Any, text: str, fits: Callable[[Any], bool], wanted: str) -> Any:
    try:
        if fits(kind(text)):
            return kind(text)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"it must be {wanted}; it is {text}")


def _add_columns(command: argparse.ArgumentParser) -> None:
    command.add_argument("--target", default="", metavar="COLUMN", help="column to predict (default: the last one)")
    command.add_argument(
        "--groups",
        default="",
        metavar="COLUMN",
        help="rows with the same value here stay together, such as a patient's",
    )


if __name__ == "__main__":
    raise SystemExit(main())
