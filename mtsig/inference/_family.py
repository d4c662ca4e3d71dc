"""Families of comparisons, and conclusions from each comparison that can be read without this program."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Any, Literal

import numpy as np

from mtsig._probability import Alternative, Tails, normal_quantile, points_text, t_critical, t_quantile
from mtsig._records import Estimates, Floats, Number, OfHeader, Record, SystemName, about, at_most, once
from mtsig.corpus import Note
from mtsig.corpus._notes import capital_first, listed, number_of, ranked_systems
from mtsig.errors import NotApplicable
from mtsig.inference import _fields
from mtsig.inference._corrections import SLACK, Correction, adjusted_ends, corrects
from mtsig.inference._fields import FamilyHeader, FamilyHeading, PairColumns, noncentral, spread_range
from mtsig.inference._intervals import NET_WINS, NONE_SEEN, beside_zero, net_ends
from mtsig.inference._significance import Outcome, SignificanceTest, UnknownTest
from mtsig.inference._tests import filled, known_test
from mtsig.inference._verdict import Comparison, spread_unknown, ungrounded, verdict
from mtsig.metrics import Statistics
from mtsig.metrics._statistics import Kinship, Unit
from mtsig.resampling import Bootstrap, resample


def least_attainable(comparison: Comparison) -> float:
    """Return the smallest p that exchanges can give on the units that differ, 2/2^m, or 1/2^m one-sided; else 0."""
    if not known_test(comparison.test).exchanges:
        return 0.0
    return float(2.0 ** ((1 if comparison.alternative == "two-sided" else 0) - min(comparison.n_differing, 1000)))


@dataclass(frozen=True)
class Detectable:
    """The true difference that such test sets detect on average; low, high: its uncertainty, given the pilot's size.

    cut: whether high is limited to the largest possible difference although the range extends beyond it.
    """

    difference: float
    low: float
    high: float
    cut: bool = False


@once
def smallest_detectable(comparison: Comparison, power: float = 0.8) -> Detectable | None:
    """Compute the true difference that such comparisons detect with this power.

    The result is c · λ(ν) · SE by the jackknife, with the range of λ(ν) · SE. All comparisons of a corrected family
    count. It exists for tests by the jackknife and, over segments, for other tests that control their error rate. It is
    `None` for tests that swap documents, which test a different null hypothesis. No difference is detectable if so few
    units differ that no swap is significant, if the documents allow no verdict, or if it would exceed the largest
    possible difference. The range ends at the largest possible difference.

    Examples
    --------
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
    known = noncentral(comparison.df, comparison.alpha / sides / comparisons, power) * comparison.standard_error
    if known > comparison.widest:  # with the pilot's spread it is farther still, which costs far more to know
        return None
    difference = _fields.detectable_difference(
        comparison.standard_error, comparison.level, power, comparisons, comparison.df, sides
    )
    if np.isnan(difference) or difference > comparison.widest:
        return None
    low, high = spread_range(comparison.df)
    # Where power is asked for that is far from .8 the factor may pass the range.
    most = max(difference, high * known)
    cut = most > comparison.widest
    return Detectable(difference, min(difference, low * known), comparison.widest if cut else most, cut)


_NONE = float("nan")


@dataclass(frozen=True)
class ComparisonConclusions(Record):
    """Conclusions that are derived from the numbers of a comparison."""

    significant: Annotated[
        bool | None,
        about(
            "Whether p_adjusted is at most 1 − level or, by Koehn's criterion, the bootstrap win rate is at least the "
            "level. Null if there is neither, or if the Monte Carlo error is too large to decide."
        ),
    ] = None
    verdict: Annotated[Literal["better", "not_significant", "withheld"], about("Verdict of the test.")] = "withheld"
    winner: Annotated[SystemName | None, about("The better system; null unless the verdict is better.")] = None
    withheld_reason: Annotated[str | None, about("Why the verdict is withheld; null if it is not.")] = None
    next_step: Annotated[str, about("What to do if the verdict is withheld; else empty.")] = ""
    caution: Annotated[str, about("Reason to read the verdict with caution; empty if there is none.")] = ""
    detectable: Annotated[
        Number,
        about(
            "True difference that would be detected with 80% power. Null if it cannot be estimated, or is larger than "
            "any possible difference."
        ),
    ] = _NONE
    detectable_low: Annotated[
        Number, about("Lower end of the uncertainty range of the detectable difference."), at_most("detectable_high")
    ] = _NONE
    detectable_high: Annotated[Number, about("Upper end of this range, at most the largest possible difference.")] = (
        _NONE
    )


