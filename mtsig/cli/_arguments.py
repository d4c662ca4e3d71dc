"""The arguments that verbs share, each declared once, and what they say; flags come from the fields of dataclasses.

Metrics, tests and settings are loaded where they are asked for: a verb that neither scores nor compares, and a start of
the dashboard, do without.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from shutil import get_terminal_size
from textwrap import TextWrapper
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from mtsig.cli._output import tell
from mtsig.errors import InvalidOption, meant
from mtsig.limits import Limits, limits
from mtsig.options import options

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from mtsig.corpus import Corpus
    from mtsig.inference import Settings
    from mtsig.inference._targets import PairChoice
    from mtsig.metrics import Metric
    from mtsig.study import Margin

T = TypeVar("T")


class _Help(argparse.HelpFormatter):
    """argparse's help: paragraphs are filled, and what has lines of its own keeps them."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if "\n" in text else super()._fill_text(text, width, indent)


class Parser(argparse.ArgumentParser):
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


CALLED = {"n_resamples": "resamples"}
"""Options that have another name on the command line."""


def flag_of(name: str) -> str:
    """Return the flag of an option or argument."""
    return f"--{CALLED.get(name, name).replace('_', '-')}"


def add_flags(
    parser: argparse.ArgumentParser,
    described: type,
    only: Sequence[str] | None = None,
    title: str = "analysis",
    names: Mapping[str, Mapping[str, str]] | None = None,
) -> None:
    """Add a flag for every option of a dataclass, or for those named.

    names: by option, what its choices are called in full.
    """
    group = parser.add_argument_group(title)
    for option in options(described):
        if only is not None and option.name not in only:
            continue
        kind = {int: "N", float: "X", bool: "BOOL"}.get(option.type, "TEXT")
        shown = "|".join(option.choices) if option.choices else kind
        called = "".join(f" {choice}: {name}." for choice, name in (names or {}).get(option.name, {}).items())
        words = f"{option.help} (default: {option.default}){called}".replace("%", "%%")
        # Parsed by the option itself, so that its one message speaks here too.
        alone: dict[str, Any] = {"nargs": "?", "const": "true"} if option.type is bool else {}
        flags = dict.fromkeys([flag_of(option.name), f"--{CALLED.get(option.name, option.name)}"])
        group.add_argument(*flags, dest=option.name, metavar=shown, help=words, **alone)


def refuse_given(chosen: argparse.Namespace, beside: str, names: Sequence[str], why: str) -> None:
    """Raise InvalidOption where an argument is given that `beside` does not go with; none is ignored in silence."""
    for name in names:
        if getattr(chosen, name, None):
            flag = flag_of(name)
            raise InvalidOption(f"{beside} and {flag} do not go together: {why.replace('{flag}', flag)}")


def chosen_options(described: type[T], chosen: argparse.Namespace, **extra: Any) -> T:
    """Return the dataclass with the flags that were given.

    Raises:
        InvalidOption: a value is not allowed.
    """
    values = dict(extra)
    for option in options(described):
        text = getattr(chosen, option.name, None)
        if text is not None:
            values[option.name] = option.parse(text)
    return described(**values)


FORMATS = ("table", "markdown", "json", "csv")
"""What a verb prints that writes tables."""


def add_format(parser: argparse.ArgumentParser, formats: Sequence[str] = FORMATS, words: str = "") -> None:
    """Add --format; `words` come before its default in the help."""
    parser.add_argument("--format", choices=formats, default="table", help=f"{words}default: table")


