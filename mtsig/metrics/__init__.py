"""Count a metric's statistics for every segment of a corpus.

>>> import mtsig
>>> from mtsig.metrics import METRICS
>>> "chrf" in METRICS, mtsig.metric("bleu:smooth_method=floor").smooth_method
(True, 'floor')
"""

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import is_dataclass, replace
from typing import TypeAlias, Unpack
from weakref import WeakValueDictionary

import numpy as np

from mtsig._options import Option, configured, expect_arguments, option, options, refuse_unknown, spelled_out
from mtsig._plain import Material, Place, Table, corpus_of
from mtsig._plugins import Rows
from mtsig.corpus import Corpus, Note
from mtsig.corpus._annotations import ORIGINS
from mtsig.corpus._notes import joint_ratings, runs_by_name
from mtsig.errors import InvalidOption, NotApplicable, UnknownName, expect, find_typed, kind_of
from mtsig.metrics._bleu import Bleu, BrevityPenalty, LengthRatio, MBleu, Precision
from mtsig.metrics._chrf import Chrf
from mtsig.metrics._counting import counted, text_notes
from mtsig.metrics._dependency import DependencyF
from mtsig.metrics._kinship import ReferenceOverlap, kin_and_copies, spliced_text, untranslated
from mtsig.metrics._meteor import Meteor
from mtsig.metrics._metric import Metric, Scope, SegmentMean
from mtsig.metrics._nist import Nist
from mtsig.metrics._rated import Rated, SentenceBleu, SentenceChrf, SentenceTer
from mtsig.metrics._statistics import Kinship, Statistics, as_values
from mtsig.metrics._sums import WeightedSums
from mtsig.metrics._word_metrics import Gtm, Per, RougeL, Ter, Wer
from mtsig.progress import each, part
from mtsig.readers._names import scale_of

__all__ = [
    "METRICS", "Bleu", "Chrf", "Gtm", "Meteor", "Metric", "Nist", "Option", "Rated", "ReferenceOverlap", "RougeL",
    "SegmentMean", "SentenceBleu", "Statistics", "Ter", "WeightedSums", "Wer", "option", "options",
]  # fmt: skip

Measurable: TypeAlias = Corpus | Table | Mapping[str, Place] | Place
"""Data that `measure` takes."""

METRICS = Rows[Metric](
    "mtsig.metrics",
    Metric,
    {
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
    },
)
"""Metrics by the names that users type; the most common metrics come first."""


def metric(choice: str | Metric, ratings: Collection[str] = (), **options: bool | float | str) -> Metric:
    """Return the metric of a name with options, or a given metric unchanged.

    A rating in the corpus is chosen by "rating:NAME". NAME alone is enough if it is in `ratings` and not a metric. In
    "rating:NAME:shared=true", the text after the last colon gives options if each has a `=`; else it is part of NAME.

    Parameters
    ----------
    choice : str or Metric
        Examples are "bleu", "bleu:tokenize=zh,lowercase=true" and "rating:NAME".
    ratings : list of str, optional
        Names of ratings that can be given without "rating:".
    **options : bool, number or str, optional
        Options of the metric, as tokenize="zh" for "bleu:tokenize=zh".

    Returns
    -------
    chosen : Metric

    Raises
    ------
    UnknownName
        There is no metric, rating or option of that name.
    InvalidOption
        The value is not accepted for its option.

    Examples
    --------
    >>> metric("bleu:lowercase=true") == metric("bleu", lowercase=True), metric("chrf++").name
    (True, 'chrF2++')
    """
    written = ",".join(
        f"{name}={str(value).lower() if isinstance(value, bool) else value}" for name, value in options.items()
    )
    if not isinstance(ratings, tuple) or ratings:
        expect_arguments(metric, {"ratings": ratings})
    if not isinstance(choice, str):
        expect(choice, Metric, 'A metric is a name such as "bleu", or a Metric; give one metric')
        return configured(choice, written) if written else choice
    name, _, in_name = choice.partition(":")
    if name.strip().lower() == "rating":
        return configured(_rating(in_name), written) if written else _rating(in_name)
    known = {**{rating.lower(): Rated(rating) for rating in ratings}, **METRICS}
    if name.strip().lower() not in known and (scale := scale_of(name)) and not set(scale.words) & set(METRICS):
        called, here = name.strip().lower().rpartition("/")[2], f" Ratings here: {', '.join(ratings)}."
        raise UnknownName(
            f"mtsig does not compute {name.strip()}. Compute it elsewhere, one score per segment and system, and give "
            f"the scores: --ratings {called}=scores.tsv --metric {called} on the command line, "
            f"ratings={{{called!r}: scores}} in Python.{here if ratings else ''}"
        )
    return configured(find_typed(known, name, "metric"), ",".join(filter(None, (in_name, written))))


