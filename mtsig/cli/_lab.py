"""Experiments, the four papers and lessons: each on the user's data, a simulated population or the sample."""

import argparse
from collections.abc import Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from mtsig import lab
from mtsig._options import options
from mtsig._writing import refuse_inputs, write_file
from mtsig.cli import _arguments, _output, _reading
from mtsig.corpus import Note, inspect
from mtsig.errors import InvalidOption, find
from mtsig.lab import run as conduct
from mtsig.metrics import default_metrics, metric
from mtsig.readers._read import read_sample

if TYPE_CHECKING:
    from mtsig.lessons._stage import Lesson

SIMULATED_SEGMENTS = 30_000

_NO_DATA = Note("note", "You gave no data, so the sample data are used. Use --data for your own.")


def read_material(
    chosen: argparse.Namespace, suggested: Sequence[str] = ("bleu",), needs_text: bool = False
) -> tuple[lab.Material, str]:
    """Return the material that the options name, and what it is in words.

    Without data, experiments on text or on several metrics get the sample data with all their references, the others a
    simulated population.
    """
    typed = _arguments.typed_again(chosen)
    if chosen.simulated is not None and typed:
        raise InvalidOption(f"--simulated replaces data. Omit it, or omit {typed[0]}.")
    if typed:
        corpus = _reading.read_input(chosen)
        if not chosen.metric and default_metrics(corpus) == ["bleu"]:
            chosen.metric = list(suggested)
        material = lab.Material(tuple(_reading.measured(corpus, _reading.chosen_metrics(chosen, corpus))), corpus)
        _output.tell_notes(inspect(corpus), *(part.notes for part in material.statistics))
        return material, f"{len(corpus)} segments given by the user"
    metrics = [metric(name) for name in chosen.metric or suggested]
    if (needs_text or len(metrics) > 1) and chosen.simulated is None:
        corpus = read_sample(every_reference=True)
        _output.tell_notes([_NO_DATA])
        return lab.Material(tuple(_reading.measured(corpus, metrics)), corpus), "the sample data"
    from mtsig.lab._worlds import KOEHN_SCORES  # here and below: help needs none of it

    population = lab.NEWS.simulate(tuple(chosen.simulated or KOEHN_SCORES), SIMULATED_SEGMENTS)
    if chosen.simulated is None:
        _output.tell_notes([Note("note", f"Without data, this uses {population.origin}. Use --data for your own.")])
    return lab.Material.of(population), population.origin


_FIELDS: dict[str, tuple[str, str]] = {
    "pair": ("", ""),
    "pairs": ("", ""),
    "system": ("SYSTEM", "the system (default: the best)"),
    "nbest": ("FILE", "a Moses n-best list with candidates to use instead of the systems' outputs"),
    "against": ("SYSTEM", "a second system; intervals are then for the difference between the two"),
    "sizes": ("N", "test-set sizes to use"),
    "sets": ("N", "number of test sets of each size"),
    "tests": ("NAME", "names of the tests"),
    "effects": ("SHARE", "shares of the observed difference; 0 is a true null hypothesis"),
    "nulls": ("NULL", "null hypotheses: exchangeable (labels are swapped), equal-scores (outputs are not swapped)"),
    "shares": ("SHARE", "shares of the words to keep"),
}
"""Fields of experiments that are no options: names and lists, which forms draw in their own way."""

_CALLED = {"shares": "keep", "sets": "sets-per-size"}
"""Fields that have other names as options: these mean something else elsewhere."""

_TAKEN = ["+input", "metric", "simulated", "workers", "format", "out", "to", "width"]


def add_experiment(parser: _arguments.Parser) -> None:
    """Add a parser for each experiment."""
    names = parser.add_subparsers(
        dest="experiment", metavar="EXPERIMENT", required=True, parser_class=_arguments.Parser
    )
    for name, experiment in lab.EXPERIMENTS.items():
        words, usage = f"{experiment.about} ({experiment.paper})", f"mtsig experiment {name} [OPTION …]"
        added = names.add_parser(name, help=experiment.label, description=words, usage=usage)
        _arguments.add_options(added, [*_TAKEN, "quiet"])
        own = _add_fields(added, experiment)
        added.common = ["data", "metric", "out", *own][:5]


def add_calibrate(parser: _arguments.Parser) -> None:
    """Add the options of the experiment that is a verb of its own."""
    _add_fields(parser, lab.EXPERIMENTS["calibrate"])


def _add_fields(parser: _arguments.Parser, experiment: lab.Experiment[Any]) -> list[str]:
    """Add an option for each field of an experiment, and return their names."""
    group, named = parser.add_argument_group("experiment"), _named(experiment)
    for name, kind in named.items():
        metavar, words = _FIELDS[name]
        if metavar:
            several: dict[str, Any] = {} if kind is None else {"nargs": "+", "type": kind}
            group.add_argument(
                _arguments.flag_of(name, _CALLED), dest=name, metavar=metavar, help=words, **several
            )  # fmt: skip
    if {"pair", "pairs"} & set(named) and not any(action.dest == "pair" for action in parser._actions):
        _arguments.add_options(parser, ["pair"])
    _arguments.add_flags(parser, type(experiment), title="experiment")
    return ["pair" if name == "pairs" else name for name in named] + [option.name for option in options(experiment)]


def _named(experiment: lab.Experiment[Any]) -> dict[str, type | None]:
    """Return the fields that are no options, each with the type of its items; None for one text."""
    hints = get_type_hints(type(experiment))
    names = [field.name for field in fields(experiment) if field.name in _FIELDS and "label" not in field.metadata]
    kinds = {name: next((kind for kind in (int, float) if kind in get_args(hints[name])), str) for name in names}
    return {name: None if hints[name] == str | None else kinds[name] for name in names}


