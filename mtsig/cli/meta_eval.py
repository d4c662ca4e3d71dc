"""`mtsig meta-eval`: how well metrics agree with people, and whether one agrees better than another."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, get_args

from mtsig.cli.analysis import add_metric
from mtsig.cli.flags import add_flags, chosen_options, refuse_given
from mtsig.cli.inputs import add_input
from mtsig.cli.out import add_out, write_out
from mtsig.cli.people import add_human, add_judged, human_rating, judged_by
from mtsig.cli.reading import read_input
from mtsig.cli.say import tell
from mtsig.cli.several import OF_ONE_SET, ONE_SET
from mtsig.cli.show import progress, show, show_notes
from mtsig.corpus import Note, inspect, listed
from mtsig.errors import InvalidOption, find_typed
from mtsig.inference import Settings, rankable
from mtsig.meta_eval import (
    DEFAULT,
    EXCHANGES,
    STATISTICS,
    By,
    ComparedMetrics,
    Guarded,
    MetaEval,
    OfGroups,
    Over,
    PairwiseAccuracy,
    SoftPairwiseAccuracy,
    Statistic,
    VerdictTable,
    accuracy_over_sets,
    compare_metrics,
    meta_eval,
    sentinels,
    texts_of,
    verdict_table,
)
from mtsig.report import (
    file_words,
    metrics_table,
    places_table,
    sentinels_table,
    trust_bundle,
    trust_table,
    verdict_counts_table,
    verdict_pairs_table,
)
from mtsig.report.bundle import trust_over_sets_bundle
from mtsig.report.trust import over_sets_table
from mtsig.sets import read_sets

if TYPE_CHECKING:
    from mtsig.figures import Picture


EXAMPLES = {
    "mtsig meta-eval --data data --ratings mqm.tsv --human mqm --metric bleu chrf": "two metrics against people",
    "mtsig meta-eval --data data --ratings mqm.tsv --metric sentbleu sentchrf --compare pearson": "is one better?",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_input(parser)
    add_metric(parser)
    group = parser.add_argument_group("meta-evaluation; without --metric, all that the data have")
    sets = "test sets instead of the input above (paths as for --data): pairwise accuracy over all their pairs"
    group.add_argument("--set", nargs="+", action="extend", metavar="[NAME=]PATH", help=sets)
    add_human(group)
    names = ", ".join(STATISTICS)
    group.add_argument(
        "--statistic", nargs="+", metavar="NAME", help=f"some of {names} (default: {', '.join(DEFAULT)})"
    )
    group.add_argument("--by", choices=get_args(By), help="what segments' scores are compared within (default: item)")
    group.add_argument("--compare", metavar="STATISTIC", help="test all pairs of metrics by this statistic, too")
    exchanged = "what such a test exchanges as a whole (default: item: other segments, these systems)"
    group.add_argument("--exchange", choices=tuple(EXCHANGES), help=exchanged)
    redrawn = "what is redrawn for intervals (default: both)"
    group.add_argument("--over", choices=get_args(Over), default="both", help=redrawn)
    add_judged(group)
    kind = "systems of a kind: every value without all of them, too (two of a kind hide each other)"
    group.add_argument("--without", nargs="+", metavar="SYSTEM", default=[], help=kind)
    zero = "also test for zero correlation (rarely informative)"
    group.add_argument("--zero-correlation", action="store_true", help=zero)
    guards = "hold metrics against lengths, a random score and segments' means (default: yes)"
    group.add_argument("--sentinels", action=argparse.BooleanOptionalAction, default=None, help=guards)
    pairs = "also say of every pair of systems what people and each metric separate, contradictions first"
    group.add_argument("--verdicts", action="store_true", help=pairs)
    group.add_argument("--compat", choices=("mtme",), help="soft and pairwise accuracy as mt-metrics-eval has them")
    add_out(group, "the agreement")
    add_flags(parser, Settings, only=("test", "correction", "level", "draws", "seed", "unit"))


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    settings = chosen_options(Settings, chosen)
    if chosen.set is not None:
        return _over_sets(chosen, settings)
    if chosen.exchange is not None and chosen.compare is None:
        raise InvalidOption("--exchange is of the test that --compare STATISTIC asks for.")
    corpus = read_input(chosen)
    judged = judged_by(chosen, corpus, human_rating(chosen, corpus))
    statistics = [_statistic(name, chosen) for name in chosen.statistic or DEFAULT]
    with progress("Redrawing"):
        trusted = meta_eval(
            judged, statistics, by=_by(chosen), over=chosen.over, settings=settings, without=chosen.without,
            p_values=chosen.zero_correlation,
        )  # fmt: skip
    families = []
    if chosen.compare is not None:
        with progress("Exchanging scores between metrics"):
            compared = _statistic(chosen.compare, chosen)
            families.append(compare_metrics(judged, compared, chosen.exchange or "item", settings))
    guarded: tuple[Guarded, ...] = ()
    if chosen.sentinels is not False:
        with progress("Holding against sentinels"):
            guarded = sentinels(
                judged,
                statistics,
                **texts_of(judged, corpus),
                by=_by(chosen),
                over=chosen.over,
                settings=settings,
            )
    verdicts, left_out = [], list[Note]()
    if chosen.verdicts:
        whole = {name: judged.whole(name) for name in judged.names if judged.whole(name)}
        if whole:
            which = listed(list(dict.fromkeys(whole.values())))
            text = f"Of {which} there are scores of whole systems only: they give no verdicts."
            left_out.append(Note("note", text))
        with progress("Comparing systems"):
            verdicts = [verdict_table(judged, name, settings) for name in judged.names if name not in whole]
    show_notes(corpus, [*trusted.notes, *(note for family in families for note in family.notes), *left_out])
    tables = [trust_table(trusted), *map(metrics_table, families)]
    tables += [places_table(family) for family in families if rankable(family)]
    tables += [sentinels_table(guarded)] if guarded else []
    tables += [table for verdict in verdicts for table in (verdict_counts_table(verdict), verdict_pairs_table(verdict))]
    bundle = trust_bundle(corpus, settings, trusted, families, guarded, verdicts)
    show(chosen.format, bundle, "meta_eval", tables)
    write_out(chosen.out, "meta-eval", bundle, "meta_eval", tables, lambda: _pictures(trusted, families, verdicts))
    return 0


def _pictures(
    trusted: MetaEval, families: Sequence[ComparedMetrics], verdicts: Sequence[VerdictTable]
) -> "dict[str, Picture]":
    from mtsig.figures import Matrix, TrustDots, VerdictMarks

    pictures: dict[str, Picture] = {
        "agreement": TrustDots.of(trusted, list(dict.fromkeys(row.statistic for row in trusted)))
    }
    pictures |= {f"metrics-{family.metric}": Matrix.of(family.by_score(), compared="metric") for family in families}
    words = file_words([verdict.metric for verdict in verdicts])
    return pictures | {f"verdicts-{word}": VerdictMarks.of(table) for word, table in zip(words, verdicts, strict=True)}


def _over_sets(chosen: argparse.Namespace, settings: Settings) -> int:
    """Say on how many pairs of systems of several sets metrics and people agree, and return the exit code.

    Raises:
        InvalidOption: with arguments of one test set, or no metric is in all sets.
    """
    refuse_given(chosen, "--set", ONE_SET, OF_ONE_SET)
    others = ("statistic", "by", "compare", "exchange", "sentinels", "verdicts", "compat")
    why = "over sets there is pairwise accuracy alone."
    refuse_given(chosen, "--set", (*others, "without", "zero_correlation"), why)
    sets = [
        (name, corpus, judged_by(chosen, corpus, human_rating(chosen, corpus)))
        for name, corpus in read_sets(chosen.set).items()
    ]
    names = [name for name in sets[0][2].names if all(name in judged.names for _, _, judged in sets)]
    if not names:
        raise InvalidOption("No metric is in all of these test sets: name one with --metric.")
    with progress("Redrawing"):
        every = [judged for _, _, judged in sets]
        accuracies = [accuracy_over_sets(every, name, over=chosen.over, settings=settings) for name in names]
    notes = [(name, note) for name, corpus, judged in sets for note in (*inspect(corpus), *judged.notes)]
    tell(*dict.fromkeys(f"{note.level}: {name}: {note.text}" for name, note in notes))
    tables, bundle = [over_sets_table(accuracies)], trust_over_sets_bundle(settings, accuracies)
    show(chosen.format, bundle, "meta_eval", tables)
    write_out(chosen.out, "meta-eval", bundle, "meta_eval", tables, dict)
    return 0


def _statistic(name: str, chosen: argparse.Namespace) -> Statistic:
    statistic = find_typed(STATISTICS, name, "statistic")
    if isinstance(statistic, SoftPairwiseAccuracy) and chosen.compat:
        return replace(statistic, p="mtme")
    if isinstance(statistic, PairwiseAccuracy) and chosen.compat:
        return replace(statistic, ties="mtme")
    return replace(statistic, by=_by(chosen)) if isinstance(statistic, OfGroups) else statistic


def _by(chosen: argparse.Namespace) -> By:
    by: By = chosen.by or "item"
    return by
