"""Contributions: a score, or the difference of two, goes in; what each segment or document adds to it comes out.

Leverage: contributions go in; what is left of a difference without the units that contribute most comes out.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from mtsig import _probability
from mtsig._probability import (
    check_level,
    level_text,
    points_text,
    satterthwaite_df,
    shown_decimals,
    t_quantile,
    tolerance,
)
from mtsig._records import Floats, Index, Mask
from mtsig._results import Public, Result
from mtsig.corpus import Corpus
from mtsig.corpus._notes import capital_first, number_of
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference._targets import Pairs, Scores, without_noise
from mtsig.metrics import Metric, Statistics
from mtsig.metrics._metric import sign_of
from mtsig.metrics._statistics import ResolvedUnit, expect_statistics
from mtsig.metrics._sums import FEWEST_UNITS, edges_of
from mtsig.resampling import Bootstrap, Purpose, Words

SLACK = 1e-7
"""How far contributions may sum beside what they are parts of, as a share of the scores."""

_HALF = 0.5 - 1e-9
"""Half of a whole, less what adding up in another order may change."""

FURTHEST = 2.0
"""By which factor shares by exchange are brought to their sum at most; with more, they say nothing of it."""


@dataclass(frozen=True, eq=False, repr=False)
class Contributions(Public):
    """The contributions of n units to a difference or score, in points.

    first, second: the systems; second is `None` for the score of one system. difference: the sum of `values`, which is
    the difference or the score; a positive difference favours the first system, even if lower scores are better.
    values: shape (n,). scores: each unit's own score, shape (2, n), or (1, n) with one system. numbers: shape (n,), the
    segments' positions in the corpus, from 0, or the documents' numbers, from 0 in the order of their first counted
    segments. document_of: shape (n,), each segment's document number; `None` if documents are unknown or are the units.
    statistics: the counts of these systems on these units. note: how the contributions were computed if the jackknife
    is undefined, in a sentence; otherwise empty.
    """

    metric: Metric
    first: str
    second: str | None
    unit: ResolvedUnit
    difference: float
    values: Floats
    scores: Floats
    numbers: Index
    document_of: Index | None
    statistics: Statistics
    note: str = ""

    def __repr__(self) -> str:
        """Return whose they are and of how many units, in one line."""
        systems = self.first if self.second is None else f"{self.first} minus {self.second}"
        return f"<Contributions to {systems} in {self.metric.name}: {number_of(len(self.values), self.unit, ',')}>"

    @property
    def systems(self) -> list[str]:
        """The two systems, or the one."""
        return [self.first] if self.second is None else [self.first, self.second]

    @property
    def ahead_first(self) -> list[str]:
        """The same, that with the better score first."""
        return self.systems if self.difference > 0 else self.systems[::-1]

    @cached_property
    def half(self) -> int:
        """The smallest number of units that contribute half the difference."""
        if not self.difference:
            return 0
        shares = np.cumsum(self.values[self.strongest_first]) / self.difference
        return int(np.argmax(shares >= _HALF)) + 1

    @cached_property
    def to_and_fro(self) -> tuple[float, float]:
        """What adds to the lead and what takes from it, both as points above 0."""
        values = self.values if self.difference > 0 else -self.values
        return float(values[values > 0].sum()), float(-values[values < 0].sum())

    @property
    def cancels(self) -> bool:
        """Whether more cancels out than is left: then half of the difference says little of where it comes from."""
        return (
            self.second is not None and self.metric.is_quality_metric and self.to_and_fro[1] > abs(self.difference) > 0
        )

    @property
    def headline(self) -> str:
        """A sentence on how many units make up the difference, without its full stop."""
        return self.headline_by(decided=False)

    def headline_by(self, *, decided: bool) -> str:
        """Return the same; decided: whether a verdict lets one of the two lead."""
        between = self.first if self.second is None else f"{self.first} and {self.second}"
        n, differ = len(self.values), int(np.count_nonzero(self.values))
        units = number_of(n, self.unit, ",")
        if not self.difference:
            if self.second is None:
                return f"{self.first} scores 0 {self.metric.name}"
            return f"{between} have the same {self.metric.name}; {differ:,} of {units} differ"
        amount = points_text(abs(self.difference), shown_decimals(self.difference, self.metric.decimals))
        whole = f"{amount} {self.metric.name} {'of' if self.second is None else 'between'} {between}"
        if decided and self.second is not None:
            ahead, behind = self.ahead_first
            whole = f"{amount} {self.metric.name} by which {ahead} leads {behind}"
        if 2 * differ <= n:
            return f"The whole {whole} comes from {differ:,} of {units}"
        return f"Half of the {whole} comes from {self.half:,} of {units}"

    def by_document(self) -> tuple[Index, Floats]:
        """Return documents and sums of their contributions, shape (K,).

        Raises
        ------
        NotApplicable
            Documents are unknown.
        """
        if self.unit == "document":
            return self.numbers, self.values
        if self.document_of is None:
            raise NotApplicable("Contributions cannot be summed by document without document ids.")
        documents, position = np.unique(self.document_of, return_inverse=True)
        return documents, np.bincount(position, weights=self.values).astype(np.float64)

    def document_names(self, corpus: Corpus) -> dict[int, str]:
        """Return each document's name by its number."""
        if self.document_of is None or corpus.documents is None:
            return {}
        names = corpus.documents
        return {d: names[i] for d, i in zip(self.document_of.tolist(), self.numbers.tolist(), strict=True)}

    @cached_property
    def strongest_first(self) -> Index:
        """The units, by contribution to the lead, largest first; shape (n,).

        If no system leads, contributions to the first system come first. Equal contributions keep the corpus order.
        """
        return np.argsort(self.values if self.difference < 0 else -self.values, kind="stable")


