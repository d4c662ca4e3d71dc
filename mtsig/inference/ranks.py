"""Ranks: a corrected family goes in; what it lets one say about places comes out.

See docs/statistics/families.md, section 5.
"""

from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from mtsig._arguments import expect_arguments
from mtsig._records import (
    Count,
    Decimals,
    Estimates,
    Floats,
    Index,
    Level,
    Mask,
    MetricRecord,
    Number,
    Ordinal,
    Probability,
    SystemName,
    Texts,
    about,
    at_most,
)
from mtsig.corpus import counted_names
from mtsig.errors import InvalidOption, NotApplicable, expect, kind_of
from mtsig.inference.corrections import CLASSICALLY
from mtsig.inference.family import Family
from mtsig.inference.registered import CORRECTIONS, corrects
from mtsig.inference.verdict import verdict
from mtsig.resampling import resample

N = TypeVar("N")  # numbers
P = TypeVar("P")  # shares
C = TypeVar("C")  # places
B = TypeVar("B")  # yes or no
S = TypeVar("S")  # names of systems


@dataclass(frozen=True, eq=False, kw_only=True)
class PlaceFields(Generic[N, P, C, B, S]):
    """What the comparisons say of each system; each type stands for one value in a row, and for an array in columns."""

    system: Annotated[S, about("Name of the system.")]
    score: Annotated[N, about("Its score.")]
    rank_low: Annotated[
        C,
        about("The best place that the comparisons allow: 1 + the ranked systems that are better."),
        at_most("rank_high"),
    ]
    rank_high: Annotated[C, about("The worst place that they allow: all ranked systems − those that are worse.")]
    cluster: Annotated[C, about("Number of its cluster: one begins where all above are better than all below.")]
    bootstrap_best_rate: Annotated[
        P, about("Share of redraws in which a contender scores best (ties divided): a description.")
    ]
    could_be_best: Annotated[B, about("Whether it is a contender that no other is significantly better than.")]


@dataclass(frozen=True, kw_only=True)
class Place(PlaceFields[Number, Probability, Ordinal, bool, SystemName], MetricRecord):
    """What the corrected comparisons let one say about a system's place."""


@dataclass(frozen=True, kw_only=True)
class RanksHeader(MetricRecord):
    """What is the same for all places by one metric."""

    level: Annotated[Level, about("Nominal coverage; 1 − level is alpha.")]
    correction: Annotated[str, about("Correction for the number of comparisons, by its name.")]
    family_size: Annotated[Count, about("How many comparisons were judged together.")]
    units: Annotated[Count, about("Units of the test set.")]
    shared: Annotated[Count, about("How many of them all systems have, which are those redrawn.")]
    decimals: Annotated[Decimals, about("Decimals in which scores are shown.")] = 2


