"""chrF and chrF++ (Popović 2015, 2017) as sacreBLEU defines them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.chrf import CHRF

from mtsig._memory import remembered
from mtsig._options import option
from mtsig._records import FloatArray, Mask
from mtsig.citations import Citations
from mtsig.corpus import Corpus
from mtsig.metrics._counting import made, sacre_signature, texts
from mtsig.metrics._metric import Metric
from mtsig.progress import report
from mtsig.text import _tokens
from mtsig.text._characters import N_CODES, codes_of, spaces
from mtsig.text._tokens import Chunk, Column, Integers, Lines, Rows, Stream, Words, chunks, matches, word_rows

_EPSILON = 1e-16
"""sacreBLEU's stand-in for an undefined precision, recall or F."""

_DROPPED = -1
"""Stands for a character that does not count."""


@dataclass(frozen=True)
class ChrfOptions:
    """sacreBLEU's options by its names; beta and eps_smoothing matter where there are several references."""

    char_order: int = 6
    word_order: int = 0
    beta: int = 2
    lowercase: bool = False
    whitespace: bool = False
    eps_smoothing: bool = False


def count_chrf(outputs: Sequence[Lines], references: Sequence[Stream], options: ChrfOptions) -> NDArray[np.float64]:
    """Count n-grams of characters, then of words, and return shape (3 · orders, s, n).

    Three rows for each order: hypothesis n-grams (0 where the reference has none of this order), reference n-grams,
    matches. With several references those of the one with the best F, and of equals the first.
    """
    n = len(outputs[0])
    counts = np.empty((3 * (options.char_order + options.word_order), len(outputs), n))
    for chunk in chunks(outputs, references):
        if options.lowercase:
            chunk = chunk.mapped(str.lower)
        rows = _character_rows(chunk, options.whitespace)
        by_stream = _triples(rows, len(chunk), options.char_order)
        if options.word_order:
            rows = word_rows(chunk, chrf_words)
            by_stream = np.concatenate([by_stream, _triples(rows, len(chunk), options.word_order)], axis=1)
        counts[:, :, chunk.start : chunk.stop] = _best(by_stream, chunk, options)[:, chunk.places]
        report(chunk.stop / n)
    return counts


def chrf_words(lines: Sequence[str]) -> Words:
    """Return the words of lines as chrF++ cuts them."""
    return _tokens.split_at_punctuation(lines, _punctuation())


@remembered()
def _punctuation() -> Mask:
    mask = np.zeros(N_CODES, dtype=bool)
    mask[[ord(mark) for mark in CHRF._PUNCTS]] = True
    return mask


def _character_rows(chunk: Chunk, whitespace: bool) -> list[Rows]:
    """Return the characters of the hypotheses and of each stream as symbols: one for each character of references."""
    columns = (chunk.hypotheses, *chunk.references)
    # Any character may stand where a row ends: it becomes the 0 behind it.
    texts = [codes_of("\n".join([*column.lines, ""])) for column in columns]
    # No larger than the largest code: a table of all would take longer to make than a chunk to count.
    symbols = np.zeros(1 + max(int(codes.max(initial=0)) for codes in texts), dtype=np.intp)
    for codes in texts[1:]:
        symbols[codes] = 1
    symbols *= np.cumsum(symbols)
    if not whitespace:
        symbols[spaces()[: len(symbols)]] = _DROPPED
    return [_rows(symbols.take(codes), column) for codes, column in zip(texts, columns, strict=True)]


def _rows(symbols: Integers, column: Column) -> Rows:
    lengths = np.fromiter(map(len, column.lines), dtype=np.intp, count=len(column.lines))
    ends = np.cumsum(lengths + 1) - 1
    symbols[ends] = 0
    kept = symbols != _DROPPED
    return Rows(symbols[kept], np.diff(np.cumsum(kept)[ends], prepend=0) - 1, column.segments)


def _triples(rows: Sequence[Rows], n_segments: int, order: int) -> Integers:
    """Return hypothesis n-grams, reference n-grams and matches, order by order; shape (streams, 3 · order, rows)."""
    hypotheses, *streams = rows
    result = np.empty((len(streams), 3 * order, len(hypotheses.lengths)), dtype=np.intp)
    for triples, stream in zip(result, streams, strict=True):
        have = np.zeros((order, n_segments), dtype=np.intp)
        have[:, stream.segments] = stream.ngrams(order)
        triples[1::3] = have[:, hypotheses.segments]
        triples[0::3] = np.where(triples[1::3] > 0, hypotheses.ngrams(order), 0)
    result[:, 2::3] = np.swapaxes(matches(hypotheses, streams, n_segments, order), 0, 1)
    return result


