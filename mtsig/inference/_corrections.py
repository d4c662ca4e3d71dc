"""Corrections for the number of comparisons: methods that adjust p-values.

The definitions are in docs/statistics/families.md, section 2.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import scipy
from numpy.typing import NDArray

from mtsig._plugins import Rows
from mtsig._probability import Alternative, clopper_pearson, f_above, sided, tolerance
from mtsig._records import Floats
from mtsig._results import Public
from mtsig.citations import Citations
from mtsig.errors import NotApplicable
from mtsig.metrics import Statistics
from mtsig.metrics._sums import FEWEST_UNITS

Adjusted = tuple[Floats, Floats, Floats]

CLASSICALLY = "where the differences of all pairs have the same variance, which is rare"
"""When the classical post-hoc tests keep what they promise (sphericity; docs/statistics/families.md, section 4)."""

SLACK = 1e-12
"""By so much a p may exceed alpha, or a level, and still count as equal to it: products of shares are rounded."""

Error = Literal["each comparison", "any false claim", "share of false claims", "any false claim, classically"]


@dataclass(frozen=True, eq=False)
class CorrectedTogether:
    """m comparisons corrected together.

    p_value, p_mc_low, p_mc_high, exact, difference: shape (m,), as `scale` where it is known. null: shape (m, b).
    first, second, statistics: those of the family; `statistics` is None if several metrics are corrected together.
    `null` is None without joint resamples; `scale`, when known, is a standard error that no swap changes.
    """

    p_value: Floats
    p_mc_low: Floats
    p_mc_high: Floats
    exact: NDArray[np.bool_]
    difference: Floats
    null: Floats | None
    complete: bool
    alternative: Alternative
    scale: Floats | None
    statistics: Statistics | None
    first: NDArray[np.int64]
    second: NDArray[np.int64]


class Correction(Public, ABC):
    """Adjust p-values for many comparisons; `controls` names the error rate.

    `in_words` is its wording in a methods paragraph ("p-values were corrected by …"). `cites` has the works to cite:
    keys of the bibliography (mtsig.citations), or a `Work` object. `needs` names its input: "p-values", "joint draws",
    "exchanges" (joint draws with the swap-invariant scale) or "segment means". `corrects`: whether it accounts for the
    number of comparisons; if not, p-values are described as not corrected.
    """

    name: str
    label: str
    in_words: str = ""
    cites: ClassVar[Citations] = ()
    controls: Error = "any false claim"
    needs: Literal["p-values", "joint draws", "exchanges", "segment means"] = "p-values"
    corrects: bool = True

    @abstractmethod
    def __call__(self, together: CorrectedTogether) -> Adjusted:
        """Return the adjusted p-values, and what they could be if drawing never ended (low, high)."""

    def levels(self, p: Floats, adjusted: Floats, alpha: float) -> Floats:
        """Compute each comparison's level: p ≤ level if and only if adjusted p ≤ alpha.

        p, adjusted and the levels have shape (m,).

        If adjusted ≤ alpha, the level is α·p/adjusted, at least p; else it is α·p/adjusted of the smallest of
        these p. It is NaN without a p, or without an adjusted p (docs/statistics/intervals.md, section 6).
        """
        p = np.where(np.isnan(adjusted), np.nan, p)
        separated = adjusted <= alpha + SLACK
        # A p that is too small for a number is multiplied by m at most. What has p-values of its own may have smaller
        # ones than the test, and no pair is judged at more than alpha for that.
        share = np.divide(p, adjusted, out=np.full(len(p), 1 / len(p)), where=adjusted > 0)
        share = np.minimum(1.0, share)
        levels = np.maximum(p, alpha * share)
        others = np.flatnonzero(~separated & ~np.isnan(p))
        if len(others):
            levels[others] = alpha * share[others[np.argmin(p[others])]]
        return np.where(np.isnan(p), np.nan, levels)


class OfPValues(Correction):
    """A correction that uses only the p-values."""

    @abstractmethod
    def adjusted(self, p: Floats) -> Floats:
        """Return the adjusted p-values, NaN-free."""

    def __call__(self, together: CorrectedTogether) -> Adjusted:
        """Adjust the p-values, and both ends of their Monte-Carlo intervals: adjusting is monotone."""
        lost = np.isnan(together.p_value)
        # A comparison without a p-value stays in the family, as if it were 1.
        low, mid, high = (
            np.where(lost, np.nan, self.adjusted(np.where(lost, 1.0, p)))
            for p in (together.p_mc_low, together.p_value, together.p_mc_high)
        )
        return mid, low, high


@dataclass(frozen=True)
class Uncorrected(OfPValues):
    """Leave the p-values as they are."""

    name = "none"
    label = "uncorrected"
    controls = "each comparison"
    corrects = False

    def adjusted(self, p: Floats) -> Floats:
        return p

    def levels(self, p: Floats, adjusted: Floats, alpha: float) -> Floats:
        """Return alpha for each comparison, since nothing is corrected."""
        del adjusted
        return np.where(np.isnan(p), np.nan, alpha)


@dataclass(frozen=True)
class Bonferroni(OfPValues):
    """m · p."""

    name = "bonferroni"
    label = "Bonferroni"
    in_words = "Bonferroni's method"
    cites = ("dunn-1961",)

    def adjusted(self, p: Floats) -> Floats:
        """Return min(1, m p)."""
        return np.minimum(1.0, len(p) * p)


@dataclass(frozen=True)
class Sidak(OfPValues):
    """1 − (1 − p)^m; exact under independence."""

    name = "sidak"
    label = "Šidák"
    in_words = "Šidák's method"
    cites = ("sidak-1967",)

    def adjusted(self, p: Floats) -> Floats:
        """Return 1 − (1 − p)^m."""
        with np.errstate(divide="ignore"):
            return np.asarray(-np.expm1(len(p) * np.log1p(-p)))


@dataclass(frozen=True)
class Holm(OfPValues):
    """Step-down Bonferroni (Holm 1979)."""

    name = "holm"
    label = "Holm"
    in_words = "Holm's method"
    cites = ("holm-1979",)

    def adjusted(self, p: Floats) -> Floats:
        """Return the running maximum of (m − rank + 1) · p from the smallest p on."""
        order = np.argsort(p, kind="stable")
        scaled = np.minimum(1.0, p[order] * np.arange(len(p), 0, -1))
        return _in_place(order, np.maximum.accumulate(scaled))

    def levels(self, p: Floats, adjusted: Floats, alpha: float) -> Floats:
        """Return α/(m − rank + 1) of significant comparisons, ties at their first rank; α/(m − r) of the others."""
        m, separated = len(p), adjusted <= alpha + SLACK
        before = np.searchsorted(np.sort(p), p, side="left")
        levels = alpha / np.maximum(1, np.where(separated, m - before, m - np.count_nonzero(separated)))
        return np.where(np.isnan(p), np.nan, np.where(separated, np.maximum(levels, p), levels))


@dataclass(frozen=True)
class Hommel(OfPValues):
    """Closed testing with Simes's test (Hommel 1988); valid for positively dependent p-values."""

    name = "hommel"
    label = "Hommel"
    in_words = "Hommel's method"
    cites = ("hommel-1988",)

    def adjusted(self, p: Floats) -> Floats:
        """Return the smallest alpha at which the closed Simes test rejects each comparison."""
        order = np.argsort(p, kind="stable")
        ascending, m = p[order], len(p)
        values = ascending.copy()
        for j in range(m, 1, -1):
            tail = ascending[m - j + 1 :]
            simes_tail = np.min(j * tail / np.arange(2, j + 1))
            own = np.minimum(j * ascending, simes_tail)
            own[m - j + 1 :] = min(simes_tail, float(j * ascending[m - j]))
            values = np.maximum(values, own)
        return _in_place(order, np.minimum(1.0, values))


