"""`mtsig segments`: what the difference of two systems consists of, segment by segment."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from mtsig.cli.flags import add_flags, chosen_options
from mtsig.cli.pairs import add_pair, read_pair, read_statistics
from mtsig.cli.show import data_text, progress, show, show_notes
from mtsig.corpus import Note
from mtsig.errors import InvalidOption
from mtsig.inference import Settings
from mtsig.report import again_text, buckets_table, leverage_table, segments_bundle, segments_table
from mtsig.segments import SORTS, overview
from mtsig.study import single_runs
from mtsig.writing import write_file

ROWS = 20
"""Segments in a table, when their number is not said."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_pair(parser)
    group = parser.add_argument_group("segments")
    orders = "; ".join(f"{name}: {words}" for name, words in SORTS.items())
    group.add_argument("--sort", choices=tuple(SORTS), default="contribution", help=f"{orders} (default: contribution)")
    group.add_argument(
        "--search", metavar="TEXT", default="", help="only segments with this text in source, references or outputs"
    )
    group.add_argument(
        "--top", metavar="N", type=int, help=f"only the first N segments (default: all; {ROWS} in a table)"
    )
    group.add_argument("--out", metavar="FILE", help="write this file instead of printing (with --format json or csv)")
    add_flags(parser, Settings, only=("test", "level", "draws", "seed", "unit"))


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    settings = chosen_options(Settings, chosen)
    if chosen.out is not None and chosen.format == "table":
        raise InvalidOption("A table is printed, not written: --out goes with --format json or csv.")
    corpus, (statistics, *others) = read_statistics(chosen)
    if others:
        raise InvalidOption("Segments are looked at in one metric at a time: name one with --metric.")
    pair = read_pair(chosen, list(statistics.systems))
    top = ROWS if chosen.top is None and chosen.format == "table" else chosen.top
    with progress("Leaving segments out"):
        found = overview(corpus, statistics, *pair, settings, search=chosen.search, sort=chosen.sort, top=top)
    again = again_text(found)
    show_notes(corpus, [*single_runs(pair), *statistics.notes, *([Note("note", again)] if again else [])])
    bundle = segments_bundle(corpus, settings, found)
    if chosen.out is not None:
        write_file(Path(chosen.out), data_text(chosen.format, bundle, "segments").encode())
        return 0
    tables = [segments_table(found, corpus), *([buckets_table(found)] if found.buckets else [])]
    show(chosen.format, bundle, "segments", [*tables, leverage_table(found.leverage)])
    return 0
