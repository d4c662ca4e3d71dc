"""Tests of two metrics: Williams' test, and exchanges of scores, each with its words, limits and known errors.

See docs/statistics/meta-eval.md, section 6.

Items generalise to other segments with these systems, systems to other systems.

Hybrids of two metrics: their scores go in, exchanged by a named unit; their differences come out.

See docs/statistics/meta-eval.md, section 6.

Scores are standardised first, so that what is exchanged is on one scale.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import ClassVar, TypeAlias

import numpy as np

from mtsig._probability import clopper_pearson, count_extreme, monte_carlo_p, t_above
from mtsig._records import Floats, Index
from mtsig.citations import Citations
from mtsig.corpus import Note
from mtsig.corpus._notes import listed
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference import Outcome, Settings, SignificanceTest
from mtsig.inference._significance import computed
from mtsig.inference._targets import Pairs
from mtsig.meta_eval import _groups, _rated_data, _statistic, _systems
from mtsig.meta_eval._systems import SoftPairwiseAccuracy, normal_of_sums
from mtsig.resampling import BLOCK, Purpose, Swap, Words

FEWEST = 4

SAME = 1e-12
"""Metrics that correlate by no less than 1 − this, or −1 + this, are the same but for rounding."""


@dataclass(frozen=True)
class Williams:
    """t with s − 3 degrees of freedom, positive when the first metric correlates better, and its p."""

    t: float
    df: int
    p_value: float


def williams(first: float, second: float, between: float, systems: int, alternative: str = "two-sided") -> Williams:
    """Test two dependent correlations with the same human ratings (Williams 1959).

    See Graham (2014). first, second: the metrics' correlations with the ratings. between: the metrics' correlation with
    each other. The p-value is 1 if one metric is a linear function of the other.

    Raises
    ------
    NotApplicable
        There are fewer than 4 systems.

    Examples
    --------
    >>> from mtsig.meta_eval import williams
    >>> round(williams(0.9, 0.6, 0.7, 12).p_value, 3)
    0.029
    """
    if systems < FEWEST:
        raise NotApplicable(f"Williams's test needs at least {FEWEST} systems; found {systems}.")
    if any(map(math.isnan, (first, second, between))):
        return Williams(math.nan, systems - 3, math.nan)
    if 1 - abs(between) <= SAME:
        return Williams(0.0, systems - 3, 1.0)
    k = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    spread = 2 * max(k, 0.0) * (systems - 1) / (systems - 3) + ((first + second) / 2) ** 2 * (1 - between) ** 3
    t = (first - second) * math.sqrt((systems - 1) * (1 + between)) / math.sqrt(spread) if spread > 0 else math.nan
    tails = {"greater": t, "less": -t, "two-sided": abs(t)}
    p = float(t_above(np.float64(tails[alternative]), systems - 3))
    return Williams(t, systems - 3, min(1.0, 2 * p) if alternative == "two-sided" else p)


def _correlations(rated: _rated_data.RatedData, names: Sequence[str]) -> Floats:
    """Return the correlations of systems' scores by each of these; NaN with one that gives all systems the same."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.corrcoef(np.stack([rated.system_scores(name) for name in names])))


def one_line(rated: _rated_data.RatedData, first: str, second: str) -> bool:
    """Return whether two metrics' scores of systems lie on one line, so that they correlate alike with anything."""
    return bool(1 - abs(_correlations(rated, (first, second))[0, 1]) <= SAME)


def williams_p(rated: _rated_data.RatedData, first: str, second: str, alternative: str = "two-sided") -> float:
    """Return the p of Williams's test of two metrics' correlations with people over systems."""
    r = _correlations(rated, (rated.human.name, first, second))
    return williams(float(r[0, 1]), float(r[0, 2]), float(r[1, 2]), len(rated.systems), alternative).p_value


Bits: TypeAlias = Callable[[Purpose, int], Floats]
"""Purpose and size -> so many random bits for each exchange of a block, shape (b, size)."""


