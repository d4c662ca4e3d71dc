"""The verbs: arguments go in, the verb that they name is loaded and run, its exit code comes out."""

import argparse
import os
import sys
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib import import_module
from typing import Any, NoReturn, Protocol, cast

from mtsig.cli.limits import chosen_limits
from mtsig.cli.say import give_up, prepare, tell
from mtsig.errors import MtsigError, meant
from mtsig.limits import within
from mtsig.version import VERSION

VERBS: dict[str, str] = {
    "read": "Print what was understood of files: their roles, what they hold, and what is doubtful.",
    "fetch": "Download a public test set (wmt24/en-de) or a tokenizer's model (flores200); nothing else downloads "
    "anything.",
    "check": "Look for slipped lines, copies, wrong languages and other faults of the data; changes nothing.",
    "count": "Count what metrics count once, and write it to a file: mtsig compare --counts needs no text any more.",
    "score": "Score systems, with confidence intervals.",
    "compare": "Compare systems pair by pair: difference, interval, p-value corrected for the number of comparisons.",
    "gate": "May a candidate take the baseline's place? Pass, regression or underpowered, as exit code, for releases "
    "and nightly runs, with a ledger of looks.",
    "audit": "Hold every test against one pair of systems, and say why they differ.",
    "segments": "Show what the difference of two systems consists of: what each segment adds to it, and how much hangs "
    "on a few.",
    "meta-eval": "How well metrics agree with people on these systems and segments, and whether one agrees better.",
    "raters": "How far the judges of a rating agree, how lenient each is, and where the variance of their values comes "
    "from.",
    "delta": "What a metric's difference means: how often people see the same order where systems differ by so much.",
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
    "parse": "Parse systems and references with an installed spaCy model, for the metric depf; writes CoNLL-U files.",
    "metrics": "List the metrics, or the options of those named.",
    "dashboard": "Start the dashboard on this computer; Streamlit's own --server.… flags pass through.",
    "cache": "Show what is kept between runs, or clear it.",
    "completion": "Print a script by which a shell completes verbs, flags and files of mtsig when Tab is pressed.",
}
"""The verbs, each with its help. A verb is the module of its name, loaded when it is the one that was typed."""


class Verb(Protocol):
    """One verb: a module with its arguments, its run, and command lines that show it, each with what it does."""

    EXAMPLES: Mapping[str, str]

    def add(self, parser: argparse.ArgumentParser) -> None:
        """Add the arguments of the verb."""

    def run(self, chosen: argparse.Namespace, rest: Sequence[str]) -> int:
        """Run the verb and return its exit code."""


def _verb(name: str) -> Verb:
    return cast(Verb, import_module(f"mtsig.cli.{name.replace('-', '_')}"))


class _Help(argparse.HelpFormatter):
    """argparse's help: paragraphs are filled, and what has lines of its own keeps them."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if "\n" in text else super()._fill_text(text, width, indent)


class _Parser(argparse.ArgumentParser):
    """argparse, with its message on one line and the same exit code as every other bad input."""

    def __init__(self, **described: Any) -> None:
        super().__init__(**{"allow_abbrev": False, "formatter_class": _Help, **described})

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        known = list(map(str, action.choices))
        hint = f"{meant(str(value), known)} " if meant(str(value), known) else ""
        raise argparse.ArgumentError(action, f"invalid choice: {value!r}. {hint}Known: {', '.join(known)}")

    def error(self, message: str) -> NoReturn:
        """Print the message and leave with exit code 2."""
        tell(f"mtsig: {message}{'' if message.endswith('?') else '.'} Try: {self.prog} --help")
        raise SystemExit(2)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0, 2 with one message on stderr for bad input, or the gate's own.

    >>> import contextlib, sys
    >>> from mtsig.cli import main
    >>> with contextlib.redirect_stderr(sys.stdout):
    ...     main(["score", "--data", "nowhere"])
    mtsig: nowhere: there is no such file or folder.
    2
    """
    given = sys.argv[1:] if argv is None else list(argv)
    try:
        prepare()
        code = _run(given)
        sys.stdout.flush()  # a pipe that broke, or a disk that is full, is told here, not when the interpreter ends
        return code
    except MtsigError as error:
        flags = getattr(error, "flags", "")
        tell(f"mtsig: {error}{f' Try: {flags}' if flags else ''}")
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
    except (MemoryError, SystemError) as error:
        # numpy's division sometimes forgets to say that it got no memory: that is how Python reports it then.
        if isinstance(error, SystemError) and "without setting an exception" not in str(error):
            raise
        give_up(sys.stdout)
        tell("mtsig: There is not enough memory for this. Nothing that was written is half-written.")
        return 2
    except KeyboardInterrupt:
        tell("mtsig: stopped")
        return 130


def _run(given: Sequence[str]) -> int:
    # The command has no option that takes a value: what comes first and is no option is the verb.
    word = next((word for word in given if not word.startswith("-")), None)
    parser = parser_of([name for name in VERBS if name == word])
    try:
        chosen, rest = parser.parse_known_args(given)
    except SystemExit:  # after --help
        sys.stdout.flush()
        raise
    unknown = rest if chosen.verb != "dashboard" else [flag for flag in rest if _is_ours(flag)]
    if unknown:
        hint = meant(unknown[0].partition("=")[0], _flags(parser))
        if hasattr(chosen, "data") and os.path.exists(unknown[0]):  # noqa: PTH110, which raises where a name is none
            hint = f"Data are given by --data {unknown[0]}"
        parser.error(f"unknown argument: {' '.join(unknown)}{f'. {hint}' if hint else ''}")
    with _cache(chosen), _warnings(), within(chosen_limits(chosen)):
        return _verb(chosen.verb).run(chosen, rest)


def _is_ours(flag: str) -> bool:
    """Return whether an argument of the dashboard looks like a flag of mtsig: all of Streamlit's have a dot."""
    return flag.startswith("--") and flag != "--" and "." not in flag.partition("=")[0]


def _flags(parser: argparse.ArgumentParser) -> list[str]:
    """Return the flags of a parser and of all that it has within."""
    flags: list[str] = []
    for action in parser._actions:
        flags += action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            flags += [flag for verb in action.choices.values() for flag in _flags(verb)]
    return flags


def parser_of(loaded: Collection[str]) -> argparse.ArgumentParser:
    """Return the parser of the command, with the arguments of the verbs that are named; of others it has the help."""
    parser = _Parser(
        prog="mtsig",
        description="Tells whether the difference between machine-translation systems is real.",
    )
    parser.add_argument("--version", action="version", version=f"mtsig {VERSION}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, words in VERBS.items():
        verb = verbs.add_parser(name, help=words, description=words)
        if name in loaded:
            module = _verb(name)
            module.add(verb)
            verb.epilog = "\n\n".join(filter(None, [_shown(module.EXAMPLES), verb.epilog]))
    return parser


def _shown(examples: Mapping[str, str]) -> str:
    """Return examples as the help shows them; the lines can be copied whole."""
    return "\n".join(["examples:", *(f"  # {words}\n  {command}" for command, words in examples.items())])


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
