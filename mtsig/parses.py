"""Dependency parses: a Corpus and the parses of its texts go in, the Corpus with them comes out."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias, cast

from mtsig.corpus import Corpus
from mtsig.errors import AlignmentError, NotApplicable, UnknownName

PARSES, REFERENCE_PARSES = "parses", "parses of references"
"""The annotations: run -> n parses, and reference -> n parses; a system may well be called like a reference."""


class Word(NamedTuple):
    """One word of a sentence: `head` is the number of its head from 1, 0 for the root; `lemma` is "" when unknown."""

    form: str
    lemma: str
    head: int
    relation: str


Sentence: TypeAlias = tuple[Word, ...]


class Parse(NamedTuple):
    """The parse of one segment: no sentence for an empty one, and who parsed it, as far as known."""

    sentences: tuple[Sentence, ...] = ()
    parser: str | None = None


def with_parses(
    corpus: Corpus,
    outputs: Mapping[str, Sequence[Parse]],
    references: Mapping[str, Sequence[Parse]] | None = None,
) -> Corpus:
    """Return the corpus with parses of runs and references, beside those it has.

    Args:
        corpus: what was parsed.
        outputs: run -> n parses.
        references: reference -> n parses, an empty one where a segment has no such reference.

    Raises:
        UnknownName: there is no such run or reference.
        AlignmentError: a column has not one parse per segment.
    """
    annotations = dict(corpus.annotations)
    new: dict[str, Mapping[str, Sequence[Parse]]] = {PARSES: outputs, REFERENCE_PARSES: references or {}}
    for kind, columns in new.items():
        known: Mapping[str, object] = corpus.outputs if kind == PARSES else corpus.references
        for name, column in columns.items():
            if name not in known:
                raise UnknownName(f"There is nothing called {name!r} to be parsed. Known: {', '.join(known)}.")
            if len(column) != len(corpus):
                raise AlignmentError(f"{name!r} has {len(column)} parses for {len(corpus)} segments.")
        if columns:
            annotations[kind] = {**annotations.get(kind, {}), **{name: tuple(item) for name, item in columns.items()}}
    return replace(corpus, annotations=annotations)


def output_parses(corpus: Corpus, system: str) -> Sequence[Parse]:
    """Return the n parses of a system that has one run.

    Raises:
        NotApplicable: the system was not parsed, has no text or several runs.
    """
    corpus.lines(system)  # tells what is wrong with its runs
    return _parses(corpus, PARSES, corpus.systems[system][0], f"system {system!r}")


def reference_parses(corpus: Corpus, reference: str) -> Sequence[Parse]:
    """Return the n parses of a reference.

    Raises:
        NotApplicable: it was not parsed.
    """
    return _parses(corpus, REFERENCE_PARSES, reference, f"reference {reference!r}")


def _parses(corpus: Corpus, kind: str, name: str, called: str) -> Sequence[Parse]:
    columns = corpus.annotations.get(kind, {})
    if name not in columns:
        raise NotApplicable(
            f"There is no dependency parse of {called}. Give a CoNLL-U file for every system and reference, called "
            "like it (parses/NAME.conllu; in a shell also NAME=FILE); mtsig parse makes them with a spaCy model."
        )
    return cast("Sequence[Parse]", columns[name])
