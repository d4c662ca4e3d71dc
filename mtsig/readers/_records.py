"""Records: rows or objects with named fields go in; the texts they hold come out, in whichever of three ways they lie.

Wide: one record a segment, one field a text. Long: one record an output, with a field that names the system. Of one
system: records of segments or of whole documents, the system being called like the file.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from mtsig._limits import refuse_above
from mtsig._memory import held
from mtsig.corpus import Note
from mtsig.corpus._notes import is_sample, listed, quoted
from mtsig.errors import ReadError
from mtsig.readers import _names, _parts
from mtsig.readers._files import File

T = TypeVar("T")


@dataclass(frozen=True)
class Record:
    """One row or object: where it stands, and its texts by name; None where a field is absent or null."""

    line: int
    texts: Mapping[str, str | None]


@dataclass(frozen=True)
class Field:
    """One field of all records: the role of the text it holds, and what that goes by."""

    key: str
    role: _names.Role
    name: str


def keys_of(label: str, records: Sequence[Record]) -> list[str]:
    """Return the names of all fields, in the order of their first record."""
    keys: dict[str, None] = {}
    for record in records:
        keys |= dict.fromkeys(record.texts)
        refuse_above("max_columns", len(keys), f"{label}, line {record.line}", what="names of fields")
    refuse_above("max_cells", len(keys) * len(records), label)
    return list(keys)


def first_of(keys: Sequence[str], wanted: set[str]) -> str | None:
    """Return the first field whose plain name is one of those wanted."""
    return next((key for key in keys if _names.plain_name(key) in wanted), None)


def of_answers(
    file: File, keys: Sequence[str], records: Sequence[Record], notes: Sequence[Note]
) -> tuple[Sequence[str], list[Record], Sequence[Note]]:
    """Return the answers of an assistant as outputs, where records are messages and a field says whose each is.

    Beside the source or reference of each, a role says no more than who speaks there.
    """
    role, text = first_of(keys, {"role", "from"}), first_of(keys, {"content", "text", "value", "message"})
    kinds = [(record.texts.get(role or "") or "").strip().lower() for record in records]
    turns = [kind in _names.ANSWERING for kind in kinds if kind not in _names.SETTING]
    answers = [record for record, kind in zip(records, kinds, strict=True) if kind in _names.ANSWERING]
    known = [key for key in keys if _names.role_of_column(key) in {"source", "reference"}]
    if role is None or text is None or sum(any(map(one.texts.get, known)) for one in records) > len(answers):
        return keys, list(records), notes
    if set(kinds) <= _names.SPEAKING and answers and turns in ([True] * len(answers), [False, True] * len(answers)):
        called = text if first_of(keys, _names.OUTPUTS) else "output"
        names = {key: called if key == text else key for key in keys if key != role}
        kept = [replace(one, texts={name: one.texts.get(key) for key, name in names.items()}) for one in answers]
        said = f"{file.label}: {len(kept):,} answers of an assistant were read as outputs; other messages were ignored."
        return keys_of(file.label, kept), kept, (*notes, Note("note", said)) if len(kept) < len(records) else notes
    if set(kinds) <= _names.SPEAKING or (len(set(kinds)) > 1 and _names.plain_name(role) == "role"):
        raise ReadError(
            f"{file.label}: expected one text of a segment in each record, or questions and answers by turns; "
            f"{role!r} has {listed(list(map(repr, dict.fromkeys(kinds))), most=5)}. Write one record per segment, with "
            "a field for each text: source, ref, and the systems."
        )
    return keys, list(records), notes


def system_field(keys: Sequence[str], records: Sequence[Record]) -> str | None:
    """Return the field that names the system of every record; None where there is none.

    `model` names systems where it says several things, each of more than one record, and records of one segment say
    different ones. Otherwise it holds the texts of a system, or what one system was made with: the same of all
    records, or for every segment what answered there.
    """
    named, model = first_of(keys, _names.SYSTEMS - _names.MODELS), first_of(keys, _names.MODELS)
    if (
        named is not None
        and output_field(keys, records) is None
        and are_sentences([record.texts.get(named) for record in records])
    ):
        named = None  # the outputs of a system that is called so
    if named is not None and len({record.texts.get(named) for record in records}) > 1:
        return named
    if told := _told_by_texts(keys, records):
        return told
    if named is not None or model is None:
        return named
    counts = Counter(record.texts.get(model) for record in records)
    several = len(counts) > 1 and None not in counts and min(counts.values()) > 1
    number, document = first_of(keys, _names.COUNTERS - {""}), first_of(keys, _names.DOCUMENTS) or ""
    numbers = Counter((record.texts.get(document), record.texts.get(number or "")) for record in records)
    return model if several and (number is None or max(numbers.values()) > 1) else None


def _told_by_texts(keys: Sequence[str], records: Sequence[Record]) -> str | None:
    """Return the field of unknown name that names systems: each of its labels stands beside all the same sources."""
    output = output_field(keys, records)
    texts = [key for key in keys if _names.role_of_column(key) in {"source", "reference"} and key != output]
    if output is None or not texts:
        return None
    for key in keys:
        role = _names.role_of_column(key)
        if key == output or role not in {"system", "ignored"} or _names.plain_name(key) in _names.RATERS:
            continue
        beside: dict[str | None, list[tuple[str | None, ...]]] = {}
        for record in records:
            beside.setdefault(record.texts.get(key), []).append(tuple(record.texts.get(text) for text in texts))
        if 1 < len(beside) <= len(records) / _FEW and None not in beside:
            first, *others = map(Counter, beside.values())
            if all(other == first for other in others):
                return key
    return None


def output_field(keys: Sequence[str], records: Sequence[Record]) -> str | None:
    """Return the field of the outputs where another names their systems: one that says so, or holds no numbers."""
    maybe = first_of(keys, _names.MAYBE_OUTPUTS) or ""
    known = first_of(keys, _names.OUTPUTS) or first_of(keys, _names.TARGETS)
    held = [record.texts.get(maybe) for record in records]
    return known or (maybe if any(held) and not _all_numbers(held) else None)


def are_sentences(texts: Sequence[str | None]) -> bool:
    """Return whether most texts have more words than a name has, and many differ."""
    return 2 * sum(_has_words(text or "") for text in texts) > len(texts) < 50 * len(set(texts))


_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]")


def _has_words(text: str) -> bool:
    """Return whether a text has more than three words; of scripts that put no spaces between them, letters tell."""
    return len(text.split()) > 3 or len(_UNSPACED.findall(text)) > 6


NUMBER = re.compile(r"\d+")


def are_ids(names: Collection[str]) -> bool:
    """Return whether names are ids of segments: alike, but for their numbers."""
    return len({NUMBER.sub("0", name) for name in names}) == 1 and any(map(NUMBER.search, names))


def turned(label: str, rows: Sequence[Sequence[Any]]) -> tuple[list[list[str]], Note] | None:
    """Return a table whose rows are texts with a row per segment, and what is said of it; None for other tables.

    Its first column names the texts, and its first row the segments, if these are named at all. Where nothing tells
    whether the rows are texts or segments, it is refused.
    """
    head, below = rows[0], rows[1:]
    if len(head) < 3 or not below:
        return None
    named = not (_is_shared(head[0]) and are_sentences(head[1:]))
    if named and not are_ids(head[1:]):
        return None
    texts = below if named else rows
    if not all(len(row) == len(head) and all(isinstance(cell, str) for cell in row) for row in texts):
        return None
    names = [row[0].strip() for row in texts]
    if len(set(names)) < len(names) or "" in names or are_sentences(names) or not are_sentences(texts[0][1:]):
        return None
    if not any(map(_is_shared, names)) and _names.plain_name(head[0]) not in _names.SYSTEMS:
        if len(head) <= len(rows) or are_ids(names) or _names.role_of_column(head[0]) in {"documents", "domains"}:
            return None
        raise ReadError(
            f"{label}: expected a row for each segment; got rows called {listed(names, most=3)}, and columns called "
            f"{listed(head[1:], most=3)}. Write a row for each segment, or call the first column system if rows are "
            "systems."
        )
    table = [names, *map(list, zip(*(row[1:] for row in texts), strict=True))]
    if named:
        table = [[ID, *names], *([key, *row] for key, row in zip(head[1:], table[1:], strict=True))]
    text = f"{label}: its rows were read as texts, such as {listed(names, most=3)}, and its columns as segments."
    return table, Note("note", text)


ID = "id"
"""What the column of segments' ids is called in a table that was turned."""


