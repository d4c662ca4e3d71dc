"""Campaigns and metrics in JSON: what Pearmut, WMT's organisers, MetricX, COMET and others write of many outputs.

Each is a row of CAMPAIGNS: how a file of it is known by its first objects, and what takes its scores in. Items that are
known by ids or by their texts alone are joined by these.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, zip_longest
from typing import Any, NotRequired, TypeAlias, TypedDict

from mtsig.corpus import Note
from mtsig.corpus._notes import number_of, quoted
from mtsig.errors import ReadError
from mtsig.readers._names import COUNTERS, DOCUMENTS, METADATA, name_of, names_of, plain_name, scale_of
from mtsig.readers._scored import GENERIC, SPAN_WEIGHTS, Marked, RatingReader, Taken, marked_errors
from mtsig.readers._sheet import Place, Sheet, name_and_direction, score_in_json

Object = Mapping[str, Any]


def own_name(words: Sequence[str], _: Sequence[Sequence[str]], stem: str) -> str:
    """Return what a rating is called: by its own word, or like its file."""
    return words[0] if words else stem


def _has(*keys: str) -> Callable[[Sheet], bool]:
    """Return whether the first object of a file has these keys."""
    return lambda sheet: sheet.starts_with_object(keys)


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


# Pearmut: an entry is what a user said of a document, of every item of it and every model; as version 1.1.6 writes it.
_UNCOUNTED = re.compile(r"(welcome|random|goodbye)_\d+")
_RESET = "__RESET__"

_Key: TypeAlias = tuple[str, str, int, str]
"""User, document, item in it and model."""


def _is_entry(item: object) -> bool:
    if not isinstance(item, dict) or not {"annotation", "user_id"} <= item.keys():
        return False
    return "item_i" in item or item["annotation"] == _RESET


def _is_pearmut(sheet: Sheet) -> bool:
    return any(map(_is_entry, [*sheet.first_objects[:1], sheet.first_in_list]))


def _pearmut(sheet: Sheet, taken: Taken) -> None:
    """Take in the last score of every user, item and model; tutorials, checks and forms are left out and counted."""
    if sheet.first_objects and _is_entry(sheet.first_objects[0]):
        campaigns: Mapping[str, Sequence[tuple[int, Object]]] = {"": sheet.objects}
    else:
        held = sheet.whole
        campaigns = {name: list(enumerate(entries, 1)) for name, entries in held.items() if isinstance(entries, list)}
    for entries in campaigns.values():
        if wrong := next((line for line, entry in entries if not _is_entry(entry)), 0):
            raise ReadError(
                f"{sheet.label}, entry {wrong}: expected user_id, item_i and annotation, as Pearmut has it; found "
                f"{quoted(entries[wrong - 1][1])}. Export the annotations again, or remove the entry."
            )
    left_out: Counter[str] = Counter()
    checks: dict[tuple[str, str, str], list[object]] = {}
    pairs = {name: re.sub(r" v\d+$", "", name).replace("---", "-") for name in campaigns if "---" in name}
    several = len(pairs) == len(campaigns) == len(set(pairs.values())) > 1
    for campaign, entries in campaigns.items():
        last: dict[_Key, tuple[int, Place, Any, str | None]] = {}
        numbers = _numbered(entries)
        for line, entry in entries:
            user, where = str(entry["user_id"]), str(entry.get("item_i", ""))
            if entry["annotation"] == _RESET:
                # Since 1.1 a reset names no document: all that this user said before is void.
                erased = [key for key in last if key[0] == user and where in ("", key[1])]
                left_out["reset document"] += len({key[1] for key in erased})
                last = {key: found for key, found in last.items() if key not in erased}
                void = [key for key in checks if key[:2] == (campaign, user) and where in ("", key[2])]
                checks = {key: own for key, own in checks.items() if key not in void}
                continue
            if isinstance(passed := entry.get("validations"), list) and passed:
                checks[campaign, user, where] = passed
            last.update(_of_entry(line, entry, user, where, numbers, left_out))
        _take_last(sheet, taken, campaign, last, pairs[campaign] if several else None)
    by_user: dict[str, list[bool]] = defaultdict(list)
    for (_, user, _), passed in checks.items():
        by_user[user].append(all(passed))
    _tell_checks(sheet, taken, by_user)
    if told := ", ".join(number_of(count, what) for what, count in left_out.items() if count):
        taken.notes.append(Note("note", f"{sheet.label} was read without: {told}."))


def _tell_checks(sheet: Sheet, taken: Taken, checks: Mapping[str, Sequence[bool]]) -> None:
    """Say which raters failed checks: it is for the user to leave them out."""
    failed = [f"{user} {passed.count(False)} of {len(passed)}" for user, passed in checks.items() if not all(passed)]
    if failed:
        text = f"{sheet.label}: raters failed checks, but their ratings were kept: {', '.join(failed)}."
        taken.notes.append(Note("warning", text))
    elif checks:
        taken.notes.append(Note("note", f"{sheet.label}: all raters with checks ({len(checks)}) passed them."))


def _numbered(entries: Sequence[tuple[int, Object]]) -> dict[tuple[int, int], int]:
    """Return a number from 1 for every item without an id, by its entry's line and its place there.

    Where all users share one stream, a document and a place in it are an item; else it is what is to be translated.
    """
    items = {
        (line, at): (str(entry["item_i"]).zfill(9), at, str(item.get("src") or sorted(item["tgt"].items())))
        for line, entry in entries if str(entry.get("item_i", "")).isdigit()
        for at, item in enumerate(_list(entry.get("item"))) if isinstance(item, dict)
        if isinstance(item.get("tgt"), dict) and item.get("item_id") is None
    }  # fmt: skip
    streamed = len(set(items.values())) == len({own[:2] for own in items.values()})
    names = {key: own[:2] if streamed else own[2:] for key, own in items.items()}
    order = {name: number for number, name in enumerate(sorted(set(names.values()), key=str), 1)}
    return {key: order[name] for key, name in names.items()}


def _of_entry(
    line: int, entry: Object, user: str, where: str, numbers: Mapping[tuple[int, int], int], left_out: Counter[str]
) -> Iterator[tuple[_Key, tuple[int, Place, Any, str | None]]]:
    items, said = entry.get("item"), entry["annotation"]
    if _UNCOUNTED.fullmatch(where):
        first: Object = items[0] if isinstance(items, list) and items and isinstance(items[0], dict) else {}
        usual = "tutorial" if where.startswith("welcome") else f"{where.partition('_')[0]} item"
        left_out[_unrated(first) or usual] += 1
        return
    if isinstance(said, dict) and where.isdigit() and all(isinstance(one, dict) for one in said.values()):
        items, said = [{}], [said]
    if not isinstance(items, list) or not isinstance(said, list):
        left_out["form"] += 1
        return
    for at, (given, models) in enumerate(zip(items, said, strict=False)):
        item: Object = given if isinstance(given, dict) else {}
        name = item.get("item_id")
        number = numbers.get((line, at), 0) if item else int(where) + 1
        if what := _unrated(item):
            left_out[what] += 1
            continue
        if not isinstance(models, dict) or (name is None and not number):
            left_out["form" if "text" in item else "unscored item"] += 1
            continue
        texts = tgt if isinstance(tgt := item.get("tgt"), dict) else {}
        place = Place(line, number=number) if name is None else Place(line, item=str(name))
        for model, rated in models.items():
            if isinstance(rated, dict) and _sliders(rated):
                yield (user, where, at, model), (line, place, rated, _text(texts.get(model)))
            else:
                left_out["unscored output"] += 1


def _unrated(item: Object) -> str:
    """Return what an item is that rates no output; nothing for others."""
    name = str(item.get("item_id") or "")
    if "form" in item:
        return "form"
    if name.startswith("attention_check"):
        return "attention check"
    return "tutorial" if "_#_tutorial_#_" in name else ""


def _sliders(rated: Object) -> dict[str, Any]:
    """Return the scores of an output by their sliders: one, called esa, where a campaign has none of its own."""
    score = rated.get("score")
    held = {"esa": score} if score is not None and not isinstance(score, dict) else score or rated.get("sliders")
    return {str(name): value for name, value in held.items() if value is not None} if isinstance(held, dict) else {}


def _take_last(
    sheet: Sheet, taken: Taken, campaign: str, last: Mapping[_Key, tuple[int, Place, Any, str | None]], pair: str | None
) -> None:
    words, protocol = (campaign,) if campaign else (), _protocol(last)
    for (user, _, _, model), (line, place, given, text) in last.items():
        sliders = _sliders(given)
        for slider, value in sliders.items():
            kind = (slider, *words)
            number = score_in_json(value, f"{sheet.at(line)}: the score of {model}")
            taken.of(kind, user).add(model, place, number, line, text)
            taken.protocols[kind] = protocol
            if pair is not None:
                taken.pairs[kind] = pair
            spans = given.get("error_spans")
            if slider == next(iter(sliders)) and isinstance(spans, list):
                marks = marked_errors(sheet, line, model, user, place, [_as_here(span, text) for span in spans], text)
                taken.marked[kind, user] += marks


def _protocol(last: Mapping[_Key, tuple[int, Place, Any, str | None]]) -> str:
    """Return how a campaign rated, as its entries tell: info, which says it, is in the file that asks for ratings."""
    spans = [span for _, _, rated, _ in last.values() for span in _list(rated.get("error_spans"))]
    screens = Counter(key[:3] for key in last)
    of_categories = any(isinstance(span, dict) and span.get("category") for span in spans)
    name = "MQM" if of_categories else "ESA" if spans else "DA, or ESA without any span"
    return f"contrastive {name}" if max(screens.values(), default=1) > 1 else name


def _as_here(span: Any, text: str | None) -> Any:
    """Return a span with its ends in characters: Pearmut counts UTF-16's units, and its marks of what lacks behind."""
    held = span if isinstance(span, dict) else {}
    ends = [held[name] for name in ("start_i", "end_i") if type(held.get(name)) is int]
    if text is None or len(ends) < 2 or not 0 <= ends[0] <= ends[1]:
        return span
    units = list(accumulate((1 + (char > "\uffff") for char in text), initial=0))
    if ends[0] >= units[-1]:
        return {**span, "start_i": "missing", "end_i": "missing"}
    first, last = bisect_right(units, ends[0]) - 1, min(len(text), bisect_left(units, ends[1] + 1))
    return {**span, "start": first, "end": last}


