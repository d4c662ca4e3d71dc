"""Conclusions: a comparison goes in, what follows from its numbers comes out, for readers without this program."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

import numpy as np

from mtsig._probability import Alternative, Tails, t_critical
from mtsig._records import Estimates, Floats, Number, Record, SystemName, about, at_most, once
from mtsig.corpus import Note
from mtsig.corpus._notes import number_of, ranked_systems
from mtsig.errors import NotApplicable
from mtsig.inference._corrections import SLACK, Correction, adjusted_ends
from mtsig.inference._dependence import spread_unknown, ungrounded
from mtsig.inference._detectable import detectable_difference, noncentral, spread_range
from mtsig.inference._fields import FamilyHeader, FamilyHeading, PairColumns
from mtsig.inference._means import corrects
from mtsig.inference._significance import filled, known_test
from mtsig.inference._significance._base import SignificanceTest, UnknownTest
from mtsig.inference._verdict import Comparison, verdict
from mtsig.metrics import Statistics
from mtsig.metrics._statistics import Unit
from mtsig.resampling import Bootstrap, resample


def least_attainable(comparison: Comparison) -> float:
    """Return the smallest p that exchanging labels can give on the units that differ; 0 for other tests.

    Exchanging all labels turns the sign alone: of 2^m arrangements two are as extreme, or one on one side.

    >>> import mtsig
    >>> from mtsig.inference import compare
    >>> from mtsig.inference._family import least_attainable
    >>> statistics = mtsig.measure(mtsig.Corpus.of({"A": ["a b"] * 5, "B": ["a c"] * 5}, {"ref": ["a b"] * 5}), "chrf")
    >>> least_attainable(compare(statistics, "ar")[0])
    0.0625
    """
    if not known_test(comparison.test).exchanges:
        return 0.0
    return float(2.0 ** ((1 if comparison.alternative == "two-sided" else 0) - min(comparison.n_differing, 1000)))


@dataclass(frozen=True)
class Detectable:
    """The true difference that such test sets find on average; low, high: what the pilot leaves open."""

    difference: float
    low: float
    high: float


def smallest_detectable(comparison: Comparison, power: float = 0.8) -> Detectable | None:
    """Return the true difference that such comparisons find with this power on average; None when it cannot be told.

    c · λ(ν) · SE by the jackknife, its range that of λ(ν) · SE; all comparisons of a corrected family count. It is
    told of tests by the jackknife, and over segments of the others that keep their level: not of tests that exchange
    documents, which ask another question.
    Where so few units differ that no arrangement of them is significant, or documents carry no verdict, nothing can be
    found, whatever the difference.

    >>> import mtsig
    >>> from mtsig.inference import smallest_detectable
    >>> family = mtsig.Settings().family(mtsig.measure(mtsig.read_sample(), "bleu"))
    >>> round(smallest_detectable(family[7]).difference, 2)
    4.56
    """
    if not (comparison.has_p and comparison.controls_type1) or ungrounded(
        comparison.unit, comparison.units, comparison.data_caveat
    ):
        return None
    if (
        spread_unknown(comparison.unit, comparison.units, comparison.n_differing, comparison.standard_error)
        or least_attainable(comparison) > comparison.alpha
    ):
        return None
    if comparison.unit != "segment" and not known_test(comparison.test).by_jackknife:
        return None
    comparisons = comparison.family_size if comparison.corrected else 1
    sides = 2 if comparison.alternative == "two-sided" else 1
    difference = detectable_difference(
        comparison.standard_error, comparison.level, power, comparisons, comparison.df, sides
    )
    if np.isnan(difference):
        return None
    known = noncentral(comparison.df, comparison.alpha / sides / comparisons, power) * comparison.standard_error
    low, high = spread_range(comparison.df)
    # Where power is asked for that is far from .8 the factor may pass the range.
    return Detectable(difference, min(difference, low * known), max(difference, high * known))


_NONE = float("nan")


@dataclass(frozen=True)
class ComparisonConclusions(Record):
    """What follows from the numbers of a comparison."""

    significant: Annotated[
        bool | None,
        about(
            "Whether p_adjusted is at most 1 − level, or by Koehn's criterion wins are at least the level; null "
            "without either, or while drawing leaves it open."
        ),
    ] = None
    verdict: Annotated[Literal["better", "not_significant", "withheld"], about("What the test says.")] = "withheld"
    winner: Annotated[SystemName | None, about("The better system, when the verdict is better.")] = None
    withheld_reason: Annotated[str | None, about("Why the verdict is withheld, when it is.")] = None
    next_step: Annotated[str, about("What leads on where the verdict is withheld; else empty.")] = ""
    caution: Annotated[str, about("Why to doubt a verdict that stands all the same; empty where nothing does.")] = ""
    detectable: Annotated[
        Number, about("True difference that 80% of such test sets would find; null where it cannot be told.")
    ] = _NONE
    detectable_low: Annotated[
        Number, about("Lower end of the range that the data leave open for it."), at_most("detectable_high")
    ] = _NONE
    detectable_high: Annotated[Number, about("Upper end of that range.")] = _NONE


@once
def conclusions(comparison: Comparison) -> ComparisonConclusions:
    """Return the verdict, and the true difference that 80% of such test sets would find.

    >>> import mtsig
    >>> from mtsig.inference._family import conclusions
    >>> family = mtsig.Settings().family(mtsig.measure(mtsig.read_sample(), "bleu"))
    >>> conclusion = conclusions(family[0])
    >>> conclusion.verdict, conclusion.winner
    ('better', 'direct')
    """
    decided, detectable = verdict(comparison), smallest_detectable(comparison)
    ends = (_NONE, _NONE, _NONE) if detectable is None else (detectable.difference, detectable.low, detectable.high)
    next_step = f"{decided.step} ({decided.flags})" if decided.step else ""
    return ComparisonConclusions(
        comparison.significant, decided.word, decided.winner, decided.withheld_reason, next_step, decided.caution, *ends
    )


@dataclass(frozen=True, eq=False)
class Drawn:
    """What comparisons were made from, and only those have that were just made.

    null: shape (m, b), differences under the null from shared draws; None for tests without any. farthest: shape (b,),
    how many standard errors the farthest of the comparisons moved in each redraw: what simultaneous intervals are made
    of; None for others. tails: what is left of `null` where it is too large to be kept.
    """

    statistics: Statistics
    null: Floats | None = None
    farthest: Floats | None = None
    tails: Tails | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Family(PairColumns, Estimates[FamilyHeader, Comparison]):
    """m comparisons of pairs of systems under one metric.

    Its columns are those of `PairFields`: family.difference is an array of shape (m,), family.first a tuple. What is
    the same for all (metric, signature, level, unit, correction, family_size, order, …) is in the header.
    test: the test with its scheme. scheme: draws, seed and unit of the redraws behind intervals and win rates.
    drawn: what the comparisons were made from; None for those that a study kept.
    without: the same comparisons without a reference that a system is kin to, by its name (see
    `mtsig.metrics.ReferenceOverlap`).
    apart: systems that are set apart, each with the reason: they have text of a reference. They stand last in `order`.
    """

    called = "pair"
    of_header = FamilyHeader
    of_heading = FamilyHeading
    of_rows = Comparison
    of_derived = ComparisonConclusions

    test: SignificanceTest
    scheme: Bootstrap
    drawn: Drawn | None = None
    without: "Mapping[str, Family]" = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    apart: Mapping[str, str] = field(default_factory=dict)

    @property
    def order(self) -> tuple[str, ...]:
        """The systems that take part, best score first."""
        return self.header.order

    @property
    def complete(self) -> bool:
        """Whether all arrangements were enumerated."""
        return self.header.complete

    @property
    def rated(self) -> bool:
        """Whether the metric is a rating, which stands on the segments that have one."""
        return self.header.rated

    @property
    def higher_is_better(self) -> bool:
        """The direction of the metric; a difference is positive where the first is better, either way."""
        return self.header.higher_is_better

    @property
    def heading(self) -> FamilyHeading:
        """The header as a file holds it."""
        return FamilyHeading(**vars(self.header), n_resamples=self.test.scheme.n_draws, seed=self.test.scheme.seed)

    @property
    def derived(self) -> tuple[ComparisonConclusions, ...]:
        """The verdicts, and what such test sets would find."""
        return tuple(map(conclusions, self))

    @classmethod
    def of_written(cls, heading: FamilyHeading, columns: Mapping[str, Any], derived: Sequence[Record]) -> "Family":
        """Return the comparisons that a file holds; of a test that is not known here with what the file concludes."""
        own = {name: value for name, value in vars(heading).items() if name not in ("n_resamples", "seed")}
        # Where sets have different units averages were drawn from none of them, but by the jackknife.
        unit: Unit = "segment" if heading.unit == "segment" else "block" if heading.unit == "block" else "document"
        size = len(columns["first"])
        family = cls(
            **cls.columns(size, **own, **columns),
            test=_recorded(heading, unit),
            scheme=Bootstrap(heading.n_resamples, heading.seed, unit),
        )
        for row, said in zip(family, derived if isinstance(family.test, UnknownTest) else (), strict=False):
            row.__dict__["_conclusions"] = said
        return family

    @property
    def ranked_systems(self) -> tuple[str, ...]:
        """The systems that can be called the best, best score first."""
        return ranked_systems(self.order, self.apart)

    def __repr__(self) -> str:
        """Return what was compared, in one line."""
        compared = f"{number_of(len(self), 'comparison')} by {self.test.name}"
        return f"<Family in {self.metric}: {compared}, correction {self.correction}>"

    def __getitem__(self, i: int) -> Comparison:
        """Return comparison number `i`."""
        return self.records[i]

    def with_default(self, default: "Family") -> "Family":
        """Return the family with what the default test says of the same pairs; none beside itself."""
        if (self.test.name, self.unit) == (default.test.name, default.unit):
            return self
        said = [default.pair(first, second) for first, second in zip(self.first, self.second, strict=True)]
        decided = [None if other is None else verdict(other) for other in said]
        return self.changed(
            default_verdict=[None if each is None else each.word for each in decided],
            default_winner=[None if each is None else each.winner for each in decided],
        )

    @property
    def level(self) -> float:
        """Coverage of the intervals."""
        return self.header.level

    @property
    def correction(self) -> str:
        """The name of the correction."""
        return self.header.correction

    @property
    def corrected(self) -> bool:
        """Whether its correction does anything about the number of comparisons."""
        return corrects(self.header.correction)

    @property
    def family_size(self) -> int:
        """How many comparisons were judged together; more than m when several metrics are joined."""
        return self.header.family_size

    @property
    def statistics(self) -> Statistics:
        """The statistics that the comparisons were made from.

        Raises:
            NotApplicable: they were kept in a study, which has no statistics.
        """
        if self.drawn is None:
            raise NotApplicable(
                "These comparisons were read from a study, which keeps no statistics: measure the data."
            )
        return self.drawn.statistics

    @property
    def null(self) -> Floats | None:
        """Differences under the null from shared draws, shape (m, b); None for tests without any, and in a study."""
        return None if self.drawn is None else self.drawn.null

    @property
    def farthest(self) -> Floats | None:
        """How far the farthest comparison moved in each redraw, shape (b,); None where nothing needs it."""
        return None if self.drawn is None else self.drawn.farthest

    @property
    def tails(self) -> Tails | None:
        """The farthest draws under the null, as many as alpha asks for; None where there are no draws."""
        if self.null is None:
            return None if self.drawn is None else self.drawn.tails
        return Tails.of(self.null, self.difference, self.test.alternative, self.complete, self.alpha)

    @property
    def alpha(self) -> float:
        """The error rate that belongs to the level."""
        return 1 - self.level

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that take part, in the order of the corpus."""
        return tuple(name for name in self.statistics.systems if name in self.order)

    @property
    def unit(self) -> str:
        """What was drawn as a whole: segment or document."""
        return self.header.unit

    def find(self, first: str, second: str) -> int | None:
        """Return the number of the comparison of these two, in either order; None when there is none."""
        for i, pair in enumerate(zip(self.first, self.second, strict=True)):
            if pair in ((first, second), (second, first)):
                return i
        return None

    def pair(self, first: str, second: str) -> Comparison | None:
        """Return the comparison of these two, in either order; None when there is none."""
        at = self.find(first, second)
        return None if at is None else self[at]

    def turned(self, i: int) -> "Family":
        """Return the family with comparison `i` seen from the other side: signs change, p-values do not.

        Raises:
            NotApplicable: the test is one-sided: its direction was declared, and there is no other side.
        """
        if self.test.alternative != "two-sided":
            raise NotApplicable(
                f"The test of {self.first[i]} against {self.second[i]} is one-sided: its direction was declared "
                "beforehand and cannot be turned."
            )
        drawn = self.drawn
        if drawn is not None and drawn.null is not None:
            sign = np.where(np.arange(len(self)) == i, -1.0, 1.0)
            drawn = replace(drawn, null=sign[:, None] * drawn.null)
        rows = [record.turned if j == i else record for j, record in enumerate(self.records)]
        return replace(self.with_rows(rows), drawn=drawn)

    def by_score(self, order: Sequence[str] = ()) -> "Family":
        """Return the comparisons as people read them: by score, of all pairs the better-scoring system first.

        order: systems that come before the others, in this order, such as that of averages over several sets. Chosen
        pairs and one-sided tests have sides of their own, and keep them. The draws under the null stay behind.
        """
        place = {name: number for number, name in enumerate(dict.fromkeys([*order, *self.order]))}
        systems = len(self.order)
        whole = len(self) == systems * (systems - 1) // 2 > 1 and self.test.alternative == "two-sided"
        turned = (whole and place[comparison.first] > place[comparison.second] for comparison in self)
        records = [comparison.turned if turn else comparison for comparison, turn in zip(self, turned, strict=True)]
        records.sort(key=lambda record: (place[record.first], place[record.second]))
        drawn = None if self.drawn is None else Drawn(self.drawn.statistics)
        return replace(self.with_rows(records), drawn=drawn)

    def resampled(self, i: int) -> Floats:
        """Return the bootstrap differences of comparison `i`, from the family's own draws; shape (b,)."""
        pair = self.statistics.shared_by([self.first[i], self.second[i]])
        first, zero = np.array([0]), np.array([1])
        return np.asarray(resample(pair, self.scheme).differences(first, zero)[0])

    def rows(self) -> list[dict[str, Any]]:
        """Return one record per comparison, with the verdict."""
        return [row_of(comparison) for comparison in self]


