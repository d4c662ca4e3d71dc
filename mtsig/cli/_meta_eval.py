"""Metrics and ratings: how well they agree, how far raters do, and what a difference of a metric stands for.

Campaigns of ratings: few with a metric, which segments to rate, error spans, others' ranks, preferences.
"""

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from mtsig._writing import write_file
from mtsig.campaign import autoranks, compare_ratings, few_ratings, plan_sample, span_agreement
from mtsig.campaign._few import By, inclusions
from mtsig.campaign._rules import Beside, rank_by_rule
from mtsig.cli import _arguments, _output, _reading
from mtsig.collection._families import notes_of
from mtsig.corpus import Corpus, Note, inspect
from mtsig.corpus._annotations import errors_of
from mtsig.corpus._notes import joint_ratings, listed
from mtsig.errors import InvalidOption, NotApplicable, find
from mtsig.inference import Settings
from mtsig.inference._ranks import rankable
from mtsig.meta_eval import _metric_agreement
from mtsig.meta_eval._comparing import ComparedMetrics, Guarded, compare_metrics, sentinels, texts_of
from mtsig.meta_eval._delta_accuracy import Curve, VerdictTable, delta_accuracy, verdict_table
from mtsig.meta_eval._groups import OfGroups
from mtsig.meta_eval._leniency import Leniency, both_scales, ceiling, leniency
from mtsig.meta_eval._metric_agreement import MetaEval, meta_eval
from mtsig.meta_eval._rated_data import RatedData, people_of_systems, whole_systems
from mtsig.meta_eval._rater_agreement import AGREEMENTS, Agreement, agreement, repeats
from mtsig.meta_eval._rating_design import variance_shares
from mtsig.meta_eval._statistic import Statistic
from mtsig.meta_eval._systems import STATISTICS, PairwiseAccuracy, SoftPairwiseAccuracy, accuracy_over_sets
from mtsig.metrics import Metric, Rated, metric, rating_choice
from mtsig.readers._names import given_by
from mtsig.report import _bundle, _campaign, _meta_eval, _paper, _raters, score_table
from mtsig.resampling import Bootstrap
from mtsig.study import Study

if TYPE_CHECKING:
    from mtsig.campaign import Judged
    from mtsig.figures import Picture


def human_rating(chosen: argparse.Namespace, corpus: Corpus) -> Metric:
    """Return the rating that --human names, or the only one; people's scores of whole systems where they are alone."""
    of_systems = people_of_systems(corpus)
    name = chosen.human
    if name is None and not joint_ratings(corpus.ratings) and len(of_systems) == 1:
        name = of_systems[0]
    scores = None if name is None else whole_systems(corpus, name)
    return scores or metric(f"rating:{rating_name(name, corpus, of_systems)}:").on(corpus)


TEXT_METRICS = ("bleu", "chrf", "ter")
"""What is held against people where there is text to score and no metric is named."""


def rated_of(chosen: argparse.Namespace, corpus: Corpus, human: Metric) -> RatedData:
    """Return the metrics that --metric names, or all that the data have, beside a rating by people.

    The data have the ratings that no people gave, as far as their names tell, and the usual metrics of their text.
    Scores of whole systems take part where they are named, or alone: systems without them would be left out.
    """
    asked = chosen
    if not chosen.metric:
        own = human.rating if isinstance(human, Rated) else ""
        others = [name for name in joint_ratings(corpus.ratings) if name != own and given_by(name) != "people"]
        names = [rating_choice(name) for name in others]
        if corpus.outputs and corpus.references:
            names += [name for name in TEXT_METRICS if name not in (other.lower() for other in others)]
        of_people = {own or human.name, *people_of_systems(corpus)}
        whole = [name for name in corpus.system_scores if name not in corpus.ratings and name not in of_people]
        if whole and names:
            choice = rating_choice(whole[0])
            text = f"The data also have system-level scores: {listed(whole)}. Name one to use it: --metric {choice}."
            _output.tell_notes([Note("note", text)])
        names = names or list(map(rating_choice, whole))
        if not names:
            raise InvalidOption(
                "These data have no metric to compare with human ratings. Name one with --metric, such as rating:COMET."
            )
        asked = argparse.Namespace(metric=names)
    of_systems = {name: scores for name in asked.metric if (scores := whole_systems(corpus, name)) is not None}
    asked = argparse.Namespace(metric=[name for name in asked.metric if name not in of_systems])
    of_segments = _reading.chosen_metrics(asked, corpus) if asked.metric else []
    people, *metrics = _reading.measured(corpus, [human, *of_segments, *of_systems.values()])
    return RatedData.of(corpus, people, metrics, humans=chosen.human_translations, segments=chosen.segments)


