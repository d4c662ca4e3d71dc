"""Sheet: a file of scores goes in, its rows of cells come out, each with the number of its line and its place."""

import codecs
import csv
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, combinations, islice
from typing import Any, Literal

import msgspec

from mtsig._limits import refuse_above, within_cells
from mtsig.corpus import Note
from mtsig.corpus._notes import quoted
from mtsig.errors import ReadError, said_by
from mtsig.readers._files import File, Head, Object, head_of, json_in, json_of, lines_of, nothing, objects_in, unique
from mtsig.readers._names import DOCUMENTS, IN_DOCUMENT, SEGMENTS, SENTENCE, language_in, plain_name, suffix_of

Row = tuple[int, list[str]]
Direction = Literal["higher", "lower"]

_TOP = 200
"""Rows that are looked at to know a format."""


@dataclass(frozen=True)
class Sheet:
    """A file of scores: its lines, and its cells when it is split at tabs, commas or spaces.

    given: its rows, where a form of file has them without lines: a workbook's sheet. head: how it begins, where that
    was looked at.
    """

    file: File
    given: Sequence[Row] | None = field(default=None, repr=False)
    head: Head | None = field(default=None, repr=False)

    @property
    def label(self) -> str:
        """What messages call it."""
        return self.file.label

    @cached_property
    def _read(self) -> tuple[tuple[str, ...], tuple[Note, ...]]:
        return lines_of(self.file)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines, with tabs between cells that were given."""
        return self._read[0] if self.given is None else tuple("\t".join(cells) for _, cells in self.given)

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was noted when the file was read."""
        return () if self.given is not None else self._read[1]

    @cached_property
    def rows(self) -> list[Row]:
        """Cells split at tabs, or at commas in a .csv file; blank lines hold no row."""
        return list(within_cells(self.label, self._each(self.lines) if self.given is None else self.given))

    @cached_property
    def first_lines(self) -> Sequence[str]:
        """The lines by which a format is known: of a long file those that begin it."""
        if self.given is not None:
            return self.lines[:_TOP]
        head = head_of(self.file) if self.head is None else self.head
        if head.whole:
            return self.lines
        data = head.data.removeprefix(codecs.BOM_UTF8)
        try:
            text = codecs.getincrementaldecoder("utf-8")().decode(data)  # it leaves a cut character out
        except UnicodeDecodeError:
            raise ReadError(f"{self.label} is not valid UTF-8. Save the file as UTF-8.") from None
        if "\0" in text:
            raise ReadError(f"{self.label} looks binary: it holds zero bytes. Expected UTF-8 text: save it as that.")
        lines = text.split("\n")
        lines = lines[:-1] or lines
        return [line[:-1] for line in lines] if all(line.endswith("\r") for line in lines) else lines

    @cached_property
    def top(self) -> list[Row]:
        """The first rows, by which a format is known."""
        if self.given is not None:
            return list(self.given[:_TOP])
        rows: list[Row] = []
        with suppress(ReadError):  # a quoted cell that goes on behind what was looked at
            for row in islice(self._each(self.first_lines), _TOP):
                rows.append(row)
        return rows

    def _each(self, lines: Sequence[str]) -> Iterator[Row]:
        if suffix_of(self.file.path) == ".csv":
            written = (f"{line}\n" for line in lines)
            rows = csv_rows(self.label, written, sum(map(len, lines)) + len(lines), lines[:1])
            return ((number, cells) for number, cells in rows if any(cell.strip() for cell in cells))
        return ((number, line.split("\t")) for number, line in enumerate(lines, 1) if line.strip())

    @cached_property
    def header(self) -> list[str]:
        """The cells of the first row, for comparison: lowercase, with underscores."""
        return [] if not self.top else [plain_name(cell) for cell in self.top[0][1]]

    def starts_with_object(self, keys: Sequence[str]) -> bool:
        """Return whether the first line is a JSON object that has all of these keys."""
        first = next(iter(self.first_objects), None)
        return first is not None and all(key in first for key in keys)

    @cached_property
    def json_head(self) -> str:
        """How the file begins, where that looks like JSON."""
        head = "\n".join(self.first_lines).lstrip() if self.given is None else ""
        return head if head.startswith(("{", "[")) else ""

    @property
    def is_json(self) -> bool:
        """Whether it begins with an object or a list, whatever stands before the object."""
        return bool(self.first_objects or self.json_head)

    @cached_property
    def first_in_list(self) -> dict[str, Any]:
        """The first object of the list that the first name of an object stands for; nothing where there is none."""
        text = "\n".join(self.first_lines) if self.given is None else ""
        begins = _FIRST.match(text)
        try:
            held: Any = json.JSONDecoder().raw_decode(text, begins.end())[0] if begins else {}
        except (ValueError, RecursionError):
            return {}
        return held if isinstance(held, dict) else {}

    @cached_property
    def first_objects(self) -> list[dict[str, Any]]:
        """The JSON objects that the file begins with, one a line or in a list; none where it is something else."""
        if self.given is not None or not self.first_lines:
            return []
        text = "\n".join(self.first_lines).lstrip()
        decoder, at = json.JSONDecoder(), int(text.startswith("["))
        objects: list[dict[str, Any]] = []
        while len(objects) < _TOP and (start := _OBJECT.match(text, at)):
            try:
                value, at = decoder.raw_decode(text, start.end() - 1)
            except (ValueError, RecursionError):
                break
            objects.append(value)
        return objects

    @cached_property
    def whole(self) -> Any:
        """What the file holds as JSON."""
        return json_of("\n".join(self.lines), self.label, object_pairs_hook=unique, parse_constant=nothing)

    @cached_property
    def objects(self) -> list[tuple[int, Object]]:
        """The JSON objects of the file, each with its line, or its number in a list."""
        content = json_in(self.file)[0]
        return [(1, content)] if isinstance(content, dict) else objects_in(self.label, content)

    def objects_like(self, kind: Any) -> list[tuple[int, Object]]:
        """Return the objects, each of which is of this kind, as msgspec says kinds.

        Raises
        ------
        ReadError
            One is not; the message says where in it, what was expected and what found.
        """
        for line, item in self.objects:
            try:
                msgspec.convert(item, kind)
            except (msgspec.ValidationError, UnicodeEncodeError) as error:  # half of a surrogate pair in a name
                raise ReadError(
                    f"{self.at(line)}: {said_by(error, 'not what this kind of file contains')}. Correct it."
                ) from None
        return self.objects

    def table(self) -> tuple[list[str], list[Row]]:
        """Return the column names as written, and the rows below them."""
        names, rows = below_header(self.label, self.rows)
        return names, list(rows)

    def one_by_one(self) -> tuple[list[str], Iterator[Row]]:
        """Return the same as `table`, without holding all rows at once."""
        rows = within_cells(self.label, self._each(self.lines) if self.given is None else self.given)
        return below_header(self.label, rows)

    def at(self, line: int) -> str:
        """Return the file and the line, as messages begin."""
        return f"{self.label}, line {line}"


