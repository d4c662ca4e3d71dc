"""Orderings: in how many orders could a translation's phrases stand for the same BLEU (CB06 section 3.1, figure 1)?"""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from math import lgamma, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtsig.arrays import Floats
from mtsig.jobs import batches, done_in_order
from mtsig.lab.material import Experiment, LabResult, Material
from mtsig.lab.ngrams import matches, words_of
from mtsig.lab.sources import CALLISON_BURCH
from mtsig.metrics import Bleu

Counts = NDArray[np.int64]


def log10_factorial(number: int) -> float:
    """Return log10 of number!.

    >>> round(10 ** log10_factorial(8))
    40320
    """
    return lgamma(number + 1) / log(10)


@dataclass(frozen=True, eq=False)
class OrderingCounts(LabResult):
    """Each segment's length and orderings; arrays have shape (n,).

    numbers: which segments of the data, from 1.
    words: k. bigrams: b, how many stand in a reference. digits: log10 of (k − b)!, the orders of the k − b phrases.
    """

    system: str
    references: int
    numbers: Sequence[int]
    words: Counts
    bigrams: Counts

    @property
    def phrases(self) -> Counts:
        """How many phrases can be put in another order: k − b."""
        return self.words - self.bigrams

    @property
    def digits(self) -> Floats:
        """log10 of the number of orderings."""
        return np.array([log10_factorial(int(count)) for count in self.phrases])

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per segment."""
        return [
            {
                "system": self.system,
                "segment": number,
                "words": int(words),
                "bigram_matches": int(bigrams),
                "phrases": int(words - bigrams),
                "log10_orderings": float(digits),
            }
            for number, words, bigrams, digits in zip(self.numbers, self.words, self.bigrams, self.digits, strict=True)
        ]


@dataclass(frozen=True)
class Orderings(Experiment[OrderingCounts]):
    """Count the orders of every translation's phrases."""

    system: str | None = None

    name = "orderings"
    label = "Orders that keep the score"
    about = "In how many orders could the phrases of each translation stand without losing a matched n-gram?"
    paper = f"{CALLISON_BURCH}, section 3.1, figure 1"
    needs_text = True

    def run(self, material: Material, executor: Executor | None = None) -> OrderingCounts:
        """Count words and bigrams, some segments a job."""
        corpus = material.text.with_references()
        metric = bleu_of(material)
        system = self.system or (material.first.best_first[0] if material.statistics else next(iter(corpus.systems)))
        lines = corpus.lines(system)
        references = list(corpus.references.values())
        jobs = [
            (
                metric,
                [(lines[i], [line for reference in references if (line := reference[i]) is not None]) for i in numbers],
            )
            for numbers in batches(len(corpus), 100)
        ]
        parts = done_in_order(_counted, jobs, executor)
        words, bigrams = np.concatenate(parts, axis=1)
        return OrderingCounts(system, len(references), corpus.numbers, words, bigrams)


def bleu_of(material: Material) -> Bleu:
    """Return the BLEU among the metrics of the material, else the default one."""
    metrics = (item.metric for item in material.statistics if isinstance(item.metric, Bleu))
    return next(metrics, Bleu().on(material.text))


def _counted(job: tuple[Bleu, list[tuple[str, list[str]]]]) -> Counts:
    metric, segments = job
    counts = []
    for line, references in segments:
        matched = matches(words_of(metric, line), [words_of(metric, reference) for reference in references])
        counts.append((len(matched.words), sum(matched.known[1])))
    return np.array(counts, dtype=np.int64).T