@dataclass(frozen=True, eq=False, kw_only=True)
class Ranks(PlaceFields[Floats, Floats, Index, Mask, Texts], Estimates[RanksHeader, Place]):
    """Places of the s systems, best score first; its columns are those of `PlaceFields`, of shape (s,).

    Human translations among the systems, and systems that are set apart, take nobody's place: they have the one that
    they would have among the ranked systems (see `Family.ranked_systems`), and are never the best.
    bootstrap_best_rate is NaN for them, and without any unit that all systems have.
    """

    called = "rank"
    of_header = RanksHeader
    of_heading = RanksHeader
    of_rows = Place

    @property
    def level(self) -> float:
        """Nominal coverage; 1 − level is alpha."""
        return self.header.level

    @property
    def correction(self) -> str:
        """The correction, by its name."""
        return self.header.correction

    @property
    def family_size(self) -> int:
        """How many comparisons were judged together."""
        return self.header.family_size

    @property
    def units(self) -> int:
        """How many units the test set has."""
        return self.header.units

    @property
    def shared(self) -> int:
        """How many of them all systems have, which are those redrawn."""
        return self.header.shared

    @property
    def decimals(self) -> int:
        """Decimals in which scores are shown."""
        return self.header.decimals

    @property
    def corrected(self) -> bool:
        """Whether the correction does anything about the number of comparisons."""
        return corrects(self.header.correction)

    def __repr__(self) -> str:
        """Return what has places, in one line."""
        return f"<Ranks in {self.metric}: {counted_names('system', self.systems)}>"

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, best score first."""
        return self.system

    @property
    def best(self) -> tuple[str, ...]:
        """The confidence set of the best system: the ranked systems that no other is significantly better than."""
        return tuple(name for name, could in zip(self.system, self.could_be_best, strict=True) if could)


def rankable(family: Family) -> bool:
    """Return whether the family holds all pairs of more than two systems, judged so that ranks can be read off it.

    >>> import mtsig
    >>> from mtsig.inference import rankable
    >>> family = mtsig.Settings().family(mtsig.measure(mtsig.read_sample(), "bleu"))
    >>> rankable(family)
    True
    """
    return len(family.systems) > 2 and _obstacle(family) is None


def _obstacle(family: Family) -> str | None:
    """Return why no ranks can be made of the family; None when they can."""
    size, test = len(family.systems), family.test
    if len(family) != size * (size - 1) // 2:
        return "Ranks need the comparisons of all pairs of systems."
    lost = [comparison for comparison in family if not comparison.has_p]
    # A pair that is in doubt, for whatever reason, separates nobody.
    if len(lost) == len(family) or not all(comparison.data_caveat for comparison in lost):
        return "Ranks need a p-value for every pair; this test does not give them all."
    if test.alternative != "two-sided":
        return "Ranks need two-sided tests: both systems of a pair could be the better one."
    if not test.controls_type1:
        return f"Ranks need tests that err as often as they say; this test does not ({test.anticonservative_reason})."
    known = CORRECTIONS.get(family.correction)
    if known is not None and known.controls == "share of false claims":
        return f"Ranks need a correction that keeps the chance of any false claim; {known.name} keeps their share."
    if known is not None and known.controls == "any false claim, classically":
        return f"Ranks need the chance of any false claim to be kept; {known.name} keeps it only {CLASSICALLY}."
    return None


def ranks(family: Family, share: NDArray[np.float64] | None = None) -> Ranks:
    """Return rank sets, clusters and the confidence set of the best, from a family of all pairs, corrected.

    share: shape (systems,), what `bootstrap_best_rate(family)` returns, where it is there already; it is the same for
    every
    correction and level.

    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> placed = mtsig.ranks(mtsig.Settings(n_resamples=500).family(statistics))
    >>> [(place.system, place.rank_low, place.rank_high) for place in placed][:2]
    [('direct', 1, 1), ('direct-us', 2, 2)]

    Raises:
        InvalidOption: the family is of another kind; the message says what to give.
        NotApplicable: the family does not hold every pair of its systems, or its test has no p-values.
    """
    expect(family, Family, "Give corrected comparisons of all pairs, as Settings().family(statistics) makes them")
    expect_arguments(ranks, locals())
    names = list(family.systems)
    size = len(names)
    if share is not None and np.shape(share) != (size,):
        raise InvalidOption(f"share has one number per system, {size} in all; found {kind_of(share)}.")
    obstacle = _obstacle(family)
    if obstacle is not None:
        raise NotApplicable(obstacle)
    beats = np.zeros((size, size), dtype=bool)
    for comparison in family:
        # What is withheld, for whatever reason, puts nobody above anybody.
        winner = verdict(comparison).winner
        if winner is not None:
            loser = comparison.second if winner == comparison.first else comparison.first
            beats[names.index(winner), names.index(loser)] = True
    statistics = family.statistics.select(names)
    better = -statistics.scores if statistics.metric.higher_is_better else statistics.scores
    order = np.argsort(better, kind="stable")
    contends = np.isin(names, family.ranked_systems)
    low = 1 + beats[contends].sum(axis=0)
    high = contends.sum() + ~contends - beats[:, contends].sum(axis=1)
    # A cluster ends where every system above the line beats every system below it.
    cuts = [bool(beats[np.ix_(order[:i], order[i:])].all()) for i in range(1, size)]
    shared = statistics.units_of(names)
    if share is None:
        share = bootstrap_best_rate(family)
    columns = Ranks.columns(
        size,
        metric=family.metric,
        signature=family.signature,
        system=[names[i] for i in order],
        score=statistics.scores[order],
        rank_low=low[order],
        rank_high=high[order],
        cluster=[1, *(1 + np.cumsum(cuts)).tolist()],
        bootstrap_best_rate=share[order],
        could_be_best=((low == 1) & contends)[order],
        level=family.level,
        correction=family.correction,
        family_size=family.family_size,
        units=statistics.n,
        shared=shared,
        decimals=statistics.metric.decimals,
    )
    return Ranks(**columns)


def groups(family: Family) -> tuple[tuple[str, ...], ...]:
    """Return the groups of systems that nothing separates: neighbours in the order of scores, as many as possible.

    Groups overlap where A and C are separated and B from neither. What is withheld separates nobody. Systems that are
    set apart are a group of their own, the last. Without the comparisons of all pairs there are no groups.

    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> mtsig.inference.groups(mtsig.Settings(n_resamples=500).family(statistics))[:2]
    (('direct',), ('direct-us',))
    """
    order = family.order
    if len(family) != len(order) * (len(order) - 1) // 2:
        return ()
    alone = [name for name in order if name in family.apart]
    order = tuple(name for name in order if name not in alone)
    separated = {
        frozenset((comparison.first, comparison.second))
        for comparison in family
        if verdict(comparison).word == "better"
    }
    groups: list[tuple[str, ...]] = []
    begin = 0
    for end, name in enumerate(order):
        # A group ends before the first system that is separated from one of it.
        parted = [at for at in range(begin, end) if frozenset((order[at], name)) in separated]
        if parted:
            groups.append(order[begin:end])
            begin = parted[-1] + 1
    return (*groups, *([order[begin:]] if order else []), *([tuple(alone)] if alone else []))


def bootstrap_best_rate(family: Family) -> NDArray[np.float64]:
    """Return in what share of the redraws each of the family's systems has the best score; ties are divided.

    Shape (systems,), in the order of `family.systems`, from the bootstrap draws of its scheme. Of what competes alone:
    references, and all systems where they share no unit, have NaN.

    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> mtsig.inference.bootstrap_best_rate(mtsig.Settings(n_resamples=500).family(statistics)).sum().round(6).item()
    1.0
    """
    names = list(family.systems)
    statistics, contends = family.statistics.select(names), np.isin(names, family.ranked_systems)
    share = np.full(len(names), np.nan)
    if statistics.units_of(names):
        draws = resample(statistics.shared_by(names), family.scheme).draws[contends]
        best = draws == (draws.max(axis=0) if statistics.metric.higher_is_better else draws.min(axis=0))
        share[contends] = (best / best.sum(axis=0)).mean(axis=1)
    return share
