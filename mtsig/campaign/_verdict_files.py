"""Reading: files of verdicts go in, preferences come out; which forms there are is written down here."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from mtsig._limits import refuse_above
from mtsig.campaign._data import Preferences, unread_note
from mtsig.corpus import Note
from mtsig.corpus._notes import listed, number_of, quoted
from mtsig.errors import ReadError
from mtsig.readers._files import File, json_of, lines_of, opened, unique
from mtsig.readers._names import plain_name, suffix_of
from mtsig.readers._parts import sheets_of
from mtsig.readers._sheet import PAIRS, Sheet, score_of, texts_in

Found = Mapping[str, Any]
"""One record of a file: plain names of columns or keys, with their values."""

_PLACES = ("model_a", "model_b")
"""Columns in the order in which the two were shown."""
_VERDICTS = ("winner", "preference", "verdict", "choice", "outcome", "margin", "score")
_RAW = ("output", "judgment", "judgement", "completion", "response", "filtered_resps")
_ITEMS = ("item", "segment", "question_id", "uid", "id", "item_id", "doc_id")
_DOCUMENTS = ("document", "doc")
_RATERS = ("judge", "rater", "annotator", "user")
_TIES = {"tie", "draw", "equal", "=", "0", "same", "both", "neither"}
_BAD = {"bothbad", "both_bad", "tie (bothbad)"}
_FIRST, _SECOND = {"a", "1", "first", "left"}, {"b", "2", "second", "right"}
_SHOWN_AT = {"first", "second", "left", "right"}
"""Words for a place, which may be that of a column or that of the order shown."""
_MARK = re.compile(r"\[\[\s*([ABC](?:\s*[<>=]{1,2}\s*[AB])?)\s*\]\]")
_SIGN = re.compile(r"([AB])\s*(>>|>|=|<<|<)\s*([AB])")


@dataclass(frozen=True)
class Verdict:
    """What one text says: d of the system shown first (NaN: unread), how strongly, and whether both are bad."""

    outcome: float
    grade: float = float("nan")
    both_bad: bool = False


_UNREAD = Verdict(float("nan"))


def verdict_of(text: str) -> Verdict:
    """Return what a mark says: `[[A]]`, `A>>B`, a word for a tie; of a text with two different marks nothing.

    A mark in prose is looked for in double brackets only.
    """
    said = text.strip()
    marks = {re.sub(r"\s", "", mark) for mark in _MARK.findall(said)}
    if len(marks) > 1:
        return _UNREAD
    if marks:
        said = marks.pop()
    plain = said.lower()
    if plain in _BAD:
        return Verdict(0.0, both_bad=True)
    if plain in _TIES or said == "C":
        return Verdict(0.0)
    if said in ("A", "B"):
        return Verdict(1.0 if said == "A" else -1.0)
    sign = _SIGN.fullmatch(said)
    if sign is None or sign[1] == sign[3]:
        return _UNREAD
    if sign[2] == "=":
        return Verdict(0.0)
    ahead = (sign[1] == "A") == (sign[2][0] == ">")
    return Verdict(1.0 if ahead else -1.0, float(len(sign[2])))


@dataclass(frozen=True)
class _File:
    """A file's records, one after the other, with what their lines are called."""

    label: str
    records: Iterator[tuple[str, Found]]
    notes: tuple[Note, ...] = ()


def _records(file: File) -> _File:
    if suffix_of(file.path) in (".parquet", ".xlsx"):
        sheets = sheets_of(file)
        if len(sheets) != 1:
            raise ReadError(f"{file.label} contains {len(sheets)} filled sheets; expected one sheet with preferences.")
        return _of_sheet(sheets[0])
    lines, notes = lines_of(file)
    begins = next((stripped for line in lines if (stripped := line.strip())), "")
    if begins.startswith("["):
        listed_items = json_of("\n".join(lines), file.label, object_pairs_hook=unique)
        found = ((f"{file.label}, record {number}", item) for number, item in enumerate(listed_items, 1))
    elif lines and lines[0].strip() == "{":
        raise ReadError(f"{file.label} is one JSON object; expected a list of judgements, or one object in each line.")
    elif begins.startswith("{"):
        found = (
            (f"{file.label}, line {number}", json_of(line, file.label, number, object_pairs_hook=unique))
            for number, line in enumerate(lines, 1)
            if line.strip()
        )
    else:
        return _of_sheet(Sheet(file))
    return _File(file.label, _objects(found), notes)