def _is_shared(name: Any) -> bool:
    return isinstance(name, str) and _names.role_of_column(name) in {"source", "reference"}


_asked: ContextVar[str | None] = ContextVar("asked", default=None)


def asking(pair: str) -> AbstractContextManager[None]:
    """Read one language pair for as long as the context lasts: others cost little, and count under no limit."""
    return held(_asked, pair)


def of_asked_pair(items: Callable[[], Iterable[T]], pair_of: Callable[[T], str | None]) -> Iterable[T]:
    """Return the rows or objects of a file: of other pairs than the one that is asked for only the first of each.

    All of them where none is asked for, or the file has none of it. pair_of: None where one has no pair.
    """
    asked = _asked.get()
    if asked is None or not any(pair_of(item) == asked for item in items()):
        return items()
    return _firsts_of_others(items(), pair_of, {asked, None})


def _firsts_of_others(
    items: Iterable[T], pair_of: Callable[[T], str | None], wanted: Collection[str | None]
) -> Iterator[T]:
    known = set[str | None]()
    for item in items:
        pair = pair_of(item)
        if pair in wanted or pair not in known:
            known.add(pair)
            yield item


def by_language_pair(label: str, keys: Sequence[str], records: Sequence[Record]) -> dict[str | None, list[Record]]:
    """Return the records by what a field of language pairs says; all together where there is none, or it says one."""
    key = _names.pair_column(keys, whole=True)
    groups: dict[str | None, list[Record]] = {}
    for record in records:
        pair = None if key is None else (record.texts.get(key) or "").strip() or None
        groups.setdefault(pair, []).append(record)
    refuse_above("max_columns", len(groups), label, what="language pairs")
    return groups if len(groups) > 1 else {None: list(records)}