@once
def conclusions(comparison: Comparison) -> ComparisonConclusions:
    """Return the verdict, and the true difference that 80% of such test sets would detect."""
    decided, detectable = verdict(comparison), smallest_detectable(comparison)
    ends = (_NONE, _NONE, _NONE) if detectable is None else (detectable.difference, detectable.low, detectable.high)
    next_step = f"{decided.step} ({decided.flags})" if decided.step else ""
    return ComparisonConclusions(
        comparison.significant, decided.word, decided.winner, decided.withheld_reason, next_step, decided.caution, *ends
    )


@dataclass(frozen=True, eq=False)
class Drawn:
    """Draws from which comparisons were computed; comparisons from a study file have none.

    null: shape (m, b), differences under the null from shared draws; None for tests without any. farthest: shape (b,),
    how many standard errors the farthest of the comparisons moved in each redraw: what simultaneous intervals are made
    of; None for others. tails: what is left of `null` where it is too large to be kept. of_part: whether they are of a
    part of a test set, with draws of the whole. best_rate: how often each ranked system scores best in resamples; empty
    where systems have different units.
    """

    statistics: Statistics
    null: Floats | None = None
    farthest: Floats | None = None
    tails: Tails | None = None
    of_part: bool = False
    best_rate: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, kw_only=True)
