"""Runs: how one system answered the items of one task, and how every answer was scored; parts come out.

Whichever program asked, a task is a test set, its items are the segments, a model is a system, and what was counted of
every answer is a rating. Items are joined by the ids that the program gave them, when a corpus is made of the parts.
Files of these programs that hold no texts of a test set are known by their keys.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from mtsig._limits import refuse_above
from mtsig.corpus import Note
from mtsig.corpus._notes import is_sample, quoted
from mtsig.errors import ReadError
from mtsig.readers._campaigns import is_progress
from mtsig.readers._names import FOLDERS, Role, scale_of
from mtsig.readers._parts import About, Part, Placed, check_text
from mtsig.readers._scored import Scored
from mtsig.readers._sheet import Direction, Place


@dataclass(frozen=True)
class Answer:
    """The answer to one item, and what was counted of it.

    item: the item's id. line: where it stands in the file. scores: metric -> value, NaN for a gap. output: the answer,
    where it is a text. references: what would have been right. question: what was asked. same: what is equal where two
    files mean the same item by an id. again: further answers of the same model to the item.
    """

    item: str
    line: int
    scores: Mapping[str, float]
    output: str | None = None
    references: tuple[str, ...] = ()
    question: str | None = None
    same: str | None = None
    again: "tuple[Answer, ...]" = ()


@dataclass(frozen=True)
class Run:
    """The answers of one system to one task, as one file has them.

    folder: where the run lies, which tells two runs of one system apart. better: the direction of every metric of which
    the program says it.
    """

    place: Placed
    form: str
    system: str
    task: str
    folder: tuple[str, ...]
    answers: Sequence[Answer]
    better: Mapping[str, Direction] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()

    @property
    def label(self) -> str:
        """What messages call it."""
        return self.place.file.label

    @property
    def metrics(self) -> list[str]:
        """The metrics of its answers, in the order in which they are first named."""
        return list(dict.fromkeys(metric for answer in self.answers for metric in answer.scores))


def rating_name(metric: str) -> str:
    """Return what a metric is called as a rating: in these names @ tells raters apart, and a colon options."""
    return metric.replace("@", "-at-").replace(":", "-")


def answered(label: str, said: Iterable[tuple[object, Answer]]) -> list[Answer]:
    """Return one answer to every item, of those that a file has with the number of the trial.

    Further trials go with the first.
    """
    by_item: dict[str, dict[object, Answer]] = defaultdict(dict)
    for trial, answer in said:
        before = by_item[answer.item].setdefault(trial, answer)
        if before is not answer:
            raise ReadError(
                f"{label}, line {answer.line}: this is a second answer to item {answer.item}; the first is on line "
                f"{before.line}. Was a log appended to an older log? Keep only one of the two."
            )
    return [replace(first, again=(*first.again, *again)) for first, *again in map(dict.values, by_item.values())]


def _by_sample(run: Run) -> list[Run]:
    """Return a run for each of several answers to an item: these are samples of the model, whoever numbers them."""
    most = 1 + max((len(answer.again) for answer in run.answers), default=0)
    if most == 1:
        return [run]
    texts = all(one.output is not None or any(more.output is not None for more in one.again) for one in run.answers)
    columns: list[list[Answer]] = [[] for _ in range(most)]
    for first in run.answers:
        several = [first, *first.again] + [replace(first, scores={}, output=None)] * (most - 1 - len(first.again))
        for column, answer in zip(columns, several, strict=True):
            # Where some item has no text at all, no text stands for the system.
            column.append(replace(answer, again=(), output=answer.output if texts else None))
    return [
        replace(run, system=f"{run.system}.sample{number}", answers=answers, notes=run.notes if number == 1 else ())
        for number, answers in enumerate(columns, 1)
    ]


def of_runs(files: Sequence[Placed], read: Callable[[Placed], Sequence[Run]], form: str) -> list[list[Part]]:
    """Return the parts of every file; one that cannot be understood is a part with a problem.

    read: returns the runs that a file holds, none where it holds what belongs to another file's run.
    """
    found: list[Sequence[Run] | Part] = []
    for placed in files:
        try:
            runs = read(placed)
            for run in runs:
                _check(run)
            found.append([one for run in runs for one in _by_sample(run)])
        except ReadError as error:
            broken = Part(placed.file.label, "system", placed.name, problem=str(error), file=placed.file, form=form)
            found.append(broken)
    whole = [run for own in found if not isinstance(own, Part) for run in own]
    parts = iter(_parts(whole, _systems(whole)))
    return [[own] if isinstance(own, Part) else [part for _ in own for part in next(parts)] for own in found]


def _check(run: Run) -> None:
    """Check sizes and texts."""
    if not run.answers:
        raise ReadError(f"{run.label} contains no answers. Was the run stopped? Run it again.")
    refuse_above("max_segments", len(run.answers), run.label)
    refuse_above("max_columns", len(run.metrics), run.label, what="metrics")
    refuse_above("max_cells", len(run.metrics) * len(run.answers), run.label)
    for answer in run.answers:
        for text in (answer.item, answer.output, answer.question, *answer.references):
            check_text(f"{run.label}, line {answer.line}", text)


def _systems(runs: Sequence[Run]) -> dict[int, str]:
    """Return the name of every run's system: the model's; with the folder before it where it was run in several."""
    folders: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for run in runs:
        folders[run.system].add(run.folder)
    return {
        id(run): "/".join((*run.folder, run.system)) if len(folders[run.system]) > 1 else run.system for run in runs
    }


def _parts(runs: Sequence[Run], names: Mapping[int, str]) -> list[list[Part]]:
    """Return the parts of every run; what holds for a task is said with its first run."""
    of_task: dict[str, list[Run]] = defaultdict(list)
    for run in runs:
        of_task[run.task].append(run)
    asked = {task: _asked_alike(own) for task, own in of_task.items()}
    result = []
    for run in runs:
        first = of_task[run.task][0]
        if problem := _other_items(first, run):
            result.append([Part(run.label, "system", names[id(run)], problem=problem, form=run.form)])
            continue
        said = [] if run is not first else _about_task(of_task[run.task], asked[run.task])
        parts = [*_texts(run, names[id(run)], asked[run.task]), *_ratings(run, names[id(run)])]
        notes = (*run.notes, *said, *parts[0].notes) if parts else ()
        result.append(
            [
                replace(part, language_pair=run.task, of_task=True, notes=notes if part is parts[0] else part.notes)
                for part in parts
            ]
        )
    return result


def _other_items(first: Run, run: Run) -> str | None:
    """Return what is wrong where two files of a task mean different items by the same ids."""
    known = {answer.item: answer.same for answer in first.answers}
    other = [answer.item for answer in run.answers if answer.item in known and known[answer.item] != answer.same]
    if not other:
        return None
    return (
        f"{run.label}: {len(other):,} of {len(run.answers):,} items of {run.task!r} differ from those of {first.label} "
        f"with the same ids, the first being {other[0]}. Did the task or its data change between the runs?"
    )


def _asked_alike(runs: Sequence[Run]) -> bool:
    """Return whether all systems were asked the same, and it is known what."""
    questions: dict[str, str | None] = {}
    for run in runs:
        for answer in run.answers:
            if questions.setdefault(answer.item, answer.question) != answer.question or answer.question is None:
                return False
    return True


_BARS = {
    "lm-evaluation-harness samples": "lm-evaluation-harness",
    "lighteval details": "lighteval",
    "Inspect log": "Inspect",
    "HELM run": "HELM",
}
"""Programs whose own tables have error bars, by the form of their logs."""


def _about_bars(form: str) -> Note:
    """Return what the error bars of a program leave out, which tables of these scores do not."""
    spread = (
        "standard deviations over trials with other prompts, so 0 with one trial. They ignore that other items would "
        "give other scores"
        if form == "HELM run"
        else "standard errors over items, by default as if all items were independent"
    )
    text = (
        f"{_BARS[form]}'s own error bars are {spread}. They describe one model, and ignore that models answered the "
        "same items, so they do not show which models differ. Comparisons here are paired by item."
    )
    return Note("note", text, headline=f"What {_BARS[form]}'s error bars ignore")


def _about_task(runs: Sequence[Run], alike: bool) -> list[Note]:
    notes = [_about_bars(runs[0].form)] if runs[0].form in _BARS else []
    if not alike and all(answer.question is not None for run in runs for answer in run.answers):
        text = f"{runs[0].task}: the prompts differ between systems, so no source text is shown."
        notes.append(Note("warning", text))
    return notes


def _texts(run: Run, system: str, asked_alike: bool) -> list[Part]:
    """Return the answers, where all are texts, with the references and the questions."""
    missing = [answer.item for answer in run.answers if answer.output is None]
    scored = missing and any(value == value for answer in run.answers for value in answer.scores.values())
    if len(missing) == len(run.answers):
        form = f"{run.form} without one text and one number for an item"
        return [] if scored else [Part(run.label, "ignored", system, form=form)]
    if missing and not is_sample(system):
        text = f"{run.label}: {len(missing):,} of {len(run.answers):,} items have no answer (such as {missing[0]})."
        if not scored:
            return [Part(run.label, "system", system, problem=f"{text} Run them again.", form=run.form)]
        text += f" So the texts of {system} were left out, and it has no scores on these items."
        return [Part(run.label, "ignored", system, notes=(Note("warning", text),), form=run.form)]
    about = About(ids=tuple(answer.item for answer in run.answers))

    def part(role: Role, name: str, lines: Iterable[str | None]) -> Part:
        label = run.label if role == "system" else f"{run.label}, {role}"
        return Part(label, role, name, tuple(lines), form=run.form, about=about)

    parts = [part("system", system, (answer.output for answer in run.answers))]
    most = max(len(answer.references) for answer in run.answers)
    for i in range(most):
        lines = (answer.references[i] if i < len(answer.references) else None for answer in run.answers)
        parts.append(part("reference", "ref" if most == 1 else f"ref{i + 1}", lines))
    if asked_alike:
        parts.append(part("source", "source", (answer.question for answer in run.answers)))
    return parts


def _role(run: Run, metric: str) -> Role:
    return "ratings" if metric in run.better or scale_of(rating_name(metric)) is not None else "ignored"


def _ratings(run: Run, system: str) -> list[Part]:
    """Return one rating for every metric that has a value; one whose direction nobody knows plays no role."""
    places = tuple(Place(answer.line, item=answer.item) for answer in run.answers)
    parts = []
    for metric in run.metrics:
        if not any(not np.isnan(answer.scores.get(metric, np.nan)) for answer in run.answers):
            continue
        values = np.array([[answer.scores.get(metric, np.nan) for answer in run.answers]], dtype=np.float64)
        name = rating_name(metric)
        scored = Scored(name, (system,), places, values, run.label, metric)
        label = f"{run.label}, {metric}"
        better = run.better.get(metric)
        parts.append(Part(label, _role(run, metric), name, scored=scored, better=better, form=run.form))
    return parts


def whole_set_only(label: str, metrics: Iterable[str], texts: bool) -> tuple[Note, ...]:
    """Return a note on metrics that have no number for an item, since they are counted over all of them."""
    named = sorted(set(metrics))
    if not named:
        return ()
    todo = " mtsig has the texts, and can compute its own metrics from them." if texts else ""
    text = f"{label}: these metrics have no score per item, so they cannot be ratings: {', '.join(named)}.{todo}"
    return (Note("note", text),)


def item_of(value: object, where: str) -> str:
    """Return the id of an item."""
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise ReadError(
            f"{where}: the id of the item is {quoted(value)}; expected a text or a whole number. Copy the log again."
        )
    return str(value)


def texts_in(target: object) -> tuple[str, ...]:
    """Return the texts that would have been right: one, or all of a list."""
    return tuple(one for one in (target if isinstance(target, list) else [target]) if isinstance(one, str))


def asked_by_user(said: object) -> str | None:
    """Return what was asked: a text, or what the user said first in a chat; None where that is no text."""
    for message in said if isinstance(said, list) else []:
        if isinstance(message, dict) and message.get("role") == "user":
            content = message.get("content")
            pieces = [one.get("text") if isinstance(one, dict) else one
                      for one in (content if isinstance(content, list) else [content])]  # fmt: skip
            return "\n".join(piece for piece in pieces if isinstance(piece, str)) or None
    return said if isinstance(said, str) else None


def logs_among(files: Sequence[Placed], is_log: Callable[[Placed], bool], alone: bool) -> list[Placed]:
    """Return the files that are logs; none of them is taken for a test set where other files, at the top, are one.

    alone: no other form has found a system.
    """
    if not alone:
        return []
    mine = [placed for placed in files if _lies_apart(placed) and is_log(placed)]
    taken = {id(item) for item in mine}
    others = any(placed.suffix in _TEXTS and not placed.folder and id(placed) not in taken for placed in files)
    return [] if others else mine


@dataclass(frozen=True)
class Log:
    """The logs of one program: which files are, and what parts they make."""

    claims: Callable[[Sequence[Placed], bool], Sequence[Placed]]
    parts: Callable[[Sequence[Placed]], list[list[Part]]]

    @classmethod
    def of(cls, form: str, is_log: Callable[[Placed], bool], read: Callable[[Placed], Sequence[Run]]) -> "Log":
        """Return the logs of which every file is read by itself."""
        return cls(lambda files, alone: logs_among(files, is_log, alone), lambda files: of_runs(files, read, form))


_TEXTS = {".jsonl", ".tsv", ".csv", ".xlsx"}
"""Suffixes of files that hold a whole test set."""


def _lies_apart(item: Placed) -> bool:
    return not item.is_about_the_data and not any(name.lower() in FOLDERS for name in item.folder)


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
            f"{label} contains {self.what}, not the texts of a test set. Expected objects with the texts of a segment "
            f"(a reference, and an output of every system). {self.todo}"
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


_WRITE_OUT = "Write the outputs of each model and the targets into text files, with one segment per line."
_APART = "Give the folder that the program wrote, with the outputs and scores of all models and no other texts."
_SCORE_HERE = (
    "One score of a whole test set does not show how scores vary between segments, but every test needs this. Give the "
    "outputs that were scored, and the references; mtsig then scores them itself."
)

LOOK_ALIKES = (
    LookAlike("samples that lm-evaluation-harness logged (--log_samples)",
              _any(_has("doc_id", "resps"), _has("doc_id", "filtered_resps")), _APART),
    LookAlike("results of lm-evaluation-harness or lighteval",
              _any(*(_has("results", *more) for more in (("configs", "versions"), ("config_general",), ("n-shot",)))),
              f"It has no outputs. Run the program with --log_samples or --save-details. {_WRITE_OUT}"),
    LookAlike("scores that sacreBLEU printed (-f json)", _has("name", "score", "signature"), _SCORE_HERE),
    LookAlike("scores of several systems that sacreBLEU printed (-f json)", _several_of_sacrebleu, _SCORE_HERE),
    LookAlike("a HELM run",
              _any(_has("adapter_spec", "request_states"), _has("instance_id", "train_trial_index")), _APART),
    LookAlike("an Inspect log", _has("status", "eval", "plan"), _APART),
    LookAlike("promptfoo results", _any(_has("evalId", "results"), _has("promptIdx", "testIdx")), _APART),
    LookAlike("a DeepEval test run", _has("testCases", "metricsScores"), _APART),
    LookAlike("EvalScope reviews", _has("index", "sample_score"), _APART),
    LookAlike("an EvalScope report, or its predictions",
              _any(_has("dataset_name", "model_name", "metrics"), _has("index", "model_output", "messages")),
              "It has no scores of items. Give the folder reviews/ next to it."),
    LookAlike("a Pearmut campaign before annotation, or its progress",
              _any(_has("info", "campaign_id", "data"), is_progress,
                   lambda held: all(map(is_progress, held.values()))),
              "Annotations are in annotations.json."),
    LookAlike("results of mtsig itself", _of_mtsig,
              "If it is a study (mtsig compare --out), use mtsig report FILE, mtsig.read_study(PATH) in Python, or the "
              "page Paper of the dashboard."),
)  # fmt: skip
"""The more telling first."""


def look_alike(content: Mapping[str, Any]) -> LookAlike | None:
    """Return what an object of a JSON file is of, when that is known and no text of a test set."""
    return next((look_alike for look_alike in LOOK_ALIKES if look_alike.known(content)), None)