def _recorded(heading: FamilyHeading, unit: Unit) -> SignificanceTest:
    """Return the test by which a family in a file was judged; of one that is not known here what the file says."""
    test = known_test(heading.test)
    if isinstance(test, UnknownTest):
        anticonservative_reason = "" if heading.controls_type1 else "it errs more often than it says"
        test = replace(test, estimand=heading.estimand, anticonservative_reason=anticonservative_reason)
    return filled(test, heading.n_resamples, heading.seed, unit, heading.alternative)


def row_of(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison with its conclusions as one flat record."""
    return {**comparison.row(), **conclusions(comparison).row()}


def half_widths(family: Family, level: Floats) -> Floats:
    """Return how far each interval of a family reaches at its own level; shape (m,), ∞ where nothing is bounded.

    t_ν · SE for the jackknife t test. For tests by draws the smallest |d*|, the observed one among them, that so few
    reach as the level says. For others by the law of their p: the multiple of |d| at which t_ν has the level, where it
    has p at |d|.
    """
    tails = None if family.test.by_jackknife else family.tails
    if tails is not None:
        return tails.reached_by(level)
    error = family.standard_error if family.test.by_jackknife else np.full(len(level), np.nan)
    return half_widths_by_t(family.difference, error, family.df, family.p_value, level, family.test.alternative)


def half_widths_by_t(
    difference: Floats, error: Floats, df: Floats, p: Floats, level: Floats, alternative: Alternative
) -> Floats:
    """Return t_ν · SE at these levels; where SE is NaN, of the SE with which t would have p."""
    sides = 2 if alternative == "two-sided" else 1
    away = difference * (-1.0 if alternative == "less" else 1.0)
    away = np.abs(away) if sides == 2 else away
    with np.errstate(divide="ignore", invalid="ignore"):
        asked = t_critical(level / sides, df)
        by_p = away / t_critical(p / sides, df)
    spread = np.where(np.isnan(error), np.where(by_p > 0, by_p, np.inf), error)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.nan_to_num(asked * spread, nan=np.inf, posinf=np.inf))


def together_ends(family: Family) -> tuple[Floats, Floats]:
    """Return intervals that hold for all comparisons judged together: difference ± t_{1 − α/(2m), ν} · SE."""
    half = t_critical(family.alpha / 2 / family.family_size, family.df) * family.standard_error
    return family.difference - half, family.difference + half


def with_adjusted(families: Sequence[Family], chosen: Correction) -> list[Family]:
    """Return families that were corrected as one with their adjusted intervals."""
    p, adjusted = (np.concatenate([getattr(each, name) for each in families]) for name in ("p_value", "p_adjusted"))
    levels = chosen.levels(p, adjusted, families[0].alpha)
    changed, start = [], 0
    for family in families:
        own = levels[start : start + len(family)]
        ends = adjusted_ends(
            family.difference,
            half_widths(family, own),
            family.p_adjusted <= family.alpha + SLACK,
            own,
            family.test.alternative,
        )
        changed.append(family.changed(adjusted_ci_low=ends.low, adjusted_ci_high=ends.high, adjusted_level=ends.level))
        start += len(family)
    return changed