def below_header(
    label: str,
    rows: Iterable[tuple[int, list[Any]]],
    row: str = "line",
    hint: str = "",
    check: Callable[[list[str]], None] | None = None,
) -> tuple[list[str], Iterator[tuple[int, list[Any]]]]:
    """Return the names in the first row of a table, and its other rows, each of which has a cell for every name.

    row: what messages call one. hint: what may be the cause where a row has another number of cells. check: raises an
    error where names cannot be the header of this kind of table.
    """
    numbered = iter(rows)
    number, top = next(numbered)
    first = number or 1  # the keys of JSON objects stand on no line
    refuse_above("max_columns", len(top), f"{label}, {row} {first}")
    names = [(name or "").strip() for name in top]
    if check is not None:
        check(names)
    for name, count in Counter(names).items():
        if count > 1:
            raise ReadError(
                f"{label}, {row} {first}: the column name {name!r} occurs twice; names must differ. Rename one."
            )
    if (second := next(numbered, None)) is None:
        raise ReadError(
            f"{label} has no rows below its header {quoted(', '.join(names))}; expected one per "
            "segment. Fill it, or leave it out."
        )

    def each() -> Iterator[tuple[int, list[Any]]]:
        for number, cells in chain([second], numbered):
            if not any(cells) and len(cells) < len(names):
                raise ReadError(
                    f"{label}, {row} {number} is blank. A table has one row per segment. Remove the row, or fill it in."
                )
            if len(cells) != len(names):
                if len(names) == 1:
                    refuse_separators(label, names[0])
                found = f"found {len(cells)} columns, but the header on {row} {first} has {len(names)}."
                raise ReadError(f"{label}, {row} {number}: {found} {hint or 'Correct the row.'}")
            yield number, cells

    return names, each()


