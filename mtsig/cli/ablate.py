"""`mtsig ablate`: scores and intervals by test-set size."""

import argparse
from collections.abc import Sequence
from dataclasses import replace

from mtsig.cautions import single_runs
from mtsig.cli.analysis import add_metric, chosen_metrics
from mtsig.cli.flags import add_flags, chosen_options
from mtsig.cli.inputs import add_input
from mtsig.cli.reading import read_input
from mtsig.cli.show import measured, progress, show, show_notes
from mtsig.errors import InvalidOption
from mtsig.report.bundle import ablation_bundle
from mtsig.report.tables import size_table
from mtsig.segments import Ablation, ablate, usable_sizes

EXAMPLES = {
    "mtsig ablate --data data --sizes .1 .2 .5 1": "scores and intervals of smaller test sets",
    "mtsig ablate --data data --pair ours base --metric chrf": "the same for a difference",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_input(parser)
    add_metric(parser)
    parser.add_argument("--sizes", nargs="+", metavar="SHARE", help="shares of the test set (default: .1 .2 … 1)")
    parser.add_argument(
        "--pair", nargs=2, metavar=("FIRST", "SECOND"), help="the difference of two systems instead of scores"
    )
    add_flags(parser, Ablation)


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    sizes = {} if chosen.sizes is None else {"sizes": tuple(_share(text) for text in chosen.sizes)}
    ablation = chosen_options(Ablation, chosen, **sizes)
    corpus = read_input(chosen)
    metrics = chosen_metrics(chosen, corpus)
    pair = None if chosen.pair is None else (chosen.pair[0], chosen.pair[1])
    ablated = []
    for counted in measured(corpus, metrics):
        fitting = ablation if chosen.sizes else replace(ablation, sizes=usable_sizes(counted.at(ablation.unit).n))
        with progress(f"Subsets, {counted.metric.name}"):
            ablated.append(ablate(counted, fitting, pair))
    show_notes(corpus, [*single_runs(pair or ()), *(note for curves in ablated for note in curves.notes)])
    show(chosen.format, ablation_bundle(corpus, ablated, pair), "sizes", [size_table(curves) for curves in ablated])
    return 0


def _share(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InvalidOption(f"A size is a share of the test set above 0 and up to 1; found {text!r}.") from None
