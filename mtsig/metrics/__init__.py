"""Corpus and metric go in, Statistics come out.

>>> import mtsig
>>> from mtsig.metrics import METRICS
>>> "chrf" in METRICS, mtsig.metric("bleu:smooth_method=floor").smooth_method
(True, 'floor')
"""

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import is_dataclass, replace

import numpy as np

from mtsig._arguments import expect_arguments
from mtsig.corpus import Corpus, Note
from mtsig.corpus._notes import runs_by_name
from mtsig.errors import NotApplicable, expect, find_typed
from mtsig.metrics._bleu import Bleu
from mtsig.metrics._bleu_parts import BrevityPenalty, LengthRatio, MBleu, Precision
from mtsig.metrics._chrf import Chrf
from mtsig.metrics._counting import counted
from mtsig.metrics._dependency import DependencyF
from mtsig.metrics._gtm import Gtm
from mtsig.metrics._kinship import ReferenceOverlap, kin_and_copies
from mtsig.metrics._meteor import Meteor
from mtsig.metrics._metric import Metric, Scope, SegmentMean
from mtsig.metrics._nist import Nist
from mtsig.metrics._rated import Rated
from mtsig.metrics._sentence import SentenceBleu, SentenceChrf, SentenceTer
from mtsig.metrics._statistics import Kinship, Statistics, as_values
from mtsig.metrics._sums import WeightedSums
from mtsig.metrics._ter import Ter
from mtsig.metrics._tokenizing import text_notes
from mtsig.metrics._word_metrics import Per, RougeL, Wer
from mtsig.options import Option, configured, option, options
from mtsig.progress import each, part

__all__ = [
    "METRICS",
    "Bleu",
    "Chrf",
    "Gtm",
    "Meteor",
    "Metric",
    "Nist",
    "Option",
    "Rated",
    "ReferenceOverlap",
    "RougeL",
    "SegmentMean",
    "SentenceBleu",
    "Statistics",
    "Ter",
    "WeightedSums",
    "Wer",
    "measure",
    "metric",
    "option",
    "options",
]

METRICS: dict[str, Metric] = {
    "bleu": Bleu(),
    "chrf": Chrf(),
    "chrf++": Chrf(word_order=2),
    "ter": Ter(),
    "nist": Nist(),
    "meteor": Meteor(),
    "meteor-1.5": Meteor(stemmer="english", alpha=0.85, beta=0.2, gamma=0.6, stem_weight=0.6, synonym_weight=0.8),
    "rouge-l": RougeL(),
    "gtm": Gtm(),
    "wer": Wer(),
    "per": Per(),
    "depf": DependencyF(),
    "mbleu": MBleu(),
    "precision": Precision(),
    "bp": BrevityPenalty(),
    "ratio": LengthRatio(),
    "sentbleu": SentenceBleu(),
    "sentchrf": SentenceChrf(),
    "sentter": SentenceTer(),
}
"""The metrics by the names a user types, in the order in which they are offered: the common ones first."""


def metric(choice: str | Metric, ratings: Collection[str] = ()) -> Metric:
    """Return the metric that `choice` writes, such as "bleu" or "bleu:tokenize=zh,lowercase=true", or `choice` itself.

    >>> metric("bleu:lowercase=true").name, metric("chrf++").name
    ('BLEU', 'chrF2++')

    A rating of the corpus is written "rating:NAME", or NAME alone where `ratings` has it and no metric is called so.
    What stands behind the last colon of "rating:NAME:shared=true" are options if each has a `=`, else part of the name.

    Raises:
        UnknownName: no such metric, rating or option.
        InvalidOption: the option cannot take this value.
    """
    expect_arguments(metric, {"ratings": ratings})
    if not isinstance(choice, str):
        expect(choice, Metric, 'A metric is a name such as "bleu", or a Metric, one at a time')
        return choice
    name, _, options = choice.partition(":")
    if _asks_for_rating(choice):
        return _rating(options)
    rated = {rating.lower(): Rated(rating) for rating in ratings}
    return configured(find_typed({**rated, **METRICS}, name, "metric"), options)


