"""Directions: is a higher score better? Declared by the user, or known from the rating's name; never guessed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mtsig.corpus import Note
from mtsig.errors import ReadError
from mtsig.readers.ratings.sheet import Direction


@dataclass(frozen=True)
class Scale:
    """A known kind of score: the words that name it, its direction, and between which values it usually lies.

    better: "by sign" means that the score counts errors, so that lower is better as long as it is stored as it is, and
    higher when it is stored with a minus. people: whether people give it.
    """

    title: str
    words: tuple[str, ...]
    better: Literal["higher", "by sign"]
    about: str
    low: float | None = None
    high: float | None = None
    people: bool = False


RATING_SCALES: tuple[Scale, ...] = (
    Scale("MQM", ("mqm",), "higher", "minus the weight of the errors: 0 is perfect", high=0, people=True),
    Scale("ESA", ("esa",), "higher", "0 to 100", 0, 100, people=True),
    Scale("adequacy, fluency", ("adequacy", "fluency"), "higher", "1 to 5", 1, 5, people=True),
    Scale("correct", ("correct", "acceptable"), "higher", "1 = right, 0 = wrong", 0, 1, people=True),
    Scale("accuracy, exact match, F1", ("acc", "accuracy", "em", "exact", "f1"), "higher",
          "1 = right, 0 = wrong, or a share", 0, 1),
    Scale("COMET", ("comet", "xcomet", "cometkiwi", "kiwi", "cometoid"), "higher", "about 0 to 1"),
    Scale("BLEURT", ("bleurt",), "higher", "about 0 to 1"),
    Scale("BERTScore, BARTScore", ("bertscore", "bartscore", "prism"), "higher", "BARTScore and Prism are negative"),
    Scale("YiSi, UniTE", ("yisi", "unite"), "higher", "about 0 to 1"),
    Scale("GEMBA", ("gemba",), "higher", "0 to 100; GEMBA-MQM is negative"),
    Scale("MaTESe, SEScore", ("matese", "sescore"), "higher", "minus the weight of the errors"),
    Scale("BLEU", ("bleu", "sentbleu", "sentencebleu", "spbleu"), "higher", "0 to 100, or 0 to 1"),
    Scale("chrF", ("chrf", "chrfs"), "higher", "0 to 100, or 0 to 1"),
    Scale("METEOR, NIST, ROUGE, hLEPOR", ("meteor", "nist", "rouge", "hlepor"), "higher", ""),
    Scale("DA", ("da", "raw", "z", "sqm", "appraise"), "higher", "direct assessment: 0 to 100, or standardized (z)",
          people=True),
    Scale("MetricX", ("metricx",), "by sign", "0 to 25, lower is better; often stored negated"),
    Scale("TER, HTER, WER, CER, EED", ("ter", "hter", "wer", "cer", "eed"), "by sign",
          "errors, lower is better; often stored negated"),
)  # fmt: skip
"""What is known of ratings by name: the table that decides directions, and that is shown where one is asked for."""

_TURNS = {
    "error", "errors", "neg", "negative", "negated", "minus", "inverse", "inverted", "penalty", "loss", "cost",
    "distance", "rank", "diff", "difference", "delta", "time", "seconds", "length", "count", "std", "sd", "variance",
}  # fmt: skip
"""Words after which a name no longer says which direction is better."""


def scale_of(name: str) -> Scale | None:
    """Return the known scale that a rating's name tells, or None: no word of it is known, or one turns its meaning.

    >>> scale_of("MetricX-24-Hybrid-XL").title, scale_of("wmt22-comet-da").title, scale_of("comet_error")
    ('MetricX', 'COMET', None)
    """
    words = _words(name)
    if _TURNS & words:
        return None
    return next((scale for scale in RATING_SCALES if words & set(scale.words)), None)


def given_by(name: str) -> Literal["people", "programs", ""]:
    """Return who gave a rating, as far as its name tells: programs too give MQM and direct assessments.

    >>> given_by("GEMBA-MQM"), given_by("wmt22-comet-da"), given_by("mqm"), given_by("effort")
    ('programs', 'programs', 'people', '')
    """
    words = _words(name)
    scales = [scale for scale in RATING_SCALES if words & set(scale.words)]
    if any(not scale.people for scale in scales):
        return "programs"
    return "people" if scales else ""


def _words(name: str) -> set[str]:
    words = re.split(r"[^a-z0-9]+", name.lower())
    return {*words, *(word.rstrip("0123456789") for word in words)}


def direction_of(
    name: str, values: NDArray[np.float64], declared: Direction | None, label: str
) -> tuple[bool, str, Sequence[Note]]:
    """Return whether higher is better, how that is known, and what gives doubt.

    Raises:
        ReadError: nothing was declared and the name is not known, or its scores have both signs.
    """
    known = values[~np.isnan(values)]
    scale = scale_of(name)
    if declared is not None:
        return declared == "higher", "declared", _doubts(name, known, scale, declared)
    if scale is None:
        raise ReadError(
            f"{label}: is a higher {name!r} better, or a lower one? The name is none of the known ones "
            f"({', '.join(item.title for item in RATING_SCALES)}), so say it: {_say(name)}."
        )
    if scale.better == "higher":
        return True, f"known: {scale.title}, {scale.about}".rstrip(", "), _doubts(name, known, scale, "higher")
    if (known < 0).any() and (known > 0).any():
        raise ReadError(
            f"{label}: {scale.title} counts errors, lower is better, unless it is stored with a minus; here scores "
            f"from {known.min():g} to {known.max():g} have both signs. Say which is better: {_say(name)}."
        )
    negated = bool((known < 0).any())
    how = "stored negated: none is above 0" if negated else "stored as it is: none is below 0"
    return negated, f"known: {scale.title}, {how}", ()


def _say(name: str) -> str:
    """Return how the direction of a rating is said, wherever its file is read."""
    return f"call the file {name}.higher.tsv or {name}.lower.tsv, or choose it on the Data page; in a shell, FILE:lower"


def _doubts(name: str, known: NDArray[np.float64], scale: Scale | None, better: Direction) -> Sequence[Note]:
    """Return warnings where scores do not look like their name."""
    if scale is None or not len(known):
        return ()
    doubts = []
    if scale.better == "higher" and better == "lower":
        doubts.append(f"{name}: {scale.title} is known as higher = better, and was declared lower = better; kept so.")
    low, high = known.min(), known.max()
    if scale.title == "MQM" and better == "higher" and low >= 0 < high:
        doubts.append(
            f"{name}: MQM is usually stored as minus the weight of the errors, and here no score is below 0. It is "
            f"read as higher = better; if these are weights of errors, say so: {_say(name)}."
        )
    elif (scale.low is not None and low < scale.low) or (scale.high is not None and high > scale.high):
        doubts.append(f"{name}: scores run from {low:g} to {high:g}; expected for {scale.title}: {scale.about}.")
    return [Note("warning", text) for text in doubts]
