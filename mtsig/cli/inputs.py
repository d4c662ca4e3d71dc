"""The arguments that say where the data are, and the reading of them."""

import argparse
from collections.abc import Sequence

from mtsig.corpus import Corpus
from mtsig.errors import ReadError
from mtsig.readers import read, read_files


def add_input(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name the data."""
    group = parser.add_argument_group("input", "--data, or --sys with --ref")
    group.add_argument("--data", metavar="FOLDER|FILE", help="a folder of line files, or one .tsv or .csv table")
    group.add_argument("--ref", nargs="+", metavar="FILE", default=[], help="reference: FILE or NAME=FILE")
    group.add_argument("--sys", nargs="+", metavar="FILE", default=[], help="system output: FILE or NAME=FILE")
    group.add_argument("--source", metavar="FILE", help="source text")
    group.add_argument("--docs", metavar="FILE", help="one document id per line")
    group.add_argument("--systems", nargs="+", metavar="NAME", help="only these systems, in this order")
    group.add_argument("--references", nargs="+", metavar="NAME", help="only these references")


def read_input(chosen: argparse.Namespace) -> Corpus:
    """Return the corpus that the arguments name.

    Raises:
        ReadError: nothing is named, or a file cannot be understood.
        AlignmentError: texts differ in length.
        UnknownName: --systems or --references names something else.
    """
    if chosen.data and (chosen.sys or chosen.ref or chosen.source or chosen.docs):
        raise ReadError("Give either --data, or --sys and --ref (with --source and --docs); found both.")
    if chosen.data:
        corpus = read(chosen.data)
    elif chosen.sys:
        corpus = read_files(chosen.ref, chosen.sys, chosen.source, chosen.docs)
    else:
        raise ReadError("No data. Give --data FOLDER, or --ref REFERENCE --sys SYSTEM [SYSTEM …].")
    return corpus.select(chosen.systems, chosen.references)


def read_arguments(arguments: Sequence[str]) -> Corpus:
    """Return the corpus that arguments such as ["--data", "FOLDER"] name; raises as `read_input` does."""
    parser = argparse.ArgumentParser()
    add_input(parser)
    return read_input(parser.parse_args(arguments))


def input_arguments(chosen: argparse.Namespace) -> list[str]:
    """Return the input arguments as they would be typed again."""
    arguments: list[str] = []
    for name in ("data", "ref", "sys", "source", "docs", "systems", "references"):
        value: str | Sequence[str] | None = getattr(chosen, name)
        if value:
            arguments += [f"--{name}", *([value] if isinstance(value, str) else value)]
    return arguments
