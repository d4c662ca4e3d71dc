"""Intervals: every system's score with a confidence interval, by one of several methods."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Annotated, ClassVar

import numpy as np

from mtsig import _records
from mtsig._options import expect_arguments
from mtsig._plugins import Rows
from mtsig._probability import check_level, normal_below, normal_quantile, t_quantile
from mtsig._records import Columns, Decimals, Floats, Level, Mask, MetricRecord, OfHeader, about, number, text, whole
from mtsig._results import Public
from mtsig.citations import Citations
from mtsig.corpus import Note
from mtsig.corpus._notes import counted_names, ranked_systems
from mtsig.errors import NotApplicable, find
from mtsig.inference._significance import AUTO, DEFAULTS, resample_as_sacrebleu
from mtsig.inference._targets import Pairs, Scores, cautions, draws_in_parts
from mtsig.metrics import Statistics
from mtsig.metrics._metric import sign_of
from mtsig.metrics._statistics import expect_statistics
from mtsig.metrics._sums import FEWEST_UNITS
from mtsig.resampling import Bootstrap, Distribution

Ends = tuple[Floats, Floats]

_HAIR = 1e-9
"""The share of a value by which an interval stops short of 0, or reaches beyond it."""


class IntervalMethod(Public, ABC):
    """A method for confidence intervals, with its name and a sentence on it.

    `in_words` is its wording in a methods paragraph ("intervals were made by …"). `cites` has the works to cite: keys
    of the bibliography (mtsig.citations), or a `Work` object. `redraws`: whether it uses resamples, which take time.
    `holds_together`: whether its intervals are simultaneous at the level, as estimate ± c · SE with one c for all
    intervals; if several metrics are corrected together, `adjust.hold_together` finds one c for all metrics.
    `segment_only`: the method uses only segments. `of_differences`: its name next to another interval.
    """

    name: str
    label: str
    in_words: str = ""
    cites: ClassVar[Citations] = ()
    about: str
    redraws: bool = True
    holds_together: bool = False
    segment_only: bool = False

    @property
    def of_differences(self) -> str:
        """Name of the method for the interval of a difference."""
        return self.label

    @abstractmethod
    def ends(self, targets: Scores | Pairs, level: float) -> Ends:
        """Return both ends, of shape (t,); NaN where the method is undefined."""

    def farthest(self, targets: Scores | Pairs) -> Floats | None:
        """Compute each resample's largest deviation of any target, in SE; shape (b,)."""
        del targets
        return None


@dataclass(frozen=True)
class Jackknife(IntervalMethod):
    """Estimate ± t · SE by leaving out one unit at a time (docs/statistics/documents.md, section 1)."""

    name = "jackknife"
    label = "jackknife t interval"
    in_words = "the delete-one jackknife, as estimate ± t × standard error"
    cites = ("efron-1982-jackknife", "satterthwaite-1946", "bell-mccaffrey-2002")
    about = (
        "Estimate ± t × standard error, by leaving out one unit at a time. It allows for few documents, and for "
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
        "Estimate ± t × standard error, from the derivative of the score. It is almost the same as jackknife for many "
        "segments, but too narrow for few or unequal documents."
    )
    redraws = False

    def ends(self, targets: Scores | Pairs, level: float) -> Ends:
        """Return estimate ± t_{n−1} · SE."""
        half = t_quantile((1 + level) / 2, targets.units - 1) * targets.infinitesimal_error
        return targets.estimate - half, targets.estimate + half


@dataclass(frozen=True)
class Percentile(IntervalMethod):
    """The middle of the resampled scores (Koehn 2004; Zhang and Vogel 2004), numpy's linear rule between ranks."""

    name = "percentile"
    label = "percentile bootstrap"
    in_words = "the percentile bootstrap"
    cites = ("koehn-2004-statistical", "zhang-vogel-2004-measuring")
    about = "The central 95% of the scores of resampled test sets. It is slightly too narrow for small test sets."

    def ends(self, targets: Scores | Pairs, level: float) -> Ends:
        """Return the quantiles (1 − level)/2 and (1 + level)/2 of the draws."""
        ends = [middle(draws, level) for draws in draws_in_parts(targets)]
        return np.concatenate([low for low, _ in ends]), np.concatenate([high for _, high in ends])


