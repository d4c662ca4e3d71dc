"""Populations with known truth: segments simulated by a model, and worlds in which no system is better.

Simulated segments: a generative model of BLEU statistics gives a population of any size and quality.

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
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import scipy

from mtsig._records import Floats
from mtsig.corpus._notes import MIN_DOCUMENTS
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.lab._material import FEWEST, Population
from mtsig.metrics import Bleu, Metric, Statistics
from mtsig.metrics._statistics import Unit, as_values
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


_STEEPEST = 64.0
"""Standard deviations of influence in the exponent: far beyond this one unit holds all of the weight."""

_STEPS, _MOST_STEPS = 8, 50
"""In how many steps the difference is taken away, and how many more may settle the influences."""


def equal_scores(statistics: Statistics, by_document: bool, effect: float = 0.0) -> Population:
    """Return a population in which true differences are `effect` times the real ones: with 0, equal scores.

    Args:
        statistics: systems by segment, with documents where whole ones are to be drawn; more than two only where the
            score is a mean of real numbers.
        by_document: whether whole documents are to be drawn; a tilt then gives chances to documents.
        effect: the share of the real difference that is kept, from 0 to 1.
    """
    if can_be_centred(statistics):
        return Population(centred(statistics, effect), origin="the test set, centred")
    if len(statistics.systems) > 2:
        raise NotApplicable(
            "More than two systems can be given equal scores only by a metric that is a mean over segments, and "
            f"{statistics.metric.name} is not. Choose such a metric (sentchrf), or two systems."
        )
    return _tilted(Population(statistics), by_document, effect)


def can_be_centred(statistics: Statistics) -> bool:
    """Return whether the score is a mean of real numbers per segment, whose scale a shift does not leave.

    Whole numbers stay whole: right and wrong shifted by .03 would be ratings that nobody can make.
    """
    values = statistics.values
    mean = statistics.metric.is_segment_mean and len(values) == 2 and bool(np.all(values[1] == 1))
    return mean and values.dtype != np.float32


def centred(statistics: Statistics, effect: float = 0.0) -> Statistics:
    """Return the statistics of a segment mean with each system's segments shifted by a constant towards a common mean.

    Differences between the systems' totals are exactly `effect` times the real ones, up to half a step of the grid
    that real scores stand on; with effect 0 they are 0. Where a shift is no whole number of steps, some segments are
    shifted by one step more, as adding must stay exact.
    """
    grid = 2 / statistics.rounding
    sums = statistics.values[0].sum(axis=-1)
    wanted = np.rint((effect * sums + (1 - effect) * sums.mean()) * grid) - np.rint(sums * grid)
    steps, more = np.divmod(wanted, statistics.n)
    shifts = steps[:, None] + (np.arange(statistics.n) < more[:, None])
    values = statistics.values.copy()
    values[0] += shifts / grid
    return replace(statistics, values=values)


def _tilted(real: Population, by_document: bool, effect: float) -> Population:
    """Return the population with the weights of the units that make the difference `effect` times what it is."""
    tilt = _Tilt.of(real.statistics.by_document() if by_document else real.statistics)
    weights = tilt.weights(effect)
    document_of = real.statistics.document_of
    if by_document and document_of is not None:
        weights = weights[np.unique(document_of, return_inverse=True)[1]]
    variant = replace(real, weights=weights, origin="the test set, tilted")
    left = variant.effective(by_document)
    if left < FEWEST:
        units = "documents" if by_document else "segments"
        raise _impossible(f"the probabilities would be so unequal that the effective number of {units} is {left:.1f}")
    return variant


@dataclass(frozen=True, eq=False)
class _Tilt:
    """The difference of two systems as a function of the weights of n units; values: shape (k, 2, n)."""

    metric: Metric
    values: Floats

    @classmethod
    def of(cls, statistics: Statistics) -> "_Tilt":
        """Return the tilt of two systems on these units."""
        return cls(statistics.metric, statistics.values.astype(np.float64))

    def weights(self, effect: float) -> Floats:
        """Return weights of mean 1 under which the difference is `effect` times the real one; shape (n,).

        Gently, step after step: each takes the influences where the one before arrived. At the end steps stay where
        they are until nothing moves.
        """
        weights = np.ones(self.values.shape[-1])
        real = self.difference(weights)
        if effect == 1 or real == 0:
            return weights
        for share in np.linspace(1, effect, _STEPS + 1)[1:]:
            weights = self._next(weights, share * real, real)
        for _ in range(_MOST_STEPS):
            before, weights = weights, self._next(weights, effect * real, real)
            if np.allclose(before, weights, rtol=1e-9):
                break
        if not abs(self.difference(weights) - effect * real) <= 1e-6 * abs(real):
            raise _impossible("the score is discontinuous where they would agree")
        return weights

    def difference(self, weights: Floats) -> float:
        """Return the difference of the scores at the weighted totals."""
        first, second = self.metric.score(self._totals(weights))
        return float(first - second)

    def _totals(self, weights: Floats) -> Floats:
        # einsum's plain loop adds in one order whatever the number of threads.
        return np.asarray(np.einsum("ksn,n->ks", self.values, weights))

    def _influence(self, weights: Floats) -> Floats:
        """Return each unit's influence on the difference at the weighted totals, in standard deviations."""
        slopes = self.metric.gradient(self._totals(weights)) * np.array([1.0, -1.0])
        moved = np.einsum("ks,ksn->n", slopes, self.values)
        if not np.all(np.isfinite(moved)):
            raise _impossible("the jackknife is undefined where they would agree")
        spread = moved.std()
        return np.asarray(moved / spread if spread > 0 else moved)

    def _next(self, weights: Floats, wanted: float, real: float) -> Floats:
        """Return the tilt by the influences at these weights that makes the difference what is wanted."""
        pull = self._influence(weights)

        def tilted(steepness: float) -> Floats:
            exponents = steepness * pull
            weights = np.exp(exponents - exponents.max())
            return np.asarray(weights / weights.mean())

        return tilted(_root(lambda steepness: self.difference(tilted(steepness)) - wanted, -np.sign(real)))


