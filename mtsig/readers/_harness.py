"""Harnesses: what lm-evaluation-harness and lighteval log of every answer goes in, a test set for each task comes out.

The first are what --log_samples writes, with the results beside them; the second what --save-details writes, a Parquet
table for each task.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from mtsig.corpus._notes import quoted
from mtsig.errors import ReadError
from mtsig.readers._files import File, json_of, text_of
from mtsig.readers._json import Object, objects_of
from mtsig.readers._names import name_of
from mtsig.readers._parquet import rows_of
from mtsig.readers._parts import Part, Placed
from mtsig.readers._runs import Answer, Run, item_of, logs_among, of_runs, whole_set_only
from mtsig.readers._sheet import Direction, score_in_json

_LM_EVAL = "lm-evaluation-harness samples"

_DATE = re.compile(r"_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(\.\d+)?)(?=\.jsonl?$)")
"""When the run ended, in the names of all of its files."""

_ABOUT = frozenset({
    "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash", "prompt_hash",
    "target_hash",
})  # fmt: skip
"""Fields of a sample that are no metric."""


def lm_eval_claims(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
    """Return the samples and the results of their runs, where nothing else is a test set."""
    samples = logs_among(files, _are_samples, alone)
    dates = {date for placed in samples if (date := _date(placed.name))}
    return samples + [
        placed for placed in files if placed not in samples and placed.suffix == ".json" and _date(placed.name) in dates
    ]


def _are_samples(placed: Placed) -> bool:
    if placed.suffix not in {".jsonl", ".json"}:
        return False
    head = placed.head
    return re.match(rb'[\s\[]*\{\s*"doc_id"', head) is not None and re.search(rb'"(filtered_)?resps"', head) is not None


def _date(name: str) -> str | None:
    match = _DATE.search(name)
    return None if match is None else match[1]


def lm_eval_parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return the texts and scores of every file of samples."""
    results: dict[str, Object] = {}
    problems: dict[int, ReadError] = {}
    for placed in files:
        date = _date(placed.name)
        if date is not None and not _are_samples(placed):
            try:
                results[date] = _results(placed.file)
            except ReadError as error:
                problems[id(placed)] = error

    def read(placed: Placed) -> Run | None:
        if id(placed) in problems:
            raise problems[id(placed)]
        return _lm_eval_run(placed, results.get(_date(placed.name) or "", {})) if _are_samples(placed) else None

    return of_runs(files, read, _LM_EVAL)


def _results(file: File) -> Object:
    content = json_of(text_of(file)[0], file.label)
    return content if isinstance(content, dict) else {}


def _lm_eval_run(placed: Placed, results: Object) -> Run:
    objects, notes = objects_of(placed.file)
    label = placed.file.label
    task = _task(placed)
    filters = list(dict.fromkeys(str(sample.get("filter", "none")) for _, sample in objects))
    answers: dict[str, Answer] = {}
    seen: dict[tuple[str, str], int] = {}
    no_number: set[str] = set()
    for line, sample in objects:
        where = f"{label}, line {line}"
        item, chosen = item_of(sample.get("doc_id"), where), str(sample.get("filter", "none"))
        if (item, chosen) in seen:
            raise ReadError(
                f"{where}: a second sample of item {item}; the first is on line {seen[item, chosen]}. Was a log added "
                "to an older one? Keep one of the two."
            )
        seen[item, chosen] = line
        counted = {metric: value for metric, value in sample.items() if metric not in _ABOUT}
        scores = _numbers(counted, where, no_number, "" if len(filters) == 1 else f",{chosen}")
        before = answers.get(item)
        known = {} if before is None else before.scores
        answers[item] = Answer(
            item, line if before is None else before.line, {**known, **scores},
            _output(sample, several=len(filters) > 1), _references(sample), _question(sample), _same(sample),
        )  # fmt: skip
    _check_filters(label, filters, seen, list(answers))
    texts = all(answer.output is not None for answer in answers.values())
    system, folder = _model(placed, results)
    notes = (*notes, *whole_set_only(label, no_number, texts))
    return Run(placed, _LM_EVAL, system, task, folder, list(answers.values()), _better(results, task, filters), notes)


def _numbers(counted: Mapping[str, Any], where: str, no_number: set[str], ending: str = "") -> dict[str, float]:
    """Return the scores of an answer, named with the ending; add to `no_number` those without one."""
    scores = {}
    for metric, value in counted.items():
        if isinstance(value, list | dict | str):
            no_number.add(metric + ending)
        else:
            number = float(value) if isinstance(value, bool) else value
            scores[metric + ending] = score_in_json(number, f"{where}: {metric}")
    return scores


def _check_filters(
    label: str, filters: Sequence[str], seen: Mapping[tuple[str, str], int], items: Sequence[str]
) -> None:
    for chosen in filters:
        missing = [item for item in items if (item, chosen) not in seen]
        if missing:
            raise ReadError(
                f"{label}: the filter {chosen!r} lacks {len(missing):,} of {len(items):,} items, the first being "
                f"{missing[0]}. Was the file cut off?"
            )


def _task(placed: Placed) -> str:
    stem = _DATE.sub("", placed.name)
    return name_of(stem).removeprefix("samples_")