def _best(by_stream: Integers, chunk: Chunk, options: ChrfOptions) -> Integers:
    """Return the counts with the stream that gives the best F; (streams, k, rows) gives (k, rows)."""
    if len(by_stream) == 1:
        return np.asarray(by_stream[0])
    scores = np.array([f_scores(counts, options) for counts in by_stream])
    for score, column in zip(scores, chunk.references, strict=True):
        score[~np.isin(chunk.hypotheses.segments, column.segments)] = -1.0
    return np.asarray(np.take_along_axis(by_stream, scores.argmax(axis=0)[None, None], axis=0)[0])


def f_scores(counts: Integers, options: ChrfOptions) -> NDArray[np.float64]:
    """Return F of counts (k, rows) in sacreBLEU's order of operations: the last bit may choose a reference."""
    factor = options.beta**2
    score, precisions, recalls, orders = (np.zeros(counts.shape[1]) for _ in range(4))
    with np.errstate(divide="ignore", invalid="ignore"):
        for hypothesis, reference, matched in zip(counts[0::3], counts[1::3], counts[2::3], strict=True):
            precision = np.where(hypothesis > 0, matched / hypothesis, _EPSILON)
            recall = np.where(reference > 0, matched / reference, _EPSILON)
            below = factor * precision + recall
            score += np.where(below > 0, (1 + factor) * precision * recall / below, _EPSILON)
            counted = (hypothesis > 0) & (reference > 0)
            precisions += np.where(counted, precision, 0.0)
            recalls += np.where(counted, recall, 0.0)
            orders += counted
        if options.eps_smoothing:
            return 100 * score / len(counts[0::3])
        precisions, recalls = precisions / np.maximum(orders, 1), recalls / np.maximum(orders, 1)
        f = (1 + factor) * precisions * recalls / (factor * precisions + recalls)
        return np.where(precisions + recalls > 0, 100 * f, 0.0)


