"""`mtsig power`: what a test set could find, how many segments a difference needs, and what can be ruled out."""

import argparse
from collections.abc import Sequence
from typing import Any

from mtsig.cautions import single_runs
from mtsig.cli.flags import add_flags, chosen_options
from mtsig.cli.pairs import add_pair, read_pair, read_statistics
from mtsig.cli.show import show, show_notes
from mtsig.corpus import Note
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference import Design, Settings, design_test_set, pair_cautions, power_analysis
from mtsig.meta_eval import RatingDesign, design_ratings_by
from mtsig.metrics import Rated
from mtsig.report import design_table, ratings_design_table
from mtsig.report.bundle import power_bundle
from mtsig.report.tables import power_table

EXAMPLES = {
    "mtsig power --data data --pair ours base --difference 0.5": "how many segments does half a point need?",
    "mtsig power --data data --pair ours base --margin 1": "are they equal within one point?",
}


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
    parser.add_argument(
        "--judges",
        metavar="J",
        type=int,
        help="of a rating: how many judges will share the work (default: as many as now)",
    )
    price = "of a rating: what one value by one judge costs, beside the price of the segment"
    parser.add_argument("--price-judgement", metavar="PRICE", help=price)
    parser.add_argument("--margin", metavar="POINTS", help="margin of equivalence, fixed before looking")
    parser.add_argument(
        "--comparisons",
        metavar="M",
        type=int,
        help="how many comparisons will be judged together (default: all pairs of --future-systems); size and power "
        "are those after correction",
    )
    add_flags(parser, Settings, only=("level", "unit"))


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
    price_judgement = _number(chosen.price_judgement, "price-judgement")
    corpus, statistics = read_statistics(chosen)
    pair = read_pair(chosen, list(statistics[0].systems))
    analyses = [
        power_analysis(
            counted,
            *pair,
            difference,
            margin,
            power=power,
            level=settings.level,
            comparisons=comparisons,
            unit=settings.unit,
        )
        for counted in statistics
    ]
    designs: list[Design] = []
    ratings: dict[str, RatingDesign] = {}
    refused: list[Note] = []
    if difference is not None:
        common: dict[str, Any] = {"power": power, "level": settings.level, "unit": settings.unit, **prices}
        common |= {"systems": chosen.future_systems, "comparisons": comparisons}
        designs = [design_test_set(counted, *pair, difference, **common) for counted in statistics]
        wanted: dict[str, Any] = {"power": power, "level": settings.level, "systems": chosen.future_systems}
        wanted |= {"comparisons": comparisons, "price_judgement": price_judgement}
        wanted |= {"price_segment": prices["price_segment"]}
        for rating in (counted.metric.rating for counted in statistics if isinstance(counted.metric, Rated)):
            if corpus.ratings[rating].judgements is None:
                continue
            try:
                ratings[rating] = design_ratings_by(corpus, rating, difference, chosen.judges, **wanted)
            except NotApplicable as error:
                refused.append(Note("note", f"{rating}: {error}"))
    notes = [
        note for counted in statistics for note in (*counted.notes, *pair_cautions(counted, *pair, settings.unit))
    ] + refused
    tables = [*(power_table(analysis) for analysis in analyses), *(design_table(design) for design in designs)]
    tables += map(ratings_design_table, ratings.values())
    show_notes(corpus, [*single_runs(pair), *notes])
    show(chosen.format, power_bundle(corpus, settings, analyses, notes, designs, ratings), "power", tables)
    return 0


def _number(text: str | None, name: str) -> float | None:
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        raise InvalidOption(f"--{name} takes a number; found {text!r}.") from None
