"""What the verbs about one pair share: --pair, and the metrics' statistics."""

import argparse
from collections.abc import Sequence

from mtsig.cli.analysis import add_metric, chosen_metrics
from mtsig.cli.flags import FORMATS
from mtsig.cli.inputs import add_input
from mtsig.cli.reading import read_input
from mtsig.cli.show import measured
from mtsig.corpus import Corpus
from mtsig.errors import NotApplicable
from mtsig.metrics import Statistics


def add_pair(parser: argparse.ArgumentParser, formats: Sequence[str] = FORMATS) -> None:
    """Add the input, the metrics, --format and --pair."""
    add_input(parser)
    add_metric(parser, formats)
    parser.add_argument(
        "--pair", nargs=2, metavar=("FIRST", "SECOND"), help="the two systems; not needed when there are just two"
    )


def read_pair(chosen: argparse.Namespace, systems: list[str] | None = None) -> tuple[str, str]:
    """Return the pair that was named, or the only two systems.

    Raises:
        NotApplicable: no pair is named, and there are not exactly two systems.
    """
    if chosen.pair is not None:
        return chosen.pair[0], chosen.pair[1]
    if systems is None or len(systems) != 2:
        raise NotApplicable(f"Name two systems: --pair FIRST SECOND. Known: {', '.join(systems or [])}.")
    return systems[0], systems[1]


def read_statistics(chosen: argparse.Namespace) -> tuple[Corpus, list[Statistics]]:
    """Return the corpus and its statistics under every metric."""
    corpus = read_input(chosen)
    metrics = chosen_metrics(chosen, corpus)
    return corpus, measured(corpus, metrics)
