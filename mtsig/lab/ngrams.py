"""N-grams of one sentence and its references: what BLEU matches, as text; strings go in, matches come out."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mtsig.metrics import Bleu

Words = tuple[str, ...]
ORDERS = 4


def words_of(metric: Bleu, line: str) -> Words:
    """Return the tokens that BLEU with these options sees."""
    return tuple(metric.scorer()._preprocess_segment(line.rstrip()).split())


def pretokenized(metric: Bleu) -> Bleu:
    """Return the metric for text that is tokens already."""
    return replace(metric, tokenize="none", lowercase=False, force=True)


def grams(words: Sequence[str], order: int) -> list[Words]:
    """Return the n-grams in order of their place."""
    return [tuple(words[i : i + order]) for i in range(len(words) - order + 1)]


def allowed(references: Iterable[Sequence[str]], order: int) -> Counter[Words]:
    """Return how often each n-gram may count: its largest count in one reference."""
    counts: Counter[Words] = Counter()
    for reference in references:
        counts |= Counter(grams(reference, order))
    return counts


@dataclass(frozen=True)
class Matches:
    """Clipped matches of one hypothesis; flags has for each order n = 1…4 one flag per n-gram, in order of place.

    Where an n-gram stands more often than it may count, the first ones count. known: the same without clipping: does
    the n-gram occur in a reference at all?
    """

    words: Words
    flags: tuple[tuple[bool, ...], ...]
    known: tuple[tuple[bool, ...], ...]

    @property
    def counts(self) -> tuple[int, ...]:
        """Matched n-grams of each order."""
        return tuple(sum(flags) for flags in self.flags)

    @property
    def totals(self) -> tuple[int, ...]:
        """N-grams of each order."""
        return tuple(len(flags) for flags in self.flags)

    def phrases(self) -> tuple[Words, ...]:
        """Return the words cut between every two that stand together in no reference (CB06 section 3.1).

        Inside a phrase lies every n-gram that can match, n ≥ 2; so phrases can change places and lose no match.
        """
        phrases: list[list[str]] = []
        joined = (False, *self.known[1])
        for word, together in zip(self.words, joined, strict=True):
            if together:
                phrases[-1].append(word)
            else:
                phrases.append([word])
        return tuple(tuple(phrase) for phrase in phrases)

    def reach(self) -> tuple[int, ...]:
        """Return for every word the longest matched n-gram it is part of, 0 for none."""
        longest = [0] * len(self.words)
        for order, flags in enumerate(self.flags, 1):
            for place, matched in enumerate(flags):
                for word in range(place, place + order) if matched else ():
                    longest[word] = order
        return tuple(longest)


def matches(words: Sequence[str], references: Sequence[Sequence[str]]) -> Matches:
    """Return what of the hypothesis matches the references."""
    flags, known = [], []
    for order in range(1, ORDERS + 1):
        limit = allowed(references, order)
        used: Counter[Words] = Counter()
        row = []
        for gram in grams(words, order):
            used[gram] += 1
            row.append(used[gram] <= limit[gram])
        flags.append(tuple(row))
        known.append(tuple(gram in limit for gram in grams(words, order)))
    return Matches(tuple(words), tuple(flags), tuple(known))
