"""Known answers: numbers of other programs and of plain loops, and their tiny data as statistics of this program."""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mtsig import Corpus, Rating, measure
from mtsig._records import FloatArray
from mtsig.corpus._corpus import Segments
from mtsig.metrics import Bleu, Metric, Statistics
from mtsig.metrics._statistics import as_values


@lru_cache
def oracle(block: str) -> dict[str, Any]:
    """Return one block of the oracles."""
    blocks = json.loads(Path(__file__).with_name("oracles.json").read_text(encoding="utf-8"))
    return dict(blocks[block])


@lru_cache
def known_answers(name: str) -> dict[str, Any]:
    """Return the oracles of that name; those of real sets belong to data that are fetched (tests/real_data.py)."""
    found: dict[str, Any] = json.loads(Path(__file__).with_name(f"oracles_{name}.json").read_text(encoding="utf-8"))
    return found


def rows_of(name: str) -> NDArray[np.float64]:
    """Return the BLEU statistics of systems X and Y of a tiny data set; shape (2, n, k)."""
    data = oracle("datasets")
    if name != "mid100_close":
        return np.array([data[name]["X"], data[name]["Y"]], dtype=float)
    one, other = rows_of("mid100")
    alike = np.arange(len(one)) % 10 < 7
    return np.array([one, np.where(alike[:, None], one, other)])


def bleu_statistics(name: str, metric: Metric | None = None, documents: ArrayLike | None = None) -> Statistics:
    """Return the statistics of systems X and Y of a tiny data set."""
    values = as_values(np.moveaxis(rows_of(name), 2, 0))
    return Statistics(
        metric or Bleu(), ("X", "Y"), values, document_of=None if documents is None else np.asarray(documents)
    )


@dataclass(frozen=True)
class Mean(Metric):
    """The mean of a rating over segments: a metric as an outsider would write it, not known to any table."""

    higher_is_better: bool = True
    name: ClassVar[str] = "mean"
    needs_references: ClassVar[bool] = False

    def count(self, corpus: Corpus) -> FloatArray:
        """Return each segment's rating, and 1 to count it."""
        values = corpus.ratings["rating"].values
        return np.array([values, np.ones_like(values)])

    def score(self, totals: FloatArray) -> NDArray[np.float64]:
        """Return the mean."""
        return np.asarray(totals[0] / totals[1])


def mean_statistics(scores: ArrayLike, metric: Mean | None = None) -> Statistics:
    """Return statistics of systems "0", "1" … whose segment scores are the rows of `scores`."""
    values = np.array(scores, dtype=float)
    systems: dict[str, tuple[str, ...]] = {str(row): () for row in range(len(values))}
    corpus = Corpus(Segments(values.shape[1]), {}, systems, {}, ratings={"rating": Rating(values, True)})
    return measure(corpus, metric or Mean())