def middle(draws: Floats, level: float) -> Ends:
    """Return the quantiles (1 − level)/2 and (1 + level)/2 of draws, shape (…, b), along their last axis."""
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=-1)
    return low, high


@dataclass(frozen=True)
class KoehnPercentile(IntervalMethod):
    """Koehn 2004, section 5: sort the scores and drop as many on either side, 25 of 1000, without interpolation."""

    name = "koehn"
    label = "percentile, by Koehn's ranks"
    in_words = "the percentile bootstrap, by Koehn's ranks"
    cites = ("koehn-2004-statistical",)
    about = "The percentile interval with Koehn's counting of ranks: the 26th and the 975th of 1000 sorted scores."

    def ends(self, targets: Scores | Pairs, level: float) -> Ends:
        """Return the draws that stand next to those dropped."""
        draws = targets.scheme.n_draws
        # The small number keeps 1000 · .025 at 25 in spite of rounding.
        dropped = int(draws * (1 - level) / 2 + 1e-9)
        ends = [np.sort(some, axis=-1)[:, [dropped, draws - 1 - dropped]] for some in draws_in_parts(targets)]
        low, high = np.concatenate(ends).T
        return low, high


@dataclass(frozen=True)
class Basic(IntervalMethod):
    """The percentile interval turned round the estimate: 2θ − q."""

    name = "basic"
    label = "basic bootstrap"
    in_words = "the basic bootstrap"
    cites = ("efron-tibshirani-1993",)
    about = "The percentile interval, reflected around the estimate."

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
    about = "Estimate ± z × standard deviation of the scores of resampled test sets."

    def ends(self, targets: Scores | Pairs, level: float) -> Ends:
        """Return θ ± z SE*."""
        spread = np.concatenate([draws.std(axis=-1, ddof=1) for draws in draws_in_parts(targets)])
        half = normal_quantile((1 + level) / 2) * spread
        return targets.estimate - half, targets.estimate + half


@dataclass(frozen=True)
class BiasCorrectedAccelerated(IntervalMethod):
    """BCa (Efron 1987), acceleration from leaving out units (docs/statistics/intervals.md, section 4)."""

    name = "bca"
    label = "BCa bootstrap"
    in_words = "the BCa bootstrap"
    cites = ("efron-1987-better",)
    about = "Percentiles corrected for bias and skew. For MT metrics, they are not better than plain percentiles."

    def ends(self, targets: Scores | Pairs, level: float) -> Ends:
        """Return the quantiles of the draws at the corrected shares."""
        low, high = np.empty(len(targets.estimate)), np.empty(len(targets.estimate))
        z = normal_quantile((1 + level) / 2)
        for i, (draws, estimate, left_out) in enumerate(
            zip(chain.from_iterable(draws_in_parts(targets)), targets.estimate, targets.left_out, strict=True)
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
    about = "Resamples divided by their own standard errors; the best method for one system on fewer than 50 segments."

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
    """x̄ ± t_{n−1} s/√n of segment scores (Koehn 2004, section 4), for metrics that are means of segments."""

    name = "t"
    label = "Student t of segment scores"
    in_words = "Student's t for the mean of segment scores"
    cites = ("student-1908",)
    about = "Mean ± t × s/√n; only for metrics that are means of segment scores."
    redraws = False

    def ends(self, targets: Scores | Pairs, level: float) -> Ends:
        metric = targets.statistics.metric
        if not metric.is_segment_mean:
            raise NotApplicable(f"The t interval is for means of segment scores; {metric.name} is none. Use jackknife.")
        return Jackknife().ends(targets, level)


@dataclass(frozen=True)
class Wilson(IntervalMethod):
    """Intervals of shares of right answers, which never leave 0 to 1, and of their paired differences.

    A share has Wilson's score interval (30 of 100: .219 to .396). Over documents or blocks, and where segments have
    several outputs, n is the effective number p(1 − p)/SE² by the jackknife, at most that of outputs, and Student's t
    stands for z; where all are right, or none, every unit counts once. A difference on the same segments has Tango's
    score interval (1998); else that of the jackknife, cut at −1 and 1, and Tango's where all units have the same
    difference. (docs/benchmarks.md.)
    """

    name = "wilson"
    label = "Wilson, for right/wrong ratings"
    in_words = "score intervals of shares"
    cites = ("wilson-1927", "tango-1998")
    about = "For ratings that are right or wrong: Wilson's interval for shares, Tango's for paired differences."
    redraws = False
    of_differences = "within −1 and 1"

    def ends(self, targets: Scores | Pairs, level: float) -> Ends:
        """Return the intervals of shares, or of differences of shares."""
        statistics, several = targets.statistics, _several(targets.statistics)
        if not statistics.right_or_wrong:
            raise NotApplicable("Wilson's interval is for shares of ratings that are 0 or 1. Use jackknife.")
        if isinstance(targets, Pairs):
            score = _tango(targets, normal_quantile((1 + level) / 2))
            if not several:
                return score
            same = targets.standard_error == 0
            own = zip(score, Jackknife().ends(targets, level), strict=True)
            low, high = (np.where(same, by_score, by_jackknife) for by_score, by_jackknife in own)
            return np.maximum(low, -1.0), np.minimum(high, 1.0)
        share, n = targets.estimate, targets.units.astype(np.float64)
        z = np.full(len(share), normal_quantile((1 + level) / 2))
        if several:
            drawn = statistics.samples
            most = targets.segments if drawn is None else [drawn.counts[name].sum() for name in targets.labels]
            z, error = np.asarray(t_quantile((1 + level) / 2, targets.df)), targets.standard_error
            varies = (error > 0) & (share > 0) & (share < 1)
            n = np.where(varies, share * (1 - share) / np.where(varies, error, 1.0) ** 2, n)
            n = np.minimum(n, most)
        return share_ends(share, n, z)


def share_ends(share: Floats, n: Floats, z: Floats) -> Ends:
    """Return Wilson's score intervals of shares of n answers, shape (t,); z: the quantile, normal or Student's."""
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * np.sqrt(np.maximum(share * (1 - share), 0) / n + z**2 / (4 * n**2))
    return np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)