@dataclass(frozen=True)
class Exchange(SignificanceTest):
    """Exchange scores between two metrics; subclasses say what is exchanged as a whole.

    `exchanged`: what that is, as users type it. `over`: to what it generalises; what is resampled for its intervals.
    `of_segments`: whether anything of segments is exchanged, so that scores of whole systems are not enough.
    `of_parts`: whether metrics of whole corpora are exchanged by what every segment brings to a system's score.
    `enumerable`: whether any systems may be exchanged, so that all exchanges can be gone through where there are few.
    """

    scheme: Swap = field(default_factory=Swap)

    exchanged: ClassVar[str] = ""
    over: ClassVar[_statistic.Over] = "both"
    of_segments: ClassVar[bool] = True
    of_parts: ClassVar[bool] = True
    enumerable: ClassVar[bool] = False
    interval = "percentile"
    cites: ClassVar[Citations] = ("deutsch-2021",)

    def __call__(self, pairs: Pairs) -> Outcome:
        """Raise NotApplicable: it exchanges scores of metrics."""
        del pairs
        raise NotApplicable(f"{self.name} compares metrics: see compare_metrics().")

    def check(self, hybrids: "Hybrids") -> None:
        """Raise InvalidOption or NotApplicable where it does not go with the statistic, or with so few systems."""

    def mask(self, bits: Bits, hybrids: "Hybrids") -> Floats:
        """Return which are exchanged, by random `bits`: systems, shape (b, s), units (b, u), or cells (b, s, n)."""
        raise NotImplementedError

    def outcome(self, hybrids: "Hybrids", difference: Floats) -> tuple[Outcome, Floats]:
        """Return what the test says of all pairs of metrics, and the differences that it speaks of; shape (m,).

        `difference`: those of the statistic, shape (m,); scores that are exchanged are on a scale of their own.
        """
        del difference
        drawn, observed = hybrids.null()
        null, complete = np.nan_to_num(drawn, nan=0.0), hybrids.enumerated
        extreme = count_extreme(null, np.nan_to_num(observed), hybrids.settings.alternative)
        draws = null.shape[1]
        p = extreme / draws if complete else monte_carlo_p(extreme, draws)
        low, high = (p, p) if complete else clopper_pearson(extreme.astype(np.float64), draws)
        p, low, high = (np.where(np.isnan(observed), np.nan, x) for x in (p, low, high))
        return Outcome(p, low, high, np.full(len(p), complete), null, complete), observed

    def notes(self, hybrids: "Hybrids") -> list[Note]:
        """Return what to know of the test: how often it errs, of whom it speaks, and its smallest p."""
        del hybrids
        return (
            [Note("warning", f"{self.name}: {self.anticonservative_reason}.")] if self.anticonservative_reason else []
        )


FEWEST_EXCHANGED = 6
"""With 5 systems the smallest two-sided p is .0625."""

# What is known of tests between metrics that agree equally well and are unlike otherwise (docs/meta-eval.md).
NOT_NORMAL = (
    "Williams's test assumes normal system scores: if a metric is far off on a few systems, the test's "
    "false-positive rate at α = .05 is 10–12%."
)
HEAVY_TAILS = (
    "If a few segment scores of one metric are far from the others, the false-positive rate of the test of Pearson's r "
    "at α = .05 is 10–15%."
)
OF_DOCUMENTS = (
    "Segments are treated as independent: if the segments of a document share a metric's errors, the test's "
    "false-positive rate at α = .05 is 11–14%."
)


class OfParts(Exchange):
    """An exchange of what segments bring to systems' scores."""

    def check(self, hybrids: "Hybrids") -> None:
        """Raise InvalidOption: a statistic within groups has no such parts, unless sums say everything of it."""
        statistic = hybrids.statistic
        if isinstance(statistic, _groups.OfGroups) and not hybrids.additive:
            raise InvalidOption(
                f"{statistic.name} by items must also be swapped by item. Found: computed by {statistic.by}, swapped "
                f"by {self.exchanged}."
            )

    def notes(self, hybrids: "Hybrids") -> list[Note]:
        """Return what to know of the test."""
        return [*super().notes(hybrids), *([Note("note", HEAVY_TAILS)] if hybrids.additive else [])]


def _of_these(hybrids: "Hybrids") -> Note:
    return Note("note", f"Results apply to these {len(hybrids.rated.systems)} systems only.")


