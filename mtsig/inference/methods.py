"""Ways to make confidence intervals: targets and a level go in, lower and upper ends come out."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mtsig._records import Floats
from mtsig.citations import Citations
from mtsig.errors import NotApplicable
from mtsig.inference.distributions import normal_below, normal_quantile, t_quantile
from mtsig.inference.significance.compat import resample_as_sacrebleu
from mtsig.inference.targets import Pairs, Scores

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
