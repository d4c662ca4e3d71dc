"""The verbs: arguments go in, the verb that they name is loaded and run, its exit code comes out."""

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from mtsig.citations import VERSION
from mtsig.cli._arguments import Parser, add_flags, chosen_limits
from mtsig.cli._output import give_up, prepare, say, say_data, tell
from mtsig.errors import MtsigError, meant
from mtsig.limits import within


@dataclass(frozen=True)
class Verb:
    """One verb: the function add_NAME of its module adds its arguments to a parser, run_NAME returns the exit code."""

    module: str
    words: str
    examples: Mapping[str, str]
    """Command lines that show it, each with what it does."""
    settings: tuple[str, ...] = ()
    """The settings of an analysis that it takes; each is a flag."""


_RESAMPLING = ("level", "n_resamples", "seed", "unit")

VERBS: dict[str, Verb] = {
    "read": Verb(
        "_reading",
        "Print what was understood of files: their roles, what they hold, and what is doubtful.",
        {
            "mtsig read data": "what is in this folder, and what is each file taken for?",
            "mtsig read data --format json": "the same for a program",
        },
    ),
    "download": Verb(
        "_reading",
        "Download a public test set (wmt24/en-de) or a tokenizer's model (flores200); nothing else downloads anything.",
        {
            "mtsig download --list": "what can be fetched, and what is here already",
            "mtsig download wmt24/en-de": "a public test set; mtsig compare --data wmt24/en-de reads it then",
            "mtsig download flores200": "the model of a tokenizer",
        },
    ),
    "check": Verb(
        "_reading",
        "Look for slipped lines, copies, wrong languages and other faults of the data; changes nothing.",
        {
            "mtsig check --data data": "every check of a test set",
            "mtsig check --source source.txt --ref ref.txt --sys base.txt ours.txt": "files named one by one",
            "mtsig check --data data --only shifts empty": "some of the checks below",
        },
    ),
    "count": Verb(
        "_several",
        "Count what metrics count once, and write it to a file: mtsig compare --counts needs no text any more.",
        {
            "mtsig count --data data --metric bleu chrf -o counts.parquet": "count two metrics once",
            "mtsig compare --counts counts.parquet": "compare without the text, as often as wanted",
            "mtsig count --set sets/en-de sets/en-ja --metric chrf -o sets.parquet": "several test sets in one file",
        },
    ),
    "score": Verb(
        "_compare",
        "Score systems, with confidence intervals.",
        {
            "mtsig score --data data --metric bleu chrf": "all systems of a folder under two metrics",
            "mtsig score --ref ref.txt --sys base.txt ours.txt": "files named one by one",
            "cat ours.txt | mtsig score --ref ref.txt --sys ours=-": "what another program prints",
        },
        settings=("interval", *_RESAMPLING),
    ),
    "compare": Verb(
        "_compare",
        "Compare systems pair by pair: difference, interval, p-value corrected for the number of comparisons.",
        {
            "mtsig compare --data data": "every pair of systems of a folder",
            "mtsig compare --ref ref.txt --sys base.txt ours.txt theirs.txt --pairs base": (
                "every other system against one"
            ),
            "mtsig compare --data data --metric bleu chrf --save study.json --format markdown": (
                "keep it, and print Markdown"
            ),
            "mtsig compare --set sets/en-de sets/en-ja --metric chrf": "over several test sets",
        },
    ),
    "gate": Verb(
        "_gate",
        "May a candidate take the baseline's place? Pass, regression or inconclusive, as exit code, "
        "for releases and nightly runs, with a ledger of looks.",
        {
            "mtsig gate --data data --baseline base --candidate ours --margin 0.5": "at most half a point worse?",
            "mtsig gate --set sets --baseline base --candidate ours --ledger looks.jsonl --format github": (
                "one of many looks"
            ),
        },
        settings=("test", *_RESAMPLING),
    ),
    "audit": Verb(
        "_pairs",
        "Hold every test against one pair of systems, and say why they differ.",
        {
            "mtsig audit --data data --pair ours base": "every test of one pair",
            "mtsig audit --ref ref.txt --sys base.txt ours.txt --as-sacrebleu": "with what sacreBLEU prints",
        },
        settings=_RESAMPLING,
    ),
    "segments": Verb(
        "_pairs",
        "Show what the difference of two systems consists of: what each segment adds to it, and how "
        "much hangs on a few.",
        {
            "mtsig segments --data data --pair ours base --metric chrf --top 10": "the ten segments that add most",
            "mtsig segments --data data --pair ours base --format html --out segments.html": (
                "a page to read in the browser"
            ),
        },
        settings=("test", *_RESAMPLING),
    ),
    "meta-eval": Verb(
        "_meta_eval",
        "How well metrics agree with people on these systems and segments, and whether one agrees better.",
        {
            "mtsig meta-eval --data data --ratings mqm.tsv --human mqm --metric bleu chrf": "two metrics",
            "mtsig meta-eval --data data --ratings mqm.tsv --metric sentbleu sentchrf --compare pearson": (
                "is one better?"
            ),
        },
        settings=("test", "correction", *_RESAMPLING),
    ),
    "raters": Verb(
        "_meta_eval",
        "How far the judges of a rating agree, how lenient each is, and where the variance of their values comes from.",
        {
            "mtsig raters --data data --ratings esa.csv": "the judges of the only rating",
            "mtsig raters --data data --ratings esa.csv --rating esa --kind alpha --format csv": "a row for each judge",
        },
        settings=_RESAMPLING,
    ),
    "delta": Verb(
        "_meta_eval",
        "What a metric's difference means: how often people see the same order where systems differ by so much.",
        {
            "mtsig delta --data data --ratings mqm.tsv --human mqm --metric chrf": (
                "how often is which difference seen?"
            ),
            "mtsig delta --data data --ratings mqm.tsv --metric chrf --difference 1.2": (
                "how often do they see 1.2 points?"
            ),
        },
        settings=_RESAMPLING,
    ),
    "runs": Verb(
        "_pairs",
        "Compare two systems over several runs each: is the difference more than the luck of a run?",
        {
            "mtsig runs --ref ref.txt --sys base.run1 base.run2 ours.run1 ours.run2": "runs are known by their names",
            "mtsig runs --ref ref.txt --sys a.txt b.txt c.txt d.txt --runs base=a,b ours=c,d": "or said to be",
        },
        settings=_RESAMPLING,
    ),
    "power": Verb(
        "_pairs",
        "Power and needed size for a true difference, and equivalence within a margin fixed in advance.",
        {
            "mtsig power --data data --pair ours base --difference 0.5": "how many segments does half a point need?",
            "mtsig power --data data --pair ours base --margin 1": "are they equal within one point?",
        },
        settings=("level", "unit"),
    ),
    "size-curve": Verb(
        "_pairs",
        "Show how scores and intervals depend on the size of the test set.",
        {
            "mtsig size-curve --data data --sizes .1 .2 .5 1": "scores and intervals of smaller test sets",
            "mtsig size-curve --data data --pair ours base --metric chrf": "the same for a difference",
        },
    ),
    "plan": Verb(
        "_study",
        "Write an analysis plan before scoring (to stdout), or check one and print its digest.",
        {
            "mtsig plan --metric bleu chrf --pairs base > plan.toml": "write a plan before anything is scored",
            "mtsig plan plan.toml": "check it, and print the digest to publish",
            "mtsig compare --data data --plan plan.toml": "do what it says",
        },
    ),
    "report": Verb(
        "_study",
        "Write a study as documents: report, tables, figures, methods. With the data, make it again "
        "and say what differs.",
        {
            "mtsig report study.json": "all documents, beside the study",
            "mtsig report study.json --data data --to html latex pdf:paper=acl-full": "made again from the data first",
            "mtsig report study.json --against earlier.json": "what changed since an earlier study?",
        },
    ),
    "calibrate": Verb(
        "_lab",
        "Type-I error, power and coverage of any test, on simulated test sets made of your own data.",
        {
            "mtsig calibrate --data data --tests ar bootstrap-shift": "two tests on data like one's own",
            "mtsig calibrate --data data --pair ours base --simulations 5000 --workers 4": "one pair, more exactly",
        },
    ),
    "experiment": Verb(
        "_lab",
        "Experiments on the methods: references, draws, sampling, calibration, blind spots and more.",
        {
            "mtsig experiment draws --data data": "how many draws are enough?",
            "mtsig experiment length --data data --out figures --figures pdf svg": "with its figures",
            "mtsig experiment coverage --help": "what one of them takes",
        },
    ),
    "papers": Verb(
        "_lab",
        "Make a paper's tables and figures again, and say where its claims do not hold.",
        {
            "mtsig papers koehn2004 --out pages": "on a simulated population, with a page of all tables",
            "mtsig papers zhang2004 --data data --metric bleu chrf": "on data of one's own",
        },
    ),
    "lessons": Verb(
        "_lab",
        "Make handouts, notebooks and a course page on significance testing, of your own data or the sample.",
        {
            "mtsig lessons --out handouts": "all lessons on the sample data",
            "mtsig lessons --data data --lesson 1 2 --to html pdf --solutions --out handouts": (
                "two lessons on one's own data"
            ),
        },
    ),
    "parse": Verb(
        "_reading",
        "Parse systems and references with an installed spaCy model, for the metric depf; writes CoNLL-U files.",
        {
            "mtsig parse --data data --model en_core_web_sm": "into data/parses",
            "mtsig parse --ref ref.txt --sys ours.txt --model en_core_web_sm --into parses": "files named one by one",
        },
    ),
    "metrics": Verb(
        "_reading",
        "List the metrics, or the options of those named.",
        {"mtsig metrics": "all metrics", "mtsig metrics bleu chrf": "the options of two"},
    ),
    "dashboard": Verb(
        "_dashboard",
        "Start the dashboard on this computer; Streamlit's own --server.… flags pass through.",
        {
            "mtsig dashboard --data data": "open these data in the browser",
            "mtsig dashboard --data data --server.port 8600": "on another port",
            "mtsig dashboard --share --password-file password.txt": "for other computers, too",
        },
    ),
    "cache": Verb(
        "_verbs",
        "Show what is kept between runs, or clear it.",
        {"mtsig cache": "where it is, and how large", "mtsig cache --clear": "away with it"},
    ),
    "completion": Verb(
        "_verbs",
        "Print a script by which a shell completes verbs, flags and files of mtsig when Tab is pressed.",
        {
            'eval "$(mtsig completion bash)"': "for the bash that runs; put it into ~/.bashrc for every later one",
            'mtsig completion zsh > "${fpath[1]}/_mtsig"': "for zsh, in the first folder that it looks into",
            "mtsig completion tcsh >> ~/.cshrc": "for tcsh",
        },
    ),
}
"""The verbs in the order of the help. A module is loaded when one of its verbs was typed."""