@dataclass(frozen=True)
class Items(OfParts):
    """Exchange all systems' scores of a segment, or of a document."""

    exchanged: ClassVar[str] = "item"
    over: ClassVar[_statistic.Over] = "segments"
    name = "exchange-item"
    label = "exchange of item"
    estimand = "are segment scores exchangeable between the metrics? On these systems, for other segments"

    def mask(self, bits: Bits, hybrids: "Hybrids") -> Floats:
        """Return which units are exchanged, shape (b, u)."""
        return bits(Purpose.EXCHANGED_ITEMS, int(hybrids.units.max()) + 1)

    def notes(self, hybrids: "Hybrids") -> list[Note]:
        """Return what to know of the test."""
        dependent = not hybrids.by_item and hybrids.rated.unit(hybrids.settings.unit) == "segment"
        return [_of_these(hybrids), *super().notes(hybrids), *([Note("note", OF_DOCUMENTS)] if dependent else [])]


@dataclass(frozen=True)
class Systems(Exchange):
    """Exchange all scores of a system."""

    exchanged: ClassVar[str] = "systems"
    over: ClassVar[_statistic.Over] = "systems"
    of_segments: ClassVar[bool] = False
    of_parts: ClassVar[bool] = False
    enumerable: ClassVar[bool] = True
    name = "exchange-systems"
    label = "exchange of systems"
    estimand = "are system scores exchangeable between the metrics? For other systems"
    anticonservative_reason = (
        "at α = .05 its false-positive rate is up to 8% with 8 systems, and 10% where one metric is far off on a few"
    )

    def check(self, hybrids: "Hybrids") -> None:
        """Raise InvalidOption where the statistic is not made by item, and NotApplicable of too few systems."""
        statistic, systems = hybrids.statistic, len(hybrids.rated.systems)
        if isinstance(statistic, _groups.OfGroups) and not (hybrids.by_item or hybrids.additive):
            raise InvalidOption(f"{statistic.name} by {statistic.by} cannot be compared by swapping systems.")
        if systems < FEWEST_EXCHANGED:
            raise NotApplicable(
                f"{systems} systems: the smallest attainable p is {2 / 2**systems:.4g}.".replace("0.", ".")
            )

    def mask(self, bits: Bits, hybrids: "Hybrids") -> Floats:
        """Return which systems are exchanged, shape (b, s)."""
        return bits(Purpose.EXCHANGED_SYSTEMS, len(hybrids.rated.systems))

    def notes(self, hybrids: "Hybrids") -> list[Note]:
        """Return what to know of the test."""
        least = 2 / 2 ** len(hybrids.rated.systems)
        text = f"The smallest p that exchanges of systems can give is {least:.2g}."
        return [*super().notes(hybrids), Note("note", text)]


class OfGrid(OfParts):
    """An exchange of single scores, systems and segments being a grid."""

    def check(self, hybrids: "Hybrids") -> None:
        """Raise InvalidOption: soft accuracy has no parts of single scores, either."""
        if isinstance(hybrids.statistic, _systems.SoftPairwiseAccuracy):
            raise InvalidOption("Soft pairwise accuracy is compared by item or by systems.")
        super().check(hybrids)


@dataclass(frozen=True)
class Both(OfGrid):
    """Exchange the scores of some systems on some segments, and those of the others on the others."""

    exchanged: ClassVar[str] = "both"
    name = "exchange-both"
    label = "exchange of both"
    estimand = "are system scores, or segment scores, exchangeable between the metrics? On these systems"

    def mask(self, bits: Bits, hybrids: "Hybrids") -> Floats:
        """Return which cells are exchanged, shape (b, s, n)."""
        of_systems = bits(Purpose.EXCHANGED_SYSTEMS, len(hybrids.rated.systems))[:, :, None]
        of_items = bits(Purpose.EXCHANGED_ITEMS, int(hybrids.units.max()) + 1)[:, None, hybrids.units]
        return np.abs(of_systems - of_items)

    def notes(self, hybrids: "Hybrids") -> list[Note]:
        """Return what to know of the test."""
        return [_of_these(hybrids), *super().notes(hybrids)]


@dataclass(frozen=True)
class Cells(OfGrid):
    """Exchange every single score by itself."""

    exchanged: ClassVar[str] = "cells"
    name = "exchange-cells"
    label = "exchange of cells"
    estimand = "are single scores exchangeable between the metrics?"
    anticonservative_reason = (
        "every score is treated as independent, as in PERM-BOTH, so results do not apply to other systems or segments"
    )

    def mask(self, bits: Bits, hybrids: "Hybrids") -> Floats:
        """Return which cells are exchanged, shape (b, s, n)."""
        systems, segments = len(hybrids.rated.systems), hybrids.rated.n
        return bits(Purpose.EXCHANGED_CELLS, systems * segments).reshape(-1, systems, segments)


