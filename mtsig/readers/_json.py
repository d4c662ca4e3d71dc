"""JSON and JSON lines: objects with named texts, one a segment, an output or a document.

Read as they are: one object a segment with a field per text; one object an output with the name of its system; one file
a system, its objects segments or whole documents (WMT25: paragraphs separated by a blank line); COMET's `--to_json`
(system -> its segments) and any other with a table for each system, whatever lies around it; columns (name -> lines);
lists of texts.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any, TypeAlias

from mtsig._limits import refuse_above
from mtsig.corpus import Note
from mtsig.corpus._notes import listed, quoted
from mtsig.errors import ReadError
from mtsig.readers import _answers, _names, _records
from mtsig.readers._files import File, Object, json_in, objects_in
from mtsig.readers._parts import Part, Passage, Placed, ignored, or_problem, scores_beside, texts_of
from mtsig.readers._records import keys_of
from mtsig.readers._runs import LookAlike, look_alike
from mtsig.readers._scored import GENERIC

FORM = "JSON"

_TEXT_OF_SETS = re.compile(rb'\s*\{\s*"doc_id"\s*:')


def json_claims(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
    """Return the files of JSON that stand out; beside other texts those that lie in systems/ or refs/.

    Beside outputs in JSON, a file of documents at the top has their sources and references, as WMT's has.
    """
    mine = [one for one in files if one.suffix in (".json", ".jsonl") and one.stands_out and not one.is_about_the_data]
    if alone:
        return mine
    sorted_out = any(_names.role_of_folder(one.folder) == "system" for one in mine)
    return [one for one in mine if one.folder or (sorted_out and _TEXT_OF_SETS.match(one.head) and _has_sources(one))]


def _has_sources(placed: Placed) -> bool:
    """Return whether the first object has a source, and no output."""
    first = placed.rating.first_object
    keys = set(map(_names.plain_name, first))
    return bool(keys & _names.SOURCES) and not keys & (_names.OUTPUTS | _names.TARGETS | {"scores", "hyps"})


def json_files(files: Sequence[Placed]) -> list[list[Part]]:
    """Return the texts of every file; one that cannot be understood is a part with a problem."""
    return [_with_scores(placed, _texts_of_file(placed)) for placed in files]


def _with_scores(placed: Placed, parts: list[Part]) -> list[Part]:
    """Return the parts and the scores beside them; scores that lie in the file in another way are told."""
    scores = scores_beside(placed)
    is_read = any(part.role == "system" and part.problem is None for part in parts)
    if scores or not is_read or not any(_is_score(key.decode()) for key in {*_KEYS.findall(placed.head)}):
        return [*parts, *scores]
    content, _ = json_in(placed.file)
    left = dict.fromkeys(_scores_in(content if isinstance(content, dict) else content[0][1]))
    left = {name: None for name in left if not any(part.role == "ignored" and part.name == name for part in parts)}
    if not left:
        return parts
    text = (
        f"{placed.file.label}: its scores were ignored ({listed(list(left), most=_SHOWN)}). To use them, save them as "
        "a table with the columns system, segment and score in ratings/."
    )
    return [replace(parts[0], notes=(*parts[0].notes, Note("warning", text))), *parts[1:]]


_KEYS = re.compile(rb'"([^"\\\x80-\xff]{1,40})"\s*:')


def _is_score(key: str) -> bool:
    return _names.plain_name(key) in GENERIC | {"metrics"} or _names.scale_of(key) is not None


def _scores_in(held: Any, name: str = "") -> Iterator[str]:
    """Yield what numbers are called that lie in or below a field called like a score; of a list the first tells."""
    if isinstance(held, dict):
        for key, own in held.items():
            yield from _scores_in(own, key if _is_score(key) else name)
    elif isinstance(held, list):
        yield from _scores_in(held[0] if held else None, name)
    elif name and isinstance(held, int | float) and not isinstance(held, bool):
        yield name


def _texts_of_file(placed: Placed) -> list[Part]:
    """Return the texts; in a folder that says that it has some, a file that holds none is no file beside the texts."""
    parts = json_parts(placed.file)
    return [replace(part, role="system") if part.problem is not None and placed.folder else part for part in parts]


def _held(file: File) -> tuple[list[tuple[int, Any]] | dict[str, Any], tuple[Note, ...]]:
    """Return the objects of a file, or the texts of a list, or the one object that it is."""
    content, notes = json_in(file)
    if isinstance(content, dict):
        return content, notes
    values = [value for _, value in content]
    if values and all(isinstance(value, str) for value in values):
        return content, notes
    if all(isinstance(value, list) and _answers.is_said(value) for value in values):
        return [(number, {"messages": value}) for number, value in content], notes
    if _answers.are_objects(values) and all(len(one) == 1 and _is_texts(*one.values()) for one in values):
        whole = {key: own for one in values for key, own in one.items()}
        if len(whole) == len(values) > 1:
            return whole, notes
    rows = _table_in(file.label, values)
    return objects_in(file.label, list(enumerate(rows, 1)) if rows and rows is not values else content), notes


@or_problem(FORM)
def json_parts(file: File) -> list[Part]:
    """Return the texts of one file."""
    content, notes = _held(file)
    if isinstance(content, dict):
        return _of_object(file, content, notes)
    if isinstance(content[0][1], str):
        return _of_one_text(file, {str(number): text for number, text in content}, notes)
    return _of_objects(file, content, notes)


def _of_object(file: File, content: dict[str, Any], notes: Sequence[Note]) -> list[Part]:
    """Return the texts of the one object that a file is, or of one for each of its language pairs."""
    if (alike := look_alike(content)) is not None:
        return [_not(file, alike)]
    if len(content) > 2 and _records.are_ids(content) and all(isinstance(text, str) for text in content.values()):
        return _of_one_text(file, content, notes)
    content = {key: _documents_in(own) if key.lower() in _DOCUMENTS else own for key, own in content.items()}
    if (
        len(content) > 1
        and all(map(_PAIR.fullmatch, content))
        and all(isinstance(own, dict) for own in content.values())
    ):
        return [part for pair, own in content.items()
                for part in _records.of_language_pair(_of_object(file, own, notes), pair)]  # fmt: skip
    if (systems := _systems_in(file.label, content)) and (parts := _of_systems(file, systems, notes)):
        return parts
    if objects := _table_in(file.label, content):
        return _of_objects(file, list(enumerate(objects, 1)), notes)
    if scores := _only_scores(file, content):
        return [scores]
    lists = [*islice(_lists_in(content, ""), _SHOWN)]
    where = f"; its lists are {listed(lists)}" if lists else ""
    return [ignored(file, f"JSON of another kind, with {_listed(list(content))}{where}")]


def _only_scores(file: File, held: Any) -> Part | None:
    """Return a file without texts that holds scores, with what to do; None where it holds none."""
    if not (names := [*dict.fromkeys(_scores_in(held))]):
        return None
    said = f"{file.label} contains scores ({listed(names, most=_SHOWN)}) inside of other objects, and no texts"
    todo = "Save them as a table with the columns system, segment and score in ratings/, next to the texts."
    return replace(ignored(file, "scores inside of other objects"), problem=f"{said}. {todo}")


_SHOWN = 4
"""Lists that are named of a file in which nothing is known."""


def _lists_in(held: Any, path: str) -> Iterator[str]:
    """Yield where lists lie, and what each holds."""
    for key, own in held.items() if isinstance(held, dict) else ():
        here = f"{path}.{key}" if path else str(key)
        if isinstance(own, list) and own:
            what = f"objects with {_listed([*own[0]])}" if isinstance(own[0], dict) else f"such as {quoted(own[0], 30)}"
            yield f"{here} ({len(own):,} {what})"
        else:
            yield from _lists_in(own, here)


def _of_one_text(file: File, texts: Mapping[str, str], notes: Sequence[Note]) -> list[Part]:
    """Return the one text that a list is, or an object with ids: in the role that its file or folder is called by."""
    named = _names.role_of_folder(_names.folders_of(file.path)) or _names.role_of_name(file.path.stem)
    role = named if named in {"reference", "source", "documents"} else "system"
    name = _names.name_of(file.path.name, role)
    return texts_of(file, FORM, [Passage(role, name, None, key, text, 1) for key, text in texts.items()], notes)


_PAIR = re.compile(r"[a-z]{2,3}(?:_[A-Za-z]{2,4})?[-_>]{1,2}[a-z]{2,3}(?:_[A-Za-z]{2,4})?")
_DOCUMENTS = {"documents", "docs"}


def _count(keys: Collection[str]) -> bool:
    """Return whether ids count their segments."""
    numbers = sorted(int(_records.NUMBER.findall(key)[-1][-18:]) for key in keys)
    return numbers[0] <= 1 and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _documents_in(held: Any) -> Any:
    """Return documents below their names as a list of them, each with its name."""
    by_name = isinstance(held, dict) and all(isinstance(own, dict | list) for own in held.values())
    return [{"document": name, **(own if isinstance(own, dict) else {"segments": own})}
            for name, own in held.items()] if by_name else held  # fmt: skip


def _is_texts(held: Any) -> bool:
    return isinstance(held, list) and bool(held) and all(isinstance(text, str | None) for text in held)


_WRAPPERS = {"results", "result", "set", "test", "test_set", "testset", "evaluation", "models"}
"""Names of what holds systems, beside those of lists and of outputs."""

Rows: TypeAlias = list[dict[str, Any]]
Column: TypeAlias = tuple[str, str, list[Any]]
"""A field, whose it is inside of that or "", and its cells."""


_DEEP = 8
"""Levels of objects between a system and its table: each level of a file is looked at from all those above it."""


def _rows_in(label: str, held: Any, deep: int = _DEEP) -> Rows:
    """Return the segments of the one table that lies in a value; none where there are several, or none."""
    if _answers.are_objects(held):
        return list(held)
    is_text = isinstance(held, dict) and any(
        isinstance(own, str) and _answers.is_text_key(key) for key, own in held.items()
    )
    if not deep or not isinstance(held, dict) or is_text:
        return []
    ones = list(held.values())
    if _answers.are_objects(ones) and all(
        any(map(_answers.is_text_key, one)) and not any(map(_is_texts, one.values())) for one in ones
    ):
        return [{"id": key, **one} for key, one in held.items()]
    inside = [rows for own in ones if (rows := _rows_in(label, own, deep - 1))]
    columns = [(key, "", own) for key, own in held.items() if _is_texts(own)]
    if columns and not inside:
        said = [column for column in columns if _answers.is_text_key(column[0])]
        chosen = columns if all(_answers.is_known(name) for name, _, _ in said) else said
        return _side_by_side(label, chosen) if said or len({len(own) for _, _, own in columns}) == 1 else []
    return inside[0] if len(inside) == 1 else []


def _of_system(rows: Rows, is_named: bool) -> Rows:
    """Return segments with their one output called so; none where there is not one of each.

    is_named: whether an object names the system, so that its texts may be called in any way.
    """
    keys = [key for key in dict.fromkeys(chain(*rows)) if not _answers.is_known(key)]
    outputs = [key for key in keys if _answers.is_text_key(key)]
    if is_named and not outputs:
        outputs = [key for key in keys if key in _answers.TEXTS] or [
            key for key in keys if isinstance(rows[0].get(key), str)
        ]
    return [{"output" if key == outputs[0] else key: text for key, text in row.items()} for row in rows
            if len(outputs) == 1]  # fmt: skip


def _named_in(label: str, ones: Sequence[Object], at_top: bool) -> dict[str, Rows]:
    """Return the segments of systems that objects name; none where objects are documents, or segments themselves.

    Where they are called by another word than system, they have the same sources and references; without a key above
    them, more segments than there are objects.
    """
    found, sure = list[tuple[str, Rows]](), True
    for one in ones:
        keys = [key for key, own in one.items() if _names.plain_name(key) in _CALLED and isinstance(own, str)]
        name = _records.first_of(keys, _names.SYSTEMS)
        sure = sure and name is not None
        rest = {key: own for key, own in one.items() if key not in keys and not isinstance(own, str)}
        rows = _of_system(_rows_in(label, rest), True)
        if not keys or not rows or (at_top and not sure and len(rows) <= len(ones)):
            return {}
        found.append((one[name or keys[0]], rows))
    known = [[{key: text for key, text in row.items() if _answers.is_known(key)} for row in rows] for _, rows in found]
    if _records.first_of([*ones[0]], _names.DOCUMENTS) or (not sure and any(own != known[0] for own in known)):
        return {}
    (name, times), *_ = Counter(name for name, _ in found).most_common(1)
    if times > 1 and at_top:
        return {}
    if times > 1:
        raise ReadError(f"{label}: the name {name!r} occurs twice; names must differ. Rename one.")
    return dict(found)


def _systems_in(label: str, held: Any, at_top: bool = False) -> dict[str, Rows]:
    """Return the segments of each system, where each has a table of its own, with those texts that stand beside them.

    A table is that of a system where it has one output of each segment. Systems are called by their keys, or by what
    objects in a list name.
    """
    if _answers.are_objects(held):
        return _named_in(label, held, at_top)
    if not isinstance(held, dict):
        return {}
    tables = {
        key: rows for key, own in held.items()
        if key.lower() not in _WRAPPERS | _answers.LISTS | _answers.NESTED.keys() and not _is_texts(own)
        and (rows := _of_system(_rows_in(label, own), False))
    }  # fmt: skip
    if not tables:
        found = [(key, systems) for key, own in held.items()
                 if key.lower() not in _DOCUMENTS and (systems := _systems_in(label, own))]  # fmt: skip
        if len(found) > 1:
            raise ReadError(
                f"{label}: {listed([repr(key) for key, _ in found], most=4)} each hold systems. Are they test sets? "
                "Write one file for each."
            )
        if not found:
            return {}
        ((taken, tables),) = found
        held = {key: own for key, own in held.items() if key != taken}
    columns = [column for key, own in held.items() if key not in tables
               for column in _columns_beside(key, own, len(next(iter(tables.values()))))]  # fmt: skip
    refuse_above("max_systems", len(tables), label)
    refuse_above("max_cells", len(columns) * sum(map(len, tables.values())), label)
    beside = _side_by_side(label, columns) if columns else []
    for name, rows in tables.items() if columns else ():
        if len(rows) != len(beside):
            _side_by_side(label, [*columns, (name, "", [*rows])])
        tables[name] = [{**one, **row} for one, row in zip(beside, rows, strict=True)]
    return tables


def _columns_beside(key: str, held: Any, count: int) -> Iterator[Column]:
    """Yield the sources and references that stand in a field beside systems."""
    if _answers.are_objects(held) and len(held) == count:
        names = [name for name in dict.fromkeys(chain(*held)) if _names.role_of_column(name) != "system"]
        yield from ((name, "", [one.get(name) for one in held]) for name in names)
    for name, inner, own in _columns_of(key, held, count):
        called = f"ref{inner}" if inner.isdigit() else _names.reference_name(inner)
        if _answers.is_known(name):
            yield (called, "", own) if inner and _answers.is_known(called) else (name, inner, own)


_CALLED = {"name", "id", "label", "translator", *_names.SYSTEMS}


def _table_in(label: str, content: Any) -> list[dict[str, Any]]:
    """Return the objects of the table that JSON holds in whichever way programs write one; none where it holds none.

    A list of objects or of rows; columns with their cells, as lists or by number; objects by their ids; or one of these
    inside of an object that says something of it.
    """
    if _answers.are_objects(content):
        return content if len(content) > 1 else []
    if isinstance(content, list):
        return _of_rows(label, content[0], content[1:]) if len(content) > 1 and content[0] else []
    if not isinstance(content, dict):
        return []
    if isinstance(content.get("data"), list) and (rows := _of_rows(label, content.get("columns"), content["data"])):
        return rows
    plain = (len(held) for held in content.values() if isinstance(held, list) and held and isinstance(held[0], str))
    count = next(plain, 0)
    columns = [column for name, held in content.items() for column in _columns_of(name, held, count)]
    if columns:
        beside = [own for name, own in content.items() if name.lower() in _answers.LISTS and _answers.are_objects(own)]
        columns += [(key, "", [one.get(key) for one in own]) for own in beside for key in dict.fromkeys(chain(*own))]
        return _side_by_side(label, columns)
    if by_text := _by_text(label, content):
        return by_text
    by_id = [{"id": key, **own} for key, own in content.items() if isinstance(own, dict)]
    if len(content) > 1 and len(by_id) == len(content) and all(own.keys() == by_id[0].keys() for own in by_id):
        return by_id
    inside = [objects for own in content.values() if (objects := _table_in(label, own))]
    return inside[0] if len(inside) == 1 else []


def _by_text(label: str, content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the segments of texts that each have theirs by id, as pandas writes columns; none where there are none."""
    texts = {key: own for key, own in content.items() if isinstance(own, dict)}
    plain = all(not isinstance(one, dict | list) for own in texts.values() for one in own.values())
    if not texts or not plain or not all(len(own) > 1 and _records.are_ids(own) for own in texts.values()):
        return []
    names, inner = list(texts), list(next(iter(texts.values())))
    if len(names) > 1 and _records.are_ids(names) and (_count(names) or not _count(inner)):
        if not _count(inner):
            return []
        raise ReadError(
            f"{label}: expected texts by the ids of their segments; both {names[0]!r} and {inner[0]!r} may be an id. "
            "Write a list of objects, one per segment."
        )
    first, *_ = texts.values()
    for name, own in texts.items():
        for key in sorted(own.keys() ^ first.keys()):
            raise ReadError(
                f"{label}: not every text has the id {key!r}; {name!r} differs from the first. Add it there."
            )
    return [{"id": key, **{name: own[key] for name, own in texts.items()}} for key in first]