def _objects(found: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Found]]:
    plain: dict[str, str] = {}
    for where, item in found:
        if not isinstance(item, dict):
            raise ReadError(f"{where}: expected an object {{…}}, found {quoted(item)}.")
        for key in item.keys() - plain.keys():
            plain[key] = plain_name(key)
        yield where, {plain[key]: value for key, value in item.items()}


def _of_sheet(sheet: Sheet) -> _File:
    names, rows = sheet.one_by_one()
    plain = [plain_name(name) for name in names]
    found = ((sheet.at(line), dict(zip(plain, map(str.strip, cells), strict=True))) for line, cells in rows)
    return _File(sheet.label, found, sheet.notes)


@dataclass(frozen=True)
class Form:
    """A form of file: which keys its records have, and the judgements in one of them."""

    name: str
    looks_like: str
    fits: Callable[[Found], bool]
    read: Callable[[str, Found], Iterator[dict[str, Any]]]


def _keys(*names: str) -> Callable[[Found], bool]:
    return lambda record: all(name in record for name in names)


def _of(record: Found, names: Sequence[str]) -> Any:
    for name in names:
        if (value := record.get(name)) is not None and value != "":
            return value
    return None


def _rater(record: Found) -> str | None:
    said = _of(record, _RATERS)
    return None if said is None else " ".join(map(str, said)) if isinstance(said, list) else str(said)


def _about(record: Found, number_key: str | None = None) -> dict[str, Any]:
    """Return item, document, rater and criterion of a record."""
    document, turn = _of(record, _DOCUMENTS), record.get("turn")
    item = record.get(number_key) if number_key else _of(record, _ITEMS)
    if document is None and record.get("doc_id") is not None and item is not None and record["doc_id"] != item:
        document = record["doc_id"]
    about: dict[str, Any] = {"rater": _rater(record), "criterion": record.get("criterion")}
    if item is not None:
        about["item"] = str(item) if turn in (None, "", 1, "1") else f"{item}, turn {turn}"
    if document is not None and not isinstance(document, Mapping):
        about["document"] = str(document)
    return about


def _mt_bench(where: str, record: Found) -> Iterator[dict[str, Any]]:
    """Yield both games; in the second the second system is shown first. Winners are already names of columns."""
    first, second = _named(where, record, "model_1", "model_2")
    single = "m1_score" in record
    for game in ("g1_winner",) if single else ("g1_winner", "g2_winner"):
        said = str(record.get(game))
        d = {"model_1": 1.0, "model_2": -1.0, "tie": 0.0}.get(said, float("nan"))
        turned = game == "g2_winner"
        yield _about(record, "question_id") | {
            "first": second if turned else first, "second": first if turned else second,
            "outcome": -d if turned else d, "ordered": not single, "said": said,
        }  # fmt: skip


def _alpaca(where: str, record: Found) -> Iterator[dict[str, Any]]:
    """Yield one judgement: 1 is for generator_1, 2 for generator_2, between them a fraction; the order is not kept."""
    said, (first, second) = record["preference"], _named(where, record, "generator_1", "generator_2")
    value = _number(said)
    if value is None or not (value != value or 1 <= value <= 2):
        raise ReadError(f"{where}: the preference is {quoted(said)}; expected a number from 1 to 2, or an empty cell.")
    item = {"item": str(record["instruction"])} if record.get("instruction") else {}
    yield _about(record) | item | {
        "first": first, "second": second, "outcome": 3 - 2 * value, "ordered": False, "said": str(said),
    }  # fmt: skip


