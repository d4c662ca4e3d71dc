"""Metrics that compare words segment by segment: their common base, and WER, PER and ROUGE-L.

GTM (Melamed, Green and Turian 2003): F of the words in a maximum matching; longer runs can weigh more.

TER, translation edit rate (Snover et al. 2006), as sacreBLEU defines it.
"""

import collections
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.ter import TER

from mtsig._limits import limits, refuse_above
from mtsig._options import option, options
from mtsig._records import FloatArray
from mtsig.corpus import Corpus
from mtsig.errors import NotApplicable
from mtsig.metrics import _counting, _metric
from mtsig.metrics._bleu import Bleu, token_signature
from mtsig.metrics._counting import Tokenizing
from mtsig.metrics._metric import Rate, SegmentMean
from mtsig.progress import report
from mtsig.text import _characters, _tokens, count_edits, split_at_spaces, tokenized

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
        1.0, "β", "Weight of recall relative to precision; 2: twice the weight, 0: precision only.", low=0, high=100,
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


@dataclass(frozen=True)
class Gtm(WordMetric):
    """F-score of matched words, times 100; longer runs can weigh more.

    Statistics: match size (Σ lengthᵉ)^(1/e) over the runs in the segment's matching, hypothesis length, reference
    length. With exponent 1, the match size is the number of matched words, as in Koehn 2004, Figure 1. The score is
    computed from the sums, 2M/(H + R); it is not a mean over segments. With several references, each segment uses the
    one with the best F.
    """

    exponent: float = option(1.0, "Exponent e", "Above 1, longer runs of words in the reference's order count more.",
                             low=1, high=100)  # fmt: skip
    part: str = option("f", "Part", "F, precision or recall.", choices=("f", "precision", "recall"), advanced=True)

    cites = ("turian-etal-2003-evaluation",)
    matches = ("word",)

    @property
    def name(self) -> str:
        """The name of the original program."""
        return "GTM" if self.part == "f" else f"GTM {self.part}"

    @property
    def aligns(self) -> bool:  # type: ignore[override]
        """Whether runs count; with exponent 1, words count at any position."""
        return self.exponent > 1

    def counter(self) -> Counter:
        """Return the function that counts matches by the best reference."""
        return self._best

    def counter_options(self, corpus: Corpus) -> Mapping[str, object]:
        """Return the exponent; metrics of one exponent share counts."""
        del corpus
        return {"exponent": self.exponent}

    def _best(self, hypothesis: Words, references: Sequence[Words]) -> Sequence[float]:
        counted = [(self._size(hypothesis, reference), len(hypothesis), len(reference)) for reference in references]
        return max(counted, key=lambda overlap: (overlap[0] / max(1, overlap[1] + overlap[2]), overlap))

    def _size(self, hypothesis: Words, reference: Words) -> float:
        if self.exponent == 1:
            return float((collections.Counter(hypothesis) & collections.Counter(reference)).total())
        return self.size(matched_runs(hypothesis, reference))

    def size(self, runs: Sequence[int]) -> float:
        """Return the match size of a matching with runs of these lengths."""
        if self.exponent == 1:
            return float(sum(runs))
        # Scaled by the longest run: a power of a large exponent would leave what a float can hold.
        longest = max(runs, default=0)
        powers = sum((run / longest) ** self.exponent for run in runs)
        return float(longest * powers ** (1 / self.exponent))

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the score of totals (k, …), in 0…100; 0 if there are no words to match."""
        size, below = self._fraction(totals)
        return np.asarray(100 * size / np.where(below > 0, below, 1.0))

    def _fraction(self, totals: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return match size and what it is divided by."""
        size, hypothesis, reference = np.asarray(totals, dtype=np.float64)
        return size, {"f": (hypothesis + reference) / 2, "precision": hypothesis, "recall": reference}[self.part]

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the derivative by each total; NaN if no word can match."""
        size, below = self._fraction(totals)
        below = np.where(below > 0, below, np.nan)
        by_size, by_below = 100 / below, -100 * size / below**2
        shares = {"f": (0.5, 0.5), "precision": (1.0, 0.0), "recall": (0.0, 1.0)}[self.part]
        return np.stack([by_size, *(share * by_below for share in shares)])


_Rows: TypeAlias = list[int]
"""For each word of the hypothesis the places of the reference, as bits, at which the same run of words begins."""


class Run(NamedTuple):
    """Words that match one after the other: how many, and where they begin in the hypothesis and in the reference."""

    length: int
    start: int
    place: int


def matched_runs(hypothesis: Sequence[Hashable], reference: Sequence[Hashable]) -> list[int]:
    """Return the lengths of `placed_runs`."""
    return [run.length for run in placed_runs(hypothesis, reference)]


def placed_runs(hypothesis: Sequence[Hashable], reference: Sequence[Hashable]) -> list[Run]:
    """Return the runs of a matching in which every word is used once, longest first.

    The longest run of free words that both sides have in the same order is taken, then the longest of what is left,
    and so on; of equally long ones the leftmost of the hypothesis, then of the reference. The words matched are as
    many as any matching has (their clipped counts); to find the runs with the greatest Σ lengthᵉ, e > 1, would mean to
    try them all, which GTM does not do either (Melamed, Green and Turian 2003; Turian, Shen and Melamed 2003).

    Two sentences of n words may have n² pairs of equal words: they are bits of whole numbers, of which Python handles
    some sixty at once, and all runs of one length are taken in one pass.
    """
    places: defaultdict[Hashable, int] = defaultdict(int)
    for j, word in enumerate(reference):
        places[word] |= 1 << j
    free = [places.get(word, 0) for word in hypothesis]
    runs: list[Run] = []
    while any(free):
        length, begins = _longest(free)
        used = _take(begins, length, free, runs)
        free = [row & ~used for row in free]
    return runs


def _longest(free: _Rows) -> tuple[int, _Rows]:
    """Return the length of the longest runs, and where they begin; `free`: where runs of one word do."""
    length, runs, doubled = 1, free, [free]
    while any(longer := _joined(runs, runs, length)):
        length, runs = 2 * length, longer
        doubled.append(runs)
    for power in reversed(range(len(doubled) - 1)):
        if any(longer := _joined(runs, doubled[power], length)):
            length, runs = length + 2**power, longer
    return length, runs


def _joined(runs: _Rows, others: _Rows, length: int) -> _Rows:
    """Return the runs of this length that are followed by one of the others."""
    return [row & other >> length if row else 0 for row, other in zip(runs, others[length:], strict=False)]


def _take(begins: _Rows, length: int, free: _Rows, runs: list[Run]) -> int:
    """Take the runs of one length from left to right, and return the places that they use in the reference, as bits."""
    used = blocked = end = 0
    for i, row in enumerate(begins):
        if i >= end and (row := row & ~blocked):
            j = (row & -row).bit_length() - 1
            used |= (1 << length) - 1 << j
            # What begins less than a run before, or within, would have words of it.
            before = min(j, length - 1)
            blocked |= (1 << length + before) - 1 << j - before
            end = i + length
            free[i:end] = [0] * length
            runs.append(Run(length, i, j))
    return used


@dataclass(frozen=True)
class Ter(_metric.Rate):
    """Edits per reference word, times 100, with shifts; lower is better.

    Statistics: edits to the closest reference, and mean reference length.
    """

    normalized: bool = option(False, "Normalize", "Tokenize punctuation and decode entities, as Tercom does.")
    no_punct: bool = option(False, "No punctuation", "Remove punctuation first.", advanced=True)
    asian_support: bool = option(
        False, "Asian characters", "With normalize or no punctuation: treat Asian characters too.", advanced=True
    )
    case_sensitive: bool = option(False, "Case-sensitive", "Do not lowercase.")

    by_sacrebleu = True
    in_blocks = True
    common = True
    cites = ("snover-etal-2006-study",)
    name = "TER"

    @property
    def needs_spaces(self) -> bool:
        """Whether words are split only at spaces."""
        return not (self.normalized and self.asian_support)

    def cuts(self, language: str) -> bool:
        """Return whether Chinese and Japanese characters are tokenized singly."""
        return language in _characters.HAN and not self.needs_spaces

    def scorer(self, **extra: Any) -> Any:
        """Return sacreBLEU's own metric object with the same options."""
        return _counting.made(
            TER,
            normalized=self.normalized,
            no_punct=self.no_punct,
            asian_support=self.asian_support,
            case_sensitive=self.case_sensitive,
            **extra,
        )

    def count(self, corpus: Corpus) -> FloatArray:
        """Count edits and words as sacreBLEU does.

        Raises
        ------
        NotApplicable
            A segment has too many words for a search of shifts.
        """
        cut = self.scorer().tokenizer
        check_lengths(self.name, corpus, lambda line: len(cut(line.rstrip()).split()))
        return count_ter(*_counting.texts(corpus), cut)

    def counting_options(self, corpus: Corpus) -> Mapping[str, object] | None:
        """Return all options, since each affects the tokenization."""
        del corpus
        # Counts that were kept before references were cut twice, as sacreBLEU cuts them, are not these.
        return {"ter": {**{field.name: getattr(self, field.name) for field in fields(Ter)}, "references": "cut twice"}}

    def signature(self, corpus: Corpus) -> str:
        """Return sacreBLEU's signature, with this program's version."""
        return _counting.sacre_signature(self.scorer(), corpus)


