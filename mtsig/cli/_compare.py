"""Scores and comparisons of systems on one test set; several sets and saved counts are taken over by `_several`."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, get_args

from mtsig.cautions import Caution, Seen, cautions
from mtsig.cautions._list import single_runs
from mtsig.cli._arguments import (
    MARGINS,
    PAIR,
    add_input,
    add_margins,
    add_metric,
    add_settings,
    add_workers,
    chosen_margins,
    chosen_metrics,
    chosen_options,
    chosen_settings,
    flag_of,
    refuse_given,
    workers,
)
from mtsig.cli._output import add_out, progress, show, write_out
from mtsig.cli._reading import measured, read_input, show_notes
from mtsig.cli._several import (
    COUNTING,
    JUDGING,
    READING,
    add_set_input,
    add_sets,
    compare_counted_sets,
    compare_sets,
    read_given_counts,
    refuse_without_sets,
    score_sets,
)
from mtsig.corpus import SLICINGS, Corpus, Note
from mtsig.corpus._notes import listed, number_of
from mtsig.errors import InvalidOption
from mtsig.inference import JointStatements, Settings, joint_statements
from mtsig.inference._audit import all_as_sacrebleu
from mtsig.inference._ranks import JointForm
from mtsig.inference._significance._base import SacrebleuBootstrap, SacrebleuRandomization
from mtsig.inference._targets import PairChoice
from mtsig.metrics import Statistics, labels_of
from mtsig.options import options
from mtsig.report import Table, comparison_table, score_table
from mtsig.report._bundle import plain, score_bundle
from mtsig.report._diagnostics import printed_table
from mtsig.report._families import families_text
from mtsig.report._over_sets import heterogeneity_table, slice_table
from mtsig.report._tables import CI, margin_table, ranks_table, statement_table
from mtsig.study import AnalysisPlan, Request, Study, conduct, read_plan
from mtsig.study._record import PlanText
from mtsig.study._run import compared_by, record_parts

if TYPE_CHECKING:
    from mtsig.figures import Picture


def add_score(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    add_set_input(parser)
    add_metric(parser)


def run_score(chosen: argparse.Namespace) -> int:
    if chosen.set is not None:
        return score_sets(chosen)
    refuse_without_sets(chosen)
    settings = chosen_options(Settings, chosen)
    corpus = read_input(chosen)
    metrics = chosen_metrics(chosen, corpus)
    statistics = measured(corpus, metrics)
    with progress("Redrawing"):
        scored = [
            settings.intervals(counted).changed(metric=label)
            for counted, label in zip(statistics, labels_of([counted.metric for counted in statistics]), strict=True)
        ]
    show_notes(corpus, [*single_runs(corpus.systems), *(note for ends in scored for note in ends.notes)])
    show(chosen.format, score_bundle(corpus, settings, scored), "systems", [score_table(ends) for ends in scored])
    return 0


def add_compare(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    parser.add_argument("--counts", metavar="FILE", help="what mtsig count wrote, in place of the text")
    add_workers(parser)
    add_sets(parser, (*READING, *COUNTING, *JUDGING))
    add_metric(parser)
    add_family(parser)
    parser.add_argument(
        "--statement",
        choices=get_args(JointForm),
        help="say of every pair what the metrics say together: better by all of them (their largest p), or by which of "
        "them (one family, by Holm)",
    )
    add_out(parser, "what --statement says")
    parser.add_argument(
        "--by",
        metavar="BY",
        help=f"compare in every slice by {', '.join(SLICINGS)} (length:4 for four), all slices × pairs as one family, "
        "and test whether slices differ",
    )
    parser.add_argument("--plan", metavar="FILE", help="do what this analysis plan says, and mark the results planned")
    parser.add_argument("--save", metavar="FILE", help="also write the study: what --format json prints")
    parser.add_argument(
        "--ci",
        choices=get_args(CI),
        default="adjusted",
        help="which interval stands in tables: adjusted, which agrees with the verdict (default); pair, of each pair "
        "alone; together, all of which hold at once. JSON and CSV have the first two",
    )
    add_margins(parser)
    add_settings(parser)


def run_compare(chosen: argparse.Namespace) -> int:
    if chosen.out is not None and chosen.statement is None:
        raise InvalidOption("--out writes what --statement says: name it, or keep the study with --save.")
    if chosen.counts is not None:
        return _of_counts(chosen)
    if chosen.set is not None:
        refuse_given(chosen, "--set", MARGINS, "averages over sets are held against a margin by mtsig gate.")
        return compare_sets(chosen, chosen_pairs(chosen), None if chosen.plan is None else _plan(chosen))
    refuse_without_sets(chosen)
    plan = None if chosen.plan is None else _plan(chosen)
    if chosen.by is not None or (plan is not None and plan.request.by is not None):
        return _by_parts(chosen, plan)
    corpus = read_input(chosen)
    request = requested(chosen, corpus) if plan is None else plan.request
    with workers(chosen) as executor:
        statistics = measured(corpus, [metric.on(corpus) for metric in request.metrics], executor)
    with progress("Comparing"):
        study = conduct(corpus, request, plan, statistics)
    show_notes(corpus, [*study.all_notes, *_status(study.plan, request.settings), *_families(study), *_withheld(study)])
    return _shown(chosen, study, statistics)


def _of_counts(chosen: argparse.Namespace) -> int:
    """Compare what was counted before, and return the exit code."""
    counts, pairs = read_given_counts(chosen), chosen_pairs(chosen)
    if len(counts.of) > 1:
        return compare_counted_sets(chosen, counts, pairs)
    refuse_without_sets(chosen)
    settings, counted = chosen_settings(chosen), next(iter(counts.of.values()))
    metrics = tuple(counts.metric for counts in counted.statistics)
    margins = chosen_margins(chosen, metrics, pairs)
    request = Request(metrics, settings, pairs, chosen.correct_jointly, margins)
    with progress("Comparing"):
        study = conduct(None, request, None, counted.statistics)
    show_notes(None, [*counts.notes, *study.all_notes, *_status(None, settings), *_families(study), *_withheld(study)])
    return _shown(chosen, study, counted.statistics)


def _shown(chosen: argparse.Namespace, study: Study, statistics: Sequence[Statistics]) -> int:
    """Save and show the study as the arguments say, and return the exit code."""
    if chosen.save is not None:
        study.save(chosen.save)
    bundle, tables = study.plain(), [*tables_of(study, chosen.ci), *_printed(study, statistics)]
    if chosen.statement is not None:
        statements = joint_statements([result.compared for result in study.results], chosen.statement)
        bundle["statements"] = list(map(plain, statements.rows()))
        tables.append(statement_table(statements))
        above = {**bundle, **bundle["sets"][0]}
        own: dict[str, Any] = {name: above[name] for name in ("schema", "mtsig", "settings", "data", "statements")}
        write_out(chosen.out, "statements", own, "statements", tables[-1:], lambda: _pictures(statements))
    show(chosen.format, bundle, list(map(plain, study.rows())), tables)
    return 0


def _pictures(statements: JointStatements) -> "dict[str, Picture]":
    from mtsig.figures import ParallelIntervals

    return {"intervals": ParallelIntervals.of(statements)}


def _by_parts(chosen: argparse.Namespace, plan: AnalysisPlan | None) -> int:
    """Compare in every part of the test set, and return the exit code.

    Raises:
        InvalidOption: with --correct-jointly, --statement or margins, which know no parts.
    """
    refuse_given(chosen, "--by", ("correct_jointly", "statement", *MARGINS), "parts are one family per metric.")
    corpus = read_input(chosen)
    request = requested(chosen, corpus) if plan is None else plan.request
    with workers(chosen) as executor:
        statistics = measured(corpus, [metric.on(corpus) for metric in request.metrics], executor)
    with progress("Comparing"):
        sliced = compared_by(corpus, request, statistics)
        study = record_parts(corpus, request, sliced, plan)
    if chosen.save is not None:
        study.save(chosen.save)
    notes = [note for of_metric in sliced for note in (*of_metric.notes, *of_metric.family.notes)]
    show_notes(corpus, [*notes, *_status(study.plan, request.settings)])
    tables = [table for of_metric in sliced for table in (slice_table(of_metric), heterogeneity_table(of_metric))]
    rows = [row for of_metric in sliced for row in of_metric.rows()]
    show(chosen.format, study.plain(), list(map(plain, rows)), tables)
    return 0


def add_family(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that say which pairs are compared, and of how many metrics a family is."""
    pairs = "all pairs (default), or every other system against this one"
    parser.add_argument("--pairs", metavar="all|SYSTEM", help=pairs)
    pair = "compare these two, in this order; may be given several times, and is the family then"
    parser.add_argument("--pair", action="append", **PAIR, help=pair)
    joined = "judge the comparisons of all metrics together, as one family"
    parser.add_argument("--correct-jointly", action="store_true", help=joined)


