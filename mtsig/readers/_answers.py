"""Answers: objects whose texts lie deeper are made such as have one text a field.

Texts in an object of what is said of them, messages of language models and their choices, lists of samples, texts by
language, segments of documents: whatever programs put around an output.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from mtsig.corpus import Note
from mtsig.corpus._notes import listed, quoted
from mtsig.errors import ReadError
from mtsig.readers import _names, _records
from mtsig.readers._files import File, Object

NESTED = {
    "refs": "reference", "references": "reference", "ref": "reference", "reference": "reference",
    **dict.fromkeys([
        "systems", "outputs", "translations", "hyps", "hypotheses", "tgt_text", "mt", "tgt", "predictions", "targets",
        "hyp", "hypothesis", "candidates", "system_outputs", "preds", "responses", "generations", "completions",
        "choices",
    ], "system"),
}  # fmt: skip
"""Fields that may hold several texts, as a list or under the names of their translators."""


OUTPUTS = _names.OUTPUTS | {name for name, role in NESTED.items() if role == "system"}


LISTS = {"data", "segments", "items", "examples", "records", "rows", "sentences", "paragraphs"}
"""What the list of objects is called in an object that holds all of a test set, or a document."""


def is_text_key(key: str) -> bool:
    """Return whether a field is called like a source, a reference or an output."""
    return is_known(key) or bool({key.lower(), _names.plain_name(key)} & (OUTPUTS | _names.TARGETS))


def is_known(name: str) -> bool:
    return _names.role_of_column(name) in {"source", "reference"}


def are_objects(items: Any) -> bool:
    return isinstance(items, list) and bool(items) and all(isinstance(item, dict) for item in items)


_ABOUT = {"metadata", "meta", "info", "config", "params", "parameters", "args", "attributes"}
"""Fields with objects that tell where a segment is from."""


def lifted(item: Object) -> Object:
    """Return an object with the texts that stand in an object in it, as in {"data": {"src": …, "ref": …}}."""
    found = dict(item)
    for key, own in item.items():
        known = [name for name, text in own.items() if is_text_key(name) and isinstance(text, str)] if (
            isinstance(own, dict) and key.lower() not in {*NESTED, *_ABOUT}) else []  # fmt: skip
        if known and not found.keys() & own.keys() and any(map(is_known, known)):
            del found[key]
            found |= own
        elif key.lower() not in NESTED and "outputs" not in found and isinstance(own, dict) and own:
            texts = {name: lone_text(one) for name, one in own.items()}
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


def is_said(held: Any) -> bool:
    """Return whether a value is or holds a message."""
    inside = held.values() if isinstance(held, dict) else held if isinstance(held, list) else ()
    return _speaker(held) != "" or any(map(is_said, inside))


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


def answered(label: str, line: int, item: Object) -> Object:
    """Return an object with the last answer in place of the messages that hold it; questions alone are left out.

    Several choices are a list of outputs.
    """
    if _speaker(item) and isinstance(item.get("content"), list):
        return {**item, "content": _answer(item["content"])}
    said = [key for key, held in item.items() if key.lower() in _MESSAGES and is_said(held)]
    if not said:
        return item
    rest = {key: held for key, held in item.items() if key not in said}
    texts: list[Any] = [text for key in said if (text := _answer(item[key])) is not None]
    several = [_answer(one) for one in _choices({key: item[key] for key in said})]
    texts += [several] if len(several) > 1 and None not in several else []
    beside = [key for key in rest if _names.plain_name(key) in OUTPUTS | _names.MAYBE_OUTPUTS]
    if len(texts) == 1 and texts[0] in [rest[key] for key in beside]:  # the same answer, once more by itself
        return rest
    if (given := len(texts) + len(beside)) != 1:
        raise ReadError(
            f"{label}, line {line}: expected one answer of an assistant at the end of {listed(list(map(repr, said)))}, "
            f"got {given or 'none'}. Write each output into a field output, next to its source and reference."
        )
    return {**rest, "output": texts[0]} if texts else rest


def sampled(
    file: File, objects: Sequence[tuple[int, Object]], notes: Sequence[Note]
) -> tuple[Sequence[tuple[int, Object]], Sequence[Note]]:
    """Return the objects with a field, X.sample1 and so on, for each of several outputs that one has in a list.

    A list has no names of systems; those of other lists of texts, such as keywords, have few words. Where objects name
    their system, there is one for each output instead.
    """
    keys = list(objects[0][1])
    named = next((key for key in keys if _names.plain_name(key) in _names.SYSTEMS), None)
    long = [key for key in keys if named and _names.plain_name(key) in OUTPUTS and _are_drawn(objects, key)]
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
            and (_names.plain_name(key) in OUTPUTS or _records.are_sentences([item[key][0] for _, item in objects]))
        }  # fmt: skip
        several = [key for key in drawn if any(len(item[key]) > 1 for _, item in objects)]
        split = [(line, {name: text for key, value in item.items() for name, text in (
            _one_by_one(drawn[key], value, key in several) if key in drawn
            else ((key, _inside(value, several) if NESTED.get(key.lower()) == "system" else value),)
        )}) for line, item in objects]  # fmt: skip
    if not several:
        return split, notes
    said = (
        f"{file.label}: lists of texts were read as samples of one system each ({listed([*dict.fromkeys(several)])}). "
        'Outputs of several systems need a name each, as in {"outputs": {"A": …, "B": …}}.'
    )
    return split, (*notes, Note("note", said))


def refuse_words(file: File, objects: Sequence[tuple[int, Object]]) -> None:
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
    texts = [one if isinstance(one, str) else lone_text(one) for one in items]
    return [text for text in texts if text is not None] if texts and None not in texts else None


def lone_text(one: Any) -> str | None:
    held = [text for key, text in one.items() if key in TEXTS or key in OUTPUTS] if isinstance(one, dict) else []
    return held[0] if len(held) == 1 and isinstance(held[0], str) else None


TEXTS = {"text", "content", "generated_text"}
"""What else an output is called among what is known of it."""


def _are_drawn(objects: Sequence[tuple[int, Object]], key: str) -> bool:
    """Return whether all objects have a list of outputs there; one of objects where its name says that it is that."""
    said = _names.plain_name(key) in OUTPUTS
    held = [item.get(key) for _, item in objects]
    return all(_drawn(one) is not None and (said or all(isinstance(text, str) for text in one or ())) for one in held)


def _system_of_list(file: File, key: str) -> str | None:
    """Return the system that a list in this field is of; None where its name says that it holds something else."""
    if _names.plain_name(key) in OUTPUTS or key.lower() in OUTPUTS:
        return _names.name_of(file.path.name)
    return key if key.lower() not in NESTED and _names.role_of_column(key) == "system" else None


def by_language(objects: Sequence[tuple[int, Object]]) -> str:
    """Return the field that holds texts by language, as in {"translation": {"de": …, "en": …}}; "" without one."""
    for key, value in objects[0][1].items():
        texts = (
            isinstance(value, dict) and len(value) > 1 and all(isinstance(one, str | None) for one in value.values())
        )
        if texts and all(map(_names.is_language, value)):
            return key
    return ""


def in_target(objects: Sequence[tuple[int, Object]], key: str) -> list[tuple[int, Object]]:
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


def plain(item: Object) -> Object:
    """Return an object with its texts as they are, where they stand in objects that say something of each.

    A list of a system and its text each, as [{"system": …, "text": …}], is by system, and one with languages by these;
    {"lang": …, "text": …} is a text.
    """
    found = dict(item)
    for key, value in item.items():
        ones = value if are_objects(value) else [value] if isinstance(value, dict) else []
        texts = [lone_text(one) for one in ones]
        if not ones or None in texts:
            found[key] = _alone(value)
            continue
        for words, inside in ((_names.SYSTEMS | {"name"}, "outputs"), (_LANGUAGE_KEYS, key)):
            names = [[one[name] for name in one if _names.plain_name(name) in words] for one in ones]
            if all(len(own) == 1 and isinstance(own[0], str) for own in names):
                by_name = {own[0]: text for own, text in zip(names, texts, strict=True)}
                found[key if NESTED.get(key.lower()) == "system" else inside] = _alone(by_name)
                break
        else:
            found[key] = _alone(value)
    return found


def _alone(value: Any) -> Any:
    """Return the one text of an object that has no other but what is about it, or that is by language; else what is."""
    if not isinstance(value, dict):
        return value
    lone = [key for key in value if key in TEXTS or (len(value) == 1 and _names.is_language(key))]
    others = [key for key, own in value.items() if key not in (*lone, "type", *_LANGUAGE_KEYS) and isinstance(own, str)]
    is_lone = len(lone) == 1 and isinstance(value[lone[0]], str) and not any(map(_is_text, others))
    return value[lone[0]] if is_lone else value


def _is_text(key: str) -> bool:
    return _names.role_of_column(key) not in {"ignored", "documents", "domains"}


def of_documents_with_segments(objects: Sequence[tuple[int, Object]]) -> Sequence[tuple[int, Object]]:
    """Return the segments of documents that each have theirs in a list, with what is said of the document."""
    lists = [key for key, value in objects[0][1].items() if key.lower() in LISTS and are_objects(value)]
    if len(lists) != 1 or not all(are_objects(item.get(lists[0])) for _, item in objects):
        return objects
    return [(line, {**{key: value for key, value in item.items() if key != lists[0]}, **own})
            for line, item in objects for own in item[lists[0]]]  # fmt: skip
