"""NIST (Doddington 2002) as mteval-v13a computes it (docs/statistics/metrics.md, section 2)."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import log, log2
from operator import or_
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mtsig._memory import remembered
from mtsig._options import option
from mtsig._records import FloatArray
from mtsig.citations import VERSION
from mtsig.corpus import Corpus, Note
from mtsig.metrics._metric import Metric, reference_count
from mtsig.metrics._statistics import Statistics
from mtsig.metrics._word_metrics import count_segments

# Perl's white space; Python's would add the separators U+001C to U+001F.
_SPACES = re.compile(r"[^\S\x1c-\x1f]+")

_ESCAPES = (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"))
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_APOSTROPHE = ("&apos;", "'")

_CAPITALS = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}

_WESTERN = (
    (re.compile(r"([ -&(-+/:-@\[-`{-~])"), r" \1 "),  # ASCII punctuation, but not ' , - .
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)


@remembered()
def _international() -> tuple[tuple[Any, str], ...]:
    import regex  # here, because few tokenize so

    return (
        (regex.compile(r"(\P{N})(\p{P})"), r"\1 \2 "),
        (regex.compile(r"(\p{P})(\P{N})"), r" \1 \2"),
        (regex.compile(r"(\p{S})"), r" \1 "),
        (regex.compile(r"\p{Z}+"), " "),
    )


def mteval_words(line: str, international: bool = False, lowercase: bool = False) -> list[str]:
    """Return the words of a line by mteval's rules; international: by Unicode's classes of characters."""
    text = _SPACES.sub(" ", _replaced(line, _ESCAPES)).strip(" ")
    if international:
        text = _replaced(text.replace("<skipped>", ""), (*_ENTITIES, _APOSTROPHE))
        return _cut(text.lower() if lowercase else text, _international())
    text = f" {_replaced(text.replace('<skipped>', ''), _ENTITIES)} "
    return _cut(text.translate(_CAPITALS) if lowercase else text, _WESTERN)


def _replaced(text: str, pairs: Iterable[tuple[str, str]]) -> str:
    return reduce(lambda done, pair: done.replace(*pair), pairs, text)


def _cut(text: str, rules: Iterable[tuple[Any, str]]) -> list[str]:
    for pattern, by in rules:
        text = pattern.sub(by, text)
    return [word for word in _SPACES.split(text) if word]


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


_STEEPNESS = log(2) / log(1.5) ** 2
"""Makes the penalty one half for an output of two thirds of the reference's length."""

_FIXED = (
    "NIST's information weights are those of the whole test set in every resample, as in the Moses script. The "
    "uncertainty of the weights is left out, so intervals are slightly too narrow."
)
_GROWS = "NIST grows with the size of the test set: compare NIST scores only on the same segments."


@dataclass(frozen=True)
class Nist(Metric):
    """Bits of matched n-grams per n-gram of the output, with a length penalty.

    Statistics: for n = 1…N the information of the matched n-grams, for n = 1…N the hypothesis n-grams, and the mean
    reference length. The information of an n-gram is computed from all references of the whole test set, and does not
    change if the test set is resampled.
    """

    tokenize: str = option(
        "13a", "Tokenizer", "mteval's default tokenizer (13a) or its international one.", choices=("13a", "intl")
    )
    lowercase: bool = option(False, "Lowercase", "Ignore case, as mteval does without -c.")
    max_ngram_order: int = option(5, "Longest n-gram", "Longest n-gram; mteval uses 5.", low=1, high=9, advanced=True)

    decimals = 3
    cites = ("doddington-2002-automatic",)
    name = "NIST"
    expects_plain_text = True
    needs_spaces = True
    matches = ("word",)

    def _words(self, line: str) -> list[str]:
        """Return the words of a line."""
        return mteval_words(line, self.tokenize == "intl", self.lowercase)

    def count(self, corpus: Corpus) -> FloatArray:
        """Weight n-grams by all references, then count every output."""
        streams = corpus.references.values()
        references = [[self._words(line) for line in lines if line is not None] for lines in zip(*streams, strict=True)]
        ngrams = [[ngram_counts(words, self.max_ngram_order) for words in segment] for segment in references]
        information = Information(counts for segment in ngrams for counts in segment)
        # An n-gram may match as often as in the one reference that has it most often.
        known = [reduce(or_, segment, Counter[tuple[str, ...]]()) for segment in ngrams]
        del ngrams
        lengths = [sum(map(len, segment)) / len(segment) for segment in references]

        def count(segment: int, line: str) -> Sequence[float]:
            words = self._words(line)
            matched = [0.0] * self.max_ngram_order
            for gram, times in (ngram_counts(words, self.max_ngram_order) & known[segment]).items():
                matched[len(gram) - 1] += times * information.of(gram)
            ngrams = [max(0, len(words) - order) for order in range(self.max_ngram_order)]
            return [*matched, *ngrams, lengths[segment]]

        return count_segments([corpus.lines(system) for system in corpus.systems], count)

    def counting_options(self, corpus: Corpus) -> Mapping[str, object] | None:
        """Return the tokenization and the largest n-gram order."""
        del corpus
        return {"nist": {"tokenize": self.tokenize, "lowercase": self.lowercase, "order": self.max_ngram_order}}

    def signature(self, corpus: Corpus) -> str:
        """Return the options in sacreBLEU's style; the tokenizer is that of mteval."""
        tokens = "mteval-v13a" if self.tokenize == "13a" else "mteval-v13a-intl"
        case = "lc" if self.lowercase else "mixed"
        order = f"max_ngram_order:{self.max_ngram_order}"
        return f"nrefs:{reference_count(corpus)}|case:{case}|tok:{tokens}|{order}|info:fixed|mtsig:{VERSION}"

    def _parts(self, totals: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return information (N, …), hypothesis n-grams (at least 1), log length ratio, reference length."""
        order = self.max_ngram_order
        totals = np.asarray(totals, dtype=np.float64)
        information, ngrams, reference = totals[:order], totals[order : 2 * order], totals[2 * order]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(reference > 0, np.log(ngrams[0] / reference), 0.0)
        return information, np.maximum(ngrams, 1.0), np.minimum(ratio, 0.0), reference

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return NIST of totals (k, …), in bits."""
        information, ngrams, ratio, _ = self._parts(totals)
        return np.asarray(np.exp(-_STEEPNESS * ratio**2) * reduce(np.add, information / ngrams))

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Compute the derivative by each total; NaN for an empty output."""
        information, ngrams, ratio, reference = self._parts(totals)
        order = self.max_ngram_order
        penalty = np.exp(-_STEEPNESS * ratio**2)
        score = penalty * reduce(np.add, information / ngrams)
        slope = np.zeros(np.shape(totals))
        slope[:order] = penalty / ngrams
        slope[order : 2 * order] = -penalty * information / ngrams**2
        with np.errstate(divide="ignore", invalid="ignore"):
            slope[order] -= 2 * _STEEPNESS * ratio * score / ngrams[0]
            slope[2 * order] = np.where(ratio < 0, 2 * _STEEPNESS * ratio * score / reference, 0.0)
        return np.where(np.isfinite(ratio), slope, np.nan)

    def caveats(self, statistics: Statistics) -> tuple[Note, ...]:
        """Return notes on the fixed weights, and on what is not comparable."""
        del statistics
        return (Note("note", _FIXED), Note("note", _GROWS))