def rating_name(name: str | None, corpus: Corpus, more: Sequence[str] = ()) -> str:
    """Return the rating that --human names, or the only one; those of single raters are none next to it.

    more: what else it may name.
    """
    there = joint_ratings(corpus.ratings)
    if name is None and len(there) != 1:
        known = ", ".join((*there, *more)) or "none"
        raise InvalidOption(f"This needs one human rating. Name it with --human; known ratings: {known}.")
    return there[0] if name is None else name.removeprefix("rating:")


def run_meta_eval(chosen: argparse.Namespace) -> int:
    settings = _arguments.chosen_settings(chosen)
    if chosen.compat not in (None, "mtme"):
        raise InvalidOption(f"--compat {chosen.compat} ranks systems. Use it with mtsig compare or preferences.")
    if chosen.set:
        return _over_sets(chosen, settings)
    if chosen.exchange is not None and chosen.compare is None:
        raise InvalidOption("--exchange only affects the test of --compare STATISTIC. Give both options.")
    corpus, by = _reading.read_input(chosen), chosen.group_by or "item"
    rated = rated_of(chosen, corpus, human_rating(chosen, corpus))
    statistics = [_statistic(name, chosen) for name in chosen.statistic or _metric_agreement.DEFAULT]
    families = []
    with _output.progress("Resampling"):
        how: dict[str, Any] = {"by": by, "over": chosen.over, "settings": settings}
        agreed = meta_eval(rated, statistics, without=chosen.without, p_values=chosen.zero_correlation, **how)
        if chosen.compare is not None:
            families.append(
                compare_metrics(rated, _statistic(chosen.compare, chosen), chosen.exchange or "item", settings)
            )
        guarded: tuple[Guarded, ...] = ()
        if chosen.sentinels is not False:
            guarded = sentinels(rated, statistics, **texts_of(rated, corpus), **how)
        whole = {name: rated.whole(name) for name in rated.names if chosen.verdicts and rated.whole(name)}
        known = [name for name in rated.names if chosen.verdicts and name not in whole]
        verdicts = [verdict_table(rated, name, settings) for name in known]
    left_out = list[Note]()
    if whole:
        which = listed(list(dict.fromkeys(whole.values())))
        left_out.append(Note("note", f"{which}: the data have only scores of whole systems, which allow no verdicts."))
    notes = [*agreed.notes, *(note for family in families for note in family.notes), *left_out]
    _output.tell_notes([*inspect(corpus), *notes])
    tables = [_meta_eval.trust_table(agreed), *map(_meta_eval.metrics_table, families)]
    tables += [_meta_eval.places_table(family) for family in families if rankable(family)]
    tables += [_meta_eval.sentinels_table(guarded)] if guarded else []
    tables += [
        table
        for verdict in verdicts
        for table in (_meta_eval.verdict_counts_table(verdict), _meta_eval.verdict_pairs_table(verdict))
    ]
    bundle = _meta_eval.trust_bundle(corpus, settings, agreed, families, guarded, verdicts)
    pictures = partial(_pictures_meta_eval, agreed, families, verdicts)
    _output.show(chosen, _output.Shown(bundle, "meta_eval", tables, pictures=pictures))
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
    words = _paper.file_words([verdict.metric for verdict in verdicts])
    return pictures | {f"verdicts-{word}": VerdictMarks.of(table) for word, table in zip(words, verdicts, strict=True)}