def _arena_hard(where: str, record: Found) -> Iterator[dict[str, Any]]:
    """Yield both games: the baseline is shown first in the first, the model in the second."""
    model, baseline = _named(where, record, "model", "baseline")
    games = record["games"]
    if not isinstance(games, list) or len(games) > 2 or not all(isinstance(game, dict | None) for game in games):
        raise ReadError(f"{where}: the games are {quoted(games)}; expected two, each an object with a score or null.")
    for number, game in enumerate(games):
        said = "" if game is None else str(game.get("score"))
        read = verdict_of(said)
        yield _about(record, "uid") | {
            "first": model if number else baseline, "second": baseline if number else model,
            "outcome": read.outcome, "grade": read.grade if read.outcome else 0.0, "said": said,
        }  # fmt: skip


def _pair_of(record: Found) -> tuple[str, str] | None:
    return next((pair for pair in PAIRS if all(record.get(name) not in (None, "") for name in pair)), None)


def _is_pair(record: Found) -> bool:
    inside = record.get("doc")
    whole = {**inside, **record} if isinstance(inside, Mapping) else record
    return _pair_of(whole) is not None and any(name in whole for name in (*_VERDICTS, *_RAW))


def _tidy(where: str, record: Found) -> Iterator[dict[str, Any]]:
    """Yield the one judgement of a row: a pair and who won, a signed number, or a text with a mark."""
    inside = record.get("doc")
    if isinstance(inside, Mapping):
        record = {**{plain_name(str(key)): value for key, value in inside.items()}, **record}
    names = _pair_of(record)
    if names is None:
        missing = " and ".join(next((pair for pair in PAIRS if any(name in record for name in pair)), PAIRS[0]))
        raise ReadError(f"{where}: expected two systems in the columns {missing}.")
    a, b = _named(where, record, *names)
    read, said, of_places = _winner(where, record, names, a, b)
    turned = _turned(where, record, a, b)
    outcome = -read.outcome if turned and not of_places else read.outcome
    if of_places and abs(outcome) == 1:
        letter, won = ("A" if outcome > 0 else "B"), b if (outcome > 0) == bool(turned) else a
        if letter.lower() in (a.lower(), b.lower()) and won.lower() != letter.lower():
            raise ReadError(
                f"{where}: {quoted(said[-60:])} is for {letter}, which may be a place or a system, since the systems "
                f"are {a!r} and {b!r}. Rename the systems."
            )
    if turned and (word := said.lower()) in _SHOWN_AT and word not in (*names, a.lower(), b.lower()):
        raise ReadError(
            f"{where}: {said!r} may be the {word} column or the system shown {word}, and {names[1]} was shown first. "
            "Write the name of the better system."
        )
    yield _about(record) | {
        "first": b if turned else a, "second": a if turned else b,
        "outcome": outcome, "grade": read.grade, "both_bad": read.both_bad, "placed": of_places and bool(turned),
        "ordered": turned is not None or names == _PLACES or not any(name in record for name in _VERDICTS),
        "said": said, "column": next((name for name in _VERDICTS if name in record), ""),
        "columns": " and ".join(names),
    }  # fmt: skip


_DECIDING = (*dict.fromkeys(name for pair in PAIRS for name in pair), *_VERDICTS, "order", "first_shown", "swapped")
"""Columns that decide what a row of a table says of its two systems, where one of them holds the verdict."""
_ABOUT = {"item", "document", "rater", "criterion"}
_MOST_TOLD = 2**16


def _deciding(record: Found) -> tuple[object, ...] | None:
    """Return what two rows have in common that say the same; None where there is more to it than their text."""
    held = tuple([record.get(name, ()) for name in _DECIDING])
    plain = set(map(type, held)) <= {str, tuple} and any(map(record.get, _VERDICTS))
    return held if plain and not isinstance(record.get("doc"), Mapping) else None


_ORDERS = {"ab": False, "ba": True, "12": False, "21": True, **dict.fromkeys(("a", "1", "first"), False),
           **dict.fromkeys(("b", "2", "second"), True)}  # fmt: skip
