"""What a metric's difference means: how often raters see one of its size, and whose verdicts on each pair agree.

Kocmi et al. (2024) asked it of the WMT's data; here it is asked of the data at hand (docs/statistics/meta-eval.md,
section 9).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, nan
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
import scipy

from mtsig._probability import check_level
from mtsig._records import Count, Floats, Mask, Number, Record, about
from mtsig._results import Result
from mtsig.corpus import Note
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference import Comparison, Family, Settings, smallest_detectable
from mtsig.inference._adjust import refuse_many, refuse_many_draws
from mtsig.inference._verdict import verdict
from mtsig.meta_eval._rated_data import RatedData, equal, signs
from mtsig.meta_eval._statistic import redraws
from mtsig.resampling import Bootstrap

FEWEST_SYSTEMS = 8
"""Of fewer, pairs are the same few systems again and again: points, and no band."""

NEAR = 0.2
"""Pairs whose difference is within this share of a difference speak for it."""


def isotonic(differences: Floats, right: Floats, weights: Floats | None = None) -> Floats:
    """Return the best non-decreasing curve through right (0 or 1) at ascending differences, at least ½; same shape.

    Equal differences have one value. Pool-adjacent-violators (Barlow et al. 1972); no weight may be 0.
    """
    weights = np.ones(len(right)) if weights is None else weights
    starts = np.flatnonzero(np.concatenate([[True], ~equal(differences[1:], differences[:-1])]))
    total = np.add.reduceat(weights, starts)
    means = np.add.reduceat(weights * right, starts) / total
    fitted = scipy.optimize.isotonic_regression(means, weights=total).x
    return np.maximum(0.5, np.repeat(fitted, np.diff(np.append(starts, len(right)))))


def slope(differences: Floats, right: Floats) -> float:
    """Return the b ≥ 0 under which 1/(1 + exp(−b d)) makes the data most likely; infinite where every pair is right."""
    if right.all():
        return inf

    def rise(b: float) -> float:
        return float((differences * (right - scipy.special.expit(b * differences))).sum())

    if rise(0.0) <= 0:
        return 0.0
    high = 1.0 / float(differences.max())
    while rise(high) > 0:
        high *= 2
    return float(scipy.optimize.brentq(rise, 0.0, high, xtol=1e-14 * high, rtol=1e-14))


@dataclass(frozen=True)
class Meant(Record):
    """What one difference means on these test sets and systems."""

    metric: Annotated[str, about("The metric.")]
    difference: Annotated[Number, about("Absolute difference between two systems' scores.")]
    share: Annotated[
        Number, about("Share of pairs with such a difference that have the same order in the human ratings.")
    ]
    ci_low: Annotated[Number, about("Lower end of the confidence band at this difference; null if there is no band.")]
    ci_high: Annotated[Number, about("Upper end of the confidence band at this difference.")]
    smooth: Annotated[Number, about("The same share by a logistic curve; null if every pair is concordant.")]
    pairs: Annotated[Count, about("Number of pairs whose difference deviates from this one by at most a fifth.")]


@dataclass(frozen=True)
class Needed(Record):
    """The difference from which on people agree so often; null where the curve does not get there."""

    share: Annotated[float, about("Accuracy to reach.")]
    difference: Annotated[Number, about("Smallest difference at which the curve reaches this share.")]
    sure: Annotated[Number, about("Smallest difference at which the lower end of the band reaches this share.")]


@dataclass(frozen=True, eq=False)
class Curve(Result):
    """How often people agree with a metric, by the size of its difference.

    differences: shape (p,), ascending, those of the pairs that metric and people tell apart. right: shape (p,), 1 where
    people see the same order. share: the isotonic curve there. ci_low, ci_high: its band, pointwise, NaN without.
    slope: of the logistic curve; infinite where every pair is right. human_ties, metric_ties: pairs left out.
    """

    metric: str
    differences: Floats
    right: Floats
    share: Floats
    ci_low: Floats
    ci_high: Floats
    slope: float
    human_ties: int
    metric_ties: int
    level: float
    notes: tuple[Note, ...] = ()

    def at(self, difference: float) -> Meant:
        """Return what a difference means: the curve at the largest difference seen up to it, ½ below all of them."""
        if not 0 < difference < inf:
            raise InvalidOption(f"A difference must be above 0, without a sign; found {difference:g}.")
        near = np.abs(self.differences - difference) <= NEAR * difference * (1 + 1e-9)
        smooth = nan if self.slope == inf else float(scipy.special.expit(self.slope * difference))
        seen = (self.differences <= difference) | equal(self.differences, np.full(1, difference))
        place = int(np.count_nonzero(seen)) - 1
        share, low, high = (float(column[place]) if place >= 0 else beside for column, beside in self._lines)
        return Meant(self.metric, difference, share, low, high, smooth, int(np.count_nonzero(near)))

    @property
    def _lines(self) -> tuple[tuple[Floats, float], ...]:
        """The curve and its band, each with what stands below the smallest difference."""
        return (self.share, 0.5), (self.ci_low, nan), (self.ci_high, nan)

    def needed(self, share: float) -> Needed:
        """Return from which difference on people agree so often."""
        if not 0.5 < share <= 1:
            raise InvalidOption(f"The share must be above 0.5 (chance level) and at most 1; found {share:g}.")
        return Needed(share, *(self._first(line >= share - 1e-12) for line in (self.share, self.ci_low)))

    def _first(self, high_enough: Mask) -> float:
        return float(self.differences[high_enough][0]) if high_enough.any() else nan

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per pair."""
        names = ("difference", "right", "share", "ci_low", "ci_high")
        columns = (self.differences, self.right, self.share, self.ci_low, self.ci_high)
        return [dict(zip(names, row, strict=True)) for row in np.stack(columns, axis=1).tolist()]


