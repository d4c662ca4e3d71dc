"""Tests of two systems by name.

First the bootstrap tests, the right ones and those of the papers under their own names; then tests by a standard error
or by segment scores; then the table. Tests by exchanging outputs stand in `_significance`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, TypeAlias

import numpy as np
import scipy
from numpy.typing import NDArray

from mtsig import _probability
from mtsig._plugins import Rows
from mtsig._probability import Alternative, count_extreme, needed_draws, normal_above, normal_quantile, t_above
from mtsig._records import Floats
from mtsig.citations import Citations
from mtsig.corpus._notes import capital_first
from mtsig.errors import InvalidOption
from mtsig.inference import _significance
from mtsig.inference._significance import POPULATION, Directed, Outcome, ShiftBootstrap, SignificanceTest, computed
from mtsig.inference._targets import Pairs
from mtsig.metrics._metric import sign_of
from mtsig.metrics._statistics import Unit
from mtsig.progress import report
from mtsig.resampling import BLOCK, Bootstrap, Purpose, Scheme, Swap, Words


@dataclass(frozen=True)
class StudentizedBootstrap(Directed):
    """Bootstrap-t: t* = (d* − d)/SE*, SE* by the infinitesimal jackknife in every resample."""

    name = "bootstrap-t"
    proposed = "Efron & Tibshirani 1993"
    interval = "bootstrap-t"
    label = "studentized bootstrap"
    in_words = "the studentized paired bootstrap"
    cites = ("efron-tibshirani-1993",)
    about = "How often is a resampled difference as far off, in its own standard errors, as the observed one from 0?"
    estimand = POPULATION
    assumes = "the studentized difference varies as much over resamples as over test sets"
    differs = (
        "It divides each resample by its own standard error; on 20 segments, the false-positive rate is 8% at α = .05."
    )
    fewest_units = 60

    def __call__(self, pairs: Pairs) -> Outcome:
        """Count |t*| ≥ |T|; draws without a standard error are dropped."""
        error = pairs.infinitesimal_error
        undefined = np.isnan(error)
        # On the scale of differences, so that corrections can compare draws with the observed difference.
        null = pairs.studentized * np.where(undefined, 0.0, error)[:, None]
        kept = np.count_nonzero(~np.isnan(null), axis=-1)
        extreme = count_extreme(null, pairs.estimate, self.alternative)
        # Corrections rank the same draws for every comparison: there, a dropped draw counts as no difference.
        outcome = _significance.counted(extreme, kept, np.nan_to_num(null, nan=0.0) if pairs.together else None)
        # No draw at all: nothing varies, so that no difference is sure to be none, and an amount has no t to go by.
        without = kept == 0
        for values in (outcome.p_value, outcome.p_mc_low, outcome.p_mc_high):
            values[without] = np.where(pairs.estimate[without] == 0, 1.0, np.nan)
            values[undefined] = np.nan
        dropped = int(null.size - kept.sum())
        text = f"{dropped} resamples had no standard error and were left out."
        return replace(outcome, notes=(text,) if dropped else ())


@dataclass(frozen=True)
class RiezlerMaxwell(SignificanceTest):
    """Riezler and Maxwell 2005, Figure 2 as printed: |d*| − mean|d*| ≥ |d|, p = (c + 1)/(B + 1)."""

    name = "bootstrap-rm2005"
    named = "bootstrap test as printed"
    proposed = "Riezler & Maxwell 2005"
    interval = "percentile"
    short_label = "Riezler and Maxwell's Figure 2"
    label = f"{short_label}, as printed"
    in_words = "the bootstrap test as printed by Riezler and Maxwell (anti-conservative)"
    cites = ("riezler-maxwell-2005-pitfalls",)
    about = "How often is a resampled absolute difference above their mean by at least the observed difference?"
    estimand = POPULATION
    assumes = "the mean absolute difference is 0 under the null hypothesis, which is false"
    differs = (
        "It takes absolute values before centring, so it is anti-conservative: p is about half of the two-sided p. At "
        "α = .05, the false-positive rate is 11%."
    )
    printed_only = True
    anticonservative_reason = _significance.HALF_OF_P

    def __call__(self, pairs: Pairs) -> Outcome:
        """Centre the absolute differences, as the paper prints it."""
        size = np.abs(pairs.draws)
        null = size - size.mean(axis=-1, keepdims=True)
        return _significance.simulated(null, np.abs(pairs.estimate), "greater", keep=False)


@dataclass(frozen=True)
class BootstrapInterval(Directed):
    """The percentile interval of the difference, inverted: p is the smallest alpha at which it excludes 0."""

    name = "bootstrap-ci"
    proposed = "Zhang & Vogel 2004"
    interval = "percentile"
    label = "bootstrap interval of the difference"
    in_words = "the bootstrap interval of the difference"
    cites = ("zhang-vogel-2004-measuring",)
    about = "Do the central 95% of the resampled differences exclude zero?"
    estimand = POPULATION
    assumes = "percentile intervals cover at their level"
    differs = "Approximately a two-sided test. On 10 units, its false-positive rate is 8–15% at α = .05."
    fewest_units = 40
    least_extreme = 2

    def __call__(self, pairs: Pairs) -> Outcome:
        """Return twice the smaller share of draws on either side of 0, at most 1; one share when one-sided."""
        zero = np.zeros(len(pairs.first))
        below = count_extreme(-pairs.draws, zero, "greater")
        above = count_extreme(pairs.draws, zero, "greater")
        sides = {"two-sided": np.minimum(below, above), "greater": below, "less": above}
        factor = 2 if self.alternative == "two-sided" else 1
        side = _significance.counted(sides[self.alternative], self.scheme.n_draws)
        p, low, high = (np.minimum(1.0, factor * values) for values in (side.p_value, side.p_mc_low, side.p_mc_high))
        return Outcome(p, low, high, side.exact)


@dataclass(frozen=True)
class KoehnWins(SignificanceTest):
    """A system is better if it wins 95% of resamples (Koehn 2004); not a p-value (docs/statistics/tests.md)."""

    name = "bootstrap-koehn"
    named = "paired bootstrap"
    proposed = "Koehn 2004"
    interval = "percentile"
    label = "Koehn's paired bootstrap"
    in_words = "the paired bootstrap, by the share of resamples in which a system scores higher"
    cites = ("koehn-2004-statistical",)
    about = "Does one system score higher in at least 95% of resampled test sets?"
    estimand = POPULATION
    assumes = "the direction was fixed in advance, which is false"
    differs = (
        "Not a p-value: “95% wins” is a one-sided test at .05, but the direction is chosen from the data. So its "
        "false-positive rate is 10–15%."
    )
    by_wins = True
    anticonservative_reason = "with the criterion of 95%, it has false positives in 10 to 15 of 100 cases"

    def __call__(self, pairs: Pairs) -> Outcome:
        """Return no p-values: the shares of wins and ties, which every family has, decide (see `Comparison`)."""
        nothing = np.full(len(pairs.first), np.nan)
        return Outcome(nothing, nothing, nothing, np.zeros(len(nothing), dtype=bool))


_USUAL_ALPHA = 0.05
"""What a family is judged at, as a rule; a test does not know it."""

_HELD = 2**24
"""Exchanged differences held at a time; changes nothing but the memory used."""


def t_tail(statistic: Floats, df: float | NDArray[np.int64] | Floats, alternative: Alternative) -> Floats:
    """Return the p-values of t statistics."""
    if alternative == "two-sided":
        return np.asarray(2 * t_above(np.abs(statistic), df))
    return np.asarray(t_above(statistic if alternative == "greater" else -statistic, df))


def jackknife_p(difference: Floats, error: Floats, df: Floats, alternative: Alternative = "two-sided") -> Floats:
    """Return p of d/SE by t with ν degrees of freedom, shape (m,); without variance 1 for no difference, else NaN."""
    with np.errstate(divide="ignore", invalid="ignore"):
        p = t_tail(difference / error, df, alternative)
    return np.where(error == 0, np.where(difference == 0, 1.0, np.nan), p)


def seconding_p(
    difference: Floats, error: Floats, df: Floats, smoothed_difference: Floats, smoothed_error: Floats,
    alternative: Alternative = "two-sided",
) -> Floats:  # fmt: skip
    """Return the jackknife's p, where undefined by the smoothed difference; 1 where that has the other sign."""
    smoothed = jackknife_p(smoothed_difference, smoothed_error, df, alternative)
    smoothed = np.where(np.sign(difference) == np.sign(smoothed_difference), smoothed, 1.0)
    return np.where(np.isnan(error), smoothed, jackknife_p(difference, error, df, alternative))


