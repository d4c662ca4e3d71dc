"""Formats of ratings: a file of scores goes in, what it says of each rating comes out; a row of RATING_READERS each.

A row says how a file of the format is known, and what takes its scores in: which cells hold what, where that is all
there is to say. What the ratings are called, whose they are and which direction is better is settled in one place.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from mtsig._writing import from_cell
from mtsig.corpus import ErrorSpan, Note
from mtsig.corpus._notes import quoted
from mtsig.errors import ReadError
from mtsig.readers._files import json_of
from mtsig.readers._names import name_of
from mtsig.readers._scored import (
    Columns,
    Marked,
    RatingReader,
    Taken,
    all_rows,
    are_blocks,
    is_long,
    is_wide,
    rating_name,
    take_blocks,
    take_long,
    take_wide,
)
from mtsig.readers._sheet import (
    Address,
    Place,
    Row,
    Sheet,
    name_and_direction,
    number_at,
    score_at,
    score_in_json,
    score_of,
)


def _cells(
    count: int, wrong: Callable[[int, str], str], split: Callable[[str], list[str]] | None = None
) -> Callable[[Sheet, Taken], Iterator[Row]]:
    """Return what yields the rows of so many cells; with `split`, of the lines below the first.

    wrong: what is said of another number of cells in this line.
    """

    def rows(sheet: Sheet, _: Taken) -> Iterator[Row]:
        below = ((line, split(text)) for line, text in enumerate(sheet.lines[1:], 2) if text.strip()) if split else ()
        for line, row in below or sheet.rows:
            if len(row) != count:
                raise ReadError(f"{sheet.at(line)}: {wrong(len(row), sheet.lines[line - 1])}.")
            yield line, row

    return rows


def _begins(*words: str) -> Callable[[Sheet], bool]:
    """Return whether the first line of a file is these words."""
    return lambda sheet: bool(sheet.lines) and sheet.lines[0].split() == list(words)


def _objects(sheet: Sheet, keys: Sequence[str], said: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the objects of a file of JSON lines, each with its line; they have all of the keys."""
    for line, text in enumerate(sheet.lines, 1):
        if not text.strip():
            continue
        try:
            record = json_of(text, sheet.label, line)
        except ReadError:
            record = None
        if not isinstance(record, dict) or not all(key in record for key in keys):
            raise ReadError(f"{sheet.at(line)}: expected a JSON object with {said}.")
        yield line, record


# WMT's direct assessment.
_IN_DOCUMENT = re.compile(r"(?P<document>.+)_(?P<index>\d+)")


def _sid(sheet: Sheet, line: int, row: Sequence[str]) -> Place:
    """Return where SID is: no line number, it counts segments after the documents are sorted by their ids.

    That is inferred from the scores. In 2020 it is the document's name and the segment's number in it, from 0.
    """
    sid = row[1]
    if sid.isdigit():
        return Place(line, by_documents=number_at(sheet, line, sid, "SID"))
    match = _IN_DOCUMENT.fullmatch(sid)
    if match is None:
        raise ReadError(
            f"{sheet.at(line)}: SID is {sid!r}; expected a number, or a document and a number, as in doc_3."
        )
    index = number_at(sheet, line, match["index"], "the number in SID", least=0)
    return Place(line, document=match["document"], index=index + 1)


# MQM: minus the weight of the errors that were marked.
_ANNOTATED = ("system", "doc", "doc_id", "seg_id", "rater", "category", "severity")

_WEIGHTS = {"major": 5.0, "minor": 1.0, "neutral": 0.0, "no-error": 0.0, "no_error": 0.0}
_CLEAN = {"no-error", "no_error"}
_PUNCTUATION, _NON_TRANSLATION = 0.1, 25.0


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


def _annotations(sheet: Sheet, taken: Taken) -> None:
    """Take in minus the sum of the weights of a segment's errors, by rater, 0 for a clean one, and the errors."""
    at = {name: sheet.header.index(name) for name in _ANNOTATED}
    places: dict[tuple[str, int], Place] = {}
    weights: dict[str, dict[tuple[str, tuple[str, int]], float]] = defaultdict(lambda: defaultdict(float))
    texts = {side: sheet.header.index(side) for side in ("target", "source") if side in sheet.header}
    for line, row in sheet.table()[1]:
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
            seen: dict[str, str] = {side: row[place] for side, place in texts.items()}
            taken.marked[(), rater].append(Marked(system, places[key].key, *_tagged(error, seen)))
    for rater, errors in weights.items():
        for (system, key), total in errors.items():
            taken.of(judge=rater).add(system, places[key], -total)


