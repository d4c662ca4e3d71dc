"""`mtsig delta`: how often people see the order that a metric's difference gives, by its size."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mtsig.cli.analysis import add_metric
from mtsig.cli.flags import add_flags, chosen_options
from mtsig.cli.inputs import add_input
from mtsig.cli.out import add_out, write_out
from mtsig.cli.people import add_human, add_judged, human_rating, judged_by
from mtsig.cli.reading import read_input
from mtsig.cli.show import progress, show, show_notes
from mtsig.errors import InvalidOption
from mtsig.inference import Settings
from mtsig.meta_eval import Curve, delta_accuracy
from mtsig.report import file_words, needed_table
from mtsig.report.bundle import meaning_bundle
from mtsig.report.meanings import meant_table
from mtsig.resampling import Bootstrap

if TYPE_CHECKING:
    from mtsig.figures import Picture


EXAMPLES = {
    "mtsig delta --data data --ratings mqm.tsv --human mqm --metric chrf": "how often is which difference seen?",
    "mtsig delta --data data --ratings mqm.tsv --metric chrf --difference 1.2": "how often do they see 1.2 points?",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_input(parser)
    add_metric(parser)
    group = parser.add_argument_group("difference")
    add_human(group)
    add_judged(group)
    points = "differences of the metric's scores to say the meaning of, whichever system is better"
    group.add_argument("--difference", nargs="+", metavar="POINTS", default=[], help=points)
    add_out(group, "the curves")
    add_flags(parser, Settings, only=("level", "draws", "seed", "unit"))


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    settings = chosen_options(Settings, chosen)
    differences = [_points(text) for text in chosen.difference]
    corpus = read_input(chosen)
    human = human_rating(chosen, corpus)
    judged = judged_by(chosen, corpus, human)
    scheme = Bootstrap(settings.draws, settings.seed, settings.unit)
    with progress("Redrawing"):
        curves = [delta_accuracy(judged, name, level=settings.level, scheme=scheme) for name in judged.names]
    bundle = meaning_bundle(corpus, settings, judged, curves, differences)
    show_notes(corpus, [*judged.notes, *(note for curve in curves for note in curve.notes)])
    meant = [curve.at(difference) for curve in curves for difference in differences]
    tables = [*([meant_table(meant)] if meant else []), needed_table(curves)]
    rows = "meant" if meant else "needed"
    show(chosen.format, bundle, rows, tables)
    write_out(chosen.out, "delta", bundle, rows, tables, lambda: _pictures(curves, differences))
    return 0


def _pictures(curves: Sequence[Curve], differences: Sequence[float]) -> "dict[str, Picture]":
    from mtsig.figures import MeaningCurve

    asked = differences[0] if len(differences) == 1 else None
    words = file_words([curve.metric for curve in curves])
    return {word: MeaningCurve.of(curve, asked) for word, curve in zip(words, curves, strict=True)}


def _points(text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise InvalidOption(f"--difference is a number of points; found {text!r}.") from error