_SWAPPED = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def _turned(where: str, record: Found, a: str, b: str) -> bool | None:
    """Return whether the second of two columns was shown first; None where that is not said."""
    column = next((name for name in ("order", "first_shown", "swapped") if record.get(name) not in (None, "")), None)
    if column is None:
        return None
    said = str(record[column]).strip()
    plain, known = said.lower(), _SWAPPED if column == "swapped" else _ORDERS
    if column != "swapped" and said in (a, b):
        return said == b
    named = {} if column == "swapped" else {a.lower(): False, b.lower(): True}
    readings = {reading[plain] for reading in (known, named) if plain in reading}
    if not readings and (number := _number(said)) is not None and number != number:
        return None
    if len(readings) != 1:
        takes = "true or false" if column == "swapped" else "ab or ba, or the system that was shown first"
        raise ReadError(f"{where}: {column} takes {takes}; found {quoted(said)}.")
    return readings.pop()


_SIGNED = ("margin", "score", "preference")


def _winner(where: str, record: Found, names: tuple[str, str], a: str, b: str) -> tuple[Verdict, str, bool]:
    """Return who won, the text that says so, and whether it is of places as shown, not of columns.

    A mark, and all that a judge wrote, is of places. Names, places and numbers that a table has are of its columns.
    """
    column = next((name for name in _VERDICTS if name in record), None)
    if column is None:
        raw = record[next(name for name in _RAW if name in record)]
        text = str(raw[0] if isinstance(raw, list) and raw else raw)
        return verdict_of(text), text, True
    said = "" if record[column] is None else str(record[column]).strip()
    plain = said.lower()
    value = _number(said) if column in _SIGNED else None
    if value is not None:
        return (_UNREAD if value != value else Verdict(float((value > 0) - (value < 0)), abs(value))), said, False
    if said in (a, b):
        return Verdict(1.0 if said == a else -1.0), said, False
    named, placed = {a.lower(): 1, b.lower(): -1}, {**dict.fromkeys(_FIRST, 1), **dict.fromkeys(_SECOND, -1)}
    by_number = plain.isdigit() and any(name in placed and name.isdigit() for name in named)
    if plain in placed and (by_number or named.get(plain, placed[plain]) != placed[plain]):
        raise ReadError(
            f"{where}: {column} {said!r} may be a place or a system, since the systems are {a!r} and {b!r}. Rename "
            "the systems."
        )
    if plain in (names[0], *_FIRST) or plain in (names[1], *_SECOND):
        return Verdict(1.0 if plain == names[0] or plain in _FIRST else -1.0), said, False
    read = verdict_of(said)
    if read.outcome == read.outcome or not said or plain in ("error", "inconsistent"):
        return read, said, True
    if column == "winner" and re.fullmatch(r"[\w.\-]{1,60}( [\w.\-]{1,60})?", said):
        raise ReadError(
            f"{where}: winner {said!r} is neither {a!r} nor {b!r}, nor a tie. Leave it empty if there is no verdict."
        )
    return _UNREAD, said, False


def _number(value: object) -> float | None:
    """Return the number that a table or JSON has: NaN for a gap, None where it is none."""
    text = "" if value is None else str(value).strip()
    number = score_of(text)
    return None if number == number and text[:1].isalpha() else number


def _named(where: str, record: Found, *columns: str) -> tuple[str, ...]:
    """Return the systems in these columns.

    Raises
    ------
    ReadError
        One is no name.
    """
    for column in columns:
        if isinstance(record[column], list | dict | None) or not str(record[column]).strip():
            raise ReadError(f"{where}: {column} is {quoted(record[column])}; expected the name of a system.")
    return tuple(str(record[column]).strip() for column in columns)


FORMS: dict[str, Form] = {
    form.name: form
    for form in (
        Form("MT-Bench", "question_id, model_1, model_2, g1_winner", _keys("model_1", "model_2", "g1_winner"),
             _mt_bench),
        Form("AlpacaEval", "generator_1, generator_2, preference", _keys("generator_1", "generator_2", "preference"),
             _alpaca),
        Form("Arena-Hard", "uid, model, baseline, games", _keys("uid", "model", "baseline", "games"), _arena_hard),
        Form("pairs", "two systems and a verdict, such as system_a, system_b, winner", _is_pair, _tidy),
    )
}  # fmt: skip
"""Forms of files, by name, in the order in which they are looked for."""


