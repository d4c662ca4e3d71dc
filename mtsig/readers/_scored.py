"""Scored: what a file says of one rating, before it is known which corpus it belongs to; and what takes it in.

Formats of programs are rows of `_rating_formats`; tables of whatever program are read here: blocks of lines, a row per
system and segment, or a column per system.
"""

import pickle
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, fields, replace
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mtsig._limits import refuse_above, refuse_sparse
from mtsig._writing import from_cell
from mtsig.corpus import ErrorSpan, Note
from mtsig.corpus._notes import listed, quoted
from mtsig.errors import ReadError
from mtsig.readers._files import json_of
from mtsig.readers._names import (
    ANNOTATIONS,
    COUNTERS,
    DOCUMENTS,
    DOMAINS,
    IN_DOCUMENT,
    LANGUAGE_PAIRS,
    MAYBE_OUTPUTS,
    METADATA,
    METRICS,
    MODELS,
    OUTPUTS,
    RATERS,
    SEGMENTS,
    SENTENCE,
    SOURCES,
    SYSTEMS,
    TARGETS,
    plain_name,
    protocol_by_name,
    role_of_column,
    scale_of,
)
from mtsig.readers._sheet import (
    Address,
    Cell,
    Direction,
    Place,
    Records,
    Row,
    Sheet,
    columns_called,
    is_meant_as_score,
    name_and_direction,
    nameless,
    score_at,
    score_of,
)


class Marked(NamedTuple):
    """An error that was marked in an output: of a system, at the place of this key (see `Marking` of a corpus)."""

    system: str
    key: tuple[object, ...]
    error: ErrorSpan
    text: str | None = None
    first: int | None = None
    last: int | None = None
    shown: bool = False


SOURCE, REFERENCE = -1, -2
"""In place of a system: a text is the source, or the reference, of the segment that was rated."""


@dataclass(frozen=True, eq=False)
class Scored:
    """One rating in a file: `values` of shape (s, p), s systems at p places, NaN where there is no score.

    label: the file. column: what names this rating in it, None when it is the only one. declared: the direction that
    the file's own name declares. in_order: whether no column says which segment a row is, so that the rows are all the
    segments, in order. marked: what `marks` gives, packed where it came from another process.
    repeats: (system, place), by position -> the scores of an output that was rated more than once, of which `values`
    has the mean. texts: the same -> the output that was rated, where the file has it; with SOURCE or REFERENCE for the
    system what it has of the segment. guessed: whether these are of a column that may hold another text. unnamed:
    whether nothing in the file names the system, which its name may do. language_pair: which one it is of, of several.
    counts_from: the least number that a segment may have, where a column numbers them; None where rows are counted.
    protocol: by which protocol people rated, where the file tells it.
    """

    name: str
    systems: tuple[str, ...]
    places: tuple[Place, ...]
    values: NDArray[np.float64]
    label: str
    column: str | None = None
    rater: str | None = None
    declared: Direction | None = None
    notes: tuple[Note, ...] = ()
    in_order: bool = False
    marked: tuple[Marked, ...] | bytes = ()
    repeats: Mapping[tuple[int, int], tuple[float, ...]] = field(default_factory=dict)
    texts: Mapping[tuple[int, int], str] = field(default_factory=dict)
    unnamed: bool = False
    language_pair: str | None = None
    guessed: bool = False
    counts_from: int | None = None
    protocol: str = ""

    def __reduce__(self) -> tuple[object, ...]:
        """Go to another process with the marked errors packed.

        A file may have a hundred thousand of them, or of raters, and whenever Python looks for garbage it looks through
        all that is not packed, while nobody else has a turn.
        """
        is_packed = isinstance(self.marked, bytes) or not self.marked
        packed = self.marked if is_packed else pickle.dumps(self.marked, pickle.HIGHEST_PROTOCOL)
        return _received, tuple(packed if each.name == "marked" else getattr(self, each.name) for each in fields(self))

    @property
    def marks(self) -> tuple[Marked, ...]:
        """The errors that were marked in the outputs; what they are called is not yet known."""
        if isinstance(self.marked, bytes):
            marks: tuple[Marked, ...] = pickle.loads(self.marked)
            return marks
        return self.marked

    @property
    def title(self) -> str:
        """The rating, with the rater who gave it."""
        return self.name if self.rater is None else f"{self.name}@{self.rater}"

    @property
    def segments(self) -> int:
        """At how many places some system has a score."""
        return int((~np.isnan(self.values)).any(axis=0).sum())


