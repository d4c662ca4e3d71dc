"""Intervals: statistics go in; every system's score with an interval, by one of the methods, comes out."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Generic, TypeVar

import numpy as np

from mtsig._arguments import expect_arguments
from mtsig._probability import check_level, normal_below, normal_quantile, t_quantile
from mtsig._records import (
    Count,
    Decimals,
    Estimates,
    Floats,
    Index,
    Level,
    MetricRecord,
    Number,
    SystemName,
    Texts,
    about,
    at_most,
)
from mtsig.citations import Citations
from mtsig.corpus import Note
from mtsig.corpus._notes import counted_names, ranked_systems
from mtsig.errors import NotApplicable, UnknownName, find
from mtsig.inference._dependence import cautions
from mtsig.inference._fields import NO_TEXT
from mtsig.inference._significance import AUTO, DEFAULTS
from mtsig.inference._significance._base import resample_as_sacrebleu
from mtsig.inference._targets import Pairs, Scores
from mtsig.metrics import Statistics
from mtsig.metrics._statistics import expect_statistics
from mtsig.metrics._sums import FEWEST_UNITS
from mtsig.resampling import Bootstrap, Distribution

Ends = tuple[Floats, Floats]


class IntervalMethod(ABC):
    """A way to make confidence intervals; `name` is what users type, `about` one sentence for them.

    `in_words` is how a methods paragraph says it ("intervals were made by …"), `cites` what to cite for it: keys of the
    bibliography (mtsig.citations), or a `Work` that it lacks. `redraws`: whether it reads redrawn test sets, which
    take time. `holds_together`: whether its intervals hold all together at the level, as estimate ± c · SE with one c
    for all of them: where several metrics are judged together, `adjust.hold_together` finds one for all.
    `segment_only`: the method reads segments alone.
    """

    name: str
    label: str
    in_words: str = ""
    cites: ClassVar[Citations] = ()
    about: str
    redraws: bool = True
    holds_together: bool = False
    segment_only: bool = False

    @abstractmethod
    def ends(self, targets: Scores | Pairs, level: float) -> Ends:
        """Return lower and upper ends, each of shape (t,); NaN where the method does not apply."""

    def farthest(self, targets: Scores | Pairs) -> Floats | None:
        """Return how many SE the farthest target moved in each redraw, shape (b,); None where that is not used.

        Of intervals that hold together, and of no others.
        """
        del targets
        return None


@dataclass(frozen=True)
class Jackknife(IntervalMethod):
    """Estimate ± t · SE, SE by leaving out one unit at a time, with degrees of freedom for units of unequal size.

    (docs/statistics/documents.md, section 1.)
    """

    name = "jackknife"
    label = "jackknife t interval"
    in_words = "the delete-one jackknife, as estimate ± t × standard error"
    cites = ("efron-1982-jackknife", "satterthwaite-1946", "bell-mccaffrey-2002")
    about = (
        "Estimate ± t × standard error by leaving out one unit at a time; allows for few documents, and for "
        "documents of unequal length."
    )
    redraws = False

    def ends(self, targets: Scores | Pairs, level: float) -> Ends:
        """Return estimate ± t_ν · SE."""
        return half_width(targets, targets.df, (1 + level) / 2)


def half_width(targets: Scores | Pairs, df: Floats, share: float) -> Ends:
    """Return estimate ± t · SE, t the quantile at `share`."""
    half = t_quantile(share, df) * targets.standard_error
    return targets.estimate - half, targets.estimate + half


@dataclass(frozen=True)
class InfinitesimalJackknife(IntervalMethod):
    """Estimate ± t · SE, SE from the derivative of the score by each unit (docs/statistics/intervals.md, section 1)."""

    name = "ij"
    label = "fast t interval"
    in_words = "the infinitesimal jackknife, as estimate ± t × standard error"
    cites = ("efron-1982-jackknife",)
    about = (
        "Estimate ± t × standard error by the derivative of the score; the same as jackknife over many segments, too "
        "narrow over few or unequal documents."
    )
    redraws = False

    def ends(self, targets: Scores | Pairs, level: float) -> Ends:
        """Return estimate ± t_{n−1} · SE."""
        half = t_quantile((1 + level) / 2, targets.units - 1) * targets.infinitesimal_error
        return targets.estimate - half, targets.estimate + half


@dataclass(frozen=True)
class Percentile(IntervalMethod):
    """The middle of the redrawn scores (K04 section 5, ZV04 section 3.1), numpy's linear rule between ranks."""

    name = "percentile"
    label = "percentile bootstrap"
    in_words = "the percentile bootstrap"
    cites = ("koehn-2004-statistical", "zhang-vogel-2004-measuring")
    about = "The middle part of the scores of redrawn test sets; slightly too narrow for small test sets."

    def ends(self, targets: Scores | Pairs, level: float) -> Ends:
        """Return the quantiles (1 − level)/2 and (1 + level)/2 of the draws."""
        return middle(targets.draws, level)


