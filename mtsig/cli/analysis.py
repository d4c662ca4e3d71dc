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
from mtsig.inference import METHODS, TESTS, Settings
from mtsig.metrics import METRICS, Metric, default_metrics, metric
from mtsig.options import options


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
