"""`mtsig metrics`: which metrics there are, what they measure, and their options."""

import argparse
from collections.abc import Sequence
from typing import Any

from mtsig.cli.flags import add_format
from mtsig.cli.show import show
from mtsig.metrics import METRICS, Metric
from mtsig.options import Option, options
from mtsig.registry import find_typed
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
    tables = [_options(name, one) for name, one in named.items()] if named else [_list()]
    bundle = {"schema": SCHEMA, "metrics": [_row(name, one) for name, one in shown.items()]}
    show(chosen.format, bundle, "metrics", tables)
    return 0


def _row(name: str, one: Metric) -> dict[str, Any]:
    described = {
        option.name: {"default": option.default, "takes": option.expected, "help": option.help}
        for option in options(one)
    }
    return {
        "name": name,
        "prints": one.name,
        "about": one.about,
        "common": one.common,
        "higher_is_better": one.higher_is_better if one.judges else None,
        "segment_mean": one.is_segment_mean,
        "options": described,
    }


def _list() -> Table:
    rows = ((name, metric.name, metric.about, ", ".join(_names(metric))) for name, metric in METRICS.items())
    caption = "Write options on the name, as in bleu:tokenize=zh,lowercase=true. What they mean: mtsig metrics NAME."
    return Table.of_text(caption, ("name", "prints", "what it measures", "options"), rows)


def _names(one: Metric) -> list[str]:
    """Return the options that are not advanced, and how many others there are."""
    found = [option.name for option in options(one) if not option.advanced]
    others = len(options(one)) - len(found)
    return [*found, f"{others} more"] if others else found


def _options(name: str, one: Metric) -> Table:
    rows = ((option.name, _written(option), option.expected, option.help) for option in options(one))
    return Table.of_text(f"{one.name}. {one.about}", (name, "default", "takes", "meaning"), rows)


def _written(option: Option) -> str:
    """Return the default as it would be typed."""
    if option.default is None or option.default == "":
        return "–"
    return str(option.default).lower() if option.type is bool else f"{option.default}"