NET_WINS, NONE_SEEN, BY_MODEL = "wilson-net-wins", "clopper-pearson", "model"
"""Names of intervals of preferences, which no option chooses: Wilson's, twice the share less 1; where all units say the
same (others may be as frequent as the level allows for none to be seen); by the likelihood of strengths."""

OF_SHARES = frozenset({"wilson", NET_WINS, NONE_SEEN})
"""Names of intervals that are not symmetric, and end at bounds."""

LIKE_ADJUSTED = frozenset({"jackknife", "none", NET_WINS, NONE_SEEN, BY_MODEL})
"""Names of intervals that adjusted ones differ from by their level alone."""


def net_ends(net: Floats, n: Floats, z: Floats, units: Floats, level: Floats | float, same: Mask) -> Ends:
    """Return intervals of shares won less shares lost, shape (t,): Wilson's, or where all units are the same, of these.

    n: effective numbers of answers. same: where the `units` show no spread.
    """
    low, high = (2 * end - 1 for end in share_ends((1 + net) / 2, n, z))
    rare = (1 + np.abs(net)) * (1 - ((1 - level) / 2) ** (1 / units))
    return np.where(same, np.maximum(net - rare, -1.0), low), np.where(same, np.minimum(net + rare, 1.0), high)


def beside_zero(value: Floats, ends: Ends, significant: Mask) -> Ends:
    """Return intervals that leave out 0 where p is significant, and only there; close ends are moved."""
    (low, high), hair = ends, _HAIR * np.abs(value)
    low = np.where(value > 0, np.where(significant, np.maximum(low, hair), np.minimum(low, -hair)), low)
    high = np.where(value < 0, np.where(significant, np.minimum(high, -hair), np.maximum(high, hair)), high)
    return low, high


def _several(statistics: Statistics) -> bool:
    """Return whether a unit is several answers: of its segments, or of a segment's outputs."""
    return statistics.clustered or statistics.samples is not None


