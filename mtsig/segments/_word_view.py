"""Words: a corpus and two systems go in, which words, lengths and n-grams one does better on than the other comes out.

The view of compare-mt (Neubig et al. 2019), each difference with an interval whose units are documents where these are
known. Every number here is a ratio of sums over segments; intervals are the jackknife's with Student's t for unequal
units (docs/statistics/documents.md, section 1), as for scores. Nothing is corrected for the number of rows: the rows
say where to look, and no row is a verdict.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mtsig._probability import check_level
from mtsig._records import Count, FloatArray, Floats, Mask, Number, Record, about, distinct
from mtsig.collection._pairs import part_within
from mtsig.corpus import Corpus
from mtsig.corpus._corpus import Lines
from mtsig.errors import NotApplicable
from mtsig.inference import INTERVALS
from mtsig.inference._targets import Pairs, Scores, doubts, pairs_of
from mtsig.inference._verdict import spread_unknown, ungrounded
from mtsig.metrics import Bleu, Metric, Statistics, Ter, measure
from mtsig.metrics._counting import Tokenizing
from mtsig.metrics._statistics import ResolvedUnit, Unit, as_values
from mtsig.metrics._sums import FEWEST_UNITS, blocks_of
from mtsig.resampling import Bootstrap
from mtsig.text import tokenized
from mtsig.text._tokens import Stream, Words

Index: TypeAlias = NDArray[np.intp]

FREQUENCIES = (1, 2, 3, 4, 5, 10, 100, 1000)
"""Where the classes of words by frequency begin."""

LENGTHS = (1, 10, 20, 30, 40, 50, 60)
"""Where the classes of segments by length begin, in words of the reference."""

METHOD = "jackknife"
"""The interval, a name in INTERVALS."""

LONGEST_NGRAM = 4
MOST_NGRAMS = 20


@dataclass(frozen=True)
class ClassRow(Record):
    """Both systems on one class of words or of segments."""

    name: Annotated[str, about("The class: a range of word frequencies or of segment lengths.")]
    count: Annotated[Count, about("Number of reference words, or of segments, in the class.")]
    first: Annotated[Number, about("Score of the first system.")]
    second: Annotated[Number, about("Score of the second system.")]
    difference: Annotated[Number, about("Difference of the scores; positive if the first system is better.")]
    ci_low: Annotated[Number, about("Lower end of the difference's interval; null if undefined.")]
    ci_high: Annotated[Number, about("Upper end of the difference's interval; null if undefined.")]
    units: Annotated[Count, about("Number of documents or segments behind the interval.")]
    why: Annotated[str, about("Why there is no interval; empty if there is one.")]


@dataclass(frozen=True)
class NgramRow(Record):
    """One n-gram of the references that one system gets more often than the other."""

    ngram: Annotated[str, about("The words of the n-gram, separated by spaces.")]
    order: Annotated[Count, about("Number of words in the n-gram.")]
    first: Annotated[Count, about("Number of matches of the first system.")]
    second: Annotated[Count, about("Number of matches of the second system.")]
    difference: Annotated[Number, about("Matches of the first system minus matches of the second.")]
    ci_low: Annotated[Number, about("Lower end of the difference's interval; null if undefined.")]
    ci_high: Annotated[Number, about("Upper end of the difference's interval; null if undefined.")]
    why: Annotated[str, about("Why there is no interval; empty if there is one.")]
    segments: Annotated[tuple[int, ...], about("First ten segments (from 0) in which the numbers of matches differ.")]


@dataclass(frozen=True)
class WordView:
    """A comparison of two systems by words, with intervals over units.

    tokens: the tokenizer. by_frequency: F × 100 of the words in each frequency class. by_length: the metric's score of
    the segments in each length class. gained, lost: the n-grams that the first system matches most often when the
    second does not, and the reverse. They were selected by their difference, so their intervals only show its
    variation.
    """

    metric: str
    tokens: str
    unit: str
    level: float
    by_frequency: tuple[ClassRow, ...]
    by_length: tuple[ClassRow, ...]
    gained: tuple[NgramRow, ...]
    lost: tuple[NgramRow, ...]


@dataclass(frozen=True)
class _WordF(Metric):
    """F of words: twice the matches over the words of output and reference, times 100."""

    name = "word F"

    def score(self, totals: FloatArray) -> Floats:
        """Return 100 · 2m/(r + o); totals are m, r and o."""
        matched, reference, output = np.asarray(totals, dtype=np.float64)
        words = reference + output
        unknown = np.full(np.shape(words), np.nan)
        return np.asarray(np.divide(200 * matched, words, out=unknown, where=words > 0))


@dataclass(frozen=True)
class _Matches(Metric):
    """Matches per segment."""

    name = "matches"

    def score(self, totals: FloatArray) -> Floats:
        """Return the ratio of matches and segments."""
        return np.asarray(totals[0] / totals[1], dtype=np.float64)


def word_view(
    corpus: Corpus,
    metric: str | Metric,
    first: str,
    second: str,
    unit: Unit = "auto",
    level: float = 0.95,
    most: int = MOST_NGRAMS,
) -> WordView:
    """Compare two systems by words, lengths and n-grams, by a metric's tokens.

    A word's class is its frequency in all references. A word's matches are clipped to its count in the reference. If a
    segment has several references, each output is compared with the reference of the highest F. Metrics that
    have no word tokenizer of their own use BLEU's tokenizer for the language; case-insensitive TER lowercases first.

    Parameters
    ----------
    corpus
        The corpus, which must have references.
    metric
        The metric, as for `measure`. It scores the length classes and provides the tokenizer.
    first
        A system.
    second
        The other system.
    unit
        The resampling unit of the intervals. "auto" uses documents if there are ten or more. Without document ids, it
        uses blocks if neighbouring segments are similar.
    level
        The confidence level of the intervals.
    most
        The maximum number of n-grams that are listed for each system.

    Raises
    ------
    UnknownName
        A system or the metric is unknown.
    NotApplicable
        There is no reference, or a system has no text.

    Examples
    --------
    >>> import mtsig
    >>> view = word_view(mtsig.read_sample(), "bleu", "direct", "via-esperanto")
    >>> [(row.name, row.count, round(row.difference, 1)) for row in view.by_frequency[:2]], view.gained[0].ngram
    ([('1', 1131, 5.9), ('2', 460, 8.4)], 'a')
    """
    check_level(level)
    statistics = measure(corpus, metric)
    if not corpus.referenced.any():
        raise NotApplicable("Words are compared with a reference, but none was given.")
    kept = np.flatnonzero(corpus.referenced)
    part = corpus.take(kept) if len(kept) < len(corpus) else corpus
    outputs = [part.lines(first), part.lines(second)]
    tokenizer = _tokenizer(statistics.metric, corpus)
    table = _Table.of(outputs, list(part.references.values()), tokenizer.cut)
    groups = None if part.documents is None else np.unique(part.documents, return_inverse=True)[1]
    if (groups is None or unit == "block") and statistics.at(unit).unit == "block":
        # The blocks of the metric that was compared, so that the same units stand behind its words.
        blocks = blocks_of(statistics)
        counted = np.arange(len(corpus)) if statistics.numbers is None else statistics.numbers
        next_counted = np.minimum(np.searchsorted(counted, kept), len(counted) - 1)
        groups, unit = np.unique(blocks[next_counted], return_inverse=True)[1], "block"
        statistics = replace(statistics, document_of=blocks)
    base = Statistics(_WordF(), (first, second), as_values(np.zeros((3, 2, len(part)))), document_of=groups)
    unit = unit if unit == "block" else base.at(unit).unit
    lengths = np.zeros(len(corpus))
    lengths[kept] = table.mean_lengths
    gained, lost = _ngrams(base, table, kept, unit, level, most)
    return WordView(
        statistics.metric.name,
        tokenizer.name,
        unit,
        level,
        _by_frequency(base, table, unit, level),
        _by_length(statistics, lengths, first, second, unit, level),
        gained,
        lost,
    )


@dataclass(frozen=True)
class _Tokenizer:
    """How lines are cut into words, and what that is called."""

    name: str
    cut: Callable[[Sequence[str]], Words]


def _tokenizer(metric: Metric, corpus: Corpus) -> _Tokenizer:
    """Return the metric's own tokenizer, or the one that BLEU would use on this text."""
    bleu = Bleu().on(corpus)
    lowercase = isinstance(metric, Ter) and not metric.case_sensitive
    if isinstance(metric, Tokenizing):
        own = metric.on(corpus)
        bleu, lowercase = Bleu(tokenize=own.tokenize, trg_lang=own.trg_lang), own.lowercase
    tokenizer = bleu.scorer().tokenizer

    def cut(lines: Sequence[str]) -> Words:
        return tokenized([line.lower() for line in lines] if lowercase else lines, tokenizer)

    return _Tokenizer(f"{tokenizer.signature()}{', lower case' if lowercase else ''}", cut)