def csv_rows(label: str, lines: Iterable[str], size: int, top: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of a CSV table of so many characters, each with its line; top: the first line."""
    csv.field_size_limit(max(csv.field_size_limit(), size))
    reader = csv.reader(lines, strict=True)
    try:
        yield from ((reader.line_num, cells) for cells in reader)
    except csv.Error as error:
        refuse_separators(label, *top)
        raise ReadError(
            f"{label}, line {reader.line_num}: not a valid CSV row ({error}). Save the table again as CSV."
        ) from None


def refuse_separators(label: str, header: str) -> None:
    """Raise ReadError where another separator than the file's own stands between the cells of a table's first row."""
    counts = {name: header.count(sign) - header.count(f"{sign} ") for sign, name in _SEPARATORS.items()}
    most = max(counts, key=lambda name: counts[name])
    own = "commas" if label.lower().removesuffix(".gz").endswith(".csv") else "tabs"
    if counts[most] > counts[own] and most in _ENDED_BY:
        raise ReadError(f"{label} looks separated by {most}; rename it to end in {_ENDED_BY[most]}.")
    if counts[most] > counts[own]:
        sign = next(sign for sign, name in _SEPARATORS.items() if name == most)
        decimal = ', decimal=","' if sign == ";" else ""
        raise ReadError(
            f"{label} looks separated by {most}; save it with commas (.csv) or tabs (.tsv). With pandas: "
            f"pandas.read_csv(FILE, sep={sign!r}{decimal}).to_csv(NEW_FILE, index=False)."
        )


_ENDED_BY = {"commas": ".csv", "tabs": ".tsv"}
_SEPARATORS = {";": "semicolons", "\t": "tabs", ",": "commas", "|": "vertical bars"}


_OBJECT = re.compile(r"[\s,]*\{")
_FIRST = re.compile(r'\s*\{\s*"(?P<name>(?:[^"\\]|\\.)*)"\s*:\s*\[\s*(?=\{)')


class Records(Sheet):
    """A file of JSON objects, one a line or in a list, as a sheet: a row each, with a column for every plain value."""

    @cached_property
    def top(self) -> list[Row]:
        """The first objects as rows."""
        return as_rows(list(enumerate(self.first_objects, 1)))

    @cached_property
    def rows(self) -> list[Row]:
        """All objects as rows."""
        return list(within_cells(self.label, as_rows(self.objects)))


def as_rows(objects: Sequence[tuple[int, Mapping[str, Any]]]) -> list[Row]:
    """Return objects as rows below their keys: later objects may have more, which come last."""
    keys: dict[str, None] = {}
    for _, item in objects:
        keys |= dict.fromkeys(key for key, value in item.items() if not isinstance(value, list | dict))
    return [(0, list(keys)), *((line, [_written(item.get(key)) for key in keys]) for line, item in objects)]


def _written(value: object) -> str:
    return "" if value is None or isinstance(value, list | dict) else str(value)


MOST_SCORE = 1e12
"""No score lies farther from 0: sums of the squares of such numbers could not be held."""

_GAPS = "none nan na n/a n.a. #n/a <na> nat null missing - -- --- – — … ?"
_RIGHT, _WRONG = "correct right yes true acceptable", "wrong incorrect no false unacceptable"
_WORDS = {"": math.nan} | {
    word: score for words, score in ((_GAPS, math.nan), (_RIGHT, 1.0), (_WRONG, 0.0)) for word in words.split()
}
"""Scores that are words, and gaps."""

_LONGEST_SCORE = 1_000
"""Characters: what is longer is no score, and Python would repeat all of it to say so."""


def score_of(cell: str) -> float | None:
    """Return the score that a cell holds: NaN for a gap, 1 or 0 for right or wrong; None when it holds none."""
    if len(cell) > _LONGEST_SCORE:
        return None
    try:
        number = float(cell.replace("\u2212", "-"))
    except ValueError:
        return _WORDS.get(cell.strip().lower())
    if abs(number) <= MOST_SCORE:
        return number if "_" not in cell else None
    return _WORDS.get(cell.strip().lower())  # a gap that is written as float writes it, or too much


_DECIMAL_COMMA = re.compile(r"\s*[-+]?\d+,\d+\s*")


def is_meant_as_score(cell: str) -> bool:
    """Return whether a cell holds a score, or would with its decimal comma as a point, or nearer to 0."""
    score = score_of(cell)
    return score is not None or (len(cell) <= _LONGEST_SCORE and bool(_DECIMAL_COMMA.fullmatch(cell) or _bounds(cell)))


def score_at(sheet: Sheet, line: int, cell: str, what: str) -> float:
    """Return the score in a cell."""
    score = score_of(cell)
    if score is None and _DECIMAL_COMMA.fullmatch(cell):
        raise ReadError(f"{sheet.at(line)}: {what} is {quoted(cell)}, with a decimal comma. Use a decimal point.")
    if score is None:
        raise ReadError(
            f"{sheet.at(line)}: {what} is {quoted(cell)}; expected a number{_bounds(cell)}, or an empty cell, None "
            "or NaN if there is no score. Correct it."
        )
    return score


def _bounds(cell: str) -> str:
    """Return between what a score has to lie, where a cell holds a number beyond."""
    try:
        number = float(cell)
        return f" from -{MOST_SCORE:g} to {MOST_SCORE:g}" if MOST_SCORE < abs(number) < math.inf else ""
    except ValueError:
        return ""


def score_in_json(value: object, where: str) -> float:
    """Return the score that JSON has: NaN for null."""
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ReadError(f"{where} is {quoted(value)}; expected a number or null. Correct it.")
    if not abs(value) <= MOST_SCORE:
        raise ReadError(
            f"{where} is {quoted(value)}; expected a number from -{MOST_SCORE:g} to {MOST_SCORE:g}, or null. "
            "Correct it."
        )
    return float(value)


_WHOLE = re.compile(r"\d+")
_MOST_DIGITS = 15
"""Digits that the number of a segment may have."""


def number_at(sheet: Sheet, line: int, cell: str, what: str, least: int = 1) -> int:
    """Return the whole number in a cell."""
    text = cell.strip()
    is_whole = _WHOLE.fullmatch(text) is not None
    if is_whole and len(text) > _MOST_DIGITS:
        raise ReadError(
            f"{sheet.at(line)}: {what} is a number of {len(text):,} digits; at most {_MOST_DIGITS} are allowed. "
            "Number segments from 1."
        )
    if not is_whole or int(text) < least:
        raise ReadError(
            f"{sheet.at(line)}: {what} is {quoted(cell)}; expected a whole number of at least {least}. "
            "Number segments from 1."
        )
    return int(text)


_ENDINGS = {"tsv", "csv", "txt", "gz", "json", "jsonl", "parquet", "seg", "score", "scores"}
_PAIR = re.compile(r"^[a-z]{2,3}-[a-z]{2,3}(?:_[A-Z]{2,4})?\.(?=.)")
_SAID = re.compile(r"\.(higher|lower)$", re.IGNORECASE)


def name_and_direction(file_name: str) -> tuple[str, Direction | None]:
    """Return what the scores of a file are called, and the direction that its name declares."""
    name = file_name
    while (pieces := name.rpartition("."))[0] and pieces[2].lower() in _ENDINGS:
        name = pieces[0]
    name = _PAIR.sub("", name)
    said = _SAID.search(name)
    if said is None or not said.start():
        return name, None
    return name[: said.start()], "higher" if said[1].lower() == "higher" else "lower"


def columns_called(header: Sequence[str], names: Set[str]) -> list[int]:
    """Return the positions of the columns that are called by one of the names."""
    return [place for place, name in enumerate(header) if name in names]


@dataclass(frozen=True)
class Place:
    """Where a score belongs, in one or several of the ways that files say it, and the line that says so.

    number: the segment, from 1. document, index: a document, and the segment's number in it, from 1. by_documents: the
    segment's number when documents are sorted by their ids (WMT's direct assessment). row: the segment from 0, give or
    take a first line that is no segment (ESA). item: the id that a benchmark gave it.
    """

    line: int
    number: int | None = None
    document: str | None = None
    index: int | None = None
    by_documents: int | None = None
    row: int | None = None
    item: str | None = None

    @property
    def key(self) -> tuple[object, ...]:
        """What makes two places the same, whatever lines name them."""
        return self.number, self.document, self.index, self.by_documents, self.row, self.item

    @property
    def text(self) -> str:
        """The place in words."""
        if self.document is not None and self.index is not None:
            return f"segment {self.index} of document {self.document}"
        if self.item is not None:
            return f"item {self.item}"
        number = self.by_documents if self.number is None else self.number
        return f"item {self.row}, from 0" if number is None else f"segment {number}"


Cell = tuple[int, str]
"""A cell by its place in the row, from 0, and what messages call it."""


@dataclass(frozen=True)
class Address:
    """The cells that say which segment a row is of, None for those that a format does not have; see Place.

    named: whether a document without a name is refused. from_zero: the columns that count from 0.
    """

    number: Cell | None = None
    document: int | None = None
    index: Cell | None = None
    row: Cell | None = None
    named: bool = False
    from_zero: frozenset[int] = frozenset()

    @classmethod
    def of(cls, header: Sequence[str]) -> "Address":
        """Return the columns that a header names; the first one where several do."""

        def first(names: Set[str]) -> int | None:
            return next(iter(columns_called(header, names)), None)

        number, index = first(SEGMENTS | {SENTENCE}), first(IN_DOCUMENT)
        return cls(
            None if number is None else (number, "the segment"),
            first(DOCUMENTS),
            None if index is None else (index, "the segment's number"),
            named=True,
        )

    def for_rows(self, rows: Sequence[Row]) -> "Address":
        """Return the address as these rows have it: a column in which some segment is 0 counts from 0."""
        cells = {cell[0] for cell in (self.number, self.index) if cell is not None}
        return replace(self, from_zero=frozenset(at for at in cells if any(row[at].strip() == "0" for _, row in rows)))

    def notes(self, label: str) -> list[Note]:
        """Return what is to be said of how segments are numbered."""
        return [] if not self.from_zero else [Note("note", f"{label}: its segments are numbered from 0.")]

    @property
    def counts_from(self) -> int | None:
        """The least number of a segment of the whole test set; None where no column numbers these."""
        return None if self.number is None else int(self.number[0] not in self.from_zero)

    @property
    def columns(self) -> list[int]:
        """The places that are taken."""
        found = {cell[0] for cell in (self.number, self.index, self.row) if cell is not None}
        return sorted(found if self.document is None else {*found, self.document})

    def __bool__(self) -> bool:
        """Return whether a row can be placed."""
        return self.number is not None or (self.document is not None and self.index is not None)

    def finder(self, sheet: Sheet) -> Callable[[int, Sequence[str]], Place]:
        """Return what finds the place of a row; rows that say the same share the place of the first of them."""
        columns, known = self.columns, dict[tuple[str, ...], Place]()

        def find(line: int, cells: Sequence[str]) -> Place:
            said = tuple([cells[column] for column in columns])
            place = known.get(said)
            if place is None:
                place = known[said] = self._place(sheet, line, cells)
            return place

        return find

    def _place(self, sheet: Sheet, line: int, cells: Sequence[str]) -> Place:
        def number(cell: Cell | None) -> int | None:
            least = 0 if cell is not None and cell[0] in self.from_zero else 1
            return None if cell is None else number_at(sheet, line, cells[cell[0]], cell[1], least) + 1 - least

        document = None if self.document is None else cells[self.document].strip()
        if self.named and document == "":
            raise ReadError(nameless(sheet.at(line), "document"))
        row = None if self.row is None else number_at(sheet, line, cells[self.row[0]], self.row[1], 0)
        return Place(line, number(self.number), document, number(self.index), row=row)


def nameless(where: str, of: str) -> str:
    """Return what is said where the name of a system, a document or a rater is empty."""
    return f"{where}: the name of the {of} is empty; expected one. Fill it in."


PAIRS = (
    ("system_a", "system_b"), ("model_a", "model_b"), ("model_1", "model_2"), ("first", "second"), ("left", "right"),
    ("system_1", "system_2"), ("system1", "system2"), ("generator_1", "generator_2"),
)  # fmt: skip
"""Columns of the two systems that a verdict is on."""
_VERDICTS = {"winner", "preference", "verdict", "choice", "outcome", "margin", "score", "g1_winner"}
_RAW = {"output", "judgment", "judgement", "completion", "response"}
_KNOWN = {
    "MT-Bench": {"question_id", "model_1", "model_2", "g1_winner"},
    "AlpacaEval": {"generator_1", "generator_2", "preference"},
    "Arena-Hard": {"uid", "model", "baseline", "games"},
    "Chatbot Arena": {"model_a", "model_b", "winner"},
}
"""Files of programs, by keys that all of their records have."""


def preferences_in(sheets: Sequence[Sheet]) -> str:
    """Return what preferences a file holds, in words; "" where it holds none."""
    for sheet in sheets:
        rows: list[Mapping[str, Any]] = [*sheet.first_objects]
        if not rows and not isinstance(sheet, Records):
            rows = [dict(zip(sheet.header, cells, strict=False)) for _, cells in sheet.top[1:]]
        if rows and (what := _of_keys(rows[0])):
            return f"{what}{_NAMELESS}" if _pair_of_texts(rows) else what
        if _names_pairs(sheet):
            return "preferences between pairs of systems"
    return ""


_NAMELESS = ", with texts instead of the names of systems"
_LONG, _MANY_WORDS, _ENDS, _SHORT = 80, 8, tuple(".!?…。！？؟।"), 12
"""Letters or words that a name seldom exceeds; how sentences end, but names do not, and letters they mostly exceed."""


def texts_in(values: Iterable[str]) -> list[str]:
    """Return values that are texts rather than names of systems: long ones, or several words that end as sentences."""
    return [
        value for value in values
        if len(value) > _LONG or len(value.split()) > _MANY_WORDS or (value.endswith(_ENDS) and len(value) > _SHORT)
    ]  # fmt: skip


def _pair_of_texts(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether the columns of a pair hold the texts that were compared, by half of their values."""
    held = [{plain_name(str(key)): value for key, value in row.items()} for row in rows]
    pair = next((pair for pair in PAIRS if all(_is_name(held[0].get(name)) for name in pair)), ())
    values = {cell for row in held for name in pair if (cell := str(row.get(name) or "").strip())}
    return bool(values) and 2 * len(texts_in(values)) >= len(values)