def _received(name: str, systems: tuple[str, ...], places: tuple[Place, ...], values: Any, *rest: Any) -> Scored:
    """Return a rating from another process; a copy of its values, without the view of the message that they came in."""
    return Scored(name, systems, places, np.array(values), *rest)


class Cells:
    """Scores of one rating as they are read, row by row."""

    def __init__(self, sheet: Sheet, averaged: bool = False) -> None:
        self._sheet, self._averaged = sheet, averaged
        self._places: dict[tuple[object, ...], Place] = {}
        self._scores: dict[str, dict[tuple[object, ...], tuple[float, int]]] = {}
        self._more: dict[tuple[str, tuple[object, ...]], list[float]] = {}
        self._texts: dict[tuple[str | int, tuple[object, ...]], str] = {}

    def add(
        self, system: str, place: Place, score: float, line: int | None = None, text: str | None = None, whose: int = 0
    ) -> None:
        """Take one score in; `line` says where it stands when that is not where the place was first named.

        text: the output that was rated, where the file says it; or, as `whose` says, the SOURCE or the REFERENCE.
        """
        own, key, line = self._scores.get(system), place.key, place.line if line is None else line
        if own is None:
            own = self._new(system, line)
        if key not in self._places:
            self._places[key] = place
        if text:
            self._texts.setdefault((whose or system.strip(), key), text)
        if key in own:
            self._again(system, place, score, line)
            return
        own[key] = score, line

    def _new(self, system: str, line: int) -> dict[tuple[object, ...], tuple[float, int]]:
        name = system.strip()
        if not name:
            raise ReadError(nameless(self._sheet.at(line), "system"))
        return self._scores.setdefault(name, {})

    def _again(self, system: str, place: Place, score: float, line: int) -> None:
        first = self._scores[system.strip()][place.key]
        if not self._averaged:
            raise ReadError(
                f"{self._sheet.at(line)}: {system.strip()} has a second score for {place.text}; the first is on line "
                f"{first[1]}. Name several raters in a column rater, and several outputs in a column sample."
            )
        self._more.setdefault((system.strip(), place.key), [first[0]]).append(score)

    def __bool__(self) -> bool:
        """Return whether anything was taken in."""
        return bool(self._places)

    def scored(
        self,
        name: str,
        column: str | None = None,
        rater: str | None = None,
        declared: Direction | None = None,
        notes: Iterable[Note] = (),
    ) -> Scored:
        """Return what was taken in; several scores of one place are averaged."""
        refuse_above("max_systems", len(self._scores), self._sheet.label)
        filled = sum(map(len, self._scores.values()))
        refuse_sparse(len(self._scores) * len(self._places), filled, self._sheet.label)
        order = {key: position for position, key in enumerate(self._places)}
        values = np.full((len(self._scores), len(order)), np.nan)
        for row, own in enumerate(self._scores.values()):
            values[row, [order[key] for key in own]] = [score for score, _ in own.values()]
        rows = {system: row for row, system in enumerate(self._scores)}
        repeats: dict[tuple[int, int], tuple[float, ...]] = {}
        for (system, key), scores in self._more.items():
            known = tuple(score for score in scores if not np.isnan(score))
            values[rows[system], order[key]] = sum(known) / len(known) if known else np.nan
            repeats[rows[system], order[key]] = known
        places = tuple(self._places.values())
        label, found_notes = self._sheet.label, (*self._sheet.notes, *notes)
        about = (label, column, rater, declared, found_notes)
        texts = {
            (whose if isinstance(whose, int) else rows[whose], order[key]): text
            for (whose, key), text in self._texts.items() if whose in rows or isinstance(whose, int)
        }  # fmt: skip
        return Scored(name, tuple(self._scores), places, values, *about, repeats=repeats, texts=texts)