def _of_rows(label: str, names: Any, rows: Sequence[Any]) -> list[dict[str, Any]]:
    """Return rows in lists as objects below these names; none where they are not."""
    if not _is_texts(names) or not all(isinstance(row, list) and len(row) == len(names) for row in rows):
        return []
    if len(set(names)) < len(names) or None in names or _records.are_sentences(names):
        raise ReadError(
            f"{label}: expected lists of texts with a name for each; got {len(rows) + 1} lists, the first with "
            f"{quoted(names[0])}. Begin with a list of names (source, ref, and the systems), or write each text under "
            'its name, as in {"source": […], "ref": […], "A": […]}.'
        )
    return [dict(zip(names, row, strict=True)) for row in rows]


def _columns_of(name: str, held: Any, count: int) -> Iterator[Column]:
    """Yield the columns that a field holds: a list, pandas' cells by number, or one of each system or reference.

    count: how many segments there are; a list of so many lists has several texts of each.
    """
    of_each = isinstance(held, list) and bool(held) and all(isinstance(own, list) for own in held)
    if of_each and name.lower() in _answers.NESTED and len(held) != count:
        held = {str(number): own for number, own in enumerate(held, 1)}
    if (
        name.lower() in _answers.NESTED
        and isinstance(held, dict)
        and all(isinstance(own, list) for own in held.values())
    ):
        yield from ((name, inner, own) for inner, own in held.items())
    elif (
        isinstance(held, dict)
        and held
        and (
            any(_answers.is_known(inner) or inner.lower() in _answers.NESTED for inner in held)
            or all(map(_is_texts, held.values()))
        )
    ):
        yield from chain.from_iterable(_columns_of(inner, own, count) for inner, own in held.items())
    elif isinstance(held, list) and held and (of_each or not any(isinstance(own, list | dict) for own in held)):
        yield name, "", held