def is_progress(users: object) -> bool:
    """Return whether this is how far the users of a campaign are."""
    return isinstance(users, dict) and bool(users) and all(
        isinstance(user, dict) and "progress" in user for user in users.values()
    )  # fmt: skip


def _is_of_progress(sheet: Sheet) -> bool:
    if '"progress"' not in sheet.json_head:
        return False
    held = sheet.whole
    return isinstance(held, dict) and bool(held) and (is_progress(held) or all(map(is_progress, held.values())))


def _progress(sheet: Sheet, taken: Taken) -> None:
    """Tell how far users are, and who failed checks; there are no scores."""
    held = sheet.whole
    users = [own for campaign in ([held] if is_progress(held) else held.values()) for own in campaign.items()]
    checks: dict[str, list[bool]] = defaultdict(list)
    for user, own in users:
        told = own.get("validations")
        for passed in told.values() if isinstance(told, dict) else ():
            checks[user].append(all(_list(passed)))
    _tell_checks(sheet, taken, checks)
    done = sum(all(map(_is_done, _list(own["progress"]))) for _, own in users)
    taken.notes.append(Note("note", f"{sheet.label}: {done} of {len(users)} raters have finished rating."))


def _is_done(said: object) -> bool:
    return all(said.values()) if isinstance(said, dict) else bool(said)


