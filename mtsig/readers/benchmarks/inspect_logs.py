"""Inspect: logs of evaluations, as .eval archives or as JSON."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mtsig.corpus import Note, quoted
from mtsig.errors import ReadError
from mtsig.readers._sheet import Direction, score_in_json
from mtsig.readers.archives import members
from mtsig.readers.benchmarks.runs import Answer, Run, item_of, logs_among, mean_of, of_runs
from mtsig.readers.files import head_of, text_of
from mtsig.readers.json_files import Object
from mtsig.readers.json_text import json_of
from mtsig.readers.part import Part
from mtsig.readers.reader import Placed, Reader

FORM = "Inspect log"

_MARKS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""Marks that Inspect counts so: correct, incorrect, partly correct, not answered."""

_LOG = re.compile(rb'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:\s*"')


def claims(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
    """Return the logs, where nothing else is a test set."""
    return logs_among(files, lambda log: _is_archive(log) or _is_json(log), alone)


def _is_archive(placed: Placed) -> bool:
    return placed.suffix == ".eval"


def _is_json(placed: Placed) -> bool:
    return placed.suffix == ".json" and _LOG.match(head_of(placed.file)) is not None


def parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return the texts and scores of every log."""
    return of_runs(files, _run, FORM)


def _run(placed: Placed) -> Run:
    label = placed.file.label
    log, samples = _archived(placed) if _is_archive(placed) else _in_json(placed)
    about = log.get("eval")
    task, model = (about.get("task"), about.get("model")) if isinstance(about, dict) else (None, None)
    if not isinstance(task, str) or not isinstance(model, str) or not task.strip() or not model.strip():
        raise ReadError(f"{label}: expected a log of Inspect that names its task and its model.")
    notes = []
    if log.get("status") != "success":
        text = f"{label}: the evaluation ended as {quoted(log.get('status'))}, not as a success."
        notes.append(Note("warning", text))
    by_item: dict[str, dict[int, tuple[int, Object]]] = defaultdict(dict)
    marked: set[str] = set()
    for line, sample in enumerate(samples, 1):
        where = f"{label}, sample {line}"
        item, epoch = item_of(sample.get("id"), where), sample.get("epoch")
        if not isinstance(epoch, int):
            raise ReadError(f"{where}: expected the number of an epoch, found {quoted(epoch)}.")
        if epoch in by_item[item]:
            raise ReadError(f"{where}: a second answer to item {item} in epoch {epoch}.")
        by_item[item][epoch] = line, sample
    failed = [str(sample.get("id")) for sample in samples if sample.get("error") is not None]
    if failed:
        text = f"{label}: {len(failed):,} samples failed with an error, the first being {failed[0]}: gaps, not zeros."
        notes.append(Note("warning", text))
    epochs = max(map(len, by_item.values()), default=1)
    if epochs > 1:
        text = f"{label}: {epochs} epochs; a score is their mean, and no one text stands for them."
        notes.append(Note("note", text))
    answers = [_answer(item, own, epochs, label, marked) for item, own in by_item.items()]
    better: dict[str, Direction] = dict.fromkeys(marked, "higher")
    return Run(placed, FORM, model, task, placed.folder, answers, better, tuple(notes))


def _answer(item: str, epochs: Mapping[int, tuple[int, Object]], most: int, label: str, marked: set[str]) -> Answer:
    """Return the answer to an item, over its epochs; metrics that are marked right or wrong are added to `marked`."""
    values: dict[str, list[float]] = defaultdict(list)
    for line, sample in epochs.values():
        for metric, value in _scores(sample, f"{label}, sample {line}", marked):
            values[metric].append(value)
    line, first = next(iter(epochs.values()))
    output, failed = first.get("output"), first.get("error") is not None
    text = output.get("completion") if isinstance(output, dict) and not failed else None
    target, asked = first.get("target"), first.get("input")
    references = (target,) if isinstance(target, str) else tuple(target or ()) if isinstance(target, list) else ()
    # Of several choices an answer is a letter, not a text.
    is_text = most == 1 and isinstance(text, str) and not first.get("choices")
    return Answer(
        item, line, {metric: mean_of(own) for metric, own in values.items()}, text if is_text else None,
        tuple(reference for reference in references if isinstance(reference, str)),
        asked if isinstance(asked, str) else None, quoted([asked, target], 2000),
    )  # fmt: skip


def _scores(sample: Object, where: str, marked: set[str]) -> Iterator[tuple[str, float]]:
    """Yield the scores of a sample by scorer; of one that gives several, by scorer and name."""
    scores = sample.get("scores")
    for scorer, score in (scores if isinstance(scores, dict) else {}).items():
        value = score.get("value") if isinstance(score, dict) else None
        for name, inner in value.items() if isinstance(value, dict) else [("", value)]:
            metric = f"{scorer}-{name}" if name else str(scorer)
            yield metric, _value(metric, inner, where, marked)


def _value(metric: str, value: Any, where: str, marked: set[str]) -> float:
    if isinstance(value, str) and value in _MARKS:
        marked.add(metric)
        return _MARKS[value]
    if isinstance(value, bool):
        marked.add(metric)
        return float(value)
    if isinstance(value, str | list):
        raise ReadError(
            f"{where}: {metric} is {quoted(value)}; expected a number, or one of Inspect's marks {', '.join(_MARKS)}."
        )
    return score_in_json(value, f"{where}: {metric}")


def _in_json(placed: Placed) -> tuple[Object, list[Object]]:
    log = json_of(text_of(placed.file)[0], placed.file.label, parse_constant=_nothing)
    return _checked(log, placed), _samples(log.get("samples"), placed)


def _archived(placed: Placed) -> tuple[Object, list[Object]]:
    label = placed.file.label
    held = dict(members(label, placed.file.data))
    if "header.json" not in held:
        raise ReadError(f"{label} has no header.json: it is no log of Inspect, or the evaluation never ended.")
    log = json_of(held["header.json"], f"{label}/header.json", parse_constant=_nothing)
    names = [name for name in held if name.startswith("samples/") and name.endswith(".json")]
    samples = [json_of(held[name], f"{label}/{name}", parse_constant=_nothing) for name in names]
    return _checked(log, placed), _samples(samples, placed)


def _nothing(_: str) -> None:
    """Return nothing for NaN and Infinity, which Inspect writes although JSON does not know them."""


def _checked(log: Any, placed: Placed) -> Object:
    if not isinstance(log, dict):
        raise ReadError(f"{placed.file.label}: expected a log of Inspect.")
    return log


def _samples(samples: Any, placed: Placed) -> list[Object]:
    if not isinstance(samples, list) or not samples or not all(isinstance(sample, dict) for sample in samples):
        raise ReadError(f"{placed.file.label} holds no samples: was it written with --no-log-samples?")
    return samples


INSPECT = Reader("Inspect: logs in .eval archives or in JSON", claims, parts)
