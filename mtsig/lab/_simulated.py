"""Simulated segments: a generative model of BLEU statistics goes in, a population of any size and quality comes out.

The model, for segment i of document d and system s:

- reference length r: drawn from the fitted set's own quantiles;
- ease u = √a·z + √(1 − a)·e_s, where z = √w·D_d + √(1 − w)·E_i is shared by all systems (a: their likeness; w: how far
  the segments of a document go together), plus a shift by the system's quality; all parts standard normal;
- hypothesis length c = r·ratio + √r·spread·(normal, alike between systems as the ease is), at least 1;
- matched n-grams: binomial out of those that can still match, the matched (n − 1)-grams but no more than the c − n + 1
  n-grams there are, with log odds b_n + k_n·u; the chance in it is alike between systems as the ease is.

Only numbers are kept of the fitted system: quantiles, rates and slopes. Made once, a population is simply a set of
statistics; its own sums are the truth, however well the model fits.
"""

import hashlib
from dataclasses import dataclass

import numpy as np
import scipy

from mtsig._records import Floats
from mtsig.errors import InvalidOption
from mtsig.lab._material import Population
from mtsig.metrics import Bleu, Statistics
from mtsig.metrics._statistics import as_values
from mtsig.resampling import Purpose, Words

ORDERS = 4


@dataclass(frozen=True)
class SegmentModel:
    """The numbers of the model; see the module for their part in it.

    lengths: quantiles of the reference length at equal steps from 0 to 1. ratio, spread: of the hypothesis length.
    base, slope: log odds of a match and their change with the ease, for n = 1…4. likeness: between systems, 0 to 1.
    within: share of the common ease that is the document's. document: segments in a document.
    """

    lengths: tuple[float, ...]
    ratio: float
    spread: float
    base: tuple[float, ...]
    slope: tuple[float, ...]
    likeness: float
    within: float
    document: int

    def simulate(self, scores: dict[str, float] | tuple[float, ...], size: int = 30_000, seed: int = 1) -> Population:
        """Return a population of systems with these BLEU scores, to a hundredth of a point."""
        named = scores if isinstance(scores, dict) else {f"S{i}": score for i, score in enumerate(scores, 1)}
        if size < 10 * self.document or not named:
            raise InvalidOption(
                f"A population needs systems, and at least {10 * self.document} segments; found {size}."
            )
        shared = _Shared(self, size, seed)
        values = np.stack([_System(self, shared, s, seed).reaching(score) for s, score in enumerate(named.values())])
        statistics = Statistics(
            Bleu(),
            tuple(named),
            as_values(np.moveaxis(values, 0, 1)),
            signature="simulated BLEU counts",
            digest="simulated:" + hashlib.sha256(repr((self, named, size, seed)).encode()).hexdigest(),
            document_of=shared.document_of,
        )
        return Population(statistics, origin=f"{size:,} simulated segments in documents of {self.document}")


class _Shared:
    """What all systems of a population have in common."""

    def __init__(self, model: SegmentModel, size: int, seed: int) -> None:
        self.size = size
        self.document_of = np.arange(size) // model.document
        words = Words(seed, 0, Purpose.SEGMENTS)
        rows = words.uniform(3 + ORDERS, size)
        documents = scipy.special.ndtri(words.uniform(1, int(self.document_of[-1]) + 1))[0]
        steps = np.linspace(0, 1, len(model.lengths))
        self.reference = np.rint(np.interp(rows[0], steps, model.lengths))
        alone = scipy.special.ndtri(rows[1])
        self.ease = np.sqrt(model.within) * documents[self.document_of] + np.sqrt(1 - model.within) * alone
        self.length = scipy.special.ndtri(rows[2])
        self.chance = scipy.special.ndtri(rows[3:])