def read_preferences(*paths: str | Path) -> Preferences:
    """Read preferences from files.

    Supported files are tables (.csv, .tsv, .xlsx, .parquet, JSON lines) with two systems and a verdict, and the files
    of Chatbot Arena, MT-Bench, AlpacaEval and Arena-Hard. docs/formats.md lists the columns.

    Parameters
    ----------
    paths
        Files, or folders of files; their judgements are combined.

    Raises
    ------
    ReadError
        A file is not a table of preferences, or a line cannot be read; the message names file and line.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from mtsig.campaign import read_preferences
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "verdicts.jsonl"
    ...     _ = path.write_text('{"item": 1, "system_a": "ours", "system_b": "base", "winner": "ours"}')
    ...     read_preferences(path)
    <Preferences: 1 judgement of 2 systems (base, ours) by 1 rater>
    """
    return preferences_of([file for path in paths for file in _files(Path(path))])


def preferences_of(files: Sequence[File]) -> Preferences:
    """Return the judgements in files of preferences, wherever these come from; see `read_preferences`."""
    notes: list[Note] = []
    unread, read, bad, placed, columns = Counter[str](), 0, 0, 0, ""

    def rows() -> Iterator[dict[str, Any]]:
        nonlocal read, bad, placed, columns
        for one in opened(files):
            if not isinstance(one, File):
                raise ReadError(f"{one.file.label}: {one.problem}")
            found = _records(one)
            notes.extend(found.notes)
            for row in _judgements(found):
                read, bad = read + 1, bad + row.get("both_bad", False)
                columns, placed = columns or row.get("columns", ""), placed + row.get("placed", False)
                if row["outcome"] != row["outcome"]:
                    unread[row["said"] or "nothing"] += 1
                yield row

    made = Preferences.of(rows())
    _refuse_texts(made, columns, listed([file.label for file in files], most=2))
    notes += unread_note(unread, read)
    if bad:
        notes.append(Note("note", f"{number_of(bad, 'verdict')} of “both bad”: counted as a tie."))
    if placed:
        said = (
            f"In {number_of(placed, 'judgement')}, a mark such as [[A]] was read as a place: A is the system shown "
            "first, which is in the second column."
        )
        notes.append(Note("note", said))
    refuse_above("max_systems", len(made.systems), listed([file.label for file in files], most=2))
    return replace(made, notes=(*notes, *made.notes))


_LONGEST_WORD = 60
"""Letters that a verdict has at most which could be the name of a system."""


def _judgements(found: _File) -> Iterator[dict[str, Any]]:
    """Yield the judgements in a file's records, whose form the first one tells."""
    form, told, seen = None, dict[tuple[object, ...], dict[str, Any]](), dict[str, _Numbers]()
    names, words = set[str](), dict[str, tuple[str, str]]()
    for where, record in found.records:
        # Most rows of a long table say what some row said before: who won is worked out once.
        deciding = _deciding(record) if form is FORMS["pairs"] else None
        if deciding is not None and deciding in told:
            seen[told[deciding]["column"]].add(told[deciding]["said"])
            yield told[deciding] | _about(record)
            continue
        if form is None:
            form = next((form for form in FORMS.values() if form.fits(record)), None)
        if form is None:
            known = "; ".join(f"{form.name} ({form.looks_like})" for form in FORMS.values())
            raise ReadError(
                f"{found.label} has no preferences in a known format; found {', '.join(list(record)[:8])}. Known: "
                f"{known}."
            )
        if not form.fits(record):
            raise ReadError(f"{where}: expected {form.looks_like}, found {quoted(json.dumps(record)[:60])}.")
        for row in form.read(where, record):
            if column := row.get("column"):
                seen.setdefault(column, _Numbers(column)).add(row["said"])
                pair, said = {row["first"].lower(), row["second"].lower()}, row["said"]
                names |= pair
                if len(said) <= _LONGEST_WORD and said.lower() not in pair and column not in ("margin", "score"):
                    words.setdefault(said.lower(), (where, said))
            if deciding is not None and len(told) < _MOST_TOLD:
                told[deciding] = {name: row[name] for name in row.keys() - _ABOUT}
            yield row
    if form is None:
        raise ReadError(f"{found.label} contains no judgements.")
    if lost := [words[word] for word in words if word in names]:
        where, said = lost[0]
        raise ReadError(
            f"{where}: the verdict {said!r} may be a place or a tie, or the system of that name, which is not one of "
            "this pair. Write the name of the better system, or tie; or rename the system."
        )
    for numbers in seen.values():
        numbers.refuse(found.label)


