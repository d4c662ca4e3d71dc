"""Results as JSON, and what was read: files, their data and their checkup."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mtsig._records import Record
from mtsig.cautions._list import single_runs
from mtsig.citations import VERSION
from mtsig.collection import ScoresOverSets, Sets
from mtsig.corpus import Corpus, Note, inspect
from mtsig.corpus._notes import number_of
from mtsig.inference import Intervals, Settings
from mtsig.readers import Part
from mtsig.readers._rates import MOST_JUDGES
from mtsig.report._table import Table
from mtsig.resampling import RNG
from mtsig.study._record import SCHEMA
from mtsig.study._run import data_of

if TYPE_CHECKING:
    from mtsig.doctor import Checkup


def score_bundle(corpus: Corpus, settings: Settings, scored: Sequence[Intervals]) -> dict[str, Any]:
    """Return scores with intervals."""
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
    return plain({"schema": SCHEMA, "mtsig": VERSION, "settings": {**settings, "rng": RNG}, **results})


def _texts(notes: Iterable[Note]) -> list[str]:
    """Return what notes say, each sentence once."""
    return list(dict.fromkeys(note.text for note in notes))


def plain(bundle: dict[str, Any]) -> dict[str, Any]:
    """Return the bundle with what JSON does not know (NaN) as null.

    >>> from mtsig.report._bundle import plain
    >>> plain({"p_value": [0.5, float("nan")]})
    {'p_value': [0.5, None]}
    """
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


def checkup_table(checkup: "Checkup") -> Table:
    """Return the findings, warnings first, with where, how sure and what to do.

    >>> import mtsig
    >>> from mtsig.report._bundle import checkup_table
    >>> corpus = mtsig.Corpus.of({"A": ["It slept.", "", "It sat."]}, {"ref": ["A cat slept.", "A dog.", "It sat."]})
    >>> checkup_table(mtsig.check_data(corpus)).texts[0]  # doctest: +NORMALIZE_WHITESPACE
    ('note', 'empty', 'sure', "system 'A'", 'empty lines: 1 of 3 (line 2).', 'They are scored as such. Was the run
    cut off, or did post-processing drop them?')
    """
    header = ("level", "check", "sure", "where", "found", "what to do")
    rows = (
        (finding.level, finding.check, finding.sure, finding.where, finding.found, finding.advice)
        for finding in checkup
    )
    return Table.of_text(checkup_text(checkup), header, rows)


def checkup_text(checkup: "Checkup") -> str:
    """Return how many findings there are, and what was looked at.

    >>> import mtsig
    >>> from mtsig.report._bundle import checkup_text
    >>> corpus = mtsig.Corpus.of({"A": ["It slept.", "", "It sat."]}, {"ref": ["A cat slept.", "A dog.", "It sat."]})
    >>> print(checkup_text(mtsig.check_data(corpus)))
    0 warnings and 1 note by 17 checks. Nothing was changed.
    """
    warnings, notes = len(checkup.warnings), len(checkup) - len(checkup.warnings)
    counts = f"{number_of(warnings, 'warning')} and {number_of(notes, 'note')}" if len(checkup) else "Nothing was found"
    said = f"{counts} by {number_of(len(checkup.checked), 'check')}. Nothing was changed."
    looked = f" Checks of likeness looked at {checkup.segments} of {checkup.of} segments."
    return said if checkup.segments == checkup.of else said + looked


def checkup_bundle(checkup: "Checkup", corpus: Corpus | None) -> dict[str, Any]:
    """Return the same as one JSON object."""
    return {
        "schema": SCHEMA,
        "mtsig": VERSION,
        "checked": list(checkup.checked),
        "segments": {"checked": checkup.segments, "of": checkup.of},
        "digest": None if corpus is None else corpus.digest,
        "findings": checkup.rows(),
    }