def middle(draws: Floats, level: float) -> Ends:
    """Return the quantiles (1 − level)/2 and (1 + level)/2 of draws, shape (…, b), along their last axis."""
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=-1)
    return low, high


@dataclass(frozen=True)
class KoehnPercentile(IntervalMethod):
    """K04 section 5: sort the draws and drop the same number on either side, 25 of 1000; no rule between ranks."""

    name = "koehn"
    label = "percentile, by Koehn's ranks"
    in_words = "the percentile bootstrap, by Koehn's ranks"
    cites = ("koehn-2004-statistical",)
    about = "The percentile interval as Koehn counts it: the 26th and the 975th of 1000 sorted scores."

    def ends(self, targets: Scores | Pairs, level: float) -> Ends:
        """Return the draws that stand next to those dropped."""
        ordered = np.sort(targets.draws, axis=-1)
        draws = ordered.shape[-1]
        # The small number keeps 1000 · .025 at 25 in spite of rounding.
        dropped = int(draws * (1 - level) / 2 + 1e-9)
        return ordered[:, dropped], ordered[:, draws - 1 - dropped]


@dataclass(frozen=True)
class Basic(IntervalMethod):
    """The percentile interval turned round the estimate: 2θ − q."""

    name = "basic"
    label = "basic bootstrap"
    in_words = "the basic bootstrap"
    cites = ("efron-tibshirani-1993",)
    about = "The percentile interval reflected at the estimate."

    def ends(self, targets: Scores | Pairs, level: float) -> Ends:
        """Return 2θ − q_{1−a/2} and 2θ − q_{a/2}."""
        low, high = Percentile().ends(targets, level)
        return 2 * targets.estimate - high, 2 * targets.estimate - low


@dataclass(frozen=True)
class Normal(IntervalMethod):
    """Estimate ± z · SD of the draws."""

    name = "normal"
    label = "normal, bootstrap SE"
    in_words = "the bootstrap, as estimate ± z × standard error"
    cites = ("efron-tibshirani-1993",)
    about = "Estimate ± z × standard deviation of the scores of redrawn test sets."

    def ends(self, targets: Scores | Pairs, level: float) -> Ends:
        """Return θ ± z SE*."""
        half = normal_quantile((1 + level) / 2) * targets.draws.std(axis=-1, ddof=1)
        return targets.estimate - half, targets.estimate + half