def _rating(written: str) -> Rated:
    name, _, options = written.rpartition(":")
    if not name or not all("=" in piece for piece in filter(None, options.split(","))):
        name, options = written, ""
    return configured(Rated(name.strip()), options)


def rating_choice(name: str) -> str:
    """Return the text by which `metric` chooses the rating of this name, even if the name has colons."""
    return f"rating:{name}:" if ":" in name else f"rating:{name}"


def default_metrics(corpus: Corpus) -> list[str]:
    """Return the default metrics: BLEU, or the ratings of a benchmark or of a corpus without text.

    Of a rating by several raters this is their mean; single raters are compared when they are named.
    """
    has_text = bool(corpus.outputs) and bool(corpus.references) and not corpus.of_benchmark
    return (
        ["bleu"]
        if (has_text and not corpus.void_references) or not corpus.ratings
        else [rating_choice(name) for name in joint_ratings(corpus.ratings)]
    )


def labels_of(metrics: Sequence[Metric]) -> list[str]:
    """Return labels of several metrics: their names, with the options in which metrics of the same name differ."""
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


@spelled_out
def measure(
    corpus: Measurable,
    metric_or_name: str | Metric | None = None,
    *,
    executor: Executor | None = None,
    **material: Unpack[Material],
) -> Statistics:
    """Count a metric's sufficient statistics for every system and segment.

    Scores, intervals, tests and test set sizes are computed from these counts. The texts are not read again.

    Parameters
    ----------
    corpus : Corpus, path, or table
        Systems with references or ratings; a path that `read` accepts; or texts or scores by system, in a form that
        `compare` accepts: {"A": lines, "B": lines}, a DataFrame with a column per system, or an array with `systems`.
    metric_or_name : str or Metric, optional
        The metric, or its name as on the command line: "bleu:tokenize=char", "rating:mqm". The default is BLEU, or the
        first rating if there is no text to score.
    executor : concurrent.futures.Executor, optional
        Executor that counts large test sets in blocks of segments; the results are the same.
    references, sources, documents, domains, ratings, higher_is_better, systems, name, system, score, ignore
        Data that belong to texts or scores by system, as in `compare`.

    Returns
    -------
    statistics : Statistics
        Statistics with `scores` of shape (n_systems,) and `values` of shape (n_systems, n_segments, n_counts).

    Raises
    ------
    InvalidOption
        The corpus or the metric has the wrong type; the message says what to give.
    UnknownName
        There is no metric, rating, option or argument of that name.
    AlignmentError
        Texts, scores, document ids or ratings differ in length.
    NotApplicable
        There is nothing to count, or the metric needs a reference and none was given.

    See Also
    --------
    metric : return the metric of a name. interval, audit, power_analysis : analyses of statistics.

    Notes
    -----
    1. Systems without text are excluded from text metrics, segments without a reference from metrics that need one, and
       outputs without a rating from ratings; `statistics.notes` gives their numbers.
    2. Counts are summed over segments. A corpus-level metric is a function of these sums (BLEU: matched and possible
       n-grams), so the score of a resample or of a subset is computed from sums of counts, not from texts.
    3. BLEU, chrF and TER are identical to those of sacreBLEU [1]_; the signature lists every option.

    References
    ----------
    .. [1] Post (2018).

    Examples
    --------
    >>> import mtsig
    >>> corpus = mtsig.read_sample()
    >>> statistics = mtsig.measure(corpus, "bleu")
    >>> dict(zip(statistics.systems[:2], statistics.scores.round(2).tolist()))
    {'direct-us': 18.72, 'direct': 19.2}

    Another metric with an option:

    >>> mtsig.measure(corpus, "chrf:word_order=2").scores.round(1).tolist()
    [45.2, 45.7, 43.3, 40.2, 42.9]

    Scores from another program:

    >>> scores = {"A": [0.9, 0.8, 0.7], "B": [0.5, 0.7, 0.4]}
    >>> mtsig.measure(scores, name="COMET").scores.round(2).tolist()
    [0.8, 0.53]
    """
    expect_arguments(measure, {"executor": executor})
    refuse_unknown(measure, material)
    if not isinstance(corpus, Corpus):
        corpus, material = corpus_of(corpus, metric=metric_or_name, **material), {}
    for name in (name for name, value in material.items() if value is not None):
        raise InvalidOption(f"A corpus already contains everything that is counted: omit {name}.")
    if metric_or_name is None:
        metric_or_name, *_ = default_metrics(corpus)
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
    others = {
        relative: _without_own(statistics, scope.corpus, relative)
        if relative.spliced and not rest
        else _said(rest, counted_by)
        for relative, rest in without.items()
    }
    kinships = tuple(
        Kinship(
            relative, len(runs_by_name(list(scope.corpus.with_those_beside().systems))) - 1, not rest, others[relative]
        )
        for relative, rest in without.items()
    )
    references = len(scope.corpus.references)
    notes = tuple(
        Note("warning", _of_kin(kinship, references), "kin", (kinship.kin.system,), _headed(kinship.kin))
        for kinship in kinships
        if not kinship.kin.spliced
    )
    notes += _of_spliced([kinship for kinship in kinships if kinship.kin.spliced])
    made = replace(statistics, notes=notes + statistics.notes, kinships=kinships) if kinships else statistics
    in_use[corpus.digest, repr(chosen)] = made
    return made


