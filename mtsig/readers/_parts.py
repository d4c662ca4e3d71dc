"""Parts: the texts and ratings that files of a test set hold, as recognized by readers of each form."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, wraps
from typing import Literal, Protocol

from mtsig.corpus import Note
from mtsig.corpus._notes import number_of, quoted
from mtsig.errors import ReadError
from mtsig.readers import _names, _sheet
from mtsig.readers._conllu import Parsed, sentences_of
from mtsig.readers._files import HEAD, LONGEST_NAME, File, Head, head_of, json_in, lines_of
from mtsig.readers._frames import is_log, is_number, logged, refuse_markup, unframed
from mtsig.readers._parquet import rows_of, top_of
from mtsig.readers._rating_formats import RATING_READERS
from mtsig.readers._scored import RatingReader, Scored, are_blocks, carries_outputs, lacks_segments, stray
from mtsig.readers._workbook import sheets_of_book, tops_of_book


def sheets_of(file: File) -> list[_sheet.Sheet]:
    """Return every sheet of a workbook, or the one that a Parquet table is, as rows of texts."""
    if _names.suffix_of(file.path) == ".xlsx":
        return [_sheet.Sheet(file, rows) for rows in sheets_of_book(file)]
    # No list of texts or dict is a score.
    return [_sheet.Sheet(file, _sheet.as_rows(list(enumerate(rows_of(file, flat=True), 2))))]


@dataclass(frozen=True)
class RatingFile:
    """A file that may hold scores; it is opened, and held against the formats, once."""

    file: File
    head: Head | None = None

    @property
    def _tops(self) -> list[_sheet.Sheet]:
        """The sheets by which a format is known: as much of them as a short look into the file gives."""
        if isinstance(self._looked_at, ReadError):
            raise self._looked_at
        return self._looked_at

    @cached_property
    def _looked_at(self) -> list[_sheet.Sheet] | ReadError:
        """The same, or why there are none: a file is looked into once, also where nothing is seen."""
        try:
            return self._look()
        except ReadError as error:
            return error

    def _look(self) -> list[_sheet.Sheet]:
        suffix = _names.suffix_of(self.file.path)
        if suffix == ".parquet":
            return [_sheet.Sheet(self.file, top_of(self.file))]
        if suffix == ".xlsx":
            return [_sheet.Sheet(self.file, rows) for rows in tops_of_book(self.file)]
        return self._sheets

    @cached_property
    def _sheets(self) -> list[_sheet.Sheet]:
        if _names.suffix_of(self.file.path) in (".parquet", ".xlsx"):
            return sheets_of(self.file)
        plain = _sheet.Sheet(self.file, head=self.head)
        return [plain, _sheet.Records(self.file, head=self.head)] if plain.first_objects else [plain]

    @cached_property
    def _found(self) -> tuple[int, RatingReader] | None:
        return _known(self._tops)

    @cached_property
    def preferences(self) -> str:
        """What preferences between pairs of systems it holds, in words; "" where it holds none."""
        try:
            what = _sheet.preferences_in(self._tops)
            if not what and _names.suffix_of(self.file.path) == ".parquet":
                # Its directory has the least and the greatest value of each column alone: those of a pair are the same.
                ends = [column for column in zip(*(cells for _, cells in self._tops[0].top), strict=True) if column[1]]
                what = _sheet.preferences_in(self._sheets) if len({end[1:] for end in ends}) < len(ends) else ""
            return what
        except ReadError:
            return ""

    @property
    def first_object(self) -> Mapping[str, object]:
        """The first object, where it is one of JSON; nothing otherwise."""
        try:
            return next(iter(self._tops[0].first_objects), {})
        except (ReadError, IndexError):
            return {}

    @property
    def holds_texts(self) -> bool:
        """Whether it is of a form that has the outputs with their scores, or neither of them."""
        if self._found is None:
            return False
        at, reader = self._found
        whole = reader is RATING_READERS["long"] and carries_outputs(self._tops[at])
        return whole or reader.holds_texts or not reader.holds_scores

    @property
    def names_systems(self) -> bool:
        """Whether it says whose its scores are."""
        return self._found is not None and self._found[1].names_systems

    def is_rating(self, unreadable: bool = False) -> bool:
        """Return whether it looks like scores of segments, and `unreadable` when it cannot be read at all."""
        try:
            if not self._tops:
                return False
            # One line per system: scores of systems, not of segments.
            systems = [cells[0] for _, cells in self._tops[0].top]
            of_whole_systems = len(set(systems)) == len(systems) and are_blocks(self._tops[0])
            return not of_whole_systems and self._found is not None
        except ReadError:
            return unreadable

    def scored(self) -> list[Scored]:
        """Return what it says of its ratings."""
        if self.preferences:
            raise ReadError(_sheet.refusal(self.file.label, self.preferences))
        sheets = self._sheets
        if not any(sheet.given is None or sheet.given for sheet in sheets):
            raise ReadError(
                f"{self.file.label} contains no filled sheet; expected a table. Fill one, or leave the file out."
            )
        found = self._found if sheets is self._tops else _known(sheets)
        if found is not None:
            at, reader = found
            return reader.read(sheets[at])
        label, sheet = self.file.label, sheets[0]
        if sheet.rows and len(sheet.header) == 1 and not sheet.first_objects:
            _sheet.refuse_separators(label, sheet.top[0][1][0])
        if len(sheets[-1].rows) == 1:
            raise ReadError(
                f"{label} has no rows below its first, {quoted(', '.join(sheets[-1].top[0][1]))}; "
                "expected one per segment. Write it again, or leave it out."
            )
        if any(map(lacks_segments, sheets)):
            raise ReadError(
                f"{label} has systems and scores, but no column gives the segment of a row. Add a column named segment "
                "that counts from 1, with the same numbers for every system."
            )
        if said := self.stopped_by:
            raise ReadError(f"{label}, {said}. Expected a score, or an empty cell if it is missing. Correct it.")
        # Objects may have the columns of a table of one row per score; all other forms are of JSON, or never are.
        known = (of for name, of in RATING_READERS.items() if of.in_json == sheet.is_json or name == "long")
        shapes = "; ".join(reader.looks_like for reader in known)
        line, cells = next(iter(sheet.top), (1, []))
        keys = ", ".join(self.first_object)
        told = f"an object with {keys[:200]}" if keys else f"on line {line} {quoted(', '.join(cells), 200)}"
        raise ReadError(f"{label} is not a table of scores in a known form; found {told}. Known forms: {shapes}.")

    @property
    def separated(self) -> str:
        """By what the cells of its first row are separated, where that is not what its name says; "" else."""
        try:
            first = next(iter(self._tops[0].first_lines), "") if self._tops else ""
            _sheet.refuse_separators("it", first.strip() if len(self._tops[0].header) == 1 else "")
        except ReadError as error:
            return str(error).rstrip(".")
        return ""

    @property
    def stopped_by(self) -> str:
        """The cell for which it is no table of scores, in words; "" where no single cell is why."""
        try:
            # The lines of JSON are no table.
            sheets = [each for each in self._sheets if isinstance(each, _sheet.Records) or not each.first_objects]
            line, column, text = next(filter(None, map(stray, sheets)))
        except (ReadError, StopIteration):
            return ""
        return f"line {line}, {column!r}: {quoted(text)} is not a number"


def _known(sheets: Sequence[_sheet.Sheet]) -> tuple[int, RatingReader] | None:
    """Return which sheet is of a known format, and its reader."""
    kinds = ((at, sheet, reader) for at, sheet in enumerate(sheets) for reader in RATING_READERS.values())
    known = ((at, one) for at, sheet, one in kinds if (sheet.is_json or not one.in_json) and one.recognises(sheet))
    return next(known, None)


@dataclass(frozen=True)
class About:
    """What a form records about the n segments of a text besides its lines; each column is None or holds n entries.

    Two texts with the same documents and ids in different orders hold the same segments; they are joined by these.
    paragraphs: whether the segments are paragraphs of documents, counted separately in each text.
    """

    documents: tuple[str, ...] | None = None
    ids: tuple[str, ...] | None = None
    domains: tuple[str, ...] | None = None
    original_languages: tuple[str, ...] | None = None
    paragraphs: bool = False

    def take(self, segments: Sequence[int]) -> "About":
        """Return the same information for these segments."""

        def pick(column: tuple[str, ...] | None) -> tuple[str, ...] | None:
            return None if column is None else tuple(column[i] for i in segments)

        picked = (pick(self.documents), pick(self.ids), pick(self.domains), pick(self.original_languages))
        return About(*picked, self.paragraphs)


_SHOWN = 100
"""Characters of a name that is too long to be one."""


@dataclass(frozen=True)
class Part:
    """One text for a corpus: its lines, its role and its name.

    `lines` is None if the part is ignored and has not been read, or could not be read; then `problem` says why. `whole`
    has scores of whole systems, system -> score: they have no role among segments, but `mtsig.meta_eval` uses them.
    Parses have `sentences` instead, and the name of the text that was parsed. Ratings have `scored`, the file's scores
    of one rating, and `better`, the declared direction. A line is None if the form says that this text lacks the
    segment.
    form: the form of the file, in words. about: what the form records about the segments. language_pair: the test set
    to which the part belongs, if files are sorted by language pair. of_task: whether this is a task of a benchmark,
    whose files lie in the folders of its systems.
    """

    label: str
    role: _names.Role
    name: str
    lines: tuple[str | None, ...] | None = field(default=None, repr=False)
    problem: str | None = None
    notes: tuple[Note, ...] = ()
    file: File | None = None
    sentences: tuple[Parsed, ...] | None = field(default=None, repr=False)
    scored: Scored | None = field(default=None, repr=False)
    whole: Mapping[str, float] | None = field(default=None, repr=False)
    better: _sheet.Direction | None = None
    form: str = ""
    about: About | None = field(default=None, repr=False)
    language_pair: str | None = None
    of_task: bool = False

    def __post_init__(self) -> None:
        label, name = _names.as_text(self.label), _names.as_text(self.name)
        if (length := len(name)) > LONGEST_NAME or (length := len(label)) > 10 * LONGEST_NAME:
            label, name = f"{label[:_SHOWN]}…", f"{name[:_SHOWN]}…"
            said = f"{label}: a name of {length:,} characters; at most {LONGEST_NAME:,} are allowed. Shorten it."
            object.__setattr__(self, "problem", said)
            object.__setattr__(self, "lines", None)
        object.__setattr__(self, "label", label)
        object.__setattr__(self, "name", name)

    def __reduce__(self) -> tuple[object, ...]:
        """Go to another process as the fields alone: without a dictionary for each of what may be 80,000 parts."""
        return type(self), tuple(getattr(self, each.name) for each in fields(self))

    def with_role(self, role: _names.Role) -> "Part":
        """Return the part in another role, and read its file if needed; for ratings see `in_role`."""
        changed = replace(self, role=role)
        there = self.sentences if role == "parses" else self.lines
        known_problem = self.problem is not None and "parses" not in (role, self.role)
        if role in ("ignored", "ratings") or self.file is None or there is not None or known_problem:
            return changed
        return loaded(replace(changed, problem=None, notes=()))


def rating_parts(rating: RatingFile) -> list[Part]:
    """Return one part for every rating in a file, and for every rater; what is wrong with the file is its problem."""
    file = rating.file
    try:
        ratings = rating.scored()
    except ReadError as error:
        return [
            Part(file.label, "ratings", _sheet.name_and_direction(file.path.name)[0], problem=str(error), file=file)
        ]
    return [
        Part(
            file.label if len(ratings) == 1 else f"{file.label}, {scored.title}",
            "ratings" if scored.systems else "ignored",
            scored.title,
            notes=scored.notes,
            file=file,
            scored=scored if scored.systems else None,
            better=scored.declared,
            form=_form(scored),
            language_pair=scored.language_pair,
        )
        for scored in ratings
    ]


def _form(scored: Scored) -> str:
    """Return what a file of ratings is, with the protocol by which people rated."""
    if not scored.systems:
        return "no scores"
    return f"ratings, {scored.protocol}" if scored.protocol else "ratings"


def scores_beside(placed: "Placed") -> list[Part]:
    """Return the scores of a file that has the outputs with them; those not understood play no role.

    Neither do those of unknown direction.
    """
    try:
        if not placed.rating.holds_texts:
            return []
    except ReadError:
        return []
    parts = rating_parts(placed.rating)
    known = [part.better is not None or _names.scale_of(part.name.partition("@")[0]) is not None for part in parts]
    return [part if own else replace(part, role="ignored") for part, own in zip(parts, known, strict=True)]


def in_role(part: Part, role: _names.Role) -> list[Part]:
    """Return the part in another role: several parts when its file turns out to hold several ratings."""
    if role == "ratings" and part.scored is None and part.file is not None:
        ratings = rating_parts(RatingFile(part.file))
        return [replace(rating, language_pair=rating.language_pair or part.language_pair) for rating in ratings]
    return [part.with_role(role)]


def _reading(part: Part, load: Callable[[], tuple[tuple[str, ...], tuple[Note, ...]]]) -> Part:
    try:
        lines, notes = load()
    except ReadError as error:
        return replace(part, problem=str(error))
    return replace(part, lines=lines, notes=part.notes + notes)


def _segments_of(file: File, role: _names.Role) -> tuple[tuple[str, ...], tuple[Note, ...]]:
    """Return the segments of a line file in its role, without what frames every line or surrounds them in a log."""
    lines, notes = lines_of(file)
    refuse_markup(file.label, lines)
    segments, said = logged(file.label, role, lines) or unframed(file.label, lines)
    return segments, notes + said


def loaded(part: Part) -> Part:
    """Return the part with what its file holds in its role, or with the reason why it could not be read."""
    file = part.file
    if file is None:
        return part
    if part.role in ("system", "reference", "source"):
        return _reading(part, lambda: _segments_of(file, part.role))
    if part.role != "parses":
        return _reading(part, lambda: lines_of(file))
    try:
        sentences, notes = sentences_of(file)
    except ReadError as error:
        return replace(part, problem=str(error))
    return replace(part, sentences=sentences, notes=notes)


def of_doubtful_name(label: str, name: str, role: _names.Role) -> tuple[Note, ...]:
    """Return what is said where a name suggests a role that it may not mean."""
    if role == "system" and (word := _names.may_be_about_texts(name)):
        text = f"{label} is read as a system. If it describes the texts, as the word {word!r} suggests, remove it."
        return (Note("warning", text),)
    text = f"{label} is read as a {role}, because of its name. If it is a system, rename it, or put it into systems/."
    if _names.in_doubt(name, role):
        return (Note("warning", text),)
    return (Note("note", text),) if role in ("source", "reference") and _names.is_translated(name) else ()


def ignored(file: File, form: str = "") -> Part:
    """Return a file that plays no role, and what it is."""
    return Part(file.label, "ignored", _names.name_of(file.path.name), file=file, form=form)


@dataclass(frozen=True)
class Placed:
    """A file and the folders that it lies in, below the folder of the whole test set."""

    file: File
    folder: tuple[str, ...]

    @cached_property
    def rating(self) -> RatingFile:
        """The file as one that may hold scores: kept, so that who asks what it holds opens it for who reads it."""
        return RatingFile(self.file, None if self.suffix in {".xlsx", ".parquet"} else self._head)

    @cached_property
    def _head(self) -> Head:
        return head_of(self.file)

    @property
    def head(self) -> bytes:
        """How it begins; nothing where it cannot be read."""
        return self._head.data

    @cached_property
    def name(self) -> str:
        """The file's name."""
        return self.file.path.name

    @cached_property
    def suffix(self) -> str:
        """The suffix of the file's name, in small letters."""
        return _names.suffix_of(self.file.path)

    @property
    def stem(self) -> str:
        """The file's name without its suffix, unless that says what its lines are: set.ref."""
        return self.name if _names.says_role(self.suffix) else self.file.path.stem

    @property
    def has_lines(self) -> bool:
        """Whether it may be a line file, or is a decoder's log, of which lines are taken."""
        return self.suffix not in _names.NOT_LINES or (self.suffix == ".log" and is_log(self.head))

    @property
    def is_about_the_data(self) -> bool:
        """Whether it is a licence, a manual, a back-up copy, or hidden."""
        return _names.is_about_the_data(self.name) or _names.is_copy(self.name)

    @property
    def stands_out(self) -> bool:
        """Whether it lies at the top, or in a folder whose name says what the files in it are."""
        return not self.folder or (len(self.folder) == 1 and _names.role_of_folder(self.folder) is not None)


