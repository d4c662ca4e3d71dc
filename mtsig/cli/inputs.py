"""The arguments that say where the data are, and the reading of them."""

import argparse
from collections.abc import Sequence
from dataclasses import replace

from mtsig.cli.limits import add_limits
from mtsig.corpus import Corpus
from mtsig.errors import ReadError
from mtsig.readers import Part, assemble, named_parts, named_ratings, of_pair, parts_at, with_system
from mtsig.readers.named_ratings import HOW
from mtsig.readers.ratings.rate import scores_of
from mtsig.readers.ratings.scales import RATING_SCALES
from mtsig.slices import SLICINGS, only


def add_input(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name the data."""
    group = parser.add_argument_group("input", "--data, or --sys with --ref; --sys beside --data adds systems")
    forms = (
        "a folder, an archive, one file of any form that `mtsig read --help` lists, or a public test set by its name"
    )
    group.add_argument("--data", metavar="FOLDER|FILE|NAME", help=f"{forms} (wmt24/en-de; see mtsig fetch)")
    group.add_argument("--lp", metavar="PAIR", help="which language pair, where --data holds several")
    group.add_argument("--ref", nargs="+", metavar="FILE", default=[], help="reference: FILE or NAME=FILE")
    group.add_argument("--sys", nargs="+", metavar="FILE", default=[], help="system output: FILE or NAME=FILE")
    group.add_argument("--source", metavar="FILE", help="source text")
    group.add_argument("--docs", metavar="FILE", help="one document id per line")
    parsed = "CoNLL-U parse of a system or reference: NAME=FILE, or NAME.conllu"
    group.add_argument("--parses", nargs="+", metavar="FILE", default=[], help=parsed)
    group.add_argument(
        "--ratings",
        nargs="+",
        metavar=HOW,
        default=[],
        help="human or metric scores per segment: a table with a column per system, or with columns system, segment "
        "and scores; :higher or :lower says which is better where the name does not tell "
        f"({', '.join(scale.title for scale in RATING_SCALES)})",
    )
    group.add_argument("--systems", nargs="+", metavar="NAME", help="only these systems, in this order")
    group.add_argument("--references", nargs="+", metavar="NAME", help="only these references")
    group.add_argument(
        "--slice",
        nargs="+",
        metavar="BY=NAME",
        default=[],
        help=f"only these segments, as in domain=news or length=short,long; BY is one of {', '.join(SLICINGS)}",
    )
    add_limits(parser)


def read_input(chosen: argparse.Namespace) -> Corpus:
    """Return the corpus that the arguments name.

    Raises:
        ReadError: nothing is named, or a file cannot be understood.
        AlignmentError: texts differ in length.
        UnknownName: --systems, --references or --slice names something else.
    """
    parts = read_parts(chosen)
    known = {(part.role, part.name) for part in parts}
    asked = [("system", name) for name in chosen.systems or ()] + [
        ("reference", name) for name in chosen.references or ()
    ]
    left_out: list[Part] = []
    if set(asked) <= known:
        # What is not asked for need not be in order.
        left_out = [part for part in parts if _is_left_out(part, chosen, parts)]
        parts = [part for part in parts if part not in left_out]
    return only(_beside(assemble(parts).select(chosen.systems, chosen.references), left_out), chosen.slice)


def _beside(corpus: Corpus, left_out: Sequence[Part]) -> Corpus:
    """Return the corpus with the outputs beside it that were left out and are in order."""
    outputs = {
        part.name: tuple(line or "" for line in part.lines)
        for part in left_out
        if part.role == "system" and not part.problem and part.lines is not None and len(part.lines) == len(corpus)
    }
    return replace(corpus, beside={**corpus.beside, **outputs})


def read_texts(chosen: argparse.Namespace) -> Corpus:
    """Return the corpus that the arguments name without its parses: they may be those of other texts.

    Raises:
        as `read_input`.
    """
    parts = [part for part in read_parts(chosen) if part.role != "parses"]
    return assemble(parts).select(chosen.systems, chosen.references)


def parts_from(arguments: Sequence[str]) -> list[Part]:
    """Return the parts that arguments such as ["--data", "FOLDER"] name; what --systems leaves out is ignored.

    Raises:
        ReadError: nothing is named.
    """
    parser = argparse.ArgumentParser(allow_abbrev=False)
    add_input(parser)
    chosen = parser.parse_args(arguments)
    parts = [_of_systems(part, chosen.systems) for part in read_parts(chosen)]
    return [part.with_role("ignored") if _is_left_out(part, chosen, parts) else part for part in parts]


def _of_systems(part: Part, systems: Sequence[str] | None) -> Part:
    """Return a rating with the scores of these systems only; ignored when it has none of them."""
    if part.role != "ratings" or part.scored is None or not systems:
        return part
    scored = scores_of(part.scored, systems)
    return part.with_role("ignored") if scored is None else replace(part, scored=scored)


def _is_left_out(part: Part, chosen: argparse.Namespace, parts: Sequence[Part]) -> bool:
    """Return whether --systems or --references name others than this part, or than the text that it is a parse of."""
    kept: dict[str, Sequence[str] | None] = {"system": chosen.systems, "reference": chosen.references}
    if part.role == "parses":
        texts = {one.name for one in parts if one.role in kept and not _is_left_out(one, chosen, ())}
        return part.name not in texts and bool(chosen.systems or chosen.references)
    names = kept.get(part.role)
    return bool(names) and part.name not in (names or ())


def read_parts(chosen: argparse.Namespace) -> list[Part]:
    """Return every part that the arguments name.

    Raises:
        ReadError: nothing is named, or nothing of it is a system output.
    """
    if chosen.data and (chosen.ref or chosen.source or chosen.docs):
        raise ReadError("Give either --data, or --ref (with --source and --docs); found both. --sys goes with either.")
    rated = named_ratings(chosen.ratings)
    if chosen.data:
        found = parts_at(chosen.data) + named_parts((), chosen.sys, parses=chosen.parses)
        found = found if chosen.sys else with_system(chosen.data, found)
        found = of_pair(found, chosen.lp) if chosen.lp else found
        # A file of the folder that is named by itself is taken as it is named, and once.
        named = {one.file.place for one in rated if one.file is not None}
        return [part for part in found if part.file is None or part.file.place not in named] + rated
    if chosen.sys or rated:
        return named_parts(chosen.ref, chosen.sys, chosen.source, chosen.docs, chosen.parses) + rated
    raise ReadError("No data. Give --data FOLDER, or --ref REFERENCE --sys SYSTEM [SYSTEM …], or --ratings FILE.")


def input_arguments(chosen: argparse.Namespace) -> list[str]:
    """Return the input arguments as they would be typed again."""
    arguments: list[str] = []
    for name in ("data", "lp", "ref", "sys", "source", "docs", "parses", "ratings", "systems", "references"):
        value: str | Sequence[str] | None = getattr(chosen, name)
        if value:
            arguments += [f"--{name}", *([value] if isinstance(value, str) else value)]
    return arguments