@dataclass(frozen=True)
class BenjaminiHochberg(OfPValues):
    """Step-up control of the false discovery rate (Benjamini and Hochberg 1995): for screening."""

    name = "bh"
    label = "Benjamini–Hochberg (false discovery rate)"
    in_words = "the method of Benjamini and Hochberg"
    cites = ("benjamini-hochberg-1995",)
    controls = "share of false claims"

    def adjusted(self, p: Floats) -> Floats:
        """Return the running minimum of m p/rank from the largest p on."""
        return _step_up(p, 1.0)


@dataclass(frozen=True)
class BenjaminiYekutieli(OfPValues):
    """Benjamini–Hochberg times Σ 1/i: valid under any dependence (Benjamini and Yekutieli 2001)."""

    name = "by"
    label = "Benjamini–Yekutieli (false discovery rate)"
    in_words = "the method of Benjamini and Yekutieli"
    cites = ("benjamini-yekutieli-2001",)
    controls = "share of false claims"

    def adjusted(self, p: Floats) -> Floats:
        """Return the running minimum of c m p/rank from the largest p on, c = Σ 1/i."""
        return _step_up(p, float(np.sum(1 / np.arange(1, len(p) + 1))))


def _step_up(p: Floats, factor: float) -> Floats:
    order = np.argsort(p, kind="stable")
    scaled = factor * len(p) * p[order] / np.arange(1, len(p) + 1)
    return _in_place(order, np.minimum(1.0, np.minimum.accumulate(scaled[::-1])[::-1]))


