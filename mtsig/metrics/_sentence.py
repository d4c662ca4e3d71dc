"""Means of sentence-level scores, with names of their own: they differ from the corpus-level score."""

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mtsig.corpus import Corpus, FloatArray
from mtsig.metrics import _bleu, _chrf, _counting, _metric, _ter
from mtsig.options import same_option


class SentenceMean(_metric.SegmentMean):
    """A base class that turns a metric into the mean over segments of its sentence scores, with the same options."""

    common = False
    in_blocks = False  # the metric's counts are

    about = _metric.Metric.about  # what is averaged

    @property
    @abstractmethod
    def whole(self) -> _metric.Metric:
        """The corpus-level metric with the same options."""

    @property
    def name(self) -> str:
        """The metric's name after "sent": sentBLEU, sentchrF2."""
        return f"sent{self.whole.name}"

    def count(self, corpus: Corpus) -> FloatArray:
        """Count the metric, and score every segment separately."""
        counts = _counting.counted(self.whole, corpus)
        count: NDArray[np.float64] = np.ones((2, *counts.shape[1:]))
        for start in range(0, len(corpus), _counting.BLOCK):
            part = counts[..., start : start + _counting.BLOCK].astype(np.float64)
            count[0, :, start : start + _counting.BLOCK] = self.whole.score(part)
        return count

    def counting_options(self, corpus: Corpus) -> None:
        """Return None, since the counts of the metric itself are stored."""
        del corpus

    def signature(self, corpus: Corpus) -> str:
        """Return the metric's signature, marked as a mean of sentences."""
        return f"mean:sentences|{self.whole.signature(corpus)}"


@dataclass(frozen=True)
class SentenceBleu(SentenceMean, _bleu.Bleu):  # type: ignore[override]
    """Mean of sentence BLEU."""

    # Sentences shorter than the longest n-gram would all be smoothed or 0: sacreBLEU advises this.
    effective_order: bool = same_option(_bleu.Bleu, "effective_order", default=True)

    @property
    def whole(self) -> _bleu.Bleu:
        """BLEU with the same options."""
        return _bleu.Bleu(**vars(self))


@dataclass(frozen=True)
class SentenceChrf(SentenceMean, _chrf.Chrf):
    """Mean of sentence chrF."""

    @property
    def whole(self) -> _chrf.Chrf:
        """The chrF with the same options."""
        return _chrf.Chrf(**vars(self))


@dataclass(frozen=True)
class SentenceTer(SentenceMean, _ter.Ter):  # type: ignore[override]
    """Mean of sentence TER; lower is better."""

    @property
    def whole(self) -> _ter.Ter:
        """TER with the same options."""
        return _ter.Ter(**vars(self))
