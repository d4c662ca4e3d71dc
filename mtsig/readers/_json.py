"""JSON and JSON lines: objects with named texts, one a segment, an output or a document.

Read as they are: one object a segment with a field per text; one object an output with the name of its system; one file
a system, its objects segments or whole documents (WMT25: paragraphs separated by a blank line); COMET's `--to_json`
(system -> its segments) and any other with a table for each system, whatever lies around it; columns (name -> lines);
lists of texts.

JSON of other programs that holds scores or logs where texts would be expected is known by its keys.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any, TypeAlias

from mtsig._limits import refuse_above
from mtsig.corpus import Note
from mtsig.corpus._notes import listed, quoted
from mtsig.errors import ReadError
from mtsig.readers import _names, _records
from mtsig.readers._campaigns import is_progress
from mtsig.readers._files import File, Object, json_in, objects_in
from mtsig.readers._parts import Part, Passage, Placed, ignored, or_problem, scores_beside, texts_of
from mtsig.readers._records import keys_of

Known = Callable[[Mapping[str, Any]], bool]


@dataclass(frozen=True)
class LookAlike:
    """What a file holds instead of texts, how one of its objects is known, and what to do with it."""

    what: str
    known: Known
    todo: str

    def refusal(self, label: str) -> str:
        """Return what is said of a file that holds it."""
        return (
            f"{label} contains {self.what}, not the texts of a test set. Expected objects with the texts of a segment "
            f"(a reference, and an output of every system). {self.todo}"
        )


def _has(*keys: str) -> Known:
    """Return the test whether an object has all these keys."""
    return lambda keys_of: all(key in keys_of for key in keys)


def _any(*ways: Known) -> Known:
    return lambda content: any(way(content) for way in ways)


_OF_SACREBLEU = re.compile(r"(BLEU|chrF\d*\+*|TER)")


def _several_of_sacrebleu(content: Mapping[str, Any]) -> bool:
    """Return whether an object is a system with its scores, as sacreBLEU prints it for several systems."""
    scores = content.keys() - {"system"}
    return "system" in content and bool(scores) and all(_OF_SACREBLEU.fullmatch(score) for score in scores)


def _of_mtsig(content: Mapping[str, Any]) -> bool:
    return str(content.get("schema", "")).startswith("mtsig/")


_WRITE_OUT = "Write the outputs of each model and the targets into text files, with one segment per line."
_APART = "Give the folder that the program wrote, with the outputs and scores of all models and no other texts."
_SCORE_HERE = (
    "One score of a whole test set does not show how scores vary between segments, but every test needs this. Give the "
    "outputs that were scored, and the references; mtsig then scores them itself."
)

LOOK_ALIKES = (
    LookAlike("samples that lm-evaluation-harness logged (--log_samples)",
              _any(_has("doc_id", "resps"), _has("doc_id", "filtered_resps")), _APART),
    LookAlike("results of lm-evaluation-harness or lighteval",
              _any(*(_has("results", *more) for more in (("configs", "versions"), ("config_general",), ("n-shot",)))),
              f"It has no outputs. Run the program with --log_samples or --save-details. {_WRITE_OUT}"),
    LookAlike("scores that sacreBLEU printed (-f json)", _has("name", "score", "signature"), _SCORE_HERE),
    LookAlike("scores of several systems that sacreBLEU printed (-f json)", _several_of_sacrebleu, _SCORE_HERE),
    LookAlike("a HELM run",
              _any(_has("adapter_spec", "request_states"), _has("instance_id", "train_trial_index")), _APART),
    LookAlike("an Inspect log", _has("status", "eval", "plan"), _APART),
    LookAlike("promptfoo results", _any(_has("evalId", "results"), _has("promptIdx", "testIdx")), _APART),
    LookAlike("a DeepEval test run", _has("testCases", "metricsScores"), _APART),
    LookAlike("EvalScope reviews", _has("index", "sample_score"), _APART),
    LookAlike("an EvalScope report, or its predictions",
              _any(_has("dataset_name", "model_name", "metrics"), _has("index", "model_output", "messages")),
              "It has no scores of items. Give the folder reviews/ next to it."),
    LookAlike("a Pearmut campaign before annotation, or its progress",
              _any(_has("info", "campaign_id", "data"), is_progress,
                   lambda held: all(map(is_progress, held.values()))),
              "Annotations are in annotations.json."),
    LookAlike("results of mtsig itself", _of_mtsig,
              "If it is a study (mtsig compare --out), use mtsig report FILE, or open it on the page Paper of the "
              "dashboard."),
)  # fmt: skip
"""The more telling first."""


def look_alike(content: Mapping[str, Any]) -> LookAlike | None:
    """Return what an object of a JSON file is of, when that is known and no text of a test set."""
    return next((look_alike for look_alike in LOOK_ALIKES if look_alike.known(content)), None)


FORM = "JSON"

_NESTED = {
    "refs": "reference", "references": "reference", "ref": "reference", "reference": "reference",
    **dict.fromkeys([
        "systems", "outputs", "translations", "hyps", "hypotheses", "tgt_text", "mt", "tgt", "predictions", "targets",
        "hyp", "hypothesis", "candidates", "system_outputs", "preds", "responses", "generations", "completions",
        "choices",
    ], "system"),
}  # fmt: skip
"""Fields that may hold several texts, as a list or under the names of their translators."""


_OUTPUTS = _names.OUTPUTS | {name for name, role in _NESTED.items() if role == "system"}


_LISTS = {"data", "segments", "items", "examples", "records", "rows", "sentences", "paragraphs"}
"""What the list of objects is called in an object that holds all of a test set, or a document."""

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
    return [[*_texts_of_file(placed), *scores_beside(placed)] for placed in files]


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
    if all(isinstance(value, list) and _is_said(value) for value in values):
        return [(number, {"messages": value}) for number, value in content], notes
    if _are_objects(values) and all(len(one) == 1 and _is_texts(*one.values()) for one in values):
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
    lists = [*islice(_lists_in(content, ""), _SHOWN)]
    where = f"; its lists are {listed(lists)}" if lists else ""
    return [ignored(file, f"JSON of another kind, with {_listed(list(content))}{where}")]


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
    if _are_objects(held):
        return list(held)
    is_text = isinstance(held, dict) and any(isinstance(own, str) and _is_text_key(key) for key, own in held.items())
    if not deep or not isinstance(held, dict) or is_text:
        return []
    ones = list(held.values())
    if _are_objects(ones) and all(
        any(map(_is_text_key, one)) and not any(map(_is_texts, one.values())) for one in ones
    ):
        return [{"id": key, **one} for key, one in held.items()]
    inside = [rows for own in ones if (rows := _rows_in(label, own, deep - 1))]
    columns = [(key, "", own) for key, own in held.items() if _is_texts(own)]
    if columns and not inside:
        said = [column for column in columns if _is_text_key(column[0])]
        chosen = columns if all(_is_known(name) for name, _, _ in said) else said
        return _side_by_side(label, chosen) if said or len({len(own) for _, _, own in columns}) == 1 else []
    return inside[0] if len(inside) == 1 else []


def _is_text_key(key: str) -> bool:
    """Return whether a field is called like a source, a reference or an output."""
    return _is_known(key) or bool({key.lower(), _names.plain_name(key)} & (_OUTPUTS | _names.TARGETS))


def _of_system(rows: Rows, is_named: bool) -> Rows:
    """Return segments with their one output called so; none where there is not one of each.

    is_named: whether an object names the system, so that its texts may be called in any way.
    """
    keys = [key for key in dict.fromkeys(chain(*rows)) if not _is_known(key)]
    outputs = [key for key in keys if _is_text_key(key)]
    if is_named and not outputs:
        outputs = [key for key in keys if key in _TEXTS] or [key for key in keys if isinstance(rows[0].get(key), str)]
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
    known = [[{key: text for key, text in row.items() if _is_known(key)} for row in rows] for _, rows in found]
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
    if _are_objects(held):
        return _named_in(label, held, at_top)
    if not isinstance(held, dict):
        return {}
    tables = {
        key: rows for key, own in held.items()
        if key.lower() not in _WRAPPERS | _LISTS | _NESTED.keys() and not _is_texts(own)
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
    if _are_objects(held) and len(held) == count:
        names = [name for name in dict.fromkeys(chain(*held)) if _names.role_of_column(name) != "system"]
        yield from ((name, "", [one.get(name) for one in held]) for name in names)
    for name, inner, own in _columns_of(key, held, count):
        called = f"ref{inner}" if inner.isdigit() else _names.reference_name(inner)
        if _is_known(name):
            yield (called, "", own) if inner and _is_known(called) else (name, inner, own)


_CALLED = {"name", "id", "label", "translator", *_names.SYSTEMS}


def _is_known(name: str) -> bool:
    return _names.role_of_column(name) in {"source", "reference"}


def _are_objects(items: Any) -> bool:
    return isinstance(items, list) and bool(items) and all(isinstance(item, dict) for item in items)


def _table_in(label: str, content: Any) -> list[dict[str, Any]]:
    """Return the objects of the table that JSON holds in whichever way programs write one; none where it holds none.

    A list of objects or of rows; columns with their cells, as lists or by number; objects by their ids; or one of these
    inside of an object that says something of it.
    """
    if _are_objects(content):
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
        beside = [own for name, own in content.items() if name.lower() in _LISTS and _are_objects(own)]
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
    if of_each and name.lower() in _NESTED and len(held) != count:
        held = {str(number): own for number, own in enumerate(held, 1)}
    if name.lower() in _NESTED and isinstance(held, dict) and all(isinstance(own, list) for own in held.values()):
        yield from ((name, inner, own) for inner, own in held.items())
    elif isinstance(held, dict) and held and (any(map(_is_known, held)) or all(map(_is_texts, held.values()))):
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
    objects = [(line, _lifted(item)) for line, item in objects]
    _refuse_words(file, objects)
    answered = [(line, _answered(file.label, line, item)) for line, item in objects]
    if answered != objects:
        if any(isinstance(own.get("output"), list) for _, own in answered):  # some may have one choice
            answered = [(line, {**own, "output": [one] if isinstance(one := own.get("output"), str) else one})
                        for line, own in answered]  # fmt: skip
        said = "the last answer of an assistant was read as the output; other messages were ignored."
        objects, notes = answered, (*notes, Note("note", f"{file.label}: {said}"))
    objects = [(line, _plain(item)) for line, item in _of_documents_with_segments(objects)]
    if key := _by_language(objects):
        objects = [(line, {**{name: one for name, one in item.items() if name != key}, **(item.get(key) or {})})
                   for line, item in _in_target(objects, key)]  # fmt: skip
    objects, notes = _sampled(file, objects, notes)
    records = [_records.Record(line, dict(_flat(file.label, line, record))) for line, record in objects]
    keys, records, notes = _records.of_answers(file, keys_of(file.label, records), records, notes)
    system = _records.system_field(keys, records)
    if _records.are_ratings(keys, system, records):
        return [ignored(file, f"ratings or annotations: {_listed(keys)}")]
    fields = _fields(file, keys, objects)
    has_text = system is not None or any(field.role in {"system", "reference", "source"} for field in fields)
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


_ABOUT = {"metadata", "meta", "info", "config", "params", "parameters", "args", "attributes"}
"""Fields with objects that tell where a segment is from."""


def _lifted(item: Object) -> Object:
    """Return an object with the texts that stand in an object in it, as in {"data": {"src": …, "ref": …}}."""
    found = dict(item)
    for key, own in item.items():
        known = [name for name, text in own.items() if _is_text_key(name) and isinstance(text, str)] if (
            isinstance(own, dict) and key.lower() not in {*_NESTED, *_ABOUT}) else []  # fmt: skip
        if known and not found.keys() & own.keys() and any(map(_is_known, known)):
            del found[key]
            found |= own
        elif key.lower() not in _NESTED and "outputs" not in found and isinstance(own, dict) and own:
            texts = {name: _lone_text(one) for name, one in own.items()}
            if None not in texts.values() and not all(map(_names.is_language, own)):
                found["outputs"] = found.pop(key)
    return found


_MESSAGES = {
    "message", "messages", "conversation", "conversations", "dialog", "dialogue", "content", "contents", "parts",
    "choices", "candidates", "body", "response", "result", "output", "text", "value", "prompt", "completion",
}  # fmt: skip
"""Fields that hold messages, or what one says, in logs of language models."""


def _speaker(held: Any) -> str:
    """Return who says a message; "" where a value is none."""
    said = held.get("role", held.get("from")) if isinstance(held, dict) else None
    return said.lower() if isinstance(said, str) and said.lower() in _names.SPEAKING else ""


def _is_said(held: Any) -> bool:
    """Return whether a value is or holds a message."""
    inside = held.values() if isinstance(held, dict) else held if isinstance(held, list) else ()
    return _speaker(held) != "" or any(map(_is_said, inside))


def _answer(held: Any) -> str | None:
    """Return what an assistant says at the end of messages; None where that is no text, or are several."""
    ones = held if isinstance(held, list) else []
    if isinstance(held, dict) and _speaker(held) in {"", *_names.ANSWERING}:
        ones = [own for key, own in held.items() if key.lower() in _MESSAGES]
    ones = ones[-1:] if any(map(_speaker, ones)) else ones
    texts = [held] if isinstance(held, str) else [text for one in ones if (text := _answer(one)) is not None]
    return texts[0] if len(texts) == 1 else None


def _choices(held: Object) -> list[Any]:
    """Return the alternatives that an answer of a language model lists; none where it has no such list."""
    for key, own in held.items():
        if key.lower() in {"choices", "candidates"} and isinstance(own, list):
            return own
        if key.lower() in _MESSAGES and isinstance(own, dict) and (found := _choices(own)):
            return found
    return []


def _answered(label: str, line: int, item: Object) -> Object:
    """Return an object with the last answer in place of the messages that hold it; questions alone are left out.

    Several choices are a list of outputs.
    """
    if _speaker(item) and isinstance(item.get("content"), list):
        return {**item, "content": _answer(item["content"])}
    said = [key for key, held in item.items() if key.lower() in _MESSAGES and _is_said(held)]
    if not said:
        return item
    rest = {key: held for key, held in item.items() if key not in said}
    texts: list[Any] = [text for key in said if (text := _answer(item[key])) is not None]
    several = [_answer(one) for one in _choices({key: item[key] for key in said})]
    texts += [several] if len(several) > 1 and None not in several else []
    beside = [key for key in rest if _names.plain_name(key) in _OUTPUTS | _names.MAYBE_OUTPUTS]
    if len(texts) == 1 and texts[0] in [rest[key] for key in beside]:  # the same answer, once more by itself
        return rest
    if (given := len(texts) + len(beside)) != 1:
        raise ReadError(
            f"{label}, line {line}: expected one answer of an assistant at the end of {listed(list(map(repr, said)))}, "
            f"got {given or 'none'}. Write each output into a field output, next to its source and reference."
        )
    return {**rest, "output": texts[0]} if texts else rest


def _sampled(
    file: File, objects: Sequence[tuple[int, Object]], notes: Sequence[Note]
) -> tuple[Sequence[tuple[int, Object]], Sequence[Note]]:
    """Return the objects with a field, X.sample1 and so on, for each of several outputs that one has in a list.

    A list has no names of systems; those of other lists of texts, such as keywords, have few words. Where objects name
    their system, there is one for each output instead.
    """
    keys = list(objects[0][1])
    named = next((key for key in keys if _names.plain_name(key) in _names.SYSTEMS), None)
    long = [key for key in keys if named and _names.plain_name(key) in _OUTPUTS and _are_drawn(objects, key)]
    if named and long and all(isinstance(item.get(named), str) for _, item in objects):
        several = sorted({item[named] for _, item in objects if len(item[long[0]]) > 1})
        split: list[tuple[int, Object]] = [
            (line, {**{key: value for key, value in item.items() if key != long[0]}, "output": text,
                    named: f"{item[named]}.sample{number}" if item[named] in several else item[named]})
            for line, item in objects for number, text in enumerate(_drawn(item[long[0]]) or (), 1)
        ]  # fmt: skip
    else:
        drawn = {
            key: called for key in keys
            if (called := _system_of_list(file, key)) is not None and _are_drawn(objects, key)
            and (_names.plain_name(key) in _OUTPUTS or _records.are_sentences([item[key][0] for _, item in objects]))
        }  # fmt: skip
        several = [key for key in drawn if any(len(item[key]) > 1 for _, item in objects)]
        split = [(line, {name: text for key, value in item.items() for name, text in (
            _one_by_one(drawn[key], value, key in several) if key in drawn
            else ((key, _inside(value, several) if _NESTED.get(key.lower()) == "system" else value),)
        )}) for line, item in objects]  # fmt: skip
    if not several:
        return split, notes
    said = (
        f"{file.label}: lists of texts were read as samples of one system each ({listed([*dict.fromkeys(several)])}). "
        'Outputs of several systems need a name each, as in {"outputs": {"A": …, "B": …}}.'
    )
    return split, (*notes, Note("note", said))


def _refuse_words(file: File, objects: Sequence[tuple[int, Object]]) -> None:
    """Raise ReadError where a text is a list of its words: these come again elsewhere, as several texts do not."""
    for key in objects[0][1]:
        lists = [own for _, item in objects if isinstance(own := item.get(key), list) and own]
        if len(lists) < 5 or not all(isinstance(word, str) and " " not in word for own in lists for word in own):
            continue
        counts = Counter(word for own in lists for word in set(own))
        if sum(map(len, lists)) >= 4 * len(lists) and 2 * len(counts) < sum(counts.values()):
            raise ReadError(
                f"{file.label}, {key!r}: expected texts; got lists of words, such as {quoted(lists[0])}. Join the "
                "words of each text by spaces."
            )


def _one_by_one(system: str, value: Any, several: bool = True) -> Iterator[tuple[str, str]]:
    """Yield the outputs of a list, called as samples of a system; the lone ones of all lists as the system itself."""
    for number, text in enumerate(_drawn(value) or (), 1):
        yield f"{system}.sample{number}" if several else "output", text


def _inside(value: Any, several: list[str]) -> Any:
    """Return outputs under their systems' names, those in lists as samples; which systems have some is added."""
    if not isinstance(value, dict) or all(_drawn(own) is None for own in value.values()):
        return value
    several += [name for name, own in value.items() if _drawn(own) is not None]
    return {called: text for name, own in value.items()
            for called, text in ([(name, own)] if _drawn(own) is None else _one_by_one(name, own))}  # fmt: skip


