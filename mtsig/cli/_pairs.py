"""The verbs about one pair of systems, and about the size of a test set."""

import argparse
from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from mtsig._writing import write_file
from mtsig.cautions._list import single_runs
from mtsig.cli._arguments import FORMATS, PAIR, add_flags, add_input, add_metric, chosen_metrics, chosen_options, number
from mtsig.cli._output import data_text, markdown_text, progress, say_data, show
from mtsig.cli._reading import measured, read_input, show_notes
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import runs_by_name
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference import Settings, audit, block_scan, compare_runs, design_test_set, power_analysis
from mtsig.inference._audit import as_sacrebleu
from mtsig.inference._dependence import dependence
from mtsig.inference._design import Design
from mtsig.inference._margins import pair_cautions
from mtsig.inference._runs import judge_runs
from mtsig.metrics import Rated, Statistics
from mtsig.report import Table
from mtsig.report._diagnostics import (
    ablation_bundle,
    audit_bundle,
    audit_table,
    block_table,
    dependence_table,
    power_bundle,
    power_table,
    printed_table,
    runs_bundle,
    runs_table,
    said_table,
    size_table,
)
from mtsig.report._raters import design_table, ratings_design_table
from mtsig.report._segments import (
    again_text,
    buckets_table,
    leverage_table,
    segments_bundle,
    segments_page,
    segments_table,
)
from mtsig.segments import BUCKETS, Ablation, Buckets, buckets_of, overview, size_curve
from mtsig.segments._ablation import usable_sizes
from mtsig.segments._choosing import SORTS
from mtsig.segments._overview import SegmentRow


def add_pair(parser: argparse.ArgumentParser, formats: Sequence[str] = FORMATS) -> None:
    """Add the input, the metrics, --format and --pair."""
    add_input(parser)
    add_metric(parser, formats)
    parser.add_argument("--pair", **PAIR, help="the two systems; not needed when there are just two")


def read_pair(chosen: argparse.Namespace, systems: list[str] | None = None) -> tuple[str, str]:
    """Return the pair that was named, or the only two systems.

    Raises:
        NotApplicable: no pair is named, and there are not exactly two systems.
    """
    if chosen.pair is not None:
        return chosen.pair[0], chosen.pair[1]
    if systems is None or len(systems) != 2:
        raise NotApplicable(f"Name two systems: --pair FIRST SECOND. Known: {', '.join(systems or [])}.")
    return systems[0], systems[1]


def read_statistics(chosen: argparse.Namespace) -> tuple[Corpus, list[Statistics]]:
    """Return the corpus and its statistics under every metric."""
    corpus = read_input(chosen)
    return corpus, measured(corpus, chosen_metrics(chosen, corpus))


Section = tuple[list[dict[str, Any]], list[Table]]


def add_audit(parser: argparse.ArgumentParser) -> None:
    add_pair(parser)
    parser.add_argument(
        "--as-sacrebleu",
        action="store_true",
        help="add the pair as sacreBLEU prints it, the second system being the baseline",
    )


def run_audit(chosen: argparse.Namespace) -> int:
    settings = chosen_options(Settings, chosen)
    corpus, statistics = read_statistics(chosen)
    pair = read_pair(chosen, list(statistics[0].systems))
    with progress("Auditing"):
        audits = [audit(counted, *pair, settings) for counted in statistics]
        within, tables = _dependence(statistics, *pair)
        printed, more = _printed(statistics, *pair) if chosen.as_sacrebleu else ([], [])
    notes = [note for audited in audits for note in audited.notes]
    show_notes(corpus, [*single_runs(pair), *notes])
    bundle = audit_bundle(corpus, settings, audits, within, printed)
    show(chosen.format, bundle, "tests", [*(audit_table(audited) for audited in audits), *tables, *more])
    return 0