WEIGHTS = {"major": 5.0, "minor": 1.0, "neutral": 0.0, "no-error": 0.0, "no_error": 0.0}
"""What an error of a severity weighs in MQM."""

SPAN_WEIGHTS = {**WEIGHTS, "critical": WEIGHTS["major"], "undecided": 0.0}
"""What an error weighs where detectors marked spans: WMT counts a critical one as major."""

CLEAN = {"no-error", "no_error"}
"""What is written in place of a severity where there is no error."""


def marked_errors(
    sheet: Sheet, line: int, system: str, rater: str, place: Place, written: str | list[object], text: str | None = None
) -> list[Marked]:
    """Return the errors of a row: objects, or their JSON, with severity, and start_i and end_i, or start and end.

    As Appraise has it, end_i is the last character of the span as a browser shows it, and both are "missing" where
    something is left out. As WMT26's predictions and xCOMET have it, end is behind it, and the characters are those of
    the text itself: the one given, or the output.
    """
    try:
        spans = json_of(written, sheet.label, line) if isinstance(written, str) else written
        found = [_error(span, rater) for span in spans]
        return [
            Marked(system, place.key, error, None if shown else text, first, last, shown)
            for error, first, last, shown in found
            if error.severity.lower() not in CLEAN
        ]
    except (ReadError, ValueError, TypeError, KeyError, AttributeError):
        raise ReadError(
            f"{sheet.at(line)}: the error spans are {quoted(written)}; expected JSON such as "
            '[{"start_i": 0, "end_i": 4, "severity": "minor"}], with "missing" for both where something is left out. '
            "Correct the row."
        ) from None


def _error(span: Any, rater: str) -> tuple[ErrorSpan, int | None, int | None, bool]:
    kinds = span.get("error_type") or span.get("category") or ()
    category = kinds if isinstance(kinds, str) else "/".join(map(str, kinds))
    shown = "start" not in span
    first, last = (span["start_i"], span["end_i"]) if shown else (span["start"], span["end"])
    error = ErrorSpan("", rater, category, str(span["severity"] or "undecided"))
    if first == last == "missing":
        return error._replace(side="missing"), None, None, False
    if type(first) is not int or type(last) is not int or not 0 <= first <= last:
        raise ValueError
    return error, first, last + shown, shown


Words: TypeAlias = tuple[str, ...]
"""What tells a rating from others of its file."""


class Taken:
    """What is taken of a file: scores by the words that tell its ratings apart, and by rater; errors; notes."""

    def __init__(self, sheet: Sheet, averaged: bool) -> None:
        self.cells: dict[Words, dict[str | None, Cells]] = {}
        self.marked: dict[tuple[Words, str | None], list[Marked]] = defaultdict(list)
        self.notes: list[Note] = []
        self.pairs: dict[Words, str] = {}
        self.protocols: dict[Words, str] = {}
        self.in_order = self.guessed = False
        self.counts_from: int | None = None
        self._sheet, self._averaged = sheet, averaged

    def of(self, words: Words = (), rater: str | None = None) -> Cells:
        """Return where the scores of one rating by one rater are taken in."""
        raters = self.cells.setdefault(words, {})
        if rater not in raters:
            raters[rater] = Cells(self._sheet, self._averaged)
        return raters[rater]