def _over_sets(chosen: argparse.Namespace, settings: Settings) -> int:
    """Say on how many pairs of systems of several sets metrics and people agree, and return the exit code."""
    others = ("statistic", "group_by", "compare", "exchange", "sentinels", "verdicts", "compat", "without")
    why = "over several sets, only pairwise accuracy is available."
    _arguments.refuse_given(chosen, "--set", (*others, "zero_correlation"), why)
    data = _reading.by_name(_reading.read_data(chosen))
    sets = [(name, corpus, rated_of(chosen, corpus, human_rating(chosen, corpus))) for name, corpus in data.items()]
    names = [name for name in sets[0][2].names if all(name in rated.names for _, _, rated in sets)]
    if not names:
        raise InvalidOption("No metric occurs in all of these test sets. Name one with --metric.")
    with _output.progress("Resampling"):
        every = [rated for _, _, rated in sets]
        accuracies = [accuracy_over_sets(every, name, over=chosen.over, settings=settings) for name in names]
    _output.tell_notes(notes_of({name: (*inspect(corpus), *rated.notes) for name, corpus, rated in sets}))
    tables, bundle = [_meta_eval.over_sets_table(accuracies)], _meta_eval.trust_over_sets_bundle(settings, accuracies)
    _output.show(chosen, _output.Shown(bundle, "meta_eval", tables))
    return 0


def _statistic(name: str, chosen: argparse.Namespace) -> Statistic:
    statistic = STATISTICS[name]
    if isinstance(statistic, SoftPairwiseAccuracy) and chosen.compat:
        return replace(statistic, p="mtme")
    if isinstance(statistic, PairwiseAccuracy) and chosen.compat:
        return replace(statistic, ties="mtme")
    return replace(statistic, by=chosen.group_by or "item") if isinstance(statistic, OfGroups) else statistic


T = TypeVar("T")


def run_raters(chosen: argparse.Namespace) -> int:
    settings = _arguments.chosen_settings(chosen)
    kinds = [AGREEMENTS[name] for name in dict.fromkeys(chosen.kind)]
    corpus = _reading.read_input(chosen)
    name = rating_name(chosen.human, corpus)
    rater_scores = find(corpus.ratings, name, "rating").rater_scores
    if rater_scores is None:
        raise NotApplicable(f"{name}: no rater ids, so raters cannot be analysed.")
    refused: list[Note] = []
    if rater_scores.signed is not rater_scores:
        refused.append(Note("note", f"{name}: ratings without a rater id were ignored."))
        rater_scores = rater_scores.signed

    def unless_refused(work: Callable[[], T]) -> T | None:
        try:
            return work()
        except NotApplicable as error:
            refused.append(Note("note", str(error)))
            return None

    with _output.progress("Resampling"):
        options: dict[str, Any] = {
            "documents": corpus.documents,
            "scheme": Bootstrap(settings.n_resamples, settings.seed, settings.unit),
        }
        asked = [
            unless_refused(partial(agreement, rater_scores, kind, level=settings.level, **options)) for kind in kinds
        ]
        levels = unless_refused(partial(leniency, rater_scores, list(corpus.systems), **options))
        shares = unless_refused(partial(variance_shares, rater_scores, corpus.documents))
        pairs = unless_refused(partial(compare_ratings, corpus, name, settings))
        highest = unless_refused(partial(ceiling, corpus, name, STATISTICS[chosen.ceiling]))
        again = repeats(rater_scores, level=settings.level, **options)
    systems = list(corpus.systems)
    both = both_scales(rater_scores, systems)
    agreements = [agreed for agreed in asked if agreed is not None]
    if not agreements and levels is None and shares is None and pairs is None:
        raise NotApplicable(" ".join(dict.fromkeys(note.text for note in refused)))
    notes = [*refused, *(note for result in (levels, shares, pairs) if result is not None for note in result.notes)]
    _output.tell_notes([*inspect(corpus), *notes])
    tables = [_raters.agreement_table(agreements)] if agreements else []
    tables += [_raters.repeats_table(again)] if again else []
    tables += [_raters.raters_design_table(rater_scores, systems), _raters.both_scales_table(both)]
    tables += [_raters.leniency_table(levels), _raters.residuals_table(levels, systems)] if levels is not None else []
    tables += [_raters.shares_table(shares)] if shares is not None else []
    tables += [_raters.random_raters_table(pairs)] if pairs is not None else []
    tables += [_raters.ceiling_table(highest)] if highest is not None else []
    bundle = _raters.raters_bundle(
        corpus, settings, name, agreements, levels, shares, notes, pairs, highest, both, again
    )
    pictures = partial(_pictures_raters, agreements, levels)
    _output.show(chosen, _output.Shown(bundle, "raters", tables, pictures=pictures))
    return 0