def _dependence(statistics: Sequence[Statistics], first: str, second: str) -> Section:
    """Return what dependence within documents costs under every metric, by blocks where documents are unknown."""
    rows: list[dict[str, Any]] = []
    tables = []
    for counted in statistics:
        name = counted.metric.name
        try:
            if counted.document_of is None:
                scan = block_scan(counted, first, second)
                rows.append({"metric": name, "target": scan.target, "lengths": scan.lengths.tolist(),
                             "ratio": scan.ratio.tolist(), "limit": scan.limit.tolist(), "problem": None})  # fmt: skip
                tables.append(block_table(scan, name))
            else:
                effect = dependence(counted, first, second)
                more = {"design_effect": effect.design_effect, "effective_segments": effect.effective_segments}
                rows.append({"metric": name, **asdict(effect), **more, "problem": None})
                tables.append(dependence_table(effect, name))
        except NotApplicable as error:
            rows.append({"metric": name, "problem": str(error)})
            tables.append(said_table(f"dependence within documents, {name}", str(error)))
    return rows, tables


def _printed(statistics: Sequence[Statistics], first: str, second: str) -> Section:
    """Return the pair as sacreBLEU prints it under every metric of its."""
    rows: list[dict[str, Any]] = []
    tables = []
    for counted in statistics:
        name = counted.metric.name
        try:
            lines = as_sacrebleu(counted, first, second)
        except NotApplicable as error:
            rows.append({"metric": name, "problem": str(error)})
            tables.append(said_table(f"as sacreBLEU prints it, {name}", str(error)))
            continue
        rows += [{"metric": name, **asdict(line), "problem": None} for line in lines]
        tables.append(printed_table(lines, name))
    return rows, tables


def add_runs(parser: argparse.ArgumentParser) -> None:
    add_pair(parser)
    parser.add_argument(
        "--runs",
        nargs="+",
        metavar="SYSTEM=RUN,RUN…",
        help="which outputs are runs of which system (default: from names such as X.run1, X.opt0, X.seed3)",
    )


def run_runs(chosen: argparse.Namespace) -> int:
    settings = chosen_options(Settings, chosen)
    corpus, statistics = read_statistics(chosen)
    mapping = (
        runs_by_name(list(statistics[0].systems))
        if chosen.runs is None
        else dict(_system(text) for text in chosen.runs)
    )
    first, second = read_pair(chosen, [name for name, runs in mapping.items() if len(runs) > 1])
    used = {name: getattr(settings, name) for name in ("level", "unit", "n_resamples", "seed")}
    compared = judge_runs([compare_runs(counted, first, second, mapping, **used) for counted in statistics])
    # Tables say what is due to few runs below themselves.
    table = chosen.format in ("table", "markdown")
    show_notes(corpus, [note for by_runs in compared for note in (by_runs.of_data if table else by_runs.notes)])
    show(chosen.format, runs_bundle(corpus, settings, compared), "runs", [runs_table(by_runs) for by_runs in compared])
    return 0


def _system(text: str) -> tuple[str, tuple[str, ...]]:
    name, equals, runs = text.partition("=")
    if not equals or not runs:
        raise InvalidOption(f"Runs are written SYSTEM=RUN,RUN; found {text!r}.")
    return name, tuple(runs.split(","))


SHOWN = {"table": 20, "markdown": 20, "html": 100}
"""Segments that people are shown, when their number is not said; programs get all."""

_COLUMNS = [field.name for field in fields(SegmentRow)]


def add_segments(parser: argparse.ArgumentParser) -> None:
    add_pair(parser, (*FORMATS, "html"))
    group = parser.add_argument_group("segments")
    orders = "; ".join(f"{name}: {words}" for name, words in SORTS.items())
    group.add_argument("--sort", choices=tuple(SORTS), default="contribution", help=f"{orders} (default: contribution)")
    group.add_argument(
        "--bucket",
        nargs="+",
        action="extend",
        choices=tuple(BUCKETS),
        metavar="NAME",
        default=[],
        help=f"only segments of one of these buckets: {', '.join(BUCKETS)}",
    )
    looked_for = "only segments with this text in source, references or outputs"
    looked_for += "; /text/ is a regular expression, #3 a number"
    group.add_argument("--search", metavar="TEXT", default="", help=looked_for)
    most = f"{SHOWN['table']} in a table, {SHOWN['html']} in HTML"
    group.add_argument("--top", metavar="N", type=int, help=f"only the first N segments (default: all; {most})")
    written = "write this file instead of printing (with --format markdown, json, csv or html)"
    group.add_argument("--out", metavar="FILE", help=written)


