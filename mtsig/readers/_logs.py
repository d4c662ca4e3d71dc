"""Logs: what HELM, Inspect, promptfoo and DeepEval write of their runs, as a test set for each task.

HELM has a folder a run, with scores in per_instance_stats.json, and what was asked and answered beside them; Inspect
.eval archives, or JSON; promptfoo one file for all models and prompts; DeepEval one for each run.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mtsig.corpus import Note
from mtsig.corpus._notes import number_of, quoted
from mtsig.errors import ReadError
from mtsig.readers import _runs
from mtsig.readers._files import File, Object, json_of, members, nothing, objects_of, text_of
from mtsig.readers._names import name_of
from mtsig.readers._parts import Part, Placed, ignored
from mtsig.readers._runs import Answer, Log, Run, answered, item_of, logs_among, of_runs, texts_in
from mtsig.readers._sheet import Direction, score_in_json, score_of

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


def _helm_claims(files: Sequence[Placed], alone: bool) -> Sequence[Placed]:
    """Return the files of every folder that holds scores of items, where nothing else is a test set."""
    folders = {placed.folder for placed in logs_among(files, lambda log: log.name == _STATS, alone)}
    return [placed for placed in files if placed.folder in folders and placed.name in _OF_A_RUN]


def _helm_parts(files: Sequence[Placed]) -> list[list[Part]]:
    """Return the texts and scores of every run, with its file of scores."""
    beside: dict[tuple[str, ...], dict[str, list[Placed]]] = defaultdict(lambda: defaultdict(list))
    for placed in files:
        beside[placed.folder][placed.name].append(placed)

    def read(placed: Placed) -> list[Run]:
        return _helm_run(placed, beside[placed.folder]) if placed.name == _STATS else []

    runs = of_runs(files, read, _HELM)
    used = {_STATS, _STATE, _SPEC}
    return [
        own if item.name in used else [ignored(item.file, _HELM)] for item, own in zip(files, runs, strict=True)
    ]  # fmt: skip


def _helm_run(placed: Placed, beside: Mapping[str, Sequence[Placed]]) -> list[Run]:
    label = placed.file.label
    for name, several in beside.items():
        if len(several) > 1:
            raise ReadError(
                f"{label}: {len(several)} files have the name {name}, so runs cannot be identified. Give "
                "the folder of the runs, or pack it as .zip."
            )
    entries, notes = objects_of(placed.file)
    trials: dict[tuple[str, int], Answer] = {}
    perturbed = 0
    for number, entry in entries:
        where = f"{label}, entry {number}"
        if entry.get("perturbation") is not None:
            perturbed += 1
            continue
        item, trial = item_of(entry.get("instance_id"), where), entry.get("train_trial_index")
        if not isinstance(trial, int) or not isinstance(entry.get("stats"), list):
            raise ReadError(f"{where}: expected a HELM entry with train_trial_index and stats. Copy the run again.")
        own = trials.setdefault((item, trial), Answer(item, number, {}))
        trials[item, trial] = replace(own, scores=_joined(own.scores, entry["stats"], where))
    if perturbed:
        text = f"{label}: entries of perturbed items were omitted ({perturbed:,}), because they repeat items."
        notes = (*notes, Note("note", text))
    spec, state = beside.get(_SPEC), beside.get(_STATE)
    if state and (count := _add_texts(trials, state[0].file)):
        text = f"{label}: {number_of(count, 'item')} have several answers; the first of each is read as its text."
        notes = (*notes, Note("warning", text))
    name, model = _named(placed, _object(spec[0].file) if spec else {})
    answers = answered(label, ((trial, answer) for (_, trial), answer in trials.items()))
    if most := max((len(answer.again) for answer in answers), default=0):
        # All items of a trial share their examples, so trials are no samples of each item by itself.
        text = f"{label}: scores are means over {most + 1} trials with different examples in the prompt, without texts."
        notes = (*notes, Note("note", text))
        answers = [_mean(answer) if answer.again else answer for answer in answers]
    return [Run(placed, _HELM, model, name, placed.folder[:-1], answers, _BETTER, notes)]


def _mean(first: Answer) -> Answer:
    """Return the mean of an item's trials; what is missing in some is of the others."""
    trials = [first, *first.again]
    known = {
        metric: [own for trial in trials if (own := trial.scores.get(metric, math.nan)) == own]
        for metric in dict.fromkeys(metric for trial in trials for metric in trial.scores)
    }
    scores = {metric: sum(values) / len(values) if values else math.nan for metric, values in known.items()}
    return replace(first, scores=scores, output=None, again=())


