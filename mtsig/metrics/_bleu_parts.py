"""Metrics made of BLEU's counts: brevity penalty, M-BLEU, n-gram precisions and length ratio."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtsig.corpus import Corpus, FloatArray, Note
from mtsig.metrics._bleu import Bleu, token_signature
from mtsig.metrics._statistics import Statistics
from mtsig.metrics._tokenizing import Tokenizing
from mtsig.options import option, same_option


@dataclass(frozen=True)
class OfBleu(Tokenizing):
    """A metric with BLEU's statistics: lengths of hypothesis and reference, matched n-grams, hypothesis n-grams."""

    force: bool = same_option(Bleu, "force")

    by_sacrebleu = True
    in_blocks = True

    @property
    def orders(self) -> int:
        """The longest n-gram that is counted; BLEU's own unless more is needed, so that the two can share counts."""
        return 4

    @property
    def whole(self) -> Bleu:
        """BLEU on the same counts."""
        return Bleu(
            tokenize=self.tokenize,
            lowercase=self.lowercase,
            max_ngram_order=self.orders,
            trg_lang=self.trg_lang,
            force=self.force,
        )

    @property
    def expects_plain_text(self) -> bool:
        """Whether a warning is due if text is already tokenized."""
        return not self.force

    def count(self, corpus: Corpus) -> FloatArray:
        return self.whole.count(corpus)

    def counting_options(self, corpus: Corpus) -> Mapping[str, object] | None:
        """Return BLEU's: what was counted for the one is there for the other."""
        return self.whole.counting_options(corpus)

    def signature(self, corpus: Corpus) -> str:
        """Return BLEU's signature, without the smoothing that is not used here, behind the name of the part."""
        return f"part:{self.name}|{token_signature(self.whole, corpus)}"


def penalty(length: FloatArray, reference: FloatArray) -> NDArray[np.float64]:
    """Return BLEU's brevity penalty exp(min(0, 1 − r/c)) in 0…1 (Papineni et al. 2002); 0 for an empty output."""
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = np.exp(np.minimum(1.0 - reference / length, 0.0))
    return np.asarray(np.where(length > 0, factor, np.where(reference > 0, 0.0, 1.0)))


def slopes(length: FloatArray, reference: FloatArray, score: FloatArray) -> NDArray[np.float64]:
    """Return the derivatives by both lengths, shape (2, …), from the longer side at equal ones; NaN for no output."""
    filled = np.where(length > 0, length, np.nan)
    shorter = ~(length >= reference)
    return np.stack([
        np.where(shorter, score * reference / filled**2, 0.0),
        np.where(shorter, -score / filled, 0.0),
    ])  # fmt: skip


@dataclass(frozen=True)
class BrevityPenalty(OfBleu):
    """BLEU's brevity penalty, times 100: 100 for outputs no shorter than the reference.

    Statistics: those of BLEU. The penalty is what BLEU subtracts for short outputs. It does not measure quality, so no
    system is called better by it. Its slope changes at equal lengths, where jackknife intervals can be inaccurate.
    """

    is_quality_metric = False
    cites = ("papineni-etal-2002-bleu",)
    name = "brevity penalty"

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the penalty of totals (k, …), in 0…100."""
        length, reference = np.asarray(totals[:2], dtype=np.float64)
        return 100 * penalty(length, reference)

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the derivative by each total; 0 except for the two lengths."""
        length, reference = np.asarray(totals[:2], dtype=np.float64)
        slope = np.zeros(np.shape(totals))
        slope[:2] = slopes(length, reference, self.score(totals))
        return slope

    def caveats(self, statistics: Statistics) -> tuple[Note, ...]:
        """Return a note for systems near equal lengths."""
        return self.whole.kinks(statistics)


