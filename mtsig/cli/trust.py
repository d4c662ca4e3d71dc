"""`mtsig trust`: how well metrics agree with people, and whether one agrees better than another."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

from mtsig.cli.flags import add_flags, add_metric, chosen_metrics, chosen_options
from mtsig.cli.inputs import add_input, read_input
from mtsig.cli.people import add_human, add_judged, human_rating
from mtsig.cli.show import measured, progress, show, show_notes
from mtsig.errors import InvalidOption
from mtsig.inference import Settings
from mtsig.registry import find_typed
from mtsig.report import metrics_table, trust_bundle, trust_table
from mtsig.trust import STATISTICS, Judged, Statistic, compare_metrics, trust
from mtsig.trust.exchange import ABOUT
from mtsig.trust.groups import By, OfGroups
from mtsig.trust.intervals import Over
from mtsig.trust.soft import SoftPairwiseAccuracy
from mtsig.trust.trusted import DEFAULT


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_input(parser)
    add_metric(parser)
    group = parser.add_argument_group("trust")
    add_human(group)
    names = ", ".join(STATISTICS)
    group.add_argument(
        "--statistic",
        nargs="+",
        metavar="NAME",
        default=list(DEFAULT),
        help=f"some of {names} (default: {', '.join(DEFAULT)})",
    )
    group.add_argument(
        "--by", choices=get_args(By), default="item", help="what segments' scores are compared within (default: item)"
    )
    group.add_argument(
        "--compare",
        metavar="STATISTIC",
        help="test all pairs of metrics by this statistic, too",
    )
    exchanged = "what such a test exchanges as a whole (default: item: other segments, these systems)"
    group.add_argument("--exchange", choices=tuple(ABOUT), default="item", help=exchanged)
    redrawn = "what is redrawn for intervals (default: both)"
    group.add_argument("--over", choices=get_args(Over), default="both", help=redrawn)
    add_judged(group)
    group.add_argument("--compat", choices=("mtme",), help="soft pairwise accuracy to the digits of mt-metrics-eval")
    add_flags(parser, Settings, only=("test", "correction", "level", "draws", "seed", "unit"))


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    settings = chosen_options(Settings, chosen)
    corpus = read_input(chosen)
    human = human_rating(chosen, corpus)
    if chosen.metric is None:
        raise InvalidOption("Name the metrics to hold against people with --metric, such as chrf or rating:COMET.")
    people, *metrics = measured(corpus, [human, *chosen_metrics(chosen, corpus)])
    judged = Judged.of(corpus, people, metrics, humans=chosen.humans, segments=chosen.segments)
    statistics = [_statistic(name, chosen) for name in chosen.statistic]
    with progress("Redrawing"):
        found = trust(judged, statistics, by=chosen.by, over=chosen.over, settings=settings)
    families = []
    if chosen.compare is not None:
        statistic = _statistic(chosen.compare, chosen)
        families.append(compare_metrics(judged, statistic, chosen.exchange, settings))
    show_notes(corpus, [*found.notes, *(note for family in families for note in family.notes)])
    tables = [trust_table(found), *map(metrics_table, families)]
    show(chosen.format, trust_bundle(corpus, settings, found, families), "trust", tables)
    return 0


def _statistic(name: str, chosen: argparse.Namespace) -> Statistic:
    found = find_typed(STATISTICS, name, "statistic")
    if isinstance(found, SoftPairwiseAccuracy) and chosen.compat:
        return replace(found, p="mtme")
    return replace(found, by=chosen.by) if isinstance(found, OfGroups) else found