def _by_campaign(words: Sequence[str], every: Sequence[Sequence[str]], _: str) -> str:
    several = len({kind[1:] for kind in every}) > 1
    return "-".join(words) if several else words[0]


# WMT25's human evaluation, WMT26's predictions, subset2evaluate: an object is a segment, with the scores of systems.
class _Rated(TypedDict):
    doc_id: Any
    scores: dict[str, dict[str, Any]] | None


class _Marks(TypedDict):
    errors: NotRequired[list[Any] | None]


class _Predicted(TypedDict):
    item_id: Any
    task1_pred: NotRequired[dict[str, _Marks | None] | None]
    task2_pred: NotRequired[dict[str, Any] | None]


class _OfSystems(TypedDict):
    scores: dict[str, Any]


class _Measured(TypedDict):
    prediction: Any


class _Sides(TypedDict):
    system_x: NotRequired[dict[str, Any] | None]
    system_y: NotRequired[dict[str, Any] | None]


def _humeval(sheet: Sheet, taken: Taken) -> None:
    for line, item in sheet.objects_like(_Rated):
        texts = item.get("tgt_text")
        place = Place(line, item=str(item["doc_id"]))
        for system, said in (item["scores"] or {}).items():
            for wave in sorted(key[5:] for key in said if re.fullmatch(r"human\d+", key)):
                rater = str(said.get(f"annotator{wave}") or f"wave {wave}")
                score = score_in_json(said[f"human{wave}"], f"{sheet.at(line)}: human{wave} of {system}")
                text = _text(texts.get(system)) if isinstance(texts, dict) else None
                taken.of(("esa",), rater).add(system, place, score, line, text)
                spans = said.get(f"errors{wave}")
                if isinstance(spans, list):
                    marks = marked_errors(sheet, line, system, rater, place, spans)
                    taken.marked[("esa",), rater] += marks