def of_language_pair(parts: Sequence[_parts.Part], pair: str | None) -> list[_parts.Part]:
    """Return the parts as those of one of several language pairs in a file."""
    if pair is None:
        return list(parts)
    return [replace(part, label=f"{part.label}, {pair}", language_pair=pair) for part in parts]


def ratings_unread(file: File, keys: Sequence[str]) -> _parts.Part:
    """Return ratings that no reader of ratings took as a part that says what is missing."""
    counted = first_of(keys, _names.COUNTERS | _names.DOCUMENTS) is not None
    shown = ", ".join(keys[:6]) + (", …" if len(keys) > 6 else "")
    lacking = "" if counted else " without a column that says which segment each row is of, such as segment"
    return _parts.ignored(file, f"ratings or annotations{lacking}: {shown}")


def are_ratings(keys: Sequence[str], system: str | None, records: Sequence[Record]) -> bool:
    """Return whether records with these fields hold ratings or annotations of systems rather than their texts.

    system: the field that names the system, as `system_field` finds it.
    """
    return system is not None and (
        output_field(keys, records) is None or first_of(keys, _names.ANNOTATIONS) is not None
    )


def wide_fields(file: File, keys: Sequence[str]) -> list[Field]:
    """Return the fields with their roles; a lone field such as `hypothesis` holds the system called like the file."""
    roles = _names.of_one_source([(key, _names.role_of_column(key)) for key in keys])
    systems = [key for key, role in zip(keys, roles, strict=True) if role == "system"]
    generic = [key for key in keys if {(name := _names.plain_name(key)), name.removesuffix("s")} & _names.OUTPUTS]
    if len(systems) == 1 and _names.plain_name(systems[0]).removesuffix("s") in _names.MAYBE_OUTPUTS:
        generic = systems
    lone = generic[0] if len(generic) == 1 else None
    return [
        Field(key, "system", _names.name_of(file.path.name)) if key == lone else Field(key, role, key)
        for key, role in zip(keys, roles, strict=True)
    ]


