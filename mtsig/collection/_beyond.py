"""Beyond these sets: the mean over further sets, ranks over sets, and in how many sets a system is better."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Annotated, ClassVar, Literal, TypeAlias

import numpy as np
import scipy

from mtsig._probability import chi2_quantile, range_above, range_critical, t_quantile
from mtsig._records import Count, Floats, Index, Number, Probability, Record, Spread, SystemName, about, at_most
from mtsig.citations import Citations
from mtsig.errors import InvalidOption, NotApplicable
from mtsig.inference._corrections import Holm
from mtsig.inference._tests import signed_rank_p

FEWEST_SETS = 5
"""Fewer sets cannot stand for others: what varies from set to set is not known from them."""


@dataclass(frozen=True)
class RandomEffects(Record):
    """The mean of a difference over sets like these, and how much sets differ."""

    mean: Annotated[Number, about("μ: estimated mean of the true differences over test sets like these.")]
    standard_error: Annotated[Spread, about("Standard error of the mean, by the method of Hartung and Knapp.")]
    ci_low: Annotated[
        Number, about("Lower end of the mean's confidence interval (t, J − 1 degrees of freedom)."), at_most("ci_high")
    ]
    ci_high: Annotated[Number, about("Its upper end.")]
    predict_low: Annotated[
        Number,
        about("Lower end of the prediction interval for the difference in a new test set."),
        at_most("predict_high"),
    ]
    predict_high: Annotated[Number, about("Its upper end.")]
    tau2: Annotated[Spread, about("τ²: variance of true differences between sets (Paule and Mandel's method).")]
    truncated: Annotated[bool, about("Whether the standard error was limited, as the sets agree so closely.")]
    q: Annotated[Number, about("Cochran's Q: how much the differences vary between sets.")]
    i2: Annotated[Probability, about("I²: share of the variation between sets that exceeds chance.")]
    i2_low: Annotated[Probability, about("Lower end of the interval of I² (Q-profile method)."), at_most("i2_high")]
    i2_high: Annotated[Probability, about("Its upper end.")]


def random_effects(differences: Floats, covariance: Floats, level: float = 0.95) -> RandomEffects | None:
    """Return the mean over sets like these; None where the covariance matrix is singular.

    τ² solves Q(τ²) = J − 1 with Q = (y − μ̂1)ᵀ(V + τ²I)⁻¹(y − μ̂1), μ̂ the mean by generalised least squares; 0 where
    Q(0) < J − 1 (Paule and Mandel 1982). Var μ̂ = s²/(1ᵀ(V + τ²I)⁻¹1) with s² = Q/(J − 1), which is 1 where τ² > 0, and
    not below 1 where τ² = 0 (Hartung and Knapp 2001); t with J − 1 degrees of freedom, for the mean and for the
    prediction μ̂ ± t √(τ² + Var μ̂). Without shared units V is diagonal, and all of this is the textbook's.

    I² = τ²/(τ² + (J − 1)/tr P) with P = V⁻¹ − V⁻¹1 1ᵀV⁻¹/(1ᵀV⁻¹1): (J − 1)/tr P is what makes it (Q − J + 1)/Q at the
    moment estimate of τ². Its ends stand on the τ² at which Q(τ²) is the χ² quantile (Viechtbauer 2007).
    """
    y, count = differences, len(differences)
    scale = np.sqrt(np.diag(covariance))
    if not np.all(scale > 0) or np.linalg.matrix_rank(covariance / np.outer(scale, scale)) < count:
        return None

    def fitted(tau2: float) -> tuple[float, float, float]:
        """Return Q, μ̂ and 1ᵀ(V + τ²I)⁻¹1."""
        total = covariance + tau2 * np.eye(count)
        by_y, by_one = np.linalg.solve(total, np.stack([y, np.ones(count)], axis=1)).T
        weight = float(by_one.sum())
        mean = float(by_one @ y) / weight
        gaps = y - mean
        return float(gaps @ (by_y - mean * by_one)), mean, weight

    def excess(bound: float, tau2: float) -> float:
        return fitted(tau2)[0] - bound

    tau2 = _root(partial(excess, count - 1.0), np.ptp(y) ** 2)
    q, mean, weight = fitted(tau2)
    share = q / (count - 1) if tau2 == 0 else 1.0
    variance = max(1.0, share) / weight
    reach = float(t_quantile((1 + level) / 2, count - 1))
    half, predicted = reach * np.sqrt(variance), reach * np.sqrt(tau2 + variance)
    q_zero = fitted(0.0)[0]
    inverse = np.linalg.inv(covariance)
    by_one = inverse.sum(axis=1)
    typical = (count - 1) / float(np.trace(inverse) - by_one @ by_one / by_one.sum())
    high_q, low_q = (float(chi2_quantile(share, count - 1)) for share in ((1 + level) / 2, (1 - level) / 2))
    ends = [_root(partial(excess, bound), np.ptp(y) ** 2) for bound in (high_q, low_q)]
    i2 = max(0.0, (q_zero - count + 1) / q_zero) if q_zero > 0 else 0.0
    i2_low, i2_high = (end / (end + typical) for end in ends)
    return RandomEffects(
        mean,
        float(np.sqrt(variance)),
        float(mean - half),
        float(mean + half),
        float(mean - predicted),
        float(mean + predicted),
        tau2,
        tau2 == 0 and share < 1,
        q_zero,
        i2,
        i2_low,
        i2_high,
    )


def _root(excess: Callable[[float], float], start: float) -> float:
    """Return where a function of τ² that falls is 0; 0 where it is not above 0 there."""
    if excess(0.0) <= 0:
        return 0.0
    high = max(start, 1e-12)
    while excess(high) > 0:
        high *= 4
    return float(scipy.optimize.brentq(excess, 0.0, high, xtol=1e-14 * high, rtol=1e-14))


Separated: TypeAlias = tuple[Floats, float]
"""p of every pair, and by how much mean ranks must differ; NaN where no distance decides."""


class SeparationOfRanks(ABC):
    """A way to separate systems by their ranks over sets; `in_words` is how a methods paragraph says it."""

    name: ClassVar[str]
    label: ClassVar[str]
    in_words: ClassVar[str]
    cites: ClassVar[Citations]

    @abstractmethod
    def __call__(self, ranks: Floats, scores: Floats, first: Index, second: Index, alpha: float) -> Separated:
        """Return what separates the systems.

        ranks, scores: shape (J, k); lower scores are better. first, second: shape (m,), the systems of each pair.
        """

    def told(self, critical_difference: float) -> str:
        """Return what separates the ranks of a result, in words."""
        del critical_difference
        return self.label


class NemenyisDifference(SeparationOfRanks):
    """Mean ranks that lie q/√2·√(k(k + 1)/(6J)) apart, q the studentized range's quantile (Demšar 2006)."""

    name = "nemenyi"
    label = "Nemenyi"
    in_words = "the critical difference of Nemenyi"
    cites = ("nemenyi-1963", "demsar-2006")

    def __call__(self, ranks: Floats, scores: Floats, first: Index, second: Index, alpha: float) -> Separated:
        """Return the tail of the studentized range, and the critical difference."""
        del scores
        count, k = ranks.shape
        means, unit = ranks.mean(axis=0), np.sqrt(k * (k + 1) / (12 * count))
        p = range_above(np.abs(means[first] - means[second]) / unit, k)
        return p, float(range_critical(alpha, k) * unit)

    def told(self, critical_difference: float) -> str:
        return f"{self.label} (critical difference {critical_difference:.2f})"