@dataclass(frozen=True)
class RatingReader:
    """One format of ratings.

    looks_like: what it looks like in a few words. recognises: whether a file is of it. take: takes in what the file
    says. name: what a rating is called, by the words that tell it from others of the file, those of all, and the name
    of the file. directed: whether that may declare a direction. lone_rater: whether who gave all scores is named.
    averaged: whether an output may have several scores. empty: what is said of a file without any. holds_texts: whether
    such a file may be a test set by itself, with its texts. names_systems: whether it says whose its scores are.
    direction: that of the scores, where the reader makes them. holds_scores: whether it has any, or only tells of them.
    in_json: whether its files are JSON; others are not held against it.
    protocol: by which protocol people rated, where that is the same in all files of the format.
    """

    looks_like: str
    recognises: Callable[[Sheet], bool]
    take: Callable[[Sheet, Taken], None]
    name: Callable[[Words, Sequence[Words], str], str]
    directed: bool = False
    lone_rater: bool = False
    averaged: bool = False
    empty: str = "has no rows below its header"
    holds_texts: bool = False
    names_systems: bool = True
    direction: Direction | None = None
    holds_scores: bool = True
    in_json: bool = False
    protocol: str = ""

    def read(self, sheet: Sheet) -> list[Scored]:
        """Return one Scored for every rating, and every rater."""
        taken = Taken(sheet, self.averaged)
        self.take(sheet, taken)
        if not taken.cells and self.holds_scores:
            raise ReadError(f"{sheet.label} {self.empty}. Give a file with scores, or leave it out.")
        stem, declared = name_and_direction(sheet.file.path.name)
        scored: list[Scored] = []
        if not taken.cells:
            return [Cells(sheet).scored(stem, notes=taken.notes)]
        for words, raters in taken.cells.items():
            # Of several language pairs, the one that is chosen has the name to itself.
            name = words[0] if words in taken.pairs else self.name(words, list(taken.cells), stem)
            column = None if len(taken.cells) == 1 else words[0] if len(words) == 1 else name
            for rater, cells in raters.items():
                who = rater if self.lone_rater or len(raters) > 1 else None
                notes = () if scored else taken.notes
                one = cells.scored(name, column, who, declared if self.directed else self.direction, notes)
                marked = tuple(taken.marked[words, rater])
                more = replace(
                    one, marked=marked, in_order=taken.in_order, unnamed=not self.names_systems,
                    language_pair=taken.pairs.get(words), guessed=taken.guessed, counts_from=taken.counts_from,
                    protocol=taken.protocols.get(words, self.protocol) or protocol_by_name(name),
                )  # fmt: skip
                scored.append(more)
        return scored


@dataclass(frozen=True)
class Columns:
    """Takes in rows of cells in fixed places.

    rows: the rows of a file, each of as many cells as it should be. system, scores: the cells that hold them, scores
    with the words that tell their rating from others. address: those that say which segment it is, or what finds it.
    words: further cells that tell ratings apart. rater: the cell that names who rated. errors: finds marked ones.
    """

    rows: Callable[[Sheet, Taken], Iterable[Row]]
    system: int
    scores: Mapping[Words, Cell]
    address: Address | Callable[[Sheet, int, Sequence[str]], Place]
    words: tuple[int, ...] = ()
    rater: int | None = None
    errors: Callable[[Sheet, int, Sequence[str], Place], list[Marked]] | None = None

    def __call__(self, sheet: Sheet, taken: Taken) -> None:
        """Take in the scores of a file, and its marked errors."""
        # Files have a million rows, and few kinds and places among them: what a row shares with others is read once.
        known: dict[tuple[str, ...], tuple[Callable[[int, Sequence[str]], Place], list[tuple[Words, Cell]]]] = {}
        telling = self.words if self.rater is None else (*self.words, self.rater)
        for line, row in self.rows(sheet, taken):
            written = tuple([row[column] for column in telling])
            if written not in known:
                words = tuple(row[column].strip() for column in self.words)
                known[written] = self._finder(sheet), [((*own, *words), cell) for own, cell in self.scores.items()]
            find, scores = known[written]
            place, rater = find(line, row), None if self.rater is None else row[self.rater].strip()
            for words, (column, said) in scores:
                score = score_at(sheet, line, row[column], said)
                taken.of(words, rater).add(row[self.system], place, score, line)
                if self.errors is not None:
                    taken.marked[words, rater] += self.errors(sheet, line, row, place)

    def _finder(self, sheet: Sheet) -> Callable[[int, Sequence[str]], Place]:
        address = self.address
        return address.finder(sheet) if isinstance(address, Address) else lambda line, row: address(sheet, line, row)


def all_rows(are: Callable[[list[str]], bool], least: int = 1) -> Callable[[Sheet], bool]:
    """Return whether the first rows of a file, of which there are so many, are so."""
    return lambda sheet: len(sheet.top) >= least and all(are(row) for _, row in sheet.top)