def long_passages(file: File, keys: Sequence[str], system_key: str, records: Sequence[Record]) -> list[_parts.Passage]:
    """Return the passages of records that each name their system, in the field `system_key`.

    Segments are known by the fields of documents and numbers; without these, by their order within a system.
    """
    output_key = output_field(keys, records) or ""
    shared = [
        field for field in wide_fields(file, keys) if field.role in {"source", "reference"} and field.key != output_key
    ]
    passages: list[_parts.Passage] = []
    texts: dict[tuple[_names.Role, str, str | None, str], _parts.Passage] = {}
    for record, (document, segment) in zip(records, _places(keys, system_key, records), strict=True):
        where = f"{file.label}, line {record.line}"
        system, text = record.texts.get(system_key), record.texts.get(output_key)
        if not system or not system.strip():
            raise ReadError(f"{where}: the field {system_key!r} names no system. Fill it in, or remove the record.")
        if text is None:
            raise ReadError(
                f"{where}: the field {output_key!r} contains no text for system {system!r}. Write "
                'an empty output as "".'
            )
        about = (
            record.texts.get(first_of(keys, _names.DOMAINS) or ""),
            record.texts.get(first_of(keys, _names.ORIGINAL_LANGUAGES) or ""),
        )
        passages.append(_parts.Passage("system", system.strip(), document, segment, text, record.line, *about))
        for name in shared:
            passage = _parts.Passage(
                name.role, name.name, document, segment, record.texts.get(name.key), record.line, *about
            )
            before = texts.setdefault((name.role, name.name, document, segment), passage)
            if before.text != passage.text:
                raise ReadError(
                    f"{where}: the {name.role} {name.name!r} of this segment is {quoted(passage.text)}, but "
                    f"{quoted(before.text)} on line {before.line}. Make them the same, or number the segments."
                )
    return [*texts.values(), *passages]


def long_texts(
    file: File, form: str, keys: Sequence[str], system_key: str, records: Sequence[Record], notes: Sequence[Note]
) -> list[_parts.Part]:
    """Return the texts of records that each name their system; fields of texts that play no role are told."""
    used = {system_key, output_field(keys, records), first_of(keys, _names.TARGETS), first_of(keys, _names.DOCUMENTS)}
    unknown = []
    for field in wide_fields(file, keys):
        lines = [record.texts.get(field.key) for record in records]
        if field.role == "system" and field.key not in used and are_sentences(lines):
            unknown.append(field.key)
    if unknown:
        notes = (*notes, Note("note", f"{file.label}: texts of unknown role were ignored: {', '.join(unknown)}."))
    return _parts.texts_of(file, form, long_passages(file, keys, system_key, records), notes)


def _places(keys: Sequence[str], system_key: str, records: Sequence[Record]) -> Iterator[tuple[str | None, str]]:
    """Yield document and number of the segment of every record."""
    document_key = first_of(keys, _names.DOCUMENTS)
    systems = [record.texts.get(system_key) for record in records]
    columns = {key: [record.texts.get(key) for record in records] for key in keys
               if _names.plain_name(key) in _names.COUNTERS - {""}}  # fmt: skip
    # What numbers the rows of several systems, as pandas does, numbers no segments.
    able = [key for key, own in columns.items() if len(set(own)) < len(own) or len(set(systems)) == 1]
    documents = [record.texts.get(document_key or "") for record in records]
    apart = (key for key in able if len({*zip(systems, documents, columns[key], strict=True)}) == len(records))
    number_key = next(apart, next(iter(able), None))
    counts: dict[tuple[str | None, str | None], int] = {}
    for record in records:
        document = None if document_key is None else record.texts.get(document_key)
        number = None if number_key is None else record.texts.get(number_key)
        if number is None:
            key = (record.texts.get(system_key), document)
            counts[key] = counts.get(key, 0) + 1
            number = str(counts[key])
        yield document, number


