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
from mtsig.corpus._annotations import ORIGINS
from mtsig.corpus._notes import quoted
from mtsig.errors import ReadError
from mtsig.readers import _scored, _sheet
from mtsig.readers._campaigns import CAMPAIGNS, behind_stem, own_name
from mtsig.readers._names import COUNTERS, RATERS, names_of, plain_name


def _cells(
    count: int, wrong: Callable[[int, str], str], split: Callable[[str], list[str]] | None = None
) -> Callable[[_sheet.Sheet, _scored.Taken], Iterator[_sheet.Row]]:
    """Return what yields the rows of so many cells; with `split`, of the lines below the first.

    wrong: what is said of another number of cells in this line.
    """

    def rows(sheet: _sheet.Sheet, _: _scored.Taken) -> Iterator[_sheet.Row]:
        below = ((line, split(text)) for line, text in enumerate(sheet.lines[1:], 2) if text.strip()) if split else ()
        for line, row in below or sheet.rows:
            if len(row) != count:
                raise ReadError(f"{sheet.at(line)}: {wrong(len(row), ' '.join(row))}. Correct the row.")
            yield line, row

    return rows


def _begins(*words: str) -> Callable[[_sheet.Sheet], bool]:
    """Return whether the first line of a file is these words."""
    return lambda sheet: bool(sheet.first_lines) and sheet.first_lines[0].split() == list(words)


