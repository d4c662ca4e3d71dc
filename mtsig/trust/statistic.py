"""Statistics of agreement: scores by people and by a metric go in; one number comes out, for any redraw of the data.

A statistic is a closed form of sums over members of a group, or over pairs of them, as a metric is one of sums over
segments. So a redraw needs no more than weights: how often each segment, and each system, was drawn.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, Self, TypeAlias

import numpy as np

from mtsig.arrays import Floats, Index
from mtsig.citations import Citations
from mtsig.corpus import FloatArray
from mtsig.options import check
from mtsig.trust.judged import Judged, equal, signs

Level: TypeAlias = Literal["system", "segment"]

FEWEST_CORRELATED = 3
"""Any two systems correlate by ±1."""


@dataclass(frozen=True, eq=False)
class Redraw:
    """b redraws of the data: how often each unit and each system was drawn.

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
        """How many redraws there are: b."""
        return len(self.drawn) if self.systems is None else len(self.systems)

    @property
    def segments(self) -> Floats:
        """How often each segment was drawn; shape (b, n)."""
        drawn = self.drawn if self.unit_of is None else self.drawn[:, self.unit_of]
        return np.broadcast_to(drawn, (self.size, drawn.shape[1]))

    def counts(self, systems: int) -> Floats:
        """Return how often each of so many systems was drawn; shape (b, systems)."""
        return np.ones((self.size, systems)) if self.systems is None else self.systems

    def known_of(self, judged: Judged, metric: str) -> "Redraw":
        """Return the same; with the segments as they are where the metric or people scored whole systems only."""
        if not judged.whole(metric):
            return self
        if "systems alone" not in self.known:
            self.known["systems alone"] = replace(self, drawn=np.ones_like(self.drawn[:1]), known={})
        systems_alone: Redraw = self.known["systems alone"]
        return systems_alone

    def pooled(self, values: FloatArray) -> FloatArray:
        """Return the sums of `values` over each unit's segments: shape (…, n) gives shape (…, u)."""
        return values if self.unit_of is None else pooled(values, self.unit_of)

    def system_scores(self, judged: Judged, name: str) -> Floats:
        """Return the systems' scores by a metric or by people in every redraw, higher is better; shape (s, b)."""
        if name not in self.known:
            key = ("pooled", name, self.drawn.shape[1])
            scored = judged[name]
            if key not in judged.known:
                judged.known[key] = replace(scored, values=self.pooled(scored.values))
            self.known[name] = judged.known[key].of_systems(self.drawn)
        system_scores: Floats = self.known[name]
        return np.broadcast_to(system_scores, (len(system_scores), self.size))


def pooled(values: FloatArray, unit_of: Index) -> FloatArray:
    """Return the sums over each unit's segments: (…, n) gives (…, u); units are numbered from 0 without gaps."""
    order = np.argsort(unit_of, kind="stable")
    starts = np.searchsorted(unit_of[order], np.arange(int(unit_of.max()) + 1))
    return np.add.reduceat(values[..., order], starts, axis=-1)


class Statistic(ABC):
    """How well a metric agrees with people, as one number; subclasses are frozen dataclasses of their options.

    name: as users type it. label: as tables print it. level: whether scores of systems or of segments are compared.
    of_whole_systems: whether scores of whole systems are enough for it, without any of segments. of_decisions: whether
    it is the share of decisions on pairs of translations that are right. correlates: whether it is a correlation.
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
        """What it asks, in one line."""
        return (type(self).__doc__ or "").partition("\n")[0]

    def refused(self, judged: Judged, metric: str) -> str:
        """Return why a metric cannot have it, in a sentence; empty where it can."""
        whole = judged.whole(metric)
        if whole and not self.of_whole_systems:
            having = "it has" if whole == metric else "there is"
            return f"Of {whole} there are scores of whole systems only: {having} no {self.label}."
        if self.level == "segment" and judged[metric].cells is None:
            return f"{metric} scores whole test sets: it has no {self.label}."
        return ""

    def fitted(self, judged: Judged, metric: str) -> Self:
        """Return the statistic with what it takes from the data, and keeps when they are redrawn."""
        del judged, metric
        return self

    @abstractmethod
    def value(self, judged: Judged, metric: str) -> float:
        """Return the statistic; NaN where it is undefined."""

    @abstractmethod
    def redrawn(self, judged: Judged, metric: str, redraw: Redraw) -> Floats:
        """Return the statistic of every redraw, shape (b,); NaN where it is undefined."""

    def undefined(self, judged: Judged, metric: str) -> str:
        """Return why there is no value, in a sentence; empty where there is nothing to say."""
        if np.all(equal(judged.system_scores(judged.human.name), judged.system_scores(judged.human.name)[:1])):
            return "All ratings are equal: nothing to agree with."
        if np.all(equal(judged.system_scores(metric), judged.system_scores(metric)[:1])):
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


def pair_positions(size: int) -> tuple[Index, Index]:
    """Return the first and the second member of each pair of so many, once each."""
    first, second = np.triu_indices(size, 1)
    return first, second


def pair_counts(counts: Floats) -> Floats:
    """Return how often each pair was drawn when its members were: (b, u) gives (b, pairs); none with itself."""
    first, second = pair_positions(counts.shape[1])
    return counts[:, first] * counts[:, second]


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
    judgements = np.where(known, scores - mean, 0.0)
    size = 1e-9 * np.maximum(1.0, np.abs(scores).max(axis=0, initial=0.0))
    return np.where(np.abs(judgements).max(axis=0, initial=0.0) <= size, 0.0, judgements)


class TauB(Terms):
    """Kendall's τ_b."""

    pairwise = True
    correlates: ClassVar[bool] = True

    def terms(self, human: Floats, metric: Floats) -> Floats:
        """Return the product of the signs, and whether people, and the metric, tell the two apart."""
        h, m = pair_signs(human, metric)
        return np.stack([h * m, np.abs(h), np.abs(m)])

    def ratio(self, sums: Floats) -> Floats:
        """Return (C − D)/√((P − T_h)(P − T_m)); NaN where one side ties all."""
        with np.errstate(invalid="ignore", divide="ignore"):
            values = sums[0] / np.sqrt(sums[1] * sums[2])
        return np.where(np.isfinite(values), values, np.nan)


def pair_signs(human: Floats, metric: Floats) -> tuple[Floats, Floats]:
    """Return the signs of all pairs' differences by people and by a metric, shape (pairs, …); 0 where one is missing.

    People's ties are 0 as well, and so are the metric's on pairs that both have.
    """
    first, second = pair_positions(len(human))
    known = ~np.isnan(human) & ~np.isnan(metric)
    both = known[first] & known[second]
    with np.errstate(invalid="ignore"):
        return tuple(np.where(both, signs(x[first], x[second]), 0.0) for x in (human, metric))  # type: ignore[return-value]


class Right(Terms):
    """The share of pairs that people tell apart on which the metric has the same sign."""

    pairwise = True

    def terms(self, human: Floats, metric: Floats) -> Floats:
        """Return whether the signs agree, and whether people tell the two apart."""
        h, m = pair_signs(human, metric)
        return np.stack([(h * m > 0).astype(np.float64), np.abs(h)])

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
