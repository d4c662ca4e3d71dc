"""Metrics that compare words segment by segment: their common base, and WER, PER and ROUGE-L."""

import collections
from abc import abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from mtsig.corpus import Corpus, FloatArray
from mtsig.errors import NotApplicable
from mtsig.limits import limits, refuse_above
from mtsig.metrics._bleu import Bleu, token_signature
from mtsig.metrics._metric import Rate, SegmentMean
from mtsig.metrics._tokenizing import Tokenizing
from mtsig.options import option, options
from mtsig.progress import report
from mtsig.text import tokenized

Words: TypeAlias = Sequence[str]
Counter: TypeAlias = Callable[[Words, Sequence[Words]], Sequence[float]]


def check_lengths(metric: str, corpus: Corpus, count: Callable[[str], int]) -> None:
    """Check that no segment has more words than are aligned; `count` tells how many a line has."""
    most = limits().max_tokens
    for texts in (corpus.outputs, corpus.references):
        for name, lines in texts.items():
            for number, line in enumerate(lines, 1):
                # A word has a character at least: only long lines need to be cut.
                if line is not None and len(line) > most:
                    refuse_above("max_tokens", count(line), _segment(metric, name, number), NotApplicable)


def _segment(metric: str, name: str, number: int) -> str:
    """Return what is not counted, as messages begin."""
    return f"{metric} cannot be counted: {name}, segment {number}"


