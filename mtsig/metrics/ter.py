"""TER, translation edit rate (Snover et al. 2006), as sacreBLEU defines it."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.ter import TER

from mtsig.corpus import Corpus, FloatArray
from mtsig.metrics.base import Metric
from mtsig.metrics.sacre import sacre_signature, texts
from mtsig.metrics.words import check_lengths
from mtsig.options import option
from mtsig.text.counting import made
from mtsig.text.scripts import HAN
from mtsig.text.ter_counts import count_ter


@dataclass(frozen=True)
class Ter(Metric):
    """Edits (insertions, deletions, substitutions, shifts of blocks) per reference word, times 100; lower is better.

    Statistics: edits to the reference that needs the fewest, mean reference length.
    """

    normalized: bool = option(False, "Normalize", "Tokenize punctuation and decode entities, as Tercom does.")
    no_punct: bool = option(False, "No punctuation", "Remove punctuation first.", advanced=True)
    asian_support: bool = option(
        False, "Asian characters", "With normalize or no punctuation: treat Asian characters too.", advanced=True
    )
    case_sensitive: bool = option(False, "Case-sensitive", "Do not lowercase.")

    higher_is_better = False
    by_sacrebleu = True
    in_blocks = True
    common = True
    cites = ("snover-etal-2006-study",)

    @property
    def name(self) -> str:
        """The name sacreBLEU prints."""
        return "TER"

    @property
    def needs_spaces(self) -> bool:
        """Yes, unless Chinese and Japanese are cut into characters."""
        return not (self.normalized and self.asian_support)

    def cuts(self, language: str) -> bool:
        """Return whether Asian characters are cut apart: Chinese and Japanese ones are, where that is asked for."""
        return language in HAN and not self.needs_spaces

    def scorer(self, **extra: Any) -> Any:
        """Return sacreBLEU's own metric object with the same options."""
        return made(
            TER,
            normalized=self.normalized,
            no_punct=self.no_punct,
            asian_support=self.asian_support,
            case_sensitive=self.case_sensitive,
            **extra,
        )

    def count(self, corpus: Corpus) -> FloatArray:
        """Count edits as sacreBLEU does, and words.

        Raises:
            NotApplicable: a segment has too many words to look for shifts of them.
        """
        cut = self.scorer().tokenizer
        check_lengths(self.name, corpus, lambda line: len(cut(line.rstrip()).split()))
        return count_ter(*texts(corpus), cut)

    def counting_options(self, corpus: Corpus) -> Mapping[str, object] | None:
        """Return how words are cut: all of the options."""
        del corpus
        # Counts that were kept before references were cut twice, as sacreBLEU cuts them, are not these.
        return {"ter": {**{field.name: getattr(self, field.name) for field in fields(Ter)}, "references": "cut twice"}}

    def signature(self, corpus: Corpus) -> str:
        """Return sacreBLEU's signature, and this program's version."""
        return sacre_signature(self.scorer(), corpus)

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return TER of totals (k, …); against an empty reference 100, or 0 when there is nothing on either side."""
        edits, length = np.asarray(totals, dtype=np.float64)
        some = length > 0
        return np.asarray(100 * np.where(some, edits / np.where(some, length, 1.0), (edits > 0).astype(np.float64)))

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return TER's derivative by each total; NaN where the references are empty."""
        edits, length = np.asarray(totals, dtype=np.float64)
        length = np.where(length > 0, length, np.nan)
        return 100 * np.stack([1 / length, -edits / np.square(length)])