def by_languages(
    file: File, form: str, fields: Sequence[Field], records: Sequence[Record], notes: Sequence[Note] = ()
) -> list[_parts.Part]:
    """Return one part a field; where fields are called by languages, these are source and reference.

    Of two languages the first is the source, unless the name of the file says otherwise; of more every pair is a set.
    """
    fields, decided = _settled(file, fields, records)
    notes = (*notes, *decided)
    spoken = {language: field for field in fields if (language := _names.language_in(field.key))}
    others = [field for field in fields if field not in spoken.values()]
    if len(spoken) < 2 or any(field.role in {"source", "reference"} for field in others):
        return wide_parts(file, form, fields, records, notes)
    pairs = [(source, target) for source in spoken for target in spoken if source != target]
    if len(spoken) == 2:
        pieces = set(re.split(r"[./ ]", file.path.as_posix()))
        named = [pair for pair in pairs if {"-".join(pair), "_".join(pair)} & pieces]
        pairs = [named[0] if len(named) == 1 else pairs[0]]
        said = f"{file.label}: {pairs[0][0]} was read as the source, {pairs[0][1]} as the reference."
        notes = (*notes, Note("note", said))
    pairs = [pair for pair in pairs if "-".join(pair) == _asked.get()] or pairs
    cells = len(pairs) * (len(others) + 2) * len(records)
    what = f"cells in {len(pairs):,} pairs of {len(spoken)} languages (keep the columns of the languages that you need)"
    refuse_above("max_cells", cells, file.label, what=what)
    parts: list[_parts.Part] = []
    for source, target in pairs:
        texts = [Field(spoken[source].key, "source", "source"), Field(spoken[target].key, "reference", "ref")]
        held = [record for record in records if record.texts.get(spoken[source].key) is not None]
        own = wide_parts(file, form, [*others, *texts], held, () if parts else notes)
        pair = f"{source}-{target}"
        parts += of_language_pair(own, pair) if len(spoken) > 2 else [replace(part, language_pair=pair) for part in own]
    return parts


