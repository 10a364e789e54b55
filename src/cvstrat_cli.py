"""The words of the command line ``cvstrat``, apart from the library so that help is there at once.

Whatever is imported from :mod:`cvstrat` loads scikit-learn and pandas, which takes a second or more. Help and wrong
words are answered by this module alone; :mod:`cvstrat.cli` does the work.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any, NoReturn

# As the library has them; a test compares them.
TECHNIQUES = (
    *("KFold", "SCV", "KCBCV", "KCBCV-Mini", "ACBCV", "DBSCANBCV", "SpectralBCV", "SCBCV", "SCBCV-Mini"),
    *("1C-CV", "CL-CV", "DBSCV", "DOB-SCV", "Balanced", "ROCBCV"),
)
METRICS = ("accuracy", "balanced_accuracy", "f1_macro")
STREAM = ("auto", "always", "never")
TASKS = ("auto", "classification", "regression")
_MAX_CHARACTERS = 2000


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 if all went well, 1 for a failure, 2 for wrong use."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.command is None:
        parser.print_help()
        return 0
    try:
        from cvstrat.cli import run
    except KeyboardInterrupt:
        print("cvstrat: interrupted", file=sys.stderr)
        return 130
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
    _add_split(commands)
    return parser


def _number(kind: Callable[[str], Any], fits: Callable[[Any], bool], wanted: str) -> Callable[[str], Any]:
    """Return what reads a number and refuses one that does not fit."""

    def read(text: str) -> Any:
        try:
            if fits(kind(text)):
                return kind(text)
        except ValueError:
            pass
        raise argparse.ArgumentTypeError(f"it must be {wanted}; it is {text}")

    return read


_FOLDS = _number(int, lambda value: value >= 2, "an integer of at least 2")
_COUNT = _number(int, lambda value: value >= 1, "an integer of at least 1")
_SEED = _number(int, lambda value: 0 <= value < 2**32, "an integer from 0 to 4294967295")
_SHARE = _number(float, lambda value: 0 < value < 1, "a number between 0 and 1")


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name)


def _add_columns(add: Callable[..., Any]) -> None:
    together = "rows with the same value here stay together, such as a patient's"
    add("--target", default="", metavar="COLUMN", help="column to predict (default: the last one)")
    add("--groups", default="", metavar="COLUMN", help=together)


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
    add = command.add_argument
    metric = "the score of interest: %(choices)s (default: accuracy for balanced classes, else f1_macro)"
    task = "%(choices)s (default: auto, which looks at the target)"
    add("data", help="a CSV or Parquet file, or a set of scikit-learn's such as iris")
    _add_columns(add)
    add("--time", default="", metavar="COLUMN", help="column that orders the rows in time")
    add("--folds", type=_FOLDS, metavar="K", help="number of folds (default: 10, or fewer if need be)")
    add("--metric", default="", choices=METRICS, metavar="METRIC", help=metric)
    add("--score", type=_SHARE, default=0.8, help="assumed probability of a right prediction (default: %(default)s)")
    add("--task", default="auto", choices=TASKS, metavar="TASK", help=task)


def _add_split(commands: Any) -> None:
    command = commands.add_parser(
        "split",
        help="a fold number for each row of a file, for training in R, Spark or SQL",
        description="Give each row of a file its fold, for training in R, Spark or SQL, and report on the folds.\n\n"
        "The output has the columns row and fold, both counted from 0. On data that fit into memory the folds\n"
        "are those of make_splitter(TECHNIQUE, n_splits=K, random_state=SEED) on all columns but target, groups\n"
        "and ignored ones. A Parquet file of more than 25 million values is read in batches, so that memory\n"
        "stays bounded: SCBCV-Mini and KCBCV-Mini then fit their clusters batch by batch, and the folds differ\n"
        "from those of make_splitter, though they are as even.",
        epilog="examples:\n"
        "  cvstrat split data.csv --target y -o folds.csv\n"
        "  cvstrat split visits.parquet --target ill --groups patient --n-splits 5 --seed 1 -o folds.parquet\n"
        "  cvstrat split data.csv --target y --technique SCV --id name -o folds.csv --report report.csv",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = command.add_argument
    technique = "one of %(choices)s (default: %(default)s)"
    stream = "whether a Parquet file is read in batches: %(choices)s (default: auto, if it is large)"
    ignore = "columns that are no features, such as a name"
    add("data", help="a CSV file with a header, or a Parquet file")
    _add_columns(add)
    add("--technique", default="SCBCV-Mini", choices=TECHNIQUES, metavar="TECHNIQUE", help=technique)
    add("--n-splits", type=_FOLDS, default=10, metavar="K", help="number of folds (default: 10)")
    add("--n-clusters", type=_COUNT, metavar="C", help="number of clusters (default: estimate it)")
    add("--seed", type=_SEED, default=0, help="seed of all that is random (default: 0)")
    add("--ignore", type=_names, default=(), metavar="COLUMN,...", help=ignore)
    add("--id", default="", metavar="COLUMN", help="column to write beside the folds, to join them by")
    add("--stream", default="auto", choices=STREAM, metavar="WHEN", help=stream)
    add("-o", "--output", required=True, metavar="FILE", help="folds.csv or folds.parquet")
    add("--report", default="", metavar="FILE", help="write the report on the folds to this CSV file, too")
    add("--force", action="store_true", help="replace files that are there already")
