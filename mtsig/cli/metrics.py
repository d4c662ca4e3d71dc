"""`mtsig metrics`: which metrics there are, what they measure, and their options."""

import argparse
from collections.abc import Sequence
from typing import Any

from mtsig.cli.flags import add_format
from mtsig.cli.show import show
from mtsig.errors import find_typed
from mtsig.metrics import METRICS, Metric
from mtsig.options import Option, options
from mtsig.report import Table
from mtsig.study import SCHEMA

EXAMPLES = {
    "mtsig metrics": "all metrics",
    "mtsig metrics bleu chrf": "the options of two",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="metrics whose options to list")
    add_format(parser, ("table", "markdown", "json"))


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code.

    Raises:
        UnknownName: no such metric.
    """
    del rest
    named = {name: find_typed(METRICS, name, "metric") for name in chosen.names}
    shown = named or METRICS
    tables = [_options(name, shown_metric) for name, shown_metric in named.items()] if named else [_list()]
    bundle = {"schema": SCHEMA, "metrics": [_row(name, shown_metric) for name, shown_metric in shown.items()]}
    show(chosen.format, bundle, "metrics", tables)
    return 0


def _row(name: str, metric: Metric) -> dict[str, Any]:
    described = {
        option.name: {"default": option.default, "takes": option.expected, "help": option.help}
        for option in options(metric)
    }
    return {
        "name": name,
        "prints": metric.name,
        "about": metric.about,
        "common": metric.common,
        "higher_is_better": metric.higher_is_better if metric.judges else None,
        "segment_mean": metric.is_segment_mean,
        "options": described,
    }


def _list() -> Table:
    rows = ((name, metric.name, metric.about, ", ".join(_names(metric))) for name, metric in METRICS.items())
    caption = "Write options on the name, as in bleu:tokenize=zh,lowercase=true. What they mean: mtsig metrics NAME."
    return Table.of_text(caption, ("name", "prints", "what it measures", "options"), rows)


def _names(metric: Metric) -> list[str]:
    """Return the options that are not advanced, and how many others there are."""
    common = [option.name for option in options(metric) if not option.advanced]
    others = len(options(metric)) - len(common)
    return [*common, f"{others} more"] if others else common


def _options(name: str, metric: Metric) -> Table:
    rows = ((option.name, _written(option), option.expected, option.help) for option in options(metric))
    return Table.of_text(f"{metric.name}. {metric.about}", (name, "default", "takes", "meaning"), rows)


def _written(option: Option) -> str:
    """Return the default as it would be typed."""
    if option.default is None or option.default == "":
        return "–"
    return str(option.default).lower() if option.type is bool else f"{option.default}"