def _in_place(order: NDArray[np.intp], values: Floats) -> Floats:
    result = np.empty(len(values))
    result[order] = values
    return result


@dataclass(frozen=True)
class StepDownMinP(Correction):
    """Westfall and Young's step-down min-P on shared resamples (Ge, Dudoit and Speed 2003).

    It accounts for the dependence between comparisons, so it has more power than Holm's method at the same FWER.
    """

    name = "minp"
    label = "step-down min-P (Westfall–Young)"
    in_words = "the step-down min-P method"
    cites: ClassVar[Citations] = ("westfall-young-1993", "ge-etal-2003-resampling")
    needs = "joint draws"
    step_down = True

    def __call__(self, together: CorrectedTogether) -> Adjusted:
        """Rank every draw within its own comparison, and compare minima over the comparisons still in play."""
        null = _draws(together)
        # The observed arrangement is one of the draws: it is the first column of a complete null, and is put in else.
        ranks = np.empty((len(null), null.shape[1] + (not together.complete)), dtype=np.int32)
        for row, values in enumerate(null):
            observed = together.difference[row]
            ranks[row] = count_at_least(values, observed, together.complete, together.alternative, self.step_down)
        return of_ranks(ranks, together, self.step_down)


def of_ranks(ranks: NDArray[np.int32], together: CorrectedTogether, step_down: bool = True) -> Adjusted:
    """Return min-P of comparisons whose draws are already ranked by `count_at_least`; `ranks` is (m, total)."""
    total = ranks.shape[1]
    own = ranks[:, 0]
    smallest = np.full(total, total, dtype=np.int32)

    def share(row: int, also: int) -> float:
        np.minimum(smallest, ranks[also], out=smallest)
        return float(np.count_nonzero(smallest <= own[row]) / total)

    adjusted = _in_steps(np.argsort(own, kind="stable"), share, step_down)
    return _simulated(adjusted, together, total)


@dataclass(frozen=True)
class SingleStepMinP(StepDownMinP):
    """Single-step min-P: it compares each p-value with the minima over all comparisons; less power than step-down."""

    name = "minp-single"
    label = "single-step min-P"
    in_words = "the single-step min-P method"
    cites = ("westfall-young-1993",)
    step_down = False


@dataclass(frozen=True)
class SingleStepMaxT(Correction):
    """Single-step max-T: the largest |d*|/SE0 of each draw, with the standard error SE0 that no swap changes.

    SE0 = sqrt(Σ w_i²), w_i = grad f(M)·(s_Xi − s_Yi), with M halfway between the two systems' totals. If the observed
    SE were kept fixed instead, the family-wise error rate would be .06 to .08 (docs/statistics/families.md, section 3).
    """

    name = "maxt"
    label = "single-step max-T"
    in_words = "the single-step max-T method"
    cites: ClassVar[Citations] = ("westfall-young-1993",)
    needs = "exchanges"
    step_down = False

    def __call__(self, together: CorrectedTogether) -> Adjusted:
        """Compare every |d|/SE0 with the largest of each draw, over the comparisons still in play."""
        null = _draws(together)
        if together.scale is None:
            raise TypeError("max-T needs the swap-invariant scale, which `adjust` sets")
        scale = np.where(together.scale > 0, together.scale, np.inf)
        observed = sided(together.difference, together.alternative) / scale
        largest = np.full(null.shape[1], -np.inf)
        extra = not together.complete
        total = null.shape[1] + extra

        def share(row: int, also: int) -> float:
            np.maximum(largest, sided(null[also], together.alternative) / scale[also], out=largest)
            t = float(observed[row])
            return float((np.count_nonzero(largest >= t - 1e-9 * max(1.0, abs(t))) + extra) / total)

        adjusted = _in_steps(np.argsort(-observed, kind="stable"), share, self.step_down)
        return _simulated(adjusted, together, total)


@dataclass(frozen=True)
class StepDownMaxT(SingleStepMaxT):
    """Step-down max-T: the largest |d*|/SE0 over the comparisons that have not yet been tested."""

    name = "maxt-down"
    label = "step-down max-T"
    in_words = "the step-down max-T method"
    cites = ("westfall-young-1993", "ge-etal-2003-resampling")
    step_down = True


