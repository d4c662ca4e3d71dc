"""The study: the plan before it, and the documents and pictures that a saved study becomes."""

import argparse
import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from mtsig._options import options
from mtsig._writing import refuse_inputs, write_file
from mtsig.cli import _arguments, _output
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import number_of
from mtsig.errors import InvalidOption
from mtsig.inference import Settings
from mtsig.readers._files import to_read
from mtsig.study import AnalysisPlan, Request, Study, read_plan
from mtsig.study._reading import read_study
from mtsig.study._request import plan_of, plan_text

if TYPE_CHECKING:
    from mtsig.collection import Sets
    from mtsig.figures import Picture
    from mtsig.report import Table
    from mtsig.study import Change

DIFFERS = 5
"""The exit code where a study differs from its data, or from another study."""


_OF_PREFERENCES = ("win_rate", "tie_rate", "icc", "per_document")


def _plan_preferences(chosen: argparse.Namespace) -> int:
    """Say how many judgements a difference takes, by those at hand or by what is expected."""
    from mtsig.campaign import plan_preferences, preferences  # here, because other plans need none of it
    from mtsig.campaign._judged import plan_like
    from mtsig.cli import _compare

    fixed = [*_compare.FIXED, "set", *(option.name for option in options(Settings) if option.name != "level")]
    _arguments.refuse_given(chosen, "plan preferences", fixed, "{flag} is an option of analysis plans.")
    win_rate = 0.55 if chosen.win_rate is None else chosen.win_rate
    if chosen.data:
        _arguments.refuse_given(chosen, "--data", _OF_PREFERENCES[1:], "the judgements in --data give this value.")
        judged = preferences(chosen.data[-1], settings=_arguments.chosen_settings(chosen))
        plan = plan_like(judged, win_rate, power=chosen.power)
    else:
        named = {"ties": chosen.tie_rate, "icc": chosen.icc, "per_document": chosen.per_document}
        given = {name: value for name, value in named.items() if value is not None}
        level = _arguments.chosen_settings(chosen).level
        plan = plan_preferences(win_rate, **given, systems=chosen.future_systems, level=level, power=chosen.power)
    _output.say(plan.sentence)
    return 0


def run_plan(chosen: argparse.Namespace) -> int:
    from mtsig.cli import _compare  # here and below: a study that was saved becomes a report without all this

    if chosen.file == "preferences":
        return _plan_preferences(chosen)
    said = "{flag} is an option of mtsig plan preferences."
    _arguments.refuse_given(chosen, "an analysis plan", (*_OF_PREFERENCES, "data"), said)
    if chosen.file is None:
        text = plan_text(_compare.asked(chosen, None))
        plan_of(text)  # what is written can be read: a one-sided plan of all pairs cannot
        _output.say_data(text)
        return 0
    names = [*_compare.FIXED, "set", *(option.name for option in options(Settings))]
    if _arguments.given(chosen, names):
        raise InvalidOption("Give either a plan to check, or options for writing a plan; found both.")
    _output.say(*_plan_texts(read_plan(chosen.file)))
    return 0


def _plan_texts(plan: AnalysisPlan) -> list[str]:
    request, settings = plan.request, plan.request.settings
    pairs = request.pairs
    which = {"all": "all pairs"}.get(pairs, f"every other system against {pairs}") if isinstance(pairs, str) else ""
    if not isinstance(pairs, str):
        which = ", ".join(f"{first} – {second}" for first, second in pairs)
    return [
        f"{plan.digest}",
        f"metrics: {', '.join(choice or '' for choice in request.choices)}{' (one family)' if request.joined else ''}",
        f"pairs: {which}",
        *([] if request.by is None else [f"subsets: by {request.by}, one family"]),
        *([] if request.sets is None else [f"test sets: {', '.join(request.sets.names)}"]),
        *([] if request.sets is None else [f"estimated: {request.sets.sentence}"]),
        *(f"{_arguments.CALLED.get(name, name)}: {value}" for name, value in vars(settings).items()),
        *(
            f"margin: {margin.kind} of {margin.metric_spec} within {margin.points:g} points"
            f"{', also with one more document like the most influential one' if margin.one_more_document else ''}"
            for margin in request.margins
        ),
        "Publish this file, or its digest above, before any system is scored. This shows later that the plan was made "
        "before the results.",
    ]