class _System:
    """One system's chances, fixed: its counts are then a function of its quality alone."""

    def __init__(self, model: SegmentModel, shared: _Shared, number: int, seed: int) -> None:
        own = scipy.special.ndtri(Words(seed, number + 1, Purpose.SEGMENTS).uniform(2 + ORDERS, shared.size))
        alike, alone = np.sqrt(model.likeness), np.sqrt(1 - model.likeness)
        self.model, self.reference = model, shared.reference
        self.ease = alike * shared.ease + alone * own[0]
        deviation = alike * shared.length + alone * own[1]
        wanted = model.ratio * self.reference + np.sqrt(self.reference) * model.spread * deviation
        self.length = np.maximum(1.0, np.rint(wanted))
        self.chance = scipy.special.ndtr(alike * shared.chance + alone * own[2:])

    def counts(self, quality: float) -> Floats:
        """Return BLEU's statistics at this quality; shape (10, n)."""
        matches, left = [], self.length
        for order in range(ORDERS):
            left = np.minimum(left, np.maximum(self.length - order, 0))
            odds = scipy.special.expit(self.model.base[order] + self.model.slope[order] * (self.ease + quality))
            left = binomial_quantile(self.chance[order], left, odds)
            matches.append(left)
        totals = [np.maximum(self.length - order, 0) for order in range(ORDERS)]
        return np.array([self.length, self.reference, *matches, *totals])

    def score(self, quality: float) -> float:
        return float(Bleu().score(self.counts(quality).sum(axis=1)))

    def reaching(self, score: float) -> Floats:
        """Return the statistics at the quality that gives this score."""
        low, high = self.score(-4.0), self.score(4.0)
        if not low < score < high:
            raise InvalidOption(f"The model can simulate BLEU scores from {low:.1f} to {high:.1f}; found {score:g}.")
        known = {-4.0: low, 4.0: high}  # brentq asks for its ends again

        def above(quality: float) -> float:
            return (known[quality] if quality in known else self.score(quality)) - score

        quality = scipy.optimize.brentq(above, -4.0, 4.0, xtol=1e-4)
        return self.counts(float(quality))


def binomial_quantile(chance: Floats, trials: Floats, rate: Floats) -> Floats:
    """Return the smallest k with P(X ≤ k) ≥ chance for X binomial, elementwise.

    scipy's own is a hundred times slower, and numpy promises no stable stream of binomials across its versions.
    """
    counts = np.zeros(len(trials))
    mass = (1 - rate) ** trials
    below = mass.copy()
    active = np.flatnonzero((below < chance) & (trials > 0))
    odds = rate / (1 - rate)
    mass, below, odds, trials, chance = (part[active] for part in (mass, below, odds, trials, chance))
    further, step = np.zeros(len(active)), 0
    while len(active):
        mass *= odds * (trials - step) / (step + 1)
        below += mass
        step += 1
        more = (below < chance) & (trials > step)  # what is reached once is reached for good
        further += more
        kept = np.flatnonzero(more)
        if 2 * len(kept) < len(active):  # to leave out a few would cost more than to carry them along
            counts[active] = 1 + further
            active = active[kept]
            mass, below, odds, trials, chance, further = (
                part[kept] for part in (mass, below, odds, trials, chance, further)
            )
    return counts


KOEHN_SCORES = (28.9, 27.4, 26.9, 25.3, 22.6, 20.2)
"""BLEU of the six systems of Koehn 2004, table 1, on 30,000 sentences."""

NEWS = SegmentModel(
    lengths=(
        1, 6, 8, 9, 9, 10, 10, 11, 11, 12, 13, 13, 14, 15, 15, 16, 16, 17, 17, 18, 19, 19, 20, 21, 21, 22, 23, 24, 25,
        26, 27, 28, 29, 31, 33, 35, 36, 39, 43, 50, 93,
    ),
    ratio=1.0402,
    spread=0.7029,
    base=(0.8151, 0.4457, 0.5214, 0.4483),
    slope=(0.582, 0.751, 0.8096, 0.9002),
    likeness=0.61,
    within=0.32,
    document=9,
)  # fmt: skip
"""Fitted to Online-A and Online-Y of WMT21 Russian to English, reference A (sacreBLEU's 13a counts, 1000 segments), by
`tests/lab/fitted.py`: rates to the first, likeness to both."""