def instead_of(error: float, df: float, unit: str) -> tuple[str, str]:
    """Return what to choose where a test gives no p-value, in words and as flags, so that a verdict is possible."""
    # Over documents the jackknife must second an exchange; bootstraps need many units.
    if np.isnan(error):
        return f"choose the {JackknifeT.label}", f"--test {JackknifeT.name}"
    if error > 0 or unit == "segment":
        return f"choose {_significance.BY_EXCHANGE}", "--test ar"
    if ShiftBootstrap().too_few(df, unit) is None:
        return f"choose the {ShiftBootstrap.label}", f"--test {ShiftBootstrap.name}"
    return "use segments as the sampling unit", "--unit segment"


def _without_p(pairs: Pairs, error: Floats, p: Floats, undefined: str = "") -> Iterator[str]:
    """Say for which pairs there is no p, and why; nothing of those without derivative where `undefined` is empty."""
    for chosen, why in ((np.isnan(error), undefined), (error == 0, "no unit differs from others")):
        if not why:
            continue
        lost = np.flatnonzero(chosen & np.isnan(p))
        if len(lost):
            names = ", ".join(" – ".join(pairs.labels[i]) for i in lost)
            instead, _ = instead_of(error[lost[0]], pairs.df[lost].min(), pairs.statistics.unit)
            yield f"This test gives no p-value, because {why}: {names}. {capital_first(instead)}."