def run_segments(chosen: argparse.Namespace) -> int:
    settings = chosen_options(Settings, chosen)
    if chosen.out is not None and chosen.format == "table":
        raise InvalidOption("A table is printed, not written: --out goes with --format markdown, json, csv or html.")
    corpus, (statistics, *others) = read_statistics(chosen)
    if others:
        raise InvalidOption("Segments are looked at in one metric at a time: name one with --metric.")
    pair = read_pair(chosen, list(statistics.systems))
    top = SHOWN.get(chosen.format) if chosen.top is None else chosen.top
    with progress("Looking at segments"):
        buckets = _buckets(corpus, *pair, chosen.bucket)
        asked = {"within": chosen.bucket, "search": chosen.search, "sort": chosen.sort, "top": top}
        shown = overview(corpus, statistics, *pair, settings, buckets=buckets, **asked)
    again = again_text(shown.again, shown.untested)
    show_notes(corpus, [*single_runs(pair), *shown.notes, *([Note("note", again)] if again else [])])
    if chosen.format == "html":
        _put(segments_page(shown, corpus), chosen.out)
        return 0
    bundle = segments_bundle(corpus, settings, shown, asked)
    tables = [segments_table(shown, corpus), *([buckets_table(shown)] if shown.buckets else [])]
    tables.append(leverage_table(shown.leverage))
    if chosen.out is None:
        show(chosen.format, bundle, "segments", tables, _COLUMNS)
    elif chosen.format == "markdown":
        _put(markdown_text(tables), chosen.out)
    else:
        _put(data_text(chosen.format, bundle, "segments", _COLUMNS), chosen.out)
    return 0


def _buckets(corpus: Corpus, first: str, second: str, asked: Sequence[str]) -> Buckets | None:
    """Return which segments are in which bucket; None where there are no texts to look into.

    Raises:
        NotApplicable: there are none, although a bucket is asked for.
    """
    try:
        return buckets_of(corpus, first, second)
    except NotApplicable:
        if asked:
            raise
        return None


def _put(text: str, file: str | None) -> None:
    if file is None:
        say_data(text)
    else:
        write_file(Path(file), text.encode())


def add_power(parser: argparse.ArgumentParser) -> None:
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


def run_power(chosen: argparse.Namespace) -> int:
    from mtsig.meta_eval._rating_design import (  # here, because other verbs need no ratings
        RatingDesign,
        design_ratings_by,
    )

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
    return None if text is None else number(text, f"--{name} takes a number")


def add_size_curve(parser: argparse.ArgumentParser) -> None:
    add_input(parser)
    add_metric(parser)
    parser.add_argument("--sizes", nargs="+", metavar="SHARE", help="shares of the test set (default: .1 .2 … 1)")
    parser.add_argument("--pair", **PAIR, help="the difference of two systems instead of scores")
    add_flags(parser, Ablation)


def run_size_curve(chosen: argparse.Namespace) -> int:
    expected = "A size is a share of the test set above 0 and up to 1"
    sizes = {} if chosen.sizes is None else {"sizes": tuple(number(text, expected) for text in chosen.sizes)}
    ablation = chosen_options(Ablation, chosen, **sizes)
    corpus, statistics = read_statistics(chosen)
    pair = None if chosen.pair is None else (chosen.pair[0], chosen.pair[1])
    ablated = []
    for counted in statistics:
        fitting = ablation if chosen.sizes else replace(ablation, sizes=usable_sizes(counted.at(ablation.unit).n))
        with progress(f"Subsets, {counted.metric.name}"):
            ablated.append(size_curve(counted, fitting, pair))
    show_notes(corpus, [*single_runs(pair or ()), *(note for curves in ablated for note in curves.notes)])
    show(chosen.format, ablation_bundle(corpus, ablated, pair), "sizes", [size_table(curves) for curves in ablated])
    return 0
