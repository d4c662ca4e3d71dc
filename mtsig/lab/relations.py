"""Relations: better, worse or not separated, by several metrics and by people, side by side (ZV04 figure 3)."""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtsig.errors import NotApplicable
from mtsig.inference import CORRECTIONS, Family, Settings, verdict
from mtsig.lab.material import Experiment, LabResult, Material, Pair, common_systems
from mtsig.lab.sources import ZHANG_VOGEL
from mtsig.options import option
from mtsig.progress import each

SIGNS = {1: ">", -1: "<", 0: "~"}


@dataclass(frozen=True, eq=False)
class RelationsTables(LabResult):
    """What several metrics say of the same pairs.

    sign: shape (metrics, m): 1 when the first system of a pair is found better, −1 the second, 0 neither.
    undecided: shape (metrics, m): whether there is no verdict at all; the sign is 0.
    """

    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    pairs: tuple[Pair, ...]
    sign: NDArray[np.int64]
    undecided: NDArray[np.bool_]
    correction: str
    level: float

    def between(self, metric: int, first: str, second: str) -> str:
        """Return ">", "<" or "~" for the first system against the second."""
        for m, pair in enumerate(self.pairs):
            if pair == (first, second):
                return SIGNS[int(self.sign[metric, m])]
            if pair == (second, first):
                return SIGNS[-int(self.sign[metric, m])]
        raise NotApplicable(f"{first} and {second} were not compared.")

    def said(self, left: int, other: int) -> dict[str, int]:
        """Return on how many pairs two metrics say what, contradictions first; undecided where either is."""
        decided = ~(self.undecided[left] | self.undecided[other])
        first, second = self.sign[left][decided], self.sign[other][decided]
        counts = {
            "both_contrary": first * second < 0,
            "both_the_same": first * second > 0,
            "first_only": (first != 0) & (second == 0),
            "second_only": (first == 0) & (second != 0),
            "neither": (first == 0) & (second == 0),
            "undecided": ~decided,
        }
        return {name: int(np.count_nonzero(which)) for name, which in counts.items()}

    def summaries(self) -> dict[str, list[dict[str, Any]]]:
        """Return what metrics say together, two by two."""
        tables: list[dict[str, Any]] = [
            {"first": self.metrics[left], "second": self.metrics[other], **self.said(left, other)}
            for left, other in combinations(range(len(self.metrics)), 2)
        ]
        return {"Agreement": tables} if tables else {}

    @property
    def given_names(self) -> tuple[str, ...]:
        """The metrics."""
        return self.metrics

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per pair, with a column for each metric."""
        return [
            {"first": first, "second": second}
            | {metric: SIGNS[int(self.sign[row, m])] for row, metric in enumerate(self.metrics)}
            for m, (first, second) in enumerate(self.pairs)
        ]


@dataclass(frozen=True)
class Relations(Experiment[RelationsTables]):
    """Corrected comparisons of all pairs under every metric, human ratings among them."""

    correction: str = option("minp", "Correction", "For the number of comparisons.", choices=lambda: CORRECTIONS)
    draws: int = option(10_000, "Draws", "Shuffles of every test.", low=100, high=1_000_000, advanced=True)
    level: float = option(0.95, "Confidence", "What it lacks of 1: the error rate of the family.", low=0.5, high=0.9999)
    seed: int = option(12345, "Seed", "The same seed gives the same draws.", low=0, high=2**53 - 1, advanced=True)

    name = "relations"
    label = "Metrics and people side by side"
    about = "Which pairs do several metrics, or people, call better, worse or not separated?"
    paper = f"{ZHANG_VOGEL}, section 3.2, figure 3"
    suggested = ("bleu", "mbleu", "nist", "chrf", "ter")

    def run(self, material: Material, executor: Executor | None = None) -> RelationsTables:
        """Compare under one metric after the other; the order of the systems is the first metric's."""
        del executor  # a second of work
        order = common_systems(material.statistics)
        settings = Settings(correction=self.correction, draws=self.draws, level=self.level, seed=self.seed)
        pairs = tuple(combinations(order, 2))
        families = [settings.family(statistics, pairs) for statistics in each(material.statistics)]
        return RelationsTables(
            tuple(counted.metric.name for counted in material.statistics),
            tuple(order),
            pairs,
            np.array([signs_of(family) for family in families]),
            np.array([[verdict(comparison).word == "undecided" for comparison in family] for family in families]),
            self.correction,
            self.level,
        )


def signs_of(family: Family) -> Sequence[int]:
    """Return 1, −1 or 0 for every comparison by its verdict."""
    signs = []
    for comparison in family:
        winner = verdict(comparison).winner
        signs.append(0 if winner is None else 1 if winner == comparison.first else -1)
    return signs