def _side_by_side(label: str, columns: Sequence[Column]) -> list[dict[str, Any]]:
    """Return an object for each place in columns."""
    (few, first), *_, (many, last) = sorted((len(own), inner or name) for name, inner, own in [*columns, columns[0]])
    if few < many:
        found = f"the list {last!r} has {many:,} entries, but {first!r} has {few:,}"
        raise ReadError(f"{label}: {found}. Give each list one entry per segment.")
    for (name, inner), times in Counter((name, inner) for name, inner, _ in columns).items():
        if times > 1:
            raise ReadError(
                f"{label}: {times} lists are named {inner or name!r}. Is this one file of several test sets? Write one "
                "file for each of these, or call the lists by their systems."
            )
    objects: list[dict[str, Any]] = [{} for _ in range(few)]
    for name, inner, own in columns:
        for place, value in zip(objects, own, strict=True):
            if inner:
                place.setdefault(name, {})[inner] = value
            else:
                place[name] = value
    return objects


def _not(file: File, alike: LookAlike) -> Part:
    """Return a file that holds no text, with the reason: ignored beside a test set, and refused where there is none."""
    return replace(ignored(file, alike.what), problem=alike.refusal(file.label))


def _of_objects(file: File, objects: Sequence[tuple[int, Object]], notes: Sequence[Note]) -> list[Part]:
    line, widest = max(objects, key=lambda one: len(one[1]))
    refuse_above("max_columns", len(widest), f"{file.label}, line {line}", what="names of fields")
    alike = look_alike(objects[0][1])
    if alike is not None:
        return [_not(file, alike)]
    if (systems := _systems_in(file.label, [item for _, item in objects], True)) and (
        of_systems := _of_systems(file, systems, notes)
    ):
        return of_systems
    head = [*objects[0][1]]
    rows = [head, *([*item.values()] for _, item in objects)] if _records.are_ids(head[1:]) else []
    if rows and (table := _records.turned(file.label, rows)) is not None:
        names, *below = table[0]
        return _of_objects(file, [(0, dict(zip(names, row, strict=True))) for row in below], (*notes, table[1]))
    objects = [(line, _answers.lifted(item)) for line, item in objects]
    _answers.refuse_words(file, objects)
    answered = [(line, _answers.answered(file.label, line, item)) for line, item in objects]
    if answered != objects:
        if any(isinstance(own.get("output"), list) for _, own in answered):  # some may have one choice
            answered = [(line, {**own, "output": [one] if isinstance(one := own.get("output"), str) else one})
                        for line, own in answered]  # fmt: skip
        said = "the last answer of an assistant was read as the output; other messages were ignored."
        objects, notes = answered, (*notes, Note("note", f"{file.label}: {said}"))
    objects = [(line, _answers.plain(item)) for line, item in _answers.of_documents_with_segments(objects)]
    if key := _answers.by_language(objects):
        objects = [(line, {**{name: one for name, one in item.items() if name != key}, **(item.get(key) or {})})
                   for line, item in _answers.in_target(objects, key)]  # fmt: skip
    objects, notes = _answers.sampled(file, objects, notes)
    asked = _records.of_asked_pair(lambda: objects, lambda one: _pair_of(one[1]))
    records = [_records.Record(line, dict(_flat(file.label, line, record))) for line, record in asked]
    keys, records, notes = _records.of_answers(file, keys_of(file.label, records), records, notes)
    system = _records.system_field(keys, records)
    if _records.are_ratings(keys, system, records):
        return [_records.ratings_unread(file, keys)]
    fields = _fields(file, keys, objects)
    texts = [field.key for field in fields if field.role in {"system", "reference", "source"}]
    has_text = system is not None or bool(texts)
    if all(_names.plain_name(key) in _CALLED for key in texts) and (only := _only_scores(file, objects[0][1])):
        return [only]
    if not has_text and _records.first_of(keys, _names.DOCUMENTS) is not None:
        return [ignored(file, f"scores or annotations: {_listed(keys)}")]
    parts: list[Part] = []
    for pair, own in _records.by_language_pair(file.label, keys, records).items():
        parts += _records.of_language_pair(_of_records(file, fields, keys, system, own, () if parts else notes), pair)
    if all(part.role != "system" for part in parts):
        said = _listed([*objects[0][1]])
        of = [repr(key) for key, own in objects[0][1].items() if isinstance(own, dict | list)]
        what = (
            f"if {listed(of, 'or', 4)} holds outputs, call it outputs" if of else f"JSON of another kind, with {said}"
        )
        return [*parts, ignored(file, what)] if of or not parts else parts
    return parts


