"""COMET's `--to_json`: an object of systems' files, each a list of segments with their texts and score."""

from typing import Any

from mtsig.corpus import quoted
from mtsig.errors import ReadError
from mtsig.readers.json_text import json_of
from mtsig.readers.names import name_of
from mtsig.readers.ratings.scored import Cells, Place, Scored
from mtsig.readers.ratings.sheet import Sheet, score_in_json

_TEXTS = {"src", "mt", "ref"}


def recognises(sheet: Sheet) -> bool:
    """Return whether the file is such an object: segments with a translation and a number beside it."""
    return sheet.file.path.suffix.lower() == ".json" and bool(_metrics(_first(_systems(sheet))))


def read(sheet: Sheet) -> list[Scored]:
    """Return one Scored per score that the first segment has; systems are called like their files.

    Raises:
        ReadError: a system holds no list of segments, or a score is no number.
    """
    systems = _systems(sheet)
    sheets: dict[str, Cells] = {metric: Cells(sheet) for metric in _metrics(_first(systems))}
    for path, segments in systems.items():
        if not isinstance(segments, list):
            raise ReadError(f"{sheet.label}: {quoted(path)} holds no list of segments.")
        for number, segment in enumerate(segments, 1):
            for metric, cells in sheets.items():
                score = _score(sheet, path, number, metric, segment)
                # The file is one line, whatever it holds.
                cells.add(name_of(path.rsplit("/", 1)[-1]), Place(1, number=number), score)
    several = len(sheets) > 1
    return [cells.scored(metric, metric if several else None) for metric, cells in sheets.items()]


def _systems(sheet: Sheet) -> dict[str, Any]:
    try:
        content = json_of("\n".join(sheet.lines), sheet.label)
    except ReadError:
        return {}
    return content if isinstance(content, dict) else {}


def _first(systems: dict[str, Any]) -> dict[str, Any]:
    segments = next(iter(systems.values()), None)
    first = segments[0] if isinstance(segments, list) and segments else None
    return first if isinstance(first, dict) and "mt" in first else {}


def _metrics(segment: dict[str, Any]) -> list[str]:
    return [name for name, value in segment.items() if name not in _TEXTS and _is_number(value)]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _score(sheet: Sheet, path: str, number: int, metric: str, segment: Any) -> float:
    value = segment.get(metric) if isinstance(segment, dict) else segment
    return score_in_json(value, f"{sheet.label}, {quoted(path)}, segment {number}: the score {metric}")