@dataclass(frozen=True)
class JackknifeT(Directed):
    """t = d / SE by leaving out each unit, ν for unequal units (docs/statistics/documents.md, section 1)."""

    name = "jackknife-t"
    proposed = "Bell & McCaffrey 2002"
    label = "jackknife t test"
    in_words = (
        "a t test with the standard error of the delete-one jackknife and degrees of freedom for units of unequal size"
    )
    cites = ("efron-1982-jackknife", "satterthwaite-1946", "bell-mccaffrey-2002")
    about = "How many jackknife standard errors is the difference away from zero?"
    estimand = POPULATION
    assumes = "units are a random sample from the population of interest; the difference is about normal"
    differs = (
        "This is the default over documents. It allows for documents of unequal length, and tests equal scores instead "
        "of exchangeable outputs. With few, very unequal documents, its false-positive rate and its power are low."
    )

    by_jackknife = True

    def __call__(self, pairs: Pairs) -> Outcome:
        """Compare t with Student's t; identical systems give 1."""
        error = pairs.standard_error
        p = jackknife_p(pairs.estimate, error, pairs.df, self.alternative)
        made = computed(p, tuple(_without_p(pairs, error, p)))
        judged = [i for i, lack in enumerate(pairs.unmatched) if lack is not None and not lack.data_caveat]
        return self._exchanged(pairs, np.array(judged), made) if judged else made

    def _exchanged(self, pairs: Pairs, judged: NDArray[np.int64], made: Outcome) -> Outcome:
        """Return the larger p of two where the jackknife is undefined (docs/statistics/tests.md, section 8)."""
        p, low, high = (np.array(values) for values in (made.p_value, made.p_mc_low, made.p_mc_high))
        draws = max(self.scheme.n_draws, needed_draws(2 * pairs.judged, _USUAL_ALPHA))
        test = _significance.ApproximateRandomization(
            scheme=Swap(draws, self.scheme.seed, self.scheme.unit), direction=self.direction
        )
        together = max(1, _HELD // draws)
        for start in range(0, len(judged), together):
            own = judged[start : start + together]
            some = Pairs(pairs.scores, pairs.first[own], pairs.second[own])
            lacks = [lack for lack in some.unmatched if lack is not None]
            second = seconding_p(
                some.estimate,
                some.standard_error,
                some.df,
                np.array([lack.difference for lack in lacks]),
                np.array([lack.error for lack in lacks]),
                self.alternative,
            )
            drawn = test(some)
            for values, by_exchange in ((p, drawn.p_value), (low, drawn.p_mc_low), (high, drawn.p_mc_high)):
                values[own] = np.maximum(by_exchange, second)
        return replace(made, p_value=p, p_mc_low=low, p_mc_high=high)

    def joint(self, pairs: Pairs) -> Floats | None:
        """Return differences under the null from a joint normal law, scaled so that p is what `__call__` gives.

        z = g·Lᵀ with g standard normal and L what leaving out does to each system; Z = √((n − 1)/n)(z_x − z_y)/SE is
        standard normal for every pair, and the pairs depend on each other as their jackknife covariances say
        (docs/statistics/documents.md, section 2). Times |d| over the normal quantile of p, so that |Z*| ≥ Φ⁻¹(1 − p/2)
        where |d*| ≥ |d|. Shape (m, b), 0 where there is no p; None where pairs stand on different units.
        """
        if not pairs.together:
            return None
        ((_, pairs),) = pairs.parts  # on complete statistics
        p, error = self(pairs).p_value, _with_unmatched(pairs)
        known = ~np.isnan(p) & (error > 0)
        quantile = np.minimum(_probability.normal_critical(np.where(known, p, 1.0) / 2), 37.0)
        apart = known & (quantile > 0)
        scale = np.divide(np.abs(pairs.estimate), quantile, out=np.where(known, 1.0, 0.0), where=apart)
        return np.asarray(scale[:, None] * _standard_normal(pairs, self.scheme, known, error))


def _with_unmatched(pairs: Pairs) -> Floats:
    """Return the standard errors; that of the better system where the other's score has no derivative."""
    error = np.array(pairs.standard_error)
    moved, n = np.nan_to_num(pairs.scores.moved), pairs.statistics.n
    for i in np.flatnonzero(np.isnan(error)):
        apart = moved[pairs.first[i]] - moved[pairs.second[i]]
        error[i] = np.sqrt(np.square(apart).sum() * (n - 1) / n)
    return error


def _standard_normal(pairs: Pairs, scheme: Scheme, known: NDArray[np.bool_], error: Floats) -> Floats:
    """Return draws of d/SE under the null, with the jackknife's correlations; shape (m, b), 0 where not known."""
    moved, sign, n = pairs.scores.moved, sign_of(pairs.statistics.metric), pairs.statistics.n
    x, y = pairs.first[known], pairs.second[known]
    factor = sign * np.sqrt((n - 1) / n) / error[known]
    draws = np.zeros((len(known), scheme.n_draws))
    for start in range(0, scheme.n_draws, BLOCK):
        normal = normal_quantile(
            Words(scheme.seed, start // BLOCK, Purpose.JOINT_NORMAL).uniform(min(BLOCK, scheme.n_draws - start), n)
        )
        # einsum's plain loop adds in one order whatever the number of threads.
        drawn = np.einsum("bn,sn->sb", normal, np.nan_to_num(moved))
        draws[known, start : start + BLOCK] = factor[:, None] * (drawn[x] - drawn[y])
        report((start + len(normal)) / scheme.n_draws)
    return draws


@dataclass(frozen=True)
class InfinitesimalJackknifeT(Directed):
    """t = d / SE by the infinitesimal jackknife, with n − 1 degrees of freedom."""

    name = "ij-t"
    proposed = "Efron 1982"
    interval = "ij"
    label = "fast t test"
    in_words = "a t test with the standard error of the infinitesimal jackknife"
    cites = ("efron-1982-jackknife",)
    about = "How many standard errors (from the derivative of the score) is the difference away from zero?"
    estimand = POPULATION
    assumes = "equal weights of units; the difference is about normal; no output as long as the reference (BLEU)"
    differs = (
        "It assumes units of equal length and a linear score. Over many segments, it is close to the jackknife t test. "
        "Over few or unequal documents, its false-positive rate is 6–21% at α = .05."
    )
    fewest_documents = 40

    def __call__(self, pairs: Pairs) -> Outcome:
        """Compare T with Student's t; identical systems give 1."""
        error = pairs.infinitesimal_error
        p = jackknife_p(pairs.estimate, error, pairs.units - 1.0, self.alternative)
        return computed(p, tuple(_without_p(pairs, error, p, "an n-gram order has no match")))


_NOISE = 1e-7
"""A spread below this share of the mean difference is what the grid of scores left of equal differences."""

EXACT_SIGNS = 25
"""Up to this many non-zero differences the signed ranks are enumerated (docs/statistics/tests.md, section 5)."""

Zeros: TypeAlias = Literal["pratt", "drop"]
"""Whether segments that do not differ are ranked and then dropped, or dropped before anything is ranked."""


@dataclass(frozen=True)
class PairedT(Directed):
    """Student's t test on the differences of segment scores."""

    name = "t"
    proposed = "Student 1908"
    label = "paired t test on segments"
    names_unit = True
    in_words = "a paired t test on segment scores"
    cites = ("student-1908",)
    about = "Is the mean difference of segment scores zero?"
    estimand = "mean difference of segment scores"
    assumes = "independent segments; means about normal"
    differs = "It tests means of segment scores, with the t distribution instead of random swaps."
    segment_only = True

    def __call__(self, pairs: Pairs) -> Outcome:
        """Return p by t with n − 1 degrees of freedom; NaN where all differences are equal and not zero."""
        values, lost = [], []
        for differences, pair in zip(_significance.segment_differences(pairs), pairs.labels, strict=True):
            n, spread, mean = len(differences), differences.std(ddof=1), differences.mean()
            if spread <= _NOISE * abs(mean):
                values.append(1.0 if mean == 0 else np.nan)
                lost += [" – ".join(pair)] if mean != 0 else []
                continue
            values.append(float(t_tail(mean / (spread / np.sqrt(n)), n - 1, self.alternative)))
        text = f"There is no t test if every segment differs by the same amount: {', '.join(lost)}."
        return computed(np.array(values), (text,) if lost else ())


@dataclass(frozen=True)
class SignedRank(Directed):
    """Wilcoxon's signed-rank test with zeros ranked and then dropped (Pratt 1959); exact up to 25 differences."""

    name = "wilcoxon"
    named = "signed-rank test on segments"
    proposed = "Wilcoxon 1945"
    label = "Wilcoxon signed-rank test on segments"
    names_unit = True
    in_words = "Wilcoxon's signed-rank test on segment scores"
    cites: ClassVar[Citations] = ("wilcoxon-1945", "pratt-1959")
    about = "Are the differences of segment scores centred on zero?"
    estimand = "pseudo-median of the differences of segment scores"
    assumes = "independent segments; differences symmetric about their centre"
    differs = "It tests ranks of segment differences, so many small gains can be worth more than a few large losses."
    segment_only = True
    zeros: ClassVar[Zeros] = "pratt"

    def __call__(self, pairs: Pairs) -> Outcome:
        """Return the p-value of every pair; 1 where nothing differs."""
        differences, slack = _significance.segment_differences(pairs), pairs.statistics.rounding
        outcome = computed(
            np.array([signed_rank_p(difference, self.alternative, self.zeros, slack) for difference in differences])
        )
        return replace(
            outcome, exact=np.array([np.count_nonzero(difference) <= EXACT_SIGNS for difference in differences])
        )


def signed_rank_p(
    differences: Floats, alternative: Alternative = "two-sided", zeros: Zeros = "pratt", slack: float = 0.0
) -> float:
    """Return the p-value of the signed-rank test; sizes within `slack` of each other are ties."""
    kept = differences if zeros == "pratt" else differences[differences != 0]
    ranks = scipy.stats.rankdata(_tied(np.abs(kept), slack))[kept != 0]
    signs = np.sign(kept[kept != 0])
    if not len(ranks):
        return 1.0
    positive = float(ranks[signs > 0].sum())
    if len(ranks) <= EXACT_SIGNS:
        return _exact_signs(ranks, positive, alternative)
    centre, spread = ranks.sum() / 2, np.sqrt(np.square(ranks).sum() / 4)
    z = (positive - centre) / spread
    if alternative == "two-sided":
        return float(2 * normal_above(abs(z)))
    return float(normal_above(z if alternative == "greater" else -z))


def _tied(sizes: Floats, slack: float) -> Floats:
    """Return the sizes with those that lie within `slack` of their neighbour made equal."""
    order = np.argsort(sizes, kind="stable")
    ascending = sizes[order]
    starts = np.maximum.accumulate(np.where(np.diff(ascending, prepend=-np.inf) > slack, np.arange(len(sizes)), 0))
    counts = np.empty(len(sizes))
    counts[order] = ascending[starts]
    return counts


def _exact_signs(ranks: Floats, positive: float, alternative: Alternative) -> float:
    """Return the exact tail of the sum of positive midranks, by convolution on doubled (so whole) ranks."""
    doubled = np.rint(2 * ranks).astype(np.int64)
    ways = np.zeros(doubled.sum() + 1)
    ways[0] = 1.0
    for rank in doubled:
        ways[rank:] = ways[rank:] + ways[: len(ways) - rank]
    ways /= ways.sum()
    at = round(2 * positive)
    above, below = float(ways[at:].sum()), float(ways[: at + 1].sum())
    if alternative == "two-sided":
        return min(1.0, 2 * min(above, below))
    return above if alternative == "greater" else below


@dataclass(frozen=True)
class WmtSignedRank(SignedRank):
    """The signed-rank test of WMT's general task (2024, 2025): scipy's default, which drops zeros."""

    name = "wmt-wilcoxon"
    named = "signed-rank test as WMT computes it"
    label = "WMT's signed-rank test on segments"
    in_words = "Wilcoxon's signed-rank test on segment scores, without the segments that do not differ"
    cites = ("wilcoxon-1945",)
    about = "Which test do WMT's rankings by human scores use?"
    differs = "It tests ranks of segment differences, without the segments on which the two systems do not differ."
    zeros = "drop"


@dataclass(frozen=True)
class SignTest(Directed):
    """The sign test: a binomial test on the segments whose scores differ."""

    name = "sign"
    proposed = "Dixon & Mood 1946"
    label = "sign test on segments"
    names_unit = True
    in_words = "the sign test on segment scores"
    cites = ("dixon-mood-1946",)
    about = "Among the segments on which they differ, is each system better on half?"
    estimand = "share of differing segments on which the first system is better"
    assumes = "independent segments"
    differs = "It counts the segments on which each system is better, and ignores the size of the differences."
    segment_only = True

    def __call__(self, pairs: Pairs) -> Outcome:
        """Return the binomial p-value of every pair; 1 where nothing differs."""
        p_values = []
        for differences in _significance.segment_differences(pairs):
            wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
            trials = wins + losses
            p_values.append(
                float(scipy.stats.binomtest(wins, trials, alternative=self.alternative).pvalue) if trials else 1.0
            )
        return computed(np.array(p_values), exact=True)


TESTS = Rows[SignificanceTest](
    "mtsig.tests",
    SignificanceTest,
    {
        test.name: test
        for test in (
            KoehnWins(),
            _significance.ApproximateRandomization(),
            JackknifeT(),
            InfinitesimalJackknifeT(),
            ShiftBootstrap(),
            StudentizedBootstrap(),
            BootstrapInterval(),
            RiezlerMaxwell(),
            PairedT(),
            SignedRank(),
            SignTest(),
            WmtSignedRank(),
            _significance.SacrebleuBootstrap(),
            _significance.SacrebleuRandomization(),
        )
    },
)
"""Tests named in papers first, then the default over documents, then by kind; tests for reproduction last."""


def known_test(name: str) -> SignificanceTest:
    """Return the test of this name; an unknown test has only its name."""
    return TESTS.get(name) or _significance.UnknownTest(name=name, label=name)


def filled(test: SignificanceTest, draws: int, seed: int, unit: Unit, direction: Alternative) -> SignificanceTest:
    """Return the test with the given scheme and direction."""
    kind = Swap if isinstance(test.scheme, Swap) else Bootstrap
    change: dict[str, object] = {"scheme": kind(draws, seed, unit)}
    if isinstance(test, Directed):
        change["direction"] = direction
    elif direction != "two-sided":
        raise InvalidOption(
            f"This test has no one-sided form; choose {_significance.BY_EXCHANGE} or the {JackknifeT.label}."
        )
    made: SignificanceTest = replace(test, **change)  # type: ignore[arg-type]
    return made