class WilcoxonWithHolm(SeparationOfRanks):
    """Wilcoxon's signed-rank test with Holm; only where m·2^(1 − J) ≤ alpha for m pairs."""

    name = "wilcoxon-holm"
    label = "Wilcoxon's signed-rank test with Holm"
    in_words = "Wilcoxon's test with Holm"
    cites = ("wilcoxon-1945", "demsar-2006")

    def __call__(self, ranks: Floats, scores: Floats, first: Index, second: Index, alpha: float) -> Separated:
        """Return the corrected p of every pair."""
        count = len(ranks)
        if len(first) * 2.0 ** (1 - count) > alpha:
            raise NotApplicable(
                f"Wilcoxon's test with Holm cannot find a significant difference among {len(first)} pairs on {count} "
                f"sets, whatever the scores. Choose {NemenyisDifference.name}."
            )
        p = [signed_rank_p(scores[:, x] - scores[:, y]) for x, y in zip(first, second, strict=True)]
        return Holm().adjusted(np.array(p)), float("nan")


SEPARATIONS: dict[str, SeparationOfRanks] = {
    separation.name: separation for separation in (NemenyisDifference(), WilcoxonWithHolm())
}


Separation = Literal["nemenyi", "wilcoxon-holm"]


@dataclass(frozen=True)
class SetRanks(Record):
    """Mean ranks of systems over sets, best first: each set's score taken as exact, the sets as a sample."""

    systems: Annotated[tuple[SystemName, ...], about("The systems, best mean rank first.")]
    mean_ranks: Annotated[tuple[float, ...], about("Mean ranks of these systems; ties share their ranks.")]
    sets: Annotated[Count, about("How many sets.")]
    statistic: Annotated[Number, about("Friedman's χ², corrected for ties.")]
    df: Annotated[Count, about("Degrees of freedom of Friedman's χ².")]
    p_value: Annotated[Probability, about("p-value of Friedman's test that all mean ranks are the same.")]
    separation: Annotated[str, about("Test that compares pairs of systems: nemenyi or wilcoxon-holm.")]
    critical_difference: Annotated[Number, about("Nemenyi's critical difference of mean ranks; null for other tests.")]
    pair_p: Annotated[
        tuple[tuple[float, ...], ...], about("p-values of all pairs, in the order of the systems; 1 on the diagonal.")
    ]
    cliques: Annotated[
        tuple[tuple[SystemName, ...], ...],
        about("Groups of neighbouring systems that do not differ significantly, each as large as possible."),
    ]


