"""Outputs and references go in, BLEU's counts per segment come out (Papineni et al. 2002), equal to sacreBLEU's."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from mtsig.progress import report
from mtsig.text.chunks import Integers, Lines, Stream, chunks
from mtsig.text.ngrams import Rows, matches
from mtsig.text.tokens import tokenized
from mtsig.text.words import word_rows


def count_bleu(
    outputs: Sequence[Lines],
    references: Sequence[Stream],
    tokenizer: Callable[[str], str],
    order: int = 4,
    lowercase: bool = False,
) -> NDArray[np.float64]:
    """Count words and their n-grams, and return shape (2 + 2 · order, s, n).

    Rows: hypothesis length, length of the closest reference (the shorter of two equally close), matches for n = 1 …
    order, hypothesis n-grams for n = 1 … order.
    """
    n = len(outputs[0])
    counts = np.empty((2 + 2 * order, len(outputs), n))
    for chunk in chunks(outputs, references):
        if lowercase:
            chunk = chunk.mapped(str.lower)
        hypotheses, *streams = word_rows(chunk, lambda lines: tokenized(lines, tokenizer))
        lengths = [hypotheses.lengths, closest_lengths(hypotheses, streams, len(chunk))]
        matched = matches(hypotheses, streams, len(chunk), order, together=True)[:, 0]
        totals = np.concatenate([lengths, matched, hypotheses.ngrams(order)])
        counts[:, :, chunk.start : chunk.stop] = totals[:, chunk.places]
        report(chunk.stop / n)
    return counts


def closest_lengths(hypotheses: Rows, references: Sequence[Rows], n_segments: int) -> Integers:
    """Return for each hypothesis the length of the reference nearest to it in length; of two, the shorter one."""
    best = np.zeros(len(hypotheses.lengths), dtype=np.intp)
    nearest = np.full(len(best), np.iinfo(np.intp).max)
    for rows in references:
        lengths = np.full(n_segments, -1)
        lengths[rows.segments] = rows.lengths
        length = lengths[hypotheses.segments]
        distance = np.abs(length - hypotheses.lengths)
        better = (length >= 0) & ((distance < nearest) | ((distance == nearest) & (length < best)))
        best[better], nearest[better] = length[better], distance[better]
    return best