def _rating(written: str) -> Rated:
    name, _, options = written.rpartition(":")
    if not name or not all("=" in piece for piece in filter(None, options.split(","))):
        name, options = written, ""
    return configured(Rated(name.strip()), options)


def _asks_for_rating(choice: str) -> bool:
    """Return whether a metric is written as a rating of the corpus, "rating:NAME"."""
    return choice.partition(":")[0].strip().lower() == "rating"


def rating_choice(name: str) -> str:
    """Return how a rating is chosen: `metric` reads it as the rating of this name, also where that has colons.

    >>> import mtsig
    >>> from mtsig.metrics import rating_choice
    >>> rating_choice("mqm"), rating_choice("wmt:mqm")
    ('rating:mqm', 'rating:wmt:mqm:')
    """
    return f"rating:{name}:" if ":" in name else f"rating:{name}"


def default_metrics(corpus: Corpus) -> list[str]:
    """Return what is measured when nothing was asked for: BLEU, or every rating where there is no text to score.

    A benchmark is judged by its own scores, where it has any: a right answer need not be a sentence.

    >>> import mtsig
    >>> from mtsig.metrics import default_metrics
    >>> default_metrics(mtsig.read_sample())
    ['bleu']
    """
    has_text = bool(corpus.outputs) and bool(corpus.references) and not corpus.of_benchmark
    return ["bleu"] if has_text or not corpus.ratings else [rating_choice(name) for name in corpus.ratings]


def labels_of(metrics: Sequence[Metric]) -> list[str]:
    """Return what several metrics are called side by side: their names, with the options that tell alike ones apart.

    >>> from mtsig.metrics import labels_of
    >>> labels_of([metric(choice) for choice in ("bleu", "bleu:tokenize=char", "chrf")])
    ['BLEU', 'BLEU (tokenize=char)', 'chrF2']
    """
    labels = []
    for chosen in metrics:
        alike = [dict(_written(other)) for other in metrics if other.name == chosen.name]
        usual = {} if isinstance(chosen, Rated) else dict(_written(type(chosen)))
        told = [
            f"{name}={value}"
            for name, value in _written(chosen)
            if usual.get(name) != value and len({own.get(name) for own in alike}) > 1
        ]
        labels.append(f"{chosen.name} ({', '.join(told)})" if told else chosen.name)
    # Metrics that others made may be alike in name and options.
    return [
        label if labels.count(label) == 1 else f"{label} [{labels[: place + 1].count(label)}]"
        for place, label in enumerate(labels)
    ]


def _written(chosen: Metric | type[Metric]) -> list[tuple[str, str]]:
    """Return the options of a metric as they are written."""
    if not is_dataclass(chosen):
        return []
    return [(option.name, str(option.default).lower()) for option in options(chosen)]


def measure(corpus: Corpus, metric_or_name: str | Metric, executor: Executor | None = None) -> Statistics:
    """Return the sufficient statistics of every system of the corpus that the metric can count.

    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> dict(zip(statistics.systems[:2], statistics.scores.round(2).tolist()))
    {'direct-us': 18.72, 'direct': 19.2}

    Systems without text are left out of metrics that read text, segments without any reference out of metrics that
    need one, and whatever has no rating out of ratings; the notes count them.

    Args:
        corpus: systems and references, or ratings.
        metric_or_name: a metric, or its name as on the command line ("bleu:tokenize=char", "rating:mqm").
        executor: counts large sets in blocks of segments, to the same digits.

    Raises:
        InvalidOption: the corpus or the metric is of another kind; the message says what to give.
        NotApplicable: there is nothing to count, or a reference is needed and there is none.
    """
    expect(corpus, Corpus, "Give a corpus, as read(PATH) makes it; compare() takes lists and arrays, too")
    expect_arguments(measure, {"executor": executor})
    chosen = metric(metric_or_name, corpus.ratings).on(corpus)
    scope = chosen.scope(corpus)
    kin = kin_and_copies(scope.corpus, corpus.digest) if chosen.needs_references else ()
    without = {relative: _without_its_kin(scope.corpus, kin, relative.reference) for relative in kin}
    selections: dict[tuple[str, ...], Corpus] = {}
    for rest in without.values():
        selections |= {names: scope.corpus.select(references=list(names)) for names in _selections(rest)}
    counted_by: dict[tuple[str, ...], Statistics] = {}
    for names in each([(), *selections]):
        if not names:
            statistics = _statistics(corpus, chosen, scope, executor)
            continue
        with suppress(NotApplicable):  # where the others leave nothing to count, nothing is known without it
            other = chosen.on(selections[names])
            counted_by[names] = _statistics(selections[names], other, other.scope(selections[names]), executor)
    kinships = tuple(
        Kinship(relative, _known_systems(scope.corpus) - 1, not rest, _said(rest, counted_by))
        for relative, rest in without.items()
    )
    references = len(scope.corpus.references)
    notes = tuple(Note("warning", _of_kin(kinship, references), "kin", (kinship.kin.system,)) for kinship in kinships)
    return replace(statistics, notes=notes + statistics.notes, kinships=kinships) if kinships else statistics


