"""Agreement of error spans: what detectors mark, held against what annotators marked, with intervals over documents.

Every measure is made of four sums over outputs: credit and number of predicted spans, credit and number of gold spans.
F is their ratio; the jackknife leaves out documents, with all outputs of their segments. Definitions:
docs/statistics/campaigns.md, section 5.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple, TypeAlias

import numpy as np
import scipy

from mtsig._probability import satterthwaite_df, t_quantile
from mtsig._records import Count, Floats, Index, Number, Record, about
from mtsig._results import Result
from mtsig.citations import VERSION
from mtsig.corpus import Corpus, ErrorSpan, Note
from mtsig.corpus._annotations import errors_of
from mtsig.corpus._notes import number_of
from mtsig.errors import InvalidOption, NotApplicable, find
from mtsig.inference import Family, Settings
from mtsig.inference._estimated import Made, all_pairs
from mtsig.resampling import Purpose, Words

Measure: TypeAlias = Literal["mpp", "w25"]

MEASURES: Mapping[Measure, str] = {
    "mpp": "optimal one-to-one matching of spans, with partial credit by overlap (Perrella et al. 2026)",
    "w25": "F1 over characters, with half credit if severities differ (WMT25, task 2)",
}
"""How agreement is measured, in words."""

HALF = 0.5
"""What WMT25 credits a character that is marked with another severity."""

DRAWS, MOST_MATCHED = 200, 200_000
"""Draws of the baseline of random spans, and outputs that are matched for it at most."""


_USUAL_PAIRS, _MOST_PAIRS = 25, 40_000
"""Gold spans times predicted ones of an output that cost as one, and at most: matching costs more than their number."""


class Span(NamedTuple):
    """Characters from start to before end of one side of an output, and how severe the error is."""

    side: str
    start: int
    end: int
    severity: str


class Sums(NamedTuple):
    """Credit and number of predicted spans, and of gold spans."""

    credit_predicted: float
    predicted: float
    credit_gold: float
    gold: float


_SEVERITIES = {"minor": "minor", "major": "major", "critical": "major"}
"""What the severities of errors count as; what is neutral or undecided is not an error that could be found."""


def placed(errors: Sequence[ErrorSpan]) -> list[Span]:
    """Return the errors that hold characters and are minor, major or critical, which counts as major."""
    return [
        Span(error.side, error.start, error.end, _SEVERITIES[error.severity.lower()])
        for error in errors
        if error.severity.lower() in _SEVERITIES
        if error.start is not None and error.end is not None and error.start < error.end
    ]


def by_matching(gold: Sequence[Span], predicted: Sequence[Span], length: int = 0, penalty: float = 0.0) -> Sums:
    """Return what partial overlap credits (mpp): the one-to-one matching that maximises Σ 2o/(l₁ + l₂).

    penalty: what a pair of different severities loses of its credit.
    """
    del length
    if not gold or not predicted:
        return Sums(0.0, len(predicted), 0.0, len(gold))
    if len(gold) * len(predicted) > _MOST_PAIRS:
        raise NotApplicable(
            f"{len(gold):,} spans in one output are too many to match with {len(predicted):,}. Compare characters "
            "instead (--measure w25)."
        )
    (a, z), (b, y) = (np.array([[span.start, span.end] for span in spans], float).T for spans in (gold, predicted))
    sides = np.array([[one.side == other.side for other in predicted] for one in gold])
    overlap = sides * np.maximum(0, np.minimum.outer(z, y) - np.maximum.outer(a, b))
    ours, theirs = np.maximum(1, z - a), np.maximum(1, y - b)
    rows, columns = scipy.optimize.linear_sum_assignment(2 * overlap / (ours[:, None] + theirs), maximize=True)
    same = np.array(
        [gold[a].severity == predicted[b].severity for a, b in zip(rows.tolist(), columns.tolist(), strict=True)]
    )
    credit = overlap[rows, columns] * np.where(same, 1.0, 1.0 - penalty)
    return Sums(float((credit / theirs[columns]).sum()), len(predicted), float((credit / ours[rows]).sum()), len(gold))


def by_characters(gold: Sequence[Span], predicted: Sequence[Span], length: int, penalty: float = 0.0) -> Sums:
    """Return what WMT25 credits: characters of the output, by severity, half where only the severity differs."""
    del penalty
    counts = np.zeros((2, 2, length))
    for side, spans in enumerate((gold, predicted)):
        for span in spans:
            if span.side == "output":
                counts[side, int(span.severity == "minor"), span.start : span.end] += 1
    both = np.minimum(counts[0], counts[1])
    left = (counts - both).sum(axis=1)
    credit = float(both.sum() + HALF * np.minimum(left[0], left[1]).sum())
    return Sums(credit, float(counts[1].sum()), credit, float(counts[0].sum()))


_SUMS: Mapping[Measure, Callable[[Sequence[Span], Sequence[Span], int, float], Sums]] = {
    "mpp": by_matching,
    "w25": by_characters,
}


def scores(sums: Floats) -> Floats:
    """Return precision, recall and F of sums: (4, …) gives (3, …); 1 for a side without spans, NaN without any."""
    credit_predicted, predicted, credit_gold, gold = sums
    one = np.ones_like(predicted)
    precision = np.divide(credit_predicted, predicted, out=one.copy(), where=predicted > 0)
    recall = np.divide(credit_gold, gold, out=one.copy(), where=gold > 0)
    total = precision + recall
    f = np.divide(2 * precision * recall, total, out=np.zeros_like(total), where=total > 0)
    return np.stack([precision, recall, np.where((predicted <= 0) & (gold <= 0), np.nan, f)])


@dataclass(frozen=True)
class SpanScore(Record):
    """How far one detector, a baseline or an annotator agrees with the annotators."""

    name: Annotated[str, about("Source of the spans: a rating with spans, a baseline, or an annotator.")]
    role: Annotated[Literal["detector", "baseline", "ceiling"], about("Kind of the source.")]
    precision: Annotated[Number, about("Total credit divided by the number of predicted spans.")]
    recall: Annotated[Number, about("Total credit divided by the number of gold spans.")]
    f: Annotated[Number, about("F1 of precision and recall.")]
    ci_low: Annotated[Number, about("Lower end of the interval of F over documents; null for baselines.")]
    ci_high: Annotated[Number, about("Upper end of the interval of F.")]
    predicted: Annotated[Number, about("Number of spans, or characters, that this source marked.")]
    gold: Annotated[Number, about("Number that the annotators marked in these outputs, on average.")]
    outputs: Annotated[Count, about("Number of outputs examined by this source and by annotators.")]


@dataclass(frozen=True, eq=False)
class SpanAgreement(Result):
    """Detectors against annotators; records: detectors first, then baselines, then the ceiling.

    family: differences of F between detectors on the same outputs, corrected; None for one detector. below: each
    detector less the ceiling, on the outputs of several annotators; None without a ceiling.
    """

    gold: str
    measure: Measure
    records: tuple[SpanScore, ...]
    family: Family | None
    below: Family | None
    level: float = 0.95
    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        """Return who is compared with whom, in one line."""
        names = [row.name for row in self.records if row.role == "detector"]
        return f"<SpanAgreement of {', '.join(names)} with {self.gold}, by {self.measure}>"


Output: TypeAlias = tuple[int, int]
"""A system, by its position, and a segment."""

Marked: TypeAlias = dict[Output, dict[str, list[Span]]]
"""Output -> rater -> spans; no spans of an output that was looked at and found without error."""


def marked_by(corpus: Corpus, rating: str) -> Marked:
    """Return the spans of a rating by output and rater, of all outputs that it rates.

    Raises
    ------
    UnknownName
        There is no such rating.
    NotApplicable
        It marked nothing anywhere.
    """
    given = find(corpus.ratings, rating, "rating")
    seen: defaultdict[Output, dict[str, list[Span]]] = defaultdict(dict)
    if given.rater_scores is not None:
        own = given.rater_scores
        for system, segment, rater in zip(own.system.tolist(), own.segment.tolist(), own.rater.tolist(), strict=True):
            seen[system, segment][own.raters[rater]] = []
    else:
        for system, segment in np.argwhere(~np.isnan(given.values)).tolist():
            seen[system, segment][given.rater or ""] = []
    some, systems = False, list(corpus.systems)
    for (system, segment), by_rater in seen.items():
        for error in errors_of(corpus, systems[system], segment):
            if error.rating.partition("@")[0] == rating.partition("@")[0]:
                some = True
                name = error.rater if error.rater in by_rater else next(iter(by_rater)) if len(by_rater) == 1 else ""
                if name in by_rater:
                    by_rater[name] += placed([error])
    if not some:
        raise NotApplicable(f"{rating} has no error spans.")
    return dict(seen)


def span_agreement(
    corpus: Corpus, gold: str, predicted: Sequence[str], measure: Measure = "mpp", *, penalty: float = 0.0,
    settings: Settings | None = None,
) -> SpanAgreement:  # fmt: skip
    r"""Measure how well detectors mark the errors that annotators marked.

    If an output has several annotators, the detector is compared with each annotator, and the sums are averaged. The
    ceiling compares annotators with the other annotators of the same outputs in the same way.

    Parameters
    ----------
    corpus
        The corpus of outputs with error spans.
    gold
        The rating with the annotators' spans.
    predicted
        The ratings with the detectors' spans.
    measure
        The measure of agreement: "mpp" or "w25".
    penalty
        The share of credit, for mpp, that a match loses if the two spans differ in severity.
    settings
        The level and the correction; documents are the resampling unit.

    Raises
    ------
    NotApplicable
        A rating has no spans, or no output was annotated in both ratings.
    InvalidOption
        The measure is unknown, or the penalty is outside 0 to 1.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> import mtsig
    >>> from mtsig.campaign import span_agreement
    >>> columns = "doc_id segment_id system_id hypothesis_segment method start_indices end_indices error_types"
    >>> marked = [("mqm", 1), ("auto", 2)]
    >>> rows = [f"d{i // 2} {i % 2 + 1} A outputs {by} {at} {at + 4} minor" for i in range(24) for by, at in marked]
    >>> files = {
    ...     "systems/A.txt": ["outputs"] * 24,
    ...     "docids.txt": [f"d{i // 2}" for i in range(24)],
    ...     "ratings/spans.tsv": ["\t".join(row.split()) for row in (columns, *rows)],
    ... }
    >>> with TemporaryDirectory() as folder:
    ...     for name, lines in files.items():
    ...         (Path(folder) / name).parent.mkdir(exist_ok=True)
    ...         _ = (Path(folder) / name).write_text("\n".join(lines))
    ...     corpus = mtsig.read(folder)
    >>> [(row.name, round(row.f, 2)) for row in span_agreement(corpus, "mqm-spans", ["auto-spans"]).records][:1]
    [('auto-spans', 0.75)]
    """
    settings = Settings() if settings is None else settings
    if measure not in MEASURES:
        raise InvalidOption(f"The measure for spans must be {' or '.join(MEASURES)}; found {measure!r}.")
    if not 0 <= penalty <= 1:
        raise InvalidOption(f"The penalty for different severities must be between 0 and 1; found {penalty:g}.")
    detectors = {name: marked_by(corpus, name) for name in dict.fromkeys(predicted)}
    annotators = marked_by(corpus, gold)
    outputs = sorted(set(annotators).intersection(*detectors.values()))
    if not outputs:
        raise NotApplicable(f"No output has spans from both {gold} and {', '.join(detectors)}.")
    unit = "segment" if corpus.documents is None else "document"
    documents = corpus.documents if corpus.documents is not None else [str(i) for i in range(len(corpus))]
    _, of_segment = np.unique(np.asarray(documents, dtype=object).astype(str), return_inverse=True)
    document = np.unique(of_segment[[segment for _, segment in outputs]], return_inverse=True)[1]
    lengths = [_length(corpus, output) for output in outputs]
    by = _Summing(measure, penalty, [annotators[output] for output in outputs], lengths, document)
    names = list(detectors)
    made = {name: by.sums([_first(detectors[name][output]) for output in outputs]) for name in names}
    rows = [by.row(name, "detector", made[name], settings.level) for name in names]
    rows += by.baselines(
        {name: [_first(detectors[name][output]) for output in outputs] for name in names}, settings.seed
    )
    several = np.array([len(annotators[output]) > 1 for output in outputs])
    ceiling = by.ceiling(several)
    notes = _left_out(corpus, (gold, *names))
    notes += (
        [] if several.any() else [Note("note", f"Each output has one annotator in {gold}, so there is no ceiling.")]
    )
    below = None
    if ceiling is not None:
        rows.append(by.row("another annotator", "ceiling", ceiling, settings.level, several))
        own = {name: by.within(made[name], several) for name in names}
        below = _family(by, [*names, "another annotator"], [*own.values(), ceiling], unit, settings,
                        [(place, len(names)) for place in range(len(names))], int(several.sum()))  # fmt: skip
    family = None
    if len(names) > 1:
        pairs = [(int(x), int(y)) for x, y in all_pairs(len(names))]
        family = _family(by, names, list(made.values()), unit, settings, pairs, len(outputs))
    if len(np.unique(document)) < 2:
        notes.append(Note("warning", f"There is only one {unit}, so intervals are undefined."))
    return SpanAgreement(gold, measure, tuple(rows), family, below, settings.level, tuple(notes))


def _left_out(corpus: Corpus, names: Sequence[str]) -> list[Note]:
    """Return how many errors of each rating are not compared, because they hold no characters or no severity."""
    left: Counter[str] = Counter()
    for name in corpus.systems:
        for segment in range(len(corpus)):
            left.update(error.rating for error in errors_of(corpus, name, segment) if not placed([error]))
    why = "without characters, or neither minor, major nor critical: not compared."
    return [
        Note("note", f"{name}: {number_of(count, 'error', ',')} {why}")
        for name in dict.fromkeys(names)
        if (count := left[name.partition("@")[0]])
    ]


def _length(corpus: Corpus, output: Output) -> int:
    runs = list(corpus.systems.values())[output[0]]
    return len(corpus.outputs[runs[0]][output[1]]) if runs else 0


def _first(by_rater: Mapping[str, list[Span]]) -> list[Span]:
    """Return what a detector marked; of one that several wrote, all of it."""
    return [span for spans in by_rater.values() for span in spans]


@dataclass(frozen=True, eq=False)
class _Summing:
    """Sums over outputs, of one measure against the same annotators; document: of each output, from 0."""

    measure: Measure
    penalty: float
    annotators: Sequence[Mapping[str, list[Span]]]
    lengths: Sequence[int]
    document: Index

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return int(self.document.max()) + 1

    def one(self, output: int, gold: Sequence[Span], predicted: Sequence[Span]) -> Sums:
        """Return the sums of one output."""
        return _SUMS[self.measure](gold, predicted, self.lengths[output], self.penalty)

    def sums(self, predicted: Sequence[Sequence[Span]]) -> Floats:
        """Return the sums of every output, averaged over its annotators; shape (4, outputs)."""
        return np.array([
            np.mean([self.one(place, gold, own) for gold in self.annotators[place].values()], axis=0)
            for place, own in enumerate(predicted)
        ]).T  # fmt: skip

    def within(self, sums: Floats, chosen: np.ndarray) -> Floats:
        """Return the sums of some outputs, 0 for the others."""
        return np.where(chosen, sums, 0.0)

    def by_document(self, sums: Floats) -> Floats:
        """Return the sums of every document; shape (4, K)."""
        return np.array([np.bincount(self.document, row, minlength=self.documents) for row in sums])

    def spread(self, sums: Floats) -> tuple[float, Floats, float]:
        """Return F, F without each document, and degrees of freedom by the documents' gold spans."""
        held = self.by_document(sums)
        total = held.sum(axis=1, keepdims=True)
        return float(scores(total)[2, 0]), scores(total - held)[2], satterthwaite_df(held[3])

    def row(
        self, name: str, role: Literal["detector", "ceiling"], sums: Floats, level: float,
        chosen: np.ndarray | None = None,
    ) -> SpanScore:  # fmt: skip
        """Return a row with F's interval by the jackknife."""
        f, without, df = self.spread(sums)
        k = len(without)
        error = np.sqrt((k - 1) / k * np.square(without - f).sum()) if k > 1 else np.nan
        half = float(t_quantile((1 + level) / 2, df)) * error
        total = sums.sum(axis=1)
        precision, recall, _ = scores(total[:, None])[:, 0]
        count = len(self.document) if chosen is None else int(chosen.sum())
        return SpanScore(
            name, role, precision, recall, f, max(0.0, f - half) if half == half else np.nan,
            min(1.0, f + half) if half == half else np.nan, total[1], total[3], count,
        )  # fmt: skip

    def ceiling(self, several: np.ndarray) -> Floats | None:
        """Return the sums of annotators against the other annotators of an output; None without such outputs."""
        if not several.any():
            return None
        sums = np.zeros((4, len(several)))
        for place in np.flatnonzero(several).tolist():
            given = list(self.annotators[place].values())
            every = [self.one(place, a, b) for i, a in enumerate(given) for j, b in enumerate(given) if i != j]
            sums[:, place] = np.mean(every, axis=0)
        return sums

    def baselines(self, predicted: Mapping[str, Sequence[Sequence[Span]]], seed: int) -> Iterator[SpanScore]:
        """Yield what marking nothing, everything, and random spans of each detector's numbers and lengths reach."""
        whole = [[Span("output", 0, length, "minor")] if length else [] for length in self.lengths]
        yield self._baseline("marks nothing", self.sums([[] for _ in self.lengths]))
        yield self._baseline("marks everything", self.sums(whole))
        for number, (name, spans) in enumerate(predicted.items()):
            busy = [place for place, own in enumerate(spans) if own and any(map(len, self.annotators[place].values()))]
            cost = sum(max(1, len(gold) * len(spans[place]) / _USUAL_PAIRS)
                       for place in busy for gold in self.annotators[place].values())  # fmt: skip
            draws = max(1, min(DRAWS, int(MOST_MATCHED / max(1, cost))))
            total = self.sums(spans)
            for place in busy:
                words = Words(seed, place, Purpose.RANDOM_SPANS).halves(draws, 64 * (number + 1))[:, -64:] / 2.0**32
                total[:, place] = np.mean([self._random(place, spans[place], row) for row in words], axis=0)
            yield self._baseline(f"random spans like {name}", total)

    def _random(self, place: int, spans: Sequence[Span], draws: Floats) -> Floats:
        length = self.lengths[place]
        moved = [
            span._replace(start=at, end=at + span.end - span.start)
            for span, draw in zip(spans, np.resize(draws, len(spans)), strict=True)
            for at in [int(draw * (max(0, length - (span.end - span.start)) + 1))]
        ]
        every = [self.one(place, gold, moved) for gold in self.annotators[place].values()]
        return np.asarray(np.mean(every, axis=0))

    def _baseline(self, name: str, sums: Floats) -> SpanScore:
        total = sums.sum(axis=1)
        precision, recall, f = scores(total[:, None])[:, 0]
        nothing = float("nan")
        return SpanScore(
            name, "baseline", precision, recall, f, nothing, nothing, total[1], total[3], len(self.document)
        )