def run_experiment(chosen: argparse.Namespace) -> int:
    return _run(chosen, lab.EXPERIMENTS[chosen.experiment])


def run_calibrate(chosen: argparse.Namespace) -> int:
    return _run(chosen, lab.EXPERIMENTS["calibrate"])


def _run(chosen: argparse.Namespace, plain: lab.Experiment[Any]) -> int:
    """Run one experiment with the options chosen, and show what it found."""
    named = _named(plain)
    given = {name: getattr(chosen, name) for name in _arguments.given(chosen, list(named))}
    given = {name: value if isinstance(value, str) else tuple(value) for name, value in given.items()}
    if "pair" in named:
        given["pair"] = _arguments.one_pair(chosen)
    elif "pairs" in named:
        given["pairs"] = tuple((first, second) for first, second in chosen.pair) or None
    experiment = _arguments.chosen_options(type(plain), chosen, **given)
    _check_figures(chosen)
    material, origin = read_material(chosen, plain.suggested, plain.needs_text)
    with _arguments.workers(chosen) as executor, _output.progress(plain.label):
        result = conduct(experiment, material, executor)
    _output.tell_notes(result.notes)
    from mtsig.lab import _words

    bundle = partial(_words.experiment_bundle, experiment, result, _words.law_text(result), origin)
    tables = _words.law_tables(result)
    shown = _output.Shown(bundle, result.rows(), tables, pictures=lambda: lab.of_experiment(result))
    _output.show(chosen, shown, plain.name)
    return 0


def _check_figures(chosen: argparse.Namespace) -> None:
    """Refuse what could not be written before anything long begins."""
    if not chosen.to and not chosen.width:
        return
    if not chosen.out:
        raise InvalidOption("--to and --width apply to figures. Name a folder for the figures with --out.")
    from mtsig.figures import FORMATS, PAPERS

    find(PAPERS, chosen.width or "acl-column", "width")
    for form in chosen.to or ():
        find({name: name for name in FORMATS}, form, "format")


def run_papers(chosen: argparse.Namespace) -> int:
    corpus = _reading.read_input(chosen) if _arguments.typed_again(chosen) else None
    if corpus is None:
        text = "You gave no data, so a simulated population and the sample data are used. (--data chooses data)"
        _output.tell_notes([Note("note", text)])
    from mtsig.lab import _exhibit, _papers

    with _output.progress("Counting"):
        given = _papers.evidence(corpus, chosen.metric or _papers.METRIC_NAMES)
    with _arguments.workers(chosen) as executor, _output.progress(chosen.paper):
        reproduction = lab.reproduce(chosen.paper, given, executor)
    tables = _exhibit.exhibit_tables(reproduction)
    shown = _output.Shown(partial(_exhibit.reproduction_bundle, reproduction), "printed", tables)
    files = [place for place in chosen.out if Path(place).suffix in _output.ENDINGS]
    for folder in (place for place in chosen.out if place not in files):
        _output.inform(*map(str, _exhibit.write_pages(reproduction, Path(folder))))
    _output.write(chosen, files, shown)
    _output.print_result(chosen.format, shown)
    return 0


def run_lessons(chosen: argparse.Namespace) -> int:
    from mtsig.lessons import Classroom, kit_files  # here and below: experiments do without this wing
    from mtsig.lessons._course import FORMATS, Source

    lessons, formats = _lessons(chosen.lesson), chosen.to or ["html"]
    for form in formats:
        find(FORMATS, form, "format")
    given, metric = _arguments.typed_again(chosen), _reading.one_metric(chosen)
    _check_notebooks(formats, given)
    if len(chosen.data) > 1:
        raise InvalidOption("Lessons and their notebooks take one --data. Give the folder that contains all runs.")
    corpus = _reading.read_input(chosen) if given else read_sample()
    _output.tell_notes([] if given else [_NO_DATA])
    with _output.progress("Drawing the lessons"):
        room = Classroom.of(corpus, metric, _arguments.one_pair(chosen), _arguments.chosen_settings(chosen).seed)
        # A notebook may be opened in another folder than the one that it was made in.
        data = next((str(Path(data).absolute()) if Path(data).exists() else data for data in chosen.data), None)
        files, notes = kit_files(room, formats, lessons, chosen.solutions, Source(data, metric))
    _output.tell_notes(notes)
    placed = _output.in_folder(chosen.out[-1], files)
    refuse_inputs(placed)
    for place, data_of_file in placed.items():
        write_file(place, data_of_file)
        _output.say(str(place))
    return 0


def _lessons(numbers: Sequence[int]) -> "list[Lesson]":
    from mtsig.lessons import GAMES, LESSONS

    known = {lesson.number: lesson for lesson in (*LESSONS, *GAMES)}
    unknown = [str(each) for each in numbers if each not in known]
    if unknown:
        raise InvalidOption(f"There is no lesson {', '.join(unknown)}. They are numbered {min(known)} to {max(known)}.")
    return [known[each] for each in numbers or known]


def _check_notebooks(formats: Sequence[str], given: Sequence[str]) -> None:
    """Refuse what a notebook could not read again."""
    if "ipynb" not in formats:
        return
    others = [word for word in given if word.startswith("--") and word != "--data"]
    if others:
        raise InvalidOption(f"A notebook can read only data from --data, but {', '.join(others)} was also given.")