def _drawn(value: Any) -> list[str] | None:
    """Return the outputs that a list has, as texts or as objects with a text each; None where it has other things."""
    items = value if isinstance(value, list) else []
    texts = [one if isinstance(one, str) else _lone_text(one) for one in items]
    return [text for text in texts if text is not None] if texts and None not in texts else None


def _lone_text(one: Any) -> str | None:
    held = [text for key, text in one.items() if key in _TEXTS or key in _OUTPUTS] if isinstance(one, dict) else []
    return held[0] if len(held) == 1 and isinstance(held[0], str) else None


_TEXTS = {"text", "content", "generated_text"}
"""What else an output is called among what is known of it."""


def _are_drawn(objects: Sequence[tuple[int, Object]], key: str) -> bool:
    """Return whether all objects have a list of outputs there; one of objects where its name says that it is that."""
    said = _names.plain_name(key) in _OUTPUTS
    held = [item.get(key) for _, item in objects]
    return all(_drawn(one) is not None and (said or all(isinstance(text, str) for text in one or ())) for one in held)


def _system_of_list(file: File, key: str) -> str | None:
    """Return the system that a list in this field is of; None where its name says that it holds something else."""
    if _names.plain_name(key) in _OUTPUTS or key.lower() in _OUTPUTS:
        return _names.name_of(file.path.name)
    return key if key.lower() not in _NESTED and _names.role_of_column(key) == "system" else None