def take_blocks(sheet: Sheet, taken: Taken) -> None:
    """Take in a block of lines per system; the k-th line of a block is the k-th segment."""
    lengths: dict[str, tuple[int, int]] = {}
    taken.in_order = True
    for system, block in groupby(sheet.rows, key=lambda row: row[1][0].strip()):
        rows = list(block)
        if system in lengths:
            raise ReadError(
                f"{sheet.at(rows[0][0])}: {system} begins a second time, after a first block on line "
                f"{lengths[system][0]}; expected one block of lines per system. Put them together."
            )
        lengths[system] = rows[0][0], len(rows)
        for number, (line, pair) in enumerate(rows, 1):
            if len(pair) != 2:
                raise ReadError(
                    f"{sheet.at(line)}: found {len(pair)} columns; expected a system, a tab, and "
                    "a score. Correct the line."
                )
            score = score_at(sheet, line, pair[1], f"the score of {system!r}")
            taken.of().add(system, Place(line, number=number), score)
    if {count for _, count in lengths.values()} == {1}:
        raise ReadError(
            f"{sheet.label} has one score per system. System-level scores do not show how certain a difference is. A "
            f"rating needs one score per segment: give the scores of segments."
        )
    (first, (_, n)), *others = lengths.items()
    for other, (line, count) in others:
        if count != n:
            raise ReadError(
                f"{sheet.at(line)}: {other} has {count} lines, but {first} has {n}. Every system needs one line per "
                "segment; write None if there is no score."
            )


def are_blocks(sheet: Sheet) -> bool:
    """Return whether every row is a system and a score; systems that are numbers are known by standing in blocks."""
    rows = [cells for _, cells in sheet.top]
    if len(rows) < 2 or any(len(cells) != 2 or not is_meant_as_score(cells[1]) for cells in rows):
        return False
    runs = [len(list(run)) for _, run in groupby(cells[0] for cells in rows)]
    in_blocks = min(runs[:-1] or runs) > 1 and len(runs) == len({cells[0] for cells in rows})
    return in_blocks or all(score_of(cells[0]) is None for cells in rows)


# Tables of other programs, by their header: a row per system and segment, or a column per system.
_NO_SCORE = COUNTERS | DOCUMENTS | DOMAINS | SOURCES | OUTPUTS | TARGETS | (METADATA - {"note"}) | {
    "n", "n_ratings", "ratings", "count", "orig_sid", "reference", "ref", "text", "comments", "category", "severity",
    "test_set", "refset", "time", "start", "end", "start_time", "end_time", "duration", "lead_time", "hit", "hitid",
    "type",
}  # fmt: skip
"""Columns that hold no score, even if they hold numbers; a note is a mark in French and German."""

_SAMPLES = {"sample", "sample_id", "sample_number"}
"""Beside the columns of segments: which of several outputs of one was rated."""

GENERIC = frozenset({"score", "scores", "rating", "value", "mean", "average", "avg", "raw", "z", "seg_score"})
"""Column names that say nothing without the file's."""


_ITEMS = COUNTERS - SEGMENTS - IN_DOCUMENT - {""} | {"sample", "sample_id", "prompt_id", "uid"}
"""Columns that name segments only where several systems have the same ones."""


def _address(sheet: Sheet) -> Address:
    """Return the cells that say which segment a row of a long table is of."""
    known, system = Address.of(sheet.header), system_column(sheet.header)
    if known or system is None:
        return known
    rows = [cells for _, cells in sheet.top[1:] if len(cells) == len(sheet.header)]
    for column in columns_called(sheet.header, _ITEMS):
        names = [cells[column].strip() for cells in rows]
        if (
            len(set(names))
            < len(names)
            == len({(cells[system], name) for cells, name in zip(rows, names, strict=True)})
        ):
            return replace(known, number=(column, "the segment"))
    return known