def _joined(scores: Mapping[str, float], stats: Sequence[Any], where: str) -> dict[str, float]:
    """Return the scores with those of another entry; several entries speak of one item, each of other metrics."""
    joined = dict(scores)
    for stat in stats:
        about = _of(stat, "name")
        metric = about.get("name")
        if not isinstance(metric, str) or not metric.strip():
            raise ReadError(f"{where}: a score has no name; expected one. Copy the run again.")
        if about.get("perturbation") is not None:
            continue
        value = score_in_json(stat.get("mean") if stat.get("count") != 0 else None, f"{where}: {metric}")
        before = joined.setdefault(metric, value)
        if before != value and not (before != before and value != value):
            raise ReadError(
                f"{where}: {metric} is {value:g}, and {before:g} in another entry of the same "
                "item. Keep one of the two."
            )
    return joined


def _object(file: File) -> Object:
    content = json_of(text_of(file)[0], file.label)
    if not isinstance(content, dict):
        raise ReadError(f"{file.label}: expected an object, as HELM writes it. Leave the file out, or copy it again.")
    return content


def _add_texts(trials: dict[tuple[str, int], Answer], file: File) -> int:
    """Take in what was asked and answered, as far as it is text: a letter that stands for an option is none.

    Return of how many items there is more than one answer.
    """
    states = _object(file).get("request_states")
    if not isinstance(states, list):
        raise ReadError(
            f"{file.label}: expected request_states, as HELM writes it. Leave the file out, or copy it again."
        )
    again: set[tuple[str, int]] = set()
    several = 0
    for state in states:
        instance = _of(state, "instance")
        key = (str(instance.get("id")), state.get("train_trial_index") if isinstance(state, dict) else None)
        if key not in trials or instance.get("perturbation") is not None:
            continue
        asked = _of(instance, "input").get("text")
        question = asked if isinstance(asked, str) else None
        completions = _of(state, "result").get("completions")
        completions = completions if isinstance(completions, list) else []
        first = completions[0] if completions else None
        several += len(completions) > 1
        text = first.get("text") if isinstance(first, dict) else None
        # Several requests for one item weigh its options one by one.
        is_text = isinstance(text, str) and not state.get("output_mapping") and key not in again
        again.add(key)
        trials[key] = replace(
            trials[key], output=text if is_text else None, references=tuple(_correct(instance)), question=question,
            same=question,
        )  # fmt: skip
    return several


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


HELM = Log(_helm_claims, _helm_parts)

_INSPECT = "Inspect log"

