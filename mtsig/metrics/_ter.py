"""TER, translation edit rate (Snover et al. 2006), as sacreBLEU defines it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.ter import TER

from mtsig.corpus import Corpus, FloatArray
from mtsig.metrics import _counting, _metric, _word_metrics
from mtsig.options import option
from mtsig.progress import report
from mtsig.text import _characters, _ngrams, _tokens, count_edits, split_at_spaces


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
        _word_metrics.check_lengths(self.name, corpus, lambda line: len(cut(line.rstrip()).split()))
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
    hypotheses: _ngrams.Rows
    streams: list[_ngrams.Rows]

    @property
    def size(self) -> int:
        """The number of words that are compared."""
        return len(self.hypotheses.symbols) * len(self.streams)

    def pairs(self) -> Iterator[tuple[_ngrams.Rows, _ngrams.Rows, _tokens.Integers]]:
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
    hypotheses, *streams = _ngrams.word_rows(
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