def _pictures_raters(agreements: Sequence[Agreement], levels: Leniency | None) -> "dict[str, Picture]":
    from mtsig.figures import AgreementDots, LeniencyDots

    drawn: dict[str, Picture] = {} if levels is None else {"leniency": LeniencyDots.of(levels)}
    return drawn | ({"agreement": AgreementDots.of(agreements)} if agreements else {})


def run_delta(chosen: argparse.Namespace) -> int:
    settings, differences = _arguments.chosen_settings(chosen), chosen.difference
    corpus = _reading.read_input(chosen)
    human = human_rating(chosen, corpus)
    rated = rated_of(chosen, corpus, human)
    scheme = Bootstrap(settings.n_resamples, settings.seed, settings.unit)
    with _output.progress("Resampling"):
        curves = [delta_accuracy(rated, name, level=settings.level, scheme=scheme) for name in rated.names]
    bundle = _meta_eval.meaning_bundle(corpus, settings, rated, curves, differences)
    _output.tell_notes([*inspect(corpus), *rated.notes, *(note for curve in curves for note in curve.notes)])
    meant = [curve.at(difference) for curve in curves for difference in differences]
    tables = [*([_meta_eval.meant_table(meant)] if meant else []), _meta_eval.needed_table(curves)]
    rows = "meant" if meant else "needed"
    _output.show(chosen, _output.Shown(bundle, rows, tables, pictures=partial(_pictures_delta, curves, differences)))
    return 0


def _pictures_delta(curves: Sequence[Curve], differences: Sequence[float]) -> "dict[str, Picture]":
    from mtsig.figures import MeaningCurve

    asked = differences[0] if len(differences) == 1 else None
    words = _paper.file_words([curve.metric for curve in curves])
    return {word: MeaningCurve.of(curve, asked) for word, curve in zip(words, curves, strict=True)}


def official(rule: str, without: Sequence[str], data: object, study: Study) -> dict[str, tuple[Beside, ...]]:
    """Return a rule next to the valid analysis, for every rating of a study; without: also without some raters."""
    ratings = [metric.rating for metric in study.asked.metrics if isinstance(metric, Rated)]
    if not isinstance(data, Corpus) or not ratings:
        raise InvalidOption(f"--compat {rule} ranks the systems of one test set by ratings. Name one with --metric.")
    found = {rating: rank_by_rule(data, rating, rule, study.request.settings, without) for rating in ratings}
    for rating, sides in found.items():
        _output.tell_notes(sides[0].official.notes)
        if without and len(sides) == 1:
            _output.tell_notes([Note("note", f"{rating}: WMT26's filter removes no rater.")])
    return found