def _by_language(objects: Sequence[tuple[int, Object]]) -> str:
    """Return the field that holds texts by language, as in {"translation": {"de": …, "en": …}}; "" without one."""
    for key, value in objects[0][1].items():
        texts = (
            isinstance(value, dict) and len(value) > 1 and all(isinstance(one, str | None) for one in value.values())
        )
        if texts and all(map(_names.is_language, value)):
            return key
    return ""


def _in_target(objects: Sequence[tuple[int, Object]], key: str) -> list[tuple[int, Object]]:
    """Return the objects with the output alone, of other fields that hold texts by language: not its source again."""
    first = objects[0][1]
    others = {name: [language for language in first[key] if language in value] for name, value in first.items()
              if name != key and isinstance(value, dict) and value and all(map(_names.is_language, value))}  # fmt: skip
    for name, languages in others.items():
        held = [(item.get(key) or {}, item.get(name) or {}) for _, item in objects]
        own = [one for one in languages if any(texts.get(one) != output.get(one) for texts, output in held)]
        others[name] = (own or languages or list(first[name]))[-1:]
    return [(line, {name: (value or {}).get(others[name][0]) if name in others else value
                    for name, value in item.items()}) for line, item in objects]  # fmt: skip


_LANGUAGE_KEYS = {"lang", "language", "lang_code", "language_code", "locale"}