def _root(gap: Callable[[float], float], direction: float) -> float:
    """Return where the gap is 0, looked for in one direction, the gentle tilts first."""
    start, reach = gap(0.0), 1 / 16
    if start == 0:
        return 0.0
    while reach <= _STEEPEST:
        if np.sign(gap(direction * reach)) == -np.sign(start):
            return float(scipy.optimize.brentq(gap, 0.0, direction * reach, xtol=1e-15, rtol=1e-14))
        reach *= 2
    raise _impossible("the same system always scores higher")


def _impossible(why: str) -> NotApplicable:
    return NotApplicable(f"These two systems cannot be given equal scores by sampling some units more often: {why}.")


Null = Literal["exchangeable", "equal-scores"]

NULLS: dict[str, str] = {
    "exchangeable": "systems that are exchangeable",
    "equal-scores": "systems of equal score that are not exchangeable",
}
"""The nulls of which test sets are drawn, and what they are in words."""

Made = Literal["exchanged", "centred", "tilted"]
Drawn = Literal["auto", "segments", "documents"]

LITTLE_SHARE = 0.2
"""A tilt that leaves less of the units in effect than this makes a population unlike the data, which is to be said."""


@dataclass(frozen=True, eq=False)
class World:
    """A population, and towards which null and how far it was changed."""

    population: Population
    null: Null
    effect: float

    @property
    def made(self) -> Made:
        if self.null == "exchangeable":
            return "exchanged"
        return "centred" if self.population.weights is None else "tilted"

    @property
    def truth(self) -> float:
        """The true difference of two systems; exactly 0 without an effect, as what solving for it left is none."""
        return self.population.true_difference(*self.population.systems) if self.effect else 0.0

    def share(self, by_document: bool) -> float:
        """Return the effective share of the units that are drawn, 1 where all are drawn alike."""
        chances = self.population.chances(by_document)
        return 1.0 if self.population.weights is None else self.population.effective(by_document) / len(chances)


def world_of(alone: Statistics, null: Null, effect: float, by_document: bool) -> World:
    """Return the statistics as a world: `effect` of the real difference is left, 0 making a true null."""
    if null == "exchangeable":
        return World(Population(alone, effect), null, effect)
    return World(equal_scores(alone, by_document, effect), null, effect)


def draws_documents(alone: Statistics, drawn: Drawn, unit: Unit) -> bool:
    """Return whether whole documents are drawn."""
    documents = alone.n_documents
    if drawn == "documents" and documents is None:
        raise NotApplicable("Documents cannot be sampled: no document ids were given (docids.txt, one per line).")
    return drawn == "documents" or (
        drawn == "auto" and documents is not None and documents >= MIN_DOCUMENTS and unit != "segment"
    )


def units_of(size: int, alone: Statistics, by_document: bool) -> int:
    """Return how many units make a test set of about `size` segments."""
    if not by_document:
        return size
    count = round(size * (alone.n_documents or 1) / alone.n)
    if count < MIN_DOCUMENTS:
        raise NotApplicable(
            f"{size} segments are about {count} documents here, but inference over documents needs {MIN_DOCUMENTS}. "
            "Choose larger sizes, or sample segments."
        )
    return count
