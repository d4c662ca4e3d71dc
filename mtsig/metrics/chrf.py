"""chrF and chrF++ (Popović 2015, 2017) as sacreBLEU defines them."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.chrf import CHRF

from mtsig.citations import Citations
from mtsig.corpus import Corpus, FloatArray
from mtsig.metrics.base import Metric
from mtsig.metrics.sacre import sacre_signature, texts
from mtsig.options import option
from mtsig.text.chrf_counts import ChrfOptions, count_chrf
from mtsig.text.counting import made

_EPSILON = 1e-16
"""sacreBLEU's stand-in for an undefined precision, recall or F."""


@dataclass(frozen=True)
class Chrf(Metric):
    """F-score of character n-grams (and word n-grams, for chrF++), times 100.

    Statistics: for each order hypothesis n-grams, reference n-grams and matches; hypothesis n-grams of an order the
    reference does not have count as 0. With several references, those of the one with the best F per segment.
    """

    char_order: int = option(6, "Character n-grams", "Longest character n-gram.", low=1, high=20, advanced=True)
    word_order: int = option(0, "Word n-grams", "Longest word n-gram; 2 makes it chrF++.", low=0, high=10)
    beta: int = option(2, "β", "How many times recall counts as much as precision.", low=1, high=10, advanced=True)
    lowercase: bool = option(False, "Lowercase", "Ignore case.")
    whitespace: bool = option(False, "Whitespace", "Let character n-grams span spaces.", advanced=True)
    eps_smoothing: bool = option(
        False, "ε smoothing", "Average F over the orders, as chrF++.py, NLTK and Moses do.", advanced=True
    )

    by_sacrebleu = True
    in_blocks = True
    common = True

    @property
    def name(self) -> str:
        """The name sacreBLEU prints: chrF2, chrF2++ …."""
        return f"chrF{self.beta}" + "+" * self.word_order

    @property
    def cites(self) -> Citations:
        """The paper of chrF, or of chrF++ where words count, too."""
        return ("popovic-2017-chrf",) if self.word_order else ("popovic-2015-chrf",)

    @property
    def about(self) -> str:
        """What it measures, in one line."""
        return f"F-score of character {'and word ' if self.word_order else ''}n-grams, times 100."

    def scorer(self, **extra: Any) -> Any:
        """Return sacreBLEU's own metric object with the same options."""
        return made(
            CHRF,
            char_order=self.char_order,
            word_order=self.word_order,
            beta=self.beta,
            lowercase=self.lowercase,
            whitespace=self.whitespace,
            eps_smoothing=self.eps_smoothing,
            **extra,
        )

    def count(self, corpus: Corpus) -> FloatArray:
        """Count n-grams of characters, and of words where they are asked for."""
        return count_chrf(*texts(corpus), self.counted_as)

    @property
    def counted_as(self) -> ChrfOptions:
        """The options that decide which n-grams are counted, and against which reference."""
        return ChrfOptions(**{field.name: getattr(self, field.name) for field in fields(ChrfOptions)})

    def counting_options(self, corpus: Corpus) -> Mapping[str, object] | None:
        """Return which n-grams there are; β and ε matter where they choose among references."""
        options = asdict(self.counted_as)
        if len(corpus.references) == 1:
            del options["beta"], options["eps_smoothing"]
        return {"chrf": options}

    def signature(self, corpus: Corpus) -> str:
        """Return sacreBLEU's signature, and this program's version."""
        return sacre_signature(self.scorer(), corpus)

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return chrF of totals (k, …), in 0…100."""
        hypothesis, reference, matches = _by_kind(totals)
        if self.eps_smoothing:
            return self._mean_of_f(hypothesis, reference, matches)
        precision, recall, _ = _means(hypothesis, reference, matches)
        factor = self.beta**2
        below = factor * precision + recall
        return 100 * (1 + factor) * precision * recall / np.where(below > 0, below, 1.0)

    def _mean_of_f(self, hypothesis: FloatArray, reference: FloatArray, matches: FloatArray) -> NDArray[np.float64]:
        factor = self.beta**2
        precision = np.where(hypothesis > 0, matches / np.where(hypothesis > 0, hypothesis, 1), _EPSILON)
        recall = np.where(reference > 0, matches / np.where(reference > 0, reference, 1), _EPSILON)
        below = factor * precision + recall
        f = np.where(below > 0, (1 + factor) * precision * recall / np.where(below > 0, below, 1), _EPSILON)
        return np.asarray(100 * reduce(np.add, f) / len(f), dtype=np.float64)

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return chrF's derivative by each total; numeric with ε smoothing.

        See docs/statistics/intervals.md, section 1.
        """
        if self.eps_smoothing:
            return super().gradient(totals)
        hypothesis, reference, matches = _by_kind(totals)
        precision, recall, orders = _means(hypothesis, reference, matches)
        factor = self.beta**2
        slope = np.zeros(np.shape(totals))
        with np.errstate(divide="ignore", invalid="ignore"):
            below = (factor * precision + recall) ** 2
            by_precision = 100 * (1 + factor) * recall**2 / below
            by_recall = 100 * (1 + factor) * factor * precision**2 / below
            counted = (hypothesis > 0) & (reference > 0)
            per_match = by_precision / hypothesis + by_recall / reference
            slope[0::3] = np.where(counted, -by_precision * matches / hypothesis**2 / orders, 0.0)
            slope[1::3] = np.where(counted, -by_recall * matches / reference**2 / orders, 0.0)
            slope[2::3] = np.where(counted, per_match / orders, 0.0)
        return np.where(precision + recall > 0, slope, np.nan)

    @property
    def matches(self) -> tuple[str, ...]:
        """Characters, or words."""
        return ("character",)

    def matched(self, totals: FloatArray) -> NDArray[np.bool_]:
        """Return whether anything matches."""
        return np.asarray(_by_kind(totals)[2].any(axis=0, keepdims=True))

    def has_gradient(self, totals: FloatArray) -> NDArray[np.bool_]:
        """Return whether anything matches; with ε smoothing there is always a derivative."""
        return np.isfinite(self.score(totals)) if self.eps_smoothing else super().has_gradient(totals)


def _by_kind(totals: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    totals = np.asarray(totals, dtype=np.float64)
    return totals[0::3], totals[1::3], totals[2::3]


def _means(
    hypothesis: FloatArray, reference: FloatArray, matches: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return mean precision, mean recall and the number of orders they are taken over (at least 1)."""
    counted = (hypothesis > 0) & (reference > 0)
    everywhere = bool(counted.all())  # as a rule: division without a mask takes a third of the time
    orders = np.asarray(len(counted)) if everywhere else np.maximum(counted.sum(axis=0), 1)

    def shares(of: FloatArray) -> FloatArray:
        if everywhere:
            return np.asarray(matches / of)
        return np.divide(matches, of, out=np.zeros(np.shape(matches)), where=counted)

    # Added order by order: numpy's own sum may take another order for another shape, and so other last bits.
    precision, recall = reduce(np.add, shares(hypothesis)), reduce(np.add, shares(reference))
    return precision / orders, recall / orders, orders
