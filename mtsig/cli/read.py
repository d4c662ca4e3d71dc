"""`mtsig read`: what is in these files?"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from mtsig.cli.flags import add_format
from mtsig.cli.limits import add_limits
from mtsig.cli.show import show, show_notes
from mtsig.corpus import Corpus
from mtsig.errors import MtsigError
from mtsig.readers import READERS, assemble, parts_at, with_system
from mtsig.report.reading import parts_table, read_bundle

EXAMPLES = {
    "mtsig read data": "what is in this folder, and what is each file taken for?",
    "mtsig read data --format json": "the same for a program",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    forms = "\n".join(f"  {name}: {reader.what}" for name, reader in READERS.items())
    parser.epilog = f"forms, also packed with gzip or in a zip archive:\n{forms}"
    parser.add_argument("path", metavar="PATH", help="a folder, an archive, or one file")
    parser.add_argument("--lp", metavar="PAIR", help="which language pair, where there are several")
    add_format(parser)
    add_limits(parser)


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code: 0 when the files make a test set."""
    del rest
    parts = parts_at(Path(chosen.path))
    corpus: Corpus | None = None
    problem: MtsigError | None = None
    try:
        corpus = assemble(with_system(chosen.path, parts), chosen.lp)
    except MtsigError as error:
        problem = error
    bundle = read_bundle(parts, corpus, None if problem is None else str(problem))
    show(chosen.format, bundle, "parts", [parts_table(parts, corpus)])
    if problem is not None or corpus is None:
        raise problem or MtsigError("nothing was read")
    show_notes(corpus)
    return 0