class _Data(argparse.Action):
    """Keep the first --data as it is, and further ones as `more_data`."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        del parser, option_string
        if namespace.data is None:
            namespace.data = values
        else:
            namespace.more_data = (*namespace.more_data, values)


INPUT: Mapping[str, Mapping[str, Any]] = {
    "data": {
        "action": _Data,
        "metavar": "FOLDER|FILE|NAME",
        "help": "a folder, an archive, one file of any form that `mtsig read --help` lists, or a public test set by "
        "its name (wmt24/en-de; see mtsig download); once more for each run where a benchmark's logs lie apart",
    },
    "lp": {"metavar": "PAIR", "help": "which language pair, where --data holds several"},
    "ref": {"nargs": "+", "metavar": "FILE", "default": [], "help": "reference: FILE or NAME=FILE"},
    "sys": {
        "nargs": "+",
        "metavar": "FILE",
        "default": [],
        "help": "system output: FILE or NAME=FILE; one of them may be - or NAME=-, which is read from standard input",
    },
    "source": {"metavar": "FILE", "help": "source text"},
    "docs": {"metavar": "FILE", "help": "one document id per line"},
    "parses": {
        "nargs": "+",
        "metavar": "FILE",
        "default": [],
        "help": "CoNLL-U parse of a system or reference: NAME=FILE, or NAME.conllu",
    },
    "ratings": {
        "nargs": "+",
        "metavar": "[NAME=]FILE[:higher|:lower]",
        "default": [],
        "help": "human or metric scores per segment: a table with a column per system, or with columns system, segment "
        "and scores; :higher or :lower says which is better where the name does not tell, as MQM or COMET do",
    },
    "better": {
        "nargs": "+",
        "metavar": "NAME=higher|lower",
        "default": [],
        "help": "which direction of a rating in --data is better, where neither its name nor the data tell",
    },
    "systems": {"nargs": "+", "metavar": "NAME", "help": "only these systems, in this order"},
    "references": {"nargs": "+", "metavar": "NAME", "help": "only these references"},
    "subset": {
        "nargs": "+",
        "metavar": "BY=NAME",
        "default": [],
        "help": "only these segments: domain=news, origlang=de, document=ID or length=short,long",
    },
}
"""The arguments that name the data of one test set, by their names."""


def add_input(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name the data."""
    group = parser.add_argument_group("input", "--data, or --sys with --ref; --sys beside --data adds systems")
    for name, how in INPUT.items():
        group.add_argument(f"--{name}", **how)
    parser.set_defaults(more_data=())
    add_limits(parser)


def from_stdin(chosen: argparse.Namespace) -> list[str]:
    """Return the names after --sys that mean standard input: "-", or NAME=- unless a file is called so."""
    return [text for text in chosen.sys if text == "-" or (text.endswith("=-") and not _is_file(text))]


def _is_file(text: str) -> bool:
    from mtsig.readers._files import is_there

    return is_there(Path(text))


def input_arguments(chosen: argparse.Namespace) -> list[str]:
    """Return the input arguments as they would be typed again."""
    arguments: list[str] = []
    for name in INPUT:
        value: str | Sequence[str] | None = getattr(chosen, name)
        if value:
            arguments += [f"--{name}", *([value] if isinstance(value, str) else value)]
        if name == "data":
            arguments += [text for path in chosen.more_data for text in ("--data", path)]
    return arguments


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add a flag for every limit."""
    group = parser.add_argument_group("limits", "what is above is refused before work on it begins")
    for limit in options(Limits):
        words = f"{limit.help} (default: {limit.default:,})"
        group.add_argument(flag_of(limit.name), metavar="N", help=words)


def chosen_limits(chosen: argparse.Namespace) -> Limits:
    """Return the limits that hold here, with those that were given; a verb may have no such flags.

    Raises:
        InvalidOption: a value is not allowed.
    """
    held = limits()
    given = {limit: getattr(chosen, limit.name, None) for limit in options(held)}
    return replace(held, **{limit.name: limit.parse(text) for limit, text in given.items() if text is not None})


def number(text: str, expected: str) -> float:
    """Return the number that an argument gives.

    Raises:
        InvalidOption: it is none; `expected` says what is taken.
    """
    try:
        return float(text)
    except ValueError:
        raise InvalidOption(f"{expected}; found {text!r}.") from None


PAIR: Mapping[str, Any] = {"nargs": 2, "metavar": ("FIRST", "SECOND")}
METRIC: Mapping[str, Any] = {"nargs": "+", "metavar": "NAME[:OPTION=VALUE,…]"}
"""How --pair and --metric are given; what they are for stands in the help of each verb."""


def add_workers(parser: argparse.ArgumentParser) -> None:
    """Add the number of processes that share the work."""
    parser.add_argument("--workers", metavar="N", help="processes that share the work (default: 1)")


@contextmanager
def workers(chosen: argparse.Namespace) -> "Iterator[Executor | None]":
    """Yield an executor of so many processes, or None for this one.

    Raises:
        InvalidOption: it is no number from 1.
    """
    text = "1" if chosen.workers is None else chosen.workers
    if not text.isdecimal() or len(text) > 4 or int(text) < 1:
        raise InvalidOption(f"--workers takes a number from 1; found {text!r}.")
    count = int(text)
    from concurrent.futures import ProcessPoolExecutor  # here, because most work is done by one process
    from multiprocessing import get_context

    # Spawned, not forked: a fork in a process that runs threads of a linear-algebra library may hang.
    pool = nullcontext() if count == 1 else ProcessPoolExecutor(count, mp_context=get_context("spawn"))
    with pool as executor:
        yield executor


MARGINS = ("margin", "equivalence", "one_more_document")
"""Arguments that hold pairs against a margin."""


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add --method, and a flag for every setting."""
    from mtsig.inference import METHODS, TESTS, Settings

    words = [f"{name}: {method.label}. {method.about}".replace("%", "%%") for name, method in METHODS.items()]
    parser.add_argument(
        "--method",
        choices=tuple(METHODS),
        help=f"the settings that people ask for by name; flags beside it change single ones. {' '.join(words)}",
    )
    add_flags(parser, Settings, names={"test": {name: test.title for name, test in TESTS.items()}})