def _statistics(corpus: Corpus, chosen: Metric, scope: Scope, executor: Executor | None) -> Statistics:
    """Return what a metric counts of the part of the corpus that it can count."""
    scoped = scope.corpus
    with part(0.0, 1.0):
        values = as_values(counted(chosen, scoped, executor))
    available, documents = chosen.available(scoped), scoped.documents
    notes, doubt = text_notes(scoped, chosen)
    return Statistics(
        chosen,
        tuple(scoped.systems),
        values,
        signature=chosen.signature(scoped),
        digest=corpus.digest,
        document_of=None if documents is None else _numbered(documents),
        document_names=None if documents is None else tuple(dict.fromkeys(documents)),
        notes=scope.notes + notes,
        available=None if available is None or available.all() else available,
        numbers=scope.numbers,
        data_caveat=doubt,
    )


def _without_its_kin(corpus: Corpus, kin: Sequence[ReferenceOverlap], reference: str) -> list[str]:
    """Return the references that no kin of one reference has anything of."""
    systems = {relative.system for relative in kin if relative.reference == reference}
    theirs = {relative.reference for relative in kin if relative.system in systems}
    return [name for name in corpus.references if name not in theirs]


def _selections(rest: Sequence[str]) -> dict[tuple[str, ...], str]:
    """Return what is to be counted by the references that are left, and how that is said: all, and each of several."""
    if not rest:
        return {}
    alone: dict[tuple[str, ...], str] = (
        {(name,): f"by reference {name!r} alone" for name in rest} if len(rest) > 1 else {}
    )
    return {tuple(rest): "without that reference", **alone}


def _said(rest: Sequence[str], counted_by: Mapping[tuple[str, ...], Statistics]) -> dict[str, Statistics]:
    """Return what was counted by the references that are left, by how that is said; nothing where a part is missing."""
    wanted = _selections(rest)
    return {said: counted_by[names] for names, said in wanted.items()} if counted_by.keys() >= wanted.keys() else {}


def _known_systems(corpus: Corpus) -> int:
    """Return how many systems there are, runs of one taken together, with those that stand beside."""
    return len(runs_by_name(list(corpus.with_those_beside().systems)))


def _of_kin(kinship: Kinship, references: int) -> str:
    """Return what is to be known before any score is read."""
    alone = "It is the only reference" if references == 1 else "No reference is without its text"
    if kinship.only and not kinship.doubtful_alone:
        return f"{kinship.kin.sentence} {alone}: what it says for this system may be its own making."
    if kinship.doubtful_alone:
        return f"{kinship.kin.sentence} {alone}: no verdict in favour of this system can be given."
    # What is judged without that reference, and how, says who judges so (`mtsig.inference`).
    if kinship.kin.itself:
        return f"{kinship.kin.sentence} What that reference says for this system comes from being that reference."
    return f"{kinship.kin.sentence} What that reference says for this system may be its own making."


def _numbered(documents: tuple[str, ...]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return each segment's document as a number, in order of first appearance."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(documents))}
    return np.array([numbers[name] for name in documents], dtype=np.int64)
