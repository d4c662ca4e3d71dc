"""`mtsig dashboard`: the same in the browser."""

import argparse
import subprocess
import sys
from collections.abc import Sequence

from mtsig.cli.inputs import add_input, input_arguments, read_input

HELP = "Start the dashboard on this computer; Streamlit's own --server.… flags pass through."


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_input(parser)


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Start the dashboard and return its exit code when it ends; bad input is told before anything starts.

    The library never imports Streamlit: the dashboard is a program of its own.
    """
    arguments = input_arguments(chosen)
    if arguments:
        read_input(chosen)
    return subprocess.call([sys.executable, "-m", "dashboard", *rest, "--", *arguments])