def _names_pairs(sheet: Sheet) -> bool:
    """Return whether two columns, whatever they are called, hold the same few names, and never one twice in a row."""
    rows = [cells for _, cells in sheet.top[1:] if len(cells) == len(sheet.header)]
    labels = [
        column for column in zip(*rows, strict=True)
        if 1 < len(set(column)) <= len(column) / 2 and all(_is_name(cell) and not language_in(cell) for cell in column)
    ]  # fmt: skip
    return len(rows) >= _FEWEST and any(
        len({*one} & {*other}) > 1 and all(a != b for a, b in zip(one, other, strict=True))
        for one, other in combinations(labels[:_MOST_LABELS], 2)
    )


_FEWEST, _MOST_LABELS = 8, 40
"""Rows from which on it is no chance that two columns of the same names differ in each, and columns compared."""


def _of_keys(record: Mapping[str, Any]) -> str:
    held = {plain_name(str(key)): value for key, value in record.items()}
    for program, keys in _KNOWN.items():
        if keys <= held.keys():
            return f"preferences between pairs of systems, as {program} has them"
    if _is_pair(held) and (held.keys() & (_VERDICTS | _RAW)):
        return "preferences between pairs of systems"
    document = held.get("doc")
    if isinstance(document, Mapping) and "filtered_resps" in held and _is_pair({**document}):
        return "samples of lm-evaluation-harness that compare pairs of systems"
    return ""


def _is_pair(held: Mapping[str, Any]) -> bool:
    """Return whether two columns name the systems of a pair: by names, not by their scores."""
    return any(all(_is_name(held.get(name)) for name in pair) for pair in PAIRS)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and score_of(value) is None


def is_of_preferences(form: str) -> bool:
    """Return whether a form of file, as `preferences_in` says it, is one of preferences."""
    return "pairs of systems" in form


def refusal(label: str, what: str) -> str:
    """Return what is said of a file of preferences."""
    if what.endswith(_NAMELESS):
        return (
            f"{label} contains {what}. Add two columns with the names of the systems, such as system_a and system_b. "
            "Then use mtsig preferences, or the page Preferences."
        )
    return (
        f"{label} contains {what}. Each row gives the better of two systems, so systems have no scores. Use "
        "mtsig preferences, or the page Preferences."
    )
