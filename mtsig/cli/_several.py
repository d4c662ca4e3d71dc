"""Several test sets, and counts in a file: their arguments, and what the verbs do with them in place of one text."""

import argparse
from collections.abc import Collection, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import get_args

from mtsig.citations import VERSION
from mtsig.cli._arguments import (
    INPUT,
    add_input,
    add_metric,
    add_workers,
    chosen_metrics,
    chosen_settings,
    flag_of,
    refuse_given,
    workers,
)
from mtsig.cli._output import progress, say, show, tell
from mtsig.cli._reading import measured, read_input, show_notes
from mtsig.collection import FamilyOverSets, Sets, SetStatistics, compare, measure, read_sets, score
from mtsig.collection._averages import Weights, weights_from
from mtsig.corpus import Corpus, inspect
from mtsig.corpus._notes import number_of
from mtsig.errors import InvalidOption, UnknownName
from mtsig.inference._targets import PairChoice
from mtsig.metrics import Statistics, default_metrics, labels_of, metric
from mtsig.report import Table
from mtsig.report._bundle import plain, scores_over_sets_bundle
from mtsig.report._over_sets import over_sets_texts, sets_tables
from mtsig.report._paper import scores_over_sets_table
from mtsig.study import AnalysisPlan, Counts, Request, conduct, read_counts, write_counts
from mtsig.study._counts import Counted, CountedUnit
from mtsig.study._request import HOW_OVER_SETS, OverSetsRequest, choice_of
from mtsig.study._run import measured_over, requested_of

ONE_SET = tuple(INPUT)
"""Arguments that name one test set, which several do not take."""

READING = ("set", "skip_broken", "called")
"""Arguments that name several test sets."""

COUNTING = ("for", "weights", "units")
"""Arguments that say how several test sets are counted and averaged."""

JUDGING = ("family", "combine", "separate")
"""Arguments that say how comparisons over several test sets are judged."""