def _tango(pairs: Pairs, z: float) -> Ends:
    """Return where the score statistic of a paired difference of shares is ±z (Tango 1998, Statistics in Medicine 17).

    With b segments that only the first has right, c that only the second has, and n in all, the statistic at δ is
    (b − c − nδ)/√(n(2q + δ(1 − δ))), q being the root of 2n q² + ((2n − b + c)δ − b − c) q − cδ(1 − δ) = 0. Units of
    several answers count once each.
    """
    if _several(pairs.statistics):
        n, ahead = pairs.units.astype(np.float64), pairs.estimate * sign_of(pairs.statistics.metric)
        b, c = n * np.maximum(ahead, 0), n * np.maximum(-ahead, 0)
    else:
        apart = pairs.statistics.segment_scores[pairs.first] - pairs.statistics.segment_scores[pairs.second]
        b, c, n = (np.asarray(of.sum(axis=1), dtype=np.float64) for of in (apart == 1, apart == -1, apart == apart))

    def statistic(at: Floats) -> Floats:
        slope, rest = (2 * n - b + c) * at - b - c, c * at * (1 - at)
        q = (np.sqrt(np.maximum(slope**2 + 8 * n * rest, 0)) - slope) / (4 * n)
        return np.asarray((b - c - n * at) / np.sqrt(np.maximum(n * (2 * q + at * (1 - at)), 1e-300)))

    def root(sign: float) -> Floats:
        near, far = (b - c) / n, np.full(len(n), sign)
        for _ in range(60):
            middle = (near + far) / 2
            inside = np.abs(statistic(middle)) < z
            near, far = np.where(inside, middle, near), np.where(inside, far, middle)
        return np.asarray((near + far) / 2)

    turned = -1.0 if sign_of(pairs.statistics.metric) < 0 else 1.0
    low, high = root(-1.0), root(1.0)
    return (low, high) if turned > 0 else (-high, -low)


@dataclass(frozen=True)
class SacrebleuInterval(IntervalMethod):
    """What sacreBLEU prints as "mean ± half width": symmetric about the biased mean of the redraws."""

    name = "sacrebleu"
    label = "sacreBLEU's, as printed"
    in_words = "sacreBLEU's bootstrap"
    cites = ("post-2018-call",)
    about = "Mean of 1,000 resamples ± half the width of their central 95%, identical to sacreBLEU's; always 95%."
    segment_only = True

    def ends(self, targets: Scores | Pairs, level: float) -> Ends:
        """Return mean − half width and mean + half width of every system."""
        if isinstance(targets, Pairs) or abs(level - 0.95) > 1e-12:
            raise NotApplicable("sacreBLEU's interval is only for scores of systems, at level .95. Use percentile.")
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
    in_words = "the jackknife, widened to cover simultaneously"
    cites = ("westfall-young-1993",)
    about = "Wider intervals that all contain the true values at this level, for all systems or all pairs of a family."
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
        """Return max |θ* − θ|/SE over the targets, redraw by redraw; shape (b,), 0 where no target varies."""
        if targets.statistics.clustered or len(targets.parts) > 1:
            return None
        farthest = np.zeros(targets.scheme.n_draws)
        rows = zip(chain.from_iterable(draws_in_parts(targets)), targets.estimate, targets.standard_error, strict=True)
        for draws, estimate, error in rows:
            if error > 0:
                np.maximum(farthest, np.abs(draws - estimate) / error, out=farthest)
        return farthest


INTERVALS = Rows[IntervalMethod](
    "mtsig.intervals",
    IntervalMethod,
    {
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
    },
)


def hold_together(name: str) -> bool:
    """Return whether intervals by the method of this name hold together; not those that this program does not know."""
    known = INTERVALS.get(name)
    return known is not None and known.holds_together


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoreColumns(Columns):
    """Columns of intervals: values that differ between systems."""

    system = text("Name of the system.", _records.SystemName)
    score = number("Its score.")
    ci_low = number("Lower end of the confidence interval.", at_most="ci_high")
    ci_high = number("Upper end of the confidence interval.")
    interval = text("Method of the confidence interval; percentile if the requested method is undefined.")
    units = whole("Number of units that this score is based on; smaller if outputs are missing.")
    segments = whole("Number of segments that this score is based on.")
    unranked = text(
        "Why the system is not ranked (copy of a reference or the source, or no text); usually empty.", default=""
    )