@dataclass(frozen=True, eq=False)
class _Stream:
    """The words of one text as numbers from 0, end to end; lengths: shape (n,), −1 where there is no segment."""

    words: Index
    lengths: Index

    def places(self, order: int) -> tuple[Index, Index]:
        """Return where the n-grams of an order begin, and the segment of each."""
        sizes = np.maximum(self.lengths, 0)
        segment = np.repeat(np.arange(len(sizes)), sizes)
        left = np.repeat(np.cumsum(sizes), sizes) - np.arange(len(segment))
        begin = np.flatnonzero(left >= order)
        return begin, segment[begin]


@dataclass(frozen=True, eq=False)
class _Counts:
    """How often n-grams stand in the segments of a text; keys: segment · number of n-grams + n-gram, in order."""

    keys: Index
    counts: Index

    def at(self, keys: Index) -> Index:
        """Return the counts of keys, 0 for those that are not here."""
        place = np.searchsorted(self.keys, keys)
        known = np.append(self.keys, -1)[place] == keys
        return np.where(known, np.append(self.counts, 0)[place], 0)

    def within(self, segments: Mask, grams: int) -> "_Counts":
        """Return the counts of some segments; shape (n,)."""
        kept = segments[self.keys // grams]
        return _Counts(self.keys[kept], self.counts[kept])


@dataclass(frozen=True, eq=False)
class _Table:
    """The texts: both outputs, then the references; vocabulary: their words."""

    streams: tuple[_Stream, ...]
    vocabulary: tuple[str, ...]

    @classmethod
    def of(cls, outputs: Sequence[Lines], references: Sequence[Stream], cut: Callable[[Sequence[str]], Words]) -> Self:
        """Return the table of lines, None where a reference has none."""
        numbers: dict[str, int] = {}
        streams = []
        for lines in (*outputs, *references):
            table = cut([line or "" for line in lines])
            words = [numbers.setdefault(word, len(numbers)) for word in table.words]
            given = np.array([line is not None for line in lines])
            streams.append(_Stream(np.array(words, dtype=np.intp), np.where(given, table.lengths, -1)))
        return cls(tuple(streams), tuple(numbers))

    @property
    def mean_lengths(self) -> Floats:
        """Mean words of the references of each segment; shape (n,)."""
        lengths = np.array([stream.lengths for stream in self.streams[2:]], dtype=np.float64)
        return np.asarray(np.nanmean(np.where(lengths < 0, np.nan, lengths), axis=0))

    def orders(self, longest: int) -> Iterator[tuple[list[_Counts], list[str]]]:
        """Yield, for orders from 1 on, the counts of every text's n-grams, and the n-grams' words."""
        base = len(self.vocabulary)
        grams, spelled = [stream.words for stream in self.streams], list(self.vocabulary)
        for order in range(1, longest + 1):
            places = [stream.places(order) for stream in self.streams]
            if order > 1:
                # An n-gram is known by the number of its first n − 1 words, and by its last one.
                longer = [
                    before[begin] * base + stream.words[begin + order - 1]
                    for before, stream, (begin, _) in zip(grams, self.streams, places, strict=True)
                ]
                known, numbers = np.unique(np.concatenate(longer), return_inverse=True)
                spelled = [f"{spelled[key // base]} {self.vocabulary[key % base]}" for key in known.tolist()]
                parts = np.split(numbers, np.cumsum([len(words) for words in longer])[:-1])
                grams = [np.zeros(len(stream.words), dtype=np.intp) for stream in self.streams]
                for row, part, (begin, _) in zip(grams, parts, places, strict=True):
                    row[begin] = part
            yield (
                [
                    _Counts(*np.unique(segment * len(spelled) + row[begin], return_counts=True))
                    for row, (begin, segment) in zip(grams, places, strict=True)
                ],
                spelled,
            )


def _by_frequency(base: Statistics, table: _Table, unit: ResolvedUnit, level: float) -> tuple[ClassRow, ...]:
    counts, vocabulary = next(table.orders(1))
    n, size = base.n, len(vocabulary)
    outputs, references = counts[:2], counts[2:]
    frequency = np.zeros(size, dtype=np.intp)
    for given in references:
        np.add.at(frequency, given.keys % size, given.counts)
    kind = np.digitize(frequency, FREQUENCIES) - 1

    def sums(keys: Index, values: Index) -> NDArray[np.float64]:
        """Return the sums by class and segment of the words that the references have; shape (classes, n)."""
        known = kind[keys % size] >= 0
        place = kind[keys[known] % size] * n + keys[known] // size
        totals = np.bincount(place, values[known], minlength=len(FREQUENCIES) * n)
        return np.asarray(totals.reshape(len(FREQUENCIES), n), dtype=np.float64)

    values = np.empty((len(FREQUENCIES), 3, 2, n))
    for row, output in enumerate(outputs):
        best = _best_reference(
            output, references, [stream.lengths for stream in (table.streams[row], *table.streams[2:])], size
        )
        held = [given.within(best == number, size) for number, given in enumerate(references)]
        keys, counted = (np.concatenate([getattr(item, name) for item in held]) for name in ("keys", "counts"))
        values[:, 0, row] = sums(keys, np.minimum(counted, output.at(keys)))
        values[:, 1, row] = sums(keys, counted)
        values[:, 2, row] = sums(output.keys, output.counts)
    names = _names(FREQUENCIES)
    return tuple(
        _class_row(
            replace(base, values=as_values(part)), name, part.sum(axis=(0, 1)) > 0, int(part[1, 0].sum()), unit, level
        )
        for name, part in zip(names, values, strict=True)
        if part.any()
    )


def _best_reference(output: _Counts, references: Sequence[_Counts], lengths: Sequence[Index], size: int) -> Index:
    """Return the reference with which each segment has the best F, the first of equally good ones; shape (n,)."""
    own, *theirs = lengths
    scores = []
    for given, length in zip(references, theirs, strict=True):
        matched = np.bincount(given.keys // size, np.minimum(given.counts, output.at(given.keys)), minlength=len(own))
        words = np.maximum(own + length, 1)
        scores.append(np.where(length < 0, -1.0, 2 * matched / words))
    return np.asarray(np.argmax(scores, axis=0))


def _by_length(
    statistics: Statistics, lengths: Floats, first: str, second: str, unit: ResolvedUnit, level: float
) -> tuple[ClassRow, ...]:
    counted = lengths if statistics.numbers is None else lengths[statistics.numbers]
    # Segments whose reference is empty are as short as they get.
    kind = np.maximum(np.digitize(counted, LENGTHS) - 1, 0)
    chosen = statistics.select([first, second])
    return tuple(
        _class_row(chosen, name, kind == number, int(np.sum(kind == number)), unit, level)
        for number, name in enumerate(_names(LENGTHS))
        if np.any(kind == number)
    )


def _names(starts: Sequence[int]) -> list[str]:
    """Return what classes that begin at these numbers are called."""
    ends = [*(start - 1 for start in starts[1:]), None]
    return [
        f"{start} or more" if end is None else str(start) if end == start else f"{start}–{end}"
        for start, end in zip(starts, ends, strict=True)
    ]


def _class_row(
    statistics: Statistics, name: str, inside: Mask, count: int, unit: ResolvedUnit, level: float
) -> ClassRow:
    first, second = statistics.systems
    try:
        part, _ = part_within(statistics, inside, (first, second), unit)
    except NotApplicable as error:  # no segment of the class is rated for both
        nothing = float("nan")
        return ClassRow(name, count, nothing, nothing, nothing, nothing, nothing, 0, str(error))
    pairs = pairs_of(Scores(part, Bootstrap()), [(first, second)])
    low, high, why = _interval(pairs, level)
    scores = pairs.statistics.scores
    return ClassRow(
        name, count, float(scores[0]), float(scores[1]), float(pairs.estimate[0]), low, high, int(pairs.units[0]), why
    )


def _interval(pairs: Pairs, level: float) -> tuple[float, float, str]:
    """Return the ends of a pair's interval, and why there is none where there is none."""
    unit, units = pairs.statistics.unit, int(pairs.units[0])
    if units < FEWEST_UNITS:
        return float("nan"), float("nan"), f"only 1 {unit}, which does not show how much scores vary"
    error = float(pairs.standard_error[0])
    doubt = doubts(pairs)[0].said
    why = ungrounded(unit, units, doubt) or spread_unknown(unit, units, int(pairs.n_differing[0]), error)
    if why:
        return float("nan"), float("nan"), why
    low, high = INTERVALS[METHOD].ends(pairs, level)
    return float(low[0]), float(high[0]), ""


def _ngrams(
    base: Statistics, table: _Table, numbers: Index, unit: ResolvedUnit, level: float, most: int
) -> tuple[tuple[NgramRow, ...], tuple[NgramRow, ...]]:
    """Return the n-grams that the first system gets more often than the second, and the reverse."""
    candidates: list[_Ngram] = []
    for order, (counts, spelled) in enumerate(table.orders(LONGEST_NGRAM), 1):
        size = len(spelled)
        outputs, references = counts[:2], counts[2:]
        keys = distinct(np.concatenate([given.keys for given in references]))
        # As BLEU counts: a match counts at most as often as the reference that has it most often has it.
        most_often = np.max([given.at(keys) for given in references], axis=0)
        first, second = (np.minimum(most_often, output.at(keys)) for output in outputs)
        differing = np.flatnonzero(first != second)
        totals = [np.bincount(keys % size, row, minlength=size) for row in (first, second)]
        ahead = (totals[0] - totals[1]) / np.sqrt(np.maximum(totals[0] + totals[1], 1))
        ranked = np.argsort(-np.abs(ahead), kind="stable")
        wanted = [*ranked[ahead[ranked] > 0][:most], *ranked[ahead[ranked] < 0][:most]]
        of = keys[differing] % size
        place = np.argsort(of, kind="stable")
        for gram in wanted:
            ends = np.searchsorted(of[place], [gram, gram + 1])
            at = differing[place[ends[0] : ends[1]]]
            ngram = _Ngram(
                float(ahead[gram]), spelled[gram], order, (int(totals[0][gram]), int(totals[1][gram])),
                keys[at] // size, first[at], second[at],
            )  # fmt: skip
            candidates.append(ngram)
    gained = sorted(
        (candidate for candidate in candidates if candidate.ahead > 0), key=lambda candidate: -candidate.ahead
    )[:most]
    lost = sorted(
        (candidate for candidate in candidates if candidate.ahead < 0), key=lambda candidate: candidate.ahead
    )[:most]
    rows = [tuple(_ngram_row(base, numbers, unit, level, row) for row in chosen) for chosen in (gained, lost)]
    return rows[0], rows[1]


@dataclass(frozen=True, eq=False)
class _Ngram:
    """An n-gram with the matches of both systems, in all, and in the segments in which they differ.

    ahead: (a − b)/√(a + b) of its matches, by which n-grams are put in order: how far the first system is ahead, in
    standard deviations of fair coins.
    """

    ahead: float
    words: str
    order: int
    totals: tuple[int, int]
    segments: Index
    first: Index
    second: Index


def _ngram_row(base: Statistics, numbers: Index, unit: ResolvedUnit, level: float, ngram: _Ngram) -> NgramRow:
    # Where both have it equally often, it adds nothing to the difference, nor to the spread of the difference.
    values = np.zeros((2, 2, base.n))
    values[0, 0, ngram.segments], values[0, 1, ngram.segments] = ngram.first, ngram.second
    values[1] = 1
    statistics = replace(base, metric=_Matches(), values=as_values(values)).again_by(unit)
    low, high, why = _interval(pairs_of(Scores(statistics, Bootstrap()), [(base.systems[0], base.systems[1])]), level)
    low, high = base.n * low, base.n * high
    first, second = ngram.totals
    shown = tuple(numbers[ngram.segments][:10].tolist())
    return NgramRow(ngram.words, ngram.order, first, second, float(first - second), low, high, why, shown)
