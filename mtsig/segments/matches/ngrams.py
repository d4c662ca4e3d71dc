"""Matched n-grams and their places: those of BLEU and of chrF.

An n-gram counts at most as often as a reference has it. Where an output repeats it more often, the occurrences within
a longer n-gram that counts come first, then those that stand further left: the metric does not say which it means.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Literal

import numpy as np

from mtsig.metrics import Bleu, Chrf
from mtsig.segments.matches.chosen import chosen_reference
from mtsig.segments.matches.marked import Marked, Matches, Piece, Token
from mtsig.segments.matches.places import Traced, placed
from mtsig.text.chrf_counts import chrf_words
from mtsig.text.tokens import tokenized


def of_bleu(metric: Bleu, line: str, references: Mapping[str, str]) -> Matches:
    """Return the n-grams that a reference has, each at most as often as in the reference that has it most often."""
    tokenizer = metric.scorer().tokenizer
    order = metric.max_ngram_order

    def cut(text: str) -> tuple[Token, ...]:
        return placed(tokenized([text.lower() if metric.lowercase else text], tokenizer).lists()[0], text)

    ours, theirs = cut(line), {name: cut(text) for name, text in references.items()}
    clips = reduce(or_, (_ngrams(_words(tokens), order) for tokens in theirs.values()))
    output = _marked(line, ours, "word", clips, order)
    closest = min((len(tokens) for tokens in theirs.values()), key=lambda length: (abs(length - len(ours)), length))
    own = _ngrams(_words(ours), order)
    return Matches(
        metric,
        np.array([len(ours), closest, *_sizes(output, order), *_totals(len(ours), order)], dtype=np.float64),
        (output,),
        {name: (_marked(references[name], tokens, "word", own, order),) for name, tokens in theirs.items()},
        _told(output, order),
    )


def of_chrf(metric: Chrf, line: str, references: Mapping[str, str]) -> Matches:
    """Return the n-grams of characters, and of words, that the chosen reference has as well."""
    name = chosen_reference(metric, line, references)
    layers = [
        _both(line, references[name], metric, "character", metric.char_order),
        *([_both(line, references[name], metric, "word", metric.word_order)] if metric.word_order else []),
    ]
    counts = []
    for output, reference, order in layers:
        theirs = _totals(len(reference.tokens), order)
        for ours, there, matched in zip(_totals(len(output.tokens), order), theirs, _sizes(output, order), strict=True):
            counts += [ours if there else 0, there, matched]
    return Matches(
        metric,
        np.array(counts, dtype=np.float64),
        tuple(output for output, _, _ in layers),
        {name: tuple(reference for _, reference, _ in layers)},
        "; ".join(_told(output, order) for output, _, order in layers),
    )


def _both(
    line: str, reference: str, metric: Chrf, unit: Literal["word", "character"], order: int
) -> tuple[Marked, Marked, int]:
    """Return the output and the reference, and the longest n-gram."""
    cut = _characters if unit == "character" else _chrf_words
    ours, theirs = cut(line, metric), cut(reference, metric)
    join = "".join if unit == "character" else tuple
    a, b = (join([token.text for token in tokens]) for tokens in (ours, theirs))
    return (
        _marked(line, ours, unit, _ngrams(b, order), order),
        _marked(reference, theirs, unit, _ngrams(a, order), order),
        order,
    )


def _characters(line: str, metric: Chrf) -> tuple[Token, ...]:
    traced = Traced.of(line)
    traced = traced.lower() if metric.lowercase else traced
    traced = traced if metric.whitespace else traced.solid()
    return tuple(Token(char, *span) for char, span in zip(traced.text, traced.spans, strict=True))


def _chrf_words(line: str, metric: Chrf) -> tuple[Token, ...]:
    return placed(chrf_words([line.lower() if metric.lowercase else line]).lists()[0], line)


def _words(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple(token.text for token in tokens)


def _ngrams(items: Piece, longest: int) -> Counter[Piece]:
    return Counter(items[i : i + n] for n in range(1, longest + 1) for i in range(len(items) - n + 1))


def _totals(length: int, longest: int) -> list[int]:
    """Return how many n-grams of each order so many tokens have."""
    return [max(0, length - n) for n in range(longest)]


def _sizes(marked: Marked, longest: int) -> list[int]:
    """Return how many n-grams of each order are marked."""
    sizes = [0] * longest
    for piece, starts in marked.matched.items():
        sizes[len(piece) - 1] += len(starts)
    return sizes


def _told(marked: Marked, longest: int) -> str:
    """Return how many n-grams of each order matched, of how many."""
    counts = zip(_sizes(marked, longest), _totals(len(marked.tokens), longest), strict=True)
    shown = ", ".join(f"{matched:,} of {total:,}" for matched, total in counts)
    return f"Matched {marked.unit} n-grams, from n = 1: {shown}"


def _marked(
    line: str,
    tokens: tuple[Token, ...],
    unit: Literal["word", "character"],
    clips: Mapping[Piece, int],
    longest: int,
) -> Marked:
    """Return the line with those n-grams marked that count; clips: how often each may."""
    items: Piece = "".join(_words(tokens)) if unit == "character" else _words(tokens)
    matched: dict[Piece, list[int]] = {}
    orders = np.zeros(len(tokens), dtype=np.intp)
    # Where n-grams begin that are one longer and count.
    longer: set[int] = set()
    for n in range(longest, 0, -1):
        places: defaultdict[Piece, list[int]] = defaultdict(list)
        for i in range(len(items) - n + 1):
            if (piece := items[i : i + n]) in clips:
                places[piece].append(i)
        counted = set()
        for piece, starts in places.items():
            if len(starts) > clips[piece]:
                starts.sort(key=lambda i: (i not in longer and i - 1 not in longer, i))
                starts = sorted(starts[: clips[piece]])
            matched[piece] = starts
            counted.update(starts)
        for i in counted:
            orders[i : i + n] = np.maximum(orders[i : i + n], n)
        longer = counted
    return Marked(line, tokens, unit, matched, orders, longest)
