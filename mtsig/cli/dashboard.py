"""`mtsig dashboard`: the same in the browser."""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence

from mtsig.cli.flags import add_flags, chosen_options
from mtsig.cli.inputs import add_input, from_stdin, input_arguments
from mtsig.cli.serving import LESSON_VARIABLE, VisitorLimits, add_serving, read_serving, serving_arguments
from mtsig.errors import InvalidOption, MtsigError, ReadError, find, need
from mtsig.limits import VARIABLE, limits

EXAMPLES = {
    "mtsig dashboard --data data": "open these data in the browser",
    "mtsig dashboard --data data --server.port 8600": "on another port",
    "mtsig dashboard --share --password-file password.txt": "for other computers, too",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_input(parser)
    several = "several test sets, each a folder or archive, or a folder of such: shown together on the page Test sets"
    parser.add_argument("--set", nargs="+", action="extend", metavar="[NAME=]PATH", help=several)
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
    if from_stdin(chosen):
        raise InvalidOption("The dashboard reads files: save what standard input gives, and name that.")
    read_serving(chosen)
    from mtsig.cache import checked_folder  # here, because it loads numpy, and help does without

    checked_folder()
    chosen_options(VisitorLimits, chosen).hand_on()
    if chosen.lesson is not None:
        os.environ[LESSON_VARIABLE] = _lesson(chosen.lesson)
    need("dashboard")
    arguments = input_arguments(chosen)
    if chosen.set and arguments:
        raise InvalidOption(f"--set and {arguments[0]} do not go together: {arguments[0]} is of one test set.")
    several: Sequence[str] = chosen.set or ()
    # The dashboard loads what reads by itself: a start without data does not wait for it twice.
    if arguments:
        from mtsig.cli.reading import read_input

        try:
            read_input(chosen)
        except MtsigError:
            if not _holds_several(chosen.data, arguments):
                raise
            several = [chosen.data]
    if several:
        from mtsig.sets import read_sets

        read_sets(several)
        arguments = ["--set", *several]
    os.environ[VARIABLE] = limits().text
    # -P: a folder called mtsig_dashboard where the user stands is not ours. The process becomes the dashboard's, so
    # that whoever ends it ends the dashboard.
    command = [sys.executable, "-P", "-m", "mtsig_dashboard", *serving_arguments(chosen), *rest, "--", *arguments]
    sys.stdout.flush()
    if sys.platform == "win32":  # execv leaves the shell at once there, and splits what has spaces
        return subprocess.call(command)
    return os.execv(sys.executable, command)


def _holds_several(data: str | None, arguments: Sequence[str]) -> bool:
    """Return whether what is no test set holds several; nothing else is said of it then."""
    from mtsig.readers import language_pairs
    from mtsig.sets import parts_of_sets

    alone = data is not None and list(arguments) == ["--data", data]
    return alone and data is not None and len(language_pairs(parts_of_sets(data))) > 1


def _lesson(number: int) -> str:
    """Return the address of a lesson or game.

    Raises:
        UnknownName: there is none of this number.
    """
    from mtsig.lessons import GAMES, LESSONS  # which no other start has to wait for

    find({str(each.number): each for each in (*LESSONS, *GAMES)}, str(number), "lesson")
    return str(number)