def parts_of_records(
    file: File, objects: Sequence[tuple[int, Object]], form: str, notes: Sequence[Note] = ()
) -> list[Part]:
    """Return the texts of objects that another form of file holds."""
    return [replace(part, form=form) if part.form == FORM else part for part in _of_objects(file, objects, notes)]


def _of_records(
    file: File,
    fields: Sequence[_records.Field],
    keys: Sequence[str],
    system: str | None,
    records: Sequence[_records.Record],
    notes: Sequence[Note],
) -> list[Part]:
    if system is not None:
        return _records.long_texts(file, FORM, keys, system, records, notes)
    if _are_documents(keys, records):
        return _of_documents(file, fields, keys, records, notes)
    return _records.by_languages(file, FORM, fields, records, notes)


def _listed(keys: Sequence[str]) -> str:
    return ", ".join(keys[:6]) + (", …" if len(keys) > 6 else "")


def _pair_of(item: Object) -> str | None:
    """Return the language pair that a field of an object names."""
    pair = item.get(_names.pair_column(list(item)) or "")
    return pair.strip() or None if isinstance(pair, str) else None


def _flat(label: str, line: int, item: Object) -> Iterator[tuple[str, str | None]]:
    """Yield the texts of an object by name; texts in a list or under names get names such as `refs.refA`."""
    for key, value in item.items():
        if key.lower() in ("ref", "reference") and isinstance(value, dict) and isinstance(value.get("text"), str):
            yield key, value["text"]  # WMT26 has the kind of reference beside its text
        elif key.lower() in _answers.NESTED and isinstance(value, list | dict):
            yield from _several(label, line, key, value)
        elif value is None or isinstance(value, str):
            yield key, value
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield key, str(value)
        # Truth values, and lists and objects of another meaning (scores, spans), are no texts.


