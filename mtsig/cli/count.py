"""`mtsig count`: what metrics count of the text, in a file; and comparisons that need nothing else."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

from mtsig.cli.analysis import add_metric, chosen_metrics, chosen_settings
from mtsig.cli.flags import refuse_given
from mtsig.cli.inputs import add_input
from mtsig.cli.reading import read_input
from mtsig.cli.say import say, tell
from mtsig.cli.several import OF_ONE_SET, ONE_SET, READING, chosen_weights, refuse_without_sets, told_over_sets
from mtsig.cli.show import measured, progress, show, show_notes
from mtsig.cli.workers import add_workers, workers
from mtsig.corpus import number_of
from mtsig.errors import UnknownName
from mtsig.inference import PairChoice
from mtsig.metrics import Statistics, default_metrics
from mtsig.report import plain
from mtsig.sets import Sets, compare, measure, read_sets
from mtsig.sets.collection import SetStatistics
from mtsig.study import Counted, CountedUnit, Counts, choice_of, read_counts, write_counts
from mtsig.version import VERSION

ALONE = "all"
"""What a set is called that is read without a name."""


EXAMPLES = {
    "mtsig count --data data --metric bleu chrf -o counts.parquet": "count two metrics once",
    "mtsig compare --counts counts.parquet": "compare without the text, as often as wanted",
    "mtsig count --set sets/en-de sets/en-ja --metric chrf -o sets.parquet": "several test sets in one file",
}


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_input(parser)
    several = "several test sets, as in mtsig compare --set: each is counted, and named in the file"
    parser.add_argument("--set", nargs="+", action="extend", metavar="[NAME=]PATH", help=several)
    parser.add_argument("--skip-broken", action="store_true", help="leave out sets that cannot be read, and say so")
    add_metric(parser, formats=())
    units = "a row for each segment (default), or for each document, which is enough where documents are the units"
    parser.add_argument("--unit", choices=get_args(CountedUnit), default="segment", help=units)
    add_workers(parser)
    where = "the Parquet file: a path, or an address that fsspec knows, as in s3://bucket/counts.parquet"
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help=where)


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    if chosen.set is not None:
        return _count_sets(chosen)
    refuse_without_sets(chosen)
    corpus = read_input(chosen)
    metrics = chosen_metrics(chosen, corpus)
    with workers(chosen) as executor:
        counted = measured(corpus, metrics, executor)
    show_notes(corpus, [note for part in counted for note in part.notes])
    write_counts(chosen.output, {ALONE: (corpus, counted)}, chosen.unit)
    _told(chosen.output, {ALONE: counted})
    return 0


def _count_sets(chosen: argparse.Namespace) -> int:
    refuse_given(chosen, "--set", ONE_SET, OF_ONE_SET)
    sets = read_sets(chosen.set, skip_broken=chosen.skip_broken)
    names = chosen.metric or default_metrics(next(iter(sets.values())))
    counted = []
    with workers(chosen) as executor:
        for name in names:
            with progress(f"Counting {name}"):
                counted.append(measure(sets, name, executor=executor))
    by_set = {name: [over.of[name] for over in counted] for name in sets}
    notes = [*sets.notes, *(note for own in by_set.values() for statistics in own for note in statistics.notes)]
    tell(*dict.fromkeys(f"{note.level}: {note.text}" for note in notes))
    write_counts(chosen.output, {name: (corpus, by_set[name]) for name, corpus in sets.items()}, chosen.unit)
    _told(chosen.output, by_set)
    return 0


def _told(output: str, counted: dict[str, list[Statistics]]) -> None:
    metrics = next(iter(counted.values()))
    say(*(f"{part.metric.name}: {part.signature}" for part in metrics))
    systems = dict.fromkeys(system for many in counted.values() for part in many for system in part.systems)
    sets = "" if len(counted) == 1 else f"{number_of(len(counted), 'test set')}, "
    say(f"{output}: {sets}{number_of(len(systems), 'system')}, {number_of(len(metrics), 'metric')}")


_OF_TEXT = tuple(name for name in (*ONE_SET, *READING, "for", "by", "plan") if name != "systems")
"""Arguments that need the text."""


def read_given_counts(chosen: argparse.Namespace) -> Counts:
    """Return the counts that --counts names, of the systems and metrics that are asked for.

    Raises:
        InvalidOption: with arguments that need the text.
        UnknownName: the file has no such metric or system.
    """
    refuse_given(chosen, "--counts", _OF_TEXT, "that needs text.")
    refuse_given(chosen, "--counts", ("workers", "no_cache"), "nothing is counted again.")
    counts = read_counts(chosen.counts)
    of = {name: _asked(part, chosen.metric, chosen.systems) for name, part in counts.of.items()}
    return Counts(of, counts.unit, counts.mtsig)


def _asked(counted: Counted, names: Sequence[str] | None, systems: Sequence[str] | None) -> Counted:
    known = {name.lower(): part for part in counted.statistics for name in (part.metric.name, *_choices(part))}
    for name in names or ():
        if name.lower() not in known:
            said = ", ".join(part.metric.name for part in counted.statistics)
            raise UnknownName(f"The counts hold no metric {name!r}. They hold: {said}.")
    many = counted.statistics if names is None else tuple(known[name.lower()] for name in names)
    many = many if systems is None else tuple(part.select(systems) for part in many)
    return replace(counted, statistics=many)


def _choices(statistics: Statistics) -> list[str]:
    choices = (choice_of(statistics.metric), choice_of(statistics.metric.counted))
    return [choice for choice in choices if choice is not None]


def compare_counted_sets(chosen: argparse.Namespace, counts: Counts, pairs: PairChoice) -> int:
    """Compare over the sets of a file, and return the exit code.

    Raises:
        InvalidOption: with arguments of one test set.
        NotApplicable: segments are asked for of counts by document.
    """
    refuse_given(chosen, "--counts of several test sets", ("joined", "statement", "out"), OF_ONE_SET)
    refuse_given(chosen, "--counts of several test sets", ("save",), "a study over sets is of text: give --set.")
    settings = chosen_settings(chosen)
    sets = Sets({name: part.corpus for name, part in counts.of.items()})
    compared = []
    for many in zip(*(part.statistics for part in counts.of.values()), strict=True):
        with progress("Comparing"):
            of = SetStatistics(sets, dict(zip(counts.of, many, strict=True)), chosen.units or "shared")
            compared.append(
                compare(
                    of,
                    settings,
                    pairs,
                    weights=chosen_weights(chosen),
                    family=chosen.family or "joint",
                    combination=chosen.combine or "bonferroni",
                    separation=chosen.separate or "nemenyi",
                )
            )
    notes = [*counts.notes, *(note for family in compared for note in family.notes)]
    tell(*dict.fromkeys(f"{note.level}: {note.text}" for note in notes))
    rows = [plain(row) for family in compared for row in family.rows()]
    sentences, tables = told_over_sets(compared)
    bundle = {"mtsig": VERSION, "comparisons": rows, "sentences": sentences}
    show(chosen.format, bundle, rows, tables, sentences=sentences)
    return 0