def contributions(statistics: Statistics, first: str, second: str | None = None) -> Contributions:
    """Compute each unit's contribution to a difference, or to a system's score.

    For systems A and B, a metric f of total counts S, and units with counts a_i and b_i, the contributions are

        c_i = ∫₀¹ ∇f(S_B + t(S_A − S_B)) dt · (a_i − b_i),

    the shares of Aumann and Shapley (Values of Non-Atomic Games, 1974) on the straight path between the two systems'
    totals. They sum to f(S_A) − f(S_B). If f is a mean over n segments, each share is the segment's difference divided
    by n. A unit with the same counts in both outputs has 0. A document's contribution is the sum of its segments'.

    A single system has no such path. Its contributions are c_i = ∇f(S)·s_i + (f(S) − ∇f(S)·S)·m_i/M for a unit with m_i
    of the M segments: an equal part of the score for every segment, plus the segment's influence. They sum to f(S). If
    f is a mean, each contribution is the segment's score divided by n.

    If the derivative of f is undefined at a total (an n-gram order has no match), or f jumps on the path, `note` says
    so. Then c_i is the mean of f(S_A) − f(S_A − a_i + b_i) and f(S_B + a_i − b_i) − f(S_B), the effects of swapping the
    unit's outputs. For one system, the influence is f(S) − f(S − s_i). These values sum only approximately to the
    difference, so they are rescaled to sum to it; for one system, the remainder is divided equally. Documents are
    swapped as a whole.

    Raises
    ------
    UnknownName
        A name is not that of a system.
    NotApplicable
        Both names are the same system, the systems share no unit, or contributions to this metric cannot be computed.

    Examples
    --------
    >>> import mtsig
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> from mtsig.report import contributions
    >>> parts = contributions(statistics, "direct", "via-catalan")
    >>> parts.values.shape
    (200,)
    """
    expect_statistics(statistics)
    names = [first] if second is None else [first, second]
    if first == second:
        raise NotApplicable(f"System {first!r} cannot be compared with itself.")
    shared = statistics.shared_by(names)
    note, (values, whole) = _divided(shared, names)
    numbers, document_of = _places(statistics, shared, names)
    return Contributions(
        shared.metric,
        first,
        second,
        shared.unit,
        whole,
        values,
        shared.segment_scores,
        numbers,
        document_of,
        shared,
        note,
    )


