"""What was read: parts and the corpus they make go in, a table and a bundle come out."""

from collections.abc import Sequence
from typing import Any

from mtsig.citations import VERSION
from mtsig.corpus import Corpus, Note, inspect, number_of
from mtsig.readers import MOST_JUDGES, Part
from mtsig.report.table import Table
from mtsig.study import SCHEMA


def parts_table(parts: Sequence[Part], corpus: Corpus | None) -> Table:
    """Return what every file, or text in a file, was taken for, and what was doubtful about it."""
    header = ("file", "read as", "role", "name", "segments", "doubts")
    groups: dict[object, list[Part]] = {}
    for number, part in enumerate(parts):
        groups.setdefault(number if part.file is None or _judge(part) is None else _of_all_judges(part), []).append(
            part
        )
    rows = [row for group in groups.values() for row in _rows(group)]
    return Table.of_text(corpus_text(corpus), header, rows, right=("segments",))


def _judge(part: Part) -> str | None:
    return None if part.scored is None else part.scored.judge


def _of_all_judges(part: Part) -> tuple[object, ...]:
    """Return what the parts of a file's judges have in common."""
    label = None if part.file is None else part.file.label
    return label, part.role, part.name.partition("@")[0], part.problem


def _rows(group: Sequence[Part]) -> list[tuple[str, ...]]:
    """Return a row for every part, or one for all judges of a file where they are many."""
    first = group[0]
    if len(group) <= MOST_JUDGES or first.file is None:
        return [
            (
                part.label,
                part.form,
                part.role,
                "" if part.role == "ignored" else part.name,
                _segments(part),
                _doubts(part),
            )
            for part in group
        ]
    rated = {place.key for part in group if part.scored is not None for place in part.scored.places}
    name = f"{first.name.partition('@')[0]}, {len(group):,} judges"
    doubts = " ".join(dict.fromkeys(text for part in group if (text := _doubts(part))))
    return [(first.file.label, first.form, first.role, name, str(len(rated)), doubts)]


def _segments(part: Part) -> str:
    """Return how many segments a part has text, or scores, for."""
    if part.scored is not None:
        return str(part.scored.segments)
    return "" if part.lines is None else str(len(part.lines))


def _doubts(part: Part) -> str:
    return part.problem or " ".join(note.text for note in part.notes)


def corpus_text(corpus: Corpus | None) -> str:
    """Return what the corpus holds, in one sentence."""
    if corpus is None:
        return "These files make no test set yet."
    counts = [number_of(len(corpus.systems), "system"), number_of(len(corpus.references), "reference")]
    counts += [number_of(len(corpus), "segment")]
    about = [
        (corpus.documents, "document"),
        (corpus.segments.domains, "domain"),
        (corpus.segments.original_languages, "original language"),
    ]
    counts += [number_of(len(set(column)), noun) for column, noun in about if column is not None]
    source = "a source" if corpus.segments.sources is not None else "no source"
    return f"{', '.join(counts)}, {source}. {corpus.digest}"


def read_bundle(parts: Sequence[Part], corpus: Corpus | None, problem: str | None) -> dict[str, Any]:
    """Return the same as one JSON object; `data` is null where the parts make no corpus, and `problem` says why."""
    return {
        "schema": SCHEMA,
        "mtsig": VERSION,
        "problem": problem,
        "data": None if corpus is None else _data(corpus),
        "parts": [
            {
                "file": part.label,
                "read_as": part.form or None,
                "role": part.role,
                "name": part.name,
                "segments": int(_segments(part)) if _segments(part) else None,
                "language_pair": part.language_pair,
                "problem": part.problem,
                "notes": [_note(note) for note in part.notes],
            }
            for part in parts
        ],
        "notes": [] if corpus is None else [_note(note) for note in inspect(corpus)],
    }


def _note(note: Note) -> dict[str, str]:
    return {"level": note.level, "text": note.text}


def _data(corpus: Corpus) -> dict[str, Any]:
    domains, languages = corpus.segments.domains, corpus.segments.original_languages
    return {
        "segments": len(corpus),
        "documents": corpus.n_documents,
        "domains": None if domains is None else sorted(set(domains)),
        "original_languages": None if languages is None else sorted(set(languages)),
        "source": corpus.segments.sources is not None,
        "systems": list(corpus.systems),
        "references": list(corpus.references),
        "ratings": list(corpus.ratings),
        "digest": corpus.digest,
    }
