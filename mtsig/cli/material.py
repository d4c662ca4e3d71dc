"""What experiments are run on: the user's data, a simulated population, or the sample."""

import argparse
from collections.abc import Sequence

from mtsig.cli.analysis import chosen_metrics
from mtsig.cli.inputs import add_input, input_arguments
from mtsig.cli.reading import read_input
from mtsig.cli.say import tell
from mtsig.cli.show import measured, show_notes
from mtsig.cli.workers import add_workers
from mtsig.errors import InvalidOption
from mtsig.lab import KOEHN_SCORES, NEWS, Material
from mtsig.metrics import default_metrics, metric
from mtsig.readers import read_sample

SIMULATED_SEGMENTS = 30_000


def add_material(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name data, metrics, a simulated population and workers."""
    add_input(parser)
    parser.add_argument(
        "--metric", nargs="+", metavar="NAME[:OPTION=VALUE,…]", help="metrics (default: bleu, or what is compared)"
    )
    parser.add_argument(
        "--simulated",
        nargs="*",
        metavar="BLEU",
        help=f"a population of {SIMULATED_SEGMENTS:,} simulated segments of systems with these scores, instead of data",
    )
    add_workers(parser)


def read_material(
    chosen: argparse.Namespace, suggested: Sequence[str] = ("bleu",), needs_text: bool = False
) -> tuple[Material, str]:
    """Return the material that the arguments name, and what it is in words.

    Without data, experiments on text or on several metrics get the sample data with all their references, the others a
    simulated population.
    """
    given = input_arguments(chosen)
    if chosen.simulated is not None and given:
        raise InvalidOption(f"--simulated stands in for data; leave it out, or leave out {given[0]}.")
    if given:
        corpus = read_input(chosen)
        if chosen.metric is None and default_metrics(corpus) == ["bleu"]:
            chosen.metric = list(suggested)
        material = Material(tuple(measured(corpus, chosen_metrics(chosen, corpus))), corpus)
        show_notes(corpus, [note for part in material.statistics for note in part.notes])
        return material, f"{len(corpus)} segments given by the user"
    metrics = [metric(name) for name in chosen.metric or suggested]
    if (needs_text or len(metrics) > 1) and chosen.simulated is None:
        corpus = read_sample(every_reference=True)
        tell("note: no data given: this is the sample data. Use --data for your own.")
        return Material(tuple(measured(corpus, metrics)), corpus), "the sample data"
    scores = tuple(_score(text) for text in chosen.simulated or ()) or KOEHN_SCORES
    population = NEWS.simulate(scores, SIMULATED_SEGMENTS)
    if chosen.simulated is None:
        tell(f"note: no data given: these are {population.origin}. Use --data for your own.")
    return Material.of(population), population.origin


def _score(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InvalidOption(f"--simulated takes BLEU scores, such as 28.9 27.4; found {text!r}.") from None
