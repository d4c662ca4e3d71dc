"""Results as JSON, and what was read: files, their data and their checkup."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mtsig._records import Record
from mtsig.citations import VERSION
from mtsig.collection import ScoresOverSets, Sets
from mtsig.corpus import Corpus, Note, inspect
from mtsig.corpus._notes import FEW, listed, merged, number_of, single_runs
from mtsig.inference import Intervals, Settings
from mtsig.readers import Part
from mtsig.readers._rates import MOST_RATERS
from mtsig.report._table import Table
from mtsig.resampling import RNG
from mtsig.study._record import SCHEMA, digest_of
from mtsig.study._run import data_of

if TYPE_CHECKING:
    from mtsig.doctor import Checkup

HEAD: Mapping[str, str] = {"schema": SCHEMA, "mtsig": VERSION}
"""How every JSON begins."""


def score_bundle(corpus: Corpus, settings: Settings, scored: Sequence[Intervals]) -> dict[str, Any]:
    unit = scored[0].unit if scored else settings.unit
    interval = settings.resolved(unit if scored else "segment").interval
    used = _used(settings, "interval level n_resamples seed unit", interval=interval, unit=unit)
    return _frame(
        corpus,
        {"test": None, "correction": None, **used},
        corpus.systems,
        (note for intervals in scored for note in intervals.notes),
        systems=[row for intervals in scored for row in intervals.rows()],
    )


def scores_over_sets_bundle(sets: Sets, settings: Settings, scored: Sequence[ScoresOverSets]) -> dict[str, Any]:
    """Return scores with intervals on several sets; a row whose set is null is an average over them."""
    return _framed(
        _used(settings, "interval level n_resamples seed unit"),
        sets=[{"set": name, **data_of(corpus).row()} for name, corpus in sets.items()],
        skipped=dict(sets.skipped),
        notes=_texts(note for scores_over_sets in scored for note in scores_over_sets.notes),
        systems=[row for scores_over_sets in scored for row in scores_over_sets.rows()],
    )


def _used(settings: Settings, names: str = "level n_resamples seed unit", **otherwise: Any) -> dict[str, Any]:
    """Return these of the settings; otherwise: what was used in place of what was set."""
    return {name: otherwise.get(name, getattr(settings, name)) for name in names.split()}


def _frame(
    corpus: Corpus, settings: Mapping[str, Any], systems: Iterable[str], notes: Iterable[Note], /, **results: Any
) -> dict[str, Any]:
    """Return results on a corpus as one JSON object; systems: those whose single runs are to be told of."""
    said = _texts([*single_runs(systems), *notes])
    return _framed(settings, data=data_of(corpus), notes=said, **results)


def _framed(settings: Mapping[str, Any], **results: Any) -> dict[str, Any]:
    return plain({**HEAD, "settings": {**settings, "rng": RNG}, **results})


def _texts(notes: Iterable[Note]) -> list[str]:
    """Return what notes say, each sentence once."""
    return [note.text for note in merged(notes)]


def plain(bundle: dict[str, Any]) -> dict[str, Any]:
    """Return the bundle with what JSON does not know (NaN) as null."""
    return {key: _plain_value(value) for key, value in bundle.items()}


def _plain_value(value: Any) -> Any:
    if isinstance(value, dict):
        return plain(value)
    if isinstance(value, Record):
        return plain(value.row())
    if isinstance(value, list | tuple):
        return [_plain_value(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def parts_table(parts: Sequence[Part], corpus: Corpus | None) -> Table:
    """Return what every file, or text in a file, was taken for, and what is to be said of it."""
    header = ("file", "read as", "role", "name", "segments", "remarks")
    groups: dict[object, list[Part]] = {}
    for number, part in enumerate(parts):
        groups.setdefault(number if part.file is None or _rater(part) is None else _of_all_raters(part), []).append(
            part
        )
    rows = [row for group in groups.values() for row in _rows(group)]
    return Table.of_text(corpus_text(corpus), header, rows, right=("segments",))


def _rater(part: Part) -> str | None:
    return None if part.scored is None else part.scored.rater


def _of_all_raters(part: Part) -> tuple[object, ...]:
    """Return what the parts of a file's raters have in common."""
    label = None if part.file is None else part.file.label
    return label, part.role, part.name.partition("@")[0], part.problem


