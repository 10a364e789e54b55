"""The command line of the library: ``cvstrat advise``."""

from __future__ import annotations

import argparse
import sys

from cvstrat import __version__
from cvstrat.errors import CvstratError


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code; a user's mistake is one line on standard error, no traceback."""
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
    except KeyboardInterrupt:
        print("cvstrat: interrupted", file=sys.stderr)
        return 130
    except CvstratError as error:
        print(f"cvstrat: {error}", file=sys.stderr)
        return 1
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cvstrat", description="How should a data set be cut into folds?")
    parser.add_argument("--version", action="version", version=f"cvstrat {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    text = "what a number of folds means for your data, and which splitter to use"
    advise = commands.add_parser("advise", help=text, description=text)
    advise.add_argument("data", help="a CSV file with a header, or the name of a set of scikit-learn's such as iris")
    advise.add_argument("--target", default="", metavar="COLUMN", help="column to predict (default: the last one)")
    advise.add_argument("--folds", type=int, metavar="K", help="number of folds (default: 10, or fewer if need be)")
    advise.add_argument("--metric", default="", help="accuracy, balanced_accuracy or f1_macro")
    advise.add_argument(
        "--score", type=float, default=0.8, help="assumed probability of a right prediction (default: 0.8)"
    )
    advise.add_argument("--task", default="auto", help="classification or regression (default: look at the target)")
    advise.set_defaults(run=_advise)
    return parser


def _advise(options: argparse.Namespace) -> int:
    from cvstrat.advice import advise_file

    chosen = {"metric": options.metric, "score": options.score, "task": options.task}
    print(advise_file(options.data, options.target, n_splits=options.folds, **chosen))
    return 0


if __name__ == "__main__":
    sys.exit(main())