def _settled(file: File, fields: Sequence[Field], records: Sequence[Record]) -> tuple[list[Field], list[Note]]:
    """Return the fields, those whose role depends on the others in it, and what is said of each.

    A target beside a reference, or beside texts in two languages, is an output. A field that may be a reference, or a
    source, is it where no other is; so is a lone text that is called by its language.
    """
    found = {field.key: field for field in fields}
    open_ones = [field for field in fields if field.role in {"system", "ignored"}]
    spoken = [field for field in open_ones if _names.language_in(field.key)]
    references = [field for field in fields if field.role == "reference"]
    targets = [field for field in references if _names.is_target(field.key)]
    notes = []

    def decide(field: Field, role: _names.Role, name: str, why: str) -> None:
        found[field.key] = Field(field.key, role, name)
        what = "an output" if role == "system" else f"the {role}"
        text = f"{file.label}: {field.key!r} was read as {what}, {why}. If that is wrong, rename it."
        notes.append(Note("note", text))

    if len(targets) == 1 and (len(references) > 1 or len(spoken) == 2):
        others = [field for field in fields if field.role == "system" and field not in spoken]
        name = targets[0].key if others else _names.name_of(file.path.name)
        beside = "two languages" if len(references) == 1 else "a reference"
        decide(targets[0], "system", name, f"because it is next to {beside}")
    # What a model learns by is called a label: beside what it predicts, that is the reference, however short.
    predicted = any(_names.plain_name(field.key) in {"predict", "prediction", "predictions"} for field in open_ones)
    labels = {field.key for field in open_ones if predicted and _names.plain_name(field.key) in {"label", "labels"}
              and not _all_numbers([record.texts.get(field.key) for record in records])}  # fmt: skip
    # Beside what was generated, a text is what it was generated from.
    generated = [field.key for field in open_ones if _names.plain_name(field.key) in _names.MAYBE_OUTPUTS - {"text"}]
    inputs = {field.key for field in open_ones if generated and _names.plain_name(field.key) == "text"}
    for role, may_be in _names.MAYBE_ROLES.items():
        having = [field for field in found.values() if field.role == role]
        maybe = [field for field in open_ones
                 if (may_be.fullmatch(_names.plain_name(field.key)) or (role == "source" and field.key in inputs))
                 and (field.key in labels
                      or are_sentences([record.texts.get(field.key) for record in records]))]  # fmt: skip
        left = [field for field in found.values() if field.role == "system" and field not in (*maybe, *spoken)]
        if not having and len(maybe) == 1 and left and len(spoken) < 2:
            decide(maybe[0], role, role if role == "source" else maybe[0].name, "because no other column is")
    systems = [field for field in found.values() if field.role == "system"]
    if (
        len(systems) == 1
        and systems[0].name == systems[0].key
        and _names.plain_name(systems[0].key) in _names.MAYBE_OUTPUTS
    ):
        found[systems[0].key] = replace(systems[0], name=_names.name_of(file.path.name))
    roles: tuple[_names.Role, ...] = ("source", "reference")
    lacking = [role for role in roles if all(field.role != role for field in found.values())]
    if len(spoken) == len(lacking) == 1:
        decide(spoken[0], lacking[0], spoken[0].key, "because its name is a language")
    elif len(spoken) > 1 and len(lacking) == 1:
        named = " and ".join(repr(field.key) for field in spoken[:2])
        raise ReadError(
            f"{file.label}: the columns {named} are named after languages, but the {lacking[0]} is missing. Rename "
            f"the column of the {lacking[0]} to {lacking[0]}."
        )
    return list(found.values()), notes


def wide_parts(
    file: File, form: str, fields: Sequence[Field], records: Sequence[Record], notes: Sequence[Note] = ()
) -> list[_parts.Part]:
    """Return one part a field; where one of unknown name holds numbers or what is about the texts, it is ignored."""
    columns = {entry.key: tuple(record.texts.get(entry.key) for record in records) for entry in fields}
    # In an exercise of counting, references are numbers too.
    counting = any(_all_numbers(columns[entry.key]) for entry in fields if entry.role in {"reference", "source"})
    about = _numbered(fields, columns)
    notes = (*notes, *_repeated_numbers(file, fields, columns, about))
    different = {key: len(set(column)) for key, column in columns.items()}
    (_, most), (_, second) = (Counter(different).most_common(2) + [("", 0)] * 2)[:2]
    parts = []
    for number, field in enumerate(fields):
        lines = columns[field.key]
        about_it = None
        if field.role == "system":
            scores = not counting and _all_numbers(lines)
            others = second if different[field.key] == most else most
            wordless = not counting and not any(map(str.isalpha, "".join(filter(None, lines)))) and any(lines)
            about_it = "scores" if scores else "no words" if wordless else _about_texts(field, lines, others)
        role: _names.Role = field.role if about_it is None else "ignored"
        _check_column(file, field, role, records, lines)
        label = f"{file.label}, column {field.key!r}"
        said = (*(notes if number == 0 else ()), *_parts.of_doubtful_name(label, field.name, role))
        parts.append(_parts.Part(label, role, field.name, lines, notes=said, form=about_it or form, about=about))
    systems = [part.name for part in parts if part.role == "system"]
    if len(systems) > 1 and all(part.role != "reference" for part in parts):
        text = (
            f"{file.label}: no column is called like a reference, so {listed(systems[:4])}{', …' * (len(systems) > 4)} "
            "were read as systems. If one of them is the reference, rename it to ref."
        )
        parts[0] = replace(parts[0], notes=(*parts[0].notes, Note("note", text)))
    return parts


