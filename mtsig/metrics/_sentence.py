"""Means of sentence-level scores, under names of their own: another question than the corpus score's."""

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtsig.corpus import Corpus, FloatArray
from mtsig.metrics._bleu import Bleu
from mtsig.metrics._chrf import Chrf
from mtsig.metrics._counting import BLOCK, counted
from mtsig.metrics._metric import Metric, SegmentMean
from mtsig.metrics._ter import Ter
from mtsig.options import same_option


class SentenceMean(SegmentMean):
    """What makes a mean over segments of the metric it is mixed into, with all of that metric's options."""

    common = False
    in_blocks = False  # the metric's counts are

    about = Metric.about  # what is averaged

    @property
    @abstractmethod
    def whole(self) -> Metric:
        """The corpus-level metric with the same options."""

    @property
    def name(self) -> str:
        """The metric's name behind "sent": sentBLEU, sentchrF2."""
        return f"sent{self.whole.name}"

    def count(self, corpus: Corpus) -> FloatArray:
        """Count the metric, and score every segment by itself."""
        counts = counted(self.whole, corpus)
        count: NDArray[np.float64] = np.ones((2, *counts.shape[1:]))
        for start in range(0, len(corpus), BLOCK):
            part = counts[..., start : start + BLOCK].astype(np.float64)
            count[0, :, start : start + BLOCK] = self.whole.score(part)
        return count

    def counting_options(self, corpus: Corpus) -> None:
        """Return nothing: what is kept are the metric's counts."""
        del corpus

    def signature(self, corpus: Corpus) -> str:
        """Return the metric's signature, marked as a mean of sentences."""
        return f"mean:sentences|{self.whole.signature(corpus)}"


@dataclass(frozen=True)
class SentenceBleu(SentenceMean, Bleu):
    """Mean of sentence BLEU."""

    # Sentences shorter than the longest n-gram would all be smoothed or 0: sacreBLEU advises this.
    effective_order: bool = same_option(Bleu, "effective_order", default=True)

    @property
    def whole(self) -> Bleu:
        """BLEU with the same options."""
        return Bleu(**vars(self))


@dataclass(frozen=True)
class SentenceChrf(SentenceMean, Chrf):
    """Mean of sentence chrF."""

    @property
    def whole(self) -> Chrf:
        """The chrF with the same options."""
        return Chrf(**vars(self))


@dataclass(frozen=True)
class SentenceTer(SentenceMean, Ter):
    """Mean of sentence TER; lower is better."""

    @property
    def whole(self) -> Ter:
        """TER with the same options."""
        return Ter(**vars(self))
