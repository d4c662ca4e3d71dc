"""`mtsig experiment NAME`: any of the experiments, on the user's data, a simulated population or the sample."""

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from mtsig.cli.flags import add_flags, add_format, chosen_options
from mtsig.cli.material import add_material, read_material
from mtsig.cli.say import tell
from mtsig.cli.show import progress, show
from mtsig.cli.workers import workers
from mtsig.corpus import Note
from mtsig.errors import InvalidOption, find
from mtsig.lab import EXPERIMENTS, Experiment, experiment_bundle, law_tables, law_text
from mtsig.lab import run as run_experiment

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


EXAMPLES = {
    "mtsig experiment draws --data data": "how many draws are enough?",
    "mtsig experiment length --data data --out figures --figures pdf svg": "with its figures",
    "mtsig experiment coverage --help": "what one of them takes",
}


def add(parser: argparse.ArgumentParser) -> None:
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


def run(chosen: argparse.Namespace, rest: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    del rest
    return run_one(chosen, EXPERIMENTS[chosen.experiment])


def run_one(chosen: argparse.Namespace, plain: Experiment[Any]) -> int:
    """Run one experiment with the options chosen, and show what it found."""
    named = {name: _named(name, getattr(chosen, name)) for name in _named_fields(plain)}
    experiment = chosen_options(type(plain), chosen, **{name: text for name, text in named.items() if text is not None})
    _check_figures(chosen)
    material, given = read_material(chosen, plain.suggested, plain.needs_text)
    with workers(chosen) as executor, progress(plain.label):
        result = run_experiment(experiment, material, executor)
    _say(result.notes)
    if chosen.out:
        # Here and not above: plotly and matplotlib take a while to load, and other verbs need neither.
        from mtsig.figures import write_picture
        from mtsig.lab import of_experiment

        folder = Path(chosen.out)
        for title, picture in of_experiment(result).items():
            stem = folder / title.lower().replace(" ", "-")
            _, notes = write_picture(picture, stem, chosen.paper or "acl-column", chosen.figures or ("pdf",))
            _say(notes)
    show(chosen.format, experiment_bundle(experiment, result, law_text(result), given), "rows", law_tables(result))
    return 0


def _say(notes: Iterable[Note]) -> None:
    for note in notes:
        tell(f"{note.level}: {note.text}")


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
