"""`mtsig reproduce PAPER`: the tables and figures of one of the four papers, printed numbers beside ours."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from mtsig.cli.flags import add_format
from mtsig.cli.inputs import add_input, input_arguments
from mtsig.cli.reading import read_input
from mtsig.cli.say import tell
from mtsig.cli.show import progress, show
from mtsig.cli.workers import add_workers, workers
from mtsig.lab import METRIC_NAMES, PAPERS, evidence, exhibit_tables, reproduce, reproduction_bundle, write_pages

EXAMPLES = {
    "mtsig reproduce koehn2004 --out pages": "on a simulated population, with a page of all tables",
    "mtsig reproduce zhang2004 --data data --metric bleu chrf": "on data of one's own",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    papers = "; ".join(f"{paper.name}: {paper.citation}" for paper in PAPERS.values())
    parser.add_argument("paper", choices=tuple(PAPERS), help=papers)
    add_input(parser)
    words = f"BLEU first, with the options the language needs (default: {' '.join(METRIC_NAMES)})"
    parser.add_argument("--metric", nargs="+", metavar="NAME[:OPTION=VALUE,…]", default=METRIC_NAMES, help=words)
    add_workers(parser)
    add_format(parser)
    parser.add_argument("--out", metavar="FOLDER", help="write a page with all tables, and the figures, there")


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    corpus = read_input(chosen) if input_arguments(chosen) else None
    if corpus is None:
        tell("note: no data given: a simulated population and the sample data stand in. Use --data.")
    with progress("Counting"):
        given = evidence(corpus, chosen.metric)
    with workers(chosen) as executor, progress(chosen.paper):
        reproduction = reproduce(chosen.paper, given, executor)
    if chosen.out:
        for path in write_pages(reproduction, Path(chosen.out)):
            tell(f"wrote {path}")
    show(chosen.format, reproduction_bundle(reproduction), "printed", exhibit_tables(reproduction))
    return 0