def _predictions(sheet: Sheet, taken: Taken) -> None:
    """Take in the numbers, and the spans of the same outputs; without any number, minus the weights of the spans."""
    items = sheet.objects_like(_Predicted)
    numbers = any(item.get("task2_pred") for _, item in items)
    for line, item in items:
        place, spans = Place(line, item=str(item["item_id"])), item.get("task1_pred") or {}
        for system, value in ((item.get("task2_pred") or {}) if numbers else spans).items():
            where = f"{sheet.at(line)}: the prediction for {system}"
            marks = marked_errors(sheet, line, system, "", place, (spans.get(system) or {}).get("errors") or [])
            score = score_in_json(value, where) if numbers else -sum(_weight(mark, where) for mark in marks)
            taken.of().add(system, place, score, line)
            taken.marked[(), None] += marks
    if not taken.cells:
        raise ReadError(
            f"{sheet.label}: expected predictions in task1_pred or task2_pred; found none. Give the file that was "
            "submitted."
        )


def _weight(mark: Marked, where: str) -> float:
    points = SPAN_WEIGHTS.get(mark.error.severity.lower())
    if points is None:
        raise ReadError(
            f"{where}: the severity {quoted(mark.error.severity)} is unknown; expected minor or major. Correct it."
        )
    return points


def _subset(sheet: Sheet, taken: Taken) -> None:
    for number, (line, item) in enumerate(sheet.objects_like(_OfSystems), 1):
        texts = item.get("tgt")
        for system, scores in item["scores"].items():
            for metric, value in scores.items() if isinstance(scores, dict) else []:
                score = score_in_json(value, f"{sheet.at(line)}: {metric} of {system}")
                text = _text(texts.get(system)) if isinstance(texts, dict) else None
                taken.of((metric,)).add(system, Place(line, number=number), score, line, text)


# MetricX: lower is better, as its name says; a file of one system is called like it.
def _is_metricx(sheet: Sheet) -> bool:
    first = sheet.first_objects[0] if sheet.first_objects else {}
    return "prediction" in first and bool({"hypothesis", "system_id", "id"} & first.keys())