def add_set_input(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name several test sets and say how they are counted and averaged."""
    add_sets(parser, (*READING, *COUNTING))


def add_sets(parser: argparse.ArgumentParser, only: Collection[str], set_help: str | None = None) -> None:
    """Add the arguments of several test sets that are named."""
    group = parser.add_argument_group("several test sets, instead of the input above")
    places = (
        "test sets: each a folder, archive or file as for --data; a path that holds several (a folder of folders, "
        "language pairs) gives all of them"
    )
    weights = "weights of the sets in the average: equal (default), segments, or SET=NUMBER for each; fix them before"
    own = "other options of a metric for one set, as in en-ja bleu:tokenize=char; may be given several times"
    described = {
        "set": {"nargs": "+", "action": "extend", "metavar": "[NAME=]PATH", "help": set_help or places},
        "skip_broken": {"action": "store_true", "help": "leave out sets that cannot be read, and say so"},
        "called": {
            "nargs": "+",
            "metavar": "NAME=SET:SYSTEM",
            "help": "a system that a set calls otherwise, as in ours=en-de:submission-2",
        },
        "for": {"nargs": 2, "action": "append", "metavar": ("SET", "METRIC"), "help": own},
        "weights": {"nargs": "+", "metavar": "WEIGHT", "help": f"{weights} looking"},
        **{
            option.name: {"choices": option.choices, "help": f"{option.help} (default: {option.default})"}
            for option in HOW_OVER_SETS
        },
    }
    for name, how in described.items():
        if name in only:
            group.add_argument(flag_of(name), **how)  # type: ignore[arg-type]


OF_ONE_SET = "{flag} is of one test set."
"""Why several test sets refuse an argument."""


def refuse_without_sets(chosen: argparse.Namespace) -> None:
    """Raise InvalidOption where an argument of several test sets is given without any."""
    for name in (*READING, *COUNTING, *JUDGING):
        if name != "set" and getattr(chosen, name, None):
            raise InvalidOption(f"{flag_of(name)} goes with --set: it is of several test sets.")


def named_sets(chosen: argparse.Namespace) -> Sets:
    """Return the test sets that the arguments name.

    Raises:
        InvalidOption: with arguments of one test set.
        ReadError: a set cannot be read.
    """
    refuse_given(chosen, "--set", ONE_SET, OF_ONE_SET)
    return read_sets(chosen.set, skip_broken=chosen.skip_broken, called=_called(chosen.called or ()))


def compare_sets(chosen: argparse.Namespace, pairs: PairChoice, plan: AnalysisPlan | None) -> int:
    """Compare over the sets, and return the exit code.

    Raises:
        InvalidOption: with arguments of one test set, or other sets than the plan fixes.
    """
    refuse_given(chosen, "--set", ("by", "correct_jointly", "statement", "out"), OF_ONE_SET)
    sets = named_sets(chosen)
    request = requested_of(sets, asked_over(chosen, pairs, next(iter(sets.values()))) if plan is None else None, plan)
    with workers(chosen) as executor:
        counted = _counted(sets, request, executor)
    with progress("Comparing"):
        study = conduct(sets, request if plan is None else None, plan, counted)
    left = (
        f"note: {name}: {note.text}" for name, corpus in sets.items() for note in corpus.notes if note.about == "files"
    )
    tell(*dict.fromkeys([*left, *(f"{note.level}: {note.text}" for note in study.all_notes)]))
    if study.plan is not None:
        tell(f"note: Planned: these results are what the analysis plan asks for ({study.plan.digest}).")
    if chosen.save is not None:
        study.save(chosen.save)
    compared = [result.compared for result in study.over]
    sentences, tables = told_over_sets(compared)
    bundle = {**study.plain(), "sentences": sentences}
    show(chosen.format, bundle, list(map(plain, study.rows())), tables, sentences=sentences)
    return 0


def score_sets(chosen: argparse.Namespace) -> int:
    """Score the systems of every set, and return the exit code.

    Raises:
        InvalidOption: with arguments of one test set.
    """
    sets = named_sets(chosen)
    request = requested_of(sets, asked_over(chosen, "all", next(iter(sets.values()))))
    counted = _counted(sets, request)
    with progress("Redrawing"):
        scored = [
            score(counts, request.settings, weights=chosen_weights(chosen)).called(label)
            for counts, label in zip(counted, labels_of(request.metrics), strict=True)
        ]
    told = [f"{note.level}: {name}: {note.text}" for name, corpus in sets.items() for note in inspect(corpus)]
    tell(*dict.fromkeys([*told, *(f"{note.level}: {note.text}" for scores in scored for note in scores.notes)]))
    bundle = scores_over_sets_bundle(sets, request.settings, scored)
    show(chosen.format, bundle, "systems", [scores_over_sets_table(scores) for scores in scored])
    return 0


def asked_over(chosen: argparse.Namespace, pairs: PairChoice, first: Corpus | None) -> Request:
    """Return the request over sets that the arguments make; `first` knows the ratings by their names.

    Raises:
        UnknownName: no such metric, rating or option.
        InvalidOption: a value is not allowed.
    """
    names = chosen.metric or (["bleu"] if first is None else default_metrics(first))
    ratings = () if first is None else tuple(first.ratings)
    own: dict[str, tuple[str, ...]] = {}
    for by_set in own_metrics(chosen, names).values():
        for of, written in by_set.items():
            own[of] = (*own.get(of, ()), written)
    over = OverSetsRequest(
        names=tuple(dict.fromkeys(given.partition("=")[0] for given in chosen.set)) if first is None else (),
        weights=chosen_weights(chosen),
        units=chosen.units or "shared",
        family=getattr(chosen, "family", None) or "joint",
        combine=getattr(chosen, "combine", None) or "bonferroni",
        separate=getattr(chosen, "separate", None) or "nemenyi",
        own=own,
    )
    settings = chosen_settings(chosen)
    return Request(tuple(metric(name, ratings) for name in names), settings, pairs, sets=over)


def told_over_sets(compared: Sequence[FamilyOverSets]) -> tuple[list[str], list[Table]]:
    """Return what is said of every average, and the tables, metric by metric."""
    numbered = [(family, i) for family in compared for i in range(len(family.averages or ()))]
    sentences = [text for family, i in numbered for text in over_sets_texts(family, i)]
    return sentences, [table for family in compared for table in sets_tables(family)]


def _counted(sets: Sets, request: Request, executor: Executor | None = None) -> list[SetStatistics]:
    counted = []
    for number, asked in enumerate(request.metrics):
        with progress(f"Counting {asked.name}"):
            counted.append(measured_over(sets, request, number, executor))
    return counted


def kind_of(written: str) -> str:
    """Return the kind of a metric, as options of sets are named by."""
    return written.partition(":")[0].strip().lower()


def own_metrics(chosen: argparse.Namespace, names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return for every metric that is measured, by its kind, what it is in some sets.

    Raises:
        InvalidOption: an argument names a metric that is not measured.
    """
    own_names: dict[str, dict[str, str]] = {kind_of(name): {} for name in names}
    for of, written in getattr(chosen, "for", None) or ():
        if kind_of(written) not in own_names:
            raise InvalidOption(f"--for {of} names the metric {written}, which is not measured.")
        own_names[kind_of(written)][of] = written
    return own_names


def chosen_weights(chosen: argparse.Namespace) -> Weights:
    """Return the weights that the arguments name.

    Raises:
        InvalidOption: they are none.
    """
    return weights_from(chosen.weights or ["equal"])


def _called(given: Sequence[str]) -> dict[str, dict[str, str]]:
    own_names: dict[str, dict[str, str]] = {}
    for text in given:
        system, equals, place = text.partition("=")
        name, colon, own = place.partition(":")
        if not (system and equals and colon and own):
            raise InvalidOption(f"A system is named over sets as NAME=SET:SYSTEM; found {text!r}.")
        own_names.setdefault(system, {})[name] = own
    return own_names


ALONE = "all"
"""What a set is called that is read without a name."""


def add_count(parser: argparse.ArgumentParser) -> None:
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


def run_count(chosen: argparse.Namespace) -> int:
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
    refuse_given(chosen, "--counts of several test sets", ("correct_jointly", "statement", "out"), OF_ONE_SET)
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
