"""The verbs: arguments go in, the verb that they name is loaded and run, its exit code comes out."""

import argparse
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib import import_module
from typing import Any, NoReturn, Protocol, cast

from mtsig.cli.limits import chosen_limits
from mtsig.cli.say import give_up, prepare, tell
from mtsig.errors import MtsigError
from mtsig.limits import within
from mtsig.version import VERSION

VERBS: dict[str, str] = {
    "read": "Print what was understood of files: their roles, what they hold, and what is doubtful.",
    "fetch": "Download a public test set (wmt24/en-de) or a tokenizer's model (flores200); nothing else downloads "
    "anything.",
    "check": "Look for slipped lines, copies, wrong languages and other faults of the data; changes nothing.",
    "score": "Score systems, with confidence intervals.",
    "compare": "Compare systems pair by pair: difference, interval, p-value corrected for the number of comparisons.",
    "audit": "Hold every test against one pair of systems, and say why they differ.",
    "segments": "Show what the difference of two systems consists of: what each segment adds to it, and how much hangs "
    "on a few.",
    "trust": "How well metrics agree with people on these systems and segments, and whether one agrees better.",
    "judges": "How far the judges of a rating agree, how lenient each is, and where the variance of their values comes "
    "from.",
    "meaning": "What a metric's difference means: how often people see the same order where systems differ by so much.",
    "runs": "Compare two systems over several runs each: is the difference more than the luck of a run?",
    "power": "Power and needed size for a true difference, and equivalence within a margin fixed in advance.",
    "ablate": "Show how scores and intervals depend on the size of the test set.",
    "plan": "Write an analysis plan before scoring (to stdout), or check one and print its digest.",
    "report": "Write a study as documents: report, tables, figures, methods. With the data, make it again and say what "
    "differs.",
    "calibrate": "Type-I error, power and coverage of any test, on simulated test sets made of your own data.",
    "experiment": "Experiments on the methods: references, draws, sampling, calibration, blind spots and more.",
    "reproduce": "Make a paper's tables and figures again, and say where its claims do not hold.",
    "lessons": "Make handouts, notebooks and a course page on significance testing, of your own data or the sample.",
    "neural": "Rate every segment with COMET or its kin, by a comet-score installed elsewhere; prints a ratings table.",
    "parse": "Parse systems and references with an installed spaCy model, for the metric depf; writes CoNLL-U files.",
    "metrics": "List the metrics, or the options of those named.",
    "dashboard": "Start the dashboard on this computer; Streamlit's own --server.… flags pass through.",
    "cache": "Show what is kept between runs, or clear it.",
}
"""The verbs, each with its help. A verb is the module of its name, loaded when it is the one that was typed."""


class Verb(Protocol):
    """One verb: a module with its arguments and its run."""

    def add(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments of the verb."""

    def run(self, chosen: argparse.Namespace, rest: Sequence[str]) -> int:
        """Run the verb and return its exit code."""


def _verb(name: str) -> Verb:
    return cast(Verb, import_module(f"mtsig.cli.{name}"))


class _Parser(argparse.ArgumentParser):
    """argparse, with its message on one line and the same exit code as every other bad input."""

    def error(self, message: str) -> NoReturn:
        """Print the message and leave with exit code 2."""
        tell(f"mtsig: {message}. Try: {self.prog} --help")
        raise SystemExit(2)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0, or 2 with one message on stderr for bad input."""
    given = sys.argv[1:] if argv is None else list(argv)
    try:
        prepare()
        code = _run(given)
        sys.stdout.flush()  # a pipe that broke, or a disk that is full, is told here, not when the interpreter ends
        return code
    except MtsigError as error:
        tell(f"mtsig: {error}")
        return 2
    except BrokenPipeError:
        # The reader of stdout (head, less) has gone; there is nobody left to tell.
        give_up(sys.stdout)
        return 0
    except OSError as error:
        give_up(sys.stdout)
        what = f"{error.filename}: cannot be read or" if error.filename else "The output cannot be"
        tell(f"mtsig: {what} written ({error.strerror or error}).")
        return 2
    except MemoryError:
        give_up(sys.stdout)
        tell("mtsig: There is not enough memory for this. Nothing that was written is half-written.")
        return 2
    except KeyboardInterrupt:
        tell("mtsig: stopped")
        return 130


def _run(given: Sequence[str]) -> int:
    parser = _parser(given)
    try:
        chosen, rest = parser.parse_known_args(given)
    except SystemExit:  # after --help
        sys.stdout.flush()
        raise
    if rest and chosen.verb != "dashboard":
        parser.error(f"unknown argument: {' '.join(rest)}")
    with _cache(chosen), _warnings(), within(chosen_limits(chosen)):
        return _verb(chosen.verb).run(chosen, rest)


def _parser(given: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser of the command, with the arguments of the verb that is given; of others it has the help."""
    parser = _Parser(
        prog="mtsig",
        allow_abbrev=False,
        description="Tells whether the difference between machine-translation systems is real.",
    )
    parser.add_argument("--version", action="version", version=f"mtsig {VERSION}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    # The command has no option that takes a value: what comes first and is no option is the verb.
    word = next((one for one in given if not one.startswith("-")), None)
    for name, words in VERBS.items():
        verb = verbs.add_parser(name, help=words, description=words, allow_abbrev=False)
        if name == word:
            _verb(name).add(verb)
    return parser


def _cache(chosen: argparse.Namespace) -> AbstractContextManager[None]:
    """Return the context that the verb runs in: with what is kept between runs, or without."""
    if not getattr(chosen, "no_cache", False):
        return nullcontext()
    from mtsig.cache import closed  # here, because it loads numpy, and a verb that counts nothing does without

    return closed()


@contextmanager
def _warnings() -> Iterator[None]:
    """Tell warnings that are meant for users as everything else is told: in a line of their own."""
    with warnings.catch_warnings():
        as_usual = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if issubclass(category, UserWarning):
                tell(f"warning: {message}")
            else:
                as_usual(message, category, *place, **more)

        warnings.showwarning = show
        yield
