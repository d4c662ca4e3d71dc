"""Matched n-grams and their places: those of BLEU and of chrF.

An n-gram counts at most as often as a reference has it. Where an output repeats it more often, the occurrences within
a longer n-gram that counts come first, then those that stand further left: the metric does not say which it means.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_

import numpy as np

from mtsig.metrics import Bleu, Chrf, chrf_words, f_scores
from mtsig.segments.matches.marked import Marked, Matches, Piece, Token, Unit
from mtsig.segments.matches.places import Traced, placed
from mtsig.text import tokenized


def of_bleu(metric: Bleu, line: str, references: Mapping[str, str]) -> Matches:
    """Return the n-grams that a reference has, each at most as often as in the reference that has it most often."""
    tokenizer = metric.scorer().tokenizer
    order = metric.max_ngram_order

    def cut(text: str) -> tuple[Token, ...]:
        return placed(tokenized([text.lower() if metric.lowercase else text], tokenizer).lists()[0], text)

    ours, theirs = cut(line), {name: cut(text) for name, text in references.items()}
    clips = reduce(or_, (_ngrams(_items(tokens, "word"), order) for tokens in theirs.values()))
    output = _marked(line, ours, "word", clips, order)
    closest = min((len(tokens) for tokens in theirs.values()), key=lambda length: (abs(length - len(ours)), length))
    own = _ngrams(_items(ours, "word"), order)
    return Matches(
        metric,
        np.array([len(ours), closest, *_sizes(output, order), *_totals(len(ours), order)], dtype=np.float64),
        (output,),
        {name: (_marked(references[name], tokens, "word", own, order),) for name, tokens in theirs.items()},
        _told(output, order),
    )


def of_chrf(metric: Chrf, line: str, references: Mapping[str, str]) -> Matches:
    """Return the n-grams of characters, and of words, that the reference with the best F has as well."""
    compared = [_against(metric, line, name, text) for name, text in references.items()]
    counts = np.array([count.counts for count in compared]).T
    return compared[int(f_scores(counts, metric.counted_as).argmax())]


def _against(metric: Chrf, line: str, name: str, reference: str) -> Matches:
    """Return what matches with one reference."""
    counts: list[int] = []
    outputs, references, told = [], [], []
    orders: tuple[tuple[Unit, int], ...] = (("character", metric.char_order), ("word", metric.word_order))
    for unit, order in orders:
        if not order:
            continue
        cut = _characters if unit == "character" else _chrf_words
        ours, theirs = cut(line, metric), cut(reference, metric)
        outputs.append(_marked(line, ours, unit, _ngrams(_items(theirs, unit), order), order))
        references.append(_marked(reference, theirs, unit, _ngrams(_items(ours, unit), order), order))
        totals = zip(_totals(len(ours), order), _totals(len(theirs), order), _sizes(outputs[-1], order), strict=True)
        for mine, there, matched in totals:
            counts += [mine if there else 0, there, matched]
        told.append(_told(outputs[-1], order))
    texts = {name: tuple(references)}
    return Matches(metric, np.array(counts, dtype=np.float64), tuple(outputs), texts, "; ".join(told))


def _characters(line: str, metric: Chrf) -> tuple[Token, ...]:
    traced = Traced.of(line)
    traced = traced.lower() if metric.lowercase else traced
    traced = traced if metric.whitespace else traced.solid()
    return tuple(Token(char, *span) for char, span in zip(traced.text, traced.spans, strict=True))


def _chrf_words(line: str, metric: Chrf) -> tuple[Token, ...]:
    return placed(chrf_words([line.lower() if metric.lowercase else line]).lists()[0], line)


def _items(tokens: Sequence[Token], unit: Unit) -> Piece:
    """Return tokens as a sequence whose slices are n-grams."""
    return "".join([token.text for token in tokens]) if unit == "character" else tuple(token.text for token in tokens)


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
    unit: Unit,
    clips: Mapping[Piece, int],
    longest: int,
) -> Marked:
    """Return the line with those n-grams marked that count; clips: how often each may."""
    items = _items(tokens, unit)
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
