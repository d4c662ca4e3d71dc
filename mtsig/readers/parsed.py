"""Parses: a corpus and the files that parse its texts go in, the corpus with its parses comes out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from mtsig.corpus import Corpus, Note, Parse, with_parses
from mtsig.errors import ReadError
from mtsig.readers.conllu import parses_of
from mtsig.readers.names import name_of
from mtsig.readers.part import Part, loaded
from mtsig.readers.reader import Placed, Reader

_SUFFIXES = {".conllu", ".conll"}


def claims(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
    """Return the CoNLL-U files, wherever they stand out."""
    del alone
    return [
        placed for placed in files if placed.suffix in _SUFFIXES and placed.stands_out and not placed.is_about_the_data
    ]


def parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return one part a file: the parses of the text of the same name."""
    return [
        [loaded(Part(placed.file.label, "parses", name_of(placed.name), file=placed.file, form="CoNLL-U"))]
        for placed in files
    ]


PARSES = Reader("CoNLL-U: the parses of the text of the same name", claims, parts)


def parsed(corpus: Corpus, parts: Sequence[Part]) -> Corpus:
    """Return the corpus with parses of the texts that are called like the parts."""
    by_name: dict[str, Part] = {}
    columns: tuple[dict[str, Sequence[Parse]], dict[str, Sequence[Parse]]] = ({}, {})
    for part in parts:
        if part.name in by_name:
            labels = f"{by_name[part.name].label} and {part.label}"
            raise ReadError(f"There can be only one parse of {part.name!r}; found {labels}. Leave one out.")
        by_name[part.name] = part
        if part.name not in {*corpus.outputs, *corpus.references}:
            known = ", ".join(dict.fromkeys([*corpus.outputs, *corpus.references]))
            raise ReadError(
                f"{part.label} holds parses of {part.name!r}, but no system or reference is called so. Known: {known}. "
                "Call the file as one of them, NAME.conllu, or give it that name on the Data page; in a shell, "
                "NAME=FILE."
            )
        for column, texts in zip(columns, (corpus.outputs, corpus.references), strict=True):
            if part.name in texts:
                column[part.name] = parses_of(part.label, part.sentences or (), texts[part.name])
    if not by_name:
        return corpus
    return replace(with_parses(corpus, *columns), notes=(*corpus.notes, *_parsers(columns)))


def _parsers(columns: Sequence[Mapping[str, Sequence[Parse]]]) -> Iterator[Note]:
    """Yield a warning when texts were parsed by different programs: what they call a dependency may differ."""
    parsers = {
        name: next((parse.parser for parse in parses if parse.parser), "an unnamed parser")
        for column in columns
        for name, parses in column.items()
    }
    if len(set(parsers.values())) > 1:
        listed = ", ".join(f"{name} by {parser}" for name, parser in parsers.items())
        yield Note(
            "warning", f"Not all texts were parsed by the same parser: {listed}. Differences may be the parsers'."
        )
