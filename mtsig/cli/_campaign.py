"""Campaigns of ratings: how far raters agree, few with a metric, which segments to rate, error spans, preferences."""

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from mtsig._writing import refuse_inputs, write_file
from mtsig.campaign import autoranks, compare_ratings, few_ratings, plan_sample, span_agreement
from mtsig.campaign._few import By, inclusions, off_plan
from mtsig.campaign._rules import Beside, rank_by_rule
from mtsig.cli import _arguments, _output, _reading
from mtsig.corpus import Corpus, Note, inspect
from mtsig.corpus._annotations import errors_of
from mtsig.corpus._notes import joint_ratings, listed
from mtsig.errors import InvalidOption, NotApplicable, find
from mtsig.meta_eval._leniency import Leniency, both_scales, ceiling, leniency
from mtsig.meta_eval._rater_agreement import AGREEMENTS, Agreement, agreement, repeats
from mtsig.meta_eval._rating_design import variance_shares
from mtsig.meta_eval._systems import STATISTICS
from mtsig.metrics import Rated
from mtsig.readers._files import is_there
from mtsig.readers._names import given_by
from mtsig.report import _bundle, _campaign, _paper, _raters, score_table
from mtsig.resampling import Bootstrap
from mtsig.study import Study

if TYPE_CHECKING:
    from mtsig.campaign import Judged, Preferences
    from mtsig.figures import Picture


T = TypeVar("T")


def run_raters(chosen: argparse.Namespace) -> int:
    settings = _arguments.chosen_settings(chosen)
    kinds = [AGREEMENTS[name] for name in dict.fromkeys(chosen.kind)]
    corpus = _reading.read_input(chosen)
    name = _reading.rating_name(chosen.human, corpus)
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
    _output.tell_notes(inspect(corpus), notes)
    tables = [_raters.agreement_table(agreements)] if agreements else []
    tables += [_raters.repeats_table(again)] if again else []
    tables += [_raters.raters_design_table(rater_scores, systems), _raters.both_scales_table(both)]
    tables += [_raters.leniency_table(levels), _raters.residuals_table(levels, systems)] if levels is not None else []
    tables += [_raters.shares_table(shares)] if shares is not None else []
    tables += [_raters.random_raters_table(pairs)] if pairs is not None else []
    tables += [_raters.ceiling_table(highest)] if highest is not None else []
    bundle = partial(
        _raters.raters_bundle, corpus, settings, name, agreements, levels, shares, notes, pairs, highest, both, again
    )
    pictures = partial(_pictures_raters, agreements, levels)
    _output.show(chosen, _output.Shown(bundle, "raters", tables, pictures=pictures))
    return 0


def _pictures_raters(agreements: Sequence[Agreement], levels: Leniency | None) -> "dict[str, Picture]":
    from mtsig.figures import AgreementDots, LeniencyDots

    drawn: dict[str, Picture] = {} if levels is None else {"leniency": LeniencyDots.of(levels)}
    return drawn | ({"agreement": AgreementDots.of(agreements)} if agreements else {})


def official(rule: str, without: Sequence[str], data: object, study: Study) -> dict[str, tuple[Beside, ...]]:
    """Return a rule next to the valid analysis, for every rating of a study; without: also without some raters."""
    ratings = [metric.rating for metric in study.asked.metrics if isinstance(metric, Rated)]
    if not isinstance(data, Corpus) or not ratings:
        raise InvalidOption(f"--compat {rule} ranks the systems of one test set by ratings. Name one with --metric.")
    found = {rating: rank_by_rule(data, rating, rule, study.request.settings, without) for rating in ratings}
    whole = [rating for rating, sides in found.items() if without and len(sides) == 1]
    removed = [Note("note", f"{listed(whole)}: WMT26's filter removes no rater.")] if whole else []
    _output.tell_notes(*(sides[0].official.notes for sides in found.values()), removed)
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
    _output.tell_notes(inspect(corpus), notes)
    bundle = partial(_bundle._frame, corpus, _bundle._used(settings), corpus.systems, notes, systems=ranks.rows())
    _output.show(chosen, _output.Shown(bundle, "systems", [score_table(ranks)]))
    return 0


def run_few_ratings(chosen: argparse.Namespace) -> int:
    settings, corpus = _arguments.chosen_settings(chosen), _reading.read_input(chosen)
    name, (metric, *others) = _reading.rating_name(chosen.human, corpus), _reading.chosen_metrics(chosen, corpus)
    if others:
        raise InvalidOption("Only one metric can be used. Choose it before you see the ratings.")
    known, planned = (None, None) if chosen.inclusion is None else inclusions(corpus, chosen.inclusion)
    with _output.progress("Comparing"):
        few = few_ratings(corpus, name, metric, inclusion=known, verdict=chosen.verdict, settings=settings)
    notes = [*([] if planned is None else off_plan(corpus, name, planned)), *few.notes, *few.family.notes]
    _output.tell_notes(notes, inspect(corpus))
    needed = [(d, few.needed(d, power=chosen.power, price=chosen.price_rating)) for d in chosen.difference]
    tables = _campaign.few_ratings_tables(few)
    tables += [_campaign.needed_ratings_table(few, d, chosen.power, chosen.price_rating) for d in chosen.difference]
    bundle = partial(
        _bundle._frame, corpus, _bundle._used(settings, "level unit"), corpus.systems, notes, rating=name,
        metric=few.metric, verdict_by=few.verdict, sentence=few.sentence, explained=few.rows(),
        alone=few.alone.rows(), with_metric=few.assisted.rows(),
        needed=[{"difference": d, "power": chosen.power, **row.row()} for d, rows in needed for row in rows],
    )  # fmt: skip
    _output.show(chosen, _output.Shown(bundle, "with_metric" if few.verdict == "metric" else "alone", tables))
    return 0


