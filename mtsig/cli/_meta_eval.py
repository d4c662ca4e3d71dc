"""Metrics and ratings: how well they agree, and what a difference of a metric stands for."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from mtsig.cli import _arguments, _output, _reading
from mtsig.collection._families import notes_of
from mtsig.corpus import Corpus, Note, inspect
from mtsig.corpus._notes import joint_ratings, listed
from mtsig.errors import InvalidOption
from mtsig.inference import Settings
from mtsig.inference._ranks import rankable
from mtsig.meta_eval import _metric_agreement
from mtsig.meta_eval._comparing import ComparedMetrics, compare_metrics
from mtsig.meta_eval._delta_accuracy import Curve, VerdictTable, delta_accuracy, verdict_table
from mtsig.meta_eval._groups import OfGroups
from mtsig.meta_eval._metric_agreement import Guarded, MetaEval, meta_eval, sentinels, texts_of
from mtsig.meta_eval._rated_data import RatedData, people_of_systems, whole_systems
from mtsig.meta_eval._statistic import Statistic
from mtsig.meta_eval._systems import STATISTICS, PairwiseAccuracy, SoftPairwiseAccuracy, accuracy_over_sets
from mtsig.metrics import Metric, Rated, metric, rating_choice
from mtsig.readers._names import given_by
from mtsig.report import _meta_eval, _paper
from mtsig.resampling import Bootstrap

if TYPE_CHECKING:
    from mtsig.figures import Picture


def human_rating(chosen: argparse.Namespace, corpus: Corpus) -> Metric:
    """Return the rating that --human names, or the only one; people's scores of whole systems where they are alone."""
    of_systems = people_of_systems(corpus)
    name = chosen.human
    if name is None and not joint_ratings(corpus.ratings) and len(of_systems) == 1:
        name = of_systems[0]
    scores = None if name is None else whole_systems(corpus, name)
    return scores or metric(f"rating:{_reading.rating_name(name, corpus, of_systems)}:").on(corpus)


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
    _output.tell_notes(inspect(corpus), agreed.notes, *(family.notes for family in families), left_out)
    tables = [_meta_eval.trust_table(agreed), *map(_meta_eval.metrics_table, families)]
    tables += [_meta_eval.places_table(family) for family in families if rankable(family)]
    tables += [_meta_eval.sentinels_table(guarded)] if guarded else []
    tables += [
        table
        for verdict in verdicts
        for table in (_meta_eval.verdict_counts_table(verdict), _meta_eval.verdict_pairs_table(verdict))
    ]
    bundle = partial(_meta_eval.trust_bundle, corpus, settings, agreed, families, guarded, verdicts)
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
    bundle = partial(_meta_eval.trust_over_sets_bundle, settings, accuracies)
    _output.show(chosen, _output.Shown(bundle, "meta_eval", [_meta_eval.over_sets_table(accuracies)]))
    return 0


def _statistic(name: str, chosen: argparse.Namespace) -> Statistic:
    statistic = STATISTICS[name]
    if isinstance(statistic, SoftPairwiseAccuracy) and chosen.compat:
        return replace(statistic, p="mtme")
    if isinstance(statistic, PairwiseAccuracy) and chosen.compat:
        return replace(statistic, ties="mtme")
    return replace(statistic, by=chosen.group_by or "item") if isinstance(statistic, OfGroups) else statistic


def run_delta(chosen: argparse.Namespace) -> int:
    settings, differences = _arguments.chosen_settings(chosen), chosen.difference
    corpus = _reading.read_input(chosen)
    human = human_rating(chosen, corpus)
    rated = rated_of(chosen, corpus, human)
    scheme = Bootstrap(settings.n_resamples, settings.seed, settings.unit)
    with _output.progress("Resampling"):
        curves = [delta_accuracy(rated, name, level=settings.level, scheme=scheme) for name in rated.names]
    bundle = partial(_meta_eval.meaning_bundle, corpus, settings, rated, curves, differences)
    _output.tell_notes(inspect(corpus), rated.notes, *(curve.notes for curve in curves))
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