def delta_accuracy(
    rated: RatedData | Sequence[RatedData], metric: str, *, level: float = 0.95, scheme: Bootstrap | None = None
) -> Curve:
    """Relate the size of a metric's difference to how often human ratings agree.

    The band comes from curves fitted to resamples of systems and segments (documents, if there are ten). A resampled
    system is not paired with itself.

    Parameters
    ----------
    rated
        The ratings of one test set, or of several test sets whose pairs are pooled.
    metric
        The name of the metric, which every test set must have.
    level
        The pointwise coverage of the band.
    scheme
        The number of resamples, the seed and the resampling unit.

    Raises
    ------
    NotApplicable
        No pair of systems differs in both the metric and the human ratings.

    Examples
    --------
    >>> from mtsig.meta_eval import delta_accuracy
    >>> from mtsig.resampling import Bootstrap
    >>> delta_accuracy(rated, "near", scheme=Bootstrap(100)).human_ties
    0
    """
    check_level(level)
    scheme = Bootstrap() if scheme is None else scheme
    sets = [rated] if isinstance(rated, RatedData) else list(rated)
    systems = sum(len(of_metric.systems) for of_metric in sets)
    compared = sum(len(of_metric.pairs[0]) for of_metric in sets)
    refuse_many(systems, compared)
    refuse_many_draws(compared, scheme.n_draws, "")
    seen = [
        _Pairs.of(of_metric, of_metric.system_scores(metric), of_metric.system_scores(of_metric.human.name))
        for of_metric in sets
    ]
    told = [pairs.told for pairs in seen]
    apart = np.concatenate([pairs.apart[mask] for pairs, mask in zip(seen, told, strict=True)])
    right = np.concatenate([pairs.right[mask] for pairs, mask in zip(seen, told, strict=True)])
    if not len(apart):
        raise NotApplicable(
            f"No pair of systems differs in both {metric} and the human ratings, so score differences cannot be "
            f"interpreted."
        )
    order = np.argsort(apart, kind="stable")
    apart, right = apart[order], right[order].astype(np.float64)
    low = high = np.full(len(apart), np.nan)
    notes: tuple[Note, ...] = ()
    if systems < FEWEST_SYSTEMS:
        text = f"{systems} systems ({len(apart)} pairs) are too few for a confidence band around the curve."
        notes = (Note("warning", text),)
    else:
        whole = next(filter(None, (of_metric.whole(metric) for of_metric in sets)), "")
        if whole:
            text = f"There are only system-level scores of {whole}, so the band comes from resampling systems alone."
            notes = (Note("note", text),)
        curves = np.array([_at(apart, *fit) for fit in _redrawn(sets, metric, scheme)])
        low, high = np.nanquantile(curves, [(1 - level) / 2, (1 + level) / 2], axis=0, overwrite_input=True)
    human_ties = sum(int(np.count_nonzero(pairs.human == 0)) for pairs in seen)
    metric_ties = sum(int(np.count_nonzero((pairs.apart == 0) & (pairs.human != 0))) for pairs in seen)
    line = isotonic(apart, right)
    return Curve(metric, apart, right, line, low, high, slope(apart, right), human_ties, metric_ties, level, notes)