def chosen_settings(chosen: argparse.Namespace) -> "Settings":
    """Return the settings of the method that was named, or the defaults, with the flags that were given.

    Raises:
        InvalidOption: a value is not allowed.
    """
    from mtsig.inference import METHODS, Settings

    named = METHODS[chosen.method].settings if getattr(chosen, "method", None) else Settings()
    return chosen_options(Settings, chosen, **{option.name: getattr(named, option.name) for option in options(named)})


def add_margins(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that hold pairs against a margin."""
    group = parser.add_argument_group("margins, in points of a metric and fixed before looking")
    group.add_argument(
        "--margin",
        nargs="+",
        metavar="[METRIC=]POINTS",
        help="is the first system of every pair at most so much worse than the second (non-inferiority)? For all "
        "metrics or for each by its name; takes --pairs SYSTEM or --pair",
    )
    group.add_argument("--equivalence", action="store_true", help="do the two differ by less than --margin instead?")
    group.add_argument(
        "--one-more-document",
        action="store_true",
        help="shown only where it holds even with one more document like the heaviest, against the claim",
    )


def chosen_margins(
    chosen: argparse.Namespace, metrics: "Sequence[Metric]", pairs: "PairChoice"
) -> "tuple[Margin, ...]":
    """Return the margins that the arguments name.

    Raises:
        InvalidOption: as `margins_from`, and where one is no number.
    """
    from mtsig.study._request import margins_from

    return margins_from(
        chosen_margin(chosen), metrics, pairs, both=chosen.equivalence, one_more_document=chosen.one_more_document
    )


def chosen_margin(chosen: argparse.Namespace) -> float | dict[str, float] | None:
    """Return the margin of all metrics, or of each by its name.

    Raises:
        InvalidOption: one is no number, or several are given and one has no name.
    """
    if chosen.margin is None:
        return None
    margins = {}
    for text in chosen.margin:
        name, _, points = text.rpartition("=")
        try:
            margins[name] = float(points)
        except ValueError:
            raise InvalidOption(f"--margin takes POINTS or METRIC=POINTS, such as bleu=0.5; found {text!r}.") from None
    if "" not in margins:
        return margins
    if len(chosen.margin) > 1:
        raise InvalidOption("--margin takes one number for all metrics, or METRIC=POINTS for each; found both.")
    return margins[""]


def add_metric(parser: argparse.ArgumentParser, formats: Sequence[str] = FORMATS) -> None:
    """Add --metric, --format and --no-cache, and the list of metrics below the help."""
    parser.epilog = _metrics()
    parser.add_argument(
        "--metric",
        **METRIC,
        help="metrics of the list below, with options on the name, as in bleu:tokenize=zh; a rating by its name, or "
        "rating:NAME (default: bleu, or all ratings where there is no text to score)",
    )
    if formats:
        add_format(parser, formats)
    kept = "count everything again, and keep no counts for later runs (see mtsig cache)"
    parser.add_argument("--no-cache", action="store_true", help=kept)


def _metrics() -> str:
    """Return the metrics with what they are, in lines that fit the terminal and never break a name."""
    from mtsig.metrics import METRICS

    name = max(map(len, METRICS)) + 4
    width = max(40, get_terminal_size().columns - 2)
    fill = TextWrapper(width, subsequent_indent=" " * name, break_on_hyphens=False).fill
    lines = [fill(f"  {metric:<{name - 4}}  {METRICS[metric].about}") for metric in METRICS]
    return "\n".join(["metrics:", *lines, "", "Their options: mtsig metrics NAME"])


def chosen_metrics(chosen: argparse.Namespace, corpus: "Corpus | None") -> "list[Metric]":
    """Return the metrics that were named; without any BLEU, or the ratings where there is no text to score.

    Raises:
        UnknownName: no such metric, rating or option.
        InvalidOption: a value is not allowed, or a metric is named twice.
    """
    from mtsig.metrics import default_metrics, metric

    names = chosen.metric or (["bleu"] if corpus is None else default_metrics(corpus))
    ratings = () if corpus is None else tuple(corpus.ratings)
    metrics = [metric(name, ratings) for name in names]
    if corpus is not None:
        metrics = [metric.on(corpus) for metric in metrics]
    counted = [metric.counted for metric in metrics]
    for counting, name in zip(counted, names, strict=True):
        if counted.count(counting) > 1:
            raise InvalidOption(f"The metric {name} is named twice.")
    return metrics
