"""The verbs about one pair of systems, and about the size of a test set."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import asdict, fields, replace
from functools import partial
from typing import Any

from mtsig.cli import _arguments, _output, _reading
from mtsig.corpus import Corpus, Note, inspect
from mtsig.corpus._notes import runs_by_name, single_runs
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference import _audit, _dependence, block_scan
from mtsig.inference._audit import audit
from mtsig.inference._design import design_test_set, sampling_part
from mtsig.inference._margins import pair_cautions
from mtsig.inference._power import power_analysis
from mtsig.inference._runs import SAMPLED, compare_runs, correct_runs
from mtsig.metrics import Rated, Statistics
from mtsig.report import Table, _diagnostics, _raters, _segments
from mtsig.segments import Ablation, Buckets, buckets_of, overview
from mtsig.segments._ablation import size_curve, usable_sizes
from mtsig.segments._overview import SegmentRow, in_favour
from mtsig.study._request import choice_of, points_by_metric


def pair_of(chosen: argparse.Namespace, systems: Sequence[str], having: str = "") -> tuple[str, str]:
    """Return the pair that was named, or the only two systems; `having`: what these systems have, for an error."""
    named = _arguments.one_pair(chosen)
    if named is None and len(systems) < 2:
        found = f"only {systems[0]!r}" if systems else "none"
        raise NotApplicable(f"A comparison needs two systems{having}; found {found}.")
    if named is None and len(systems) > 2:
        raise NotApplicable(f"Name two systems: --pair FIRST SECOND. Known: {', '.join(systems)}.")
    return named or (systems[0], systems[1])


def read_statistics(chosen: argparse.Namespace) -> tuple[Corpus, list[Statistics]]:
    """Return the corpus and its statistics under every metric."""
    corpus = _reading.read_input(chosen)
    return corpus, _reading.measured(corpus, _reading.chosen_metrics(chosen, corpus))


Section = tuple[list[dict[str, Any]], list[Table]]


def run_audit(chosen: argparse.Namespace) -> int:
    settings = _arguments.chosen_settings(chosen)
    corpus, statistics = read_statistics(chosen)
    pair = pair_of(chosen, statistics[0].systems)
    with _output.progress("Auditing"):
        audits = [audit(counted, *pair, settings) for counted in statistics]
        within, tables = _dependences(statistics, *pair)
        printed, more = _printed(statistics, *pair) if chosen.as_sacrebleu else ([], [])
    _output.tell_notes(inspect(corpus), single_runs(pair), *(audited.notes for audited in audits))
    bundle = partial(_diagnostics.audit_bundle, corpus, settings, audits, within, printed)
    tables = [*map(_diagnostics.audit_table, audits), *tables, *more]
    _output.show(chosen, _output.Shown(bundle, "tests", tables))
    return 0


def _dependences(statistics: Sequence[Statistics], first: str, second: str) -> Section:
    """Return what dependence within documents costs under every metric, by blocks where documents are unknown."""

    def look(counted: Statistics) -> tuple[list[dict[str, Any]], Table]:
        name = counted.metric.name
        if counted.document_of is None:
            scan = block_scan(counted, first, second)
            arrays = {key: getattr(scan, key).tolist() for key in ("lengths", "ratio", "limit")}
            return [{"target": scan.target, **arrays}], _diagnostics.block_table(scan, name)
        effect = _dependence.dependence(counted, first, second)
        more = {"design_effect": effect.design_effect, "effective_segments": effect.effective_segments}
        return [{**asdict(effect), **more}], _diagnostics.dependence_table(effect, name)

    return _of_each(statistics, look, "dependence within documents")


def _printed(statistics: Sequence[Statistics], first: str, second: str) -> Section:
    """Return the pair as sacreBLEU prints it under every metric of its."""

    def look(counted: Statistics) -> tuple[list[dict[str, Any]], Table]:
        lines = _audit.as_sacrebleu(counted, first, second)
        return list(map(asdict, lines)), _diagnostics.printed_table(lines, counted.metric.name)

    return _of_each(statistics, look, "as sacreBLEU prints it")


def _of_each(
    statistics: Sequence[Statistics], look: Callable[[Statistics], tuple[list[dict[str, Any]], Table]], title: str
) -> Section:
    """Return what is found in the statistics of every metric, or why nothing can be."""
    section: Section = ([], [])
    for counted in statistics:
        name = counted.metric.name
        try:
            (rows, table), problem = look(counted), None
        except NotApplicable as error:
            problem = str(error)
            rows, table = [{}], Table.of_text(problem, (f"{title}, {name}",), ())
        section[0].extend({"metric": name, **row, "problem": problem} for row in rows)
        section[1].append(table)
    return section


def run_runs(chosen: argparse.Namespace) -> int:
    settings = _arguments.chosen_settings(chosen)
    corpus, statistics = read_statistics(chosen)
    if corpus.samples:
        raise NotApplicable(SAMPLED)
    mapping = dict(chosen.runs) or runs_by_name(list(statistics[0].systems))
    of_several = [name for name, runs in mapping.items() if len(runs) > 1]
    first, second = pair_of(chosen, of_several, " with several runs each (X.run1, X.run2 …, or named by --runs)")
    used = {name: getattr(settings, name) for name in ("level", "unit", "n_resamples", "seed")}
    with _output.progress("Comparing"):
        compared = correct_runs([compare_runs(counted, first, second, mapping, **used) for counted in statistics])
    # Tables say what is due to few runs below themselves.
    table = chosen.format in ("table", "markdown")
    _output.tell_notes(inspect(corpus), *(by_runs.of_data if table else by_runs.notes for by_runs in compared))
    bundle = partial(_diagnostics.runs_bundle, corpus, settings, compared)
    _output.show(chosen, _output.Shown(bundle, "runs", list(map(_diagnostics.runs_table, compared))))
    return 0


SHOWN = {"table": 20, "markdown": 20, "html": 100}
"""Segments that people are shown, when their number is not said; programs get all."""

_COLUMNS = [field.name for field in fields(SegmentRow)]


def run_segments(chosen: argparse.Namespace) -> int:
    settings, metric = _arguments.chosen_settings(chosen), _reading.one_metric(chosen, "")
    chosen.metric = [metric] if metric else []
    corpus, (statistics, *others) = read_statistics(chosen)
    if others:
        raise InvalidOption("This command uses one metric. Name it with --metric.")
    pair = pair_of(chosen, statistics.systems)
    top = SHOWN.get(chosen.format) if chosen.top is None else chosen.top
    with _output.progress("Comparing segments"):
        buckets = _buckets(corpus, *pair, chosen.bucket)
        asked = {"within": chosen.bucket, "search": chosen.search, "sort": chosen.sort, "top": top}
        found = overview(corpus, statistics, *pair, settings, buckets=buckets, **asked)
    asked["sort"] = chosen.sort or in_favour(found.contributions)
    again = _segments.again_text(found.again, found.untested)
    _output.tell_notes(inspect(corpus), single_runs(pair), found.notes, [Note("note", again)] if again else [])
    tables = [_segments.segments_table(found, corpus), *([_segments.buckets_table(found)] if found.buckets else [])]
    tables.append(_segments.leverage_table(found.leverage))
    bundle = partial(_segments.segments_bundle, corpus, settings, found, asked)
    page = dict.fromkeys(("html", ".html"), lambda: _segments.segments_page(found, corpus))
    _output.show(
        chosen, _output.Shown(bundle, "segments", tables, _COLUMNS, [f"{found.contributions.headline}."], own=page)
    )
    return 0


def _buckets(corpus: Corpus, first: str, second: str, asked: Sequence[str]) -> Buckets | None:
    """Return which segments are in which bucket; None where there are no texts to look into."""
    try:
        return buckets_of(corpus, first, second)
    except NotApplicable:
        if asked:
            raise
        return None


def run_power(chosen: argparse.Namespace) -> int:
    from mtsig.meta_eval._rating_design import design_ratings_by  # here, because other verbs need no ratings

    settings, systems = _arguments.chosen_settings(chosen), chosen.future_systems
    if systems < 2:
        raise InvalidOption(f"A comparison needs at least 2 systems; found {systems}.")
    comparisons = systems * (systems - 1) // 2 if chosen.comparisons is None else chosen.comparisons
    corpus, statistics = read_statistics(chosen)
    pair = pair_of(chosen, statistics[0].systems)
    called = [(choice_of(counted.metric) or counted.metric.name, counted.metric.name) for counted in statistics]
    margins = points_by_metric(_arguments.chosen_margin(chosen), called)
    common: dict[str, Any] = {"power": chosen.power, "level": settings.level, "comparisons": comparisons}
    analyses, designs, ratings, refused, drawn = [], [], {}, list[Note](), []
    with _output.progress("Computing"):
        for counted, margin in zip(statistics, margins, strict=True):
            row = settings.family(counted, [pair])[0] if counted.samples is not None else None
            part = None if row is None else sampling_part(counted, row, chosen.deterministic)
            drawn += [] if part is None else [part]
            # What samples are worth is asked without a difference, too.
            for difference in chosen.difference or ([] if part is not None and margin is None else [None]):
                analyses.append(power_analysis(counted, *pair, difference, margin, unit=settings.unit, **common))
        common |= {"systems": systems, "price_segment": chosen.price_segment}
        first, second = pair
        for counted, difference in (
            (counted, difference) for counted in statistics for difference in chosen.difference
        ):
            more = {"unit": settings.unit, "price_document": chosen.price_document}
            designs.append(design_test_set(counted, first, second, difference, **common, **more))
            name = counted.metric.rating if isinstance(counted.metric, Rated) else ""
            if not name or corpus.ratings[name].rater_scores is None:
                continue
            try:
                more = {"price_rating": chosen.price_rating}
                ratings[name] = design_ratings_by(corpus, name, difference, chosen.raters, **common, **more)
            except NotApplicable as error:
                refused.append(Note("note", f"{name}: {error}"))
    notes = [
        note for each in statistics for note in (*each.notes, *pair_cautions(each, *pair, settings.unit))
    ] + refused
    _output.tell_notes(inspect(corpus), single_runs(pair), notes)
    tables = [*map(_diagnostics.power_table, analyses), *map(_raters.design_table, designs)]
    tables += map(_raters.ratings_design_table, ratings.values())
    tables += [_diagnostics.sampling_table(part, chosen.price_segment, chosen.price_sample) for part in drawn]
    bundle = partial(_diagnostics.power_bundle, corpus, settings, analyses, notes, designs, ratings, drawn)
    leads = [f"{_diagnostics.planning_title(one)}." for one in analyses if one.difference is not None]
    _output.show(chosen, _output.Shown(bundle, "power", tables, leads=leads))
    return 0


CALLED = {"interval": "subset-interval", "n_resamples": "subset-resamples"}
"""Options of subsets: other ones than those of an analysis, which have their names."""


def add_size_curve(parser: argparse.ArgumentParser) -> None:
    """Add the options of the subsets."""
    _arguments.add_flags(parser, Ablation, ("repeats", "interval", "n_resamples"), "subsets", CALLED)


def run_size_curve(chosen: argparse.Namespace) -> int:
    sizes = {"sizes": tuple(chosen.shares)} if chosen.shares else {}
    ablation = _arguments.chosen_options(Ablation, chosen, **sizes)
    corpus, statistics = read_statistics(chosen)
    pair, ablated = _arguments.one_pair(chosen), []
    for counted in statistics:
        fitting = ablation if chosen.shares else replace(ablation, sizes=usable_sizes(counted.at(ablation.unit).n))
        with _output.progress(f"Subsets, {counted.metric.name}"):
            ablated.append(size_curve(counted, fitting, pair))
    _output.tell_notes(inspect(corpus), single_runs(pair or ()), *(curves.notes for curves in ablated))
    bundle = partial(_diagnostics.ablation_bundle, corpus, ablated, pair)
    tables, leads = [*map(_diagnostics.size_table, ablated)], [*map(_diagnostics.size_text, ablated)]
    _output.show(chosen, _output.Shown(bundle, "sizes", tables, leads=leads))
    return 0