@dataclass(frozen=True)
class BiasCorrectedAccelerated(IntervalMethod):
    """BCa (Efron 1987) with the acceleration from leaving out one unit at a time.

    Measured here it is no better than percentile, and worst for differences on small sets
    (docs/statistics/intervals.md, section 4).
    """

    name = "bca"
    label = "BCa bootstrap"
    in_words = "the BCa bootstrap"
    cites = ("efron-1987-better",)
    about = "Percentiles corrected for bias and skew; for MT metrics no better than plain percentiles."

    def ends(self, targets: Scores | Pairs, level: float) -> Ends:
        """Return the quantiles of the draws at the corrected shares."""
        low, high = np.empty(len(targets.estimate)), np.empty(len(targets.estimate))
        z = normal_quantile((1 + level) / 2)
        for i, (draws, estimate, left_out) in enumerate(
            zip(targets.draws, targets.estimate, targets.left_out, strict=True)
        ):
            share = np.mean(draws < estimate) + 0.5 * np.mean(draws == estimate)
            bias = normal_quantile(share)
            gaps = left_out.mean() - left_out
            spread = np.square(gaps).sum() ** 1.5
            acceleration = np.power(gaps, 3).sum() / (6 * spread) if spread > 0 else 0.0
            shares = [normal_below(bias + (bias + s * z) / (1 - acceleration * (bias + s * z))) for s in (-1, 1)]
            low[i], high[i] = (estimate, estimate) if np.isnan(shares).any() else np.quantile(draws, shares)
        return low, high


@dataclass(frozen=True)
class Studentized(IntervalMethod):
    """Bootstrap-t: θ − t*_{1−a/2} SE to θ − t*_{a/2} SE, SE by the infinitesimal jackknife in every resample."""

    name = "bootstrap-t"
    label = "studentized bootstrap"
    in_words = "the studentized bootstrap"
    cites = ("efron-tibshirani-1993",)
    about = "Redraws judged by their own standard errors; the best choice for one system on fewer than 50 segments."

    def ends(self, targets: Scores | Pairs, level: float) -> Ends:
        """Return the interval; draws without a standard error are dropped."""
        shares = [(1 - level) / 2, (1 + level) / 2]
        ends = np.full((2, len(targets.estimate)), np.nan)
        for i, row in enumerate(targets.studentized):
            known = row[~np.isnan(row)]
            if len(known):
                ends[:, i] = np.quantile(known, shares)
        error = targets.infinitesimal_error
        return targets.estimate - ends[1] * error, targets.estimate - ends[0] * error


@dataclass(frozen=True)
class StudentT(IntervalMethod):
    """x̄ ± t_{n−1} s/√n of segment scores (K04 section 4), for metrics that are means of segments."""

    name = "t"
    label = "Student t of segment scores"
    in_words = "Student's t for the mean of segment scores"
    cites = ("student-1908",)
    about = "Mean ± t × s/√n; only for metrics that are means of segment scores."
    redraws = False

    def ends(self, targets: Scores | Pairs, level: float) -> Ends:
        """Return the interval.

        Raises:
            NotApplicable: the metric is no mean of segment scores.
        """
        metric = targets.statistics.metric
        if not metric.is_segment_mean:
            raise NotApplicable(f"The t interval is for means of segment scores; {metric.name} is none. Use jackknife.")
        return Jackknife().ends(targets, level)


@dataclass(frozen=True)
class Wilson(IntervalMethod):
    """Wilson's score interval for a share of correct translations (30 of 100: .219 to .396)."""

    name = "wilson"
    label = "Wilson, for right/wrong judgements"
    in_words = "Wilson's method"
    cites = ("wilson-1927",)
    about = "For judgements that are right or wrong: the share of right ones."
    redraws = False
    segment_only = True

    def ends(self, targets: Scores | Pairs, level: float) -> Ends:
        """Return the interval of every system's share.

        Raises:
            NotApplicable: judgements are not 0 or 1, or differences are asked for.
        """
        scores = targets.statistics.segment_scores
        if (
            isinstance(targets, Pairs)
            or not targets.statistics.metric.is_segment_mean
            or set(np.unique(scores[~np.isnan(scores)])) - {0, 1}
        ):
            raise NotApplicable(
                "Wilson's interval is for the share of right judgements (0 or 1) of one system. Use jackknife."
            )
        n, z = targets.units, normal_quantile((1 + level) / 2)
        share = np.nansum(scores, axis=1) / n
        centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
        half = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
        return centre - half, centre + half