def _plain(item: Object) -> Object:
    """Return an object with its texts as they are, where they stand in objects that say something of each.

    A list of a system and its text each, as [{"system": …, "text": …}], is by system, and one with languages by these;
    {"lang": …, "text": …} is a text.
    """
    found = dict(item)
    for key, value in item.items():
        ones = value if _are_objects(value) else [value] if isinstance(value, dict) else []
        texts = [_lone_text(one) for one in ones]
        if not ones or None in texts:
            found[key] = _alone(value)
            continue
        for words, inside in ((_names.SYSTEMS | {"name"}, "outputs"), (_LANGUAGE_KEYS, key)):
            names = [[one[name] for name in one if _names.plain_name(name) in words] for one in ones]
            if all(len(own) == 1 and isinstance(own[0], str) for own in names):
                by_name = {own[0]: text for own, text in zip(names, texts, strict=True)}
                found[key if _NESTED.get(key.lower()) == "system" else inside] = _alone(by_name)
                break
        else:
            found[key] = _alone(value)
    return found


def _alone(value: Any) -> Any:
    """Return the one text of an object that has no other but what is about it, or that is by language; else what is."""
    if not isinstance(value, dict):
        return value
    lone = [key for key in value if key in _TEXTS or (len(value) == 1 and _names.is_language(key))]
    others = [key for key, own in value.items() if key not in (*lone, "type", *_LANGUAGE_KEYS) and isinstance(own, str)]
    is_lone = len(lone) == 1 and isinstance(value[lone[0]], str) and not any(map(_is_text, others))
    return value[lone[0]] if is_lone else value