@dataclass(frozen=True, eq=False)
class _Pairs:
    """The pairs of one test set, or of b resamples: shape (p,) or (p, b).

    apart: by how much the metric's scores differ, 0 for ties. human: the sign of people's difference. right: whether
    both have the same sign. Undefined scores are 0 in both.
    """

    apart: Floats
    human: Floats
    right: Mask

    @classmethod
    def of(cls, rated: RatedData, scores: Floats, human: Floats) -> "_Pairs":
        first, second = rated.pairs
        with np.errstate(invalid="ignore"):
            of_metric = np.nan_to_num(signs(scores[first], scores[second]))
            of_people = np.nan_to_num(signs(human[first], human[second]))
            apart = np.where(of_metric == 0, 0.0, np.abs(scores[first] - scores[second]))
        return cls(apart, of_people, of_metric == of_people)

    @property
    def told(self) -> Mask:
        """Which pairs are told apart by both."""
        return np.asarray((self.apart > 0) & (self.human != 0))


def _redrawn(sets: Sequence[RatedData], metric: str, scheme: Bootstrap) -> Iterator[tuple[Floats, Floats, Floats]]:
    """Yield differences, right and weights of the pairs of each resample of all test sets."""
    streams = [
        redraws(of_metric, "both", scheme.n_draws, scheme.seed + i, scheme.unit) for i, of_metric in enumerate(sets)
    ]
    for blocks in zip(*streams, strict=True):
        seen, weights = [], []
        for rated, redraw in zip(sets, blocks, strict=True):
            redraw = redraw.known_of(rated, metric)
            scores, human = (redraw.system_scores(rated, name) for name in (metric, rated.human.name))
            pairs = _Pairs.of(rated, scores, human)
            counts = redraw.counts(len(rated.systems)).T
            first, second = rated.pairs
            seen.append(pairs)
            weights.append(counts[first] * counts[second] * pairs.told)
        apart, right = (
            np.concatenate([getattr(some_pairs, name) for some_pairs in seen]) for name in ("apart", "right")
        )
        weight = np.concatenate(weights)
        for number in range(weight.shape[1]):
            drawn = np.flatnonzero(weight[:, number])
            order = drawn[np.argsort(apart[drawn, number], kind="stable")]
            yield apart[order, number], right[order, number].astype(np.float64), weight[order, number]


def _at(places: Floats, differences: Floats, right: Floats, weights: Floats) -> Floats:
    """Return the curve of a resample at these differences; NaN where the resample has no pair at all."""
    if not len(right):
        return np.full(len(places), np.nan)
    line = np.concatenate([[0.5], isotonic(differences, right, weights)])
    return np.asarray(line[np.searchsorted(differences, places * (1 + 1e-9), side="right")])


Said: TypeAlias = Literal["contradiction", "same", "human_only", "metric_only", "neither", "withheld"]

SAID: tuple[Said, ...] = ("contradiction", "same", "human_only", "metric_only", "neither", "withheld")
"""Outcomes, contradictions first; human_only, metric_only: significant in the ratings or the metric alone."""


@dataclass(frozen=True)
class PairVerdict(Record):
    """Verdicts of human ratings and a metric on one pair; differences are positive if the first system is better."""

    first: Annotated[str, about("The first system.")]
    second: Annotated[str, about("The second system.")]
    said: Annotated[Said, about("Which of the two finds a significant difference; withheld if either is.")]
    human_difference: Annotated[Number, about("Difference in the human ratings.")]
    human_low: Annotated[Number, about("Lower end of this difference's interval, adjusted as p is.")]
    human_high: Annotated[Number, about("Its upper end.")]
    human_p: Annotated[Number, about("Its corrected p.")]
    human_detectable: Annotated[
        Number, about("Human difference that would be detected with 80% power; null if unknown.")
    ]
    metric_difference: Annotated[Number, about("The metric's difference.")]
    metric_low: Annotated[Number, about("Lower end of this difference's interval, adjusted as p is.")]
    metric_high: Annotated[Number, about("Its upper end.")]
    metric_p: Annotated[Number, about("Its corrected p.")]


@dataclass(frozen=True)
class VerdictCount(Record):
    """How many pairs there are of one kind, and how many there would be by chance."""

    said: Annotated[Said, about("Whether ratings, metric, both or neither find a significant difference.")]
    pairs: Annotated[Count, about("How many pairs.")]
    share: Annotated[Number, about("Number of these pairs divided by the number of all pairs.")]
    by_chance: Annotated[
        Number, about("Expected number if the two verdicts were independent; null for withheld verdicts.")
    ]