def _of(name: str, does: str) -> Callable[..., Any]:
    """Return the function of a verb that adds its arguments (add) or runs it (run)."""
    module = import_module(f"mtsig.cli.{VERBS[name].module}")
    function: Callable[..., Any] = getattr(module, f"{does}_{name.replace('-', '_')}")
    return function


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
    chosen.rest = rest
    with _cache(chosen), _warnings(), within(chosen_limits(chosen)):
        code: int = _of(chosen.verb, "run")(chosen)
        return code


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
    parser = Parser(
        prog="mtsig",
        description="Tells whether the difference between machine-translation systems is real.",
    )
    parser.add_argument("--version", action="version", version=f"mtsig {VERSION}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name, row in VERBS.items():
        verb = verbs.add_parser(name, help=row.words, description=row.words)
        if name in loaded:
            _of(name, "add")(verb)
            if row.settings:
                from mtsig.inference import Settings  # here, because the help of the command does without

                add_flags(verb, Settings, row.settings)
            verb.epilog = "\n\n".join(filter(None, [_shown(row.examples), verb.epilog]))
    return parser


def _shown(examples: Mapping[str, str]) -> str:
    """Return examples as the help shows them; the lines can be copied whole."""
    return "\n".join(["examples:", *(f"  # {words}\n  {command}" for command, words in examples.items())])


def _cache(chosen: argparse.Namespace) -> AbstractContextManager[None]:
    """Return the context that the verb runs in: with what is kept between runs, or without."""
    if not getattr(chosen, "no_cache", False):
        return nullcontext()
    from mtsig._cache import closed  # here, because it loads numpy, and a verb that counts nothing does without

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


def add_completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "tcsh"), help="the shell that is to read the script")


