"""Corpus and metric go in, Statistics come out.

>>> import mtsig
>>> from mtsig.metrics import METRICS
>>> "chrf" in METRICS, mtsig.metric("bleu:smooth_method=floor").smooth_method
(True, 'floor')
"""

from collections.abc import Collection, Sequence
from concurrent.futures import Executor

import numpy as np

from mtsig.arguments import expect_arguments
from mtsig.corpus import Corpus, Note, runs_by_name
from mtsig.errors import expect
from mtsig.kinship import Kin, kin_of, references_among
from mtsig.metrics.base import Metric
from mtsig.metrics.bleu import Bleu
from mtsig.metrics.brevity import BrevityPenalty
from mtsig.metrics.chrf import Chrf
from mtsig.metrics.counts import counted
from mtsig.metrics.dependency import DependencyF
from mtsig.metrics.gtm import Gtm
from mtsig.metrics.length_ratio import LengthRatio
from mtsig.metrics.mbleu import MBleu
from mtsig.metrics.meteor import Meteor
from mtsig.metrics.nist import Nist
from mtsig.metrics.per import Per
from mtsig.metrics.precision import Precision
from mtsig.metrics.rated import Rated
from mtsig.metrics.rouge import RougeL
from mtsig.metrics.sentence import SentenceBleu, SentenceChrf, SentenceTer
from mtsig.metrics.statistics import Kinship, ResolvedUnit, Statistics, Unit, as_values, expect_statistics
from mtsig.metrics.ter import Ter
from mtsig.metrics.warnings import text_notes
from mtsig.metrics.wer import Wer
from mtsig.options import configured
from mtsig.progress import part
from mtsig.registry import find_typed

__all__ = [
    "METRICS",
    "Bleu",
    "BrevityPenalty",
    "Chrf",
    "DependencyF",
    "Gtm",
    "Kin",
    "LengthRatio",
    "MBleu",
    "Meteor",
    "Metric",
    "Nist",
    "Per",
    "Precision",
    "Rated",
    "ResolvedUnit",
    "RougeL",
    "SentenceBleu",
    "SentenceChrf",
    "SentenceTer",
    "Statistics",
    "Ter",
    "Unit",
    "Wer",
    "as_values",
    "asks_for_rating",
    "default_metrics",
    "expect_statistics",
    "measure",
    "metric",
    "rating_choice",
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
    if asks_for_rating(choice):
        return _rating(options)
    rated = {rating.lower(): Rated(rating) for rating in ratings}
    return configured(find_typed({**rated, **METRICS}, name, "metric"), options)


def _rating(written: str) -> Rated:
    name, _, options = written.rpartition(":")
    if not name or not all("=" in piece for piece in filter(None, options.split(","))):
        name, options = written, ""
    return configured(Rated(name.strip()), options)


def asks_for_rating(choice: str) -> bool:
    """Return whether a metric is written as a rating of the corpus, "rating:NAME".

    >>> from mtsig.metrics import asks_for_rating
    >>> asks_for_rating("rating:mqm"), asks_for_rating("bleu")
    (True, False)
    """
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
    digest, scope = corpus.digest, chosen.scope(corpus)
    corpus = scope.corpus
    with part(0.0, 1.0):
        values = as_values(counted(chosen, corpus, executor))
    available = chosen.available(corpus)
    documents = corpus.documents
    references = len(corpus.references)
    notes, doubt = text_notes(corpus, chosen)
    kinships = _kinships(corpus, digest) if chosen.needs_references else ()
    return Statistics(
        chosen,
        tuple(corpus.systems),
        values,
        signature=chosen.signature(corpus),
        digest=digest,
        document_of=None if documents is None else _numbered(documents),
        document_names=None if documents is None else tuple(dict.fromkeys(documents)),
        notes=tuple(Note("warning", _of_kin(kinship, references), "kin") for kinship in kinships) + scope.notes + notes,
        available=None if available is None or available.all() else available,
        numbers=scope.numbers,
        doubt=doubt,
        kinships=kinships,
    )


_MOST_KEPT = 64
_KIN: dict[str, tuple[Kin, ...]] = {}
"""What was found in the last corpora, by their digests: every metric asks."""


def _kinships(corpus: Corpus, digest: str) -> tuple[Kinship, ...]:
    """Return the systems that are kin to a reference, or are one, each with the corpus without it."""
    key = f"{digest} {len(corpus)} {' '.join(corpus.systems)}"
    kin = _KIN.get(key)
    if kin is None:
        kin = (*kin_of(corpus), *references_among(corpus))
        # Visitors of a dashboard share it: emptied at once, nobody waits for anybody, or finds half of it.
        if len(_KIN) >= _MOST_KEPT:
            _KIN.clear()
        _KIN[key] = kin
    others = {relative: _without_its_kin(corpus, kin, relative.reference) for relative in kin}
    return tuple(
        Kinship(name, corpus.select(references=rest) if rest else None, _known_systems(corpus) - 1)
        for name, rest in others.items()
    )


def _without_its_kin(corpus: Corpus, kin: Sequence[Kin], reference: str) -> list[str]:
    """Return the references that no kin of one reference has anything of."""
    systems = {relative.system for relative in kin if relative.reference == reference}
    theirs = {relative.reference for relative in kin if relative.system in systems}
    return [name for name in corpus.references if name not in theirs]


def _known_systems(corpus: Corpus) -> int:
    """Return how many systems there are, runs of one taken together, with those that stand beside."""
    return len(runs_by_name(list(corpus.with_those_beside().systems)))


def _of_kin(kinship: Kinship, references: int) -> str:
    """Return what is to be known before any score is read."""
    alone = "It is the only reference" if references == 1 else "No reference is without its text"
    if kinship.corpus is None and not kinship.doubtful_alone:
        return f"{kinship.kin.sentence} {alone}: what it says for this system may be its own making."
    if kinship.doubtful_alone:
        return f"{kinship.kin.sentence} {alone}: no verdict in favour of this system can be given."
    # What is judged without that reference, and how, says who judges so (`mtsig.inference.kin`).
    if kinship.kin.itself:
        return f"{kinship.kin.sentence} What that reference says for this system comes from being that reference."
    return f"{kinship.kin.sentence} What that reference says for this system may be its own making."


def _numbered(documents: tuple[str, ...]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return each segment's document as a number, in order of first appearance."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(documents))}
    return np.array([numbers[name] for name in documents], dtype=np.int64)
