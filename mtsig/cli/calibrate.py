"""`mtsig calibrate`: type-I error, power and coverage of any tests on the user's own data."""

import argparse
from collections.abc import Sequence

from mtsig.cli.experiment import add_one, run_one
from mtsig.lab import EXPERIMENTS

EXAMPLES = {
    "mtsig calibrate --data data --tests ar bootstrap-shift": "two tests on data like one's own",
    "mtsig calibrate --data data --pair ours base --simulations 5000 --workers 4": "one pair, more exactly",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_one(parser, EXPERIMENTS["calibrate"])


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    return run_one(chosen, EXPERIMENTS["calibrate"])