def _divided(shared: Statistics, names: list[str]) -> tuple[str, tuple[Floats, float]]:
    """Return the shares of the units and what they are shares of, and a note on how it was divided where it must be."""
    metric, unit = shared.metric, shared.unit
    bare = ~metric.has_gradient(shared.sums)
    by_gradient, by_difference = (_of_one, _of_one_left_out) if len(names) == 1 else (_of_two, _of_two_exchanged)
    if bare.any():
        without = " and ".join(name for name, none in zip(names, bare, strict=True) if none)
        reason = (
            f"The jackknife is undefined for the {metric.name} of {without} (as where an n-gram order has no match)"
        )
    else:
        values, whole = by_gradient(shared)
        if _sum_to(values, whole, shared):
            return "", (values, whole)
        reason = f"{metric.name} changes in jumps between the counts of {' and '.join(names)}"
    values, whole = by_difference(shared)
    if not _sum_to(values, whole, shared):
        raise NotApplicable(f"{reason}, so the {unit}s have no defined contributions to the difference.")
    how = f"leaving the {unit} out" if len(names) == 1 else f"exchanging the {unit}'s two outputs"
    return f"{reason}: a {unit}'s contribution is the change in the score from {how}.", (values, whole)


def _sum_to(values: Floats, whole: float, statistics: Statistics) -> bool:
    return bool(abs(values.sum() - whole) <= SLACK * max(1.0, float(np.abs(statistics.scores).max())))


def _of_one(statistics: Statistics) -> tuple[Floats, float]:
    slope, score = statistics.metric.gradient(statistics.sums)[:, 0], float(statistics.scores[0])
    moved = np.einsum("k,kn->n", slope, statistics.values[:, 0].astype(np.float64))
    sizes = np.ones(statistics.n) if statistics.sizes is None else statistics.sizes
    return moved + (score - slope @ statistics.sums[:, 0]) * sizes / sizes.sum(), score


def _of_two(statistics: Statistics) -> tuple[Floats, float]:
    sign = sign_of(statistics.metric)
    slope = mean_gradient(statistics.metric, statistics.sums[:, 1], statistics.sums[:, 0])
    apart = statistics.values[:, 0].astype(np.float64) - statistics.values[:, 1]
    # A sum in one order whatever the number of threads; 0.0 added makes no zero a negative one.
    values = sign * np.einsum("k,kn->n", slope, apart) + 0.0
    return values, float(sign * (statistics.scores[0] - statistics.scores[1])) + 0.0


def _of_two_exchanged(statistics: Statistics) -> tuple[Floats, float]:
    """Return shares by exchanging the outputs of each unit; NaN where they come nowhere near the difference."""
    metric, sums = statistics.metric, statistics.sums
    apart = statistics.values[:, 0].astype(np.float64) - statistics.values[:, 1]
    lost = statistics.scores[0] - metric.score(sums[:, 0, None] - apart)
    won = metric.score(sums[:, 1, None] + apart) - statistics.scores[1]
    sign = sign_of(metric)
    values = np.asarray(sign * (lost + won) / 2 + 0.0)
    whole = float(sign * (statistics.scores[0] - statistics.scores[1])) + 0.0
    if _sum_to(values, whole, statistics):
        return values, whole
    factor = whole / float(values.sum() or np.nan)
    return values * (factor if 1 / FURTHEST <= factor <= FURTHEST else np.nan), whole


def _of_one_left_out(statistics: Statistics) -> tuple[Floats, float]:
    sizes = np.ones(statistics.n) if statistics.sizes is None else statistics.sizes
    share, score = sizes / sizes.sum(), float(statistics.scores[0])
    left = statistics.metric.score(statistics.sums[:, 0, None] - statistics.values[:, 0].astype(np.float64))
    values = share * score + np.where(share < 1, (1 - share) * (score - left), 0.0)
    return np.asarray(values + share * (score - values.sum())), score


