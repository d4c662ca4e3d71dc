"""Outputs and references go in, chrF's counts per segment come out (Popović 2015, 2017), equal to sacreBLEU's."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.chrf import CHRF

from mtsig.arrays import Mask
from mtsig.progress import report
from mtsig.text.characters import N_CODES, codes_of, spaces
from mtsig.text.chunks import Chunk, Column, Integers, Lines, Stream, chunks
from mtsig.text.ngrams import Rows, matches
from mtsig.text.tokens import Words, split_at_punctuation
from mtsig.text.words import word_rows

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
    return split_at_punctuation(lines, _punctuation())


@cache
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
    """Return F of every row as sacreBLEU computes it to choose a reference; (k, rows) gives (rows,).

    Operation by operation in its order: the last bit may decide between two references, and they differ in counts.
    """
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