def _objects(sheet: _sheet.Sheet, keys: Sequence[str]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the objects of a file, each with its line; they have all of the keys."""
    for line, record in sheet.objects:
        if not all(key in record for key in keys):
            raise ReadError(f"{sheet.at(line)}: expected a JSON object with {', '.join(keys)}. Correct the line.")
        yield line, record


# WMT's direct assessment.
_IN_DOCUMENT = re.compile(r"(?P<document>.+?)(?:_|::)(?P<index>\d{1,15})")


def _sid(sheet: _sheet.Sheet, line: int, row: Sequence[str]) -> _sheet.Place:
    """Return where SID is: no line number, it counts segments after the documents are sorted by their ids.

    That is inferred from the scores. In 2020 it is the document's name and the segment's number in it, from 0.
    """
    sid = row[1]
    if sid.isdigit():
        return _sheet.Place(line, by_documents=_sheet.number_at(sheet, line, sid, "SID"))
    match = _IN_DOCUMENT.fullmatch(sid)
    if match is None:
        raise ReadError(
            f"{sheet.at(line)}: SID is {sid!r}; expected a number, or a document and a number, as in doc_3. Correct it."
        )
    index = _sheet.number_at(sheet, line, match["index"], "the number in SID", least=0)
    return _sheet.Place(line, document=match["document"], index=index + 1)


# MQM: minus the weight of the errors that were marked.
_ANNOTATED = ("system", "doc", "severity")
_BESIDE: tuple[set[str], ...] = (RATERS, {"category", "error_type", "error_category"})
_INDEX = {"doc_id", "docsegid", "doc_seg_id", "seg_in_doc"}
_NUMBER = {"seg_id", "globalsegid", "global_seg_id", "segid"}
"""What WMT has called the number of a segment in its document, and in the test set, over the years."""

_PUNCTUATION, _NON_TRANSLATION = 0.1, 25.0


def weight(category: str, severity: str) -> float | None:
    """Return what an error weighs (Freitag et al. 2021, table 4); None for a severity that is not known."""
    low = category.strip().lower()
    if low.startswith("non-translation"):
        return _NON_TRANSLATION
    if low == "fluency/punctuation" and severity.strip().lower() == "minor":
        return _PUNCTUATION
    return _scored.WEIGHTS.get(severity.strip().lower())


def _annotations(sheet: _sheet.Sheet, taken: _scored.Taken) -> None:
    """Take in minus the sum of the weights of a segment's errors, by rater, 0 for a clean one, and the errors."""
    at = {name: sheet.header.index(name) for name in _ANNOTATED}
    number, index = (
        next(((place, sheet.header[place]) for place in _sheet.columns_called(sheet.header, names)), None)
        for names in (_NUMBER, _INDEX)
    )
    rows = sheet.table()[1]
    find = _sheet.Address(number, at["doc"], index).for_rows(rows).finder(sheet)
    weights: dict[str, dict[tuple[str, _sheet.Place], float]] = defaultdict(lambda: defaultdict(float))
    outputs: dict[tuple[str, _sheet.Place], str] = {}
    texts = {side: sheet.header.index(side) for side in ("target", "source") if side in sheet.header}
    rated_by, kind = ((*_sheet.columns_called(sheet.header, names), None)[0] for names in _BESIDE)
    for line, row in rows:
        rater, category = ("" if column is None else row[column].strip() for column in (rated_by, kind))
        place = find(line, row)
        points = weight(category, row[at["severity"]])
        if points is None:
            raise ReadError(
                f"{sheet.at(line)}: the severity {row[at['severity']]!r} is unknown; expected Major, Minor, Neutral "
                "or No-error. Correct it."
            )
        system = row[at["system"]].strip()
        weights[rater][system, place] += points
        if "target" in texts:
            outputs.setdefault((system, place), row[texts["target"]].replace("<v>", "").replace("</v>", ""))
        if row[at["severity"]].strip().lower() not in _scored.CLEAN:
            error = ErrorSpan("", rater, category, row[at["severity"]].strip())
            seen: dict[str, str] = {side: row[place] for side, place in texts.items()}
            taken.marked[(), rater].append(_scored.Marked(system, place.key, *_tagged(error, seen)))
    for rater, errors in weights.items():
        for (system, place), total in errors.items():
            taken.of(rater=rater).add(system, place, -total, text=outputs.get((system, place)))


def _tagged(error: ErrorSpan, seen: Mapping[str, str]) -> tuple[ErrorSpan, str | None, int | None, int | None]:
    """Return the error with its side, the text it was marked in, and where: the one <v>…</v>; of several, no place."""
    for side, text in seen.items():
        before, opened, rest = text.partition("<v>")
        span, closed, behind = rest.partition("</v>")
        sided = error._replace(side="source" if side == "source" else "output")
        if opened and closed and "<v>" not in span + behind and "</v>" not in before + behind:
            return sided, before + span + behind, len(before), len(before) + len(span)
        if opened:
            return sided, None, None, None
    return error._replace(side="missing"), None, None, None


# Error spans of WMT25's second task: a row is an output by one method, its places in characters, ends behind the span.
_SPANNED = ("doc_id", "segment_id", "system_id", "hypothesis_segment", "method", "start_indices", "end_indices",
            "error_types")  # fmt: skip


def _spanned(sheet: _sheet.Sheet, taken: _scored.Taken) -> None:
    """Take in the spans of an output, and minus their weights."""
    at = {name: sheet.header.index(name) for name in _SPANNED}
    for line, row in sheet.table()[1]:
        given = {name: row[at[name]].strip() for name in _SPANNED}
        number = _sheet.number_at(sheet, line, given["segment_id"], "segment_id")
        place, words = _sheet.Place(line, document=given["doc_id"], index=number), (given["method"],)
        kinds, starts, ends = (given[name].split() for name in ("error_types", "start_indices", "end_indices"))
        clean = [kind.lower() in _scored.CLEAN for kind in kinds]
        if len(starts) == len(ends) == len(kinds):
            starts, ends = (
                [at for at, is_clean in zip(own, clean, strict=True) if not is_clean] for own in (starts, ends)
            )
        kinds = [kind for kind, is_clean in zip(kinds, clean, strict=True) if not is_clean]
        weights = [_scored.SPAN_WEIGHTS.get(kind.lower()) for kind in kinds]
        if not len(starts) == len(ends) == len(kinds) or None in weights:
            raise ReadError(
                f"{sheet.at(line)}: expected as many start_indices and end_indices as error_types, each minor or "
                f"major; found {quoted(given['start_indices'])}, {quoted(given['end_indices'])} and "
                f"{quoted(given['error_types'])}. Correct the row."
            )
        found: list[object] = [
            {"start": _whole(start), "end": _whole(end), "severity": kind}
            for start, end, kind in zip(starts, ends, kinds, strict=True)
        ]
        taken.marked[words, None] += _scored.marked_errors(
            sheet, line, given["system_id"], "", place, found, row[at["hypothesis_segment"]]
        )
        total = -sum(points or 0.0 for points in weights)
        taken.of(words).add(given["system_id"], place, total, text=given["hypothesis_segment"])


# What each segment of a synthetic reference was taken from, as WMT26 gives it away; segments count from 0.
def _origins(sheet: _sheet.Sheet, taken: _scored.Taken) -> None:
    at = {name: sheet.header.index(name) for name in ("doc_id", "segment_index", "final_system")}
    pair = sheet.header.index("direction") if "direction" in sheet.header else None
    rows = sheet.table()[1]
    several = pair is not None and len({row[pair] for _, row in rows}) > 1
    for line, row in rows:
        words: tuple[str, ...] = (ORIGINS,)
        if several and pair is not None:
            words = (ORIGINS, row[pair].strip())
            taken.pairs[words] = words[1].replace("---", "-")
        number = _sheet.number_at(sheet, line, row[at["segment_index"]], "segment_index", 0)
        place = _sheet.Place(line, document=row[at["doc_id"]].strip(), index=number + 1)
        taken.of(words).add(row[at["final_system"]], place, 1.0)


def _whole(text: str) -> int | str:
    return int(text) if text.isdecimal() and len(text) <= 15 else text


# ESA, as Appraise exports it, and as WMT24 gives it away: JSON lines, with the error spans and the text that was seen.
_TYPES = {"TGT", "BAD", "REF", "CHK"}
_ESA_COLUMNS = 8
_ESA_KEYS = ("system", "line_id", "doc_id", "esa_score", "esa_spans")


def _of_appraise(row: Sequence[str]) -> bool:
    return len(row) >= _ESA_COLUMNS and row[3] in _TYPES


def _names_columns(row: Sequence[str]) -> bool:
    return len(row) >= _ESA_COLUMNS and "type" in row[3].lower()


def _is_appraise(sheet: _sheet.Sheet) -> bool:
    rows = [row for _, row in sheet.top]
    rows = rows[1:] if rows and _names_columns(rows[0]) else rows
    return bool(rows) and all(map(_of_appraise, rows))


_SOURCE_ID = re.compile(r"(?P<document>.+)_#+_(?P<index>\d{1,15})")
"""What Appraise has since 2025 in place of the number of the item."""

_DOCUMENT, _WHOLE = 7, 8
"""Where the document stands, and whether the score is of all of it; without documents, the times are there."""


_DATE = re.compile(r"\s*(\d{1,4}[-./]\d\d?[-./]\d{2,4}[ T]|\w{3,9}\.? \d\d?,? \d{4},? )\d\d?:\d\d")


def _document_of(row: Sequence[str]) -> str | None:
    is_number = len(row) <= _WHOLE + 1 and _sheet.score_of(row[_DOCUMENT]) is not None
    is_time = is_number or _DATE.match(row[_DOCUMENT]) is not None
    return None if is_time else row[_DOCUMENT]


def _item(sheet: _sheet.Sheet, line: int, row: Sequence[str]) -> _sheet.Place:
    """Return where a row belongs: items count from 0, or stand with their document in one id."""
    told = _SOURCE_ID.fullmatch(row[2])
    if told is not None:
        return _sheet.Place(line, document=told["document"], index=int(told["index"]) + 1)
    return _sheet.Place(line, document=_document_of(row), row=_sheet.number_at(sheet, line, row[2], "the item", 0))


def _ended(row: Sequence[str]) -> tuple[float, str]:
    """Return when a row was given, by number or date; the order of dates in other writing is that of the rows."""
    end = _sheet.score_of(row[-1])
    return 0.0 if end is None or end != end else end, row[-1] if row[-1][:4].isdecimal() and end is None else ""


def _translations(sheet: _sheet.Sheet, taken: _scored.Taken) -> Iterator[_sheet.Row]:
    """Yield the rows of systems' translations.

    Left out, as by the organisers, and counted: items that are no translation of a system (BAD, and others than TGT),
    tutorials, and documents marked #bad, #dup or #incomplete.
    """
    left_out: Counter[str] = Counter()
    last: dict[tuple[str, ...], tuple[int, list[str]]] = {}
    for number, (line, row) in enumerate(sheet.rows):
        if number == 0 and _names_columns(row):
            continue
        if len(row) < _ESA_COLUMNS:
            raise ReadError(
                f"{sheet.at(line)}: found {len(row)} columns; expected user,system,item,type,src,tgt,score,… "
                "Correct the row."
            )
        reason = _reason(row)
        if reason is not None:
            left_out[reason] += 1
            continue
        key = (*row[:6], _document_of(row) or "")
        if key in last:
            left_out["earlier scores that a user gave the same item"] += 1
        if key not in last or _ended(row) >= _ended(last[key][1]):
            last[key] = line, row
    again = left_out["earlier scores that a user gave the same item"]
    if again > len(last) / 10 and not any(_document_of(row) for _, row in last.values()):
        raise ReadError(
            f"{sheet.label}: {again:,} of {again + len(last):,} rows repeat an item of the same user and system, and "
            "have no document. Does the numbering begin again in every batch? Export the documents with the scores, or "
            "give a table with the columns system, segment, rater and score."
        )
    spanned = any(_spans_of(row) is not None for _, row in last.values())
    for _, row in last.values():
        taken.protocols["esa", row[4].strip(), row[5].strip()] = "ESA" if spanned else "DA or SQM (no error spans)"
    yield from last.values()
    listed = ", ".join(f"{reason} ({count})" for reason, count in left_out.items() if count) or "nothing"
    if not taken.cells:
        raise ReadError(
            f"{sheet.label} contains no score of a translation; left out: {listed}. Give the file "
            "of a campaign that was rated."
        )
    if left_out.total():
        taken.notes.append(Note("note", f"{sheet.label} was read without: {listed}."))


def _reason(row: list[str]) -> str | None:
    if row[3] != "TGT":
        return row[3]
    document = _document_of(row) or ""
    if document and len(row) > _WHOLE and row[_WHOLE].strip().lower() in ("true", "1", "yes"):
        return "scores of whole documents"
    if "tutorial" in document or "tutorial" in row[1]:
        return "tutorial"
    mark = document.rpartition("#")
    return f"#{mark[2]}" if mark[1] and mark[2] in {"bad", "dup", "incomplete"} else None


def _esa_records(sheet: _sheet.Sheet, taken: _scored.Taken) -> None:
    for line, record in _objects(sheet, _ESA_KEYS):
        if type(record["line_id"]) is not int or record["line_id"] < 0:
            raise ReadError(
                f"{sheet.at(line)}: line_id is {quoted(record['line_id'])}; expected a whole number of at "
                "least 0. Correct it."
            )
        words, system = ("esa", str(record.get("langs", ""))), str(record["system"]).strip()
        place = _sheet.Place(line, row=record["line_id"], document=str(record["doc_id"]))
        score = _sheet.score_in_json(record["esa_score"], f"{sheet.at(line)}: esa_score")
        output = record.get("tgt")
        rater = str(record.get("annotator") or "")
        taken.of(words, rater or None).add(system, place, score, line, output if isinstance(output, str) else None)
        taken.marked[words, rater or None] += _scored.marked_errors(
            sheet, line, system, rater, place, record["esa_spans"]
        )


def _spans_of(row: Sequence[str]) -> str | None:
    return next((cell for cell in row[_ESA_COLUMNS:] if cell.lstrip().startswith("[")), None)


def _errors_of_row(sheet: _sheet.Sheet, line: int, row: Sequence[str], place: _sheet.Place) -> list[_scored.Marked]:
    written = _spans_of(row) or "[]"
    return _scored.marked_errors(sheet, line, row[1].strip(), row[0].strip(), place, written)


# Automatic metrics, as WMT25's organisers and COMET's --to_json have them.
_WMT25_KEYS = ("document_id", "metric_scores")
_COMET_TEXTS = {"src", "mt", "ref"}


def _wmt25(sheet: _sheet.Sheet, taken: _scored.Taken) -> None:
    """Take in a list of scores per metric and document; the system is called like the file."""
    system, _ = _sheet.name_and_direction(sheet.file.path.name)
    for line, record in _objects(sheet, _WMT25_KEYS):
        scores = record["metric_scores"]
        if not isinstance(scores, dict) or not all(isinstance(values, list) for values in scores.values()):
            raise ReadError(
                f"{sheet.at(line)}: metric_scores contains no lists of scores; expected one for each metric. "
                "Correct the line."
            )
        for metric, values in scores.items():
            cells = taken.of((metric,))
            for index, value in enumerate(values, 1):
                score = _sheet.score_in_json(value, f"{sheet.at(line)}: a score of {metric}")
                cells.add(system, _sheet.Place(line, document=str(record["document_id"]), index=index), score)


def _comet(sheet: _sheet.Sheet, taken: _scored.Taken) -> None:
    """Take in the scores that the first segment has; systems are called like their files."""
    sheets = {metric: taken.of((metric,)) for metric in _comet_metrics(sheet)}
    outputs = sheet.whole
    for (path, segments), system in zip(outputs.items(), names_of(list(outputs)), strict=True):
        if not isinstance(segments, list):
            raise ReadError(
                f"{sheet.label}: {quoted(path)} contains no list of segments; expected objects with mt and a "
                "score. Run COMET again."
            )
        for number, segment in enumerate(segments, 1):
            for metric, cells in sheets.items():
                value = segment.get(metric) if isinstance(segment, dict) else segment
                where = f"{sheet.label}, {quoted(path)}, segment {number}: the score {metric}"
                text = segment.get("mt") if isinstance(segment, dict) else None
                # The file is one line, whatever it holds.
                place = _sheet.Place(1, number=number)
                cells.add(system, place, _sheet.score_in_json(value, where), text=text)
                spans = segment.get("errors") if isinstance(segment, dict) else None
                if isinstance(spans, list):  # xCOMET's
                    taken.marked[(metric,), None] += _scored.marked_errors(sheet, 1, system, "", place, spans, text)


def _comet_metrics(sheet: _sheet.Sheet) -> list[str]:
    """Return the numbers that the first segment of the first system has beside its translation."""
    first = sheet.first_in_list if sheet.file.path.suffix.lower() == ".json" else {}
    return [
        name for name, value in first.items()
        if isinstance(first.get("mt"), str) and name not in _COMET_TEXTS and plain_name(name) not in COUNTERS
        and isinstance(value, int | float) and not isinstance(value, bool)
    ]  # fmt: skip


_SEGMENT, _SCORE = re.compile(r"Segment (.*)"), re.compile(r"score: (.*)")


def _comet_lines(sheet: _sheet.Sheet, taken: _scored.Taken) -> None:
    """Take in what comet-score prints: segments from 0, and a mean of each file at the end."""
    paths = list(dict.fromkeys(row[0] for _, row in sheet.rows if _is_segment(row)))
    system_of = dict(zip(paths, names_of(paths), strict=True))
    for line, row in sheet.rows:
        score = _SCORE.fullmatch(row[2] if _is_segment(row) else row[-1])
        if len(row) == 1 or (len(row) == 2 and score):
            continue  # what a library printed, or the mean of a file
        segment = _SEGMENT.fullmatch(row[1])
        if segment is None or score is None:
            raise ReadError(
                f"{sheet.at(line)}: expected FILE, Segment N and score: X, with tabs between "
                "them. Give what comet-score printed."
            )
        number = _sheet.number_at(sheet, line, segment[1], "the number of the segment", least=0)
        value = _sheet.score_at(sheet, line, score[1], "the score")
        taken.of().add(system_of[row[0]], _sheet.Place(line, number=number + 1), value)


def _is_segment(cells: list[str]) -> bool:
    return len(cells) >= 3 and _SEGMENT.fullmatch(cells[1]) is not None and cells[2].startswith("score: ")


# What programs print of one system: a number on each line, as pymarian does; three behind a line of their means, as
# bert-score; Segment N and score: X, as comet-score did before it named files.
_OF_BERTSCORE = re.compile(r"\S.* P: [-\d.]+ R: [-\d.]+ F1: [-\d.]+")
_OF_COMET = re.compile(r"Segment (?P<number>\d{1,15})\tscore: (?P<score>[^\t]+)(\tvariance: .*)?")


def _are_printed(sheet: _sheet.Sheet) -> bool:
    rows = [cells for _, cells in sheet.top]
    if any(rows[:1]) and (_OF_BERTSCORE.fullmatch(rows[0][0]) or _OF_COMET.fullmatch("\t".join(rows[0]))):
        return True
    return len(rows) > 1 and all(len(cells) == 1 and _sheet.score_of(cells[0]) is not None for cells in rows)


def _take_printed(sheet: _sheet.Sheet, taken: _scored.Taken) -> None:
    system = _sheet.name_and_direction(sheet.file.path.name)[0]
    rows, names = sheet.rows, [""]
    if _OF_BERTSCORE.fullmatch(rows[0][1][0]):
        rows, names = rows[1:], ["precision", "recall", "f1"]
    taken.in_order = _OF_COMET.fullmatch("\t".join(rows[0][1])) is None
    for number, (line, cells) in enumerate(rows, 1):
        told = _OF_COMET.fullmatch("\t".join(cells))
        if told is None and cells[0].startswith("System score: "):
            continue
        values = [_sheet.score_of(cell) for cell in ([told["score"]] if told else cells)]
        if None in values or len(values) != len(names):
            raise ReadError(
                f"{sheet.at(line)}: expected a number on each line; got {quoted(sheet.lines[line - 1])}. Write NaN "
                "where there is no score, and leave other lines out."
            )
        place = _sheet.Place(line, number=int(told["number"]) + 1 if told else number)
        for name, value in zip(names, values, strict=True):
            taken.of((name,) if name else ()).add(system, place, value if value is not None else 0.0)


def _by_pair(words: Sequence[str], every: Sequence[Sequence[str]], _: str) -> str:
    return "-".join(words) if len(every) > 1 else words[0]


def _telling(words: Sequence[str], every: Sequence[Sequence[str]], _: str) -> str:
    """Return the metric, and language pair, test set and reference set where these differ in the file."""
    return "-".join(word for at, word in enumerate(words) if at == 0 or len({kind[at] for kind in every}) > 1)


RATING_READERS: dict[str, _scored.RatingReader] = {
    **CAMPAIGNS,
    "numbers": _scored.RatingReader(
        "scores of one system as pymarian, bert-score -s and old comet-score print them: numbers on each line",
        _are_printed, _take_printed, behind_stem, directed=True, names_systems=False,
    ),
    "wmt-da": _scored.RatingReader(
        "SYS SID RAW.SCR Z.SCR N", _begins("SYS", "SID", "RAW.SCR", "Z.SCR", "N"),
        _scored.Columns(
            _cells(5, lambda count, _: f"found {count} fields; expected SYS SID RAW.SCR Z.SCR N", str.split), system=0,
            scores={("raw",): (2, "RAW.SCR"), ("z",): (3, "Z.SCR")}, address=_sid,
        ),
        lambda words, *_: f"da-{words[0]}", protocol="DA",
    ),
    "mqm-average": _scored.RatingReader(
        "system mqm_avg_score seg_id",
        lambda sheet: (
            bool(sheet.first_lines) and sheet.first_lines[0].lower().split() == ["system", "mqm_avg_score", "seg_id"]
        ),
        _scored.Columns(
            # The system may have spaces in its name.
            _cells(3, lambda _, line: f"expected a system, a score and a segment; found {quoted(line)}",
                   lambda line: line.rsplit(None, 2)),
            system=0, scores={(): (1, "mqm_avg_score")}, address=_sheet.Address(number=(2, "seg_id")),
        ),
        lambda *_: "mqm", protocol="MQM",
    ),
    "mqm-annotations": _scored.RatingReader(
        "one row per error: system doc doc_id seg_id rater … severity",
        lambda sheet: set(_ANNOTATED) <= set(sheet.header) and bool((_INDEX | _NUMBER) & set(sheet.header)),
        _annotations, lambda *_: "mqm", protocol="MQM",
    ),
    "wmt25-spans": _scored.RatingReader(
        "one row per output: doc_id segment_id system_id … method start_indices end_indices error_types",
        lambda sheet: set(_SPANNED) <= set(sheet.header), _spanned, lambda words, *_: f"{words[0]}-spans",
        holds_texts=True, direction="higher",
    ),
    ORIGINS: _scored.RatingReader(
        "origin of a reference: doc_id, segment_index and final_system (WMT26)",
        lambda sheet: {"doc_id", "segment_index", "final_system"} <= set(sheet.header), _origins, lambda *_: ORIGINS,
        direction="higher",
    ),
    "wmt25": _scored.RatingReader(
        "JSON lines with document_id and metric_scores", lambda sheet: sheet.starts_with_object(_WMT25_KEYS), _wmt25,
        own_name, in_json=True, directed=True, empty="contains no metric scores",
    ),
    "esa-records": _scored.RatingReader(
        "JSON lines with system, line_id, doc_id, esa_score and esa_spans",
        lambda sheet: sheet.starts_with_object(_ESA_KEYS), _esa_records, _by_pair, in_json=True,
        averaged=True, protocol="ESA",
    ),
    "comet": _scored.RatingReader(
        "JSON as COMET writes it: system -> segments with mt and a score", lambda sheet: bool(_comet_metrics(sheet)),
        _comet, own_name, in_json=True, holds_texts=True,
    ),
    "comet-lines": _scored.RatingReader(
        "FILE<tab>Segment N<tab>score: X, as comet-score prints",
        # Libraries may have printed other lines.
        lambda sheet: any(_is_segment(cells) for _, cells in sheet.top), _comet_lines, own_name, directed=True,
    ),
    "metrics-task": _scored.RatingReader(
        "METRIC LP TESTSET REFSET SYSTEM DOC SEG SCORE",
        _scored.all_rows(
            lambda row: len(row) == 8 and row[6].strip().isdigit() and _sheet.is_meant_as_score(row[7])
        ),
        _scored.Columns(
            _cells(8, lambda count, _: f"found {count} columns; expected 8, METRIC LP … SCORE"), system=4,
            scores={(): (7, "SCORE")},
            # SEG counts within the document, or over the whole test set: the corpus's documents tell.
            address=_sheet.Address(number=(6, "SEG"), document=5), words=(0, 1, 2, 3),
        ),
        _telling,
    ),
    "esa": _scored.RatingReader(
        "user,system,item,type,src,tgt,score,document,…", _is_appraise,
        _scored.Columns(
            _translations, system=1, scores={("esa",): (6, "the score")}, address=_item, words=(4, 5), rater=0,
            errors=_errors_of_row,
        ),
        _by_pair,
    ),
    "blocks": _scored.RatingReader(
        "SYSTEM<tab>score, a block of lines per system", _scored.are_blocks, _scored.take_blocks, own_name,
        directed=True,
    ),
    "long": _scored.RatingReader(
        "columns system, segment and score", _scored.is_long, _scored.take_long,
        lambda words, every, stem: _scored.rating_name(from_cell(words[0]), stem, alone=len(every) == 1),
        directed=True, lone_rater=True,
    ),
    "of-one": _scored.RatingReader(
        "scores of one system: a column score, and no column of systems", _scored.is_of_one, _scored.take_of_one,
        own_name, directed=True, names_systems=False,
    ),
    "wide": _scored.RatingReader(
        "one column per system, one row per segment", _scored.is_wide, _scored.take_wide, own_name, directed=True
    ),
}  # fmt: skip
"""In the order in which a file is held against them: those with telling marks first."""