def mean_gradient(metric: Metric, start: Floats, end: Floats) -> Floats:
    """Return the mean of the score's derivative over the straight path between two totals; shape (k,) each."""
    from scipy.integrate import quad_vec  # here, because it takes longer to load than most scores to count

    # In points per share of each total, so that one tolerance fits all of them.
    size = np.maximum(np.abs(start), np.abs(end))
    size = np.where(size > 0, size, 1.0)

    def slope(share: float) -> Floats:
        return np.asarray(metric.gradient((start + share * (end - start))[:, None])[:, 0] * size)

    # Halving finds a kink (the brevity penalty's) to the tolerance; the limit is for derivatives that are not exact.
    integral = quad_vec(slope, 0.0, 1.0, epsabs=1e-10, epsrel=1e-13, norm="max", limit=200)[0]
    return np.asarray(integral / size)


def _places(statistics: Statistics, shared: Statistics, names: list[str]) -> tuple[Index, Index | None]:
    """Return the numbers of the units, and of the segments' documents, as they were before gaps were closed."""
    numbers = np.arange(shared.n) if shared.numbers is None else shared.numbers.astype(np.int64)
    documents = statistics.document_of
    if documents is not None and statistics.available is not None:
        documents = documents[statistics.available[[statistics.row(name) for name in names]].all(axis=0)]
    if shared.unit == "segment":
        return numbers, None if documents is None else documents.astype(np.int64)
    return (np.arange(shared.n) if documents is None else np.unique(documents)).astype(np.int64), None


MOST = 0.2
"""The largest share of the units that is left out."""

POINTS = 200
"""Steps of a curve that is shown; which k turns the verdict is looked for among all of them."""

EXACT_BELOW = 500
"""Up to so many units the interval is the jackknife's of every other result.

Above, it is the infinitesimal one, which leaves no unit out: its time does not grow with the square of the units. Its
standard error differs there by about a thousandth (measured on three WMT sets in BLEU and chrF), but for BLEU at the
kink of its brevity penalty, where it is up to a tenth too large.
"""

MOST_ASKED = 0.9999
"""The highest level that settings take."""

BAND = (0.05, 0.95)
"""Between which quantiles of random choices the band lies."""

_BLOCK = 64
"""Units whose squares are taken out at a time; changes nothing but the time."""


@dataclass(frozen=True)
class LeftOut:
    """How many units were left out, and which share of all they are."""

    units: int
    share: float