@dataclass(frozen=True)
class Decisions(Exchange):
    """Exchange every decision on a pair of translations, exactly."""

    exchanged: ClassVar[str] = "pairs"
    of_parts: ClassVar[bool] = False
    name = "exchange-pairs"
    label = "exchange of pairs"
    estimand = "are decisions on pairs exchangeable between the metrics?"
    anticonservative_reason = (
        "it treats pairs that share systems as independent: at α = .05 its false-positive rate is about 20% with 10 "
        "systems"
    )

    def check(self, hybrids: "Hybrids") -> None:
        """Raise InvalidOption where the statistic is no share of such decisions."""
        if not hybrids.statistic.of_decisions:
            known = listed([statistic.name for statistic in _systems.STATISTICS.values() if statistic.of_decisions])
            raise InvalidOption(f"Exchanging decisions on pairs is possible only for {known} alone.")

    def outcome(self, hybrids: "Hybrids", difference: Floats) -> tuple[Outcome, Floats]:
        """Return the exact p of all pairs of metrics."""
        right = [self._right(hybrids, name) for name in hybrids.names]
        only = (((right[x] & ~right[y]).sum(), (right[y] & ~right[x]).sum()) for x, y in hybrids.each())
        p = np.array([pairs_p(int(first), int(second), hybrids.settings.alternative) for first, second in only])
        return computed(p, exact=True), difference

    def _right(self, hybrids: "Hybrids", name: str) -> np.ndarray:
        fitted = hybrids.statistic.fitted(hybrids.rated, name)
        if not isinstance(fitted, _groups.OfGroups) or fitted.by != "item":
            raise InvalidOption("Decisions on pairs are exchanged by item.")
        return np.asarray(fitted.terms(hybrids.rated.ratings, hybrids.rated.cells(name))[0] > 0)


def pairs_p(only_first: int, only_second: int, alternative: str = "two-sided") -> float:
    """Return the p of exchanging every decision on a pair, exactly: an exact McNemar test.

    P(Bin(only_first + only_second, ½) ≥ only_first) when the first is declared better. It treats pairs that share
    systems as independent, as mt-metrics-eval's perm_test="pairs" does.
    """
    from scipy.stats import binom

    trials = only_first + only_second
    above, below = (float(binom.sf(count - 1, trials, 0.5)) for count in (only_first, only_second))
    if alternative == "two-sided":
        return min(1.0, 2 * min(above, below))
    return above if alternative == "greater" else below


@dataclass(frozen=True)
class WilliamsTest(Exchange):
    """Williams's test of two correlations that share the people's scores, which exchanges nothing."""

    exchanged: ClassVar[str] = "williams"
    over: ClassVar[_statistic.Over] = "systems"
    of_segments: ClassVar[bool] = False
    of_parts: ClassVar[bool] = False
    cites: ClassVar[Citations] = ("williams-1959", "graham-2014")
    name = "williams"
    label = "Williams t test"
    estimand = "are the two correlations with the human ratings equal?"

    def check(self, hybrids: "Hybrids") -> None:
        """Raise InvalidOption where the statistic is not Pearson's correlation of systems."""
        if not isinstance(hybrids.statistic, _systems.Pearson):
            raise InvalidOption("Williams's test compares Pearson correlations of systems' scores: choose pearson.")

    def outcome(self, hybrids: "Hybrids", difference: Floats) -> tuple[Outcome, Floats]:
        """Return the p of all pairs of metrics."""
        names = [(hybrids.names[x], hybrids.names[y]) for x, y in hybrids.each()]
        alternative = hybrids.settings.alternative
        p = np.array([williams_p(hybrids.rated, first, second, alternative) for first, second in names])
        return computed(p, exact=True), difference

    def notes(self, hybrids: "Hybrids") -> list[Note]:
        names = [(hybrids.names[x], hybrids.names[y]) for x, y in hybrids.each()]
        same = [
            Note("note", f"{first} and {second}: the two metrics have the same scores here, so p is 1.")
            for first, second in names
            if one_line(hybrids.rated, first, second)
        ]
        return [*super().notes(hybrids), Note("note", NOT_NORMAL), *same]