def run_completion(chosen: argparse.Namespace) -> int:
    import shtab  # here and below, because no other verb needs it

    parser = parser_of(VERBS)
    _describe(parser)
    say_data(shtab.complete(parser, chosen.shell) + "\n")
    return 0


def _describe(parser: argparse.ArgumentParser) -> None:
    """Say in a parser that only completes what its arguments take: words, metrics, files or folders."""
    import shtab

    from mtsig.metrics import METRICS

    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for verb in action.choices.values():
                _describe(verb)
            continue
        metavar = action.metavar if isinstance(action.metavar, str) else ""
        words = metavar.split("|")
        if action.choices is None and all(word == word.lower() for word in words) and len(words) > 1:
            action.choices = words
        elif action.dest == "metric":
            action.choices = list(METRICS)
        elif {"FILE", "PATH", "STUDY"} & set(_names(metavar)):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif "FOLDER" in _names(metavar):
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]


def _names(metavar: str) -> list[str]:
    """Return the words of what an argument is said to take: [NAME=]PATH takes a NAME and a PATH."""
    return "".join(sign if sign.isalpha() else " " for sign in metavar).split()


def add_cache(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--clear", action="store_true", help="remove all of it")


def run_cache(chosen: argparse.Namespace) -> int:
    from mtsig._cache import ROOMS, users_cache, users_folder  # here, because it loads numpy

    folder = users_folder()
    if folder is None:
        why = "MTSIG_CACHE is off" if os.environ.get("MTSIG_CACHE") else "there is no home folder"
        say(f"Nothing is kept: {why}.")
        return 0
    say(str(folder))
    for room in ROOMS:
        cache = users_cache(room)
        if cache is None:
            continue
        files, size = cache.size()
        if chosen.clear:
            cache.clear()
        removed = " removed" if chosen.clear else f" of at most {_megabytes(cache.most_bytes)}"
        say(f"{room}: {files} entries, {_megabytes(size)}{removed}")
    return 0


def _megabytes(size: int) -> str:
    return f"{size / 2**20:,.1f} MB"