def is_long(sheet: Sheet) -> bool:
    """Return whether a column names the system, others the segment, and another holds scores."""
    system, address = system_column(sheet.header), _address(sheet)
    if system is None or not address:
        return False
    columns = score_columns(sheet)
    if not columns:
        return False
    # In a wide table a system may be called "system": its column then holds scores. Systems that are called by numbers
    # are known by what stands beside them: scores that have a name of their own, or several rows of one segment.
    rows = [cells for _, cells in sheet.top[1:] if len(cells) == len(sheet.header)]
    names = {cells[system].strip() for cells in rows}
    if any(score_of(name) is None for name in names):
        return True
    places = {tuple(cells[column] for column in address.columns) for cells in rows}
    named = any(sheet.header[column] in GENERIC or scale_of(sheet.header[column]) for column in columns)
    return len(places) < len(rows) or (named and 2 * len(names) <= len(rows))


def carries_outputs(sheet: Sheet) -> bool:
    """Return whether a table of scores, a row per output, has the outputs, too: it is a test set by itself."""
    if system_column(sheet.header) is None or set(sheet.header) & (RATERS | ANNOTATIONS):
        return False
    held = [[row[at] for _, row in sheet.top[1:] if at < len(row) and row[at].strip()]
            for at in columns_called(sheet.header, OUTPUTS | TARGETS | MAYBE_OUTPUTS)]  # fmt: skip
    return any(own and 2 * sum(map(is_meant_as_score, own)) < len(own) for own in held)


def lacks_segments(sheet: Sheet) -> bool:
    """Return whether a table names systems and scores, and nothing that tells which segment a row is of."""
    return system_column(sheet.header) is not None and bool(score_columns(sheet)) and not _address(sheet)


def system_column(header: Sequence[str]) -> int | None:
    """Return the position of the column that names the systems: `model` only where no other does."""
    return next(iter(columns_called(header, SYSTEMS - MODELS) or columns_called(header, MODELS)), None)


def score_columns(sheet: Sheet) -> list[int]:
    """Return the columns whose first cells hold scores."""
    header = sheet.header
    taken = {*_address(sheet).columns, *columns_called(header, SYSTEMS), *columns_called(header, RATERS)}
    columns = []
    for place, name in enumerate(header):
        if place in taken or name in _NO_SCORE | _SAMPLES or not name or name.endswith("_id"):
            continue
        cells = [cells[place] for _, cells in sheet.top[1:] if len(cells) > place]
        gaps = all(score_of(cell) != score_of(cell) for cell in cells)
        if cells and not gaps and sum(map(is_meant_as_score, cells[:50])) > min(len(cells), 50) / 2:
            columns.append(place)
    return columns


def refuse_several_pairs(sheet: Sheet, rows: Sequence[Row], called: Set[str]) -> None:
    """Raise ReadError where the columns called so name several language pairs."""
    for column in columns_called(sheet.header, called):
        pairs = list(dict.fromkeys(row[column].strip() for _, row in rows))
        if len(pairs) > 1:
            raise ReadError(
                f"{sheet.label} contains scores of {len(pairs)} language pairs ({listed(pairs[:5])}"
                f"{', …' if len(pairs) > 5 else ''}). Give the rows of one pair in a separate file."
            )


def take_long(sheet: Sheet, taken: Taken) -> None:
    """Take in every column of scores; names that were quoted for spreadsheets are read as they were."""
    names, rows = sheet.table()
    refuse_several_pairs(sheet, rows, LANGUAGE_PAIRS)
    address, system = _address(sheet).for_rows(rows), system_column(sheet.header) or 0
    taken.notes += address.notes(sheet.label)
    taken.counts_from = address.counts_from
    rater = next(iter(columns_called(sheet.header, RATERS)), None)
    columns = score_columns(sheet)
    metric = next(iter(columns_called(sheet.header, METRICS)), None) if len(columns) == 1 else None
    drawn = next((at for at in columns_called(sheet.header, _SAMPLES) if at not in address.columns), None)
    if drawn is not None and all(row[drawn].strip().isdecimal() for _, row in rows):
        rows = [(line, [*row]) for line, row in rows]
        for _, row in rows:
            row[system] = f"{row[system]}.sample{row[drawn].strip()}"
    text, whose = _text_column(sheet, {system, rater, metric, drawn, *address.columns, *columns}, taken)
    used = {system, rater, metric, drawn, text, *address.columns, *columns}
    whole = carries_outputs(sheet)  # then sources and references are read, too
    rest = [name for at, name in enumerate(names) if at not in used
            and not (whole and role_of_column(name) in {"source", "reference"})]  # fmt: skip
    if rest:
        said = ", ".join(name or "one without a name" for name in rest)
        taken.notes.append(Note("note", f"{sheet.label}: ignored columns: {said}."))
    find = address.finder(sheet)
    places = [find(line, row) for line, row in rows]
    for column in columns:
        for (line, row), place in zip(rows, places, strict=True):
            who = None if rater is None else row[rater].strip()
            if who == "":
                raise ReadError(nameless(sheet.at(line), "rater"))
            score = score_at(sheet, line, row[column], f"the column {names[column]!r}")
            carried = None if text is None else from_cell(row[text])
            word = names[column] if metric is None else row[metric].strip()
            taken.of((word,), who).add(from_cell(row[system]), place, score, line, carried, whose)