@dataclass(frozen=True)
class SacrebleuInterval(IntervalMethod):
    """What sacreBLEU prints as "mean ± half width": symmetric about the biased mean of the redraws."""

    name = "sacrebleu"
    label = "sacreBLEU's, as printed"
    in_words = "sacreBLEU's bootstrap"
    cites = ("post-2018-call",)
    about = "Mean of 1,000 redraws ± half the distance of its 95% ranks, to sacreBLEU's digits; always 95%."
    segment_only = True

    def ends(self, targets: Scores | Pairs, level: float) -> Ends:
        """Return mean − half width and mean + half width of every system.

        Raises:
            NotApplicable: differences, another level than .95, or documents are asked for.
        """
        if isinstance(targets, Pairs) or abs(level - 0.95) > 1e-12:
            raise NotApplicable("sacreBLEU's interval is for scores of systems, at level .95 only. Use percentile.")
        resampled = np.array(resample_as_sacrebleu(targets.statistics, 1000, targets.scheme.seed))
        return resampled[:, 0] - resampled[:, 1], resampled[:, 0] + resampled[:, 1]


@dataclass(frozen=True)
class Simultaneous(IntervalMethod):
    """Estimate ± c · SE, one c for all targets of the same degrees of freedom, so that all hold together at the level.

    Over documents, and where targets stand on different units: c = t_{1 − (1 − level)/(2m), ν} (Bonferroni), since
    redraws of few or unequal documents are too narrow (docs/statistics/documents.md, section 2). Over segments that all
    targets share: the level-quantile of max |θ* − θ|/SE over shared draws.
    """

    name = "simultaneous"
    label = "simultaneous intervals"
    in_words = "the jackknife, widened so that they hold together"
    cites = ("westfall-young-1993",)
    about = "Wider intervals that hold together at the level: for all systems, or all pairs judged as one family."
    holds_together = True

    def ends(self, targets: Scores | Pairs, level: float) -> Ends:
        """Return the intervals of the whole family."""
        farthest = self.farthest(targets)
        if farthest is None:
            return self.by_bonferroni(targets, level, len(targets.labels))
        factor = np.quantile(farthest, level)
        return targets.estimate - factor * targets.standard_error, targets.estimate + factor * targets.standard_error

    def by_bonferroni(self, targets: Scores | Pairs, level: float, judged: int) -> Ends:
        """Return intervals each of which is one of `judged` that hold together."""
        return half_width(targets, targets.df, 1 - (1 - level) / 2 / judged)

    def farthest(self, targets: Scores | Pairs) -> Floats | None:
        """Return max |θ* − θ|/SE over the targets, redraw by redraw; shape (b,), 0 where no target varies.

        None where redraws are not to be used: over documents, and over units that targets do not share.
        """
        if targets.statistics.clustered or len(targets.parts) > 1:
            return None
        error = targets.standard_error
        known = error > 0
        away = np.abs(targets.draws[known] - targets.estimate[known, None]) / error[known, None]
        return np.asarray(away.max(axis=0, initial=0.0))


INTERVALS: dict[str, IntervalMethod] = {
    method.name: method
    for method in (
        Jackknife(),
        InfinitesimalJackknife(),
        Percentile(),
        Studentized(),
        Simultaneous(),
        Basic(),
        Normal(),
        BiasCorrectedAccelerated(),
        KoehnPercentile(),
        StudentT(),
        Wilson(),
        SacrebleuInterval(),
    )
}


def hold_together(name: str) -> bool:
    """Return whether intervals by the method of this name hold together; not those that this program does not know."""
    known = INTERVALS.get(name)
    return known is not None and known.holds_together


@dataclass(frozen=True)
class Interval:
    """One estimate with its confidence interval: a procedure that covers the truth in a share `level` of test sets."""

    estimate: float
    ci_low: float
    ci_high: float
    level: float
    method: str
    decimals: int = 2