@dataclass(frozen=True, eq=False, repr=False)
class Leverage(Result):
    """A difference without the k units that contribute most to the lead.

    Units are left out in the order of `Contributions.strongest_first`. Leaving out other units might change the verdict
    with fewer units.

    first, second, unit, level, seed, n_resamples: the arguments. comparisons: the number of comparisons corrected
    together. n: the number of units. k: shape (m,), at most POINTS + 2 numbers from 0 to 20% of n. difference, ci_low,
    ci_high: shape (m,); a positive difference favours the first system, and limits are NaN if the jackknife is
    undefined without the k units, or one unit remains. random, random_low, random_high: shape (m,), the mean and the 5%
    and 95% quantiles of the difference without k random units, over `n_resamples` random orders. interval: the method,
    "jackknife" or "ij", both with Student's t. holds_until: the smallest k up to 20% whose interval includes 0; `None`
    if no interval up to 20% does, if the interval with all units includes 0, if no verdict is given, or if an interval
    is missing before that k. no_verdict: the reason why no verdict is given. lost_at: the smallest k without an
    interval; `None` if every k has an interval. numbers: shape (K,), the numbers of the units in the order in which
    they are left out.
    """

    metric: Metric
    first: str
    second: str
    unit: str
    level: float
    seed: int
    n_resamples: int
    n: int
    k: Index
    difference: Floats
    ci_low: Floats
    ci_high: Floats
    random: Floats
    random_low: Floats
    random_high: Floats
    interval: str
    holds_until: LeftOut | None
    numbers: Index
    no_verdict: str = ""
    lost_at: int | None = None
    comparisons: int = 1

    def __repr__(self) -> str:
        """Return what it says, in one line."""
        return f"<Leverage of {self.first} minus {self.second} in {self.metric.name}: {self.sentence}>"

    def rows(self) -> list[dict[str, Any]]:
        """Return the curve as records, one record for each k."""
        names = ("k", "difference", "ci_low", "ci_high", "random", "random_low", "random_high")
        columns = [getattr(self, name).tolist() for name in names]
        return [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]

    @property
    def turns(self) -> bool:
        """Whether the interval with all units excludes 0, so a verdict can change."""
        return (
            self.metric.is_quality_metric
            and not self.no_verdict
            and bool(_holds(self.difference[0], self.ci_low, self.ci_high)[0])
        )

    @property
    def sentence(self) -> str:
        """The conclusion from the curve, in a sentence."""
        if not self.metric.is_quality_metric:
            return f"{self.metric.name} is descriptive: neither direction is better, so there is no verdict to change."
        if np.isnan(self.ci_low[0]):
            return "The difference has no jackknife interval, so it is unknown when the verdict would change."
        if not _holds(self.difference[0], self.ci_low, self.ci_high)[0]:
            if self.no_verdict:
                return f"The difference is not significant: the {self._interval} includes 0."
            return f"The {self._interval} by the jackknife includes 0, so it cannot show when a verdict would change."
        if self.no_verdict:
            return f"{capital_first(self.no_verdict)}, so there is no verdict to change."
        if self.holds_until is not None:
            left_out, verb = self._share_of(self.holds_until.units), "is" if self.holds_until.units == 1 else "are"
            return f"The difference is significant until {left_out} {verb} left out."
        if self.lost_at is not None:
            return (
                f"The difference is significant. Without {self._share_of(self.lost_at)}, it has no interval; up to "
                "this point, it stays significant."
            )
        most = int(self.k[-1])
        if most == 0:
            return f"With only {number_of(self.n, self.unit)}, no {self.unit} can be left out."
        verb, be = ("contributes", "is") if most == 1 else ("contribute", "are")
        return f"The difference is significant even if the {self._share_of(most)} that {verb} most {be} left out."

    @property
    def caution(self) -> str:
        """The caution to show with the sentence."""
        alone = " of this pair alone" if self.comparisons == 1 else ""
        followed = f" This analysis uses the {self._interval}{alone}."
        chosen = f"The {self.unit}s were chosen by their contribution, so this is a sensitivity analysis, not a test."
        return chosen + (followed if self.turns else "")

    @property
    def _interval(self) -> str:
        """What the interval is called, which may be the one at the level at which the pair was judged."""
        if self.comparisons == 1:
            return f"{level_text(self.level)} interval"
        return f"adjusted interval ({_probability.corrected_level_text(self.level)}, {self.comparisons:,} comparisons)"

    def _share_of(self, units: int) -> str:
        return f"{number_of(units, self.unit, ',')} ({100 * units / self.n:.1f}%)"


def leverage(
    contributions: Contributions,
    level: float = 0.95,
    *,
    comparisons: int = 1,
    seed: int = 12345,
    n_resamples: int = 50,
    no_verdict: str = "",
) -> Leverage:
    """Compute a difference without the units that contribute most to it.

    The difference without k units is computed from the total counts minus the counts of these units.

    Parameters
    ----------
    contributions
        The contributions to the difference of two systems; these segments or documents are left out.
    level
        The coverage of the intervals: the unadjusted level, or 1 minus the significance level of the pair's test.
    comparisons
        The number of comparisons, this one included, that are corrected together at that error rate.
    seed
        The seed of the random orders in which units are left out for comparison.
    n_resamples
        The number of random orders.
    no_verdict
        The reason why the chosen test gives no verdict on the pair; empty if the test gives a verdict.

    Raises
    ------
    NotApplicable
        The contributions are to one system's score, not to a difference.
    InvalidOption
        The level is out of range, or the number of random orders is not positive.

    Examples
    --------
    >>> import mtsig
    >>> from mtsig.report import contributions, leverage
    >>> statistics = mtsig.measure(mtsig.read_sample(), "bleu")
    >>> print(leverage(contributions(statistics, "direct", "via-catalan")).sentence)
    The difference is significant until 20 segments (10.0%) are left out.
    """
    # A correction may leave a pair a smaller error rate than one would ask for.
    check_level(level if comparisons == 1 else min(level, MOST_ASKED))
    if n_resamples < 1:
        raise InvalidOption(f"At least one random choice is needed; found {n_resamples}.")
    if contributions.second is None:
        raise NotApplicable("A single system has no verdict that could change, so give two systems.")
    statistics = contributions.statistics
    order = contributions.strongest_first[: int(MOST * statistics.n + 1e-9)]
    difference, low, high, interval = _without_strongest(statistics, order, level)
    holds = _holds(difference[0], low, high)
    turned, lost = np.flatnonzero(~holds), np.flatnonzero(np.isnan(low) | np.isnan(high))
    lost_at = int(lost[0]) if len(lost) else None
    # Where an interval is missing nothing has turned: what lies beyond cannot be followed.
    judged = statistics.metric.is_quality_metric and not no_verdict and holds[0] and len(turned)
    until = int(turned[0]) if judged and int(turned[0]) != lost_at else None
    shown = np.linspace(0, len(order), min(len(order), POINTS) + 1).round().astype(np.int64)
    k = np.unique(shown if until is None else np.append(shown, until))
    random = _without_random(statistics, k, seed, n_resamples)
    random_low, random_high = np.quantile(random, BAND, axis=0)
    return Leverage(
        statistics.metric,
        contributions.first,
        contributions.second,
        statistics.unit,
        level,
        seed,
        n_resamples,
        statistics.n,
        k,
        difference[k],
        low[k],
        high[k],
        random.mean(axis=0),
        random_low,
        random_high,
        interval,
        None if until is None else LeftOut(until, until / statistics.n),
        contributions.numbers[order],
        no_verdict,
        lost_at,
        comparisons,
    )


