"""Arguments that say how outputs are scored and compared: the metrics, and the settings of the tests.

Apart from `flags`, since verbs that neither score nor compare do not wait for metrics and tests to be loaded.
"""

import argparse
from collections.abc import Sequence
from shutil import get_terminal_size
from textwrap import TextWrapper

from mtsig.cli.flags import FORMATS, add_flags, add_format, chosen_options
from mtsig.corpus import Corpus
from mtsig.errors import InvalidOption
from mtsig.inference import METHODS, TESTS, PairChoice, Settings
from mtsig.metrics import METRICS, Metric, default_metrics, metric
from mtsig.options import options
from mtsig.study.request import Margin, margins_from

MARGINS = ("margin", "equivalence", "one_more_document")
"""Arguments that hold pairs against a margin."""


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add --method, and a flag for every setting."""
    words = [f"{name}: {method.label}. {method.about}".replace("%", "%%") for name, method in METHODS.items()]
    parser.add_argument(
        "--method",
        choices=tuple(METHODS),
        help=f"the settings that people ask for by name; flags beside it change single ones. {' '.join(words)}",
    )
    add_flags(parser, Settings, names={"test": {name: test.title for name, test in TESTS.items()}})


def chosen_settings(chosen: argparse.Namespace) -> Settings:
    """Return the settings of the method that was named, or the defaults, with the flags that were given.

    Raises:
        InvalidOption: a value is not allowed.
    """
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


def chosen_margins(chosen: argparse.Namespace, metrics: Sequence[Metric], pairs: PairChoice) -> tuple[Margin, ...]:
    """Return the margins that the arguments name.

    Raises:
        InvalidOption: as `margins_from`, and where one is no number.
    """
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
        nargs="+",
        metavar="NAME[:OPTION=VALUE,…]",
        help="metrics of the list below, with options on the name, as in bleu:tokenize=zh; a rating by its name, or "
        "rating:NAME (default: bleu, or all ratings where there is no text to score)",
    )
    if formats:
        add_format(parser, formats)
    kept = "count everything again, and keep no counts for later runs (see mtsig cache)"
    parser.add_argument("--no-cache", action="store_true", help=kept)


def _metrics() -> str:
    """Return the metrics with what they are, in lines that fit the terminal and never break a name."""
    name = max(map(len, METRICS)) + 4
    width = max(40, get_terminal_size().columns - 2)
    fill = TextWrapper(width, subsequent_indent=" " * name, break_on_hyphens=False).fill
    lines = [fill(f"  {metric:<{name - 4}}  {METRICS[metric].about}") for metric in METRICS]
    return "\n".join(["metrics:", *lines, "", "Their options: mtsig metrics NAME"])


def chosen_metrics(chosen: argparse.Namespace, corpus: Corpus | None) -> list[Metric]:
    """Return the metrics that were named; without any BLEU, or the ratings where there is no text to score.

    Raises:
        UnknownName: no such metric, rating or option.
        InvalidOption: a value is not allowed, or a metric is named twice.
    """
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