N = TypeVar("N")  # numbers

C = TypeVar("C")  # counts

T = TypeVar("T")  # texts

S = TypeVar("S")  # names of systems


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoreFields(Generic[N, C, T, S]):
    """What differs from system to system; each type stands for one value in a row, and for an array in columns."""

    system: Annotated[S, about("Name of the system.")]
    score: Annotated[N, about("Its score.")]
    ci_low: Annotated[N, about("Lower end of the interval."), at_most("ci_high")]
    ci_high: Annotated[N, about("Upper end of the interval.")]
    interval: Annotated[T, about("Method of this interval: percentile where the one asked for has no value.")]
    units: Annotated[C, about("Units that this score stands on; fewer than others' where the system lacks some.")]
    segments: Annotated[C, about("Segments that this score stands on.")]
    apart: Annotated[
        T, about("Why the system is set apart: it has text of a reference, or is one; empty as a rule.")
    ] = NO_TEXT


@dataclass(frozen=True, kw_only=True)
class Score(ScoreFields[Number, Count, str, SystemName], MetricRecord):
    """A system's score with its interval."""


@dataclass(frozen=True, kw_only=True)
class IntervalsHeader(MetricRecord):
    """What is the same for all scores by one metric."""

    level: Annotated[Level, about("Nominal coverage of the intervals.")]
    unit: Annotated[str, about("What the intervals take for a unit: segment, block (of segments) or document.")]
    higher_is_better: Annotated[bool, about("Whether a higher score is a better one.")]
    decimals: Annotated[Decimals, about("Decimals in which scores are shown.")] = 2


@dataclass(frozen=True, eq=False, kw_only=True)
class Intervals(ScoreFields[Floats, Index, Texts, Texts], Estimates[IntervalsHeader, Score]):
    """Scores with confidence intervals, one per system; its columns are those of `ScoreFields`, of shape (s,)."""

    called = "system"
    of_header = IntervalsHeader
    of_heading = IntervalsHeader
    of_rows = Score

    notes: tuple[Note, ...] = ()

    @property
    def level(self) -> float:
        """Nominal coverage of the intervals."""
        return self.header.level

    @property
    def unit(self) -> str:
        """What the intervals take for a unit."""
        return self.header.unit

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher score is a better one."""
        return self.header.higher_is_better

    @property
    def decimals(self) -> int:
        """Decimals in which scores are shown."""
        return self.header.decimals

    def __repr__(self) -> str:
        """Return what has intervals, in one line."""
        return f"<Intervals in {self.metric}: {counted_names('system', self.systems)}>"

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems."""
        return self.system

    @property
    def n_units(self) -> int:
        """How many units the best covered system stands on: all of them, as a rule."""
        return int(self.units.max())

    def __getitem__(self, system: str) -> Interval:
        """Return the interval of one system."""
        if system not in self.systems:
            raise UnknownName(f"There is no system called {system!r}. Known: {', '.join(self.systems)}.")
        record = self.records[self.systems.index(system)]
        return Interval(record.score, record.ci_low, record.ci_high, self.level, record.interval, self.decimals)

    def order(self) -> list[int]:
        """Return the positions of the systems, best first, then those that are set apart.

        Equal scores keep the order of the systems.
        """
        best_first = -self.score if self.higher_is_better else self.score
        return sorted(np.argsort(best_first, kind="stable").tolist(), key=lambda i: bool(self.apart[i]))

    @property
    def ranked_systems(self) -> tuple[str, ...]:
        """The systems that can be called the best."""
        return ranked_systems(
            self.systems, [name for name, apart in zip(self.system, self.apart, strict=True) if apart]
        )

    def by_score(self) -> "Intervals":
        """Return the same with the systems best first."""
        return self.with_rows([self.records[i] for i in self.order()])


