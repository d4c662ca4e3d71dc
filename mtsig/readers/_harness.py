"""Harnesses: what lm-evaluation-harness, lighteval and EvalScope log of every answer, as a test set for each task.

The first are what --log_samples writes, with the results beside them; the second what --save-details writes, a Parquet
table for each task; of EvalScope the reviews, a file for each model and task.
"""

import re
from ast import literal_eval
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from mtsig.corpus import Note
from mtsig.corpus._notes import quoted
from mtsig.errors import ReadError
from mtsig.readers import _runs
from mtsig.readers._files import File, Object, json_of, objects_of, text_of
from mtsig.readers._names import name_of
from mtsig.readers._parquet import rows_of
from mtsig.readers._parts import Part, Placed
from mtsig.readers._runs import Answer, Log, Run, answered, item_of, logs_among, of_runs, texts_in, whole_set_only
from mtsig.readers._sheet import Direction, score_in_json

_LM_EVAL = "lm-evaluation-harness samples"

_DATE = re.compile(r"_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(\.\d+)?)(?=\.jsonl?$)")
"""When the run ended, in the names of all of its files."""

_SIGNS = re.compile(r"[\"<>:/|\\?*\[\]]+")
"""What lm-evaluation-harness writes as __ where a folder is called like a model."""

_ABOUT = frozenset({
    "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash", "prompt_hash",
    "target_hash",
})  # fmt: skip
"""Fields of a sample that are no metric."""


