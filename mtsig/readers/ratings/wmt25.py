"""WMT25's automatic scores: one file per system, a JSON object per document with a list of scores per metric."""

from typing import Any

from mtsig.errors import ReadError
from mtsig.readers.json_text import json_of
from mtsig.readers.ratings.scored import Cells, Place, Scored
from mtsig.readers.ratings.sheet import Sheet, name_and_direction, score_in_json

_KEYS = ("document_id", "metric_scores")


def recognises(sheet: Sheet) -> bool:
    """Return whether the first line is such an object."""
    return sheet.starts_with_object(_KEYS)


def read(sheet: Sheet) -> list[Scored]:
    """Return one Scored per metric; the system is called like the file.

    Raises:
        ReadError: a line is no such object, or a score is no number.
    """
    system, declared = name_and_direction(sheet.file.path.name)
    sheets: dict[str, Cells] = {}
    for line, text in enumerate(sheet.lines, 1):
        if not text.strip():
            continue
        document, scores = _object(sheet, line, text)
        for metric, values in scores.items():
            cells = sheets.setdefault(metric, Cells(sheet))
            for index, value in enumerate(values, 1):
                score = score_in_json(value, f"{sheet.at(line)}: a score of {metric}")
                cells.add(system, Place(line, document=document, index=index), score)
    if not sheets:
        raise ReadError(f"{sheet.label} holds no metric scores.")
    several = len(sheets) > 1
    return [cells.scored(metric, metric if several else None, declared=declared) for metric, cells in sheets.items()]


def _object(sheet: Sheet, line: int, text: str) -> tuple[str, dict[str, list[Any]]]:
    try:
        item = json_of(text, sheet.label, line)
        document, scores = item["document_id"], item["metric_scores"]
    except (ReadError, TypeError, KeyError):
        raise ReadError(f"{sheet.at(line)}: expected a JSON object with {' and '.join(_KEYS)}.") from None
    if not isinstance(scores, dict) or not all(isinstance(values, list) for values in scores.values()):
        raise ReadError(f"{sheet.at(line)}: metric_scores holds no lists of scores.")
    return str(document), scores