@dataclass(frozen=True)
class Chrf(Metric):
    """F-score of character n-grams (and word n-grams, for chrF++), times 100.

    Statistics: for each order, hypothesis n-grams, reference n-grams and matches. If the reference has no n-gram of an
    order, its hypothesis n-grams count as 0. With several references, each segment uses the one with the best F.
    """

    char_order: int = option(6, "Character n-grams", "Longest character n-gram.", low=1, high=20, advanced=True)
    word_order: int = option(0, "Word n-grams", "Longest word n-gram; 2 gives chrF++.", low=0, high=10)
    beta: int = option(2, "β", "How many times recall counts as much as precision.", low=1, high=10, advanced=True)
    lowercase: bool = option(False, "Lowercase", "Ignore case.")
    whitespace: bool = option(False, "Whitespace", "Let character n-grams span spaces.", advanced=True)
    eps_smoothing: bool = option(
        False, "ε smoothing", "Average F over the n-gram orders, as in chrF++.py, NLTK and Moses.", advanced=True
    )

    by_sacrebleu = True
    widest = 100.0
    in_blocks = True
    common = True
    matches = ("character",)

    @property
    def name(self) -> str:
        """The name in sacreBLEU's output: chrF2, chrF2++ …."""
        return f"chrF{self.beta}" + "+" * self.word_order

    @property
    def cites(self) -> Citations:
        """The paper on chrF, or on chrF++ if words count too."""
        return ("popovic-2017-chrf",) if self.word_order else ("popovic-2015-chrf",)

    @property
    def about(self) -> str:
        """A description of the metric in one line."""
        return f"F-score of character {'and word ' if self.word_order else ''}n-grams, times 100."

    def scorer(self, **extra: Any) -> Any:
        """Return sacreBLEU's own metric object with the same options."""
        return made(
            CHRF,
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            lowercase=self.lowercase,
            whitespace=self.whitespace,
            eps_smoothing=self.eps_smoothing,
            **extra,
        )

    def count(self, corpus: Corpus) -> FloatArray:
        """Count n-grams of characters, and of words if word_order is positive."""
        return count_chrf(*texts(corpus), self.counted_as)

    @property
    def counted_as(self) -> ChrfOptions:
        """The options that determine what is counted, and which reference."""
        return ChrfOptions(**{field.name: getattr(self, field.name) for field in fields(ChrfOptions)})

    def counting_options(self, corpus: Corpus) -> Mapping[str, object] | None:
        """Return the options on which the counts depend."""
        options = asdict(self.counted_as)
        if len(corpus.references) == 1:
            del options["beta"], options["eps_smoothing"]
        return {"chrf": options}

    def signature(self, corpus: Corpus) -> str:
        """Return sacreBLEU's signature, with this program's version."""
        return sacre_signature(self.scorer(), corpus)

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return chrF of totals (k, …), in 0…100."""
        hypothesis, reference, matches = _by_kind(totals)
        if self.eps_smoothing:
            return self._mean_of_f(hypothesis, reference, matches)
        precision, recall, _ = _means(hypothesis, reference, matches)
        factor = self.beta**2
        below = factor * precision + recall
        return 100 * (1 + factor) * precision * recall / np.where(below > 0, below, 1.0)

    def _mean_of_f(self, hypothesis: FloatArray, reference: FloatArray, matches: FloatArray) -> NDArray[np.float64]:
        factor = self.beta**2
        precision = np.where(hypothesis > 0, matches / np.where(hypothesis > 0, hypothesis, 1), _EPSILON)
        recall = np.where(reference > 0, matches / np.where(reference > 0, reference, 1), _EPSILON)
        below = factor * precision + recall
        f = np.where(below > 0, (1 + factor) * precision * recall / np.where(below > 0, below, 1), _EPSILON)
        return np.asarray(100 * reduce(np.add, f) / len(f), dtype=np.float64)

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return chrF's derivative by each total; numeric with ε smoothing.

        The definition is in docs/statistics/intervals.md, section 1.
        """
        if self.eps_smoothing:
            return super().gradient(totals)
        hypothesis, reference, matches = _by_kind(totals)
        precision, recall, orders = _means(hypothesis, reference, matches)
        factor = self.beta**2
        slope = np.zeros(np.shape(totals))
        with np.errstate(divide="ignore", invalid="ignore"):
            below = (factor * precision + recall) ** 2
            by_precision = 100 * (1 + factor) * recall**2 / below
            by_recall = 100 * (1 + factor) * factor * precision**2 / below
            counted = (hypothesis > 0) & (reference > 0)
            per_match = by_precision / hypothesis + by_recall / reference
            slope[0::3] = np.where(counted, -by_precision * matches / hypothesis**2 / orders, 0.0)
            slope[1::3] = np.where(counted, -by_recall * matches / reference**2 / orders, 0.0)
            slope[2::3] = np.where(counted, per_match / orders, 0.0)
        return np.where(precision + recall > 0, slope, np.nan)

    def matched(self, totals: FloatArray) -> NDArray[np.bool_]:
        """Return whether there is any match."""
        return np.asarray(_by_kind(totals)[2].any(axis=0, keepdims=True))

    def has_gradient(self, totals: FloatArray) -> NDArray[np.bool_]:
        """Return whether there is any match, or smoothing by ε."""
        return np.isfinite(self.score(totals)) if self.eps_smoothing else super().has_gradient(totals)


def _by_kind(totals: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    totals = np.asarray(totals, dtype=np.float64)
    return totals[0::3], totals[1::3], totals[2::3]


def _means(
    hypothesis: FloatArray, reference: FloatArray, matches: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return mean precision, mean recall and the number of orders they are taken over (at least 1)."""
    counted = (hypothesis > 0) & (reference > 0)
    everywhere = bool(counted.all())  # as a rule: division without a mask takes a third of the time
    orders = np.asarray(len(counted)) if everywhere else np.maximum(counted.sum(axis=0), 1)

    def shares(of: FloatArray) -> FloatArray:
        if everywhere:
            return np.asarray(matches / of)
        return np.divide(matches, of, out=np.zeros(np.shape(matches)), where=counted)

    # Added order by order: numpy's own sum may take another order for another shape, and so other last bits.
    precision, recall = reduce(np.add, shares(hypothesis)), reduce(np.add, shares(reference))
    return precision / orders, recall / orders, orders