def _metricx(sheet: Sheet, taken: Taken) -> None:
    stem = name_of(re.sub(r"[._-]?metricx\d*[^.]*", "", sheet.file.path.name, flags=re.IGNORECASE)) or "metricx"
    objects = sheet.objects_like(_Measured)
    key = "segment_id" if "segment_id" in objects[0][1] else "id"
    first = min((item[key] for _, item in objects if isinstance(item.get(key), int)), default=0)
    taken.counts_from = min(first, 1) if any(isinstance(item.get(key), int) for _, item in objects) else None
    for number, (line, item) in enumerate(objects, 1):
        at = item[key] + 1 - min(first, 1) if isinstance(item.get(key), int) else number
        score = score_in_json(item["prediction"], f"{sheet.at(line)}: prediction")
        system = str(item.get("system_id") or stem)
        taken.of(("metricx",)).add(system, Place(line, number=at), score, line, _text(item.get("hypothesis")))


# What comet-compare --to_json writes: since COMET 1.1 by system; in COMET 1.0 two systems by segment, without names.
def _is_compared(sheet: Sheet) -> bool:
    first = sheet.first_objects[0] if sheet.first_objects else {}
    return {"bootstrap_resampling", "paired_t-test"} <= first.keys() or '"statistical_results"' in sheet.json_head


def _compared(sheet: Sheet) -> dict[str, Sequence[tuple[Any, str | None]]]:
    """Return the scores and texts of each system, by the path of its file."""
    first = sheet.first_objects[0] if sheet.first_objects else {}
    if "bootstrap_resampling" in first:
        segments = [item for _, item in sheet.objects_like(_Sides)][1:]
        sides = {side: [item.get(side) or {} for item in segments] for side in ("system_x", "system_y")}
        return {side: [(own.get("score"), _text(own.get("mt"))) for own in held] for side, held in sides.items()}
    held = sheet.whole
    listed = held.get("translations") if isinstance(held, dict) else None
    return {
        str(one.get("name")): [(score, _text(text)) for score, text in zip_longest(one["scores"], _list(one.get("mt")))]
        for one in _list(listed)
        if isinstance(one, dict) and isinstance(one.get("scores"), list)
    }


def _compare(sheet: Sheet, taken: Taken) -> None:
    compared = _compared(sheet)
    for (path, values), system in zip(compared.items(), names_of(list(compared)), strict=True):
        for number, (value, text) in enumerate(values, 1):
            where = f"{sheet.label}, {quoted(path)}, segment {number}: the score"
            taken.of(("COMET",)).add(system, Place(1, number=number), score_in_json(value, where), text=text)


# Scores without any name of a system: lists in JSON, or a number on each line.
_LIST = re.compile(
    r'\s*(?:\[|\{(?:\s*"[^"]*"\s*:\s*(?:"[^"]*"|[-\d.eE+]+|null)\s*,)*\s*"[^"]*"\s*:\s*\[)\s*(?:-?\d|null|NaN)'
)


def _lists(sheet: Sheet) -> dict[str, Sequence[Any]]:
    """Return the lists of numbers that a file of JSON is made of, by their names."""
    held = sheet.whole
    if isinstance(held, list):
        held = {"": held}
    lists: dict[str, Sequence[Any]] = {name: own for name, own in held.items() if isinstance(own, list) and own}
    lists = {name: own for name, own in lists.items() if name in _SCORES} or lists  # beside spans, in what COMET gives
    are_numbers = all(_is_score(value) for own in lists.values() for value in own)
    if not are_numbers or len({*map(len, lists.values())}) != 1:
        raise ReadError(
            f"{sheet.label}: expected lists of numbers, each as long as the test set; got {quoted(', '.join(held))}. "
            "Give each segment one number, or null where there is no score."
        )
    return lists


_SCORES = ("scores", "scores_list", "sentence_scores", "segment_scores")


