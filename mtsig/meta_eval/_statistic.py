"""What every statistic of agreement is, and its intervals over segments, systems or both.

A statistic is a closed form of sums over members of a group, or over pairs of them, as a metric is one of sums over
segments. So a resample needs no more than weights: how often each segment, and each system, was drawn. Deutsch et al.
(2021): rows with replacement, then columns with replacement, and what lies on both. One plan serves all metrics and
statistics, so that their resamples are paired (docs/statistics/meta-eval.md, section 4).
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mtsig._memory import remembered
from mtsig._options import check
from mtsig._records import FloatArray, Floats, Index, Mask
from mtsig._results import Public
from mtsig.citations import Citations
from mtsig.corpus import Note
from mtsig.inference._adjust import refuse_many
from mtsig.meta_eval._rated_data import RatedData, equal, once, signs
from mtsig.metrics._statistics import Unit
from mtsig.resampling import BLOCK, Bootstrap, Purpose, Words


def summed(table: Floats, of: Index, count: int) -> Floats:
    """Return the sums of a table's columns by group: (k, u) with groups of shape (u,) give (k, count)."""
    return np.array([np.bincount(of, row, minlength=count) for row in table]).reshape(len(table), count)


_MOST_SUMS = 2**24
"""Sums of resamples held at a time, but for one block."""


