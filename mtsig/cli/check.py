"""`mtsig check`: what should be looked at before any number is believed?"""

import argparse
from collections.abc import Sequence

from mtsig.cli.flags import add_format
from mtsig.cli.inputs import add_input
from mtsig.cli.reading import read_input, read_parts
from mtsig.cli.show import progress, show
from mtsig.corpus import Corpus
from mtsig.doctor import CHECKS, Checkup, examine, examine_parts
from mtsig.errors import AlignmentError, ReadError
from mtsig.report import checkup_table
from mtsig.report.checkup import checkup_bundle

EXAMPLES = {
    "mtsig check --data data": "every check of a test set",
    "mtsig check --source source.txt --ref ref.txt --sys base.txt ours.txt": "files named one by one",
    "mtsig check --data data --only shifts empty": "some of the checks below",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_input(parser)
    listed = "\n".join(f"  {name}: {check.what}" for name, check in CHECKS.items())
    parser.epilog = f"checks:\n{listed}"
    parser.add_argument("--only", nargs="+", metavar="CHECK", help="run these checks only")
    add_format(parser)


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code: 0 also where something was found, 2 where the files make no test set."""
    del rest
    try:
        corpus = read_input(chosen)
    except (AlignmentError, ReadError):
        checkup = examine_parts(read_parts(chosen))
        if len(checkup):
            _show(chosen.format, checkup, None)
        raise
    with progress("Checking"):
        checkup = examine(corpus, chosen.only)
    _show(chosen.format, checkup, corpus)
    return 0


def _show(style: str, checkup: Checkup, corpus: Corpus | None) -> None:
    show(style, checkup_bundle(checkup, corpus), "findings", [checkup_table(checkup)])
