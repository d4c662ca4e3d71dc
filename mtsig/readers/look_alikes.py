"""Look-alikes: JSON of other programs that holds scores or logs where texts would be expected, known by its keys."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

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
            f"{label} holds {self.what}, not the texts of a test set. Expected objects with the texts of a segment (a "
            f"reference, and an output of every system). {self.todo}"
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


_WRITE_OUT = "Write the outputs of each model into a text file, one segment per line, and the targets into a reference."
_APART = (
    "Give the outputs of all models with their scores: the folder that the program wrote, without other texts beside."
)
_SCORE_HERE = (
    "One score of a whole test set says nothing of how its segments differ, which every test needs. Give "
    "the outputs that were scored, and the references: mtsig scores them itself."
)

LOOK_ALIKES = (
    LookAlike(
        "samples that lm-evaluation-harness logged (--log_samples)",
        _any(_has("doc_id", "resps"), _has("doc_id", "filtered_resps")),
        _APART,
    ),
    LookAlike(
        "results of lm-evaluation-harness or lighteval",
        _any(_has("results", "configs", "versions"), _has("results", "config_general"), _has("results", "n-shot")),
        f"It has no outputs: run it with --log_samples or --save-details. {_WRITE_OUT}",
    ),
    LookAlike("scores that sacreBLEU printed (-f json)", _has("name", "score", "signature"), _SCORE_HERE),
    LookAlike("scores of several systems that sacreBLEU printed (-f json)", _several_of_sacrebleu, _SCORE_HERE),
    LookAlike(
        "a run of HELM",
        _any(_has("adapter_spec", "request_states"), _has("instance_id", "train_trial_index")),
        _APART,
    ),
    LookAlike("a log of Inspect", _has("status", "eval", "plan"), _APART),
    LookAlike(
        "results of mtsig itself",
        _of_mtsig,
        "Is it a study (mtsig compare --save)? It is written up by: mtsig report FILE; the dashboard opens it on the "
        "page Paper.",
    ),
)
"""The more telling first."""


def look_alike(content: Mapping[str, Any]) -> LookAlike | None:
    """Return what an object of a JSON file is of, when that is known and no text of a test set."""
    return next((look_alike for look_alike in LOOK_ALIKES if look_alike.known(content)), None)