class Family(PairColumns, Estimates[FamilyHeader, Comparison]):
    """m comparisons of pairs of systems under one metric.

    The columns are those of `PairColumns`: family.difference is an array of shape (m,), family.first a tuple. The
    header has what all comparisons share (metric, signature, level, unit, correction, family_size, order, …). test: the
    test with its scheme. scheme: number, seed and unit of the resamples of intervals and win rates. drawn: the
    resamples behind the comparisons; None if they come from a study. without: the same comparisons without a reference
    that overlaps a system, by the reference's name (see `mtsig.metrics.ReferenceOverlap`). unranked: systems that are
    not ranked, with the reason: they have text of a reference, or are not translations. They are last in `order`.
    """

    brief = (
        "set", "metric", "first", "second", "difference", "adjusted_ci_low", "adjusted_ci_high", "p_adjusted",
        "verdict", "winner", "withheld_reason",
    )  # fmt: skip
    called = "pair"
    of_header = FamilyHeader
    of_heading = FamilyHeading
    of_rows = Comparison
    of_derived = ComparisonConclusions

    order = OfHeader[tuple[str, ...]]()
    complete = OfHeader[bool]()
    rated = OfHeader[bool]()
    higher_is_better = OfHeader[bool]()
    level = OfHeader[float]()
    correction = OfHeader[str]()
    family_size = OfHeader[int]()
    unit = OfHeader[str]()

    test: SignificanceTest
    scheme: Bootstrap
    drawn: Drawn | None = None
    without: "Mapping[str, Family]" = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    unranked: Mapping[str, str] = field(default_factory=dict)

    @property
    def heading(self) -> FamilyHeading:
        """The header as it is stored in a file."""
        return FamilyHeading(**vars(self.header), n_resamples=self.test.scheme.n_draws, seed=self.test.scheme.seed)

    @property
    def derived(self) -> tuple[ComparisonConclusions, ...]:
        """The verdicts, and the detectable differences."""
        return tuple(map(conclusions, self))

    @classmethod
    def of_written(cls, heading: FamilyHeading, columns: Mapping[str, Any], derived: Sequence[Record]) -> "Family":
        """Return the comparisons in a file; if the test is unknown here, the file's conclusions are kept."""
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

    @classmethod
    def of_outcome(
        cls, pairs: Sequence[tuple[str, str]], test: SignificanceTest, outcome: Outcome, scheme: Bootstrap,
        drawn: Drawn | None, notes: tuple[Note, ...] = (), unranked: Mapping[str, str] | None = None, **known: Any,
    ) -> "Family":  # fmt: skip
        """Return a test's result for pairs, not yet corrected; known: other columns and header fields."""
        own = {
            "first": [first for first, _ in pairs], "second": [second for _, second in pairs], "exact": outcome.exact,
            "p_value": outcome.p_value, "p_mc_low": outcome.p_mc_low, "p_mc_high": outcome.p_mc_high,
            "p_adjusted": outcome.p_value, "p_adjusted_mc_low": outcome.p_mc_low,
            "p_adjusted_mc_high": outcome.p_mc_high, "complete": outcome.complete,
            "test": test.name, "correction": "none", "family_size": len(pairs), "alternative": test.alternative,
            "estimand": test.estimand, "controls_type1": test.controls_type1,
        }  # fmt: skip
        columns = cls.columns(len(pairs), **{**own, **known})
        return cls(**columns, test=test, scheme=scheme, drawn=drawn, notes=notes, unranked=unranked or {})

    @property
    def ranked_systems(self) -> tuple[str, ...]:
        """The systems that can be ranked first, best score first."""
        return ranked_systems(self.order, self.unranked)

    def __repr__(self) -> str:
        """Return what was compared, in one line."""
        compared = f"{number_of(len(self), 'comparison')} by {self.test.name}"
        return f"<Family in {self.metric}: {compared}, correction {self.correction}>"

    def with_default(self, default: "Family") -> "Family":
        """Add the default test's verdicts on the same pairs, unless this test is the default."""
        if (self.test.name, self.unit) == (default.test.name, default.unit):
            return self
        said = [default.pair(first, second) for first, second in zip(self.first, self.second, strict=True)]
        decided = [None if other is None else verdict(other) for other in said]
        return self.changed(
            default_verdict=[None if each is None else each.word for each in decided],
            default_winner=[None if each is None else each.winner for each in decided],
        )

    @property
    def corrected(self) -> bool:
        """Whether the correction accounts for the number of comparisons."""
        return corrects(self.header.correction)

    @property
    def statistics(self) -> Statistics:
        """The statistics from which the comparisons were computed.

        Raises
        ------
        NotApplicable
            The comparisons come from a study file, which holds no statistics.
        """
        if self.drawn is None:
            raise NotApplicable("These comparisons are part of a study, which keeps no statistics: measure the data.")
        return self.drawn.statistics

    @property
    def null(self) -> Floats | None:
        """Differences under the null from joint resamples, shape (m, b); None if the test or a study has none."""
        return None if self.drawn is None else self.drawn.null

    @property
    def farthest(self) -> Floats | None:
        """Largest deviation of any comparison in each resample, in standard errors, shape (b,); None if not needed."""
        return None if self.drawn is None else self.drawn.farthest

    @property
    def tails(self) -> Tails | None:
        """The most extreme resamples under the null, as many as alpha needs; None without resamples."""
        if self.null is None:
            return None if self.drawn is None else self.drawn.tails
        return Tails.of(self.null, self.difference, self.test.alternative, self.complete, self.alpha)

    @property
    def alpha(self) -> float:
        """The error rate α = 1 − level."""
        return 1 - self.level

    @property
    def systems(self) -> tuple[str, ...]:
        """The compared systems, in the order of the corpus."""
        return tuple(name for name in self.statistics.systems if name in self.order)

    def find(self, first: str, second: str) -> int | None:
        """Return the number of the comparison of these two systems, in either order, or None."""
        return self._places.get(frozenset((first, second)))

    @cached_property
    def _places(self) -> dict[frozenset[str], int]:
        pairs = enumerate(zip(self.first, self.second, strict=True))
        return {frozenset(pair): i for i, pair in reversed([*pairs])}

    def pair(self, first: str, second: str) -> Comparison | None:
        """Return the comparison of these two systems, in either order, or None."""
        at = self.find(first, second)
        return None if at is None else self[at]

    def turned(self, i: int) -> "Family":
        """Return the family with the systems of comparison `i` swapped: signs change, p-values do not.

        Raises
        ------
        NotApplicable
            The test is one-sided: its direction was fixed in advance and cannot be reversed.
        """
        if self.test.alternative != "two-sided":
            raise NotApplicable(
                f"The test of {self.first[i]} against {self.second[i]} is one-sided: its direction was fixed in "
                "advance and cannot be reversed."
            )
        drawn = self.drawn
        if drawn is not None and drawn.null is not None:
            sign = np.where(np.arange(len(self)) == i, -1.0, 1.0)
            drawn = replace(drawn, null=sign[:, None] * drawn.null)
        rows = [record.turned if j == i else record for j, record in enumerate(self.records)]
        return replace(self.with_rows(rows), drawn=drawn)

    def by_score(self, order: Sequence[str] = ()) -> "Family":
        """Sort the comparisons by score, with the better-scoring system of each pair first.

        order: systems to place before all others, in this order, such as the order by averages over several sets.
        Chosen pairs and one-sided tests keep their order of systems. The draws under the null are not kept.
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
        """Return the bootstrap differences of comparison `i`, from the family's own resamples; shape (b,)."""
        pair = self.statistics.shared_by([self.first[i], self.second[i]])
        first, zero = np.array([0]), np.array([1])
        return np.asarray(resample(pair, self.scheme).differences(first, zero)[0])