def run_report(chosen: argparse.Namespace) -> int:
    """Run the verb and return its exit code: 0, or DIFFERS."""
    from mtsig.report import Document, exported  # here and below, because plans need none of it

    study = read_study(_study_named(chosen))
    if chosen.since is not None:
        names = (*_arguments.OPTIONS["input"], "set", "out", "to", "pair", "size_curve")
        _arguments.refuse_given(chosen, "--since", names, "it compares two studies and writes nothing.")
        return _show_changes(chosen, study)
    data: Corpus | Sets | None = None
    if study.request.preferences is not None:
        own = () if study.request.preferences.rating else _arguments.OPTIONS["input"].keys() - {"data"}
        names = (*own, "set", "pair", "size_curve", "compat")
        _arguments.refuse_given(chosen, "A study of preferences", names, "give --data FILE only.")
    elif _arguments.typed_again(chosen) or chosen.set:
        from mtsig.cli import _reading  # here and below: without data, no reader of data is loaded

        data = _reading.read_data(chosen)
    several, pair = study.request.sets is not None, _arguments.one_pair(chosen)
    if data is None:
        _arguments.refuse_without_sets(chosen)
    elif several == isinstance(data, Corpus):
        few = "several test sets. Give them with --set" if several else "one test set. Give it with --data"
        raise InvalidOption(f"{chosen.study} is a study of {few}.")
    if chosen.size_curve and study.several:
        raise InvalidOption(f"{chosen.study} covers several sets or subsets, but --size-curve needs one test set.")
    if data is None and (chosen.size_curve or (pair and not study.several)):
        raise InvalidOption("--pair and --size-curve need the resamples. Also give the data (--data FOLDER).")
    if chosen.compat is not None and not isinstance(data, Corpus):
        raise InvalidOption("--compat needs the ratings. Also give the data (--data FOLDER --ratings FILE).")
    code, checked = _again(study, data, chosen)
    pictures = _forests(study, pair) if study.several and pair else {}
    carrying: tuple[Table, ...] = ()
    if isinstance(data, Corpus) and not study.several:
        pictures = _pictures(study, data, pair, chosen.size_curve)
        # Segments of other data carry no verdict of this study.
        carrying = () if code else _carrying(study, data)
        if chosen.compat is not None:
            from mtsig.cli import _campaign  # here, because no other report needs it

            ranked = _campaign.official(chosen.compat, chosen.without_raters, data, study)
            pictures |= _campaign.official_pictures(ranked)
    file = Path(chosen.study)
    place = chosen.out[-1] if chosen.out else str(file.with_name(f"{file.stem}-report"))
    with _output.progress("Writing"):
        written = exported(Document(study, pictures, carrying=carrying, checked=checked), chosen.to or ())
        _output.tell_notes(written.notes)
        files = _output.in_folder(place, written.files)
        refuse_inputs(files)
        for path, content in files.items():
            write_file(path, content)
            _output.say(str(path))
    return code


def _study_named(chosen: argparse.Namespace) -> str:
    if chosen.study is None:
        raise InvalidOption("Name a study, as saved by mtsig compare --data FOLDER -o study.json.")
    return str(chosen.study)


def run_card(chosen: argparse.Namespace) -> int:
    from mtsig.cli import _reading
    from mtsig.figures import save
    from mtsig.report import card
    from mtsig.study import conduct

    try:
        day = None if chosen.day is None else date.fromisoformat(chosen.day)
    except ValueError:
        raise InvalidOption(f"--day takes a date such as 2026-11-25; found {chosen.day!r}.") from None
    metric, pair = _reading.one_metric(chosen, ""), _arguments.one_pair(chosen)
    if chosen.study is not None:
        if Path(chosen.study).exists() and not _is_study(Path(chosen.study)):
            raise InvalidOption(f"{chosen.study} is not a study. To use data, write --data {chosen.study}.")
        names = [option.name for option in options(Settings)]
        _arguments.refuse_given(chosen, chosen.study, names, "the settings are stored in the study.")
        study = read_study(chosen.study)
        corpus = _reading.read_input(chosen) if _arguments.typed_again(chosen) else None
    else:
        corpus = _reading.read_input(chosen)
        metrics = _reading.chosen_metrics(chosen, corpus)[:1]
        with _output.progress("Comparing"):
            study, metric = conduct(corpus, Request(tuple(metrics), _arguments.chosen_settings(chosen))), ""
    (file,) = chosen.out[-1:]
    with _output.progress("Drawing"):
        sheet = save(card(study, pair or (), metric, corpus, day), file)
    _output.tell_notes(sheet.notes)
    _output.say(file)
    return 0


def _is_study(path: Path) -> bool:
    """Return whether a file begins as studies do."""
    if not path.is_file():
        return False
    with to_read(path, str(path)) as file:
        return re.match(rb'\s*\{\s*"schema":\s*"mtsig/', file.read(200)) is not None


