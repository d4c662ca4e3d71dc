"""HELM: a folder a run, with scores in per_instance_stats.json, and what was asked and answered beside them."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mtsig.corpus import Note
from mtsig.errors import ReadError
from mtsig.readers._sheet import Direction, score_in_json
from mtsig.readers.benchmarks.runs import Answer, Run, item_of, logs_among, mean_of, of_runs
from mtsig.readers.files import File, text_of
from mtsig.readers.json_files import Object, objects_of
from mtsig.readers.json_text import json_of
from mtsig.readers.part import Part, ignored
from mtsig.readers.reader import Placed, Reader

FORM = "HELM run"

_STATS, _STATE, _SPEC = "per_instance_stats.json", "scenario_state.json", "run_spec.json"
_OF_A_RUN = frozenset({
    _STATS, _STATE, _SPEC, "stats.json", "scenario.json", "instances.json", "display_predictions.json",
    "display_requests.json",
})  # fmt: skip

_BETTER: dict[str, Direction] = dict.fromkeys(
    (
        "math_equiv", "math_equiv_chain_of_thought", "chain_of_thought_correctness", "final_number_exact_match", "RR",
        "RR@10", "ndcg_cut_10", "exact_set_match", "iou_set_match", "ifeval_strict_accuracy", "code_eval_acc",
    ),
    "higher",
)  # fmt: skip
"""Directions of scores that HELM's own tables show, beside those whose names are known anyway."""


