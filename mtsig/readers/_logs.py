"""Logs: what HELM and Inspect write of their runs goes in, a test set for each task comes out.

HELM has a folder a run, with scores in per_instance_stats.json, and what was asked and answered beside them; Inspect
.eval archives, or JSON.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mtsig.corpus import Note
from mtsig.corpus._notes import quoted
from mtsig.errors import ReadError
from mtsig.readers._archives import members
from mtsig.readers._files import File, json_of, text_of
from mtsig.readers._json import Object, objects_of
from mtsig.readers._parts import Part, Placed, ignored
from mtsig.readers._runs import Answer, Run, item_of, logs_among, mean_of, of_runs
from mtsig.readers._sheet import Direction, score_in_json

_HELM = "HELM run"

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


def helm_claims(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
    """Return the files of every folder that holds scores of items, where nothing else is a test set."""
    folders = {placed.folder for placed in logs_among(files, lambda log: log.name == _STATS, alone)}
    return [placed for placed in files if placed.folder in folders and placed.name in _OF_A_RUN]


def helm_parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return the texts and scores of every run, with its file of scores."""
    beside: dict[tuple[str, ...], dict[str, list[Placed]]] = defaultdict(lambda: defaultdict(list))
    for placed in files:
        beside[placed.folder][placed.name].append(placed)

    def read(placed: Placed) -> Run | None:
        return _helm_run(placed, beside[placed.folder]) if placed.name == _STATS else None

    runs = of_runs(files, read, _HELM)
    used = {_STATS, _STATE, _SPEC}
    return [
        own if item.name in used else [ignored(item.file, _HELM)] for item, own in zip(files, runs, strict=True)
    ]  # fmt: skip


@dataclass
class _Collected:
    """What is known of one item: where it stands, metric -> trial -> value, and trial -> answer."""

    line: int
    scores: dict[str, dict[int, float]] = field(default_factory=lambda: defaultdict(dict))
    outputs: dict[int, str | None] = field(default_factory=dict)
    references: tuple[str, ...] = ()
    question: str | None = None


def _helm_run(placed: Placed, beside: Mapping[str, Sequence[Placed]]) -> Run:
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
    return Run(placed, _HELM, model, name, placed.folder[:-1], answers, _BETTER, notes)


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


_INSPECT = "Inspect log"

_MARKS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""Marks that Inspect counts so: correct, incorrect, partly correct, not answered."""

_LOG = re.compile(rb'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:\s*"')


def inspect_claims(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
    """Return the logs, where nothing else is a test set."""
    return logs_among(files, lambda log: _is_archive(log) or _is_json(log), alone)


def _is_archive(placed: Placed) -> bool:
    return placed.suffix == ".eval"


def _is_json(placed: Placed) -> bool:
    return placed.suffix == ".json" and _LOG.match(placed.head) is not None


def inspect_parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return the texts and scores of every log."""
    return of_runs(files, _inspect_run, _INSPECT)


def _inspect_run(placed: Placed) -> Run:
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
    return Run(placed, _INSPECT, model, task, placed.folder, answers, better, tuple(notes))


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