def _numbered(fields: Sequence[Field], columns: Mapping[str, tuple[str | None, ...]]) -> _parts.About | None:
    """Return documents and numbers of the segments, when together they name every segment once."""
    keys = [field.key for field in fields]
    number, document = first_of(keys, _names.COUNTERS - {""}), first_of(keys, _names.DOCUMENTS)
    if number is None:
        return None
    ids = columns[number]
    documents = None if document is None else columns[document]
    if None in ids or (documents is not None and None in documents):
        return None
    if len(set(ids if documents is None else zip(documents, ids, strict=True))) < len(ids):
        return None
    if documents is None and all(_SEPARATOR.search(one or "") for one in ids):
        documents = tuple(_SEPARATOR.split(one or "")[-2] for one in ids)
    return _parts.About(
        documents=None if documents is None else tuple(str(item) for item in documents),
        ids=tuple(str(index) for index in ids),
    )


def _repeated_numbers(
    file: File, fields: Sequence[Field], columns: dict[str, tuple[str | None, ...]], about: _parts.About | None
) -> tuple[Note, ...]:
    """Return a note where a column of numbers does not tell segments apart, so that their order has to."""
    key = first_of([field.key for field in fields], _names.COUNTERS - {""})
    if key is None or about is not None:
        return ()
    counts = Counter(columns[key])
    twice, count = counts.most_common(1)[0]
    said = "has empty cells" if None in counts else f"has {twice!r} in {count} rows"
    text = f"{file.label}: the column {key!r} {said}, so it does not identify segments; rows were used in their order."
    return (Note("note", text),)


_VERDICT = re.compile(r"\[(PASS|FAIL|ERROR)\]")


def _check_column(
    file: File, field: Field, role: _names.Role, records: Sequence[Record], lines: Sequence[str | None]
) -> None:
    if role == "system" and all(line and _VERDICT.match(line) for line in lines):
        raise ReadError(
            f"{file.label}, {field.key!r}: promptfoo marks each answer as [PASS] or [FAIL] in its tables, so they "
            "contain no plain texts. Save its results as JSON (--output out.json)."
        )
    for record, line in zip(records, lines, strict=True):
        where = f"{file.label}, line {record.line}, {field.key!r}"
        _parts.check_text(where, line)
        if line is None and role not in {"ignored", "reference"} and not is_sample(field.name):
            raise ReadError(f'{where}: the text is missing; write an empty text as "".')


def _about_texts(field: Field, lines: Sequence[str | None], others: int) -> str | None:
    """Return what a field of unknown name holds when that is about the texts and none of them; None when it may be one.

    others: how many different lines the field among the others has that has the most.
    A model, a filter or a language stands the same in every row, a category is one of a few, a digest is a digest.
    """
    known = [line.strip() for line in lines if line is not None and line.strip()]
    if field.key.rpartition(".")[0] or _names.plain_name(field.key) in _names.OUTPUTS or not known:
        return None
    if all(_CODE.fullmatch(line) for line in known):
        return "digests or addresses"
    if all(line[0] in "[{" and line[-1] in "]}" for line in known) and not are_sentences(known):
        return "lists or objects"
    different = len(set(known))
    if len(known) >= _MANY and different == len(known) and all(map(_ID.fullmatch, known)):
        return "ids"
    if len(known) >= _FEW and different == 1 and others >= _FEW:
        return f"the same in every row: {quoted(known[0])}"
    short = max(map(len, known)) <= _LABEL
    if short and len(known) >= _MANY * different and others >= _FEW * different:
        return f"labels: {different} in {len(known):,} rows"
    return None


