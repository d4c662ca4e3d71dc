"""`mtsig power`: what a test set could find, how many segments a difference needs, and what can be ruled out."""

import argparse
from collections.abc import Sequence
from typing import Any

from mtsig.cli.flags import add_flags, chosen_options
from mtsig.cli.pairs import add_pair, read_pair, read_statistics
from mtsig.cli.show import show, show_notes
from mtsig.errors import InvalidOption
from mtsig.inference import Settings, design_test_set, pair_cautions, power_analysis
from mtsig.report import design_table, power_bundle, power_table
from mtsig.study import single_runs


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_pair(parser)
    parser.add_argument(
        "--difference", metavar="POINTS", help="the true difference worth finding (not the observed one)"
    )
    parser.add_argument("--power", metavar="SHARE", default=".8", help="the power wanted (default: .8)")
    parser.add_argument(
        "--future-systems",
        metavar="S",
        type=int,
        default=2,
        help="systems that will be compared, all pairs (default: 2)",
    )
    for what in ("segment", "document"):
        parser.add_argument(
            f"--price-{what}", metavar="PRICE", help=f"what one {what} costs, in any currency: the sizes get their cost"
        )
    parser.add_argument("--margin", metavar="POINTS", help="margin of equivalence, fixed before looking")
    parser.add_argument(
        "--comparisons",
        metavar="M",
        type=int,
        help="how many comparisons will be judged together (default: all pairs of --future-systems); size and power "
        "are those after correction",
    )
    add_flags(parser, Settings, only=("level", "seed", "unit"))


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    settings = chosen_options(Settings, chosen)
    difference, margin = _number(chosen.difference, "difference"), _number(chosen.margin, "margin")
    power = _number(chosen.power, "power") or 0.0
    if chosen.future_systems < 2:
        raise InvalidOption(f"At least 2 systems are compared; found {chosen.future_systems}.")
    comparisons = (
        chosen.future_systems * (chosen.future_systems - 1) // 2 if chosen.comparisons is None else chosen.comparisons
    )
    prices = {
        what: _number(getattr(chosen, what), what.replace("_", "-")) for what in ("price_segment", "price_document")
    }
    corpus, statistics = read_statistics(chosen)
    pair = read_pair(chosen, list(statistics[0].systems))
    found = [
        power_analysis(
            one,
            *pair,
            difference,
            margin,
            power=power,
            level=settings.level,
            comparisons=comparisons,
            seed=settings.seed,
            unit=settings.unit,
        )
        for one in statistics
    ]
    designs = []
    if difference is not None:
        common: dict[str, Any] = {"power": power, "level": settings.level, "unit": settings.unit, **prices}
        common |= {"systems": chosen.future_systems, "comparisons": comparisons}
        designs = [design_test_set(one, *pair, difference, **common) for one in statistics]
    notes = [note for one in statistics for note in (*one.notes, *pair_cautions(one, *pair, settings.unit))]
    tables = [*(power_table(one) for one in found), *(design_table(one) for one in designs)]
    show_notes(corpus, [*single_runs(pair), *notes])
    show(chosen.format, power_bundle(corpus, settings, found, notes, designs), "power", tables)
    return 0


def _number(text: str | None, name: str) -> float | None:
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        raise InvalidOption(f"--{name} takes a number; found {text!r}.") from None
