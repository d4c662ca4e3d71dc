"""N-grams and what they tell: reference words go in, the information of each n-gram in bits comes out (NIST)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log2
from typing import TypeAlias

Gram: TypeAlias = tuple[str, ...]


def ngram_counts(words: Sequence[str], longest: int) -> Counter[Gram]:
    """Return how often each n-gram of the orders 1 to `longest` occurs."""
    return Counter(
        tuple(words[start : start + order])
        for order in range(1, longest + 1)
        for start in range(len(words) - order + 1)
    )


class Information:
    """The information weights of Doddington (2002): log2 of how much rarer an n-gram is than its first n−1 words."""

    def __init__(self, references: Iterable[Counter[Gram]]) -> None:
        self._counts: Counter[Gram] = Counter()
        for counts in references:
            self._counts.update(counts)
        self._words = sum(times for gram, times in self._counts.items() if len(gram) == 1)

    def of(self, gram: Gram) -> float:
        """Return the information of an n-gram that occurs in the references, in bits."""
        return log2(self._before(gram[:-1]) / self._counts[gram])

    def _before(self, prefix: Gram) -> int:
        # mteval asks Perl whether the prefix is true: neither "" nor the word "0" is, and both count as every word.
        return self._counts[prefix] if prefix not in {(), ("0",)} else self._words