def requested(chosen: argparse.Namespace, corpus: Corpus | None = None) -> Request:
    """Return the request that the arguments make; without a corpus ratings must be called so (rating:NAME)."""
    settings, metrics, pairs = chosen_settings(chosen), tuple(chosen_metrics(chosen, corpus)), chosen_pairs(chosen)
    margins = chosen_margins(chosen, metrics, pairs)
    return Request(metrics, settings, pairs, chosen.correct_jointly, margins, by=chosen.by)


def chosen_pairs(chosen: argparse.Namespace) -> PairChoice:
    """Return the pairs that the arguments name.

    Raises:
        InvalidOption: both --pairs and --pair are given.
    """
    if not chosen.pair:
        return str(chosen.pairs or "all")
    if chosen.pairs is not None:
        raise InvalidOption("Give either --pairs all|SYSTEM or --pair FIRST SECOND, not both.")
    return [(first, second) for first, second in chosen.pair]


def _plan(chosen: argparse.Namespace) -> AnalysisPlan:
    names = ("metric", "pairs", "pair", "correct_jointly", "by", "method", *MARGINS, *COUNTING, *JUDGING)
    given = [name for name in names if getattr(chosen, name)]
    given += [option.name for option in options(Settings) if getattr(chosen, option.name) is not None]
    if given:
        raise InvalidOption(f"The analysis plan fixes {flag_of(given[0])}; leave it out, or leave out --plan.")
    return read_plan(chosen.plan)