def _recorded(heading: FamilyHeading, unit: Unit) -> SignificanceTest:
    """Return the test by which a family in a file was judged; of one that is not known here what the file says."""
    test = known_test(heading.test)
    if isinstance(test, UnknownTest):
        anticonservative_reason = "" if heading.controls_type1 else "it does not control its false-positive rate"
        test = replace(test, estimand=heading.estimand, anticonservative_reason=anticonservative_reason)
    return filled(test, heading.n_resamples, heading.seed, unit, heading.alternative)


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
    half = half_widths_by_t(family.difference, error, family.df, family.p_value, level, family.test.alternative)
    # Answers that are right or wrong, the difference the same in every unit: Tango's interval at this level, whose
    # end is z²/(n + z²) from 0 and twice as far from 1.
    same = (error == 0) & (family.ci_low < family.ci_high) & (family.header.widest == 1)
    far = np.square(normal_quantile(1 - level[same] / (2 if family.test.alternative == "two-sided" else 1)))
    half[same] = (1 + np.abs(family.difference[same])) / (1 + family.units[same] / far)
    return half


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


def as_judged(family: Family) -> Family:
    """Return a family of one comparison by swaps with the interval of its verdict as its own, so that the two agree.

    Answers that are right or wrong, one per item, keep theirs: a score interval, since it covers with few items.
    """
    ends = family.adjusted_ci_low, family.adjusted_ci_high
    statistics = family.statistics
    keeps_own = not family.test.exchanges or (statistics.right_or_wrong and statistics.samples is None)
    if family.family_size != 1 or keeps_own or np.isnan(ends).any():
        return family
    return family.changed(ci_low=ends[0], ci_high=ends[1], interval=["swaps"] * len(family))


def together_ends(row: Comparison) -> tuple[float, float]:
    """Return the interval that holds for all comparisons corrected together: difference ± t_{1 − α/(2m), ν} · SE.

    Of net wins it is of the kind of their own interval, whose far end tells the effective number of judgements.
    """
    level, widest = 1 - row.alpha / row.family_size, row.widest
    if row.interval == NONE_SEEN and np.isnan(widest):
        # Of margins the largest is not kept; its sum with the difference is what the interval is a share of.
        reach = max(row.difference - row.ci_low, row.ci_high - row.difference)
        widest = reach / (1 - ((1 - row.level) / 2) ** (1 / row.units)) - abs(row.difference)
    if row.interval not in (NET_WINS, NONE_SEEN) or np.isnan(widest):
        half = t_critical(np.array((1 - level) / 2), np.array(row.df)) * row.standard_error
        low, high = possible(row.difference + np.array([-1.0, 1.0]) * half, row.widest).tolist()
        return low, high
    net, far = (np.array([value / widest]) for value in (row.difference, row.ci_high))
    far = far if row.difference >= 0 else np.array([row.ci_low / widest])
    df, same = np.array([row.df]), np.array([row.interval == NONE_SEEN])
    with np.errstate(divide="ignore", invalid="ignore"):
        n = t_quantile((1 + row.level) / 2, df) ** 2 * (1 - far**2) / (far - net) ** 2
    ends = net_ends(net, n, t_quantile((1 + level) / 2, df), np.array([float(row.units)]), level, same)
    low, high = (widest * beside_zero(net, ends, np.array([row.p_value <= 1 - level]))[i][0] for i in (0, 1))
    return float(low), float(high)