def official_rows(found: Mapping[str, Sequence[Beside]]) -> list[dict[str, Any]]:
    """Return the rows of rules; left_out: raters without whom they are made."""
    return [
        {"rating": rating, "left_out": [*side.left_out], **row}
        for rating, sides in found.items()
        for side in sides
        for row in side.official.rows()
    ]


def official_pictures(found: Mapping[str, Sequence[Beside]]) -> "dict[str, Picture]":
    """Return the pictures of rules, of ratings of three systems and more."""
    from mtsig.figures import RankRanges

    return {
        f"{side.official.rule}-{rating}{'-without' if side.left_out else ''}": RankRanges.of(side)
        for rating, sides in found.items()
        for side in sides
        if side.places is not None
    }


def run_autorank(chosen: argparse.Namespace) -> int:
    settings, corpus = _arguments.chosen_settings(chosen), _reading.read_input(chosen)
    with _output.progress("Ranking"):
        ranks = autoranks(corpus, _reading.chosen_metrics(chosen, corpus), settings)
    notes = [
        Note("note", "An AutoRank depends on the set of ranked systems, so it is not a scale to compare with ratings."),
        *ranks.notes,
    ]
    _output.tell_notes([*inspect(corpus), *notes])
    bundle = _bundle._frame(corpus, _bundle._used(settings), corpus.systems, notes, systems=ranks.rows())
    _output.show(chosen, _output.Shown(bundle, "systems", [score_table(ranks)]))
    return 0


def run_few_ratings(chosen: argparse.Namespace) -> int:
    settings, corpus = _arguments.chosen_settings(chosen), _reading.read_input(chosen)
    name, (metric, *others) = rating_name(chosen.human, corpus), _reading.chosen_metrics(chosen, corpus)
    if others:
        raise InvalidOption("Only one metric can be used. Choose it before you see the ratings.")
    known = None if chosen.inclusion is None else inclusions(corpus, chosen.inclusion)
    with _output.progress("Comparing"):
        few = few_ratings(corpus, name, metric, inclusion=known, verdict=chosen.verdict, settings=settings)
    notes = [*few.notes, *few.family.notes]
    _output.tell_notes([*notes, *inspect(corpus)])
    needed = [(d, few.needed(d, power=chosen.power, price=chosen.price_rating)) for d in chosen.difference]
    tables = _campaign.few_ratings_tables(few)
    tables += [_campaign.needed_ratings_table(few, d, chosen.power, chosen.price_rating) for d in chosen.difference]
    bundle = _bundle._frame(
        corpus, _bundle._used(settings, "level unit"), corpus.systems, notes, rating=name, metric=few.metric,
        verdict_by=few.verdict, sentence=few.sentence, explained=few.rows(), alone=few.alone.rows(),
        with_metric=few.assisted.rows(),
        needed=[{"difference": d, "power": chosen.power, **row.row()} for d, rows in needed for row in rows],
    )  # fmt: skip
    _output.show(chosen, _output.Shown(bundle, "with_metric" if few.verdict == "metric" else "alone", tables))
    return 0


def run_sample(chosen: argparse.Namespace) -> int:
    settings, corpus = _arguments.chosen_settings(chosen), _reading.read_input(chosen)
    if chosen.focus > 1 and not chosen.metric:
        raise InvalidOption("--focus needs a metric that shows where systems vary most. Name it with --metric.")
    metric = _reading.chosen_metrics(chosen, corpus)[0] if chosen.metric else None
    by: By = "document" if settings.unit == "document" else "segment"
    plan = plan_sample(corpus, chosen.size, metric, by=by, focus=chosen.focus, seed=settings.seed)
    if chosen.pearmut:
        campaign = json.dumps(plan.pearmut(corpus, Path(chosen.pearmut).stem), indent=1, ensure_ascii=False)
        write_file(Path(chosen.pearmut), f"{campaign}\n".encode())
        _output.inform(chosen.pearmut)
    _output.tell_notes(inspect(corpus))
    bundle = _bundle._frame(
        corpus, {"seed": settings.seed}, (), (), by=by, focus=plan.focus, metric=plan.metric, sentence=plan.sentence,
        segments=plan.rows(),
    )  # fmt: skip
    _output.show(chosen, _output.Shown(bundle, "segments", [_campaign.sample_table(plan)]))
    return 0