def _rows(group: Sequence[Part]) -> list[tuple[str, ...]]:
    """Return a row for every part, or one for all raters of a file where they are many."""
    first = group[0]
    if len(group) <= MOST_RATERS or first.file is None:
        return [
            (
                part.label,
                part.form,
                part.role,
                "" if part.role == "ignored" else part.name,
                _segments(part),
                _remarks(part),
            )
            for part in group
        ]
    rated = {place.key for part in group if part.scored is not None for place in part.scored.places}
    name = f"{first.name.partition('@')[0]}, {len(group):,} raters"
    remarks = " ".join(dict.fromkeys(text for part in group if (text := _remarks(part))))
    return [(first.file.label, first.form, first.role, name, str(len(rated)), remarks)]


def _segments(part: Part) -> str:
    """Return how many segments a part has text, or scores, for."""
    if part.scored is not None:
        return str(part.scored.segments)
    return "" if part.lines is None else str(len(part.lines))


def _remarks(part: Part) -> str:
    return part.problem or " ".join(note.text for note in part.notes)


def corpus_text(corpus: Corpus | None) -> str:
    """Return what the corpus holds, in one sentence."""
    if corpus is None:
        return "These files do not form a test set yet."
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


DIGITS = 8
"""Digits of a digest that tell data apart where a person reads them."""


def source_text(data: Corpus | Mapping[str, Corpus], languages: Sequence[str] = ()) -> str:
    """Return what a picture was drawn of, as it stands below every picture: one test set, or several by their names.

    languages: as in en-de, each where known.
    """
    sets = {"": data} if isinstance(data, Corpus) else dict(data)
    corpora, digests = list(sets.values()), {name: corpus.digest for name, corpus in sets.items()}
    outputs = dict.fromkeys(name for corpus in corpora for name in corpus.outputs or corpus.systems)
    references = list(dict.fromkeys(name for corpus in corpora for name in corpus.references))
    documents = [corpus.n_documents for corpus in corpora if corpus.n_documents is not None]
    said = [] if isinstance(data, Corpus) else [number_of(len(sets), "test set", ",")]
    said += [number_of(len(outputs), "output", ","), number_of(sum(map(len, corpora)), "segment", ",")]
    said[-1] += f" in {number_of(sum(documents), 'document', ',')}" if len(documents) == len(corpora) else ""
    known = list(dict.fromkeys(filter(None, languages)))
    said += [listed(known, most=FEW)] if known else []
    if references:
        said.append(f"reference{'s' if len(references) > 1 else ''} {listed(references, most=FEW)}")
    digest = next(iter(digests.values())) if len(digests) == 1 else digest_of({"sets": digests})
    return f"Data: {', '.join(said)}, sha256 {digest.removeprefix('sha256:')[:DIGITS]}."


def read_bundle(parts: Sequence[Part], corpus: Corpus | None, problem: str | None) -> dict[str, Any]:
    """Return the same as one JSON object; `data` is null where the parts make no corpus, and `problem` says why."""
    return {
        **HEAD,
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


def checkup_table(checkup: "Checkup") -> Table:
    """Return the findings, warnings first, with what they are of and what to do."""
    header = ("level", "finding", "confidence", "where", "found", "what to do")
    rows = (
        (finding.note.level, finding.headline, finding.confidence, finding.where, finding.found, finding.advice)
        for finding in checkup
    )
    return Table.of_text(checkup_text(checkup), header, rows)


def checkup_text(checkup: "Checkup") -> str:
    """Return how many findings there are, and what was looked at."""
    warnings, notes = len(checkup.warnings), len(checkup) - len(checkup.warnings)
    counts = f"{number_of(warnings, 'warning')} and {number_of(notes, 'note')}" if len(checkup) else "Nothing was found"
    said = f"{counts} by {number_of(len(checkup.checked), 'check')}. Nothing was changed."
    looked = f" Checks for near-duplicates used {checkup.segments} of {checkup.of} segments."
    return said if checkup.segments == checkup.of else said + looked


def checkup_bundle(checkup: "Checkup", corpus: Corpus | None) -> dict[str, Any]:
    """Return the same as one JSON object."""
    return {
        **HEAD,
        "checked": list(checkup.checked),
        "segments": {"checked": checkup.segments, "of": checkup.of},
        "digest": None if corpus is None else corpus.digest,
        "findings": checkup.rows(),
    }