_MARKS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""Marks that Inspect counts so: correct, incorrect, partly correct, not answered."""

_LOG = re.compile(rb'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:\s*"')


def _is_archive(placed: Placed) -> bool:
    return placed.suffix == ".eval"


def _is_log(placed: Placed) -> bool:
    return _is_archive(placed) or (placed.suffix == ".json" and _LOG.match(placed.head) is not None)


def _inspect_run(placed: Placed) -> list[Run]:
    label = placed.file.label
    log, samples = _archived(placed) if _is_archive(placed) else _in_json(placed)
    about = _of(log, "eval")
    task, model = about.get("task"), about.get("model")
    if not isinstance(task, str) or not isinstance(model, str) or not task.strip() or not model.strip():
        raise ReadError(f"{label}: expected an Inspect log that names its task and its model. Copy the log again.")
    notes: list[Note] = []
    if log.get("status") != "success":
        text = f"{label}: the status of the evaluation is {quoted(log.get('status'))}, not success."
        notes.append(Note("warning", text))
    failed = [str(sample.get("id")) for sample in samples if sample.get("error") is not None]
    if failed:
        text = f"{label}: {number_of(len(failed), 'sample')} failed, such as {failed[0]}; failed samples have no score."
        notes.append(Note("warning", text))
    reducers = _of(about, "config").get("epochs_reducer")
    others = [str(one) for one in (reducers if isinstance(reducers, list) else [reducers]) if one not in (None, "mean")]
    if others and any(sample.get("epoch") != 1 for sample in samples):
        text = f"{label}: the log reports {', '.join(others)} over epochs. Here each score is the mean over epochs."
        notes.append(Note("warning", text))
    marked: set[str] = set()
    no_number: set[str] = set()
    said = [
        _of_sample(sample, f"{label}, sample {line}", line, marked, no_number) for line, sample in enumerate(samples, 1)
    ]
    numbers = ((epoch, replace(one, scores={metric: own for metric, own in one.scores.items()
                                            if metric not in no_number})) for epoch, one in said)  # fmt: skip
    answers = answered(label, numbers)
    notes += _runs.whole_set_only(label, no_number, all(answer.output is not None for answer in answers))
    better: dict[str, Direction] = dict.fromkeys(marked, "higher")
    return [Run(placed, _INSPECT, model, task, placed.folder, answers, better, tuple(notes))]


def _of_sample(sample: Object, where: str, line: int, marked: set[str], no_number: set[str]) -> tuple[int, Answer]:
    """Return epoch and answer of a sample; metrics that mark right and wrong, or say no number, are added to these."""
    item, epoch = item_of(sample.get("id"), where), sample.get("epoch")
    if not isinstance(epoch, int):
        raise ReadError(f"{where}: expected the number of an epoch, found {quoted(epoch)}. Copy the log again.")
    text = _of(sample, "output").get("completion") if sample.get("error") is None else None
    target, asked = sample.get("target"), _runs.asked_by_user(sample.get("input"))
    # Of several choices an answer is a letter, not a text.
    is_text = isinstance(text, str) and not sample.get("choices")
    return epoch, Answer(
        item, line, dict(_scores(sample, where, marked, no_number)), text if is_text else None, texts_in(target),
        asked, quoted([asked, target], 2000),
    )  # fmt: skip


def _scores(sample: Object, where: str, marked: set[str], no_number: set[str]) -> Iterator[tuple[str, float]]:
    """Yield the scores of a sample by scorer; of one that gives several, by scorer and name."""
    for scorer, score in _of(sample, "scores").items():
        value = score.get("value") if isinstance(score, dict) and sample.get("error") is None else None
        for name, inner in value.items() if isinstance(value, dict) else [("", value)]:
            metric = f"{scorer}-{name}" if name else str(scorer)
            number = float(inner) if isinstance(inner, bool) else inner
            if isinstance(inner, str):
                number = _MARKS.get(inner, score_of(inner))
            if isinstance(number, list) or (number is None and inner is not None):
                no_number.add(metric)
            elif isinstance(inner, bool) or (isinstance(inner, str) and inner.isalpha()):
                marked.add(metric)
            known = None if isinstance(number, list) or number != number else number
            yield metric, score_in_json(known, f"{where}: {metric}")


def _in_json(placed: Placed) -> tuple[Object, list[Object]]:
    log = json_of(text_of(placed.file)[0], placed.file.label, parse_constant=nothing)
    return _checked(log, placed), _samples(log.get("samples"), placed)


def _archived(placed: Placed) -> tuple[Object, list[Object]]:
    label = placed.file.label
    held = dict(members(label, placed.file.data))
    if "header.json" not in held:
        raise ReadError(
            f"{label} has no header.json. It is not an Inspect log, or the evaluation was not "
            "finished. Run it to its end."
        )
    log = json_of(held["header.json"], f"{label}/header.json", parse_constant=nothing)
    names = [name for name in held if name.startswith("samples/") and name.endswith(".json")]
    samples = [json_of(held[name], f"{label}/{name}", parse_constant=nothing) for name in names]
    return _checked(log, placed), _samples(samples, placed)


def _checked(log: Any, placed: Placed) -> Object:
    if not isinstance(log, dict):
        raise ReadError(f"{placed.file.label}: expected an Inspect log, an object. Copy the log again.")
    return log


def _samples(samples: Any, placed: Placed) -> list[Object]:
    if not isinstance(samples, list) or not samples or not all(isinstance(sample, dict) for sample in samples):
        raise ReadError(
            f"{placed.file.label} contains no samples. Was it written with --no-log-samples? Evaluate again without it."
        )
    return samples


INSPECT = Log.of(_INSPECT, _is_log, _inspect_run)

_PROMPTFOO = "promptfoo results"
_WHOLE = re.compile(rb'\s*\{\s*"(evalId"\s*:|version"\s*:\s*\d\s*,\s*"timestamp")')
_GRADED_TEXT = frozenset({"equals", "bleu", "gleu", "rouge-n", "meteor", "levenshtein", "similar", "iequals"})
"""Assertions that compare an answer with a text: a reference."""

_ERROR = 2
"""promptfoo's reason of a failure that is none of the answer's."""


def _is_promptfoo(placed: Placed) -> bool:
    if placed.suffix == ".jsonl":
        return b'"promptIdx"' in placed.head and b'"testIdx"' in placed.head
    return placed.suffix == ".json" and _WHOLE.match(placed.head) is not None and b'"results"' in placed.head


def _promptfoo_runs(placed: Placed) -> list[Run]:
    """Return a run for every model and prompt."""
    label, task = placed.file.label, "promptfoo"
    notes: tuple[Note, ...] = ()
    if placed.suffix == ".jsonl":
        results, notes = objects_of(placed.file)
    else:
        whole = _object(placed.file)
        held = _of(whole, "results") or whole
        found = held.get("results")
        results = list(enumerate(found if isinstance(found, list) else [], 1))
        said = _of(whole, "config").get("description")
        task = said.strip() if isinstance(said, str) and said.strip() else task
    columns: dict[str, list[tuple[int, Object]]] = defaultdict(list)
    for line, result in results:
        if not isinstance(result, dict) or not isinstance(result.get("testIdx"), int):
            raise ReadError(
                f"{label}, result {line}: expected a promptfoo result with testIdx and promptIdx. "
                "Export the evaluation again."
            )
        model = _of(result, "provider")
        columns[quoted([result.get("promptIdx", 0), model.get("id"), model.get("label")])].append((line, result))
    names = _columns_called([_of(own[0][1], "provider") for own in columns.values()],
                            [_of(own[0][1], "prompt").get("label") for own in columns.values()])  # fmt: skip
    runs = []
    for name, own in zip(names, columns.values(), strict=True):
        answers = answered(label, _numbered(own, label))
        better: dict[str, Direction] = dict.fromkeys((key for answer in answers for key in answer.scores), "higher")
        runs.append(Run(placed, _PROMPTFOO, name, task, placed.folder, answers, better, notes))
        notes = ()
    if not runs:
        raise ReadError(f"{label} contains no promptfoo results. Was the evaluation stopped? Run it again.")
    return runs


def _columns_called(providers: Sequence[Object], prompts: Sequence[object]) -> list[str]:
    """Return what the systems are called: the models; where one was asked by several prompts, with the prompt."""
    models = [str(provider.get("label") or provider.get("id") or "model") for provider in providers]
    names = []
    for at, (model, prompt) in enumerate(zip(models, prompts, strict=True)):
        said = prompt if isinstance(prompt, str) and 0 < len(prompt) <= 40 and prompt.isprintable() else ""
        number = f"prompt {1 + models[:at].count(model)}"
        same = [other for other, name in zip(prompts, models, strict=True) if name == model]
        alone = said and same.count(prompt) == 1
        names.append(model if len(same) == 1 else f"{model}/{said if alone else number}")
    return names


def _numbered(results: Sequence[tuple[int, Object]], label: str) -> Iterator[tuple[int, Answer]]:
    """Yield trial and answer: where every test was run as often as every other, and several times, these are trials."""
    answers = [_of_result(result, f"{label}, result {line}", line) for line, result in results]
    times = Counter(answer.same for answer in answers)
    repeated = len(set(times.values())) == 1 and len(times) < len(answers)
    first: dict[str | None, str] = {}
    trials: Counter[str] = Counter()
    for answer in answers:
        item = first.setdefault(answer.same, answer.item) if repeated else answer.item
        yield trials[item] if repeated else 0, replace(answer, item=item)
        trials[item] += 1


def _of_result(result: Object, where: str, line: int) -> Answer:
    asked, graded, test = _of(result, "vars"), _of(result, "gradingResult"), _of(result, "testCase")
    response = _of(result, "response")
    scores = {"score": result.get("score"), **{str(key): own for key, own in _of(result, "namedScores").items()}}
    if isinstance(result.get("success"), bool):
        scores["pass"] = float(result["success"])
    parts = graded.get("componentResults")
    for part in parts if isinstance(parts, list) else ():
        if not isinstance(part, dict):
            raise ReadError(f"{where}: a result of an assertion is {quoted(part)}; expected an object. Export again.")
        assertion = _of(part, "assertion")
        scores.setdefault(str(assertion.get("metric") or assertion.get("type") or "assertion"), part.get("score"))
    failed = result.get("failureReason") == _ERROR or (not response and result.get("error"))
    numbers = {key: math.nan if failed else score_in_json(own, f"{where}: {key}") for key, own in scores.items()}
    output, prompt = response.get("output"), _of(result, "prompt").get("raw")
    return Answer(
        str(result["testIdx"]), line, numbers, output if isinstance(output, str) and not failed else None,
        tuple(dict.fromkeys(_expected(test.get("assert"), asked))), prompt if isinstance(prompt, str) else None,
        quoted(sorted((key, str(own)) for key, own in asked.items()), 2000),
    )  # fmt: skip


def _expected(assertions: object, asked: Object) -> Iterator[str]:
    """Yield the texts that answers are compared with, of which some name a variable of the test."""
    for one in assertions if isinstance(assertions, list) else []:
        kind = one.get("type") if isinstance(one, dict) else None
        value = one.get("value") if kind in _GRADED_TEXT else None
        for text in texts_in(value):
            named = re.fullmatch(r"\{\{\s*(\w+)\s*\}\}", text)
            said = asked.get(named[1]) if named else text
            if isinstance(said, str) and "{{" not in said and not said.startswith("file://"):
                yield said


PROMPTFOO = Log.of(_PROMPTFOO, _is_promptfoo, _promptfoo_runs)

_DEEPEVAL = "DeepEval test run"
_TEST_RUN = re.compile(rb'\s*\{\s*("testRunData"\s*:\s*\{\s*)?("testFile"\s*:\s*"[^"]*"\s*,\s*)?"testCases"\s*:\s*\[')


def _deepeval_run(placed: Placed) -> list[Run]:
    label, whole = placed.file.label, _object(placed.file)
    whole = _of(whole, "testRunData") or whole
    cases = whole.get("testCases")
    if not isinstance(cases, list) or not cases:
        raise ReadError(
            f"{label} contains no single-turn test case, and conversations of DeepEval cannot be read. Give a run of "
            "test cases with input and actual output."
        )
    orders = [case.get("order") if isinstance(case, dict) else None for case in cases]
    are_told = all(isinstance(order, int) for order in orders) and len(set(orders)) == len(orders)
    turned: dict[str, set[Direction]] = defaultdict(set)
    answers = []
    for line, case in enumerate(cases, 1):
        where = f"{label}, test case {line}"
        if not isinstance(case, dict):
            raise ReadError(f"{where}: expected an object, got {quoted(case)}. Run the tests again.")
        scores = {}
        measured = case.get("metricsData") or case.get("metricsMetadata") or []
        if not isinstance(measured, list) or not all(isinstance(metric, dict) for metric in measured):
            raise ReadError(
                f"{where}: metricsData is {quoted(measured)}; expected a list of objects. Run the tests again."
            )
        for metric in measured:
            name, value = str(metric.get("name")), metric.get("score")
            scores[name] = score_in_json(None if metric.get("error") else value, f"{where}: {name}")
            threshold, success = metric.get("threshold"), metric.get("success")
            # What passes the threshold, and what does not, tell which way is better.
            if isinstance(success, bool) and isinstance(threshold, int | float) and abs(scores[name] - threshold) > 0:
                turned[name].add("higher" if (scores[name] > threshold) == success else "lower")
        texts = [text if isinstance(text := case.get(key), str) else None for key in
                 ("actualOutput", "expectedOutput", "input")]  # fmt: skip
        item = str(orders[line - 1] if are_told else line)
        answers.append(
            Answer(item, line, scores, texts[0], texts_in(texts[1]), texts[2], quoted([texts[2], texts[1]], 2000))
        )
    better: dict[str, Direction] = {name: next(iter(ways)) for name, ways in turned.items() if len(ways) == 1}
    model = _of(whole, "hyperparameters").get("model") or whole.get("identifier")
    system = model if isinstance(model, str) and model.strip() else name_of(placed.name)
    task = whole.get("datasetAlias") or whole.get("testFile") or "DeepEval"
    return [Run(placed, _DEEPEVAL, system, str(task), placed.folder, answers, better)]


DEEPEVAL = Log.of(_DEEPEVAL, lambda log: log.suffix == ".json" and _TEST_RUN.match(log.head) is not None, _deepeval_run)