@dataclass(frozen=True)
class MBleu(OfBleu):
    """Brevity penalty times the arithmetic mean of n-gram precisions, times 100.

    Statistics: those of BLEU. The weights are 1/N. An order without matches counts as 0, without smoothing. The score
    is at least that of unsmoothed BLEU on the same counts (arithmetic against geometric mean).
    """

    max_ngram_order: int = same_option(Bleu, "max_ngram_order")

    by_sacrebleu = False
    cites = ("zhang-vogel-2004-measuring",)
    name = "M-BLEU"

    @property
    def orders(self) -> int:
        """The longest n-gram."""
        return self.max_ngram_order

    def _parts(self, totals: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Return hypothesis length, reference length, matches (N, …) and hypothesis n-grams (N, …)."""
        totals = np.asarray(totals, dtype=np.float64)
        return totals[0], totals[1], totals[2 : 2 + self.orders], totals[2 + self.orders :]

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return M-BLEU of totals (k, …), in 0…100; an order without n-grams counts as 0."""
        length, reference, matches, ngrams = self._parts(totals)
        precisions = matches / np.where(ngrams > 0, ngrams, 1.0)
        # Added order by order: numpy's own sum may take another order for another shape, and so other last bits.
        mean = sum(precisions[1:], start=precisions[0]) / self.orders
        return np.asarray(100 * penalty(length, reference) * mean)

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the derivative by each total; NaN if an order has no n-grams."""
        length, reference, matches, ngrams = self._parts(totals)
        score = self.score(totals)
        factor = 100 * penalty(length, reference) / self.orders
        ngrams = np.where(ngrams > 0, ngrams, np.nan)
        slope = np.empty(np.shape(totals))
        slope[:2] = slopes(length, reference, score)
        slope[2 : 2 + self.orders] = factor / ngrams
        slope[2 + self.orders :] = -factor * matches / ngrams**2
        return slope

    @property
    def matches(self) -> tuple[str, ...]:
        """Names of the n-gram orders."""
        return self.whole.matches

    def matched(self, totals: FloatArray) -> NDArray[np.bool_]:
        return self.whole.matched(totals)

    def caveats(self, statistics: Statistics) -> tuple[Note, ...]:
        """Return a note for systems at which the brevity penalty changes slope."""
        return self.whole.kinks(statistics)


@dataclass(frozen=True)
class Precision(OfBleu):
    """Matched n-grams of one order per hypothesis n-gram, times 100, without smoothing.

    Statistics: those of BLEU. A precision ignores omissions: read it together with the length ratio.
    """

    order: int = option(1, "n-gram order", "Which of BLEU's precisions: 1 for words, 4 for 4-grams.", low=1, high=10)

    cites = ("papineni-etal-2002-bleu",)

    @property
    def name(self) -> str:
        """The precision's name, such as 4-gram precision."""
        return f"{self.order}-gram precision"

    @property
    def orders(self) -> int:
        """The largest n-gram order: that of BLEU, or of this precision if larger."""
        return max(4, self.order)

    def _rows(self) -> tuple[int, int]:
        """Return the positions of the matches and of the hypothesis n-grams of this order."""
        return 1 + self.order, 1 + self.orders + self.order

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the precision of totals (k, …), in 0…100; 0 where there is no n-gram."""
        matches, ngrams = (np.asarray(totals[row], dtype=np.float64) for row in self._rows())
        return np.asarray(100 * matches / np.where(ngrams > 0, ngrams, 1.0))

    @property
    def matches(self) -> tuple[str, ...]:
        """Name of the n-gram order."""
        return (f"{self.order}-gram",)

    def matched(self, totals: FloatArray) -> NDArray[np.bool_]:
        """Return whether there is any match."""
        return np.asarray(np.asarray(totals)[list(self._rows()[:1])] > 0)

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the derivative by each total; NaN where there is no n-gram."""
        above, below = self._rows()
        ngrams = np.where(totals[below] > 0, np.asarray(totals[below], dtype=np.float64), np.nan)
        slope = np.zeros(np.shape(totals))
        slope[above], slope[below] = 100 / ngrams, -100 * totals[above] / ngrams**2
        return slope


_WHICH_WAY = "No length ratio is better: a positive difference means that the first system's output is longer."


@dataclass(frozen=True)
class LengthRatio(OfBleu):
    """Hypothesis tokens per reference token, times 100.

    Statistics: those of BLEU; with several references, each segment uses the closest length. A positive difference
    means that the first system is longer. This is neither better nor worse, so no system is called better.
    """

    is_quality_metric = False
    name = "length ratio"

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the ratio of totals (k, …) in percent; 0 where the references are empty, as sacreBLEU has it."""
        length, reference = np.asarray(totals[:2], dtype=np.float64)
        some = reference > 0
        return np.asarray(100 * np.where(some, length / np.where(some, reference, 1.0), 0.0))

    def gradient(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the derivative by each total; NaN where the references are empty."""
        length, reference = np.asarray(totals[:2], dtype=np.float64)
        reference = np.where(reference > 0, reference, np.nan)
        slope = np.zeros(np.shape(totals))
        slope[:2] = 100 * np.stack([1 / reference, -length / reference**2])
        return slope

    def caveats(self, statistics: Statistics) -> tuple[Note, ...]:
        """Return what the sign of a difference means."""
        del statistics
        return (Note("note", _WHICH_WAY),)