_FEWEST_ITEMS = 8
"""Items from which names that are in one item each are none."""


def _refuse_texts(made: Preferences, columns: str, label: str) -> None:
    """Raise ReadError where what should be names of systems are the texts that were compared.

    Half of them are long or sentences, or nearly all are in one item only, while systems are judged on many.
    """
    names, items = made.systems, len(made.item.known)
    long = texts_in(names)
    found, shown = f"{len(long):,} of {len(names):,} values are long or sentences", long[:1]
    if 2 * len(long) < len(names):
        if items < _FEWEST_ITEMS or 2 * len(names) < items:
            return
        cells = np.unique(np.concatenate([side * items + made.item.of for side in (made.first, made.second)])) // items
        once = int(np.count_nonzero(np.bincount(cells) == 1))
        if once < 0.8 * len(names):
            return
        found, shown = f"{once:,} of {len(names):,} values occur for one item only", list(names[:1])
    where = f", columns {columns}" if columns else ""
    raise ReadError(
        f"{label}{where}: expected the names of two systems, found texts: {found}, such as {quoted(shown[0][:60])}. "
        "Add two columns with the names of the systems, such as system_a and system_b."
    )


_FEWEST_SIGNED = 10
"""Judgements by a signed number of which one at least favours the second system, where both ever win."""


@dataclass
class _Numbers:
    """The numbers in a column of verdicts: some of them, how many are not 0, and whether they may be what they seem."""

    column: str
    some: set[str] = field(default_factory=set)
    decided: int = 0
    fine: bool = False

    def add(self, said: str) -> None:
        """Take in one more."""
        number = None if self.fine or not said else _number(said)
        if number is None or number != number:
            self.fine |= bool(said) and number is None and self.column not in _SIGNED
            return
        self.decided += number != 0
        self.fine |= number < 0 if self.column in _SIGNED else said not in ("0", "1")
        if len(self.some) < _SHOWN:
            self.some.add(said)

    def refuse(self, label: str) -> None:
        """Raise ReadError where they cannot be what they would be read as."""
        if self.fine or not self.some:
            return
        what = f"{label}, column {self.column}: found only the numbers {listed(sorted(self.some))}"
        how = "Write the name of the better system, or a or b for its column, into a column winner, and tie for a tie."
        if self.column not in _SIGNED:
            if self.some == {"0", "1"}:
                raise ReadError(f"{what}; 0 may be the first system, the second or a tie. {how}")
        elif self.decided >= _FEWEST_SIGNED or self.some == {"1", "2"}:
            raise ReadError(f"{what}; as signed numbers, none of them favours the second system. {how}")


_SHOWN = 4
"""Numbers that a message shows."""


def _files(path: Path) -> list[File]:
    if not path.is_dir():
        return [File(str(path), path)]
    folders, inside = [path], list[Path]()
    for folder in folders:  # which grows meanwhile: folders may lie inside each other without end
        within = sorted(folder.iterdir())
        folders += [one for one in within if one.is_dir() and not one.is_symlink()]
        inside += [one for one in within if one.is_file() and not one.name.startswith(".")]
    return [File(str(one), one) for one in sorted(inside)]