def rank_over_sets(
    scores: Floats,
    systems: Sequence[str],
    alpha: float = 0.05,
    separation: Separation = "nemenyi",
    higher_is_better: bool = True,
) -> SetRanks:
    """Compute the mean ranks of systems over test sets, with Friedman's test.

    Pairs of systems are compared by the critical difference or by pairwise tests.

    Parameters
    ----------
    scores
        The scores of k systems on J sets; shape (J, k).
    systems
        The names of the k systems.
    alpha
        The error rate.
    separation
        The method by which pairs of systems are compared.
    higher_is_better
        Whether higher scores are better.

    Raises
    ------
    NotApplicable
        There are fewer than 5 sets or 2 systems, a score is missing, or the sets are too few for Wilcoxon's test.
    InvalidOption
        The method of comparing pairs is unknown.

    Examples
    --------
    >>> import numpy as np
    >>> from mtsig.study import rank_over_sets
    >>> scores = np.array([[30, 28, 25], [31, 30, 24], [29, 27, 26], [33, 31, 27], [30, 29, 25], [32, 30, 26]], float)
    >>> rank_over_sets(scores, ["A", "B", "C"]).mean_ranks
    (1.0, 2.0, 3.0)
    """
    count, k = scores.shape
    if count < FEWEST_SETS or k < 2:
        raise NotApplicable(f"Ranks over sets need {FEWEST_SETS} sets and 2 systems; found {count} and {k}.")
    if np.isnan(scores).any():
        raise NotApplicable("Ranks over sets need a score of every system in every set.")
    turned = -scores if higher_is_better else scores
    # Those that tie share the mean of their places.
    better, ties = (count_of(turned[:, None], turned[:, :, None]).sum(axis=2) for count_of in (np.less, np.equal))
    ranks = better + (ties + 1) / 2
    order = np.lexsort((np.arange(k), ranks.mean(axis=0)))
    ranks, turned = ranks[:, order], turned[:, order]
    names, means = [systems[i] for i in order], ranks.mean(axis=0)
    spread = np.square(ranks - (k + 1) / 2).sum() / (k - 1)
    statistic = float(np.square(ranks.sum(axis=0) - count * (k + 1) / 2).sum() / spread) if spread > 0 else 0.0
    first, second = np.array(list(combinations(range(k), 2))).T
    if separation not in SEPARATIONS:
        raise InvalidOption(f"The test of mean ranks must be {' or '.join(SEPARATIONS)}; found {separation!r}.")
    p, critical = SEPARATIONS[separation](ranks, turned, first, second, alpha)
    table = np.eye(k)
    table[first, second] = table[second, first] = p
    return SetRanks(
        tuple(names),
        tuple(means.tolist()),
        count,
        statistic,
        k - 1,
        float(scipy.special.chdtrc(k - 1, statistic)),
        separation,
        critical,
        tuple(map(tuple, table.tolist())),
        cliques(names, table <= alpha),
    )


def cliques(
    names: Sequence[str], separated: np.ndarray[tuple[int, int], np.dtype[np.bool_]]
) -> tuple[tuple[str, ...], ...]:
    """Return the maximal runs of neighbours, of two or more, of which no two are separated; shape (k, k)."""
    cliques: list[tuple[str, ...]] = []
    reached = 0
    for begin in range(len(names)):
        end = begin + 1
        while end < len(names) and not separated[begin:end, end].any():
            end += 1
        if end > reached and end - begin > 1:
            cliques.append(tuple(names[begin:end]))
        reached = max(reached, end)
    return tuple(cliques)