def _holds(whole: float, low: Floats, high: Floats) -> Mask:
    """Return where an interval leaves out 0 on the side on which the whole difference lies."""
    # Comparisons with NaN are false: where there is no interval, there is no verdict either.
    slack = tolerance(np.asarray(whole))
    return np.asarray(low > slack if whole > 0 else high < -slack)


def _without_strongest(statistics: Statistics, order: Index, level: float) -> tuple[Floats, Floats, Floats, str]:
    """Return the difference and the ends of its interval without the first 0, 1, … of `order`; and the method."""
    if statistics.n < FEWEST_UNITS:
        difference, none = _differences(statistics.metric, statistics.sums[..., None]), np.full(1, np.nan)
        return difference, none, none, "jackknife"
    if statistics.n <= EXACT_BELOW:
        method, (difference, error, df) = "jackknife", _by_jackknife(statistics, order)
    else:
        method, (difference, error, df) = "ij", _by_infinitesimal_jackknife(statistics, order)
    half = t_quantile((1 + level) / 2, df) * error
    return difference, difference - half, difference + half, method


def _differences(metric: Metric, totals: Floats) -> Floats:
    """Return the differences of totals (k, 2, …), positive when the first system is better."""
    scores = metric.score(totals)
    return np.asarray(sign_of(metric) * (scores[0] - scores[1]))


def _by_jackknife(statistics: Statistics, order: Index) -> tuple[Floats, Floats, Floats]:
    """Return differences, standard errors and degrees of freedom by leaving out every unit that is left."""
    steps = []
    for k in range(len(order) + 1):
        pair = Pairs(Scores(without(statistics, order[:k]), Bootstrap()), np.array([0]), np.array([1]))
        steps.append((pair.estimate[0], pair.standard_error[0], pair.df[0]))
    difference, error, df = np.array(steps).T
    return difference, error, df


def without(statistics: Statistics, units: Index) -> Statistics:
    """Return complete statistics without the units at these positions."""
    kept = np.delete(np.arange(statistics.n), units)
    documents = (
        None if statistics.document_of is None else np.unique(statistics.document_of[kept], return_inverse=True)[1]
    )
    by_segment = statistics.unit == "segment"
    lengths = np.diff(edges_of(statistics.n_segments, statistics.n)) if statistics.unit == "block" else None
    return replace(
        statistics,
        n_segments=statistics.n_segments if lengths is None else int(lengths[kept].sum()),
        values=np.ascontiguousarray(statistics.values[..., kept]),
        document_of=documents,
        numbers=(kept if statistics.numbers is None else statistics.numbers[kept]) if by_segment else None,
        sizes=None if statistics.sizes is None else statistics.sizes[kept],
        kinships=(),  # they come with counts of all units
    )