_OF_DATA = _names.TABLE_SUFFIXES | {".json", ".jsonl", ".xlsx", ".parquet"}


def _damage(placed: Placed) -> str:
    """Return why a file cannot be opened as the data that its name promises; "" if it can, or promises none.

    Of text beyond the size of a head only the head is looked at: for what comes later, no file is left over.
    """
    file, suffix, data = placed.file, placed.suffix, placed.head
    whole = len(data) < HEAD
    if suffix not in _OF_DATA:
        return ""
    try:
        if suffix in {".xlsx", ".parquet"}:
            sheets_of(file)
        elif suffix in {".json", ".jsonl"} and whole:
            json_in(file)
        elif suffix != ".json":
            refuse_markup(file.label, lines_of(file if whole else File(file.label, data[: data.rfind(b"\n") + 1]))[0])
    except ReadError as error:
        return str(error)
    return f"{file.label}, {said}." if whole and (said := placed.rating.stopped_by) else ""


NUMBERS = (
    "it has a number on every line, and other texts have words. If these are scores of a system, name the file "
    "SYSTEM.METRIC.txt, and put it into ratings/"
)


def are_numbers(lines: Sequence[str | None]) -> bool:
    """Return whether all of several lines hold a number each."""
    return len(lines) > 2 and all(line and is_number(line) for line in lines) and any(map(str.isdigit, lines[0] or ""))