def _tagged(error: ErrorSpan, seen: Mapping[str, str]) -> tuple[ErrorSpan, str | None, int | None, int | None]:
    """Return the error with its side, the text it was marked in, and where: the one <v>…</v>, or nothing."""
    for side, text in seen.items():
        before, opened, rest = text.partition("<v>")
        span, closed, behind = rest.partition("</v>")
        if opened and closed and "<v>" not in span + behind and "</v>" not in before + behind:
            whole = before + span + behind
            sided = error._replace(side="source" if side == "source" else "output")
            return sided, whole, len(before), len(before) + len(span)
    return error._replace(side="missing"), None, None, None


# ESA, as Appraise exports it, and as WMT24 gives it away: JSON lines, with the error spans and the text that was seen.
_TYPES = {"TGT", "BAD", "REF", "CHK"}
_ESA_COLUMNS = 8
_ESA_KEYS = ("system", "line_id", "doc_id", "esa_score", "esa_spans")


def _of_appraise(row: Sequence[str]) -> bool:
    return len(row) >= _ESA_COLUMNS and row[3] in _TYPES and row[2].strip().isdigit() and score_of(row[6]) is not None


def _translations(sheet: Sheet, taken: Taken) -> Iterator[Row]:
    """Yield the rows of systems' translations.

    Left out, as by the organisers, and counted: items that are no translation of a system (BAD, and others than TGT),
    tutorials, and documents marked #bad, #dup or #incomplete.
    """
    left_out: Counter[str] = Counter()
    for line, row in sheet.rows:
        if len(row) < _ESA_COLUMNS:
            raise ReadError(
                f"{sheet.at(line)}: found {len(row)} columns; expected user,system,item,type,src,tgt,score,…"
            )
        reason = _reason(row)
        if reason is None:
            yield line, row
        else:
            left_out[reason] += 1
    listed = ", ".join(f"{count} {reason}" for reason, count in left_out.items()) or "nothing"
    if not taken.cells:
        raise ReadError(f"{sheet.label} holds no score of a translation; left out: {listed}.")
    if left_out:
        taken.notes.append(Note("note", f"{sheet.label}: left out: {listed}."))


def _reason(row: list[str]) -> str | None:
    if row[3] != "TGT":
        return row[3]
    document = row[7]
    if "tutorial" in document or "tutorial" in row[1]:
        return "tutorial"
    mark = document.rpartition("#")
    return f"#{mark[2]}" if mark[1] and mark[2] in {"bad", "dup", "incomplete"} else None


def _esa_records(sheet: Sheet, taken: Taken) -> None:
    for line, record in _objects(sheet, _ESA_KEYS, ", ".join(_ESA_KEYS)):
        if type(record["line_id"]) is not int or record["line_id"] < 0:
            raise ReadError(
                f"{sheet.at(line)}: line_id is {quoted(record['line_id'])}; expected a whole number of at least 0."
            )
        words, system = ("esa", str(record.get("langs", ""))), str(record["system"]).strip()
        place = Place(line, row=record["line_id"], document=str(record["doc_id"]))
        score = score_in_json(record["esa_score"], f"{sheet.at(line)}: esa_score")
        taken.of(words).add(system, place, score, line)
        rater = str(record.get("annotator") or "")
        taken.marked[words, None] += marked_errors(sheet, line, system, rater, place, record["esa_spans"])


def _errors_of_row(sheet: Sheet, line: int, row: Sequence[str], place: Place) -> list[Marked]:
    written = next((cell for cell in row[_ESA_COLUMNS:] if cell.lstrip().startswith("[")), "[]")
    return marked_errors(sheet, line, row[1].strip(), row[0].strip(), place, written)


def marked_errors(
    sheet: Sheet, line: int, system: str, rater: str, place: Place, written: str | list[object]
) -> list[Marked]:
    """Return the errors of a row: a list of objects, or its JSON, with start_i, end_i and severity.

    As Appraise has it, end_i is the last character of the span, and both are "missing" where something is left out.

    Raises:
        ReadError: the list is broken, or a place or a severity is none.
    """
    try:
        spans = json_of(written, sheet.label, line) if isinstance(written, str) else written
        return [Marked(system, place.key, *_error(span, rater)) for span in spans]
    except (ReadError, ValueError, TypeError, KeyError, AttributeError):
        raise ReadError(
            f"{sheet.at(line)}: the error spans are {quoted(written)}; expected JSON such as "
            '[{"start_i": 0, "end_i": 4, "severity": "minor"}], with "missing" for both where something is left out.'
        ) from None


