"""`mtsig segments`: what the difference of two systems consists of, segment by segment."""

import argparse
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from mtsig.cautions import single_runs
from mtsig.cli.flags import FORMATS, add_flags, chosen_options
from mtsig.cli.pairs import add_pair, read_pair, read_statistics
from mtsig.cli.say import say_data
from mtsig.cli.show import data_text, markdown_text, progress, show, show_notes
from mtsig.corpus import Corpus, Note
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference import Settings
from mtsig.report import again_text
from mtsig.report.bundle import segments_bundle
from mtsig.report.segments import buckets_table, leverage_table, segments_page, segments_table
from mtsig.segments import BUCKETS, SORTS, Buckets, SegmentRow, buckets_of, overview
from mtsig.writing import write_file

SHOWN = {"table": 20, "markdown": 20, "html": 100}
"""Segments that people are shown, when their number is not said; programs get all."""

_COLUMNS = [field.name for field in fields(SegmentRow)]


EXAMPLES = {
    "mtsig segments --data data --pair ours base --metric chrf --top 10": "the ten segments that add most",
    "mtsig segments --data data --pair ours base --format html --out segments.html": "a page to read in the browser",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_pair(parser, (*FORMATS, "html"))
    group = parser.add_argument_group("segments")
    orders = "; ".join(f"{name}: {words}" for name, words in SORTS.items())
    group.add_argument("--sort", choices=tuple(SORTS), default="contribution", help=f"{orders} (default: contribution)")
    group.add_argument(
        "--bucket",
        nargs="+",
        action="extend",
        choices=tuple(BUCKETS),
        metavar="NAME",
        default=[],
        help=f"only segments of one of these buckets: {', '.join(BUCKETS)}",
    )
    looked_for = (
        "only segments with this text in source, references or outputs; /text/ is a regular expression, #3 a number"
    )
    group.add_argument(
        "--search",
        metavar="TEXT",
        default="",
        help=looked_for,
    )
    most = f"{SHOWN['table']} in a table, {SHOWN['html']} in HTML"
    group.add_argument("--top", metavar="N", type=int, help=f"only the first N segments (default: all; {most})")
    written = "write this file instead of printing (with --format markdown, json, csv or html)"
    group.add_argument("--out", metavar="FILE", help=written)
    add_flags(parser, Settings, only=("test", "level", "draws", "seed", "unit"))


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    settings = chosen_options(Settings, chosen)
    if chosen.out is not None and chosen.format == "table":
        raise InvalidOption("A table is printed, not written: --out goes with --format markdown, json, csv or html.")
    corpus, (statistics, *others) = read_statistics(chosen)
    if others:
        raise InvalidOption("Segments are looked at in one metric at a time: name one with --metric.")
    pair = read_pair(chosen, list(statistics.systems))
    top = SHOWN.get(chosen.format) if chosen.top is None else chosen.top
    with progress("Looking at segments"):
        buckets = _buckets(corpus, *pair, chosen.bucket)
        asked = {"within": chosen.bucket, "search": chosen.search, "sort": chosen.sort, "top": top}
        shown = overview(corpus, statistics, *pair, settings, buckets=buckets, **asked)
    again = again_text(shown.again, shown.untested)
    show_notes(corpus, [*single_runs(pair), *shown.notes, *([Note("note", again)] if again else [])])
    if chosen.format == "html":
        _put(segments_page(shown, corpus), chosen.out)
        return 0
    bundle = segments_bundle(corpus, settings, shown, asked)
    tables = [segments_table(shown, corpus), *([buckets_table(shown)] if shown.buckets else [])]
    tables.append(leverage_table(shown.leverage))
    if chosen.out is None:
        show(chosen.format, bundle, "segments", tables, _COLUMNS)
    elif chosen.format == "markdown":
        _put(markdown_text(tables), chosen.out)
    else:
        _put(data_text(chosen.format, bundle, "segments", _COLUMNS), chosen.out)
    return 0


def _buckets(corpus: Corpus, first: str, second: str, asked: Sequence[str]) -> Buckets | None:
    """Return which segments are in which bucket; None where there are no texts to look into.

    Raises:
        NotApplicable: there are none, although a bucket is asked for.
    """
    try:
        return buckets_of(corpus, first, second)
    except NotApplicable:
        if asked:
            raise
        return None


def _put(text: str, file: str | None) -> None:
    if file is None:
        say_data(text)
    else:
        write_file(Path(file), text.encode())