_MARKDOWN_TABLE = re.compile(rb"^[ \t]*\|?[ \t]*:?-{3,}:?[ \t]*\|", re.MULTILINE)


def left_over(placed: Placed) -> Part:
    """Return a file that no reader takes, and what is to be said where it lies like one that is meant to be read."""
    label, why = placed.file.label, _names.REFUSED.get(placed.suffix, "")
    level: Literal["note", "warning"] = "warning"
    if _names.is_copy(placed.name):
        said = "its name is that of a back-up or a temporary copy. To use it, rename it"
    elif placed.is_about_the_data:
        return ignored(placed.file)
    elif not why and not placed.folder and _names.is_about_texts(placed.stem):
        level = "note"
        said = "by its name, it describes the texts. If it is the output of a system, put it into systems/"
    elif placed.suffix == ".md" and _MARKDOWN_TABLE.search(placed.head):
        said = "it contains a Markdown table. To use it, save it as .tsv or .csv"
    elif placed.folder and placed.stands_out:
        said = f"it is {why}" if why else "files of its kind are not read. Save its lines as .txt, or remove it"
    elif damage := _damage(placed):
        return replace(ignored(placed.file), problem=damage, notes=(Note(level, f"Ignored: {damage}"),))
    elif not placed.folder and placed.has_lines and are_numbers(placed.head.decode(errors="replace").split("\n")[:-1]):
        said = NUMBERS
    elif not placed.folder and placed.suffix in _OF_DATA and _names.role_of_name(placed.stem) == "system":
        level = "warning" if _names.scale_of(placed.stem) is not None else "note"
        said = (
            f"other files are read instead. If it holds an output, save that as {placed.stem}.txt, one segment per "
            "line; if scores, as a table with the columns system, segment and score"
        )
    else:
        return ignored(placed.file, why)
    return replace(ignored(placed.file, why), notes=(Note(level, f"{label} was ignored: {said}."),))