_CODE = re.compile(r"(sha\d+:)?[0-9a-f]{32,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|https?://\S+", re.IGNORECASE)
"""What no translation is made of: digests, UUIDs and addresses."""

_ID = re.compile(r"(?=.*\d)[\w.:/#-]+", re.ASCII)

_FEW, _MANY, _LABEL = 3, 20, 40
"""What stands the same in so many rows while others differ is no translation, nor what does in so many on average and
has no more signs than this."""


def _all_numbers(lines: Sequence[str | None]) -> bool:
    values = [line.strip() for line in lines if line is not None and line.strip() not in {"", "None"}]
    try:
        return bool(values) and all(np.isfinite(float(value)) for value in values)
    except ValueError:
        return False


def texts_of_records(
    file: File, form: str, keys: Sequence[str], records: Sequence[Record], notes: Sequence[Note] = ()
) -> list[_parts.Part]:
    """Return the texts of the rows of a table; a table of ratings is one ignored part that says so."""
    keys, records, notes = of_answers(file, keys, records, notes)
    system = system_field(keys, records)
    if are_ratings(keys, system, records):
        return [ratings_unread(file, keys)]
    result: list[_parts.Part] = []
    for pair, own in by_language_pair(file.label, keys, records).items():
        said = () if result else notes
        if system is not None:
            parts = long_texts(file, form, keys, system, own, said)
        else:
            parts = by_languages(file, form, wide_fields(file, keys), own, said)
        result += of_language_pair(parts, pair)
    return result


_SEPARATOR = re.compile(r"_#+_")
"""WMT25's ids: LP_#_DOMAIN_#_NAME; WMT26's have _###_ and more before the name."""

Document = tuple[str, str | None, str | None]
"""Name, domain and original language."""


def documents_of(keys: Sequence[str], records: Sequence[Record]) -> list[Document]:
    """Return name, domain and original language of the document that each record is."""
    name, domain, language = (
        first_of(keys, kind) or "" for kind in (_names.DOCUMENTS, _names.DOMAINS, _names.ORIGINAL_LANGUAGES)
    )
    documents = []
    for record in records:
        whole = record.texts.get(name) or ""
        pieces = _SEPARATOR.split(whole)
        said = pieces[1] if len(pieces) == 3 else None
        # WMT25's files of scores call the talk XXX that its files of outputs call vid_XXX.
        own = pieces[-1].removeprefix("vid_") if said == "speech" else pieces[-1]
        documents.append((own, record.texts.get(domain) or said, record.texts.get(language)))
    return documents


def in_paragraphs(
    label: str, fields: Sequence[Field], documents: Sequence[Document], records: Sequence[Record]
) -> tuple[list[_parts.Passage], list[Note]]:
    """Return the paragraphs of every text, split at blank lines, and what is to be said of them.

    A document with another number of paragraphs in one text than in another is one segment.
    """
    passages = []
    total = 0
    whole = []
    for record, (name, domain, language) in zip(records, documents, strict=True):
        texts = [(field, record.texts.get(field.key)) for field in fields]
        for field, text in texts:
            if text is None and field.role != "reference":
                raise ReadError(
                    f"{label}, line {record.line}: document {name!r} has no {field.key!r}; "
                    "expected a text. Add it, or leave the document out everywhere."
                )
        split = [(field, text.split("\n\n")) for field, text in texts if text is not None]
        if len({len(paragraphs) for _, paragraphs in split}) > 1:
            split = [(field, ["\n\n".join(paragraphs)]) for field, paragraphs in split]
            whole.append(name)
        for field, paragraphs in split:
            passages += [
                _parts.Passage(field.role, field.name, name, str(number), paragraph, record.line, domain, language)
                for number, paragraph in enumerate(paragraphs, 1)
            ]
        total += len(split[0][1]) if split else 0
    said = Note("note", f"{label}: {len(records)} documents were split at blank lines into {total} paragraphs.")
    return passages, [said, _parts.unequal_paragraphs(whole)] if whole else [said]