MOST_WORDS = 2**18
"""Words of hypotheses that are counted together: enough pairs that few of them wait for the last ones' many shifts."""


@dataclass(frozen=True, eq=False)
class _Cut:
    """A chunk whose lines are cut into words: hypotheses, and the references of each stream."""

    chunk: _tokens.Chunk
    hypotheses: _tokens.Rows
    streams: list[_tokens.Rows]

    @property
    def size(self) -> int:
        """The number of words that are compared."""
        return len(self.hypotheses.symbols) * len(self.streams)

    def pairs(self) -> Iterator[tuple[_tokens.Rows, _tokens.Rows, _tokens.Integers]]:
        """Yield for each stream the hypotheses that have a reference in it, the references, and which ones they are."""
        for stream in self.streams:
            chosen = np.flatnonzero(np.isin(self.hypotheses.segments, stream.segments))
            if len(chosen):
                yield self.hypotheses.take(chosen), stream, chosen

    def lengths(self) -> NDArray[np.float64]:
        """Return the mean length of each hypothesis's references; shape (hypotheses,)."""
        n = len(self.chunk)
        total = sum(np.bincount(stream.segments, stream.lengths, minlength=n) for stream in self.streams)
        count = sum(np.bincount(stream.segments, minlength=n) for stream in self.streams)
        return np.asarray(np.asarray(total / count)[self.hypotheses.segments])