def _several(label: str, line: int, key: str, values: Any) -> Iterator[tuple[str, str | None]]:
    items = values.items() if isinstance(values, dict) else ((str(i), item) for i, item in enumerate(values, 1))
    for name, value in items:
        # WMT25 has {"refA": {"ref": "…"}}.
        text = value.get("ref", _answers.lone_text(value)) if isinstance(value, dict) else value
        if text is not None and not isinstance(text, str):
            raise ReadError(
                f"{label}, line {line}, {key}.{name}: expected a text, found {quoted(text)}. "
                "Write a text there, or null."
            )
        yield f"{key}.{name}", text


def _fields(file: File, keys: Sequence[str], objects: Sequence[tuple[int, Object]]) -> list[_records.Field]:
    """Return the fields with their roles; where a field says that it holds outputs, no unknown one is taken for one."""
    fields = [_field(field, objects) for field in _records.wide_fields(file, keys)]
    fields = [replace(field, role="ignored") if _is_absent(field, objects) else field for field in fields]
    said = {
        field.key
        for field in fields
        if field.role == "system" and field.key.partition(".")[0].lower() in _answers.OUTPUTS
    }
    return [
        replace(field, role="ignored") if said and field.role == "system" and field.key not in said else field
        for field in fields
    ]


def _is_absent(field: _records.Field, objects: Sequence[tuple[int, Object]]) -> bool:
    """Return whether a field of unknown name is null in most objects: a system has an output in each."""
    outer = field.key.partition(".")[0]
    nulls = sum(item.get(outer) is None for _, item in objects)
    is_named = _names.plain_name(field.key) in _names.OUTPUTS
    return field.role == "system" and field.key == outer and not is_named and 2 * nulls >= len(objects)


