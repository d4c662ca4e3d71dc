"""`mtsig trust`: how well metrics agree with people, and whether one agrees better than another."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

from mtsig.cli.flags import add_flags, add_metric, chosen_metrics, chosen_options
from mtsig.cli.inputs import add_input, read_input
from mtsig.cli.people import add_human, add_judged, human_rating
from mtsig.cli.show import measured, progress, show, show_notes
from mtsig.corpus import Corpus
from mtsig.errors import InvalidOption
from mtsig.inference import Settings
from mtsig.registry import find_typed
from mtsig.report import metrics_table, sentinels_table, trust_bundle, trust_table
from mtsig.trust import STATISTICS, Guarded, Judged, Statistic, compare_metrics, sentinels, trust
from mtsig.trust.exchange import ABOUT
from mtsig.trust.groups import By, OfGroups
from mtsig.trust.intervals import Over
from mtsig.trust.soft import SoftPairwiseAccuracy
from mtsig.trust.systems import PairwiseAccuracy
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
    guards = "hold metrics against lengths, a random score and segments' means, too"
    group.add_argument("--sentinels", action="store_true", help=guards)
    group.add_argument("--compat", choices=("mtme",), help="soft and pairwise accuracy as mt-metrics-eval has them")
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
    guarded: tuple[Guarded, ...] = ()
    if chosen.sentinels:
        with progress("Holding against sentinels"):
            guarded = sentinels(
                judged,
                statistics,
                outputs=_outputs(corpus, judged.systems),
                sources=corpus.segments.sources,
                by=chosen.by,
                over=chosen.over,
                settings=settings,
            )
    show_notes(corpus, [*found.notes, *(note for family in families for note in family.notes)])
    tables = [trust_table(found), *map(metrics_table, families)]
    tables += [sentinels_table(guarded)] if guarded else []
    show(chosen.format, trust_bundle(corpus, settings, found, families, guarded), "trust", tables)
    return 0


def _outputs(corpus: Corpus, systems: Sequence[str]) -> dict[str, Sequence[str]] | None:
    """Return the lines of each system's first run; None where some system is known by its ratings alone."""
    runs = {name: corpus.systems[name] for name in systems}
    return {name: corpus.outputs[own[0]] for name, own in runs.items()} if all(runs.values()) else None


def _statistic(name: str, chosen: argparse.Namespace) -> Statistic:
    found = find_typed(STATISTICS, name, "statistic")
    if isinstance(found, SoftPairwiseAccuracy) and chosen.compat:
        return replace(found, p="mtme")
    if isinstance(found, PairwiseAccuracy) and chosen.compat:
        return replace(found, ties="mtme")
    return replace(found, by=chosen.by) if isinstance(found, OfGroups) else found