in_use: WeakValueDictionary[tuple[str, str], Statistics] = WeakValueDictionary()
"""What was counted and is still held by somebody, by digest of the data and metric: it need not be counted again."""


def statistics_of(
    given: Statistics | Measurable, higher_is_better: bool | None = None, name: str = "score"
) -> Statistics:
    """Return statistics unchanged, or what `measure` makes of data; unknown scores need a direction."""
    named: Material = {} if higher_is_better is None else {"higher_is_better": higher_is_better}
    if not isinstance(name, str) or name != "score":  # only a table may have another name for its scores
        named["name"] = name
    if not isinstance(given, Statistics):
        return measure(given, **named)
    for key, value in named.items():
        raise InvalidOption(f"Statistics are complete: leave {key} out; found {kind_of(value)}.")
    return given


def _statistics(corpus: Corpus, chosen: Metric, scope: Scope, executor: Executor | None) -> Statistics:
    """Return what a metric counts of the part of the corpus that it can count."""
    scoped = scope.corpus
    outputs, of, there = scoped.one_by_one() if scoped.samples else (scoped, {}, None)
    with part(0.0, 1.0):
        values = as_values(counted(chosen, outputs, executor))
    available, documents = chosen.available(outputs), scoped.documents
    available = there if available is None else available
    systems = tuple(outputs.systems)
    if of and available is not None:
        kept = available.any(axis=1)
        systems = tuple(systems[row] for row in np.flatnonzero(kept).tolist())
        of = {name: tuple(one for one in own if one in systems) for name, own in of.items()}
        values, available = values[:, kept], available[kept]
    notes, doubt = text_notes(scoped, chosen)
    made = Statistics(
        chosen,
        systems,
        values,
        signature=chosen.signature(scoped),
        digest=corpus.digest,
        document_of=None if documents is None else _numbered(documents),
        document_names=None if documents is None else tuple(dict.fromkeys(documents)),
        notes=scope.notes + notes,
        available=None if available is None or available.all() else available,
        numbers=scope.numbers,
        data_caveat=doubt,
        untranslated=untranslated(scoped) if chosen.needs_references else {},
    )
    if not of:
        return made
    pooled = made.over_samples(of)
    counts = np.concatenate([own[own > 0] for own in (pooled.samples.counts if pooled.samples else {}).values()])
    samples = f"{counts.min()}" if counts.min() == counts.max() else f"{counts.min()}–{counts.max()}"
    return replace(pooled, signature=f"{made.signature}|samples:{samples}")


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
        {(name,): f"with reference {name!r} alone" for name in rest} if len(rest) > 1 else {}
    )
    return {tuple(rest): "without that reference", **alone}


