"""The command line of the research, ``compendium``: runs studies, data sets, notebooks and the book."""

from __future__ import annotations

from compendium.cli._parser import make_parser


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 if all went well, 1 for a failure, 2 for wrong use."""
    parser = make_parser()
    options, fields = parser.parse_known_args(arguments)
    options.fields = fields
    if fields and not options.takes_fields:
        parser.error(f"unrecognized arguments: {' '.join(fields)}")
    if options.command is None:
        options.parser.print_help()
        return 0
    from compendium.cli._commands import run  # late: it loads the library and the studies, which help does not need

    return run(options)
