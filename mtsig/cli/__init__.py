"""The command line: arguments go in, a result goes to stdout; everything else goes to stderr."""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from typing import NoReturn, Protocol

from mtsig.cli import (
    ablate,
    audit,
    cache,
    calibrate,
    check,
    compare,
    dashboard,
    experiment,
    fetch,
    metrics,
    neural,
    parse,
    plan,
    power,
    read,
    report,
    reproduce,
    runs,
    score,
)
from mtsig.cli.inputs import parts_from
from mtsig.errors import MtsigError
from mtsig.shelf import closed
from mtsig.version import VERSION

__all__ = ["main", "parts_from"]


class Verb(Protocol):
    """One verb: a module with its help, its arguments and its run."""

    HELP: str

    def add(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments of the verb."""

    def run(self, chosen: argparse.Namespace, rest: Sequence[str]) -> int:
        """Run the verb and return its exit code."""


VERBS: dict[str, Verb] = {
    "read": read,
    "fetch": fetch,
    "check": check,
    "score": score,
    "compare": compare,
    "audit": audit,
    "runs": runs,
    "power": power,
    "ablate": ablate,
    "plan": plan,
    "report": report,
    "calibrate": calibrate,
    "experiment": experiment,
    "reproduce": reproduce,
    "neural": neural,
    "parse": parse,
    "metrics": metrics,
    "dashboard": dashboard,
    "cache": cache,
}


class _Parser(argparse.ArgumentParser):
    """argparse, with its message on one line and the same exit code as every other bad input."""

    def error(self, message: str) -> NoReturn:
        """Print the message and leave with exit code 2."""
        sys.stderr.write(f"mtsig: {message}. Try: {self.prog} --help\n")
        raise SystemExit(2)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0, or 2 with one message on stderr for bad input."""
    parser = _Parser(
        prog="mtsig",
        allow_abbrev=False,
        description="Tells whether the difference between machine-translation systems is real.",
    )
    parser.add_argument("--version", action="version", version=f"mtsig {VERSION}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, verb in VERBS.items():
        verb.add(verbs.add_parser(name, help=verb.HELP, description=verb.HELP, allow_abbrev=False))
    chosen, rest = parser.parse_known_args(argv)
    if rest and chosen.verb != "dashboard":
        parser.error(f"unknown argument: {' '.join(rest)}")
    try:
        with closed() if getattr(chosen, "no_cache", False) else nullcontext():
            code = VERBS[chosen.verb].run(chosen, rest)
        sys.stdout.flush()  # a pipe that broke is told here, not when the interpreter shuts down
        return code
    except MtsigError as error:
        sys.stderr.write(f"mtsig: {error}\n")
        return 2
    except BrokenPipeError:
        # The reader of stdout (head, less) has gone; there is nobody left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        sys.stderr.write("mtsig: stopped\n")
        return 130