@dataclass(frozen=True, kw_only=True)
class Score(ScoreColumns, MetricRecord):
    """A system's score with its interval."""


@dataclass(frozen=True, kw_only=True)
class IntervalsHeader(MetricRecord):
    """Header of intervals: values that all systems share for one metric."""

    level: Annotated[Level, about("Nominal coverage of the confidence intervals.")]
    unit: Annotated[str, about("Sampling unit of the intervals: segment, block (of segments) or document.")]
    higher_is_better: Annotated[bool, about("Whether higher scores are better.")]
    decimals: Annotated[Decimals, about("Number of decimals in displayed scores.")] = 2


@dataclass(frozen=True, eq=False, kw_only=True)
class Intervals(ScoreColumns, _records.Estimates[IntervalsHeader, Score]):
    """Scores with confidence intervals, one for each of s systems.

    The procedure that makes an interval covers the true score in a share `level` of test sets.
    """

    brief = ("set", "metric", "system", "score", "ci_low", "ci_high")
    called = _kind = "system"
    of_header = IntervalsHeader
    of_heading = IntervalsHeader
    of_rows = Score

    level = OfHeader[float]()
    unit = OfHeader[str]()
    higher_is_better = OfHeader[bool]()
    decimals = OfHeader[int]()

    notes: tuple[Note, ...] = ()

    def __repr__(self) -> str:
        """Return what has intervals, in one line."""
        return f"<Intervals in {self.metric}: {counted_names('system', self.systems)}>"

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems."""
        return self.system

    @property
    def n_units(self) -> int:
        """Number of units of the system that has the most units."""
        return int(self.units.max())

    def in_order(self, systems: Sequence[str]) -> tuple[Floats, Floats, Floats]:
        """Return scores and both ends, shape (k,) each, in this order of systems."""
        rows = [self.systems.index(name) if name in self.systems else -1 for name in systems]
        score, low, high = (np.append(column, np.nan)[rows] for column in (self.score, self.ci_low, self.ci_high))
        return score, low, high

    def order(self) -> list[int]:
        """Return positions of the systems, best first; unranked systems are last.

        Systems with equal scores keep their order.
        """
        best_first = -self.score if self.higher_is_better else self.score
        return sorted(np.argsort(best_first, kind="stable").tolist(), key=lambda i: bool(self.unranked[i]))

    @property
    def ranked_systems(self) -> tuple[str, ...]:
        """The systems that can be ranked first."""
        return ranked_systems(
            self.systems, [name for name, unranked in zip(self.system, self.unranked, strict=True) if unranked]
        )

    def by_score(self) -> "Intervals":
        """Return the same intervals with the systems sorted, best first."""
        return self.with_rows([self.records[i] for i in self.order()])


def default_of(targets: Scores | Pairs) -> str:
    """Return the name of the interval that "auto" stands for: that of shares for what is right or wrong."""
    statistics = targets.statistics
    return Wilson.name if statistics.right_or_wrong else DEFAULTS[statistics.unit].interval


def ends_of(targets: Scores | Pairs, method: str | IntervalMethod, level: float) -> tuple[Ends, tuple[str, ...]]:
    """Return the ends of the intervals of all targets, and for each the name of the method that made it."""
    chosen = find(INTERVALS, method, "interval")
    if targets.units.min() < FEWEST_UNITS:
        raise NotApplicable("One unit alone shows no variation; at least 2 segments (or documents) are needed.")
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
        "The jackknife is undefined if an n-gram order has no match, or has none when some unit is left out. "
        "Percentile intervals are used for: "
    )
    said = f"{text}{', '.join(fallen)}."
    return (Note("note", said, headline="Percentile intervals for some systems"),)


def interval(
    statistics: Statistics,
    method: str | IntervalMethod = AUTO,
    level: float = 0.95,
    scheme: Bootstrap | None = None,
    drawn: Distribution | None = None,
) -> Intervals:
    """Compute a confidence interval for every system's score.

    Parameters
    ----------
    statistics : Statistics
        What `measure` returns.
    method : str or IntervalMethod, default "auto"
        A name in `mtsig.inference.INTERVALS`, or a method object; "auto" is the jackknife.
    level : float, default 0.95
        Coverage of the intervals, from 0.5 to 0.9999.
    scheme : Bootstrap, optional
        Number of resamples, seed and sampling unit. By default 10,000 resamples are drawn. The unit is documents if
        there are at least ten, blocks if neighbouring segments are correlated, and segments otherwise.
    drawn : Distribution, optional
        The distribution that `resample` returned for that scheme, if it was already drawn.

    Returns
    -------
    intervals : Intervals
        One row per system; `score`, `ci_low` and `ci_high` have shape (n_systems,). Indexed by system.

    Raises
    ------
    UnknownName
        There is no interval method of that name.
    InvalidOption
        The level is out of range, or the statistics have the wrong type.
    NotApplicable
        There are too few units, or the method is not applicable to this metric.

    See Also
    --------
    compare : scores with intervals, and comparisons. Two intervals do not show whether two systems differ.
    mtsig.inference.compare : intervals of differences.

    Notes
    -----
    The default method is the jackknife:

    1. Leave out each of the n units in turn, and compute the score without it [1]_.
    2. The variance is (n − 1)/n · Σᵢ (θᵢ − θ)², with θ the score and θᵢ the score without unit i.
    3. The interval is score ± t · SE, where t is Student's quantile. Its degrees of freedom account for units of
       unequal size [2]_.

    Bootstrap intervals ("percentile", "bca" and others) draw n units with replacement, as often as the scheme says. The
    ends of the interval are computed from the scores of the resamples. An interval covers the true score in a share
    `level` of test sets; the sampling unit defines this population of test sets.

    References
    ----------
    .. [1] Efron (1982).
    .. [2] Bell and McCaffrey (2002).

    Examples
    --------
    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> intervals = mtsig.interval(statistics)
    >>> direct = intervals["direct"]
    >>> round(direct.score, 2), round(direct.ci_low, 2), round(direct.ci_high, 2)
    (19.2, 16.78, 21.61)

    By the bootstrap, at another level, with segments as units:

    >>> scheme = mtsig.inference.Bootstrap(n_draws=1000, seed=1, unit="segment")
    >>> other = mtsig.interval(statistics, "percentile", level=0.9, scheme=scheme)["direct"]
    >>> round(other.ci_low, 2), round(other.ci_high, 2)
    (17.69, 20.7)

    All of them as a table:

    >>> intervals.to_frame().shape
    (5, 5)
    """
    expect_statistics(statistics)
    expect_arguments(interval, locals())
    check_level(level)
    scheme = scheme or Bootstrap()
    by_order = method == AUTO or not find(INTERVALS, method, "interval").segment_only
    scores = Scores(statistics.at(scheme.unit, by_order=by_order), scheme, drawn)
    method = default_of(scores) if method == AUTO else method
    caveats = statistics.metric.caveats(scores.statistics)
    alone = int(scores.units.max()) < FEWEST_UNITS
    lacking: tuple[Note, ...] = ()
    if alone:
        # A score is a fact of the test set; only its interval needs a spread.
        find(INTERVALS, method, "interval")
        low = high = np.full(len(scores.labels), np.nan)
        methods = ("none",) * len(scores.labels)
        text = f"One {scores.statistics.unit} alone does not show how much scores vary, so no score has an interval."
        lacking = (Note("warning", text, headline="No intervals"),)
    else:
        (low, high), methods = ends_of(scores, method, level)
        lacking = (*fallback_note(statistics.systems, methods, method), *cautions(scores))
    columns = Intervals.columns(
        len(statistics.systems),
        metric=statistics.metric.name, signature=statistics.signature, system=statistics.systems, score=scores.estimate,
        ci_low=low, ci_high=high, interval=methods, units=scores.units, segments=scores.segments,
        unranked=[statistics.unranked.get(name, "") for name in statistics.systems], level=level,
        unit=scores.statistics.unit, higher_is_better=statistics.metric.higher_is_better,
        decimals=statistics.metric.decimals,
    )  # fmt: skip
    return Intervals(**columns, notes=scores.statistics.notes + caveats + lacking)
