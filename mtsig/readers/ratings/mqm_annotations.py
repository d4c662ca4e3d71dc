"""MQM annotations: an error per row, with rater, category and severity; the score is minus the weight of the errors."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from mtsig.corpus import ErrorSpan
from mtsig.errors import ReadError
from mtsig.readers.ratings.scored import Cells, Marked, Place, Scored
from mtsig.readers.ratings.sheet import Sheet, number_at

_NEEDED = ("system", "doc", "doc_id", "seg_id", "rater", "category", "severity")

_WEIGHTS = {"major": 5.0, "minor": 1.0, "neutral": 0.0, "no-error": 0.0, "no_error": 0.0}
_CLEAN = {"no-error", "no_error"}
_PUNCTUATION, _NON_TRANSLATION = 0.1, 25.0


def recognises(sheet: Sheet) -> bool:
    """Return whether the columns are those of Google's annotation tool."""
    return set(_NEEDED) <= set(sheet.header)


def weight(category: str, severity: str) -> float | None:
    """Return what an error weighs (Freitag et al. 2021, table 4); None for a severity that is not known.

    >>> weight("Accuracy/Omission", "Major"), weight("Fluency/Punctuation", "Minor"), weight("Non-translation!", "")
    (5.0, 0.1, 25.0)
    """
    low = category.strip().lower()
    if low.startswith("non-translation"):
        return _NON_TRANSLATION
    if low == "fluency/punctuation" and severity.strip().lower() == "minor":
        return _PUNCTUATION
    return _WEIGHTS.get(severity.strip().lower())


def read(sheet: Sheet) -> list[Scored]:
    """Return one Scored per rater: minus the sum of the weights of a segment's errors, 0 for a clean one.

    The errors themselves go along, with the words that <v> and </v> stand around in the target, or in the source.

    Raises:
        ReadError: the table is broken, or a severity is not known.
    """
    at = {name: sheet.header.index(name) for name in _NEEDED}
    places: dict[tuple[str, int], Place] = {}
    weights: dict[str, dict[tuple[str, tuple[str, int]], float]] = defaultdict(lambda: defaultdict(float))
    marked: dict[str, list[Marked]] = defaultdict(list)
    texts = [(side, sheet.header.index(side)) for side in ("target", "source") if side in sheet.header]
    _, rows = sheet.table()
    for line, row in rows:
        key = row[at["doc"]].strip(), number_at(sheet, line, row[at["doc_id"]], "doc_id")
        number = number_at(sheet, line, row[at["seg_id"]], "seg_id")
        places.setdefault(key, Place(line, number=number, document=key[0], index=key[1]))
        points = weight(row[at["category"]], row[at["severity"]])
        if points is None:
            raise ReadError(
                f"{sheet.at(line)}: the severity {row[at['severity']]!r} is not known; expected Major, Minor, Neutral "
                "or No-error."
            )
        rater, system = row[at["rater"]].strip(), row[at["system"]].strip()
        weights[rater][system, key] += points
        if row[at["severity"]].strip().lower() not in _CLEAN:
            error = ErrorSpan("", rater, row[at["category"]].strip(), row[at["severity"]].strip())
            seen = {str(side): row[place] for side, place in texts}
            marked[rater].append(Marked(system, places[key].key, *_spans(error, seen)))
    found_scores = []
    for rater, errors in weights.items():
        cells = Cells(sheet)
        for (system, key), total in errors.items():
            cells.add(system, places[key], -total)
        scored = cells.scored("mqm", judge=rater if len(weights) > 1 else None)
        found_scores.append(replace(scored, marked=tuple(marked[rater])))
    return found_scores


def _spans(error: ErrorSpan, seen: Mapping[str, str]) -> tuple[ErrorSpan, str | None, int | None, int | None]:
    """Return the error with its side, the text it was marked in, and where: the one <v>…</v>, or nothing."""
    for side, text in seen.items():
        before, opened, rest = text.partition("<v>")
        span, closed, behind = rest.partition("</v>")
        if opened and closed and "<v>" not in span + behind and "</v>" not in before + behind:
            whole = before + span + behind
            sided = error._replace(side="source" if side == "source" else "output")
            return sided, whole, len(before), len(before) + len(span)
    return error._replace(side="missing"), None, None, None