def _said(rest: Sequence[str], counted_by: Mapping[tuple[str, ...], Statistics]) -> dict[str, Statistics]:
    """Return what was counted by the references that are left, by how that is said; nothing where a part is missing."""
    wanted = _selections(rest)
    return {said: counted_by[names] for names, said in wanted.items()} if counted_by.keys() >= wanted.keys() else {}


NOT_THEIR_OWN = "without the segments that the reference took from either system"
"""How statistics are called in which no system has the segments that are its own in the reference."""


def _without_own(statistics: Statistics, corpus: Corpus, kin: ReferenceOverlap) -> dict[str, Statistics]:
    """Return the statistics without each system's own segments of a spliced reference: pairs share those of neither."""
    origins = np.array(corpus.annotations[ORIGINS][kin.reference], dtype=object)
    other = origins[None, :] != np.array(statistics.systems, dtype=object)[:, None]
    available = other if statistics.available is None else other & statistics.available
    values = np.ascontiguousarray((statistics.values * available).astype(statistics.values.dtype))
    return {NOT_THEIR_OWN: replace(statistics, values=values, available=available)}


def _of_spliced(kinships: Sequence[Kinship]) -> tuple[Note, ...]:
    """Return what is to be known of each spliced reference: how much of it is whose."""
    notes = []
    for name in dict.fromkeys(kinship.kin.reference for kinship in kinships):
        of = [kinship for kinship in kinships if kinship.kin.reference == name]
        how = NOT_THEIR_OWN if of[0].only else "with the other references"
        text = (
            f"{spliced_text([each.kin for each in of])} Pairs are also compared {how}. If the verdict changes, it is "
            "withheld."
        )
        whose = tuple(each.kin.system for each in of)
        notes.append(Note("warning", text, "spliced", whose, f"{name} is made of outputs"))
    return tuple(notes)


def _headed(kin: ReferenceOverlap) -> str:
    return f"{kin.system} {'is reference' if kin.itself else 'shares lines with'} {kin.reference}"


def _of_kin(kinship: Kinship, references: int) -> str:
    """Return what is to be known before any score is read."""
    alone = "It is the only reference" if references == 1 else "Every reference contains its text"
    if kinship.only and not kinship.doubtful_alone:
        return f"{kinship.kin.sentence} {alone}, so this system's score may be inflated."
    if kinship.doubtful_alone:
        return f"{kinship.kin.sentence} {alone}, so no verdict in favour of this system is given."
    # What is judged without that reference, and how, says who judges so (`mtsig.inference`).
    if kinship.kin.itself:
        return f"{kinship.kin.sentence} The score against this reference has no meaning: the output is the reference."
    return f"{kinship.kin.sentence} The score against this reference may be inflated."


def _numbered(documents: tuple[str, ...]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return each segment's document as a number, in order of first appearance."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(documents))}
    return np.array([numbers[name] for name in documents], dtype=np.int64)
