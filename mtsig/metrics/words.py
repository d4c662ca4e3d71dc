"""What metrics on words share: sacreBLEU's tokenizers and their options, and counting segment by segment."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mtsig.corpus import Corpus, FloatArray
from mtsig.errors import NotApplicable
from mtsig.limits import limits, refuse_above
from mtsig.metrics.bleu import Bleu
from mtsig.metrics.tokenizing import Tokenizing
from mtsig.metrics.tokens import token_signature
from mtsig.options import options
from mtsig.text.segments import count_segments
from mtsig.text.tokens import tokenized

Words: TypeAlias = Sequence[str]
Counter: TypeAlias = Callable[[Words, Sequence[Words]], Sequence[float]]


def check_lengths(metric: str, corpus: Corpus, count: Callable[[str], int]) -> None:
    """Check that no segment has more words than are aligned; `count` tells how many a line has.

    Raises:
        NotApplicable: one has; the message names text and segment.
    """
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

    @abstractmethod
    def counter(self) -> Counter:
        """Return the function that gives the k statistics of one translation beside its references, at least one."""

    @property
    def aligns(self) -> bool:
        """Whether it looks for the best of many alignments, so that words cost more the more there are of them."""
        return False

    @property
    def looks_at_pairs(self) -> bool:
        """Whether it looks at every word of a translation beside every word of a reference, however fast."""
        return False

    @property
    def expects_plain_text(self) -> bool:
        """Yes, unless nothing is tokenized."""
        return self.tokenize != "none"

    @property
    def _tokens(self) -> Bleu:
        """BLEU with the same tokens."""
        return Bleu(tokenize=self.tokenize, lowercase=self.lowercase, trg_lang=self.trg_lang)

    def cut(self, lines: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the words of each line, cut as sacreBLEU cuts them for BLEU; auto knows no line, and is 13a here."""
        given = [line.lower() for line in lines] if self.lowercase else lines
        return [tuple(words) for words in tokenized(given, self._tokens.scorer().tokenizer).lists()]

    def count(self, corpus: Corpus) -> FloatArray:
        """Cut all lines into words and count them segment by segment.

        Raises:
            NotApplicable: a segment has too many words to be aligned, or too many pairs of words.
        """
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
        """Return the metric, how words are cut, and what else it counts by; nothing for classes from outside.

        What an outsider's `counter` does may change from one run to the next, and nothing here would tell.
        """
        kind = type(self)
        if kind.__module__.partition(".")[0] != "mtsig":
            return None
        words = {"tokenizer": self._tokens.on(corpus).scorer().tokenizer.signature(), "lowercase": self.lowercase}
        return {f"{kind.__module__}.{kind.__qualname__}": {**words, **self.counter_options(corpus)}}

    def counter_options(self, corpus: Corpus) -> Mapping[str, object]:
        """Return what the metric's own counting depends on besides the words; all of its own options, if not said."""
        del corpus
        return self._own

    @property
    def _own(self) -> dict[str, object]:
        known = {option.name for option in options(WordMetric)}
        return {option.name: getattr(self, option.name) for option in options(self) if option.name not in known}

    def signature(self, corpus: Corpus) -> str:
        """Return references, case and tokenizer as sacreBLEU writes them, and the metric's own options."""
        return token_signature(self._tokens, corpus, [f"{name}:{value}" for name, value in self._own.items()])