def _in_steps(order: NDArray[np.intp], share: Callable[[int, int], float], step_down: bool) -> Floats:
    """Return adjusted p-values by `share(row, also)`, which adds `also` to those in play; the clearest is first."""
    steps = np.empty(len(order))
    for row in order[::-1]:
        steps[row] = share(row, row)
    if not step_down:
        for row in order:
            steps[row] = share(row, row)
        return steps
    steps[order] = np.maximum.accumulate(steps[order])
    return steps


def _draws(together: CorrectedTogether) -> Floats:
    if together.null is None:
        raise TypeError("this correction needs joint resamples; `adjust` uses Holm for families without them")
    return together.null


def _simulated(draws: Floats, together: CorrectedTogether, total: int) -> Adjusted:
    if together.complete:
        return draws, draws, draws
    low, high = clopper_pearson(np.rint(draws * total) - 1, total - 1)
    # A p-value found by enumeration stands beside the simulated ones; no adjusted one may fall below it.
    floor = np.where(together.exact, together.p_value, 0.0)
    return np.maximum(draws, floor), np.maximum(low, floor), np.maximum(high, floor)


def count_at_least(
    null: Floats, observed: float, complete: bool, alternative: Alternative, only_farther: bool = True
) -> NDArray[np.int32]:
    """Return how many lie at least as far out as each, the observed first; draws nearer than it all count the same."""
    values = sided(null if complete else np.concatenate([[observed], null]), alternative)
    slack = 2 * float(tolerance(values[:1])[0])
    nearest = values[0] - 2 * slack
    far = np.flatnonzero(~(values < nearest)) if only_farther else np.arange(len(values))
    if values[far].min() <= nearest + slack:
        # So near to what is left out that it may tie with it.
        far = np.arange(len(values))
    counts = np.full(len(values), len(values), dtype=np.int32)
    counts[far] = _ranked(values[far])
    return counts


def _ranked(values: Floats) -> NDArray[np.int64]:
    """Return for each value how many are at least as large."""
    order = np.argsort(values)  # no stable one, which takes twice as long: equal values are one group in any order
    ascending = values[order]
    starts_group = np.diff(ascending, prepend=-np.inf) > tolerance(ascending)
    group_start = np.maximum.accumulate(np.arange(len(values)) * starts_group)
    counts = np.empty(len(values), dtype=np.int64)
    counts[order] = len(values) - group_start
    return counts


_OFF = 1e-12
"""By this share of the difference an end is kept off 0 that rounding, or a tie with the difference, would put there."""


@dataclass(frozen=True)
class AdjustedEnds:
    """Ends of adjusted intervals, and their confidence levels; shape (m,), NaN where an end does not exist."""

    low: Floats
    high: Floats
    level: Floats


def adjusted_ends(
    difference: Floats, half: Floats, separated: NDArray[np.bool_], alpha: Floats, alternative: str = "two-sided"
) -> AdjustedEnds:
    """Return difference ± half, or the bound of a one-sided claim; the p decides on which side of 0 a close end is.

    alpha: the error rate at which each pair was tested.
    """
    away = {"two-sided": np.abs(difference), "greater": difference, "less": -difference}[alternative]
    off = _OFF * np.abs(difference)
    half = np.where(separated, np.fmin(half, away - off), np.fmax(half, away + off))
    # Where nothing differs no interval can leave out 0.
    half = np.where(np.isnan(alpha) | np.isinf(half) | (separated & (off == 0)), np.nan, half)
    nowhere = np.full(len(half), np.nan)
    return AdjustedEnds(
        nowhere if alternative == "less" else difference - half,
        nowhere if alternative == "greater" else difference + half,
        1 - alpha,
    )