def _model(placed: Placed, results: Object) -> tuple[str, tuple[str, ...]]:
    """Return the model's name, and the folder that its runs lie in, without one that is called like it."""
    name = results.get("model_name")
    if not isinstance(name, str) or not name.strip():
        folder = placed.folder[:-1] if placed.folder else ()
        return (placed.folder[-1] if placed.folder else name_of(placed.name)), folder
    own = placed.folder[-1:] == (str(results.get("model_name_sanitized")),)
    return name, placed.folder[:-1] if own else placed.folder


def _better(results: Object, task: str, filters: Sequence[str]) -> dict[str, Direction]:
    """Return the direction of every metric, as the results declare it."""
    declared = results.get("higher_is_better")
    own = declared.get(task) if isinstance(declared, dict) else None
    known: dict[str, Direction] = {
        metric: "higher" if higher else "lower"
        for metric, higher in (own if isinstance(own, dict) else {}).items()
        if isinstance(higher, bool)
    }
    if len(filters) == 1:
        return known
    return {f"{metric},{chosen}": better for metric, better in known.items() for chosen in filters}


def _output(sample: Object, several: bool) -> str | None:
    """Return what was generated: as the one filter left it, or before there were several; None for likelihoods."""
    first = _first_argument(sample)
    if not isinstance(first.get("arg_1"), dict):
        return None
    texts = sample.get("filtered_resps")
    if several:
        answers = sample.get("resps")
        texts = answers[0] if isinstance(answers, list) and len(answers) == 1 else None
    if not isinstance(texts, list) or len(texts) != 1 or not isinstance(texts[0], str):
        return None
    return texts[0]


def _first_argument(sample: Object) -> Mapping[str, Any]:
    arguments = sample.get("arguments")
    first = arguments.get("gen_args_0") if isinstance(arguments, dict) else None
    return first if isinstance(first, dict) else {}


def _question(sample: Object) -> str | None:
    asked = _first_argument(sample).get("arg_0")
    return asked if isinstance(asked, str) else None


def _references(sample: Object) -> tuple[str, ...]:
    """Return the target; one that is a list of targets is written as Python shows it, and cannot be told apart."""
    target = sample.get("target")
    if not isinstance(target, str) or re.fullmatch(r"\[.*\]", target, re.DOTALL):
        return ()
    return (target,)


def _same(sample: Object) -> str | None:
    """Return what tells the item: digests of its fields and its target."""
    digests = [sample.get(key) for key in ("doc_hash", "target_hash")]
    return quoted(digests, 200) if any(digests) else None


_LIGHTEVAL = "lighteval details"

_DETAILS = re.compile(r"details_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(\.\d+)?)\.parquet")


def lighteval_claims(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
    """Return the details, where nothing else is a test set."""
    return logs_among(files, lambda log: _DETAILS.fullmatch(log.name) is not None, alone)


def lighteval_parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return the texts and scores of every file of details."""
    return of_runs(files, _lighteval_run, _LIGHTEVAL)


def _lighteval_run(placed: Placed) -> Run:
    label, named = placed.file.label, _DETAILS.fullmatch(placed.name)
    rows = rows_of(placed.file)
    if not rows or not {"doc", "model_response", "metric"} <= rows[0].keys():
        held = ", ".join(rows[0]) if rows else "nothing"
        raise ReadError(
            f"{label} holds {held}; expected the columns doc, model_response and metric, as lighteval writes "
            "them now. Evaluate again with a newer lighteval."
        )
    answers = []
    no_number: set[str] = set()
    for number, row in enumerate(rows, 1):
        answers.append(_answer(row, f"{label}, row {number}", number, no_number))
    texts = all(answer.output is not None for answer in answers)
    # The folders are details/MODEL/DATE, and a model's name may hold a slash.
    inside = placed.folder[:-1] if named and placed.folder[-1:] == (named["date"],) else placed.folder
    place = inside.index("details") if "details" in inside else -1
    system = "/".join(inside[place + 1 :]) or label
    task = named["task"] if named else label
    folder = inside[: max(place, 0)]
    return Run(placed, _LIGHTEVAL, system, task, folder, answers, notes=whole_set_only(label, no_number, texts))


def _answer(row: Mapping[str, Any], where: str, number: int, no_number: set[str]) -> Answer:
    doc, response, counted = (row[name] for name in ("doc", "model_response", "metric"))
    if not all(isinstance(held, dict) for held in (doc, response, counted)):
        raise ReadError(f"{where}: expected the item, the response and the scores of one answer.")
    scores = _numbers(counted, where, no_number)
    texts = response.get("text_post_processed") or response.get("text")
    # What is weighed by likelihood has no text, and several samples of one item are several.
    output = texts[0] if isinstance(texts, list) and len(texts) == 1 and isinstance(texts[0], str) else None
    asked, choices = doc.get("query"), doc.get("choices")
    return Answer(
        item_of(doc.get("id"), where), number, scores, output, _gold(doc), asked if isinstance(asked, str) else None,
        quoted([asked, choices, doc.get("gold_index")], 2000),
    )  # fmt: skip


def _gold(doc: Mapping[str, Any]) -> tuple[str, ...]:
    choices, gold = doc.get("choices"), doc.get("gold_index")
    indexes = gold if isinstance(gold, list) else [gold]
    if not isinstance(choices, list):
        return ()
    right = [choices[i] for i in indexes if isinstance(i, int) and 0 <= i < len(choices)]
    return tuple(answer for answer in right if isinstance(answer, str))
