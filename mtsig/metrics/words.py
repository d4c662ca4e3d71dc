"""What metrics on words share: sacreBLEU's tokenizers and their options, and counting segment by segment."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mtsig.corpus import Corpus, FloatArray
from mtsig.metrics.base import Metric
from mtsig.metrics.bleu import Bleu
from mtsig.metrics.tokens import token_signature
from mtsig.options import options, same_option
from mtsig.steps import Steps
from mtsig.text.segments import count_segments

Words: TypeAlias = Sequence[str]
Counter: TypeAlias = Callable[[Words, Sequence[Words]], Sequence[float]]


@dataclass(frozen=True)
class WordMetric(Metric):
    """A metric that compares the words of a translation with those of its references."""

    tokenize: str | None = same_option(Bleu, "tokenize")
    lowercase: bool = same_option(Bleu, "lowercase")
    trg_lang: str = same_option(Bleu, "trg_lang")

    @abstractmethod
    def counter(self) -> Counter:
        """Return the function that gives the k statistics of one translation beside its references, at least one."""

    @property
    def expects_plain_text(self) -> bool:
        """Yes, unless nothing is tokenized."""
        return self.tokenize != "none"

    @property
    def _tokens(self) -> Bleu:
        """BLEU with the same tokens."""
        return Bleu(tokenize=self.tokenize, lowercase=self.lowercase, trg_lang=self.trg_lang)

    def cutter(self) -> Callable[[str], list[str]]:
        """Return the function that cuts a line into words, as sacreBLEU does for BLEU."""
        tokenizer = self._tokens.scorer().tokenizer

        def cut(line: str) -> list[str]:
            found: str = tokenizer((line.lower() if self.lowercase else line).rstrip())
            return found.split()

        return cut

    def counting(self, corpus: Corpus) -> Steps[FloatArray]:
        """Cut all lines into words and count them segment by segment."""
        cut, count = self.cutter(), self.counter()
        streams = zip(*corpus.references.values(), strict=True)
        references = [[cut(line) for line in lines if line is not None] for lines in streams]
        outputs = [corpus.lines(system) for system in corpus.systems]
        return count_segments(outputs, lambda segment, line: count(cut(line), references[segment]))

    def signature(self, corpus: Corpus) -> str:
        """Return references, case and tokenizer as sacreBLEU writes them, and the metric's own options."""
        *shared, ours = token_signature(self._tokens, corpus)
        known = {one.name for one in options(WordMetric)}
        own = [f"{one.name}:{getattr(self, one.name)}" for one in options(self) if one.name not in known]
        return "|".join([*shared, *own, ours])