def _field(field: _records.Field, objects: Sequence[tuple[int, Object]]) -> _records.Field:
    """Return the field of one text among several under the name that it has there."""
    outer, dot, inner = field.key.partition(".")
    role = _answers.NESTED.get(outer.lower())
    if not dot or role is None or not any(isinstance(item.get(outer), list | dict) for _, item in objects):
        return field
    if role == "reference":
        return _records.Field(
            field.key, "reference", f"ref{inner}" if inner.isdigit() else _names.reference_name(inner)
        )
    return _records.Field(field.key, "system", inner)


def _are_documents(keys: Sequence[str], records: Sequence[_records.Record]) -> bool:
    """Return whether every object is a document: each is named once, and some have paragraphs."""
    key = _records.first_of(keys, _names.DOCUMENTS)
    if key is None or _records.first_of(keys, _names.COUNTERS) is not None:
        return False
    names = [record.texts.get(key) for record in records]
    split = any("\n\n" in (text or "") for record in records for text in record.texts.values())
    return split and None not in names and len(set(names)) == len(names)


def _of_documents(
    file: File,
    fields: Sequence[_records.Field],
    keys: Sequence[str],
    records: Sequence[_records.Record],
    notes: Sequence[Note],
) -> list[Part]:
    texts = [field for field in fields if field.role in {"system", "reference", "source"}]
    passages, said = _records.in_paragraphs(file.label, texts, _records.documents_of(keys, records), records)
    parts = texts_of(file, FORM, passages, [*notes, *said])
    return [replace(part, about=part.about and replace(part.about, paragraphs=True)) for part in parts]


def _of_systems(file: File, outputs: Mapping[str, Sequence[Any]], notes: Sequence[Note]) -> list[Part]:
    """Return the texts of COMET's output, the file of a system -> its segments with src, mt and ref; none in others."""
    objects: Sequence[tuple[int, Object]] = [
        (number, {**segment, "system": system})
        for segments, system in zip(outputs.values(), _names.names_of(list(outputs)), strict=True)
        for number, segment in enumerate(segments, 1)
    ]
    sampled, notes = _answers.sampled(file, objects, notes)
    records = [_records.Record(number, dict(_flat(file.label, number, segment))) for number, segment in sampled]
    keys = keys_of(file.label, records)
    if _records.first_of(keys, _names.OUTPUTS | _names.TARGETS) is None:
        return []
    return _records.long_texts(file, "JSON as COMET writes it", keys, "system", records, notes)