def sums_redrawn(sums: Floats, scheme: Bootstrap, statistic: Callable[[Floats], Floats]) -> Floats:
    """Return a statistic of the sums over resampled groups: (k, g) give (…, b), as the statistic takes (k, b)."""
    step = max(1, _MOST_SUMS // (len(sums) * BLOCK)) * BLOCK
    values = [
        statistic(sums @ weights[start : start + step].T.astype(np.float64))
        for weights in scheme.blocks(sums.shape[-1])
        for start in range(0, len(weights), step)
    ]
    return np.concatenate(values, axis=-1)


def percentiles(draws: Floats, level: float, value: float = float("nan")) -> tuple[float, float, int]:
    """Return the ends of the percentile interval of draws of shape (b,), and how many draws had no value.

    An interval holds what it is of. Statistics of few systems or items move to one side when these are resampled: twins
    agree with themselves, and p-values draw near to 0 and 1. So all percentiles may lie on one side of the value; then
    the nearer end is the value, which loses no coverage.
    """
    known = draws[~np.isnan(draws)]
    undefined = len(draws) - len(known)
    if not len(known):
        return float("nan"), float("nan"), undefined
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return float(np.fmin(low, value)), float(np.fmax(high, value)), undefined


def undefined_text(undefined: int, draws: int) -> str:
    """Return a warning where more than 1% of the draws had no value; "" else."""
    if undefined <= 0.01 * draws:
        return ""
    return f"{undefined:,} of {draws:,} resamples had no value and were left out, so the interval is uncertain"


Level: TypeAlias = Literal["system", "segment"]

FEWEST_CORRELATED = 3
"""Any two systems correlate by ±1."""


@dataclass(frozen=True, eq=False)
class Redraw:
    """b resamples of the data: how often each unit and each system was drawn.

    drawn: shape (b, u), or (1, u) where the segments stay as they are. systems: shape (b, s); None where the systems
    stay as they are. unit_of: the unit of each segment, shape (n,); None where each segment is one.
    known: what was worked out of it before, for every metric and statistic.
    """

    drawn: Floats
    systems: Floats | None = None
    unit_of: Index | None = None
    known: dict[Any, Any] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """How many resamples there are: b."""
        return len(self.drawn) if self.systems is None else len(self.systems)

    @property
    def segments(self) -> Floats:
        """How often each segment was drawn; shape (b, n)."""
        drawn = self.drawn if self.unit_of is None else self.drawn[:, self.unit_of]
        return np.broadcast_to(drawn, (self.size, drawn.shape[1]))

    def counts(self, systems: int) -> Floats:
        """Return how often each of so many systems was drawn; shape (b, systems)."""
        return np.ones((self.size, systems)) if self.systems is None else self.systems

    def pair_counts(self, systems: int) -> Floats:
        """Return how often each pair of so many systems was drawn, none with itself; (pairs, b), or (pairs, 1)."""
        drawn = np.ones((1, systems)) if self.systems is None else self.systems
        return once(self.known, ("pairs", self.systems is None), lambda: pair_counts(drawn).T)

    def signs(self, rated: RatedData, name: str) -> "Signs":
        """Return the signs of pairs' differences by a metric or by people in every resample; shape (pairs, b)."""
        return once(self.known, ("signs", name), lambda: signs_of_pairs(self.system_scores(rated, name)))

    def known_of(self, rated: RatedData, metric: str) -> "Redraw":
        """Return the same; with the segments as they are where the metric or people scored whole systems only."""
        if not rated.whole(metric):
            return self
        return once(self.known, ("alone",), lambda: replace(self, drawn=np.ones_like(self.drawn[:1]), known={}))

    def pooled(self, values: FloatArray) -> FloatArray:
        """Return the sums of `values` over each unit's segments: shape (…, n) gives shape (…, u)."""
        return values if self.unit_of is None else pooled(values, self.unit_of)

    def system_scores(self, rated: RatedData, name: str) -> Floats:
        """Return the systems' scores by a metric or by people in every resample, higher is better; shape (s, b)."""
        key, scored = ("pooled", name, self.drawn.shape[1]), rated[name]
        by_unit = once(rated.known, key, lambda: replace(scored, values=self.pooled(scored.values)))
        scores = once(self.known, ("scores", name), lambda: by_unit.of_systems(self.drawn))
        return np.broadcast_to(scores, (len(scores), self.size))


def pooled(values: FloatArray, unit_of: Index) -> FloatArray:
    """Return the sums over each unit's segments: (…, n) gives (…, u); units are numbered from 0 without gaps."""
    order = np.argsort(unit_of, kind="stable")
    starts = np.searchsorted(unit_of[order], np.arange(int(unit_of.max()) + 1))
    return np.add.reduceat(values[..., order], starts, axis=-1)


class Statistic(Public, ABC):
    """A statistic of agreement with human ratings; its fields are options.

    name: the name that users type. label: the name in tables. level: whether system or segment scores are compared.
    of_whole_systems: whether system-level scores suffice to compute it. of_decisions: whether it is the share of
    correct decisions on pairs of translations. correlates: whether it is a correlation.
    """

    name: ClassVar[str] = ""
    label: ClassVar[str] = ""
    level: ClassVar[Level] = "system"
    of_whole_systems: ClassVar[bool] = False
    of_decisions: ClassVar[bool] = False
    correlates: ClassVar[bool] = False
    cites: ClassVar[Citations] = ()

    def __post_init__(self) -> None:
        """Check the options."""
        check(self)

    @property
    def about(self) -> str:
        """A one-line description of the statistic."""
        return (type(self).__doc__ or "").partition("\n")[0]

    def refused(self, rated: RatedData, metric: str) -> str:
        """Return why a metric cannot have this statistic, in a sentence; empty if it can."""
        whole = rated.whole(metric)
        if whole and not self.of_whole_systems:
            having = "it has" if whole == metric else "there is"
            return f"There are only system-level scores of {whole}, so {having} no {self.label}."
        if self.level == "segment" and rated[metric].cells is None:
            return f"{metric} scores whole test sets, so it has no {self.label}."
        return ""

    def fitted(self, rated: RatedData, metric: str) -> Self:
        """Return the statistic with parameters that all resamples keep."""
        del rated, metric
        return self

    @abstractmethod
    def value(self, rated: RatedData, metric: str) -> float:
        """Return the value of the statistic; NaN if it is undefined."""

    @abstractmethod
    def redrawn(self, rated: RatedData, metric: str, redraw: Redraw) -> Floats:
        """Return the statistic of every resample, shape (b,); NaN if it is undefined."""

    def undefined(self, rated: RatedData, metric: str) -> str:
        """Return why the statistic is undefined, in a sentence, or ""."""
        if np.all(equal(rated.system_scores(rated.human.name), rated.system_scores(rated.human.name)[:1])):
            return "All ratings are equal, so agreement is undefined."
        if np.all(equal(rated.system_scores(metric), rated.system_scores(metric)[:1])):
            return f"{metric} gives all systems the same score."
        return ""


class Terms(ABC):
    """A closed form of sums over members, or over pairs of them; mixed into statistics.

    pairwise: whether the sums run over pairs.
    """

    pairwise: ClassVar[bool] = False

    @abstractmethod
    def terms(self, human: Floats, metric: Floats) -> Floats:
        """Return what is summed: scores (u, …), NaN where there are none, give (t, u, …), or (t, pairs, …)."""

    @abstractmethod
    def ratio(self, sums: Floats) -> Floats:
        """Return the statistic of sums: (t, …) gives (…), NaN where it is undefined."""


class SignTerms(Terms):
    """A closed form of sums over pairs, of which only the order counts."""

    pairwise = True

    @abstractmethod
    def of_signs(self, said: "PairSigns") -> NDArray[Any]:
        """Return what is summed of pairs: (t, pairs, …), whole numbers."""

    def terms(self, human: Floats, metric: Floats) -> Floats:
        """Return what is summed over pairs of these scores."""
        return self.of_signs(PairSigns.of(human, metric)).astype(np.float64)


def pair_positions(size: int) -> tuple[Index, Index]:
    """Return the first and the second member of each pair of so many, once each."""
    first, second = np.triu_indices(size, 1)
    return first, second


def pair_counts(counts: Floats) -> Floats:
    """Return how often each pair was drawn when its members were: (b, u) gives (b, pairs); none with itself."""
    first, second = pair_positions(counts.shape[1])
    return (counts.T[first] * counts.T[second]).T


_AT_ONCE = 2**15
"""Numbers of pairs that are worked on at a time: they fit a processor's cache; changes no digit."""


def some_pairs(pairs: int, columns: int, times: int = 1) -> Iterator[slice]:
    """Yield the pairs in parts that are worked on at a time, where each has so many numbers.

    times: as many at a time where matrices are multiplied, since threads cost more than small products.
    """
    step = max(1, times * _AT_ONCE // max(1, columns))
    return (slice(start, start + step) for start in range(0, pairs, step))


class Correlated(Terms):
    """Pearson's correlation, of weighted members."""

    correlates: ClassVar[bool] = True

    def terms(self, human: Floats, metric: Floats) -> Floats:
        """Return 1, h, m, h², m² and hm of centred scores; zeros where either is missing."""
        known = ~np.isnan(human) & ~np.isnan(metric)
        h, m = (_centred(np.where(known, scores, 0.0), known) for scores in (human, metric))
        return np.stack([known.astype(np.float64), h, m, h * h, m * m, h * m])

    def ratio(self, sums: Floats) -> Floats:
        """Return r; NaN where one side does not vary."""
        n, h, m, hh, mm, hm = sums
        with np.errstate(invalid="ignore", divide="ignore"):
            spread_h, spread_m = hh - h * h / n, mm - m * m / n
            r = (hm - h * m / n) / np.sqrt(spread_h * spread_m)
        # Sums of squares near the square of the tolerance are what rounding left of none.
        still = (spread_h <= 1e-14 * np.maximum(hh, 1e-4 * n)) | (spread_m <= 1e-14 * np.maximum(mm, 1e-4 * n))
        return np.where(still | ~np.isfinite(r), np.nan, np.clip(r, -1.0, 1.0))


def _centred(scores: Floats, known: np.ndarray) -> Floats:
    """Return scores less their mean, equal ones exactly 0; zeros where they are not known."""
    count = np.maximum(known.sum(axis=0), 1)
    mean = scores.sum(axis=0) / count
    centred = np.where(known, scores - mean, 0.0)
    size = 1e-9 * np.maximum(1.0, np.abs(scores).max(axis=0, initial=0.0))
    return np.where(np.abs(centred).max(axis=0, initial=0.0) <= size, 0.0, centred)


class TauB(SignTerms):
    """Kendall's τ_b."""

    correlates: ClassVar[bool] = True

    def of_signs(self, said: "PairSigns") -> NDArray[Any]:
        """Return the product of the signs, and whether people, and the metric, tell the two apart."""
        return np.stack([said.human * said.metric, np.abs(said.human), np.abs(said.metric)])

    def ratio(self, sums: Floats) -> Floats:
        """Return (C − D)/√((P − T_h)(P − T_m)); NaN where one side ties all."""
        with np.errstate(invalid="ignore", divide="ignore"):
            values = sums[0] / np.sqrt(sums[1] * sums[2])
        return np.where(np.isfinite(values), values, np.nan)


Signs: TypeAlias = NDArray[np.int8]


class PairSigns(NamedTuple):
    """The signs of all pairs' differences by people and by a metric, shape (pairs, …); 0 where one is missing.

    People's ties are 0 as well, and so are the metric's on pairs that both have. both: where nothing is missing.
    """

    human: Signs
    metric: Signs
    both: Mask

    @classmethod
    def of(cls, human: Floats, metric: Floats, h: Signs | None = None, m: Signs | None = None) -> "PairSigns":
        """Return the signs of scores (u, …); h, m: those of people and of the metric, where they are known."""
        h, m = signs_of_pairs(human) if h is None else h, signs_of_pairs(metric) if m is None else m
        known = ~np.isnan(human) & ~np.isnan(metric)
        if known.all():
            return cls(h, m, np.broadcast_to(True, h.shape))
        first, second = pair_positions(len(human))
        both = known[first] & known[second]
        return cls(h * both, m * both, both)

    def part(self, some: slice) -> "PairSigns":
        """Return those of some pairs."""
        return PairSigns(self.human[some], self.metric[some], self.both[some])


def signs_of_pairs(scores: Floats) -> Signs:
    """Return the signs of all pairs' differences; 0 where one is missing."""
    first, second = pair_positions(len(scores))
    made = np.empty((len(first), *scores.shape[1:]), dtype=np.int8)
    for some in some_pairs(len(first), scores[:1].size):
        with np.errstate(invalid="ignore"):
            made[some] = np.nan_to_num(signs(scores[first[some]], scores[second[some]]), copy=False)
    return made


def signs_added(statistic: SignTerms, said: PairSigns, weights: Floats) -> Floats:
    """Return the sums of a statistic over pairs that count so often: weights (pairs, b) give (t, b)."""
    total: Floats = np.zeros(())
    for some in some_pairs(len(weights), said.human[:1].size):
        total = total + (statistic.of_signs(said.part(some)) * weights[some]).sum(axis=1)
    return total


class Right(SignTerms):
    """The share of pairs that people tell apart on which the metric has the same sign."""

    def of_signs(self, said: PairSigns) -> NDArray[Any]:
        """Return whether the signs agree, and whether people tell the two apart."""
        return np.stack([said.human * said.metric > 0, said.human != 0])

    def ratio(self, sums: Floats) -> Floats:
        """Return right/pairs; NaN without any."""
        return share(sums[0], sums[1])


def share(part: Floats, whole: Floats) -> Floats:
    """Return part/whole, NaN of nothing."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(np.asarray(whole) > 0, np.divide(part, whole), np.nan)


def midranks(scores: Floats, weights: Floats) -> Floats:
    """Return the midranks of scores (u, …) of which each counts so often; NaN scores have weight 0 and rank 0."""
    midranks = np.zeros(np.broadcast_shapes(scores.shape, weights.shape))
    for other, weight in zip(scores, weights, strict=True):
        with np.errstate(invalid="ignore"):
            above = np.nan_to_num(0.5 + 0.5 * signs(scores, other[None]), nan=0.0)
        midranks += weight * above
    return midranks


Over: TypeAlias = Literal["segments", "systems", "both"]
"""What is resampled: other segments, other systems, or both."""

FEWEST_SYSTEMS = 5
"""Fewer systems cannot stand for other systems."""

MOST_DROPPED = 0.01
"""From this share of undefined draws on, an interval deserves a warning."""


def redraws(rated: RatedData, over: Over, draws: int, seed: int, unit: Unit = "auto") -> Iterator[Redraw]:
    """Yield blocks of resamples: the same for every metric and statistic.

    Documents are drawn whole where they are the units.
    """
    units, systems = rated.units(unit), len(rated.systems)
    count = int(units.max()) + 1
    unit_of = None if count == rated.n else units
    scheme = Bootstrap(draws, seed, "segment")
    # Blocks of as many rows, whatever yields them: rows of systems go by their number, too.
    segments = _rows(scheme.blocks(count)) if over != "systems" else None
    for start in range(0, draws, BLOCK):
        size = min(BLOCK, draws - start)
        drawn = np.ones((1, count)) if segments is None else next(segments).astype(np.float64)
        yield Redraw(drawn, None if over == "segments" else _systems(seed, start // BLOCK, size, systems), unit_of)


def _rows(blocks: Iterator[np.ndarray]) -> Iterator[np.ndarray]:
    part: list[np.ndarray] = []
    for block in blocks:
        if len(block) < BLOCK:  # of many units a part of a block comes at a time
            part.append(block)
            if sum(map(len, part)) < BLOCK:
                continue
            block, part = np.concatenate(part), []
        yield from (block[start : start + BLOCK] for start in range(0, len(block), BLOCK))
    if part:
        yield np.concatenate(part)


def _systems(seed: int, block: int, rows: int, systems: int) -> Floats:
    """Return how often each system is drawn; shape (rows, systems)."""
    halves = Words(seed, block, Purpose.DRAWN_SYSTEMS).halves(rows, systems)
    drawn = ((halves * np.uint64(systems)) >> np.uint64(32)).astype(np.int64)
    return np.stack([np.bincount(row, minlength=systems) for row in drawn]).astype(np.float64)


@dataclass(frozen=True, eq=False)
class Drawn:
    """The values of statistics and metrics in b resamples.

    values: by statistic and metric, shape (b,) each, NaN where undefined.
    """

    values: dict[tuple[str, str], Floats]
    over: Over

    def ends(self, statistic: str, metric: str, level: float, value: float = float("nan")) -> tuple[float, float]:
        """Return the percentile interval, which holds the value, of the draws in which there is one; NaN without."""
        kept = self._kept(statistic, metric)
        return percentiles(kept, level, value)[:2] if len(kept) > 1 else (float("nan"), float("nan"))

    def dropped(self, statistic: str, metric: str) -> int:
        """Return in how many resamples the statistic has no value."""
        return len(self.values[statistic, metric]) - len(self._kept(statistic, metric))

    def _kept(self, statistic: str, metric: str) -> Floats:
        values = self.values[statistic, metric]
        return values[~np.isnan(values)]


def redrawn(
    rated: RatedData,
    statistics: Sequence[Statistic],
    over: Over = "both",
    *,
    draws: int = 10_000,
    seed: int = 12345,
    unit: Unit = "auto",
) -> Drawn:
    """Return the values of the statistics of all metrics that have them, in resamples that all of them share.

    What a statistic takes from the data, such as a threshold for ties, is fitted once, on all of them. Of a metric with
    scores of whole systems only, systems are resampled alone, with human ratings as they are; and of all metrics where
    people scored whole systems only. No value where segments are resampled alone.
    """
    asked = {
        (statistic.name, metric.name): statistic.fitted(rated, metric.name)
        for statistic in statistics
        for metric in rated.metrics
        if not statistic.refused(rated, metric.name)
    }
    if any(
        statistic.level == "system" and (not isinstance(statistic, Terms) or statistic.pairwise)
        for statistic in statistics
    ):
        refuse_many(len(rated.systems))
    units = rated.units(unit).tobytes() if over != "systems" else b""
    enough = over == "segments" or len(rated.systems) >= FEWEST_SYSTEMS
    # Tests between metrics ask for the same segments with the systems as they are: most of that is worked out here.
    overs: tuple[Over, ...] = (over, "segments") if over == "both" and enough else (over,)
    people, own = _digest(rated, rated.human.name), {name: _digest(rated, name) for name in rated.names}
    places = {
        (of, name, metric): _place((people, units, of, draws, seed, own[metric], statistic))
        for of in overs
        for (name, metric), statistic in asked.items()
        if of == over or (statistic.level == "system" and not rated.whole(metric))
    }
    new = {place: np.full(draws, np.nan) for place, kept in places.items() if not kept}
    if new and enough:
        start = 0
        for redraw in redraws(rated, over, draws, seed, unit):
            stop = start + len(redraw.segments)
            for (of, name, metric), drawn in new.items():
                known = redraw.known_of(rated, metric) if of == over else replace(redraw, systems=None)
                if known is redraw or redraw.systems is not None:
                    drawn[start:stop] = asked[name, metric].redrawn(rated, metric, known)
            start = stop
    for place, drawn in new.items():
        drawn.setflags(write=False)
        places[place].append(drawn)
    return Drawn({(name, metric): places[over, name, metric][0] for name, metric in asked}, over)


@remembered(most=2**9)
def _place(key: Hashable) -> list[Floats]:
    """Return where the draws of one statistic of one metric are kept: another metric beside it changes none of them."""
    del key
    return []


def _digest(rated: RatedData, name: str) -> bytes:
    """Return what tells a metric's scores, on the cells that count, from all others."""
    scored, digest = rated[name], hashlib.blake2b(repr(rated[name].statistics.metric).encode(), digest_size=16)
    for part in (scored.values, scored.cells, rated.mask):
        if part is not None:
            digest.update(repr((part.shape, part.dtype)).encode())
            digest.update(part.tobytes())
    return digest.digest()


def interval_notes(rated: RatedData, drawn: Drawn) -> tuple[Note, ...]:
    """Return what to know of the intervals: that systems are too few, or that many resamples have no value."""
    systems = len(rated.systems)
    if drawn.over != "segments" and systems < FEWEST_SYSTEMS:
        return (Note("warning", f"{systems} systems are too few to generalise from; no interval over systems."),)
    notes = []
    for whole in filter(None, dict.fromkeys(map(rated.whole, rated.names))):
        if drawn.over != "systems":
            said = "its intervals resample systems" if whole in rated.names else "all intervals resample systems"
            said = "there is no interval over segments" if drawn.over == "segments" else said
            notes.append(Note("note", f"There are only system-level scores of {whole}: {said} alone."))
    if drawn.over != "segments":
        notes.append(Note("note", f"Intervals over systems apply only to systems like these {systems}."))
    for (statistic, metric), values in drawn.values.items():
        if drawn.over == "segments" and rated.whole(metric):
            continue
        lost = np.count_nonzero(np.isnan(values))
        if len(values) > lost > MOST_DROPPED * len(values):
            text = f"{statistic} of {metric} has no value in {lost} of {len(values)} resamples, which are left out."
            notes.append(Note("warning", text))
    return tuple(notes)