@dataclass(frozen=True, eq=False)
class VerdictTable(Result):
    """Verdicts of human ratings next to a metric's, pair by pair, contradictions first.

    left_out: pairs that one of the two families lacks. human_decimals, metric_decimals: of differences, as printed.
    """

    listed = "pairs"
    human: str
    metric: str
    pairs: tuple[PairVerdict, ...]
    left_out: tuple[tuple[str, str], ...] = ()
    human_decimals: int = 2
    metric_decimals: int = 2

    @property
    def counts(self) -> tuple[VerdictCount, ...]:
        """How many pairs there are of every kind.

        By chance: of n pairs with two verdicts, h are significant in the ratings and m in the metric; h m/n in both,
        half of them the same way.
        """
        counts = {said: sum(pair.said == said for pair in self.pairs) for said in SAID}
        both = counts["same"] + counts["contradiction"]
        h, m = both + counts["human_only"], both + counts["metric_only"]
        n = len(self.pairs) - counts["withheld"]
        chance: dict[str, float] = {}
        if n:
            chance = {
                "contradiction": h * m / n / 2,
                "same": h * m / n / 2,
                "human_only": h * (n - m) / n,
                "metric_only": (n - h) * m / n,
                "neither": (n - h) * (n - m) / n,
            }
        total = max(1, len(self.pairs))
        return tuple(
            VerdictCount(said, count, count / total, chance.get(said, float("nan"))) for said, count in counts.items()
        )


def verdict_table(rated: RatedData, metric: str, settings: Settings | None = None) -> VerdictTable:
    """Compare the verdicts of human ratings and a metric on every pair of systems.

    The comparisons by rating use the rated segments; those by metric use every segment that the metric scored.

    Parameters
    ----------
    rated
        Human ratings and metric scores.
    metric
        The name of the metric.
    settings
        The test, correction, level, number of resamples and unit, for both families of comparisons.

    Raises
    ------
    NotApplicable
        No pair of systems is compared by both the ratings and the metric.

    Examples
    --------
    >>> from mtsig.meta_eval import verdict_table
    >>> len(verdict_table(rated, "near").pairs)
    36
    """
    settings = Settings() if settings is None else settings
    statistics = [rated[name].statistics.select(rated.systems) for name in (rated.human.name, metric)]
    human, other = (settings.family(family) for family in statistics)
    return side_by_side(human, other)


def side_by_side(human: Family, metric: Family) -> VerdictTable:
    """Tabulate the verdicts of two families for every pair of systems.

    Raises
    ------
    NotApplicable
        The families share no pair.

    Examples
    --------
    >>> from mtsig.meta_eval import side_by_side
    >>> families = [mtsig.Settings().family(rated[name].statistics) for name in ("esa", "far")]
    >>> len(side_by_side(*families).pairs)
    36
    """
    pairs, left_out = [], []
    for comparison in human.by_score():
        place = metric.find(comparison.first, comparison.second)
        if place is None:
            left_out.append((comparison.first, comparison.second))
            continue
        other = metric[place]
        pairs.append(_pair(comparison, other if other.first == comparison.first else other.turned))
    if not pairs:
        raise NotApplicable("No pair of systems has both human ratings and metric scores.")
    left_out += [(row.first, row.second) for row in metric if human.find(row.first, row.second) is None]
    pairs.sort(key=lambda pair: SAID.index(pair.said))
    decimals = human[0].decimals, metric[0].decimals
    return VerdictTable(human.metric, metric.metric, tuple(pairs), tuple(left_out), *decimals)


def _pair(human: Comparison, metric: Comparison) -> PairVerdict:
    detectable = smallest_detectable(human)
    return PairVerdict(
        human.first,
        human.second,
        _said(human, metric),
        human.difference,
        *_ends(human),
        human.p_adjusted,
        float("nan") if detectable is None else detectable.difference,
        metric.difference,
        *_ends(metric),
        metric.p_adjusted,
    )


def _ends(comparison: Comparison) -> tuple[float, float]:
    """Return the interval that agrees with the verdict; that of the pair alone where there is no such one."""
    low, high = comparison.adjusted_ci_low, comparison.adjusted_ci_high
    return (comparison.ci_low, comparison.ci_high) if np.isnan([low, high]).all() else (low, high)


def _said(human: Comparison, metric: Comparison) -> Said:
    people, program = verdict(human), verdict(metric)
    if "withheld" in (people.word, program.word):
        return "withheld"
    if people.winner and program.winner:
        return "same" if people.winner == program.winner else "contradiction"
    if people.winner:
        return "human_only"
    return "metric_only" if program.winner else "neither"