def _text_column(sheet: Sheet, used: Set[int | None], taken: Taken) -> tuple[int | None, int]:
    """Return the column of the texts that were rated, or else of their sources or references, and which it is.

    One of no known name that holds texts may be it as well: what it holds will tell.
    """
    free = [at for at in range(len(sheet.header)) if at not in used]
    for known, whose in ((OUTPUTS | TARGETS, 0), (None, 0), (SOURCES, SOURCE), ({"ref", "reference"}, REFERENCE)):
        for at in free:
            cells = [row[at] for _, row in sheet.top[1:] if at < len(row) and row[at].strip()]
            name = sheet.header[at]
            is_text = 2 * sum(len(cell.split()) > 1 for cell in cells) > len(cells) < 4 * len(set(cells))
            told = role_of_column(name) == "system" and name not in METADATA | {"comments", "category", "severity"}
            if name in known if known is not None else is_text and told:
                taken.guessed = known is None
                return at, whose
    return None, 0


def rating_name(column: str, stem: str, alone: bool) -> str:
    """Return what a column of scores is called: by itself, or with the file's name where it says nothing."""
    if (plain := plain_name(column)) not in GENERIC:
        return column.strip()
    return stem if alone and plain not in {"raw", "z"} else f"{stem}-{column.strip()}"


def is_of_one(sheet: Sheet) -> bool:
    """Return whether a table has one column of scores that is called so, and no system: its file is called like it."""
    if system_column(sheet.header) is not None or set(sheet.header) & RATERS or len(sheet.top) < 2:
        return False
    columns = score_columns(sheet)
    return len(columns) == 1 and sheet.header[columns[0]] in GENERIC


def take_of_one(sheet: Sheet, taken: Taken) -> None:
    """Take in the scores of one system: rows that are not numbered are all segments, in order."""
    names, rows = sheet.table()
    address, (column,) = Address.of(sheet.header).for_rows(rows), score_columns(sheet)
    taken.notes += address.notes(sheet.label)
    taken.counts_from = address.counts_from
    taken.in_order = not address
    find, stem = address.finder(sheet), name_and_direction(sheet.file.path.name)[0]
    text, whose = _text_column(sheet, {column, *address.columns}, taken)
    for count, (line, row) in enumerate(rows, 1):
        place = find(line, row) if address else Place(line, number=count)
        score = score_at(sheet, line, row[column], f"the column {names[column]!r}")
        taken.of().add(stem, place, score, line, None if text is None else from_cell(row[text]), whose)


_BESIDE = (
    SEGMENTS | {SENTENCE} | IN_DOCUMENT | DOCUMENTS | DOMAINS | LANGUAGE_PAIRS | {"", "id", "index", "item", "testset"}
)
"""Columns beside the systems: they hold no scores."""