class OfBlocks(Correction):
    """A correction that computes its own p-values from segment scores, for metrics that are means of segments."""

    controls = "any false claim, classically"
    needs = "segment means"

    def __call__(self, together: CorrectedTogether) -> Adjusted:
        """Return the p-values three times: nothing is simulated."""
        statistics = together.statistics
        if statistics is None or not statistics.metric.is_segment_mean:
            raise NotApplicable(
                f"{self.label} is for metrics that are means of segment scores. Use step-down min-P or Holm."
            )
        if statistics.unit != "segment":
            raise NotApplicable(
                f"{self.label} uses segments as blocks, but the units here are documents. Use step-down min-P or Holm. "
                "Or choose segments as units, and report that segments of one document were treated as independent."
            )
        # The family is that of the systems that take part, whatever else was measured.
        rows = np.unique(np.concatenate([together.first, together.second]))
        statistics = statistics.select([statistics.systems[row] for row in rows])
        # The block layout has no empty cells: where systems lack units, those that all of them have are the blocks.
        statistics = statistics.shared_by(statistics.systems)
        if statistics.n < FEWEST_UNITS:
            raise NotApplicable(f"{self.label} needs at least {FEWEST_UNITS} {statistics.unit}s that all systems have.")
        if together.alternative != "two-sided":
            raise NotApplicable(f"{self.label} is two-sided.")
        with np.errstate(divide="ignore", invalid="ignore"):
            places = (np.searchsorted(rows, positions) for positions in (together.first, together.second))
            p = self.p_values(statistics.segment_scores, *places)
        # Without any difference there is nothing to find, also where nothing varies at all.
        p = np.where(together.difference == 0, 1.0, p)
        return p, p, p

    def p_values(self, scores: Floats, first: NDArray[np.int64], second: NDArray[np.int64]) -> Floats:
        """Return the p-values of pairs of the k systems with scores (k, n)."""
        raise NotImplementedError


def block_error(scores: Floats) -> tuple[float, int]:
    """Return the mean square error of the additive model system + segment, and its df (k − 1)(n − 1)."""
    k, n = scores.shape
    residual = scores - scores.mean(axis=0) - scores.mean(axis=1, keepdims=True) + scores.mean()
    df = (k - 1) * (n - 1)
    return float(np.square(residual).sum() / df), df


@dataclass(frozen=True)
class Tukey(OfBlocks):
    """Tukey's honest significant difference with the block error."""

    name = "tukey"
    label = "Tukey HSD (classical)"
    in_words = "Tukey's method"
    cites = ("tukey-1949",)

    def p_values(self, scores: Floats, first: NDArray[np.int64], second: NDArray[np.int64]) -> Floats:
        """Return the studentized range's tail of |d|/sqrt(MSE/n)."""
        mse, df = block_error(scores)
        gap = np.abs(scores.mean(axis=1)[first] - scores.mean(axis=1)[second])
        return np.asarray(scipy.stats.studentized_range.sf(gap / np.sqrt(mse / scores.shape[1]), len(scores), df))


@dataclass(frozen=True)
class Scheffe(OfBlocks):
    """Scheffé's method with the block error: valid for every contrast, with wide intervals for pairs."""

    name = "scheffe"
    label = "Scheffé (classical)"
    in_words = "Scheffé's method"
    cites = ("scheffe-1953",)

    def p_values(self, scores: Floats, first: NDArray[np.int64], second: NDArray[np.int64]) -> Floats:
        """Return the F tail of d²/(2 MSE/n)/(k − 1)."""
        mse, df = block_error(scores)
        gap = scores.mean(axis=1)[first] - scores.mean(axis=1)[second]
        k, n = scores.shape
        return np.asarray(f_above(np.square(gap) / (2 * mse / n) / (k - 1), k - 1, df))


@dataclass(frozen=True)
class Nemenyi(OfBlocks):
    """Nemenyi's comparison of mean ranks within segments."""

    name = "nemenyi"
    label = "Nemenyi (classical, on ranks)"
    in_words = "Nemenyi's method"
    cites = ("nemenyi-1963",)

    def p_values(self, scores: Floats, first: NDArray[np.int64], second: NDArray[np.int64]) -> Floats:
        """Return the studentized range's tail of |ΔR|/sqrt(k(k + 1)/(12 n)) with infinite degrees of freedom."""
        k, n = scores.shape
        ranks = scipy.stats.rankdata(scores, axis=0).mean(axis=1)
        gap = np.abs(ranks[first] - ranks[second]) / np.sqrt(k * (k + 1) / (12 * n))
        return np.asarray(scipy.stats.studentized_range.sf(gap, k, np.inf))


CORRECTIONS = Rows[Correction](
    "mtsig.corrections",
    Correction,
    {
        correction.name: correction
        for correction in (
            StepDownMinP(),
            Holm(),
            Bonferroni(),
            Uncorrected(),
            Sidak(),
            Hommel(),
            SingleStepMinP(),
            SingleStepMaxT(),
            StepDownMaxT(),
            BenjaminiHochberg(),
            BenjaminiYekutieli(),
            Tukey(),
            Scheffe(),
            Nemenyi(),
        )
    },
)