def _family(
    by: _Summing, names: Sequence[str], sums: Sequence[Floats], unit: str, settings: Settings,
    pairs: Sequence[tuple[int, int]], outputs: int,
) -> Family:  # fmt: skip
    """Return corrected differences of F, in points of 100, of pairs of those who mark."""
    found = [by.spread(own) for own in sums]
    f = np.array([one[0] for one in found])
    k = by.documents
    rows = np.array(pairs)
    apart = np.stack([(found[x][1] - found[y][1]) - (f[x] - f[y]) for x, y in pairs])
    error = np.sqrt((k - 1) / k * np.square(apart).sum(axis=1))
    df = np.array([found[x][2] for x, _ in pairs])
    made = Made(
        f"span F ({by.measure})", f"spans|measure:{by.measure}|penalty:{by.penalty:g}|mtsig:{VERSION}", names, 100 * f,
        rows, unit, [k] * len(rows), [outputs] * len(rows), settings, decimals=1,
        estimand="do the two agree equally well with the annotators' error spans?",
    )  # fmt: skip
    return made.family(100 * (f[rows[:, 0]] - f[rows[:, 1]]), 100 * error, df)


def spans_text(agreement: SpanAgreement) -> str:
    """Return what the best detector reaches, next to the ceiling, in sentences."""
    best = max((row for row in agreement.records if row.role == "detector"), key=lambda row: row.f)
    said = (
        f"{best.name} reaches F {best.f:.2f} [{best.ci_low:.2f}, {best.ci_high:.2f}] against {agreement.gold} on "
        f"{number_of(best.outputs, 'output', ',')} ({MEASURES[agreement.measure]})."
    )
    top = next((row for row in agreement.records if row.role == "ceiling"), None)
    if top is None:
        return said
    return f"{said} One annotator reaches {top.f:.2f} [{top.ci_low:.2f}, {top.ci_high:.2f}] against another annotator."
