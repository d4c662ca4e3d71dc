"""Variation: how far scores move between test sets of neighbouring segments, and between broad ones (K04 section 3)."""

from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mtsig.arrays import Floats
from mtsig.errors import NotApplicable
from mtsig.lab.material import Experiment, LabResult, Material, Pair
from mtsig.lab.populations import broad, consecutive
from mtsig.lab.sources import KOEHN
from mtsig.metrics import Statistics
from mtsig.options import option
from mtsig.progress import each
from mtsig.resampling import Purpose, Words, sign_of

_FEWEST_SETS = 5

_USUAL_SIZE = 50


@dataclass(frozen=True, eq=False)
class VariationOfScores(LabResult):
    """Scores of disjoint test sets of one size, taken as neighbours and taken broadly.

    broad, consecutive: shape (s, t), the scores of the t sets. by_chance: shape (s,), the ratio of the two standard
    deviations that 95% of random orders of the segments stay below; a higher one says that neighbours go together.
    predicted: shape (s,), the standard deviation between sets that the standard error of the whole set predicts, were
    segments independent. pair: the two systems whose difference is looked at, None when there is one system.
    """

    metric: str
    systems: tuple[str, ...]
    size: int
    scores: Floats
    broad: Floats
    consecutive: Floats
    by_chance: Floats
    predicted: Floats
    pair: Pair | None
    sign: int

    @property
    def sets(self) -> int:
        """How many test sets of each kind."""
        return int(self.broad.shape[1])

    @property
    def spread_broad(self) -> Floats:
        """Standard deviation between broad sets; shape (s,)."""
        return np.asarray(self.broad.std(axis=1, ddof=1))

    @property
    def spread_consecutive(self) -> Floats:
        """Standard deviation between sets of neighbours; shape (s,)."""
        return np.asarray(self.consecutive.std(axis=1, ddof=1))

    @property
    def ratio(self) -> Floats:
        """How many times more neighbours vary; shape (s,)."""
        return self.spread_consecutive / self.spread_broad

    def difference(self, kind: str) -> Floats:
        """Return the pair's difference on every set of a kind, "broad" or "consecutive"; shape (t,)."""
        if self.pair is None:
            raise NotApplicable("There is one system only, so there is no difference.")
        scores = self.broad if kind == "broad" else self.consecutive
        first, second = (self.systems.index(name) for name in self.pair)
        return np.asarray(self.sign * (scores[first] - scores[second]))

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per system."""
        return [
            {
                "metric": self.metric,
                "system": name,
                "score": float(self.scores[s]),
                "size": self.size,
                "sets": self.sets,
                "spread_broad": float(self.spread_broad[s]),
                "spread_consecutive": float(self.spread_consecutive[s]),
                "ratio": float(self.ratio[s]),
                "ratio_by_chance": float(self.by_chance[s]),
                "spread_predicted": float(self.predicted[s]),
            }
            for s, name in enumerate(self.systems)
        ]


@dataclass(frozen=True)
class Variation(Experiment[VariationOfScores]):
    """Disjoint test sets of neighbouring segments against as many broad ones."""

    size: int = option(
        0, "Size", "Segments in a test set; 0: 50, or a tenth of small data. The paper has 300 of 30,000.", low=0,
        high=1_000_000,
    )  # fmt: skip
    orders: int = option(
        200,
        "Random orders",
        "Orders of the segments that say what chance alone does.",
        low=20,
        high=10_000,
        advanced=True,
    )
    seed: int = option(12345, "Seed", "The same seed gives the same orders.", low=0, high=2**53 - 1, advanced=True)
    pair: Pair | None = None

    name = "variation"
    label = "Broad or consecutive test sets"
    about = "How much do scores move from one small test set to the next, when its segments are neighbours?"
    paper = f"{KOEHN}, section 3, figures 2 to 4"

    def run(self, material: Material, executor: Executor | None = None) -> VariationOfScores:
        """Score the sets, and the sets of random orders.

        Raises:
            NotApplicable: there are fewer than five sets, or they are single segments.
        """
        del executor  # a second of work
        statistics = material.complete.at("segment")
        size = self.size or max(2, min(_USUAL_SIZE, statistics.n // 10))
        if size < 2:
            raise NotApplicable("A test set of one segment has no neighbours in it: choose a size of at least 2.")
        if statistics.n < _FEWEST_SETS * size:
            raise NotApplicable(
                f"{statistics.n} segments make fewer than {_FEWEST_SETS} sets of {size}: "
                + ("choose a smaller size." if size > 2 else "there are too few for this experiment.")
            )
        apart, together = broad(statistics.n, size), consecutive(statistics.n, size)
        ratios = []
        for number in each(range(self.orders)):
            keys = Words(self.seed, number, Purpose.ORDERS).take(1, statistics.n)[0]
            order = np.argsort(keys)
            ratios.append(_spread(statistics, order[together]) / _spread(statistics, order[apart]))
        return VariationOfScores(
            statistics.metric.name,
            statistics.systems,
            size,
            statistics.scores,
            scores_of(statistics, apart),
            scores_of(statistics, together),
            np.quantile(ratios, 0.95, axis=0),
            statistics.influence.std(axis=1, ddof=1) * statistics.n / np.sqrt(size),
            material.pair(self.pair) if len(statistics.systems) > 1 else None,
            sign_of(statistics.metric),
        )


def scores_of(statistics: Statistics, sets: NDArray[np.int64]) -> Floats:
    """Return every system's score on test sets given as units, shape (t, size); shape (s, t)."""
    totals = np.stack([statistics.values[..., units].sum(axis=-1, dtype=np.float64) for units in sets], axis=-1)
    return statistics.metric.score(totals)


def _spread(statistics: Statistics, sets: NDArray[np.int64]) -> Floats:
    return np.asarray(scores_of(statistics, sets).std(axis=1, ddof=1))