def _lm_eval_claims(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
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


def _lm_eval_parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return the texts and scores of every file of samples."""
    results: dict[tuple[tuple[str, ...], str], Object] = {}
    problems: dict[int, ReadError] = {}
    for placed in files:
        date = _date(placed.name)
        if date is not None and not _are_samples(placed):
            try:
                results[placed.folder, date] = _results(placed.file)
            except ReadError as error:
                problems[id(placed)] = error

    def results_of(placed: Placed) -> Object:
        """Return the results of the same run: those in its folder, or the only ones of its date."""
        date = _date(placed.name) or ""
        beside = {other.folder for other in files if _are_samples(other) and _date(other.name) == date}
        others = [found for (_, when), found in results.items() if when == date and len(beside) == 1]
        if own := results.get((placed.folder, date)) or (others[0] if len(others) == 1 else None):
            return own
        near = [found for (folder, _), found in results.items() if folder == placed.folder]
        models = {str(found.get("model_name_sanitized") or _SIGNS.sub("__", str(found.get("model_name"))))
                  for found in near}  # fmt: skip
        # A folder that is given as a whole, or holds all others, is no part of the label.
        content = placed.file.content
        inside = content.parent.name if isinstance(content, Path) else "".join(placed.folder[-1:])
        if near and models != {inside}:
            raise ReadError(
                f"{placed.file.label} has no results_{date or 'DATE'}.json of its run next to it, as other runs there "
                "have, so its model is unknown. Copy that file there, or put the samples into a folder of their own."
            )
        return {"model_name": near[0].get("model_name"), "model_name_sanitized": inside} if near else {}

    def read(placed: Placed) -> list[Run]:
        if id(placed) in problems:
            raise problems[id(placed)]
        return [_lm_eval_run(placed, results_of(placed))] if _are_samples(placed) else []

    return of_runs(files, read, _LM_EVAL)


def _results(file: File) -> Object:
    content = json_of(text_of(file)[0], file.label)
    return content if isinstance(content, dict) else {}


def _lm_eval_run(placed: Placed, results: Object) -> Run:
    objects, notes = objects_of(placed.file)
    label = placed.file.label
    task = _task(placed)
    filters = list(dict.fromkeys(str(sample.get("filter", "none")) for _, sample in objects))
    own = _own_filter(results, task, filters)
    answers: dict[str, Answer] = {}
    seen: dict[tuple[str, str], int] = {}
    no_number: set[str] = set()
    # Brackets in some targets are text.
    are_lists = all(_as_list(sample.get("target")) for _, sample in objects)
    for line, sample in objects:
        where = f"{label}, line {line}"
        item, chosen = item_of(sample.get("doc_id"), where), str(sample.get("filter", "none"))
        if (item, chosen) in seen:
            raise ReadError(
                f"{where}: this is a second sample of item {item}; the first is on line {seen[item, chosen]}. Was a "
                "log appended to an older log? Keep only one of the two."
            )
        seen[item, chosen] = line
        counted = {metric: value for metric, value in sample.items() if metric not in _ABOUT}
        scores = _numbers(counted, where, no_number, "" if len(filters) == 1 else f",{chosen}")
        before = answers.get(item)
        known = {} if before is None else before.scores
        found = _outputs(sample) if chosen == own else ()
        first = Answer(
            item, line if before is None else before.line, {**known, **scores},
            found[0] if found else None if before is None else before.output,
            texts_in(_as_list(sample.get("target")) if are_lists else sample.get("target")), _question(sample),
            _same(sample), () if before is None else before.again,
        )  # fmt: skip
        answers[item] = _sampled(first, found) if found else first
    _check_filters(label, filters, seen, list(answers))
    texts = all(answer.output is not None for answer in answers.values())
    system, folder = _model(placed, results)
    if len(filters) > 1 and texts:
        text = f"{label}: the output of the filter {own!r} is read as the answers (of {', '.join(filters)})."
        notes = (*notes, Note("note", text))
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
                f"{missing[0]}. Is the file incomplete? Run the task again."
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


_NO_FILTER = {"none"}


def _own_filter(results: Object, task: str, filters: Sequence[str]) -> str:
    """Return the filter whose answers count: the first that the task names, or that the file has beside none."""
    configs = results.get("configs")
    config = configs.get(task) if isinstance(configs, dict) else None
    listed = config.get("filter_list") if isinstance(config, dict) else None
    named = [one.get("name") for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    filtered = [own for own in filters if own not in _NO_FILTER]
    return next((str(name) for name in named if name in filters), (filtered or filters)[0])


def _outputs(sample: Object) -> Sequence[str]:
    """Return what was generated, as its filter left it, and all of several where they are as they came; or nothing."""
    if not isinstance(_first_argument(sample).get("arg_1"), dict):  # likelihoods
        return ()
    filtered, came = sample.get("filtered_resps"), sample.get("resps")
    if not isinstance(filtered, list) or len(filtered) != 1:
        return ()
    texts = filtered[0] if isinstance(filtered[0], list) else filtered
    raw = came[0] if isinstance(came, list) and len(came) == 1 and isinstance(came[0], list) else []
    # Of repeats the usual filter takes the first as it is.
    texts = raw if raw[:1] == texts else texts
    return texts if texts and all(isinstance(text, str) for text in texts) else ()


def _sampled(first: Answer, texts: Sequence[str]) -> Answer:
    """Return an answer with all texts that were sampled; scores are of all of them, and go with the first."""
    return replace(first, output=texts[0], again=tuple(replace(first, scores={}, output=text) for text in texts[1:]))


def _first_argument(sample: Object) -> Mapping[str, Any]:
    arguments = sample.get("arguments")
    first = arguments.get("gen_args_0") if isinstance(arguments, dict) else None
    return first if isinstance(first, dict) else {}


def _question(sample: Object) -> str | None:
    asked = _first_argument(sample).get("arg_0")
    return asked if isinstance(asked, str) else None


def _as_list(target: object) -> list[str] | None:
    """Return the texts of a target that is written as Python shows a list of them; None where it is none."""
    if isinstance(target, str) and target.startswith("["):
        with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            held = literal_eval(target)
            return held if isinstance(held, list) and held and all(isinstance(one, str) for one in held) else None
    return None


def _same(sample: Object) -> str | None:
    """Return what tells the item: digests of its fields and its target."""
    digests = [sample.get(key) for key in ("doc_hash", "target_hash")]
    return quoted(digests, 200) if any(digests) else None


LM_EVAL = Log(_lm_eval_claims, _lm_eval_parts)

_DETAILS_FORM = "lighteval details"
_DETAILS = re.compile(r"details_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(\.\d+)?)\.parquet")


def _lighteval_run(placed: Placed) -> list[Run]:
    label, named = placed.file.label, _DETAILS.fullmatch(placed.name)
    rows = rows_of(placed.file)
    if not rows or not {"doc", "model_response", "metric"} <= rows[0].keys():
        held = ", ".join(rows[0]) if rows else "nothing"
        raise ReadError(
            f"{label} holds {held}; expected the columns doc, model_response and metric, as lighteval writes "
            "them now. Evaluate again with a newer lighteval."
        )
    no_number: set[str] = set()
    said = [(0, _answer(row, f"{label}, row {number}", number, no_number)) for number, row in enumerate(rows, 1)]
    answers = answered(label, said)
    texts = all(answer.output is not None for answer in answers)
    # The folders are details/MODEL/DATE, and a model's name may hold a slash.
    inside = placed.folder[:-1] if named and placed.folder[-1:] == (named["date"],) else placed.folder
    place = inside.index("details") if "details" in inside else -1
    system = "/".join(inside[place + 1 :]) or label
    task = named["task"] if named else label
    folder = inside[: max(place, 0)]
    return [Run(placed, _DETAILS_FORM, system, task, folder, answers, notes=whole_set_only(label, no_number, texts))]


def _answer(row: Mapping[str, Any], where: str, number: int, no_number: set[str]) -> Answer:
    doc, response, counted = (row[name] for name in ("doc", "model_response", "metric"))
    if not all(isinstance(held, dict) for held in (doc, response, counted)):
        raise ReadError(
            f"{where}: expected the item, the response and the scores of one answer. Evaluate "
            "again with a newer lighteval."
        )
    scores = _numbers(counted, where, no_number)
    texts = response.get("text_post_processed") or response.get("text")
    # What is weighed by likelihood has no text.
    texts = texts if isinstance(texts, list) and texts and all(isinstance(text, str) for text in texts) else ()
    asked, choices = doc.get("query"), doc.get("choices")
    answer = Answer(
        item_of(doc.get("id"), where), number, scores, None, _gold(doc), asked if isinstance(asked, str) else None,
        quoted([asked, choices, doc.get("gold_index")], 2000),
    )  # fmt: skip
    return _sampled(answer, texts) if texts else answer


def _gold(doc: Mapping[str, Any]) -> tuple[str, ...]:
    choices, gold = doc.get("choices"), doc.get("gold_index")
    indexes = gold if isinstance(gold, list) else [gold]
    if not isinstance(choices, list):
        return ()
    right = [choices[i] for i in indexes if isinstance(i, int) and 0 <= i < len(choices)]
    return tuple(answer for answer in right if isinstance(answer, str))


LIGHTEVAL = Log.of(_DETAILS_FORM, lambda log: _DETAILS.fullmatch(log.name) is not None, _lighteval_run)

_REVIEWS = "EvalScope reviews"


def _is_review(placed: Placed) -> bool:
    return placed.suffix == ".jsonl" and re.match(rb'\s*\{\s*"index"', placed.head) is not None and (
        b'"sample_score"' in placed.head
    )  # fmt: skip


def _review_run(placed: Placed) -> list[Run]:
    """Return the reviews of one model: reviews/MODEL/TASK.jsonl."""
    objects, notes = objects_of(placed.file)
    no_number: set[str] = set()
    said = [_reviewed(review, f"{placed.file.label}, line {line}", line, no_number) for line, review in objects]
    answers = answered(placed.file.label, said)
    texts = all(answer.output is not None for answer in answers)
    notes = (*notes, *whole_set_only(placed.file.label, no_number, texts))
    system = placed.folder[-1] if placed.folder else name_of(placed.name)
    folder = placed.folder[:-2] if placed.folder[-2:-1] == ("reviews",) else placed.folder[:-1]
    return [Run(placed, _REVIEWS, system, name_of(placed.name), folder, answers, notes=notes)]


def _reviewed(review: Object, where: str, line: int, no_number: set[str]) -> tuple[object, Answer]:
    """Return the trial and the answer of a review."""
    sample = review.get("sample_score")
    score = sample.get("score") if isinstance(sample, dict) else None
    if not isinstance(sample, dict) or not isinstance(score, dict) or not isinstance(score.get("value"), dict):
        raise ReadError(
            f"{where}: expected an EvalScope review, with sample_score and the values of its score. Leave the file "
            "out, or evaluate again."
        )
    item, trial = review.get("index"), "0"
    if sample.get("group_id") is not None and sample.get("generation_index") is not None:
        item, trial = sample["group_id"], str(sample["generation_index"])
    # What was scored is what was taken out of the answer; where nothing was, the answer itself.
    texts = [text for key in ("extracted_prediction", "prediction") if isinstance(text := score.get(key), str) and text]
    # Older versions have no messages.
    question = _runs.asked_by_user(review.get("messages")) or _runs.asked_by_user(review.get("input"))
    return trial, Answer(
        item_of(item, where), line, _numbers(score["value"], where, no_number), texts[0] if texts else None,
        texts_in(review.get("target")), question, quoted([question, review.get("target")], 2000),
    )  # fmt: skip


EVALSCOPE = Log.of(_REVIEWS, _is_review, _review_run)
