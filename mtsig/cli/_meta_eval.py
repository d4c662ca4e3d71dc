"""Metrics and ratings: how well they agree, how far raters do, and what a difference of a metric stands for."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from mtsig.cli._arguments import (
    add_format,
    add_input,
    add_metric,
    chosen_metrics,
    chosen_options,
    number,
    refuse_given,
)
from mtsig.cli._output import add_out, progress, show, tell, write_out
from mtsig.cli._reading import measured, read_input, show_notes
from mtsig.cli._several import OF_ONE_SET, ONE_SET
from mtsig.collection import read_sets
from mtsig.corpus import Corpus, Note, inspect
from mtsig.corpus._notes import joint_ratings, listed
from mtsig.errors import InvalidOption, NotApplicable, find, find_typed
from mtsig.inference import Settings
from mtsig.inference._ranks import rankable
from mtsig.meta_eval import (
    AGREEMENTS,
    EXCHANGES,
    STATISTICS,
    ComparedMetrics,
    MetaEval,
    PairwiseAccuracy,
    RatedData,
    SoftPairwiseAccuracy,
    Statistic,
    accuracy_over_sets,
    agreement,
    ceiling,
    compare_metrics,
    delta_accuracy,
    leniency,
    meta_eval,
    sentinels,
    variance_shares,
    verdict_table,
)
from mtsig.meta_eval._comparing import Guarded, texts_of
from mtsig.meta_eval._delta_accuracy import Curve, VerdictTable
from mtsig.meta_eval._groups import By, OfGroups
from mtsig.meta_eval._leniency import Leniency, both_scales
from mtsig.meta_eval._metric_agreement import DEFAULT
from mtsig.meta_eval._random_raters import compare_with_random_judges
from mtsig.meta_eval._rated_data import Humans, Segments, people_of_systems, whole_systems
from mtsig.meta_eval._rater_agreement import Agreement, repeats
from mtsig.meta_eval._statistic import Over
from mtsig.metrics import Metric, Rated, metric, rating_choice
from mtsig.readers._rates import given_by
from mtsig.report._agreement import meant_table, needed_table, verdict_counts_table, verdict_pairs_table
from mtsig.report._meta_eval import (
    meaning_bundle,
    metrics_table,
    over_sets_table,
    places_table,
    sentinels_table,
    trust_bundle,
    trust_over_sets_bundle,
    trust_table,
)
from mtsig.report._paper import file_words
from mtsig.report._raters import (
    agreement_table,
    both_scales_table,
    ceiling_table,
    judges_bundle,
    judges_design_table,
    leniency_table,
    random_judges_table,
    repeats_table,
    residuals_table,
    shares_table,
)
from mtsig.resampling import Bootstrap

if TYPE_CHECKING:
    from mtsig.figures import Picture


def add_human(group: Any) -> None:
    """Add --human."""
    group.add_argument("--human", metavar="NAME", help="the rating by people (default: the only rating there is)")


def add_judged(group: Any) -> None:
    """Add --humans and --segments."""
    humans = "human translations among the systems (default: exclude; the other value stands beside)"
    group.add_argument("--humans", choices=get_args(Humans), default="exclude", help=humans)
    segments = "segments behind a metric's system scores: those rated for the system, or all (default: matched)"
    group.add_argument("--segments", choices=get_args(Segments), default="matched", help=segments)


def human_rating(chosen: argparse.Namespace, corpus: Corpus) -> Metric:
    """Return the rating that --human names, or the only one; people's scores of whole systems where they are alone.

    Raises:
        InvalidOption: none is named, and there is not one alone.
        UnknownName: there is no such rating.
    """
    of_systems = people_of_systems(corpus)
    name = chosen.human
    if name is None and not joint_ratings(corpus.ratings) and len(of_systems) == 1:
        name = of_systems[0]
    scores = None if name is None else whole_systems(corpus, name)
    return scores or metric(f"rating:{rating_name(name, corpus, '--human', of_systems)}:").on(corpus)


TEXT_METRICS = ("bleu", "chrf", "ter")
"""What is held against people where there is text to score and no metric is named."""


def judged_by(chosen: argparse.Namespace, corpus: Corpus, human: Metric) -> RatedData:
    """Return the metrics that --metric names, or all that the data have, beside a rating by people.

    The data have the ratings that no people gave, as far as their names tell, and the usual metrics of their text.
    Scores of whole systems take part where they are named, or alone: systems without them would be left out.

    Raises:
        InvalidOption: no metric is named, and the data have none.
    """
    asked = chosen
    if chosen.metric is None:
        own = human.rating if isinstance(human, Rated) else ""
        others = [name for name in joint_ratings(corpus.ratings) if name != own and given_by(name) != "people"]
        names = [rating_choice(name) for name in others]
        if corpus.outputs and corpus.references:
            names += [name for name in TEXT_METRICS if name not in (other.lower() for other in others)]
        of_people = {own or human.name, *people_of_systems(corpus)}
        whole = [name for name in corpus.system_scores if name not in corpus.ratings and name not in of_people]
        if whole and names:
            choice = rating_choice(whole[0])
            tell(f"note: There are scores of whole systems, too: {listed(whole)}. --metric {choice} takes them.")
        names = names or list(map(rating_choice, whole))
        if not names:
            raise InvalidOption(
                "These data have no metric to hold against people: name one with --metric, such as rating:COMET."
            )
        asked = argparse.Namespace(metric=names)
    of_systems = {name: scores for name in asked.metric if (scores := whole_systems(corpus, name)) is not None}
    asked = argparse.Namespace(metric=[name for name in asked.metric if name not in of_systems])
    of_segments = chosen_metrics(asked, corpus) if asked.metric else []
    people, *metrics = measured(corpus, [human, *of_segments, *of_systems.values()])
    return RatedData.of(corpus, people, metrics, humans=chosen.humans, segments=chosen.segments)


def rating_name(name: str | None, corpus: Corpus, flag: str, more: Sequence[str] = ()) -> str:
    """Return the rating that a flag names, or the only one; those of its single judges are none beside it.

    more: what else it may name.
    """
    there = joint_ratings(corpus.ratings)
    if name is None and len(there) != 1:
        known = ", ".join((*there, *more)) or "none"
        raise InvalidOption(f"This needs ratings by people: name one with {flag}. Known: {known}.")
    return there[0] if name is None else name.removeprefix("rating:")


def add_meta_eval(parser: argparse.ArgumentParser) -> None:
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


def run_meta_eval(chosen: argparse.Namespace) -> int:
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
    write_out(
        chosen.out, "meta-eval", bundle, "meta_eval", tables, lambda: _pictures_meta_eval(trusted, families, verdicts)
    )
    return 0


def _pictures_meta_eval(
    trusted: MetaEval, families: Sequence[ComparedMetrics], verdicts: Sequence[VerdictTable]
) -> "dict[str, Picture]":
    from mtsig.figures import Matrix, TrustDots
    from mtsig.figures._people import VerdictMarks

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


T = TypeVar("T")


def add_raters(parser: argparse.ArgumentParser) -> None:
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


def run_raters(chosen: argparse.Namespace) -> int:
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
            "scheme": Bootstrap(settings.n_resamples, settings.seed, settings.unit),
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
    write_out(chosen.out, "raters", bundle, "raters", tables, lambda: _pictures_raters(agreements, levels))
    return 0


def _pictures_raters(agreements: Sequence[Agreement], levels: Leniency | None) -> "dict[str, Picture]":
    from mtsig.figures import AgreementDots, LeniencyDots

    drawn: dict[str, Picture] = {} if levels is None else {"leniency": LeniencyDots.of(levels)}
    return drawn | ({"agreement": AgreementDots.of(agreements)} if agreements else {})


def add_delta(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    add_metric(parser)
    group = parser.add_argument_group("difference")
    add_human(group)
    add_judged(group)
    points = "differences of the metric's scores to say the meaning of, whichever system is better"
    group.add_argument("--difference", nargs="+", metavar="POINTS", default=[], help=points)
    add_out(group, "the curves")


def run_delta(chosen: argparse.Namespace) -> int:
    settings = chosen_options(Settings, chosen)
    differences = [number(text, "--difference is a number of points") for text in chosen.difference]
    corpus = read_input(chosen)
    human = human_rating(chosen, corpus)
    judged = judged_by(chosen, corpus, human)
    scheme = Bootstrap(settings.n_resamples, settings.seed, settings.unit)
    with progress("Redrawing"):
        curves = [delta_accuracy(judged, name, level=settings.level, scheme=scheme) for name in judged.names]
    bundle = meaning_bundle(corpus, settings, judged, curves, differences)
    show_notes(corpus, [*judged.notes, *(note for curve in curves for note in curve.notes)])
    meant = [curve.at(difference) for curve in curves for difference in differences]
    tables = [*([meant_table(meant)] if meant else []), needed_table(curves)]
    rows = "meant" if meant else "needed"
    show(chosen.format, bundle, rows, tables)
    write_out(chosen.out, "delta", bundle, rows, tables, lambda: _pictures_delta(curves, differences))
    return 0


def _pictures_delta(curves: Sequence[Curve], differences: Sequence[float]) -> "dict[str, Picture]":
    from mtsig.figures import MeaningCurve

    asked = differences[0] if len(differences) == 1 else None
    words = file_words([curve.metric for curve in curves])
    return {word: MeaningCurve.of(curve, asked) for word, curve in zip(words, curves, strict=True)}
