"""`mtsig dashboard`: the same in the browser."""

import argparse
import os
import sys
from collections.abc import Sequence

from mtsig.cli.flags import add_flags, chosen_options
from mtsig.cli.inputs import add_input, input_arguments, read_input
from mtsig.cli.serving import LESSON_VARIABLE, VisitorLimits, add_serving, read_serving, serving_arguments
from mtsig.errors import InvalidOption, ReadError
from mtsig.extras import need
from mtsig.limits import VARIABLE, limits
from mtsig.registry import find


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_input(parser)
    add_serving(parser)
    parser.add_argument("--lesson", metavar="NUMBER", type=int, help="open with this lesson of the page Learn")
    add_flags(parser, VisitorLimits, title="visitors")


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Start the dashboard and return its exit code when it ends; bad input is told before anything starts.

    The library never imports Streamlit: the dashboard is a program of its own.
    """
    # Some write "--" before what is meant for the server; handed on, it would end the server's own options.
    rest = [flag for flag in rest if flag != "--"]
    if rest and not rest[0].startswith("-"):
        raise ReadError(f"Unexpected {rest[0]!r}. To open a folder or a table: mtsig dashboard --data {rest[0]}")
    if chosen.slice:
        raise InvalidOption("The dashboard takes whole test sets; slices are chosen on its Data page.")
    read_serving(chosen)
    chosen_options(VisitorLimits, chosen).hand_on()
    if chosen.lesson is not None:
        os.environ[LESSON_VARIABLE] = _lesson(chosen.lesson)
    need("dashboard")
    arguments = input_arguments(chosen)
    if arguments:
        read_input(chosen)
    os.environ[VARIABLE] = limits().text
    # -P: a folder called dashboard where the user stands is not ours. The process becomes the dashboard's, so that
    # whoever ends it ends the dashboard.
    command = [sys.executable, "-P", "-m", "dashboard", *serving_arguments(chosen), *rest, "--", *arguments]
    sys.stdout.flush()
    os.execv(sys.executable, command)


def _lesson(number: int) -> str:
    """Return the address of a lesson or game.

    Raises:
        UnknownName: there is none of this number.
    """
    from mtsig.lessons import GAMES, LESSONS  # which no other start has to wait for

    find({str(each.number): each for each in (*LESSONS, *GAMES)}, str(number), "lesson")
    return str(number)