def possible(differences: Floats, widest: float) -> Floats:
    """Return differences, cut at the largest one possible where that is known."""
    return differences if np.isnan(widest) else np.clip(differences, -widest, widest)


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
        low, high = (possible(end, family.header.widest) for end in (ends.low, ends.high))
        changed.append(family.changed(adjusted_ci_low=low, adjusted_ci_high=high, adjusted_level=ends.level))
        start += len(family)
    return changed


def counted_without(statistics: Statistics, reference: str) -> dict[str, Statistics]:
    """Return statistics without a reference, by how that is written; nothing where they cannot be had."""
    kinship = next((item for item in statistics.kinships if item.kin.reference == reference), None)
    if kinship is None:
        return {"": statistics}
    others, systems = kinship.without, set(statistics.systems)
    if any(not systems <= set(other.systems) for other in others.values()):
        return {}
    dropped = _dropped(statistics, reference)
    together = {"without that reference": _without(dropped)} if len(dropped) > 1 else {}
    return {together.get(said, said): _of_those(statistics, other) for said, other in others.items()}


def _of_those(statistics: Statistics, other: Statistics) -> Statistics:
    """Return other statistics of the same systems, by document where these are."""
    chosen = other.select(statistics.systems)
    return chosen.by_document() if statistics.unit == "document" else chosen


def _dropped(statistics: Statistics, reference: str) -> list[str]:
    """Return the references that are left out for one of them: all that its kin have something of."""
    of_kin = {item.kin.system for item in statistics.kinships if item.kin.reference == reference}
    return list(dict.fromkeys(item.kin.reference for item in statistics.kinships if item.kin.system in of_kin))


def _without(references: Sequence[str]) -> str:
    return (
        f"without {'reference' if len(references) == 1 else 'references'} {listed([repr(name) for name in references])}"
    )


def concerned(many: Sequence[Statistics]) -> list[str]:
    """Return the references that a system among those compared is kin to."""
    taking_part = (
        kinship for statistics in many for kinship in statistics.kinships if kinship.concerns(*statistics.systems)
    )
    return list(dict.fromkeys(kinship.kin.reference for kinship in taking_part))


def pairs_with_kin(family: Family, reference: str) -> list[tuple[str, str]]:
    """Return the pairs of the family in which the reference's kin stands."""
    kinships = _kinships(family, reference)
    pairs = zip(family.first, family.second, strict=True)
    return [pair for pair in pairs if any(kinship.concerns(*pair) for kinship in kinships)]


def kept_without(family: Family, comparison: Comparison) -> str:
    """Return without which references a verdict on a system that overlaps one is the same; else nothing."""
    dropped = [
        name
        for reference in family.without
        if any(_of(kinship, comparison) for kinship in _kinships(family, reference))
        for name in _dropped(family.statistics, reference)
    ]
    kept = dropped and verdict(comparison).word != "withheld"
    return f"The verdict is the same {_without(list(dict.fromkeys(dropped)))}." if kept else ""


def _kinships(family: Family, reference: str) -> list[Kinship]:
    """Return the reference's kin that take part: mostly one, or the runs of one."""
    kinships = family.statistics.kinships
    return [each for each in kinships if each.kin.reference == reference and each.concerns(*family.systems)]