def ends_of(targets: Scores | Pairs, method: str | IntervalMethod, level: float) -> tuple[Ends, tuple[str, ...]]:
    """Return the ends of the intervals of all targets, and for each the name of the method that made it."""
    chosen = find(INTERVALS, method, "interval")
    if targets.units.min() < FEWEST_UNITS:
        raise NotApplicable("One unit alone has no spread: at least 2 segments (or documents) are needed.")
    low, high = chosen.ends(targets, check_level(level))
    names = np.full(low.shape, chosen.name, dtype=object)
    undefined = np.isnan(low)
    if undefined.any():
        other_low, other_high = INTERVALS["percentile"].ends(targets, level)
        low, high = np.where(undefined, other_low, low), np.where(undefined, other_high, high)
        names[undefined] = "percentile"
    return (low, high), tuple(names)


def fallback_note(names: Sequence[str], methods: Sequence[str], asked: str | IntervalMethod) -> tuple[Note, ...]:
    """Return a note that names the targets whose interval is not of the method asked for."""
    wanted = find(INTERVALS, asked, "interval").name
    fallen = [name for name, method in zip(names, methods, strict=True) if method != wanted]
    if not fallen:
        return ()
    text = (
        "The score has no derivative where an n-gram order has no match, or none without some unit; percentile "
        "intervals for: "
    )
    return (Note("note", f"{text}{', '.join(fallen)}."),)


def interval(
    statistics: Statistics,
    method: str | IntervalMethod = AUTO,
    level: float = 0.95,
    scheme: Bootstrap | None = None,
    drawn: Distribution | None = None,
) -> Intervals:
    """Return a confidence interval for every system's score.

    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> direct = mtsig.interval(statistics)["direct"]
    >>> round(direct.estimate, 2), round(direct.ci_low, 2), round(direct.ci_high, 2)
    (19.2, 16.78, 21.61)

    Args:
        statistics: what `measure` returned.
        method: a name in INTERVALS, a method object, or "auto" for the jackknife.
        level: coverage, such as .95.
        scheme: draws and unit; 10,000 draws of documents when None (without at least ten documents of segments, or of
            blocks where neighbouring segments are alike).
        drawn: the distribution by that scheme, when it was drawn together with other metrics'.

    Raises:
        UnknownName: no such method.
        InvalidOption: the level is out of range.
        NotApplicable: the statistics cannot be resampled so.
    """
    expect_statistics(statistics)
    expect_arguments(interval, locals())
    check_level(level)
    scheme = scheme or Bootstrap()
    by_order = method == AUTO or not find(INTERVALS, method, "interval").segment_only
    scores = Scores(statistics.at(scheme.unit, by_order=by_order), scheme, drawn)
    method = DEFAULTS[scores.statistics.unit].interval if method == AUTO else method
    caveats = statistics.metric.caveats(scores.statistics)
    alone = int(scores.units.max()) < FEWEST_UNITS
    lacking: tuple[Note, ...] = ()
    if alone:
        # A score is a fact of the test set; only its interval needs a spread.
        find(INTERVALS, method, "interval")
        low = high = np.full(len(scores.labels), np.nan)
        methods = ("none",) * len(scores.labels)
        lacking = (Note("warning", f"One {scores.statistics.unit} alone has no spread, so no score has an interval."),)
    else:
        (low, high), methods = ends_of(scores, method, level)
        lacking = (*fallback_note(statistics.systems, methods, method), *cautions(scores))
    columns = Intervals.columns(
        len(statistics.systems),
        metric=statistics.metric.name,
        signature=statistics.signature,
        system=statistics.systems,
        score=scores.estimate,
        ci_low=low,
        ci_high=high,
        interval=methods,
        units=scores.units,
        segments=scores.segments,
        apart=[statistics.apart.get(name, "") for name in statistics.systems],
        level=level,
        unit=scores.statistics.unit,
        higher_is_better=statistics.metric.higher_is_better,
        decimals=statistics.metric.decimals,
    )
    return Intervals(**columns, notes=scores.statistics.notes + caveats + lacking)
