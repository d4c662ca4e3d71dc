"""The data that arguments name are read: arguments go in, a corpus or its parts come out."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace

from mtsig.cli.inputs import add_input, from_stdin
from mtsig.corpus import Corpus, only
from mtsig.errors import InvalidOption, ReadError
from mtsig.limits import limits
from mtsig.readers import (
    File,
    Part,
    assemble,
    declared,
    loaded,
    logs_at,
    named_parts,
    named_ratings,
    of_pair,
    parts_at,
    scores_of,
    with_system,
)


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

    >>> from mtsig.cli import parts_from
    >>> from mtsig.readers import sample_folder
    >>> parts = parts_from(["--data", str(sample_folder()), "--systems", "direct"])
    >>> [part.name for part in parts if part.role == "system"]
    ['direct']

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
        texts = {part.name for part in parts if part.role in kept and not _is_left_out(part, chosen, ())}
        return part.name not in texts and bool(chosen.systems or chosen.references)
    names = kept.get(part.role)
    return bool(names) and part.name not in (names or ())


def read_parts(chosen: argparse.Namespace) -> list[Part]:
    """Return every part that the arguments name.

    Raises:
        ReadError: nothing is named, or nothing of it is a system output; or standard input has none.
        InvalidOption: an argument says something of data that are not given.
    """
    for name, of in (("lp", "a language pair of --data"), ("better", "a rating in --data")):
        if getattr(chosen, name) and not chosen.data:
            raise InvalidOption(f"--{name} is of {of}, and there is no --data.")
    if chosen.data and (chosen.ref or chosen.source or chosen.docs):
        raise ReadError("Give either --data, or --ref (with --source and --docs); found both. --sys goes with either.")
    rated = named_ratings(chosen.ratings)
    if chosen.data:
        paths = (chosen.data, *chosen.more_data)
        parts = (
            (parts_at(chosen.data) if len(paths) == 1 else logs_at(paths))
            + _systems(chosen)
            + named_parts((), (), parses=chosen.parses)
        )
        parts = parts if chosen.sys else with_system(chosen.data, parts)
        parts = of_pair(parts, chosen.lp) if chosen.lp else parts
        parts = declared(parts, chosen.better)
        # A file of the folder that is named by itself is taken as it is named, and once.
        named = {part.file.place for part in rated if part.file is not None}
        return [part for part in parts if part.file is None or part.file.place not in named] + rated
    if chosen.sys or rated:
        others = named_parts(chosen.ref, (), chosen.source, chosen.docs, chosen.parses)
        return [*others, *_systems(chosen), *rated]
    raise ReadError("No data. Give --data FOLDER, or --ref REFERENCE --sys SYSTEM [SYSTEM …], or --ratings FILE.")


def _systems(chosen: argparse.Namespace) -> list[Part]:
    """Return the systems that --sys names, in order; one of them may come from standard input."""
    piped = from_stdin(chosen)
    if len(piped) > 1:
        raise ReadError(f"Standard input is one system's output; found it {len(piped)} times after --sys.")
    parts = []
    for text in chosen.sys:
        if text in piped:
            name = text.rpartition("=")[0] or "stdin"
            parts.append(loaded(Part(text, "system", name, file=File("standard input", _piped(chosen, text)))))
        else:
            parts += named_parts((), [text])
    return parts


def _piped(chosen: argparse.Namespace, text: str) -> bytes:
    """Return what standard input gives, which is read once, and no more of it than a file may have."""
    if getattr(chosen, "piped", None) is None:
        if sys.stdin is None or sys.stdin.isatty():
            raise ReadError(f"--sys {text} reads a system's output from standard input: send one there, as in "
                            f"`cat output.txt | mtsig … --sys {text}`.")  # fmt: skip
        chosen.piped = sys.stdin.buffer.read(limits().max_bytes + 1)
    piped: bytes = chosen.piped
    return piped
