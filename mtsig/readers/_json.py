"""JSON and JSON lines: objects with named texts, one a segment, an output or a document.

Read as they are: one object a segment with a field per text; one object an output with the name of its system; one file
a system, its objects segments or whole documents (WMT25: paragraphs separated by a blank line); COMET's `--to_json`
(system -> its segments); columns (name -> lines).

JSON of other programs that holds scores or logs where texts would be expected is known by its keys.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from mtsig.corpus import Note
from mtsig.corpus._notes import quoted
from mtsig.errors import ReadError
from mtsig.readers._files import File, json_of, lines_of, text_of
from mtsig.readers._names import COUNTERS, DOCUMENTS, OUTPUTS, TARGETS, name_of, reference_name
from mtsig.readers._parts import Part, Placed, ignored, or_problem, texts_of
from mtsig.readers._records import (
    Field,
    Record,
    are_ratings,
    by_language_pair,
    documents_of,
    first_of,
    in_paragraphs,
    keys_of,
    long_passages,
    of_language_pair,
    system_field,
    wide_fields,
    wide_parts,
)

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
            f"{label} holds {self.what}, not the texts of a test set. Expected objects with the texts of a segment (a "
            f"reference, and an output of every system). {self.todo}"
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


_WRITE_OUT = "Write the outputs of each model into a text file, one segment per line, and the targets into a reference."
_APART = (
    "Give the outputs of all models with their scores: the folder that the program wrote, without other texts beside."
)
_SCORE_HERE = (
    "One score of a whole test set says nothing of how its segments differ, which every test needs. Give "
    "the outputs that were scored, and the references: mtsig scores them itself."
)

LOOK_ALIKES = (
    LookAlike(
        "samples that lm-evaluation-harness logged (--log_samples)",
        _any(_has("doc_id", "resps"), _has("doc_id", "filtered_resps")),
        _APART,
    ),
    LookAlike(
        "results of lm-evaluation-harness or lighteval",
        _any(_has("results", "configs", "versions"), _has("results", "config_general"), _has("results", "n-shot")),
        f"It has no outputs: run it with --log_samples or --save-details. {_WRITE_OUT}",
    ),
    LookAlike("scores that sacreBLEU printed (-f json)", _has("name", "score", "signature"), _SCORE_HERE),
    LookAlike("scores of several systems that sacreBLEU printed (-f json)", _several_of_sacrebleu, _SCORE_HERE),
    LookAlike(
        "a run of HELM",
        _any(_has("adapter_spec", "request_states"), _has("instance_id", "train_trial_index")),
        _APART,
    ),
    LookAlike("a log of Inspect", _has("status", "eval", "plan"), _APART),
    LookAlike(
        "results of mtsig itself",
        _of_mtsig,
        "Is it a study (mtsig compare --save)? It is written up by: mtsig report FILE; the dashboard opens it on the "
        "page Paper.",
    ),
)
"""The more telling first."""


def look_alike(content: Mapping[str, Any]) -> LookAlike | None:
    """Return what an object of a JSON file is of, when that is known and no text of a test set."""
    return next((look_alike for look_alike in LOOK_ALIKES if look_alike.known(content)), None)


FORM = "JSON"

Object: TypeAlias = Mapping[str, Any]

_NESTED = {
    "refs": "reference", "references": "reference", "ref": "reference", "reference": "reference",
    "systems": "system", "outputs": "system", "translations": "system", "hyps": "system", "hypotheses": "system",
    "tgt_text": "system", "mt": "system",
}  # fmt: skip
"""Fields that may hold several texts, as a list or under the names of their translators."""


_OUTPUTS = OUTPUTS | {name for name, role in _NESTED.items() if role == "system"}


def json_files(files: Sequence[Placed]) -> list[list[Part]]:
    """Return the texts of every file; one that cannot be understood is a part with a problem."""
    return [_in_folder(json_parts(placed.file)) if placed.folder else json_parts(placed.file) for placed in files]


def _in_folder(parts: Sequence[Part]) -> list[Part]:
    """Return the parts of a file whose folder says that it is a text: what holds none is no file beside the texts."""
    return [part if part.problem is None else replace(part, role="system") for part in parts]


def objects_of(file: File) -> tuple[list[tuple[int, Object]], tuple[Note, ...]]:
    """Return the objects of a file, each with its line, or its number in a list, and what was noted.

    Raises:
        ReadError: it holds something else.
    """
    content, notes = _held(file)
    if isinstance(content, dict):
        raise ReadError(f"{file.label} holds one object, where a list of them is expected.")
    return content, notes


def _held(file: File) -> tuple[list[tuple[int, Object]] | dict[str, Any], tuple[Note, ...]]:
    """Return the objects of a file, or the one that it is."""
    text, notes = text_of(file)
    if _is_page(text):
        raise ReadError(f"{file.label} is a web page or XML, not JSON: did a download fail? Fetch it again.")
    if _are_lines(file, text):
        return _json_lines(file)
    content = _parsed(file.label, text)
    if isinstance(content, dict):
        return content, notes
    if isinstance(content, list):
        return _objects(file.label, content), notes
    raise ReadError(f"{file.label} holds {quoted(content)}, not texts. Expected a list of objects, one per segment.")


@or_problem(FORM)
def json_parts(file: File) -> list[Part]:
    """Return the texts of one file."""
    content, notes = _held(file)
    if isinstance(content, list):
        return _of_objects(file, content, notes)
    if content and all(isinstance(items, list) and items for items in content.values()):
        if all(isinstance(items[0], dict) for items in content.values()):
            return _of_systems(file, content, notes)
        if all(isinstance(items[0], str) for items in content.values()):
            return _of_columns(file, content, notes)
    alike = look_alike(content)
    return [_not(file, alike) if alike else ignored(file, f"JSON of another kind, with {_listed(list(content))}")]


def _is_page(text: str) -> bool:
    return text.lstrip()[:1] == "<"


def _are_lines(file: File, text: str) -> bool:
    """Return whether every line is an object, whatever the file is called: many programs call both kinds .json."""
    first, _, rest = text.strip().partition("\n")
    if file.path.suffix.lower() == ".jsonl":
        return rest.strip() != "" or not first.startswith("[")
    return first.startswith("{") and first.rstrip().endswith("}") and rest.lstrip().startswith("{")


def _json_lines(file: File) -> tuple[list[tuple[int, Object]], tuple[Note, ...]]:
    lines, notes = lines_of(file)
    objects: list[tuple[int, Object]] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        value = _parsed(file.label, line, number)
        if not isinstance(value, dict):
            raise ReadError(f"{file.label}, line {number}: expected an object {{…}}, found {quoted(value)}.")
        objects.append((number, value))
    if not objects:
        raise ReadError(f"{file.label} holds no object.")
    return objects, notes


def _objects(label: str, items: Sequence[Any]) -> list[tuple[int, Object]]:
    if not items:
        raise ReadError(f"{label} holds an empty list.")
    for number, item in enumerate(items, 1):
        if not isinstance(item, dict):
            raise ReadError(f"{label}, item {number}: expected an object {{…}}, found {quoted(item)}.")
    return list(enumerate(items, 1))


def _parsed(label: str, text: str, line: int | None = None) -> Any:
    return json_of(text, label, line, object_pairs_hook=_unique, parse_constant=_nothing)


def _nothing(_: str) -> None:
    """Return nothing for NaN and Infinity, which Python writes although JSON does not know them."""


def _unique(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        raise ValueError(f"the name {twice!r} stands twice in one object")
    return values


def _not(file: File, alike: LookAlike) -> Part:
    """Return a file that holds no text, with the reason: ignored beside a test set, and refused where there is none."""
    return replace(ignored(file, alike.what), problem=alike.refusal(file.label))


def _of_objects(file: File, objects: Sequence[tuple[int, Object]], notes: Sequence[Note]) -> list[Part]:
    alike = look_alike(objects[0][1])
    if alike is not None:
        return [_not(file, alike)]
    records = [Record(line, dict(_flat(file.label, line, record))) for line, record in objects]
    keys = keys_of(file.label, records)
    system = system_field(keys, records)
    if are_ratings(keys, system):
        return [ignored(file, f"ratings or annotations: {_listed(keys)}")]
    fields = _fields(file, keys, objects)
    has_text = system is not None or any(field.role in {"system", "reference", "source"} for field in fields)
    if not has_text and first_of(keys, DOCUMENTS) is not None:
        return [ignored(file, f"scores or annotations: {_listed(keys)}")]
    parts: list[Part] = []
    for pair, own in by_language_pair(keys, records).items():
        parts += of_language_pair(_of_records(file, fields, keys, system, own, () if parts else notes), pair)
    return parts


def _of_records(
    file: File,
    fields: Sequence[Field],
    keys: Sequence[str],
    system: str | None,
    records: Sequence[Record],
    notes: Sequence[Note],
) -> list[Part]:
    if system is not None:
        return texts_of(file, FORM, long_passages(file, keys, system, records), notes)
    if _are_documents(keys, records):
        return _of_documents(file, fields, keys, records, notes)
    return wide_parts(file, FORM, fields, records, notes)


def _listed(keys: Sequence[str]) -> str:
    return ", ".join(keys[:6]) + (", …" if len(keys) > 6 else "")


def _flat(label: str, line: int, item: Object) -> Iterator[tuple[str, str | None]]:
    """Yield the texts of an object by name; texts in a list or under names get names such as `refs.refA`."""
    for key, value in item.items():
        if key.lower() in _NESTED and isinstance(value, list | dict):
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
        text = value.get("ref") if isinstance(value, dict) else value
        if text is not None and not isinstance(text, str):
            raise ReadError(f"{label}, line {line}, {key}.{name}: expected a text, found {quoted(text)}.")
        yield f"{key}.{name}", text


def _fields(file: File, keys: Sequence[str], objects: Sequence[tuple[int, Object]]) -> list[Field]:
    """Return the fields with their roles; where a field says that it holds outputs, no unknown one is taken for one."""
    fields = [_field(field, objects) for field in wide_fields(file, keys)]
    said = {field.key for field in fields if field.role == "system" and field.key.partition(".")[0].lower() in _OUTPUTS}
    return [
        replace(field, role="ignored") if said and field.role == "system" and field.key not in said else field
        for field in fields
    ]


def _field(field: Field, objects: Sequence[tuple[int, Object]]) -> Field:
    """Return the field of one text among several under the name that it has there."""
    outer, dot, inner = field.key.partition(".")
    role = _NESTED.get(outer.lower())
    if not dot or role is None or not any(isinstance(item.get(outer), list | dict) for _, item in objects):
        return field
    if role == "reference":
        return Field(field.key, "reference", f"ref{inner}" if inner.isdigit() else reference_name(inner))
    return Field(field.key, "system", inner)


def _are_documents(keys: Sequence[str], records: Sequence[Record]) -> bool:
    """Return whether every object is a document: each is named once, and some have paragraphs."""
    key = first_of(keys, DOCUMENTS)
    if key is None or first_of(keys, COUNTERS) is not None:
        return False
    names = [record.texts.get(key) for record in records]
    split = any("\n\n" in (text or "") for record in records for text in record.texts.values())
    return split and None not in names and len(set(names)) == len(names)


def _of_documents(
    file: File, fields: Sequence[Field], keys: Sequence[str], records: Sequence[Record], notes: Sequence[Note]
) -> list[Part]:
    texts = [field for field in fields if field.role in {"system", "reference", "source"}]
    passages, count = in_paragraphs(file.label, texts, documents_of(keys, records), records)
    said = Note("note", f"{file.label}: {len(records)} documents were split at blank lines into {count} paragraphs.")
    return texts_of(file, FORM, passages, [*notes, said])


def _of_systems(file: File, outputs: Mapping[str, Sequence[Any]], notes: Sequence[Note]) -> list[Part]:
    """Return the texts of COMET's output: the file of a system -> its segments with src, mt and ref."""
    records = []
    for system, segments in outputs.items():
        for number, segment in _objects(f"{file.label}, {system!r}", segments):
            flat = dict(_flat(file.label, number, segment))
            records.append(Record(number, {"system": name_of(system.rsplit("/", 1)[-1]), **flat}))
    keys = keys_of(file.label, records)
    if first_of(keys, OUTPUTS | TARGETS) is None:
        return [ignored(file, f"JSON of another kind, with {_listed(list(outputs))}")]
    text = f"{file.label}: the texts were read. To read its scores, put it into ratings/ or give it that role."
    said = Note("note", text)
    return texts_of(file, "JSON as COMET writes it", long_passages(file, keys, "system", records), [*notes, said])


def _of_columns(file: File, columns: Mapping[str, Sequence[Any]], notes: Sequence[Note]) -> list[Part]:
    for name, lines in columns.items():
        wrong = next((number for number, line in enumerate(lines, 1) if not isinstance(line, str | None)), None)
        if wrong is not None:
            raise ReadError(f"{file.label}, {name!r}, item {wrong}: expected a text, found {quoted(lines[wrong - 1])}.")
    parts: list[Part] = []
    for field in wide_fields(file, list(columns)):
        records = [Record(number, {field.key: line}) for number, line in enumerate(columns[field.key], 1)]
        parts += wide_parts(file, FORM, [field], records, () if parts else notes)
    return parts