def count_ter(
    outputs: Sequence[_tokens.Lines], references: Sequence[_tokens.Stream], tokenizer: Callable[[str], str]
) -> NDArray[np.float64]:
    """Count edits and words, and return shape (2, s, n).

    Rows: edits to the reference that needs the fewest, mean number of words of the references.
    """
    n = len(outputs[0])
    counts = np.empty((2, len(outputs), n))
    waiting: list[_Cut] = []
    for chunk in _tokens.chunks(outputs, references):
        waiting.append(_cut(chunk, tokenizer))
        if sum(some_pairs.size for some_pairs in waiting) >= MOST_WORDS or chunk.stop == n:
            for pairs, edits in zip(waiting, _edits(waiting), strict=True):
                totals = np.array([edits, pairs.lengths()])
                counts[:, :, pairs.chunk.start : pairs.chunk.stop] = totals[:, pairs.chunk.places]
            waiting = []
        report(chunk.stop / n)
    return counts


def _cut(chunk: _tokens.Chunk, tokenizer: Callable[[str], str]) -> _Cut:
    def cut(line: str) -> str:
        return tokenizer(line.rstrip())

    # sacreBLEU cuts references twice: "he's," gives the word he's the first time, and 's the second.
    twice = [column.mapped(cut).mapped(cut) for column in chunk.references]
    hypotheses, *streams = _tokens.word_rows(
        _tokens.Chunk(chunk.start, chunk.stop, chunk.hypotheses.mapped(cut), chunk.places, twice), split_at_spaces
    )
    return _Cut(chunk, hypotheses, streams)


def _edits(cuts: Sequence[_Cut]) -> Iterator[_tokens.Integers]:
    """Yield the edits of each chunk's hypotheses."""
    parts, groups, first = [], [], [0]
    for cut in cuts:
        for hypotheses, references, chosen in cut.pairs():
            parts.append((hypotheses, references))
            groups.append(chosen + first[-1])
        first.append(first[-1] + len(cut.hypotheses.lengths))
    integers = count_edits(parts, np.concatenate(groups))
    for start, stop in pairwise(first):
        yield integers[start:stop]
