"""`mtsig calibrate`: type-I error, power and coverage of any tests on the user's own data."""

import argparse
from collections.abc import Sequence

from mtsig.cli.experiment import add_one, run_one
from mtsig.experiments import EXPERIMENTS

HELP = "Type-I error, power and coverage of any test, on simulated test sets made of your own data."


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_one(parser, EXPERIMENTS["calibrate"])


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    return run_one(chosen, EXPERIMENTS["calibrate"])
