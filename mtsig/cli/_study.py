"""The files around a comparison: the analysis plan before it, and the documents that a saved study becomes."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mtsig._writing import write_file
from mtsig.cli._arguments import (
    MARGINS,
    METRIC,
    PAIR,
    add_input,
    add_margins,
    add_settings,
    input_arguments,
    refuse_given,
)
from mtsig.cli._compare import add_family, chosen_pairs, requested
from mtsig.cli._output import progress, say, say_data, tell, tell_notes
from mtsig.cli._reading import measured, read_input
from mtsig.cli._several import (
    COUNTING,
    JUDGING,
    OF_ONE_SET,
    ONE_SET,
    READING,
    add_sets,
    asked_over,
    named_sets,
    refuse_without_sets,
)
from mtsig.collection import Sets
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import number_of
from mtsig.errors import InvalidOption
from mtsig.inference import Settings
from mtsig.options import options
from mtsig.segments import Ablation, size_curve
from mtsig.segments._ablation import usable_sizes
from mtsig.study import AnalysisPlan, Change, Study, read_plan, read_study, reproduce
from mtsig.study._changes import TAKEN_TEXT, are_roundings, as_known, checked_note, reproduction_text, study_changes
from mtsig.study._record import REPORT_FORMATS
from mtsig.study._request import plan_of, plan_text

if TYPE_CHECKING:
    from mtsig.figures import Picture
    from mtsig.report import Document, Table


def add_plan(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", metavar="FILE", help="a plan to check; without it, one is written")
    parser.add_argument("--metric", **METRIC, help="metrics (default: bleu)")
    add_family(parser)
    sets = "names of the test sets, where the plan is of several: they are fixed with it, as their weights are"
    add_sets(parser, ("set", *COUNTING, *JUDGING), set_help=sets)
    parser.add_argument("--by", metavar="BY", help="parts of the test set that are judged together, such as domain")
    add_margins(parser)
    add_settings(parser)


def run_plan(chosen: argparse.Namespace) -> int:
    if chosen.file is None:
        if chosen.set is None:
            refuse_without_sets(chosen)
            request = requested(chosen)
        else:
            refuse_given(chosen, "--set", ("correct_jointly", "by", *MARGINS), OF_ONE_SET)
            request = asked_over(chosen, chosen_pairs(chosen), None)
        text = plan_text(request)
        plan_of(text)  # what is written can be read: a one-sided plan of all pairs cannot
        say_data(text)
        return 0
    names = ["metric", "pairs", "pair", "correct_jointly", "by", "set", "method", *MARGINS, *COUNTING, *JUDGING]
    names += [option.name for option in options(Settings)]
    if any(getattr(chosen, name) for name in names):
        raise InvalidOption("Give either a plan to check, or the options of one to write; found both.")
    say(*_told_plan(read_plan(chosen.file)))
    return 0


def _told_plan(plan: AnalysisPlan) -> list[str]:
    request, settings = plan.request, plan.request.settings
    pairs = request.pairs
    which = {"all": "all pairs"}.get(pairs, f"every other system against {pairs}") if isinstance(pairs, str) else ""
    if not isinstance(pairs, str):
        which = ", ".join(f"{first} – {second}" for first, second in pairs)
    return [
        f"{plan.digest}",
        f"metrics: {', '.join(choice or '' for choice in request.choices)}{' (one family)' if request.joined else ''}",
        f"pairs: {which}",
        *([] if request.by is None else [f"parts: by {request.by}, one family"]),
        *([] if request.sets is None else [f"test sets: {', '.join(request.sets.names)}"]),
        *([] if request.sets is None else [f"estimand: {request.sets.sentence}"]),
        *(f"{option.name}: {getattr(settings, option.name)}" for option in options(settings)),
        *(
            f"margin: {margin.kind} of {margin.metric_spec} within {margin.points:g} points"
            f"{', with one more document like the heaviest' if margin.one_more_document else ''}"
            for margin in request.margins
        ),
        "Publish this file, or its digest above, before any system is scored: then it can be shown to be older.",
    ]


def add_report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("study", metavar="STUDY", help="a study: what `mtsig compare --save FILE` wrote")
    add_input(parser)
    add_sets(parser, READING)
    parser.add_argument("--out", metavar="FOLDER", help="where to write (default: STUDY-report beside the study)")
    parser.add_argument(
        "--to",
        nargs="+",
        metavar="FORMAT[:OPTION=VALUE]",
        help="html, latex, pdf, svg, png, pgf, markdown, csv, xlsx, json; as in pdf:paper=acl-full "
        f"(default: {' '.join(REPORT_FORMATS)})",
    )
    parser.add_argument("--against", metavar="STUDY", help="say what changed since this other study; writes nothing")
    parser.add_argument(
        "--pair",
        **PAIR,
        help="also draw this pair's draws (needs data); over several sets the pair set by set",
    )
    parser.add_argument("--sizes", action="store_true", help="also draw curves by test-set size (needs data)")


def run_report(chosen: argparse.Namespace) -> int:
    """Run the verb and return its exit code: 0, or 1 when something differs."""
    study = read_study(chosen.study)
    if study.several and study.request.by is None:
        return _over_sets(study, chosen)
    if chosen.set is not None:
        raise InvalidOption(f"{chosen.study} is of one test set: give its data with --data, and no --set.")
    refuse_without_sets(chosen)
    if chosen.against is not None:
        _refuse_beside_against(chosen)
        return _told_report(chosen, _changes(chosen, study))
    corpus = read_input(chosen) if input_arguments(chosen) else None
    if corpus is None and (chosen.sizes or (chosen.pair and not study.several)):
        raise InvalidOption("--pair and --sizes need the draws: give the data too (--data FOLDER).")
    code, checked = _unchecked(study) if corpus is None else _again(study, corpus)
    if study.several:
        if chosen.sizes:
            raise InvalidOption(f"{chosen.study} is of the parts of a test set, and --sizes is of one that is whole.")
        from mtsig.report import Document

        _write(Document(study, _forests(study, chosen.pair) if chosen.pair else {}, checked=checked), chosen)
        return code
    more = {} if corpus is None else _pictures(study, corpus, chosen)
    # Segments of other data carry no verdict of this study.
    carrying = () if corpus is None or code else _carrying(study, corpus)
    from mtsig.report import Document

    _write(Document(study, more, carrying=carrying, checked=checked), chosen)
    return code


def _over_sets(study: Study, chosen: argparse.Namespace) -> int:
    """Report a study over several sets, made again first where they are given, and return the exit code.

    Raises:
        InvalidOption: with arguments of a study of one test set.
    """
    for name in (*ONE_SET, "sizes"):
        if getattr(chosen, name):
            raise InvalidOption(f"{chosen.study} is of several test sets, and --{name} is of one: give --set.")
    if chosen.set is None:
        refuse_without_sets(chosen)
    if chosen.against is not None:
        _refuse_beside_against(chosen)
        return _told_report(chosen, _changes(chosen, study))
    code, checked = _unchecked(study) if chosen.set is None else _again(study, named_sets(chosen))
    from mtsig.report import Document

    _write(Document(study, _forests(study, chosen.pair) if chosen.pair else {}, checked=checked), chosen)
    return code


def _forests(study: Study, pair: Sequence[str]) -> dict[str, "Picture"]:
    """Return the pictures of a pair set by set."""
    from mtsig.figures import SetForest
    from mtsig.report._paper import file_stem, names_of

    first, second = pair
    stem = file_stem(f"forest-{first}-{second}")
    return {
        f"{stem}-{name}": SetForest.of(result.compared, first, second)
        for name, result in zip(names_of(study), study.over, strict=True)
    }


def _refuse_beside_against(chosen: argparse.Namespace) -> None:
    names = (*ONE_SET, "set", "out", "to", "pair", "sizes")
    refuse_given(chosen, "--against", names, "two studies are held against each other, and nothing is written.")


def _changes(chosen: argparse.Namespace, study: Study) -> Sequence[Change]:
    """Return what changed since another study of as many sets."""
    other = read_study(chosen.against)
    if other.several != study.several:
        one, several = (chosen.study, chosen.against) if other.several else (chosen.against, chosen.study)
        raise InvalidOption(f"{one} is of one test set and {several} of several: they are not held against each other.")
    return study_changes(other, study)


def _told_report(chosen: argparse.Namespace, changes: Sequence[Change]) -> int:
    """Say what changed since another study, and return the exit code."""
    many = number_of(len(changes), "change")
    _tell("Nothing changed." if not changes else f"{many} since {chosen.against}:", changes)
    return 0 if are_roundings(changes) else 1


def _unchecked(study: Study) -> tuple[int, None]:
    """Say that the study comes from its file alone, and return the exit code."""
    tell(f"{'note' if study.intact else 'warning'}: {study.unchecked_text}")
    return 0, None


def _again(study: Study, data: Corpus | Sets) -> tuple[int, Note]:
    """Make the study again, say what differs, and return the exit code, and what documents say of it."""
    with progress("Making it again"):
        reproduction = reproduce(study, data)
    _tell(reproduction_text(reproduction, study), reproduction.changes)
    say(TAKEN_TEXT)
    return 0 if reproduction.same else 1, checked_note(reproduction)


def _tell(text: str, changes: Sequence[Change]) -> None:
    say(text, *(f"  {change.kind}: {change.text}" for change in changes))


def _pictures(study: Study, corpus: Corpus, chosen: argparse.Namespace) -> dict[str, "Picture"]:
    """Return the pictures that need the draws."""
    if not chosen.pair and not chosen.sizes:
        return {}
    # Here and not above: plotly and matplotlib take a while to load, and other verbs need neither.
    from mtsig.figures import Curves, Histogram
    from mtsig.report._paper import names_of

    corpus = as_known(corpus, study.data, study.texts)
    request = study.asked
    drawn: dict[str, Picture] = {}
    for name, statistics in zip(names_of(study), measured(corpus, study.counted), strict=True):
        if chosen.pair:
            family = request.settings.family(statistics, [(chosen.pair[0], chosen.pair[1])])
            drawn[f"resampled-{name}"] = Histogram.of_resampled(family.resampled(0), family[0], family.higher_is_better)
            if family.null is not None and family.test.exchanges:
                drawn[f"shuffled-{name}"] = Histogram.of_shuffled(family.null[0], family[0], family.higher_is_better)
        if chosen.sizes:
            settings = request.settings
            sizes = usable_sizes(statistics.at(settings.unit).n)
            ablation = Ablation(sizes=sizes, level=settings.level, seed=settings.seed, unit=settings.unit)
            with progress(f"Subsets, {statistics.metric.name}"):
                curves = size_curve(statistics, ablation)
            drawn[f"sizes-{name}"] = Curves.of_scores(curves)
            drawn[f"widths-{name}"] = Curves.of_widths(curves)
    return drawn


def _carrying(study: Study, corpus: Corpus) -> "tuple[Table, ...]":
    """Return the segments that carry the verdict."""
    corpus = as_known(corpus, study.data, study.texts)
    from mtsig.report._segments import carrying_tables  # here, because a study alone has no segments

    tables, notes = carrying_tables(study, corpus, measured(corpus, study.counted))
    tell_notes(notes)
    return tables


def _write(document: "Document", chosen: argparse.Namespace) -> None:
    from mtsig.report import exported

    folder = Path(chosen.out) if chosen.out else Path(chosen.study).parent / f"{Path(chosen.study).stem}-report"
    written = exported(document, chosen.to or REPORT_FORMATS)
    tell_notes(written.notes)
    for name, data in written.files.items():
        write_file(folder / name, data)
        say(str(folder / name))
