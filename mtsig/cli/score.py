"""`mtsig score`: scores with confidence intervals."""

import argparse
from collections.abc import Sequence

from mtsig.cautions import single_runs
from mtsig.cli.analysis import add_metric, chosen_metrics
from mtsig.cli.flags import add_flags, chosen_options
from mtsig.cli.inputs import add_input
from mtsig.cli.reading import read_input
from mtsig.cli.several import add_set_input, refuse_without_sets, score_sets
from mtsig.cli.show import measured, progress, show, show_notes
from mtsig.inference import Settings
from mtsig.metrics import labels_of
from mtsig.report import score_table
from mtsig.report.bundle import score_bundle

EXAMPLES = {
    "mtsig score --data data --metric bleu chrf": "all systems of a folder under two metrics",
    "mtsig score --ref ref.txt --sys base.txt ours.txt": "files named one by one",
    "cat ours.txt | mtsig score --ref ref.txt --sys ours=-": "what another program prints",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_input(parser)
    add_set_input(parser)
    add_metric(parser)
    add_flags(parser, Settings, only=("interval", "level", "draws", "seed", "unit"))


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    if chosen.set is not None:
        return score_sets(chosen)
    refuse_without_sets(chosen)
    settings = chosen_options(Settings, chosen)
    corpus = read_input(chosen)
    metrics = chosen_metrics(chosen, corpus)
    statistics = measured(corpus, metrics)
    with progress("Redrawing"):
        scored = [
            settings.intervals(counted).changed(metric=label)
            for counted, label in zip(statistics, labels_of([counted.metric for counted in statistics]), strict=True)
        ]
    show_notes(corpus, [*single_runs(corpus.systems), *(note for ends in scored for note in ends.notes)])
    show(chosen.format, score_bundle(corpus, settings, scored), "systems", [score_table(ends) for ends in scored])
    return 0