def _error(span: Any, rater: str) -> tuple[ErrorSpan, None, int | None, int | None]:
    kinds = span.get("error_type") or ()
    category = kinds if isinstance(kinds, str) else "/".join(map(str, kinds))
    first, last = span["start_i"], span["end_i"]
    error = ErrorSpan("", rater, category, str(span["severity"]))
    if first == last == "missing":
        return error._replace(side="missing"), None, None, None
    if type(first) is not int or type(last) is not int or not 0 <= first <= last:
        raise ValueError
    return error, None, first, last + 1


# Automatic metrics, as WMT25's organisers and COMET's --to_json have them.
_WMT25_KEYS = ("document_id", "metric_scores")
_COMET_TEXTS = {"src", "mt", "ref"}


def _wmt25(sheet: Sheet, taken: Taken) -> None:
    """Take in a list of scores per metric and document; the system is called like the file."""
    system, _ = name_and_direction(sheet.file.path.name)
    for line, record in _objects(sheet, _WMT25_KEYS, " and ".join(_WMT25_KEYS)):
        scores = record["metric_scores"]
        if not isinstance(scores, dict) or not all(isinstance(values, list) for values in scores.values()):
            raise ReadError(f"{sheet.at(line)}: metric_scores holds no lists of scores.")
        for metric, values in scores.items():
            cells = taken.of((metric,))
            for index, value in enumerate(values, 1):
                score = score_in_json(value, f"{sheet.at(line)}: a score of {metric}")
                cells.add(system, Place(line, document=str(record["document_id"]), index=index), score)


def _comet(sheet: Sheet, taken: Taken) -> None:
    """Take in the scores that the first segment has; systems are called like their files."""
    sheets = {metric: taken.of((metric,)) for metric in _comet_metrics(sheet)}
    for path, segments in _systems_of_comet(sheet).items():
        if not isinstance(segments, list):
            raise ReadError(f"{sheet.label}: {quoted(path)} holds no list of segments.")
        for number, segment in enumerate(segments, 1):
            for metric, cells in sheets.items():
                value = segment.get(metric) if isinstance(segment, dict) else segment
                where = f"{sheet.label}, {quoted(path)}, segment {number}: the score {metric}"
                # The file is one line, whatever it holds.
                cells.add(name_of(path.rsplit("/", 1)[-1]), Place(1, number=number), score_in_json(value, where))


def _systems_of_comet(sheet: Sheet) -> dict[str, Any]:
    is_named_so = sheet.file.path.suffix.lower() == ".json"
    return sheet.content if is_named_so and isinstance(sheet.content, dict) else {}


def _comet_metrics(sheet: Sheet) -> list[str]:
    """Return the numbers that the first segment of the first system has beside its translation."""
    segments = next(iter(_systems_of_comet(sheet).values()), None)
    first = segments[0] if isinstance(segments, list) and segments else None
    if not isinstance(first, dict) or "mt" not in first:
        return []
    return [
        name for name, value in first.items()
        if name not in _COMET_TEXTS and isinstance(value, int | float) and not isinstance(value, bool)
    ]  # fmt: skip


_SEGMENT, _SCORE = re.compile(r"Segment (.*)"), re.compile(r"score: (.*)")


def _comet_lines(sheet: Sheet, taken: Taken) -> None:
    """Take in what comet-score prints: segments from 0, and a mean of each file at the end."""
    for line, row in sheet.rows:
        score = _SCORE.fullmatch(row[2] if _is_segment(row) else row[-1])
        if len(row) == 1 or (len(row) == 2 and score):
            continue  # what a library printed, or the mean of a file
        segment = _SEGMENT.fullmatch(row[1])
        if segment is None or score is None:
            raise ReadError(f"{sheet.at(line)}: expected FILE, Segment N and score: X, with tabs between them.")
        number = number_at(sheet, line, segment[1], "the number of the segment", least=0)
        system, value = name_of(re.split(r"[/\\]", row[0])[-1]), score_at(sheet, line, score[1], "the score")
        taken.of().add(system, Place(line, number=number + 1), value)


def _is_segment(cells: list[str]) -> bool:
    return len(cells) >= 3 and _SEGMENT.fullmatch(cells[1]) is not None and cells[2].startswith("score: ")


def _own(words: Sequence[str], _: Sequence[Sequence[str]], stem: str) -> str:
    return words[0] if words else stem