def run_spans(chosen: argparse.Namespace) -> int:
    settings, corpus = _arguments.chosen_settings(chosen), _reading.read_input(chosen)
    marked = {
        error.rating.partition("@")[0]
        for system in corpus.systems
        for segment in range(len(corpus))
        for error in errors_of(corpus, system, segment)
    }
    spanned = [name for name in joint_ratings(corpus.ratings) if name in marked]
    people = [name for name in spanned if given_by(name) == "people"]
    gold = rating_name(chosen.human or (people[0] if len(people) == 1 else None), corpus)
    predicted = chosen.predicted or [name for name in spanned if name != gold]
    if not predicted:
        raise InvalidOption(f"Only the rating {gold} has error spans. Name another to compare it with by --predicted.")
    with _output.progress("Comparing"):
        agreement = span_agreement(
            corpus, gold, predicted, chosen.measure, penalty=chosen.penalty, settings=settings
        )  # fmt: skip
    _output.tell_notes([*inspect(corpus), *agreement.notes])
    bundle = _bundle._frame(
        corpus, _bundle._used(settings), (), agreement.notes, gold=gold, measure=chosen.measure,
        penalty=chosen.penalty, spans=agreement.rows(), comparisons=agreement.family.rows() if agreement.family else [],
        below_ceiling=agreement.below.rows() if agreement.below else [],
    )  # fmt: skip
    _output.show(chosen, _output.Shown(bundle, "spans", _campaign.spans_tables(agreement)))
    return 0


def run_preferences(chosen: argparse.Namespace) -> int:
    from mtsig.campaign import preferences, read_preferences  # here, because campaigns do without
    from mtsig.campaign._strengths import Board, board
    from mtsig.report._campaign import board_table, preference_tables

    if not chosen.data:
        raise InvalidOption("Name a file of preferences: --data FILE.")
    whole = read_preferences(*chosen.data)
    whole = whole.select(chosen.systems) if chosen.systems else whole
    with _output.progress("Comparing"):
        judged = preferences(
            whole,
            criterion=chosen.criterion,
            model=chosen.strengths,
            order="ignore" if chosen.ignore_order else "auto",
            dual=chosen.both_orders,
            anchor=chosen.anchor,
            settings=_arguments.chosen_settings(chosen),
        )
        study = judged.study
    _output.tell_notes(judged.notes)
    plain = judged.plain()
    tables = [*_paper.terminal_tables(study, chosen.ci), *preference_tables(judged)]
    if chosen.compat:
        rule: Board = find({name: name for name in get_args(Board)}, chosen.compat, "board of preferences")
        of = whole if chosen.criterion is None else whole.of_criterion(chosen.criterion)
        boarded = board(of, rule, anchor=chosen.anchor, seed=judged.settings.seed)
        tables.append(board_table(boarded))
        plain["board"] = [row.row() for row in boarded]
    bundle = {**plain.pop("study"), "quality": plain}
    rows = list(map(_bundle.plain, study.rows()))
    # Without ranks no system stands first: the notes say why, as where preferences are circular.
    leads = _paper.leads(study) if study.results[0].places is not None or len(study.comparisons) == 1 else []
    own = {".json": study.text}
    shown = _output.Shown(bundle, rows, tables, leads=leads, pictures=lambda: _pictures(judged), own=own)
    _output.show(chosen, shown, "preferences")
    return 0


def _pictures(judged: "Judged") -> "dict[str, Picture]":
    from mtsig.figures._league import League  # here, because a table needs no picture

    result = judged.study.results[0]
    return {"strengths": League.of([result.scored], result.compared, result.places, "", False, 0, {})}
