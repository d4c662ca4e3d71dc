"""Experiments, the four papers and lessons: each on the user's data, a simulated population or the sample."""

import argparse
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mtsig._writing import write_file
from mtsig.cli._arguments import (
    METRIC,
    PAIR,
    add_flags,
    add_format,
    add_input,
    add_workers,
    chosen_metrics,
    chosen_options,
    input_arguments,
    number,
    workers,
)
from mtsig.cli._output import progress, say, show, tell, tell_notes
from mtsig.cli._reading import measured, read_input, show_notes
from mtsig.errors import InvalidOption, find
from mtsig.lab import EXPERIMENTS, NEWS, PAPERS, Experiment, Material, reproduce
from mtsig.lab import run as conduct
from mtsig.lab._exhibit import exhibit_tables, reproduction_bundle, write_pages
from mtsig.lab._papers import METRIC_NAMES, evidence
from mtsig.lab._simulated import KOEHN_SCORES
from mtsig.lab._words import experiment_bundle, law_tables, law_text
from mtsig.metrics import default_metrics, metric
from mtsig.readers import read_sample

if TYPE_CHECKING:
    from mtsig.lessons._stage import Lesson

SIMULATED_SEGMENTS = 30_000


def add_material(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name data, metrics, a simulated population and workers."""
    add_input(parser)
    parser.add_argument("--metric", **METRIC, help="metrics (default: bleu, or what is compared)")
    parser.add_argument(
        "--simulated",
        nargs="*",
        metavar="BLEU",
        help=f"a population of {SIMULATED_SEGMENTS:,} simulated segments of systems with these scores, instead of data",
    )
    add_workers(parser)


def read_material(
    chosen: argparse.Namespace, suggested: Sequence[str] = ("bleu",), needs_text: bool = False
) -> tuple[Material, str]:
    """Return the material that the arguments name, and what it is in words.

    Without data, experiments on text or on several metrics get the sample data with all their references, the others a
    simulated population.
    """
    given = input_arguments(chosen)
    if chosen.simulated is not None and given:
        raise InvalidOption(f"--simulated stands in for data; leave it out, or leave out {given[0]}.")
    if given:
        corpus = read_input(chosen)
        if chosen.metric is None and default_metrics(corpus) == ["bleu"]:
            chosen.metric = list(suggested)
        material = Material(tuple(measured(corpus, chosen_metrics(chosen, corpus))), corpus)
        show_notes(corpus, [note for part in material.statistics for note in part.notes])
        return material, f"{len(corpus)} segments given by the user"
    metrics = [metric(name) for name in chosen.metric or suggested]
    if (needs_text or len(metrics) > 1) and chosen.simulated is None:
        corpus = read_sample(every_reference=True)
        tell("note: no data given: this is the sample data. Use --data for your own.")
        return Material(tuple(measured(corpus, metrics)), corpus), "the sample data"
    scores = (
        tuple(number(text, "--simulated takes BLEU scores, such as 28.9 27.4") for text in chosen.simulated or ())
        or KOEHN_SCORES
    )
    population = NEWS.simulate(scores, SIMULATED_SEGMENTS)
    if chosen.simulated is None:
        tell(f"note: no data given: these are {population.origin}. Use --data for your own.")
    return Material.of(population), population.origin


_WORDS: dict[str, tuple[str, str, type]] = {
    "pair": ("SYSTEM", "the two systems", str),
    "pairs": ("SYSTEM", "pairs of systems, two names after two names", str),
    "system": ("SYSTEM", "the system (default: the best)", str),
    "nbest": ("FILE", "a Moses n-best list: the candidates, instead of the systems' outputs", str),
    "against": ("SYSTEM", "a second system: intervals are of the difference then", str),
    "sizes": ("N", "sizes to look at", int),
    "sets": ("N", "test sets of each size", int),
    "tests": ("NAME", "tests, by name", str),
    "effects": ("SHARE", "shares of the real difference; 0 is a true null", float),
    "nulls": ("NULL", "nulls, by name: exchangeable (labels exchanged), equal-scores (each keeps its outputs)", str),
    "shares": ("SHARE", "shares of the words to keep", float),
}


_COUNTS: dict[str, int | None] = {"pair": 2, "system": None, "against": None, "nbest": None}


def add_experiment(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb: one parser for each experiment."""
    names = parser.add_subparsers(dest="experiment", metavar="EXPERIMENT", required=True)
    for name, experiment in EXPERIMENTS.items():
        words = f"{experiment.about} ({experiment.paper})"
        add_one(names.add_parser(name, help=experiment.label, description=words, allow_abbrev=False), experiment)


def _named_fields(experiment: Experiment[Any]) -> list[str]:
    """Return the fields that are no options: names and lists, which forms draw in their own way."""
    return [field.name for field in fields(experiment) if field.name in _WORDS and "label" not in field.metadata]


def add_one(parser: argparse.ArgumentParser, experiment: Experiment[Any]) -> None:
    """Add the arguments of one experiment."""
    add_material(parser)
    for name in _named_fields(experiment):
        metavar, words, _ = _WORDS[name]
        parser.add_argument(f"--{name}", nargs=_COUNTS.get(name, "+"), metavar=metavar, help=words)
    add_format(parser)
    parser.add_argument("--out", metavar="FOLDER", help="write the figures there, as web pages and for paper")
    parser.add_argument("--figures", nargs="+", metavar="FORMAT", help="pdf, svg, png, pgf (default: pdf); with --out")
    widths = "acl-column (default), acl-full, neurips-half, neurips-full; with --out"
    parser.add_argument("--paper", metavar="PAPER", help=widths)
    add_flags(parser, type(experiment))


def run_experiment(chosen: argparse.Namespace) -> int:
    return run_one(chosen, EXPERIMENTS[chosen.experiment])


def run_one(chosen: argparse.Namespace, plain: Experiment[Any]) -> int:
    """Run one experiment with the options chosen, and show what it found."""
    named = {name: _named(name, getattr(chosen, name)) for name in _named_fields(plain)}
    experiment = chosen_options(type(plain), chosen, **{name: text for name, text in named.items() if text is not None})
    _check_figures(chosen)
    material, given = read_material(chosen, plain.suggested, plain.needs_text)
    with workers(chosen) as executor, progress(plain.label):
        result = conduct(experiment, material, executor)
    tell_notes(result.notes)
    if chosen.out:
        # Here and not above: plotly and matplotlib take a while to load, and other verbs need neither.
        from mtsig.figures._paper import write_picture
        from mtsig.lab import of_experiment

        folder = Path(chosen.out)
        for title, picture in of_experiment(result).items():
            stem = folder / title.lower().replace(" ", "-")
            _, notes = write_picture(picture, stem, chosen.paper or "acl-column", chosen.figures or ("pdf",))
            tell_notes(notes)
    show(chosen.format, experiment_bundle(experiment, result, law_text(result), given), "rows", law_tables(result))
    return 0


def _check_figures(chosen: argparse.Namespace) -> None:
    """Refuse what could not be written before anything long begins.

    Raises:
        InvalidOption: figures are described, but no place is given for them.
        UnknownName: no such format or paper.
    """
    if not chosen.figures and not chosen.paper:
        return
    if not chosen.out:
        raise InvalidOption("--figures and --paper say how figures are written: say where, too (--out FOLDER).")
    from mtsig.figures import FORMATS, PAPERS

    find(PAPERS, chosen.paper or "acl-column", "paper")
    for form in chosen.figures or ():
        find({name: name for name in FORMATS}, form, "format")


def _named(name: str, given: Any) -> Any:
    """Return what a flag that is no option gives: a text, a pair, pairs, or numbers."""
    if given is None or name in ("system", "nbest"):
        return given
    kind = _WORDS[name][2]
    try:
        values = tuple(kind(text) for text in given)
    except ValueError:
        wanted = "whole numbers" if kind is int else "numbers"
        raise InvalidOption(f"--{name} takes {wanted}; found {' '.join(given)}.") from None
    if name != "pairs":
        return values
    if len(values) % 2:
        raise InvalidOption(f"--pairs takes names two by two; found {len(values)}.")
    return tuple(zip(values[::2], values[1::2], strict=True))


def add_calibrate(parser: argparse.ArgumentParser) -> None:
    add_one(parser, EXPERIMENTS["calibrate"])


def run_calibrate(chosen: argparse.Namespace) -> int:
    return run_one(chosen, EXPERIMENTS["calibrate"])


def add_papers(parser: argparse.ArgumentParser) -> None:
    papers = "; ".join(f"{paper.name}: {paper.citation}" for paper in PAPERS.values())
    parser.add_argument("paper", choices=tuple(PAPERS), help=papers)
    add_input(parser)
    words = f"BLEU first, with the options the language needs (default: {' '.join(METRIC_NAMES)})"
    parser.add_argument("--metric", **METRIC, default=METRIC_NAMES, help=words)
    add_workers(parser)
    add_format(parser)
    parser.add_argument("--out", metavar="FOLDER", help="write a page with all tables, and the figures, there")


def run_papers(chosen: argparse.Namespace) -> int:
    corpus = read_input(chosen) if input_arguments(chosen) else None
    if corpus is None:
        tell("note: no data given: a simulated population and the sample data stand in. Use --data.")
    with progress("Counting"):
        given = evidence(corpus, chosen.metric)
    with workers(chosen) as executor, progress(chosen.paper):
        reproduction = reproduce(chosen.paper, given, executor)
    if chosen.out:
        for path in write_pages(reproduction, Path(chosen.out)):
            tell(f"wrote {path}")
    show(chosen.format, reproduction_bundle(reproduction), "printed", exhibit_tables(reproduction))
    return 0


def add_lessons(parser: argparse.ArgumentParser) -> None:
    from mtsig.lessons import FORMATS, GAMES, LESSONS  # here and below: experiments do without this wing

    add_input(parser)
    group = parser.add_argument_group("lessons")
    written = ", ".join(f"{name}: {file}" for name, file in FORMATS.items())
    group.add_argument("--to", nargs="+", choices=tuple(FORMATS), default=["html"], metavar="FORMAT",
                       help=f"{written} (default: html)")  # fmt: skip
    group.add_argument("--out", metavar="FOLDER", required=True, help="where the files go")
    listed = ", ".join(f"{lesson.number}: {lesson.title}" for lesson in (*LESSONS, *GAMES))
    group.add_argument("--lesson", nargs="+", type=int, metavar="N", default=[], help=f"only these lessons ({listed})")
    group.add_argument("--solutions", action="store_true", help="with the answers, worked out on the data")
    group.add_argument("--metric", metavar="NAME[:OPTION=VALUE,…]", default="bleu", help="default: bleu")
    group.add_argument("--pair", **PAIR, help="the two systems (default: the two best)")
    group.add_argument("--seed", type=int, default=12345, metavar="N", help="of all draws (default: 12345)")


def run_lessons(chosen: argparse.Namespace) -> int:
    from mtsig.lessons import Classroom, kit_files
    from mtsig.lessons._course import Source

    lessons = _lessons(chosen.lesson)
    given = input_arguments(chosen)
    _check_notebooks(chosen, given)
    if chosen.more_data:
        raise InvalidOption("Lessons and their notebooks take one --data: give the folder that holds all runs.")
    corpus = read_input(chosen) if given else read_sample()
    if not given:
        tell("note: no data given: this is the sample data. Use --data for your own.")
    pair = None if chosen.pair is None else (chosen.pair[0], chosen.pair[1])
    with progress("Drawing the lessons"):
        room = Classroom.of(corpus, chosen.metric, pair, chosen.seed)
        # A notebook may be opened in another folder than the one that it was made in.
        data = str(Path(chosen.data).absolute()) if chosen.data and Path(chosen.data).exists() else chosen.data
        files, notes = kit_files(room, chosen.to, lessons, chosen.solutions, Source(data, chosen.metric))
    tell_notes(notes)
    for name, data_of_file in files.items():
        place = Path(chosen.out) / name
        write_file(place, data_of_file)
        say(str(place))
    return 0


def _lessons(numbers: Sequence[int]) -> "list[Lesson]":
    from mtsig.lessons import GAMES, LESSONS

    known = {lesson.number: lesson for lesson in (*LESSONS, *GAMES)}
    unknown = [str(each) for each in numbers if each not in known]
    if unknown:
        raise InvalidOption(f"There is no lesson {', '.join(unknown)}; there are {min(known)} to {max(known)}.")
    return [known[each] for each in numbers or known]


def _check_notebooks(chosen: argparse.Namespace, given: Sequence[str]) -> None:
    """Refuse what a notebook could not read again.

    Raises:
        InvalidOption: notebooks are asked for, and the data are more than --data.
    """
    if "ipynb" not in chosen.to:
        return
    others = [word for word in given if word.startswith("--") and word != "--data"]
    if others:
        raise InvalidOption(f"A notebook reads its data from --data alone; found {', '.join(others)}, too.")
