"""`mtsig raters`: how far the judges of a rating agree, how lenient they are, and what their values vary by."""

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from mtsig.cli.flags import add_flags, add_format, chosen_options
from mtsig.cli.inputs import add_input
from mtsig.cli.out import add_out, write_out
from mtsig.cli.people import rating_name
from mtsig.cli.reading import read_input
from mtsig.cli.show import progress, show, show_notes
from mtsig.corpus import Note
from mtsig.errors import NotApplicable, find, find_typed
from mtsig.inference import Settings
from mtsig.meta_eval import (
    AGREEMENTS,
    STATISTICS,
    Agreement,
    Leniency,
    agreement,
    both_scales,
    ceiling,
    compare_with_random_judges,
    leniency,
    repeats,
    variance_shares,
)
from mtsig.report import (
    agreement_table,
    both_scales_table,
    judges_design_table,
    leniency_table,
    random_judges_table,
    repeats_table,
    residuals_table,
    shares_table,
)
from mtsig.report.bundle import judges_bundle
from mtsig.report.judges import ceiling_table
from mtsig.resampling import Bootstrap

if TYPE_CHECKING:
    from mtsig.figures import Picture

T = TypeVar("T")


EXAMPLES = {
    "mtsig raters --data data --ratings esa.csv": "the judges of the only rating",
    "mtsig raters --data data --ratings esa.csv --rating esa --kind alpha --format csv": "a row for each judge",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_input(parser)
    group = parser.add_argument_group("raters")
    group.add_argument("--rating", metavar="NAME", help="whose judges (default: those of the only rating there is)")
    kinds = f"coefficients of agreement: some of {', '.join(AGREEMENTS)} (default: alpha)"
    group.add_argument("--kind", nargs="+", metavar="NAME", default=["alpha"], help=kinds)
    names = ", ".join(STATISTICS)
    group.add_argument(
        "--statistic", metavar="NAME", default="spa",
        help=f"by what a judge is held against the others, as a metric is: one of {names} (default: spa)",
    )  # fmt: skip
    add_format(parser, words="csv has a row for each judge; ")
    add_out(group, "what is known of the judges")
    add_flags(parser, Settings, only=("level", "draws", "seed", "unit"))


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    settings = chosen_options(Settings, chosen)
    kinds = [find_typed(AGREEMENTS, name, "agreement") for name in dict.fromkeys(chosen.kind)]
    statistic = find_typed(STATISTICS, chosen.statistic, "statistic")
    corpus = read_input(chosen)
    name = rating_name(chosen.rating, corpus, "--rating")
    judgements = find(corpus.ratings, name, "rating").judgements
    if judgements is None:
        raise NotApplicable(f"{name}: it is not known who gave which value, so nothing can be said of its judges.")
    refused: list[Note] = []
    if judgements.signed is not judgements:
        refused.append(Note("note", f"{name}: values that nobody signed are no judge's, and are left out."))
        judgements = judgements.signed

    def unless_refused(work: Callable[[], T]) -> T | None:
        try:
            return work()
        except NotApplicable as error:
            refused.append(Note("note", str(error)))
            return None

    with progress("Redrawing"):
        options: dict[str, Any] = {
            "documents": corpus.documents,
            "scheme": Bootstrap(settings.draws, settings.seed, settings.unit),
        }
        asked = [
            unless_refused(partial(agreement, judgements, kind, level=settings.level, **options)) for kind in kinds
        ]
        levels = unless_refused(partial(leniency, judgements, list(corpus.systems), **options))
        shares = unless_refused(partial(variance_shares, judgements, corpus.documents))
        pairs = unless_refused(
            partial(
                compare_with_random_judges,
                judgements,
                list(corpus.systems),
                higher_is_better=corpus.ratings[name].higher_is_better,
                documents=corpus.documents,
                unit=settings.unit,
                level=settings.level,
            )
        )
        highest = unless_refused(partial(ceiling, corpus, name, statistic))
        again = repeats(judgements, level=settings.level, **options)
    systems = list(corpus.systems)
    both = both_scales(judgements, systems)
    agreements = [agreed for agreed in asked if agreed is not None]
    if not agreements and levels is None and shares is None and pairs is None:
        raise NotApplicable(" ".join(dict.fromkeys(note.text for note in refused)))
    notes = [*refused, *(note for result in (levels, shares, pairs) if result is not None for note in result.notes)]
    show_notes(corpus, notes)
    tables = [agreement_table(agreements)] if agreements else []
    tables += [repeats_table(again)] if again else []
    tables += [judges_design_table(judgements, systems), both_scales_table(both)]
    tables += [leniency_table(levels), residuals_table(levels, systems)] if levels is not None else []
    tables += [shares_table(shares)] if shares is not None else []
    tables += [random_judges_table(pairs)] if pairs is not None else []
    tables += [ceiling_table(highest)] if highest is not None else []
    bundle = judges_bundle(corpus, settings, name, agreements, levels, shares, notes, pairs, highest, both, again)
    show(chosen.format, bundle, "raters", tables)
    write_out(chosen.out, "raters", bundle, "raters", tables, lambda: _pictures(agreements, levels))
    return 0


def _pictures(agreements: Sequence[Agreement], levels: Leniency | None) -> "dict[str, Picture]":
    from mtsig.figures import AgreementDots, LeniencyDots

    drawn: dict[str, Picture] = {} if levels is None else {"leniency": LeniencyDots.of(levels)}
    return drawn | ({"agreement": AgreementDots.of(agreements)} if agreements else {})