@dataclass(frozen=True)
class WordMetric(Tokenizing):
    """A metric that compares the words of a translation with those of its references."""

    in_blocks = True
    aligns = False
    """Whether it looks for the best of many alignments, so that words cost more the more there are of them."""
    looks_at_pairs = False
    """Whether it looks at every word of a translation beside every word of a reference, however fast."""

    @abstractmethod
    def counter(self) -> Counter:
        """Return the function that gives the k statistics of a translation, given at least one reference."""

    @property
    def expects_plain_text(self) -> bool:
        """Whether a warning is due if text is already tokenized."""
        return self.tokenize != "none"

    @property
    def _tokens(self) -> Bleu:
        return Bleu(tokenize=self.tokenize, lowercase=self.lowercase, trg_lang=self.trg_lang)

    def cut(self, lines: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the words of each line, split as sacreBLEU does for BLEU; auto is 13a here."""
        given = [line.lower() for line in lines] if self.lowercase else lines
        return [tuple(words) for words in tokenized(given, self._tokens.scorer().tokenizer).lists()]

    def count(self, corpus: Corpus) -> FloatArray:
        """Split all lines into words, and count them segment by segment."""
        if self.aligns:
            check_lengths(self.name, corpus, lambda line: len(self.on(corpus).cut([line])[0]))
        cut, count = self.on(corpus).cut, self.counter()
        outputs = [cut(corpus.lines(system)) for system in corpus.systems]
        references: list[list[Words]] = [[] for _ in range(len(corpus))]
        for lines in corpus.references.values():
            given = [i for i, line in enumerate(lines) if line is not None]
            for i, words in zip(given, cut([lines[i] or "" for i in given]), strict=True):
                references[i].append(words)
        if self.looks_at_pairs:
            self._check_pairs(dict(zip(corpus.systems, outputs, strict=True)), references)
        return count_segments(outputs, lambda segment, words: count(words, references[segment]))

    def _check_pairs(self, outputs: Mapping[str, Sequence[Words]], references: Sequence[Sequence[Words]]) -> None:
        longest = [max(map(len, given), default=0) for given in references]
        for system, lines in outputs.items():
            for number, (words, most) in enumerate(zip(lines, longest, strict=True), 1):
                refuse_above("max_word_pairs", len(words) * most, _segment(self.name, system, number), NotApplicable)

    def counting_options(self, corpus: Corpus) -> Mapping[str, object] | None:
        """Return the metric, the tokenization and the options; None for classes of plugins, which may change."""
        kind = type(self)
        if kind.__module__.partition(".")[0] != "mtsig":
            return None
        words = {"tokenizer": self._tokens.on(corpus).scorer().tokenizer.signature(), "lowercase": self.lowercase}
        return {f"{kind.__module__}.{kind.__qualname__}": {**words, **self.counter_options(corpus)}}

    def counter_options(self, corpus: Corpus) -> Mapping[str, object]:
        """Return the metric's own options on which the counts depend; by default all of them."""
        del corpus
        return self._own

    @property
    def _own(self) -> dict[str, object]:
        known = {option.name for option in options(WordMetric)}
        return {option.name: getattr(self, option.name) for option in options(self) if option.name not in known}

    def signature(self, corpus: Corpus) -> str:
        """Return references, case and tokenizer in sacreBLEU's style, and the metric's own options."""
        return token_signature(self._tokens, corpus, [f"{name}:{value}" for name, value in self._own.items()])


T = TypeVar("T", bound=Hashable)

CHUNK = 200
"""Segments counted between two reports of progress."""


def count_segments(outputs: Sequence[Sequence[T]], count: Callable[[int, T], Sequence[float]]) -> NDArray[np.float64]:
    """Return `count(segment, translation)` of every system and segment, shape (k, s, n), equal ones counted once."""
    n = len(outputs[0])
    known: list[dict[T, Sequence[float]]] = [{} for _ in range(n)]
    for position, output in enumerate(outputs):
        for i, translation in enumerate(output):
            if translation not in known[i]:
                known[i][translation] = count(i, translation)
            if (i + 1) % CHUNK == 0 or i + 1 == n:
                report((position * n + i + 1) / (len(outputs) * n))
    rows = [[known[i][translation] for i, translation in enumerate(output)] for output in outputs]
    return np.moveaxis(np.array(rows, dtype=np.float64), 2, 0)


@dataclass(frozen=True)
class ErrorRate(WordMetric, Rate):
    """Errors per reference word, times 100; lower is better.

    Statistics: errors and length of the reference with the fewest errors; of two equally close, the longer one is used.
    """

    @abstractmethod
    def errors(self, hypothesis: Words, reference: Words) -> int:
        """Return the errors of a translation against one reference."""

    def counter(self) -> Counter:
        """Return the function that counts errors, and the length of the closest reference."""
        return self._closest

    def _closest(self, hypothesis: Words, references: Sequence[Words]) -> Sequence[float]:
        fewest, length = min((self.errors(hypothesis, reference), -len(reference)) for reference in references)
        return fewest, -length


@dataclass(frozen=True)
class Wer(ErrorRate):
    """Word edits per reference word, times 100; lower is better.

    Statistics: edits and length of the reference with the fewest edits; of two equally close, the longer is used (the
    multi-reference WER of Nießen et al. 2000). With tokenize=char, it is the character error rate.
    """

    cites = ("niessen-etal-2000-evaluation",)
    name = "WER"
    looks_at_pairs = True

    def errors(self, hypothesis: Words, reference: Words) -> int:
        """Return the Levenshtein distance."""
        from rapidfuzz.distance import Levenshtein  # here, because only metrics of edits need it

        return Levenshtein.distance(hypothesis, reference)


@dataclass(frozen=True)
class Per(ErrorRate):
    """Missing, superfluous and wrong words in any order, per reference word, times 100; lower is better.

    Statistics: errors max(hypothesis length, reference length) − matched words, and length of the reference with the
    fewest errors; of two equally close, the longer is used (Tillmann et al. 1997; Leusch et al. 2003).
    """

    cites = ("tillmann-etal-1997-accelerated",)
    name = "PER"

    def errors(self, hypothesis: Words, reference: Words) -> int:
        """Return the number of edits if the order of words is free."""
        matched = (collections.Counter(hypothesis) & collections.Counter(reference)).total()
        return max(len(hypothesis), len(reference)) - matched


@dataclass(frozen=True)
class RougeL(SegmentMean, WordMetric):
    """Mean F-score of the longest common word subsequence, times 100.

    Statistics: the segment's score, and 1. A subsequence may skip words on both sides, but keeps their order. With
    several references, a segment's score is the best over its references. Sums over segments cannot give such a
    maximum, so the score of a test set is the mean of its segment scores, as in the ROUGE programs.
    """

    beta: float = option(
        1.0, "β", "How many times recall counts as much as precision; 0 is precision alone.", low=0, high=100,
        advanced=True,
    )  # fmt: skip

    cites = ("lin-2004-rouge",)
    name = "ROUGE-L"
    looks_at_pairs = True

    def counter(self) -> Counter:
        """Return the function that gives the best score over the references, and 1."""
        from rapidfuzz.distance import LCSseq  # here, because only metrics of edits and subsequences need it

        def best(hypothesis: Words, references: Sequence[Words]) -> Sequence[float]:
            return max(self.f(hypothesis, words, LCSseq.similarity(hypothesis, words)) for words in references), 1.0

        return best

    def f(self, hypothesis: Words, reference: Words, common: int) -> float:
        """Return the score for this number of common words.

        F = (1 + β²)PR/(R + β²P) is (1 + β²)·common over β²·reference length + hypothesis length.
        """
        below = self.beta**2 * len(reference) + len(hypothesis)
        return 100 * (1 + self.beta**2) * common / below if common else 0.0