Combination = Literal["bonferroni", "fisher"]


@dataclass(frozen=True)
class Replicability(Record):
    """The number of sets on which the first system is better."""

    first: Annotated[SystemName, about("The system that is better, if any is.")]
    second: Annotated[SystemName, about("The other one.")]
    sets: Annotated[Count, about("Number of sets that have both systems.")]
    least: Annotated[Count, about("Lower bound on the number of sets in which the first is better."), at_most("sets")]
    alpha: Annotated[Probability, about("Share of alpha that is used for this pair and direction.")]
    combination: Annotated[str, about("Method: bonferroni (any dependence) or fisher (independent sets only).")]
    p_values: Annotated[tuple[float, ...], about("p of the hypotheses “better in fewer than u sets”, u = 1, 2 …")]
    better_in: Annotated[tuple[str, ...], about("Sets in which the system is better, corrected for all sets together.")]
    pairs: Annotated[Count, about("Number of pairs among which alpha is divided.")] = 1
    withheld: Annotated[Count, about("Number of sets without a verdict. They count as if p were 1.")] = 0


def partial_conjunction(p: Floats, combination: Combination = "bonferroni") -> Floats:
    """Test the null hypotheses that fewer than u of J sets have an effect.

    The result for u = 1 … J has shape (J,). With p_(1) ≤ … ≤ p_(J), Bonferroni's p is (J − u + 1) p_(u) under any
    dependence. For independent sets, Fisher's p is the tail of χ² with 2(J − u + 1) df beyond −2 Σ_{i ≥ u} ln p_(i).
    The result is the running maximum over u (Benjamini and Heller 2008; Dror et al. 2017). Missing p-values count as 1.

    Raises
    ------
    InvalidOption
        The combination method is unknown.

    Examples
    --------
    >>> import numpy as np
    >>> from mtsig.study import partial_conjunction
    >>> partial_conjunction(np.array([0.001, 0.01, 0.4])).tolist()
    [0.003, 0.02, 0.4]
    """
    ascending = np.sort(np.nan_to_num(np.asarray(p, dtype=np.float64), nan=1.0))
    left = np.arange(len(ascending), 0, -1)
    if combination == "bonferroni":
        result = np.minimum(1.0, left * ascending)
    elif combination == "fisher":
        with np.errstate(divide="ignore"):
            statistic = -2 * np.cumsum(np.log(ascending)[::-1])[::-1]
        result = scipy.special.gammaincc(left, statistic / 2)
    else:
        raise InvalidOption(f"p-values of sets are combined by bonferroni or fisher; found {combination!r}.")
    return np.maximum.accumulate(result)


def least_number(p: Floats, alpha: float) -> int:
    """Return the largest u whose p of `partial_conjunction` is at most alpha; 0 where none is."""
    return int(np.count_nonzero(np.asarray(p) <= alpha + 1e-12))


def one_sided(difference: Floats, p: Floats) -> Floats:
    """Return the p-values of "the first is better" from two-sided ones of laws that are symmetric about 0."""
    return np.where(difference > 0, p / 2, np.where(difference < 0, 1 - p / 2, np.where(np.isnan(p), p, 0.5)))


def replicability(
    pair: tuple[str, str],
    sets: int,
    p: Floats,
    alpha: float,
    combination: Combination = "bonferroni",
    *,
    shared: bool = False,
    better_in: Sequence[str] = (),
    pairs: int = 1,
) -> Replicability:
    """Return in how many sets the first of a pair is better, from one-sided p-values; shape (J,), NaN where withheld.

    alpha: of this pair and direction. Where alpha over all chains of hypotheses is α, P pairs in both directions have
    α/(2P) each: then no number is overstated with probability 1 − α, whatever the dependence, since within a chain
    only the first true hypothesis counts. shared: whether sets share units. better_in: the sets that show it by
    themselves. pairs: P.
    """
    if combination == "fisher" and shared:
        raise NotApplicable(
            "Fisher's combination is for independent sets, and these share units. Choose bonferroni, which is valid "
            "for sets that share units."
        )
    each = partial_conjunction(p, combination)
    return Replicability(
        *pair,
        sets,
        least_number(each, alpha),
        alpha,
        combination,
        tuple(each.tolist()),
        tuple(better_in),
        pairs=pairs,
        withheld=int(np.isnan(p).sum()),
    )