def _is_score(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _take_lists(sheet: Sheet, taken: Taken) -> None:
    lists = _lists(sheet)
    taken.in_order = True
    system = name_and_direction(sheet.file.path.name)[0]
    for name, values in lists.items():
        word = () if name in ("", *_SCORES) else (name,)
        for number, value in enumerate(values, 1):
            taken.of(word).add(system, Place(1, number=number), score_in_json(value, f"{sheet.label}, item {number}"))


_NO_SYSTEMS = COUNTERS | DOCUMENTS | METADATA | GENERIC | {
    *_SCORES, "precision", "recall", "p", "r", "f", "length", "lengths", "count", "counts", "time", "times",
}  # fmt: skip
"""Names of lists that say what their numbers are, in their common spelling."""


def _are_by_system(sheet: Sheet) -> bool:
    """Return whether there are several lists of numbers, none of which is called like a score or a counter."""
    if _LIST.match(sheet.json_head) is None or not sheet.json_head.startswith("{"):
        return False
    names = [name for name, own in sheet.whole.items() if isinstance(own, list)]
    return len(names) > 1 and not any(plain_name(name) in _NO_SYSTEMS or scale_of(name) for name in names)


def _take_by_system(sheet: Sheet, taken: Taken) -> None:
    taken.in_order = True
    for name, values in _lists(sheet).items():
        for number, value in enumerate(values, 1):
            taken.of().add(name, Place(1, number=number), score_in_json(value, f"{sheet.label}, {name}, item {number}"))


def behind_stem(words: Sequence[str], _: Sequence[Sequence[str]], stem: str) -> str:
    """Return what a rating of one system is called: like its file, with its own word behind."""
    return f"{stem}-{words[0]}" if words else stem


CAMPAIGNS: dict[str, RatingReader] = {
    "pearmut": RatingReader(
        "Pearmut: entries with user_id, item_i, item and annotation", _is_pearmut, _pearmut, _by_campaign,
        lone_rater=True, in_json=True, empty="contains no score of an output",
    ),
    "pearmut-progress": RatingReader(
        "Pearmut's progress: how far users are, and which checks they passed", _is_of_progress, _progress, own_name,
        holds_scores=False, in_json=True,
    ),
    "wmt25-humeval": RatingReader(
        "WMT25's human evaluation: doc_id, tgt_text, scores with human1 and annotator1",
        _has("doc_id", "tgt_text", "scores"), _humeval, own_name, in_json=True, holds_texts=True,
        averaged=True, protocol="ESA",
    ),
    "wmt26-predictions": RatingReader(
        "WMT26's predictions: item_id, task1_pred, task2_pred", _has("item_id", "task2_pred"), _predictions, own_name,
        directed=True, in_json=True,
    ),
    "subset2evaluate": RatingReader(
        "subset2evaluate: tgt and scores by system", _has("tgt", "scores"), _subset, own_name, in_json=True,
        holds_texts=True,
    ),
    "metricx": RatingReader(
        "MetricX: objects with prediction, and hypothesis, id, or system_id and segment_id", _is_metricx, _metricx,
        own_name, in_json=True, holds_texts=True,
    ),
    "comet-compare": RatingReader(
        "comet-compare's JSON: translations with scores, or of COMET 1.0 system_x and system_y",
        _is_compared, _compare, own_name, in_json=True, empty="contains no scores of translations",
    ),
    "lists-by-system": RatingReader(
        'lists of numbers in JSON by system, as {"A": [...], "B": [...]}', _are_by_system, _take_by_system, own_name,
        in_json=True, directed=True,
    ),
    "lists": RatingReader(
        'lists of numbers in JSON, as {"scores": [...]} or BERTScore\'s {"f1": [...]}: of one system',
        lambda sheet: _LIST.match(sheet.json_head) is not None, _take_lists, behind_stem, in_json=True,
        directed=True, names_systems=False,
    ),
}  # fmt: skip
"""Formats in which a file is known by its keys; the last one names no system."""
