"""lighteval: the details that --save-details writes, a Parquet table for each task."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from mtsig.corpus import quoted
from mtsig.errors import ReadError
from mtsig.readers._sheet import score_in_json
from mtsig.readers.benchmarks.runs import Answer, Run, item_of, logs_among, of_runs, whole_set_only
from mtsig.readers.parquet import rows_of
from mtsig.readers.part import Part
from mtsig.readers.reader import Placed, Reader

FORM = "lighteval details"

_NAME = re.compile(r"details_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(\.\d+)?)\.parquet")


def claims(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
    """Return the details, where nothing else is a test set."""
    return logs_among(files, lambda log: _NAME.fullmatch(log.name) is not None, alone)


def parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return the texts and scores of every file of details."""
    return of_runs(files, _run, FORM)


def _run(placed: Placed) -> Run:
    label, named = placed.file.label, _NAME.fullmatch(placed.name)
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
    return Run(placed, FORM, system, task, folder, answers, notes=whole_set_only(label, no_number, texts))


def _answer(row: Mapping[str, Any], where: str, number: int, no_number: set[str]) -> Answer:
    doc, response, counted = (row[name] for name in ("doc", "model_response", "metric"))
    if not all(isinstance(held, dict) for held in (doc, response, counted)):
        raise ReadError(f"{where}: expected the item, the response and the scores of one answer.")
    scores = {}
    for metric, value in counted.items():
        if isinstance(value, list | dict | str):
            no_number.add(metric)
        else:
            scores[metric] = score_in_json(float(value) if isinstance(value, bool) else value, f"{where}: {metric}")
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


LIGHTEVAL = Reader("lighteval: details_*.parquet of --save-details", claims, parts)