def run_sample(chosen: argparse.Namespace) -> int:
    settings, corpus = _arguments.chosen_settings(chosen), _reading.read_input(chosen)
    if chosen.focus > 1 and not chosen.metric:
        raise InvalidOption("--focus needs a metric, which shows where systems vary most. Name it with --metric.")
    metric = _reading.chosen_metrics(chosen, corpus)[0] if chosen.metric else None
    by: By = "document" if settings.unit == "document" else "segment"
    plan = plan_sample(corpus, chosen.size, metric, by=by, focus=chosen.focus, seed=settings.seed)
    refuse_inputs(dict.fromkeys(map(Path, (*chosen.out, *filter(None, [chosen.pearmut]))), b""))
    if chosen.pearmut:
        campaign = json.dumps(plan.pearmut(corpus, Path(chosen.pearmut).stem), indent=1, ensure_ascii=False)
        write_file(Path(chosen.pearmut), f"{campaign}\n".encode())
        _output.inform(chosen.pearmut)
    _output.tell_notes(inspect(corpus))
    bundle = partial(
        _bundle._frame, corpus, {"seed": settings.seed}, (), (), by=by, focus=plan.focus, metric=plan.metric,
        sentence=plan.sentence, segments=plan.rows(),
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
    gold = _reading.rating_name(chosen.human or (people[0] if len(people) == 1 else None), corpus)
    predicted = chosen.predicted or [name for name in spanned if name != gold]
    if not predicted:
        raise InvalidOption(f"Only the rating {gold} has error spans. To compare another with it, use --predicted.")
    with _output.progress("Comparing"):
        agreement = span_agreement(
            corpus, gold, predicted, chosen.measure, penalty=chosen.penalty, settings=settings
        )  # fmt: skip
    _output.tell_notes(inspect(corpus), agreement.notes)
    bundle = partial(
        _bundle._frame, corpus, _bundle._used(settings), (), agreement.notes, gold=gold, measure=chosen.measure,
        penalty=chosen.penalty, spans=agreement.rows(), comparisons=agreement.family.rows() if agreement.family else [],
        below_ceiling=agreement.below.rows() if agreement.below else [],
    )  # fmt: skip
    _output.show(chosen, _output.Shown(bundle, "spans", _campaign.spans_tables(agreement)))
    return 0


def given_preferences(chosen: argparse.Namespace, rating: str | None) -> "Preferences":
    """Return the preferences of the files of --data, or those that a rating of these data makes."""
    from mtsig.campaign import Preferences, read_preferences  # here, because campaigns do without

    if rating is not None:
        return Preferences.of_ratings(_reading.read_input(chosen), rating.removeprefix("rating:"))
    others = _arguments.OPTIONS["input"].keys() - {"data", "systems"}
    _arguments.refuse_given(
        chosen, "Preferences", [*others], "{flag} is for preferences made from a rating (--ratings)."
    )
    if not chosen.data:
        raise InvalidOption("Name a file of preferences: --data FILE.")
    whole = read_preferences(*chosen.data)
    return whole.select(chosen.systems) if chosen.systems else whole


def run_preferences(chosen: argparse.Namespace) -> int:
    from mtsig.campaign import preferences  # here, because campaigns do without
    from mtsig.campaign._strengths import Board, board
    from mtsig.report._campaign import board_table, preference_tables

    # A name among --ratings is that of a rating in the data; others are files of ratings.
    names = [text for text in chosen.ratings if "=" not in text and not is_there(Path(text.partition(":")[0]))]
    chosen.ratings = [text for text in chosen.ratings if text not in names]
    rating = None
    if names or chosen.ratings:
        rating = names[0] if names else _reading.rating_name(None, _reading.read_input(chosen))
    if len(names) > 1:
        raise InvalidOption(f"Preferences are made from one rating; --ratings names {len(names)}.")
    whole = given_preferences(chosen, rating)
    with _output.progress("Comparing"):
        judged = preferences(
            whole, rating=rating, criterion=chosen.criterion, model=chosen.strengths, dual=chosen.both_orders,
            grades=chosen.grades, anchor=chosen.anchor,
            order="ignore" if chosen.ignore_order else "auto", settings=_arguments.chosen_settings(chosen),
        )  # fmt: skip
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
    shown = _output.Shown(lambda: bundle, rows, tables, leads=leads, pictures=lambda: _pictures(judged), own=own)
    _output.show(chosen, shown, "preferences")
    return 0


def _pictures(judged: "Judged") -> "dict[str, Picture]":
    from mtsig.figures._league import League  # here, because a table needs no picture

    result = judged.study.results[0]
    return {"strengths": League.of([result.scored], result.compared, result.places, "", False, 0, {})}
