"""Parts go in, a Corpus comes out; whatever was left alone is named in its notes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from mtsig.corpus import Corpus, Note, Rating, check_parallel
from mtsig.errors import ReadError
from mtsig.parses import Parse, with_parses
from mtsig.readers.conllu import parses_of
from mtsig.readers.part import Part
from mtsig.readers.ratings.locate import Layout, layout_of
from mtsig.readers.ratings.rate import Given, rate


def assemble(parts: Sequence[Part]) -> Corpus:
    """Return the corpus that the parts make in their roles.

    Raises:
        ReadError: a part could not be read, two share a name, or a role that exists once is taken twice.
        AlignmentError: texts differ in length; the message names the files.
        NotApplicable: there is no system.
    """
    used = [part for part in parts if part.role != "ignored"]
    _check_problems(used)
    texts = [part for part in used if part.role not in ("ratings", "parses")]
    check_parallel({f"{part.role} {part.name!r} ({part.label})": part.lines or () for part in texts})
    documents = _single(used, "documents")
    labels = None if documents is None else _labels(documents)
    systems = _named(used, "system")
    given = _given(used)
    names = list(systems)
    ratings: dict[str, Rating] = {}
    notes: list[Note] = []
    if given:
        layout = Layout(len(texts[0].lines or ()), labels) if texts else layout_of([one.scored for one in given])
        names, ratings, notes = rate(given, names, layout)
        labels = layout.documents
    corpus = Corpus.of(
        {name: systems.get(name) for name in names},
        _named(used, "reference"),
        documents=labels,
        domains=None if (domains := _single(used, "domains")) is None else domains.lines,
        sources=None if (source := _single(used, "source")) is None else source.lines,
        ratings=ratings,
        notes=[note for part in used for note in part.notes] + notes + _left_alone(parts),
    )
    return _parsed(corpus, [part for part in used if part.role == "parses"])


def _parsed(corpus: Corpus, parts: Sequence[Part]) -> Corpus:
    """Return the corpus with parses of the texts that are called like the parts."""
    found: dict[str, Part] = {}
    columns: tuple[dict[str, Sequence[Parse]], dict[str, Sequence[Parse]]] = ({}, {})
    for part in parts:
        if part.name in found:
            labels = f"{found[part.name].label} and {part.label}"
            raise ReadError(f"There can be only one parse of {part.name!r}; found {labels}. Leave one out.")
        found[part.name] = part
        if part.name not in {*corpus.outputs, *corpus.references}:
            known = ", ".join(dict.fromkeys([*corpus.outputs, *corpus.references]))
            raise ReadError(
                f"{part.label} holds parses of {part.name!r}, but no system or reference is called so. Known: {known} "
                "(on the command line: --parses NAME=FILE)."
            )
        for column, texts in zip(columns, (corpus.outputs, corpus.references), strict=True):
            if part.name in texts:
                column[part.name] = parses_of(part.label, part.sentences or (), texts[part.name])
    if not found:
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


def with_ratings(corpus: Corpus, parts: Sequence[Part]) -> Corpus:
    """Return the corpus with the ratings of the parts beside those it has.

    Raises:
        ReadError: a part could not be read, the corpus has a rating of that name, or a score does not belong to it.
    """
    _check_problems(parts)
    names, ratings, notes = rate(_given(parts), list(corpus.systems), Layout(len(corpus), corpus.documents))
    for name in ratings:
        if name in corpus.ratings:
            raise ReadError(f"There is a rating called {name!r} already; give another name: NAME=FILE.")
    new = len(names) - len(corpus.systems)
    known = {
        name: replace(one, values=np.pad(one.values, ((0, new), (0, 0)), constant_values=np.nan))
        for name, one in corpus.ratings.items()
    }
    return replace(
        corpus,
        systems={name: corpus.systems.get(name, ()) for name in names},
        ratings={**known, **ratings},
        notes=(*corpus.notes, *(note for part in parts for note in part.notes), *notes),
    )


def _check_problems(parts: Sequence[Part]) -> None:
    """Raise ReadError with every reason why a part could not be read."""
    problems = [part.problem for part in parts if part.problem is not None]
    problems += [
        f"{part.label} holds no table of scores; give it another role."
        for part in parts
        if part.role == "ratings" and part.scored is None and part.problem is None
    ]
    if problems:
        raise ReadError("\n".join(problems))


def _given(parts: Sequence[Part]) -> list[Given]:
    return [
        Given(part.name, part.scored, part.better)
        for part in parts
        if part.role == "ratings" and part.scored is not None
    ]


def _named(parts: Sequence[Part], role: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, Part] = {}
    for part in parts:
        if part.role != role:
            continue
        if not part.name.strip():
            raise ReadError(f"{part.label}: the {role} needs a name.")
        if part.name in found:
            raise ReadError(
                f"Two {role}s are called {part.name!r}: {found[part.name].label} and {part.label}. "
                "Give one another name (on the command line: NAME=FILE)."
            )
        found[part.name] = part
    return {name: part.lines or () for name, part in found.items()}


def _single(parts: Sequence[Part], role: str) -> Part | None:
    found = [part for part in parts if part.role == role]
    if len(found) > 1:
        labels = " and ".join(part.label for part in found)
        raise ReadError(f"There can be only one file of {role}; found {labels}. Leave one out.")
    return found[0] if found else None


def _labels(documents: Part) -> tuple[str, ...]:
    labels = tuple(line.strip() for line in documents.lines or ())
    for number, label in enumerate(labels, 1):
        if not label:
            raise ReadError(f"{documents.label}, line {number}: an empty line where a document id is needed.")
    return labels


def _left_alone(parts: Sequence[Part]) -> list[Note]:
    labels = [part.label for part in parts if part.role == "ignored"]
    return [Note("note", "Left alone: " + ", ".join(labels) + ".")] if labels else []