class Claims(Protocol):
    """A function that selects the files of a form."""

    def __call__(self, files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
        """Return those of the files that are of this form.

        alone: no form has found a system yet, so that a file that could also be about the texts (a table, JSON) may be
        taken for the texts themselves.
        """


@dataclass(frozen=True)
class Marks:
    """Signs that an unopened file may have a format; one sign is enough.

    suffixes: suffixes of the file's name, in lower case. name: a pattern for the whole name. folders: names of folders
    that contain the file, in lower case.
    """

    suffixes: Collection[str] = ()
    name: re.Pattern[str] | None = None
    folders: Collection[str] = ()

    def are_on(self, placed: Placed) -> bool:
        """Return whether a file has one of these signs."""
        return (
            placed.suffix in self.suffixes
            or (self.name is not None and self.name.fullmatch(placed.name) is not None)
            or any(folder.lower() in self.folders for folder in placed.folder)
        )


@dataclass(frozen=True)
class Reader:
    """One form of test set.

    what: the form in words. claims: selects the files of this form. parts: returns a list of parts for each file.
    marks: the reader is used only if some file has one of these; None: always. waits: whether it is used only if no
    other form has found a system, since a table or JSON next to texts rarely holds outputs itself.
    """

    what: str
    claims: Claims
    parts: Callable[[Sequence[Placed]], list[list[Part]]]
    marks: Marks | None = None
    waits: bool = False


def by_suffix(*suffixes: str, at_top: bool = False) -> Claims:
    """Claim files with these suffixes at the top or in a folder of a role.

    Examples
    --------
    >>> from mtsig.readers import by_suffix
    >>> by_suffix(".sgm")([], alone=True)
    []
    """

    def claims(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
        del alone
        return [
            placed
            for placed in files
            if placed.suffix in suffixes
            and (not placed.folder if at_top else placed.stands_out)
            and not placed.is_about_the_data
        ]

    return claims


def or_problem(form: str) -> Callable[[Callable[[File], list[Part]]], Callable[[File], list[Part]]]:
    """Return what makes of a function that reads a file one that returns a part with a problem where it raises."""

    def made(read: Callable[[File], list[Part]]) -> Callable[[File], list[Part]]:
        @wraps(read)
        def reading(file: File) -> list[Part]:
            try:
                return read(file)
            except ReadError as error:
                return [
                    Part(file.label, "system", _names.name_of(file.path.name), problem=str(error), file=file, form=form)
                ]

        return reading

    return made


def placed(files: Sequence[File]) -> list[Placed]:
    """Return the files with their folders below the folder that holds them all."""
    paths = [file.path for file in files]
    depth = _names.shared_depth(paths)
    return [Placed(file, _names.folders_of(path)[depth:]) for file, path in zip(files, paths, strict=True)]


@dataclass(frozen=True, slots=True)
class Passage:
    """One segment of one text. line: where it stands in the file; None as text: this text has no such segment."""

    role: _names.Role
    name: str
    document: str | None
    segment: str
    text: str | None
    line: int
    domain: str | None = None
    original_language: str | None = None


def texts_of(
    file: File, form: str, result: Sequence[Passage], notes: Sequence[Note] = (), language_pair: str | None = None
) -> list[Part]:
    """Return one part for every role and name, in the order of their first passage; notes go with the first."""
    by_text: dict[tuple[_names.Role, str], list[Passage]] = {}
    for passage in result:
        by_text.setdefault((passage.role, passage.name), []).append(passage)
    parts = []
    for number, ((role, name), passages) in enumerate(by_text.items()):
        _check_passages(file.label, passages)
        label = f"{file.label}, {role}" if role == "source" else f"{file.label}, {role} {name!r}"
        lines = tuple(item.text for item in passages)
        said = tuple(notes) if number == 0 else ()
        about = _about(passages)
        parts.append(Part(label, role, name, lines, notes=said, form=form, about=about, language_pair=language_pair))
    return parts


def _check_passages(label: str, passages: Sequence[Passage]) -> None:
    seen: dict[tuple[str | None, str], int] = {}
    for passage in passages:
        key = (passage.document, passage.segment)
        if key in seen:
            document = "" if passage.document is None else f" of document {passage.document!r}"
            raise ReadError(
                f"{label}, line {passage.line}: segment {passage.segment}{document} occurs a second time for "
                f"{passage.role} {passage.name!r}; the first is on line {seen[key]}. Remove one, or number "
                "the segments otherwise."
            )
        seen[key] = passage.line
        check_text(f"{label}, line {passage.line}", passage.text)


def check_text(where: str, text: str | None) -> None:
    """Raise ReadError when a text holds a character that is none: half of a pair, or zero."""
    if text is None:
        return
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ReadError(
            f"{where}: character {error.start + 1} is half of a surrogate pair (U+{ord(text[error.start]):04X}), which "
            "is not a character alone. Write the file again as UTF-8."
        ) from None
    if "\0" in text:
        raise ReadError(f"{where} contains a zero character (U+0000), which is not text. Remove it.")


def unequal_paragraphs(documents: Sequence[str]) -> Note:
    """Return what is said of documents that have another number of paragraphs in one text than in another."""
    shown = ", ".join(documents[:_SHOWN]) + (", …" if len(documents) > _SHOWN else "")
    text = (
        f"Texts differ in their number of paragraphs in {number_of(len(documents), 'document')}, which count as one "
        f"segment each: {shown}."
    )
    return Note("note", text)


_SHOWN = 10
"""Documents that a note lists."""


def _about(passages: Sequence[Passage]) -> About:
    def column(values: list[str | None]) -> tuple[str, ...] | None:
        # Known for some documents only is not known: a slice must not be called by a name nobody gave it.
        return None if None in values else tuple(value or "" for value in values)

    return About(
        documents=column([passage.document for passage in passages]),
        ids=tuple(passage.segment for passage in passages),
        domains=column([passage.domain for passage in passages]),
        original_languages=column([passage.original_language for passage in passages]),
    )