def _forests(study: Study, pair: Sequence[str]) -> dict[str, "Picture"]:
    from mtsig.figures import SetForest
    from mtsig.report._paper import file_stem, names_of

    first, second = pair
    stem = file_stem(f"forest-{first}-{second}")
    return {
        f"{stem}-{name}": SetForest.of(result.compared, first, second)
        for name, result in zip(names_of(study), study.over, strict=True)
    }


def _show_changes(chosen: argparse.Namespace, study: Study) -> int:
    """Say what changed since another study of as many sets, and return the exit code."""
    from mtsig.study import _changes

    other = read_study(chosen.since)
    if other.several != study.several:
        one, several = (chosen.study, chosen.since) if other.several else (chosen.since, chosen.study)
        raise InvalidOption(f"{one} covers one test set and {several} covers several, so they cannot be compared.")
    changes = _changes.study_changes(other, study)
    many = number_of(len(changes), "change")
    _tell("Nothing changed." if not changes else f"{many} since {chosen.since}:", changes)
    return 0 if _changes.are_roundings(changes) else DIFFERS


def _again(study: Study, data: "Corpus | Sets | None", chosen: argparse.Namespace) -> tuple[int, Note | None]:
    """Make the study again, say what differs, and return the exit code, and what documents say of it.

    Without data, say that the study comes from its file alone. chosen: names those of preferences.
    """
    if data is None and not (_arguments.typed_again(chosen) and study.request.preferences):
        _output.tell_notes([Note("note" if study.intact else "warning", study.unchecked_text)])
        return 0, None
    from mtsig.study import _changes

    with _output.progress("Re-running"):
        if study.request.preferences is not None:
            from mtsig.campaign._judged import made_again  # here, because other studies need none of it
            from mtsig.cli._campaign import given_preferences

            given = given_preferences(chosen, study.request.preferences.rating)
            reproduction = made_again(study, study.request.preferences, given)
        elif data is not None:
            reproduction = _changes.reproduce(study, data)
    _tell(_changes.reproduction_text(reproduction, study), reproduction.changes)
    _output.say(_changes.TAKEN_TEXT)
    return 0 if reproduction.same else DIFFERS, _changes.checked_note(reproduction)


def _tell(text: str, changes: "Sequence[Change]") -> None:
    _output.say(text, *(f"  {change.kind}: {change.text}" for change in changes))


def _pictures(
    study: Study, corpus: Corpus, pair: tuple[str, str] | None, with_sizes: bool
) -> dict[str, "Picture"]:  # fmt: skip
    """Return the pictures that need the resamples."""
    if pair is None and not with_sizes:
        return {}
    # Here and not above: plotly and matplotlib take a while to load, and other verbs need neither.
    from mtsig.cli import _reading
    from mtsig.figures import Curves, Histogram
    from mtsig.report._paper import names_of
    from mtsig.segments import Ablation
    from mtsig.segments._ablation import size_curve, usable_sizes
    from mtsig.study._changes import as_known

    corpus = as_known(corpus, study.data, study.texts)
    request = study.asked
    drawn: dict[str, Picture] = {}
    for name, statistics in zip(names_of(study), _reading.measured(corpus, study.counted), strict=True):
        if pair is not None:
            family = request.settings.family(statistics, [pair])
            drawn[f"resampled-{name}"] = Histogram.of_resampled(family.resampled(0), family[0], family.higher_is_better)
            if family.null is not None and family.test.exchanges:
                drawn[f"shuffled-{name}"] = Histogram.of_shuffled(family.null[0], family[0], family.higher_is_better)
        if with_sizes:
            settings = request.settings
            sizes = usable_sizes(statistics.at(settings.unit).n)
            ablation = Ablation(sizes=sizes, level=settings.level, seed=settings.seed, unit=settings.unit)
            with _output.progress(f"Subsets, {statistics.metric.name}"):
                curves = size_curve(statistics, ablation)
            drawn[f"sizes-{name}"] = Curves.of_scores(curves)
            drawn[f"widths-{name}"] = Curves.of_widths(curves)
    return drawn


def _carrying(study: Study, corpus: Corpus) -> "tuple[Table, ...]":
    """Return the segments that carry the verdict."""
    from mtsig.cli import _reading
    from mtsig.report._segments import carrying_tables  # here, because a study alone has no segments
    from mtsig.study._changes import as_known

    corpus = as_known(corpus, study.data, study.texts)
    tables, notes = carrying_tables(study, corpus, _reading.measured(corpus, study.counted))
    _output.tell_notes(notes)
    return tables