def _by_pair(words: Sequence[str], every: Sequence[Sequence[str]], _: str) -> str:
    return "-".join(words) if len(every) > 1 else words[0]


def _telling(words: Sequence[str], every: Sequence[Sequence[str]], _: str) -> str:
    """Return the metric, and language pair, test set and reference set where these differ in the file."""
    return "-".join(word for at, word in enumerate(words) if at == 0 or len({kind[at] for kind in every}) > 1)


RATING_READERS: dict[str, RatingReader] = {
    "wmt-da": RatingReader(
        "SYS SID RAW.SCR Z.SCR N",
        _begins("SYS", "SID", "RAW.SCR", "Z.SCR", "N"),
        Columns(
            _cells(5, lambda count, _: f"found {count} fields; expected SYS SID RAW.SCR Z.SCR N", str.split),
            system=0,
            scores={("raw",): (2, "RAW.SCR"), ("z",): (3, "Z.SCR")},
            address=_sid,
        ),
        lambda words, *_: f"da-{words[0]}",
    ),
    "mqm-average": RatingReader(
        "system mqm_avg_score seg_id",
        lambda sheet: bool(sheet.lines) and sheet.lines[0].lower().split() == ["system", "mqm_avg_score", "seg_id"],
        Columns(
            # The system may have spaces in its name.
            _cells(
                3,
                lambda _, line: f"expected a system, a score and a segment; found {quoted(line)}",
                lambda line: line.rsplit(None, 2),
            ),
            system=0,
            scores={(): (1, "mqm_avg_score")},
            address=Address(number=(2, "seg_id")),
        ),
        lambda *_: "mqm",
    ),
    "mqm-annotations": RatingReader(
        "a row per error: system doc doc_id seg_id rater … severity",
        lambda sheet: set(_ANNOTATED) <= set(sheet.header),
        _annotations,
        lambda *_: "mqm",
    ),
    "wmt25": RatingReader(
        "JSON lines with document_id and metric_scores",
        lambda sheet: sheet.starts_with_object(_WMT25_KEYS),
        _wmt25,
        _own,
        directed=True,
        empty="holds no metric scores",
    ),
    "esa-records": RatingReader(
        "JSON lines with system, line_id, doc_id, esa_score and esa_spans",
        lambda sheet: sheet.starts_with_object(_ESA_KEYS),
        _esa_records,
        _by_pair,
        averaged=True,
    ),
    "comet": RatingReader(
        "JSON as COMET writes it: system -> segments with mt and a score",
        lambda sheet: bool(_comet_metrics(sheet)),
        _comet,
        _own,
    ),
    "comet-lines": RatingReader(
        "FILE<tab>Segment N<tab>score: X, as comet-score prints",
        # Libraries may have printed other lines.
        lambda sheet: any(_is_segment(cells) for _, cells in sheet.top),
        _comet_lines,
        _own,
        directed=True,
    ),
    "metrics-task": RatingReader(
        "METRIC LP TESTSET REFSET SYSTEM DOC SEG SCORE",
        all_rows(lambda row: len(row) == 8 and row[6].strip().isdigit() and score_of(row[7]) is not None),
        Columns(
            _cells(8, lambda count, _: f"found {count} columns; expected 8, METRIC LP … SCORE"),
            system=4,
            scores={(): (7, "SCORE")},
            # SEG counts within the document, or over the whole test set: the corpus's documents tell.
            address=Address(number=(6, "SEG"), document=5),
            words=(0, 1, 2, 3),
        ),
        _telling,
    ),
    "esa": RatingReader(
        "user,system,item,type,src,tgt,score,document,…",
        all_rows(_of_appraise),
        Columns(
            _translations,
            system=1,
            scores={("esa",): (6, "the score")},
            address=Address(row=(2, "the item"), document=7),
            words=(4, 5),
            judge=0,
            errors=_errors_of_row,
        ),
        _by_pair,
        # The same annotator may see a segment of a system twice; both scores count.
        averaged=True,
    ),
    "blocks": RatingReader(
        "SYSTEM<tab>score, a block of lines per system", are_blocks, take_blocks, _own, directed=True
    ),
    "long": RatingReader(
        "columns system, segment and score",
        is_long,
        take_long,
        lambda words, every, stem: rating_name(from_cell(words[0]), stem, alone=len(every) == 1),
        directed=True,
        lone_judge=True,
    ),
    "wide": RatingReader("one column per system, one row per segment", is_wide, take_wide, _own, directed=True),
}
"""In the order in which a file is held against them: those with telling marks first."""