def _families(study: Study) -> list[Note]:
    """Say what several metrics add up to that are each corrected by itself."""
    said = families_text([result.compared for result in study.results])
    return [Note("note", f"{said} (--correct-jointly corrects for all of them together)")] if said else []


def _withheld(study: Study) -> list[Note]:
    """Say for every reason that withholds verdicts whose they are and what leads on, in one note each."""
    alike: dict[tuple[str, str], list[Caution]] = {}
    for caution in cautions(Seen(families=tuple(result.compared for result in study.results))):
        if caution.strength == "withholds" and caution.step:
            alike.setdefault((caution.step, caution.flags), []).append(caution)
    notes = []
    for (step, flags), several in alike.items():
        pairs = [f"{first} – {second}" for caution in several for first, second in caution.pairs]
        reason = several[0].sentence
        if len(several) > 1:
            reason = f"{listed(list(dict.fromkeys(pairs)), most=_MOST_NAMED)}. Of the first: {reason}"
        notes.append(Note("note", f"{number_of(len(pairs), 'verdict')} withheld: {reason}; {step} ({flags})."))
    return notes


_MOST_NAMED = 10
"""So many pairs are named in a note that is of several."""


def _status(plan: PlanText | None, settings: Settings) -> list[Note]:
    if plan is not None:
        return [Note("note", f"Planned: these results are what the analysis plan asks for ({plan.digest}).")]
    if settings.alternative == "two-sided":
        return []
    text = "One-sided without an analysis plan: the direction counts as chosen afterwards, the result as exploratory."
    return [Note("warning", text)]


def _printed(study: Study, statistics: Sequence[Statistics]) -> list[Table]:
    """Return the tables of sacreBLEU where its tests were asked for; its baseline is the first system, or ours."""
    pairs = study.request.pairs
    return [
        printed_table(
            all_as_sacrebleu(counts, str(pairs) if pairs in counts.systems else counts.systems[0], family.test.name),
            family.metric,
        )
        for counts, family in zip(statistics, (result.compared for result in study.results), strict=True)
        if isinstance(family.test, SacrebleuBootstrap | SacrebleuRandomization)
    ]


def tables_of(study: Study, ci: CI = "adjusted") -> list[Table]:
    """Return the tables of a study, metric by metric, ranks and margins last."""
    tables = [
        table
        for result in study.results
        for table in (score_table(result.scored), comparison_table(result.compared, study.plan is not None, ci=ci))
    ]
    tables += [ranks_table(result.places) for result in study.results if result.places is not None]
    return tables + [margin_table(result.margins) for result in study.results if result.margins]