EXCHANGES: dict[str, Exchange] = {
    exchange.exchanged: exchange for exchange in (Items(), Systems(), Both(), Cells(), Decisions(), WilliamsTest())
}
"""What may be exchanged between two metrics, by the names that users type; put your own here, or give it itself."""


ENUMERATED_SYSTEMS = 20
"""Up to so many systems all exchanges are enumerated, where they are no more than the draws, or soon done."""
SOON_DONE = 2**15

ROWS = 256
"""Exchanges whose items are held in memory at once."""


@dataclass(frozen=True, eq=False)
class Hybrids:
    """All pairs of metrics, and the exchange between the two of a pair."""

    rated: _rated_data.RatedData
    statistic: _statistic.Statistic
    names: Sequence[str]
    exchange: Exchange
    settings: Settings

    @property
    def pairs(self) -> tuple[Index, Index]:
        """The pairs of metrics, each once, as positions: the first and the second of each."""
        pairs = np.array(list(combinations(range(len(self.names)), 2)), dtype=np.int64)
        return pairs[:, 0], pairs[:, 1]

    def each(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs of metrics."""
        return iter(zip(*(x.tolist() for x in self.pairs), strict=True))

    @property
    def units(self) -> Index:
        """The unit of each segment, shape (n,)."""
        return self.rated.units(self.settings.unit)

    @property
    def by_systems(self) -> bool:
        """Whether all scores of a system are exchanged as a whole."""
        return self.exchange.over == "systems"

    @property
    def additive(self) -> bool:
        """Whether sums of powers over all that is exchanged say everything of the statistic."""
        statistic = self.statistic
        return isinstance(statistic, _groups.SegmentPearson) and statistic.by == "none"

    @property
    def by_item(self) -> bool:
        """Whether the statistic is a mean over segments."""
        return isinstance(self.statistic, _groups.OfGroups) and self.statistic.by == "item"

    @property
    def enumerated(self) -> bool:
        """Whether all exchanges are gone through, and none drawn."""
        every = 2 ** len(self.rated.systems)
        # Statistics of segments are worked out anew for every exchange.
        soon = 0 if self.by_item else SOON_DONE
        return (
            self.exchange.enumerable
            and len(self.rated.systems) <= ENUMERATED_SYSTEMS
            and every <= max(soon, self.settings.n_resamples)
        )

    def masks(self) -> Iterator[Floats]:
        """Yield which are exchanged: rows (b, s) of systems, (b, u) of units, or (b, s, n) of cells."""
        rated, settings = self.rated, self.settings
        systems = len(rated.systems)
        if self.enumerated:
            for start in range(0, 2**systems, 2**12):
                numbers = np.arange(start, min(start + 2**12, 2**systems))[:, None]
                yield ((numbers >> np.arange(systems)) & 1).astype(np.float64)
            return
        for start in range(0, settings.n_resamples, BLOCK):
            rows, block = min(BLOCK, settings.n_resamples - start), start // BLOCK

            def bits(purpose: Purpose, size: int, rows: int = rows, block: int = block) -> Floats:
                return Words(settings.seed, block, purpose).bits(rows, size).astype(np.float64)

            yield self.exchange.mask(bits, self)

    def pooled(self, values: Floats) -> Floats:
        """Return the sums over what is exchanged as a whole: (…, n) gives (…, u) where items are."""
        units = self.units
        if self.exchange.over != "segments" or units.max() + 1 == len(units):
            return values
        return _statistic.pooled(values, units).astype(np.float64)

    def null(self) -> tuple[Floats, Floats]:
        """Return the differences under all exchanges, shape (m, b), and the observed ones on the same scale."""
        if isinstance(self.statistic, SoftPairwiseAccuracy):
            return self._soft()
        if self.by_systems and isinstance(self.statistic, _groups.OfGroups) and self.by_item:
            return self._items_of_hybrids(self.statistic)
        return self._hybrids()

    def _items_of_hybrids(self, statistic: _groups.OfGroups) -> tuple[Floats, Floats]:
        """Return what a mean over segments differs by when systems are exchanged: standardised scores.

        Both metrics' systems stand side by side, 2 s of them, and an exchange draws s, one of each. Thresholds for ties
        stay those of the metric whose scores are given away.
        """
        rated = self.rated
        human = np.concatenate([rated.ratings, rated.ratings])
        counted = statistic.counted(rated)
        scores, fitted = [], []
        for name in self.names:
            cells = rated.cells(name)
            spread = float(np.nanstd(cells)) or 1.0
            scores.append((cells - np.nanmean(cells)) / spread)
            own = statistic.fitted(rated, name)
            fitted.append(replace(own, epsilon=own.epsilon / spread) if isinstance(own, _groups.TiesEqual) else own)
        null, observed = [], []
        for x, y in self.each():
            both = np.concatenate([scores[x], scores[y]])
            a, b = (own.items_mean(human, both, counted) for own in (fitted[x], fitted[y]))

            def value(exchanged: Floats, a: _groups.ItemsMean = a, b: _groups.ItemsMean = b) -> Floats:
                kept, given = np.hstack([1 - exchanged, exchanged]), np.hstack([exchanged, 1 - exchanged])
                return a(kept) - b(given)

            observed.append(value(np.zeros((1, len(rated.systems))))[0])
            parts = (block[at : at + ROWS] for block in self.masks() for at in range(0, len(block), ROWS))
            null.append(np.concatenate(list(map(value, parts))))
        return np.stack(null), np.array(observed)

    def _hybrids(self) -> tuple[Floats, Floats]:
        rated, statistic = self.rated, self.statistic
        first, second = self.pairs
        if self.by_systems and not self.additive:
            scores = np.stack([rated.system_scores(name) for name in self.names])
            scores = on_one_scale(scores)[..., None]
            mask = np.ones_like(scores[0], dtype=bool)
        else:
            scores = np.stack([rated.parts(name) for name in self.names])
            scores = on_one_scale(scores.reshape(len(scores), -1)).reshape(scores.shape)
            mask = rated.mask
        values = np.where(mask, scores, 0.0)
        powers = [values]
        # Sums of powers over all that is exchanged say everything of a correlation, whatever the pair of metrics.
        additive = self.additive or (type(statistic) is _systems.Pearson and self.by_systems)
        if additive:
            people = rated.ratings if self.additive else rated.system_scores(rated.human.name)[:, None]
            human = np.where(mask, people - np.nanmean(people), 0.0)
            powers = [values, values**2, values * human]
        powers = [self.pooled(x) for x in powers]

        def sums(x: Floats, exchanged: Floats | None) -> Floats:
            """Return the sums of what is exchanged over segments, (metrics, s, b); over everything, (metrics, b)."""
            if additive:
                if exchanged is None:
                    return np.asarray(x.sum(axis=(1, 2))[:, None])
                along = {"segments": 1, "systems": 2}.get(self.exchange.over)
                kept = x.reshape(len(x), -1) if along is None else x.sum(axis=along)
                return np.asarray(kept @ exchanged.reshape(len(exchanged), -1).T)
            if exchanged is None:
                return np.asarray(x.sum(axis=-1)[..., None])
            if exchanged.ndim == 3:
                return np.asarray(np.einsum("bst,mst->msb", exchanged, x, optimize=True))
            if self.by_systems:
                return np.asarray(x.sum(axis=-1)[..., None] * exchanged.T)
            return np.asarray(x @ exchanged.T)

        def value(totals: Sequence[Floats]) -> Floats:
            """Return the statistic of sums (m, s, b), or (m, b): shape (m, b)."""
            if additive:
                people_sums = np.array([human.sum(), np.square(human).sum()])
                total, square, product = totals
                n = float(mask.sum())
                terms = np.stack(
                    [
                        np.full_like(total, n),
                        np.full_like(total, people_sums[0]),
                        total,
                        np.full_like(total, people_sums[1]),
                        square,
                        product,
                    ]
                )
                return statistic.ratio(terms)  # type: ignore[attr-defined,no-any-return]
            if not isinstance(statistic, _systems.OfSystems):
                raise InvalidOption(f"{statistic.name} is not compared by {self.exchange.exchanged}.")
            means = totals[0] / mask.sum(axis=1)[:, None]
            people = rated.system_scores(rated.human.name)[:, None]
            shape = means.shape[0], means.shape[2]
            flat = means.transpose(1, 0, 2).reshape(means.shape[1], -1)
            people = np.broadcast_to(people, flat.shape)
            ones = np.ones((flat.shape[1], flat.shape[0]))
            return statistic.of(people, flat, ones).reshape(shape)

        whole = [sums(x, None) for x in powers]
        alone = value(whole)[:, 0]
        observed = alone[first] - alone[second]
        blocks = []
        for exchanged in self.masks():
            moved = [sums(x, exchanged) for x in powers]
            null = np.empty((len(first), len(exchanged)))
            for pair, (x, y) in enumerate(zip(first, second, strict=True)):
                both = [np.stack([t[x] - u[x] + u[y], t[y] - u[y] + u[x]]) for t, u in zip(whole, moved, strict=True)]
                a, b = value(both)
                null[pair] = a - b
            blocks.append(null)
        return np.concatenate(blocks, axis=1), observed

    def _soft(self) -> tuple[Floats, Floats]:
        """Return what soft pairwise accuracy differs by: p-values by the normal limit, standardised scores."""
        rated = self.rated
        left, right = rated.pairs
        first, second = self.pairs
        both = rated.mask[left] & rated.mask[right]
        shared = both.any(axis=1)

        def p_of(apart: Floats) -> tuple[Floats, Floats]:
            return apart.sum(axis=1), np.square(apart).sum(axis=1)

        units = rated.units("document") if getattr(self.statistic, "unit", "") == "document" else None

        def of_units(own: Floats, other: Floats) -> Floats:
            """Return the pairs' differences of what is turned as a whole in their p-values."""
            apart = np.where(both, own[left] - other[right], 0.0)
            return apart if units is None else _statistic.pooled(apart, units).astype(np.float64)

        human = normal_of_sums(*p_of(of_units(rated.ratings, rated.ratings)))
        cells = np.stack([rated.parts(name) for name in self.names])
        cells = on_one_scale(cells.reshape(len(cells), -1)).reshape(cells.shape)

        def accuracy(p: Floats) -> Floats:
            return np.asarray(1 - np.abs(human[:, None] - p)[shared].mean(axis=0))

        apart = [of_units(x, x) for x in cells]
        alone = accuracy(np.stack([normal_of_sums(*p_of(x)) for x in apart], axis=1))
        observed = alone[first] - alone[second]
        total = [x.sum(axis=1)[:, None] for x in apart]
        square = [np.square(x).sum(axis=1)[:, None] for x in apart]
        # By systems an exchanged pair's difference is of two metrics, if one of its systems is exchanged alone.
        mixed = [[normal_of_sums(*p_of(of_units(x, y))) for y in cells] for x in cells] if self.by_systems else []
        by_unit, square_by_unit = apart, [np.square(x) for x in apart]
        if units is None:
            by_unit, square_by_unit = [self.pooled(x) for x in by_unit], [self.pooled(x) for x in square_by_unit]
        blocks = []
        for exchanged in self.masks():
            null = np.empty((len(first), len(exchanged)))
            if self.exchange.over == "segments":
                moved, moved_square = ([x @ exchanged.T for x in every] for every in (by_unit, square_by_unit))
                for pair, (x, y) in enumerate(zip(first, second, strict=True)):
                    p = [
                        normal_of_sums(total[i] - moved[i] + moved[j], square[i] - moved_square[i] + moved_square[j])
                        for i, j in ((x, y), (y, x))
                    ]
                    null[pair] = accuracy(p[0]) - accuracy(p[1])
            else:
                here, there = exchanged[:, left].T > 0, exchanged[:, right].T > 0
                at = np.arange(len(left))[:, None]
                for pair, (x, y) in enumerate(zip(first, second, strict=True)):
                    table = np.array([[mixed[i][j] for j in (x, y)] for i in (x, y)])
                    p_a = table[here.astype(int), there.astype(int), at]
                    p_b = table[(~here).astype(int), (~there).astype(int), at]
                    null[pair] = accuracy(p_a) - accuracy(p_b)
            blocks.append(null)
        return np.concatenate(blocks, axis=1), observed


def on_one_scale(scores: Floats) -> Floats:
    """Return scores less their mean, in standard deviations, over the last axis; NaN of constant ones."""
    centred = scores - np.nanmean(scores, axis=-1, keepdims=True)
    spread = np.sqrt(np.nanmean(np.square(centred), axis=-1, keepdims=True))
    size = 1e-9 * np.maximum(1.0, np.nanmax(np.abs(scores), axis=-1, keepdims=True))
    return np.where(spread > size, centred / np.where(spread > size, spread, 1.0), np.nan)
