"""`mtsig meaning`: how often people see the order that a metric's difference gives, by its size."""

import argparse
from collections.abc import Sequence

from mtsig.cli.flags import add_flags, add_metric, chosen_metrics, chosen_options
from mtsig.cli.inputs import add_input, read_input
from mtsig.cli.people import add_human, add_judged, human_rating
from mtsig.cli.show import measured, progress, show, show_notes
from mtsig.errors import InvalidOption
from mtsig.inference import Settings
from mtsig.report import meaning_bundle, meant_table, needed_table
from mtsig.resampling import Bootstrap
from mtsig.trust import Judged, meaning


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_input(parser)
    add_metric(parser)
    group = parser.add_argument_group("meaning")
    add_human(group)
    add_judged(group)
    points = "differences of the metric's scores to say the meaning of, whichever system is better"
    group.add_argument("--difference", nargs="+", metavar="POINTS", default=[], help=points)
    add_flags(parser, Settings, only=("level", "draws", "seed", "unit"))


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    settings = chosen_options(Settings, chosen)
    differences = [_points(text) for text in chosen.difference]
    corpus = read_input(chosen)
    human = human_rating(chosen, corpus)
    if chosen.metric is None:
        raise InvalidOption("Name the metrics whose differences are meant with --metric, such as chrf or rating:COMET.")
    people, *metrics = measured(corpus, [human, *chosen_metrics(chosen, corpus)])
    judged = Judged.of(corpus, people, metrics, humans=chosen.humans, segments=chosen.segments)
    scheme = Bootstrap(settings.draws, settings.seed, settings.unit)
    with progress("Redrawing"):
        curves = [meaning(judged, name, level=settings.level, scheme=scheme) for name in judged.names]
    bundle = meaning_bundle(corpus, settings, judged, curves, differences)
    show_notes(corpus, [*judged.notes, *(note for curve in curves for note in curve.notes)])
    meant = [curve.at(difference) for curve in curves for difference in differences]
    tables = [*([meant_table(meant)] if meant else []), needed_table(curves)]
    show(chosen.format, bundle, "meant" if meant else "needed", tables)
    return 0


def _points(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise InvalidOption(f"--difference is a number of points; found {text!r}.") from error