def doubted(family: Family, reference: str, without: Mapping[str, Family]) -> Family:
    """Return the family with verdicts withheld on systems that overlap a reference, where they change without it."""
    kinships = _kinships(family, reference)
    if not without:
        # Beside too few others a lone reference's kin may be an ordinary system.
        kinships = [kinship for kinship in kinships if kinship.sets_apart]
    if not kinships:
        return family
    compared = list(family)

    def doubt(kinship: Kinship, comparison: Comparison) -> str:
        return _another(kinship, comparison, without) if without else _in_favour(kinship, comparison)

    found = [
        ""
        if comparison.data_caveat
        else next(filter(None, (doubt(kinship, comparison) for kinship in kinships if _of(kinship, comparison))), "")
        for comparison in compared
    ]
    pairs = list(zip(compared, found, strict=True))
    family = family.changed(
        data_caveat=[said or comparison.data_caveat for comparison, said in pairs],
        data_caveat_id=["reference" if said else comparison.data_caveat_id for comparison, said in pairs],
    )
    if not without:
        return family
    new = [comparison for comparison, said in pairs if said]
    whole = next(iter(without.values()))
    told_of = [kinship for kinship in kinships if not (kinship.kin.spliced and kinship.only)]
    said = " ".join(_summary(kinship, family, whole, compared, new) for kinship in told_of)
    if not told_of:
        said = (
            f"{capital_first(next(iter(without)))}, {len(new)} of {len(pairs)} verdicts on "
            f"{family.metric} change{', and are withheld' if new else ''}."
        )
    whose = tuple(dict.fromkeys(kinship.kin.system for kinship in kinships))
    note = Note("warning", said, "kin" if told_of else "spliced", whose)
    # Overlap with two references is judged without both, and that is said once.
    told = set(_dropped(family.statistics, reference)) & set(family.without)
    notes = family.notes if told else (note, *family.notes)
    return replace(family, notes=notes, without={**family.without, reference: whole})


def _of(kinship: Kinship, comparison: Comparison) -> bool:
    return kinship.concerns(comparison.first, comparison.second)


def _in_favour(kinship: Kinship, comparison: Comparison) -> str:
    winner = verdict(comparison).winner
    if winner is None or not kinship.concerns(winner):
        return ""
    return f"{kinship.kin.brief}, and no other reference is available to compare with"


def _another(kinship: Kinship, comparison: Comparison, without: Mapping[str, Family]) -> str:
    now = verdict(comparison)
    for position, (said, family) in enumerate(without.items()):
        at = family.find(comparison.first, comparison.second)
        # The other references by themselves are asked whether the kin is better, and nothing else.
        if at is None or (position > 0 and not (now.winner and kinship.concerns(now.winner))):
            continue
        then = verdict(family[at])
        if (now.word, now.winner) != (then.word, then.winner):
            other = f"{then.winner} significantly better" if then.winner else then.words
            return f"{kinship.kin.brief}, and {said} the verdict is {other}"
    return ""


def _summary(
    kinship: Kinship, family: Family, without: Family, compared: Sequence[Comparison], doubtful: Sequence[Comparison]
) -> str:
    """Return what the kin's score and place are without the reference, and how many verdicts on it change."""
    kin = kinship.kin
    judged, changed = (sum(_of(kinship, comparison) for comparison in many) for many in (compared, doubtful))
    dropped = _dropped(family.statistics, kin.reference)
    left_out = capital_first(_without(dropped))
    those = "that reference" if len(dropped) == 1 else "those references"
    verdicts = f"all its verdicts also hold without {those}"
    if changed:
        verdicts = f"{changed} of its {judged} verdicts change without {those} or with another one, and are withheld"
    if 0 < changed < judged:
        verdicts += f"; the other {judged - changed} also hold without {those}"
    metric = family.statistics.metric
    with_it, without_it = (
        f"{points_text(float(of.statistics.scores[of.statistics.row(kin.system)]), metric.decimals)} {metric.name}"
        f" (rank {[n for n in of.statistics.best_first if n in of.order].index(kin.system) + 1} of {len(of.order)})"
        for of in (family, without)
    )
    them = "it" if len(dropped) == 1 else "them"
    return f"{left_out} {kin.system} has {without_it}, with {them} {with_it}; {verdicts}."