def _is_text(key: str) -> bool:
    return _names.role_of_column(key) not in {"ignored", "documents", "domains"}


def _of_documents_with_segments(objects: Sequence[tuple[int, Object]]) -> Sequence[tuple[int, Object]]:
    """Return the segments of documents that each have theirs in a list, with what is said of the document."""
    lists = [key for key, value in objects[0][1].items() if key.lower() in _LISTS and _are_objects(value)]
    if len(lists) != 1 or not all(_are_objects(item.get(lists[0])) for _, item in objects):
        return objects
    return [(line, {**{key: value for key, value in item.items() if key != lists[0]}, **own})
            for line, item in objects for own in item[lists[0]]]  # fmt: skip


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


def _flat(label: str, line: int, item: Object) -> Iterator[tuple[str, str | None]]:
    """Yield the texts of an object by name; texts in a list or under names get names such as `refs.refA`."""
    for key, value in item.items():
        if key.lower() in ("ref", "reference") and isinstance(value, dict) and isinstance(value.get("text"), str):
            yield key, value["text"]  # WMT26 has the kind of reference beside its text
        elif key.lower() in _NESTED and isinstance(value, list | dict):
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
        text = value.get("ref", _lone_text(value)) if isinstance(value, dict) else value
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
    said = {field.key for field in fields if field.role == "system" and field.key.partition(".")[0].lower() in _OUTPUTS}
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
    role = _NESTED.get(outer.lower())
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
    sampled, notes = _sampled(file, objects, notes)
    records = [_records.Record(number, dict(_flat(file.label, number, segment))) for number, segment in sampled]
    keys = keys_of(file.label, records)
    if _records.first_of(keys, _names.OUTPUTS | _names.TARGETS) is None:
        return []
    return _records.long_texts(file, "JSON as COMET writes it", keys, "system", records, notes)