def claims(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
    """Return the files of every folder that holds scores of items, where nothing else is a test set."""
    folders = {placed.folder for placed in logs_among(files, lambda log: log.name == _STATS, alone)}
    return [placed for placed in files if placed.folder in folders and placed.name in _OF_A_RUN]


def parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return the texts and scores of every run, with its file of scores."""
    beside: dict[tuple[str, ...], dict[str, list[Placed]]] = defaultdict(lambda: defaultdict(list))
    for placed in files:
        beside[placed.folder][placed.name].append(placed)

    def read(placed: Placed) -> Run | None:
        return _run(placed, beside[placed.folder]) if placed.name == _STATS else None

    runs = of_runs(files, read, FORM)
    used = {_STATS, _STATE, _SPEC}
    return [
        own if item.name in used else [ignored(item.file, FORM)] for item, own in zip(files, runs, strict=True)
    ]  # fmt: skip


@dataclass
class _Collected:
    """What is known of one item: where it stands, metric -> trial -> value, and trial -> answer."""

    line: int
    scores: dict[str, dict[int, float]] = field(default_factory=lambda: defaultdict(dict))
    outputs: dict[int, str | None] = field(default_factory=dict)
    references: tuple[str, ...] = ()
    question: str | None = None


def _run(placed: Placed, beside: Mapping[str, Sequence[Placed]]) -> Run:
    label = placed.file.label
    for name, several in beside.items():
        if len(several) > 1:
            raise ReadError(
                f"{label}: {len(several)} files called {name} in one place, so that runs cannot be told apart. Give "
                "the folder of the runs, or pack it as .zip."
            )
    entries, notes = objects_of(placed.file)
    items: dict[str, _Collected] = {}
    perturbed = 0
    for number, entry in entries:
        where = f"{label}, entry {number}"
        if entry.get("perturbation") is not None:
            perturbed += 1
            continue
        item = item_of(entry.get("instance_id"), where)
        _add(items.setdefault(item, _Collected(number)), entry, where)
    if perturbed:
        text = f"{label}: {perturbed:,} entries of perturbed items were left out: they are the same items again."
        notes = (*notes, Note("note", text))
    trials = max((len(values) for own in items.values() for values in own.scores.values()), default=1)
    if trials > 1:
        text = f"{label}: {trials} trials of every item; a score is their mean, and no one text stands for them."
        notes = (*notes, Note("note", text))
    spec, state = beside.get(_SPEC), beside.get(_STATE)
    if state:
        _add_texts(items, state[0].file)
    name, model = _named(placed, _object(spec[0].file) if spec else {})
    answers = [
        Answer(
            item, own.line, {metric: mean_of(list(values.values())) for metric, values in own.scores.items()},
            next(iter(own.outputs.values()), None) if trials == 1 and len(own.outputs) == 1 else None,
            own.references, own.question, own.question,
        )
        for item, own in items.items()
    ]  # fmt: skip
    return Run(placed, FORM, model, name, placed.folder[:-1], answers, _BETTER, notes)


def _add(own: _Collected, entry: Object, where: str) -> None:
    """Take in the scores of an entry; several entries speak of one item, each of other metrics."""
    trial, stats = entry.get("train_trial_index"), entry.get("stats")
    if not isinstance(trial, int) or not isinstance(stats, list):
        raise ReadError(f"{where}: expected an entry of HELM with train_trial_index and stats.")
    for stat in stats:
        about = stat.get("name") if isinstance(stat, dict) else None
        metric = about.get("name") if isinstance(about, dict) else None
        if not isinstance(metric, str) or not metric.strip():
            raise ReadError(f"{where}: a score without a name.")
        if isinstance(about, dict) and about.get("perturbation") is not None:
            continue
        value = score_in_json(stat.get("mean"), f"{where}: {metric}")
        before = own.scores[metric].setdefault(trial, value)
        if before != value and not (before != before and value != value):
            raise ReadError(f"{where}: {metric} is {value:g}, and {before:g} in another entry of the same item.")


def _object(file: File) -> Object:
    content = json_of(text_of(file)[0], file.label)
    if not isinstance(content, dict):
        raise ReadError(f"{file.label}: expected an object of HELM.")
    return content


def _add_texts(items: Mapping[str, _Collected], file: File) -> None:
    """Take in what was asked and answered, as far as it is text: a letter that stands for an option is none."""
    states = _object(file).get("request_states")
    if not isinstance(states, list):
        raise ReadError(f"{file.label}: expected request_states.")
    again: set[tuple[str, int]] = set()
    for state in states:
        instance = _of(state, "instance")
        own = items.get(str(instance.get("id")))
        trial = state.get("train_trial_index") if isinstance(state, dict) else None
        if own is None or instance.get("perturbation") is not None or not isinstance(trial, int):
            continue
        asked = _of(instance, "input").get("text")
        own.question = asked if isinstance(asked, str) else None
        own.references = tuple(_correct(instance))
        completions = _of(state, "result").get("completions")
        first = completions[0] if isinstance(completions, list) and completions else None
        text = first.get("text") if isinstance(first, dict) else None
        key = (str(instance.get("id")), trial)
        # Several requests for one item weigh its options one by one.
        is_text = isinstance(text, str) and not state.get("output_mapping") and key not in again
        own.outputs[trial] = text if is_text else None
        again.add(key)


def _of(value: Any, key: str) -> Object:
    inner = value.get(key) if isinstance(value, dict) else None
    return inner if isinstance(inner, dict) else {}


def _correct(instance: Object) -> list[str]:
    references = instance.get("references")
    correct = []
    for reference in references if isinstance(references, list) else []:
        if not isinstance(reference, dict):
            continue
        tags, text = reference.get("tags"), _of(reference, "output").get("text")
        if isinstance(tags, list) and "correct" in tags and isinstance(text, str):
            correct.append(text)
    return correct


def _named(placed: Placed, spec: Object) -> tuple[str, str]:
    """Return task and model, as the run says them, or else the name of its folder: `task:key=value,model=NAME`."""
    written = spec.get("name")
    name = written if isinstance(written, str) else (placed.folder[-1] if placed.folder else placed.file.path.stem)
    model = _of(spec, "adapter_spec").get("model")
    said = re.search(r"(?:^|[,:])model=([^,]+)", name)
    system = model if isinstance(model, str) and model.strip() else said[1] if said else name
    head, colon, arguments = name.partition(":")
    kept = [piece for piece in arguments.split(",") if not re.match(r"(model|model_deployment)=", piece)]
    return head + (colon + ",".join(kept) if any(kept) else ""), system


HELM = Reader(
    "HELM: per_instance_stats.json, with run_spec.json and scenario_state.json, a folder a run", claims, parts
)
