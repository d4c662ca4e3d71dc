"""`mtsig compare`: is the difference between systems real?"""

import argparse
from collections.abc import Sequence

from mtsig.cli.flags import add_flags, add_metric, chosen_metrics, chosen_options
from mtsig.cli.inputs import add_input, read_input
from mtsig.cli.show import measured, show, show_notes
from mtsig.inference import Settings
from mtsig.report import compare_bundle, comparison_table, score_table

HELP = "Compare systems pair by pair: difference, interval, p-value corrected for the number of comparisons."


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_input(parser)
    add_metric(parser)
    parser.add_argument(
        "--pairs", default="all", metavar="all|SYSTEM", help="all pairs, or every other system against this one"
    )
    add_flags(parser, Settings)


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    settings = chosen_options(Settings, chosen)
    metrics = chosen_metrics(chosen)
    corpus = read_input(chosen)
    statistics = measured(corpus, metrics)
    families = [settings.family(one, chosen.pairs) for one in statistics]
    scored = [settings.intervals(one) for one in statistics]
    show_notes(corpus, [note for family in families for note in family.notes])
    tables = [
        table
        for pair in zip(scored, families, strict=True)
        for table in (score_table(pair[0]), comparison_table(pair[1]))
    ]
    show(chosen.format, compare_bundle(corpus, settings, scored, families), "comparisons", tables)
    return 0