def corrects(name: str) -> bool:
    """Return whether the correction of this name corrects anything; unknown names are assumed to."""
    known = CORRECTIONS.get(name)
    return known is None or known.corrects


def correction_label(name: str) -> str:
    """Return the name of the correction used in sentences; an unknown correction keeps its own name."""
    known = CORRECTIONS.get(name)
    return name if known is None else known.label


@dataclass(frozen=True)
class EqualMeans:
    """A test of equal means: its name in results, its wording in a methods paragraph, and the works to cite."""

    name: str
    in_words: str
    cites: Citations

    @property
    def label(self) -> str:
        """Name of the test in tables."""
        return self.name


HOTELLING = EqualMeans("Hotelling", "Hotelling's T²", ("hotelling-1931",))

WELCH = EqualMeans("Welch", "Welch's F", ("welch-1951",))

EQUAL_MEANS = {test.name: test for test in (HOTELLING, WELCH)}

_ROUNDING = 1e-6
"""Contrasts that vary by so small a share of what the largest does vary by rounding alone."""


def welch(differences: Floats, errors: Floats, df: Floats) -> tuple[float, float, float]:
    """Return Welch's F for equal means with its degrees of freedom; F is NaN if a subset has no variance."""
    count = len(differences)
    df1 = count - 1.0
    if not np.all(errors > 0):
        return float("nan"), df1, float("nan")
    weights = 1 / errors**2
    share = weights / weights.sum()
    q = float((weights * (differences - (share * differences).sum()) ** 2).sum())
    spread = float(((1 - share) ** 2 / df).sum())
    f = q / df1 / (1 + 2 * (count - 2) / (count**2 - 1) * spread)
    return f, df1, (count**2 - 1) / (3 * spread)


def hotelling(differences: Floats, moved: Floats, inside: NDArray[np.bool_], most: float) -> tuple[float, float, float]:
    """Return Hotelling's T² for equal means as F with its degrees of freedom, for units that span several subsets.

    With the jackknife's covariance matrix V of the J differences d and q = J − 1 contrasts C to the last
    slice, T² = (Cd)'(CVC')⁻¹(Cd) and F = T² (η − q + 1)/(η q) with df = q, η − q + 1. Units of one kind reach into the
    same slices. Scaled so that they sum up to the identity, the n_P units of kind P give the share S_P of CVC', and

        η = q(q + 1) / Σ_P (tr(S_P)² + tr(S_P²))/(n_P − 1)

    are the degrees of freedom of the Wishart matrix that varies as much (the approximate Hotelling test: Zhang 2012,
    Open Journal of Statistics 2; Pustejovsky and Tipton 2018, JBES 36). When all K units are of one kind, η = K − 1:
    the test is Hotelling's own. With two slices that share no unit it is Welch's t test. As if all units were of one
    kind, slices of 10, 10, 10, 10 and 60 documents, one of them in two, err in 12 of 100 at the level .05.
    """
    df1 = len(differences) - 1.0
    units = inside.sum(axis=1, keepdims=True)
    if units.min() < 2:
        return float("nan"), df1, float("nan")
    scaled = moved * np.sqrt((units - 1) / units)
    contrasts = np.hstack([np.eye(len(differences) - 1), -np.ones((len(differences) - 1, 1))])
    gaps, shares = contrasts @ differences, contrasts @ scaled
    reach = np.linalg.svd(shares, compute_uv=False)
    if not reach[-1] > _ROUNDING * reach[0]:
        return float("nan"), df1, float("nan")
    root = np.linalg.cholesky(shares @ shares.T)
    eta = min(_wishart_df(np.linalg.solve(root, shares), inside), most)
    df2 = eta - df1 + 1
    if df2 < 1:
        return float("nan"), df1, df2
    return float(np.square(np.linalg.solve(root, gaps)).sum()) * df2 / (eta * df1), df1, df2


def _wishart_df(shares: Floats, inside: NDArray[np.bool_]) -> float:
    """Return η of `hotelling`; shares: shape (q, K), whose products with themselves sum up to the identity."""
    _, kinds = np.unique(inside.T, axis=0, return_inverse=True)
    spread = 0.0
    for kind in range(int(kinds.max()) + 1):
        own = shares[:, kinds.reshape(-1) == kind]
        square = own @ own.T
        # Of a kind with a single unit, that unit is all that is known of it.
        spread += float(np.trace(square) ** 2 + np.trace(square @ square)) / max(own.shape[1] - 1, 1)
    return len(shares) * (len(shares) + 1) / spread
