"""Scores of whole systems: a file with one number a system and metric goes in, a part for every metric comes out.

Three forms: a system, a tab and its score; a table with the columns system, metric and score, as WMT's organisers give
their automatic scores out; a table with the column system and one for every metric.
"""

from collections.abc import Mapping
from dataclasses import replace

from mtsig.corpus import Note, listed
from mtsig.errors import ReadError
from mtsig.readers._score_tables import GENERIC, rating_name, score_columns, system_column
from mtsig.readers._sheet import Sheet, columns_called, name_and_direction, score_at, score_of
from mtsig.readers.files import File
from mtsig.readers.names import LANGUAGE_PAIRS, PAIR
from mtsig.readers.part import Part, ignored

WHOLE_SYSTEMS = "scores of whole systems, which trust alone takes"
"""What is said of a file with one score a system."""

_PAIRS = LANGUAGE_PAIRS | {PAIR}
_METRIC = frozenset({"metric", "metrics", "metric_name", "scorer"})


def whole_systems(file: File, form: str = WHOLE_SYSTEMS) -> list[Part]:
    """Return the scores of whole systems in a file, which play no role among segments; a broken one is noted."""
    stem, better = name_and_direction(file.path.name.replace(".sys.", "."))
    part = replace(ignored(file, form), name=stem, better=better)
    try:
        read = _read(Sheet(file), stem)
    except ReadError as error:
        # Only trust takes such scores: the test set is not refused for them.
        return [replace(part, notes=(Note("note", f"{error} It was left alone."),))]
    labels = [file.label if len(read) == 1 else f"{file.label}, {name}" for name in read]
    return [
        replace(part, label=label, name=name, whole=scores)
        for label, (name, scores) in zip(labels, read.items(), strict=True)
    ]


def _read(sheet: Sheet, stem: str) -> Mapping[str, dict[str, float]]:
    """Return the scores of every metric, by system, without gaps."""
    system = system_column(sheet.header)
    if system is None or all(score_of(cells[-1]) is not None for _, cells in sheet.top[:1]):
        return {stem: _one_a_system(sheet)}
    names, rows = sheet.table()
    metrics = columns_called(sheet.header, _METRIC)
    for column in columns_called(sheet.header, _PAIRS):
        pairs = list(dict.fromkeys(row[column].strip() for _, row in rows))
        if len(pairs) > 1:
            raise ReadError(
                f"{sheet.label} holds scores of {len(pairs)} language pairs ({listed(pairs[:5])}"
                f"{', …' if len(pairs) > 5 else ''}); give the rows of one in a file of their own."
            )
    columns = [place for place in score_columns(sheet) if sheet.header[place] not in _PAIRS and place != system]
    if metrics:
        columns = [place for place in columns if sheet.header[place] in GENERIC]
    if not columns or (metrics and len(columns) > 1):
        raise ReadError(f"{sheet.label} has the columns {', '.join(names)}; expected a system, a metric and a score.")
    read: dict[str, dict[str, float]] = {}
    for line, row in rows:
        for column in columns:
            alone = len(columns) == 1
            name = row[metrics[0]].strip() if metrics else rating_name(names[column], stem, alone)
            score = score_at(sheet, line, row[column], f"the column {names[column]!r}")
            _add(read.setdefault(name, {}), row[system].strip(), score, sheet.at(line))
    return {name: _without_gaps(scores) for name, scores in read.items()}


def _one_a_system(sheet: Sheet) -> dict[str, float]:
    scores: dict[str, float] = {}
    for line, cells in sheet.rows:
        score = score_of(cells[1]) if len(cells) == 2 else None
        if not cells[0].strip() or score is None:
            raise ReadError(f"{sheet.at(line)}: expected a system, a tab, and its score.")
        _add(scores, cells[0].strip(), score, sheet.at(line))
    return _without_gaps(scores)


def _add(scores: dict[str, float], system: str, score: float, where: str) -> None:
    if system in scores:
        raise ReadError(f"{where}: a second score of {system}.")
    scores[system] = score


def _without_gaps(scores: Mapping[str, float]) -> dict[str, float]:
    return {system: score for system, score in scores.items() if score == score}
