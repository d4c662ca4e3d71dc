"""`mtsig compare`: is the difference between systems real?"""

import argparse
from collections.abc import Sequence

from mtsig.cli.flags import add_flags, add_metric, chosen_metrics, chosen_options
from mtsig.cli.inputs import add_input, read_input
from mtsig.cli.show import measured, show, show_notes, watched
from mtsig.errors import InvalidOption
from mtsig.inference import PairChoice, Settings, rankable, ranks
from mtsig.report import compare_bundle, comparison_table, ranks_table, score_table

HELP = "Compare systems pair by pair: difference, interval, p-value corrected for the number of comparisons."


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_input(parser)
    add_metric(parser)
    parser.add_argument(
        "--pairs", default="all", metavar="all|SYSTEM", help="all pairs, or every other system against this one"
    )
    parser.add_argument(
        "--pair",
        nargs=2,
        action="append",
        metavar=("FIRST", "SECOND"),
        help="compare these two, in this order; may be given several times, and is the family then",
    )
    parser.add_argument(
        "--joined", action="store_true", help="judge the comparisons of all metrics together, as one family"
    )
    add_flags(parser, Settings)


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    settings = chosen_options(Settings, chosen)
    corpus = read_input(chosen)
    metrics = chosen_metrics(chosen, corpus)
    statistics = measured(corpus, metrics)
    with watched("Comparing"):
        families = settings.families(statistics, _pairs(chosen), joined=chosen.joined)
        scored = [settings.intervals(one) for one in statistics]
    ranked = [ranks(one) for one in families if rankable(one)]
    show_notes(corpus, [note for family in families for note in family.notes])
    tables = [
        table
        for pair in zip(scored, families, strict=True)
        for table in (score_table(pair[0]), comparison_table(pair[1]))
    ]
    tables += [ranks_table(one) for one in ranked]
    show(chosen.format, compare_bundle(corpus, settings, scored, families, ranked), "comparisons", tables)
    return 0


def _pairs(chosen: argparse.Namespace) -> PairChoice:
    if not chosen.pair:
        return str(chosen.pairs)
    if chosen.pairs != "all":
        raise InvalidOption("Give either --pairs SYSTEM or --pair FIRST SECOND, not both.")
    return [(first, second) for first, second in chosen.pair]