def _by_infinitesimal_jackknife(statistics: Statistics, order: Index) -> tuple[Floats, Floats, Floats]:
    """Return differences, standard errors and degrees of freedom by the score's derivative at the totals left.

    SE² = n/(n − 1) Σ (v_i − v̄)² over the n units left, v_i = G·z_i, with a unit's counts z_i and the derivative G of
    the difference by them. Σ v_i² is a quadratic form in G: its matrix is that of all units, less what was left out.
    """
    metric, n = statistics.metric, statistics.n
    left_out = np.zeros((*statistics.sums.shape, len(order) + 1))
    np.cumsum(statistics.values[..., order], axis=-1, dtype=np.float64, out=left_out[..., 1:])
    totals = statistics.sums[..., None] - left_out
    slope = metric.gradient(totals)
    # Apart and centred, numbers are as small as what they are about: little is lost when squares are subtracted.
    z = statistics.values.astype(np.float64)
    z = np.concatenate([z[:, 0] - z[:, 1], z[:, 1]])
    z -= z.mean(axis=1, keepdims=True)
    slope = np.concatenate([slope[:, 0], slope[:, 0] - slope[:, 1]])
    # einsum adds in one order whatever the number of threads.
    products = np.stack([np.einsum("jn,n->j", z, row) for row in z])
    strongest = np.ascontiguousarray(z[:, order].T)
    squares = np.empty(len(order) + 1)
    for start in range(0, len(order) + 1, _BLOCK):
        here, units = slope[:, start : start + _BLOCK], strongest[start : start + _BLOCK]
        whole = np.einsum("ik,ik->k", here, np.einsum("ij,jk->ik", products, here))
        pushed = np.zeros((len(units) + 1, here.shape[1]))
        np.cumsum(np.square(np.einsum("uj,jk->uk", units, here)), axis=0, out=pushed[1:])
        # Of this block, k units are gone at its k-th place.
        squares[start : start + _BLOCK] = whole - np.diagonal(pushed)
        products -= np.einsum("ui,uj->ij", units, units)
    gone = np.concatenate([np.zeros((1, len(z))), np.cumsum(strongest, axis=0)])
    sums = -np.einsum("jk,kj->k", slope, gone)
    units_left = n - np.arange(len(order) + 1.0)
    variance = units_left / (units_left - 1) * np.maximum(squares - np.square(sums) / units_left, 0.0)
    error = without_noise(np.sqrt(variance), statistics.size_of_influence.sum())
    return _differences(metric, totals), error, _degrees(statistics, order)


def _degrees(statistics: Statistics, order: Index) -> Floats:
    """Return the degrees of freedom without the first 0, 1, … of `order`."""
    if statistics.sizes is None:
        return np.asarray(statistics.n - 1.0 - np.arange(len(order) + 1), dtype=np.float64)
    sizes = statistics.sizes.astype(np.float64)
    return np.array([satterthwaite_df(np.delete(sizes, order[:k])) for k in range(len(order) + 1)])


def _without_random(statistics: Statistics, k: Index, seed: int, draws: int) -> Floats:
    """Return the differences without the first k units of random orders; shape (draws, m)."""
    from scipy.sparse import csr_matrix  # here, because only large modules of scipy have it

    most, steps, sums = int(k[-1]), len(k) - 1, statistics.sums
    units = np.ascontiguousarray(statistics.values.reshape(-1, statistics.n).T, dtype=np.float64)
    left_out = np.zeros((draws, len(k), units.shape[1]))
    for draw in range(draws if most else 0):
        keys = Words(seed, draw, Purpose.LEFT_OUT).take(1, statistics.n)[0]
        chosen = np.argpartition(keys, most - 1)[:most]
        chosen = chosen[np.argsort(keys[chosen])]
        # One row per step of the curve, with a 1 for each unit that goes at it.
        between = np.asarray(csr_matrix((np.ones(most), chosen, k), shape=(steps, statistics.n)) @ units)
        np.cumsum(between, axis=0, out=left_out[draw, 1:])
    totals: Floats = sums[..., None, None] - left_out.transpose(2, 0, 1).reshape(*sums.shape, draws, len(k))
    return _differences(statistics.metric, totals)