def is_wide(sheet: Sheet) -> bool:
    """Return whether every column but those that name the segment holds scores; nobody's text is all numbers."""
    columns = _wide_systems(sheet)
    if not columns or set(sheet.header) & RATERS or len(sheet.top) < 2:
        return False
    if system_column(sheet.header) is not None and set(sheet.header) & (GENERIC | _ITEMS):
        return False  # a row per system and segment
    if isinstance(sheet, Records) and not Address.of(sheet.header):
        return False  # objects of numbers may be anything
    # Without a name of any other column, a first row of numbers is no header; systems may be called 1, 2 and 3.
    numbers = [score_of(sheet.top[0][1][place]) is not None for place in columns]
    if any(numbers) and len(columns) == len(sheet.header):
        return False
    cells = [row[place] for _, row in sheet.top[1:] for place in columns if place < len(row)]
    return all(map(is_meant_as_score, cells)) and any(cell.strip() for cell in cells)


def stray(sheet: Sheet) -> tuple[int, str, str] | None:
    """Return line, column and text of the first cell that is no number where scores should be; None without one.

    Scores should be in a column that is called so, and where most other cells are numbers.
    """
    if not sheet.top:
        return None
    first, *below = sheet.top
    placed, under = bool(Address.of(sheet.header)), below[0][1] if below else ()
    headless = any(cell.strip() and cell == other for cell, other in zip(first[1], under, strict=False))
    found: list[tuple[int, str, str]] = []
    for at, name in enumerate(sheet.header):
        if name in SYSTEMS | RATERS or (headless and at == 0):
            continue
        named = score_of(first[1][at]) is None and not headless
        cells = [(line, row[at]) for line, row in (below if named else sheet.top) if at < len(row)]
        wrong = [(line, cell) for line, cell in cells if not is_meant_as_score(cell)]
        said = named and (name in GENERIC or (scale_of(name) is not None and name not in _BESIDE))
        # Of a column beside the numbers of segments, what is one word each was meant as a score.
        words = named and name not in _NO_SCORE and placed
        words = words and not any(" " in own and not any(map(str.isdigit, own)) for _, own in cells)
        if wrong and (said or words or (headless and len(first[1]) == 2) or 2 * len(wrong) < len(cells)):
            found.append((wrong[0][0], first[1][at] if named else f"column {at + 1}", wrong[0][1]))
    return min(found, default=None)


def _wide_systems(sheet: Sheet) -> list[int]:
    rows = [cells for _, cells in sheet.top[1:]]
    texts = {at for at, name in enumerate(sheet.header) if role_of_column(name) in ("source", "reference")}
    numbers = [score_of(row[at]) is not None for row in rows for at in texts if at < len(row)]
    if any(numbers) or not Address.of(sheet.header):
        texts = set()  # where references are numbers, so are the outputs
    return [
        at for at, name in enumerate(sheet.header)
        if name not in _BESIDE and at not in texts and not name.startswith(("is_", "has_")) and not _counts(rows, at)
    ]  # fmt: skip


def _counts(rows: Sequence[Sequence[str]], place: int) -> bool:
    """Return whether a column holds the numbers of the rows, from 0 or 1, whatever it is called."""
    held = [row[place].strip() for row in rows if place < len(row)]
    return len(held) > 3 and held in ([str(at + first) for at in range(len(held))] for first in (0, 1))


def take_wide(sheet: Sheet, taken: Taken) -> None:
    """Take in a column of scores per system."""
    names, rows = sheet.table()
    address = Address.of(sheet.header).for_rows(rows)
    taken.notes += address.notes(sheet.label)
    taken.counts_from = address.counts_from
    find, documents, systems = address.finder(sheet), columns_called(sheet.header, DOCUMENTS), _wide_systems(sheet)
    # Without numbers the rows are the segments, in order.
    taken.in_order = not address
    text, whose = _text_column(sheet, {*address.columns, *systems}, taken)
    aside = {at for at, name in enumerate(sheet.header) if name in _BESIDE} | {*systems, text}
    if counting := [name for at, name in enumerate(names) if at not in aside]:
        said = f"{sheet.label}: the column {counting[0]!r} counts the rows and is not read as a system."
        taken.notes.append(Note("note", said))
    for count, (line, row) in enumerate(rows, 1):
        document = row[documents[0]].strip() if documents else None
        place = find(line, row) if address else Place(line, number=count, document=document)
        for column in systems:
            score = score_at(sheet, line, row[column], f"the score of {names[column]!r}")
            taken.of().add(names[column], place, score, line, None if text is None else row[text], whose)
