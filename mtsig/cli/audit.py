"""`mtsig audit`: one pair, every test side by side."""

import argparse
from collections.abc import Sequence

from mtsig.cli.flags import add_flags, chosen_options
from mtsig.cli.pairs import add_pair, read_pair, read_statistics
from mtsig.cli.show import show, show_notes, watched
from mtsig.inference import Settings, audit
from mtsig.report import audit_bundle, audit_table

HELP = "Hold every test against one pair of systems, and say why they differ."


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_pair(parser)
    add_flags(parser, Settings, only=("level", "draws", "seed", "unit"))


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    settings = chosen_options(Settings, chosen)
    corpus, statistics = read_statistics(chosen)
    pair = read_pair(chosen, list(statistics[0].systems))
    with watched("Auditing"):
        found = [audit(one, *pair, settings) for one in statistics]
    show_notes(corpus, [note for one in statistics for note in one.notes])
    show(chosen.format, audit_bundle(corpus, settings, found), "tests", [audit_table(one) for one in found])
    return 0
